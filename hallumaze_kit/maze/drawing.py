"""A maze, and a walk on it, as a picture (`draw_maze`) and as plain text (`maze_as_text`).

A walk is a sequence of moves, any objects with `start`, `end` (cells), `kind` ("legal", "wall",
"outside" or "jump") and `retraced`. What a move is shows in line style and marker as well as in
colour, so that the picture can be read in grey.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from hallumaze_kit.errors import check_choice
from hallumaze_kit.maze.encoding import LANGUAGES
from hallumaze_kit.maze.fonts import shown_language
from hallumaze_kit.maze.lanes import KINDS, OVERRUN, Moved, pieces
from hallumaze_kit.maze.pen import Pen

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hallumaze_kit.maze.engine import Cell, MazeEngine

COLUMN = 3.3
"""Width of a paper's column in inches."""
MARGIN = 0.05


def draw_maze(
    maze: MazeEngine,
    ax: Axes | None = None,
    *,
    moves: Sequence[Moved] = (),
    solution: bool = True,
    lures: bool = True,
    language: str = "en",
) -> Axes:
    """Draw a maze, and a walk if one is given, on matplotlib axes.

    Parameters
    ----------
    maze : MazeEngine, any size
    ax : Axes, optional
        Where to draw; without one, a new figure of one column's width (3.3 in).
    moves : sequence of moves
        The walk, as `replay(...).moves` gives it. Legal moves are solid lines with arrowheads,
        retraced ones dashed in a lane of their own. A move into a wall ends in a cross at the wall
        (and goes on behind it if the walker says so), one out of the maze in a diamond outside, a jump
        is a dotted arc to a square. Illegal moves carry their number in the walk, up to 12 of them.
    solution : bool
        Draw the way from start to exit as a pale band.
    lures : bool
        Draw the lures as small pennants that point where the sentence points: filled for a false
        claim, hollow for a true one, an open chevron for a sentence without a claim.
    language : "en" or "ko"
        Of the legend; English with a warning where no Hangul font is found.

    Returns
    -------
    The axes.

    Raises
    ------
    InputError
        For an unknown language or kind of move.
    """
    check_choice("language", language, LANGUAGES)
    for move in moves:
        check_choice("kind", move.kind, KINDS)
    language = shown_language(language)
    own = ax is None
    if ax is None:
        from matplotlib import pyplot as plt

        ax = plt.figure(figsize=(COLUMN, COLUMN)).add_axes((0, 0, 1, 1))
    pen = Pen(ax, maze.size, language)
    if solution:
        pen.band(maze.solution)
    pen.walls(maze)
    if lures:
        pen.pennants(maze.mirage_traps)
    walk = pieces(moves)
    if walk:
        pen.walk(walk, maze.exit)
    pen.ends(room=OVERRUN - 0.25 if any(piece.key == "outside" for piece in walk) else 0)
    pen.legend()
    if own:
        fit_column(ax)
    return ax


def fit_column(ax: Axes, top: float = 0.22) -> None:
    """Give the figure of a maze one column's width and just the height it needs, `top` inches of it above the maze."""
    legend = ax.get_legend()
    rows = ceil(len(legend.get_texts()) / 2) if legend else 0
    side = COLUMN - 2 * MARGIN
    bottom = 0.32 + 0.13 * rows
    height = side + top + bottom
    ax.figure.set_size_inches(COLUMN, height)
    ax.set_position((MARGIN / COLUMN, bottom / height, side / COLUMN, side / height))


def maze_as_text(maze: MazeEngine, moves: Sequence[Moved] = ()) -> str:
    """The maze in box-drawing characters, 2N+1 lines of 4N+1 characters.

    S is the start, E the exit. Dots mark the cells of the walk, or of the solution if no walk is
    given; ✗ marks illegal moves: on the wall or border that was tried, or left of the cell jumped to.

        ┌───┬───┐
        │ S │   │
        │   ╵   │
        │ ·   E │
        └───────┘
    """
    size = maze.size
    rows = [[" "] * (4 * size + 1) for _ in range(2 * size + 1)]
    for y in range(size + 1):
        for x in range(size + 1):
            rows[2 * y][4 * x] = _corner(maze, y, x)
            if x < size and _walled(maze, (y, x), "N"):
                rows[2 * y][4 * x + 1 : 4 * x + 4] = "───"
            if y < size and _walled(maze, (y, x), "W"):
                rows[2 * y + 1][4 * x] = "│"
    walked = [cell for move in moves if move.kind == "legal" for cell in (move.start, move.end)]
    for row, col in walked if moves else maze.solution:
        rows[2 * row + 1][4 * col + 2] = "·"
    rows[1][2], rows[-2][-3] = "S", "E"
    for move in moves:
        check_choice("kind", move.kind, KINDS)
        if move.kind != "legal":
            (row, col), (to_row, to_col) = move.start, move.end
            y, x = row + to_row + 1, 2 * (col + to_col) + 2
            if move.kind == "jump":
                y, x = 2 * to_row + 1, 4 * to_col + 1
            rows[min(max(y, 0), 2 * size)][min(max(x, 0), 4 * size)] = "✗"
    return "\n".join("".join(row) for row in rows)


def _walled(maze: MazeEngine, cell: Cell, side: str) -> bool:
    """True if the north or west side of a cell is closed; the cell may lie one past the border."""
    row, col = cell
    if row == maze.size or col == maze.size:
        return True
    return not maze.is_open(cell, side)


def _corner(maze: MazeEngine, y: int, x: int) -> str:
    """The character of the grid point at the north-west of cell (y, x), by the walls that meet there."""
    up = y > 0 and _walled(maze, (y - 1, x), "W")
    right = x < maze.size and _walled(maze, (y, x), "N")
    down = y < maze.size and _walled(maze, (y, x), "W")
    left = x > 0 and _walled(maze, (y, x - 1), "N")
    return " ╵╶└╷│┌├╴┘─┴┐┤┬┼"[up + 2 * right + 4 * down + 8 * left]
