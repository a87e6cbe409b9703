"""Steps written in a form: `STEP 3: (r,c) → [E] | confidence: 90% | reason`, lists, tables, JSON objects."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.reading.tokens import Stated, Token, add, direction_between, tokens, without

_NAMED = (
    # "STEP 3", "move 3/12", "STEP 3–5"
    r"(?:STEP|Step|step|스텝|단계|MOVE|Move|move|TURN|Turn|이동|행동|턴)"
    r"\s{0,2}[#.:]?\s{0,2}(\d{1,4})(?:\s{0,2}[/~–-]\s{0,2}\d{1,4}(?!\d|,))?"
    r"(?:\s{0,2}\([^)\d\n]{2,16}\))?"
    # "3단계", "3rd move"
    r"|(\d{1,4})\s{0,2}(?:단계|스텝|번째\s?(?:걸음|이동|단계|스텝|수)?|걸음|(?:st|nd|rd|th)\s(?:step|move))"
)
_LISTED = r"[①-⑳]|#?(\d{1,4})(?:[.):](?=\s)|번[.:)]?(?=\s)|(?=\s{1,8}[(\[]\s?\d))"  # "3. ", "3) ", "3번 ", "3  (0,1)"
_AGAIN = r"(?:(?i:corrected|revised|updated|retry|again|수정|정정)[\s,:]{1,3})?"  # "corrected STEP 3"
LABEL = re.compile(
    rf"^[^\w(\[]{{0,14}}{_AGAIN}\[?(?:(?P<named>{_NAMED})|(?P<listed>{_LISTED}))\]?[^\w(\[가-힣→↑↓←\"]{{0,8}}"
)
_INLINE = re.compile(r"(?<=[\s|;,.)])(?:(?:STEP|Step|step|스텝)\s{0,2}\d{1,4}\s{0,2}[:.)]|\d{1,4}단계\s{0,2}:)")
_STEP_WORDS = ("STEP", "Step", "step", "스텝", "단계")
_FILLER = re.compile(
    r"^(?:[\s:,\[\]\"'=>|~{}_&\\-]|\.(?!\s)|—|–|[×x*]\s{0,2}\d{1,3}\b"  # signs
    r"|\b(?:at|to|go|from|move|moving|head|heading|step|cell"
    r"|then|direction|dir|position|current|in|the|reach|reaching|arrive|i)\b"
    r"|에서|에서는|으로|로|쪽|방향|이동|합니다|하여|해서|해|한다|함|하면|감|가서|위치|현재|좌표|셀|칸|다음)*$",
    re.I,
)
"""What may stand between the parts of a move."""
_SIGN = re.compile(r"\s{0,2}[\])]?\s{0,2}(?:[.,:;]\s|—|–|-\s)")
_WAY_THERE = re.compile(r"까지 ?(?:의|가는|이르는|이어지는) ?(?:경로|길|방법)")
_SAYS = re.compile(r"\s{0,2}[\])]?\s{0,2}(?:은|는|이|가|도|\s(?!then\b|and\b|to\b|from\b|conf)[A-Za-z가-힣]{2})")
_STRONG_REASON = re.compile(r"[(|#]|—|–|\s-{1,2}\s|\bbecause\b|\bsince\b|이유|왜냐", re.I)
_FROM = re.compile(r"\bfrom\s{0,2}$", re.I)
_REASON = re.compile(
    r"^\s{0,3}(?:[(|#;]|—|–|-{1,2}\s|/{2}"  # signs
    r"|because\b|since\b|as\s|why\b|reason\b|이유|왜냐|근거"
    r"|,?\s{0,2}confiden|,?\s{0,2}conf\b|,?\s{0,2}확신|,?\s{0,2}신뢰)",
    re.I,
)
"""How a reason or a confidence begins behind a move."""
_TAIL = re.compile(
    r"^(?:[\s,.]|으로|로|쪽|방향|이동|합니다|하여|해서|해요|한다|했다|했습니다|해|함|감|갑니다|간다|가요){0,8}"
    r"(?=[\s(|,.—–-]|$|because|since|confiden|conf\b|확신|신뢰|이유)",
    re.I,
)
_ENGLISH_CELL = r"(?:current |start(?:ing)? |next |new |target )?(?:position|cell|location|coordinates?)"
_ENGLISH_WAY = r"(?:chosen |my |next |selected )?(?:direction|move|action|choice|decision|step taken)"
_OPEN = (
    r"(?:open|available|possible|valid|legal)(?: directions?| moves?| ways?| exits?)?|options?|exits"
    r"|열린 ?(?:방향|곳)|가능한? ?방향|선택지"
)
_FIELD = re.compile(
    rf"^[\s\W]{{0,10}}(?P<key>{_ENGLISH_CELL}|{_ENGLISH_WAY}|{_OPEN}"
    r"|from|at|to|next|confidence|conf|certainty|reason(?:ing)?|why|notes?|comment"
    r"|현재 ?(?:위치|셀|칸)?|위치|좌표|셀|방향|이동|선택|다음 ?(?:위치|셀|칸)?|도착"
    r"|확신도|신뢰도|이유|근거|설명)\s{0,2}[:=]",
    re.I,
)
_KEY_NAME = re.compile(
    rf"(?:{_OPEN})\s{{0,2}}[:=][^|\n]{{0,60}}"  # with what it holds: no move
    rf"|\b(?:{_ENGLISH_CELL}|{_ENGLISH_WAY}|from|to|at|next)\b\s{{0,2}}[:=]"
    r"|(?:현재 ?(?:위치|셀|칸)?|위치|좌표|셀|방향|이동|선택|다음 ?(?:위치|셀|칸)?|도착)\s{0,2}[:=]",
    re.I,
)
_NO_MOVE_KEY = re.compile("conf|certain|reason|why|note|comment|확신|신뢰|이유|근거|설명", re.I)
_SOFT_FIRST = re.compile(r"\W{0,6}(?:up|down|left|right|[nesw]|위|아래|왼|오른|좌|우|상|하)(?![A-Za-z가-힣])", re.I)
_BARE_NUMBER = re.compile(r"\s{0,4}\d{1,3}(?:\.\d{1,4})?\s{0,4}")
_LETTERS = re.compile(r"[가-힣A-Za-z]{2}")
_THREE_WORDS = re.compile(r"[가-힣A-Za-z]{2,}\s+[가-힣A-Za-z]{2,}\s+[가-힣A-Za-z]{2,}")

MOST_FIELDS = 40
"""A row of more fields is no step."""


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
    number = ord(m["listed"][0]) - 0x245F if circled else int(m[2] or m[3] or m[5])
    return Label(number, m["named"] is not None, m.end())


def names_step(text: str) -> bool:
    """The text holds a word for a step."""
    return any(word in text for word in _STEP_WORDS)


def split_inline(line: str) -> list[int]:
    """Where further steps begin inside a line."""
    return [m.start() for m in _INLINE.finditer(line)]


def is_field(line: str) -> bool:
    """A line like `- Direction: E` that belongs to the step above it."""
    return (":" in line or "=" in line) and _FIELD.match(line) is not None


def bare_confidence(body: str) -> Stated | None:
    """A field that holds nothing but a number (`STEP 1: (0,0) → E | 95 | corridor`)."""
    for part in body.split("|")[1:]:
        if _BARE_NUMBER.fullmatch(part):
            return float(part), ""
    return None


def blank_keys(text: str) -> str:
    """Blank the names of fields (`Direction:`) so that their values stand alone."""
    return _KEY_NAME.sub(lambda m: " " * len(m[0]), text)


def is_cell_or_way(line: str) -> bool:
    """A field that can hold a part of a step's move."""
    m = _FIELD.match(line)
    return m is not None and not _NO_MOVE_KEY.match(m["key"])


