"""Synthetic subjects whose traits are drawn, so that it is known what a measure ought to find."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from hallumaze_kit.errors import check_choice, check_whole
from hallumaze_kit.subjects import Synthetic, Traits

if TYPE_CHECKING:
    import numpy as np

PLANTED: dict[str, tuple[float, float]] = {
    "slip": (0.01, 0.2),
    "notice": (0.0, 1.0),
    "declare": (0.0, 1.0),
    "repair": (0.0, 1.0),
    "wander": (0.0, 0.6),
    "lure": (0.0, 1.0),
    "forget": (0.0, 0.3),
    "babble": (0.0, 0.3),
    "confidence_bias": (-40.0, 10.0),
    "confidence_noise": (0.0, 15.0),
    "doubt": (0.0, 50.0),
}
"""The traits that are planted, each with the range it is drawn from; see `hallumaze_kit.subjects.Traits`."""


class Family(NamedTuple):
    """Subjects of one kind: how they write, and where their traits lie closer than in `PLANTED`."""

    style: str
    ranges: Mapping[str, tuple[float, float]]


FAMILIES: dict[str, Family] = {
    "plain": Family("standard", {}),
    "tabular": Family("table", {}),
    "storyteller": Family("prose", {"declare": (0.4, 1.0), "babble": (0.1, 0.3)}),
    "silent": Family("list", {"declare": (0.0, 0.3), "babble": (0.0, 0.05)}),
    "sure": Family("markdown", {"confidence_bias": (-5.0, 10.0), "confidence_noise": (0.0, 8.0), "slip": (0.01, 0.1)}),
    "shaky": Family("standard", {"confidence_bias": (-40.0, -10.0), "slip": (0.08, 0.25), "forget": (0.1, 0.4)}),
}
"""Families by name. "plain" and "tabular" draw from the whole ranges; the others from a part, each in a style."""


def sample_subjects(n: int, family: str = "plain", seed: int = 0) -> list[Synthetic]:
    """`n` synthetic subjects of a family, their traits a Latin hypercube over its ranges, without correlation.

    Each trait's range is cut into n equal parts and every part holds one subject (McKay, Beckman & Conover 1979;
    `scipy.stats.qmc.LatinHypercube`). Of 11 traits of 40 subjects some would still correlate by 0.4 by chance, and a
    measure of the one would seem to see the other; so they are put in uncorrelated orders (see
    `uncorrelated`). The subjects are called "family/000" and so on. The same arguments give the same subjects.

    Raises `InputError` for fewer than 2 subjects or an unknown family.
    """
    from scipy.stats import qmc

    check_whole("n", n, 2)
    check_choice("family", family, tuple(FAMILIES))
    check_whole("seed", seed, 0)
    style, narrower = FAMILIES[family]
    ranges = PLANTED | dict(narrower)
    lows, highs = zip(*ranges.values(), strict=True)
    rng = [seed, *family.encode()]  # families differ though the seed is the same
    drawn = qmc.scale(uncorrelated(qmc.LatinHypercube(len(ranges), rng=rng).random(n)), lows, highs)
    return [
        Synthetic(f"{family}/{number:03d}", Traits(**dict(zip(ranges, map(float, row), strict=True))), style)
        for number, row in enumerate(drawn)
    ]


def uncorrelated(columns: np.ndarray) -> np.ndarray:
    """The same values in each column, (n, k), in an order in which the columns' ranks hardly correlate.

    Normal scores of the ranks are multiplied by the inverse of the Cholesky factor of their correlations, and each
    column is put in the order of the result (Iman & Conover 1982); ten times, since ranks are not scores. Returned as
    they are where n ≤ k: too few rows to be uncorrelated.
    """
    import numpy as np
    from scipy.stats import norm, rankdata

    n, k = columns.shape
    if n <= k:
        return columns
    values = np.sort(columns, axis=0)
    ranks = rankdata(columns, axis=0, method="ordinal").astype(int)
    for _ in range(10):
        scores = norm.ppf(ranks / (n + 1))
        factor = np.linalg.cholesky(np.corrcoef(scores, rowvar=False))
        ranks = rankdata(scores @ np.linalg.inv(factor).T, axis=0, method="ordinal").astype(int)
    return np.take_along_axis(values, ranks - 1, axis=0)


def family_of(name: str) -> str:
    """The family in a subject's name: what stands before the slash, "" without one."""
    return name.rpartition("/")[0]
