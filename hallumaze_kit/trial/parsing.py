"""`parse_answer`: from the text of an answer to what the subject said (specification, section 4).

Never raises on text, never runs it, is linear in its length, and says what it could not read.

1. The text is folded to one spelling (`tokens`), thinking is set apart, an echo of the prompt is blanked.
2. Closing fields are taken out (`labels`), then steps are looked for in the order of their plainness: numbered steps
   and tables and JSON (`steps`), numbered lists, sentences (`prose`). The plainest form that holds moves is the walk.
3. Declarations (`declared`) are read where they stand, against where the subject stands by then.
4. What only the whole answer can tell is settled: is a step's cell where the move begins or ends; are
   confidences fractions or percentages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import Cell
from hallumaze_kit.trial import labels, rows, steps
from hallumaze_kit.trial.reading import Draft, Heads, Line, Reading, is_move, read_walk
from hallumaze_kit.trial.tokens import CELL, fold, normalise
from hallumaze_kit.trial.trace import Event, Step, Trace
from hallumaze_kit.trial.vocabulary import GAVE_UP
from hallumaze_kit.trial.wording import rule_lines

PARSER_VERSION = "1"
LONGEST_LINE = 20_000
"""Of a longer line, which nobody writes by hand, only this many characters are read (a final path is read whole)."""

_THINK = re.compile(r"<\s{0,2}(/?)\s{0,2}(?:think|thinking|thought|reasoning|reflection)\s{0,2}>", re.I)
_ECHO_CELL = re.compile(
    r"^[^\w(\[]{0,10}\(\s?\d{1,3}\s?,\s?\d{1,3}\s?\)\s?:?\s{0,2}\[([NESW↑→↓←,\s]{0,24})(?:\]|$)([^\n]{0,300})",
    re.M,
)
_ECHO_RULE = re.compile(
    r"^[^\n]{0,60}?(?:\bSTEP N\b|[(\[]r ?, ?c[)\]]|\(행, ?열\)|XX ?%|step1:conf1|: N\s{0,3}$|visited at step M|\(N-1, ?N-1\))[^\n]{0,300}$", re.M
)
_RULE_SIGNS = ("STEP N", "r,c", "r, c", "행,", "XX", "step1:conf1", ": N", "at step M", "N-1")
_ECHO_HEAD = re.compile(r"^[^\n]{0,12}MAZE\s?\d{1,3}\s?[×xX]\s?\d{1,3}[^\n]{0,80}$", re.M)
_MAY_GIVE_UP = re.compile(
    "giv|Giv|stuck|surrender|can't|can’t|annot|could|ble to|failed|mpossible|no |No |unsolvable|orry|rather not|won't"
    "|풀|포기|해결|못|없|불가능|어렵|않|모르겠"
)
_ARRIVED = re.compile(r"reach\w{0,3}|arriv\w{1,3}|exit|goal|done|solved|도착|도달|출구|탈출|완료|끝", re.I)
_OPEN_STEP = re.compile(r"(?:STEP|Step|step|단계)\s{0,2}\d{1,4}\W{0,4}\(\s?\d{1,3}\s?,\s?\d{1,3}\s?\)$")
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
    text = normalise(text)
    folded, thinking, unclosed = _set_thinking_apart(fold(text), text)
    body = _blank_open_arrow(_blank_echo(folded))
    lines = _without_rules(_lines(body))
    heads = [steps.label(line) for line, _ in lines]
    fields = _Fields.read(lines, heads)
    if any(len(line) > LONGEST_LINE for i, (line, _) in enumerate(lines) if i not in fields.lines):
        lines = _shorten(lines, fields)
        fields.warnings.append(f"of a line longer than {LONGEST_LINE:,} characters only the beginning was read")
    reading, final = _read_with_chain(body, lines, heads, fields)
    warnings = list(fields.warnings)
    if fields.elided and reading.moves:
        final = None
        warnings.append("the final path leaves cells out with an ellipsis, so the steps decide")
    drafts = reading.drafts
    steps_read = [d.event for d in drafts if isinstance(d.event, Step)]
    vague = bool(steps_read) and all(s.cell is None and s.to is None and s.number is None for s in steps_read)
    if (reading.doubts or vague) and final is not None and len(final) > 1:
        drafts = [d for d in drafts if not isinstance(d.event, Step)]
        warnings.append("the sentences that tell the moves do not fit together, so the final path is the walk")
    elif reading.doubts:
        warnings.append("the sentences that tell the moves do not fit together everywhere")
    events, log = _settle_confidence(drafts, fields.log)
    if unclosed:
        warnings.append("a thinking block is not closed, so what follows its tag is thinking and not an answer")
    if not any(is_move(e) for e in events) and final is None and text.strip():
        warnings.append("no move could be read")
    reports = labels.report_lines([line for line, _ in lines])
    return Trace(
        events=tuple(events),
        backtracks=labels.reported(labels.BACKTRACKS, reports),
        hallucinations=labels.reported(labels.HALLUCINATIONS, reports),
        confidence_log=tuple(log),
        final_path=final,
        thinking=thinking,
        gave_up=any(
            GAVE_UP.search(line) for (line, _), head in zip(lines, heads, strict=True) if not (head and head.named) and _MAY_GIVE_UP.search(line)
        ),
        truncated=unclosed or _is_cut(body, fields, bool(reports)),
        warnings=tuple(warnings),
        text=text,
    )


# ---- before reading ----------------------------------------------------------------------------


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]


def _set_thinking_apart(folded: str, text: str) -> tuple[str, str, bool]:
    """The folded text with thinking blanked, the thinking, and whether a block is left open.

    `<think>` is markup to the folding, so tags are found in the text as it came. A lone closing tag
    means that all before it is thinking; an unclosed opening one, that all after it is.
    """
    spans: list[tuple[int, int]] = []
    opened: int | None = None
    for tag in _THINK.finditer(text):
        if tag[1]:
            spans.append((opened if opened is not None else (spans[-1][1] if spans else 0), tag.end()))
            opened = None
        elif opened is None:
            opened = tag.start()
    if opened is not None:
        spans.append((opened, len(text)))
    if not spans:
        return folded, "", False
    kept, at = [], 0
    for start, end in spans:
        kept += [folded[at:start], re.sub(r"[^\n]", " ", folded[start:end])]
        at = end
    thinking = "\n".join(_THINK.sub("", text[a:b]).strip() for a, b in spans)
    return "".join([*kept, folded[at:]]), thinking, opened is not None


def _blank_echo(folded: str) -> str:
    """Blank the maze text where an answer gives it back; its lines look like steps but are none.

    `(0,0): [S E]` with several directions is maze text, and then so is every line of that shape.
    """
    if any(sign in folded for sign in _RULE_SIGNS):
        folded = _ECHO_RULE.sub(lambda m: " " * len(m[0]), folded)
    hits = list(_ECHO_CELL.finditer(folded))
    if not hits or not (_ECHO_HEAD.search(folded) or any(len(set(re.sub(r"[^NESW]", "", h[1]))) > 1 for h in hits)):
        return folded
    kept, at = [], 0
    for h in hits:
        kept += [folded[at : h.start()], " " * (h.end() - h.start())]
        at = h.end()
    out = "".join([*kept, folded[at:]])
    return _ECHO_HEAD.sub(lambda m: " " * len(m[0]), out)


def _blank_open_arrow(body: str) -> str:
    """An arrow on which the whole answer ends leads nowhere: it is cut off, not a move to the east."""
    end = len(body.rstrip())
    cut = body[:end].endswith("→") and len(re.findall(r"\)\s{0,3}→\s{0,3}(?:\||$)", body, re.M)) < 2
    return _blank(body, end - 1, end) if cut else body


def _lines(body: str) -> list[Line]:
    """The lines, of a run of empty ones only two."""
    out: list[Line] = []
    at = empty = 0
    for line in body.split("\n"):
        if line:
            empty = 0
        else:
            empty += 1
        if empty < 3:
            out.append((line, at))
        at += len(line) + 1
    return out


@cache
def _rules() -> frozenset[str]:
    return frozenset(fold(line).strip(" -*•>") for line in rule_lines())


def _without_rules(lines: list[Line]) -> list[Line]:
    """Blank the lines that are a prompt's own: its rules given back say nothing of the subject."""
    rules = _rules()
    return [("" if line.strip(" -*•>") in rules else line, at) for line, at in lines]