# ---- the form ----------------------------------------------------------------------------------


class Form(NamedTuple):
    """A body that follows the form: its moves and the words beside them."""

    moves: list[RawStep]
    reason: str


def goes(step: RawStep) -> bool:
    """The step leads somewhere (an arrival only states a cell)."""
    return bool(step.direction) or step.to is not None


@lru_cache(maxsize=1024)
def read_form(body: str, base: int, number: int | None) -> Form | None:
    """A body read by the form, `base` being its place in the answer; None if it is told in sentences.

    A body that only states a cell (an arrival) gives one step without direction or target.
    """
    fields = body.split("|")
    if len(fields) > MOST_FIELDS:
        return None
    if len(fields) > 1:
        return _read_fields(fields, base, number)
    body = _without_options(body)
    found = tokens(body, soft=True) if _SOFT_FIRST.match(body) else tokens(body)
    head = _before_reason(head_of(body, found), body)
    if not head:
        return None
    rest = _TAIL.sub("", body[head[-1].end :])
    begins_reason = _REASON.match(rest) or (_SIGN.match(body[head[-1].end :]) and _is_formal(head))
    if len(head) < len(found) and (not begins_reason or _goes_on(head, found[len(head) :], body)):
        return None
    if _WAY_THERE.match(rest):
        return None
    if rest.strip(" .") and not begins_reason and not any(t.kind == "cell" for t in head):
        return None
    moves = chain_of(head, body, base, number)
    if moves is None:
        return None
    if goes(moves[0]):
        return Form(moves, rest.strip(" :,.|-—"))
    return Form(moves, rest) if len(found) == 1 and not _LETTERS.search(body[: found[0].start]) else None


