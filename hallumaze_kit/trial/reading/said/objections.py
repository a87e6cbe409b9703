"""Objections: sentences that say that a move is not allowed, or that there is an error.

They are no events of a walk (the specification knows dead ends, loops and changes of strategy); they tell whether
somebody who continues a given walk says that a move of it is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.reading import rows, steps
from hallumaze_kit.trial.reading.prose import sentences
from hallumaze_kit.trial.reading.tokens import direction_between, tokens
from hallumaze_kit.trial.trace import Objection, Span

MOST_OBJECTIONS = 1000
"""Objections of an answer that are kept; nobody makes so many."""

_MAY = (
    "wall", "block", "open", "valid", "legal", "allow", "possib", "wrong", "error", "mistak", "hallucinat", "permit",
    "incorrect", "violat", "closed", "passage", "connect", "exist", "barrier",
    "no path", "no way", "no link", "no door",
    "환각", "잘못", "틀", "불가", "오류", "실수", "위반", "벽", "막", "닫", "열려", "연결", "통로", "유효", "허용",
    "수 없", "길",
)  # fmt: skip
"""One of these is in every objection; a quick look before the patterns."""
_ERROR = re.compile(
    r"\b(?:hallucinat\w{1,5}|illegal(?:ly)?|invalid|impossible|incorrect|wrong(?:ly)?|mistakes?|mistaken(?:ly)?|errors?"
    r"|erroneous|violat\w{1,5})\b"
    r"|(?:\bnot|n't|n’t|\bnever|\bcannot be)\s(?:\w{1,9}\s){0,2}?(?:valid|legal|allowed|permitted|possible|correct)\b"
    r"|\b(?:through|across|crosse[sd]|crossing|into|over) (?:a|the|an inner|that) (?:\w{1,8} )?(?:wall|barrier)s?\b"
    r"|환각|잘못|틀[렸린]|틀리(?!지)|불가능|불가(?![가-힣])|오류|실수|위반|벽을 ?(?:통과|뚫|넘|지나|관통)|벽에 ?부딪"
    r"|(?:유효|허용|가능|올바르|옳|맞)(?:하|되|지)?지? ?않|할 수 없|될 수 없|갈 수 없|이동 ?못",
    re.I,
)
"""An error is named."""
_CLOSED = re.compile(
    r"\bwalls?\b|\bblocked\b|\bbarrier\b|\bclosed\b"
    r"|(?:\bnot|n't|n’t|\bnever)\s(?:\w{1,9}\s)?(?:open|connected|exist|have (?:a|an|any))\b"
    r"|\bno (?:direct |open |such )?(?:passage|opening|connection|path|way|link|door)\b"
    r"|(?<![가-힣])벽(?!을 ?(?:통과|뚫|넘))|막[혀혔힘힌]|닫[혀혔힌힘]"
    r"|(?:열려|연결되어|연결돼|이어져) ?있지 ?않|열리지 ?않|연결되지 ?않|(?:통로|길|연결)[이가은는]? ?(?:없|존재하지)",
    re.I,
)
"""A side is said to be closed."""
_DENIED = re.compile(
    r"\b(?:no|any|without|zero|avoid\w{0,3}|prevent\w{0,3}|0|never|nor|if|whether|check\w{0,3} for)\s"
    r"(?:\w{1,10},?\s(?:or\s)?){0,3}?(?:hallucinat\w{1,5}|illegal|invalid|errors?|mistakes?|wrong|violat\w{1,5})"
    r"|(?:\bnot|n't|n’t) (?:a |an |any )?(?:\w{1,8} )?(?:hallucinat\w{1,5}|illegal|invalid|errors?|mistakes?|wrong)"
    r"|(?:hallucinat\w{1,5}|errors?|mistakes?)[\W_]{0,4}(?:(?:count|detected|found)[\W_]{0,4})?(?::|=|is|are|was)?\s?"
    r"(?:none\b|0\b|no\b|n/a)"
    r"|(?:환각|오류|실수|잘못|위반|문제|틀린 ?(?:곳|점|이동))(?:된 ?\w{1,3})?(?: ?(?:횟수|수|이동))?[은는이가도을를]?"
    r"[\s:=]{0,3}(?:없|아니|아닙|발견되지|찾지|0|피)"
    r"|틀리지 ?않|잘못되지 ?않|벽이? ?(?:없|아니|아닙)|막[혀히][^.]{0,4}지 ?않",
    re.I,
)
"""The word is denied, counted as none, or only feared."""
_SUPPOSED = re.compile(r"\b(?:would have|might|may|could be|if i)\b|수도 있|[다라]면\s", re.I)
_ELSEWHERE = re.compile(r"\b(?:others?|else|rest|remaining|both|only|all)\b|나머지|다른|유일|모두|양쪽|외에|뿐", re.I)
_EARLIER = re.compile(
    r"\b(?:previous|earlier|prior|above|given|provided|existing|so far|initial|original|past"
    r"|my (?:own )?(?:answer|walk|path|steps?|moves?)|the (?:answer|walk|path|solution|other solver|steps?|moves?))\b"
    r"|앞의|앞서|앞선|이전|기존|위의|위 ?(?:풀이|단계|답)|주어진|제시된|지금까지|먼저의"
    r"|다른 (?:풀이|사람|참가)|풀이에|답에|경로에|경로는",
    re.I,
)
_POINTS_BACK = re.compile(
    r"^[\W_]{0,8}(?:this|that|it|which|so this|so that|however,? (?:this|that))\b"
    r"|^\W{0,6}(?:이는|이것|이건|이 ?이동|그|해당)"
    r"|^\W{0,6}(?:잘못된|불가능한|유효하지|환각|오류)|^[\W_]{0,8}(?:hallucination|illegal|invalid|wrong|mistake|error)\b",
    re.I,
)
_LABEL = re.compile(
    r"^[\W_]{0,10}(?:\w{1,12}\s)?(?:hallucination|error|mistake|illegal move|invalid move|환각|오류)"
    r"(?:\s(?:detected|found|here|noticed)|\s?(?:발견|감지|발생|인지|확인))?\W{0,6}$",
    re.I,
)
"""A line that says nothing else."""
_WALL_ALONE = re.compile(
    r"[\W_]{0,6}(?:a |the |it is a |there is a |hit a )?(?:wall|blocked|closed)[\W_]{0,4}$"
    r"|[\W_]{0,6}(?:벽(?:임|이 ?있\w{0,3}|입니다)?|막(?:힘|혀 ?있\w{0,3}|혔음))[\W_]{0,4}$",
    re.I,
)
_STEP = re.compile(
    r"\b(?:step|move)s?\s{0,2}#?(\d{1,4})(?!\d)|\b(\d{1,4})(?:st|nd|rd|th) (?:step|move)|(?:스텝|단계)\s?(\d{1,4})"
    r"|(\d{1,4})\s?(?:단계|스텝|번째|번 ?이동|번 ?스텝|번 ?단계)",
    re.I,
)
_CLAUSE = re.compile(
    r"[,;]\s|:\s|\s[—–-]\s|\s(?=(?:but|so|and (?!\s{0,2}[(\[])|because|since|therefore|hence|while|whereas|which)\s)"
    r"|(?<=지만)\s|(?<=므로)\s|(?<=니까)\s|(?<=는데)\s|(?<=은데)\s|(?<=[가-힣]고)\s|(?<=[가-힣]며)\s|(?<=으나)\s|(?<=[혀어라여])\s"
)
_OPEN = re.compile(
    r"\b(?:open|go|goes|move to|take|choose|head|turn|proceed)\b|열려 ?있(?!지)|열린|갑니다|간다|이동합니다", re.I
)


class _Place(NamedTuple):
    """What a sentence or a step names: cells, directions, the number of a step."""

    cells: tuple[Cell, ...] = ()
    directions: tuple[str, ...] = ()
    step: int | None = None

    def named(self) -> bool:
        return bool(self.cells or self.step is not None)


def objections(lines: Sequence[tuple[str, int]], taken: set[int]) -> list[Objection]:
    """The objections of an answer's folded lines, those of closing fields (`taken`) left out, in text order."""
    found: list[Objection] = []
    last: _Place | str = _Place()  # the line before, not yet looked at where it is a text
    for i, (line, base) in enumerate(lines):
        if i in taken or not line.strip():
            continue
        low = line.lower()
        if not any(word in low for word in _MAY):
            last = line
            continue
        own = _step_of(line)
        if own is not None:
            last, end = own
            found += _of_reason(line[end:], base + end, last)
        else:
            place = _place_of_line(last) if isinstance(last, str) else last
            for text, at in sentences(line):
                made, place = _of_sentence(text, base + at, place)
                found += made
            last = place
        if len(found) > MOST_OBJECTIONS:
            break
    return found[:MOST_OBJECTIONS]


