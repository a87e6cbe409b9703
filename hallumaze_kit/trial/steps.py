"""Steps written in a form: `STEP 3: (r,c) → [E] | confidence: 90% | reason`, lists, tables, JSON objects."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.tokens import Token, add, direction_between, tokens

LABEL = re.compile(
    r"^[^\w(\[]{0,14}\[?(?:"
    r"(?P<named>(?:STEP|Step|step|스텝|단계|MOVE|Move|move|TURN|Turn|이동|행동"
    r"|턴)\s{0,2}[#.:]?\s{0,2}(\d{1,4})(?:\s{0,2}[/~–-]\s{0,2}\d{1,4}(?!\d|,))?"
    r"|(\d{1,4})\s{0,2}(?:단계|스텝|번째\s?(?:걸음|이동|단계|스텝|수)?|걸음|(?:st|nd|rd|th)\s(?:step|move)))"
    r"|(?P<listed>[①-⑳]|#?(\d{1,4})(?:[.):](?=\s)|번[.:)]?(?=\s)|(?=\s{1,8}[(\[]\s?\d))))\]?[^\w(\[가-힣→↑↓←\"]{0,8}"
)
_INLINE = re.compile(r"(?<=[\s|;,.)])(?:(?:STEP|Step|step|스텝)\s{0,2}\d{1,4}\s{0,2}[:.)]|\d{1,4}단계\s{0,2}:)")
_FILLER = re.compile(
    r"^(?:[\s:,\[\]\"'=>|~{}._&\\-]|—|–|[×x*]\s{0,2}\d{1,3}\b|\b(?:at|to|go|from|move|moving|head|heading|step|cell"
    r"|then|direction|dir|position|current|in|the|reach|reaching|arrive|i)\b"
    r"|에서|에서는|으로|로|쪽|방향|이동|합니다|하여|해서|해|한다|함|하면|감|가서|위치|현재|좌표|셀|칸|다음)*$",
    re.I,
)
_FROM = re.compile(r"\bfrom\s{0,2}$", re.I)
_REASON = re.compile(
    r"^\s{0,3}(?:[(|#;]|—|–|-{1,2}\s|/{2}|because\b|since\b|as\s|why\b|reason\b|이유|왜냐|근거|,?\s{0,2}confiden"
    r"|,?\s{0,2}conf\b|,?\s{0,2}확신|,?\s{0,2}신뢰)",
    re.I,
)
_TAIL = re.compile(
    r"^(?:[\s,.]|으로|로|쪽|방향|이동|합니다|하여|해서|해요|한다|했다|했습니다|해|함|감|갑니다|간다|가요){0,8}(?=[\s(|,.—–-]|$|because|since|confiden"
    r"|conf\b|확신|신뢰|이유)",
    re.I,
)
_FIELD = re.compile(
    r"^[\s\W]{0,10}(?P<key>(?:current |start(?:ing)? |next |new |target )?(?:position|cell|location|coordinates?)"
    r"|from|at|direction|move|action|to|next|confidence|conf|reason(?:ing)?|why|note"
    r"|현재 ?(?:위치|셀|칸)?|위치|좌표|셀|방향|이동|선택|다음 ?(?:위치|셀|칸)?|도착|확신도|신뢰도|이유|근거|설명)\s{0,2}[:=]",
    re.I,
)


_KEY_NAME = re.compile(
    r"\b(?:(?:current |start(?:ing)? |next |new |target )?(?:position|cell|location|coordinates?)|from|direction|move"
    r"|action|next)\b\s{0,2}[:=]"
    r"|(?:현재 ?(?:위치|셀|칸)?|위치|좌표|셀|방향|이동|선택|다음 ?(?:위치|셀|칸)?|도착)\s{0,2}[:=]",
    re.I,
)
Stated = tuple[float, str]


MOST_FIELDS = 40
"""A row of more fields is no step."""


_SOFT_FIRST = re.compile(r"\W{0,6}(?:up|down|left|right|[nesw]|위|아래|왼|오른|좌|우|상|하)(?![A-Za-z가-힣])", re.I)


class RawStep(NamedTuple):
    """A step as its form gives it, before the reading of its cell is settled."""

    number: int | None
    cell: Cell | None
    direction: str
    to: Cell | None
    span: tuple[int, int]


class Label(NamedTuple):
    """A step label at the head of a line: its number, whether it is a word ("STEP 3"), where its body begins."""

    number: int
    named: bool
    end: int


def label(line: str) -> Label | None:
    """The step label at the head of a folded line."""
    m = LABEL.match(line)
    if not m:
        return None
    circled = m["listed"] and "①" <= m["listed"][0] <= "⑳"
    number = str(ord(m["listed"][0]) - 0x245F) if circled else next(g for g in (m[2], m[3], m[5]) if g is not None)
    return Label(int(number), m["named"] is not None, m.end())


def split_inline(line: str) -> list[int]:
    """Where further steps begin inside a line."""
    return [m.start() for m in _INLINE.finditer(line)] if line.count(":") + line.count(")") > 1 else []


def is_field(line: str) -> bool:
    """A line like `- Direction: E` that belongs to the step above it."""
    return bool(_FIELD.match(line))


def bare_confidence(body: str) -> Stated | None:
    """A field that holds nothing but a number (`STEP 1: (0,0) → E | 95 | corridor`)."""
    for part in body.split("|")[1:]:
        if re.fullmatch(r"\s{0,4}\d{1,3}(?:\.\d{1,4})?\s{0,4}", part):
            return float(part), ""
    return None


def blank_keys(text: str) -> str:
    """Blank the names of fields (`Direction:`) so that their values stand alone."""
    return _KEY_NAME.sub(lambda m: " " * len(m[0]), text)


# ---- the form ----------------------------------------------------------------------------------


def read_form(body: str, base: int, number: int | None) -> tuple[list[RawStep], str] | None:
    """Moves and reason of a body that follows the form; None if it is told in sentences.

    A body that only states a cell (an arrival) gives one step without direction or target.
    """
    fields = body.split("|")
    if len(fields) > MOST_FIELDS:
        return None
    if len(fields) > 1:
        return _read_fields(fields, base, number)
    found = tokens(body)
    if _SOFT_FIRST.match(body):
        found = tokens(body, soft=True)
    if not found:
        return None
    head = head_of(body, found)
    if not head:
        return None
    rest = _TAIL.sub("", body[head[-1].end :])
    if len(head) < len(found) and not _REASON.match(rest):
        return None
    if rest.strip(" .") and not _REASON.match(rest) and not any(t.kind == "cell" for t in head):
        return None
    moves = chain_of(head, body, base, number)
    if moves is None:
        return None
    if moves[0].direction or moves[0].to is not None:
        return moves, rest.strip(" :,.|-—")
    return (moves, rest) if len(found) == 1 and not re.search(r"[가-힣A-Za-z]{2}", body[: found[0].start]) else None


def head_of(body: str, found: Sequence[Token]) -> list[Token]:
    """The tokens at the head of a body that only small words and signs join."""
    head: list[Token] = []
    at = 0
    for t in found:
        if not _FILLER.match(body[at : t.start]):
            break
        head.append(t)
        at = t.end
    return head


def _read_fields(fields: list[str], base: int, number: int | None) -> tuple[list[RawStep], str] | None:
    """A row of fields: the first with a cell or a direction is the move; single cells and directions may follow."""
    cell: Cell | None = None
    to: Cell | None = None
    direction = ""
    reasons: list[str] = []
    at = base
    start = base
    for field in fields:
        text, field_base = field, at
        at += len(field) + 1
        found = tokens(text, soft=_only_move(text))
        done = bool(direction) or to is not None
        if not found or (done and not _only_move(text)):
            reasons.append(text.strip())
            continue
        if not _FILLER.match(_without(text, found)):
            if not done and cell is None and reasons == []:
                head = head_of(text, found)
                chain = chain_of(head, text, field_base, number) if head else None
                if chain is None or not (chain[0].direction or chain[0].to):
                    if chain and chain[0].cell is not None and len(head) == 1:
                        cell, start = chain[0].cell, field_base
                        reasons.append(text[head[0].end :].strip())
                        continue
                    return None
                return chain, " ".join(fields[1:]).strip()
            reasons.append(text.strip())
            continue
        chain = chain_of(found, text, field_base, number)
        if chain is None:
            continue
        if len(chain) > 1 or (chain[0].cell is not None and (chain[0].direction or chain[0].to)):
            if not done:
                if len(chain) > 1:
                    return chain, " ".join(f.strip() for f in fields if f is not field)
                cell, direction, to, start = chain[0].cell, chain[0].direction, chain[0].to, field_base
            continue
        only = chain[0]
        if only.cell is not None and cell is None and not direction:
            cell, start = only.cell, field_base
        elif only.cell is not None and to is None:
            to = only.cell
        elif only.direction and not direction:
            direction, to = only.direction, only.to or to
    if cell is None and not direction and to is None:
        return None
    return expand(RawStep(number, cell, direction, to, (start, at - 1))), " ".join(reasons).strip()


def _only_move(text: str) -> bool:
    return len(text.strip()) <= 24 and not re.search(r"[가-힣A-Za-z]{2,}\s+[가-힣A-Za-z]{2,}\s+[가-힣A-Za-z]{2,}", text)


def _without(text: str, found: Sequence[Token]) -> str:
    parts, at = [], 0
    for t in found:
        parts.append(text[at : t.start])
        at = t.end
    return "".join([*parts, text[at:]])


def chain_of(found: Sequence[Token], text: str, base: int, number: int | None) -> list[RawStep] | None:
    """Steps of a run of cells, directions and arrows: `c→d`, `c d→c`, `d→c`, `c→c→c`, `d`, `c`."""
    steps: list[RawStep] = []
    stated: Cell | None = None
    here: Cell | None = None
    waiting: Token | None = None
    inferred = False
    for i, t in enumerate(found):
        span = (base + (waiting or t).start, base + t.end)
        if t.kind == "cell":
            cell: Cell = t.value  # type: ignore[assignment]
            if waiting is not None and i and _FROM.search(text[found[i - 1].end : t.start]):
                stated = cell  # "south from (1,0) to (2,0)"
            elif waiting is not None:
                steps += expand(RawStep(number, stated, str(waiting.value), cell, span))
                waiting, stated, inferred = None, None, False
            elif here is None and not steps and not (i and found[i - 1].kind == "arrow"):
                stated = cell
            elif cell != here:
                steps.append(RawStep(number, stated, direction_between(here, cell) if here else "", cell, span))
                stated, inferred = None, True
            here = cell
        elif t.kind == "dir":
            repeats = inferred and waiting is None and steps[-1].direction == t.value
            if repeats and not any(u.kind == "cell" for u in found[i + 1 : i + 3]):
                continue  # `(0,0) → (0,1) [E]` names one move twice
            if waiting is not None:
                steps.append(RawStep(number, stated, str(waiting.value), None, span))
                here = add(here, str(waiting.value)) if here else None
                stated = None
            waiting = t
        elif i == len(found) - 1 and waiting is None and not steps and _ends_move(text[t.end :]):
            waiting = Token("dir", "E", t.start, t.end)  # a bare → with nothing to its right is a direction
    if waiting is not None:
        steps.append(RawStep(number, stated, str(waiting.value), None, (base + waiting.start, base + waiting.end)))
        stated = None
    if not steps:
        return [RawStep(number, stated, "", None, (base + found[0].start, base + found[-1].end))] if stated is not None else None
    return steps


def _ends_move(rest: str) -> bool:
    return not rest.strip(" ])\"'|.,") or bool(_REASON.match(rest))


def expand(step: RawStep) -> list[RawStep]:
    """A step of several cells in its direction ("(1,0) → S → (4,0)") as single moves."""
    if step.cell is None or step.to is None or not step.direction:
        return [step]
    far = max(abs(step.to[0] - step.cell[0]), abs(step.to[1] - step.cell[1]))
    if far < 2 or far > 101 or add(step.cell, step.direction, far) != step.to:
        return [step]
    cells = [add(step.cell, step.direction, k) for k in range(far + 1)]
    number = step.number
    return [
        RawStep(None if number is None else number + k, cells[k] if k == 0 else None, step.direction, cells[k + 1], step.span)
        for k in range(far)
    ]
