"""One reply of a stepwise trial: which move it asks for, and what else it says (specification, section 8).

The reader of whole answers reads it first; what it leaves are the short forms that people and models write when one
move is asked for: `MOVE: E`, `**Direction:** east | confidence: 80%`, `[E]`, `→`, `E 80%`.
"""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import pairwise
from typing import NamedTuple

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.parsing import parse_answer
from hallumaze_kit.trial.reading import labels, tokens
from hallumaze_kit.trial.reading.thinking import set_thinking_apart
from hallumaze_kit.trial.trace import DeadEnd, Event, Loop, Step, Trace

LONGEST = 100_000
"""Of a longer reply only this many characters are read."""
_LABEL = re.compile(
    r"^[\W_\d]{0,8}(?:(?:my|next|the|final|chosen)\s){0,2}(?:move(?:\s?to)?|direction|answer|go(?:\sto)?|action|choice"
    r"|(?:다음\s?)?이동(?:\s?방향)?|방향|답변?|선택)\s{0,2}(?:[:=→]|은\b|는\b|(?<=to)\s)\s{0,2}(?=\S)",
    re.I,
)
_FIELD_END = re.compile(r"[|;]|[(\[—–,]?\s?(?:confiden|conf\b|certain|sure\b|확신|신뢰|\d{1,3}\s?%)", re.I)
_NOTE = re.compile(r"\W{0,9}(?:(DEAD[_ ]END)|LOOP(?: detected)?)(?:\W{1,5}backtracking)?\W{0,9}", re.I)
"""A declaration that names no cell, alone on its line."""
_NONE = re.compile(r"N\s?/\s?A\b|none\b", re.I)
_TRIM = " \t.,!?:[](){}<>\"'“”‘’-—–•>#_"

_WAS = re.compile(
    r"\bi(?:'ve| have| had| just| already)? (?:came|come|moved|went|gone|started|arrived|been|took|tried|reached|was)\b"
    r"|\b(?:came|come) (?:here )?from\b|\bby (?:going|moving|heading)\b"
    r"|\b(?:previous|last|earlier) (?:move|step|turn)\b"
    r"|\bso far\b|\bpreviously\b|온 ?(?:길|쪽|방향)|왔[던으고습다]|지나온|지나왔|이동했|갔[던으고습다]"
    r"|이전 ?(?:이동|단계|에)|지금까지|앞서",
    re.I,
)
"""A clause about moves that were made."""
_WERE_IT = re.compile(r"\b(?:if|were|would|could|might)\b|[가하]면\s|[다라]면\s|수도 ?있", re.I)
"""A sentence about moves that are only thought of."""
_CLAUSE = re.compile(
    r"(?<=[,;])\s|\s(?=(?:so|now|next|then|therefore|hence|but|and (?:now|i))\s)|\s[—–-]\s"
    r"|(?<=[가-힣]니)\s|(?<=므로)\s|(?<=니까)\s|(?<=지만)\s|(?<=[가-힣]고)\s"
)
_TURN = re.compile(r"\b(?:so|but|however|therefore|hence|thus)\b|;|하지만|그러나|따라서|그러므로|그래서", re.I)
_CHOSEN = re.compile(
    r"(?P<way>\b(?:north|south|east|west|[NESW])\b|[동서남북]쪽?)\W{0,4}(?:is|looks|seems|이|가|은|는|만이?)\s(?:\w{1,8}\s){0,2}?"
    r"(?:(?:only|best|right|correct|next|remaining|promising)\b|유일|가장|최선|맞)",
    re.I,
)
""" "East is the only option": a choice that is named and not told as a move."""

Made = tuple[int, Cell, str]
"""A try that was made: its number, where it started, its direction."""


class Try(NamedTuple):
    """A move that a reply asks for: a direction, or else (direction "") a cell to go to.

    `cell` is where the subject says that it stands, `number` the step's number as written.
    """

    direction: str
    to: Cell | None = None
    cell: Cell | None = None
    confidence: float | None = None
    number: int | None = None


