"""Traces of a plan, right ones and ones with a fault planted on purpose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hallumaze_kit.reasoning.expressions.numbers import COMMON
from hallumaze_kit.reasoning.planted.templates import Op, Template, reckoned


@dataclass(frozen=True)
class Line:
    """A sum as it will be written."""

    lead: str
    left: int
    sign: str
    right: int
    result: int
    name: str = ""


@dataclass(frozen=True)
class Made:
    """Lines with the answer stated behind them, and what is wrong with them.

    first_bad  number of the first bad line, None where the reasoning is valid
    shown      whether exact arithmetic and the origin of operands can show it
    """

    lines: tuple[Line, ...]
    answer: int
    first_bad: int | None = None
    shown: bool = False


Fault = Callable[[Template, dict[str, int], np.random.Generator], Made]


def lines_of(
    plan: Sequence[Op],
    given: dict[str, int],
    stated: dict[str, int] | None = None,
    operands: dict[str, int] | None = None,
    signs: dict[str, str] | None = None,
) -> list[Line]:
    """The plan worked out; `stated` sets a line's result, `operands` its right operand, `signs` its sign."""
    known = dict(given)
    made = []
    for op in plan:
        a, b = (known[x] if x in known else int(x) for x in (op.left, op.right))
        b = (operands or {}).get(op.name, b)
        sign = (signs or {}).get(op.name, op.sign)
        known[op.name] = (stated or {}).get(op.name, reckoned(a, sign, b))
        made.append(Line(op.lead, a, sign, b, known[op.name], op.name))
    return made


def clean(template: Template, given: dict[str, int], rng: np.random.Generator) -> Made:
    """Right steps, right answer; now and then by the other plan."""
    plan = template.plan if rng.random() < 0.7 else template.other
    made = lines_of(plan, given)
    return Made(tuple(made), made[-1].result)


def carried(template: Template, given: dict[str, int], rng: np.random.Generator) -> Made:
    """A wrong sum that carries through to a wrong answer."""
    at = int(rng.integers(0, len(template.plan)))
    right = lines_of(template.plan, given)
    stated = {template.plan[at].name: right[at].result + _slip(right[at].result, rng)}
    made = lines_of(template.plan, given, stated)
    return Made(tuple(made), made[-1].result, at + 1, True)


def compensated(template: Template, given: dict[str, int], rng: np.random.Generator) -> Made:
    """A wrong sum that a later wrong sum makes good."""
    plan = template.plan
    at = int(rng.integers(0, len(plan) - 1))
    user = next(i for i in range(at + 1, len(plan)) if plan[at].name in (plan[i].left, plan[i].right))
    right = lines_of(plan, given)
    stated = {plan[at].name: right[at].result + _slip(right[at].result, rng), plan[user].name: right[user].result}
    made = lines_of(plan, given, stated)
    return Made(tuple(made), made[-1].result, at + 1, True)


def nowhere(template: Template, given: dict[str, int], rng: np.random.Generator) -> Made:
    """An operand that nothing gives: carried to a wrong answer, or taken out again later."""
    made = lines_of(template.plan, given)
    stranger = _stranger(given, made, rng)
    if rng.random() < 0.5:
        at = int(rng.integers(0, len(made)))
        operands = {template.plan[at].name: stranger}
        changed = lines_of(template.plan, given, operands=operands)
        if all(line.sign != "/" or line.left % line.right == 0 for line in changed) and changed[-1].result > 0:
            return Made(tuple(changed), changed[-1].result, at + 1, True)
    at = int(rng.integers(1, len(made)))
    base = made[at - 1].result
    word = ("Add", "Take away again") if template.language == "en" else ("더하면", "다시 빼면")
    inserted = [
        Line(word[0], base, "+", stranger, base + stranger),
        Line(word[1], base + stranger, "-", stranger, base),
    ]
    return Made((*made[:at], *inserted, *made[at:]), made[-1].result, at + 1, True)


