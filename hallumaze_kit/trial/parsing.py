"""`parse_answer`: from the text of an answer to what the subject said (specification, section 4).

Never raises on text, never runs it, is linear in its length, and says what it could not read.

Modules named here are those of `hallumaze_kit.trial.reading`.
1. The text is folded to one spelling (`tokens`), thinking is set apart, an echo of the prompt is blanked.
2. Closing fields are taken out (`closing`, `labels`), then steps are looked for in the order of their plainness:
   numbered steps, tables and JSON (`steps`, `rows`), numbered lists, sentences (`prose`). The plainest form that holds
   moves is the walk.
3. Declarations (`declared`) are read where they stand, against where the subject stands by then.
4. What only the whole answer can tell is settled: is a step's cell where the move begins or ends; are
   confidences fractions or percentages.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise

from hallumaze_kit.errors import InputError
from hallumaze_kit.trial.reading import labels, rows, steps
from hallumaze_kit.trial.reading.closing import Fields, Log, Path
from hallumaze_kit.trial.reading.passes import Draft, Heads, Line, Reading, is_move, read_walk
from hallumaze_kit.trial.reading.said.objections import objections
from hallumaze_kit.trial.reading.thinking import set_thinking_apart
from hallumaze_kit.trial.reading.tokens import CELL, fold, normalise, tokens
from hallumaze_kit.trial.reading.vocabulary import GAVE_UP, MAY_GIVE_UP, Said
from hallumaze_kit.trial.trace import Event, Step, Trace
from hallumaze_kit.trial.wording import rule_lines

PARSER_VERSION = "1"
LONGEST_LINE = 20_000
"""Of a longer line, which nobody writes by hand, only this many characters are read (a final path is read whole)."""

_ECHO_CELL = re.compile(
    r"^[^\w(\[]{0,10}\(\s?\d{1,3}\s?,\s?\d{1,3}\s?\)\s?"
    r"(?::?\s{0,2}\[([NESW↑→↓←,\s]{0,24})(?:\]|$)[^\n]{0,300}"  # (0,1): [E→ S↓]
    r"|(?::|→)\s{0,2}([NESW](?:\s?[,/]\s?[NESW]){1,3})\s{0,3}$)",  # (0,1): E, S
    re.M,
)
_ECHO_RULE = re.compile(
    r"^[^\n]{0,60}?(?:\bSTEP N\b|[(\[]r ?, ?c[)\]]|\(행, ?열\)|XX ?%|step1:conf1|COUNT: N\s{0,3}$"
    r"|visited at step M|\(N-1, ?N-1\))[^\n]{0,300}$",
    re.M,
)
_RULE_SIGNS = ("STEP N", "r,c", "r, c", "행,", "XX", "step1:conf1", "COUNT: N", "at step M", "N-1")
_ECHO_HEAD = re.compile(r"^[^\n]{0,12}MAZE\s?\d{1,3}\s?[×xX]\s?\d{1,3}[^\n]{0,80}$", re.M)
_ARRIVED = re.compile(r"reach\w{0,3}|arriv\w{1,3}|exit|goal|done|solved|도착|도달|출구|탈출|완료|끝", re.I)
_JOINT = re.compile(
    r"(?<=\S )(?=(?:STEP|Step) \d{1,4}\s?[:.)]|(?:FINAL_PATH|BACKTRACK_COUNT|HALLUCINATION_COUNT|CONFIDENCE_LOG)\s?:)"
)
_OPEN_STEP = re.compile(r"(?:STEP|Step|step|단계)\s{0,2}\d{1,4}\W{0,4}\(\s?\d{1,3}\s?,\s?\d{1,3}\s?\)$")
_WAY_AND_ARROW = re.compile(r"[NESW][↑→↓←]")
_NO_WAY = re.compile(r"[^NESW]")
_ARROW_LAST = re.compile(r"\)\s{0,3}→\s{0,3}(?:\||$)", re.M)
_CUT_END = re.compile(
    r"(?:[(\[{,→|:—–-]|\(\s?\d{0,3}\s?,?\s?\d{0,3}|(?:STEP|Step|step|단계)\s{0,2}\d{0,4}|FINAL_?(?:PATH)?"
    r"|CONFIDENCE_?(?:LOG)?)\s{0,3}$"
)


def parse_answer(text: str) -> Trace:
    """Read an answer; see the module's docstring.

    Returns a `Trace`. Raises `InputError` only if `text` is no `str`.
    """
    if not isinstance(text, str):
        raise InputError("text", text, "the text of an answer")
    for read in (tokens, steps.read_form):
        read.cache_clear()  # several passes read the same lines; another answer has others
    text = normalise(text)
    folded, thinking, unclosed = set_thinking_apart(fold(text), text)
    body = _blank_open_arrow(_blank_echo(folded))
    lines = _without_rules(_lines(body))
    heads = [steps.label(line) if line else None for line, _ in lines]
    fields = Fields.read(lines, heads)
    if len(text) > LONGEST_LINE and _has_long_line(lines, fields):
        lines = _shorten(lines, fields)
        fields.warnings.append(f"of a line longer than {LONGEST_LINE:,} characters only the beginning was read")
    reading, final = _read_with_chain(body, lines, heads, fields)
    drafts, final, doubts = _weigh(_before_final(reading, fields, lines), final, fields.elided)
    warnings = [*fields.warnings, *doubts]
    if reading.cut:
        warnings.append("the answer holds more sentences than are read; what its last ones tell is left out")
    said, log = _settle_confidence(drafts, fields.log)
    events = _in_text_order(said)
    if unclosed:
        warnings.append("a thinking block is not closed, so what follows its tag is thinking and not an answer")
    if not any(is_move(e) for e in events) and final is None and text.strip():
        warnings.append("no move could be read")
    reports = labels.report_lines(lines)
    return Trace(
        events=tuple(events),
        objections=tuple(objections(lines, fields.lines)),
        backtracks=labels.reported(labels.BACKTRACKS, reports),
        hallucinations=labels.reported(labels.HALLUCINATIONS, reports),
        confidence_log=tuple(log),
        final_path=final,
        thinking=thinking,
        gave_up=_gives_up(lines, heads),
        truncated=unclosed or _is_cut(body, fields, bool(reports)),
        warnings=tuple(warnings),
        text=text,
    )


# ---- before reading ----------------------------------------------------------------------------


def _blank_echo(folded: str) -> str:
    """Blank the maze text where an answer gives it back; its lines look like steps but are none.

    `(0,0): [S E]` with several directions is maze text, and then so is every line of that shape.
    """
    if any(sign in folded for sign in _RULE_SIGNS):
        folded = _ECHO_RULE.sub(lambda m: " " * len(m[0]), folded)
    hits = list(_ECHO_CELL.finditer(folded))
    if not hits or not (_ECHO_HEAD.search(folded) or any(_is_maze_line(h) for h in hits)):
        return folded
    kept, at = [], 0
    for h in hits:
        kept += [folded[at : h.start()], " " * (h.end() - h.start())]
        at = h.end()
    out = "".join([*kept, folded[at:]])
    return _ECHO_HEAD.sub(lambda m: " " * len(m[0]), out)


def _is_maze_line(line: re.Match[str]) -> bool:
    """Several directions, or one with its arrow in brackets (`[W←]`): no step is written like that behind a colon."""
    ways = line[1] if line[1] is not None else line[2]
    return len(set(_NO_WAY.sub("", ways))) > 1 or (line[1] is not None and _WAY_AND_ARROW.search(ways) is not None)


def _blank_open_arrow(body: str) -> str:
    """An arrow on which the whole answer ends leads nowhere: it is cut off, not a move to the east."""
    end = len(body.rstrip())
    cut = body.endswith("→", 0, end) and len(_ARROW_LAST.findall(body)) < 2
    return f"{body[: end - 1]} {body[end:]}" if cut else body


def _lines(body: str) -> list[Line]:
    """The lines, of a run of empty ones only two."""
    out: list[Line] = []
    at = empty = 0
    for line in body.split("\n"):
        empty = 0 if line else empty + 1
        if empty < 3:
            joints = _joints(line)
            if joints:
                out += [(line[a:b], at + a) for a, b in pairwise([0, *joints, len(line)])]
            else:
                out.append((line, at))
        at += len(line) + 1
    return out


def _joints(line: str) -> list[int]:
    """Where lines were joined to one (a paste that lost its line breaks): before each step and each closing field."""
    many = "FINAL_PATH" in line or line.count("STEP ") + line.count("Step ") > 2
    return [m.start() for m in _JOINT.finditer(line)] if many and not line.lstrip().startswith("|") else []


@cache
def _rules() -> frozenset[str]:
    """The lines of all prompts' rules, folded."""
    return frozenset(fold(line).strip(" -*•>") for line in rule_lines())