class Reply(NamedTuple):
    """What a reply says.

    move       the first move, None if none can be read
    extra      moves behind the first, which are not made
    declared   dead ends, loops and changes of strategy, in text order
    gave_up    it says that it gives up, and asks for no move
    cut        it is longer than what is read
    """

    move: Try | None
    extra: int
    declared: tuple[Event, ...]
    gave_up: bool
    cut: bool


def read_reply(text: str, here: Cell, told: Container[str] = (), made: Container[Made] = ()) -> Reply:
    """Read a reply of a subject that stands at `here`.

    told   the lines (stripped) that the environment has said, which say nothing when they are given back
    made   the tries so far: steps that only repeat them, before a new one, are left out

    A numbered step counts before a labelled move (`MOVE: E`), that before a move told in prose, that before a bare
    form, that before a final path. A stated direction counts before a stated target.
    A declaration that names no cell is made at `here`. Never raises on text; linear in its length.
    """
    cut = len(text) > LONGEST
    kept = "\n".join("" if line.strip(_TRIM) in told else line for line in text[:LONGEST].split("\n"))
    trace = parse_answer(kept)
    steps = _without_repeats([_try(s) for s in trace.steps if (s.direction or s.to) and not _stays(s, here)], made)
    first = next((i for i, s in enumerate(steps) if s.number is not None), len(steps))
    lines = _spoken_lines(trace)
    told_now = steps if first < len(steps) else _told_now(kept, steps, here)
    tries = told_now[first:] or _labelled(lines) or told_now or _bare(lines) or _of_path(trace, here)
    move = tries[0] if tries else None
    if move is not None and move.confidence is None:
        move = move._replace(confidence=_confidence(trace, lines))
    declared = [_placed(event, trace, here) for event in trace.events if not isinstance(event, Step)]
    declared += [note for note in _notes(lines, here) if not any(type(note) is type(event) for event in declared)]
    return Reply(move, max(0, len(tries) - 1), tuple(declared), trace.gave_up and move is None, cut)


def _told_now(text: str, steps: list[Try], here: Cell) -> list[Try]:
    """Moves told in sentences, without what was done before or is only thought of, if any are left then."""
    sentences = re.split(r"(?<=[.!?])\s|\n", text)
    now = [kept for sentence in sentences if (kept := _without_then(sentence)).strip()]
    if len("".join(now)) == len("".join(sentences)):
        return steps
    again = [_try(s) for s in parse_answer("\n".join(now)).steps if (s.direction or s.to) and not _stays(s, here)]
    chosen = [Try(tokens.tokens(m["way"], soft=True)[0].value) for line in now for m in [_CHOSEN.search(line)] if m]
    return again or chosen or steps


def _without_then(sentence: str) -> str:
    """A sentence without its clauses about moves that were made, or are only thought of."""
    if _WERE_IT.search(sentence):
        turn = _TURN.search(sentence, _WERE_IT.search(sentence).end())  # type: ignore[union-attr]
        return sentence[turn.start() :] if turn else ""
    return " ".join(clause for clause in _CLAUSE.split(sentence) if not _WAS.search(clause))


def line_key(line: str) -> str:
    """A line as `read_reply` looks it up in `told`."""
    return line.strip(_TRIM)


def _try(step: Step) -> Try:
    return Try(step.direction, step.to, step.cell, step.confidence, step.number)


def _stays(step: Step, here: Cell) -> bool:
    """It only names the cell where the subject stands: the way it came ("from (0,0) to (0,1)"), or no way at all."""
    return step.to == here and step.cell != here


def _without_repeats(steps: list[Try], made: Container[Made]) -> list[Try]:
    """The steps without leading ones that repeat tries by number, cell and direction, if any are left then."""
    new = next((i for i, s in enumerate(steps) if (s.number, s.cell, s.direction) not in made), 0)
    return steps[new:]


