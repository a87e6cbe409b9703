"""Decisions: one row for each first visit to a junction of the solution (specification, section 9)."""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import Any

from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.trial.measuring.measures import first_choices
from hallumaze_kit.trial.replay import Replay


def decision_rows(maze: MazeEngine, happened: Replay, lures_shown: bool) -> tuple[dict[str, Any], ...]:
    """The rows of one trial; `hallumaze_kit.records.decisions_frame` makes the table.

    The columns are described there. Corridor moves are not decisions.
    """
    places = set(maze.decision_cells)
    lures = {lure.cell: lure for lure in maze.mirage_traps if lure.kind} if lures_shown else {}
    by_way = {(lure.cell, lure.direction): lure for lure in maze.mirage_traps} if lures_shown else {}
    letters = [m.direction if m.direction and not m.returned else "." + m.direction for m in happened.moves]
    rows = []
    for i, cell in first_choices(maze, happened):
        if cell not in places:
            continue
        move = happened.moves[i]
        lure = by_way.get((cell, move.direction)) or lures.get(cell)
        rows.append(
            {
                "maze_id": maze.maze_id,
                "cell": list(cell),
                "distance": maze.distance(cell),
                "exits": "".join(maze.open_directions(cell)),
                "choice": move.direction,
                "right": move.direction == maze.onward(cell),
                "legal": move.legal,
                "lure": lure.kind if lure else "",
                "lure_direction": lure.direction if lure else "",
                "lure_followed": lure is not None and move.direction == lure.direction,
                "confidence": math.nan if move.confidence is None else move.confidence,
                "step": i + 1,
                "history": "".join(letters[:i]),
                "hallucinations_before": bisect_left(happened.hallucinations, i),
            }
        )
    return tuple(rows)
