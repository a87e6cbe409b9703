"""Power and precision: against R, G*Power, statsmodels and exact sums, and the same on any number of workers."""

from __future__ import annotations

import math

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.formula.api import mixedlm
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.study import estimate
from hallumaze_kit.study.power import (
    StudyModel,
    before_spending,
    expected_counts,
    fitted_model,
    interval_width,
    mazes_for_width,
    mazes_needed,
    mcnemar_power,
    paired_power,
    simulate_power,
)

TEXTBOOK = StudyModel(difference=0.5, sd_effect=1.0, sd_residual=0.0)


def power_of(table, mazes):
    (row,) = table[(table["quantity"] == "power") & (table["n_mazes"] == mazes)].to_dict("records")
    return row


# ---- formulas ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("d", "power", "pairs"), [(0.5, 0.8, 33.36713), (0.5, 0.75, 29.7355), (0.25, 0.75, 112.9798)])
def test_pairs_that_r_asks_for(d, power, pairs):
    """R: pwr.t.test(d = 0.5, power = 0.8, sig.level = 0.05, type = "paired"), n = 33.36713, and so on."""
    below, above = math.floor(pairs), math.ceil(pairs)
    assert paired_power(below, d, 1) < power < paired_power(above, d, 1)
    assert TTestPower().solve_power(d, alpha=0.05, power=power) == pytest.approx(pairs, abs=1e-4)


def test_paired_power_scales_and_falls_to_alpha():
    assert paired_power(34, 0.5, 1) == pytest.approx(0.8078, abs=5e-5)
    assert paired_power(34, -1, 2) == pytest.approx(paired_power(34, 0.5, 1))
    assert paired_power(10, 0, 1, 0.01) == 0.01


def test_mcnemar_by_o_brien_and_g_power():
    """G*Power's manual after O'Brien 2002: 50 pairs, odds ratio 0.25, 40 % discordant, one-sided 0.05: power 0.839,
    actual alpha 0.0326. One-sided at 0.05 is one side of two-sided at 0.10, and the other side adds 4e-7."""
    assert mcnemar_power(50, 0.08, 0.32, 0.10) == pytest.approx(0.839, abs=5e-4)
    assert mcnemar_power(50, 0.2, 0.2, 0.10) / 2 == pytest.approx(0.032578, abs=1e-6)


@settings(max_examples=25)
@given(st.integers(1, 12), st.integers(0, 10), st.integers(0, 10))
def test_mcnemar_is_the_sum_over_all_tables(mazes, first, second):
    """Every table of so many pairs, with SciPy's exact binomial test of the discordant ones."""
    p, q = first / 20, second / 20
    expected = 0.0
    for a in range(mazes + 1):
        for b in range(mazes + 1 - a):
            if a + b and binomtest(a, a + b).pvalue <= 0.05:
                rest = mazes - a - b
                ways = math.comb(mazes, a) * math.comb(mazes - a, b)
                expected += ways * p**a * q**b * (1 - p - q) ** rest
    assert mcnemar_power(mazes, p, q) == pytest.approx(expected, abs=1e-12)


def test_mcnemar_stays_below_alpha_under_the_null():
    assert all(mcnemar_power(n, 0.2, 0.2) <= 0.05 for n in (5, 10, 30, 100))
    assert mcnemar_power(5, 0.1, 0.1) == 0 and mcnemar_power(20, 0, 0) == 0


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5])
def test_the_width_of_a_rate_is_wilsons(rate):
    low, high = proportion_confint(100 * rate, 100, method="wilson")
    row = interval_width(100, rate=rate)
    assert row.estimate == pytest.approx(high - low) and (row.n_mazes, row.test) == (100, "Wilson")


def test_the_width_of_a_mean_by_hand():
    """t quantile of 24 degrees of freedom 2.0639: 2 · 2.0639/5."""
    assert interval_width(25, sd=1).estimate == pytest.approx(2 * 2.063899 / 5, abs=1e-6)
    assert math.isnan(interval_width(1, sd=1).estimate) and "no spread" in interval_width(1, sd=1).note


def test_answers_of_one_maze_count_less_the_more_alike_they_are():
    alone, alike = interval_width(50, rate=0.3, per_maze=4), interval_width(50, rate=0.3, per_maze=4, icc=1.0)
    assert alone.estimate == interval_width(200, rate=0.3).estimate and alone.n == alike.n == 200
    assert alike.estimate == pytest.approx(interval_width(50, rate=0.3).estimate)
    between = interval_width(50, rate=0.3, per_maze=4, icc=0.2)
    assert alone.estimate < between.estimate < alike.estimate and "125.0 independent" in between.note


