"""Counts of one trial that can be added up over trials, and the measures made from their sums.

A mean of ratios over trials leaves out every trial whose ratio is 0/0, and weighs a trial with one hallucination as
one with ten. A ratio of sums does neither. Every count comes from the replay of the answer's text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from hallumaze_kit.maze import OPPOSITE, Cell, MazeEngine
from hallumaze_kit.trial.measuring.confidence import judged_steps
from hallumaze_kit.trial.measuring.measures import (
    WINDOW,
    declared_where,
    lure_counts,
    missed_dead_ends,
    noticing,
)
from hallumaze_kit.trial.replay import Move, Replay, dead_end_cells
from hallumaze_kit.trial.trace import StrategyChange

if TYPE_CHECKING:
    import pandas as pd

TALLIES = (
    "n_moves", "n_legal", "n_illegal", "n_acted", "n_named", "n_alarms", "n_repeats", "n_junctions", "n_reversals",
    "n_dead_ends", "n_dead_ends_missed", "n_true", "n_false",
    "n_lures", "n_lures_followed", "n_unmarked", "n_unmarked_followed",
    "n_stated", "n_stated_wrong", "sum_confidence", "sum_confidence_wrong", "sum_correct", "sum_squares_right",
)  # fmt: skip
"""Names of the counts and sums; see `tallies`."""


def tallies(maze: MazeEngine, happened: Replay, lures_shown: bool) -> tuple[float, ...]:
    """The counts of one trial, in the order of `TALLIES`.

    n_moves, n_legal, n_illegal    moves of the walk
    n_acted      hallucinations mended in deed: within three moves the subject stands again where the move started, and
                 does not join the two cells again; what it says does not count
    n_named      hallucinations named in words: a declaration at one of the two cells within three moves
    n_alarms     legal moves with a declaration that is not true at one of the two cells within three moves: the rate at
                 which talk hits a move by chance
    n_repeats    legal moves that leave a cell by a side by which it was left before: going round
    n_junctions, n_reversals    legal moves out of a junction just entered by a legal move; of these, those that go
                 straight back though another way had not been tried: losing track
    n_dead_ends, n_dead_ends_missed    dead ends entered; of these, never declared
    n_true, n_false    declarations of dead ends and loops
    n_lures, n_lures_followed, n_unmarked, n_unmarked_followed    false lures, and wrong branches without a lure, at
                 first visits
    n_stated, n_stated_wrong, sum_confidence, sum_confidence_wrong, sum_correct, sum_squares_right    confidences (0 to
                 1) of steps; those of steps that were wrong; squares of those of steps that were right
    """
    moves = happened.moves
    seen = noticing(replace(happened, declarations=()))
    legal = [i for i, move in enumerate(moves) if move.legal]
    spoken = [(d.after, declared_where(d)) for d in happened.declarations]
    untrue = [(d.after, declared_where(d)) for d in happened.declarations if d.true is False]
    judgements = [d.true for d in happened.declarations if not isinstance(d.event, StrategyChange)]
    lures = lure_counts(maze, happened, lures_shown)
    steps = judged_steps(happened)
    junctions, reversals = _reversals(maze, moves)
    dead_ends = len({m.end for m in moves if m.reached} & dead_end_cells(maze))
    return (
        len(moves),
        len(legal),
        len(happened.hallucinations),
        sum(n.recovered for n in seen),
        sum(_followed_by(moves[i], i, spoken) for i in happened.hallucinations),
        sum(_followed_by(moves[i], i, untrue) for i in legal),
        len(legal) - len({(moves[i].start, moves[i].direction) for i in legal}),
        junctions,
        reversals,
        dead_ends,
        missed_dead_ends(maze, happened),
        sum(judged is True for judged in judgements),
        sum(judged is False for judged in judgements),
        lures.met,
        lures.followed,
        lures.unmarked_met,
        lures.unmarked_followed,
        len(steps),
        sum(not correct for _, correct in steps),
        sum(c for c, _ in steps),
        sum(c for c, correct in steps if not correct),
        sum(correct for _, correct in steps),
        sum(c * c for c, correct in steps if correct),
    )


def _reversals(maze: MazeEngine, moves: tuple[Move, ...]) -> tuple[int, int]:
    """Moves out of a junction just entered, and those of them that go straight back past an untried way."""
    ways = {cell: set(maze.open_directions(cell)) for cell in maze.junctions}
    tried: set[tuple[Cell, str]] = set()
    out = back = 0
    for before, move in pairwise(moves):
        tried.add((before.start, before.direction))
        if not (before.legal and move.legal and move.start == before.end and move.start in ways):
            continue
        out += 1
        home = OPPOSITE[before.direction]
        untried = {d for d in ways[move.start] - {home} if (move.start, d) not in tried}
        back += move.direction == home and bool(untried)
    return out, back


def _followed_by(move: Move, i: int, spoken: list[tuple[int, object]]) -> bool:
    """A declaration at one of the move's two cells, before three more moves."""
    return any(i < after <= i + WINDOW and where in (move.start, move.end) for after, where in spoken)


