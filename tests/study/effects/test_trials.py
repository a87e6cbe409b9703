"""Two sides compared with mazes as blocks: what equals what, what is refused, and area I of the handed faults."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from study.effects.made import trials, two_models
from study.effects.published import SLEEPSTUDY

from hallumaze_kit import run
from hallumaze_kit.errors import InputError
from hallumaze_kit.study.effects import adjusted, tidy
from hallumaze_kit.study.effects.comparing.models import least_squares, log_odds, random_intercept
from hallumaze_kit.study.effects.comparing.paired import FEW, NO_VARIATION, NOT_ZERO_ONE, paired_t, wilcoxon
from hallumaze_kit.study.effects.comparing.trials import compare_trials

RNG = np.random.default_rng(11)
EASE = RNG.normal(0.6, 0.15, 24)
ONE, OTHER = EASE + RNG.normal(0.08, 0.1, 24), EASE + RNG.normal(0, 0.1, 24)


def compared(frame, metric="mei", between="model", a="x", b="y", **more):
    return compare_trials(frame, metric, between, a, b, n_boot=200, **more)


# ---- means ---------------------------------------------------------------------------------------


def test_five_mazes_by_hand():
    """Differences 0.3, 0.1, 0, 0.4, 0.2: mean 0.2, s/√5 = 0.0707."""
    rows = compared(two_models([0.9, 0.8, 0.7, 0.9, 0.8], [0.6, 0.7, 0.7, 0.5, 0.6]))
    means = rows[0]
    assert (means.estimate, means.statistic, means.p) == pytest.approx((0.2, 2.8284, 0.0474), abs=1e-4)
    assert (means.low, means.high) == pytest.approx((0.0037, 0.3963), abs=1e-4)
    assert (means.n, means.n_mazes, means.contrast) == (10, 5, "x − y")
    assert [row.quantity for row in rows] == [
        "difference of means", "pseudomedian of differences", "Glass's δ (SD of y)", "d_z", "d_av", "Cliff's δ",
    ]  # fmt: skip


def test_the_mixed_model_of_complete_blocks_is_the_paired_t():
    """statsmodels' REML fit itself, not what the row says."""
    means = compared(two_models(ONE, OTHER))[0]
    assert means.test == "mixed model (REML), t with 23 df"
    x = np.column_stack([np.ones(48), np.repeat([1.0, 0.0], 24)])
    fit = random_intercept(x, np.concatenate([ONE, OTHER]), np.tile(np.arange(24), 2), 1)
    assert (fit.estimate, fit.error) == pytest.approx((means.estimate, means.estimate / means.statistic), rel=1e-4)
    assert means.p == pytest.approx(paired_t(ONE - OTHER).p)


def test_mazes_with_one_side_enter_the_mixed_model():
    other = [*OTHER[:18], *[None] * 6]
    means = compared(two_models(ONE, other))[0]
    assert means.n == 42 and means.n_mazes == 18 and "6 mazes have one side only" in means.note
    assert means.test == "mixed model (REML), t with 17 df"
    paired = (ONE - OTHER)[:18].mean()
    plain = ONE.mean() - OTHER[:18].mean()
    assert min(paired, plain) < means.estimate < max(paired, plain), "between the two"


def test_random_intercept_as_in_lme4():
    """R: lmer(Reaction ~ Days + (1 | Subject), sleepstudy): Days 10.4673, standard error 0.8042."""
    table = np.array([line.split() for line in SLEEPSTUDY.strip().split("\n")], float)
    x = np.column_stack([np.ones(180), np.tile(np.arange(10.0), 18)])
    groups = np.repeat(np.arange(18), 10)
    fit = random_intercept(x, table[:, 1:].ravel(), groups, 1)
    assert (fit.estimate, fit.error) == pytest.approx((10.4673, 0.8042), abs=1e-4)
    intercept = random_intercept(x, table[:, 1:].ravel(), groups, 0)
    assert (intercept.estimate, intercept.error) == pytest.approx((251.4051, 9.7467), abs=2e-3)


def test_robust_errors_of_whole_clusters_as_in_lme4():
    """R: lmer(Reaction ~ Days + (Days | Subject)) gives 10.467 (1.546): subjects' slopes vary, and 18 slopes of equal
    design say all there is. CR2 sees the same without a model of them: standard error of the mean slope."""
    table = np.array([line.split() for line in SLEEPSTUDY.strip().split("\n")], float)
    x = np.column_stack([np.ones(180), np.tile(np.arange(10.0), 18)])
    fit = least_squares(x, table[:, 1:].ravel(), np.repeat(np.arange(18), 10), 1)
    assert (fit.estimate, fit.error) == pytest.approx((10.467, 1.546), abs=1e-3)
    assert fit.df == pytest.approx(17)


