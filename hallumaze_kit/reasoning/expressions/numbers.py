"""Numbers as people write them: words in English and Korean, and the values that a text names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

LONGEST_NUMBER = 60
"""Digits before the point, and behind it: longer whole numbers are no quantities, further decimals are dropped."""

WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12, "dozens": 12, "score": 20,
    "once": 1, "twice": 2, "thrice": 3, "double": 2, "doubled": 2, "doubles": 2, "triple": 3, "tripled": 3,
    "triples": 3, "quadruple": 4, "quadrupled": 4, "pair": 2, "couple": 2, "both": 2, "twin": 2, "twins": 2,
    "triplets": 3, "quarter": Fraction(1, 4), "quarters": Fraction(1, 4), "half": Fraction(1, 2),
    "halves": Fraction(1, 2), "halved": Fraction(1, 2), "third": Fraction(1, 3), "thirds": Fraction(1, 3),
    "fourth": Fraction(1, 4), "fourths": Fraction(1, 4), "fifth": Fraction(1, 5), "fifths": Fraction(1, 5),
    "sixth": Fraction(1, 6), "sixths": Fraction(1, 6), "seventh": Fraction(1, 7), "eighth": Fraction(1, 8),
    "eighths": Fraction(1, 8), "ninth": Fraction(1, 9), "tenth": Fraction(1, 10), "tenths": Fraction(1, 10),
    "twentieth": Fraction(1, 20), "second": 2, "first": 1, "week": 7, "weekly": 7, "weekend": 2, "weekdays": 5,
    "weekday": 5, "fortnight": 14, "decade": 10, "century": 100, "trio": 3, "solo": 1, "single": 1,
    "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9,
    "한": 1, "하나": 1, "두": 2, "둘": 2, "세": 3, "셋": 3, "네": 4, "넷": 4, "다섯": 5, "여섯": 6, "일곱": 7,
    "여덟": 8, "아홉": 9, "열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50, "절반": Fraction(1, 2),
    "반": Fraction(1, 2), "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "이틀": 2, "하루": 1, "열흘": 10,
    "일주일": 7,
}  # fmt: skip
"""Number words with what they may stand for; ordinals too ("a third" is 1/3, "the third" 3: both are counted)."""
ORDINALS = {
    "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
    "quarter": 25, "quarters": 25, "dime": 10, "dimes": 10, "nickel": 5, "nickels": 5, "penny": 1, "pennies": 1,
}  # fmt: skip
"""The other value of a word."""
SCALES = {
    "hundred": 100, "thousand": 1000, "k": 1000, "million": 10**6, "millions": 10**6, "billion": 10**9,
    "trillion": 10**12, "백": 100, "천": 1000, "만": 10**4, "억": 10**8, "조": 10**12,
}  # fmt: skip
COMMON = frozenset(
    Fraction(n)
    for n in (
        0, 1, 2, 3, 4, 5, 7, 10, 12, 16, 24, 30, 31, 36, 50, 52, 60, 100, 180, 360, 365, 366, 1000, 2000, 3600, 5280
    )
) | {Fraction(1, 2), Fraction(1, 4), Fraction(3, 4), Fraction(314, 100), Fraction(1, 100), Fraction(22, 7)}  # fmt: skip
"""What needs no source: days, months, minutes, cents, feet, ounces; half, twice, a few counted persons or things."""

_NUMBER = re.compile(
    r"(?<![\d.])(?:(\d{1,3}(?:,\d{3})+|\d{1,60})(\.\d{1,60})?|(\.\d{1,60}))(?:\s?/\s?(\d{1,12})(?![\d.,]*\d))?"
)
_KOREAN_DIGITS = {"일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "육": 6, "칠": 7, "팔": 8, "구": 9, "영": 0, "공": 0}
_KOREAN_SMALL = {"십": 10, "백": 100, "천": 1000}
_KOREAN_LARGE = {"만": 10**4, "억": 10**8, "조": 10**12}
_KOREAN_NUMERAL = re.compile(r"[일이삼사오육칠팔구십백천만억조]{1,20}")
_GLUED = re.compile(r"\s?([가-힣]|k(?![a-z])|hundred|thousand|million|billion|trillion)", re.I)
_WORD = re.compile(r"[A-Za-z]+|[가-힣]+")
_NATIVE = re.compile(r"(열|스물|서른|마흔|쉰)(한|두|세|네|다섯|여섯|일곱|여덟|아홉)")


def literal(digits: str) -> Fraction | None:
    """The value of a decimal literal, commas allowed; None where it is too long.

    "1,234.50" is 2469/2, ".5" 1/2.
    """
    whole, point, decimals = digits.replace(",", "").replace(" ", "").partition(".")
    if len(whole) > LONGEST_NUMBER:
        return None
    if not point:
        return Fraction(int(whole))
    return Fraction(f"{whole or 0}{point}{decimals[:LONGEST_NUMBER] or (point and '0')}")


def korean_numeral(text: str) -> int | None:
    """The value of a number in Sino-Korean words; None where it is none.

    "십일만 삼천삼백팔십육" (without the space) is 113386, "백" 100, "일억" 100000000.
    """
    total = section = digit = 0
    for sign in text:
        if sign in _KOREAN_DIGITS:
            digit = digit * 10 + _KOREAN_DIGITS[sign]
        elif sign in _KOREAN_SMALL:
            section += (digit or 1) * _KOREAN_SMALL[sign]
            digit = 0
        elif sign in _KOREAN_LARGE:
            total += ((section + digit) or 1) * _KOREAN_LARGE[sign]
            section = digit = 0
        else:
            return None
    return total + section + digit if text else None


def named_values(text: str) -> Iterator[Fraction]:
    """Every value that a plain text names, in digits or in words, in any of the readings that it allows.

    "half of 3/8, 20% of $1,200" gives 1/2, 3/8, 3, 8, 20, 1/5, 1200.
    """
    for found in _NUMBER.finditer(text):
        value = literal((found[1] or "") + (found[2] or "") if found[1] else found[3])
        if value is None:
            continue
        yield value
        if found[4] and int(found[4]):
            yield Fraction(int(found[4]))
            yield value / int(found[4])
        behind = text[found.end() : found.end() + 9]
        if behind.lstrip().startswith(("%", "per", "퍼")):
            yield value / 100
        scale = _GLUED.match(behind)
        if scale and scale[1].lower() in SCALES:
            yield value * SCALES[scale[1].lower()]
    previous: Fraction | None = None
    for word in _WORD.findall(text):
        lower = word.lower()
        value = WORDS.get(lower, ORDINALS.get(lower))
        if value is None and "가" <= word[0] <= "힣":
            yield from _korean_values(word)
            previous = None
            continue
        if value is None:
            if lower not in ("and", "a", "of"):
                previous = None
            continue
        value = Fraction(value)
        yield value
        if lower in ORDINALS:
            yield Fraction(ORDINALS[lower])
        if previous is not None:
            yield previous * value
            yield previous + value
        previous = value
    for tens, units in _NATIVE.findall(text):
        yield Fraction(WORDS[tens] + WORDS[units])


def _korean_values(word: str) -> Iterator[Fraction]:
    for length in (4, 3, 2, 1):
        if word[:length] in WORDS:
            yield Fraction(WORDS[word[:length]])
            break
    numeral = _KOREAN_NUMERAL.match(word)
    if numeral:
        value = korean_numeral(numeral[0])
        if value is not None:
            yield Fraction(value)
    if "절반" in word or word.startswith("반"):
        yield Fraction(1, 2)
