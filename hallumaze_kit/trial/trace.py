"""`Trace`: what the subject said, before anything is checked on the maze (specification, section 4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from hallumaze_kit.maze import Cell

Span = tuple[int, int]
"""First character and the one past the last, in `Trace.text`."""


class Step(NamedTuple):
    """One stated move.

    number      the step's number as written, None where it has none
    cell        where the subject says it stands, None where it does not say
    direction   "N", "E", "S", "W" or "" (only a target was given)
    to          where the subject says the move ends, None where it does not say
    confidence  as stated, in percent (0 to 100), None without one
    reason      the words beside it
    """

    number: int | None
    cell: Cell | None
    direction: str
    to: Cell | None = None
    confidence: float | None = None
    reason: str = ""
    span: Span = (0, 0)


@dataclass(frozen=True)
class DeadEnd:
    """A declared dead end; `cell` is None where the subject does not say where and stands nowhere known.

    Of every declaration, `before` is the number of steps above it before which it is said: the reason of a step speaks
    of the cell where the step begins (`STEP 4: (0,3) → W | dead end`).
    """

    cell: Cell | None
    span: Span = (0, 0)
    before: int = 0


@dataclass(frozen=True)
class Loop:
    """A declared loop; `seen_at` is the step at which the subject says it was there before."""

    cell: Cell | None
    seen_at: int | None = None
    span: Span = (0, 0)
    before: int = 0


@dataclass(frozen=True)
class StrategyChange:
    """A declared change of strategy."""

    reason: str = ""
    span: Span = (0, 0)
    before: int = 0


class Objection(NamedTuple):
    """A sentence that says that a move is not allowed, or that there is an error. No event of the walk.

    cells       the cells that it names (two: where the move begins and ends)
    directions  the directions that it names
    step        the number of the step that it names, None without one
    general     it names no place, and speaks of what came before ("the walk so far holds an error")
    """

    cells: tuple[Cell, ...] = ()
    directions: tuple[str, ...] = ()
    step: int | None = None
    general: bool = False
    span: Span = (0, 0)


Event = Step | DeadEnd | Loop | StrategyChange


@dataclass(frozen=True)
class Trace:
    """All that an answer says, in text order.

    events          steps and declarations
    objections      sentences that call a move wrong, which are no events
    backtracks      the number of backtracks that the subject reports, None without a report
    hallucinations  the number of hallucinations that it reports, None without a report
    confidence_log  ((step, percent), …) of its CONFIDENCE_LOG
    final_path      cells of the last final path, None without one
    thinking        text of thinking blocks, kept apart and never scored
    gave_up         the subject says that it cannot solve the maze, or refuses
    truncated       the text ends in the middle
    warnings        what could not be read, in words
    text            the text that spans point into (the answer in NFC)
    """

    events: tuple[Event, ...] = ()
    objections: tuple[Objection, ...] = ()
    backtracks: int | None = None
    hallucinations: int | None = None
    confidence_log: tuple[tuple[int, float], ...] = ()
    final_path: tuple[Cell, ...] | None = None
    thinking: str = ""
    gave_up: bool = False
    truncated: bool = False
    warnings: tuple[str, ...] = ()
    text: str = field(default="", repr=False)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps among the events."""
        return tuple(e for e in self.events if isinstance(e, Step))

    @property
    def dead_ends(self) -> tuple[DeadEnd, ...]:
        """The declared dead ends."""
        return tuple(e for e in self.events if isinstance(e, DeadEnd))

    @property
    def loops(self) -> tuple[Loop, ...]:
        """The declared loops."""
        return tuple(e for e in self.events if isinstance(e, Loop))

    @property
    def strategy_changes(self) -> tuple[StrategyChange, ...]:
        """The declared changes of strategy."""
        return tuple(e for e in self.events if isinstance(e, StrategyChange))
