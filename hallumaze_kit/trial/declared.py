"""Declarations in an answer: dead ends, loops, changes of strategy.

A declaration is an event only if it says that something *is so where the subject is or was*. A
heading with "none", the rules repeated, a dead end named as a reason not to go there: no event.
"""

from __future__ import annotations

import re
from collections.abc import Container

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.prose import says_back
from hallumaze_kit.trial.tokens import CELL, PLACEHOLDER, cell_of, tokens
from hallumaze_kit.trial.trace import DeadEnd, Event, Loop, StrategyChange

WORDS = re.compile(
    "dead|Dead|DEAD|loop|Loop|LOOP|trateg|TRATEG|circles|been here before|approach|plan|tactic"
    "|막다른|막혔|막힘|루프|순환|전략|맴돌|제자리|한 바퀴|방식|방법|작전|계획"
)
_DEAD = re.compile(r"dead[\s_-]{0,2}ends?|막다른 ?(?:길|골목|곳|칸|셀|지점|방)|막다른|막혔|막힘", re.I)
_LOOP = re.compile(r"\bloop(?:s|ed|ing)?\b|루프|순환|맴돌|제자리|going in circles|been here before", re.I)
_STRATEGY = re.compile(
    r"strategy[\s_-]{0,2}(?:change|shift|switch)\w{0,2}|\b(?:chang\w{1,3}|switch\w{0,3}|revis\w{1,3}|new"
    r"|different)\s{1,2}(?:my\s|the\s|of\s|a\s|to a new\s){0,2}strategy"
    r"|\b(?:new|change of|changing|different|switch\w{0,3})\s{1,2}(?:my\s|the\s)?(?:approach|plan|tactics?|method)\b"
    r"|(?:방식|방법|작전|계획|접근 ?방식)(?:을|를)?\s{0,2}(?:바꾸|바꿔|바꿉|바꿨|바꿀|변경|전환)"
    r"|전략[\s_]{0,2}(?:을|를|의)?\s{0,2}(?:변경|전환|바꾸|바꿔|바꿉|바꿨|바꿀|수정|교체)",
    re.I,
)
_EXPLICIT = re.compile(r"^[^\w(]{0,14}(?:\w{1,3}\.\s{0,2})?\[?$")
_NONE = re.compile(
    r"\b(?:no|none|not|never|without|zero|n/?a|nothing|nil|didn't|don't|doesn't|wasn't|weren't|isn't)\b|없|않|아니|아님"
    r"|안 ?들|미발생|미감지|해당 ?무|(?<![\d(,])\b0\s?(?:회|개|번|건|times)?(?![\d,)])",
    re.I,
)
_NONE_BEFORE = re.compile(
    r"\b(?:no|two|three|four|several|many|all|\d{1,2}|not an?|never|without|avoid\w{0,3}|zero|any|of|would be an?"
    r"|isn't an?|don't (?:see|count|hit)|into an?y?)\s{1,3}(?:\w{1,10}\s)?$|(?:없는|피[해하할])\s{0,2}$",
    re.I,
)
_NONE_AFTER = re.compile(
    r"\W{0,3}(?:were |was |is )?(?:none|no\b(?! (?:other|opening|way|exit|further|more|passage|new))|not\b|never)"
    r"|[^.\n]{0,8}(?:없[었다음습]|아니|아닌)",
    re.I,
)
_ASIDE = re.compile(
    r"\b(?:would|could|might|may|if|avoid\w{0,3}|instead|rather|skip\w{0,4}|ignor\w{1,4}|leads? to|can see|looks like"
    r"|seems|ends in|in order not)\b|피하|피해|가지 ?않|안 ?가|않고|않는다|않았|보[이인여]|라면|으면|이어지|무시|제외",
    re.I,
)
_THERE = re.compile(
    r"\b(?:hit|reach\w{0,3}|ran into|run into|arriv\w{1,3}|met|found|stuck|here|this is|that's|it's|is a|so)\b|도달|도착"
    r"|만났|만남|부딪|왔|들어왔|여기|이곳|이네|이다|입니다|이야|네요|군요|이에요|예요",
    re.I,
)
_LOOP_SAID = re.compile(
    r"loop(?:ed)?\s{0,2}(?:back|detected|found|here)|(?:in|is|it's|that's|this is|made|found|detected|into|have"
    r"|hit)\s{1,2}(?:a |an |the )?loop|circles|been here before|^[\W_]{0,12}loop"
    r"|루프(?:에 ?빠|를 ?감지|가 ?감지|를 ?발견|입니다|이다|다\b|네|예요|이에요|군| ?감지| ?발견|가 ?생|를 ?돌|임)|맴돌|제자리|순환",
    re.I,
)
_SEEN_AT = re.compile(r"(?:step|스텝|단계|move)\s{0,2}#?(\d{1,4})|(\d{1,4})\s{0,2}(?:단계|스텝|번째)", re.I)
_DIRECTION_SUBJECT = re.compile(
    r"(?:\b(?:[NESW]|north|south|east|west|left|right)|[동서남북위]쪽?|아래쪽?|왼쪽|오른쪽)(?:\s{0,2}(?:side|branch|way|쪽"
    r"|방향))?\s{0,2}(?:is|=|:|은|는|이|가|을|를|would be|leads|도|의)\s{0,2}[^.]{0,30}$",
    re.I,
)
_NO_CHANGE = re.compile(
    r"[\W_]{0,6}(?:none|n/?a|nil|없|0\b|해당|불필요|미발생|(?:was |were |is )?(?:no|not|never)\b(?=\W{0,4}$"
    r"|\W{0,2}(?:\w{1,8}\s)?(?:needed|required|necessary|change|made|used)))",
    re.I,
)
_REASON_SLOT = re.compile(r"^[\W_]{0,8}(?:reason|이유|why)[\W_]{0,6}$", re.I)


