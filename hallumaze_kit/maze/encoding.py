"""The maze as text and back (section 5 of the v1.1 document).

    MAZE 7×7 | START:(0,0) | EXIT:(6,6)
    Seed: 42813

    각 셀에서 이동 가능한 방향:
    (0,0): [E→ S↓]
    (0,2): [S↓ W←]  ⚑ S방향 힌트: …

One line a cell, open directions in the order N, E, S, W, lures at the end of their line.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze.lures import CLAIMS, NEUTRAL, Lure, make_lure

if TYPE_CHECKING:
    from hallumaze_kit.maze.engine import MazeEngine

LANGUAGES = ("ko", "en")
MARKS = {"N": "N↑", "E": "E→", "S": "S↓", "W": "W←"}
BIT = {"N": 1, "E": 2, "S": 4, "W": 8}
_HEADING = {"ko": "각 셀에서 이동 가능한 방향:", "en": "Open directions of each cell:"}
_HINT = {"ko": "⚑ {d}방향 힌트: {text}", "en": "⚑ hint for {d}: {text}"}
_PHRASES = {
    text: (number, neutral)
    for pool, neutral in ((CLAIMS, False), (NEUTRAL, True))
    for language in LANGUAGES
    for number, text in enumerate(pool[language])
}

_HEADER_LINE = re.compile(r"MAZE (\d{1,3})[×xX](\d{1,3})\b")
_SEED_LINE = re.compile(r"^Seed: (\d{1,30})\s*$", re.M)
_CELL_LINE = re.compile(r"^\((\d{1,3}),(\d{1,3})\): \[([NESW↑→↓← ]{0,20})\](.*)$", re.M)
_HINT_PART = re.compile(r"⚑ (?:([NESW])방향 힌트|hint for ([NESW])): ([^⚑]*)")


def encode(maze: MazeEngine, use_mirage: bool, language: str, show_seed: bool) -> str:
    """The text of a maze; see the module's docstring for the form."""
    size = maze.size
    hints: dict[tuple[int, int], list[Lure]] = {}
    if use_mirage:
        for lure in maze.mirage_traps:
            hints.setdefault(lure.cell, []).append(lure)
    lines = [f"MAZE {size}×{size} | START:(0,0) | EXIT:({size - 1},{size - 1})"]
    if show_seed and maze.seed is not None:
        lines.append(f"Seed: {maze.seed}")
    lines += ["", _HEADING[language]]
    masks = maze.masks
    for row in range(size):
        for col in range(size):
            lines.append(cell_line((row, col), masks[row * size + col], hints.get((row, col), ()), language))
    return "\n".join(lines)


def cell_line(cell: tuple[int, int], mask: int, hints: Iterable[Lure], language: str) -> str:
    """The line of one cell: its open directions and the lures that stand at it."""
    ways = " ".join(MARKS[d] for d in "NESW" if mask & BIT[d])
    line = f"({cell[0]},{cell[1]}): [{ways}]"
    for lure in hints:
        line += "  " + _HINT[language].format(d=lure.direction, text=lure.text(language))
    return line


RawLure = tuple[tuple[int, int], str, int, bool, str]
"""A lure as a text gives it: cell, direction, number of the phrase (−1: not the kit's), neutral, wording."""


def decode(text: str) -> tuple[int, int | None, list[int], list[RawLure]]:
    """Read size, seed (None if not shown), masks and raw lures from a text that `encode` wrote.

    The maze text may stand inside a longer text (a prompt, a chat). A text that is no maze, lacks a
    cell or contradicts itself raises `InputError` that says where.
    """
    if not isinstance(text, str):
        raise InputError("text", text, "the text of a maze")
    text = unicodedata.normalize("NFC", text)  # Hangul pasted from some systems comes decomposed
    header = _HEADER_LINE.search(text)
    if not header or header[1] != header[2]:
        begins = "a maze text that begins with a line like 'MAZE 7×7 | START:(0,0) | EXIT:(6,6)'"
        raise InputError("text", text[:60], begins)
    size = int(header[1])
    body = text[header.end() :]
    following = _HEADER_LINE.search(body)
    body = body[: following.start()] if following else body
    seed = _SEED_LINE.search(body)
    masks: dict[tuple[int, int], int] = {}
    lures = []
    for line in _CELL_LINE.finditer(body):
        cell = (int(line[1]), int(line[2]))
        if cell in masks:
            break
        if max(cell) >= size:
            raise InputError("text", line[0][:60], f"a maze text whose cells lie in rows and columns 0 to {size - 1}")
        masks[cell] = sum(BIT[d] for d in "NESW" if d in line[3])
        for hint in _HINT_PART.finditer(line[4]):
            sentence = hint[3].strip()
            number, neutral = _PHRASES.get(sentence, (-1, False))
            lures.append((cell, hint[1] or hint[2], number, neutral, "" if number >= 0 else sentence))
        if len(masks) == size * size:
            break
    missing = [(r, c) for r in range(size) for c in range(size) if (r, c) not in masks]
    if missing:
        whole = f"a maze text with one line for each of its {size * size} cells"
        raise InputError("text", f"no line for cell {missing[0]}", whole)
    return size, int(seed[1]) if seed else None, [masks[r, c] for r in range(size) for c in range(size)], lures


def build_lures(maze: MazeEngine, raw: list[RawLure]) -> tuple[Lure, ...]:
    """Lures in path order, with their validity, which follows from the maze."""
    lures = []
    for cell, direction, number, neutral, wording in raw:
        if not maze.is_open(cell, direction):
            closed = f"a hint for {direction} at {cell}"
            raise InputError("text", closed, "a maze text whose hints stand at open directions")
        row, col = cell
        step = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}[direction]
        onward = maze.distance((row + step[0], col + step[1])) < maze.distance(cell)
        lures.append(make_lure(cell, direction, onward, neutral, number, wording))
    return tuple(sorted(lures, key=lambda lure: -maze.distance(lure.cell)))