@given(st.floats(0.05, 0.5), st.floats(0.1, 0.9))
def test_the_fewest_mazes_for_a_width(width, rate):
    n = mazes_for_width(width, rate=rate)
    assert interval_width(n, rate=rate).estimate <= width
    assert n == 2 or interval_width(n - 1, rate=rate).estimate > width


def test_widths_that_cannot_be_are_refused():
    assert mazes_for_width(0.2, rate=0.5) == 93
    with pytest.raises(InputError, match="width"):
        mazes_for_width(1e-9, rate=0.5)
    for wrong in ({}, {"rate": 0.5, "sd": 1}, {"rate": 1.5}, {"sd": -1}, {"rate": 0.5, "icc": 2}, {"sd": math.nan}):
        with pytest.raises(InputError):
            interval_width(10, **wrong)


@pytest.mark.parametrize(
    "call",
    [
        lambda: paired_power(1, 0.5, 1), lambda: paired_power(10, 0.5, 0), lambda: paired_power(10, 0.5, 1, 1.0),
        lambda: mcnemar_power(0, 0.1, 0.1), lambda: mcnemar_power(5, 0.7, 0.7), lambda: mcnemar_power(5, -0.1, 0.1),
    ],
)  # fmt: skip
def test_wrong_numbers_are_refused(call):
    with pytest.raises(InputError):
        call()


# ---- counts of real mazes ---------------------------------------------------------------------------


def test_counts_are_those_of_the_mazes():
    table = expected_counts([5, 7], range(6), "wilson", error_rate=0.2, answers=3)
    held = {size: sum(len(MazeEngine(size, s, "wilson").decision_cells) for s in range(6)) for size in (5, 7)}
    assert table["size"].tolist() == [5, 7, "all"] and table["mazes"].tolist() == [6, 6, 12]
    assert table["junctions"].tolist() == [held[5], held[7], held[5] + held[7]]
    assert table["decisions"].tolist() == [3 * n for n in table["junctions"]]
    assert table["errors"].tolist() == pytest.approx([0.2 * n for n in table["decisions"]])


def test_the_interval_of_the_errors_by_hand():
    """One 7×7 size, so one row: sd = √(n·0.2·0.8·(1 + (k − 1)·icc)), 1.96 of it to either side."""
    row = expected_counts(7, range(30), "wilson", 0.2, icc=0.1).iloc[0]
    n, k = row["decisions"], row["per_maze"]
    reach = 1.959964 * math.sqrt(n * 0.16 * (1 + (k - 1) * 0.1))
    assert (row["errors_low"], row["errors_high"]) == pytest.approx((0.2 * n - reach, 0.2 * n + reach), abs=1e-4)


def test_it_says_where_the_auroc_will_be_refused():
    notes = [expected_counts(7, range(10), "wilson", rate)["note"].item() for rate in (0.05, 0.4, 0.95)]
    assert "will be refused" in notes[0] and "may be refused" in notes[1] and notes[2] == ""


def test_cost_and_counts_stand_side_by_side():
    asked = (["openai/x", "synthetic/careful"], [5, 7], range(4))
    prices = {"openai/x": (2, 10)}
    table = before_spending(*asked, prices=prices, error_rate=0.3, algorithm="wilson", runs=2)
    plain = estimate(*asked, prices=prices, algorithm="wilson", runs=2)
    pd.testing.assert_frame_equal(table[plain.columns].drop(columns="note"), plain.drop(columns="note"))
    held = expected_counts([5, 7], range(4), "wilson", 0.3, 2).iloc[-1]
    assert (table["decisions"] == held["decisions"]).all() and (table["errors"] == held["errors"]).all()
    probe = before_spending("openai/x", 5, range(2), MazeConfig(protocol="probe"))
    assert probe["decisions"].item() == 0 and "probes hold no decisions" in probe["note"].item()


@pytest.mark.parametrize("wrong", [{"seeds": 5}, {"sizes": []}, {"error_rate": 2}, {"answers": 0}, {"algorithm": "x"}])
def test_what_makes_no_mazes_is_refused(wrong):
    with pytest.raises(InputError):
        expected_counts(**wrong)


