"""Arithmetic in words, English and Korean: "half of 60 is 30", "361에서 86을 빼면 285"."""

from __future__ import annotations

import re
from collections.abc import Iterator

_N = r"(?<![\d.,/*+=^-])\$?(?:\d{1,2}:\d\d|\d[\d,]*(?:\.\d+)?|\.\d+)(?:/\d+)?%?"
"""A number in a spoken sum: no LaTeX, no group; at most a fraction, a percentage or a clock time."""
_Q = rf"({_N}(?:\s[A-Za-z]+){{0,3}})"
_IS = r"\s(?:is equal to|which is|is|are|equals|gives|makes|leaves)\s"
_R = (
    rf"({_N}(?:\s(?!x\b)[A-Za-z]+)?)(?![\w.,:]*\d)(?!\w)"
    r"(?!(?:\s[A-Za-z]+){0,3}\s?[-+*/^=≈<>(])(?!(?:\s[A-Za-z]+){0,2}\sx\s)"
)
_ENGLISH = [
    (re.compile(pattern, re.I), left)
    for pattern, left in (
        (rf"{_Q}\splus\s{_Q}{_IS}{_R}", "{0} + {1}"),
        (rf"{_Q}\sminus\s{_Q}{_IS}{_R}", "{0} - {1}"),
        (rf"{_Q}\s(?:times|multiplied by)\s{_Q}{_IS}{_R}", "{0} * {1}"),
        (rf"{_Q}\sdivided by\s{_Q}{_IS}{_R}", "{0} / {1}"),
        (rf"\bhalf of\s{_Q}{_IS}{_R}", "(1/2) * {0}"),
        (rf"\b(?:a|one)[\s-]third of\s{_Q}{_IS}{_R}", "(1/3) * {0}"),
        (rf"\b(?:a|one)[\s-](?:quarter|fourth) of\s{_Q}{_IS}{_R}", "(1/4) * {0}"),
        (rf"\b(?:twice|double)\s(?:as (?:many|much) as\s)?{_Q}{_IS}{_R}", "2 * {0}"),
        (rf"({_N})\stimes as (?:many|much) as\s{_Q}{_IS}{_R}", "{0} * {1}"),
        (rf"(\d[\d,.]*(?:/\d+|%|\spercent))\sof\s(?:the\s)?{_Q}{_IS}{_R}", "{0} * {1}"),
    )
]
_K = r"(\d[\d,]*(?:\.\d+)?(?:/\d+)?%?)"
_WORD = r"[가-힣]{0,4}"
_KOREAN = [
    (re.compile(pattern), left)
    for pattern, left in (
        (rf"{_K}\s?{_WORD}에서\s?{_K}\s?{_WORD}[을를]?\s(?:빼면|뺀\s?값은|빼고\s?남는\s?것은)\s{_K}", "{0} - {1}"),
        (rf"{_K}\s?{_WORD}(?:에|와|과)\s?{_K}\s?{_WORD}[을를]?\s(?:더하면|합하면|더한\s?값은)\s{_K}", "{0} + {1}"),
        (rf"{_K}\s?{_WORD}(?:에|와|과)\s?{_K}\s?{_WORD}[을를]?\s(?:곱하면|곱한\s?값은)\s{_K}", "{0} * {1}"),
        (rf"{_K}\s?{_WORD}[을를]\s?{_K}\s?{_WORD}(?:으)?로\s(?:나누면|나눈\s?값은)\s{_K}", "{0} / {1}"),
        (rf"{_K}\s?{_WORD}의\s(?:절반|반)(?:은|이)\s{_K}", "(1/2) * {0}"),
        (rf"{_K}\s?{_WORD}의\s(?:두|2)\s?배(?:는|가)\s{_K}", "2 * {0}"),
        (rf"{_K}\s?{_WORD}의\s{_K}\s?(?:은|는|이)\s{_K}", "{1} * {0}"),
    )
]  # fmt: skip


def spoken(line: str) -> Iterator[tuple[str, str]]:
    """(left, right) of every sum that the plain line says in words.

    "Half of 60 is 30" gives ("(1/2) * 60", "30"); "20% of $50 is $10" ("20% * $50", "$10").
    """
    patterns = []
    if (
        " is " in line
        or " are " in line
        or "equal" in line
        or " gives " in line
        or " makes " in line
        or "leaves" in line
    ):
        patterns += _ENGLISH
    if re.search("빼|더하|더한|합하|곱하|곱한|나누|나눈|절반|의 ", line):
        patterns += _KOREAN
    for pattern, left in patterns:
        for match in pattern.finditer(line):
            *operands, result = match.groups()
            yield left.format(*operands), result
