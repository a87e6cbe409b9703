"""Steps in rows: tables with a row a step, and JSON objects with one step each."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.steps import MOST_FIELDS, RawStep, Stated, chain_of, expand, head_of
from hallumaze_kit.trial.tokens import CELL, cell_of, confidence, direction_between, tokens

_ROLES = (
    ("hint", r"hint|flag|힌트|⚑|option|선택지|candidate"),
    ("conf", r"conf|certain|확신|신뢰|%"),
    ("reason", r"reason|why|note|comment|remark|이유|근거|설명|비고|판단|메모"),
    ("to", r"\bto\b|next|target|after|result|arriv|new|다음|도착|이동 ?후|결과|목표"),
    ("number", r"step|#|\bno\b|number|\bn\b|단계|번호|순서|스텝|순번"),
    ("direction", r"dir|move|action|choice|방향|이동|선택|행동"),
    ("cell", r"cell|from|position|current|coord|location|\bat\b|start|where|셀|현재|위치|좌표|칸|출발"),
)


def is_row(line: str) -> bool:
    """A table row."""
    text = line.strip()
    return text.startswith("|") and 3 <= text.count("|") <= MOST_FIELDS


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
        name = next((role for role, pattern in _ROLES if re.search(pattern, part, re.I) and (role not in out or role == "reason")), "")
        out.append(name)
    return out


class Row(NamedTuple):
    """A table row read as a step."""

    steps: list[RawStep]
    confidence: Stated | None
    reason: str


def read_row(line: str, base: int, columns: list[str]) -> Row | None:
    """A step from a table row whose columns are known."""
    values: dict[str, tuple[str, int]] = {}
    for (part, at), role in zip(cells_of_row(line), columns, strict=False):
        if role:
            values.setdefault(role, (part, base + at))
    number_text = values.get("number", ("", 0))[0]
    m = re.search(r"\d{1,4}", number_text)
    number = int(m[0]) if m else None
    cell = _one_cell(values.get("cell"))
    to = _one_cell(values.get("to"))
    direction_part = values.get("direction", ("", base))
    found = tokens(direction_part[0], soft=True)
    head = head_of(direction_part[0], found)
    chain = chain_of(head, direction_part[0], direction_part[1], number) if head else None
    span = (base, base + len(line))
    said = direction_part[0][head[-1].end :] if head else direction_part[0]
    reason = " ".join(part for part in (said.strip(" ()|"), values.get("reason", ("", 0))[0].strip()) if part)
    conf = _one_confidence(values.get("conf"))
    if chain and (len(chain) > 1 or (chain[0].cell is not None and (chain[0].direction or chain[0].to))):
        steps = [s._replace(cell=s.cell if s.cell is not None else cell if i == 0 else None) for i, s in enumerate(chain)]
    else:
        direction = chain[0].direction if chain else ""
        target = to if to is not None else chain[0].to if chain else None
        if chain and not direction and target is None and chain[0].cell is not None:
            target = chain[0].cell
        if cell is not None and target is not None and not direction:
            direction = direction_between(cell, target)
        if cell is None and not direction and target is None:
            return None
        steps = expand(RawStep(number, cell, direction, target, span))
    return Row(steps, conf, reason)


def _one_cell(part: tuple[str, int] | None) -> Cell | None:
    m = CELL.search(part[0]) if part else None
    return cell_of(m) if m else None


def _one_confidence(part: tuple[str, int] | None) -> Stated | None:
    if part is None:
        return None
    found = confidence(part[0])
    if found:
        return found.value, found.unit
    m = re.search(r"\d{1,3}(?:\.\d{1,4})?", part[0])
    return (float(m[0]), "") if m else None


def guess_roles(row: str) -> list[str]:
    """Columns of a table without a header, from what a row holds."""
    out: list[str] = []
    for part, _ in cells_of_row(row):
        text = part.strip()
        if re.fullmatch(r"(?:STEP|Step|step|#)?\s{0,2}\d{1,4}\.?|\d{1,4}단계", text) and "number" not in out:
            out.append("number")
        elif CELL.fullmatch(text):
            out.append("cell" if "cell" not in out else "to")
        elif confidence(text) or re.fullmatch(r"\d{1,3}(?:\.\d{1,4})?", text):
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
    "cell": ("cell", "from", "position", "pos", "current", "location", "at", "coord", "start", "current_cell", "위치", "현재", "셀", "현재위치"),
    "direction": ("direction", "dir", "move", "action", "방향", "이동"),
    "to": ("to", "next", "target", "end", "next_cell", "new_position", "다음", "도착"),
    "conf": ("confidence", "conf", "확신도", "신뢰도"),
}
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
    found = tokens(str(got["direction"] or ""), soft=True)
    direction = next((str(t.value) for t in found if t.kind == "dir"), "")
    if not direction and str(got["direction"]).strip() == "→":
        direction = "E"
    cell, to = (_one_cell((_as_cell(got[k]), 0)) for k in ("cell", "to"))
    if not direction and (cell is None or to is None):
        return None
    number = int(got["number"]) if str(got["number"]).isdigit() else None
    conf = _one_confidence((str(got["conf"]), 0)) if got["conf"] is not None else None
    reason = " ".join(str(v) for k, v in low.items() if isinstance(v, str) and k not in sum(_KEYS.values(), ()))
    return Row([RawStep(number, cell, direction or direction_between(cell, to), to, span)], conf, reason)  # type: ignore[arg-type]


def _as_cell(value: object) -> str:
    if isinstance(value, dict):
        value = list(value.values())[:2]
    return str(value) if not isinstance(value, list) else str(tuple(value))
