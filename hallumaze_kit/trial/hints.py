"""Ariadne's Thread: one hint after the first answer, for groups A, B and C (section 9.3; specification, section 7).

A state machine that knows nothing of how the subject is reached: it is shown the first answer and says what to send
next, or that nothing is to be sent. The same for models, people, synthetic subjects and pasted answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hallumaze_kit.errors import InputError, check_choice
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.trial.parsing import parse_answer
from hallumaze_kit.trial.replay import Replay, replay

GROUPS = ("A", "B", "C")
TRIGGERS = ("loop", "hallucination", "unsolved")
ARMS = ("", "hint", "sham", "none")
MESSAGES = {
    "ko": {
        "hint": (
            "힌트입니다. 이미 지나온 칸을 다시 지나고 있을 수 있습니다. 지나온 길을 되짚어 보고, 막다른 길이나 루프가 "
            "있으면 그 자리에 적은 뒤 다른 갈래를 살펴보세요. 같은 형식으로 처음부터 다시 답해 주세요."
        ),
        "sham": "계속해 주세요. 같은 형식으로 처음부터 다시 답해 주세요.",
    },
    "en": {
        "hint": (
            "A hint: you may be passing through cells where you have been before. Go back over your way, write down a "
            "dead end or a loop where there is one, and look at another branch. Please answer again from the start in "
            "the same format."
        ),
        "sham": "Please continue. Answer again from the start in the same format.",
    },
}
"""What is sent after the first answer; both ask for the same second answer, only one of them helps."""
NEW_WALK = "the second answer is a new walk, not the one that was given"
FIRST_ONLY = "the first answer of a hinted trial is scored, without a second one"
NO_SECOND = "no second answer is part of this record"


@dataclass(frozen=True)
class Ariadne:
    """Who gets a hint, when.

    group    "A": nothing is ever said. "B": the hint, if the trigger shows in the first answer. "C": the hint,
             whatever happened
    trigger  group B only: "loop" (a cell visited before is entered again without a declared return), "hallucination"
             (a move that the maze does not allow), "unsolved" (the answer does not solve the maze)
    arm      for studies that randomise what is said: "hint", "sham" (asks to go on, helps with nothing) or "none"
             (nothing is said); "" is the document's design, the hint

    The hint is the same in B and C and says nothing of the maze. Raises `InputError` for an unknown group, trigger or
    arm, and for an arm in group A, where nothing is said to anybody.
    """

    group: str = "A"
    trigger: str = "loop"
    arm: str = ""

    def __post_init__(self) -> None:
        check_choice("group", self.group, GROUPS)
        check_choice("trigger", self.trigger, TRIGGERS)
        check_choice("arm", self.arm, ARMS)
        if self.arm and self.group == "A":
            raise InputError("arm", self.arm, "'' in group A", "Take group B or C to randomise what is said.")

    def after(self, maze: MazeEngine, text: str, config: MazeConfig) -> Spoken | None:
        """What is to be sent after the first answer `text`; None if its group or the answer calls for nothing.

        Where the arm is "none" the occasion is told, with an empty message: nothing is sent, but the trial counts
        among those in which something could have been said.
        """
        if self.group == "A":
            return None
        return self.after_walk(maze, replay(maze, parse_answer(text), config), config.language)

    def after_walk(self, maze: MazeEngine, happened: Replay, language: str) -> Spoken | None:
        """The same after a walk that was not written in one answer: a person's, move by move."""
        if self.group == "A":
            return None
        shown = shows(maze, happened, self.trigger)
        if self.group == "B" and not shown:
            return None
        kind = self.arm or "hint"
        return Spoken(kind, MESSAGES[language].get(kind, ""), self.trigger, shown)


@dataclass(frozen=True)
class Spoken:
    """What is said after an answer: "hint", "sham" or "none" (then `message` is empty), and why.

    `shown` tells whether the trigger showed: in group C, and in a randomised arm, it need not.
    """

    kind: str
    message: str
    trigger: str
    shown: bool

    def event(self) -> dict[str, Any]:
        """The occasion as a key event of the record."""
        return {"kind": "ariadne", "said": self.kind, "trigger": self.trigger, "shown": self.shown}


def shows(maze: MazeEngine, happened: Replay, trigger: str = "loop") -> bool:
    """Whether the trigger shows in a walk."""
    check_choice("trigger", trigger, TRIGGERS)
    if trigger == "hallucination":
        return happened.hallucination_count > 0
    if trigger == "unsolved":
        return not happened.solves(maze)
    return bool(loops_unnoticed(happened))


def loops_unnoticed(happened: Replay) -> tuple[int, ...]:
    """Indices (from 0) of moves that enter a cell visited before without a declared return.

    A return is declared by stating the earlier cell, or by a declaration (dead end, loop, change of strategy) that
    stands right before the first move of the run back or right after it; the rest of that run is declared with it.
    """
    declared_at = {d.after for d in happened.declarations}
    found, declared, running = [], False, False
    for i, move in enumerate(happened.moves):
        if not move.retraced:
            running = False
            continue
        if not running:
            declared = move.returned or bool({i, i + 1} & declared_at)
        running = True
        if not declared:
            found.append(i)
    return tuple(found)


def reaction(happened: Replay) -> int | None:
    """Moves made in the second answer until it reacts to the hint; None without a reaction.

    The reaction is the first true declaration (dead end, loop), return or retraced run; the second answer is a new
    walk, in which nothing was visited yet.

    Source: specification, section 7.
    """
    at = [d.after for d in happened.declarations if d.true]
    at += [turn - 1 for turn in happened.turns]
    return min(at, default=None)


def nrs(moves_until: int | None) -> float:
    """Hint reaction speed, 0 to 1: 1/max(1, moves until the reaction), 0 without one (specification, section 7).

    >>> nrs(4)
    0.25
    """
    return 0.0 if moves_until is None else 1 / max(1, moves_until)


def hint_of(key_events: Any) -> str:
    """What was said in a trial, from its key events: "hint", "sham", "none", or "" where there was no occasion."""
    said = [event["said"] for event in key_events if event.get("kind") == "ariadne"]
    return said[-1] if said else ""


def read_as(config: MazeConfig, key_events: Any) -> MazeConfig:
    """The condition under which the scored answer is walked: a second answer starts anew, behind no planted walk."""
    return replace(config, injection="none") if hint_of(key_events) in ("hint", "sham") else config


def lacks_second(known: Mapping[str, Any]) -> bool:
    """A record is the first answer of a hinted trial alone: a message was to be sent after it, and none is part of it.

    `known` is what is stored with an answer: `extra["ariadne"]` holds the message, `key_events` what was said.
    """
    message = ((known.get("extra") or {}).get("ariadne") or {}).get("message", "")
    return bool(message) and not hint_of(known.get("key_events", ()))
