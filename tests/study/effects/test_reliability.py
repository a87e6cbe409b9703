"""Reliability and variance components: published values, hand-worked values, what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from study.effects.made import trials
from study.effects.published import PENICILLIN

from hallumaze_kit.errors import InputError
from hallumaze_kit.study.analysis.coding import _agreement_of
from hallumaze_kit.study.effects.reliability import icc, maze_icc, split_half
from hallumaze_kit.study.effects.variance import RUN, variance_components

TABLE_2 = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
"""Shrout & Fleiss 1979, table 2: six targets, four judges."""
PLATES = [[float(d) for d in plate.split()] for plate in PENICILLIN.replace("\n", " ").split("/")]


def crossed(scores, metric="mei"):
    return trials(
        [(f"m{k}", f"s{i}", value) for i, row in enumerate(scores) for k, value in enumerate(row)], "model", metric
    )


def test_icc_of_shrout_and_fleiss():
    """Their table 4; limits as R's psych::ICC prints them for these data."""
    rows = {row.quantity: row for row in icc(TABLE_2)}
    published = {
        "ICC(1,1)": 0.17,
        "ICC(2,1)": 0.29,
        "ICC(3,1)": 0.71,
        "ICC(1,k)": 0.44,
        "ICC(2,k)": 0.62,
        "ICC(3,k)": 0.91,
    }
    for name, value in published.items():
        assert rows[name].estimate == pytest.approx(value, abs=5.1e-3)
    limits = {"ICC(1,1)": (-0.13, 0.72), "ICC(2,1)": (0.02, 0.76), "ICC(3,1)": (0.34, 0.95),
              "ICC(1,k)": (-0.88, 0.91), "ICC(2,k)": (0.07, 0.93), "ICC(3,k)": (0.68, 0.99)}  # fmt: skip
    for name, (low, high) in limits.items():
        assert (rows[name].low, rows[name].high) == pytest.approx((low, high), abs=5.1e-3)
    assert rows["ICC(3,1)"].statistic == pytest.approx(11.03, abs=5e-3)
    assert rows["ICC(1,1)"].statistic == pytest.approx(1.79, abs=5e-3)


def test_icc_without_variation_or_residual():
    assert {row.note for row in icc([[1, 1], [1, 1]])} == {"no variation, not tested"}
    assert all("infinite" in row.note and math.isnan(row.p) for row in icc([[1, 2], [3, 4], [5, 6]]))


@pytest.mark.parametrize("scores", [[[1, 2, 3]], [[1], [2]], [[1, math.nan], [2, 3]], [1, 2], [[1, 2], [3]]])
def test_icc_of_no_table(scores):
    with pytest.raises(InputError):
        icc(scores)


def test_maze_icc_takes_the_mazes_that_all_have():
    frame = crossed(TABLE_2)
    more = trials([("m9", "s0", 1.0)], "model", "mei")
    import pandas as pd

    rows = maze_icc(pd.concat([frame, more]), "mei")
    assert rows[1].quantity == "ICC(2,1)" and rows[1].estimate == pytest.approx(0.29, abs=5e-3)
    assert "1 mazes that a subject lacks left out" in rows[1].note and rows[1].n_mazes == 4
    assert "fewer than 2 subjects" in maze_icc(crossed([[1, 2, 3]]), "mei")[0].note


def test_split_half_of_two_mazes_a_half_by_hand():
    """Four mazes have three ways to be halved; the correlations of each, by Fisher's z, stepped up."""
    scores = np.array([[1.0, 2, 1, 4], [2, 2, 4, 4], [5, 3, 4, 6], [4, 6, 5, 5], [7, 5, 6, 9]])
    expected = []
    for half in ([0, 1], [0, 2], [0, 3]):
        other = [k for k in range(4) if k not in half]
        expected.append(np.arctanh(np.corrcoef(scores[:, half].mean(axis=1), scores[:, other].mean(axis=1))[0, 1]))
    correlation, reliability = split_half(crossed(scores), "mei", n_splits=4000)
    r = math.tanh(np.mean(expected))
    assert correlation.estimate == pytest.approx(r, abs=0.01)
    assert reliability.estimate == pytest.approx(2 * correlation.estimate / (1 + correlation.estimate))
    assert correlation.low < r < correlation.high and reliability.n == 5


