"""What a person sees of the maze, as a picture: the cell where one stands, or the way walked so far."""

from __future__ import annotations

from hallumaze_kit.maze import DIRECTIONS, STEP, Cell
from hallumaze_kit.subjects.human import Game

SIDE, EDGE = 24, 6
"""Of a cell, and of the margin around the grid, in units of the picture."""


def picture(game: Game, memory: str, alt: str) -> str:
    """The grid as SVG, made of numbers alone; `alt` is escaped already.

    Drawn are the size, the exit, and where the person stands. Of the cells that the person knows (the present one, or
    with memory "trail" all that were walked) the closed sides too: in the view "bump", which tells none, those that
    were tried. Nothing else of the maze is in the picture.
    """
    size, here = game.maze.size, game.here
    trail = game.trail() if memory == "trail" else [here]
    known = dict.fromkeys(trail)
    parts = [
        _box("hm-grid", 0, 0, size),
        *(_line("hm-grid", n * SIDE, 0, n * SIDE, size * SIDE) for n in range(1, size)),
    ]
    parts += [_line("hm-grid", 0, n * SIDE, size * SIDE, n * SIDE) for n in range(1, size)]
    parts += [
        f'<rect class="hm-known" x="{c * SIDE}" y="{r * SIDE}" width="{SIDE}" height="{SIDE}"/>' for r, c in known
    ]
    parts.append(_exit(game.maze.exit))
    if len(trail) > 1:
        points = " ".join(f"{c * SIDE + SIDE / 2:g},{r * SIDE + SIDE / 2:g}" for r, c in trail)
        parts.append(f'<polyline class="hm-trail" points="{points}"/>')
    parts += [_wall(cell, direction) for cell, direction in _closed(game, known, memory)]
    row, col = here
    parts.append(f'<circle class="hm-here" cx="{col * SIDE + SIDE / 2:g}" cy="{row * SIDE + SIDE / 2:g}" r="7"/>')
    whole = size * SIDE + 2 * EDGE
    box = f"{-EDGE} {-EDGE} {whole} {whole}"
    return f'<svg class="hm-map" viewBox="{box}" role="img" aria-label="{alt}">{"".join(parts)}</svg>'


def _closed(game: Game, known: dict[Cell, None], memory: str) -> list[tuple[Cell, str]]:
    """The closed sides that the person knows of."""
    if game.config.view == "open":
        return [(cell, d) for cell in known for d in DIRECTIONS if not game.maze.is_open(cell, d)]
    return sorted(game.bumped()) if memory == "trail" else []


def _wall(cell: Cell, direction: str) -> str:
    x, y = cell[1] * SIDE, cell[0] * SIDE
    down, right = (max(step, 0) * SIDE for step in STEP[direction])
    if direction in "NS":
        return _line("hm-wall", x, y + down, x + SIDE, y + down)
    return _line("hm-wall", x + right, y, x + right, y + SIDE)


def _exit(cell: Cell) -> str:
    inset = 4
    x, y, side = cell[1] * SIDE + inset, cell[0] * SIDE + inset, SIDE - 2 * inset
    mark = f'<text class="hm-exit-name" x="{x + side / 2:g}" y="{y + side / 2 + 2:g}">EXIT</text>'
    return f'<rect class="hm-exit" x="{x}" y="{y}" width="{side}" height="{side}"/>{mark}'


def _box(name: str, x: int, y: int, size: int) -> str:
    return f'<rect class="{name}" x="{x}" y="{y}" width="{size * SIDE}" height="{size * SIDE}" fill="none"/>'


def _line(name: str, x1: int, y1: int, x2: int, y2: int) -> str:
    return f'<line class="{name}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'
