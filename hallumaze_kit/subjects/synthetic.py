"""Synthetic subjects: rules with known traits that read a prompt and write an answer as text.

They try the whole pipeline on answers whose truth is known, stand as a floor beside leaderboards, and are called
synthetic wherever they are shown: `provider` is "synthetic", a label reads `synthetic/careful`. They see the
user turn of a prompt and nothing else: the maze by `MazeEngine.from_text`, the language, what is asked for, and
the walk to be continued, if there is one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hallumaze_kit.errors import InputError, check_choice
from hallumaze_kit.subjects.synthetic_probe import is_probe, probe_reply
from hallumaze_kit.subjects.synthetic_steps import is_stepwise, step_reply
from hallumaze_kit.subjects.synthetic_text import STYLES, Writer
from hallumaze_kit.subjects.synthetic_walk import WALKS, Deed, Said, Streams, Traits, Walk, read_task
from hallumaze_kit.trial.hints import MESSAGES
from hallumaze_kit.trial.prompt import Prompt, prompt_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hallumaze_kit.maze import Cell

STEP_KINDS = ("explorer", "liar", "looper", "mumbler")
"""Kinds that only the stepwise protocol has."""
KINDS = (*WALKS, "empty", "echo", *STEP_KINDS)
FAULTLESS = Traits()


@dataclass(frozen=True)
class Play:
    """An answer and the truth about it.

    moves   what the subject tried, in order, each with whether the maze allows it and, for a slip, whether the
            subject noticed, declared and repaired it; moves that the prompt gave are not among them
    said    its declarations, in order
    turns   how often it turned back knowingly (its BACKTRACK_COUNT)
    path    its final path
    text    the answer
    """

    moves: tuple[Deed, ...]
    said: tuple[Said, ...]
    turns: int
    path: tuple[Cell, ...]
    text: str

    @property
    def slips(self) -> tuple[Deed, ...]:
        """The moves that the maze does not allow."""
        return tuple(move for move in self.moves if not move.legal)


@dataclass(frozen=True)
class Synthetic:
    """A rule-based subject.

    name    how it is shown, after "synthetic/"
    traits  see `Traits`; the walks "random_walk" and "never_hint" and the kinds without a walk do not use them
    style   "standard" (STEP lines), "markdown", "table", "prose", "terse" (counts and final path) or "list"
    kind    "traits", "clock", "random_walk", "never_hint", "empty" or "echo"; in stepwise trials only, "explorer",
            "liar", "looper" or "mumbler"

    The same subject, prompt and seed give the same text in every process. The walk depends on name, traits, kind, maze
    and seed, not on style, language or template. Raises `InputError` for an unknown style or kind.
    """

    name: str
    traits: Traits = FAULTLESS
    style: str = "standard"
    kind: str = "traits"

    provider = "synthetic"

    def __post_init__(self) -> None:
        check_choice("style", self.style, tuple(STYLES))
        check_choice("kind", self.kind, KINDS)

    @property
    def label(self) -> str:
        """`synthetic/<name>`."""
        return f"{self.provider}/{self.name}"

    def answer(self, prompt: Prompt, seed: int) -> str:
        """The answer to a prompt."""
        return self.play(prompt, seed).text

    def reply(self, messages: Sequence[Mapping[str, str]], seed: int) -> str:
        """The next message in a conversation: dicts with "role" and "content", as the subject sees them.

        In a stepwise trial the next move (`step_reply`); else the answer to the prompt of the first user turn, and
        after a further turn a second answer (`again`). Raises `InputError` for a conversation without a user turn.
        """
        if is_stepwise(messages):
            return step_reply(self, messages, seed)
        users = [m["content"] for m in messages if m["role"] == "user"]
        if not users:
            raise InputError("messages", messages, "a conversation with a user message")
        system = next((m["content"] for m in messages if m["role"] == "system"), "")
        answering, seed = (self, seed) if len(users) == 1 else (self.again(users[-1], seed), seed + 1)
        return answering.answer(prompt_of(system, users[0]), seed)

    def again(self, message: str, seed: int) -> Synthetic:
        """The subject as it answers a second time, after `message`.

        A hint is heeded with the probability `notice`: then it slips and wanders half as often and comes halfway to
        noticing and declaring everything. Anything else changes nothing.
        """
        hinted = message in [texts["hint"] for texts in MESSAGES.values()]
        if not hinted or Streams(f"hallumaze synthetic {self.name} {seed}")("heed").random() >= self.traits.notice:
            return self
        t = self.traits
        better = {
            "slip": t.slip / 2,
            "wander": t.wander / 2,
            "notice": (1 + t.notice) / 2,
            "declare": (1 + t.declare) / 2,
        }
        return replace(self, traits=replace(t, **better))

    def play(self, prompt: Prompt, seed: int) -> Play:
        """The answer to a prompt, and the truth about it; a probe asks for no walk, so there is a text only."""
        if self.kind in STEP_KINDS:
            mend = "These subjects take part in stepwise trials, by `reply`."
            raise InputError("kind", self.kind, "one that answers a whole maze", mend)
        if is_probe(prompt.user):
            return Play((), (), 0, (), probe_reply(self, prompt.user, seed))
        if self.kind in ("empty", "echo"):
            return Play((), (), 0, (), prompt.user if self.kind == "echo" else "")
        task = read_task(prompt.user)
        streams = Streams(f"hallumaze synthetic {self.name} {task.maze.maze_id} {seed}")
        walk: Walk = WALKS[self.kind](task, self.traits, streams)
        text = STYLES[self.style](Writer(task, walk, streams("words")))
        return Play(*walk, text)


FAMILIES = {
    "careful": Traits(
        slip=0.01, notice=0.95, declare=0.9, repair=0.95, wander=0.1, lure=0.05, confidence_noise=3, doubt=30
    ),
    "middling": Traits(slip=0.05, notice=0.6, declare=0.6, repair=0.7, wander=0.25, lure=0.25, confidence_noise=5),
    "hasty": Traits(
        slip=0.12, notice=0.5, declare=0.5, repair=0.6, wander=0.35, lure=0.3, confidence_bias=5, confidence_noise=8
    ),
    "silent_fixer": Traits(
        slip=0.08, notice=0.95, declare=0.0, repair=1.0, wander=0.2, lure=0.1, confidence_noise=5, doubt=25
    ),
    "talker": Traits(
        slip=0.08, notice=0.95, declare=1.0, repair=0.0, wander=0.2, lure=0.1, confidence_noise=5, doubt=25
    ),
    "gullible": Traits(slip=0.02, notice=0.7, declare=0.6, repair=0.8, wander=0.1, lure=0.9, confidence_noise=5),
    "overconfident": Traits(
        slip=0.08, notice=0.3, declare=0.5, repair=0.5, wander=0.25, lure=0.3, confidence_bias=20, confidence_noise=3
    ),
    "underconfident": Traits(
        slip=0.02, notice=0.8, declare=0.8, repair=0.8, wander=0.15, lure=0.15, confidence_bias=-40, confidence_noise=8
    ),
    "stubborn": Traits(slip=0.08, notice=0.0, wander=0.3, lure=0.3, confidence_bias=10, confidence_noise=2),
}
SYNTHETIC = {name: Synthetic(name, traits) for name, traits in FAMILIES.items()}
"""Subjects by name.