def _share(part: str, whole: str) -> Callable[[pd.DataFrame], pd.Series]:
    return lambda sums: sums[part] / sums[whole]


def _excess(part: str, whole: str, part_of_control: str, control: str) -> Callable[[pd.DataFrame], pd.Series]:
    return lambda sums: sums[part] / sums[whole] - sums[part_of_control] / sums[control]


def _gap(sums: pd.DataFrame) -> pd.Series:
    right = (sums["sum_confidence"] - sums["sum_confidence_wrong"]) / (sums["n_stated"] - sums["n_stated_wrong"])
    return right - sums["sum_confidence_wrong"] / sums["n_stated_wrong"]


def _spread(sums: pd.DataFrame) -> pd.Series:
    n = sums["n_stated"] - sums["n_stated_wrong"]
    mean = (sums["sum_confidence"] - sums["sum_confidence_wrong"]) / n
    return (sums["sum_squares_right"] / n - mean**2).clip(lower=0) ** 0.5


POOLED: dict[str, Callable[[pd.DataFrame], pd.Series]] = {
    "slip_share": _share("n_illegal", "n_moves"),
    "acted": _share("n_acted", "n_illegal"),
    "named": _share("n_named", "n_illegal"),
    "named_beyond": _excess("n_named", "n_illegal", "n_alarms", "n_legal"),
    "dead_ends_missed": _share("n_dead_ends_missed", "n_dead_ends"),
    "untrue_per_move": _share("n_false", "n_moves"),
    "repeat_share": _share("n_repeats", "n_legal"),
    "reversal_share": _share("n_reversals", "n_junctions"),
    "lure_share": _share("n_lures_followed", "n_lures"),
    "lure_excess": _excess("n_lures_followed", "n_lures", "n_unmarked_followed", "n_unmarked"),
    "wrong_share": _share("n_unmarked_followed", "n_unmarked"),
    "overclaim": lambda sums: (sums["sum_confidence"] - sums["sum_correct"]) / sums["n_stated"],
    "confidence_gap": _gap,
    "confidence_spread": _spread,
}
"""Measures of a subject from the sums of its tallies; NaN where nothing is to be divided by.

slip_share         hallucinations a move
acted              hallucinations mended in deed: noticing in silence counts, words do not
named              hallucinations named in words
named_beyond       the same, less the rate at which untrue declarations stand beside legal moves: talk without cause
                   gains nothing
dead_ends_missed   dead ends entered and never declared
untrue_per_move    declarations that are not true, a move
repeat_share       legal moves that leave a cell by a side by which it was left before
reversal_share     moves out of a junction just entered that go straight back past an untried way
lure_share         false lures followed, of those met; lure_excess, less the same for wrong branches without a lure
wrong_share        wrong branches without a lure that were taken, of those met
overclaim          mean confidence less the share of right steps: above 0 claims too much
confidence_gap     mean confidence of right steps less that of wrong ones: how far it knows of its errors
confidence_spread  standard deviation of the confidence of right steps

Four of ten hallucinations named, and untrue declarations beside 12 of 60 legal moves: named 0.4, named_beyond 0.2.
"""
