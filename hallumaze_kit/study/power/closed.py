"""Power and precision by formula: a paired t test, McNemar's exact test, the interval of a rate or a mean."""

from __future__ import annotations

import math

from hallumaze_kit.errors import InputError, check_whole
from hallumaze_kit.study.analysis.detection import NORMAL
from hallumaze_kit.study.effects.rows import LEVEL, Effect

ALPHA = 0.05


def check_number(
    name: str, value: object, low: float = -math.inf, high: float = math.inf, open_ends: bool = False
) -> float:
    """Return `value` as a float within [low, high], or strictly within."""
    if not isinstance(value, bool) and isinstance(value, int | float) and math.isfinite(value):
        inside = low < value < high if open_ends else low <= value <= high
        if inside:
            return float(value)
    if low == -math.inf:
        span = "a finite number"
    elif high == math.inf:
        span = f"a number above {low:g}" if open_ends else f"a number of {low:g} or more"
    else:
        span = f"a number from {low:g} to {high:g}" + (", the ends left out" if open_ends else "")
    raise InputError(name, value, span)


def paired_power(mazes: int, difference: float, sd: float, alpha: float = ALPHA) -> float:
    """Power of the two-sided paired t test over mazes.

    Parameters
    ----------
    mazes : pairs, 2 or more
    difference : true mean of the paired differences
    sd : their standard deviation, above 0

    From the noncentral t distribution with mazes − 1 degrees of freedom, noncentrality √mazes·difference/sd
    (statsmodels' `TTestPower`; R: pwr.t.test(n, d, type="paired")). 34 mazes, difference 0.5, sd 1: 0.8078; R gives
    n = 33.37 for 0.80.
    """
    from statsmodels.stats.power import TTestPower

    check_whole("mazes", mazes, 2)
    check_number("difference", difference)
    check_number("sd", sd, 0, math.inf, open_ends=True)
    check_number("alpha", alpha, 0, 1, open_ends=True)
    if not difference:
        return alpha
    return float(TTestPower().power(abs(difference) / sd, mazes, alpha, alternative="two-sided"))


def mcnemar_power(mazes: int, only_first: float, only_second: float, alpha: float = ALPHA) -> float:
    """Power of McNemar's exact two-sided test over mazes.

    Parameters
    ----------
    mazes : pairs, 1 or more
    only_first, only_second : chance that of a pair only the first, only the second is solved; together at most 1

    Σ over the number d of discordant pairs, binomial with only_first + only_second, of the chance that the exact
    binomial test of d rejects (its two-sided p is twice the smaller tail, at most 1). It is exact, so under the null it
    stays below alpha. 50 pairs, 0.08 and 0.32: 0.7402; one-sided, O'Brien 2002 and G*Power have 0.839.
    """
    import numpy as np
    from scipy.stats import binom

    check_whole("mazes", mazes, 1)
    check_number("only_first", only_first, 0, 1)
    check_number("only_second", only_second, 0, 1)
    check_number("alpha", alpha, 0, 1, open_ends=True)
    discordant = only_first + only_second
    if discordant > 1 + 1e-12:
        raise InputError(
            "only_first, only_second", (only_first, only_second), "two chances that are at most 1 together"
        )
    if not discordant:
        return 0.0
    d = np.arange(mazes + 1)
    most = np.array([_most(int(n), alpha) for n in d])
    share = only_first / discordant
    rejects = binom.cdf(most, d, share) + binom.cdf(most, d, 1 - share)
    return float((binom.pmf(d, mazes, min(discordant, 1.0)) * np.where(most < 0, 0.0, rejects)).sum())


def _most(d: int, alpha: float) -> int:
    """The largest smaller count of d discordant pairs that is rejected; −1 if none is."""
    from scipy.stats import binom

    k = int(binom.ppf(alpha / 2, d, 0.5))
    while k >= 0 and 2 * binom.cdf(k, d, 0.5) > alpha:
        k -= 1
    return k


def interval_width(
    mazes: int,
    *,
    rate: float | None = None,
    sd: float | None = None,
    per_maze: int = 1,
    icc: float = 0.0,
    level: float = LEVEL,
) -> Effect:
    """How wide the interval of a rate or of a mean will be.

    Parameters
    ----------
    mazes : number of mazes
    rate : expected rate (0 to 1), for Wilson's interval; or
    sd : expected standard deviation of single values, for the t interval of a mean
    per_maze : values a maze (decisions, runs, subjects)
    icc : how alike values of one maze are, 0 (independent) to 1 (one maze is one value)

    n = mazes·per_maze values count like n/(1 + (per_maze − 1)·icc) independent ones (Kish's design effect). The t
    interval has mazes − 1 degrees of freedom. A bootstrap over mazes comes to about the same.

    Returns a row (`Effect`) whose estimate is high − low. Rate 0.5 on 100 mazes: 0.1924; sd 1 on 25: 0.8256.
    """
    from scipy.stats import t

    check_whole("mazes", mazes, 1)
    check_whole("per_maze", per_maze, 1)
    check_number("icc", icc, 0, 1)
    check_number("level", level, 0, 1, open_ends=True)
    if (rate is None) == (sd is None):
        raise InputError("rate, sd", (rate, sd), "one of the two")
    n = mazes * per_maze
    known = n / (1 + (per_maze - 1) * icc)
    base = {"analysis": "interval_width", "quantity": "width of the interval", "n": n, "n_mazes": mazes, "level": level}
    base |= {"unit": "values", "note": f"counts like {known:.1f} independent values" if icc and per_maze > 1 else ""}
    if rate is not None:
        check_number("rate", rate, 0, 1)
        z = NORMAL.inv_cdf((1 + level) / 2)
        width = 2 * z / (1 + z * z / known) * math.sqrt(rate * (1 - rate) / known + z * z / (4 * known * known))
        return Effect(metric="rate", estimate=width, test="Wilson", **base)
    check_number("sd", sd, 0)
    if mazes < 2:
        return Effect(metric="mean", **base | {"note": "one maze has no spread"})
    width = 2 * float(t.ppf((1 + level) / 2, mazes - 1)) * sd / math.sqrt(known)
    return Effect(metric="mean", estimate=width, test="t", **base)


def mazes_for_width(width: float, *, largest: int = 100_000, **options: float) -> int:
    """The fewest mazes whose interval is no wider than `width`; options as `interval_width` takes them.

    Rate 0.5, width 0.2: 93 mazes. Raises `InputError` where more than `largest` would be needed.
    """
    check_number("width", width, 0, math.inf, open_ends=True)
    low, high = 2, 2
    while interval_width(high, **options).estimate > width:  # type: ignore[arg-type]
        low, high = high, 2 * high
        if high > 2 * largest:
            raise InputError("width", width, f"a width that {largest} mazes can reach")
    while low < high:
        middle = (low + high) // 2
        if interval_width(middle, **options).estimate > width:  # type: ignore[arg-type]
            low = middle + 1
        else:
            high = middle
    return low
