"""Equations with unknowns, by SymPy's polynomials: identities, and whether one equation follows from those before it.

Nothing is solved by search: greatest common divisors and ranks of bounded polynomials are all that is computed.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hallumaze_kit.reasoning.checking.judging import compare
from hallumaze_kit.reasoning.expressions.grammar import Expression, NoExpression, Undefined, applied, variables
from hallumaze_kit.reasoning.expressions.links import RUNNING, Link
from hallumaze_kit.reasoning.expressions.tokens import Number

if TYPE_CHECKING:
    from sympy import Poly

HIGHEST_DEGREE = 12
MOST_TERMS = 120
MOST_EQUATIONS = 12
MOST_UNKNOWNS = 6
_DERIVED = re.compile(
    r"both sides|we get|combin|like terms|simplif|substitut|solv|expand|정리하|양변|이항|풀면|옮기|대입|전개", re.I
)
"""What announces that an equation is made from the one before."""
_BARE = re.compile(r"[^A-Za-z가-힣]*(?:[A-Za-z](?![A-Za-z])[^A-Za-z가-힣]*)*")


class Algebra:
    """The equations with unknowns of one trace, in their order."""

    def __init__(self) -> None:
        self.held: list[Poly] = []

    def judge(self, link: Link, line: str, final: Number | None = None) -> str:
        """ "correct" (an identity, or it follows from what is held), "wrong", "set up" or "unchecked".

        An equation that contradicts those before it is wrong only where the line says that it was made from them
        ("subtracting 2x from both sides"), or is nothing but an equation; else it sets something up anew. `final` is
        the number that a chain ends in, 2x = 75 + 75 = 150: the next equation may rest on it.
        """
        try:
            new = difference(link)
        except (NoExpression, Undefined):
            return "unchecked"
        if new.is_zero:
            return "correct"
        if new.is_ground:
            return "wrong" if self.derived(line) else "unchecked"
        if _is_false_rewriting(new, link) and not _BARE.fullmatch(line):
            return "wrong"
        label = self._held(new, link, line)
        if final is not None:
            self.held.append(difference(Link(link.left, final, "")))
        return label

    def _held(self, new: Poly, link: Link, line: str) -> str:
        """The label of an equation against those that are held, which it then joins."""
        known = self._relation(new)
        if known == "against":
            rounded = self._rounded(link)
            if rounded:
                return rounded
            label = "wrong" if self.derived(line) else "set up"
            self.held = [new]
            return label
        self.held = [*self.held, new][-MOST_EQUATIONS:]
        return "correct" if known == "follows" else "set up"

    def derived(self, line: str) -> bool:
        """Whether a line presents its equation as made from the one before."""
        return bool(self.held) and bool(_DERIVED.search(line) or _BARE.fullmatch(line))

    def _rounded(self, link: Link) -> str:
        """ "rounded" or "cut" where the link states the solution of the equation before it in fewer digits; else ""."""
        last = self.held[-1]
        if not isinstance(link.left, str) or not isinstance(link.right, Number) or len(last.gens) != 1:
            return ""
        slope, constant = _row(last, list(last.gens)) if last.degree() == 1 else (Fraction(0), Fraction(0))
        label = compare(-constant / slope, link.right, link.approximate, link.right) if slope else ""
        return label if label in ("rounded", "cut") else ""

    def _relation(self, difference: Poly) -> str:
        """ "follows", "against" or "new" to the equations that are held."""
        alike = [held for held in self.held if held.gens == difference.gens]
        if len(difference.gens) == 1 and alike:
            if any(held.gcd(difference).degree() > 0 for held in alike):
                return "follows"
            if alike[-1].degree() == 1 and difference.degree() == 1 and len(alike) == len(self.held):
                return "against"
        return self._linear(difference)

    def _linear(self, difference: Poly) -> str:
        system = [poly for poly in self.held if poly.total_degree() == 1]
        gens = sorted({gen for poly in (*system, difference) for gen in poly.gens}, key=str)
        if difference.total_degree() != 1 or not system or len(gens) > MOST_UNKNOWNS:
            return "new"
        rows = [_row(poly, gens) for poly in system]
        new = _row(difference, gens)
        before, after = rank([row[:-1] for row in rows]), rank([row[:-1] for row in (*rows, new)])
        if rank(rows) != before:
            return "new"
        if after > before:
            return "new"
        return "follows" if rank([*rows, new]) == before else "against"


def _is_false_rewriting(new: Poly, link: Link) -> bool:
    """Whether one expression is rewritten as another that equals it only at 0: x + 5x + 2 = 7x + 2."""
    sides = (variables(link.left), variables(link.right))
    return len(new.gens) == 1 and len(new.terms()) == 1 and sides[0] == sides[1] and not isinstance(link.left, str)


def rank(rows: list[list[Fraction]]) -> int:
    """The rank of a matrix of fractions, by elimination: [[1, 1], [2, 2]] has rank 1."""
    rows = [list(row) for row in rows]
    found = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((at for at in range(found, len(rows)) if rows[at][column]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for at in range(found + 1, len(rows)):
            ratio = rows[at][column] / rows[found][column]
            rows[at] = [a - ratio * b for a, b in zip(rows[at], rows[found], strict=True)]
        found += 1
    return found


def _row(poly: Poly, gens: list[Any]) -> list[Fraction]:
    """The coefficients of a linear polynomial, its constant last."""
    row = [Fraction(0)] * (len(gens) + 1)
    for powers, coefficient in poly.terms():
        at = next((gens.index(gen) for gen, power in zip(poly.gens, powers, strict=True) if power), len(gens))
        row[at] = Fraction(int(coefficient.p), int(coefficient.q))
    return row


def difference(link: Link) -> Poly:
    """The numerator of left minus right, in those unknowns that it really holds."""
    from sympy import Symbol

    if link.left is None or link.right is None:
        raise NoExpression
    names = sorted(variables(link.left) | variables(link.right))
    if not names or len(names) > MOST_UNKNOWNS or RUNNING in names:
        raise NoExpression
    gens = tuple(Symbol(name) for name in names)
    above, below = _quotient(link.left, gens)
    other_above, other_below = _quotient(link.right, gens)
    made = _bounded(above * other_below - other_above * below)
    return made.exclude() if not made.is_ground else made


def _quotient(expression: Expression, gens: tuple[Any, ...]) -> tuple[Poly, Poly]:
    """Numerator and denominator of an expression, as polynomials in the unknowns `gens`."""
    from sympy import QQ, Poly, Rational, Symbol

    def constant(value: Fraction) -> Poly:
        return Poly(Rational(value.numerator, value.denominator), *gens, domain=QQ)

    one = constant(Fraction(1))
    if isinstance(expression, Number):
        return constant(expression.value), one
    if isinstance(expression, str):
        return Poly(Symbol(expression), *gens, domain=QQ), one
    operator, *operands = expression
    parts = [_quotient(operand, gens) for operand in operands]
    above, below = parts[0]
    if operator == "neg":
        return -above, below
    if operator == "√" or (operator == "^" and not parts[1][0].is_ground):
        if not all(part.is_ground for pair in parts for part in pair):
            raise NoExpression
        return constant(applied(operator, [_ground(pair) for pair in parts])), one
    if operator == "^":
        exponent = _ground(parts[1])
        if exponent.denominator != 1 or abs(exponent) > HIGHEST_DEGREE:
            raise NoExpression
        if exponent < 0:
            if above.is_zero:
                raise Undefined
            above, below = below, above
        size = abs(exponent.numerator)
        if size * max(above.total_degree(), below.total_degree()) > HIGHEST_DEGREE:
            raise NoExpression
        return _bounded(above**size), _bounded(below**size)
    other_above, other_below = parts[1]
    if operator == "/":
        if other_above.is_zero:
            raise Undefined
        return _bounded(above * other_below), _bounded(below * other_above)
    if operator == "*":
        return _bounded(above * other_above), _bounded(below * other_below)
    shared = _bounded(below * other_below)
    if operator == "+":
        return _bounded(above * other_below + other_above * below), shared
    return _bounded(above * other_below - other_above * below), shared


def _ground(pair: tuple[Poly, Poly]) -> Fraction:
    above, below = (part.as_expr() for part in pair)
    value = above / below
    return Fraction(int(value.p), int(value.q))


def _bounded(poly: Poly) -> Poly:
    if not poly.is_zero and (poly.total_degree() > HIGHEST_DEGREE or len(poly.terms()) > MOST_TERMS):
        raise NoExpression
    return poly
