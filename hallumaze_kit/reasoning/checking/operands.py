"""Where the operands of a sum come from: the problem, an earlier step, or common knowledge."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from fractions import Fraction

from hallumaze_kit.reasoning.expressions.folding import plain
from hallumaze_kit.reasoning.expressions.grammar import numbers
from hallumaze_kit.reasoning.expressions.links import Link, lone
from hallumaze_kit.reasoning.expressions.numbers import COMMON, named_values
from hallumaze_kit.reasoning.expressions.tokens import Number, tokens

_ONE, _HUNDRED = Fraction(1), Fraction(100)
_LISTED = re.compile(r",|\band\b|와|과|및", re.I)
_PROSE = re.compile(r"[A-Za-z가-힣]{2}")
RECENT = 60
"""Values that are no whole numbers which a later step may round."""
LARGEST_COUNT = 6
"""Things that a problem lists may be counted up to here without the count being said."""


class Sources:
    """The values that a trace may use so far."""

    def __init__(self, problem: str) -> None:
        text = plain(problem)
        self.values: set[Fraction] = set(COMMON)
        self.inexact: deque[Fraction] = deque(maxlen=RECENT)
        self.traces = bool(text.strip())
        self.learn(named_values(text))
        for line in text.splitlines():
            self.learn(item.value.value for item in tokens(line) if isinstance(item.value, Number))
        if _LISTED.search(text):
            self.values |= {Fraction(n) for n in range(LARGEST_COUNT + 1)}

    def learn(self, values: Iterable[Fraction]) -> None:
        """Add values, each with what it stands for as a percentage: 20 also as 0.2, 1.2, 0.8 and 80."""
        for value in values:
            if value.denominator != 1 and value not in self.values:
                self.inexact.append(abs(value))
            self.values.add(value)
            part = value / 100
            if 0 < value < _HUNDRED:
                self.values |= {part, _ONE + part, _ONE - part, _HUNDRED - value, _HUNDRED + value}
            if 0 < value < _ONE:
                self.values |= {_ONE - value, _ONE + value, value * 100, _HUNDRED - value * 100, _ONE / value}

    def read(self, text: str) -> None:
        """Learn every value that a step names, its prose included; a later step may use it."""
        if _PROSE.search(text):
            self.learn(named_values(plain(text)))

    def knows(self, number: Number) -> bool:
        """Whether a number is known, exactly or as a rounding of a value that is."""
        value = abs(number.value)
        if value in self.values:
            return True
        if number.percent and value * 100 in self.values:
            return True
        if number.places or number.dots:
            step = Fraction(1, 10**number.places)
            return any(abs(known - value) < step for known in self.inexact)
        return False

    def strangers(self, links: Iterable[Link]) -> list[Number]:
        """The operands of a step that come from nowhere; results of its own links are known to the later ones."""
        found = []
        for link in links:
            if link.left is not None and not lone(link.left) and not link.chained:
                found += [number for number in numbers(link.left) if not self.knows(number)]
            self.learn(number.value for side in (link.left, link.right) if side is not None for number in numbers(side))
        return found