def test_robust_errors_of_two_groups_are_welchs():
    one, other = RNG.normal(0, 1, 9), RNG.normal(1, 3, 9)
    x = np.column_stack([np.ones(18), np.repeat([1.0, 0.0], 9)])
    fit = least_squares(x, np.concatenate([one, other]), np.arange(18), 1)
    assert fit.error == pytest.approx(math.sqrt(one.var(ddof=1) / 9 + other.var(ddof=1) / 9))
    assert fit.df == pytest.approx(16), "Satterthwaite's under equal variances: 2n − 2"


def test_a_variance_of_mazes_at_the_boundary_gives_the_paired_t():
    """I7: between-group terms come back as 0 at a group variance of 0."""
    means = compared(two_models([0.9, 0.2, 0.8, 0.3, 0.7, 0.4], [0.2, 0.9, 0.1, 0.8, 0.4, 0.5]))[0]
    assert means.test == "paired t on maze means" and "the variance of mazes is at 0" in means.note
    assert means.estimate != 0 and 0 < means.p < 1


def test_a_mixed_model_that_contradicts_plain_regression_is_not_reported(monkeypatch):
    """I7: an estimate of exactly 0 where plain regression has none."""
    from statsmodels.regression.mixed_linear_model import MixedLM

    class Zero:
        converged, cov_re, scale = True, np.array([[1.0]]), 1.0
        fe_params, bse_fe = np.zeros(2), np.full(2, 0.1)

    monkeypatch.setattr(MixedLM, "fit", lambda self, **options: Zero())
    means = compared(two_models(ONE, [*OTHER[:18], *[None] * 6]))[0]
    assert means.test == "paired t on maze means" and "contradicts plain regression" in means.note
    assert means.estimate == pytest.approx((ONE - OTHER)[:18].mean())


# ---- refusals (area I) ---------------------------------------------------------------------------


def test_i1_all_outcomes_equal():
    for metric in ("mei", "sr"):
        (row,) = compared(two_models([1.0] * 15, [1.0] * 15, metric), metric)
        assert row.note == NO_VARIATION and math.isnan(row.p) and math.isnan(row.low) and row.estimate == 0


def test_i3_one_row_a_group_is_no_block():
    frame = two_models([0.5, 0.9, 0.4, 0.8, 0.7, *[None] * 5], [*[None] * 5, 0.3, 0.6, 0.5, 0.2, 0.4])
    (row,) = compared(frame)
    assert "no random effect, plain regression on maze means instead" in row.note
    assert row.test.startswith("Welch's t") and row.p == pytest.approx(0.0587, abs=1e-3) and row.n_mazes == 10
    x = np.column_stack([np.ones(10), np.repeat([1.0, 0.0], 5)])
    assert "one row a group" in random_intercept(x, np.arange(10.0), np.arange(10), 1).note


def test_i4_one_group():
    rows = [("m0", name, value) for name, value in zip("xy" * 15, RNG.normal(size=30), strict=True)]
    means = compared(trials(rows, "model", "mei"))[0]
    assert means.note == FEW and math.isnan(means.p) and math.isnan(means.low)
    x = np.column_stack([np.ones(30), np.tile([1.0, 0.0], 15)])
    assert "only one group" in random_intercept(x, RNG.normal(size=30), np.zeros(30, int), 1).note


def test_i6_sr_of_all_successes_or_counts():
    frame = two_models([1.0] * 25, list(range(25)), "sr")
    (row,) = compared(frame, "sr")
    assert row.note == NOT_ZERO_ONE and math.isnan(row.p) and math.isnan(row.estimate)
    runs = pd.concat([two_models([1.0] * 10, [1.0] * 10, "sr")] * 2)
    (row,) = compared(runs, "sr")
    assert row.note == NO_VARIATION and math.isnan(row.p)


def test_fewer_than_five_mazes():
    rows = compared(two_models([0.1, 0.5, 0.3], [0.2, 0.3, 0.8]))
    assert all(math.isnan(row.p) for row in rows) and rows[0].note == FEW
    assert rows[0].estimate == pytest.approx(-0.4 / 3)


# ---- SR ------------------------------------------------------------------------------------------


def test_one_trial_a_maze_is_mcnemar():
    (row,) = compared(two_models([1] * 9 + [0] * 3 + [1] * 8, [0] * 9 + [1] * 3 + [1] * 8, "sr"), "sr")
    assert row.test == "exact McNemar" and row.estimate == pytest.approx(0.3)
    assert row.p == pytest.approx(2 * sum(math.comb(12, k) for k in range(4)) / 2**12)


def test_repeated_trials_are_a_gee():
    """By hand: shares 0.75 and 0.5 give a log odds ratio of log 3."""
    one, other = [1, 1, 1, 1, 1, 0], [1, 0, 1, 0, 0, 1]
    runs = pd.concat([two_models(one, other, "sr"), two_models([1, 0, 1, 1, 0, 1], [0, 1, 0, 1, 1, 0], "sr")])
    (row,) = compared(runs, "sr")
    assert row.quantity == "log odds ratio" and row.estimate == pytest.approx(math.log(3))
    assert (
        row.test.startswith("GEE (logit) by maze") and "not McNemar" in row.note and row.low < row.estimate < row.high
    )


