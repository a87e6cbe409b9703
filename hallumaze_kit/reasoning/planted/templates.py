"""Word problems with a plan: what is given, which sums lead to the answer, and how people say them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Op(NamedTuple):
    """A sum of a plan: `name` = `left` `sign` `right`, introduced by `lead`; operands are names or whole numbers."""

    name: str
    left: str
    sign: str
    right: str
    lead: str


@dataclass(frozen=True)
class Template:
    """A family of word problems.

    text    the problem, with {names} for what is given
    given   name: (least, most, step)
    plan    the sums, in order; the last is the answer
    other   another way to the same answer
    unit    of the answer
    """

    name: str
    language: str
    text: str
    given: dict[str, tuple[int, int, int]]
    plan: tuple[Op, ...]
    other: tuple[Op, ...]
    unit: str

    def draw(self, rng: np.random.Generator) -> dict[str, int]:
        """Values for what is given, such that every sum of both plans is a whole number of 1 or more."""
        while True:
            values = {
                name: int(rng.integers(low // step, high // step + 1)) * step
                for name, (low, high, step) in self.given.items()
            }
            if all(_whole(plan, values) for plan in (self.plan, self.other)):
                return values

    def product(self) -> Op:
        """The first product of two given values."""
        return next(op for op in self.plan if op.sign == "*" and {op.left, op.right} <= self.given.keys())


def _whole(plan: tuple[Op, ...], values: dict[str, int]) -> bool:
    known = dict(values)
    for op in plan:
        a, b = (known[x] if x in known else int(x) for x in (op.left, op.right))
        if op.sign == "/" and (b == 0 or a % b):
            return False
        known[op.name] = reckoned(a, op.sign, b)
        if known[op.name] < 1:
            return False
    return True


def reckoned(a: int, sign: str, b: int) -> int:
    """The whole-number result of a sum that is known to have one."""
    return {"+": a + b, "-": a - b, "*": a * b, "/": a // b if b else 0}[sign]


TUNING = (
    Template(
        "rolls", "en",
        "A bakery makes {a} trays of {b} rolls. It sells {c} rolls in the morning and {d} in the afternoon. "
        "How many rolls are left?",
        {"a": (6, 20, 1), "b": (12, 30, 1), "c": (20, 90, 1), "d": (20, 90, 1)},
        (
            Op("all", "a", "*", "b", "The bakery makes"), Op("sold", "c", "+", "d", "It sells"),
            Op("left", "all", "-", "sold", "So there are left"),
        ),
        (
            Op("all", "a", "*", "b", "Rolls made:"), Op("noon", "all", "-", "c", "After the morning:"),
            Op("left", "noon", "-", "d", "After the afternoon:"),
        ),
        "rolls",
    ),
    Template(
        "savings", "en",
        "Mia earns ${a} an hour and works {b} hours a week for {c} weeks. She spends ${d} on a bike. "
        "How many dollars does she have left?",
        {"a": (9, 25, 1), "b": (8, 30, 1), "c": (3, 11, 1), "d": (90, 200, 5)},
        (
            Op("week", "a", "*", "b", "A week brings"), Op("sum", "week", "*", "c", "All weeks together bring"),
            Op("left", "sum", "-", "d", "After the bike she has"),
        ),
        (
            Op("hours", "b", "*", "c", "She works"), Op("sum", "a", "*", "hours", "That earns her"),
            Op("left", "sum", "-", "d", "Less the bike:"),
        ),
        "dollars",
    ),
    Template(
        "사과", "ko",
        "과수원에서 사과를 한 상자에 {a}개씩 {b}상자 땄다. 그중 {c}개를 이웃에게 주고 나머지를 {d}명이 똑같이 "
        "나누었다. 한 사람은 몇 개를 받는가?",
        {"a": (10, 40, 1), "b": (6, 20, 1), "c": (10, 90, 1), "d": (2, 9, 1)},
        (
            Op("all", "a", "*", "b", "딴 사과는 모두"), Op("rest", "all", "-", "c", "이웃에게 주고 남은 것은"),
            Op("each", "rest", "/", "d", "한 사람의 몫은"),
        ),
        (
            Op("all", "b", "*", "a", "사과의 수는"), Op("rest", "all", "-", "c", "나머지는"),
            Op("each", "rest", "/", "d", "나누면"),
        ),
        "개",
    ),
)  # fmt: skip
"""Used while the score was made."""

CONFIRMATORY = (
    Template(
        "cinema", "en",
        "A cinema has {a} rows of {b} seats. For the first film {c} seats stay empty, for the second film {d} seats. "
        "A ticket costs ${e}. How many dollars do both films bring?",
        {"a": (8, 25, 1), "b": (14, 30, 1), "c": (15, 60, 1), "d": (15, 60, 1), "e": (6, 15, 1)},
        (
            Op("seats", "a", "*", "b", "The cinema has"), Op("first", "seats", "-", "c", "The first film sells"),
            Op("second", "seats", "-", "d", "The second film sells"),
            Op("tickets", "first", "+", "second", "Together:"),
            Op("money", "tickets", "*", "e", "They bring"),
        ),
        (
            Op("seats", "a", "*", "b", "Seats:"), Op("places", "seats", "*", "2", "For two films:"),
            Op("empty", "c", "+", "d", "Empty ones:"), Op("tickets", "places", "-", "empty", "Tickets sold:"),
            Op("money", "tickets", "*", "e", "In dollars:"),
        ),
        "dollars",
    ),
    Template(
        "road", "en",
        "A crew paves {a} metres of road a day for {b} days, then {c} metres a day for {d} days. The road is {e} "
        "metres long. How many metres are still to be paved?",
        {"a": (40, 90, 1), "b": (5, 16, 1), "c": (20, 70, 1), "d": (5, 16, 1), "e": (1500, 4000, 50)},
        (
            Op("one", "a", "*", "b", "In the first days the crew paves"),
            Op("two", "c", "*", "d", "In the later days it paves"), Op("done", "one", "+", "two", "Altogether:"),
            Op("left", "e", "-", "done", "Still to do:"),
        ),
        (
            Op("one", "a", "*", "b", "First:"), Op("rest", "e", "-", "one", "Then there remain"),
            Op("two", "c", "*", "d", "Later:"), Op("left", "rest", "-", "two", "At last there remain"),
        ),
        "metres",
    ),
    Template(
        "books", "en",
        "A library buys {a} boxes of {b} books and is given {c} more. It puts the same number on each of {d} shelves. "
        "How many books stand on a shelf?",
        {"a": (5, 30, 1), "b": (12, 40, 1), "c": (13, 99, 1), "d": (3, 15, 1)},
        (
            Op("bought", "a", "*", "b", "The library buys"), Op("all", "bought", "+", "c", "With the gift it has"),
            Op("each", "all", "/", "d", "Each shelf holds"),
        ),
        (
            Op("bought", "b", "*", "a", "Bought:"), Op("all", "c", "+", "bought", "With those given:"),
            Op("each", "all", "/", "d", "Shared out:"),
        ),
        "books",
    ),
    Template(
        "garden", "en",
        "Leo plants {a} rows of {b} tulips and {c} rows of {d} roses. Deer eat {e} flowers. How many flowers are left?",
        {"a": (6, 18, 1), "b": (13, 40, 1), "c": (6, 18, 1), "d": (13, 40, 1), "e": (17, 95, 1)},
        (
            Op("tulips", "a", "*", "b", "There are"), Op("roses", "c", "*", "d", "And there are"),
            Op("all", "tulips", "+", "roses", "In all he plants"), Op("left", "all", "-", "e", "After the deer:"),
        ),
        (
            Op("tulips", "a", "*", "b", "Tulips:"), Op("kept", "tulips", "-", "e", "Take the eaten ones from them:"),
            Op("roses", "c", "*", "d", "Roses:"), Op("left", "kept", "+", "roses", "Together there are left"),
        ),
        "flowers",
    ),
    Template(
        "버스", "ko",
        "버스 {a}대에 학생이 {b}명씩 탔다. 첫 정류장에서 {c}명이 내리고 다음 정류장에서 {d}명이 더 탔다. "
        "이 학생들이 {e}명씩 한 조를 이루면 모두 몇 조가 되는가?",
        {"a": (5, 18, 1), "b": (21, 45, 1), "c": (13, 80, 1), "d": (13, 80, 1), "e": (3, 9, 1)},
        (
            Op("all", "a", "*", "b", "처음에 탄 학생은"), Op("less", "all", "-", "c", "내린 뒤에는"),
            Op("more", "less", "+", "d", "더 탄 뒤에는"), Op("teams", "more", "/", "e", "조의 수는"),
        ),
        (
            Op("all", "a", "*", "b", "학생 수는"), Op("more", "all", "+", "d", "탄 학생을 먼저 더하면"),
            Op("less", "more", "-", "c", "내린 학생을 빼면"), Op("teams", "less", "/", "e", "나누면"),
        ),
        "조",
    ),
    Template(
        "저금", "ko",
        "지우는 하루에 {a}원씩 {b}일 동안 모으고, 동생은 하루에 {c}원씩 {d}일 동안 모았다. "
        "두 사람이 모은 돈으로 {e}원짜리 선물을 사면 얼마가 남는가?",
        {"a": (300, 900, 10), "b": (13, 40, 1), "c": (300, 900, 10), "d": (13, 40, 1), "e": (4000, 9000, 100)},
        (
            Op("one", "a", "*", "b", "지우가 모은 돈은"), Op("two", "c", "*", "d", "동생이 모은 돈은"),
            Op("all", "one", "+", "two", "두 사람의 돈은"), Op("left", "all", "-", "e", "선물을 사고 남는 돈은"),
        ),
        (
            Op("one", "a", "*", "b", "지우:"), Op("rest", "one", "-", "e", "선물값을 먼저 빼면"),
            Op("two", "c", "*", "d", "동생:"), Op("left", "rest", "+", "two", "남는 돈은"),
        ),
        "원",
    ),
)  # fmt: skip
"""Not looked at while anything was tuned; the confirmatory study draws from these alone."""
SPLITS = {"tuning": TUNING, "confirmatory": CONFIRMATORY}
