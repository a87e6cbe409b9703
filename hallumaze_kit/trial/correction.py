"""Corrections of a reading: where the parser misread an answer, a person mends the reading, never the answer.

A reading is written as plain lines, one event a line, that a person can edit (`GRAMMAR`). What was changed is kept as
corrections: what was read, what stands there now, who changed it, when and why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.trace import DeadEnd, Event, Loop, Step, StrategyChange, Trace

CORRECTION, WITHDRAWN, READING = "correction", "correction_withdrawn", "reading"
"""Kinds of events in an answer's log: corrections, the withdrawal of one, a second reading."""
GRAMMAR = (
    "3 (0,1) S -> (1,1) 90% (number, target and confidence may be left out), (0,1), -> (2,2), DEAD_END (0,3), "
    "LOOP (1,1) 4, STRATEGY_CHANGE why, FINAL_PATH (0,0) (0,1)"
)
FINAL = "FINAL_PATH"

_CELL = r"\( ?(-?\d{1,4}) ?, ?(-?\d{1,4}) ?\)"
_STEP = re.compile(
    rf"(?:(\d{{1,30}}) )?(?:{_CELL})? ?([NESWnesw])? ?(?:(?:->|→) ?{_CELL})? ?(?:(\d{{1,3}}(?:\.\d{{1,10}})?) ?%)?"
)
_DECLARED = re.compile(rf"(DEAD_END|LOOP)(?: {_CELL})?(?: (\d{{1,30}}))?")
_CHANGE = re.compile(r"STRATEGY_CHANGE(?: (.*))?")
_PATH = re.compile(rf"{FINAL}(?: -|(?: ?{_CELL})*)")
_ONE_CELL = re.compile(_CELL)


class Reading(NamedTuple):
    """Events and final path, as lines say them; events have no place in a text."""

    events: tuple[Event, ...]
    final_path: tuple[Cell, ...] | None


# ---- lines ------------------------------------------------------------------------------------------


def reading_lines(trace: Trace) -> list[str]:
    """The reading of an answer, one event a line, the final path last."""
    lines = [event_line(event) for event in trace.events]
    if trace.final_path is not None:
        lines.append(" ".join([FINAL, *map(_cell_text, trace.final_path)]))
    return lines


def event_line(event: Event) -> str:
    """One event as its line."""
    if isinstance(event, Step):
        number = "" if event.number is None else str(event.number)
        cell = "" if event.cell is None else _cell_text(event.cell)
        to = "" if event.to is None else f"-> {_cell_text(event.to)}"
        confidence = "" if event.confidence is None else f"{event.confidence:.10f}".rstrip("0").rstrip(".") + "%"
        return " ".join(part for part in (number, cell, event.direction, to, confidence) if part)
    if isinstance(event, StrategyChange):
        return " ".join(["STRATEGY_CHANGE", *event.reason.split()])
    name = "DEAD_END" if isinstance(event, DeadEnd) else "LOOP"
    seen = str(event.seen_at) if isinstance(event, Loop) and event.seen_at is not None else ""
    return " ".join(part for part in (name, _cell_text(event.cell) if event.cell is not None else "", seen) if part)


def read_lines(lines: Iterable[str]) -> Reading:
    """Events and final path of lines in the grammar; empty lines are passed over.

    Raises `InputError` that names the line and shows the grammar.
    """
    events: list[Event] = []
    path: tuple[Cell, ...] | None = None
    for number, line in enumerate(lines, 1):
        text = " ".join(line.split())  # so that no pattern has to step over more than one space
        if not text:
            continue
        if text.startswith(FINAL):
            found = _PATH.fullmatch(text)
            if not found:
                raise InputError(f"line {number}", line, f"in this form: {GRAMMAR}")
            path = tuple((int(r), int(c)) for r, c in _ONE_CELL.findall(text)) or None
        else:
            event = _read_event(text)
            if event is None:
                raise InputError(f"line {number}", line, f"in this form: {GRAMMAR}")
            events.append(event)
    return Reading(tuple(events), path)


