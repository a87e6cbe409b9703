"""How far readings can be trusted: corrections by model, and the agreement of the parser with people who read blind."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import Cell
from hallumaze_kit.study.tables import FEWEST_MAZES
from hallumaze_kit.trial.correction import READING, Reading, active_corrections, read_lines
from hallumaze_kit.trial.parsing import parse_answer
from hallumaze_kit.trial.reading.tokens import add, direction_between
from hallumaze_kit.trial.trace import Step, Trace

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from hallumaze_kit.store import AnswerBook, StoredAnswer

PARSER = "parser"
NOTHING = "–"
"""The category of a move that only the other reader has read."""
CATEGORIES = ("N", "E", "S", "W", "jump", NOTHING)
Pair = tuple[str, str]


def add_reading(book: AnswerBook, id: str, lines: Sequence[str], coder: str) -> None:
    """Keep a second reading of an answer, made from its text alone.

    `lines` are in the grammar of `hallumaze_kit.trial.correction`; a later reading by the same coder takes the place of
    an earlier one. Raises `InputError` for a line outside the grammar or no coder.
    """
    if not isinstance(coder, str) or not coder.strip() or coder.strip() == PARSER:
        raise InputError("coder", coder, "the name of the person who read the answer")
    read_lines(lines)
    kept = [line.strip() for line in lines if line.strip()]
    book.note(id, READING, {"coder": coder.strip(), "lines": kept}, who=coder.strip())


def agreement(book: AnswerBook, n_boot: int = 2000, seed: int = 0) -> pd.DataFrame:
    """Agreement of readings on the moves, one row for each pair of readers of the same answers.

    The moves of two readings are aligned (longest common runs of the same moves, `difflib`); each place is one of N, E,
    S, W, jump, or "–" where only the other reader read a move. Readers are "parser" (without any correction) and each
    coder by name.

    Returns a DataFrame: `reader_1`, `reader_2`, `n_answers`, `n_moves` (places), `agreement` (share, 0 to 1), `kappa`
    (Cohen 1960, −1 to 1), `kappa_low`, `kappa_high` (95 %, bootstrap over answers, which are the clusters) and `note`.
    kappa is NaN where it says nothing (a reader uses one category only), the interval with fewer than 5 answers.
    """
    import pandas as pd

    pairs: dict[Pair, list[list[Pair]]] = defaultdict(list)
    for answer in book.answers():
        readings = _readings(answer)
        for one, other in combinations(sorted(readings, key=lambda name: (name != PARSER, name)), 2):
            pairs[one, other].append(align(readings[one], readings[other]))
    rows = [
        {"reader_1": one, "reader_2": other, **_agreement_of(places, n_boot, seed)}
        for (one, other), places in sorted(pairs.items(), key=lambda item: (item[0][0] != PARSER, item[0]))
    ]
    columns = ("reader_1", "reader_2", "n_answers", "n_moves", "agreement", "kappa", "kappa_low", "kappa_high", "note")
    return pd.DataFrame(rows, columns=list(columns))


def corrected_share(book: AnswerBook) -> pd.DataFrame:
    """How many answers rest on a corrected reading, by model.

    Returns a DataFrame: `provider`, `model`, `n` (answers), `corrected` (answers with a correction that was not
    withdrawn), `share` with a 95 % Wilson interval `low`, `high`, and `changes` (corrections in all). Answers that are
    marked as deleted are left out.
    """
    import pandas as pd
    from statsmodels.stats.proportion import proportion_confint

    found: dict[Pair, list[int]] = defaultdict(list)
    for answer in book.answers():
        key = (answer.meta.get("provider", ""), answer.meta.get("model", ""))
        found[key].append(len(active_corrections(answer.events)))
    rows = []
    for (provider, model), counts in sorted(found.items()):
        n, corrected = len(counts), sum(count > 0 for count in counts)
        low, high = proportion_confint(corrected, n, method="wilson")
        rows.append(
            {"provider": provider, "model": model, "n": n, "corrected": corrected, "share": corrected / n,
             "low": float(low), "high": float(high), "changes": sum(counts)}
        )  # fmt: skip
    return pd.DataFrame(rows, columns=["provider", "model", "n", "corrected", "share", "low", "high", "changes"])


def align(one: Sequence[str], other: Sequence[str]) -> list[Pair]:
    """Two lists of moves side by side, "–" where only one has a move.

    >>> align(["E", "S", "S"], ["E", "S"])
    [('E', 'E'), ('S', 'S'), ('S', '–')]
    """
    out: list[Pair] = []
    for _, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        for k in range(max(b - a, d - c)):
            out.append((one[a + k] if a + k < b else NOTHING, other[c + k] if c + k < d else NOTHING))
    return out


def kappa(places: Iterable[Pair]) -> float:
    """Cohen's kappa of two readers over places; NaN where it is not defined.

    (p₀ − pₑ)/(1 − pₑ), with p₀ the share of places on which they agree and pₑ the share expected by chance from each
    reader's own shares of the categories (Cohen 1960).
    """
    from statsmodels.stats.inter_rater import cohens_kappa

    table = _table(places)
    if not table.sum() or ((table.sum(axis=0) > 0).sum() < 2 or (table.sum(axis=1) > 0).sum() < 2):
        return math.nan
    return float(cohens_kappa(table, return_results=False))


def _table(places: Iterable[Pair]) -> np.ndarray:
    import numpy as np

    table = np.zeros((len(CATEGORIES), len(CATEGORIES)))
    for one, other in places:
        table[CATEGORIES.index(one), CATEGORIES.index(other)] += 1
    return table


def _agreement_of(answers: list[list[Pair]], n_boot: int, seed: int) -> dict[str, Any]:
    """A row of `agreement`; `answers` holds the places of each answer."""
    import numpy as np

    places = [place for answer in answers for place in answer]
    row: dict[str, Any] = {
        "n_answers": len(answers),
        "n_moves": len(places),
        "agreement": sum(a == b for a, b in places) / len(places) if places else math.nan,
        "kappa": kappa(places),
        "kappa_low": math.nan,
        "kappa_high": math.nan,
        "note": "",
    }
    if not places:
        row["note"] = "no moves were read"
    elif math.isnan(row["kappa"]):
        row["note"] = "kappa is not defined: a reader uses one category only"
    elif len(answers) < FEWEST_MAZES:
        row["note"] = f"no interval with fewer than {FEWEST_MAZES} answers"
    else:
        rng = np.random.default_rng(seed)
        drawn = rng.integers(len(answers), size=(n_boot, len(answers)))
        tables = np.array([_table(answer) for answer in answers])
        values = [_kappa_of(tables[sample].sum(axis=0)) for sample in drawn]
        undefined = sum(map(math.isnan, values))
        row["note"] = f"{undefined} of {n_boot} samples have no kappa and are left out" if undefined else ""
        row["kappa_low"], row["kappa_high"] = (float(q) for q in np.nanquantile(values, (0.025, 0.975)))
    return row


def _kappa_of(table: np.ndarray) -> float:
    """Cohen's kappa of a table of counts, as `kappa` gives it, without the library's other results."""
    n = table.sum()
    by_chance = float((table.sum(axis=0) * table.sum(axis=1)).sum()) / n**2
    return math.nan if by_chance >= 1 else (float(table.trace()) / n - by_chance) / (1 - by_chance)


def _readings(answer: StoredAnswer) -> dict[str, list[str]]:
    """The moves as each reader read them; {} without a second reading."""
    coders = {
        event.data["coder"]: _moves(read_lines(event.data["lines"])) for event in answer.events if event.kind == READING
    }
    return {PARSER: _moves(parse_answer(answer.text)), **coders} if coders else {}


def _moves(reading: Trace | Reading) -> list[str]:
    """The categories of the moves of a reading, in order, as the replay sees them.

    A stated target decides, seen from where the subject stands. An arrival is no move. Without steps the final path is
    the walk.
    """
    out = []
    here: Cell = (0, 0)
    for step in (event for event in reading.events if isinstance(event, Step)):
        here = here if step.cell is None else step.cell
        if step.to is not None:
            out.append(direction_between(here, step.to) or "jump")
            here = step.to
        elif step.direction:
            out.append(step.direction)
            here = add(here, step.direction)
    if out or reading.final_path is None:
        return out
    return [direction_between(a, b) or "jump" for a, b in pairwise(reading.final_path) if a != b]
