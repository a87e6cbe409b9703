"""Effect sizes of two sides on the same mazes, and of two groups, with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from hallumaze_kit.errors import InputError
from hallumaze_kit.study.effects.resample import METHOD, cluster_bootstrap
from hallumaze_kit.study.effects.rows import LEVEL

if TYPE_CHECKING:
    import numpy as np

NAN = math.nan


class Size(NamedTuple):
    """An effect size with its interval (95 %), how the interval was made, and why something is NaN."""

    estimate: float
    low: float
    high: float
    test: str
    note: str = ""


def paired_d(one: Sequence[float], other: Sequence[float]) -> tuple[Size, Size]:
    """d_z and d_av of paired values: mean difference over the SD of the differences, and over the average SD.

        d_z = mean(one − other)/s_diff        d_av = mean(one − other)/√((s_one² + s_other²)/2)

    d_z says how regular the difference is, d_av how large it is beside the spread of the mazes (Lakens 2013, equations
    6 and 10, there with the mean of the SDs). Intervals: exact for d_z under normal differences, from the noncentral t
    with n − 1 degrees of freedom; those limits times s_diff/√((s_one² + s_other²)/2) for d_av (Algina & Keselman 2003).
    NaN, with a note, for fewer than 2 pairs or no variation. Raises `InputError` for sides of different lengths.

    (3, 5, 4, 8) against (1, 4, 5, 4): differences 2, 1, −1, 4, mean 1.5, SD 2.0817; d_z = 0.7206; average SD 1.9579;
    d_av = 0.7661.
    """
    import numpy as np

    one, other = _same_length(one, other)
    n = len(one)
    if n < 2:
        none = Size(NAN, NAN, NAN, "", "fewer than 2 pairs")
        return none, none
    difference = one - other
    spread = float(difference.std(ddof=1))
    average = math.sqrt((one.var(ddof=1) + other.var(ddof=1)) / 2)
    if is_constant(difference) or is_constant(np.concatenate([one, other])):
        none = Size(NAN, NAN, NAN, "", "no variation of the differences")
        return none, none
    d_z = float(difference.mean()) / spread
    low, high = (limit / math.sqrt(n) for limit in _noncentral(d_z * math.sqrt(n), n - 1))
    ratio = spread / average
    test = "noncentral t"
    return Size(d_z, low, high, test), Size(d_z * ratio, low * ratio, high * ratio, f"{test}, scaled")


def glass_delta(one: Sequence[float], other: Sequence[float], n_boot: int = 2000, seed: int = 0) -> Size:
    """Glass's δ of paired values: mean difference over the SD of `other`, the side it is compared with.

        δ = (mean(one) − mean(other))/s_other, s with n − 1 (Glass, McGaw & Smith 1981)

    Interval: see `cluster_bootstrap`; a maze takes both sides along. NaN, with a note, where `other` does not vary.

    (3, 5, 4, 8) against (1, 4, 5, 4): 1.5/1.7321 = 0.8660.
    """
    import numpy as np

    one, other = _same_length(one, other)
    n = len(one)
    if n < 2 or is_constant(other):
        return Size(NAN, NAN, NAN, "", "the side compared with does not vary" if n >= 2 else "fewer than 2 pairs")
    centred = other - other.mean()

    def delta(counts: np.ndarray) -> np.ndarray:
        mean = counts @ (one - other) / n
        variance = (counts @ centred**2 - (counts @ centred) ** 2 / n) / (n - 1)
        spread = np.sqrt(np.maximum(variance, 0))
        return np.divide(mean, spread, out=np.full(len(counts), NAN), where=spread > 1e-9 * abs(centred).max())

    interval = cluster_bootstrap(delta, n, n_boot, seed)
    estimate = float((one - other).mean() / other.std(ddof=1))
    return Size(estimate, interval.low, interval.high, METHOD, interval.note)


def cliffs_delta_paired(one: Sequence[float], other: Sequence[float], n_boot: int = 2000, seed: int = 0) -> Size:
    """Cliff's δ of two sides on the same mazes, with an interval that keeps each maze's two sides together.

    The estimate is that of `cliffs_delta`; the interval is a cluster bootstrap over mazes.
    """
    import numpy as np

    one, other = _same_length(one, other)
    n = len(one)
    if not n:
        return Size(NAN, NAN, NAN, "", "no values")
    dominance = np.sign(np.subtract.outer(one, other))

    def delta(counts: np.ndarray) -> np.ndarray:
        return ((counts @ dominance) * counts).sum(axis=1) / n**2

    interval = cluster_bootstrap(delta, n, n_boot, seed)
    return Size(float(dominance.mean()), interval.low, interval.high, METHOD, interval.note)


def cliffs_delta(one: Sequence[float], other: Sequence[float]) -> Size:
    """Cliff's δ of two independent groups: how often a value of one passes a value of the other, less the reverse.

        δ = (#{xᵢ > yⱼ} − #{xᵢ < yⱼ})/(n·m), −1 to 1, 0 where neither dominates

    Interval after Cliff (1996), asymmetric and inside [−1, 1], with his unbiased estimate of the variance, at least
    (1 − δ²)/(nm − 1), and Student's t with n + m − 2 degrees of freedom (Feng & Cliff 2004):

        s² = [m²·Σ(dᵢ. − δ)² + n²·Σ(d.ⱼ − δ)² − ΣΣ(dᵢⱼ − δ)²]/(nm(n − 1)(m − 1)), d the matrix of signs,
        limits = (δ − δ³ ∓ t·s·√((1 − δ²)² + t²s²))/(1 − δ² + t²s²)

    With fewer than 2 values on a side, or complete separation (|δ| = 1), the interval is NaN and the note says so.

    10, 10, 20, 20, 20, 30, 30, 30, 40, 50 against 10, 20, 30, 40, 40, 50: −0.25, −0.7266 to 0.3890 (R, package effsize,
    `cliff.delta`).
    """
    import numpy as np
    from scipy import stats

    one, other = np.asarray(one, float), np.asarray(other, float)
    n, m = len(one), len(other)
    if not n or not m:
        return Size(NAN, NAN, NAN, "", "a group without values")
    dominance = np.sign(np.subtract.outer(one, other))
    delta = float(dominance.mean())
    if n < 2 or m < 2:
        return Size(delta, NAN, NAN, "", "no interval: a group has one value")
    if abs(delta) == 1:
        return Size(delta, NAN, NAN, "", "no interval: the groups do not overlap")
    rows, columns = (float(((dominance.mean(axis=axis) - delta) ** 2).sum()) for axis in (1, 0))
    cells = float(((dominance - delta) ** 2).sum())
    variance = (m**2 * rows + n**2 * columns - cells) / (n * m * (n - 1) * (m - 1))
    variance = max(variance, (1 - delta**2) / (n * m - 1))
    t = stats.t.ppf((1 + LEVEL) / 2, n + m - 2)
    reach = t * math.sqrt(variance * ((1 - delta**2) ** 2 + t**2 * variance))
    scale = 1 - delta**2 + t**2 * variance
    low, high = ((delta - delta**3 + sign * reach) / scale for sign in (-1, 1))
    return Size(delta, float(low), float(high), "Cliff 1996, t")


def is_constant(values: np.ndarray) -> bool:
    """Whether values differ by no more than rounding; of no values, True."""
    import numpy as np

    return not len(values) or float(np.ptp(values)) <= 1e-12 * max(1.0, float(np.abs(values).max()))


def _same_length(one: Sequence[float], other: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    import numpy as np

    one, other = np.asarray(one, float), np.asarray(other, float)
    if one.shape != other.shape or one.ndim != 1:
        raise InputError("other", f"{other.size} values", f"as long as the other side, {one.size} values")
    return one, other


def _noncentral(t: float, df: int) -> tuple[float, float]:
    """The noncentrality parameters for which t is the 97.5 % and the 2.5 % point."""
    from scipy import optimize, special

    tail = (1 - LEVEL) / 2
    low, high = t - 5 - abs(t), t + 5 + abs(t)
    return tuple(optimize.brentq(lambda nc, p=p: special.nctdtr(df, nc, t) - p, low, high) for p in (1 - tail, tail))  # type: ignore[return-value]