def _read_event(text: str) -> Event | None:
    change = _CHANGE.fullmatch(text)
    if change:
        return StrategyChange(change[1] or "")
    declared = _DECLARED.fullmatch(text)
    if declared:
        cell = None if declared[2] is None else (int(declared[2]), int(declared[3]))
        if declared[1] == "LOOP":
            return Loop(cell, None if declared[4] is None else int(declared[4]))
        return None if declared[4] else DeadEnd(cell)
    m = _STEP.fullmatch(text)
    if not m or not (m[2] or m[4] or m[5]):
        return None
    cell = None if m[2] is None else (int(m[2]), int(m[3]))
    to = None if m[5] is None else (int(m[5]), int(m[6]))
    confidence = None if m[7] is None else float(m[7])
    if confidence is not None and confidence > 100:
        return None
    return Step(None if m[1] is None else int(m[1]), cell, (m[4] or "").upper(), to, confidence)


def _cell_text(cell: Cell | None) -> str:
    return "" if cell is None else f"({cell[0]},{cell[1]})"


# ---- corrections --------------------------------------------------------------------------------------


def corrections_between(
    trace: Trace, lines: Sequence[str], author: str, reason: str, at: str
) -> tuple[dict[str, Any], ...]:
    """What must be changed in a reading for it to say `lines`; () if it says them already.

    Each correction is a dict of plain values: `kind` ("change", "add", "remove"), `index` (place among the events as
    they stood before these corrections, or "final_path"), `original` and `corrected` (lines, None where there is none),
    `between` (for an added line, the lines around it), `author`, `reason` and `at` (an ISO time that the caller gives).

    Raises `InputError` for a line outside the grammar, or no author or reason.
    """
    for name, given in (("author", author), ("reason", reason)):
        if not isinstance(given, str) or not given.strip():
            raise InputError(name, given, "a few words", "A correction is kept with who made it and why.")
    wanted = read_lines(lines)
    before, after = [event_line(e) for e in trace.events], [event_line(e) for e in wanted.events]
    who = {"author": author.strip(), "reason": reason.strip(), "at": at}
    made: list[dict[str, Any]] = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for k in range(max(b - a, d - c)):
            old = before[a + k] if a + k < b else None
            new = after[c + k] if c + k < d else None
            kind = "add" if old is None else "remove" if new is None else "change"
            one = {"kind": kind, "index": min(a + k, b), "original": old, "corrected": new, **who}
            made.append(one | {"between": _neighbours(before, b)} if old is None else one)
    if trace.final_path != wanted.final_path:
        old, new = (_path_line(path) for path in (trace.final_path, wanted.final_path))
        kind = "add" if old is None else "remove" if new is None else "change"
        made.append({"kind": kind, "index": "final_path", "original": old, "corrected": new, **who})
    return tuple(made)


def correct(trace: Trace, corrections: Sequence[Mapping[str, Any]]) -> Trace:
    """The reading with corrections applied; see `apply_corrections`."""
    return apply_corrections(trace, corrections)[0]


def apply_corrections(
    trace: Trace, corrections: Sequence[Mapping[str, Any]]
) -> tuple[Trace, tuple[Mapping[str, Any], ...]]:
    """The reading with corrections applied, in batches of one author, reason and time; and those that fitted.

    A correction whose original, or for an added line its neighbours, no longer stand in the reading (a newer parser
    reads it otherwise) is left out, and a warning of the trace says so. An event that is changed keeps its place in the
    answer; an added one takes that of the event before it.
    """
    fitted: list[Mapping[str, Any]] = []
    for batch in _batches(corrections):
        trace, used = _apply(trace, batch)
        fitted += used
    return trace, tuple(fitted)


