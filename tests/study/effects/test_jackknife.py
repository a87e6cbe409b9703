"""Leaving one maze out at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap, ttest_1samp

from hallumaze_kit.study.effects.jackknife import interval, jackknife, left_out, p_of_zero

means = st.lists(st.floats(-10, 10), min_size=3, max_size=12).filter(lambda values: np.std(values) > 1e-3)


def left(values):
    return left_out(len(values)) @ np.array(values) / left_out(len(values)).sum(axis=1)


def test_the_worked_number():
    assert left([1, 2, 3]).tolist() == [2, 2.5, 2, 1.5]
    assert jackknife(left([1, 2, 3])) == pytest.approx(1 / math.sqrt(3))


@given(means)
def test_of_a_mean_it_is_the_t_interval_and_the_t_test(values):
    expected = ttest_1samp(values, 0)
    ends = expected.confidence_interval(0.95)
    assert interval(left(values)) == pytest.approx((ends.low, ends.high))
    assert p_of_zero(left(values)) == pytest.approx((expected.statistic, expected.pvalue))


def test_a_share_keeps_within_its_bounds():
    low, high = interval(np.array([0.95, 0.9, 0.99, 0.96]), share=True)
    assert 0 < low < 0.95 < high < 1
    assert all(map(math.isnan, interval(np.array([1.0, 1.0, 1.0]), share=True)))


def test_of_a_ratio_it_is_near_the_bootstrap():
    rng = np.random.default_rng(0)
    x, y = rng.normal(5, 1, (2, 300))
    weights = left_out(300)
    found = jackknife((weights @ x) / (weights @ y))
    other = bootstrap((x, y), lambda a, b: a.mean() / b.mean(), paired=True, vectorized=False, rng=rng, n_resamples=999)
    assert found == pytest.approx(other.standard_error, rel=0.15)


def test_without_spread_or_with_a_gap_nothing_is_said():
    assert all(map(math.isnan, p_of_zero(np.array([1.0, 1.0, 1.0]))))
    assert math.isnan(jackknife(np.array([1.0, 2.0]))) and math.isnan(jackknife(np.array([1.0, 2.0, math.nan])))
    assert all(map(math.isnan, interval(np.array([1.0]))))
