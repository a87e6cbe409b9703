"""Moves told in words: "From (0,0) I go east to (0,1), then south twice".

A `Walker` goes through an answer clause by clause and keeps where the subject stands. A clause is
*told as done* (a verb of motion, a chain of arrows, "then …") or only *looked at* (what is open, what a
branch would lead to, what a hint says); only the first kind moves the walker.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.reading.tokens import CELL, Token, add, direction_between, without
from hallumaze_kit.trial.reading.vocabulary import (
    BACK,
    CLAUSE_END_ENGLISH,
    CLAUSE_END_KOREAN,
    CONTINUES,
    COUNT_AFTER,
    COUNT_BEFORE,
    COUNTED,
    EITHER,
    FROM,
    LOOKED,
    MOTION,
    MOVED,
    NOT_DONE,
    NUMBERS,
    SENTENCE_END,
    THIRD_PERSON,
    Said,
)  # fmt: skip
from hallumaze_kit.trial.trace import Step

_AFTER_FROM = re.compile(r"^\s{0,2}(?:에서|에선|부터|출발)")
_TO = re.compile(r"\b(?:to|into|reach\w{0,3}|arrive at|onto)\s{1,2}(?:cell\s)?$", re.I)
_GOES_ON = re.compile(
    rf"\s{{0,2}}(?:{CELL.pattern})에서는?\s(?:다시|또|그대로|계속|이어서|곧장|바로)?\s?[가-힣]{{1,3}}쪽(?:으로)?[\s,]{{0,3}}"
    rf"(?:(?:{CELL.pattern})(?:으?로)?)?[\s,.]{{0,3}}(?:이어서|그리고|그다음|다음)?\s?"
)
"""A clause without a verb: "(1,0)에서 다시 남쪽, (2,0)", "(3,0)에서는 오른쪽 (3,1)로,"."""
_TO_KO = re.compile(r"\s{0,2}(?:으로|로|까지|에)(?:\s|$)")
_WORD = re.compile(r"\w")
_NO_WORD = re.compile(r"\W")
_SMALL = re.compile(
    r"[\W\d]|하면|then|and|finally|쪽|으로|로|출구|도착|순서|차례|exit|마지막|이어서|그다음|다음|이제"
)  # fmt: skip
_AWAY = re.compile(r"\bfrom\s{0,2}$", re.I)
_RECAP = re.compile(r"^\W{0,4}(?:that's|that is|i\.e\.|namely|즉|곧)\s")
_FROM_ENDS = (
    "at", "from", "in", "on", "of", "the", "cell", "leaving", "leave", "left", "start", "starting", "point",
    "position:", "location:", "position is", "location is",
    "현재", "지금", "셀", "위치", "칸",
)  # fmt: skip
"""The last words of `FROM`, looked for before the pattern is."""


class Pending(NamedTuple):
    """A direction told without its target so far."""

    direction: str
    times: int
    span: tuple[int, int]


@dataclass
class Walker:
    """Where the subject stands while its answer is read.

    `cell` is None until a cell is known; `visited` are the cells where the subject stood; `doubts` counts
    the places where what is told does not fit together, which is a fault of the answer or of the reading.
    """

    cell: Cell | None = None
    visited: set[Cell] = field(default_factory=set)
    steps: list[Step] = field(default_factory=list)
    doubts: int = 0
    _live: bool = False
    _pending: list[Pending] = field(default_factory=list)
    _stated: Cell | None = None
    _number: int | None = None
    _told: bool = False
    _rest: str = ""

    def stand(self, cell: Cell | None) -> None:
        """The subject stands at `cell`."""
        self.cell = cell
        if cell is not None:
            self.visited.add(cell)

    def begin(self, told: bool, number: int | None = None) -> None:
        """A line begins. `told=True` (the body of a numbered step): what is not only looked at, is done."""
        self._told = self._live = told
        self._number = number
        self.steps = []

    def read(self, sentence: str, found: Sequence[Token], base: int, at: int) -> None:
        """Read a folded sentence that begins at `at` of a line, which begins at `base` of the answer.

        `found` are the line's tokens that lie in the sentence. Clauses behind the last of them change nothing.
        """
        if not found:
            return
        whole = Said(sentence)
        ends = CLAUSE_END_KOREAN if whole.hangul else CLAUSE_END_ENGLISH
        start = read = 0
        for end in [m.end() for m in ends.finditer(sentence)] + [len(sentence)]:
            away = at + start
            here = []
            for t in found[read:]:
                if t.start - at >= end:
                    break
                here.append(Token(t.kind, t.value, t.start - away, t.end - away, t.sign) if away else t)
            if here and here[-1].kind == "cell" and here[-1].end > end - start:
                continue  # the comma of a cell
            read += len(here)
            self._rest = sentence[end:]
            self._clause(Said(sentence[start:end], whole), here, base + away, first=start == 0)
            if read == len(found):
                break
            start = end

    def finish(self) -> int:
        """The line ends: directions that still wait are moves; returns how many."""
        before = len(self.steps)
        self._flush()
        return len(self.steps) - before

    def settle(self) -> None:
        """A step in a form follows: what sentences left open is closed."""
        self._pending.clear()
        self._stated = None

    @property
    def standing(self) -> Cell | None:
        """Where the subject stands, directions that still wait for their target counted."""
        cell = self.cell
        for p in self._pending:
            cell = add(cell, p.direction, p.times) if cell is not None else None
        return cell

    # ---- clauses ---------------------------------------------------------------------------------

    def _clause(self, said: Said, found: Sequence[Token], base: int, first: bool) -> None:
        live = self._is_told(said, found, first)
        clause = said.text
        if found or _WORD.search(clause):
            self._live = live
        for i, token in enumerate(found):
            if token.kind == "cell":
                self._on_cell(said, base, found, i, live)
            elif token.kind == "dir" and live:
                span = (base + token.start, base + token.end)
                self._pending.append(Pending(token.value, _count(clause, token), span))
            elif token.kind == "arrow" and live and self._arrow_is_east(clause, found, i):
                self._pending.append(Pending("E", 1, (base + token.start, base + token.end)))

    def _is_told(self, clause: Said, found: Sequence[Token], first: bool) -> bool:
        """Is this clause (the `first` of its sentence, or a later one) told as done (True), or only looked at?"""
        if _is_bare(clause.text, found):
            return True
        moved = clause.says(MOVED)
        if self._is_aside(clause, found) or (not moved and clause.says(LOOKED)) or clause.says(NOT_DONE):
            return False
        if moved or self._goes_on(clause) or clause.says(MOTION) or self._is_chain_from_here(found):
            return True
        begins = first and _is_sentence_start(clause.text)
        if clause.says(CONTINUES):
            return self._live or bool(found and begins)
        if not begins:
            return self._live
        return self._told or (len(found) > 1 and _says_from(clause.text[: found[0].start]))

    def _goes_on(self, clause: Said) -> bool:
        """A Korean clause that leaves the verb to the end of its sentence, where nothing is only looked at."""
        return (
            clause.hangul and _GOES_ON.fullmatch(clause.text) is not None and not Said(self._rest, clause).says(LOOKED)
        )

    def _is_aside(self, clause: Said, found: Sequence[Token]) -> bool:
        """Never a move: cells named again, a choice, a branch as the subject of the clause."""
        if found and found[0].kind == "cell" and found[0].value in self.visited and _RECAP.match(clause.low):
            return True
        if len(found) > 1 and clause.says(EITHER):
            return True
        return clause.says(THIRD_PERSON)

    def _is_chain_from_here(self, found: Sequence[Token]) -> bool:
        """Arrows whose first cell is where the subject stands or stood, or next to it."""
        if not any(t.kind == "arrow" for t in found):
            return False
        first = next((t for t in found if t.kind == "cell"), None)
        if first is None or self.cell is None:
            return True
        cell: Cell = first.value
        return cell == self.cell or cell in self.visited or bool(direction_between(self.cell, cell))

    @staticmethod
    def _arrow_is_east(clause: str, found: Sequence[Token], i: int) -> bool:
        """A bare → with neither a cell nor a direction on its right stands for east."""
        last = i == len(found) - 1 and not clause[found[i].end :].strip(" .,|])")
        return last and i > 0 and found[i - 1].kind == "cell"

    # ---- cells -----------------------------------------------------------------------------------

    def _on_cell(self, said: Said, base: int, found: Sequence[Token], i: int, live: bool) -> None:
        token, clause = found[i], said.text
        cell: Cell = token.value
        before, after = clause[max(0, token.start - 60) : token.start], clause[token.end : token.end + 40]
        stated = bool(_says_from(before) or _AFTER_FROM.match(after))
        if self.cell is None:
            self._state(cell)
            return
        if not live and not (stated and i == 0 and self._is_opening(said, cell)):
            return
        span = (base + token.start, base + token.end)
        if cell == self.cell:
            self._on_own_cell(cell, before, stated, first=i == 0)
        elif self._fits(cell, span):
            return
        elif cell in self.visited and (stated or says_back(clause)):
            self._return(cell)
        elif direction_between(self.cell, cell):
            self._pending.clear()
            self._move(direction_between(self.cell, cell), cell, span)
        elif cell in self.visited:
            self._return(cell)
        elif live and i and (found[i - 1].kind == "arrow" or _TO.search(before)):
            self._jump(cell, span)
        elif stated and live:
            self.doubts += 1
            self._state(cell)
        elif live and _TO_KO.match(after) and said.says(MOTION):
            self._jump(cell, span)

    def _is_opening(self, clause: Said, cell: Cell) -> bool:
        """A clause that only looks, but opens with where the subject stands ("At (1,0) both ways are open")."""
        if clause.says(THIRD_PERSON) or clause.says(NOT_DONE):  # what a branch does, or is not done
            return False
        if cell == self.cell:
            return True
        return cell not in self.visited and bool(direction_between(self.standing or cell, cell))

    def _on_own_cell(self, cell: Cell, before: str, stated: bool, first: bool) -> None:
        """The cell where the subject stands: it came back by the moves that wait, or they were none."""
        if self._pending and (says_back(before) or (stated and first)):
            self._return(cell)
            return
        if not (stated and _AWAY.search(before)):
            self._pending.clear()
        self._stated = cell

    def _return(self, cell: Cell) -> None:
        """The subject made the moves that wait, and stands at a cell again."""
        self._flush()
        self._state(cell)

    def _jump(self, cell: Cell, span: tuple[int, int]) -> None:
        """The subject goes to a cell to which nothing leads."""
        self.doubts += 1
        self._pending.clear()
        self._move("", cell, span)

    def _fits(self, cell: Cell, span: tuple[int, int]) -> bool:
        """Make the moves that wait, if they lead to `cell`: all of them, or the last one as far as needed."""
        waiting = self._pending
        assert self.cell is not None
        if not waiting:
            return False
        ends = [self.cell]
        for p in waiting:
            ends.append(add(ends[-1], p.direction, p.times))
        if ends[-1] == cell:
            self._flush(cell)
            return True
        for keep in (len(waiting) - 1, 0):
            far = _distance_along(ends[keep], cell, waiting[-1].direction)
            if far:
                self._pending = waiting[:keep]
                self._flush()
                for _ in range(far):
                    self._move(waiting[-1].direction, add(self.cell, waiting[-1].direction), span)
                return True
        return False

    def _flush(self, last: Cell | None = None) -> None:
        """Directions without a target are moves of one cell, or of the count that was said; `last` ends them."""
        waiting, self._pending = self._pending, []
        for p in waiting:
            for _ in range(p.times):
                to = add(self.cell, p.direction) if last is not None and self.cell is not None else None
                self._move(p.direction, to, p.span)

    def _state(self, cell: Cell) -> None:
        self._pending.clear()
        self._stated = cell
        self.stand(cell)

    def _move(self, direction: str, to: Cell | None, span: tuple[int, int]) -> None:
        self.steps.append(Step(self._number, self._stated, direction, to, span=span))
        self._stated = None
        if to is not None:
            self.stand(to)
        elif self.cell is not None:
            self.stand(add(self.cell, direction))


def _is_bare(clause: str, found: Sequence[Token]) -> bool:
    """Nothing but moves: "E, E, S" or "(0,0) S"."""
    if [t.kind for t in found] == ["cell", "dir"] and not _NO_WORD.sub("", without(clause, found)):
        return True
    directions = sum(t.kind == "dir" for t in found)
    return directions > 1 and not _SMALL.sub("", without(clause, found))


def _distance_along(one: Cell, other: Cell, direction: str) -> int:
    """How many moves in `direction` lead from one cell to the other, 0 if none do."""
    down, right = other[0] - one[0], other[1] - one[1]
    far = max(abs(down), abs(right))
    return far if far and add(one, direction, far) == other else 0


def _says_from(before: str) -> bool:
    """The words before a cell say that the subject stands there."""
    return before.rstrip().lower().endswith(_FROM_ENDS) and FROM.search(before[-40:]) is not None


def _count(clause: str, token: Token) -> int:
    """How many cells a direction is told for ("twice", "세 칸"), 1 if nothing says."""
    before, after = clause[max(0, token.start - 20) : token.start].lower(), clause[token.end : token.end + 24].lower()
    m = COUNT_AFTER.match(after) or (COUNT_BEFORE.search(before) if before.rstrip().endswith(COUNTED) else None)
    if not m:
        return 1
    word = next(g for g in m.groups() if g).lstrip("×x* ")
    return min(int(word) if word.isdigit() else NUMBERS.get(word, 1), 101) or 1


def _is_sentence_start(clause: str) -> bool:
    text = clause.lstrip(" \t\"'(*")
    return bool(text) and (text[0].isupper() or "가" <= text[0] <= "힣") and not CELL.match(text)


def sentences(text: str) -> list[tuple[str, int]]:
    """The sentences of a folded line and where they begin in it."""
    out, at = [], 0
    for end in [m.end() for m in SENTENCE_END.finditer(text)] + [len(text)]:
        if text[at:end].strip():
            out.append((text[at:end], at))
        at = end
    return out


def says_back(clause: str) -> bool:
    """The clause speaks of going back."""
    return Said(clause).says(BACK)
