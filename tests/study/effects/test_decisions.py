"""The decision model against lme4, on planted effects, and what it refuses; the export that lme4 and bambi read."""

from __future__ import annotations

import csv
import math

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, gammaln
from study.effects.published import CBPP

from hallumaze_kit.errors import FileError, InputError
from hallumaze_kit.study.effects.comparing.paired import FEW, NO_VARIATION, NOT_ZERO_ONE
from hallumaze_kit.study.effects.decisions import decision_model, write_lme4
from hallumaze_kit.study.effects.glmm import crossed_logistic

HERDS = np.array([row.split(",") for row in CBPP.split()], int)


def made(n_subjects=6, n_mazes=20, each=4, effect=1.0, seed=0):
    rng = np.random.default_rng(seed)
    subject, maze = np.divmod(np.arange(n_subjects * n_mazes * each) // each, n_mazes)
    shown = rng.integers(0, 2, len(maze))
    odds = 0.5 - effect * shown + rng.normal(0, 0.8, n_subjects)[subject] + rng.normal(0, 0.5, n_mazes)[maze]
    return pd.DataFrame({"provider": "synthetic", "model": [f"s{i}" for i in subject]}).assign(
        maze_id=[f"m{i}" for i in maze], use_mirage=shown.astype(bool), right=rng.random(len(maze)) < expit(odds)
    )


def by_name(rows):
    return {(row.quantity, row.contrast): row for row in rows}


# ---- the fit -------------------------------------------------------------------------------------


def test_as_in_lme4():
    """R, lme4: glmer(cbind(incidence, size - incidence) ~ period + (1 | herd), cbpp, binomial): -1.3983, -0.9919,
    -1.1282, -1.5797, herd 0.6421, deviance 184.0531 (its help page; the same approximation, another optimiser: our
    deviance may not be higher). Errors given the herds' spread: 0.2279, 0.3054, 0.3260, 0.4288 (lme4 0.9)."""
    herd, incidence, size, period = HERDS.T
    x = np.column_stack([np.ones(56), *(period == k for k in (2, 3, 4))]).astype(float)
    fit = crossed_logistic(x, incidence, size, [herd - 1])
    assert fit.beta == pytest.approx([-1.3983, -0.9919, -1.1282, -1.5797], abs=1e-3) and fit.converged
    assert fit.error == pytest.approx([0.2279, 0.3054, 0.3260, 0.4288], abs=1e-4)
    assert fit.spread == pytest.approx([0.6421], abs=5e-4)
    constant = 2 * (gammaln(size + 1) - gammaln(incidence + 1) - gammaln(size - incidence + 1)).sum()
    assert 184.0531 - 1e-3 < fit.deviance - constant < 184.0531 + 5e-5


def test_the_same_through_the_frame():
    """One decision a case of cbpp: herds as mazes, one subject; successes and trials make the same likelihood."""
    herd, incidence, size, period = HERDS.T
    which = np.repeat(np.arange(56), size)
    right = np.concatenate([np.arange(n) < k for n, k in zip(size, incidence, strict=True)])
    frame = pd.DataFrame({"provider": "published", "model": "cbpp", "maze_id": [f"herd {h}" for h in herd[which]]})
    rows = by_name(decision_model(frame.assign(right=right, period=period[which]), "C(period)"))
    for name, value in (("2", -0.9919), ("3", -1.1282), ("4", -1.5797)):
        assert rows["log odds ratio", f"C(period)[T.{name}]"].estimate == pytest.approx(value, abs=1e-3)
    assert rows["SD of random intercepts", "maze"].estimate == pytest.approx(0.6421, abs=1e-3)
    assert ("SD of random intercepts", "subject") not in rows
    assert "one subject: only mazes are random" in rows["log odds", "Intercept"].note


def test_the_scale_of_a_column_changes_nothing_else():
    frame = made()
    frame["far"] = np.arange(len(frame)) % 7
    one = by_name(decision_model(frame, "far"))["log odds ratio", "far"]
    other = by_name(decision_model(frame.assign(far=frame["far"] * 1000), "far"))["log odds ratio", "far"]
    assert one.estimate == pytest.approx(other.estimate * 1000, rel=1e-3)
    assert one.p == pytest.approx(other.p, rel=1e-3)


def test_a_planted_effect_is_found():
    """−1 in log odds; the marginal effect is nearer to 0."""
    rows = by_name(decision_model(made(12, 40, 5)))
    name = "use_mirage[T.True]"
    model, marginal = rows["log odds ratio", name], rows["marginal log odds ratio", name]
    assert model.low < -1 < model.high and model.p < 1e-6 and marginal.p < 1e-6
    assert model.estimate < marginal.estimate < 0
    assert rows["SD of random intercepts", "subject"].estimate == pytest.approx(0.8, abs=0.4)
    assert rows["SD of random intercepts", "maze"].estimate == pytest.approx(0.5, abs=0.25)
    assert (model.unit, model.n, model.n_mazes) == ("decisions", 2400, 40)


def test_the_order_of_rows_changes_nothing():
    frame = made()
    first = decision_model(frame)[0]
    second = decision_model(frame.sample(frac=1, random_state=3))[0]
    assert (first.estimate, first.p) == pytest.approx((second.estimate, second.p), rel=1e-3)


# ---- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "note"),
    [
        (lambda f: f.assign(right=True), NO_VARIATION),
        (lambda f: f.assign(right=np.arange(len(f)) % 50), NOT_ZERO_ONE),
        (lambda f: f[f["maze_id"].isin(["m0", "m1"])], FEW),
        (lambda f: f.assign(use_mirage=True), "terms cannot be told apart"),
        (lambda f: f.assign(right=f["use_mirage"]), "separated"),
        (lambda f: f[:0], FEW),
    ],
)
def test_what_is_refused(change, note):
    rows = decision_model(change(made()))
    assert rows and all(math.isnan(row.p) and row.note.startswith(note) for row in rows)


