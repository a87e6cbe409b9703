"""Words of an answer: cells, directions, arrows, confidences.

Every pattern bounds its repetitions, so that reading is linear in the length of the text, whatever the text is.
Patterns that run over a whole answer begin each alternative with a plain character, which `re` looks for fast;
what stands before a match is checked afterwards. Folding keeps the length, so that positions stay true.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from hallumaze_kit.maze import STEP as OFFSET
from hallumaze_kit.maze import Cell

# ---- folding: one spelling for each sign, the same number of characters -------------------------

_SIGNS = {
    **{0xFF01 + i: 0x21 + i for i in range(94)},
    **dict.fromkeys((0x3000, 0xA0, 0x2009, 0x200A, 0x202F, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, 0xFE0F, 0xFE0E), 0x20),
    0x2212: ord("-"),
    **dict.fromkeys(map(ord, "⇒➔➜➡⟶⟹➝➞↦➤►▶⮕➙"), ord("→")),
    **dict.fromkeys(map(ord, "⬆⇑⟰🔼"), ord("↑")),
    **dict.fromkeys(map(ord, "⬇⇓⟱🔽"), ord("↓")),
    **dict.fromkeys(map(ord, "⬅⇐⟵◀◄"), ord("←")),
    **dict.fromkeys(map(ord, "〔【「『"), ord("[")),
    **dict.fromkeys(map(ord, "〕】」』"), ord("]")),
    **dict.fromkeys(map(ord, "、，"), ord(",")),
    **dict.fromkeys(map(ord, "：∶"), ord(":")),
}  # fmt: skip
_ODD = re.compile("[" + "".join(map(chr, _SIGNS)) + "]")
_MARKUP = re.compile(
    r"__|~~|->|-->|--->|–>|—>|=>|==>|-&gt;|=&gt;|&rarr;|&rArr;|&darr;|&uarr;|&larr;|&nbsp;|&emsp;"
    r"|\\(?:(?:long|x|Long)?(?:right|Right|left|Left)arrow(?![a-zA-Z])|[dDuU](?:own|p)arrow(?![a-zA-Z])|(?:to|implies"
    r"|mapsto)(?![a-zA-Z])"
    r"|(?:left|right|text(?:bf|it|rm|tt|sf)?|math(?:bf|rm|it|tt|sf)|boxed|quad|qquad|big|Big"
    r"|displaystyle)(?![a-zA-Z])\{?|[\\,;:! ()\[\]{}_#&%|])?"
    r"|<[a-zA-Z/][^<>\n]{0,60}>|row\s{0,2}\d{1,3}\s{0,2},?\s{0,2}(?:and\s)?col(?:umn)?\s{0,2}\d{1,3}(?!\d)"
    r"|Row\s{0,2}\d{1,3}\s{0,2},?\s{0,2}(?:and\s)?[Cc]ol(?:umn)?\s{0,2}\d{1,3}(?!\d)"
)
_ROWS = re.compile(r"\s?(\d{1,3})행\s{0,2},?\s{0,2}(\d{1,3})열")


def _unmark(match: re.Match[str]) -> str:
    text = match[0]
    first, size = text[0], len(text)
    if first == "\\":
        for name, sign in (("ightarrow", "→"), ("\\to", "→"), ("implies", "→"), ("mapsto", "→"), ("ownarrow", "↓"), ("parrow", "↑"), ("eftarrow", "←")):
            if name in text:
                return sign.ljust(size)
        return " " + text[1] if size == 2 and text[1] in "()[]{}_#&%|" else " " * size
    if first == "&":
        return {"r": "→", "d": "↓", "u": "↑", "l": "←"}.get(text[1], " ").ljust(size)
    if first in "rR":
        row, col = re.findall(r"\d+", text)
        return f"({row},{col})".ljust(size)
    return "→".ljust(size) if text.endswith((">", "&gt;")) and first != "<" else " " * size


def _row_and_column(match: re.Match[str]) -> str:
    cell = f"({match[1]},{match[2]})"
    return cell.ljust(len(match[0])) if len(cell) <= len(match[0]) else match[0]


def normalise(text: str) -> str:
    """The text in NFC (Hangul pasted from some systems comes decomposed)."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """The text with one spelling for wide forms, arrows and markup; length and positions are kept."""
    plain = text if text.isascii() or not _ODD.search(text) else text.translate(_SIGNS)
    folded = _MARKUP.sub(_unmark, plain.replace("*", " ").replace("`", " ").replace("$", " "))
    return _ROWS.sub(_row_and_column, folded) if "행" in folded else folded


# ---- cells and directions -----------------------------------------------------------------------

_INSIDE = (
    r"\s{0,3}(?:[\"']?r(?:ow)?[\"']?\s{0,2}[=:]?\s{0,2})?-?\d{1,3}\s{0,3}[,;]\s{0,3}"
    r"(?:[\"']?c(?:ol(?:umn)?)?[\"']?\s{0,2}[=:]?\s{0,2})?-?\d{1,3}\s{0,3}[)\]}]"
)
CELL = re.compile(rf"\({_INSIDE}|\[{_INSIDE}|\{{{_INSIDE}")
_NUMBER = re.compile(r"-?\d+")
PLACEHOLDER = re.compile(
    r"[(\[]\s{0,3}(?:r|행|row|N\s?-\s?1|\?|x)\s{0,3},\s{0,3}(?:c|열|col|N\s?-\s?1|\?|y)[^)\]]{0,6}[)\]]",
    re.I,
)

_LATIN_END = r"(?![A-Za-z0-9_'’])"
_KOREAN_SIDE = r"(?:쪽|향|측|편|방향|(?=으로)|(?![가-힣]))"
_KOREAN_SOFT = r"(?:쪽|편|측|방향|(?=로 |로\s{0,2}[\d(]|로[가-힣])|(?![가-힣]))"
TOKEN = re.compile(
    rf"\({_INSIDE}|\[{_INSIDE}|\{{{_INSIDE}|→|↑|↓|←"
    + "".join(rf"|{c}(?:{rest}(?:wards?|ern|erly)?(?![A-Za-z])|{_LATIN_END})" for c, rest in (("N", "orth"), ("E", "ast"), ("S", "outh"), ("W", "est")))
    + "".join(rf"|{c}(?:{rest}(?:wards?|ern|erly)?(?![A-Za-z])|{_LATIN_END})" for c, rest in (("n", "orth"), ("e", "ast"), ("s", "outh"), ("w", "est")))
    + r"|NORTH(?![A-Za-z])|EAST(?![A-Za-z])|SOUTH(?![A-Za-z])|WEST(?![A-Za-z])"
    + "".join(rf"|{c}{rest}(?:wards?)?(?![A-Za-z])" for w in ("up", "down", "left", "right") for c, rest in ((w[0], w[1:]), (w[0].upper(), w[1:]), (w[0].upper(), w[1:].upper())))
    + "".join(rf"|{c}{_KOREAN_SIDE}" for c in "북남동서")
    + "".join(rf"|{c}{_KOREAN_SOFT}" for c in ("위", "윗", "아래", "아랫", "왼", "좌", "오른", "우", "상", "하"))
)  # fmt: skip
_DIRECTION = {
    "n": "N", "e": "E", "s": "S", "w": "W", "u": "N", "d": "S", "l": "W", "r": "E", "↑": "N", "↓": "S", "←": "W", "→": "E",
    "북": "N", "남": "S", "동": "E", "서": "W", "위": "N", "윗": "N", "상": "N", "아": "S", "하": "S", "왼": "W", "좌": "W", "오": "E", "우": "E",
}  # fmt: skip
_SOFT_BEFORE = re.compile(
    r"(?:\b(?:go|goes|going|went|move|moves|moved|moving|head|heads|headed|heading|step|turn|turned|turns|walk|walked"
    r"|walking|run|runs|ran"
    r"|straight|then|and|to the|keep|kept|continue|continued|back|further|take|took|again|one|two|three|cells?"
    r"|steps?)|[,:;.!?→\[(|]|^)\s{0,3}$",
    re.I,
)
_SOFT_AFTER = re.compile(r"\s{0,3}(?:(?:in)?to\s{0,2}[(\[]|→)")
_NOT_SOFT = re.compile(r"\s{0,2}(?:away|now|there|here|after|next|behind|hand)\b", re.I)
_AFTER_ARROW = re.compile(r"→\s{0,3}[\[(]?$")


class Token(NamedTuple):
    """`kind` is "cell", "dir" or "arrow"; `value` a cell, a direction letter or "→"."""

    kind: str
    value: Cell | str
    start: int
    end: int
    sign: bool = False
    """A direction written as a bare arrow, which may only repeat the letter beside it."""


def cell_of(match: re.Match[str]) -> Cell:
    """The cell that a match of `CELL` names."""
    try:
        row, col = match[0][1:-1].split(",")
        return int(row), int(col)
    except ValueError:
        row, col = _NUMBER.findall(match[0])
        return int(row), int(col)


@lru_cache(maxsize=8)
def tokens(text: str, soft: bool = False) -> tuple[Token, ...]:
    """Cells, directions and arrows of a folded text, in order.

    Small letters and "up", "down", "left", "right" are words of many uses: they count where a verb or a sign beside
    them makes them a direction, or everywhere with `soft=True` (a field that holds only a move).
    """
    out: list[Token] = []
    for m in TOKEN.finditer(text):
        word, start = m[0], m.start()
        first = word[0]
        if first in "([{":
            out.append(Token("cell", cell_of(m), start, m.end()))
        elif first == "→":
            out.append(Token("arrow", "→", start, m.end()))
        elif first in "↑↓←":
            out.append(Token("dir", _DIRECTION[first], start, m.end(), sign=True))
        elif _is_direction(text, word, start, m.end(), soft):
            out.append(Token("dir", _DIRECTION[first.lower()], start, m.end()))
    return tuple(_merge_signs(out, text) if len(out) > 1 else out)


def _is_direction(text: str, word: str, start: int, end: int, soft: bool) -> bool:
    before = text[start - 1] if start else " "
    first = word[0]
    if first >= "가":
        if "가" <= before <= "힣":
            return False
        bare = word in ("위", "아래", "왼", "좌", "오른", "우", "상", "하")
        return not bare or soft or text.startswith("로", end) or bool(_AFTER_ARROW.search(text[max(0, start - 5) : start]))
    if (before.isascii() and (before.isalnum() or before in "_'")) or before == "’":
        return False
    if len(word) == 1:
        return first.isupper() or soft or bool(_AFTER_ARROW.search(text[max(0, start - 5) : start]))
    if first in "NESWnesw":
        return True
    after = text[end : end + 14]
    return soft or bool(_SOFT_AFTER.match(after)) or bool(_SOFT_BEFORE.search(text[max(0, start - 14) : start]) and not _NOT_SOFT.match(after))


def _merge_signs(found: Sequence[Token], text: str) -> list[Token]:
    """Drop arrows that only repeat the direction beside them (`S↓`, `E→`, `↓ S`)."""
    out: list[Token] = []
    for t in found:
        last = out[-1] if out else None
        if last is None or last.kind != "dir" or t.kind == "cell" or text[last.end : t.start].strip():
            out.append(t)
        elif not last.sign and ((t.sign and t.value == last.value) or (t.kind == "arrow" and last.value == "E" and t.start == last.end)):
            out[-1] = last._replace(end=t.end)
        elif last.sign and t.kind == "dir" and not t.sign and t.value == last.value:
            out[-1] = t._replace(start=last.start)
        else:
            out.append(t)
    return out


def add(cell: Cell, direction: str, times: int = 1) -> Cell:
    """The cell `times` moves away in a direction; it may lie outside the maze."""
    down, right = OFFSET[direction]
    return cell[0] + down * times, cell[1] + right * times


def direction_between(one: Cell, other: Cell) -> str:
    """The direction from a cell to a neighbour, "" if they are not neighbours."""
    down, right = other[0] - one[0], other[1] - one[1]
    return {(-1, 0): "N", (0, 1): "E", (1, 0): "S", (0, -1): "W"}.get((down, right), "")


# ---- confidence ---------------------------------------------------------------------------------

_SAID = re.compile(
    r"(?:confiden(?:ce|t)|conf\b\.?|certainty|sure|확신도?|신뢰도|자신감)"
    r"[^\d\n|%]{0,16}?(\d{1,3}(?:\.\d{1,4})?|\.\d{1,4})\s{0,2}(%|/\s?100|/\s?10(?!\d)|점|퍼센트|percent)?",
    re.I,
)
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,4})?)\s{0,2}(?:%|퍼센트|percent|/\s?100)")


class Confidence(NamedTuple):
    """A number and its unit as written ("%", or "" where only the whole answer can tell)."""

    value: float
    unit: str
    start: int
    end: int


def confidence(text: str) -> Confidence | None:
    """The first confidence in a folded text: after its word, else a percentage."""
    m = _SAID.search(text) if len(text) < 20_000 else None
    if m:
        value, unit = float(m[1]), (m[2] or "").replace(" ", "")
        return Confidence(value * 10 if unit == "/10" else value, "%" if unit else "", m.start(), m.end())
    if "%" in text or "퍼센트" in text or "percent" in text or "/" in text:
        m = _PERCENT.search(text)
        if m:
            return Confidence(float(m[1]), "%", m.start(), m.end())
    return None