def active_corrections(events: Iterable[Any]) -> tuple[dict[str, Any], ...]:
    """The corrections in an answer's log, those that were withdrawn left out.

    `events` have `.id`, `.kind` and `.data`; the data of a correction is one dict or a list of them.
    """
    events = list(events)
    withdrawn = {e.data.get("event") for e in events if e.kind == WITHDRAWN and isinstance(e.data, Mapping)}
    found: list[dict[str, Any]] = []
    for event in events:
        if event.kind == CORRECTION and event.id not in withdrawn:
            found += [dict(event.data)] if isinstance(event.data, Mapping) else [dict(one) for one in event.data]
    return tuple(found)


def _batches(corrections: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Corrections that were made together: their places are those before the first of them."""
    batches: list[list[Mapping[str, Any]]] = []
    last: object = None
    for correction in corrections:
        key = (correction.get("author"), correction.get("reason"), correction.get("at"))
        if key != last:
            batches.append([])
        batches[-1].append(correction)
        last = key
    return batches


def _apply(trace: Trace, batch: Sequence[Mapping[str, Any]]) -> tuple[Trace, list[Mapping[str, Any]]]:
    events: list[Event | None] = list(trace.events)
    lines = [event_line(e) for e in trace.events]
    added: dict[int, list[Event]] = {}
    path, warnings = trace.final_path, list(trace.warnings)
    taken: set[int] = set()
    used: list[Mapping[str, Any]] = []
    for c in batch:
        original, corrected = c.get("original"), c.get("corrected")
        if c.get("index") == "final_path":
            if _path_line(path) == original:
                path = read_lines([corrected]).final_path if corrected else None
                used.append(c)
            else:
                warnings.append(_misfit(original or FINAL))
            continue
        place = _place(lines, c, taken)
        if place is None:
            warnings.append(_misfit(original or corrected))
            continue
        used.append(c)
        if original is None:
            (event,) = read_lines([corrected]).events
            added.setdefault(place, []).append(event)
        else:
            taken.add(place)
            events[place] = _changed(trace.events[place], corrected)
    out: list[Event] = []
    for i in range(len(events) + 1):
        span = out[-1].span if out else (0, 0)
        out += [_at(event, span) for event in added.get(i, [])]
        if i < len(events) and (kept := events[i]) is not None:
            out.append(kept)
    return replace(trace, events=tuple(out), final_path=path, warnings=tuple(warnings)), used


def _place(lines: Sequence[str], correction: Mapping[str, Any], taken: set[int]) -> int | None:
    """Where a correction belongs: at its index, else at the only other fitting place; None if nowhere."""
    index, original = int(correction["index"]), correction.get("original")
    if original is None:
        between = list(correction["between"])
        if 0 <= index <= len(lines) and _neighbours(lines, index) == between:
            return index
        same = [i for i in range(len(lines) + 1) if _neighbours(lines, i) == between]
        return same[0] if len(same) == 1 else None
    if 0 <= index < len(lines) and lines[index] == original and index not in taken:
        return index
    same = [i for i, line in enumerate(lines) if line == original and i not in taken]
    return same[0] if len(same) == 1 else None


def _neighbours(lines: Sequence[str], place: int) -> list[str | None]:
    """The lines before and behind a place between lines."""
    return [lines[place - 1] if place else None, lines[place] if place < len(lines) else None]


def _changed(event: Event, line: str | None) -> Event | None:
    """The event that stands in place of another, None if it is taken out."""
    if line is None:
        return None
    (new,) = read_lines([line]).events
    if isinstance(new, Step):
        return new._replace(span=event.span, reason=event.reason if isinstance(event, Step) else "")
    before = event.before if type(new) is type(event) and not isinstance(event, Step) else 0
    return replace(new, span=event.span, before=before)


def _at(event: Event, span: tuple[int, int]) -> Event:
    return event._replace(span=span) if isinstance(event, Step) else replace(event, span=span)


def _path_line(path: tuple[Cell, ...] | None) -> str | None:
    return None if path is None else " ".join([FINAL, *map(_cell_text, path)])


def _misfit(line: object) -> str:
    return f"a correction of “{line}” no longer fits the reading and was left out"
