"""The equations of a line: `2*3=6+1=7` is two links, each a claim that two neighbours are equal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from hallumaze_kit.reasoning.expressions.folding import plain
from hallumaze_kit.reasoning.expressions.grammar import Expression, NoExpression, is_mixed, parsed, variables
from hallumaze_kit.reasoning.expressions.spoken import spoken
from hallumaze_kit.reasoning.expressions.tokens import LONGEST_LINE, Number, Token, tokens

MOST_WORDS = 8
"""Unit words that may stand between a number and the next operator."""
MOST_LINKS = 40
RUNNING = "…"
"""The variable that stands for the value before a running total."""
_ANNOTATION = re.compile(r"<<([^<>]*)=([^<>=]*)>>")


@dataclass(frozen=True)
class Link:
    """Two neighbours of an equals sign.

    left, right   their expressions; None where a side is none ("James + 1")
    written       the equation as it stands in the plain text
    approximate   joined by ≈
    noted         the calculator's note of GSM8K (`<<3*4=12>>`): its two sides; None without one
    chained       the left side is itself the right side of the link before
    running       the left side starts with an operator and goes on from the value before it, its variable `RUNNING`
    spoken        read from words ("half of 60 is 30")
    """

    left: Expression | None
    right: Expression | None
    written: str
    approximate: bool = False
    noted: tuple[Expression, Expression] | None = None
    chained: bool = False
    running: bool = False
    spoken: bool = False

    @cached_property
    def names(self) -> frozenset[str]:
        """The variables of both sides."""
        sides = [side for side in (self.left, self.right) if side is not None]
        return frozenset().union(*(variables(side) for side in sides))


def links(line: str) -> list[Link]:
    """The links of a plain line, from the left; what is said in words only follows what is written with a sign."""
    found: list[Link] = []
    if "=" in line or "≈" in line:
        items = tokens(line)
        found = [*_written(line, items), *_noted_alone(items)]
    for left, right in spoken(line):
        one, other = expression(left), expression(right)
        if one is not None and other is not None:
            found.append(Link(one, other, f"{left} = {right}", spoken=True))
    return found[:MOST_LINKS]


@lru_cache(maxsize=8192)
def links_of(text: str) -> tuple[Link, ...]:
    """The links of a step as it was written; what was read last is remembered."""
    return tuple(links(plain(text[:LONGEST_LINE])))


def expression(text: str) -> Expression | None:
    """The expression that a plain text is, None if it is none."""
    try:
        return parsed(tokens(text))
    except NoExpression:
        return None


def _noted_alone(items: list[Token]) -> Iterator[Link]:
    """A calculator's note without an equals sign before it: "for a total of $<<30*7=210>>210"."""
    for at, token in enumerate(items):
        if token.kind == "ann" and (at == 0 or items[at - 1].kind != "eq"):
            noted = _noted(str(token.value))
            end = _prefix_end(items, at + 1, len(items))
            right = _try(items[at + 1 : end]) if end is not None else None
            if noted is not None and right is not None and not lone(noted[0]):
                yield Link(noted[0], right, str(token.value)[2:-2])


def _written(line: str, items: list[Token]) -> list[Link]:
    signs = [at for at, token in enumerate(items) if token.kind == "eq"][: MOST_LINKS + 1]
    found: list[Link] = []
    whole_before, behind = False, 0
    for number, sign in enumerate(signs):
        low = signs[number - 1] + 1 if number else 0
        high = signs[number + 1] if number + 1 < len(signs) else len(items)
        start = _suffix_start(items, low, sign)
        running = start is not None and start < 0
        start = -start - 1 if running and start is not None else start
        chained = bool(number) and whole_before and start == behind
        note_at = sign + 1 if sign + 1 < high and items[sign + 1].kind == "ann" else None
        behind = sign + 1 if note_at is None else note_at + 1
        end = _prefix_end(items, behind, high)
        before = [Token("var", RUNNING, 0, 0)] if running else []
        left = _try(before + items[start:sign]) if start is not None else None
        if left is not None and start is not None and _is_share(items[start:sign]):
            left = None
        right = _try(items[behind:end]) if end is not None else None
        noted = _noted(str(items[note_at].value)) if note_at is not None else None
        if left is None and right is None and noted is None:
            whole_before = False
            continue
        begin = items[start].start if start is not None else items[sign].start
        close = items[end - 1].end if end is not None else items[behind - 1].end
        written = _ANNOTATION.sub("", line[begin:close]).strip()
        approximate = items[sign].value == "≈"
        found.append(Link(left, right, written, approximate, noted, chained, running))
        whole_before = end == high or all(token.kind == "word" for token in items[end or behind : high])
    return found


def _noted(text: str) -> tuple[Expression, Expression] | None:
    match = _ANNOTATION.fullmatch(text)
    if match is None:
        return None
    left, right = expression(match[1]), expression(match[2])
    return None if left is None or right is None else (left, right)


def _try(items: list[Token]) -> Expression | None:
    try:
        return parsed(items)
    except NoExpression:
        return None


