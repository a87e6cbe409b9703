"""Tests of paired values, one pair a maze, each as one row: paired t, Wilcoxon signed rank, exact McNemar."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError
from hallumaze_kit.study.effects.comparing.effect_sizes import is_constant
from hallumaze_kit.study.effects.rows import LEVEL, Effect, refused
from hallumaze_kit.study.tables import FEWEST_MAZES

if TYPE_CHECKING:
    import numpy as np

NO_VARIATION = "no variation, not tested"
FEW = f"fewer than {FEWEST_MAZES} mazes, not tested"
NOT_ZERO_ONE = "outcome must be 0 or 1"
MOST_EXACT = 200
"""Up to so many differences the Wilcoxon test is exact; beyond, its distribution is normal for all that can be seen."""

DISTINCT = 0.8
"""Share of the differences that must be of different sizes, and not 0, for an interval of the pseudomedian."""


def paired_t(difference: Sequence[float], **known: Any) -> Effect:
    """Mean of the differences by maze with its t interval; t = mean/(s/√m), m − 1 degrees of freedom.

    Refused for fewer than 5 mazes and for differences that are all the same. `known` are other columns of the row.

    Source: Student 1908. Differences 1, 2, 3, 4, 5: mean 3, s/√5 = 0.7071, t = 4.2426, p = 0.0132.
    """
    import numpy as np

    difference = np.asarray(difference, float)
    known = {"analysis": "paired_t", "quantity": "difference of means", "n_mazes": len(difference)} | known
    if note := _why_not(difference):
        return refused(_joined(known, note), **known, estimate=_mean(difference))
    mean, error = float(difference.mean()), float(difference.std(ddof=1)) / math.sqrt(len(difference))
    return wald(mean, error, len(difference) - 1, **{"test": "paired t on maze means"} | known)


def wald(estimate: float, error: float, df: float, **known: Any) -> Effect:
    """A row from an estimate and its standard error, by Student's t with `df` degrees of freedom (∞: normal)."""
    from scipy import stats

    t = estimate / error
    reach = float(stats.t.ppf((1 + LEVEL) / 2, df)) * error
    p = float(2 * stats.t.sf(abs(t), df))
    return Effect(estimate=estimate, low=estimate - reach, high=estimate + reach, statistic=t, p=p, **known)


def wilcoxon(difference: Sequence[float], **known: Any) -> Effect:
    """Wilcoxon signed-rank test of the differences by maze, exact with ties too, with the pseudomedian.

    V = sum of the ranks of the positive differences among all that are not 0 (mean ranks for ties, differences equal
    to 10 digits are ties). p is exact: the distribution of V over all signs, given the sizes of the differences
    (Wilcoxon 1945; Hollander & Wolfe 1973, 3.1). Estimate: the pseudomedian, median of the means of all pairs of
    differences (Hodges & Lehmann 1963); its interval inverts the test, and there is none where more than a fifth of the
    differences are 0 or tied. With more than 200 differences the normal distribution stands in (SciPy).

    Refused for fewer than 5 mazes and where every difference is 0. Tests symmetry about 0, not the mean.

    R, `wilcox.test(x, y, paired = TRUE, alternative = "greater")` on the depression data: V = 40, p = 0.01953 on one
    side, so 0.0391 on two.
    """
    import numpy as np
    from scipy import stats

    difference = np.round(np.asarray(difference, float), 10)
    known = {"analysis": "wilcoxon", "quantity": "pseudomedian of differences", "n_mazes": len(difference)} | known
    if len(difference) < FEWEST_MAZES or not difference.any():
        return refused(_joined(known, FEW if len(difference) < FEWEST_MAZES else NO_VARIATION), **known)
    nonzero = difference[difference != 0]
    n = len(nonzero)
    ranks = stats.rankdata(np.abs(nonzero))
    statistic = float(ranks[nonzero > 0].sum())
    rows, columns = np.triu_indices(len(difference))
    walsh = np.sort((difference[rows] + difference[columns]) / 2)
    found: dict[str, Any] = {"estimate": float(np.median(walsh)), "statistic": statistic}
    if n > MOST_EXACT:
        p = float(stats.wilcoxon(nonzero, method="asymptotic", correction=False).pvalue)
        note = f"normal approximation: more than {MOST_EXACT} differences; no interval"
        return Effect(**known | found | {"p": p, "test": "Wilcoxon signed rank", "note": _joined(known, note)})
    below = np.cumsum(_signed_rank_distribution(np.rint(2 * ranks).astype(int)))
    at = round(2 * statistic)
    p = min(1.0, 2 * min(below[at], 1 - (below[at - 1] if at else 0.0)))
    note, distinct = "", len(np.unique(np.abs(nonzero)))
    if below[0] > (1 - LEVEL) / 2:
        note = "no interval: so few differences reach no 95 %"
    elif distinct < DISTINCT * len(difference):
        note = "no interval: too many differences are 0 or tied; p is exact"
    else:
        note = "" if distinct == len(difference) else "differences of 0 or tied: p is exact, the interval is not"
        at_least = int(np.searchsorted(below[::2], (1 - LEVEL) / 2))
        found |= {"low": float(walsh[at_least - 1]), "high": float(walsh[-at_least])}
    return Effect(
        **known | found | {"p": float(p), "test": "Wilcoxon signed rank, exact", "note": _joined(known, note)}
    )