def _step_of(line: str) -> tuple[_Place, int] | None:
    """The step that a line states by its form and where its reason begins; None for sentences.

    "Step 2: (1,0) → (1,1) is not a valid move" speaks of a step and states none.
    """
    head = steps.label(line)
    if rows.is_row(line):
        bar, number = line.rstrip().rstrip("|").rfind("|"), None
    elif head is not None and head.named:
        bar, number = line.find("|", head.end), head.number
    else:
        return None
    if bar < 0:
        return None
    place = _place(line[head.end if head else 0 : bar])
    return (place._replace(step=number), bar + 1) if place.cells or place.directions else None


def _place_of_line(line: str) -> _Place:
    own = _step_of(line)
    return own[0] if own else _place(line)


def _place(text: str) -> _Place:
    found = tokens(text)
    m = _STEP.search(text)
    number = int(next(g for g in m.groups() if g)) if m else None
    cells = tuple(dict.fromkeys(t.value for t in found if t.kind == "cell"))
    return _Place(cells, tuple(dict.fromkeys(t.value for t in found if t.kind == "dir")), number)


def _of_reason(text: str, base: int, own: _Place) -> Iterator[Objection]:
    """Objections in the reason of a step: to the step itself, where the reason names no other place."""
    for part, at in sentences(text):
        span = (base + at, base + at + len(part))
        place = _place(part)
        if _DENIED.search(part) or _SUPPOSED.search(part):
            continue
        error = _ERROR.search(part) is not None
        if place.cells or (place.directions and own.cells):
            place = place if place.cells else place._replace(cells=own.cells[:1])
            if not error and len(place.directions) > 1:  # "S is closed, so E": the step's own way is the open one
                place = place._replace(directions=tuple(d for d in place.directions if d not in own.directions))
            yield from _closed_or_wrong(part, place, span, error)
        elif place.step is not None:
            if error:
                yield Objection((), (), place.step, False, span)
        elif (error and not _ELSEWHERE.search(part)) or _WALL_ALONE.match(part.split("|")[-1]):
            yield Objection(own.cells, own.directions, own.step, _EARLIER.search(part) is not None, span)


