"""Do the answers agree, and do the traces behind the same answer reason alike?"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from hallumaze_kit.reasoning.checking.judging import judged_links
from hallumaze_kit.reasoning.expressions.folding import plain
from hallumaze_kit.reasoning.expressions.grammar import Expression, NoExpression, Undefined, value, variables
from hallumaze_kit.reasoning.expressions.links import lone
from hallumaze_kit.reasoning.expressions.tokens import Number, tokens
from hallumaze_kit.reasoning.traces.answers import canonical
from hallumaze_kit.reasoning.traces.trace import ReasoningTrace

MOST_CLAIMS = 2000
"""Claims of a trace that are compared."""
_NOT = re.compile(r"\b(?:not|never|no|isn't|aren't|doesn't|cannot)\b|n't\b|않|아니|없|못", re.I)


class Claim(NamedTuple):
    """What a step says: of which quantity, by which relation ("=", "≠"), which value."""

    quantity: str
    relation: str
    value: Fraction


def agreement(answers: Iterable[str | None]) -> float:
    """Answer agreement C_A = 1 − H / log K over the classes of the K answers.

    H is the entropy of the classes in nats. Equal numbers are one class ("0.5", "1/2"), and no answer is a class of its
    own. 1: all agree; 0: all differ. NaN for fewer than two answers: one answer agrees with nothing. Source: RAFS
    summary, section 2, component 3.

    "18", "18.0", "18", "20" have H = 0.562 and C_A = 1 − 0.562 / log 4 = 0.594.
    """
    given = list(answers)
    if len(given) < 2:
        return math.nan
    counts = Counter(canonical(answer) for answer in given).values()
    entropy = -math.fsum(n / len(given) * math.log(n / len(given)) for n in sorted(counts))
    return min(1.0, max(0.0, 1 - entropy / math.log(len(given))))


def modal_answer(answers: Sequence[str | None]) -> str:
    """The class of the most frequent answer, "" where that is none; of equally frequent ones the first by spelling.

    An answer goes before no answer.
    """
    counts = Counter(canonical(answer) for answer in answers)
    return min(counts, key=lambda kind: (-counts[kind], kind == "", kind)) if counts else ""


def stability(traces: Iterable[ReasoningTrace]) -> float:
    """Conditional reasoning stability D_R: how alike the traces behind the modal answer reason.

    The mean, over the pairs of those traces, of the Jaccard similarity of their claims: |A ∩ B| / |A ∪ B|. A claim is
    (quantity, relation, value); sums are brought to one form, so that 3*4 and 4×3, 60/2 and 60·½ are the same claim.
    Numbers and negations are compared exactly. Pairs of which neither makes a claim are left out; NaN with fewer than
    two traces behind the answer, or no answer. Source: RAFS summary, section 2, component 4.

    Claims {a, b, c} and {b, c, d} have the similarity 2/4.
    """
    given = list(traces)
    modal = modal_answer([trace.answer for trace in given])
    behind = [claims(trace) for trace in given if modal and canonical(trace.answer) == modal]
    return mean_similarity(behind)


def mean_similarity(claimed: Sequence[frozenset[Claim]]) -> float:
    """The mean Jaccard similarity over all pairs of claim sets that make a claim; NaN without such a pair."""
    alike = [len(a & b) / len(a | b) for a, b in combinations(claimed, 2) if a or b]
    return math.fsum(sorted(alike)) / len(alike) if alike else math.nan


def claims(trace: ReasoningTrace) -> frozenset[Claim]:
    """The claims of a trace, in one form.

    "12 × 15 = 180" claims ("12·15", "=", 180); a step without a sum claims its quantities, "5 trays are left" ("trays",
    "=", 5), and with a negation ("trays", "≠", 5).
    """
    made: set[Claim] = set()
    for step in trace.steps:
        if len(made) > MOST_CLAIMS:
            break
        summed = False
        for link, found in zip(step.links, judged_links(step), strict=True):
            if link.left is None or link.right is None or lone(link.left):
                continue
            if isinstance(link.left, str) and isinstance(link.right, Number):
                made.add(Claim(link.left, "=", link.right.value))
                summed = True
                continue
            if found.stated is None or link.names:
                continue
            made.add(Claim(one_form(link.left), "=", found.stated))
            summed = True
        if not summed:
            made |= _quantities(step.text)
    return frozenset(made)


def _quantities(text: str) -> set[Claim]:
    items = tokens(plain(text))
    relation = "≠" if _NOT.search(text) else "="
    found = set()
    for at, token in enumerate(items):
        if isinstance(token.value, Number):
            after = items[at + 1] if at + 1 < len(items) else None
            unit = str(after.value).lower() if after is not None and after.kind == "word" else token.value.unit
            found.add(Claim(unit, relation, token.value.value))
    return found


def one_form(expression: Expression) -> str:
    """A sum in one form: terms and factors in order, division as multiplication by the reciprocal.

    4*3, 3·4 and 12/(1) … "4 * 3" gives "3·4", "60 / 2" and "60 * 0.5" give "1/2·60", "10 - 4" gives "-4+10".
    """
    if isinstance(expression, Number):
        return str(expression.value)
    if isinstance(expression, str):
        return expression
    operator = expression[0]
    if operator in "+-" or operator == "neg":
        return "+".join(sorted(_terms(expression, 1)))
    if operator in "*/":
        return "·".join(sorted(_factors(expression, False)))
    return f"{operator}({','.join(one_form(operand) for operand in expression[1:])})"


def _terms(expression: Expression, sign: int) -> list[str]:
    if isinstance(expression, tuple) and expression[0] in ("+", "-", "neg"):
        operator, *operands = expression
        signs = [-sign] if operator == "neg" else [sign, sign if operator == "+" else -sign]
        return [term for operand, own in zip(operands, signs, strict=True) for term in _terms(operand, own)]
    form = one_form(expression)
    return [form if sign > 0 else f"-{form}"]


def _factors(expression: Expression, inverted: bool) -> list[str]:
    if isinstance(expression, tuple) and expression[0] in ("*", "/"):
        operator, one, other = expression
        return [*_factors(one, inverted), *_factors(other, inverted ^ (operator == "/"))]
    if not variables(expression):
        try:
            exact = value(expression)
            return [str(1 / exact if inverted else exact)]
        except (NoExpression, Undefined, ZeroDivisionError):
            pass
    form = one_form(expression)
    return [f"1/({form})" if inverted else form]
