"""What `draw_maze` draws with: a pen for one axes, its words, colours, line styles and marks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hallumaze_kit.maze.fonts import families
from hallumaze_kit.maze.lanes import Piece, Point

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from hallumaze_kit.maze.engine import Cell, MazeEngine
    from hallumaze_kit.maze.lures import Lure

WORDS = {
    "en": {
        "start": "start",
        "exit": "exit",
        "solution": "solution",
        "false": "lure, false claim",
        "true": "lure, true claim",
        "neutral": "lure, no claim",
        "legal": "legal move",
        "retraced": "retraced move",
        "wall": "into a wall",
        "outside": "out of the maze",
        "jump": "jump",
        "number": "which move it was",
        "return": "back without a move",
        "end": "end of the walk",
    },
    "ko": {
        "start": "시작",
        "exit": "출구",
        "solution": "정답 경로",
        "false": "유혹 문구(거짓)",
        "true": "유혹 문구(참)",
        "neutral": "유혹 문구(중립)",
        "legal": "올바른 이동",
        "retraced": "되짚은 이동",
        "wall": "벽에 막힌 이동",
        "outside": "미로 밖으로 나간 이동",
        "jump": "건너뛴 이동",
        "number": "몇 번째 이동인지",
        "return": "이동 없이 되돌아감",
        "end": "마지막 위치",
    },
}
INK = {
    "solution": "#D9E1E8",
    "legal": "#0B4F8A",
    "retraced": "#B86E00",
    "wall": "#B3261E",
    "through": "#B3261E",
    "outside": "#B3261E",
    "jump": "#B3261E",
    "number": "#B3261E",
    "return": "#6B6B6B",
    "end": "black",
    "false": "#B3261E",
    "true": "#00724F",
    "neutral": "#4A4A4A",
}
STYLE: dict[str, Any] = {
    "legal": "-",
    "retraced": (0, (2.4, 1.2)),
    "wall": "-",
    "through": (0, (4, 1, 1, 1)),
    "outside": "-",
    "jump": (0, (1, 1.2)),
    "return": (0, (1, 2.5)),
}
MARK = {"wall": "x", "through": "x", "outside": "D", "jump": "s", "end": "o"}
PENNANT = ((-0.12, -0.13), (0.14, 0), (-0.12, 0.13))
ARROWHEAD = ((-0.09, -0.09), (0.11, 0), (-0.09, 0.09), (-0.05, 0))
"""Outlines that point forward, as (forward, sideways) in cells."""
UNIT = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
NUMBERED = 12
"""Up to so many illegal moves carry their number."""
FONT_SIZE = 6.5


class Pen:
    """Draws on one axes and remembers what the legend has to explain."""

    def __init__(self, ax: Axes, size: int, language: str) -> None:
        self.ax, self.size, self.words = ax, size, WORDS[language]
        self.font = families(language)
        self.explained: dict[str, Line2D] = {}
        box = ax.get_window_extent()
        self.cell = min(box.width, box.height) / ax.figure.dpi * 72 / size
        self.thin = min(max(0.06 * self.cell, 0.25), 1.2)
        ax.set_aspect("equal")
        ax.set_axis_off()

    def band(self, cells: Sequence[Cell]) -> None:
        """The solution: a pale band through its cells."""
        boxes = []
        for (r1, c1), (r2, c2) in pairwise(cells):
            left, right, top, bottom = min(c1, c2) - 0.3, max(c1, c2) + 0.3, min(r1, r2) - 0.3, max(r1, r2) + 0.3
            boxes.append([(left, top), (right, top), (right, bottom), (left, bottom)])
        self._areas(boxes, facecolors=INK["solution"], edgecolors="none", zorder=1)
        self._explain("solution", color=INK["solution"], linewidth=6)

    def walls(self, maze: MazeEngine) -> None:
        size = maze.size
        low, high = -0.5, size - 0.5
        lines: list[list[Point]] = [[(low, low), (high, low), (high, high), (low, high), (low, low)]]
        for y in range(size):
            for x in range(size):
                if y and not maze.is_open((y, x), "N"):
                    lines.append([(x - 0.5, y - 0.5), (x + 0.5, y - 0.5)])
                if x and not maze.is_open((y, x), "W"):
                    lines.append([(x - 0.5, y - 0.5), (x - 0.5, y + 0.5)])
        self._lines(lines, color="black", width=1.2, zorder=3, capstyle="projecting")

    def ends(self, room: float) -> None:
        """The words start and exit, outside the maze beside their cells; `room` is kept free for moves out of it."""
        low, high = -0.5, self.size - 0.5
        self.ax.set_xlim(low - room - 0.1, high + room + 0.1)
        self.ax.set_ylim(high + room + 0.1, low - room - 0.1)
        near = {"textcoords": "offset points", "fontsize": FONT_SIZE, "fontfamily": self.font}
        self.ax.annotate(f"↓ {self.words['start']}", (low, low - room), (0, 3), ha="left", va="bottom", **near)
        self.ax.annotate(f"↑ {self.words['exit']}", (high, high + room), (0, -3), ha="right", va="top", **near)

    def pennants(self, lures: Iterable[Lure]) -> None:
        """A triangle for each lure, in the corner of its cell that lies left of its direction."""
        for lure in lures:
            across, down = UNIT[lure.direction]
            corner = (lure.cell[1] + 0.3 * (across + down), lure.cell[0] + 0.3 * (down - across))
            outline = _turned(PENNANT, corner, (across, down))
            ink = INK[lure.kind]
            if lure.kind == "neutral":
                self._lines([outline], color=ink, width=1.1, zorder=3.5)
                self._explain("neutral", color="none", marker=_open(PENNANT), markeredgecolor=ink)
            else:
                fill = ink if lure.kind == "false" else "white"
                self._areas([outline], facecolors=fill, edgecolors=ink, linewidths=0.9 * self.thin, zorder=3.5)
                self._explain(lure.kind, color="none", marker=">", markerfacecolor=fill, markeredgecolor=ink)

    def walk(self, walk: Sequence[Piece], exit_cell: Cell) -> None:
        """The moves, jumps and returns of a walk, and where it ends if that is not the exit."""
        for key in ("legal", "retraced"):
            mine = [piece for piece in walk if piece.key == key]
            if mine:
                self._lines(_chained(mine), color=INK[key], width=1.7, linestyles=[STYLE[key]], zorder=4)
                self._areas([_arrowhead(piece) for piece in mine], facecolors=INK[key], edgecolors="none", zorder=5)
                self._explain(key, color=INK[key], linestyle=STYLE[key])
        marks: dict[tuple[str, Point], list[int]] = defaultdict(list)
        for piece in walk:
            if piece.key in ("wall", "through", "outside"):
                self._lines([piece.points], color=INK[piece.key], width=1.4, linestyles=[STYLE[piece.key]], zorder=4.5)
            elif piece.key in ("jump", "return"):
                self._arc(piece)
            if piece.key in MARK:
                marks[piece.key, self._held(_mark_place(piece))].append(piece.number)
        self._marks(marks)
        end = walk[-1].points[0 if walk[-1].key in ("wall", "outside") else -1]
        if (round(end[1]), round(end[0])) != exit_cell:
            self._mark("end", self._held(end), 0.2)

    def legend(self) -> None:
        """What stands in the picture, in the order of `WORDS`, under the maze."""
        order = [key for key in self.words if key in self.explained]
        if order:
            self.ax.legend(
                [self.explained[key] for key in order],
                [self.words[key] for key in order],
                loc="upper center",
                bbox_to_anchor=(0.5, -0.05),
                ncols=2,
                frameon=False,
                prop={"family": self.font, "size": FONT_SIZE},
                handlelength=2.4,
                columnspacing=1.2,
                labelspacing=0.35,
            )

    def _lines(self, lines: Sequence[Sequence[Point]], *, color: str, width: float, **style: Any) -> None:
        from matplotlib.collections import LineCollection

        self.ax.add_collection(LineCollection(lines, colors=color, linewidths=width * self.thin, **style))

    def _areas(self, outlines: Sequence[Sequence[Point]], **style: Any) -> None:
        from matplotlib.collections import PolyCollection

        self.ax.add_collection(PolyCollection(outlines, **style))

    def _arc(self, piece: Piece) -> None:
        from matplotlib.patches import FancyArrowPatch

        begin, end = map(self._held, piece.points)
        look = {"color": INK[piece.key], "linestyle": STYLE[piece.key], "linewidth": 1.5 * self.thin, "zorder": 4.5}
        bow = {"connectionstyle": "arc3,rad=0.25", "arrowstyle": "-", "shrinkA": 0, "shrinkB": 0}
        self.ax.add_patch(FancyArrowPatch(begin, end, **bow, **look))
        if piece.key == "return":
            self._explain("return", color=INK["return"], linestyle=STYLE["return"])

    def _marks(self, marks: dict[tuple[str, Point], list[int]]) -> None:
        """The crosses, diamonds and squares of illegal moves; their numbers, if they are few."""
        numbered = sum(map(len, marks.values())) <= NUMBERED
        for (key, place), numbers in marks.items():
            self._mark("wall" if key == "through" else key, place, 0.28)
            if numbered:
                self._number(place, ", ".join(map(str, numbers)))

    def _mark(self, key: str, place: Point, side: float) -> None:
        shape, ink = MARK[key], INK[key]
        fill = ink if key == "end" else "white"
        edge = (2.2 if key == "wall" else 1) * self.thin
        size = min(max(side * self.cell, 1.8), 7)
        if key == "wall":  # a white cross behind it, so that it stands out from the black wall
            self.ax.plot(*place, shape, color="white", markersize=size, markeredgewidth=2.2 * edge, zorder=5.4)
        look = {"color": ink, "marker": shape, "markerfacecolor": fill}
        self.ax.plot(*place, **look, markersize=size, markeredgewidth=edge, zorder=5.5, clip_on=False)
        self._explain(key, **look, linestyle=STYLE.get(key, ""))

    def _number(self, place: Point, text: str) -> None:
        ink = INK["number"]
        paper = {"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.85}
        near = {"textcoords": "offset points", "annotation_clip": False, "fontsize": FONT_SIZE - 0.5}
        inward = {"xytext": (-3, 3), "ha": "right"} if place[0] > self.size - 1.3 else {"xytext": (3, 3)}
        self.ax.annotate(text, place, color=ink, bbox=paper, zorder=6, **inward, **near)
        self._explain("number", color="none", marker="$3$", markerfacecolor=ink, markeredgecolor="none")

    def _held(self, point: Point) -> Point:
        """The point, or the nearest one on the rim of the picture if it lies outside (a jump to nowhere)."""
        low, high = -0.75, self.size - 0.25
        return (min(max(point[0], low), high), min(max(point[1], low), high))

    def _explain(self, key: str, **look: Any) -> None:
        from matplotlib.lines import Line2D

        self.explained.setdefault(key, Line2D([], [], **{"linewidth": 1.4, "markersize": 4.5, **look}))


def _turned(outline: Sequence[Point], place: Point, way: Point) -> list[Point]:
    """An outline of (forward, sideways) points, turned so that forward is `way`, at `place`."""
    (x, y), (across, down) = place, way
    return [(x + f * across - s * down, y + f * down + s * across) for f, s in outline]


def _arrowhead(piece: Piece) -> list[Point]:
    """A small arrow in the middle of a move."""
    (x1, y1), (x2, y2) = piece.points[-2:]
    long = abs(x2 - x1) + abs(y2 - y1)
    return _turned(ARROWHEAD, ((x1 + x2) / 2, (y1 + y2) / 2), ((x2 - x1) / long, (y2 - y1) / long))


def _open(outline: Sequence[Point]) -> Any:
    """A marker of an outline that is not closed or filled."""
    from matplotlib.markers import MarkerStyle
    from matplotlib.path import Path

    return MarkerStyle(Path(outline), fillstyle="none")


def _chained(walk: Sequence[Piece]) -> list[list[Point]]:
    """Lines that meet joined to one, so that dashes run through."""
    lines: list[list[Point]] = []
    for piece in walk:
        if lines and lines[-1][-1] == piece.points[0]:
            lines[-1].extend(piece.points[1:])
        else:
            lines.append(list(piece.points))
    return lines


def _mark_place(piece: Piece) -> Point:
    """Where an illegal move carries its mark: at the wall, or where it ends."""
    (x1, y1), (x2, y2) = piece.points[-2:]
    return ((x1 + x2) / 2, (y1 + y2) / 2) if piece.key == "through" else (x2, y2)