careful; middling; hasty (slips and wanders); silent_fixer (notices and repairs, never says so); talker (says what it
notices, repairs nothing); gullible (follows hints); overconfident; underconfident; stubborn (never notices anything).
"""

FLOOR = {
    subject.name: subject
    for subject in (
        Synthetic("empty", kind="empty"),
        Synthetic("echo", kind="echo"),
        Synthetic("random_walk", kind="random_walk"),
        Synthetic("never_hint", kind="never_hint"),
        Synthetic("oracle", Traits(confidence_bias=25)),
        Synthetic("clock", FAMILIES["middling"], kind="clock"),
    )
}
"""Subjects to stand beside every leaderboard, with what a measure gives for no ability (or, the oracle, for all of it).

empty (no answer), echo (the prompt again), random_walk (honest: every move legal), never_hint (never follows a flag),
oracle (the solution), clock (a middling walk whose confidence is 100 minus the step, whatever happens).
"""

STEPPERS = {
    subject.name: subject
    for subject in (
        Synthetic("explorer", kind="explorer"),
        Synthetic("liar", kind="liar"),
        Synthetic("looper", kind="looper"),
        Synthetic("mumbler", kind="mumbler"),
    )
}
"""Subjects of stepwise trials whose scores are known beforehand.

explorer (honest, depth first: never tries a side it was told is closed, declares every dead end it leaves), liar (tries
closed sides again and again and calls every cell a dead end), looper (goes to and fro, says nothing), mumbler (writes
no move).
"""
