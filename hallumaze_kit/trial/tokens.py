"""Words of an answer: cells, directions, arrows, confidences.

Every pattern bounds its repetitions, so that reading is linear in the length of the text, whatever
the text is. Folding keeps the length, so that positions stay true.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from hallumaze_kit.maze import STEP as OFFSET
from hallumaze_kit.maze import Cell

# ---- folding: one spelling for each sign, the same number of characters -------------------------

_WIDE = {0xFF01 + i: 0x21 + i for i in range(94)}
_SIGNS = {
    **_WIDE,
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
_MARKUP = re.compile(
    r"(?P<east>\\(?:long|x|Long)?(?:right|Right)arrow(?![a-zA-Z])|\\to(?![a-zA-Z])|\\implies(?![a-zA-Z])|\\mapsto(?![a-zA-Z])"
    r"|[-–—=]{1,3}(?:>|&gt;)|&[rR]arr;)"
    r"|(?P<south>\\[dD]ownarrow(?![a-zA-Z])|&darr;)|(?P<north>\\[uU]parrow(?![a-zA-Z])|&uarr;)"
    r"|(?P<west>\\(?:long)?(?:left|Left)arrow(?![a-zA-Z])|&larr;)"
    r"|(?P<blank>[*`$]|__|~~|\\(?:left|right|text(?:bf|it|rm|tt|sf)?|math(?:bf|rm|it|tt|sf)|boxed|quad|qquad|big|Big|displaystyle)(?![a-zA-Z])\{?"
    r"|\\[\\,;:! ()\[\]{}_#&%|]?|</?[a-zA-Z][^<>\n]{0,60}>|&nbsp;|&emsp;)"
)


def _unmark(match: re.Match[str]) -> str:
    kind, text = match.lastgroup, match[0]
    if kind == "blank":
        return text[1:].rjust(2) if len(text) == 2 and text[0] == "\\" and text[1] in "()[]{}_#&%|" else " " * len(text)
    return {"east": "→", "south": "↓", "north": "↑", "west": "←"}[kind or ""].ljust(len(text))


def normalise(text: str) -> str:
    """The text in NFC (Hangul pasted from some systems comes decomposed)."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """The text with one spelling for wide forms, arrows and markup; length and positions are kept."""
    return _MARKUP.sub(_unmark, text if text.isascii() else text.translate(_SIGNS))


# ---- cells and directions -----------------------------------------------------------------------

CELL_PATTERN = (
    r"(?:[(\[{]\s{0,3}(?:[\"']?r(?:ow)?[\"']?\s{0,2}[=:]?\s{0,2})?(-?\d{1,3})\s{0,3}[,;]\s{0,3}"
    r"(?:[\"']?c(?:ol(?:umn)?)?[\"']?\s{0,2}[=:]?\s{0,2})?(-?\d{1,3})\s{0,3}[)\]}]"
    r"|(?<![A-Za-z0-9])(?i:row)\s{0,2}(\d{1,3})\s{0,2},?\s{0,2}(?i:col(?:umn)?)\s{0,2}(\d{1,3})(?!\d)"
    r"|(?<!\d)(\d{1,3})행\s{0,2},?\s{0,2}(\d{1,3})열)"
)
CELL = re.compile(CELL_PATTERN)
PLACEHOLDER = re.compile(r"[(\[]\s{0,3}(?:r|행|row|N\s?-\s?1|\?|x)\s{0,3},\s{0,3}(?:c|열|col|N\s?-\s?1|\?|y)[^)\]]{0,6}[)\]]", re.I)

_LETTER = r"(?<![A-Za-z0-9_'’])(?P<letter>[NESW])(?![A-Za-z0-9_'’])"
_WORD = r"(?<![A-Za-z])(?i:(?P<word>north|south|east|west)(?:wards?|ern|erly)?)(?![A-Za-z])"
_SOFT = r"(?<![A-Za-z])(?i:(?P<soft>up|down|left|right)(?:wards?)?)(?![A-Za-z])"
_HANGUL = (
    r"(?<![가-힣])(?P<ko>북|남|동|서)(?:쪽|향|측|편|방향|(?=으로)|(?![가-힣]))"
    r"|(?<![가-힣])(?P<ko2>위|윗|아래|아랫|왼|좌|오른|우|상|하)(?:쪽|편|측|방향|(?=로 |로\s{0,2}[\d(]|로[가-힣]))"
    r"|(?<![가-힣])(?P<ko3>위|아래|왼|좌|오른|우|상|하)(?![가-힣])"
)
_LOW = r"(?<![A-Za-z0-9_'’])(?P<low>[nesw])(?![A-Za-z0-9_'’])"
TOKEN = re.compile(
    rf"(?P<cell>{CELL_PATTERN})|(?P<arrow>→)|(?P<sign>[↑↓←])|{_LETTER}|{_WORD}|{_SOFT}|{_HANGUL}|{_LOW}"
)
_DIRECTION = {
    "n": "N", "e": "E", "s": "S", "w": "W", "north": "N", "south": "S", "east": "E", "west": "W",
    "up": "N", "down": "S", "left": "W", "right": "E", "↑": "N", "↓": "S", "←": "W", "→": "E",
    "북": "N", "남": "S", "동": "E", "서": "W", "위": "N", "윗": "N", "상": "N", "아래": "S", "아랫": "S", "하": "S",
    "왼": "W", "좌": "W", "오른": "E", "우": "E",
}  # fmt: skip
_SOFT_BEFORE = re.compile(
    r"(?:\b(?:go|goes|going|went|move|moves|moved|moving|head|heads|headed|heading|step|turn|turned|turns|walk|walked|walking|run|runs|ran"
    r"|straight|then|and|to the|keep|kept|continue|continued|back|further|take|took|again|one|two|three|cells?|steps?)|[,:;→\[(|]|^)\s{0,3}$",
    re.I,
)
_SOFT_AFTER = re.compile(r"\s{0,3}(?:(?:in)?to\s{0,2}[(\[]|→)")
_NOT_SOFT = re.compile(r"\s{0,2}(?:away|now|there|here|after|next|behind|hand)\b", re.I)


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
    numbers = [g for g in match.groups()[-6:] if g is not None] if match.re is CELL else []
    return int(numbers[0]), int(numbers[1])


def tokens(text: str, soft: bool = False) -> list[Token]:
    """Cells, directions and arrows of a folded text, in order.

    "up", "down", "left", "right" are words of many uses: they count where a verb or a sign beside
    them makes them a direction, or everywhere with `soft=True` (a field that holds only a move).
    """
    out: list[Token] = []
    for m in TOKEN.finditer(text):
        kind = m.lastgroup
        if m["cell"]:
            numbers = [g for g in m.groups()[1:7] if g is not None]
            out.append(Token("cell", (int(numbers[0]), int(numbers[1])), m.start(), m.end()))
        elif kind == "arrow":
            out.append(Token("arrow", "→", m.start(), m.end()))
        elif kind in ("low", "ko3"):
            if soft or re.search(r"→\s{0,3}[\[(]?$", text[max(0, m.start() - 5) : m.start()]):
                out.append(Token("dir", _DIRECTION[m[kind]], m.start(), m.end()))
        elif kind == "soft":
            before, after = text[max(0, m.start() - 14) : m.start()], text[m.end() : m.end() + 14]
            if soft or _SOFT_AFTER.match(after) or (_SOFT_BEFORE.search(before) and not _NOT_SOFT.match(after)):
                out.append(Token("dir", _DIRECTION[m["soft"].lower()], m.start(), m.end()))
        elif kind == "sign":
            out.append(Token("dir", _DIRECTION[m[0]], m.start(), m.end(), sign=True))
        else:
            out.append(Token("dir", _DIRECTION[m[kind or ""].lower()], m.start(), m.end()))
    return _merge_signs(out, text)


def _merge_signs(found: list[Token], text: str) -> list[Token]:
    """Drop arrows that only repeat the direction beside them (`S↓`, `E→`, `↓ S`)."""
    out: list[Token] = []
    for t in found:
        last = out[-1] if out else None
        if last is None or last.kind != "dir" or text[last.end : t.start].strip():
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
    for direction, (down, right) in OFFSET.items():
        if (one[0] + down, one[1] + right) == other:
            return direction
    return ""


# ---- confidence ---------------------------------------------------------------------------------

_CONF = re.compile(
    r"(?:(?i:confiden(?:ce|t)|conf\b\.?|certainty|sure)|확신도?|신뢰도|자신감|확신)"
    r"[^\d\n|%]{0,16}?(?P<a>\d{1,3}(?:\.\d{1,4})?|\.\d{1,4})\s{0,2}(?P<au>%|/\s?100|/\s?10(?!\d)|점|퍼센트|percent)?"
    r"|(?P<b>\d{1,3}(?:\.\d{1,4})?)\s{0,2}(?P<bu>%|퍼센트|percent|/\s?100)"
)


class Confidence(NamedTuple):
    """A number and its unit as written ("%" or "" when only the whole answer can tell)."""

    value: float
    unit: str
    start: int
    end: int


def confidence(text: str) -> Confidence | None:
    """The first confidence in a folded text: after its word, else a percentage."""
    best = None
    for m in _CONF.finditer(text):
        value, unit = (m["a"], m["au"]) if m["a"] is not None else (m["b"], m["bu"])
        number = float(value)
        unit = unit or ""
        if unit.replace(" ", "") == "/10":
            number, unit = number * 10, "%"
        found = Confidence(number, "%" if unit else "", m.start(), m.end())
        if m["a"] is not None:
            return found
        best = best or found
    return best
