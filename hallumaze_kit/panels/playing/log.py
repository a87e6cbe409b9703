"""What the play panel keeps in an answer book: people, games under way move by move, finished games, withdrawals.

A stored answer is never changed, so a game under way is one with outcome "in play" whose events are the log of what was
done; its text is empty and it is marked as deleted, so that no list of answers and no table holds it. A finished game
is an answer of its own. A person's consent is such a row too, with outcome "enrolled". Whoever applies the events of a
log again has the game as it stood.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from hallumaze_kit.errors import InputError, KitError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.panels.playing.plan import PlayPlan, PlayTrial
from hallumaze_kit.panels.trials.hints import PLAYED, set_aside
from hallumaze_kit.store import AnswerBook, StoredAnswer
from hallumaze_kit.store.rows import ENROLLED, IN_PLAY
from hallumaze_kit.subjects.human import MEMORIES, PAUSE, Game
from hallumaze_kit.trial.hints import Spoken
from hallumaze_kit.trial.scoring import WITHDRAWAL, score_stored

OPENED = "seat taken"
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Signs of a code: none that is taken for another when it is written down."""


class Elsewhere(KitError):
    """The person's game was opened in another window since."""


class Who(NamedTuple):
    """Who plays: the fields of the record. Of people `model` is the study: those of one study are one group."""

    provider: str = "human"
    kind: str = "human"
    model: str = ""


PERSON = Who()


class Seat(NamedTuple):
    """A person of a study: row of the consent, code, number (from 0), language, which window plays now, and to which
    version of the consent the person agreed, on what device, after how many attempts at the three questions."""

    id: str
    code: str
    number: int
    language: str
    token: str
    consent: str
    device: str
    attempts: int


class Entry(NamedTuple):
    """A game under way: row of its log, trial, game; of a second walk the first one's answer."""

    id: str
    trial: PlayTrial
    game: Game
    first: str = ""


class Standing(NamedTuple):
    """How far a person is: the next trial's index, the game under way, or the first walk after which a hint waits."""

    index: int
    entry: Entry | None = None
    hinted: StoredAnswer | None = None


