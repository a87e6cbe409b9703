"""Type-2 AUROC: does confidence tell right decisions from wrong ones? (specification, section 9)

It is pooled by subject over decisions, never taken per answer, and shown beside what the step alone would tell.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError
from hallumaze_kit.study.effects.jackknife import interval, left_out, p_of_zero
from hallumaze_kit.study.effects.rows import Effect, refused, tidy
from hallumaze_kit.study.tables import FEWEST_MAZES

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

FEWEST_ERRORS = 30
"""With fewer wrong decisions of a subject AUROC is refused (specification, section 9)."""
POOLED, WITHIN, CLOCK, DIFFERENCE = "AUROC", "AUROC within steps", "clock", "subject − clock"
_ROWS = {POOLED: ("", CLOCK, DIFFERENCE), WITHIN: ("", CLOCK)}
_NEEDED = ("provider", "model", "maze_id", "right", "confidence", "step")
_CLOCK_NOTE = "a clock's confidence only falls with the step, on the same decisions"


def auroc2(decisions: pd.DataFrame) -> pd.DataFrame:
    """Type-2 AUROC of each subject: the chance that a right decision carries more confidence than a wrong one.

        AUROC = (pairs with more confidence in the right one + ½ · pairs with equal confidence) / pairs

    over all pairs of a right and a wrong decision; 0.5 is no knowledge, 1 complete. "AUROC within steps" takes only
    pairs made at the same step, so that no trend of confidence over the steps can carry it. Beside the subject stands
    a clock, whose confidence is minus the step on the same decisions: what of the AUROC is told by the step alone
    (within steps a clock has 0.5). Wrong is also a try at a closed side.

    Parameters
    ----------
    decisions : DataFrame
        One row a decision, as `decisions_frame` makes it; decisions without a confidence are left out

    Returns
    -------
    Tidy rows (`Effect`), five a subject: quantity "AUROC" with contrast "", "clock" and "subject − clock" (with a test
    against 0), and quantity "AUROC within steps" with contrast "" and "clock". `n` counts decisions.

    Intervals (95 %) are clustered by maze: `jackknife` over mazes with t, AUROC on the logit scale. In simulated
    studies of 15 and 30 mazes 93 to 97 % of them held the true value. NaN with fewer than 5 mazes, and for an AUROC
    of 0 or 1. A subject with fewer than 30 wrong decisions is refused, as is "within steps" where fewer than 30 wrong
    decisions meet a right one of their step.

    Right with 0.9 and 0.6, wrong with 0.6 and 0.5: pairs 1, 1, ½, 1 of 4, AUROC 0.875.

    Raises `InputError` for something that is no frame of decisions.
    """
    import pandas as pd

    if not isinstance(decisions, pd.DataFrame) or not set(_NEEDED) <= set(decisions.columns):
        raise InputError("decisions", type(decisions).__name__, "a table of decisions", "Use decisions_frame(results).")
    effects: list[Effect] = []
    for (provider, model), own in decisions.groupby(["provider", "model"], sort=True):
        effects += _of_subject(
            f"{provider}/{model}", own[own["confidence"].notna()], int(own["confidence"].isna().sum())
        )
    return tidy(effects)


def _of_subject(subject: str, own: pd.DataFrame, silent: int) -> list[Effect]:
    import numpy as np

    right = own["right"].to_numpy(dtype=bool)
    base: dict[str, Any] = {"analysis": "auroc2", "metric": "confidence", "subject": subject, "unit": "decisions"}
    labels, mazes = np.unique(own["maze_id"].to_numpy(dtype=str), return_inverse=True)
    base |= {"n": len(own), "n_mazes": len(labels)}
    unsaid = f"{silent} decisions without a confidence are left out" if silent else ""
    step, sure = own["step"].to_numpy(dtype=float), own["confidence"].to_numpy(dtype=float)
    effects: list[Effect] = []
    for quantity, strata in ((POOLED, np.zeros(len(own))), (WITHIN, step)):
        why = _why_not(right, strata if quantity == WITHIN else None)
        if why:
            note = _joined(why, unsaid)
            effects += [refused(note, quantity=quantity, contrast=contrast, **base) for contrast in _ROWS[quantity]]
            continue
        weights = left_out(base["n_mazes"])
        values = {"": _weighted(sure, right, mazes, strata, weights)}
        values[CLOCK] = _weighted(-step, right, mazes, strata, weights)
        values[DIFFERENCE] = values[""] - values[CLOCK]
        notes = {"": unsaid, CLOCK: _CLOCK_NOTE}
        for contrast in _ROWS[quantity]:
            told = _row(values[contrast], contrast == DIFFERENCE, base["n_mazes"], notes.get(contrast, ""))
            effects.append(Effect(quantity=quantity, contrast=contrast, **told, **base))
    return effects


def _why_not(right: np.ndarray, step: np.ndarray | None) -> str:
    """Why there is no AUROC, "" where there is one; `step` for the one within steps."""
    import numpy as np

    errors = int((~right).sum())
    if errors < FEWEST_ERRORS:
        return f"{errors} wrong decisions with a confidence; {FEWEST_ERRORS} are needed"
    if not right.any():
        return "no right decision"
    met = FEWEST_ERRORS if step is None else int(np.isin(step[~right], step[right]).sum())
    short = f"{met} wrong decisions meet a right one of their step; {FEWEST_ERRORS} are needed"
    return "" if met >= FEWEST_ERRORS else short


def _row(values: np.ndarray, difference: bool, n_mazes: int, note: str) -> dict[str, Any]:
    low, high, few = math.nan, math.nan, f"no interval: fewer than {FEWEST_MAZES} mazes"
    statistic, p = math.nan, math.nan
    if n_mazes >= FEWEST_MAZES:
        low, high = interval(values, share=not difference)
        few = "no interval: an AUROC of 0 or 1, or all errors in one maze" if math.isnan(low) else ""
        statistic, p = p_of_zero(values) if difference else (math.nan, math.nan)
    test = "t test, jackknife over mazes" if difference else "jackknife over mazes, logit and t"
    ends = {"estimate": float(values[0]), "low": low, "high": high}
    return ends | {"statistic": statistic, "p": p, "test": test, "note": _joined(few, note)}


def _weighted(
    values: np.ndarray, right: np.ndarray, mazes: np.ndarray, strata: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """AUROC under each row of `weights` (how often each maze counts): Σ w·w′·won pairs / Σ w·w′·pairs."""
    import numpy as np

    n = weights.shape[1]
    won, pairs = np.zeros((n, n)), np.zeros((n, n))
    for stratum in np.unique(strata):
        hit, miss = (np.flatnonzero(part & (strata == stratum)) for part in (right, ~right))
        hit = hit[np.argsort(mazes[hit], kind="stable")]
        if not (len(hit) and len(miss)):
            continue
        at, first = np.unique(mazes[hit], return_index=True)
        pairs += np.outer(np.bincount(mazes[hit], minlength=n), np.bincount(mazes[miss], minlength=n))
        for i in miss:
            better = (values[hit] > values[i]) + 0.5 * (values[hit] == values[i])
            won[at, mazes[i]] += np.add.reduceat(better, first)
    total = np.einsum("bi,ij,bj->b", weights, pairs, weights, optimize=True)
    with np.errstate(invalid="ignore"):
        return np.einsum("bi,ij,bj->b", weights, won, weights, optimize=True) / total


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)
