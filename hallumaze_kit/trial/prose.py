"""Moves told in words: "From (0,0) I go east to (0,1), then south twice".

A `Walker` goes through an answer clause by clause and keeps where the subject stands. A clause is
*told as done* (a verb of motion, a chain of arrows, "then …") or only *looked at* (what is open, what a
branch would lead to, what a hint says); only the first kind moves the walker.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.tokens import CELL, Token, add, direction_between, tokens
from hallumaze_kit.trial.trace import Step

_SENTENCE_END = re.compile(r"[.!?。;…][)\]\"'”’]{0,2}\s{1,3}|(?<=[가-힣.][.!?。])(?=[가-힣A-Z(])|\n")
_CLAUSE_END = {
    False: re.compile(
        r",\s{1,3}|\s-\s|\s?[—–]\s?|:\s{1,2}|\s(?=(?:so|but|because|since|although|though|while|where|which|whereas|hence|thus|therefore|and (?:I|then))\s)"
    ),
    True: re.compile(
        r":\s{1,2}|\s?[—–]\s?|(?<=[가-힣A-Za-z)])(?:(?<!에)(?<!여기)(?<!거기)(?<!부터)서|(?<!아)니|니까|(?<!그리)(?<!하)고|하고|[는은인]데|지만|며|므로|(?:이|으)?라|더니|다가|는지|나),?\s{1,3}"
    ),
}
_HANGUL = re.compile(r"[가-힣]")
_LOOKED = re.compile(
    r"\b(?:would|could(?! only)|might|may|if|can't|cannot|can not|can (?:go|move|turn|choose)|don't|doesn't|didn't|won't|not|never|instead of|rather than"
    r"|leads?|leading|led|opens?|open|opening|closed|blocked|walls?|ignor\w{1,4}|skip\w{0,4}|avoid\w{0,3}|hints?|flags?|dead[\s-]{0,2}ends?|junction|fork|branch(?:es)?|options?|choices?"
    r"|either|neither|only exit|only way|exit is|goal is|looks?|seems?|appears?|connects?|says|suggests?|claims?|points?|tempting|possible|available|unexplored)\b"
    r"|막[혀힌히혔힘]|막다른|끝나|끝난|끊[겨긴기]|갈린|갈립|샛길|빠지는|갈라|제외|더 갈|뚫려|뚫린|새는 길|닫[혀힌]|열[려린리]|\b벽|힌트|무시|갈림길|선택지|가지 ?않|않[고아는]|대신|이어[지진져]|연결|출구는|출구가|출구까지|인데\s|수상|유혹|가능|라면|다면|방향이"
    r"|지 ?말|안 ?가|못 ?[가하]|온 ?길|왔던 ?길",
    re.I,
)
_THIRD = re.compile(
    r"^[\s\"'(]{0,4}(?:(?:and|but|so|the|now|here|since|because|while|where|whereas|which)\s){0,3}"
    r"(?:north|south|east|west|up|down|left|right|[NESW]|it|that(?: one)?|which|this(?: one)?|there|these|those|the (?:other|\w{1,8} branch))\s{1,2}"
    r"(?:(?:branch|side|also|only|just|then|way|path|direction|\([^)]{1,7}\)|from \([^)]{1,7}\))\s){0,3}(?:goes|leads|opens|is|was|would|continues|ends|dead|looks|seems|connects|takes|has|gives|just|runs)\b",
    re.I,
)
_TOPIC = re.compile(
    r"^[^가-힣\d(]{0,6}(?:(?:그런데|하지만|그리고|근데|한편|반면|물론|참고로|만약|혹시)\s{1,2})?(?:[동서남북]쪽?|위쪽?|아래쪽?|왼쪽|오른쪽|좌측|우측|그쪽|저쪽|이쪽|그 ?길|저 ?길|거기|반대쪽|나머지|[NESW](?:쪽|방향)?)(?: ?길| ?방향| ?통로| ?가지)?"
    r"(?:은|는|도|의|에는|에선|이|가)\s|^[^\w(]{0,4}[(\[][^)\]]{1,9}[)\]](?:은|는|의|도)\s"
    r"|(?:[동서남북]쪽?|위쪽?|아래쪽?|왼쪽|오른쪽)\s?[(\[][^)\]]{1,9}[)\]](?:은|는|도)\s"
)
_MOTION = re.compile(
    r"\b(?:go(?:es|ing)?|went|move[sd]?|moving|head(?:s|ed|ing)?|walk(?:s|ed|ing)?|step(?:s|ped|ping)?|turn(?:s|ed|ing)?|tak(?:e|es|ing)|took|continu\w{1,3}|proceed\w{0,3}"
    r"|travel\w{0,4}|enter\w{0,3}|follow\w{0,3}|return\w{0,3}|backtrack\w{0,3}|back to|retrac\w{1,3}|reach\w{0,3}|arriv\w{1,3}|came|come|push\w{0,3}|keep|drop\w{0,3}|climb\w{0,3}|try|tries|tried|choose|chose|pick\w{0,3}|run down|advance\w{0,1}|slide|slid|pass\w{0,3}|cross\w{0,3}|get|got|land\w{0,3})\b"
    r"|이동|[으로]로 ?[가갑간갔]|[에로] ?[가갑간갔]|갑니다|간다|갔|가자|가요|가면|가서|가 ?[봅보봤]|나아|진행|향[합해하했]|내려[가갑간왔갔와]|올라[가갑간왔갔와]|들어[가갑간왔갔와]|되돌아|돌아[가갑간왔갔와옵온]|지나|도착|꺾|직진|전진|건너|도달|택[합해하했]|선택[합해하했]|움직|걸어|옮[겨깁긴겼]|쭉|까지|쪽으로|방향으로|[동남북]으로|위로|아래로|좌로|우로|[동서남북]쪽\s{0,2}[(\[]|내려와|내려온|올라와|밟[아고]|나서서|닿|복귀",
    re.I,
)
_MOVED = re.compile(
    r"\b(?:I(?:'ll| will| then| just| now| can only| could only| must| have to| had to|'m forced to| am forced to| need to|'d)?|and(?: then| I| so)?)\s{1,2}"
    r"(?:go|move|head|walk|step|turn|take|went|moved|headed|walked|stepped|turned|took|continue|continued|return|returned|backtrack|backtracked|proceed|enter|entered|follow|followed|try|tried|came|come)\b"
    r"|\b(?:north|south|east|west|up|down|left|right|[NESW]) it is\b|^\W{0,4}(?:(?:so|then|and|ok(?:ay)?|next),?\s){0,2}(?:north|south|east|west|up|down|left|right|[NESW])\s(?:again |then |once more )?(?:to|into)\s[(\[]"
    r"|\b(?:still|back|again|remain|stay|stuck|standing)\s(?:at|in|on)\s{0,2}[(\[]|(?:여전히|그대로|아직)\s{0,2}[(\[]"
    r"|^\W{0,4}(?:north|south|east|west|up|down|left|right|[NESW])\s(?:then|instead|again|next)\b|^\W{0,3}so\s[(\[]|\bfrom\s[(\[][^)\]]{1,9}[)\]]\s(?:on |all the way |straight )?to\s[(\[]"
    r"|이동(?:합|하여|해|했|한다|할게|$|\s{0,2}→|\s{0,2}하면)|[갑간갔](?:니다|다|어|습)|가요|(?:쪽|방향|[동남북])으로\s{0,2}(?:한 칸 )?[(\[][^)\]]{1,9}[)\]](?!\s?(?:이|은|는|가|도|의)[\s])|^\W{0,4}(?:다시|back (?:to|at|in)|도로)\s{0,2}[(\[]|돌아[가갑간왔갔와옵온]|나왔|나와",
    re.I,
)
_NOT_DONE = re.compile(r"\bthe (?:move|step|passage|way) (?:from|between)\b|\bthrough (?:a|the) walls?\b|벽을 ?(?:뚫|통과)|\b(?:would(?!n't)|might|don't|didn't|doesn't|won't|not (?:go|going|take|taking|turn|enter|needed|need|follow)|never (?:go|went|take|took)|instead of|rather than|isn't|is not|wasn't|aren't|are not|invalid|illegal|impossible)\b|가지 ?않|안 ?[가갑간갔]|가지 ?말|않고|않기|않았|않는|못 ?[가갑간]|갈 ?수도|면 .{0,24}(?:좋|막|끝|벽|닫|안 되|돼\?)|라면|다면|\?\s{0,3}$", re.I)
_TO = re.compile(r"\b(?:to|into|reach\w{0,3}|arrive at|onto)\s{1,2}(?:cell\s)?$", re.I)
_CONTINUES = re.compile(
    r"^[\s\"'(]{0,4}(?:and |& )?(?:then|next|again|after that|finally|from there|from here|and|now|first|afterwards|lastly|at last|once more|followed by|on to|to|plus"
    r"|그리고|그다음|그 다음|다음|다시|이어서|이후|마지막으로|그 뒤|거기서|여기서|계속|또|곧바로|한 번 더|그런 다음|그 후|그럼|이번엔?|바로|이제|끝으로|방금)(?![가-힣])|^[\s\"'(]{0,4}(?:여기|거기|다음으로|다음에)",
    re.I,
)
_FROM = re.compile(r"(?:\b(?:at|from|in|on|out of|standing at|starting at|start at|leaving|leave|left)|현재|지금)\s{0,3}(?:cell\s{1,2}|셀\s{0,2}|위치\s{0,2}|칸\s{0,2}|the\s{1,2}|start(?:ing)?\s{0,2}(?:cell|point)?\s{0,2}){0,2}$", re.I)
_AFTER_FROM = re.compile(r"^\s{0,2}(?:에서|에선|부터|출발)")
_BACK = re.compile(r"\b(?:return\w{0,3}|back(?:track\w{0,3})?|retrac\w{1,3}|retreat\w{0,3}|again at)\b|되돌아|돌아|복귀|후진|물러", re.I)
_COUNT = re.compile(
    r"^[^\S\n]{0,2}(?:으로|로|쪽으로|방향으로)?[^\S\n]{0,2}(?:by |for |for another |another )?(?P<times>[×x*]\s{0,2}\d{1,2}\b)|^[^\S\n]{0,2}(?:으로|로|쪽으로|방향으로)?[^\S\n]{0,2}(?:by |for |for another |another )?(?P<n>twice|thrice|once|\d{1,2}|one|two|three|four|five|six|한|두|세|네|다섯|여섯)"
    r"(?:\s{0,2}(?:more |further )?(?:cells?|steps?|squares?|times|moves?|spaces?|rooms?|칸|번|회|걸음)|(?<=twice)|(?<=thrice)|(?<=once))",
    re.I,
)
_COUNT_BEFORE = re.compile(r"(\d{1,2}|one|two|three|four|five|six|한|두|세|네|다섯|여섯)\s{0,2}(?:cells?|steps?|squares?|times|moves?|spaces?|칸|번)?\s{0,2}(?:to the\s{0,2})?$", re.I)
_NUMBERS = {w: n for n, ws in enumerate(("", "once one 한", "twice two 두", "thrice three 세", "four 네", "five 다섯", "six 여섯")) for w in ws.split()}


class Pending(NamedTuple):
    """A direction told without its target so far."""

    direction: str
    times: int
    span: tuple[int, int]


_AWAY = re.compile(r"\bfrom\s{0,2}$", re.I)
_RECAP = re.compile(r"^\W{0,4}(?:that's|that is|i\.e\.|namely|즉|곧)\s", re.I)
_EITHER = re.compile(r"\bor\b|또는|거나|이나\s|혹은", re.I)
_TO_KO = re.compile(r"\s{0,2}(?:으로|로|까지|에)(?:\s|$)")


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

    def read(self, sentence: str, base: int) -> None:
        """Read a folded sentence that begins at position `base` of the answer."""
        masked = CELL.sub(lambda m: "(" + "\u00a4" * (len(m[0]) - 2) + ")", sentence)
        at = 0
        for end in [m.end() for m in _CLAUSE_END[bool(_HANGUL.search(sentence))].finditer(masked)] + [len(sentence)]:
            self._clause(sentence[at:end], base + at, self._told)
            at = end

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

    def _clause(self, clause: str, base: int, told: bool) -> None:
        found = tokens(clause)
        live = self._is_told(clause, found, told)
        if not found:
            if re.search(r"\w", clause):
                self._live = live
            return
        self._live = live
        for i, token in enumerate(found):
            if token.kind == "cell":
                self._on_cell(clause, base, found, i, live)
            elif token.kind == "dir" and live:
                self._pending.append(Pending(str(token.value), _count(clause, token), (base + token.start, base + token.end)))
            elif token.kind == "arrow" and live and self._arrow_is_east(clause, found, i):
                self._pending.append(Pending("E", 1, (base + token.start, base + token.end)))

    def _is_told(self, clause: str, found: list[Token], told: bool) -> bool:
        """Is this clause told as done (True), or only looked at?"""
        moved = bool(_MOVED.search(clause))
        directions = [t for t in found if t.kind == "dir"]
        bare = [t.kind for t in found] == ["cell", "dir"] and not re.sub(r"\W", "", _without(clause, found))
        if bare or len(directions) > 1 and not re.sub(r"[\W\d]|하면|then|and|쪽|으로|로|출구|도착|순서|차례|exit", "", _CONTINUES.sub("", _without(clause, found))):
            return True  # "E, E, S" or "(0,0) S": nothing but moves
        if _RECAP.match(clause) and found and found[0].kind == "cell" and found[0].value in self.visited:
            return False
        if len(found) > 1 and _EITHER.search(clause):
            return False
        if _THIRD.search(clause) or _TOPIC.search(clause) or (_LOOKED.search(clause) and not moved) or _NOT_DONE.search(clause):
            return False
        if moved or _MOTION.search(clause) or (any(t.kind == "arrow" for t in found) and self._chain_from_here(found)):
            return True
        if _CONTINUES.search(clause) and found and _is_sentence_start(clause):
            return True
        if _CONTINUES.search(clause) or not _is_sentence_start(clause):
            return self._live
        return told or bool(found and _FROM.search(clause[: found[0].start]) and len(found) > 1)

    def _chain_from_here(self, found: list[Token]) -> bool:
        first = next((t for t in found if t.kind == "cell"), None)
        if first is None or self.cell is None:
            return True
        cell: Cell = first.value  # type: ignore[assignment]
        return cell == self.cell or cell in self.visited or bool(direction_between(self.cell, cell))

    @staticmethod
    def _arrow_is_east(clause: str, found: list[Token], i: int) -> bool:
        """A bare → with neither a cell nor a direction on its right stands for east."""
        return i == len(found) - 1 and i > 0 and found[i - 1].kind == "cell" and not clause[found[i].end :].strip(" .,|])")

    # ---- cells -----------------------------------------------------------------------------------

    def _on_cell(self, clause: str, base: int, found: list[Token], i: int, live: bool) -> None:
        token = found[i]
        cell: Cell = token.value  # type: ignore[assignment]
        before, after = clause[max(0, token.start - 60) : token.start], clause[token.end : token.end + 40]
        stated = bool(_FROM.search(before) or _AFTER_FROM.match(after))
        if self.cell is None:
            self._state(cell)
            return
        if not live:
            opens = stated and i == 0 and not _THIRD.search(clause) and not _TOPIC.search(clause) and not _NOT_DONE.search(clause)
            if not opens or (cell != self.cell and (cell in self.visited or not direction_between(self.standing or cell, cell))):
                return
        span = (base + token.start, base + token.end)
        if cell == self.cell:
            if self._pending and (says_back(before) or stated and i == 0):
                self._flush()
                self._state(cell)
            else:
                if not (stated and _AWAY.search(before)):
                    self._pending.clear()
                self._stated = cell
        elif self._fits(cell, span):
            return
        elif cell in self.visited and (stated or says_back(clause)):
            self._flush()
            self._state(cell)
        elif direction_between(self.cell, cell):
            self._pending.clear()
            self._move(direction_between(self.cell, cell), cell, span)
        elif cell in self.visited:
            self._flush()
            self._state(cell)
        elif live and i and (found[i - 1].kind == "arrow" or _TO.search(before)):
            self.doubts += 1
            self._pending.clear()
            self._move("", cell, span)
        elif stated and live:
            self.doubts += 1
            self._state(cell)
        elif live and _TO_KO.match(after) and _MOTION.search(clause):
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
        """Directions without a target are moves of one cell, or of the count that was said."""
        waiting, self._pending = self._pending, []
        for p in waiting:
            for _ in range(p.times):
                here = self.cell
                self._move(p.direction, add(here, p.direction) if last is not None and here is not None else None, p.span)

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


def _without(clause: str, found: list[Token]) -> str:
    parts, at = [], 0
    for t in found:
        parts.append(clause[at : t.start])
        at = t.end
    return "".join([*parts, clause[at:]])


def _distance_along(one: Cell, other: Cell, direction: str) -> int:
    """How many moves in `direction` lead from one cell to the other, 0 if none do."""
    down, right = other[0] - one[0], other[1] - one[1]
    far = max(abs(down), abs(right))
    return far if far and add(one, direction, far) == other else 0


def _count(clause: str, token: Token) -> int:
    m = _COUNT.match(clause[token.end : token.end + 24]) or _COUNT_BEFORE.search(clause[max(0, token.start - 20) : token.start])
    if not m:
        return 1
    word = next(g for g in m.groups() if g).lower().lstrip("×x* ")
    return min(int(word) if word.isdigit() else _NUMBERS.get(word, 1), 101) or 1


def _is_sentence_start(clause: str) -> bool:
    text = clause.lstrip(" \t\"'(*")
    return bool(text) and (text[0].isupper() or "가" <= text[0] <= "힣") and not CELL.match(text)


def sentences(text: str) -> list[tuple[str, int]]:
    """The sentences of a folded line and where they begin in it."""
    masked = CELL.sub(lambda m: "(" + "\u00a4" * (len(m[0]) - 2) + ")", text)
    out, at = [], 0
    for end in [m.end() for m in _SENTENCE_END.finditer(masked)] + [len(text)]:
        if text[at:end].strip():
            out.append((text[at:end], at))
        at = end
    return out


def says_back(clause: str) -> bool:
    """The clause speaks of going back."""
    return bool(_BACK.search(clause))
