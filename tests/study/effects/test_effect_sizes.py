"""Effect sizes: published and hand-worked values, what the intervals mean, what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from hallumaze_kit.errors import InputError
from hallumaze_kit.study.effects.comparing.effect_sizes import (
    cliffs_delta,
    cliffs_delta_paired,
    glass_delta,
    paired_d,
)
from hallumaze_kit.study.effects.resample import cluster_bootstrap

TREATMENT, CONTROL = [10, 10, 20, 20, 20, 30, 30, 30, 40, 50], [10, 20, 30, 40, 40, 50]
ONE, OTHER = [3, 5, 4, 8], [1, 4, 5, 4]


def test_cliffs_delta_as_in_r():
    """R, effsize: cliff.delta(treatment, control), the example of its help page."""
    size = cliffs_delta(TREATMENT, CONTROL)
    assert size[:3] == pytest.approx((-0.25, -0.7265846, 0.3890062), abs=1e-6)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8), st.lists(st.integers(0, 5), min_size=1, max_size=8))
def test_cliffs_delta_is_what_mann_whitney_counts(one, other):
    u = stats.mannwhitneyu(one, other).statistic
    assert cliffs_delta(one, other).estimate == pytest.approx(2 * u / (len(one) * len(other)) - 1)
    assert cliffs_delta(other, one).estimate == pytest.approx(-cliffs_delta(one, other).estimate)


def test_cliffs_delta_without_an_interval():
    assert "do not overlap" in cliffs_delta([1, 2], [3, 4]).note and cliffs_delta([1, 2], [3, 4]).estimate == -1
    assert math.isnan(cliffs_delta([1], [0, 2]).low) and math.isnan(cliffs_delta([], [1]).estimate)


def test_paired_d_by_hand():
    """Differences 2, 1, −1, 4: mean 1.5, SD √(13/3); variances 14/3 and 3."""
    d_z, d_av = paired_d(ONE, OTHER)
    assert d_z.estimate == pytest.approx(1.5 / math.sqrt(13 / 3)) == pytest.approx(0.7206, abs=1e-4)
    assert d_av.estimate == pytest.approx(1.5 / math.sqrt(23 / 6)) == pytest.approx(0.7661, abs=1e-4)


def test_the_limits_of_d_z_are_those_of_the_noncentral_t():
    d_z, d_av = paired_d(ONE, OTHER)
    t = d_z.estimate * 2
    assert stats.nct.sf(t, 3, d_z.low * 2) == pytest.approx(0.025) and stats.nct.cdf(
        t, 3, d_z.high * 2
    ) == pytest.approx(0.025)
    assert d_av.low / d_z.low == pytest.approx(d_av.estimate / d_z.estimate)


def test_d_z_and_t_agree_on_zero():
    one, other = np.random.default_rng(3).normal(size=(2, 12))
    one += 0.6
    p = stats.ttest_rel(one, other).pvalue
    d_z, _ = paired_d(one, other)
    assert (p < 0.05) == (not d_z.low <= 0 <= d_z.high)


def test_glass_delta_by_hand_uses_the_other_sides_spread():
    assert glass_delta(ONE, OTHER).estimate == pytest.approx(1.5 / math.sqrt(3))
    assert glass_delta(OTHER, ONE).estimate == pytest.approx(-1.5 / math.sqrt(14 / 3))


def test_bootstrap_intervals_are_the_same_each_time_and_hold_the_estimate():
    one, other = np.random.default_rng(5).normal(size=(2, 20))
    for size in (glass_delta, cliffs_delta_paired):
        first = size(one, other)
        assert first == size(one, other) and first.low < first.estimate < first.high
        assert first != size(one, other, seed=1)


def test_counts_of_mazes_give_what_drawing_them_gives():
    """The vectorised statistics against the plain ones on a sample with repeated mazes."""
    one, other = np.random.default_rng(6).normal(size=(2, 9))
    seen = {}

    def spy(name):
        return lambda statistic, n, n_boot, seed: seen.setdefault(name, statistic) and cluster_bootstrap(statistic, n)

    from hallumaze_kit.study.effects.comparing import effect_sizes

    drawn = np.array([0, 0, 3, 4, 4, 4, 6, 8, 8])
    counts = np.bincount(drawn, minlength=9)[None].astype(float)
    with pytest.MonkeyPatch.context() as patch:
        for name, size in (("glass", glass_delta), ("cliff", cliffs_delta_paired)):
            patch.setattr(effect_sizes, "cluster_bootstrap", spy(name))
            size(one, other)
    assert seen["glass"](counts)[0] == pytest.approx(glass_delta(one[drawn], other[drawn]).estimate)
    assert seen["cliff"](counts)[0] == pytest.approx(cliffs_delta_paired(one[drawn], other[drawn]).estimate)


def test_what_has_no_size():
    assert "no variation" in paired_d([1, 1, 1], [1, 1, 1])[0].note
    assert "no variation" in paired_d([2, 3, 4], [1, 2, 3])[0].note, "every difference is 1"
    assert "does not vary" in glass_delta([1, 2, 3], [5, 5, 5]).note
    assert "fewer than 2" in paired_d([1], [2])[0].note and math.isnan(glass_delta([1], [2]).estimate)
    few = cliffs_delta_paired([1, 2, 3], [2, 2, 2])
    assert few.estimate == 0 and math.isnan(few.low) and "fewer than 5 mazes" in few.note
    with pytest.raises(InputError):
        paired_d([1, 2], [1])


# ---- bootstrap -----------------------------------------------------------------------------------


def test_the_interval_of_a_mean_is_nearly_that_of_t():
    values = np.random.default_rng(2).normal(size=40)
    interval = cluster_bootstrap(lambda counts: counts @ values / 40, 40, n_boot=20000)
    low, high = stats.t.interval(0.95, 39, values.mean(), values.std(ddof=1) / math.sqrt(40))
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=0.02)


def test_every_sample_draws_as_many_clusters_as_there_are():
    def total(counts):
        assert counts.shape == (50, 7) and (counts.sum(axis=1) == 7).all()
        return counts[:, 0]

    cluster_bootstrap(total, 7, n_boot=50)


def test_no_interval_of_few_clusters_or_an_undefined_statistic():
    assert "fewer than 5" in cluster_bootstrap(lambda counts: counts[:, 0], 4).note
    undefined = cluster_bootstrap(lambda counts: np.where(counts[:, 0] > 0, 1.0, np.nan), 6)
    assert math.isnan(undefined.low) and "not defined in" in undefined.note
    with pytest.raises(InputError):
        cluster_bootstrap(lambda counts: counts[:, 0], 6, n_boot=0)
