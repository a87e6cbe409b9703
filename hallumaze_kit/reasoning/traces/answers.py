"""Final answers: where a text states one, its one spelling, and when two are the same."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from hallumaze_kit.reasoning.expressions.folding import group, plain
from hallumaze_kit.reasoning.expressions.grammar import NoExpression, Undefined, parsed, value
from hallumaze_kit.reasoning.expressions.links import Link, expression, links
from hallumaze_kit.reasoning.expressions.tokens import LONGEST_LINE, Number, Token, tokens
from hallumaze_kit.reasoning.expressions.units import factor, same_dimension

LONGEST_ANSWER = 200
_BOX = re.compile(r"\\boxed(?![a-zA-Z])\s*")
_HASHES = re.compile(r"^\s*#{4}(?!#)\s*(.*)$")
_CUE = re.compile(
    r"(?:^\s*A\s*[:：]|^\s*(?:final\s+)?answer\s*[:：=]|"
    r"\b(?:final\s+)?answer\s*(?:is|:|：|=|seems to be|would be|comes to|must be)"
    r"(?:\s*[:：])?|(?:최종\s*)?(?:정답|답변|답)\s*(?:은|는|이|[:：=])\s*[:：]?)\s*",
    re.I,
)
_WRAPPERS = re.compile(r"\*\*|__|`|\\\(|\\\)|\\\[|\\\]|\$\$")
_SENTENCE_END = re.compile(r"\.(?=\s|$)|[!?。\n]|\s(?:because|since|as)\s")
_LETTER = re.compile(r"^[\s$(\[\"']*([A-Z])(?=[)\]$\"'.,;:!?]|\s*$|\s+(?:because|since|as|is)\b)")
_TEMPLATE = re.compile(r"^\W*(?:LETTER|NUMBER|VALUE|ANSWER|YOUR|your|the final|final)\b")
_ASKS_PERCENT = re.compile(r"percent|%|퍼센트|백분율", re.I)
_SYMBOLS = re.compile(r"\\(?:d|t)?frac|\\sqrt|\\pi|[\^_]|[=<>≤≥]")


class Found(NamedTuple):
    """An answer: its spelling, the text it stands in, whether it was announced, and in which lines (for a box, "")."""

    answer: str | None
    text: str
    stated: bool


def stated_in(line: str, behind: str = "") -> Found | None:
    """The answer that a line announces; None if it announces none. `behind` is the line after it.

    "The answer is **18**." gives 18, "#### 1,200" 1200, "답: 17명" 17, "so \\\\boxed{\\\\frac12}" \\\\frac12.
    """
    boxed = box(line)
    if boxed is not None:
        return Found(spelled(boxed), boxed, True)
    hashes = _HASHES.match(line)
    cues = list(_CUE.finditer(line))
    if not hashes and not cues:
        return None
    rest = hashes[1] if hashes else line[cues[-1].end() :]
    rest = _WRAPPERS.sub("", rest).strip()
    if not rest.strip(" :*_\"'.") and behind:
        rest = _WRAPPERS.sub("", behind).strip()
    if not rest or _TEMPLATE.match(rest.replace("$", "")):
        return None
    return Found(spelled(rest), rest[:LONGEST_ANSWER], True)


def box(text: str) -> str | None:
    """What stands in the last box of a text, None without one; braces may nest, or be missing."""
    ends = [opened.end() for opened in _BOX.finditer(text)]
    if not ends:
        return None
    rest = text[ends[-1] : ends[-1] + LONGEST_LINE]
    if rest.startswith("{"):
        return group(rest, 0)[0].strip()
    bare = re.match(r"[^\s$.,;]+", rest)
    return bare[0] if bare else None


def last_number(text: str) -> Found | None:
    """The last number of a text that announces no answer: "It comes to 72 boxes, all together." gives 72."""
    line = plain(text)
    numbers = [token for token in tokens(line[-1000:]) if token.kind == "num"]
    if not numbers:
        return None
    found = numbers[-1]
    items = tokens(line[-1000:])
    at = next(i for i, token in enumerate(items) if token.start == found.start)
    slash = at >= 2 and items[at - 1].value == "/" and items[at - 2].kind == "num"
    glued = slash and items[at - 2].end == items[at - 1].start and items[at - 1].end == found.start
    begin = at - 2 if glued else at
    negative = begin >= 1 and items[begin - 1].value == "-" and (begin < 2 or items[begin - 2].kind not in ("num", ")"))
    if negative and (items[begin - 1].end != items[begin].start):
        negative = False
    spelling = _spelled_number(found) if not glued else f"{_spelled_number(items[at - 2])}/{_spelled_number(found)}"
    return Found(f"-{spelling}" if negative else spelling, line[-1000:][items[begin].start : found.end], False)


def spelled(text: str) -> str | None:
    """The one spelling of an answer as written; None for an empty one.

    "$29.00" is "29", "1,234 won" "1234", "−5" "-5", "20\\\\text{ days}" "20", "12시 40분" "12:40"; a letter stays
    a letter, LaTeX and equations stay as they stand.
    """
    text = _WRAPPERS.sub("", text).strip().strip("$").strip()
    if not text:
        return None
    letter = _LETTER.match(text)
    if letter:
        return letter[1]
    first = _first_sentence(text)
    if _SYMBOLS.search(first) and (whole := _after_equals(first)) is None:
        return first.strip(" .,;:")[:LONGEST_ANSWER] or None
    elif _SYMBOLS.search(first):
        first = whole or first
    items = tokens(plain(first))
    at = next((i for i, token in enumerate(items) if token.kind == "num"), None)
    if at is None:
        return first.strip(" .,;:\"'*")[:LONGEST_ANSWER] or None
    negative = at >= 1 and items[at - 1].value == "-" and (at < 2 or items[at - 2].kind not in ("num", ")", "word"))
    sign = "-" if negative else ""
    pair = items[at : at + 3]
    if [token.kind for token in pair] == ["num", "op", "num"] and pair[1].value == "/":
        return f"{sign}{_spelled_number(pair[0])}/{_spelled_number(pair[2])}"
    several = [token.kind for token in items[at + 1 : at + 3]] == ["punct", "num"] and items[at + 1].value == ","
    if several or (at and items[at - 1].kind == "(") or any(t.kind in ("op", "var") for t in items[at + 1 : at + 3]):
        return first.strip(" .;:")[:LONGEST_ANSWER]
    return sign + _spelled_number(items[at])


def _first_sentence(text: str) -> str:
    end = _SENTENCE_END.search(text)
    return (text[: end.start()] if end and end.start() else text)[: 2 * LONGEST_ANSWER]


def _after_equals(text: str) -> str | None:
    """What stands behind the last equals sign where that is a plain number: "x = 19", "3*5 = 15 apples"."""
    if "=" not in text or any(sign in text for sign in "<>≤≥") or text.count("=") > 3 or " or " in text:
        return None
    tail = text.rpartition("=")[2].strip().strip("$")
    if "," in text.replace(tail, "") or not re.match(r"^[-−$]?\s?[\d.]", tail) or _SYMBOLS.search(tail):
        return None
    return tail


def _spelled_number(token: Token) -> str:
    number = token.value
    assert isinstance(number, Number)
    if number.clock:
        minutes = round((number.value % 1) * 60)
        return f"{int(number.value)}:{minutes:02d}"
    return _decimal(number.value * 100) + "%" if number.percent else _decimal(number.value)


def _decimal(number: Fraction) -> str:
    """A fraction that came from a decimal literal, as a plain decimal: 29.00 is "29"."""
    if number.denominator == 1:
        return str(number.numerator)
    places = 0
    while (number * 10**places).denominator != 1:
        places += 1
        if places > 70:
            return str(number)
    digits = str(abs(int(number * 10**places))).rjust(places + 1, "0")
    return ("-" if number < 0 else "") + f"{digits[:-places]}.{digits[-places:]}"


# ---- equality -----------------------------------------------------------------------------------


def canonical(answer: str | None) -> str:
    """The class of an answer among others: equal numbers are one class, in whatever spelling; "" is no answer.

    "0.5", "1/2", "\\\\frac{1}{2}" and "50%" are all "1/2".
    """
    if answer is None or not str(answer).strip():
        return ""
    read = _read(str(answer))
    if read is not None:
        return f"{read[0]}" if not read[1].clock else f"{read[0]} o'clock"
    return " ".join(plain(str(answer)).casefold().split()).strip(" .$")


def same_answer(
    one: str | None, other: str | None, problem: str = "", tolerance: Fraction = Fraction(1, 10**6)
) -> bool:
    """Whether two answers are the same.

    Numbers are compared as numbers, with a relative tolerance (1/3 = 0.333333, not 0.333); units are converted where
    both have one; a percentage equals its decimal, and a bare number only where the problem asks for a percentage;
    equations and expressions by algebra; anything else by its letters. No answer equals none.
    """
    if not canonical(one) or not canonical(other):
        return False
    first, second = _read(str(one)), _read(str(other))
    if first is None or second is None:
        return canonical(one) == canonical(other) or _same_algebra(str(one), str(other))
    (a, number), (b, against) = first, second
    if number.percent != against.percent and _ASKS_PERCENT.search(problem):
        bare = b if number.percent else a
        if _close((a if number.percent else b) * 100, bare, tolerance):
            return True
    if number.unit and against.unit and number.unit != against.unit and same_dimension(number.unit, against.unit):
        a *= factor(number.unit, against.unit)
    elif number.unit and against.unit and not same_dimension(number.unit, against.unit):
        return False
    return _close(a, b, tolerance)


def _close(a: Fraction, b: Fraction, tolerance: Fraction) -> bool:
    return a == b or abs(a - b) <= tolerance * max(abs(a), abs(b))


def _read(answer: str) -> tuple[Fraction, Number] | None:
    """The value of an answer, with the number that carries its unit; None where it is no single number."""
    text = plain(answer).strip().strip("$").strip()
    text = re.sub(r"^[A-Za-z]\s*=\s*", "", text).strip(" .")
    items = [token for token in tokens(text) if not (token.kind == "punct" and token.value == ".")]
    while items and items[0].kind == "word":
        items = items[1:]
    while items and items[-1].kind == "word":
        items = items[:-1]
    numbers = [token.value for token in items if token.kind == "num"]
    if not numbers:
        return None
    try:
        made = value(parsed(items))
    except (NoExpression, Undefined):
        return None
    return made, next((n for n in numbers if isinstance(n, Number) and (n.unit or n.percent)), numbers[0])  # type: ignore[return-value]


def _same_algebra(one: str, other: str) -> bool:
    from hallumaze_kit.reasoning.checking.algebra import difference

    read = [_equation(plain(text).strip(" .$")) for text in (one, other)]
    if read[0] is None or read[1] is None or (read[0].right is None) != (read[1].right is None):
        return False
    first, second = read
    try:
        if first.right is None:
            return bool(difference(Link(first.left, second.left, "")).is_zero)
        return bool(difference(first).monic() == difference(second).monic())
    except (NoExpression, Undefined):
        return False


def _equation(text: str) -> Link | None:
    """A text as an equation, or as an expression that is the left side of none."""
    if "=" in text:
        found = links(text)
        return found[0] if len(found) == 1 and found[0].left is not None and found[0].right is not None else None
    made = expression(text)
    return None if made is None else Link(made, None, text)


def read_number(answer: str) -> Fraction | None:
    """The exact value of an answer that is a number, None for any other: "2 5/6 hours" is 17/6, "40%" 2/5."""
    read = _read(answer)
    return None if read is None else read[0]