def _suffix_start(items: list[Token], low: int, high: int) -> int | None:
    """Where the longest expression starts that ends at `high`; None without one; −1 − start for a running total."""
    at, start = high, None
    while True:
        at = _back_over_words(items, low, at)
        if at is None or at <= low:
            return None
        begin = _term_start(items, low, at)
        if begin is None:
            return None
        start = begin
        if begin > low and items[begin - 1].kind == "num":
            return None
        if begin == low or items[begin - 1].kind != "op":
            return start
        operator = begin - 1
        before = items[operator - 1] if operator > low else None
        if str(items[operator].value) in "+-" and (before is None or before.kind in ("op", "(", "arrow", "punct")):
            if before is None or before.kind != "op":
                spaced = items[operator].end < items[begin].start
                return -operator - 1 if before is None and spaced and low == 0 else operator
            operator -= 1
        elif before is None or before.kind in ("punct", "arrow", "("):
            return -operator - 1 if str(items[operator].value) in "*/" else start
        at = operator


_BREAKS = frozenset(
    [
        "because",
        "so",
        "since",
        "then",
        "that",
        "is",
        "are",
        "was",
        "were",
        "which",
        "if",
        "when",
        "has",
        "have",
        "had",
        "he",
        "she",
        "they",
        "it",
        "there",
        "but",
        "means",
        "meaning",
        "therefore",
        "thus",
        "get",
        "gets",
        "while",
        "although",
        "gives",
        "makes",
        "leaves",
        "let",
        "where",
    ]
)
"""Words that are no unit: a number before one belongs to another clause."""


def _back_over_words(items: list[Token], low: int, at: int) -> int | None:
    words = 0
    while at > low and items[at - 1].kind == "word":
        if str(items[at - 1].value).lower() in _BREAKS:
            return None
        at -= 1
        words += 1
        if words > MOST_WORDS:
            return None
    return at


def _term_start(items: list[Token], low: int, end: int) -> int | None:
    """Where the term starts that ends at `end`: a number, a variable, a group, with what multiplies it unsaid."""
    begin = _atom_start(items, low, end)
    while begin is not None and begin > low:
        before = items[begin - 1]
        glued = before.end == items[begin].start
        if before.kind in ("√", "mix"):
            begin = begin - 1 if before.kind == "√" else begin - 2
        elif items[begin].kind in ("(", "var") and before.kind in ("num", "var") and (
            glued or (items[begin].kind == "var" and before.kind == "num")):  # fmt: skip
            begin -= 1
        elif items[begin].kind in ("(", "var") and before.kind == ")" and glued:
            opened = _atom_start(items, low, begin)
            if opened is None:
                break
            begin = opened
        elif before.kind == "num" and is_mixed(items, begin - 1):
            begin -= 1
        else:
            break
    return begin


def _atom_start(items: list[Token], low: int, end: int) -> int | None:
    last = items[end - 1]
    if last.kind in ("num", "var"):
        return end - 1
    if last.kind == ")":
        depth = 0
        for at in range(end - 1, low - 1, -1):
            depth += (items[at].kind == ")") - (items[at].kind == "(")
            if depth == 0:
                return at
    return None


def _prefix_end(items: list[Token], low: int, high: int) -> int | None:
    """Where the longest expression ends that starts at `low`; None without one."""
    at, end = low, None
    while True:
        while at < high and items[at].kind == "op" and str(items[at].value) in "+-":
            at += 1
        after = _term_end(items, at, high)
        if after is None:
            return end
        end = at = after
        words = 0
        while at < high and items[at].kind == "word" and words <= MOST_WORDS and (
            str(items[at].value).lower() not in _BREAKS):  # fmt: skip
            at += 1
            words += 1
        if at >= high or items[at].kind != "op":
            return end
        at += 1


def _term_end(items: list[Token], at: int, high: int) -> int | None:
    """Where the term ends that starts at `at`."""
    end = None
    while at < high:
        token = items[at]
        if token.kind == "num" and end is None:
            at += 4 if at + 3 < high and is_mixed(items, at) else 1
            end = at
        elif token.kind == "mix" and end is not None:
            at += 1
        elif token.kind == "var":
            end = at = at + 1
        elif token.kind == "√":
            at += 1
        elif token.kind == "(" and (end is None or items[at - 1].end == token.start or items[at - 1].kind == "mix"):
            closed = _closing(items, at, high)
            if closed is None or not _is_sum(items[at + 1 : closed - 1]):
                return end
            end = at = closed
        else:
            return end
    return end


def _closing(items: list[Token], at: int, high: int) -> int | None:
    depth = 0
    for here in range(at, high):
        depth += (items[here].kind == "(") - (items[here].kind == ")")
        if depth == 0:
            return here + 1
    return None


def _is_sum(items: list[Token]) -> bool:
    return any(token.kind in ("num", "var") for token in items) and all(
        token.kind not in ("punct", "ann", "arrow") for token in items
    )


def _is_share(items: list[Token]) -> bool:
    """A fraction that names a share of something, "2/3 of the people": no sum to be worked out."""
    if len(items) < 4 or [token.kind for token in items[:4]] != ["num", "op", "num", "word"]:
        return False
    above, slash, below = items[:3]
    numbers = isinstance(above.value, Number) and isinstance(below.value, Number)
    return (
        numbers and slash.value == "/" and above.end == slash.start and slash.end == below.start
        and above.value.value < below.value.value and all(token.kind == "word" for token in items[3:])
    )  # fmt: skip


def lone(side: Expression | None) -> bool:
    """Whether a side is one number and nothing more."""
    return isinstance(side, Number)
