"""The same maze under other coordinates: what tells a map from the tokens of one text (section 9.4, H1 and H2).

Of the eight symmetries of a square only two keep start and exit in their corners as a pair: the mirror image at the
main diagonal, which keeps each where it is, and the half turn, which exchanges them. A quarter turn would put the
start into another corner, which the maze text and every prompt rule out.
"""

from __future__ import annotations

from collections.abc import Callable

from hallumaze_kit.maze.engine import Cell, MazeEngine

_DIAGONAL = {"N": "W", "W": "N", "E": "S", "S": "E"}
_BITS = {"N": 1, "E": 2, "S": 4, "W": 8}
_HALF = {"N": "S", "S": "N", "E": "W", "W": "E"}


def transposed(maze: MazeEngine) -> MazeEngine:
    """The maze with rows and columns exchanged: cell (r, c) becomes (c, r), north west, east south, and back.

    The passages join the same cells, start and exit stay, and so do all distances, the length of the solution, dead
    ends and junctions; lures go along with their cells, wordings and validity. Every coordinate and direction of the
    text off the diagonal is another: who follows the passages errs at the same junctions as before, who follows
    tokens does not. Twice gives the walls back.

    The new maze has no seed and no generator (`algorithm` "text"), so its text shows none: give the original with
    `show_seed=False`, that the two differ in nothing else.

    2×2 with the solution east, south becomes one with the solution south, east.
    """
    lures = [
        {**lure._asdict(), "cell": (lure.cell[1], lure.cell[0]), "direction": _DIAGONAL[lure.direction]}
        for lure in maze.mirage_traps
    ]
    return _moved(maze, lambda cell: (cell[1], cell[0]), _DIAGONAL, lures)


def half_turned(maze: MazeEngine) -> MazeEngine:
    """The maze turned by 180°: cell (r, c) becomes (N−1−r, N−1−c), so that it is walked from exit to start.

    The passages join the same cells and the solution is the same, the other way round; the distance of a cell from
    the exit becomes its distance from the start. Decisions are others, since another way is the right one. There are
    no lures: whether a claim is true depends on the way one walks. Twice gives the walls back. No seed, no generator,
    as in `transposed`.
    """
    last = maze.size - 1
    return _moved(maze, lambda cell: (last - cell[0], last - cell[1]), _HALF, [])


def _moved(
    maze: MazeEngine, place: Callable[[Cell], Cell], names: dict[str, str], lures: list[dict[str, object]]
) -> MazeEngine:
    masks = [0] * (maze.size * maze.size)
    for row in range(maze.size):
        for col in range(maze.size):
            to = place((row, col))
            masks[to[0] * maze.size + to[1]] = sum(_BITS[names[d]] for d in maze.open_directions((row, col)))
    passages = "".join(f"{mask:x}" for mask in masks)
    made = {"size": maze.size, "seed": None, "algorithm": "text", "placement": "text"}
    return MazeEngine.from_dict(made | {"passages": passages, "lures": lures})