def declarations(text: str, base: int, here: Cell | None, visited: Container[Cell]) -> list[Event]:
    """Events that a folded sentence or line declares, for a subject that stands at `here`.

    `visited` are the cells it stood at before; `base` is the position of the text in the answer.
    """
    if not WORDS.search(text):
        return []
    found: list[Event] = []
    for read in (_dead_ends, _loops, _strategy):
        found += read(text, base, here, visited)
    return sorted(found, key=lambda e: e.span)


def _explicit(text: str, start: int, word: str) -> bool:
    return "_" in word or (start < 20 and bool(_EXPLICIT.match(text[:start])))


def _dead_ends(text: str, base: int, here: Cell | None, visited: Container[Cell]) -> list[Event]:
    found: list[Event] = []
    taken = -1
    back = says_back(text)
    for m in _DEAD.finditer(text):
        if m.start() < taken:
            continue
        before, after = text[max(0, m.start() - 60) : m.start()], text[m.end() : m.end() + 80]
        if _NONE_BEFORE.search(before[-24:]) or PLACEHOLDER.match(after.lstrip(" at:@에서—-")):
            continue
        span = (base + m.start(), base + m.end())
        cell_after = CELL.search(after)
        between = after[: cell_after.start()] if cell_after else after
        if _explicit(text, m.start(), m[0]):
            if cell_after and not _NONE.search(between):
                found += [DeadEnd(c, span) for c in _listed(after[cell_after.start() :])]
                taken = len(text) if len(found) > 1 else m.end() + cell_after.end()
            elif cell_after is None and not _NONE.search(after[:60]) and re.search(r"\w", after) and not re.match(r"[\W_]{0,6}\d", after):
                found.append(DeadEnd(here, span))
                taken = m.end() + 40
            else:
                taken = m.end() + 60
            continue
        if m[0] in ("막혔", "막힘") and not back:
            continue
        clause = re.split(r"[.;!?]\s|\n", before)[-1] + m[0] + re.split(r"[.;!?]\s|\n", after)[0]
        if _NONE_AFTER.match(after) or (_ASIDE.search(clause) and not says_back(clause)):
            continue
        near = list(CELL.finditer(re.split(r"[.;!?]\s|\n", before)[-1]))
        cell = cell_of(cell_after) if cell_after and re.fullmatch(r"\s{0,2}(?:at|in|:|—|-|,|@|is)?\s{0,2}", between) else cell_of(near[-1]) if near else None
        if cell is not None:
            if (cell == here or cell in visited) and not (cell_after is None and near and _DIRECTION_SUBJECT.search(before[before.rfind(near[-1][0]) + len(near[-1][0]) :])):
                found.append(DeadEnd(cell, span))
        elif here is not None and not _DIRECTION_SUBJECT.search(before) and (back or _THERE.search(clause) or not after.strip(" .!…~")):
            found.append(DeadEnd(here, span))
    return _once(found)


