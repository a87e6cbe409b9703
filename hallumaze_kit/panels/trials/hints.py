"""Hinted trials by paste: what is to be said after a first answer, and the second answer that comes then.

A stored answer is never changed, so a hinted trial is two of them. The first is stored at once, with what is to be said
after it in `extra["ariadne"]`. The second is an answer of its own with the whole conversation in `messages`; it names
the first in `extra["first_answer"]`, and the first is marked as deleted ("first answer of …"), so that the trial counts
once. While the second is awaited, and if it never comes, the first is the trial, and its warnings say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import date
from random import Random
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.panels.pasting.looks import Notice, look
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.store import AnswerBook, StoredAnswer
from hallumaze_kit.store.rows import DELETED
from hallumaze_kit.trial.hints import ARMS, Ariadne, hint_of, lacks_second
from hallumaze_kit.trial.prompt import Prompt, build_prompt

if TYPE_CHECKING:
    from hallumaze_kit.panels.pasting.state import PasteState, Shown

PLAYED = "play panel"
"""The channel of what people play (`hallumaze_kit.panels.playing.log`)."""
NO_SECOND = "no_second_answer"
"""The event by which the user says that no second answer came."""
_FIRST_OF = "first answer of "


class HintedTrials:
    """The hinted trials of a book.

    trigger    what calls for a hint in group B (`hallumaze_kit.trial.hints`)
    randomise  draw for each trial whether the hint, a sham or nothing is said

    Both are remembered from the last trial of group B or C.
    """

    def __init__(self, state: PasteState) -> None:
        self.state, self.book = state, state.book
        self.trigger, self.randomise = "loop", False
        for answer in self.book.answers():
            if known := _ariadne(answer):
                self.trigger, self.randomise = known.get("trigger", "loop"), bool(answer.meta.get("arm"))
        self._pair_up()

    # ---- the first answer -----------------------------------------------------------------------

    def fields(self, text: str, maze: MazeEngine, config: MazeConfig, provider: str, model: str) -> dict[str, Any]:
        """What is to be known of a first answer: its arm, and what is to be said after it; {} where nothing ever is."""
        if config.ariadne_mode == "A" or config.protocol != "single":
            return {}
        arm = drawn_arm(self.book.answers(), maze, config, provider, model) if self.randomise else ""
        spoken = Ariadne(config.ariadne_mode, self.trigger, arm).after(maze, text, config)
        known = {
            "trigger": self.trigger,
            "said": spoken.kind if spoken else "",
            "shown": bool(spoken and spoken.shown),
            "message": spoken.message if spoken else "",
        }
        told = {"key_events": (spoken.event(),)} if spoken and not spoken.message else {}
        return {"arm": arm, "extra": {"ariadne": known}} | told

    # ---- the second answer ----------------------------------------------------------------------

    def awaited(self) -> list[StoredAnswer]:
        """The first answers whose second is still to come, the oldest first."""
        answers = list(self.book.answers())
        done = {first_of(answer) for answer in answers}
        waiting = [a for a in answers if lacks_second(a.meta) and a.id not in done and not closed(a)]
        return [a for a in waiting if a.meta.get("channel") != PLAYED]  # a second walk is played, not pasted

    def typed(self, id: str, text: str) -> None:
        """Keep on the disk what stands in the box for the second answer."""
        self.state.drafts.keep(self._draft(id), text)

    def draft(self, id: str) -> str:
        """What was typed for a second answer, in this panel or an earlier one."""
        mine = self._draft(id)
        found = [draft for draft in self.state.drafts.listed() if draft.name.startswith(f"second-{id}-")]
        found.sort(key=lambda draft: draft.name == mine)
        return found[-1].text if found else ""

    def second(self, id: str, text: str, anyway: bool = False) -> Shown | Notice:
        """Store the second answer of a trial and score it; or say why not, with the text kept as a draft."""
        self.typed(id, text)
        first = self.book.answer(id)
        if self._second_of(id):
            raise InputError("second answer", id, "a trial without a second answer", "Refresh the list.")
        maze, config = _asked(first)
        prompt = _with_hint(build_prompt(maze, config), message_after(first))
        notice = look(text, maze, config, prompt, self.book.answers())
        if notice and not (anyway and notice.kind != "empty"):
            return notice
        stored = self.book.add(text, maze=first.maze, config=config, **_second_fields(first, maze, config, text))
        set_aside(self.book, first.id, stored)
        for draft in self.state.drafts.listed():
            if draft.name.startswith(f"second-{id}-") and draft.text in (text, ""):
                self.state.drafts.drop(draft.name)
        return self.state.score(stored)

    def close(self, id: str) -> None:
        """Note that no second answer came: the first is the trial."""
        self.book.note(id, NO_SECOND)

    def _draft(self, id: str) -> str:
        return f"second-{id}-{self.state.draft}"

    def _second_of(self, id: str) -> StoredAnswer | None:
        return next((answer for answer in self.book.answers() if first_of(answer) == id), None)

    def _pair_up(self) -> None:
        """Set first answers aside whose second was stored right before a crash."""
        answers = {answer.id: answer for answer in self.book.answers()}
        for answer in list(answers.values()):
            first = answers.get(first_of(answer))
            if first:
                set_aside(self.book, first.id, answer.id)

    # ---- marks ----------------------------------------------------------------------------------

    def deleted(self, id: str) -> None:
        """A second answer was marked as deleted: its first counts again, and a second one is awaited."""
        first = self._first(id)
        if first and first.deleted and is_set_aside(first):
            self.book.restore(first.id)

    def check_restore(self, id: str) -> None:
        """Refuse to take back one of the two answers of a trial while the other counts."""
        if self._second_of(id) or (self._first(id) and self._second_of(first_of(self.book.answer(id)))):
            raise InputError("other answer", id, "the only answer of its trial", "Mark the other as deleted first.")

    def restored(self, id: str) -> None:
        """A second answer was taken back: its first is set aside again."""
        first = self._first(id)
        if first and not first.deleted:
            set_aside(self.book, first.id, id)

    def _first(self, id: str) -> StoredAnswer | None:
        first = first_of(self.book.answer(id))
        return next((a for a in self.book.answers(include_deleted=True) if first and a.id == first), None)


def set_aside(book: AnswerBook, first: str, second: str) -> None:
    """Leave the first answer of a hinted trial (its id) out of lists and tables: the second stands for the trial."""
    book.mark_deleted(first, f"{_FIRST_OF}{second}")


def drawn_arm(answers: Iterable[StoredAnswer], maze: MazeEngine, config: MazeConfig, provider: str, model: str) -> str:
    """The arm of the next trial of a subject under a condition: "hint", "sham" or "none".

    One of those that it has had least often there, so that arms differ by one trial at most; which of them, the maze
    and the number of trials so far decide. Same answers, same arm.
    """
    asked = replace(config, size=7)
    had = Counter(
        answer.meta["arm"]
        for answer in answers
        if answer.meta.get("arm")
        and answer.config
        and replace(answer.config, size=7) == asked
        and (answer.meta.get("provider"), answer.meta.get("model")) == (provider, model)
    )
    least = min(had[arm] for arm in ARMS[1:])
    subject = f"{provider}/{model} {asdict(asked)}"
    rng = Random(f"hallumaze paste arms {maze.maze_id} {had.total()} {subject}")
    return rng.choice([arm for arm in ARMS[1:] if had[arm] == least])


def _ariadne(answer: StoredAnswer) -> dict[str, Any]:
    return (answer.meta.get("extra") or {}).get("ariadne") or {}


def message_after(answer: StoredAnswer) -> str:
    """What is to be said after a first answer, "" where nothing is."""
    return _ariadne(answer).get("message", "")


def first_of(answer: StoredAnswer) -> str:
    """The id of the first answer of a second one's trial; "" for any other answer."""
    return (answer.meta.get("extra") or {}).get("first_answer", "")


