"""The walk of an answer: passes over its lines, each for one form of steps, with declarations read everywhere."""

from __future__ import annotations

import re
from typing import NamedTuple

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial import labels, rows, steps
from hallumaze_kit.trial.declared import declarations
from hallumaze_kit.trial.prose import Walker, says_back, sentences
from hallumaze_kit.trial.tokens import CELL, TOKEN, add, cell_of, confidence, direction_between, tokens
from hallumaze_kit.trial.trace import Event, Step

Line = tuple[str, int]
"""A folded line and where it begins in the answer."""

Heads = list["steps.Label | None"]
"""The step label of each line."""

Stated = tuple[float, str]
"""A confidence as written: its number, and "%" where its unit is clear."""

_RULE = re.compile(r"[\s|:=-]{3,400}")
_PLAIN = re.compile(
    r"[\s>•·+-]{0,14}(?:STEP|Step|step"
    r"|단계)\s{0,2}(\d{1,4})\s{0,2}[:.)]?\s{0,8}\((\d{1,3})\s?,\s?(\d{1,3})\)\s{0,8}→\s{0,14}\[?\s{0,8}([NESW])[→↑↓←]?"
    r"\s{0,8}\]?\s{0,8}"
    r"(?:\|\s{0,8}(?:(?:확신도|confidence|Confidence)\s{0,2}:\s{0,8}(?=\d)"
    r"|(?=\d{1,3}(?:\.\d{1,3})?\s{0,2}%))(\d{1,3}(?:\.\d{1,3})?)\s{0,2}(%?)\s{0,8})?(?:\|([^|]*))?"
)
_OPENING = re.compile(
    r"[^\w]{0,6}(?:(?i:at|from|in|on|cell|start(?:ing)? (?:at|from)|currently at|현재|위치|셀)\W{0,4}){0,2}"
)


class Draft(NamedTuple):
    """An event and, for a step, its confidence before the scale of the answer is known."""

    event: Event
    stated: Stated | None = None


class Reading(NamedTuple):
    """What a pass found: events in text order, how many are moves, how often what is told did not fit together."""

    drafts: list[Draft]
    moves: int
    doubts: int


def is_move(event: Event) -> bool:
    """A step that goes somewhere (an arrival is a step without direction or target)."""
    return isinstance(event, Step) and bool(event.direction or event.to is not None)


def read_walk(body: str, lines: list[Line], heads: Heads, taken: set[int]) -> Reading:
    """The plainest form that holds moves: JSON objects, numbered steps and tables, lists, sentences.

    `heads` are the step labels of the lines; `taken` are the lines that closing fields take up.
    """
    objects = [m for m in rows.OBJECT.finditer(body) if rows.STEP_KEY.search(m[0])] if rows.STEP_KEY.search(body) else []
    free = [h for i, h in enumerate(heads) if h and i not in taken]
    forms = []
    if objects:
        forms.append("json")
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
    plain = [d.event for d in drafts if isinstance(d.event, Step) and d.event.cell is not None and d.event.direction and d.event.to is None]
    if len(plain) < 2:
        return False
    begins = ends = 0
    for one, other in zip(plain, plain[1:], strict=False):
        begins += add(one.cell, one.direction) == other.cell  # type: ignore[arg-type]
        ends += add(one.cell, other.direction) == other.cell  # type: ignore[arg-type]
    begins += plain[0].cell == (0, 0)
    ends += plain[0].cell == add((0, 0), plain[0].direction)
    return ends > begins


