"""Expressions from tokens, by hand: nothing that is pasted is ever evaluated as code.

An expression is a `Number`, a variable (its name), or a tuple (operator, operand, …).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import isqrt
from typing import Any

from hallumaze_kit.reasoning.expressions.tokens import Number, Token

Expression = Any
"""`Number` | str | tuple."""
MOST_TOKENS = 160
DEEPEST = 24
LARGEST_POWER = 64
MOST_BITS = 4000
"""Numbers that grow past this are given up: no text reckons with them."""


class NoExpression(ValueError):
    """The tokens are no expression, or one that is out of bounds."""


class Undefined(ArithmeticError):
    """The expression has no value: a division by zero."""


def parsed(items: list[Token]) -> Expression:
    """The expression that the tokens write; unit words behind a number are passed over.

    Raises `NoExpression`.
    """
    if not items or len(items) > MOST_TOKENS:
        raise NoExpression
    reader = _Reader(items)
    made = reader.sum(0)
    if reader.at != len(items):
        raise NoExpression
    if isinstance(made, tuple) and made[0] == "neg" and isinstance(made[1], Number):
        return replace(made[1], value=-made[1].value)
    return made


class _Reader:
    """Recursive descent: sum, product, factor, atom."""

    def __init__(self, items: list[Token]) -> None:
        self.items = items
        self.at = 0

    def peek(self, ahead: int = 0) -> Token | None:
        at = self.at + ahead
        return self.items[at] if at < len(self.items) else None

    def is_op(self, signs: str) -> bool:
        token = self.peek()
        return token is not None and token.kind == "op" and str(token.value) in signs

    def take(self) -> Token:
        self.at += 1
        return self.items[self.at - 1]

    def skip_words(self) -> None:
        while (token := self.peek()) is not None and token.kind == "word":
            self.at += 1

    def sum(self, depth: int) -> Expression:
        if depth > DEEPEST:
            raise NoExpression
        made = self.product(depth)
        while self.is_op("+-"):
            sign = str(self.take().value)
            made = (sign, made, self.product(depth))
        return made

    def product(self, depth: int) -> Expression:
        made = self.factor(depth)
        while True:
            if self.is_op("*/"):
                sign = str(self.take().value)
                made = (sign, made, self.factor(depth))
            elif self.implied():
                made = ("*", made, self.power(depth))
            else:
                return made

    def implied(self) -> bool:
        token = self.peek()
        return token is not None and token.kind in ("(", "var", "√")

    def factor(self, depth: int) -> Expression:
        if depth > DEEPEST:
            raise NoExpression
        if self.is_op("-"):
            self.take()
            return ("neg", self.factor(depth + 1))
        if self.is_op("+"):
            self.take()
            return self.factor(depth + 1)
        return self.power(depth)

    def power(self, depth: int) -> Expression:
        base = self.atom(depth)
        if self.is_op("^"):
            self.take()
            return ("^", base, self.factor(depth + 1))
        return base

    def atom(self, depth: int) -> Expression:
        token = self.peek()
        if token is None:
            raise NoExpression
        self.at += 1
        if token.kind == "num":
            made: Expression = self.mixed(token)
            self.skip_words()
            return made
        if token.kind == "var":
            return str(token.value)
        if token.kind == "√":
            return ("√", self.atom(depth + 1))
        if token.kind == "(":
            made = self.sum(depth + 1)
            self.skip_words()
            closing = self.peek()
            if closing is None or closing.kind != ")":
                raise NoExpression
            self.at += 1
            self.skip_words()
            return made
        raise NoExpression

    def mixed(self, whole: Token) -> Expression:
        """A number, with the fraction of a mixed one joined to it: 2 5/6."""
        after = self.peek()
        if after is not None and after.kind == "mix":
            self.at += 1
            return ("+", whole.value, self.atom(1))
        if is_mixed(self.items, self.at - 1):
            above, below = self.items[self.at].value, self.items[self.at + 2].value
            self.at += 3
            return ("+", whole.value, ("/", above, below))
        return whole.value


def is_mixed(items: list[Token], at: int) -> bool:
    """Whether a mixed number such as 2 5/6 starts at `at`."""
    if at + 3 >= len(items) or [token.kind for token in items[at : at + 4]] != ["num", "num", "op", "num"]:
        return False
    whole, above, slash, below = items[at : at + 4]
    numbers = (whole.value, above.value, below.value)
    if slash.value != "/" or not all(isinstance(n, Number) and n.written.isdigit() for n in numbers):
        return False
    w, a, b = (n.value for n in numbers)  # type: ignore[union-attr]
    return w > 0 and 0 < a < b <= 100 and above.start - whole.end >= 1 and not whole.value.unit.strip("$")  # type: ignore[union-attr]


def value(expression: Expression, known: dict[str, Fraction] | None = None) -> Fraction:
    """The exact value; a variable takes its value from `known`.

    16.99+13.99*2 is 4497/100. Raises `Undefined` for a division by zero, `NoExpression` for an unknown variable, a
    root that is no fraction, and for numbers out of bounds.
    """
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, str):
        if known is None or expression not in known:
            raise NoExpression
        return known[expression]
    operator, *operands = expression
    return applied(operator, [value(operand, known) for operand in operands])


def applied(operator: str, operands: list[Fraction]) -> Fraction:
    """One operation on exact numbers, in bounds."""
    first = operands[0]
    if operator == "neg":
        return -first
    if operator == "√":
        return _root(first)
    second = operands[1]
    if operator == "+":
        made = first + second
    elif operator == "-":
        made = first - second
    elif operator == "*":
        made = first * second
    elif operator == "/":
        if second == 0:
            raise Undefined
        made = first / second
    else:
        made = _power(first, second)
    if made.numerator.bit_length() + made.denominator.bit_length() > MOST_BITS:
        raise NoExpression
    return made


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent == Fraction(1, 2):
        return _root(base)
    if exponent.denominator != 1 or abs(exponent) > LARGEST_POWER:
        raise NoExpression
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits * abs(exponent.numerator) > MOST_BITS:
        raise NoExpression
    if base == 0 and exponent < 0:
        raise Undefined
    return Fraction(base**exponent.numerator)


def _root(radicand: Fraction) -> Fraction:
    if radicand < 0:
        raise NoExpression
    above, below = isqrt(radicand.numerator), isqrt(radicand.denominator)
    if above * above != radicand.numerator or below * below != radicand.denominator:
        raise NoExpression
    return Fraction(above, below)


def numbers(expression: Expression) -> Iterator[Number]:
    """The numbers of an expression, from the left."""
    if isinstance(expression, Number):
        yield expression
    elif isinstance(expression, tuple):
        for operand in expression[1:]:
            yield from numbers(operand)


def variables(expression: Expression) -> set[str]:
    """The names of its variables."""
    if isinstance(expression, str):
        return {expression}
    if isinstance(expression, tuple):
        return set().union(*(variables(operand) for operand in expression[1:]))
    return set()


def operators(expression: Expression) -> set[str]:
    """The operators that it uses."""
    if isinstance(expression, tuple):
        return {expression[0]}.union(*(operators(operand) for operand in expression[1:]))
    return set()
