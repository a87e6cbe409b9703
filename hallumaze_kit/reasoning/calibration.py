"""Thresholds with a finite-sample guarantee, and how well a score is calibrated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hallumaze_kit.errors import InputError, check_whole

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd


@dataclass(frozen=True)
class Calibration:
    """Thresholds for RAFS, found on labelled traces.

    accept   a score above it is accepted: a trace with invalid reasoning gets there with probability at most `risk`.
             ∞ where there are too few invalid ones to promise that: nothing is accepted
    abstain  a score under it is not used: a valid trace gets there with probability at most `risk`. −∞ where there are
             too few valid ones
    risk     the probability that both hold to
    n_valid, n_invalid  traces that the thresholds rest on
    missing  traces without a score, which took no part
    curve    the reliability curve: bins with mean score, share valid, count
    brier    mean squared difference of score/100 and label; NaN without scores
    ece      expected calibration error: Σ n_b/n · |mean score/100 − share valid|
    note     what could not be promised
    """

    accept: float
    abstain: float
    risk: float
    n_valid: int
    n_invalid: int
    missing: int
    curve: pd.DataFrame
    brier: float
    ece: float
    note: str = ""

    def status(self, score: float) -> str:
        """ "accept", "review" or "abstain"; a missing score is abstained from."""
        if math.isnan(score):
            return "abstain"
        if score > self.accept:
            return "accept"
        return "abstain" if score < self.abstain else "review"


def calibrate(
    scores: Sequence[float] | np.ndarray, labels: Sequence[int] | np.ndarray, risk: float, bins: int = 10
) -> Calibration:
    """Thresholds for accept, review and abstain with a conformal guarantee.

    The accept threshold is the ⌈(n₀ + 1)(1 − risk)⌉-th smallest score of the n₀ invalid traces: a new invalid trace,
    exchangeable with them, scores above it with probability at most `risk`, whatever the distribution. The abstain
    threshold is the ⌊(n₁ + 1) · risk⌋-th smallest score of the n₁ valid ones: a new valid trace scores below it with
    probability at most `risk`. It never stands above the accept threshold. The guarantee is over the draw of the
    calibration set as well as of the new trace. Source: Vovk, Gammerman & Shafer 2005, 2.2; Angelopoulos & Bates
    2023, 1.

    Invalid scores 10, 20, 30, 40 and risk 0.2: the ⌈5 · 0.8⌉ = 4th, so that scores above 40 are accepted.

    Parameters
    ----------
    scores : (n,) RAFS, 0 to 100 or NaN
    labels : (n,) 1 for valid reasoning, 0 for invalid
    risk : above 0, under 1
    bins : of the reliability curve, equally wide

    Raises
    ------
    InputError
        For other labels, scores out of range, or different lengths.
    """
    import numpy as np

    values, valid = np.asarray(scores, dtype=float).reshape(-1), np.asarray(labels).reshape(-1)
    if values.shape != valid.shape:
        raise InputError("labels", f"{valid.size} labels", f"one label a score, {values.size}")
    if not np.isin(valid, (0, 1)).all():
        raise InputError("labels", next(x for x in valid.tolist() if x not in (0, 1)), "0 (invalid) or 1 (valid)")
    if isinstance(risk, bool) or not isinstance(risk, int | float) or not 0 < risk < 1:
        raise InputError("risk", risk, "a number above 0 and under 1")
    check_whole("bins", bins, 1, 1000)
    known = ~np.isnan(values)
    if ((values[known] < 0) | (values[known] > 100)).any():
        raise InputError("scores", float(values[known].max()), "scores from 0 to 100, or NaN")
    bad, good = np.sort(values[known & (valid == 0)]), np.sort(values[known & (valid == 1)])
    notes = []
    rank = math.ceil((bad.size + 1) * (1 - risk) - 1e-9)
    accept = float(bad[rank - 1]) if 1 <= rank <= bad.size else math.inf
    if math.isinf(accept):
        notes.append(f"{bad.size} invalid traces are too few to accept anything at a risk of {risk:g}")
    rank = math.floor((good.size + 1) * risk + 1e-9)
    abstain = float(good[rank - 1]) if 1 <= rank <= good.size else -math.inf
    if math.isinf(abstain):
        notes.append(f"{good.size} valid traces are too few for a lower threshold at a risk of {risk:g}")
    curve, brier, ece = _reliability(values[known] / 100, valid[known].astype(float), bins)
    return Calibration(
        accept, min(abstain, accept), risk, int(good.size), int(bad.size), int((~known).sum()), curve, brier, ece,
        "; ".join(notes),
    )  # fmt: skip


def _reliability(scores: np.ndarray, valid: np.ndarray, bins: int) -> tuple[pd.DataFrame, float, float]:
    import numpy as np
    import pandas as pd

    columns = ["low", "high", "score", "valid", "n"]
    if not scores.size:
        return pd.DataFrame(columns=columns), math.nan, math.nan
    places = np.minimum((scores * bins).astype(int), bins - 1)
    rows = [
        (at / bins, (at + 1) / bins, scores[places == at].mean(), valid[places == at].mean(), int((places == at).sum()))
        for at in range(bins)
        if (places == at).any()
    ]
    curve = pd.DataFrame(rows, columns=columns)
    ece = float((curve["n"] * (curve["score"] - curve["valid"]).abs()).sum() / scores.size)
    return curve, float(((scores - valid) ** 2).mean()), ece