def test_the_estimate_of_the_gee_is_that_of_statsmodels():
    import statsmodels.api as sm

    x = np.column_stack([np.ones(40), RNG.integers(0, 2, 40)])
    y, maze = RNG.integers(0, 2, 40).astype(float), np.repeat(np.arange(10), 4)
    fit = log_odds(x, y, maze, 1)
    fitted = sm.GEE(y, x, groups=maze, family=sm.families.Binomial()).fit()
    assert fit.estimate == pytest.approx(fitted.params[1], rel=1e-6)
    plain, reduced = (
        fitted.bse[1],
        sm.GEE(y, x, groups=maze, family=sm.families.Binomial()).fit(cov_type="bias_reduced").bse[1],
    )
    assert plain < fit.error < reduced, "between the plain sandwich and Mancl and DeRouen's"


def test_a_side_that_always_solves_has_no_odds_ratio():
    runs = pd.concat([two_models([1] * 6, [0, 1, 0, 1, 1, 0], "sr")] * 2)
    (row,) = compared(runs, "sr")
    assert row.quantity == "difference of shares" and "separated" in row.note and row.test == "paired t on maze means"
    assert row.estimate == pytest.approx(0.5) and 0 < row.p < 1


# ---- what enters ---------------------------------------------------------------------------------


def test_each_subject_is_compared_with_itself():
    """Subject b lacks one condition on m5: its other trial there would shift the mean."""
    rows = [(f"m{k}", name, lures, 0.1 * k + (name == "b") + 0.2 * (not lures) * (k % 3))
            for k in range(6) for name in "ab" for lures in (True, False)]  # fmt: skip
    frame = trials(rows, "model", "use_mirage", "mei")
    whole = compared(frame, between="use_mirage", a=False, b=True)[0]
    assert whole.estimate == pytest.approx(0.2) and whole.n == 24
    lone = (frame["maze_id"] == "m5") & (frame["model"] == "b") & frame["use_mirage"]
    less = compared(frame[~lone], between="use_mirage", a=False, b=True)[0]
    assert less.estimate == pytest.approx(0.2) and less.n == 22
    assert "1 trials of subjects without the other side on the maze left out" in less.note


def test_trials_without_a_value_are_told():
    frame = two_models([*ONE[:10], math.nan], [*OTHER[:10], 0.4])
    means = compared(frame)[0]
    assert "1 trials without a value or a maze left out" in means.note and means.n_mazes == 10


def test_runs_of_a_maze_count_once():
    once, thrice = two_models(ONE, OTHER), pd.concat([two_models(ONE, OTHER)] * 3)
    first, second = compared(once), compared(thrice)
    assert [row.p for row in first[:2]] == pytest.approx([row.p for row in second[:2]])
    assert (first[0].n, second[0].n) == (48, 144)


def test_the_sign_turns_with_the_sides():
    frame = two_models(ONE, OTHER)
    for row, turned in zip(compared(frame), compared(frame, a="y", b="x"), strict=True):
        if not row.quantity.startswith("Glass"):
            assert row.estimate == pytest.approx(-turned.estimate)
            assert row.p == pytest.approx(turned.p, nan_ok=True)


def test_no_first_hallucination_is_no_value():
    frame = two_models([-1, 3, 4, 5, 6, 7, 9], [2, 5, 3, 8, 8, 9, 9], "first_hallucination_step")
    row = compared(frame, "first_hallucination_step")[1]
    assert row.n_mazes == 6 and row.statistic == wilcoxon([-2, 1, -3, -2, -2, 0]).statistic


def test_subjects_of_a_real_run_and_a_family_of_tests():
    names = ("synthetic/careful", "synthetic/random_walk")
    frame = run(models=list(names), sizes=[5], seeds=range(6))
    rows = [row for metric in ("mei", "excess", "sr") for row in compared(frame, metric, "subject", *names)]
    table = adjusted(tidy(rows))
    assert set(table["metric"]) == {"mei", "excess", "sr"} and (table["n_mazes"] == 6).all()
    assert (table["p_adjusted"].dropna() >= table["p"].dropna()).all()
    assert compared(frame, "mei", "subject", *names) == compared(frame, "mei", "subject", *names)


def test_what_cannot_be_compared():
    frame = two_models([0.1, 0.2], [0.3, 0.4])
    for change in ({"metric": "nonsense"}, {"between": "nonsense"}, {"b": "x"}):
        with pytest.raises(InputError):
            compared(frame, **change)
    with pytest.raises(InputError, match="a table of trials"):
        compared([1, 2])
    rows = compared(frame, b="nobody")
    assert len(rows) == 1 and math.isnan(rows[0].p) and rows[0].note == "no trial of nobody could be scored"
