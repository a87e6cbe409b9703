"""Bare rules (`---`, `=====`): answers hold some themselves, so one parts answers only if both sides look like one.

What is looked for on each line: a first step (S), a final path (F), a reported count (C), cells. A rule parts

    A … S … F  ---  … S …      a new first step after a final path, or after a first step
    A … F      ---  … F        a second final path, where what stands before it is a walk of its own
                               (it starts at (0,0) and names six cells) or both sides report counts

and nothing else, so the rules between the steps and the closing fields of one answer do not.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import NamedTuple

RULE = re.compile(r"[ \t]{0,3}([=\-*_#~])(?:[ \t]?\1){2,400}[ \t\r]*$")
_START = r"[(\[]\s?0\s?,\s?0\s?[)\]]"
_ZERO = re.compile(_START)
_FIRST_STEP = re.compile(
    rf"\W{{0,12}}(?:(?:step|단계|스텝)\s{{0,2}}1(?!\d)|1\s?단계|1\W{{1,8}}(?={_START}))[^\n]{{0,60}}?{_START}", re.I
)
_FINAL = re.compile(r"final[ _-]{0,2}(?:path|route)|최종[ _]?(?:경로|루트|이동 ?경로)", re.I)
_COUNT = re.compile(r"backtrack[ _-]{0,2}count|백트래킹 ?횟수|되돌아[간온] ?횟수", re.I)
_PLACEHOLDER = re.compile(r"[(\[]r ?, ?c[)\]]")
_CELL = re.compile(r"[(\[]\s?\d{1,3}\s?,\s?\d{1,3}\s?[)\]]")
_CHECK = re.compile(r"검증|검산|확인|verif|check|double", re.I)
_AFTERWORD = re.compile(
    r"\s{0,3}(?:#{2,6}\s|[-*•]\s|\W{0,6}(?:note|summary|remark|event|참고|요약|정리|이벤트|비고))", re.I
)
_LOOKED_AT = 400
_HEADING = 60
_OWN_CELLS = 6


class Signs(NamedTuple):
    """Of a text's lines: numbers of those with a sign, in order, and running counts of cells and starts."""

    firsts: list[int]
    finals: list[int]
    counts: list[int]
    cells: list[int]
    starts: list[int]


def signs(lines: list[str]) -> Signs:
    """Look each line over once; of a long line its beginning."""
    firsts, finals, counts, cells, starts = [], [], [], [0], [0]
    for i, whole in enumerate(lines):
        line = whole[:_LOOKED_AT]
        final = _FINAL.search(line) is not None and not _PLACEHOLDER.search(line)
        if final:
            finals.append(i)
        elif _FIRST_STEP.match(line):
            firsts.append(i)
        if _COUNT.search(line):
            counts.append(i)
        inside = "," in line and not final
        cells.append(len(_CELL.findall(line)) if inside else 0)
        starts.append(1 if inside and _ZERO.search(line) else 0)
    return Signs(firsts, finals, counts, list(accumulate(cells)), list(accumulate(starts)))


def looks_like_answer(text: str) -> bool:
    """Does a text hold a first step, a final path or a walk from the start?"""
    lines = text.split("\n")
    found = signs(lines)
    return bool(found.firsts or found.finals) or _walks(found, 0, len(lines))


def cuts(lines: list[str]) -> list[int]:
    """The numbers of the lines, bare rules all, at which a text of several answers is to be cut."""
    rules = [i for i, line in enumerate(lines) if len(line) < 420 and RULE.match(line)]
    if not rules:
        return []
    found = signs(lines)
    upcoming = _Ahead(found, len(lines))
    chosen: list[int] = []
    begin = at = 0
    while at < len(rules):
        rule = rules[at]
        reach = _parts(lines, found, upcoming, rules, at, begin)
        if reach is None:
            at += 1
            continue
        stop = at + 1
        while stop < len(rules) and rules[stop] < reach:
            stop += 1
        rule = _best(lines, rules[at:stop])
        chosen.append(rule)
        begin, at = rule + 1, stop
    return chosen


class _Ahead:
    """For each line, the number of the next line (that one counted) with a sign; the number of lines if none."""

    def __init__(self, found: Signs, size: int) -> None:
        self.size = size
        self.first = self._next(found.firsts)
        self.final = self._next(found.finals)
        self.count = self._next(found.counts)

    def _next(self, at: list[int]) -> list[int]:
        out = [self.size] * (self.size + 1)
        for i in at:
            out[i] = i
        for i in range(self.size - 1, -1, -1):
            out[i] = min(out[i], out[i + 1])
        return out


def _parts(lines: list[str], found: Signs, ahead: _Ahead, rules: list[int], at: int, begin: int) -> int | None:
    """The line of the next answer's first sign, if rule number `at` stands before another answer; else None."""
    rule = rules[at]
    first, final = ahead.first[rule], ahead.final[rule]
    had_final = ahead.final[begin] < rule
    if first < final:
        if first < ahead.size and had_final and _CHECK.search(_line_after(lines, rule)[:_HEADING]):
            return None  # the steps once more, to verify them
        return first if had_final or ahead.first[begin] < rule else None
    if final >= ahead.size or not had_final:
        return None
    end = next((r for r in rules[at + 1 : at + 20] if r > final), ahead.size)
    own_counts = ahead.count[rule] < end and ahead.count[begin] < rule
    return final if own_counts or _walks(found, rule, final) else None


def _walks(found: Signs, begin: int, end: int) -> bool:
    """Do the lines hold a walk from the start, outside of a final path?"""
    cells = found.cells[end] - found.cells[begin]
    return cells >= _OWN_CELLS and found.starts[end] > found.starts[begin]


def _best(lines: list[str], rules: list[int]) -> int:
    """Of the rules between two answers, the one that parts them.

    Rather one that markdown does not use, else the first that is not followed by an afterword, else the last.
    """
    plain = [rule for rule in rules if lines[rule].strip() not in ("---", "***", "___")]
    pool = plain or rules
    return next((rule for rule in pool if not _AFTERWORD.match(_line_after(lines, rule))), pool[-1])


def _line_after(lines: list[str], rule: int) -> str:
    return next((line for line in lines[rule + 1 : rule + 6] if line.strip()), "")[:_LOOKED_AT]
