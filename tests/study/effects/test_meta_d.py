"""meta-d′ against published values, against simulated observers, and its refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from hallumaze_kit.errors import InputError
from hallumaze_kit.study import dprime
from hallumaze_kit.study.effects import fit_meta_d
from hallumaze_kit.study.effects.type2.meta_d import _loss, levels_of, places_of

PUBLISHED = ([52, 32, 35, 37, 26, 12, 4, 2], [2, 5, 15, 22, 33, 38, 40, 45])


def counts_of(stimulus, answer, level, levels):
    return np.bincount(places_of(stimulus, answer, level, levels), minlength=4 * levels).reshape(2, -1)


def observed(d, criterion=0.0, noise=0.0, n=20_000, seed=0, cuts=(0.5, 1.0, 1.6)):
    """Counts of an observer whose confidence reads its evidence with some noise more."""
    rng = np.random.default_rng(seed)
    stimulus = np.repeat([0, 1], n)
    evidence = rng.normal(d * (stimulus - 0.5), 1)
    answer = (evidence > criterion).astype(int)
    felt = np.where(answer == 1, 1, -1) * (evidence - criterion + noise * rng.normal(size=2 * n))
    return counts_of(stimulus, answer, np.digitize(felt, cuts), len(cuts) + 1)


def test_the_published_example():
    """metadpy's test_mle.py, test_metad: metad(nR_S1=…, nR_S2=…) of these counts, to its three decimals."""
    fit = fit_meta_d(*PUBLISHED)
    assert (round(fit.d, 3), round(fit.meta_d, 3), round(fit.m_ratio, 3)) == (1.535, 1.634, 1.064)
    assert round(fit.meta_d - fit.d, 3) == 0.099
    assert list(fit.criteria) == sorted(fit.criteria) and len(fit.criteria) == 6


def test_d_and_c_are_those_of_the_log_linear_correction():
    first, second = [36, 24, 17, 20, 10, 12, 9, 2], [1, 4, 10, 11, 19, 18, 28, 39]
    fit, found = fit_meta_d(first, second), dprime(104, 26, 33, 97)
    assert (fit.d, fit.c) == pytest.approx((found.d, found.c))


@pytest.mark.parametrize("criterion", [-0.4, 0.0, 0.3])
@pytest.mark.parametrize("d", [0.8, 1.5, 2.5])
def test_an_ideal_observer_has_m_ratio_1(d, criterion):
    fit = fit_meta_d(*observed(d, criterion))
    assert fit.d == pytest.approx(d, abs=0.05) and fit.c == pytest.approx(criterion, abs=0.03)
    assert fit.m_ratio == pytest.approx(1, abs=0.06)


def test_planted_meta_d_is_recovered():
    """Counts in exact proportion to the model's probabilities: d′ 2, c 0.2, meta-d′ 1.2."""
    from scipy.stats import norm

    d, c, meta = 2.0, 0.2, 1.2
    edges = meta * c / d + np.array([-np.inf, -1.1, -0.5, 0.0, 0.4, 1.3, np.inf])
    counts = []
    for sign in (-1, 1):
        second = 1 - norm.cdf(c - sign * d / 2)
        mass = np.diff(norm.cdf(edges - sign * meta / 2))
        counts.append(np.r_[(1 - second) * mass[:3] / mass[:3].sum(), second * mass[3:] / mass[3:].sum()] * 1e7)
    fit = fit_meta_d(*counts)
    assert (fit.d, fit.c, fit.meta_d, fit.m_ratio) == pytest.approx((2, 0.2, 1.2, 0.6), abs=1e-3)
    assert fit.criteria == pytest.approx(edges[[1, 2, 4, 5]], abs=1e-3)


def test_noise_in_confidence_lowers_meta_d_and_leaves_d():
    noisy, random = fit_meta_d(*observed(1.5, noise=1.2)), fit_meta_d(*observed(1.5, noise=1e3))
    assert noisy.d == pytest.approx(1.5, abs=0.05) and 0.4 < noisy.m_ratio < 0.85
    assert random.meta_d == pytest.approx(0, abs=0.1)


def test_the_gradient_is_that_of_the_loss():
    padded = np.array(PUBLISHED) + 0.125
    sides, means = (padded[:, 3::-1], padded[::-1, 4:]), np.array([[0.6, -0.4], [0.4, -0.6]])
    for x in (np.r_[1.3, np.log([0.3, 0.5, 0.7, 0.2, 0.3, 0.4])], np.r_[-2.0, np.zeros(6)]):
        value = approx_fprime(x, lambda x: _loss(x, sides, means)[0], 1e-7)
        assert _loss(x, sides, means)[1] == pytest.approx(value, rel=1e-4, abs=1e-3)


rows = st.lists(st.integers(0, 60), min_size=6, max_size=6).filter(any)


@given(rows, rows)
def test_calling_the_stimuli_the_other_way_round_changes_no_sensitivity(first, second):
    one, other = fit_meta_d(first, second), fit_meta_d(second[::-1], first[::-1])
    assert (one.d, one.c) == pytest.approx((other.d, -other.c), abs=1e-9)
    if abs(one.d) > 0.2:
        assert one.log_likelihood == pytest.approx(other.log_likelihood, rel=1e-4)
    if abs(one.d) < 1e-9:
        assert math.isnan(one.meta_d) and math.isnan(one.m_ratio)


@pytest.mark.parametrize(
    "wrong",
    [
        ([1, 2], [3, 4]),
        ([1, 2, 3], [1, 2, 3]),
        ([1, 2, 3, 4], [1, 2]),
        ([1, 2, 3, -1], [1, 1, 1, 1]),
        ([0] * 4, [1] * 4),
    ],
)
def test_counts_that_do_not_fit_are_refused(wrong):
    with pytest.raises(InputError, match="first, second"):
        fit_meta_d(*wrong)


def test_levels_by_hand():
    assert levels_of([0.5, 0.5, 0.9, 0.9, 0.9]).tolist() == [0, 0, 1, 1, 1]
    assert levels_of([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert levels_of([1.0, 1.0, 1.0, 1.0, 1.0, 0.1, 0.2, 0.3], bins=2).tolist() == [1] * 5 + [0] * 3
    assert levels_of([]).tolist() == []


@given(st.lists(st.integers(0, 20), min_size=1), st.integers(2, 6))
def test_levels_keep_order_and_ties(values, bins):
    levels = levels_of(values, bins)
    assert set(levels.tolist()) == set(range(levels.max() + 1)) and levels.max() < bins
    assert levels.max() > 0 or len(set(values)) == 1
    assert all(
        (levels[i] <= levels[j]) for i in range(len(values)) for j in range(len(values)) if values[i] <= values[j]
    )


def test_nan_and_too_few_bins_are_refused():
    with pytest.raises(InputError, match="confidence"):
        levels_of([0.5, math.nan])
    with pytest.raises(InputError, match="bins"):
        levels_of([0.5], 1)


def test_counts_by_hand():
    counts = counts_of(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1]), np.array([1, 0, 1, 1]), 2)
    assert counts.tolist() == [[1, 0, 1, 0], [0, 0, 0, 2]]
