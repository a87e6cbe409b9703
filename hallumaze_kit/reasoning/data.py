"""Real traces from files: GSM8K and MATH solutions, ProcessBench's step labels."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hallumaze_kit.errors import FileError
from hallumaze_kit.reasoning.traces.answers import box, spelled
from hallumaze_kit.reasoning.traces.reading import parse_trace
from hallumaze_kit.reasoning.traces.trace import ReasoningTrace, Step

_FINAL = re.compile(r"^\s*(?:A:|####)\s*(.+)$", re.M)


@dataclass(frozen=True)
class RealProblem:
    """A problem with the solutions that were written to it.

    number   its place in the file, from 0
    gold     its right answer
    traces   solutions by the name of the system that wrote them; of four systems, they are no samples of one
    right    by the same names, whether the file marks the answer as right
    """

    number: int
    problem: str
    gold: str | None
    traces: Mapping[str, ReasoningTrace]
    right: Mapping[str, bool]


@dataclass(frozen=True)
class LabelledTrace:
    """A trace with the first wrong step that its annotators found.

    first_bad  its number from 1, None where every step is right
    right      whether its final answer is right
    """

    name: str
    problem: str
    trace: ReasoningTrace
    first_bad: int | None
    right: bool


def load_gsm8k(path: str | Path) -> list[RealProblem]:
    """Read GSM8K or MATH solutions, one JSON object a line.

    OpenAI's `example_model_solutions.jsonl` (`question`, `ground_truth`, and systems with `solution` and `is_correct`),
    the GSM8K files (`question`, `answer` ending in `#### 18`) and the MATH ones (`problem`, `solution` with a box): in
    the last two the reference solution is the trace "reference".

    Raises
    ------
    FileError
        For a file that cannot be read, and for a line that is none of these, with its number.
    """
    found = []
    for number, row in enumerate(_rows(path)):
        problem = row.get("question", row.get("problem"))
        reference = row.get("ground_truth", row.get("answer", row.get("solution")))
        if not isinstance(problem, str) or not isinstance(reference, str):
            raise FileError(f"{path}, line {number + 1}: neither a GSM8K nor a MATH problem")
        systems = {name: held for name, held in row.items() if isinstance(held, dict) and "solution" in held}
        texts = {name: str(held["solution"]) for name, held in systems.items()} or {"reference": reference}
        right = {name: bool(held.get("is_correct")) for name, held in systems.items()} or {"reference": True}
        traces = {name: parse_trace(text, problem, family=name) for name, text in texts.items()}
        found.append(RealProblem(number, problem, _gold(reference), traces, right))
    return found


def load_processbench(path: str | Path) -> list[LabelledTrace]:
    """Read ProcessBench (arXiv 2412.06559): `problem`, `steps`, `label` (from 0, −1 for none), `final_answer_correct`.

    `label` −1 says that every step is right. Their own steps are kept, so that the labels count the same things.

    Raises
    ------
    FileError
        For a file that cannot be read, a label outside the steps, and a wrong final answer without a wrong step: such a
        record contradicts itself (the first wrong step is missing, or the answer was marked wrongly).
    """
    found = []
    for number, row in enumerate(_rows(path)):
        place = f"{path}, line {number + 1}"
        steps, label = row.get("steps"), row.get("label")
        if not isinstance(steps, list) or isinstance(label, bool) or not isinstance(label, int | None):
            raise FileError(f"{place}: no steps with a label")
        first = None if label is None or label == -1 else label + 1
        if first is not None and not 1 <= first <= len(steps):
            raise FileError(f"{place}: label {label} is outside the {len(steps)} steps")
        right = row.get("final_answer_correct")
        if right is False and first is None:
            raise FileError(f"{place}: the final answer is wrong, but no step is marked: the record contradicts itself")
        problem = str(row.get("problem", ""))
        read = parse_trace("\n".join(map(str, steps)), problem)
        trace = ReasoningTrace(
            problem, tuple(Step(str(step)) for step in steps), read.answer, read.answer_text, read.stated
        )  # fmt: skip
        found.append(LabelledTrace(str(row.get("id", number)), problem, trace, first, bool(right)))
    return found


def _rows(path: str | Path) -> Iterator[dict[str, Any]]:
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"{path} cannot be read: {error}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            raise FileError(f"{path}, line {number}: not JSON") from None
        if not isinstance(row, dict):
            raise FileError(f"{path}, line {number}: not a JSON object")
        yield row


def _gold(reference: str) -> str | None:
    finals = _FINAL.findall(reference)
    if finals:
        return spelled(finals[-1])
    boxed = box(reference)
    return spelled(boxed) if boxed is not None else parse_trace(reference).answer
