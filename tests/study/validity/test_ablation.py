"""Ablations and weights: the document's formula comes back, and hand-made tables give what they must."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from study.validity.frames import hand_frame

from hallumaze_kit.errors import InputError
from hallumaze_kit.study.validity import ablation, weight_grid
from hallumaze_kit.study.validity.ablation import ablated, terms_of, weighted_mei, weighted_score
from hallumaze_kit.trial.measuring.metrics import MEI_WEIGHTS, SCORE_WEIGHTS, hallumaze_score, mei, mei_terms

COUNTS = {
    "sr": 0, "hallucination_count": 2, "first_hallucination_step": 5, "backtrack_count": 1, "loop_count": 0,
    "ce": 0.2, "brs": 1 / 3,
}  # fmt: skip
"""On 5×5: HRR ½, f 0.8, no escape, penalty 0.2; MEI 0.2 + 0.24 − 0.02 = 0.42."""


def frame(n=12, **columns):
    return hand_frame(n, **COUNTS | {"mei": 0.42} | columns)


@given(
    st.sampled_from((0, 1)), st.integers(0, 15), st.integers(-1, 60), st.integers(0, 9), st.integers(0, 3),
    st.sampled_from((5, 7)), st.sampled_from(("verified", "published")),
)  # fmt: skip
def test_the_documents_weights_give_the_documents_mei(sr, hc, fhr, bt, lt, size, conventions):
    terms = mei_terms(sr, hc, fhr, bt, lt, size, conventions)
    assert all(0 <= term <= 1 for term in terms)
    value = float(weighted_mei(np.array([terms]), MEI_WEIGHTS)[0])
    assert value == pytest.approx(mei(sr, hc, fhr, bt, lt, size, conventions), abs=1e-12)


@pytest.mark.parametrize("ce", [0.3, math.nan])
def test_the_documents_weights_give_the_documents_score(ce):
    found = weighted_score(np.array([0.6]), np.array([ce]), np.array([0.5]), SCORE_WEIGHTS)
    assert float(found[0]) == pytest.approx(hallumaze_score(0.6, ce, 0.5))


def test_each_ablation_by_hand():
    one = frame(2)
    assert terms_of(one)[0] == pytest.approx([0.5, 0.8, 0.0, 0.2])
    # The rest of the weights is scaled to the same highest value, 0.9.
    assert ablated(one, "MEI without HRR")[0] == pytest.approx((0.24 - 0.02) * 0.9 / 0.5)
    assert ablated(one, "MEI without FHR")[0] == pytest.approx((0.2 - 0.02) * 0.9 / 0.6)
    assert ablated(one, "Score without CE")[0] == pytest.approx((0.5 * 0.42 + 0.2 / 3) / 0.7)
    assert math.isnan(ablated(frame(2, mei=math.nan), "MEI without FHR")[0])


def test_a_trait_that_only_hrr_carries_is_lost_without_it():
    """Subjects differ in their turns back alone: HRR follows the trait, and nothing is left when it goes."""
    notice = [x / 20 for x in range(1, 21)]
    turns = [2 * x for x in notice]
    values = [mei(0, 2, 5, bt, 0, 5) for bt in turns]
    table = ablation(frame(20, trait_notice=notice, backtrack_count=turns, mei=values), n_boot=50)
    without = table[table["metric"] == "MEI without HRR"].set_index(["contrast", "quantity"])
    assert "does not vary" in without.loc[("notice", "change of |ρ|"), "note"]
    other = table[table["metric"] == "MEI without FHR"].set_index(["contrast", "quantity"])
    assert other.loc[("notice", "ρ of the whole"), "estimate"] == pytest.approx(1)
    assert other.loc[("notice", "ρ of the rest"), "estimate"] == pytest.approx(1)
    assert other.loc[("notice", "change of |ρ|"), "estimate"] == pytest.approx(0)
    assert other.loc[("against mei", "Kendall's τ of the subjects"), "estimate"] == pytest.approx(1)


def test_without_lures_and_with_hints_by_hand():
    lure = [x / 12 for x in range(12)]
    values = [0.3 + x / 2 for x in lure]
    lured = frame(trait_lure=lure, brs=values)
    table = ablation(
        lured, plain=lured.assign(brs=lured["brs"] - 0.1), hinted=lured.assign(sr=1), sham=lured, n_boot=50
    ).set_index(["metric", "contrast", "quantity"])
    difference = table.xs("difference", level="quantity")["estimate"]
    assert difference["no mirage: brs", "without lures − with lures"] == pytest.approx(-0.1)
    assert difference["Ariadne: sr", "hint − none"] == 1 and difference["Ariadne: sr", "sham − none"] == 0
    assert table.loc[("no mirage: brs", "lure", "ρ without lures"), "estimate"] == pytest.approx(1)
    order = ("no mirage: brs", "without lures − with lures", "Kendall's τ of the subjects")
    assert table.loc[order, "estimate"] == pytest.approx(1)


def test_other_mazes_cannot_be_paired():
    one = frame()
    with pytest.raises(InputError, match="the same subjects and mazes"):
        ablation(one, plain=one.assign(seed=one["seed"] + 100), n_boot=10)


def test_a_grid_of_four_subjects_says_nothing():
    with pytest.raises(InputError, match="at least 5 subjects"):
        weight_grid(frame(4))


@pytest.mark.parametrize(("metric", "settings"), [("mei", 625), ("hallumaze_score", 125)])
def test_the_grid_has_every_setting_and_the_documents_one_agrees_with_itself(metric, settings):
    turns = [x / 12 for x in range(12)]
    values = [mei(0, 2, 5, bt, 0, 5) for bt in turns]
    grid = weight_grid(frame(backtrack_count=turns, mei=values, brs=[1 - x for x in turns]), metric)
    weights = [name for name in grid.columns if name.startswith("w_")]
    assert len(grid) == settings == len(grid[weights].drop_duplicates()) and 5 ** len(weights) == settings
    asked = {"mei": MEI_WEIGHTS, "hallumaze_score": SCORE_WEIGHTS}[metric]
    default = grid[np.isclose(grid[weights], asked).all(axis=1)]
    assert default["tau"].tolist() == [pytest.approx(1)] and default["largest_change"].tolist() == [0]
    assert default["top_stays"].tolist() == [True]
    if metric == "mei":  # turns back are all that differs, so no weight can change the order
        assert grid["tau"].to_numpy() == pytest.approx(1)
    else:  # MEI rises by 0.2 in all, BRS falls by 0.9: with the document's weights BRS decides
        heavy = grid[(grid["w_mei"] == 0.75) & (grid["w_brs"] == 0.1)]
        assert heavy["tau"].to_numpy() == pytest.approx(-1)
