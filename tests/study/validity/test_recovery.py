"""Which measure finds which trait: hand-made tables, and how often an interval is right."""

import math

import numpy as np
import pytest
from study.validity.frames import hand_frame

from hallumaze_kit.errors import InputError
from hallumaze_kit.study.validity import ceiling_floor, trait_recovery
from hallumaze_kit.study.validity.recovery import MEANT, MEASURES, meant, spearman_interval
from hallumaze_kit.study.validity.tallies import POOLED

RAMP = list(np.arange(12) / 12)


def cell(table, metric, trait):
    return table[(table["metric"] == metric) & (table["contrast"] == trait)].iloc[0]


def test_a_measure_that_is_the_trait_has_rho_1():
    apart = [abs(x - 5.5) for x in range(12)]  # in no order of the ramp
    counts = [10 * x for x in RAMP]
    frame = hand_frame(12, trait_slip=RAMP, trait_lure=apart, brs=[1 - x for x in RAMP], hallucination_count=counts)
    table = trait_recovery(frame, ["hallucination_count", "brs"], n_boot=200)
    found = cell(table, "hallucination_count", "slip")
    assert (found["estimate"], found["low"], found["high"]) == pytest.approx((1, 1, 1))
    assert (found["n"], found["n_mazes"], found["unit"], found["verdict"]) == (12, 2, "subjects", "finds")
    leak = cell(table, "brs", "slip")
    assert leak["estimate"] == pytest.approx(-1) and not leak["meant"] and leak["verdict"] == "leaks"


def test_rho_by_hand():
    """Ten subjects, neighbours swapped: the squares of the rank differences sum to 10, ρ = 1 − 6·10/(10·99)."""
    frame = hand_frame(10, trait_slip=list(range(10)), mei=[1, 0, 3, 2, 5, 4, 7, 6, 9, 8])
    found = cell(trait_recovery(frame, ["mei"], ["slip"], n_boot=50), "mei", "slip")
    assert found["estimate"] == pytest.approx(1 - 60 / 990)


def test_products_of_traits_are_looked_for_too():
    notice, repair = [0.1 * x for x in range(1, 11)], [0.5, 0.9, 0.2, 0.7, 0.4, 0.8, 0.3, 0.6, 0.1, 1.0]
    acts = [a * b for a, b in zip(notice, repair, strict=True)]
    frame = hand_frame(10, trait_notice=notice, trait_repair=repair, recovery_rate=acts)
    table = trait_recovery(frame, ["recovery_rate"], n_boot=50)
    assert cell(table, "recovery_rate", "acts")["estimate"] == pytest.approx(1)
    assert cell(table, "recovery_rate", "acts")["meant"] and not cell(table, "recovery_rate", "slip")["meant"]


def test_the_interval_of_an_independent_measure_holds_0_as_often_as_it_says():
    rng = np.random.default_rng(1)
    held = 0
    for round_ in range(300):
        planted, values = rng.random((40, 1)), rng.random(40)
        (low,), (high,) = spearman_interval(planted, values, 200, round_)
        held += low <= 0 <= high
    assert 0.91 <= held / 300 <= 0.98


def test_what_says_nothing_is_refused_with_the_reason():
    frame = hand_frame(12, mei=0.9, brs=[0.5] * 3 + [math.nan] * 9, trait_lure=0.4, sr=RAMP)
    table = trait_recovery(frame, ["mei", "brs", "sr"], ["slip", "lure"], n_boot=20)
    assert table.loc[table["metric"] != "sr", "estimate"].isna().all()
    assert cell(table, "mei", "slip")["note"] == "it does not vary: every subject has 0.9"
    assert cell(table, "brs", "slip")["note"] == "fewer than 10 subjects have it"
    assert cell(table, "sr", "lure")["note"] == "the trait does not vary among these subjects"
    assert not math.isnan(cell(table, "sr", "slip")["estimate"])
    assert (table.loc[table["estimate"].isna(), "verdict"] == "").all()


def test_traits_that_go_together_are_said_to_be_confounded():
    frame = hand_frame(12, trait_lure=RAMP, trait_doubt=RAMP, lure_rate=RAMP)
    found = cell(trait_recovery(frame, ["lure_rate"], n_boot=20), "lure_rate", "doubt")
    assert found["verdict"] == "confounded" and "lure" in found["note"]


def test_unknown_names_are_refused():
    frame = hand_frame(12, mei=RAMP)
    for arguments in ({"measures": ["merit"]}, {"traits": ["charm"]}, {"n_boot": 0}):
        with pytest.raises(InputError):
            trait_recovery(frame, **{"measures": ["mei"]} | arguments)


def test_it_is_known_of_every_measure_what_it_is_meant_to_see():
    assert set(MEASURES) <= set(MEANT) and set(POOLED) <= set(MEANT)
    assert meant("published_mei", "notice") and meant("mei", "acts") and not meant("brs", "slip")


def test_shares_at_the_ends_by_hand():
    frame = hand_frame(5, mazes=1, mei=[0.9, 0.9, 0.5, 0.0, math.nan], sr=[1, 1, 1, 0, 0], report_gap=[0, 1, -1, 2, 0])
    table = ceiling_floor(frame, ["mei", "sr", "report_gap"], n_boot=100).set_index(["metric", "quantity"])
    assert table.loc[("mei", "share at ceiling"), "estimate"] == 0.5
    assert table.loc[("mei", "share at floor"), "estimate"] == 0.25
    assert table.loc[("mei", "share not scored"), "estimate"] == pytest.approx(0.2)
    assert table.loc[("mei", "share at ceiling"), "n"] == 4 and table.loc[("sr", "share at ceiling"), "estimate"] == 0.6
    assert table.loc[("report_gap", "share at floor"), "note"] == "it has no such end"
    with pytest.raises(InputError, match="have no end in a trial"):
        ceiling_floor(frame, ["acted"])
