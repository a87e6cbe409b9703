"""Results as tables: one row a trial, or one row a decision."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.records.result import FIELDS, NESTED, V11_CSV, BenchmarkResult

if TYPE_CHECKING:
    import pandas as pd

CONFIG_COLUMNS = (
    "use_mirage", "use_confidence", "max_tokens", "language", "protocol", "view", "step_budget",
    "show_seed", "template", "disclosure", "injection",
)  # fmt: skip
COLUMNS = (*V11_CSV, *(f for f in FIELDS if f not in V11_CSV and f not in NESTED), *CONFIG_COLUMNS)
"""Columns of `to_frame`, in order."""
DECISION_COLUMNS = (
    "maze_id", "cell", "distance", "exits", "choice", "right", "legal", "lure", "lure_direction", "lure_followed",
    "confidence", "step", "history", "hallucinations_before",
)  # fmt: skip
"""What a decision row says of the decision; `decisions_frame` puts the trial's columns before them."""
TRIAL_COLUMNS = (
    "provider", "model", "subject_kind", "participant", "maze_size", "seed", "algorithm", "placement", "language",
    "use_mirage", "template", "ariadne_group", "arm", "study", "trial_index", "run", "answer_id",
)  # fmt: skip


def listed(results: Iterable[BenchmarkResult]) -> list[BenchmarkResult]:
    """`results` as a list; `InputError` if it is none, or holds what is no result."""
    if isinstance(results, BenchmarkResult):
        raise InputError("results", results, "a list of BenchmarkResult", "Put the one result in a list: [result].")
    given = list(results) if isinstance(results, Iterable) else [results]
    for result in given:
        if not isinstance(result, BenchmarkResult):
            raise InputError("results", result, "a list of BenchmarkResult", "Make one with score_answer(maze, text).")
    return given


def row(result: BenchmarkResult) -> dict[str, Any]:
    """The cells of one result, by column name."""
    cells = {name: getattr(result, name) for name in FIELDS if name not in NESTED}
    for name in ("metacog_signals", "warnings"):
        cells[name] = "; ".join(cells[name])
    config = asdict(result.config) if isinstance(result.config, MazeConfig) else {}
    return cells | {name: config.get(name) for name in CONFIG_COLUMNS}


def to_frame(results: Iterable[BenchmarkResult]) -> pd.DataFrame:
    """One row a trial, the columns of `COLUMNS`; v1.1's CSV columns come first.

    Numbers that could not be scored are NaN. Nothing is rounded. Raises `InputError` for what is no list of results.
    """
    import pandas as pd

    return pd.DataFrame([row(result) for result in listed(results)], columns=list(COLUMNS))


def decisions_frame(results: Iterable[BenchmarkResult]) -> pd.DataFrame:
    """One row for each first visit to a junction of the solution (specification, section 9).

    The unit of the statistics: corridor moves are not decisions. Columns: the trial's
    (`TRIAL_COLUMNS`) and the decision's: `cell` (row, column), `distance` to the exit in moves, `exits` (open
    directions), `choice` (the direction tried first), `right`, `legal` (False: a closed side was tried), `lure`
    ("false", "true", "neutral" or ""), `lure_direction`, `lure_followed`, `confidence` (0 to 1 or NaN), `step` (number
    of the move), `history` (the moves before, as letters, "." for a jump or return), `hallucinations_before`.
    """
    import pandas as pd

    rows = []
    for result in listed(results):
        trial = {name: value for name, value in row(result).items() if name in TRIAL_COLUMNS}
        rows += [trial | dict(decision) for decision in result.decisions]
    return pd.DataFrame(rows, columns=[*TRIAL_COLUMNS, *DECISION_COLUMNS])
