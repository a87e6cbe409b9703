"""meta-d′ by maximum likelihood: how much of the evidence for a judgement shows in the confidence in it.

meta-d′ is the d′ with which an observer of signal detection theory, with the same criterion c′ = c/d′, would give the
confidences that were given; M-ratio = meta-d′/d′ (Maniscalco & Lau 2012, 2014). No library that is kept up has it:
metadpy's last release is of January 2024 and brings numba and a sampler along.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from hallumaze_kit.errors import InputError, check_whole
from hallumaze_kit.study.analysis.detection import NORMAL

if TYPE_CHECKING:
    import numpy as np

BINS = 4
_TINY = 1e-300
_NO_D = 1e-9
_FARTHEST = 12.0
"""Bounds of meta-d′ in the search; what comes to lie there was not found."""


class MetaD(NamedTuple):
    """A fit of one subject.

    d, c        d′ and criterion of the judgements themselves (with the padding of `fit_meta_d`)
    meta_d      d′ that the confidences show; no bounds, 0 if they know nothing of right and wrong
    m_ratio     meta_d / d; 1: all the evidence for the judgement is in the confidence
    criteria    the 2·(levels − 1) type-2 criteria, from the first answer's highest to the second answer's
    log_likelihood   of the confidences, given stimulus and answer
    """

    d: float
    c: float
    meta_d: float
    m_ratio: float
    criteria: tuple[float, ...]
    log_likelihood: float


def fit_meta_d(first: Sequence[float] | np.ndarray, second: Sequence[float] | np.ndarray) -> MetaD:
    """meta-d′ from the counts of answers and confidences, with equal variances.

    Parameters
    ----------
    first, second : (2·levels,) counts, when the first or the second stimulus was shown: how often the first answer was
        given with the highest to the lowest confidence, then the second answer with the lowest to the highest.
        Levels are 2 or more

    1/(2·levels) is added to each count, always (Hautus 1995), so that d′ and c are those of `dprime`. Then, with
    means ±meta-d′/2 and the criterion meta-d′·c′, Σ n·log P(confidence | stimulus, answer) is greatest, by a truncated
    Newton search (SciPy's TNC) with its exact gradient. The criteria lie in order on their side of the criterion.

    Worked example (metadpy's test and tutorial): 52 32 35 37 26 12 4 2 and 2 5 15 22 33 38 40 45 give d′ 1.535,
    meta-d′ 1.634, M-ratio 1.064.

    With d′ 0 there is no c′, and meta-d′ is NaN; near 0 M-ratio says nothing, and `meta_d_table` refuses.
    Raises `InputError` for counts that do not fit together, are below 0 or empty for a stimulus.

    Source: Maniscalco & Lau 2012 (Consciousness and Cognition 21), 2014; equations of their fit_meta_d_MLE.
    """
    import numpy as np
    from scipy.optimize import minimize

    counts = np.asarray([first, second], dtype=float) if len(first) == len(second) else np.empty((2, 0))
    levels = counts.shape[1] // 2
    if counts.ndim != 2 or counts.shape[1] != 2 * levels or levels < 2:
        raise InputError("first, second", (len(first), len(second)), "two lists of equal, even length, 4 or more")
    if not (np.isfinite(counts).all() and (counts >= 0).all() and (counts.sum(axis=1) > 0).all()):
        raise InputError("first, second", counts.tolist(), "counts of 0 or more, some for each stimulus")
    padded = counts + 1 / (2 * levels)
    rates = padded[:, levels:].sum(axis=1) / padded.sum(axis=1)
    z_alarm, z_hit = (NORMAL.inv_cdf(rate) for rate in rates)
    d, c = z_hit - z_alarm, -(z_hit + z_alarm) / 2
    if abs(d) < _NO_D:
        return MetaD(d, c, math.nan, math.nan, (math.nan,) * (2 * levels - 2), math.nan)
    relative = c / d
    # Each side as distances from the criterion towards its answer: rows right and wrong answer.
    sides = (padded[:, levels - 1 :: -1], padded[::-1, levels:])
    means = np.array([[0.5 + relative, -0.5 + relative], [0.5 - relative, -0.5 - relative]])
    start = np.r_[np.clip(d, -4, 4), np.full(2 * (levels - 1), math.log(1.5 / levels))]
    bounds = [(-_FARTHEST, _FARTHEST), *[(-12.0, 3.0)] * (2 * (levels - 1))]
    found = minimize(_loss, start, args=(sides, means), jac=True, method="TNC", bounds=bounds)
    meta_d = float(found.x[0])
    if abs(meta_d) > _FARTHEST - 1e-6:
        meta_d = math.nan
    gaps = np.exp(found.x[1:]).reshape(2, levels - 1).cumsum(axis=1)
    criteria = meta_d * relative + np.r_[-gaps[0][::-1], gaps[1]]
    return MetaD(d, c, meta_d, meta_d / d, tuple(criteria.tolist()), -float(found.fun))


def _loss(x: np.ndarray, sides: Sequence[np.ndarray], means: np.ndarray) -> tuple[float, np.ndarray]:
    """Minus log-likelihood and its gradient by meta-d′ and the logarithms of the criteria's distances.

    A side's counts are two rows (right, wrong answers) by rising confidence; a row with mean μ has
    P(level r) = (Φ(μ − e_{r−1}) − Φ(μ − e_r)) / Φ(μ), with e₀ = 0 and e_levels = ∞.
    """
    import numpy as np
    from scipy.special import ndtr

    meta_d, total, gradient = x[0], 0.0, np.zeros_like(x)
    n = sides[0].shape[1] - 1
    for k, (counts, factors) in enumerate(zip(sides, means, strict=True)):
        part = slice(1 + k * n, 1 + (k + 1) * n)
        gaps = np.exp(x[part])
        mean = (meta_d * factors)[:, None]
        beyond = mean - np.r_[0.0, gaps.cumsum()]
        tail = np.c_[ndtr(beyond), [0.0, 0.0]]
        density = np.c_[_phi(beyond), [0.0, 0.0]]
        mass, whole = np.maximum(tail[:, :-1] - tail[:, 1:], _TINY), np.maximum(tail[:, :1], _TINY)
        total += (counts * (np.log(mass) - np.log(whole))).sum()
        per_mass = counts / mass
        by_mean = (per_mass * (density[:, :-1] - density[:, 1:])).sum(axis=1) - counts.sum(axis=1) * (
            density[:, 0] / whole[:, 0]
        )
        gradient[0] += (by_mean * factors).sum()
        by_edge = ((per_mass[:, :-1] - per_mass[:, 1:]) * density[:, 1:-1]).sum(axis=0)
        gradient[part] += by_edge[::-1].cumsum()[::-1] * gaps
    return -total, -gradient


def _phi(z: np.ndarray) -> np.ndarray:
    import numpy as np

    return np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)


def levels_of(confidence: Sequence[float] | np.ndarray, bins: int = BINS) -> np.ndarray:
    """Confidences as levels from 0, at most `bins` of them.

    A subject with no more than `bins` different values keeps them as they are. Else a value's level is
    ⌊bins · (mean rank − ½)/n⌋: levels of about equal size, in which equal values stay together, so that a subject that
    mostly says 100 % has fewer and unequal ones, but never less than two.

    0.5, 0.5, 0.9, 0.9, 0.9 gives 0, 0, 1, 1, 1; five times 1.0 and once 0.1, 0.2, 0.3 in two bins 1 and 0. Raises
    `InputError` for bins below 2; NaN is not allowed.
    """
    import numpy as np
    from scipy.stats import rankdata

    check_whole("bins", bins, 2)
    values = np.asarray(confidence, dtype=float)
    if np.isnan(values).any():
        raise InputError("confidence", "NaN", "numbers", "Leave trials without a confidence out.")
    if len(np.unique(values)) > bins:
        values = np.floor(bins * (rankdata(values) - 0.5) / len(values))
    return np.searchsorted(np.unique(values), values)


def places_of(stimulus: np.ndarray, answer: np.ndarray, level: np.ndarray, levels: int) -> np.ndarray:
    """Where each trial counts in the two lists of `fit_meta_d`, put one behind the other.

    From 0/1 stimuli and answers and levels from 0. With two levels the lists are, for each stimulus, answer 0 at levels
    1 and 0, answer 1 at levels 0 and 1: stimulus 1, answer 1, level 0 is place 4 + 2 = 6.
    """
    import numpy as np

    return stimulus * 2 * levels + np.where(answer == 1, levels + level, levels - 1 - level)
