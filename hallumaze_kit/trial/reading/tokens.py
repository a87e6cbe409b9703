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
from typing import Any, NamedTuple

from hallumaze_kit.maze import STEP as OFFSET
from hallumaze_kit.maze import Cell

# ---- folding: one spelling for each sign, the same number of characters -------------------------

_SPACES = (0x3000, 0xA0, 0x2009, 0x200A, 0x202F)
_NO_WIDTH = (0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFEFF, 0xFE0F, 0xFE0E)
_SIGNS = {
    **{0xFF01 + i: 0x21 + i for i in range(94)},
    **dict.fromkeys((*_SPACES, *_NO_WIDTH), 0x20),
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
_LATEX_FORMAT = (
    r"left|right|text(?:bf|it|rm|tt|sf)?|math(?:bf|rm|it|tt|sf)|boxed|quad|qquad|big|Big|displaystyle"
)  # fmt: skip
_MARKUP = re.compile(
    r"__|~~|->|-->|--->|–>|—>|=>|==>"  # emphasis, arrows of signs
    r"|-&gt;|=&gt;|&rarr;|&rArr;|&darr;|&uarr;|&larr;|&nbsp;|&emsp;"  # HTML entities
    r"|\\(?:(?:long|x|Long)?(?:right|Right|left|Left)arrow(?![a-zA-Z])"  # LaTeX arrows
    r"|[dDuU](?:own|p)arrow(?![a-zA-Z])|(?:to|implies|mapsto)(?![a-zA-Z])"
    rf"|(?:{_LATEX_FORMAT})(?![a-zA-Z])\{{?|[\\,;:! ()\[\]{{}}_#&%|])?"  # other LaTeX
    r"|<[a-zA-Z/][^<>\n]{0,60}>"  # HTML tags
    r"|row\s{0,2}\d{1,3}\s{0,2},?\s{0,2}(?:and\s)?col(?:umn)?\s{0,2}\d{1,3}(?!\d)"  # "row 1, column 2"
    r"|r(?<![(\[{\w]r)(?:ow)?\s?=\s?\d{1,3}\s?,\s?(?:c|col)\s?=\s?\d{1,3}(?!\d)"  # "r=0, c=1"
    r"|Row\s{0,2}\d{1,3}\s{0,2},?\s{0,2}(?:and\s)?[Cc]ol(?:umn)?\s{0,2}\d{1,3}(?!\d)"
)
_MARKS = (">", "\\", "__", "~~", "&", "<", "row", "Row", "r=", "r =")
"""One of these is in every piece of markup."""
_LATEX_ARROWS = (
    ("ightarrow", "→"), ("\\to", "→"), ("implies", "→"), ("mapsto", "→"),
    ("ownarrow", "↓"), ("parrow", "↑"), ("eftarrow", "←"),
)  # fmt: skip
_DIGITS = re.compile(r"\d+")
_SPREAD = re.compile(r"\[\s{0,40}\n\s{0,40}(-?\d{1,3}),\s{1,40}(-?\d{1,3})\s{1,40}\]")  # a pair as indented JSON
_R_AND_C = re.compile(r"(?: |(?<![\w]))[rR](\d{1,3})[cC](\d{1,3})(?![A-Za-z0-9])")
_R_AND_NUMBER = re.compile(r"[rR]\d{1,3}[cC]")
_ROWS = re.compile(r"\s?(\d{1,3})행\s{0,2},?\s{0,2}(\d{1,3})열")


def _unmark(match: re.Match[str]) -> str:
    """Markup as the sign it stands for, or as spaces."""
    text = match[0]
    first, size = text[0], len(text)
    if first == "\\":
        for name, sign in _LATEX_ARROWS:
            if name in text:
                return sign.ljust(size)
        return " " + text[1] if size == 2 and text[1] in "()[]{}_#&%|" else " " * size
    if first == "&":
        return {"r": "→", "d": "↓", "u": "↑", "l": "←"}.get(text[1], " ").ljust(size)
    if first in "rR":
        row, col = _DIGITS.findall(text)
        return f"({row},{col})".ljust(size)
    return "→".ljust(size) if text.endswith((">", "&gt;")) and first != "<" else " " * size


def _row_and_column(match: re.Match[str]) -> str:
    """`1행 2열` as `(1,2)`, where there is room."""
    cell = f"({match[1]},{match[2]})"
    return cell.ljust(len(match[0])) if len(cell) <= len(match[0]) else match[0]


def normalise(text: str) -> str:
    """The text in NFC (Hangul pasted from some systems comes decomposed)."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """The text with one spelling for wide forms, arrows and markup; length and positions are kept."""
    plain = text if text.isascii() or not _ODD.search(text) else text.translate(_SIGNS)
    folded = plain.replace("*", " ").replace("`", " ").replace("$", " ")
    if "->" in folded and "-->" not in folded:
        folded = folded.replace("->", "→ ")  # the most frequent piece of markup, without a look at the others
    if any(sign in folded for sign in _MARKS):
        folded = _MARKUP.sub(_unmark, folded)
    if "행" in folded:
        folded = _ROWS.sub(_row_and_column, folded)
    if _SPREAD.search(folded):
        folded = _SPREAD.sub(lambda m: f"[{m[1]},{m[2]}]".ljust(len(m[0])), folded)
    return _R_AND_C.sub(_row_and_column, folded) if _R_AND_NUMBER.search(folded) else folded


# ---- cells and directions -----------------------------------------------------------------------

_INSIDE = (
    r"\s{0,3}(?:[\"']?r(?:ow)?[\"']?\s{0,2}[=:]?\s{0,2})?-?\d{1,3}\s{0,3}[,;]\s{0,3}"
    r"(?:[\"']?c(?:ol(?:umn)?)?[\"']?\s{0,2}[=:]?\s{0,2})?-?\d{1,3}\s{0,3}[)\]}]"
)
_CELL = rf"[(\[{{]{_INSIDE}"
CELL = re.compile(_CELL)
"""A cell in round, square or curly brackets: `(0,1)`, `[0, 1]`, `(row 0, col 1)`."""
_NUMBER = re.compile(r"-?\d+")
PLACEHOLDER = re.compile(
    r"[(\[]\s{0,3}(?:r|행|row|N\s?-\s?1|\?|x)\s{0,3},\s{0,3}(?:c|열|col|N\s?-\s?1|\?|y)[^)\]]{0,6}[)\]]",
    re.I,
)
"""A cell that names none, as the rules write it: `(r,c)`, `(행,열)`."""

_LATIN_END = r"(?![A-Za-z0-9_'’])"
_KOREAN_SIDE = r"(?:쪽|향|측|편|방향|(?=으로)|(?![가-힣]))"
_KOREAN_SOFT = r"(?:쪽|편|측|방향|(?=로 |로\s{0,2}[\d(]|로[가-힣])|(?![가-힣]))"
_NAMES = ("North", "East", "South", "West", "north", "east", "south", "west")
_SOFT_NAMES = tuple(name for w in ("up", "down", "left", "right") for name in (w, w.capitalize(), w.upper()))
_KOREAN_SOFT_NAMES = ("위", "윗", "아래", "아랫", "왼", "좌", "오른", "우", "상", "하")
_KOREAN_FIRSTS = "북남동서위윗아왼좌오우상하"
TOKEN = re.compile(
    rf"[(\[{{→↑↓←NESWneswuUdDlLrR{_KOREAN_FIRSTS}]"  # one set of first characters is what `re` looks for fast
    rf"(?:(?<=[(\[{{]){_INSIDE}|(?<=[→↑↓←])"
    rf"|(?<=[{_KOREAN_FIRSTS}])(?:(?<=[북남동서]){_KOREAN_SIDE}"
    + "".join(rf"|(?<={name[0]}){name[1:]}{_KOREAN_SOFT}" for name in _KOREAN_SOFT_NAMES)
    + r")|(?<![A-Za-z0-9_'’].)(?<=[A-Za-z])(?:"
    + "|".join(rf"(?<={name[0]})(?:{name[1:]}(?:wards?|ern|erly)?(?![A-Za-z])|{_LATIN_END})" for name in _NAMES)
    + "".join(rf"|(?<={name[0]}){name[1:]}(?![A-Za-z])" for name in ("NORTH", "EAST", "SOUTH", "WEST"))
    + "".join(rf"|(?<={name[0]}){name[1:]}(?:wards?)?(?![A-Za-z])" for name in _SOFT_NAMES)
    + "))"
)
"""Whatever may be a cell, a direction or an arrow; `tokens` looks at what stands beside it."""
_FIRST_CHARACTERS = {"N": "nu↑북위윗상", "E": "er→동오우", "S": "sd↓남아하", "W": "wl←서왼좌"}
_DIRECTION = {first: direction for direction, firsts in _FIRST_CHARACTERS.items() for first in firsts}
"""The direction that a word means, by its first character."""
_SOFT_BEFORE = re.compile(
    r"(?:\b(?:go|goes|going|went|move|moves|moved|moving|head|heads|headed|heading|step|turn|turned|turns"
    r"|walk|walked|walking|run|runs|ran"  # verbs of motion
    r"|straight|then|and|to the|keep|kept|continue|continued|back|further|take|took|again"  # what goes with them
    r"|one|two|three|cells?|steps?)"  # counts
    r"|[,:;.!?→\[(|]|^)\s{0,3}$",  # a sign, the beginning
    re.I,
)
_SOFT_AFTER = re.compile(r"\s{0,3}(?:(?:in)?to\s{0,2}[(\[]|→)")
_NOT_SOFT = re.compile(r"\s{0,2}(?:away|now|there|here|after|next|behind|hand)\b", re.I)
_KOREAN_BARE = frozenset(("위", "아래", "왼", "좌", "오른", "우", "상", "하"))
_AFTER_ARROW = re.compile(r"→\s{0,3}[\[(]?$")


_CLOSED = re.compile(r"[↑→↓←]?\s{0,2}[)\]]")
_TOWARDS = {offset: direction for direction, offset in OFFSET.items()}


class Token(NamedTuple):
    """`kind` is "cell", "dir" or "arrow"; `value` a `Cell`, a direction letter or "→"."""

    kind: str
    value: Any
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


@lru_cache(maxsize=1024)
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
    """Does a word that may be a direction stand where it is one?"""
    before = text[start - 1] if start else " "
    first = word[0]
    if first >= "가":
        if "가" <= before <= "힣":
            return False
        return word not in _KOREAN_BARE or soft or text.startswith("로", end) or _after_arrow(text, start)
    if (before.isascii() and (before.isalnum() or before in "_'")) or before == "’":
        return False
    if len(word) == 1:
        return first.isupper() or soft or _after_arrow(text, start)
    return first in "NESWnesw" or soft or _verb_or_sign_beside(text, start, end)


def _after_arrow(text: str, start: int) -> bool:
    return _AFTER_ARROW.search(text[max(0, start - 5) : start]) is not None


def _verb_or_sign_beside(text: str, start: int, end: int) -> bool:
    """ "go left", "left to (0,1)" and the like; "left now", "the left hand" are none."""
    after = text[end : end + 14]
    if _SOFT_AFTER.match(after):
        return True
    return _SOFT_BEFORE.search(text[max(0, start - 14) : start]) is not None and not _NOT_SOFT.match(after)


def _merge_signs(found: Sequence[Token], text: str) -> list[Token]:
    """Drop arrows that only repeat the direction beside them (`S↓`, `E→`, `↓ S`)."""
    out: list[Token] = []
    for t in found:
        last = out[-1] if out else None
        if last is None or last.kind != "dir" or t.kind == "cell":
            out.append(t)
        elif t.start < last.end:
            continue
        elif end := _end_of_repeat(last, t, text):
            out[-1] = last._replace(end=end)
        elif text[last.end : t.start].strip():
            out.append(t)
        elif not last.sign and _sign_repeats(last, t):
            out[-1] = last._replace(end=t.end)
        elif last.sign and t.kind == "dir" and not t.sign and t.value == last.value:
            out[-1] = t._replace(start=last.start)
        else:
            out.append(t)
    return out


def _end_of_repeat(word: Token, other: Token, text: str) -> int:
    """Where "South (S↓)" ends, a direction with its letter or sign in brackets; 0 if it is none."""
    if text[word.end : other.start].strip() not in ("(", "["):
        return 0
    same = other.value == ("→" if other.kind == "arrow" and word.value == "E" else word.value)
    closed = _CLOSED.match(text[other.end : other.end + 6])
    return other.end + closed.end() if same and closed else 0


def _sign_repeats(word: Token, sign: Token) -> bool:
    """`S↓`, or `E→` without a space (elsewhere the arrow to the right joins)."""
    if sign.kind == "arrow":
        return word.value == "E" and sign.start == word.end
    return sign.sign and sign.value == word.value


def without(text: str, found: Sequence[Token]) -> str:
    """The text with its tokens taken out."""
    parts, at = [], 0
    for t in found:
        parts.append(text[at : t.start])
        at = t.end
    return "".join([*parts, text[at:]])


def add(cell: Cell, direction: str, times: int = 1) -> Cell:
    """The cell `times` moves away in a direction; it may lie outside the maze."""
    down, right = OFFSET[direction]
    return cell[0] + down * times, cell[1] + right * times


def direction_between(one: Cell, other: Cell) -> str:
    """The direction from a cell to a neighbour, "" if they are not neighbours."""
    down, right = other[0] - one[0], other[1] - one[1]
    return _TOWARDS.get((down, right), "")


# ---- confidence ---------------------------------------------------------------------------------

_NUMBER_SAID = r"(\d{1,3}(?:\.\d{1,4})?|\.\d{1,4})(?!\d)\s{0,2}(%|/\s?100|/\s?10(?!\d)|점|할|퍼센트|percent)?"
_SAID = re.compile(
    r"(?:confiden(?:ce|t)|conf\b\.?|certainty|sure|확신도?|신뢰도|자신감)"
    rf"[^\d\n|%]{{0,16}}?{_NUMBER_SAID}(?!\s?,\s?\d{{1,3}}\s?[)\]])"  # "90% sure. At (5,1)": the cell is none
)
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,4})?)\s{0,2}(?:%|퍼센트|percent|/\s?100)")


Stated = tuple[float, str]
"""A confidence as written: its number, and "%" where its unit is clear."""


class Confidence(NamedTuple):
    """A number and its unit as written ("%", or "" where only the whole answer can tell)."""

    value: float
    unit: str
    start: int
    end: int


def confidence(text: str) -> Confidence | None:
    """The first confidence in a folded text: after its word, else a percentage."""
    m = _SAID.search(text.lower()) if len(text) < 20_000 else None
    if m:
        value, unit = float(m[1]), (m[2] or "").replace(" ", "")
        return Confidence(value * 10 if unit in ("/10", "할") else value, "%" if unit else "", m.start(), m.end())
    if "%" in text or "퍼센트" in text or "percent" in text or "/" in text:
        m = _PERCENT.search(text)
        if m:
            return Confidence(float(m[1]), "%", m.start(), m.end())
    return None


def percentages(text: str) -> list[Confidence]:
    """All confidences in percent of a folded text, in order."""
    return [Confidence(float(m[1]), "%", m.start(), m.end()) for m in _PERCENT.finditer(text)]


def stated_in(text: str) -> Stated | None:
    """The first confidence in a folded text, as written."""
    found = confidence(text)
    return (found.value, found.unit) if found else None


def stated_behind(end: int, said: Sequence[Confidence]) -> Stated | None:
    """Of several confidences in a text the first one behind a move, which is the one of that move."""
    return next(((c.value, c.unit) for c in said if c.start >= end), None)
