"""Independent groups: outside values, and what has no test (I9, I10)."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from hallumaze_kit.errors import InputError
from hallumaze_kit.study.effects.comparing.groups import FEW_ROWS, compare_groups
from hallumaze_kit.study.effects.comparing.paired import NO_VARIATION

EXTRA = {
    "1": [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    "2": [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
}
"""R: `sleep` (Student 1908)."""


def test_as_in_r():
    """R: t.test(extra ~ group, data = sleep): t = -1.8608, df = 17.776, p-value = 0.07939, -3.3654832 0.2054832;
    with var.equal = TRUE: df = 18, p-value = 0.07919."""
    student, welch, size = compare_groups(EXTRA)
    assert (welch.statistic, welch.p) == pytest.approx((-1.8608, 0.07939), abs=5e-5)
    assert (welch.low, welch.high) == pytest.approx((-3.3654832, 0.2054832), abs=1e-6)
    assert welch.test == "Welch's t, 17.8 df" and welch.contrast == "1 − 2"
    assert (student.p, student.n) == (pytest.approx(0.07919, abs=5e-6), 20)
    assert -1 < size.low < size.estimate < size.high < 1


def test_three_groups_as_in_scipy():
    groups = {"a": [6, 8, 4, 5, 3, 4], "b": [8, 12, 9, 11, 6, 8], "c": [13, 9, 11, 8, 7, 12]}
    (row,) = compare_groups(groups, metric="mei")
    assert (row.statistic, row.p) == pytest.approx(tuple(stats.f_oneway(*groups.values())))
    assert row.statistic == pytest.approx(9.3, abs=0.05) and row.metric == "mei", "Wikipedia, One-way ANOVA: F = 9.3"


@pytest.mark.parametrize("order", list(permutations(["a", "b", "c"])))
def test_i9_constant_but_different_groups(order):
    groups = {"a": [2.0] * 10, "b": [100.0] * 6, "c": [1000.0] * 5}
    (row,) = compare_groups({name: groups[name] for name in order})
    assert row.statistic == math.inf and row.p == 0 and "infinite" in row.note and row.estimate == 1


def test_two_constant_groups():
    student, welch, _ = compare_groups({"a": [0.1] * 5, "b": [0.2] * 4})
    assert student.statistic == welch.statistic == -math.inf and student.p == 0 and "constant" in student.note
    assert {row.note for row in compare_groups({"a": [1] * 5, "b": [1] * 4})[:2]} == {NO_VARIATION}
    assert compare_groups({"a": [1, 1], "b": [1, 1], "c": [1]})[0].note == NO_VARIATION


def test_the_order_of_values_changes_nothing():
    rng = np.random.default_rng(4)
    groups = {name: rng.normal(1e6, 1, 7) for name in "abc"}
    (first,) = compare_groups(groups)
    (second,) = compare_groups({name: rng.permutation(groups[name]) for name in "cab"})
    assert first.p == pytest.approx(second.p, rel=1e-9)


def test_i10_a_group_with_one_observation():
    student, welch, size = compare_groups({"a": [1], "b": [2, 3, 4]})
    assert (student.statistic, student.p) == pytest.approx((-1.732, 0.2254), abs=5e-4)
    assert student.test == "Student's t (pooled variance), 2 df" and "one value" in student.note
    assert math.isnan(welch.p) and math.isnan(welch.low) and "Welch's t is not defined" in welch.note
    assert size.estimate == -1 and math.isnan(size.low)


def test_i10_one_against_one():
    student, welch, _ = compare_groups({"a": [1], "b": [2]})
    assert student.note == welch.note == FEW_ROWS and math.isnan(student.p) and student.estimate == -1
    (row,) = compare_groups({"a": [0.73], "b": [0.61], "c": [0.5]})
    assert row.note == FEW_ROWS and math.isnan(row.p), "means typed in by hand"


def test_missing_values_and_empty_groups():
    assert compare_groups({"a": [1, math.nan, 2], "b": [3, 5]})[0].n == 4
    for groups in ({"a": [1, 2]}, {"a": [math.nan], "b": [1]}, [1, 2]):
        with pytest.raises(InputError):
            compare_groups(groups)
