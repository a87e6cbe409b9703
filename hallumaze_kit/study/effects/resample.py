"""Bootstrap over whole clusters (mazes), for any statistic that can be told from how often each cluster was drawn."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from hallumaze_kit.errors import check_whole
from hallumaze_kit.study.tables import FEWEST_MAZES, interval_ends

if TYPE_CHECKING:
    import numpy as np

DEFINED = 0.95
"""Share of the samples in which a statistic must be defined for an interval."""
METHOD = "cluster bootstrap over mazes (expanded percentile)"


class Interval(NamedTuple):
    """Limits at a level; NaN with a note where there are none."""

    low: float
    high: float
    note: str = ""


def cluster_bootstrap(
    statistic: Callable[[np.ndarray], np.ndarray], n_clusters: int, n_boot: int = 2000, seed: int = 0
) -> Interval:
    """Interval (95 %) of a statistic of clustered values: percentiles of samples of whole clusters, a little wider.

    Each of `n_boot` samples draws `n_clusters` clusters with replacement. The limits are taken at
    `study.tables.interval_ends`, a little outside of 2.5 % and 97.5 %.

    Parameters
    ----------
    statistic : takes (n_boot, n_clusters) whole numbers, how often each cluster was drawn in each sample, and gives
        (n_boot,) values, NaN where it is not defined
    n_clusters, n_boot, seed : the same arguments give the same interval

    NaN, with a note, for fewer than 5 clusters, and where more than one sample in twenty has no value.

    >>> import numpy as np
    >>> values = np.arange(30.0)
    >>> interval = cluster_bootstrap(lambda counts: counts @ values / 30, 30)
    >>> round(interval.low, 1), round(interval.high, 1)
    (11.3, 17.8)
    """
    import numpy as np

    check_whole("n_clusters", n_clusters, 0)
    check_whole("n_boot", n_boot, 1)
    check_whole("seed", seed, 0)
    if n_clusters < FEWEST_MAZES:
        return Interval(math.nan, math.nan, f"no interval: fewer than {FEWEST_MAZES} mazes")
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(n_clusters, np.full(n_clusters, 1 / n_clusters), size=n_boot)
    values = np.asarray(statistic(counts.astype(float)))
    known = values[~np.isnan(values)]
    if len(known) < DEFINED * n_boot:
        missing = n_boot - len(known)
        return Interval(math.nan, math.nan, f"no interval: not defined in {missing} of {n_boot} samples")
    low, high = np.quantile(known, interval_ends(n_clusters))
    return Interval(float(low), float(high))