def _without_options(body: str) -> str:
    """`(0,0) [E, S] → S`, `at (0,0), choose between E and S → [S]`: the open directions before the choice blanked."""
    if "→" not in body:
        return body
    found = tokens(body)
    if len(found) < 4 or [found[0].kind, found[-2].kind, found[-1].kind] != ["cell", "arrow", "dir"]:
        return body
    if any(t.kind != "dir" for t in found[1:-2]) or body[found[-1].end :].strip(" ])*.|✓✔"):
        return body
    start, end = found[0].end, found[-2].start
    return body[:start] + " " * (end - start) + body[end:]


def _before_reason(head: list[Token], body: str) -> list[Token]:
    """The head without what its reason begins with: `(0,0) → S — E is a wall`, `(0,0) → S: E is closed`."""
    for k in range(2, len(head)):
        sign = _SIGN.match(body[head[k - 1].end : head[k].start])
        if sign and _is_formal(head[:k]) and head[k].kind != "arrow" and _SAYS.match(body[head[k].end :]):
            return head[:k]
    return head


def _is_formal(head: Sequence[Token]) -> bool:
    """`(0,0) → S` or `(0,0) → (1,0)`: a move with its cell and a sign, and nothing else."""
    kinds = [t.kind for t in head]
    return kinds[0] == "cell" and "arrow" in kinds and kinds[-1] != "arrow"


def _goes_on(head: Sequence[Token], others: Sequence[Token], body: str) -> bool:
    """Behind a move, more moves: a direction with its cell, or a list of cells; else it is the reason."""
    if _STRONG_REASON.search(body[head[-1].end : others[0].start]):
        return False
    kinds = [t.kind for t in others]
    told = any(a == "dir" and b == "cell" for a, b in pairwise(kinds))
    return told or (head[-1].kind == "cell" and kinds[0] in ("cell", "arrow"))


def head_of(body: str, found: Sequence[Token]) -> list[Token]:
    """The tokens at the head of a body that only small words and signs join."""
    head: list[Token] = []
    at = 0
    for t in found:
        between = body[at : t.start]
        if between.strip() and not _FILLER.match(between):
            break
        head.append(t)
        at = t.end
    return head


