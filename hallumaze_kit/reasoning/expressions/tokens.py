"""A line of plain text as tokens: numbers with their units, operators, variables, words."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from hallumaze_kit.reasoning.expressions.folding import MIXED
from hallumaze_kit.reasoning.expressions.numbers import SCALES, WORDS, literal
from hallumaze_kit.reasoning.expressions.units import UNITS, factor, same_dimension, unit_of

LONGEST_LINE = 4000
"""Characters of a step that are read; a longer one is read up to here, and its step says so."""


@dataclass(frozen=True, slots=True)
class Number:
    """A quantity as written.

    value    exact; a percentage is its hundredth, a clock time its hours
    places   digits behind the point that are not closing zeros
    dots     "3.33…": more digits follow
    percent  written with a percent sign
    unit     a unit that can be converted, "" for none; "$" for money
    clock    a time of day
    written  as it stands in the plain text
    """

    value: Fraction
    places: int = 0
    dots: bool = False
    percent: bool = False
    unit: str = ""
    clock: bool = False
    written: str = ""


class Token(NamedTuple):
    """kind: num, var, op, (, ), √, mix, eq, ann, word, punct, arrow; `value` a `Number` for num, else the text."""

    kind: str
    value: Number | str
    start: int
    end: int


_TOKEN = re.compile(
    r"""
    (?P<ann><<[^<>\n]{0,200}>>)
  | (?P<clock>(?<![\d:])\d{1,2}:[0-5]\d(?![\d:])(?:\s?[aApP]\.?[mM]\b\.?)?|\d{1,2}시\s?(?:\d{1,2}분)?(?![가-힣]?간))
  | (?P<spaced>(?:(?<=\$)|(?<=>>))\d{1,3}(?:\ \d{3})+(?![\d.,]*\d))
  | (?P<num>\d{1,3},\d{1,2}(?=\s?(?:million|billion))|(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|(?<![\d.])\.\d+)
  | (?P<eq>(?<![<>=!])=(?!=)|≈)
  | (?P<arrow>-+>|=+>|⇒|→)
  | (?P<dots>\.{3,})
  | (?P<op>\*\*|[-+*/^])
  | (?P<par>[()\[\]])
  | (?P<mix>\u2064)
  | (?P<root>√|sqrt(?=\())
  | (?P<pct>%|(?:percent|per\ cent|퍼센트|프로(?![가-힣]))\b)
  | (?P<cur>\$)
  | (?P<word>[A-Za-z]+(?:'[A-Za-z]+)?|[가-힣]+|π|[^\W\d_]+)
  | (?P<punct>[^\s])
    """,
    re.X,
)
_LETTER_UNITS = frozenset("gmshlLdt")
_NO_VARIABLES = frozenset("aAI")
_SCALED = {"만": ("", "원", "명", "개"), "억": ("", "원", "명", "개"), "천": ("", "원", "명", "개"), "조": ("원",)}
"""What may follow a Korean scale for it to be one: 조 alone is a group more often than a trillion."""
_COUNTED = frozenset(
    [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
        "thirty",
        "forty",
        "fifty",
        "sixty",
        "seventy",
        "eighty",
        "ninety",
    ]
)
"""Number words that stand for a number beside an operator."""


def tokens(line: str) -> list[Token]:
    """The tokens of a plain line (`plain`): quantities joined with their scales and units, letters told from words."""
    line = line[:LONGEST_LINE]
    found = [_token(match) for match in _TOKEN.finditer(line)]
    return _joined(_lettered([token for token in found if token is not None], line), line)


def _token(match: re.Match[str]) -> Token | None:
    kind, text, start, end = match.lastgroup or "punct", match[0], match.start(), match.end()
    if kind in ("num", "spaced"):
        decimal_comma = kind == "num" and re.fullmatch(r"\d{1,3},\d{1,2}", text)
        value = literal(text.replace(",", ".") if decimal_comma else text)
        if value is None:
            return Token("punct", text, start, end)
        places = len(text.partition(".")[2].rstrip("0")) if "." in text else 0
        return Token("num", Number(value, places, written=text), start, end)
    if kind == "clock":
        return Token("num", _clock(text), start, end)
    if kind == "op":
        text = "^" if text == "**" else text
    elif kind == "par":
        kind = text = "(" if text in "([" else ")"
    elif kind == "root":
        kind = "√"
    return Token(kind, text, start, end)


def _clock(text: str) -> Number:
    hours, minutes = (int(part) for part in ([*re.findall(r"\d+", text), "0"])[:2])
    if "p" in text.lower() and hours < 12:
        hours += 12
    return Number(hours + Fraction(minutes, 60), places=9, clock=True, unit="hours", written=text)


def _lettered(found: list[Token], line: str) -> list[Token]:
    """Single letters as variables, `x` between numbers as a multiplication sign, number words beside an operator."""
    letters = {at for at, token in enumerate(found) if token.kind == "word" and len(str(token.value)) == 1}
    bare = {str(found[at].value) for at in letters if _stands_bare(found, at)}
    if letters and any(
        token.kind == "num" and (after is None or after.kind != "word")
        for token, after in zip(found, [*found[1:], None], strict=True)
    ):
        # Beside numbers without a unit, a letter glued to a number is no unit: 2s + 30 = 110.
        bare |= {str(found[at].value) for at in letters if at and _glued(found[at - 1], found[at])}
    out: list[Token] = []
    for at, token in enumerate(found):
        if token.kind != "word":
            out.append(token)
            continue
        text = str(token.value)
        before = found[at - 1] if at else None
        after = found[at + 1] if at + 1 < len(found) else None
        if text in ("x", "X") and _multiplies(before, token, after, text in bare):
            out.append(Token("op", "*", token.start, token.end))
        elif (len(text) == 1 and text.isascii() and _is_variable(text, before, token, after, bare)) or text == "π":
            out.append(Token("var", text, token.start, token.end))
        elif text.lower() in _COUNTED and _beside_operator(before, after) and not _hyphened(line, token):
            out.append(Token("num", Number(Fraction(WORDS[text.lower()]), written=text), token.start, token.end))
        else:
            out.append(token)
    return out


def _glued(before: Token, token: Token) -> bool:
    return before.kind in ("num", ")") and before.end == token.start and token.value not in ("k", "K")


def _stands_bare(found: list[Token], at: int) -> bool:
    before = found[at - 1] if at else None
    after = found[at + 1] if at + 1 < len(found) else None
    glued = before is not None and before.kind in ("num", ")")
    if str(found[at].value) in _NO_VARIABLES and after is not None and after.kind == "word":
        return False
    return not glued and (_is_op(before) or _is_op(after) or bool(before and before.kind == "eq"))


def _is_op(token: Token | None) -> bool:
    return token is not None and token.kind in ("op", "eq")


def _multiplies(before: Token | None, token: Token, after: Token | None, bare: bool) -> bool:
    if before is None or after is None or after.kind not in ("num", "(", "cur"):
        return False
    if before.kind not in ("num", ")", "pct", "word") or (before.kind == "word" and len(str(before.value)) == 1):
        return False
    glued = before.end == token.start and after.start != token.end
    return not (bare and (after.kind == "(" or glued))


def _is_variable(text: str, before: Token | None, token: Token, after: Token | None, bare: set[str]) -> bool:
    if text in _NO_VARIABLES:
        return text in bare
    if text in bare:
        return _is_op(before) or _is_op(after) or (before is not None and before.kind in ("num", "(", ")")) or (
            after is not None and after.kind in ("(", ")"))  # fmt: skip
    if before is not None and before.kind in ("num", ")") and before.end == token.start:
        return text not in _LETTER_UNITS or before.kind == ")" or text in bare
    return (before is not None and before.kind == "(") and (after is not None and after.kind == ")")


def _beside_operator(before: Token | None, after: Token | None) -> bool:
    return (before is not None and before.kind == "op") or (
        after is not None and after.kind == "op" and (before is None or before.kind != "num")
    )


def _hyphened(line: str, token: Token) -> bool:
    near = line[token.start - 2 : token.start] if token.start > 1 else ""
    return line[token.end : token.end + 1] == "-" or (near[1:] == "-" and near[:1].isalpha())


def _joined(found: list[Token], line: str) -> list[Token]:
    """Numbers joined with percent signs, scales, dots, money signs and units; compound quantities made one."""
    out: list[Token] = []
    at, money = 0, False
    while at < len(found):
        token = found[at]
        if token.kind == "cur":
            if out and out[-1].kind == "num" and out[-1].end == token.start and not _starts_number(found, at + 1):
                out[-1] = _with(out[-1], token.end, unit="$")
            else:
                money = True
            at += 1
            continue
        if token.kind == "num" and _names(found, at):
            token = Token("punct", str(token.value), token.start, token.end)
        if token.kind == "num":
            token, at = _quantity(found, at, money)
            out.append(token)
            money = False
            _compound(out)
            continue
        if token.kind in ("op", "word", "pct") and _is_unit_part(found, at, out):
            token = Token("word", str(token.value), token.start, token.end)
        if token.kind == "dots":
            token = Token("punct", "…", token.start, token.end)
        if token.kind not in ("op", "ann") and not (token.kind == "word" and money):
            money = False
        out.append(token)
        at += 1
    return out


def _names(found: list[Token], at: int) -> bool:
    """Whether a number is part of a name: "1Dachshund"."""
    after = found[at + 1] if at + 1 < len(found) else None
    return after is not None and after.kind == "word" and after.start == found[at].end and (
        len(str(after.value)) > 2 and str(after.value)[0].isupper() and str(after.value)[1].islower())  # fmt: skip


def _starts_number(found: list[Token], at: int) -> bool:
    return at < len(found) and found[at].kind == "num"


def _with(token: Token, end: int, **changes: object) -> Token:
    assert isinstance(token.value, Number)
    return Token("num", replace(token.value, **changes), token.start, end)


def _quantity(found: list[Token], at: int, money: bool) -> tuple[Token, int]:
    """The number at `at` with what belongs to it, and where to go on."""
    token = found[at]
    at += 1
    if money:
        token = _with(token, token.end, unit="$")
    while at < len(found):
        after = found[at]
        assert isinstance(token.value, Number)
        glued = after.start == token.end
        if after.kind == "dots" and glued:
            token = _with(token, after.end, dots=True)
        elif after.kind == "pct" and not token.value.percent:
            token = _with(token, after.end, value=token.value.value / 100, percent=True, places=token.value.places + 2)
        elif after.kind == "word" and after.start - token.end <= 1 and not token.value.unit.strip("$"):
            scale = _scale(str(after.value), glued)
            if scale == 1:
                unit = unit_of(str(after.value))
                if unit and not token.value.unit and not token.value.clock:
                    token = _with(token, token.end, unit=unit)
                break
            token = _with(token, after.end, value=token.value.value * scale, places=max(0, token.value.places - 3))
            if len(str(after.value)) > 1 and "가" <= str(after.value)[0] <= "힣":
                break
        elif after.kind == "num" and _scaled(token) and after.start - token.end <= 1:
            rest, behind = _quantity(found, at, False)
            if not isinstance(rest.value, Number) or rest.value.value >= 10**4 or rest.value.clock:
                break
            token, at = _with(token, rest.end, value=token.value.value + rest.value.value), behind
            continue
        else:
            break
        at += 1
    return token, at


def _scale(word: str, glued: bool) -> int:
    lower = word.lower()
    if lower in ("k", "m", "백", "천"):
        return SCALES.get(lower, 1) if glued and lower != "m" else 1
    if lower in SCALES and lower != "조":
        return SCALES[lower]
    if "가" <= word[0] <= "힣" and glued and word[0] in "만억천조" and word[1:2] in _SCALED[word[0]]:
        return SCALES[word[0]]
    return 1


def _scaled(token: Token) -> bool:
    """ "1,236만 7295", "3만 5천": a number behind 만 or 억 adds to it."""
    one = token.value
    assert isinstance(one, Number)
    return one.value >= 10**4 and one.value % 10**4 == 0 and literal(one.written) != one.value


def _is_unit_part(found: list[Token], at: int, out: list[Token]) -> bool:
    """A slash before a word ("cents/sentence", "5/hour") or a hyphen between a number and a word ("2-liter")."""
    token = found[at]
    after = found[at + 1] if at + 1 < len(found) else None
    if token.kind != "op" or after is None or not out or out[-1].kind not in ("num", "word"):
        return False
    if token.value == "/":
        return after.kind == "word" and len(str(after.value)) > 1
    return token.value == "-" and after.kind == "word" and out[-1].end == token.start and after.start == token.end


def _compound(out: list[Token]) -> None:
    """Join "1 hour 28 minutes" to one quantity in its first unit."""
    end = len(out) - 1
    back = end - 1
    if back >= 1 and out[back].kind == "word" and out[back].value == "and":
        back -= 1
    if back < 1 or out[back].kind != "word" or out[back - 1].kind != "num":
        return
    first, second = out[back - 1].value, out[end].value
    assert isinstance(first, Number) and isinstance(second, Number)
    if first.unit not in UNITS or first.unit == "$" or second.unit == first.unit or second.percent:
        return
    if unit_of(str(out[back].value)) != first.unit or not same_dimension(first.unit, second.unit):
        return
    ratio = factor(second.unit, first.unit)
    if ratio >= 1 or first.clock:
        return
    joined = replace(first, value=first.value + second.value * ratio, places=9, written=first.written)
    out[back - 1 :] = [Token("num", joined, out[back - 1].start, out[end].end)]


__all__ = ["LONGEST_LINE", "MIXED", "Number", "Token", "tokens"]
