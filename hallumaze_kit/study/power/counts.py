"""What a set of mazes holds, counted in the mazes themselves, and what asking about them costs."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hallumaze_kit.ask import LLM
from hallumaze_kit.errors import InputError, check_whole
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.store import AnswerBook
from hallumaze_kit.study.analysis.detection import NORMAL
from hallumaze_kit.study.effects.rows import LEVEL
from hallumaze_kit.study.effects.type2.auroc import FEWEST_ERRORS
from hallumaze_kit.study.estimate import estimate
from hallumaze_kit.study.power.closed import check_number
from hallumaze_kit.study.running import DOCUMENT

if TYPE_CHECKING:
    import pandas as pd


def expected_counts(
    sizes: Sequence[int] | int = (7,),
    seeds: Iterable[int] = range(5),
    algorithm: str = "dfs",
    error_rate: float = 0.1,
    answers: int = 1,
    icc: float = 0.0,
) -> pd.DataFrame:
    """Junctions, decisions and errors of one subject over these mazes; the mazes are made and counted.

    Parameters
    ----------
    sizes, seeds, algorithm : the mazes, as `run` makes them
    error_rate : assumed share of wrong first choices at junctions, 0 to 1
    answers : how often each maze is answered (conditions × runs)
    icc : how alike the decisions of one maze are, 0 to 1

    Returns
    -------
    DataFrame, one row a size and, of several, one for all (`size` "all"): `size`, `mazes`, `junctions` (on the
    solutions, over all mazes), `per_maze`, `decisions` (junctions · answers), `errors` (decisions · error_rate),
    `errors_low`, `errors_high` (95 % of studies, normal, with the design effect 1 + (k − 1)·icc for the mean number k
    of decisions a maze), and `note`, which says where the type-2 AUROC would be refused (fewer than 30 errors).

    Decisions are the most that can come: a walk that goes astray for good never reaches the later junctions.
    Seeds 0 to 29 at 7×7 hold 75 junctions with "dfs" and 213 with "wilson".

    Raises `InputError` for what makes no maze, and for a rate outside 0 to 1.
    """
    import pandas as pd

    sizes = [sizes] if isinstance(sizes, int) else list(sizes)
    if not isinstance(seeds, Iterable):
        raise InputError("seeds", seeds, "a list of seeds", "range(5) are the seeds 0 to 4.")
    seeds = list(seeds)
    for name, given in (("sizes", sizes), ("seeds", seeds)):
        if not given:
            raise InputError(name, given, "a list with at least one entry")
    check_number("error_rate", error_rate, 0, 1)
    check_number("icc", icc, 0, 1)
    check_whole("answers", answers, 1)
    counts = {size: [len(MazeEngine(size, seed, algorithm).decision_cells) for seed in seeds] for size in sizes}
    rows = [_row(size, held, error_rate, answers, icc) for size, held in counts.items()]
    if len(counts) > 1:
        rows.append(_row("all", [n for held in counts.values() for n in held], error_rate, answers, icc))
    return pd.DataFrame(rows)


def _row(size: int | str, held: Sequence[int], error_rate: float, answers: int, icc: float) -> dict[str, Any]:
    junctions = sum(held)
    decisions = junctions * answers
    effect = 1 + max(0.0, decisions / len(held) - 1) * icc
    errors = decisions * error_rate
    reach = NORMAL.inv_cdf((1 + LEVEL) / 2) * math.sqrt(decisions * error_rate * (1 - error_rate) * effect)
    low, high = max(0.0, errors - reach), min(float(decisions), errors + reach)
    note = ""
    if high < FEWEST_ERRORS:
        note = f"type-2 AUROC will be refused: fewer than {FEWEST_ERRORS} errors"
    elif low < FEWEST_ERRORS:
        note = f"type-2 AUROC may be refused: it needs {FEWEST_ERRORS} errors"
    return {
        "size": size, "mazes": len(held), "junctions": junctions, "per_maze": junctions / len(held),
        "decisions": decisions, "errors": errors, "errors_low": low, "errors_high": high, "note": note,
    }  # fmt: skip


def before_spending(
    models: Sequence[str | LLM] | str | LLM,
    sizes: Sequence[int] | int = (7,),
    seeds: Iterable[int] = range(5),
    conditions: Sequence[MazeConfig] | MazeConfig = DOCUMENT,
    runs: int = 1,
    prices: Mapping[str, tuple[float, float]] | None = None,
    seconds_per_request: float | Mapping[str, float] | None = None,
    *,
    error_rate: float = 0.1,
    icc: float = 0.0,
    seed: int = 0,
    book: AnswerBook | str | os.PathLike[str] | None = None,
    **options: Any,
) -> pd.DataFrame:
    """`estimate`, and beside it what each model's answers will hold: one row a model, nothing is asked.

    Takes what `estimate` takes (prices, seconds, book and the options of `run`), and `error_rate` and `icc` as
    `expected_counts` does. Probes hold no decisions.

    Columns: those of `estimate`, with `decisions`, `errors`, `errors_low`, `errors_high` of one model over all sizes
    before `note`, to which the note of `expected_counts` is added. What stands in the book counts among the decisions:
    the study will have it.
    """
    seeds = list(seeds) if isinstance(seeds, Iterable) else seeds
    table = estimate(
        models, sizes, seeds, conditions, runs, prices, seconds_per_request, seed=seed, book=book, **options
    )
    listed = [conditions] if isinstance(conditions, MazeConfig) else list(conditions)
    walked = sum(condition.protocol != "probe" for condition in listed)
    held = expected_counts(sizes, seeds, options.get("algorithm", "dfs"), error_rate, max(1, walked * runs), icc).iloc[
        -1
    ]
    at = table.columns.get_loc("note")
    for name in ("errors_high", "errors_low", "errors", "decisions"):
        table.insert(at, name, held[name] if walked else 0)
    added = held["note"] if walked else "probes hold no decisions"
    table["note"] = ["; ".join(part for part in (note, added) if part) for note in table["note"]]
    return table
