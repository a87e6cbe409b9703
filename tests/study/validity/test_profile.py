"""A profile chosen on some and judged on others: hand-made tables."""

import numpy as np
import pandas as pd
import pytest
from study.validity.frames import hand_frame

from hallumaze_kit.errors import InputError
from hallumaze_kit.study.validity import propose_profile
from hallumaze_kit.study.validity.profile import bought, choose

N = 30
RAMP = [x / N for x in range(N)]
SHUFFLED = list(np.random.default_rng(4).permutation(N) / N)
WORDS = pd.DataFrame(
    [
        ("difference", "mei", "true words − silence", 0.3, 0.2, 0.4),
        ("difference", "sr", "untrue words − silence", 0.2, 0.1, 0.3),
        ("difference", "brs", "untrue words − silence", 0.01, 0.005, 0.015),
        ("difference", "ce", "untrue words − silence", 0.2, -0.1, 0.5),
        ("pairs read as another walk", "", "true words − silence", 0.5, 0.4, 0.6),
    ],
    columns=["quantity", "metric", "contrast", "estimate", "low", "high"],
)


def measured(family, **columns):
    given = {"mei": SHUFFLED, "hallumaze_score": SHUFFLED} | columns
    return hand_frame(N, family=family, seed={"a": 1, "b": 2}[family], **given)


def quantities(table, target):
    return table[table["contrast"] == target].set_index("quantity")["estimate"]


def test_the_measure_that_is_the_trait_is_chosen_and_holds():
    one = measured("a", trait_lure=RAMP, lure_rate=RAMP, brs=[x + 0.3 * y for x, y in zip(RAMP, SHUFFLED, strict=True)])
    other = measured("b", trait_lure=SHUFFLED, lure_rate=SHUFFLED, mei=RAMP, hallumaze_score=RAMP, brs=RAMP)
    table = propose_profile(one, other, candidates=["mei", "brs", "lure_rate"], targets=["lure"], n_boot=100)
    found = quantities(table, "lure")
    assert set(table["metric"]) == {"lure_rate"}
    assert found["in training"] == found["held out"] == pytest.approx(1)
    assert found["profile − MEI"] == pytest.approx(1 - found["MEI held out"])
    low, high = table.set_index("quantity").loc["held out", ["low", "high"]]
    assert (low, high) == pytest.approx((1, 1))


def test_a_measure_that_turns_round_counts_against_itself():
    one = measured("a", trait_lure=RAMP, lure_rate=RAMP)
    other = measured("b", trait_lure=RAMP, lure_rate=RAMP[::-1])
    table = propose_profile(one, other, candidates=["lure_rate"], targets=["lure"], n_boot=50)
    assert quantities(table, "lure")["held out"] == pytest.approx(-1)


def test_a_measure_that_shows_another_trait_more_is_not_chosen():
    mixed = [x + 0.4 * y for x, y in zip(RAMP, SHUFFLED, strict=True)]
    one = measured("a", trait_slip=RAMP, trait_lure=SHUFFLED, brs=mixed)
    assert choose(one, candidates=["brs"], targets=["slip", "lure"]) == {"slip": "brs", "lure": ""}
    other = measured("b", trait_slip=RAMP, trait_lure=SHUFFLED, brs=mixed)
    table = propose_profile(one, other, candidates=["brs"], targets=["lure"], n_boot=20)
    assert table["note"].tolist() == ["no measure shows this trait before any other"]


def test_what_words_buy_is_left_out():
    assert bought(WORDS, "mei", "notice", 0.5) and bought(WORDS, "mei", "notice", -0.5)
    assert not bought(WORDS, "mei", "declare", 0.5), "true words are what declaring is"
    assert bought(WORDS, "sr", "declare", 0.5) and not bought(WORDS, "sr", "declare", -0.5)
    assert not bought(WORDS, "sr", "babble", 0.5)
    assert not bought(WORDS, "brs", "notice", 0.5), "too small"
    assert not bought(WORDS, "ce", "notice", 0.5), "it may be 0"
    one = measured("a", trait_notice=RAMP, mei=RAMP, brs=[x + 0.2 * y for x, y in zip(RAMP, SHUFFLED, strict=True)])
    assert choose(one, candidates=["mei", "brs"], targets=["notice"]) == {"notice": "mei"}
    assert choose(one, WORDS, ["mei", "brs"], ["notice"]) == {"notice": "brs"}


def test_mazes_and_families_in_common_are_refused():
    one = measured("a", trait_lure=RAMP, lure_rate=RAMP)
    with pytest.raises(InputError, match="of other mazes and families"):
        propose_profile(one, one)
    other = measured("b", trait_lure=RAMP, lure_rate=RAMP)
    with pytest.raises(InputError, match="1 of family in common"):
        propose_profile(one, other.assign(family="a"))


def test_a_trait_that_does_not_vary_where_it_is_judged_is_refused():
    one = measured("a", trait_lure=RAMP, lure_rate=RAMP)
    other = measured("b", trait_lure=0.5, lure_rate=RAMP)
    table = propose_profile(one, other, candidates=["lure_rate"], targets=["lure"], n_boot=20)
    assert table["estimate"].isna().all() and "does not vary among them" in table["note"][0]