def test_missing_values_are_left_out_and_told():
    frame = made()
    frame["confidence"] = np.where(np.arange(len(frame)) % 10, 0.5 + 0.01 * (np.arange(len(frame)) % 17), np.nan)
    row = decision_model(frame, "confidence")[0]
    assert row.n == 432 and "48 decisions with missing values left out" in row.note


@pytest.mark.parametrize("formula", ["nonsense", "use_mirage +", "0 + use_mirage"])
def test_a_formula_that_cannot_be_read(formula):
    with pytest.raises(InputError, match="formula"):
        decision_model(made(), formula)


def test_what_is_no_frame():
    for wrong in ([1], pd.DataFrame({"right": [1]})):
        with pytest.raises(InputError, match="a table of decisions"):
            decision_model(wrong)


# ---- export --------------------------------------------------------------------------------------


def test_the_export_is_what_lme4_and_bambi_read(tmp_path):
    decisions = made()
    table, calls = write_lme4(decisions, tmp_path / "new" / "decisions.csv", "use_mirage")
    rows = list(csv.DictReader(table.read_text("utf-8").splitlines()))
    assert len(rows) == len(decisions) and set(rows[0]) >= {"right", "subject", "maze", "use_mirage"}
    assert {row["right"] for row in rows} == {"0", "1"} and rows[0]["subject"] == "synthetic/s0"
    text = calls.read_text("utf-8")
    assert "glmer(right ~ use_mirage + (1 | subject) + (1 | maze), data = d, family = binomial)" in text
    assert '"right ~ use_mirage + (1|subject) + (1|maze)", d, family="bernoulli"' in text
    assert text.count("decisions.csv") == 2 and calls.name == "decisions.txt"
    again = pd.read_csv(table).rename(columns={"maze": "maze_id"})
    assert decision_model(again)[0].estimate == pytest.approx(decision_model(decisions)[0].estimate, abs=1e-6)


def test_an_export_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError):
        write_lme4(made(), tmp_path / "file" / "x.csv")
