"""Lures, arms, TI and size as tested rows: the numbers are those of the tables, the refusals too."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from study.effects.made import trials

from hallumaze_kit.errors import InputError
from hallumaze_kit.study import ariadne_table, arm_effect, mirage_effect
from hallumaze_kit.study.effects.comparing.paired import FEW, NO_VARIATION, NOT_ZERO_ONE
from hallumaze_kit.study.effects.experiments import ariadne_effects, arm_test, mirage_test, size_trend

RNG = np.random.default_rng(2)


def lures(n=12, metric="mei", runs=1):
    rows = []
    for k in range(n):
        for shown in (False, True):
            for _ in range(runs):
                value = 0.7 - 0.2 * shown + 0.1 * RNG.normal()
                rows.append((f"m{k}", shown, "balanced", float(value > 0.6) if metric == "sr" else value))
    return trials(rows, "use_mirage", "placement", metric)


# ---- lures ---------------------------------------------------------------------------------------


def test_the_difference_is_the_tables():
    frame = lures(runs=2)
    (table,) = mirage_effect(frame).to_dict("records")
    rows = mirage_test(frame, n_boot=200)
    assert rows[0].estimate == pytest.approx(table["difference"]) and rows[0].p < 0.05
    assert rows[0].contrast == "without − with lures (balanced)" and rows[0].subject == "synthetic/s"
    assert rows[2].quantity == "Glass's δ (SD with lures)"


def test_sr_of_one_trial_is_mcnemar():
    frame = lures(metric="sr")
    (row,) = mirage_test(frame, "sr")
    assert row.test == "exact McNemar"
    assert row.estimate == pytest.approx(mirage_effect(frame, "sr").loc[0, "difference"])


def test_one_condition_only_is_refused():
    frame = lures()
    (row,) = mirage_test(frame[frame["use_mirage"]])
    assert math.isnan(row.p) and row.note == "no trial of False could be scored"


# ---- arms ----------------------------------------------------------------------------------------


def arms(n=12, each=True):
    rows = []
    for k in range(n):
        for i, arm in enumerate(("hint", "sham")):
            if each or k % 2 == i:
                rows.append((f"m{k}", "B", arm, 0.5 + 0.2 * (arm == "hint") + 0.1 * RNG.normal(), math.nan))
    return trials(rows, "ariadne_group", "arm", "mei", "nrs")


def test_arms_on_the_same_mazes_are_paired():
    frame = arms()
    row = arm_test(frame)[0]
    assert row.estimate == pytest.approx(arm_effect(frame).loc[0, "difference"])
    sides = [frame.loc[frame["arm"] == arm, "mei"].to_numpy() for arm in ("hint", "sham")]
    paired = stats.ttest_rel(*sides)
    assert (row.statistic, row.p) == pytest.approx((paired.statistic, paired.pvalue))
    assert row.contrast == "hint − sham (group B)" and (row.n, row.n_mazes) == (24, 12)


def test_an_arm_a_maze_is_welch():
    frame = arms(each=False)
    row = arm_test(frame)[0]
    sides = [frame.loc[frame["arm"] == arm, "mei"].to_numpy() for arm in ("hint", "sham")]
    assert row.statistic == pytest.approx(stats.ttest_ind(*sides, equal_var=False).statistic)
    assert "t with 10.0 df" in row.test


def test_arms_without_trials_have_the_tables_note():
    rows = arm_test(arms())
    assert [row.note for row in rows[1:]] == ["no trial in the arm 'none' could be scored"] * 2
    assert arm_test(arms(3))[0].note == FEW and arm_test(arms(3))[0].estimate == pytest.approx(0.2, abs=0.2)
    assert arm_test(arms().assign(mei=0.5))[0].note == NO_VARIATION
    one = arms(8, each=False)
    one = one[(one["arm"] == "sham") | (one["maze_id"] == "m0")]
    assert arm_test(one)[0].note == "an arm has one trial"


def test_ti_and_ignored_hints_as_rows():
    rows = []
    for k in range(8):
        rows += [(f"m{k}", "A", "", 0.4, math.nan), (f"m{k}", "B", "", 0.6, 0.5)]
        rows += [(f"m{k}", "C", "", 0.5, 0.0 if k % 4 == 0 else 0.25)]
    frame = trials(rows, "ariadne_group", "arm", "mei", "nrs")
    ti, ignored = ariadne_effects(frame)
    (table,) = ariadne_table(frame).to_dict("records")
    assert (ti.estimate, ti.low, ti.high) == (table["ti"], table["ti_low"], table["ti_high"])
    assert ti.estimate == pytest.approx(0.25) and math.isnan(ti.p) and ti.n == 16
    assert ignored.estimate == 0.25 and ignored.quantity == "share of hints ignored"
    refused = ariadne_effects(frame[frame["ariadne_group"] != "B"])[0]
    assert math.isnan(refused.estimate) and refused.note.startswith("no TI")


# ---- size ----------------------------------------------------------------------------------------


def sized(values, sizes, metric="mei", runs=1):
    rows = [(f"m{k}", size, value) for k, (size, value) in enumerate(zip(sizes, values, strict=True))]
    return trials(rows * runs, "maze_size", metric)


def test_the_slope_by_hand():
    """Sizes 5, 7, 9 with means 0.8, 0.6, 0.4: 0.1 less for each unit."""
    (row,) = size_trend(sized([0.7, 0.9, 0.5, 0.7, 0.3, 0.5], [5, 5, 7, 7, 9, 9]))
    assert row.estimate == pytest.approx(-0.1) and row.quantity == "slope" and row.low < -0.1 < row.high
    assert (row.n, row.n_mazes) == (6, 6) and row.p < 0.1


def test_runs_of_a_maze_are_no_new_mazes():
    values, sizes = [0.7, 0.9, 0.5, 0.7, 0.3, 0.5], [5, 5, 7, 7, 9, 9]
    (once,), (thrice,) = size_trend(sized(values, sizes)), size_trend(sized(values, sizes, runs=3))
    assert once.p == pytest.approx(thrice.p) and thrice.n == 18


def test_log_odds_of_solving_by_hand():
    """Two sizes with 3 of 4 and 1 of 4 solved: log odds log 3 and −log 3, over 2 units of size."""
    (row,) = size_trend(sized([1, 1, 1, 0, 1, 0, 0, 0], [5] * 4 + [7] * 4, "sr"), "sr")
    assert row.estimate == pytest.approx(-math.log(3)) and row.test.startswith("logistic regression on maze means")


@pytest.mark.parametrize(
    ("values", "sizes", "metric", "note"),
    [
        ([1.0] * 8, [5, 7] * 4, "mei", NO_VARIATION),
        ([1.0] * 8, [5, 7] * 4, "sr", NO_VARIATION),
        (list(range(8)), [5, 7] * 4, "sr", NOT_ZERO_ONE),
        ([1, 1, 1, 1, 0, 0, 0, 0], [5] * 4 + [7] * 4, "sr", "the outcome is separated"),
        ([0.1, 0.5, 0.3, 0.2, 0.9], [7] * 5, "mei", "mazes of one size"),
        ([0.1, 0.5, 0.3], [5, 7, 9], "mei", FEW),
        ([math.nan] * 6, [5, 7] * 3, "mei", FEW),
    ],
)
def test_trends_that_are_refused(values, sizes, metric, note):
    (row,) = size_trend(sized(values, sizes, metric), metric)
    assert row.note.startswith(note) and math.isnan(row.p) and math.isnan(row.estimate)


def test_what_is_no_frame():
    for call in (mirage_test, arm_test, size_trend):
        with pytest.raises(InputError, match="a table of trials"):
            call([1, 2])
        with pytest.raises(InputError):
            call(lures(), "nonsense")
