"""Units that a sum may mix: how many of the smallest one each holds."""

from __future__ import annotations

from fractions import Fraction

_TABLE: dict[str, dict[str, Fraction | int]] = {
    "time": {
        "second seconds sec secs s 초": 1, "minute minutes min mins 분": 60, "hour hours hr hrs h 시간": 3600,
        "day days 일": 86400, "week weeks 주": 604800,
    },
    "long time": {"month months 개월 달": 1, "year years yr yrs 년": 12},
    "length": {
        "millimeter millimeters mm 밀리미터": 1, "centimeter centimeters centimetre centimetres cm 센티미터 센티": 10,
        "meter meters metre metres m 미터": 1000, "kilometer kilometers kilometre kilometres km 킬로미터": 10**6,
    },
    "inches": {"inch inches": 1, "foot feet ft": 12, "yard yards": 36, "mile miles": 63360},
    "mass": {"gram grams g 그램": 1, "kilogram kilograms kg kilos 킬로그램": 1000, "ton tons tonne tonnes 톤": 10**6},
    "ounces": {"ounce ounces oz": 1, "pound pounds lb lbs": 16},
    "volume": {"milliliter milliliters ml 밀리리터": 1, "liter liters litre litres l 리터": 1000},
    "cups": {"cup cups": 1, "pint pints": 2, "quart quarts": 4, "gallon gallons": 16},
    "money": {"cent cents penny pennies 센트": 1, "nickel nickels": 5, "dime dimes": 10, "dollar dollars $ 달러": 100},
    "count": {"dozen dozens": 12, "pair pairs": 2},
}  # fmt: skip
UNITS: dict[str, tuple[str, Fraction]] = {
    word: (dimension, Fraction(factor))
    for dimension, table in _TABLE.items()
    for words, factor in table.items()
    for word in words.split()
}
"""Unit word: its dimension, and how many base units it is: "hours" is ("time", 3600)."""
_STEMS = tuple(sorted((unit for unit in UNITS if "가" <= unit[0] <= "힣"), key=len, reverse=True))


def unit_of(word: str) -> str:
    """The unit that a word names, "" for one that is none. Korean particles may hang on it: "분이고" is "분".

    A Korean counter that only looks like a unit ("분" for persons) cannot be told apart; it is never converted alone.
    """
    lower = word.lower().rstrip(".")
    if lower in UNITS:
        return lower
    if lower and "가" <= lower[0] <= "힣":
        return next((stem for stem in _STEMS if lower.startswith(stem)), "")
    return ""


def same_dimension(one: str, other: str) -> bool:
    """Whether two units can be converted into each other."""
    return one in UNITS and other in UNITS and UNITS[one][0] == UNITS[other][0]


def factor(one: str, other: str) -> Fraction:
    """How many of `other` one of `one` is: `factor("hours", "minutes")` is 60."""
    return UNITS[one][1] / UNITS[other][1]