def _shorten(lines: list[Line], fields: _Fields) -> list[Line]:
    """Lines as steps and sentences are looked for in them: of a very long one, its beginning."""
    return [(line[:LONGEST_LINE], at) if len(line) > LONGEST_LINE and i not in fields.lines else (line, at) for i, (line, at) in enumerate(lines)]


# ---- closing fields ----------------------------------------------------------------------------


@dataclass
class _Fields:
    """What the closing fields say, and the lines that they take up."""

    final: tuple[Cell, ...] | None = None
    elided: bool = False
    log: list[tuple[int, float]] = field(default_factory=list)
    lines: set[int] = field(default_factory=set)
    warnings: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, lines: list[Line], heads: Heads) -> _Fields:
        fields = cls()
        plain = [line for line, _ in lines]
        i = 0
        while i < len(plain):
            line = plain[i]
            if not labels.may_close(line, bool(heads[i] and heads[i].named)):  # type: ignore[union-attr]
                i += 1
                continue
            m = labels.LOG.search(line)
            if m:
                content, after = line[m.end() :], i + 1
                while after < len(plain) and not re.search(r"\d\s{0,2}[:=]|\d,", content) and re.search(r"\d\s{0,2}[:=]", plain[after]):
                    content += " " + plain[after]
                    after += 1
                log = labels.read_log(content)
                fields.log = log or fields.log
                fields.lines.update(range(i, after))
                i = after
                continue
            at = labels.final_label(line)
            if at is not None and not (rows.is_row(line) and len(CELL.findall(line)) < 3):
                content, after = labels.path_content(plain, i, at)
                path, warning = labels.read_path(content)
                if path is not None:
                    fields.final, fields.elided = path, bool(warning)
                    if warning:
                        fields.warnings.append(warning)
                if path is not None or CELL.search(content) or not content.strip():
                    fields.lines.update(range(i, after))
                    i = after
                    continue
            i += 1
        return fields


