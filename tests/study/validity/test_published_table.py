"""A table of the published kind: outside values, the 48 public trials, and what is forced."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import read_results, to_frame
from hallumaze_kit.study.validity import planted_trials, published_table
from hallumaze_kit.study.validity.published import glass_delta, signed_rank
from hallumaze_kit.subjects import FLOOR

GOLDEN = Path(__file__).parents[2] / "golden" / "published_v11_trials.csv"


def made(**values):
    rows = [
        {"provider": "", "model": model, "mei": value, "maze_id": f"m{i}", "maze_size": 5, "seed": i}
        for model, listed in values.items()
        for i, value in enumerate(listed)
    ]
    return pd.DataFrame(rows)


def row(table, subject, quantity):
    return table[(table["subject"] == subject) & (table["quantity"] == quantity)].iloc[0]


def test_the_signed_rank_test_against_r():
    """R, example(wilcox.test), depression data (Hollander & Wolfe 1973, 29): V = 40, one-sided p 0.01953."""
    first = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
    second = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])
    statistic, p, how = signed_rank(first - second)
    assert (45 - statistic, how) == (40, "exact") and p == pytest.approx(0.0390625)


def test_six_trials_below_are_significant_however_little():
    """2/2⁶ (R: wilcox.test(c(.8, .7, .6, .5, .4, .3), mu = .9))."""
    for values in ([0.8, 0.7, 0.6, 0.5, 0.4, 0.3], [0.899, 0.898, 0.897, 0.896, 0.895, 0.894]):
        table = published_table(made(a=values), n_boot=50)
        assert row(table, "a", "difference from 0.9")["p"] == pytest.approx(0.03125)
        forced = row(table, "a", "forced p")
        assert forced["estimate"] == pytest.approx(0.03125) and forced["note"] == "no trial can lie above"


def test_glass_delta_by_hand():
    assert glass_delta(np.array([2.0, 2, 2]), np.array([3.0, 5, 7])) == pytest.approx(-1.5)
    assert math.isnan(glass_delta(np.array([0.3]), np.array([0.9, 0.9])))
    table = published_table(made(a=[0.2] * 3, random_walk=[0.3, 0.5, 0.7]), n_boot=50)
    found = row(table, "a", "Glass's δ")
    assert found["estimate"] == pytest.approx(-1.5) and found["contrast"] == "against random_walk"
    assert row(table, "random_walk", "Glass's δ")["estimate"] == 0


def test_a_control_that_does_not_vary_has_no_deviations_to_tell_in():
    table = published_table(made(a=[0.2, 0.4, 0.9], random_walk=[0.9] * 3), n_boot=50)
    found = row(table, "a", "Glass's δ")
    assert math.isnan(found["estimate"]) and "random_walk does not vary (each of its 3 trials has 0.9)" in found["note"]
    walked = row(table, "random_walk", "difference from 0.9")
    assert (walked["estimate"], walked["note"]) == (0, "every trial has this value") and math.isnan(walked["p"])
    assert math.isnan(row(table, "a", "mean")["low"]), "three mazes give no interval"


def test_trials_above_force_nothing():
    table = published_table(made(a=[0.2, 0.4, 0.6, 0.8]), against=0.5, n_boot=20)
    assert row(table, "a", "trials below")["estimate"] == 2 and row(table, "a", "trials below")["note"] == "2 above"
    assert row(table, "a", "forced p")["note"] == "trials lie above, too: nothing is forced"
    assert row(table, "a", "difference from 0.5")["p"] == 1


def test_the_public_trials():
    table = published_table(to_frame(read_results(GOLDEN)), n_boot=200)
    means = {"MiniMax-M2.5": 0.15, "glm-4.7": 0.58626, "gpt-4o": 0.332643}
    for model, mean in means.items():
        found = row(table, model, "mean")
        assert found["estimate"] == pytest.approx(mean, abs=1e-6) and found["low"] < mean < found["high"]
    below = {model: int(row(table, model, "trials below")["estimate"]) for model in means}
    assert below == {"MiniMax-M2.5": 10, "glm-4.7": 9, "gpt-4o": 24}
    # All signed ranks are negative, so the exact p is 2/2ᵏ whatever the values are.
    for model in ("MiniMax-M2.5", "glm-4.7"):
        assert row(table, model, "difference from 0.9")["p"] == pytest.approx(2.0 ** (1 - below[model]))
        assert row(table, model, "forced p")["estimate"] == pytest.approx(2.0 ** (1 - below[model]))
    tested = table[table["quantity"] == "difference from 0.9"].set_index("subject")
    assert tested.loc["gpt-4o", "p_adjusted"] == pytest.approx(3 * tested.loc["gpt-4o", "p"])
    assert table.loc[table["quantity"] != "difference from 0.9", "p_adjusted"].isna().all()


def test_an_honest_random_walk_and_a_perfect_solver_have_the_same_mei():
    mazes = [MazeEngine(5, seed) for seed in (1001, 2002, 3003, 4004, 5005)]
    trials = planted_trials([FLOOR["random_walk"], FLOOR["oracle"]], mazes)
    assert trials[["mei", "published_mei"]].to_numpy() == pytest.approx(0.9)
    excess = trials.groupby("model")["excess"].mean()
    assert excess["oracle"] == 1 and excess["random_walk"] > 3


def test_what_holds_no_trials_is_refused():
    for frame in (made(a=[0.5]).drop(columns="mei"), made(a=[math.nan]), "a file"):
        with pytest.raises(InputError, match="frame must be a table of trials"):
            published_table(frame)
    table = published_table(made(a=[0.5, 0.6], b=[math.nan]), n_boot=20)
    assert row(table, "b", "mean")["note"] == "no trial could be scored"