class _Pass:
    """One pass over the lines that takes steps of one form ("json", "named", "listed", "prose")."""

    def __init__(self, lines: list[Line], heads: Heads, taken: set[int], form: str, ends: bool) -> None:
        self.lines, self.heads, self.taken, self.form, self.ends = lines, heads, taken, form, ends
        self.walker = Walker(cell=(0, 0), visited={(0, 0)})
        self.drafts: list[Draft] = []
        self.columns: list[str] | None = None
        self.loose: tuple[Cell | None, int] = (None, 0)

    def run(self, objects: list[re.Match[str]]) -> Reading:
        if self.form == "json":
            for m in objects:
                row = rows.read_object(m[0], m.span())
                if row:
                    self._take(row.steps, row.confidence, row.reason, m.start())
        i = 0
        while i < len(self.lines):
            line, base = self.lines[i]
            if i in self.taken or not line.strip():
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
        moves = sum(is_move(d.event) for d in self.drafts) or self._cells_as_chain()
        return Reading(self.drafts, moves, self.walker.doubts)

    # a line -------------------------------------------------------------------------------------

    def _line(self, i: int, line: str, base: int) -> int:
        head = self.heads[i]
        wanted = head is not None and ((self.form == "named" and head.named) or self.form in ("listed", "prose"))
        if head is None or not wanted:
            if self.form == "prose":
                self._prose(line, base)
            else:
                self._declare(line, base)
            return i + 1
        plain = _PLAIN.fullmatch(line)
        if plain:
            self._plain(plain, base)
            return i + 1
        end = i + 1
        if not re.search(r"[→↑↓←]|\b[NESW]\b", line[head.end :]):
            while end < len(self.lines) and end not in self.taken and steps.is_field(self.lines[end][0]):
                end += 1
        if end > i + 1:
            rest = (re.sub(r"^\s{0,12}[-*•·]\s", "  ", self.lines[k][0]) for k in range(i + 1, end))
            joined = steps.blank_keys(" | ".join([line[head.end :], *rest]))
            self._step(joined, base + head.end, head.number)
        else:
            inline = steps.split_inline(line)
            if not inline:
                self._step(line[head.end :], base + head.end, head.number)
                return end
            cuts = [0, *inline, len(line)]
            for a, b in zip(cuts, cuts[1:], strict=False):
                part = steps.label(line[a:b])
                if part:
                    self._step(line[a + part.end : b], base + a + part.end, part.number)
        return end

    def _plain(self, m: re.Match[str], base: int) -> None:
        """The form of the prompt itself, by far the most frequent line, without looking further."""
        number, row, col, direction, conf, unit, reason = m.groups()
        move = steps.RawStep(int(number), (int(row), int(col)), direction, None, (base + m.start(1), base + m.end(4)))
        self._take([move], (float(conf), unit) if conf else None, (reason or "").strip(), base + max(0, m.start(7)))

    def _step(self, body: str, base: int, number: int) -> None:
        body = body.replace(" · ", " | ").replace(" • ", " | ")
        conf = confidence(body)
        stated = (conf.value, conf.unit) if conf else steps.bare_confidence(body)
        form = steps.read_form(body, base, number)
        if form is not None:
            self._take(form[0], stated, form[1], base + max(0, body.find(form[1][:20])))
            return
        self._sentences(body, base, True, number, stated)

    def _prose(self, line: str, base: int) -> None:
        if not TOKEN.search(line):
            self._declare(line, base)
            return
        conf = confidence(line)
        stated = (conf.value, conf.unit) if conf else None
        bare = re.match(r"[\s>*•·\-–|\"'&\W]{0,14}?(?=[(\[→↑↓←\w])", line)
        start = bare.end() if bare else 0
        form = steps.read_form(line[start:], base + start, None)
        if form is not None and any(m.direction or m.to is not None for m in form[0]) and self._begins_here(form[0]):
            self._take(form[0], stated, form[1], base + max(0, line.rfind(form[1][:20])))
        elif labels.is_move_list(line) and len(moves := labels.read_moves(line)) >= 3:
            self._take([steps.RawStep(None, None, d, None, (base, base + len(line))) for d in moves], None, "", base)
        else:
            self._sentences(line, base, False, None, stated)

    def _begins_here(self, moves: list[steps.RawStep]) -> bool:
        """A bare line is a move only where the subject stands, stood, or comes to; else it looks ahead."""
        first = moves[0]
        here = self.walker.cell
        if first.cell is not None:
            return here is None or len(moves) == 1 or first.cell in self.walker.visited or bool(direction_between(here, first.cell))
        return True

    def _sentences(self, text: str, base: int, told: bool, number: int | None, stated: Stated | None) -> None:
        walker = self.walker
        found = CELL.search(text)
        if found and not says_back(text[: found.start()]):
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
        drafts = [Draft(s, stated) for s in walker.steps] + [Draft(e) for e in declared]
        self.drafts += sorted(drafts, key=lambda d: d.event.span)
        self.loose = (before, flushed if not told and drafts and isinstance(self.drafts[-1].event, Step) else 0)

    def _retract(self, cell: Cell) -> None:
        """Take back directions at a line's end that only described the way: the next line goes on where they began."""
        before, count = self.loose
        if count and cell == before:
            del self.drafts[-count:]
            self.walker.stand(before)
        self.loose = (None, 0)

    def _declare(self, text: str, base: int) -> None:
        self.drafts += [Draft(e) for e in declarations(text, base, self.walker.cell, self.walker.visited)]

    def _take(self, moves: list[steps.RawStep], stated: Stated | None, reason: str, base: int) -> None:
        """Steps of a form; what their reason declares of the cell where they begin comes before them."""
        walker = self.walker
        made = []
        if moves and moves[0].cell is not None:
            self._retract(moves[0].cell)
        walker.settle()
        for m in moves:
            cell, to = m.cell, m.to
            if self.ends and cell is not None and m.direction and to is None:
                cell, to = None, cell
            if cell is not None:
                walker.stand(cell)
            if not made:
                begins = walker.cell
            made.append(Draft(Step(m.number, cell, m.direction, to, None, reason, m.span), stated))
            if to is not None:
                walker.stand(to)
            elif m.direction and walker.cell is not None:
                walker.stand(add(walker.cell, m.direction))
        declared = declarations(reason, base, begins, walker.visited) if reason and moves else []
        after = [e for e in declared if getattr(e, "cell", None) == walker.cell != begins]
        self.drafts += [Draft(e) for e in declared if e not in after] + made + [Draft(e) for e in after]

    # tables -------------------------------------------------------------------------------------

    def _table_row(self, i: int, line: str, base: int) -> None:
        if _RULE.fullmatch(line):
            return
        if self.columns is None:
            ruled = i + 1 < len(self.lines) and bool(_RULE.fullmatch(self.lines[i + 1][0]))
            self.columns = rows.roles(line) if ruled else rows.guess_roles(line)
            if ruled:
                return
        numbered = "number" in self.columns or self.form in ("prose", "listed")
        walks = "hint" not in self.columns and ("cell" in self.columns or "direction" in self.columns)
        row = rows.read_row(line, base, self.columns) if numbered and walks and self.form != "json" else None
        if row:
            self._take(row.steps, row.confidence, row.reason, base + max(0, line.find(row.reason[:20])))
        else:
            self._declare(line, base)

    # a list of cells ----------------------------------------------------------------------------

    def _cells_as_chain(self) -> int:
        """Steps that only name cells are a walk from cell to cell; returns how many moves it has."""
        stated = [d.event.cell for d in self.drafts if isinstance(d.event, Step) and d.event.cell is not None]
        joined = sum(bool(direction_between(a, b)) for a, b in zip(stated, stated[1:], strict=False))
        if len(stated) < 3 or joined < len(stated) // 2:
            return 0
        moves = 0
        here: Cell = (0, 0)
        for k, draft in enumerate(self.drafts):
            e = draft.event
            if isinstance(e, Step) and e.cell is not None:
                if e.cell != here:
                    self.drafts[k] = draft._replace(event=e._replace(cell=None, direction=direction_between(here, e.cell), to=e.cell))
                    moves += 1
                here = e.cell
        return moves