def test_spearman_brown_of_a_perfect_half():
    scores = np.arange(6.0)[:, None] + np.zeros(8)
    rows = split_half(crossed(scores), "mei")
    assert [row.estimate for row in rows] == pytest.approx([1, 1], abs=1e-6)


def test_split_half_is_refused():
    assert "fewer than 4" in split_half(crossed(np.random.default_rng(0).normal(size=(3, 8))), "mei")[0].note
    alike = split_half(crossed(np.ones((5, 8))), "mei")[0]
    assert "do not differ" in alike.note and math.isnan(alike.estimate)


def test_odd_mazes_leave_one_out_of_each_split():
    rows = split_half(crossed(np.random.default_rng(1).normal(size=(6, 7)) + np.arange(6)[:, None]), "mei")
    assert 0.5 < rows[0].estimate < rows[1].estimate < 1


# ---- variance components -------------------------------------------------------------------------


def components(frame, metric="mei"):
    rows = variance_components(frame, metric)
    return {(row.contrast, row.quantity): row for row in rows}


def test_components_as_in_lme4():
    """R: lmer(diameter ~ 1 + (1 | plate) + (1 | sample), Penicillin): 0.71691, 3.73092, residual 0.30242."""
    rows = components(crossed(np.array(PLATES).T))
    values = [rows[name, "variance"].estimate for name in ("maze", "subject", RUN)]
    assert values == pytest.approx([0.71691, 3.73092, 0.30242], abs=2e-4)
    assert rows["subject × maze", "variance"].note.startswith("every trial is a level of its own")
    shares = [rows[name, "share"].estimate for name in ("maze", "subject", RUN)]
    assert sum(shares) == pytest.approx(1) and shares[1] == pytest.approx(3.73092 / 4.75025, abs=1e-4)


def test_planted_components_are_found():
    rng = np.random.default_rng(8)
    s, m = rng.normal(0, 2, 60), rng.normal(0, 1, 60)
    meet, t = rng.normal(0, 1.5, (60, 60)), rng.normal(0, 1, 5)
    rows = []
    for i in range(60):
        for k in range(60):
            for j in rng.integers(0, 5, (i + 2 * k) % 4):
                rows.append((f"m{k}", f"s{i}", j, s[i] + m[k] + meet[i, k] + t[j] + rng.normal(0, 0.5)))
    found = components(trials(rows, "model", "template", "mei"))
    assert found["subject", "variance"].estimate == pytest.approx(s.var(ddof=1), rel=0.15)
    assert found["maze", "variance"].estimate == pytest.approx(m.var(ddof=1), rel=0.2)
    assert found["subject × maze", "variance"].estimate == pytest.approx(2.25, rel=0.1)
    assert found["template", "variance"].estimate == pytest.approx(t.var(ddof=1), rel=0.1)
    assert found[RUN, "variance"].estimate == pytest.approx(0.25, abs=0.15), "moments of unbalanced data are rough"


def test_a_negative_component_is_said():
    scores = [[1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, 1.0]]
    row = components(crossed(scores))["maze", "variance"]
    assert row.estimate < 0 and "below 0" in row.note
    assert components(crossed(scores))["maze", "share"].estimate == 0


def test_components_that_are_no_levels():
    rows = components(crossed([[0.1, 0.5, 0.3]]))
    assert rows["subject", "variance"].note == "one level only"
    assert variance_components(crossed([[1.0, 1.0], [1.0, 1.0]]), "mei")[0].note == "no variation, not tested"


# ---- agreement (I12) -----------------------------------------------------------------------------


def test_i12_agreement_when_every_label_is_the_same():
    row = _agreement_of([[("E", "E")]] * 5, 100, 0)
    assert math.isnan(row["kappa"]) and row["agreement"] == 1.0
    assert row["note"] == "kappa is not defined: a reader uses one category only"
