"""Error maps: where each group errs, on mazes that all of them met."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import check_choice
from hallumaze_kit.maze import STEP, MazeEngine
from hallumaze_kit.records import BenchmarkResult
from hallumaze_kit.records.frames import listed
from hallumaze_kit.study.tables import kind_of

if TYPE_CHECKING:
    import pandas as pd

LEVELS = ("decision", "trial")
ITEM = ("maze_id", "place", "lure")
"""What makes an item: two answers to the same item can be compared."""
GEOMETRY = {
    "decision": ("exits", "distance", "depth", "outward", "straight", "false_lure", "true_lure"),
    "trial": ("size", "solution_moves", "dead_ends", "junctions", "lures"),
}
STRATA = {"decision": (("exits", "outward", "lure"), "distance"), "trial": (("size", "lure"), "solution_moves")}
"""What is held alike when items are exchanged in a permutation test: equal columns, and the same third of the last."""
_WHO = ("group", "kind", "person")


def answers(results: Iterable[BenchmarkResult], level: str = "decision") -> pd.DataFrame:
    """One row for each answer that can be right or wrong, with whose it is and the geometry of where it was given.

    Parameters
    ----------
    results : results with their maze; practice trials and withdrawn records are left out, as are group means that were
        typed in
    level : "decision", a first choice at a junction of the solution (wrong: not the way on), or "trial", a maze (wrong:
        not solved)

    Returns
    -------
    DataFrame with `group` ("provider/model"), `kind`, `person` (the participant's code, else "run 0", "run 1" …),
    `maze_id`, `place` (the cell, or "" for a trial), `lure` (the kind shown there, "" without; of a trial "shown" or
    ""), `error` (0 or 1) and geometry:

    decision    `exits` (open directions), `distance` (moves to the exit), `depth` (moves from the start), `outward`
                (1: the right way leads east or south, towards the exit's corner), `straight` (1: it goes on as one
                came), `false_lure`, `true_lure` (1: one stands there)
    trial       `size`, `solution_moves`, `dead_ends`, `junctions` (on the solution), `lures` (number shown)

    Raises `InputError` for what is no list of results and an unknown level.
    """
    import pandas as pd

    check_choice("level", level, LEVELS)
    rows = []
    for result in listed(results):
        if result.practice or result.withdrawn or not result.maze:
            continue
        maze = _maze(json.dumps(result.maze, sort_keys=True))
        who = {"group": f"{result.provider}/{result.model}", "kind": kind_of(result.provider, result.subject_kind)}
        who["person"] = result.participant or f"run {result.run}"
        rows += [who | row for row in (_decisions if level == "decision" else _trials)(maze, result)]
    return pd.DataFrame(rows, columns=[*_WHO, *ITEM, "error", *GEOMETRY[level]])


def error_map(results: Iterable[BenchmarkResult], level: str = "decision") -> pd.DataFrame:
    """How often each group errs at each item: one row a group and item, with `n`, `errors`, `rate` and the geometry.

    See `answers` for the parameters and columns. A junction that a walk never reached is no item of that walk: who gets
    lost early is seen at early junctions only.
    """
    return rates(answers(results, level), level)


def rates(rows: pd.DataFrame, level: str) -> pd.DataFrame:
    """The error map of rows that `answers` made."""
    told = {name: (name, "first") for name in GEOMETRY[level]}
    grouped = rows.groupby(["group", "kind", *ITEM], sort=True, as_index=False)
    table = grouped.agg(n=("error", "size"), errors=("error", "sum"), **told)
    table.insert(table.columns.get_loc("errors") + 1, "rate", table["errors"] / table["n"])
    return table


@lru_cache(maxsize=4096)
def _maze(described: str) -> MazeEngine:
    return MazeEngine.from_dict(json.loads(described))


def _decisions(maze: MazeEngine, result: BenchmarkResult) -> Iterable[dict[str, Any]]:
    path = maze.solution
    for decision in result.decisions:
        cell = tuple(decision["cell"])
        onward, at = maze.onward(cell), path.index(cell)
        came = next((d for d in STEP if at and _ahead(path[at - 1], d) == cell), "")
        yield {
            "maze_id": result.maze_id,
            "place": cell,
            "lure": decision["lure"],
            "error": int(not decision["right"]),
            "exits": len(maze.open_directions(cell)),
            "distance": maze.distance(cell),
            "depth": at,
            "outward": int(onward in "ES"),
            "straight": int(onward == came),
            "false_lure": int(decision["lure"] == "false"),
            "true_lure": int(decision["lure"] == "true"),
        }


def _trials(maze: MazeEngine, result: BenchmarkResult) -> Iterable[dict[str, Any]]:
    if result.sr != result.sr:
        return
    shown = bool(result.config is not None and result.config.use_mirage)
    yield {
        "maze_id": result.maze_id,
        "place": "",
        "lure": "shown" if shown else "",
        "error": int(result.sr < 1),
        "size": maze.size,
        "solution_moves": len(maze.solution) - 1,
        "dead_ends": maze.dead_ends,
        "junctions": len(maze.decision_cells),
        "lures": len(maze.mirage_traps) * shown,
    }


def _ahead(cell: tuple[int, int], direction: str) -> tuple[int, int]:
    return cell[0] + STEP[direction][0], cell[1] + STEP[direction][1]