def dropped(template: Template, given: dict[str, int], rng: np.random.Generator) -> Made:
    """A step is left out: a later one uses a value that was never worked out."""
    made = lines_of(template.plan, given)
    plan = template.plan
    at = int(rng.integers(0, len(plan) - 1))
    user = next(i for i in range(at + 1, len(plan)) if plan[at].name in (plan[i].left, plan[i].right))
    known = {*given.values(), *(line.result for line in made[:at])}
    shown = made[at].result not in known and made[at].result not in COMMON
    return Made((*made[:at], *made[at + 1 :]), made[-1].result, user, shown)


def slip(template: Template, given: dict[str, int], rng: np.random.Generator) -> Made:
    """Right steps, and a slip where the answer is copied."""
    made = clean(template, given, rng)
    digits = list(str(made.answer))
    at = int(rng.integers(0, len(digits)))
    digits[at] = str((int(digits[at]) + int(rng.integers(1, 9))) % 10)
    other = int("".join(digits))
    return replace(made, answer=other if other not in (made.answer, 0) else made.answer + 10)


def unrelated(template: Template, given: dict[str, int], rng: np.random.Generator) -> Made:
    """Right sums that have nothing to do with the question, and the right answer behind them."""
    gold = lines_of(template.plan, given)[-1].result
    pool = list(given.values())
    made: list[Line] = []
    while len(made) < len(template.plan):
        a, b = (int(x) for x in rng.choice(pool, 2))
        sign = "+-*"[int(rng.integers(0, 3))]
        result = reckoned(a, sign, b)
        if result < 1 or result == gold or result > 10**7:
            continue
        lead = template.plan[len(made)].lead
        made.append(Line(lead, a, sign, b, result))
        pool.append(result)
    return Made(tuple(made), gold, 1, False)


def shared(template: Template, given: dict[str, int], rng: np.random.Generator) -> Made:
    """A wrong rationale with right sums that every trace of the problem shares, by the values that are given.

    Either two given values are added that should be multiplied, and the answer is wrong; or the words give a reason
    that is none, and the answer is right all the same.
    """
    op = template.product()
    at = template.plan.index(op)
    if sum(given.values()) % 2:
        made = lines_of(template.plan, given, signs={op.name: "+"})
        if all(line.sign != "/" or line.left % line.right == 0 for line in made) and made[-1].result > 0:
            return Made(tuple(made), made[-1].result, at + 1, False)
    made = lines_of(template.plan, given)
    reason = "Since all of them are counted twice:" if template.language == "en" else "모두 두 번씩 세었으므로"
    made[at] = replace(made[at], lead=reason)
    return Made(tuple(made), made[-1].result, at + 1, False)


def padded(template: Template, given: dict[str, int], rng: np.random.Generator) -> Made:
    """A compensated fault among many valid but idle steps: verbose rationalisation."""
    made = compensated(template, given, rng)
    pool = sorted(set(given.values()))
    lead = "We also note that" if template.language == "en" else "또한"
    idle = []
    for _ in range(8):
        a, b = (int(x) for x in rng.choice(pool, 2))
        idle.append(Line(lead, a, "+", b, a + b))
    cut = int(rng.integers(0, len(idle) + 1))
    assert made.first_bad is not None
    return Made((*idle[:cut], *made.lines, *idle[cut:]), made.answer, made.first_bad + cut, True)


FAULTS: dict[str, Fault] = {
    "clean": clean, "compensated": compensated, "nowhere": nowhere, "dropped": dropped, "slip": slip,
    "unrelated": unrelated, "shared": shared, "padded": padded,
}  # fmt: skip


def _slip(value: int, rng: np.random.Generator) -> int:
    """By how much a sum is off: a digit, or a tenth."""
    size = int(rng.choice([1, 2, 10, max(3, value // 10)]))
    return size if rng.random() < 0.5 or value <= size else -size


def _stranger(given: dict[str, int], made: Sequence[Line], rng: np.random.Generator) -> int:
    known = {*given.values(), *(line.result for line in made), *(int(c) for c in COMMON if c.denominator == 1)}
    near = {n for value in known for n in (100 - value, 100 + value)}
    return int(rng.choice([n for n in range(13, 98) if n not in known | near]))
