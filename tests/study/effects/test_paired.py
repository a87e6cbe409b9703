"""Paired tests: R's values, hand-worked values, every small case by enumeration, and what is refused."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from hallumaze_kit.errors import InputError
from hallumaze_kit.study.effects.comparing.paired import (
    FEW,
    NO_VARIATION,
    NOT_ZERO_ONE,
    _score_limits,
    mcnemar,
    paired_t,
    wilcoxon,
)

BEFORE = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
AFTER = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
SMALL = st.lists(st.integers(-4, 4), min_size=5, max_size=9)


def test_paired_t_by_hand():
    row = paired_t([1, 2, 3, 4, 5])
    assert (row.estimate, row.statistic, row.p) == pytest.approx((3, 4.2426, 0.01324), abs=1e-4)
    assert (row.low, row.high) == pytest.approx((3 - 2.7764 * 0.7071, 3 + 2.7764 * 0.7071), abs=1e-3)


@pytest.mark.parametrize(("values", "note"), [([1, 2, 3, 4], FEW), ([0.3] * 6, NO_VARIATION), ([], FEW)])
def test_paired_t_is_refused(values, note):
    row = paired_t(values, note="known")
    assert row.note == f"known; {note}" and math.isnan(row.p) and math.isnan(row.low)


def test_wilcoxon_on_the_depression_data():
    """R: wilcox.test(x, y, paired = TRUE, alternative = "greater"): V = 40, p-value = 0.01953 (Hollander & Wolfe)."""
    row = wilcoxon(np.subtract(BEFORE, AFTER))
    assert row.statistic == 40 and row.p / 2 == pytest.approx(0.01953, abs=5e-6)
    assert row.test == "Wilcoxon signed rank, exact"


def test_the_interval_of_the_pseudomedian_inverts_the_test():
    difference = np.subtract(BEFORE, AFTER)
    row = wilcoxon(difference)
    assert wilcoxon(difference - row.low - 1e-6).p > 0.05 > wilcoxon(difference - row.low + 1e-6).p
    assert wilcoxon(difference - row.high + 1e-6).p > 0.05 > wilcoxon(difference - row.high - 1e-6).p


@given(SMALL)
def test_wilcoxon_is_exact_with_ties_and_zeros(values):
    """All 2ⁿ signs by enumeration."""
    row = wilcoxon(values)
    nonzero = np.array([v for v in values if v])
    if not len(nonzero):
        assert row.note == NO_VARIATION and math.isnan(row.p)
        return
    ranks = stats.rankdata(np.abs(nonzero))
    sums = np.array([ranks @ np.array(signs) for signs in product((0, 1), repeat=len(ranks))])
    v = ranks[nonzero > 0].sum()
    assert row.p == pytest.approx(min(1, 2 * min((sums <= v).mean(), (sums >= v).mean())))


@given(SMALL)
def test_wilcoxon_takes_no_side(values):
    one, other = wilcoxon(values), wilcoxon([-v for v in values])
    assert one.p == pytest.approx(other.p, nan_ok=True)
    assert one.estimate == pytest.approx(-other.estimate, nan_ok=True)


def test_rounding_makes_no_order():
    """0.3 − 0.2 and 0.2 − 0.1 differ in the last bits only: they are tied."""
    assert wilcoxon([0.3 - 0.2, 0.2 - 0.1, -(0.1 - 0.0), 0.4, 0.5]).p == wilcoxon([1, 1, -1, 4, 5]).p


def test_wilcoxon_without_an_interval():
    assert "no 95 %" in wilcoxon([1, 2, 3, 4, 5]).note and math.isnan(wilcoxon([1, 2, 3, 4, 5]).low)
    tied = wilcoxon([1, 1, 1, 2, 2, -1, 0, 0])
    assert "too many differences are 0 or tied" in tied.note and math.isnan(tied.low) and 0 < tied.p < 1
    assert wilcoxon([1, 2, 3]).note == FEW


def test_many_differences_are_taken_as_normal():
    values = np.random.default_rng(1).normal(0.1, 1, 250)
    row = wilcoxon(values)
    assert "normal approximation" in row.note
    assert row.p == pytest.approx(wilcoxon(values[:200]).p, abs=1) and 0 < row.p < 1
    assert row.p == pytest.approx(stats.wilcoxon(values, method="asymptotic", correction=False).pvalue)


def sides(b, c, both=21, neither=12):
    one = [1] * both + [1] * b + [0] * c + [0] * neither
    return one, [1] * both + [0] * b + [1] * c + [0] * neither


def test_mcnemar_as_in_r():
    """R, exact2x2, vignette exactMcNemar: mcnemar.exact(matrix(c(21, 9, 2, 12), 2, 2)): b = 2, c = 9, p = 0.06543."""
    row = mcnemar(*sides(2, 9))
    assert row.p == pytest.approx(0.06543, abs=5e-6) and row.statistic == 2
    assert row.estimate == pytest.approx(-7 / 44)


def test_mcnemar_as_a_binomial_test_in_r():
    """R: binom.test(c(35, 28)): p-value = 0.45 (M. Aoki, "McNemar test by R", Gunma University)."""
    assert mcnemar(*sides(35, 28, 48, 53)).p == pytest.approx(0.45, abs=5e-3)


@given(st.integers(0, 12), st.integers(0, 12), st.integers(0, 8))
def test_the_interval_holds_what_the_score_test_does_not_reject(b, c, rest):
    n = b + c + rest
    if n < 5:
        return
    low, high = _score_limits(b, c, n)
    assert -1 <= low <= (b - c) / n <= high <= 1
    mirrored = _score_limits(c, b, n)
    assert (-mirrored[1], -mirrored[0]) == pytest.approx((low, high), abs=1e-6)
    if b + c:
        # At no difference the score statistic is McNemar's (b − c)/√(b + c).
        rejected = abs(b - c) / math.sqrt(b + c) > stats.norm.ppf(0.975)
        assert rejected == (not low <= 0 <= high)


def test_mcnemar_where_no_maze_differs():
    row = mcnemar([1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 0])
    assert (row.estimate, row.p) == (0, 1) and row.low < 0 < row.high


@pytest.mark.parametrize(
    ("one", "other", "note"),
    [
        ([1] * 8, [1] * 8, NO_VARIATION),
        ([0.73] * 8, [1] * 8, NOT_ZERO_ONE),
        (list(range(50)), [0] * 50, NOT_ZERO_ONE),
        ([1, 0, 1], [0, 0, 1], FEW),
    ],
)
def test_mcnemar_is_refused(one, other, note):
    row = mcnemar(one, other)
    assert row.note == note and math.isnan(row.p)


def test_sides_of_different_lengths():
    with pytest.raises(InputError):
        mcnemar([1, 0], [1])