def mcnemar(one: Sequence[float], other: Sequence[float], **known: Any) -> Effect:
    """Exact McNemar test of a 0/1 outcome, one trial a maze and side, with the difference of the shares.

    b mazes are solved on the first side only, c on the second only: p = min(1, 2·P(X ≤ min(b, c))), X binomial with
    b + c trials at ½ (McNemar 1947; exact form). Estimate (b − c)/m over m mazes; its interval holds the differences
    that the score test does not reject (Tango 1998). It is approximate and p is exact, so near the border they can
    differ.

    Refused for fewer than 5 mazes, where all outcomes are equal, and for outcomes other than 0 and 1.

    b = 2, c = 9: p = 0.0654 (R, package exact2x2, `mcnemar.exact(matrix(c(21, 9, 2, 12), 2, 2))`).
    """
    import numpy as np
    from scipy import stats

    one, other = np.asarray(one, float), np.asarray(other, float)
    if one.shape != other.shape:
        raise InputError("other", f"{other.size} values", f"as long as the other side, {one.size} values")
    n = len(one)
    known = {"analysis": "mcnemar", "quantity": "difference of shares", "n_mazes": n} | known
    both = np.concatenate([one, other])
    if not np.isin(both, (0, 1)).all():
        return refused(_joined(known, NOT_ZERO_ONE), **known)
    if n < FEWEST_MAZES or is_constant(both):
        return refused(_joined(known, FEW if n < FEWEST_MAZES else NO_VARIATION), **known, estimate=_mean(one - other))
    b, c = int((one > other).sum()), int((one < other).sum())
    p = float(stats.binomtest(b, b + c).pvalue) if b + c else 1.0
    low, high = _score_limits(b, c, n)
    return Effect(
        **known
        | {
            "estimate": (b - c) / n,
            "low": low,
            "high": high,
            "statistic": float(b),
            "p": p,
            "test": "exact McNemar",
            "note": _joined(known, f"{b} mazes only on the first side, {c} only on the second"),
        }
    )


def _score_limits(b: int, c: int, n: int) -> tuple[float, float]:
    """Where Tango's score statistic of the difference (b − c)/n is ±z; −1 or 1 where it stays inside."""
    from scipy import optimize, stats

    z = float(stats.norm.ppf((1 + LEVEL) / 2))

    def score(delta: float) -> float:
        linear = (2 * n - b + c) * delta - b - c
        lost = (math.sqrt(linear**2 + 8 * n * c * delta * (1 - delta)) - linear) / (4 * n)  # share of c under delta
        return (b - c - n * delta) / math.sqrt(max(n * (2 * lost + delta * (1 - delta)), 1e-300))

    estimate, edge = (b - c) / n, 1 - 1e-9
    low = -1.0 if estimate <= -edge or score(-edge) < z else optimize.brentq(lambda d: score(d) - z, -edge, estimate)
    high = 1.0 if estimate >= edge or score(edge) > -z else optimize.brentq(lambda d: score(d) + z, estimate, edge)
    return float(low), float(high)


def _signed_rank_distribution(doubled: np.ndarray) -> np.ndarray:
    """P(2V = k) for k = 0 … Σ 2·rank when every rank is positive with chance ½."""
    import numpy as np

    out = np.zeros(int(doubled.sum()) + 1)
    out[0] = 1.0
    for rank in doubled:
        out[rank:] += out[: len(out) - rank].copy()
        out /= 2
    return out


def _why_not(difference: np.ndarray) -> str:
    if len(difference) < FEWEST_MAZES:
        return FEW
    return NO_VARIATION if is_constant(difference) else ""


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else math.nan


def _joined(known: dict[str, Any], note: str) -> str:
    """The note behind one that is known already, which is taken out of `known`."""
    return "; ".join(part for part in (known.pop("note", ""), note) if part)