def closed(answer: StoredAnswer) -> bool:
    """The user said that no second answer came."""
    return any(event.kind == NO_SECOND for event in answer.events)


def is_set_aside(answer: StoredAnswer) -> bool:
    """The last mark of deletion says that a second answer stands for the trial."""
    reasons = [str(event.data.get("reason", "")) for event in answer.events if event.kind == DELETED]
    return answer.deleted and reasons[-1].startswith(_FIRST_OF)


def standing(answer: StoredAnswer) -> str:
    """What an answer is in a trial of groups B and C, "" where hints were never asked about.

    "awaited", "alone" (no second answer came), "first" (a second stands for the trial), "second", "silent" (the arm
    says nothing), "quiet" (nothing called for a hint)
    """
    if not _ariadne(answer):
        return ""
    if lacks_second(answer.meta):
        return "first" if is_set_aside(answer) else "alone" if closed(answer) else "awaited"
    if first_of(answer):
        return "second"
    return "silent" if hint_of(answer.meta.get("key_events", ())) else "quiet"


def _asked(first: StoredAnswer) -> tuple[MazeEngine, MazeConfig]:
    if not first.maze or not first.config:
        raise InputError("id", first.id, "an answer that was stored with its maze and condition")
    return MazeEngine.from_dict(first.maze), first.config


def _with_hint(prompt: Prompt, message: str) -> Prompt:
    return prompt._replace(user=f"{prompt.user}\n{message}")


def _second_fields(first: StoredAnswer, maze: MazeEngine, config: MazeConfig, text: str) -> dict[str, Any]:
    """What is known of a second answer: all that is of the first, the whole conversation, what was said in it."""
    prompt, known = build_prompt(maze, config), _ariadne(first)
    turns = (
        ("system", prompt.system), ("user", prompt.user), ("assistant", first.text),
        ("user", known["message"]), ("assistant", text),
    )  # fmt: skip
    event = {"kind": "ariadne", **{name: known[name] for name in ("said", "trigger", "shown")}}
    return first.meta | {
        "date": date.today().isoformat(),
        "messages": tuple({"role": role, "content": said} for role, said in turns),
        "key_events": (event,),
        "extra": first.meta["extra"] | {"first_answer": first.id},
    }
