"""Published against verified counts on the same answers, by hand."""

import math

import pandas as pd
import pytest
from study.validity.frames import hand_frame

from hallumaze_kit.errors import InputError
from hallumaze_kit.study.validity import convention_table
from hallumaze_kit.study.validity.conventions import order_rows
from hallumaze_kit.study.validity.trials import PUBLISHED


def by_quantity(table, metric):
    return table[table["metric"] == metric].set_index("quantity")


def test_difference_and_order_by_hand():
    verified = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    published = [0.7, 0.2, 0.3, 0.4, 0.5, 0.6]  # the last becomes the first
    found = by_quantity(convention_table(hand_frame(6, mei=verified, published_mei=published), n_boot=50), "mei")
    assert found.loc["difference", "estimate"] == pytest.approx(0.1) and found.loc["difference", "n"] == 12
    assert found.loc["share of trials that differ", "estimate"] == pytest.approx(1 / 6)
    # Of 15 pairs of subjects 5 turn round: τ = (10 − 5)/15.
    assert found.loc["Kendall's τ of the subjects", "estimate"] == pytest.approx(1 / 3)
    assert found.loc["largest change of rank", "estimate"] == 5


def test_the_first_hallucination_is_compared_where_both_know_one():
    frame = hand_frame(
        5, first_hallucination_step=[3, 5, -1, 4, 2], published_first_hallucination_step=[3, -1, 2, 6, 2]
    )
    found = by_quantity(convention_table(frame, n_boot=20), "first_hallucination_step")
    assert found.loc["difference", "n"] == 6 and found.loc["difference", "estimate"] == pytest.approx(2 / 3)


def test_what_no_trial_has_is_refused_and_what_does_not_vary_has_no_order():
    table = convention_table(hand_frame(6, sr=1, published_sr=1), n_boot=20)
    assert by_quantity(table, "mei").loc["difference", "note"] == "no trial is scored by both"
    assert by_quantity(table, "sr").loc["Kendall's τ of the subjects", "note"] == "one of the two does not vary"
    assert set(table["metric"]) == set(PUBLISHED.values())
    with pytest.raises(InputError, match="frame must be one of"):
        convention_table(hand_frame(6).drop(columns="published_mei"))


def test_too_few_subjects_have_no_order():
    few = pd.Series([1.0, 2.0, math.nan, 4.0, 3.0])
    assert {row.note for row in order_rows(few, few, analysis="x")} == {"fewer than 5 subjects"}