def _without_rules(lines: list[Line]) -> list[Line]:
    """Blank the lines that are a prompt's own: its rules given back say nothing of the subject."""
    rules = _rules()
    return [("" if line.strip(" -*•>") in rules else line, at) for line, at in lines]


def _has_long_line(lines: list[Line], fields: Fields) -> bool:
    return any(len(line) > LONGEST_LINE for i, (line, _) in enumerate(lines) if i not in fields.lines)


def _shorten(lines: list[Line], fields: Fields) -> list[Line]:
    """Lines as steps and sentences are looked for in them: of a very long one, its beginning."""
    return [(line if i in fields.lines else line[:LONGEST_LINE], at) for i, (line, at) in enumerate(lines)]


# ---- what only the whole answer can tell ----------------------------------------------------------


def _before_final(reading: Reading, fields: Fields, lines: list[Line]) -> Reading:
    """The reading without the steps behind the last final path: talk there, or the steps listed again, is no walk."""
    if not fields.final_lines:
        return reading
    end = lines[fields.final_lines[-1]][1]
    kept = [d for d in reading.drafts if not (isinstance(d.event, Step) and d.event.span[0] > end)]
    if len(kept) == len(reading.drafts) or not (reading.form == "prose" or any(is_move(d.event) for d in kept)):
        return reading
    return reading._replace(drafts=kept, moves=sum(is_move(d.event) for d in kept))


