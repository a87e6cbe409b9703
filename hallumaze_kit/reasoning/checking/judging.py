"""One link judged: is the right side the value of the left one, and if not, what happened to it?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from hallumaze_kit.reasoning.expressions.grammar import (
    Expression,
    NoExpression,
    Undefined,
    applied,
    numbers,
    operators,
    value,
    variables,
)
from hallumaze_kit.reasoning.expressions.links import RUNNING, Link, lone
from hallumaze_kit.reasoning.expressions.numbers import literal
from hallumaze_kit.reasoning.expressions.tokens import Number
from hallumaze_kit.reasoning.expressions.units import factor, same_dimension
from hallumaze_kit.reasoning.traces.trace import Step

LABELS = ("correct", "rounded", "cut", "sign", "percent", "notation", "nowhere", "wrong", "set up", "unchecked")
"""What a link or a step can be called.

correct    the two sides are equal (float noise of a calculator is none of the writer's)
rounded    the right side is the value to the places that it shows, to the nearest or cut off, or to the next whole
cut        a value that is not whole is cut to whole things: 13.33 -> 13 books
sign       the value is negative, and its size is stated: 60 - 208 = 148 more
percent    the sides differ by the hundred of a percentage: 40 * 5% = 200
notation   an equals sign between steps of a running sum, 2*3=6+1=7: the results are right
nowhere    the arithmetic is right, but an operand comes from neither the problem nor an earlier step
wrong      none of these: the arithmetic is wrong
set up     an equation with unknowns that nothing before it decides
unchecked  a side cannot be read
"""
NOISE = Fraction(1, 10**9)
"""Relative difference that a calculator's floating point makes."""
WHOLE = Fraction(1, 1000)
"""What a value must pass a whole number by, to be rounded up to the next."""


@dataclass(frozen=True)
class Judged:
    """A link with its label, the exact value of its left side and what its right side states (NaN-free: None)."""

    link: Link
    label: str
    exact: Fraction | None = None
    stated: Fraction | None = None


def judge(link: Link, previous: Fraction | None = None, behind: Link | None = None) -> Judged:
    """Judge a link without unknowns; `previous` is the value that a running total goes on from, `behind` the next link.

    The sum as written and the calculator's note beside it are two accounts of one step: the better of both counts.
    """
    known = {} if previous is None else {RUNNING: previous}
    written = _compared(link, link.left, link.right, known)
    if link.noted is not None and link.right is not None and written.label != "correct":
        noted = _noted(link, written)
        written = min(written, noted, key=lambda judged: _ORDER.index(judged.label))
    if written.label == "wrong" and written.exact is not None and _carries_on(link, written.exact, behind):
        return replace(written, label="notation")
    return written


def judged_links(step: Step, previous: Fraction | None = None) -> tuple[Judged, ...]:
    """The links of a step, each judged; links with unknowns are "unchecked" here. `previous` as in `judge`.

    What does not depend on `previous` is judged once a step.
    """
    running = any(RUNNING in link.names for link in step.links)
    held = step.__dict__.get("_judged")
    if held is not None and not running:
        return held
    made = []
    for at, link in enumerate(step.links):
        made.append(judge(link, previous, step.links[at + 1] if at + 1 < len(step.links) else None))
        if made[-1].stated is not None:
            previous = made[-1].stated
    if not running:
        step.__dict__["_judged"] = tuple(made)
    return tuple(made)


def _noted(link: Link, written: Judged) -> Judged:
    """The link judged by the calculator's note; its own floating-point result may be what was cut off."""
    assert link.noted is not None
    left, result = link.noted
    if lone(left):
        return written
    noted = _compared(link, left, link.right, {})
    if (
        noted.label == "wrong"
        and isinstance(result, Number)
        and noted.exact is not None
        and isinstance(link.right, Number)
    ):
        close = abs(result.value - noted.exact) <= NOISE * max(1, abs(noted.exact))
        if close and compare(result.value, link.right, False, left) == "rounded":
            return replace(noted, label="rounded")
    return noted


def _carries_on(link: Link, exact: Fraction, behind: Link | None) -> bool:
    """Whether the equals sign only carries a result on to the next sum, which is right: 2*3=6+1=7."""
    if behind is None or not behind.chained or not _starts_with(link.right, exact):
        return False
    return _compared(behind, behind.left, behind.right, {}).label in ("correct", "rounded", "cut")


_ORDER = ("correct", "rounded", "cut", "notation", "sign", "percent", "wrong", "unchecked", "set up", "nowhere")


def _compared(link: Link, left: Expression | None, right: Expression | None, known: dict[str, Fraction]) -> Judged:
    if left is None or right is None or (link.names and not variables(left) <= set(known)) or (
        link.names and variables(right)):  # fmt: skip
        return Judged(link, "unchecked")
    try:
        exact, stated = value(left, known), value(right)
    except Undefined:
        return Judged(link, "wrong")
    except NoExpression:
        return Judged(link, "unchecked")
    if lone(left) and not link.chained:
        return Judged(link, _of_lone(left, right, exact, stated), exact, stated)
    label = compare(exact, right, link.approximate, left)
    if label in ("wrong", "sign") and isinstance(right, Number):
        converted = _converted(left, right)
        if converted is not None:
            label = min(
                compare(converted, right, link.approximate, left), "wrong", key=_ORDER.index
            ) if _mixes(left) else _better(label, compare(converted, right, link.approximate, left))  # fmt: skip
            exact = converted if label != "sign" else exact
    if label == "wrong" and isinstance(right, Number) and not right.clock and _scaled_back(right, exact):
        label = "correct"
    return Judged(link, label, exact, stated)


def _scaled_back(right: Number, exact: Fraction) -> bool:
    """A scale that the left side left out: 3 * 0.8 = 2.4 billion."""
    bare = literal(right.written) if right.written[:1].isdigit() else None
    return (
        bare is not None
        and bare != right.value
        and not right.percent
        and abs(bare - abs(exact)) <= NOISE * max(1, bare)
    )


def _better(one: str, other: str) -> str:
    return min(one, other, key=_ORDER.index)


def _of_lone(left: Number, right: Expression, exact: Fraction, stated: Fraction) -> str:
    """A number beside a number says a conversion ("1 minute = 60 seconds"); else mostly a name that was not read."""
    if exact == stated:
        return "correct"
    if isinstance(right, Number) and same_dimension(left.unit, right.unit) and factor(left.unit, right.unit) != 1:
        return compare(exact * factor(left.unit, right.unit), right, False, left)
    return "unchecked"


def compare(exact: Fraction, right: Expression, approximate: bool, left: Expression) -> str:
    """What `right` is to the exact value of `left`.

    `compare(Fraction(40, 3), 13 books)` is "cut", 13.3 "rounded", 14 "rounded" (up), 12 "wrong"; −148 and 148 "sign".
    """
    stated = value(right)
    if exact == stated or abs(exact - stated) <= NOISE * max(1, abs(exact)):
        return "correct"
    if isinstance(right, Number):
        if right.percent and abs(exact - stated * 100) <= NOISE * max(1, abs(exact)) and _has_hundred(left):
            return "correct"
        clock = right.clock or any(number.clock for number in numbers(left))
        if clock and (exact - stated) % 12 == 0:
            return "correct"
        near = _rounded(exact, stated, right, approximate)
        if near:
            return near
    if exact < 0 < stated:
        positive = compare(-exact, right, approximate, left)
        if positive in ("correct", "rounded", "cut"):
            return "sign"
    if _percents(left, right) and (_hundredfold(exact, stated, right, approximate) or _as_factors(left, right)):
        return "percent"
    return "wrong"


def _rounded(exact: Fraction, stated: Fraction, right: Number, approximate: bool) -> str:
    """ "rounded", "cut", or "" where the stated number is no rounding of the exact one."""
    if right.percent:
        exact, stated = exact * 100, stated * 100
    places = max(0, right.places - 2) if right.percent else right.places
    off = abs(exact - stated)
    if off < Fraction(1, 10**places) and (places or right.dots):
        return "correct" if right.dots else "rounded"
    if approximate and off <= abs(exact) / 20:
        return "rounded"
    if exact.denominator == 1 or stated.denominator != 1 or off >= 1 or "." in right.written or right.clock:
        return ""
    if abs(stated) < abs(exact):
        return "cut" if abs(exact) >= 1 else ""
    return "rounded" if off <= Fraction(1, 2) or (abs(exact) > 1 and 1 - off > WHOLE) else ""


def _percents(left: Expression, right: Expression) -> bool:
    return any(number.percent for side in (left, right) for number in numbers(side))


def _has_hundred(left: Expression) -> bool:
    return any(number.value == 100 for number in numbers(left))


def _hundredfold(exact: Fraction, stated: Fraction, right: Expression, approximate: bool) -> bool:
    near = [exact * 100, exact / 100, exact * 10_000, exact / 10_000]
    if isinstance(right, Number):
        return any(_rounded(one, stated, right, approximate) or one == stated for one in near)
    return stated in near


def _as_factors(left: Expression, right: Expression) -> bool:
    """Whether the sides are equal once every percent sign is dropped: 28% - 0.5 = 27.5%."""
    try:
        one, other = value(_plain(left)), value(_plain(right))
    except (NoExpression, Undefined):
        return False
    return abs(one - other) <= NOISE * max(1, abs(one))


def _plain(expression: Expression) -> Expression:
    if isinstance(expression, Number):
        return replace(expression, value=expression.value * 100, percent=False) if expression.percent else expression
    if isinstance(expression, tuple):
        return (expression[0], *(_plain(operand) for operand in expression[1:]))
    return expression


def _starts_with(right: Expression, exact: Fraction) -> bool:
    """Whether a sum on the right starts with the value of the left: the equals sign only carries on."""
    if not isinstance(right, tuple) or right[0] in ("neg", "√"):
        return False
    first = right
    while isinstance(first, tuple):
        first = first[1]
        try:
            if value(first) == exact:
                return True
        except (NoExpression, Undefined):
            return False
    return False


# ---- units --------------------------------------------------------------------------------------


def _mixes(left: Expression) -> bool:
    """Whether a sum adds or subtracts quantities in different units of one dimension."""
    units = {number.unit for number in numbers(left) if number.unit}
    if len(units) < 2 or not operators(left) <= {"+", "-", "neg"}:
        return False
    first, *others = units
    return all(same_dimension(first, other) and factor(first, other) != 1 for other in others)


def _converted(left: Expression, right: Number) -> Fraction | None:
    """The value of the left side in the unit of the right one; None where nothing is to be converted."""
    if not right.unit:
        return None
    units = [number.unit for number in numbers(left) if number.unit]
    if not units or not all(same_dimension(unit, right.unit) for unit in units):
        return None
    try:
        if operators(left) <= {"+", "-", "neg"} and len(units) == sum(1 for _ in numbers(left)):
            return _in_unit(left, right.unit)
        if len(set(units)) == 1 and len(units) == 1:
            return value(left) * factor(units[0], right.unit)
    except (NoExpression, Undefined):
        return None
    return None


def _in_unit(expression: Expression, unit: str) -> Fraction:
    if isinstance(expression, Number):
        return expression.value * factor(expression.unit, unit)
    return applied(expression[0], [_in_unit(operand, unit) for operand in expression[1:]])
