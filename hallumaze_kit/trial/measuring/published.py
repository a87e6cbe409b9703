"""Counts as the public v1.1 program makes them (conventions="published").

It counts what a model says of itself. Kept so that published numbers can be met and compared.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.trial.replay import Replay
from hallumaze_kit.trial.trace import Trace

_DEAD_END = re.compile(r"dead_end|dead end|막다른")
_LOOP = re.compile(r"loop detected|loop_detected|루프")


class Counts(NamedTuple):
    """SR, HC, FHR, BT, LT of one answer."""

    sr: int
    hc: int
    fhr: int
    bt: int
    lt: int


def published_counts(maze: MazeEngine, trace: Trace, happened: Replay) -> Counts:
    """The counts of the public program.

    SR and FHR on the final path. HC is the larger of the illegal moves on the final path (up to the first
    pair that is not adjacent) and the self-report. BT is the larger of the self-report and the mentions of a dead end
    ("dead_end", "dead end", "막다른"), LT the mentions of a loop ("loop detected", "loop_detected", "루프"),
    rules repeated included.
    """
    illegal, first = 0, -1
    for number, move in enumerate(happened.final_moves, 1):
        if move.kind in ("jump", "outside"):
            break
        if move.kind == "wall":
            illegal += 1
            first = number if first < 0 else first
    solved = bool(happened.final_moves) and happened.solves(maze)
    low = trace.text.lower()
    return Counts(
        sr=int(solved),
        hc=max(illegal, trace.hallucinations or 0),
        fhr=first,
        bt=max(trace.backtracks or 0, len(_DEAD_END.findall(low))),
        lt=len(_LOOP.findall(low)),
    )
