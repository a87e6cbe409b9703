"""The walk of an answer: passes over its lines, each for one form of steps, with declarations read everywhere."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.reading import labels, rows, steps
from hallumaze_kit.trial.reading.prose import Walker, says_back, sentences
from hallumaze_kit.trial.reading.said.declared import declarations, place_of
from hallumaze_kit.trial.reading.tokens import (
    CELL,
    TOKEN,
    Stated,
    add,
    cell_of,
    direction_between,
    percentages,
    stated_behind,
    stated_in,
    tokens,
)
from hallumaze_kit.trial.trace import Event, Span, Step

MOST_TOLD = 200_000
"""Characters of lines in other forms than the prompt's that are read, each line counted as 20 more.

So much is some 3,000 sentences. Reading them is the slow part; no text can make it slower than that.
"""
Line = tuple[str, int]
"""A folded line and where it begins in the answer."""

Heads = list["steps.Label | None"]
"""The step label of each line."""

_RULE = re.compile(r"[\s|:=-]{3,400}")
_PLAIN = re.compile(
    r"[\s>•·+-]{0,14}(?:STEP|Step|step|단계)\s{0,2}(\d{1,4})\s{0,2}[:.)]?\s{0,8}"  # STEP 3:
    r"\((\d{1,3})\s?,\s?(\d{1,3})\)\s{0,8}→\s{0,14}\[?\s{0,8}([NESW])[→↑↓←]?\s{0,8}\]?\s{0,8}"  # (0,1) → [E]
    r"(?:\|\s{0,8}(?:(?:확신도|confidence|Confidence)\s{0,2}:\s{0,8}(?=\d)|(?=\d{1,3}(?:\.\d{1,3})?\s{0,2}%))"
    r"(\d{1,3}(?:\.\d{1,3})?)\s{0,2}(%?)\s{0,8})?"  # | confidence: 90%
    r"(?:\|([^|]*))?"  # | reason
)
_CONFIDENT = re.compile(r"onfiden|확신|신뢰|%|percent")
_OPENING = re.compile(
    r"[^\w]{0,6}(?:(?i:at|from|in|on|cell|start(?:ing)? (?:at|from)|currently at|현재|위치|셀)\W{0,4}){0,2}"
)
_MOVE = re.compile(r"[→↑↓←]|\b[NESW]\b")
_BULLET = re.compile(r"^\s{0,12}[-*•·]\s")
_BEFORE_WORDS = re.compile(r"[\s>*•·\-–|\"'&\W]{0,14}?(?=[(\[→↑↓←\w])")


class Draft(NamedTuple):
    """An event and, for a step, its confidence before the scale of the answer is known."""

    event: Event
    stated: Stated | None = None


class Reading(NamedTuple):
    """What a pass found: events in text order, how many are moves, how often what is told did not fit together.

    `cut` says that there was more than `MOST_TOLD`.
    """

    drafts: list[Draft]
    moves: int
    doubts: int
    form: str
    cut: bool = False


def is_move(event: Event) -> bool:
    """A step that goes somewhere (an arrival is a step without direction or target)."""
    return isinstance(event, Step) and (bool(event.direction) or event.to is not None)


def read_walk(body: str, lines: list[Line], heads: Heads, taken: set[int]) -> Reading:
    """The plainest form that holds moves: JSON objects, numbered steps and tables, lists, sentences.

    `heads` are the step labels of the lines; `taken` are the lines that closing fields take up.
    """
    objects: list[re.Match[str]] = []
    if rows.STEP_KEY.search(body):
        objects = [m for m in rows.OBJECT.finditer(body) if rows.STEP_KEY.search(m[0])]
    free = [h for i, h in enumerate(heads) if h and i not in taken]
    forms = ["json"] if objects else []
    if any(h.named for h in free) or any(rows.is_row(line) for line, _ in lines):
        forms.append("named")
    for form in forms:
        reading = _settled_pass(lines, heads, taken, form, objects)
        if reading.moves:
            return reading
    prose = _settled_pass(lines, heads, taken, "prose", [])
    if free:
        listed = _settled_pass(lines, heads, taken, "listed", [])
        if listed.moves and listed.moves >= prose.moves:
            return listed
    return prose


def _settled_pass(lines: list[Line], heads: Heads, taken: set[int], form: str, objects: list[re.Match[str]]) -> Reading:
    """A pass whose step cells are read as where moves begin, or end, whichever the whole answer fits."""
    reading = _Pass(lines, heads, taken, form, ends=False).run(objects)
    if _cells_are_ends(reading.drafts):
        return _Pass(lines, heads, taken, form, ends=True).run(objects)
    return reading


def _cells_are_ends(drafts: list[Draft]) -> bool:
    """Do the steps' cells fit each other better as the ends of moves than as their beginnings?"""
    stated = [e for e, _ in drafts if isinstance(e, Step) and e.cell and e.direction and not e.to]
    if len(stated) < 2:
        return False
    number, first, way = stated[0][:3]
    from_start = (number or 0) < 2  # a walk that goes on from a later step need not begin at the start
    begins, ends = from_start and first == (0, 0), from_start and first == add((0, 0), way)
    for (_, one, way, *_), (_, other, next_way, *_) in pairwise(stated):
        begins += add(one, way) == other
        ends += add(one, next_way) == other
    return ends > begins


