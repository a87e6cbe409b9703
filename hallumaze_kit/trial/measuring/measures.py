"""What stands beside the document's metrics (specification, section 6): what was noticed, mended, followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hallumaze_kit.maze import Cell, MazeEngine
from hallumaze_kit.trial.replay import Declaration, Move, Replay, dead_end_cells
from hallumaze_kit.trial.trace import DeadEnd, Loop, StrategyChange, Trace

WINDOW = 3
"""A hallucination counts as noticed only before this many more moves."""


@dataclass(frozen=True)
class Noticing:
    """One hallucination of the walk: was it named, was it mended, after how many moves."""

    index: int
    detected: bool
    recovered: bool
    lag: int | None


def noticing(happened: Replay) -> tuple[Noticing, ...]:
    """For each hallucination of the walk, whether and when it was named, and whether it was mended.

    *Detected*: before three more moves, a declaration at one of its two cells, or the subject stands again where the
    move started. *Recovered*: detected, and the same two cells are not joined again, in the walk or the final path.
    The lag is the number of moves made between the hallucination and its detection (0: at once).
    """
    return tuple(_noticed(happened, i) for i in happened.hallucinations)


def _noticed(happened: Replay, i: int) -> Noticing:
    moves = happened.moves
    wrong = moves[i]
    lags = []
    for d in happened.declarations:
        if i < d.after <= i + WINDOW and declared_where(d) in (wrong.start, wrong.end):
            lags.append(d.after - i - 1)
    for k in range(i + 1, min(i + 1 + WINDOW, len(moves))):
        if moves[k].start == wrong.start:
            lags.append(k - i - 1)
        elif k + 1 < i + 1 + WINDOW and moves[k].end == wrong.start and moves[k].reached:
            lags.append(k - i)
    if happened.end == wrong.start and len(moves) - 1 - i < WINDOW:
        lags.append(len(moves) - 1 - i)
    detected = bool(lags)
    later = moves[i + 1 :] + (() if happened.walk_is_final else happened.final_moves)
    recovered = detected and not any(m.pair == wrong.pair for m in later)
    return Noticing(i, detected, recovered, min(lags) if detected else None)


def declared_where(declaration: Declaration) -> Cell | None:
    """The cell of a declaration; a change of strategy is declared where the subject stands."""
    event = declaration.event
    return declaration.here if isinstance(event, StrategyChange) else getattr(event, "cell", None)


@dataclass(frozen=True)
class LureCounts:
    """False lures met and followed, and the same for unmarked wrong branches, at first visits."""

    met: int
    followed: int
    unmarked_met: int
    unmarked_followed: int


def first_choices(maze: MazeEngine, happened: Replay) -> list[tuple[int, Cell]]:
    """(index of the move, cell) of the first move that leaves each cell, at its first visit; the exit left out.

    A first bump in the dark (kind "bump") is no choice: the next move is.
    """
    seen: set[Cell] = {maze.exit}
    out = []
    left_at: Cell | None = None
    for i, m in enumerate(happened.moves):
        if m.kind == "bump":
            continue
        if left_at is not None and m.start != left_at:
            seen.add(left_at)  # left again by a return, without a move
        if m.start not in seen:
            seen.add(m.start)
            if m.direction:
                out.append((i, m.start))
        left_at = m.end if m.reached else None
    return out


def lure_counts(maze: MazeEngine, happened: Replay, shown: bool) -> LureCounts:
    """Count, over the first visits to cells of the solution, wrong branches with and without a false lure."""
    stops = {cell: wrong for cell, onward, wrong in maze.stops if onward and wrong}
    false = {(lure.cell, lure.direction) for lure in maze.mirage_traps if lure.kind == "false"} if shown else set()
    marked = {(lure.cell, lure.direction) for lure in maze.mirage_traps} if shown else set()
    met = followed = unmarked_met = unmarked_followed = 0
    for i, cell in first_choices(maze, happened):
        for direction in stops.get(cell, ()):
            taken = happened.moves[i].direction == direction
            if (cell, direction) in false:
                met += 1
                followed += taken
            elif (cell, direction) not in marked:
                unmarked_met += 1
                unmarked_followed += taken
    return LureCounts(met, followed, unmarked_met, unmarked_followed)


def false_alarms(declarations: Sequence[Declaration]) -> int:
    """Declared dead ends and loops that are none."""
    return sum(d.true is False for d in declarations)


def missed_dead_ends(maze: MazeEngine, happened: Replay) -> int:
    """Dead ends (one opening, neither start nor exit) that the walk entered and never declared."""
    entered = {m.end for m in happened.moves if m.reached}
    declared = {d.event.cell for d in happened.declarations if isinstance(d.event, DeadEnd)}
    return len((entered & dead_end_cells(maze)) - declared)


def slips(maze: MazeEngine, moves: Sequence[Move]) -> int:
    """Closed sides tried where there was nothing to decide (off the junctions of the solution)."""
    decide = set(maze.decision_cells)
    return sum(m.kind in ("wall", "outside") and m.start not in decide for m in moves)


def signals(trace: Trace, happened: Replay) -> tuple[str, ...]:
    """The document's metacognitive signals, each only from an event (section 11)."""
    out = []
    if trace.dead_ends:
        out.append("dead end")
    if happened.backtracks:
        out.append("backtracking")
    if any(isinstance(e, Loop) for e in trace.events):
        out.append("loop detected")
    if trace.strategy_changes:
        out.append("strategy_change")
    return tuple(out)