def _read_with_chain(body: str, lines: list[Line], heads: Heads, fields: Fields) -> tuple[Reading, Path | None]:
    """The walk and the final path; without a label, a list of moves is one, or a chain of cells below the steps."""
    if fields.final is None:
        free = [(i, line) for i, (line, _) in enumerate(lines) if i not in fields.lines and heads[i] is None]
        listed = _listed_path(free)
        if listed:
            i, path = listed
            fields.lines.add(i)
            return read_walk(body, lines, heads, fields.lines), path
        chain = _chain_path(free)
        if chain:
            i, path = chain
            reading = read_walk(body, lines, heads, fields.lines | {i})
            if reading.moves >= 2:
                return reading, path
    return read_walk(body, lines, heads, fields.lines), fields.final


def _listed_path(free: list[tuple[int, str]]) -> tuple[int, Path] | None:
    """The first line that holds nothing but moves, and its path."""
    for i, line in free:
        if not CELL.search(line) and labels.is_move_list(line) and len(moves := labels.read_moves(line)) > 3:
            return i, labels.walk_of(moves)
    return None


def _chain_path(free: list[tuple[int, str]]) -> tuple[int, Path] | None:
    """The last line that is a chain of cells from the start, and its path."""
    chains = [(i, line) for i, line in free if line.count("→") >= 3]
    if not chains:
        return None
    i, line = chains[-1]
    path = labels.read_path(line)[0]
    return (i, path) if path and len(path) > 3 and path[0] == (0, 0) else None


def _gives_up(lines: list[Line], heads: Heads) -> bool:
    """The subject gives up or refuses, outside of its steps."""
    for (line, _), head in zip(lines, heads, strict=True):
        told = line and not (head and head.named)
        if told and MAY_GIVE_UP.search(line.lower()) and Said(line).says(GAVE_UP):
            return True
    return False


def _weigh(reading: Reading, final: Path | None, elided: bool) -> tuple[list[Draft], Path | None, list[str]]:
    """What counts where the walk or the final path is unsure: drafts, final path and what is to be said of it."""
    drafts, warnings = reading.drafts, []
    if elided and reading.moves:
        final = None
        warnings.append("the final path leaves cells out with an ellipsis, so the steps decide")
    steps_read = [d.event for d in drafts if isinstance(d.event, Step)]
    vague = bool(steps_read) and all(s.cell is None and s.to is None and s.number is None for s in steps_read)
    if (reading.doubts or vague) and final is not None and len(final) > 1:
        drafts = [d for d in drafts if not isinstance(d.event, Step)]
        warnings.append("the sentences that tell the moves do not fit together, so the final path is the walk")
    elif reading.doubts:
        warnings.append("the sentences that tell the moves do not fit together everywhere")
    return drafts, final, warnings


def _settle_confidence(drafts: list[Draft], log: Log) -> tuple[list[Event], Log]:
    """Confidences in percent: without a unit, numbers that never pass 1 are fractions.

    A declaration that is repeated before the next step is one declaration.
    """
    bare = [d.stated[0] for d in drafts if d.stated and not d.stated[1]]
    fractions = bool(bare) and max(bare) <= 1
    events: list[Event] = []
    said: set[tuple[type, object]] = set()
    for event, stated in drafts:
        if not isinstance(event, Step):
            key = (type(event), getattr(event, "cell", None))
            if key not in said:
                said.add(key)
                events.append(event)
            continue
        said.clear()
        if stated is None or event.confidence is not None:
            events.append(event)
            continue
        fraction = not stated[1] and (fractions or 0 < stated[0] < 1)
        percent = round(stated[0] * 100, 10) if fraction else stated[0]
        if 0 <= percent <= 100:
            event = Step(event.number, event.cell, event.direction, event.to, percent, event.reason, event.span)
        events.append(event)
    log_factor = 100.0 if log and max(v for _, v in log) <= 1 else 1.0
    return events, [(n, round(v * log_factor, 10)) for n, v in log if 0 <= v * log_factor <= 100]


def _in_text_order(said: list[Event]) -> list[Event]:
    """What was said in the order of the text; a declaration keeps how many of the steps above it it goes before."""
    order = sorted(range(len(said)), key=lambda i: said[i].span[0])
    steps_before, count = [], 0
    for event in said:
        steps_before.append(count)
        count += isinstance(event, Step)
    events: list[Event] = []
    above = 0
    for i in order:
        event = said[i]
        if isinstance(event, Step):
            above += 1
        elif above > steps_before[i]:
            event = replace(event, before=above - steps_before[i])
        events.append(event)
    return events


def _is_cut(body: str, fields: Fields, reports: bool) -> bool:
    """Does the text end in the middle: of a step, of a path, or after a step without the closing fields?"""
    text = body.rstrip()
    if not text:
        return False
    last = text[text.rfind("\n") + 1 :]
    if len(body) - len(text) and _OPEN_STEP.search(last):
        return True
    if _CUT_END.search(last[-24:]) and not rows.is_row(last):
        return True
    head = steps.label(last)
    if head and head.named and fields.final is None and not reports:
        return not _ARRIVED.search(last)
    return False