# ---- simulation -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mazes", [10, 34])
def test_simulated_power_is_that_of_the_t_test(mazes):
    row = power_of(simulate_power(TEXTBOOK, mazes, n_studies=2000, seed=1), mazes)
    assert row["estimate"] == pytest.approx(paired_power(mazes, 0.5, 1), abs=0.03)  # 3 Monte Carlo errors
    assert row["low"] < row["estimate"] < row["high"] and row["n"] == 2000


def test_residuals_of_subjects_and_runs_are_averaged():
    model = StudyModel(difference=0.4, sd_residual=1, sd_maze=3, sd_subject=3, subjects=2, runs=3)
    assert model.sd_of_pairs == pytest.approx(math.sqrt(2 / 6))
    row = power_of(simulate_power(model, 20, n_studies=2000), 20)
    assert row["estimate"] == pytest.approx(paired_power(20, 0.4, model.sd_of_pairs), abs=0.03)


@pytest.mark.parametrize("mazes", [20, 50])
def test_simulated_power_is_that_of_mcnemar(mazes):
    """Without a maze effect the two are independent: only the first 0.6·0.2, only the second 0.4·0.8."""
    model = StudyModel(difference=0.2, base=0.6, binary=True)
    row = power_of(simulate_power(model, mazes, n_studies=2000, seed=2), mazes)
    assert row["test"] == "McNemar, exact"
    assert row["estimate"] == pytest.approx(mcnemar_power(mazes, 0.12, 0.32), abs=0.034)


@pytest.mark.parametrize(
    ("model", "most"),
    [
        (StudyModel(difference=0, sd_maze=2, sd_effect=0.5), 0.065),
        (StudyModel(difference=0, base=0.7, binary=True, sd_maze=1), 0.05),
        (StudyModel(difference=0, base=0.7, binary=True, sd_maze=1, subjects=4, runs=2), 0.065),
    ],
)
def test_without_a_difference_it_is_the_level(model, most):
    assert power_of(simulate_power(model, 30, n_studies=2000), 30)["estimate"] <= most


def test_the_width_of_the_interval_is_told():
    table = simulate_power(TEXTBOOK, 25, n_studies=1000)
    width = table[table["quantity"] == "width of the interval"]["estimate"].item()
    expected = interval_width(25, sd=1).estimate  # the mean of s is sigma·c4, c4(25) = 0.98964
    assert width == pytest.approx(0.98964 * expected, rel=0.02)


def test_mazes_needed_is_r_s_number_within_its_error():
    row = mazes_needed(TEXTBOOK, n_studies=1000).iloc[0]
    assert row["low"] <= 34 <= row["high"] and row["estimate"] == pytest.approx(34, abs=3)
    none = mazes_needed(StudyModel(difference=0.01), n_studies=100, largest=20).iloc[0]
    assert math.isnan(none["estimate"]) and "20 mazes reach a power of" in none["note"]


def test_each_study_has_its_own_seed():
    """The first studies of a longer series are those of a shorter one, and more mazes do not change them."""
    short, long = (simulate_power(TEXTBOOK, m, n_studies=150) for m in ([10], [10, 20]))
    pd.testing.assert_frame_equal(short, long.iloc[:2])
    assert power_of(simulate_power(TEXTBOOK, 10, n_studies=150, seed=1), 10) != power_of(short, 10)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_workers_change_nothing(backend):
    alone = simulate_power(TEXTBOOK, [10, 20], n_studies=250)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        pd.testing.assert_frame_equal(simulate_power(TEXTBOOK, [10, 20], n_studies=250), alone)


def test_a_dask_cluster_does_it_unchanged():
    from distributed import Client, LocalCluster

    alone = simulate_power(TEXTBOOK, [10, 20], n_studies=250)
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None)
    with cluster, Client(cluster) as client, joblib.parallel_config(backend="dask"):
        before = client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.transition_counter)
        table = simulate_power(TEXTBOOK, [10, 20], n_studies=250)
        after = client.run_on_scheduler(lambda dask_scheduler: dask_scheduler.transition_counter)
    pd.testing.assert_frame_equal(table, alone)
    assert after > before  # it was the cluster that worked