FAILURES = (
    "clean", "recovered", "solved unnoticed",
    "gave up", "unreadable", "cut off", "stuck", "lured", "not corrected", "unnoticed", "stopped short",
)  # fmt: skip
"""Failure modes; the first three are of solved mazes."""


def failure_mode(
    maze: MazeEngine, trace: Trace, happened: Replay, lures_shown: bool, planted_seen: bool = False
) -> str:
    """How the trial ended, one of `FAILURES`: the first that fits.

    Who goes on to the exit from an error that the prompt planted has not corrected it, if it was seen
    (`planted_seen`), or not noticed it.
    """
    noticed = noticing(happened)
    wrong = happened.hallucination_count
    if happened.solves(maze):
        if not wrong:
            return "clean"
        all_seen = not happened.final_hallucinations and all(n.detected for n in noticed)
        return "recovered" if all_seen else "solved unnoticed"
    if trace.gave_up:
        return "gave up"
    if not happened.moves:
        return "unreadable"
    if trace.truncated:
        return "cut off"
    if stuck(maze, happened):
        return "stuck"
    if lures_shown and lured(maze, happened):
        return "lured"
    if happened.end == maze.exit and any(not m.legal for m in happened.injected):
        return "not corrected" if planted_seen else "unnoticed"
    if any(n.detected for n in noticed) and any(not m.legal for m in happened.final_moves):
        return "not corrected"
    if wrong and (happened.final_hallucinations or any(not n.detected for n in noticed)):
        return "unnoticed"
    return "stopped short"


def stuck(maze: MazeEngine, happened: Replay) -> bool:
    """No cell is new in the last N moves."""
    moves = happened.moves
    if len(moves) < maze.size:
        return False
    early, late = moves[: -maze.size], moves[-maze.size :]
    before = {maze.start} | {m.start for m in early} | {m.end for m in early if m.reached} | {late[0].start}
    tried_last = late[-1] if not late[-1].legal else None  # nobody knows whether it would have gone on from there
    return all(m.end in before or not m.reached or m is tried_last for m in late)


def lured(maze: MazeEngine, happened: Replay) -> bool:
    """The walk left the solution by a false lure and never stood on the solution again."""
    false = {(lure.cell, lure.direction) for lure in maze.mirage_traps if lure.kind == "false"}
    path = set(maze.solution)
    on = [i for i, m in enumerate(happened.moves) if m.start in path]
    if not on or happened.end in path:
        return False
    leaving = happened.moves[on[-1]]
    return (leaving.start, leaving.direction) in false
