"""Where the lines of a walk run: the geometry behind `draw_maze`, without a plotting library.

Points are (x, y): x is the column, y the row, cell centres at whole numbers, y points down.
Moves keep to the right like traffic, so that a way walked in both directions shows both passes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple, Protocol

Cell = tuple[int, int]
Point = tuple[float, float]

KINDS = ("legal", "wall", "outside", "jump")
FIRST_LANE, NEXT_LANE, LAST_LANE = 0.13, 0.08, 0.37
OVERRUN = 0.75
"""How far from its cell's centre a move out of the maze is drawn."""


class Moved(Protocol):
    """What a move must tell to be drawn."""

    start: Cell
    end: Cell
    kind: str
    retraced: bool


class Piece(NamedTuple):
    """One line of the picture.

    `key` is "legal", "retraced", "wall", "through" (a wall, and the walker goes on behind it),
    "outside", "jump" or "return" (the walker stands elsewhere without a move); `number` counts the
    moves from 1, 0 for a return.
    """

    key: str
    points: tuple[Point, ...]
    number: int


def pieces(moves: Sequence[Moved]) -> list[Piece]:
    """The lines of a walk, in its order."""
    keys = [_key(move, onward) for move, onward in zip(moves, [*moves[1:], None], strict=True)] if moves else []
    lanes = _lanes(moves, keys)
    out: list[Piece] = []
    cell = moves[0].start if moves else (0, 0)
    point = _centre(cell)
    for number, (move, key) in enumerate(zip(moves, keys, strict=True), 1):
        if move.start != cell:
            out.append(Piece("return", (point, _centre(move.start)), 0))
            point = _centre(move.start)
        if key in ("wall", "outside"):
            out.append(Piece(key, (point, _towards(move, 0.5 if key == "wall" else OVERRUN)), number))
            onward = moves[number].start if number < len(moves) else None
            if key == "outside" and onward == move.end:  # the walker goes on out there
                cell, point = move.end, out[-1].points[-1]
            else:
                cell = move.start
            continue
        out.append(Piece(key, lanes.get(number - 1, (point, _centre(move.end))), number))
        cell, point = move.end, out[-1].points[-1]
    return out


def _key(move: Moved, onward: Moved | None) -> str:
    if move.kind == "legal":
        return "retraced" if move.retraced else "legal"
    if move.kind == "wall" and onward is not None and onward.start == move.end:
        return "through"
    return move.kind


def _lanes(moves: Sequence[Moved], keys: Sequence[str]) -> dict[int, tuple[Point, ...]]:
    """The line of each move that goes from cell to cell, by its index; moves that follow each other share a point."""
    passes: Counter[tuple[Cell, Cell]] = Counter()
    lines: dict[int, tuple[Point, ...]] = {}
    last: tuple[int, Point, float] | None = None  # the line before: its index, way and lane
    for i, (move, key) in enumerate(zip(moves, keys, strict=True)):
        if key == "jump":
            last = None
        elif key not in ("wall", "outside"):
            way = _way(move)
            shift = min(FIRST_LANE + NEXT_LANE * passes[move.start, move.end], LAST_LANE)
            passes[move.start, move.end] += 1
            begin = [_beside(_centre(move.start), way, shift)]
            if last is not None and moves[last[0]].end == move.start:
                begin = _joint(_centre(move.start), *last[1:], way, shift)
                lines[last[0]] = (*lines[last[0]][:-1], begin[0])
            lines[i] = (*begin, _beside(_centre(move.end), way, shift))
            last = (i, way, shift)
    return lines


def _joint(centre: Point, way: Point, shift: float, onward: Point, onward_shift: float) -> list[Point]:
    """The points that lead from the lane that comes in to the lane that goes out, at a cell's centre."""
    if onward == (-way[0], -way[1]):
        centre = (centre[0] + 0.2 * way[0], centre[1] + 0.2 * way[1])
    elif onward != way:
        return [_beside(_beside(centre, way, shift), onward, onward_shift)]
    return [_beside(centre, way, shift), _beside(centre, onward, onward_shift)]


def _beside(centre: Point, way: Point, shift: float) -> Point:
    """The point `shift` to the right of `centre` for one who goes `way`."""
    return (centre[0] - shift * way[1], centre[1] + shift * way[0])


def _way(move: Moved) -> Point:
    return (float(move.end[1] - move.start[1]), float(move.end[0] - move.start[0]))


def _towards(move: Moved, reach: float) -> Point:
    """The point `reach` from the centre of the cell that a move leaves, on its way."""
    (x, y), (across, down) = _centre(move.start), _way(move)
    return (x + reach * across, y + reach * down)


def _centre(cell: Cell) -> Point:
    return (float(cell[1]), float(cell[0]))