@dataclass
class _Row:
    """What the fields of a row have said so far."""

    cell: Cell | None = None
    direction: str = ""
    to: Cell | None = None
    reasons: list[str] = field(default_factory=list)

    @property
    def moves(self) -> bool:
        """A move is known; what follows are reasons, and its target."""
        return bool(self.direction) or self.to is not None

    def add(self, step: RawStep) -> None:
        """A field that holds a cell, a direction, or both."""
        if step.cell is not None and goes(step):
            if not self.moves:
                self.cell, self.direction, self.to = step.cell, step.direction, step.to
        elif step.cell is not None and self.cell is None and not self.direction:
            self.cell = step.cell
        elif step.cell is not None and self.to is None:
            self.to = step.cell
        elif step.direction and not self.direction:
            self.direction, self.to = step.direction, step.to or self.to


def _read_fields(fields: list[str], base: int, number: int | None) -> Form | None:
    """A row of fields: the first with a cell or a direction is the move; single cells and directions may follow."""
    row = _Row()
    at = base
    for text in fields:
        place, at = at, at + len(text) + 1
        found = tokens(text, soft=_is_short(text))
        if not found or (row.moves and not _is_short(text)):
            row.reasons.append(text.strip())
        elif _FILLER.match(without(text, found)):
            chain = chain_of(found, text, place, number) or []
            if len(chain) > 1 and not row.moves:
                return Form(chain, " ".join(f.strip() for f in fields if f is not text))
            if len(chain) == 1:
                row.add(chain[0])
        elif row != _Row():
            row.reasons.append(text.strip())
        else:
            head = head_of(text, found)
            chain = (chain_of(head, text, place, number) if head else None) or []
            if chain and goes(chain[0]):
                return Form(chain, " ".join(fields[1:]).strip())
            if len(head) != 1 or not chain or chain[0].cell is None:
                return None
            row.cell = chain[0].cell
            row.reasons.append(text[head[0].end :].strip())
    if row.cell is None and not row.moves:
        return None
    return Form(expand(RawStep(number, row.cell, row.direction, row.to, (base, at - 1))), " ".join(row.reasons).strip())


def _is_short(text: str) -> bool:
    """A field that can hold nothing but a move."""
    return len(text.strip()) <= 24 and not _THREE_WORDS.search(text)


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
            cell: Cell = t.value
            if waiting is not None and i and _FROM.search(text[found[i - 1].end : t.start]):
                stated = cell  # "south from (1,0) to (2,0)"
            elif waiting is not None:
                steps += expand(RawStep(number, stated, waiting.value, cell, span))
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
                steps.append(RawStep(number, stated, waiting.value, None, span))
                here = add(here, waiting.value) if here else None
                stated = None
            waiting = t
        elif i == len(found) - 1 and waiting is None and not steps and _ends_move(text[t.end :]):
            waiting = Token("dir", "E", t.start, t.end)  # a bare → with nothing to its right is a direction
    if waiting is not None:
        steps.append(RawStep(number, stated, waiting.value, None, (base + waiting.start, base + waiting.end)))
    if not steps and stated is not None:
        return [RawStep(number, stated, "", None, (base + found[0].start, base + found[-1].end))]
    return steps or None


def _ends_move(rest: str) -> bool:
    """Nothing follows, or the reason."""
    return not rest.strip(" ])\"'|.,") or bool(_REASON.match(rest))


def expand(step: RawStep) -> list[RawStep]:
    """A step of several cells in its direction ("(1,0) → S → (4,0)") as single moves."""
    if step.cell is None or step.to is None or not step.direction:
        return [step]
    far = max(abs(step.to[0] - step.cell[0]), abs(step.to[1] - step.cell[1]))
    if far < 2 or far > 101 or add(step.cell, step.direction, far) != step.to:
        return [step]
    cells = [add(step.cell, step.direction, k) for k in range(far + 1)]
    moves = [RawStep(step.number, step.cell, step.direction, cells[1], step.span)]
    for k in range(1, far):
        number = None if step.number is None else step.number + k
        moves.append(RawStep(number, None, step.direction, cells[k + 1], step.span))
    return moves


def with_end(move: RawStep) -> RawStep:
    """A move whose one cell is where it ends."""
    ends = move.cell is not None and move.direction and move.to is None
    return move._replace(cell=None, to=move.cell) if ends else move
