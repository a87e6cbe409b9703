"""Declarations in an answer: dead ends, loops, changes of strategy.

A declaration is an event only if it says that something *is so where the subject is or was*. A
heading with "none", the rules repeated, a dead end named as a reason not to go there: no event.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.reading.prose import says_back
from hallumaze_kit.trial.reading.tokens import CELL, PLACEHOLDER, cell_of
from hallumaze_kit.trial.trace import DeadEnd, Event, Loop, Span, StrategyChange

_WORDS = re.compile(
    "dead|Dead|DEAD|loop|Loop|LOOP|trateg|TRATEG|circles|been here before|approach|plan|tactic"
    "|막다른|막혔|막힘|루프|순환|전략|맴돌|제자리|한 바퀴|방식|방법|작전|계획"
)
MOST_WORDS = 60
"""Words of a kind that are read in one sentence; nobody names so many dead ends in one."""
_DEAD = re.compile(r"dead[\s_-]{0,2}ends?|막다른 ?(?:길|골목|곳|칸|셀|지점|방)|막다른|막혔|막힘", re.I)
_LOOP = re.compile(r"\bloop(?:s|ed|ing)?\b|루프|순환|맴돌|제자리|going in circles|been here before", re.I)
_STRATEGY = re.compile(
    r"strategy[\s_-]{0,2}(?:change|shift|switch)\w{0,2}"
    r"|\b(?:chang\w{1,3}|switch\w{0,3}|revis\w{1,3}|new|different)\s{1,2}"
    r"(?:my\s|the\s|of\s|a\s|to a new\s){0,2}strategy"
    r"|\b(?:new|change of|changing|different|switch\w{0,3})\s{1,2}(?:my\s|the\s)?(?:approach|plan|tactics?|method)\b"
    r"|(?:방식|방법|작전|계획|접근 ?방식)(?:을|를)?\s{0,2}(?:바꾸|바꿔|바꿉|바꿨|바꿀|변경|전환)"
    r"|전략[\s_]{0,2}(?:을|를|의)?\s{0,2}(?:변경|전환|바꾸|바꿔|바꿉|바꿨|바꿀|수정|교체)",
    re.I,
)
_OF_STRATEGY = re.compile(r"(?i:strateg|approach|plan|tactic|method)|전략|방식|방법|작전|계획")
_EXPLICIT = re.compile(r"^[^\w(]{0,14}(?:\w{1,3}\.\s{0,2})?\[?$")
_FIELD_BEGINS = re.compile(r"(?:^|[|:;.!?—–>\])(\[-])\W{0,6}$")
_ON_CONDITION = re.compile(r"\s{0,2}(?:if|when|unless|ahead)\b|\s{0,2}(?:at|for|on) (?:any|every|each)\b|이면|라면")
_NOT_ENTERED = re.compile(
    r"\b(?:not|never) (?:enter|visit|taken|explor|go)|\b(?:avoided|skipped|ignored|unvisited)\b"
    r"|안 ?감|피함|피했|가지 ?않|진입 ?(?:안|않)|미진입",
    re.I,
)
_SUPPOSED = re.compile(r"\b(?:would|could|might|may|if|will|shall|should|must)\b|하겠|경우|때마다")

# ---- what takes a word back: it is denied, counted, only looked at --------------------------------

_NONE = re.compile(
    r"\b(?:no|none|not|never|without|zero|n/?a|nothing|nil|didn't|don't|doesn't|wasn't|weren't|isn't)\b"
    r"|없|않|아니|아님|안 ?들|미발생|미감지|해당 ?무"
    r"|(?<![\d(,])\b0\s?(?:회|개|번|건|times)?(?![\d,)])",
    re.I,
)
_NONE_BEFORE = re.compile(
    r"\b(?:no|not an?|never|without|avoid\w{0,3}|zero|isn't an?|would be an?"  # denied
    r"|two|three|four|several|many|all|\d{1,2}|any|of"  # counted
    r"|don't (?:see|count|hit)|into an?y?)\s{1,3}(?:\w{1,10}\s)?$"
    r"|(?:없는|피[해하할])\s{0,2}$",
    re.I,
)
_NONE_AFTER = re.compile(
    r"\W{0,3}(?:were |was |is )?"
    r"(?:none|no\b(?! (?:other|opening|way|exit|further|more|passage|new))|not\b|never)"
    r"|[^.\n]{0,8}(?:없[었다음습]|아니|아닌)",
    re.I,
)
_ASIDE = re.compile(
    r"\b(?:avoid\w{0,3}|instead|rather|skip\w{0,4}|ignor\w{1,4}"
    r"|leads? to|can see|looks like|seems|ends in|in order not)\b"
    r"|피하|피해|가지 ?않|안 ?가|않고|않는다|않았|보[이인여]|라면|으면|이어지|무시|제외",
    re.I,
)
_DIRECTION_SUBJECT = re.compile(
    r"(?:\b(?:[NESW]|north|south|east|west|left|right)|[동서남북위]쪽?|아래쪽?|왼쪽|오른쪽)"
    r"(?:\s{0,2}(?:side|branch|way|쪽|방향))?"
    r"\s{0,2}(?:is|=|:|은|는|이|가|을|를|would be|leads|도|의)\s{0,2}[^.]{0,30}$",
    re.I,
)
_NO_CHANGE = re.compile(
    r"[\W_]{0,6}(?:none|n/?a|nil|없|0\b|해당|불필요|미발생|(?:was |were |is )?(?:no|not|never)\b"
    r"(?=\W{0,4}$|\W{0,2}(?:\w{1,8}\s)?(?:needed|required|necessary|change|made|used)))",
    re.I,
)
_KOREAN_NO_CHANGE = re.compile(r"\s{0,2}지 ?(?:않|말)|[^.\n]{0,6}없")
_REASON_SLOT = re.compile(r"^[\W_]{0,8}(?:reason|이유|why)[\W_]{0,6}$", re.I)

# ---- what says that it is so ----------------------------------------------------------------------

_THERE = re.compile(
    r"\b(?:hit|reach\w{0,3}|ran into|run into|arriv\w{1,3}|met|found|stuck|here|this is|that's|it's|is a|so)\b"
    r"|도달|도착|만났|만남|부딪|왔|들어왔|여기|이곳|이네|이다|입니다|이야|네요|군요|이에요|예요",
    re.I,
)
_LOOP_SAID = re.compile(
    r"loop(?:ed)?\s{0,2}(?:back|detected|found|here)"
    r"|(?:in|is|it's|that's|this is|made|found|detected|into|have|hit)\s{1,2}(?:a |an |the )?loop"
    r"|circles|been here before|^[\W_]{0,12}loop"
    r"|루프(?:에 ?빠|를 ?감지|가 ?감지|를 ?발견|입니다|이다|다\b|네|예요|이에요|군| ?감지| ?발견|가 ?생|를 ?돌|임)"
    r"|맴돌|제자리|순환",
    re.I,
)
_SEEN_AT = re.compile(r"(?:step|스텝|단계|move)\s{0,2}#?(\d{1,4})|(\d{1,4})\s{0,2}(?:단계|스텝|번째)", re.I)

# ---- small parts ------------------------------------------------------------------------------------

_CLAUSE_END = re.compile(r"[.;!?]\s|\n")
_WORD = re.compile(r"\w")
_COUNT = re.compile(r"[\W_]{0,6}\d")
_CELL_FOLLOWS = re.compile(r"\s{0,2}(?:at|in|:|—|-|,|@|is)?\s{0,2}")
_LIST_JOINT = re.compile(r"\s{0,3}(?:,|and|및|,\s?and|그리고|/)\s{0,3}")


@dataclass
class _Sentence:
    """A sentence, its position in the answer, where the subject stands and stood."""

    text: str
    base: int
    here: Cell | None
    visited: Container[Cell]

    @cached_property
    def back(self) -> bool:
        """It speaks of going back."""
        return says_back(self.text)


class _Said(NamedTuple):
    """A word of a declaration in its sentence, with what stands around it."""

    word: str
    before: str
    after: str
    explicit: bool
    """It stands as a field of a form (`DEAD_END at …`), not in a sentence."""
    span: tuple[int, int]
    """Its place in the answer."""

    @property
    def clause_before(self) -> str:
        """What stands before it in its own clause."""
        return _CLAUSE_END.split(self.before)[-1]

    @property
    def clause_after(self) -> str:
        """What stands behind it in its own clause."""
        return _CLAUSE_END.split(self.after, maxsplit=1)[0]

    @property
    def clause(self) -> str:
        """Its clause, without what stands too far away."""
        return self.clause_before + self.word + self.clause_after


def declarations(text: str, base: int, here: Cell | None, visited: Container[Cell]) -> list[Event]:
    """Events that a folded sentence or line declares, for a subject that stands at `here`.

    `visited` are the cells it stood at before; `base` is the position of the text in the answer.
    """
    if not _WORDS.search(text):
        return []
    sentence = _Sentence(text, base, here, visited)
    found = [*_dead_ends(sentence), *_loops(sentence), *_strategy(sentence)]
    return sorted(found, key=lambda e: e.span) if len(found) > 1 else found


def _said(sentence: _Sentence, m: re.Match[str], behind: int) -> _Said:
    """The word of a match, with the 60 characters before it and `behind` after it."""
    text, (start, end) = sentence.text, m.span()
    field = _FIELD_BEGINS if "_" in m[0] else _EXPLICIT
    explicit = field.search(text[max(0, start - 20) : start]) is not None and (start < 20 or field is _FIELD_BEGINS)
    span = (sentence.base + start, sentence.base + end)
    return _Said(m[0], text[max(0, start - 60) : start], text[end : end + behind], explicit, span)


def _is_denied(said: _Said) -> bool:
    return bool(_NONE_BEFORE.search(said.before[-24:]) or _ON_CONDITION.match(said.after))


# ---- dead ends --------------------------------------------------------------------------------------


def _dead_ends(sentence: _Sentence) -> list[Event]:
    """Dead ends: each word once, whether it stands as a field or in a sentence."""
    found: list[Event] = []
    read_to = -1
    for m in islice(_DEAD.finditer(sentence.text), MOST_WORDS):
        said = _said(sentence, m, behind=80)
        if m.start() < read_to or _is_denied(said) or PLACEHOLDER.match(said.after.lstrip(" at:@에서—-")):
            continue
        if not said.explicit:
            found += [DeadEnd(cell, said.span) for cell in _told_dead_end(said, sentence)]
            continue
        cells, length = _dead_ends_of_field(said)
        if cells:
            found += [DeadEnd(cell, said.span) for cell in cells]
            read_to = len(sentence.text) if len(found) > 1 else m.end() + length
        elif length:
            read_to = m.end() + length
        else:
            found.append(DeadEnd(sentence.here, said.span))
            read_to = m.end() + 40
    return _once(found)


def _dead_ends_of_field(said: _Said) -> tuple[list[Cell], int]:
    """The cells of `DEAD_END at (0,1), (0,2)`, and how many characters behind the word to pass over.

    No cell and nothing to pass over: the field is filled, but names no cell.
    """
    cell = CELL.search(said.after)
    if cell and _NOT_ENTERED.search(said.clause_after[cell.end() :]):
        return [], cell.end()
    if cell and not _NONE.search(said.after[: cell.start()]):
        return _listed(said.after[cell.start() :]), cell.end()
    if cell or _NONE.search(said.after[:60]) or not _WORD.search(said.after) or _COUNT.match(said.after):
        return [], 60
    return [], 0


def _told_dead_end(said: _Said, sentence: _Sentence) -> list[Cell]:
    """The cell that a sentence says to be a dead end, one where the subject stands or stood; none if it does not."""
    if not _is_dead_end_told(said, sentence):
        return []
    near = list(CELL.finditer(said.clause_before))
    after = CELL.search(said.after)
    if after and _CELL_FOLLOWS.fullmatch(said.after[: after.start()]):
        cell = cell_of(after)
    elif near:
        cell = cell_of(near[-1])
    else:
        return [sentence.here] if sentence.here is not None and _is_dead_end_here(said, sentence) else []
    if cell != sentence.here and cell not in sentence.visited:
        return []
    if after is None and near:
        last = near[-1][0]
        if _DIRECTION_SUBJECT.search(said.before[said.before.rfind(last) + len(last) :]):
            return []
    return [cell]


def _is_dead_end_told(said: _Said, sentence: _Sentence) -> bool:
    """A sentence says that there is a dead end, and not one seen from afar."""
    if (said.word in ("막혔", "막힘") and not sentence.back) or _NONE_AFTER.match(said.after):
        return False
    if _SUPPOSED.search(said.clause):
        return False
    return not _ASIDE.search(said.clause) or says_back(said.clause)


def _is_dead_end_here(said: _Said, sentence: _Sentence) -> bool:
    """A sentence without a cell speaks of where the subject stands."""
    if _DIRECTION_SUBJECT.search(said.before):
        return False
    return sentence.back or not said.after.strip(" .!…~") or _THERE.search(said.clause) is not None


# ---- loops ------------------------------------------------------------------------------------------


def _loops(sentence: _Sentence) -> list[Event]:
    """Loops: at the cell that follows the word, else at the last one before it, else here."""
    found: list[Event] = []
    for m in islice(_LOOP.finditer(sentence.text), MOST_WORDS):
        said = _said(sentence, m, behind=100)
        if _is_denied(said) or PLACEHOLDER.search(said.after[:40]):
            continue
        follows = CELL.search(said.clause_after)
        if not _is_loop_told(said, follows):
            continue
        near = list(CELL.finditer(said.before))
        cell = cell_of(follows) if follows else cell_of(near[-1]) if near else sentence.here
        seen = _SEEN_AT.search(said.clause_after)
        found.append(Loop(cell, int(seen[1] or seen[2]) if seen else None, said.span))
    return _once(found)


def _is_loop_told(said: _Said, follows: re.Match[str] | None) -> bool:
    """The word says that there is a loop: it is not denied, no count and no empty field."""
    between = said.clause_after[: follows.start()] if follows else said.clause_after
    if _NONE.search(between) or _NONE.search(said.clause_before[-30:]):
        return False
    if not said.explicit and _SUPPOSED.search(said.clause):
        return False
    told = _LOOP_SAID.search(said.before[-12:] + said.word + said.after[:16])
    if follows:
        return said.explicit or told is not None
    empty = said.explicit and not _WORD.search(said.clause_after)
    return told is not None and not empty and not _COUNT.match(said.after)


# ---- changes of strategy ----------------------------------------------------------------------------


def _strategy(sentence: _Sentence) -> list[Event]:
    """A change of strategy, at most one a sentence."""
    m = _STRATEGY.search(sentence.text) if _OF_STRATEGY.search(sentence.text) else None
    if m is None:
        return []
    said = _said(sentence, m, behind=len(sentence.text))
    if _is_denied(said) or _is_change_denied(said) or _REASON_SLOT.match(said.after):
        return []
    if said.explicit and not _WORD.search(said.after):
        return []
    return [StrategyChange(said.after.strip(" :—–-|*\t[]"), said.span)]


def _is_change_denied(said: _Said) -> bool:
    """ "STRATEGY_CHANGE: none", "전략을 바꾸지 않았다"."""
    if _NO_CHANGE.match(said.after):
        return True
    return not said.explicit and _KOREAN_NO_CHANGE.match(said.after) is not None


def _listed(text: str) -> list[Cell]:
    """The cells at the head of a text that are joined by commas or "and"."""
    cells: list[Cell] = []
    at = 0
    for m in CELL.finditer(text):
        if cells and not _LIST_JOINT.fullmatch(text[at : m.start()]):
            break
        cells.append(cell_of(m))
        at = m.end()
    return cells


def _once(events: list[Event]) -> list[Event]:
    """One event a cell and sentence: "DEAD_END at (0,3) - (0,3) is a dead end" is one."""
    if len(events) < 2:
        return events
    seen: set[object] = set()
    out = []
    for event in events:
        key = (type(event), getattr(event, "cell", None))
        if key not in seen:
            seen.add(key)
            out.append(event)
    return out


def place_of(reason: str, span: Span, where: tuple[str, int]) -> Span | None:
    """Where words of a reason stand in the answer.

    The reason is a text without signs and spaces between fields; `where` is the text and its place in the answer.
    """
    text, base = where
    word = reason[span[0] : span[1]]
    at = text.find(word, max(0, text.find(reason[:20])) + span[0])
    return (base + at, base + at + len(word)) if at >= 0 else None
