"""The state of the paste panel, without a browser: mazes, prompts, answers, results, corrections, exports."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.panels.pasting.drafts import Draft, Drafts, new_name
from hallumaze_kit.panels.pasting.looks import Notice, look
from hallumaze_kit.panels.pasting.plan import PastePlan, Progress, Trial, check_pasted, maze_key
from hallumaze_kit.panels.trials.hints import HintedTrials, standing
from hallumaze_kit.records import BenchmarkResult, MazeConfig, decisions_frame, write_csv, write_json
from hallumaze_kit.records.atomic import write_whole
from hallumaze_kit.store import AnswerBook, Imported, Rescored, StoredAnswer
from hallumaze_kit.study.analysis.coding import add_reading
from hallumaze_kit.trial.correction import (
    CORRECTION,
    WITHDRAWN,
    active_corrections,
    correct,
    corrections_between,
    reading_lines,
)
from hallumaze_kit.trial.hints import read_as
from hallumaze_kit.trial.parsing import parse_answer
from hallumaze_kit.trial.prompt import Prompt, build_prompt
from hallumaze_kit.trial.replay import Replay, replay
from hallumaze_kit.trial.scoring import score_stored
from hallumaze_kit.trial.trace import Trace

EXPORTS = {"json": "json", "csv": "csv", "jsonl": "jsonl", "decisions": "decisions.csv"}
"""What can be exported, and the ending of its file."""
DISCARDED = "attempt_discarded"
LONGEST_NAME = 200
"""A longer name of a model is stored, but not suggested again."""


@dataclass(frozen=True)
class Provenance:
    """Where an answer comes from, as the user types it; remembered from the last answer of the book.

    product   the product or company, "ChatGPT" (the record's `provider`)
    model     the model's name as shown
    effort    mode or reasoning effort as shown, "thinking, high"
    tools     "off", "on" or "" (not known)
    new_chat  the prompt was the first message of a new chat
    attempt   number of the attempt at this trial, from 1
    link      share link
    """

    product: str = ""
    model: str = ""
    effort: str = ""
    tools: str = ""
    new_chat: bool = True
    attempt: int = 1
    link: str = ""

    def fields(self, today: date) -> dict[str, Any]:
        """The fields of the record."""
        extra = {"new_chat": self.new_chat} | ({"share_link": self.link} if self.link else {})
        return {
            "provider": self.product.strip() or "pasted",
            "model": self.model.strip(),
            "effort": self.effort.strip(),
            "tools": self.tools,
            "attempt": self.attempt,
            "channel": "pasted",
            "date": today.isoformat(),
            "extra": extra,
        }


class Shown(NamedTuple):
    """An answer with everything that is shown of it; `mended` are the places of the events that a correction made."""

    answer: StoredAnswer
    maze: MazeEngine
    config: MazeConfig
    trace: Trace
    happened: Replay
    result: BenchmarkResult
    mended: frozenset[int] = frozenset()


class Row(NamedTuple):
    """A line of the list of saved answers; `mei` is NaN where it could not be scored, `right` where nothing is judged.

    `standing` is what the answer is in a hinted trial (`hallumaze_kit.panels.trials.hints.standing`).
    """

    id: str
    at: str
    product: str
    model: str
    size: int
    seed: int | None
    sr: float
    mei: float
    failure: str
    right: float
    protocol: str
    standing: str
    deleted: bool
    corrected: bool
    discarded: int


class PasteState:
    """All that the paste panel can do, as plain calls.

    book   an `AnswerBook`; drafts and exports are written beside its file
    plan   a `PastePlan`, if a set of trials is to be filled

    What cannot be done raises a `KitError`; `submit` returns a `Notice` instead of storing where it has to ask.
    """

    def __init__(self, book: AnswerBook, plan: PastePlan | None = None) -> None:
        if not isinstance(book, AnswerBook):
            raise InputError("store", book, "an AnswerBook", 'Open one: AnswerBook("answers.db").')
        self.book, self.plan = book, plan
        self.drafts = Drafts(book.path)
        self.draft = new_name()
        self.provenance = self._remembered()
        self.hints = HintedTrials(self)
        self._rows: dict[str, Row] = {}
        self.maze: MazeEngine
        self.config: MazeConfig
        self.prompt: Prompt
        first = self.progress().missing[:1] if plan else ()
        if first:
            self.take_trial(first[0])
        else:
            self.choose(MazeEngine(7), MazeConfig())

    # ---- the stimulus ---------------------------------------------------------------------------

    def choose(self, maze: MazeEngine, config: MazeConfig) -> None:
        """Ask about this maze under this condition; `InputError` for one whose answers cannot be pasted."""
        config = replace(check_pasted(config), size=maze.size)
        self.prompt = build_prompt(maze, config)
        self.maze, self.config = maze, config

    def take_trial(self, trial: Trial) -> None:
        """Ask the planned trial."""
        self.choose(trial.maze, trial.config)
        if trial.model:
            self.provenance = replace(self.provenance, model=trial.model)

    def next_planned(self) -> Trial | None:
        """Ask the next missing trial of the plan, the present model's first; None if all are done."""
        missing = self.progress().missing
        mine = [trial for trial in missing if trial.model in ("", self.provenance.model)]
        for trial in (*mine[:1], *missing[:1]):
            self.take_trial(trial)
            return trial
        return None

    def planned(self, maze: MazeEngine) -> bool:
        """The plan holds this maze."""
        return self.plan is not None and maze in self.plan.mazes

    def go_to(self, maze: MazeEngine) -> None:
        """Ask about this maze: its next planned trial, or else under the present condition."""
        planned = [trial.config for trial in self.progress().missing if trial.maze == maze]
        self.choose(maze, planned[0] if planned else self.config)

    def answers_here(self) -> int:
        """How many answers to this maze under this condition are stored."""
        maze = self.maze.to_dict()
        return sum(a.config == self.config and _same_maze(a.maze, maze) for a in self.book.answers())

    def progress(self) -> Progress:
        """How far the plan has come; without one (0, 0, ())."""
        return self.plan.progress(self.book.answers()) if self.plan else Progress(0, 0, ())

    # ---- answers --------------------------------------------------------------------------------

    def typed(self, text: str) -> None:
        """Keep on the disk what stands in the box."""
        self.drafts.keep(self.draft, text)

    def unsaved(self) -> list[Draft]:
        """Texts of earlier or other panels that were never stored; an awaited second answer's stands in its own box."""
        boxed = tuple(f"second-{answer.id}-" for answer in self.hints.awaited())
        listed = self.drafts.listed()
        return [draft for draft in listed if self.draft not in draft.name and not draft.name.startswith(boxed)]

    def submit(self, text: str, anyway: bool = False) -> Shown | Notice:
        """Store an answer to the present maze, then score it; or say why not, with the text kept as a draft.

        `anyway=True` stores whatever is not empty.
        """
        self.typed(text)
        others = self._other_mazes() if self.config.protocol == "single" else ()
        notice = look(text, self.maze, self.config, self.prompt, self.book.answers(), others)
        if notice and not (anyway and notice.kind != "empty"):
            return notice
        shown = self.store(text, self.maze, self.config, self.provenance)
        self.drafts.drop(self.draft)
        return shown

    def store(self, text: str, maze: MazeEngine, config: MazeConfig, provenance: Provenance, **more: Any) -> Shown:
        """Store and score an answer without a look at it; in groups B and C, with what is to be said after it."""
        config = replace(config, size=maze.size)
        fields = provenance.fields(date.today()) | more
        hinted = self.hints.fields(text, maze, config, fields["provider"], fields["model"])
        fields |= hinted | {"extra": fields["extra"] | hinted.get("extra", {})}
        prompt = build_prompt(maze, config)
        return self.score(
            self.book.add(text, maze=maze.to_dict(), config=config, prompt_sha256=prompt.sha256, **fields)
        )

    def _other_mazes(self) -> list[MazeEngine]:
        """The mazes that an answer may belong to instead: the other ones of the plan, or of stored answers."""
        planned = list(self.plan.mazes) if self.plan else []
        stored = {maze_key(a.maze): a.maze for a in self.book.answers() if a.maze}
        mazes = dict.fromkeys([*planned, *map(MazeEngine.from_dict, stored.values())])
        return [maze for maze in mazes if maze != self.maze]

    def _remembered(self) -> Provenance:
        """The provenance of the last answer that was pasted."""
        last = None
        for answer in self.book.answers():
            last = answer if answer.meta.get("channel") == "pasted" else last
        if last is None:
            return Provenance()
        known, extra = last.meta, last.meta.get("extra") or {}
        product = known.get("provider", "")
        return Provenance(
            "" if product == "pasted" else product, known.get("model", ""), known.get("effort", ""),
            known.get("tools", ""), bool(extra.get("new_chat", True)), 1, "",
        )  # fmt: skip

    def suggestions(self, field: str) -> list[str]:
        """What was typed before for "provider", "model" or "effort", the most frequent first."""
        found = Counter(str(answer.meta.get(field, "")) for answer in self.book.answers())
        return [name for name, _ in found.most_common(50) if 0 < len(name) <= LONGEST_NAME and name != "pasted"]

    # ---- results --------------------------------------------------------------------------------

    def score(self, id: str) -> Shown:
        """Score a stored answer, with its corrections, and keep the result."""
        answer = self.book.answer(id)
        self.book.save_result(id, score_stored(answer))
        self._rows.pop(id, None)
        return self.open(id)

    def open(self, id: str) -> Shown:
        """A stored answer as it is shown."""
        answer = self.book.answer(id)
        result = self.book.result(id) or score_stored(answer)
        if answer.maze is None:
            raise InputError("id", id, "an answer that was stored with its maze")
        maze = MazeEngine.from_dict(answer.maze)
        config = answer.config or MazeConfig(size=maze.size)
        read = parse_answer(answer.text)
        trace = correct(read, active_corrections(answer.events))
        happened = Replay() if config.protocol == "probe" else replay(maze, trace, read_as(config, result.key_events))
        return Shown(answer, maze, config, trace, happened, result, _mended(read, trace))

    def rescore_all(self) -> Rescored:
        """Score every stored answer anew."""
        self._rows.clear()
        return self.book.rescore(score_stored)

    def saved(self, words: str = "", deleted: bool = False, limit: int = 200) -> tuple[list[Row], int]:
        """The latest stored answers that hold all `words` (model, product, seed, failure …), and how many there are."""
        wanted = words.lower().split()
        found = []
        for answer in self.book.answers(include_deleted=True):
            row = self._row(answer)
            line = f"{row.product} {row.model} {row.size}×{row.size} {row.seed} {row.failure} {row.at}".lower()
            if (deleted or not row.deleted) and all(word in line for word in wanted):
                found.append(row)
        return found[: -limit - 1 : -1], len(found)

    def _row(self, answer: StoredAnswer) -> Row:
        known = self._rows.get(answer.id)
        if known is None:
            result = self.book.result(answer.id)
            nan = float("nan")
            known = Row(
                answer.id, answer.added_at, answer.meta.get("provider", ""), answer.meta.get("model", ""),
                (answer.maze or {}).get("size", 0), (answer.maze or {}).get("seed"),
                result.sr if result else nan, result.mei if result else nan, result.failure_mode if result else "",
                result.probe_right if result else nan, answer.config.protocol if answer.config else "single",
                "", False, False, 0,
            )  # fmt: skip
            self._rows[answer.id] = known
        return known._replace(
            standing=standing(answer),
            deleted=answer.deleted,
            corrected=bool(active_corrections(answer.events)),
            discarded=sum(event.kind == DISCARDED for event in answer.events),
        )

    def results(self) -> list[BenchmarkResult]:
        """The results of all stored answers, the deleted ones left out."""
        return self.book.results()

    # ---- marks ----------------------------------------------------------------------------------

    def delete(self, id: str, reason: str = "") -> None:
        """Mark an answer as deleted; it stays in the file. The first answer of its trial, if any, counts again."""
        self.book.mark_deleted(id, reason)
        self.hints.deleted(id)

    def restore(self, id: str) -> None:
        """Take the mark of deletion back; refused where the other answer of a hinted trial counts."""
        self.hints.check_restore(id)
        self.book.restore(id)
        self.hints.restored(id)

    def discard(self, id: str, reason: str) -> None:
        """Note that an attempt before this answer was thrown away, and why: a cut connection, a refusal."""
        if not reason.strip():
            raise InputError("reason", reason, "a few words on why the attempt was discarded")
        self.book.note(id, DISCARDED, {"reason": reason.strip()})

    # ---- readings -------------------------------------------------------------------------------

    def reading(self, id: str) -> list[str]:
        """The reading of an answer as lines to mend, corrections applied."""
        return reading_lines(self.open(id).trace)

    def mend(self, id: str, lines: Sequence[str], author: str, reason: str) -> Shown:
        """Correct the reading of an answer: the text stays, the scores rest on the corrected reading."""
        trace = self.open(id).trace
        now = datetime.now().astimezone().isoformat()
        made = corrections_between(trace, list(lines), author, reason, now)
        if made:
            self.book.note(id, CORRECTION, list(made), who=author)
        return self.score(id)

    def unmend(self, id: str) -> Shown:
        """Withdraw the corrections of an answer; they stay in its log."""
        answer = self.book.answer(id)
        gone = {event.data["event"] for event in answer.events if event.kind == WITHDRAWN}
        for event in answer.events:
            if event.kind == CORRECTION and event.id not in gone:
                self.book.note(id, WITHDRAWN, {"event": event.id})
        return self.score(id)

    def code(self, id: str, lines: Sequence[str], coder: str) -> None:
        """Keep a second reading, made from the answer's text alone."""
        add_reading(self.book, id, list(lines), coder)

    # ---- out and in -----------------------------------------------------------------------------

    def export(self, kind: str, folder: Path | None = None) -> Path:
        """Write the results ("json", "csv", "decisions") or the whole book ("jsonl") to a new file beside the book."""
        if kind not in EXPORTS:
            raise InputError("kind", kind, "one of " + ", ".join(map(repr, EXPORTS)))
        stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
        path = (folder or self.book.path.parent) / f"{self.book.path.stem}-{stamp}.{EXPORTS[kind]}"
        if kind == "jsonl":
            self.book.export_jsonl(path)
        elif kind == "json":
            write_json(self.results(), path)
        elif kind == "csv":
            write_csv(self.results(), path)
        else:
            table = decisions_frame(self.results()).to_csv(index=False, lineterminator="\n")
            write_whole(path, table.encode("utf-8-sig"))
        return path

    def import_(self, data: bytes) -> Imported:
        """Take in a book that was exported as JSON lines; what is not scored yet is scored."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "import.jsonl"
            path.write_bytes(data)
            report = self.book.import_jsonl(path)
        for answer in self.book.answers(include_deleted=True):
            if answer.maze is not None and self.book.result(answer.id) is None:
                self.book.save_result(answer.id, score_stored(answer))
        self._rows.clear()
        return report


def _mended(read: Trace, corrected: Trace) -> frozenset[int]:
    """The places of the events that a correction made: it leaves the others as the very objects that were read."""
    kept = {id(event) for event in read.events}
    return frozenset(i for i, event in enumerate(corrected.events) if id(event) not in kept)


def _same_maze(one: dict[str, Any] | None, other: dict[str, Any]) -> bool:
    """The same walls and lures."""
    return one is not None and maze_key(one) == maze_key(other)
