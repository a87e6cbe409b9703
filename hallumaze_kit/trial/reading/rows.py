"""Steps in rows: tables with a row a step, and JSON objects with one step each."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.reading.steps import MOST_FIELDS, RawStep, chain_of, expand, goes, head_of
from hallumaze_kit.trial.reading.tokens import CELL, Stated, cell_of, confidence, direction_between, tokens

_ROLES = tuple(
    (role, re.compile(pattern, re.I))
    for role, pattern in (
        ("open", r"\bopen|available|possible|\bvalid|option|exits|neighbo|열린|가능|선택지|candidate|offen"),
        ("hint", r"hint|flag|힌트|⚑"),
        ("conf", r"conf|konf|certain|sure|확신|신뢰|%"),
        ("reason", r"reason|why|note|comment|remark|begründ|grund|이유|근거|설명|비고|판단|메모"),
        ("to", r"\bto\b|next|target|after|result|arriv|new|nach|다음|도착|이동 ?후|결과|목표"),
        ("number", r"step|schritt|turn|#|\bno\b|\bnr\b|number|\bn\b|단계|번호|순서|스텝|순번|차례"),
        ("direction", r"dir|richtung|move|action|choice|chosen|chose|decision|\bgo\b|heading|방향|이동|선택|행동|결정"),
        ("cell", r"cell|from|\bvon\b|position|current|coord|location|\bat\b|start|where|셀|현재|위치|좌표|칸|출발"),
    )
)
"""What a column holds, by the words of its header; the first that fits."""
_BARE_ROW = re.compile(r"(?:\d{1,4}|step|#|no\.?|nr\.?|단계|번호)\s{0,4}\|", re.I)
"""A row without a bar at its edges, known by its first field."""
_NUMBER = re.compile(r"\d{1,4}")
_DECIMAL = re.compile(r"\d{1,3}(?:\.\d{1,4})?")
_STEP_NUMBER = re.compile(r"(?:STEP|Step|step|#)?\s{0,2}\d{1,4}\.?|\d{1,4}단계")


def is_row(line: str) -> bool:
    """A table row."""
    text = line.strip()
    bars = text.count("|")
    if not 3 <= bars + 1 <= MOST_FIELDS:
        return False
    return (text.startswith("|") and bars >= 3) or (bars >= 2 and _BARE_ROW.match(text) is not None)


def cells_of_row(line: str) -> list[tuple[str, int]]:
    """The fields of a table row and where they begin in the line."""
    out, at = [], 0
    for part in line.split("|"):
        out.append((part, at))
        at += len(part) + 1
    if out and not out[0][0].strip():
        out = out[1:]
    if out and not out[-1][0].strip():
        out = out[:-1]
    return out


def roles(header: str) -> list[str]:
    """What each column of a table holds, from its header; "" where unknown."""
    out: list[str] = []
    for part, _ in cells_of_row(header):
        fitting = (role for role, words in _ROLES if words.search(part) and (role not in out or role == "reason"))
        out.append(next(fitting, ""))
    return out


def is_header(row: str) -> bool:
    """A row without a number that names the columns of a walk."""
    return not _NUMBER.search(row) and not {"cell", "direction"}.isdisjoint(roles(row))


class Row(NamedTuple):
    """A table row read as a step."""

    steps: list[RawStep]
    confidence: Stated | None
    reason: str


def read_row(line: str, base: int, columns: list[str]) -> Row | None:
    """A step from a table row whose columns are known."""
    fields: dict[str, tuple[str, int]] = {}
    for part, role in zip(cells_of_row(line), columns, strict=False):
        fields.setdefault(role, part)
    texts = {role: text for role, (text, _) in fields.items() if role}
    numbered = _NUMBER.search(texts.get("number", ""))
    number = int(numbered[0]) if numbered else None
    move, at = fields.get("direction", ("", 0))
    head = head_of(move, tokens(move, soft=True))
    chain = (chain_of(head, move, base + at, number) if head else None) or []
    cell, to = one_cell(texts.get("cell", "")), one_cell(texts.get("to", ""))
    if chain and (len(chain) > 1 or (chain[0].cell is not None and goes(chain[0]))):
        first = chain[0].cell if chain[0].cell is not None else cell
        steps = [chain[0]._replace(cell=first), *chain[1:]]
    else:
        step = _joined(RawStep(number, cell, "", to, (base, base + len(line))), chain[0] if chain else None)
        if step.cell is None and not goes(step):
            return None
        steps = expand(step)
    said = move[head[-1].end :] if head else move
    reason = " ".join(part for part in (said.strip(" ()|"), texts.get("reason", "").strip()) if part)
    return Row(steps, _one_confidence(texts["conf"]) if "conf" in texts else None, reason)


def _joined(step: RawStep, move: RawStep | None) -> RawStep:
    """A step of its own columns and of what the column of the move says: a direction, a target or both."""
    direction, to = step.direction, step.to
    if move is not None:
        direction = move.direction
        to = to if to is not None else move.to
        if not direction and to is None:
            to = move.cell
    if step.cell is not None and to is not None and not direction:
        direction = direction_between(step.cell, to)
    return step._replace(direction=direction, to=to)


def one_cell(text: str) -> Cell | None:
    """The first cell in a text."""
    m = CELL.search(text)
    return cell_of(m) if m else None


def _one_confidence(text: str) -> Stated | None:
    """The confidence in a field that holds one, also a bare number."""
    found = confidence(text)
    if found:
        return found.value, found.unit
    m = _DECIMAL.search(text)
    return (float(m[0]), "") if m else None


def guess_roles(row: str) -> list[str]:
    """Columns of a table without a header, from what a row holds."""
    out: list[str] = []
    for part, _ in cells_of_row(row):
        text = part.strip()
        if _STEP_NUMBER.fullmatch(text) and "number" not in out:
            out.append("number")
        elif CELL.fullmatch(text):
            out.append("cell" if "cell" not in out else "to")
        elif confidence(text) or _DECIMAL.fullmatch(text):
            out.append("conf")
        elif len(text) <= 12 and "direction" not in out:
            out.append("direction")
        else:
            out.append("reason")
    return out


# ---- JSON objects --------------------------------------------------------------------------------

OBJECT = re.compile(r"\{[^{}\n]{0,400}(?:\n[^{}\n]{0,400}){0,14}\}")
_KEYS = {
    "number": ("step", "number", "n", "id", "단계", "index"),
    "cell": (
        "cell", "from", "position", "pos", "current", "location", "at", "coord", "start", "current_cell",
        "위치", "현재", "셀", "현재위치",
    ),
    "direction": ("direction", "dir", "move", "action", "방향", "이동"),
    "to": ("to", "next", "target", "end", "next_cell", "new_position", "다음", "도착"),
    "conf": ("confidence", "conf", "확신도", "신뢰도"),
}  # fmt: skip
_KNOWN_KEYS = frozenset(key for keys in _KEYS.values() for key in keys)
STEP_KEY = re.compile(r"\"(?:direction|dir|move|action|방향|이동)\"\s{0,3}:", re.I)


def read_object(text: str, span: tuple[int, int]) -> Row | None:
    """A step from a flat JSON object, None if it is none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    low = {str(k).lower(): v for k, v in data.items()}
    got = {role: next((low[k] for k in keys if k in low), None) for role, keys in _KEYS.items()}
    move = str(got["direction"] or "")
    direction = next((t.value for t in tokens(move, soft=True) if t.kind == "dir"), "")
    if not direction and move.strip() == "→":
        direction = "E"
    cell, to = one_cell(_as_cell(got["cell"])), one_cell(_as_cell(got["to"]))
    if not direction and cell is not None and to is not None:
        direction = direction_between(cell, to)
    elif not direction:
        return None
    number = int(got["number"]) if str(got["number"]).isdecimal() else None
    conf = _one_confidence(str(got["conf"])) if got["conf"] is not None else None
    reason = " ".join(str(v) for k, v in low.items() if isinstance(v, str) and k not in _KNOWN_KEYS)
    return Row([RawStep(number, cell, direction, to, span)], conf, reason)


def _as_cell(value: object) -> str:
    """A value as the text of a cell: a list, a dict of row and column, a text."""
    if isinstance(value, dict):
        value = list(value.values())[:2]
    return str(tuple(value)) if isinstance(value, list) else str(value)