def _at(event: Event, span: Span) -> Event:
    """The event with another place."""
    return event._replace(span=span) if isinstance(event, Step) else replace(event, span=span)


class _Pass:
    """One pass over the lines that takes steps of one form ("json", "named", "listed", "prose")."""

    def __init__(self, lines: list[Line], heads: Heads, taken: set[int], form: str, ends: bool) -> None:
        self.lines, self.heads, self.taken, self.form, self.ends = lines, heads, taken, form, ends
        self.walker = Walker(cell=(0, 0), visited={(0, 0)})
        self.drafts: list[Draft] = []
        self.columns: list[str] | None = None
        self.loose: tuple[Cell | None, int] = (None, 0)
        self.joints: list[tuple[int, int]] = []
        self.room = MOST_TOLD

    def run(self, objects: list[re.Match[str]]) -> Reading:
        """Read all lines, in the form "json" the objects first."""
        for m in objects if self.form == "json" else ():
            row = rows.read_object(m[0], m.span())
            if row:
                self._take(row.steps, row.confidence, row.reason, (m[0], m.start()))
        i = 0
        while i < len(self.lines):
            line, base = self.lines[i]
            if self.room < 0 and self.heads[i] is None:
                i += 1
            elif i in self.taken or not line.strip():
                self.columns = None
                i += 1
            elif rows.is_row(line):
                self._table_row(i, line, base)
                i += 1
            else:
                self.columns = None
                i = self._line(i, line, base)
        if self.form == "json":
            self.drafts.sort(key=lambda d: d.event.span)
        moves = sum(is_move(d.event) for d in self.drafts) or _cells_as_chain(self.drafts)
        return Reading(self.drafts, moves, self.walker.doubts, self.form, self.room < 0)

    # a line -------------------------------------------------------------------------------------

    def _line(self, i: int, line: str, base: int) -> int:
        """Read a line, with the fields of its step below it; returns the number of the next line."""
        head = self.heads[i]
        plain = _PLAIN.fullmatch(line) if head and self._takes(head) else None
        if plain and (plain[5] or not _CONFIDENT.search(plain[7] or "")):
            self._plain(plain, base)
            return i + 1
        self.room -= len(line) + 20
        if self.room < 0:
            return i + 1
        if head is None or not self._takes(head):
            if self.form == "prose":
                self._prose(line, base)
            else:
                self._declare(line, base)
            return i + 1
        end = self._end_of_fields(i, line[head.end :])
        if end > i + 1:
            self._step_of_fields(i, end, head)
        else:
            self._steps_of_line(line, base, head)
        return end

    def _takes(self, head: steps.Label) -> bool:
        """Are lines with such a label steps of this form?"""
        return self.form in ("listed", "prose") or (self.form == "named" and head.named)

    def _end_of_fields(self, i: int, body: str) -> int:
        """The line after the fields below a step's line (`- Direction: E`); a line with a move has none."""
        end = i + 1
        while end < len(self.lines) and self._is_field(end):
            if end == i + 1 and _MOVE.search(body):
                return end
            end += 1
        return end

    def _is_field(self, i: int) -> bool:
        head = self.heads[i]
        return not (head and head.named) and i not in self.taken and steps.is_field(self.lines[i][0])

    def _step_of_fields(self, i: int, end: int, head: steps.Label) -> None:
        """A step whose fields stand on lines of their own, read as one row."""
        line, base = self.lines[i]
        joined = line[head.end :]
        self.joints = [(0, base + head.end)]
        for text, at in self.lines[i + 1 : end]:
            plain = _BULLET.sub("  ", text)
            joined += " | "
            self.joints.append((len(joined), at + len(text) - len(plain)))
            joined += plain
        self._step(steps.blank_keys(joined), 0, head.number)
        self.joints = []

    def _steps_of_line(self, line: str, base: int, head: steps.Label) -> None:
        """The steps of a line: one, or several with labels inside the line."""
        inline = steps.split_inline(line) if steps.names_step(line[head.end :]) else []
        if not inline:
            self._step(line[head.end :], base + head.end, head.number)
            return
        for a, b in pairwise([0, *inline, len(line)]):
            part = steps.label(line[a:b])
            if part:
                self._step(line[a + part.end : b], base + a + part.end, part.number)

    def _plain(self, m: re.Match[str], base: int) -> None:
        """The form of the prompt itself, by far the most frequent line, without looking further."""
        number, row, col, direction, conf, unit, reason = m.groups()
        move = steps.RawStep(int(number), (int(row), int(col)), direction, None, (base + m.start(1), base + m.end(4)))
        self._take([move], (float(conf), unit) if conf else None, (reason or "").strip(), (m.string, base))

    def _step(self, body: str, base: int, number: int | None) -> None:
        """The body of a labelled step: by the form, else in sentences."""
        body = body.replace(" · ", " | ").replace(" • ", " | ")
        stated = stated_in(body) or steps.bare_confidence(body)
        form = steps.read_form(body, base, number)
        if form is not None:
            self._take(form.moves, stated, form.reason, (body, base))
        else:
            self._sentences(body, base, True, number, stated)

    def _prose(self, line: str, base: int) -> None:
        """A line without a label: a bare move, a list of moves, or sentences."""
        if not TOKEN.search(line):
            self._declare(line, base)
            return
        form = self._bare_form(line, base)
        if form is not None:
            self._take(form.moves, stated_in(line), form.reason, (line, base))
        elif labels.is_move_list(line) and len(moves := labels.read_moves(line)) >= 3:
            span = (base, base + len(line))
            self._take([steps.RawStep(None, None, d, None, span) for d in moves], None, "", (line, base))
        else:
            self._sentences(line, base, False, None, stated_in(line))

    def _bare_form(self, line: str, base: int) -> steps.Form | None:
        """A line that holds a move and no sentence, from where the subject stands, stood, or can step to."""
        before = _BEFORE_WORDS.match(line)
        start = before.end() if before else 0
        form = steps.read_form(line[start:], base + start, None)
        if form is None or not any(map(steps.goes, form.moves)):
            return None
        first, here = form.moves[0].cell, self.walker.cell
        if first is None or here is None or len(form.moves) == 1 or first in self.walker.visited:
            return form
        return form if direction_between(here, first) else None

    def _sentences(self, text: str, base: int, told: bool, number: int | None, stated: Stated | None) -> None:
        """A text told in sentences; `told=True` for the body of a numbered step."""
        walker = self.walker
        found = CELL.search(text)
        if found and self.loose[1] and not says_back(text[: found.start()]):
            self._retract(cell_of(found))
        start = walker.cell
        walker.begin(told, number)
        if told and found and _OPENING.fullmatch(text[: found.start()]):
            walker.cell = None
        declared: list[Event] = []
        tokened = tokens(text)
        for sentence, at in sentences(text):
            walker.read(sentence, [t for t in tokened if at <= t.start < at + len(sentence)], base, at)
            declared += declarations(sentence, base + at, walker.standing, walker.visited)
        before = walker.cell
        flushed = walker.finish()
        if walker.cell is None:
            walker.cell = start
        said = percentages(text) if walker.steps and not told and stated else []
        drafts = [Draft(s, stated_behind(s.span[1] - base, said) if len(said) > 1 else stated) for s in walker.steps]
        if declared:
            drafts = sorted([*drafts, *map(Draft, declared)], key=lambda d: d.event.span)
        self._add(drafts)
        ends_in_step = bool(drafts) and isinstance(self.drafts[-1].event, Step)
        self.loose = (before, flushed if not told and ends_in_step else 0)

    def _add(self, drafts: list[Draft]) -> None:
        """Keep what was read; of a text joined from several lines, at its place in the answer."""
        if self.joints:
            drafts = [d._replace(event=_at(d.event, self._span(*d.event.span))) for d in drafts]
        self.drafts += drafts

    def _span(self, start: int, end: int) -> Span:
        """The place in the answer of a part of the joined text."""
        first, last = (self.joints[bisect_right(self.joints, (at, math.inf)) - 1] for at in (start, end - 1))
        return start - first[0] + first[1], end - last[0] + last[1]

    def _retract(self, cell: Cell) -> None:
        """Take back directions at a line's end that only described the way: the next line goes on where they began."""
        before, count = self.loose
        if count and cell == before:
            del self.drafts[-count:]
            self.walker.stand(before)
        self.loose = (None, 0)

    def _declare(self, text: str, base: int) -> None:
        declared = declarations(text, base, self.walker.cell, self.walker.visited)
        if declared:
            self.drafts += map(Draft, declared)
            self.loose = (None, 0)

    def _take(self, moves: list[steps.RawStep], stated: Stated | None, reason: str, where: Line) -> None:
        """Steps of a form; what their reason declares of the cell where they begin comes before them.

        `where` is the text in which moves and reason stand, and where it begins in the answer.
        """
        walker = self.walker
        begins = moves[0].cell
        if begins is not None:
            self._retract(begins)
        walker.settle()
        if self.ends:
            moves = [steps.with_end(m) for m in moves]
            begins = moves[0].cell
        begins = walker.cell if begins is None else begins
        percent = stated[0] if stated and stated[1] and stated[0] <= 100 else None
        made = []
        for number, cell, direction, to, span in moves:
            if cell is not None:
                walker.stand(cell)
            made.append(Draft(Step(number, cell, direction, to, percent, reason, span), stated))
            if to is not None:
                walker.stand(to)
            elif direction and walker.cell is not None:
                walker.stand(add(walker.cell, direction))
        declared = declarations(reason, 0, begins, walker.visited) if reason else []
        if not declared:
            self._add(made)
            return
        first, after = [], []
        for event in declared:
            draft = Draft(_at(event, place_of(reason, event.span, where) or moves[0].span))
            (after if getattr(event, "cell", None) == walker.cell != begins else first).append(draft)
        self._add([*first, *made, *after])

    # tables -------------------------------------------------------------------------------------

    def _table_row(self, i: int, line: str, base: int) -> None:
        """A row of a table: its header gives what the columns hold, else its first row."""
        if _RULE.fullmatch(line):
            return
        if self.columns is None:
            ruled = i + 1 < len(self.lines) and bool(_RULE.fullmatch(self.lines[i + 1][0]))
            header = ruled or rows.is_header(line)
            self.columns = rows.roles(line) if header else rows.guess_roles(line)
            if header:
                return
        numbered = "number" in self.columns or self.form in ("prose", "listed")
        walks = "hint" not in self.columns and ("cell" in self.columns or "direction" in self.columns)
        row = rows.read_row(line, base, self.columns) if numbered and walks and self.form != "json" else None
        if row:
            self._take(row.steps, row.confidence, row.reason, (line, base))
        else:
            self._declare(line, base)


def _cells_as_chain(drafts: list[Draft]) -> int:
    """Make steps that only name cells a walk from cell to cell; returns how many moves it has."""
    stated = [d.event.cell for d in drafts if isinstance(d.event, Step) and d.event.cell is not None]
    joined = sum(bool(direction_between(a, b)) for a, b in pairwise(stated))
    if len(stated) < 3 or joined < len(stated) // 2:
        return 0
    moves, here = 0, (0, 0)
    for k, (event, stated_confidence) in enumerate(drafts):
        if isinstance(event, Step) and event.cell is not None:
            if event.cell != here:
                move = event._replace(cell=None, direction=direction_between(here, event.cell), to=event.cell)
                drafts[k] = Draft(move, stated_confidence)
                moves += 1
            here = event.cell
    return moves