def _closed_or_wrong(text: str, place: _Place, span: Span, error: bool) -> Iterator[Objection]:
    if error or (_CLOSED.search(text) and not _OPEN.search(text)):
        yield Objection(place.cells, place.directions, place.step, False, span)


def _of_sentence(text: str, base: int, last: _Place) -> tuple[list[Objection], _Place]:
    """The objections of a sentence, and the place that it names (`last` is that of the one before)."""
    whole = _place(text)
    span = (base, base + len(text))
    if not (_ERROR.search(text) or _CLOSED.search(text)) or _DENIED.search(text):
        return [], whole if whole.named() or whole.directions else last
    error = _ERROR.search(text) is not None
    if not whole.named() and not whole.directions:
        if _POINTS_BACK.match(text) and last.named():
            return [Objection(last.cells, last.directions, last.step, False, span)], last
        general = _EARLIER.search(text) is not None and not _SUPPOSED.search(text)
        if error and (general or _LABEL.match(text)):
            return [Objection((), (), None, True, span)], last
        return [], last
    if error:
        if _SUPPOSED.search(text) and not whole.cells:
            return [], whole
        if len(whole.cells) > 2:
            return _by_clause(text, base, whole), whole
        cells = whole.cells or (last.cells[:1] if whole.step is None else ())
        return [Objection(cells, whole.directions, whole.step, False, span)], whole
    return _by_clause(text, base, whole, last), whole


def _by_clause(text: str, base: int, whole: _Place, last: _Place | None = None) -> list[Objection]:
    """Objections of the clauses that say that a side is closed or a move wrong, with the cells named up to there."""
    found: list[Objection] = []
    before: tuple[Cell, ...] = last.cells[:1] if last and not whole.cells else ()
    ways: tuple[str, ...] = ()
    at = 0
    for end in [*(m.end() for m in _CLAUSE.finditer(text)), len(text)]:
        clause, start = text[at:end], at
        at = end
        place = _place(clause)
        cells = place.cells if len(place.cells) > 1 or not before else (*before, *place.cells)[-2:]
        if place.cells and not direction_between(cells[0], cells[-1]):
            cells = place.cells
        ways = place.directions or ways
        if (_CLOSED.search(clause) or _ERROR.search(clause)) and not _ELSEWHERE.search(clause) and cells:
            here = cells[-2:]
            step = place.step if place.step is not None else whole.step
            found.append(Objection(here, ways, step, False, (base + start, base + end)))
        before = cells[-1:] if cells else before
    return found