class PlayLog:
    """The rows of one study in a book."""

    def __init__(self, book: AnswerBook, plan: PlayPlan, who: Who = PERSON) -> None:
        self.book, self.plan, self.who = book, plan, who

    # ---- people -----------------------------------------------------------------------------

    def enrol(self, language: str, device: str, checks: list[Any]) -> Seat:
        """Take a person in who has consented: a new code, the next number."""
        token = secrets.token_hex(8)
        with self.book.together():
            number = sum(1 for _ in self._rows(outcome=ENROLLED))
            code = next(code for code in iter(_new_code, "") if not self._of(code))
            play = {
                "number": number, "language": language, "checks": checks, "group": self.plan.group(number),
                "plan": self.plan.digest,
            }  # fmt: skip
            seat = Seat("", code, number, language, token, self.plan.consent_version, device, len(checks))
            seat = seat._replace(id=self._add(seat, "", ENROLLED, {"play": play}))
            self.book.note(seat.id, OPENED, {"token": token}, who=code)
        return seat

    def find(self, code: str) -> Seat:
        """The person with this code, playing in this window from now on.

        `InputError` if there is none, or none any more, or if the plan is not the one that the person began with.
        """
        code = code.strip().upper()
        row = next(iter(self._rows(outcome=ENROLLED, participant=code)), None)
        if row is None:
            raise InputError("code", code, "the code of somebody who takes part in this study")
        if is_withdrawn(row):
            raise InputError("withdrawn code", code, "the code of somebody who has not withdrawn")
        play, token = row.meta["extra"]["play"], secrets.token_hex(8)
        if play["plan"] != self.plan.digest:
            raise InputError("changed plan", code, "the code of somebody who began with this plan", "Name a new study.")
        self.book.note(row.id, OPENED, {"token": token}, who=code)
        known = (row.meta["consent_version"], row.meta["device"], len(play["checks"]))
        return Seat(row.id, code, play["number"], play["language"], token, *known)

    def withdraw(self, seat: Seat) -> int:
        """Mark all that a person gave as withdrawn: it is in no list and no table any more. Return how many answers.

        The file keeps its rows; `without_withdrawn` (`people.py`) writes a book that does not have them.
        """
        with self.book.together():
            rows = self._of(seat.code)
            for row in rows:
                self.book.note(row.id, WITHDRAWAL, {}, who=seat.code)
                self.book.mark_deleted(row.id, "withdrawn by the person", who=seat.code)
                result = self.book.result(row.id)
                if result is not None:
                    self.book.save_result(row.id, result.replace(withdrawn=True))
        return sum(row.meta["outcome"] == "answered" for row in rows)

    # ---- games ------------------------------------------------------------------------------

    def standing(self, seat: Seat) -> Standing:
        """How far a person is; what was stored but not scored before a crash is scored now."""
        rows = self._of(seat.code)
        done = {row.meta["extra"]["play"]["log"]: row for row in rows if row.meta["outcome"] == "answered"}
        for row in done.values():
            if self.book.result(row.id) is None:
                self.book.save_result(row.id, score_stored(row))
        logs = [row for row in rows if row.meta["outcome"] == IN_PLAY]
        if not logs:
            return Standing(0)
        last, index = logs[-1], logs[-1].meta["trial_index"]
        if last.id not in done:
            return Standing(index, self._replayed(last))
        waits = bool(_spoken_of(done[last.id]))
        return Standing(index, hinted=done[last.id]) if waits else Standing(index + 1)

    def begin(self, seat: Seat, trial: PlayTrial, hinted: StoredAnswer | None = None) -> Entry:
        """Begin a trial, or its second walk after a hint."""
        seed = _seed(self.plan.study, seat.code, trial.index)
        first = {"first_answer": hinted.id} if hinted else {}
        spoken = _spoken_of(hinted) if hinted else None
        extra = first | {"play": {"spoken": spoken._asdict()} if spoken else {}}
        with self.book.together():
            self._check_mine(seat)
            id = self._add(
                seat, "", IN_PLAY, extra, maze=trial.maze.to_dict(), config=trial.config,
                trial_index=trial.index, practice=trial.practice, subject_seed=seed,
            )  # fmt: skip
        game = Game(trial.maze, trial.config, seed, spoken.spoken if spoken else None)
        return Entry(id, trial, game, hinted.id if hinted else "")

    def note(self, seat: Seat, entry: Entry, kind: str, data: Mapping[str, Any]) -> None:
        """Let something happen in a game: it is on the disk before it has happened."""
        entry.game.check(kind, data)
        with self.book.together():
            self._check_mine(seat)
            self.book.note(entry.id, kind, dict(data), who=seat.code)
        entry.game.apply(kind, data)

    def finish(self, seat: Seat, entry: Entry) -> StoredAnswer:
        """Store a game that is over as an answer, then score it."""
        game, trial = entry.game, entry.trial
        spoken = None
        hints = self.plan.hints(trial.config)
        asked = game.walk is not None and hints.group != "A" and not entry.first
        if asked:
            spoken = hints.after_walk(trial.maze, game.walk.replay(), trial.config.language)
        known = {
            "trigger": hints.trigger,
            "said": spoken.kind if spoken else "",
            "shown": bool(spoken and spoken.shown),
            "message": spoken.message if spoken else "",
        }
        play = {
            "log": entry.id, "number": seat.number, "memory_shown": self.plan.memory, "pause_ms": PAUSE,
            "confidence_at": _asked_at(trial), "check_attempts": seat.attempts, "plan": self.plan.digest,
        }  # fmt: skip
        extra = {"play": play} | ({"ariadne": known} if asked else {})
        extra |= {"first_answer": entry.first} if entry.first else {}
        with self.book.together():
            self._check_mine(seat)
            id = self._add(
                seat, game.text, "answered", extra, maze=trial.maze.to_dict(),
                config=trial.config, trial_index=trial.index, practice=trial.practice, subject_seed=game.seed,
                messages=tuple(game.messages), key_events=tuple(game.noted), prompt_sha256=game.prompt_sha256,
                stop_reason=game.stopped, latency_s=game.seconds,
            )  # fmt: skip
            if entry.first:
                set_aside(self.book, entry.first, id)
        answer = self.book.answer(id)
        self.book.save_result(id, score_stored(answer))
        return answer

    # ---- rows -------------------------------------------------------------------------------

    def _rows(self, **known: str) -> Any:
        return self.book.answers(True, study=self.plan.study, provider=self.who.provider, **known)

    def _of(self, code: str) -> list[StoredAnswer]:
        return list(self._rows(participant=code))

    def _add(self, seat: Seat, text: str, outcome: str, extra: dict[str, Any], **more: Any) -> str:
        """Store a row; one that is no answer is marked as deleted at once."""
        history = MEMORIES[self.plan.memory]
        now = datetime.now(UTC)
        id = self.book.add(
            text, provider=self.who.provider, model=self.who.model or self.plan.study, subject_kind=self.who.kind,
            channel=PLAYED, participant=seat.code, consent_version=seat.consent, device=seat.device,
            study=self.plan.study, licence=self.plan.licence, outcome=outcome, extra=extra, date=now.date().isoformat(),
            timestamp=now.isoformat(timespec="seconds"),
            memory="all turns" if history is None else f"last {history} turns", **more,
        )  # fmt: skip
        if outcome != "answered":
            self.book.mark_deleted(id, f"kept for its log: {outcome}", who=seat.code)
        return id

    def _check_mine(self, seat: Seat) -> None:
        """Refuse to write where another window has taken the seat, or the person has withdrawn."""
        row = self.book.answer(seat.id)
        tokens = [event.data["token"] for event in row.events if event.kind == OPENED]
        if tokens[-1] != seat.token or is_withdrawn(row):
            raise Elsewhere("This game was opened in another window: go on there, or take it back with the code.")

    def _replayed(self, log: StoredAnswer) -> Entry:
        """The game of a log, as it stood."""
        maze, meta = MazeEngine.from_dict(log.maze or {}), log.meta
        trial = PlayTrial(meta["trial_index"], maze, log.config, meta["practice"])
        spoken = meta["extra"].get("play", {}).get("spoken")
        game = Game(maze, log.config, meta["subject_seed"], _Waiting(**spoken).spoken if spoken else None)
        for event in log.events:
            if event.kind != "deleted":
                game.apply(event.kind, event.data)
        return Entry(log.id, trial, game, meta["extra"].get("first_answer", ""))


class _Waiting(NamedTuple):
    """What is said after a first walk, as its answer keeps it."""

    said: str
    message: str
    trigger: str
    shown: bool

    @property
    def spoken(self) -> Spoken:
        return Spoken(self.said, self.message, self.trigger, self.shown)


def _spoken_of(answer: StoredAnswer) -> _Waiting | None:
    known = answer.meta["extra"].get("ariadne") or {}
    return _Waiting(known["said"], known["message"], known["trigger"], known["shown"]) if known.get("message") else None


def message_after(answer: StoredAnswer) -> str:
    """What is said after this first walk, "" if nothing."""
    spoken = _spoken_of(answer)
    return spoken.message if spoken else ""


def is_withdrawn(answer: StoredAnswer) -> bool:
    """The person who gave it took it back."""
    return any(event.kind == WITHDRAWAL for event in answer.events)


def _new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(6))


def _seed(study: str, code: str, index: int) -> int:
    digest = hashlib.blake2b(f"hallumaze play {study} {code} {index}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big")


def _asked_at(trial: PlayTrial) -> str:
    if not trial.config.use_confidence:
        return "never"
    if trial.config.protocol == "probe":
        return "the answer"
    return "junctions" if trial.config.view == "open" else "every move"