@pytest.mark.parametrize(
    "wrong",
    [
        {"difference": math.nan}, {"difference": 1, "sd_maze": -1}, {"difference": 1, "sd_residual": 0},
        {"difference": 0.5, "base": 0.6, "binary": True}, {"difference": 0.1, "base": 0, "binary": True},
        {"difference": 1, "subjects": 0},
    ],
)  # fmt: skip
def test_models_that_cannot_be_are_refused(wrong):
    with pytest.raises(InputError):
        StudyModel(**wrong)


def test_wrong_studies_are_refused():
    for wrong in ({"mazes": 1}, {"alpha": 0}, {"n_studies": 0}, {"seed": -1}, {"model": None}):
        with pytest.raises(InputError):
            simulate_power(**{"model": TEXTBOOK, "mazes": 10} | wrong)


# ---- a model from a pilot ---------------------------------------------------------------------------


def pilot(values):
    """A frame of trials from an array (subjects, mazes, runs)."""
    rows = [
        {"provider": "synthetic", "model": f"s{i}", "maze_id": f"m{j}", "mei": value, "sr": value}
        for i, subject in enumerate(values) for j, runs in enumerate(subject) for value in runs
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_components_by_hand():
    """Two subjects, five mazes, one run. They differ by 1, 0, 1, 0, 3, on average 1, so the residuals are half of
    0, −1, 0, −1, 2, once with each sign: sum of squares 3, over (2 − 1)(5 − 1)."""
    values = np.array([[0, 1, 2, 3, 4], [1, 1, 3, 3, 7]], dtype=float)
    model = fitted_model(pilot(values[..., None]), "mei", 0.5)
    columns, rest = np.array([0.5, 1, 2.5, 3, 5.5]), 3 / 4
    assert model.sd_residual == pytest.approx(math.sqrt(rest)) and model.sd_effect == 0
    assert model.sd_maze == pytest.approx(math.sqrt(columns.var(ddof=1) - rest / 2))
    assert model.base == pytest.approx(2.5) and (model.difference, model.binary) == (0.5, False)


def test_components_are_those_of_a_mixed_model():
    """statsmodels' MixedLM by REML, subject and maze crossed; of a balanced table the mean squares give the same."""
    rng = np.random.default_rng(0)
    values = rng.normal(0, 0.5, (6, 1)) + rng.normal(0, 1, (1, 15)) + rng.normal(0, 0.8, (6, 15))
    frame = pilot(values[..., None])
    crossed = {"maze": "0 + C(maze_id)", "who": "0 + C(model)"}
    fitted = mixedlm("mei ~ 1", frame.assign(one=1), groups="one", vc_formula=crossed).fit(reml=True)
    model = fitted_model(frame, "mei", 0.1)
    expected = (*np.sqrt(fitted.vcomp), math.sqrt(fitted.scale))
    assert (model.sd_maze, model.sd_subject, model.sd_residual) == pytest.approx(expected, rel=1e-4)


def test_planted_spread_is_recovered():
    rng = np.random.default_rng(0)
    values = (
        rng.normal(0, 0.5, (40, 1, 1)) + rng.normal(0, 1.0, (1, 200, 1)) + rng.normal(0, 0.7, (40, 200, 1))
        + rng.normal(0, 0.9, (40, 200, 3))
    )  # fmt: skip
    model = fitted_model(pilot(values), "mei", 0.1, runs=3)
    found = (model.sd_subject, model.sd_maze, model.sd_effect, model.sd_residual)
    assert found == pytest.approx((0.5, 1.0, math.sqrt(2) * 0.7, 0.9), rel=0.2) and model.runs == 3


def test_a_binary_pilot_is_brought_to_the_logit_scale():
    rng = np.random.default_rng(1)
    logit = 0.8 * rng.normal(size=(1, 300, 1)) + np.zeros((6, 1, 4))
    solved = (rng.random((6, 300, 4)) < 1 / (1 + np.exp(-logit))).astype(float)
    model = fitted_model(pilot(solved), "sr", 0.1)
    assert model.binary and model.base == pytest.approx(0.5, abs=0.05)
    assert 0.6 < model.sd_maze < 0.9 and model.sd_effect < 0.35


def test_pilots_that_say_nothing_are_refused():
    good = np.arange(20.0).reshape(2, 10, 1)
    for values in (good[:1], good[:, :4], np.ones((2, 10, 1))):
        with pytest.raises(InputError):
            fitted_model(pilot(values), "mei", 0.1)
    for frame, metric in ((None, "mei"), (pilot(good), "height")):
        with pytest.raises(InputError):
            fitted_model(frame, metric, 0.1)