def _spoken_lines(trace: Trace) -> list[str]:
    """The folded lines outside of thinking that are neither empty nor very long."""
    folded, _, _ = set_thinking_apart(tokens.fold(trace.text), trace.text)
    return [line for line in folded.split("\n") if line.strip() and len(line) < 1000]


def _labelled(lines: list[str]) -> list[Try]:
    """The moves of the first line like `MOVE: E`."""
    for line in lines:
        label = _LABEL.match(line)
        if label and (tries := _field(line[label.end() :], strict=False)):
            return tries
    return []


def _bare(lines: list[str]) -> list[Try]:
    """The moves of the first line that holds nothing but moves and a confidence."""
    return next((tries for line in lines if (tries := _field(line, strict=True))), [])


def _field(text: str, strict: bool) -> list[Try]:
    """The moves of a field; not strict, one that only begins with a move is that move."""
    end = _FIELD_END.search(text)
    field = text[: end.start() if end and end.start() else len(text)].strip()
    said = tokens.confidence(text)
    sure = _percent((said.value, said.unit)) if said else None
    inner = "" if tokens.CELL.search(field) or _NONE.match(field) else field.strip(_TRIM)
    if labels.is_move_list(inner) and (moves := labels.read_moves(inner)):
        return [Try(d, confidence=sure) for d in moves]
    if strict or _NONE.match(field):
        return []
    found = tokens.tokens(field, soft=True)
    if not found or field[: found[0].start].strip(_TRIM):
        return []
    first = found[0]
    if first.kind == "cell":
        return [Try("", to=first.value, confidence=sure)]
    return [Try("E" if first.kind == "arrow" else first.value, confidence=sure)]


def _of_path(trace: Trace, here: Cell) -> list[Try]:
    """The moves of a final path: from where the subject stands, if the path leads through there."""
    path = trace.final_path or ()
    if not tokens.CELL.search(tokens.fold(trace.text)):  # the path was given as moves, from wherever it stands
        return [Try(tokens.direction_between(a, b)) for a, b in pairwise(path)]
    first = path.index(here) if here in path[:-1] else 0
    return [Try("", to=b, cell=a) for a, b in pairwise(path[first:]) if b != here]


def _confidence(trace: Trace, lines: list[str]) -> float | None:
    """A confidence that stands apart from the move: in a CONFIDENCE_LOG, or the first of a line."""
    if trace.confidence_log:
        return trace.confidence_log[-1][1]
    said = next((found for line in lines if (found := tokens.stated_in(line))), None)
    return _percent(said) if said else None


def _percent(said: tokens.Stated) -> float | None:
    """In percent: a number without a unit that does not pass 1 is a fraction."""
    value = said[0] if said[1] or said[0] > 1 else said[0] * 100
    return round(value, 10) if 0 <= value <= 100 else None


def _placed(event: Event, trace: Trace, here: Cell) -> Event:
    """The declaration with `here` for its cell where the reply names none."""
    if not isinstance(event, DeadEnd | Loop):
        return event
    named = [tokens.cell_of(m) for m in tokens.CELL.finditer(tokens.fold(_line_of(trace.text, event.span[0])))]
    cell = event.cell if event.cell in named else here
    if isinstance(event, DeadEnd):
        return DeadEnd(cell, event.span)
    return Loop(cell, event.seen_at, event.span)


def _notes(lines: list[str], here: Cell) -> list[Event]:
    """Declarations without a cell, which the reader of whole answers cannot place."""
    found = [m for line in lines if (m := _NOTE.fullmatch(line))]
    return [DeadEnd(here) if m[1] else Loop(here) for m in found]


def _line_of(text: str, at: int) -> str:
    """The line in which a position lies, of a very long one what is near."""
    start = max(text.rfind("\n", 0, at) + 1, at - 500)
    end = text.find("\n", at)
    return text[start : min(end if end >= 0 else len(text), at + 500)]