# ---- what only the whole answer can tell ----------------------------------------------------------


def _read_with_chain(body: str, lines: list[Line], heads: Heads, fields: _Fields) -> tuple[Reading, tuple[Cell, ...] | None]:
    """The walk and the final path; a bare chain of cells from the start, below the steps, is a final path."""
    if fields.final is None:
        for i, (line, _) in enumerate(lines):
            if i not in fields.lines and heads[i] is None and labels.is_move_list(line) and len(moves := labels.read_moves(line)) > 3 and not CELL.search(line):
                fields.lines.add(i)
                return read_walk(body, lines, heads, fields.lines), labels.walk_of(moves)
        for i in range(len(lines) - 1, -1, -1):
            line = lines[i][0]
            if i in fields.lines or heads[i] or line.count("→") < 3:
                continue
            path, _ = labels.read_path(line)
            if path and len(path) > 3 and path[0] == (0, 0):
                reading = read_walk(body, lines, heads, fields.lines | {i})
                if reading.moves >= 2:
                    return reading, path
                break
    return read_walk(body, lines, heads, fields.lines), fields.final


def _settle_confidence(drafts: list[Draft], log: list[tuple[int, float]]) -> tuple[list[Event], list[tuple[int, float]]]:
    """Confidences in percent: without a unit, numbers that never pass 1 are fractions.

    A declaration that is repeated before the next step is one declaration.
    """
    bare = [d.stated[0] for d in drafts if d.stated and not d.stated[1]]
    factor = 100.0 if bare and max(bare) <= 1 else 1.0
    events: list[Event] = []
    said: set[tuple[type, object]] = set()
    for event, stated in drafts:
        if isinstance(event, Step):
            said.clear()
        elif (type(event), getattr(event, "cell", None)) in said:
            continue  # the same thing said again before the next step
        said.add((type(event), getattr(event, "cell", None)))
        if isinstance(event, Step) and stated is not None:
            percent = round(stated[0] * (1.0 if stated[1] else factor), 10)
            if 0 <= percent <= 100:
                event = event._replace(confidence=percent)
        events.append(event)
    log_factor = 100.0 if log and max(v for _, v in log) <= 1 else 1.0
    return events, [(n, round(v * log_factor, 10)) for n, v in log if 0 <= v * log_factor <= 100]


def _is_cut(body: str, fields: _Fields, reports: bool) -> bool:
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
