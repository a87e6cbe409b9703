"""Intervals over mazes by leaving one maze out at a time.

For a ratio of sums over few mazes they hold their level better than percentiles of a bootstrap over mazes: with 15 and
30 mazes, κ and AUROC, 93 to 97 % of the intervals held the true value, of the bootstrap's 90 to 93 %.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hallumaze_kit.study.effects.rows import LEVEL

if TYPE_CHECKING:
    import numpy as np

JACKKNIFE = "jackknife over mazes, t"


def left_out(n_mazes: int) -> np.ndarray:
    """(1 + n_mazes, n_mazes) weights: first every maze once, then each maze in turn without weight."""
    import numpy as np

    return np.vstack([np.ones((1, n_mazes)), 1 - np.eye(n_mazes)])


def jackknife(values: np.ndarray) -> float:
    """Standard error of values[0], from the values with one of n clusters left out, values[1:].

    √((n − 1)/n · Σ (θ₋ₘ − mean)²) (Efron & Tibshirani 1993, ch. 11). NaN with fewer than 2 clusters, and where a value
    is NaN. For a mean of clusters of equal size it is s/√n: of 1, 2, 3 it is 1/√3.
    """
    import numpy as np

    kept = values[1:]
    if len(kept) < 2 or np.isnan(values).any():
        return math.nan
    return math.sqrt((len(kept) - 1) / len(kept) * float(((kept - kept.mean()) ** 2).sum()))


def interval(values: np.ndarray, share: bool = False) -> tuple[float, float]:
    """The 95 % interval of values[0]: ± t with n − 1 degrees of freedom · `jackknife`.

    A share keeps within 0 and 1: the interval is made on the logit scale, where its standard error is
    se/(A·(1 − A)); at 0 or 1 there is none (NaN).
    """
    from scipy.special import expit, logit, stdtrit

    se, estimate = jackknife(values), float(values[0])
    if math.isnan(se):
        return math.nan, math.nan
    reach = float(stdtrit(len(values) - 2, (1 + LEVEL) / 2)) * se
    if not share:
        return estimate - reach, estimate + reach
    if not 0 < estimate < 1:
        return math.nan, math.nan
    at, reach = float(logit(estimate)), reach / (estimate * (1 - estimate))
    return float(expit(at - reach)), float(expit(at + reach))


def p_of_zero(values: np.ndarray) -> tuple[float, float]:
    """(t, two-sided p) of values[0] against 0 with n − 1 degrees of freedom; NaN without a standard error."""
    from scipy.special import stdtr

    se = jackknife(values)
    if not se > 1e-12:
        return math.nan, math.nan
    t = float(values[0]) / se
    return t, 2 * float(stdtr(len(values) - 2, -abs(t)))