def _loops(text: str, base: int, here: Cell | None, visited: Container[Cell]) -> list[Event]:
    found: list[Event] = []
    for m in _LOOP.finditer(text):
        before, after = text[max(0, m.start() - 60) : m.start()], text[m.end() : m.end() + 100]
        sentence_after = re.split(r"[.;!?]\s|\n", after)[0]
        if _NONE_BEFORE.search(before[-24:]) or PLACEHOLDER.search(after[:40]):
            continue
        cell_after = CELL.search(sentence_after)
        between = sentence_after[: cell_after.start()] if cell_after else sentence_after
        if _NONE.search(between) or _NONE.search(re.split(r"[.;!?]\s|\n", before)[-1][-30:]):
            continue
        if not (_LOOP_SAID.search(before[-12:] + m[0] + after[:16]) or (_explicit(text, m.start(), m[0]) and cell_after)):
            continue
        if not cell_after and (re.match(r"[\W_]{0,6}\d", after) or (_explicit(text, m.start(), m[0]) and not re.search(r"\w", sentence_after))):
            continue
        near = list(CELL.finditer(before))
        cell = cell_of(cell_after) if cell_after else cell_of(near[-1]) if near else here
        seen = _SEEN_AT.search(sentence_after)
        found.append(Loop(cell, int(seen[1] or seen[2]) if seen else None, (base + m.start(), base + m.end())))
    return _once(found)


def _strategy(text: str, base: int, here: Cell | None, visited: Container[Cell]) -> list[Event]:
    m = _STRATEGY.search(text)
    if m is None:
        return []
    before, after = text[max(0, m.start() - 24) : m.start()], text[m.end() :]
    explicit = _explicit(text, m.start(), m[0])
    none = _NO_CHANGE.match(after) or (not explicit and re.match(r"\s{0,2}지 ?(?:않|말)|[^.\n]{0,6}없", after))
    if _NONE_BEFORE.search(before) or none or _REASON_SLOT.match(after) or (explicit and not re.search(r"\w", after)):
        return []
    return [StrategyChange(after.strip(" :—–-|*\t[]"), (base + m.start(), base + m.end()))]


def _listed(text: str) -> list[Cell]:
    """The cells at the head of a text that are joined by commas or "and"."""
    cells: list[Cell] = []
    at = 0
    for m in CELL.finditer(text):
        if cells and not re.fullmatch(r"\s{0,3}(?:,|and|및|,\s?and|그리고|/)\s{0,3}", text[at : m.start()]):
            break
        cells.append(cell_of(m))
        at = m.end()
    return cells


def _once(events: list[Event]) -> list[Event]:
    """One event a cell and sentence: "DEAD_END at (0,3) - (0,3) is a dead end" is one."""
    seen: set[object] = set()
    out = []
    for event in events:
        key = (type(event), getattr(event, "cell", None))
        if key not in seen:
            seen.add(key)
            out.append(event)
    return out


def has_moves(text: str) -> bool:
    """The text names a direction or a cell."""
    return bool(tokens(text))
