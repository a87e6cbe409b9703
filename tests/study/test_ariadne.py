"""NRS, ignore rate, TI and the effect of arms: values worked by hand, and what is refused."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from hallumaze_kit.errors import InputError
from hallumaze_kit.study import ariadne_table, arm_effect
from hallumaze_kit.study.analysis.ariadne import trainability

NAN = math.nan


def frame(rows):
    columns = ["ariadne_group", "arm", "maze_id", "mei", "nrs"]
    who = {"provider": "synthetic", "model": "made", "subject_kind": "synthetic"}
    return pd.DataFrame([who | dict(zip(columns, row, strict=True)) for row in rows])


def groups(n):
    """n mazes: MEI 0.4 in A and 0.6 in B, reaction after two moves in B; every fourth of C ignores the hint."""
    rows = []
    for i in range(n):
        maze = f"m{i}"
        rows += [
            ("A", "", maze, 0.4, NAN),
            ("B", "", maze, 0.6, 0.5),
            ("C", "", maze, 0.5, 0.0 if i % 4 == 0 else 0.25),
        ]
    return frame(rows)


def test_ti_by_hand():
    (row,) = ariadne_table(groups(8)).to_dict("records")
    assert (row["mei_A"], row["mei_B"], row["nrs"]) == pytest.approx((0.4, 0.6, 0.5))
    assert row["ti"] == pytest.approx(0.5 * 0.2 / 0.4)
    assert (row["ti_low"], row["ti_high"]) == pytest.approx((0.25, 0.25)), "no maze differs from another"
    assert row["ignored"] == 2 / 8
    assert (row["ignored_low"], row["ignored_high"]) == pytest.approx((0.0715, 0.5907), abs=5e-4)  # Wilson, 2 of 8
    assert (row["n_A"], row["n_B"], row["n_C"], row["n_hinted_B"], row["n_mazes"]) == (8, 8, 8, 8, 8)
    assert row["note"] == "" and row["kind"] == "synthetic"


def test_the_interval_widens_with_differences_between_mazes():
    data = groups(12)
    data.loc[data["ariadne_group"] == "B", "mei"] = [0.2, 1.0] * 6
    (row,) = ariadne_table(data).to_dict("records")
    assert row["ti_low"] < row["ti"] < row["ti_high"] and row["ti"] == pytest.approx(0.25)
    again = ariadne_table(data).to_dict("records")[0]
    assert (again["ti_low"], again["ti_high"]) == (row["ti_low"], row["ti_high"])


@pytest.mark.parametrize(
    ("change", "note"),
    [
        (lambda f: f[f["ariadne_group"] != "B"], "no TI: groups A and B share no maze"),
        (lambda f: f.assign(mei=f["mei"].where(f["ariadne_group"] != "A", 0.0)), "no TI: MEI of group A is 0"),
        (lambda f: f.assign(nrs=NAN), "no TI: nobody in group B was given a hint; no ignore rate: nobody in group C"),
        (lambda f: f.assign(mei=NAN), "no TI: MEI of group A could not be scored"),
    ],
)
def test_ti_is_refused_with_a_reason(change, note):
    (row,) = ariadne_table(change(groups(8))).to_dict("records")
    assert math.isnan(row["ti"]) and math.isnan(row["ti_low"]) and row["note"].startswith(note)


def test_few_mazes_give_no_interval():
    (row,) = ariadne_table(groups(4)).to_dict("records")
    assert row["ti"] == pytest.approx(0.25) and math.isnan(row["ti_low"]) and "fewer than 5 mazes" in row["note"]


def test_only_mazes_that_both_groups_met_count():
    data = pd.concat([groups(6), frame([("A", "", "other", 0.9, NAN)])])
    assert ariadne_table(data).loc[0, "mei_A"] == pytest.approx(0.4)


def test_shams_are_no_hints():
    data = pd.concat([groups(6), frame([("B", "sham", "m0", 0.0, 1.0), ("B", "none", "m1", 0.0, NAN)])])
    assert ariadne_table(data).loc[0, "nrs"] == pytest.approx(0.5) and ariadne_table(data).loc[0, "n_B"] == 6


def test_trainability_of_nothing():
    assert math.isnan(trainability(0.5, 0.0, 0.6)) and math.isnan(trainability(NAN, 0.4, 0.6))


def arms():
    rows = []
    for i in range(6):
        rows += [("B", "hint", f"m{i}", 0.8, 1.0), ("B", "sham", f"m{i}", 0.5, 0.0), ("B", "none", f"m{i}", 0.6, NAN)]
    return frame(rows)


def test_arm_effect_by_hand():
    table = arm_effect(arms()).set_index("contrast")
    assert table["difference"].to_dict() == pytest.approx({"hint − sham": 0.3, "hint − none": 0.2, "sham − none": -0.1})
    assert table.loc["hint − sham", ["low", "high"]].tolist() == pytest.approx([0.3, 0.3])
    assert set(table["n_first"]) == {6} and set(table["n_mazes"]) == {6}


def test_every_trial_counts_in_the_arm_that_was_drawn_for_it():
    data = arms()
    data.loc[data["arm"] == "hint", "nrs"] = [1.0, NAN, NAN, NAN, NAN, NAN]  # one occasion in six
    assert arm_effect(data).set_index("contrast").loc["hint − sham", "difference"] == pytest.approx(0.3)


def test_arms_that_cannot_be_compared():
    few = arms()[lambda f: f["maze_id"].isin(["m0", "m1"])]
    assert arm_effect(few)["note"].tolist() == ["no interval: fewer than 5 mazes"] * 3
    lone = arms()[lambda f: f["arm"] == "hint"]
    assert arm_effect(lone)["note"].tolist() == [
        "no trial in the arm 'sham' could be scored", "no trial in the arm 'none' could be scored",
    ]  # fmt: skip
    assert arm_effect(groups(6)).empty, "nothing was randomised"


def test_an_arm_with_one_trial_has_no_interval():
    rows = [("B", "sham", f"m{i}", 0.1 * i, NAN) for i in range(8)] + [("B", "hint", "m0", 0.8, 1.0)]
    row = arm_effect(frame(rows)).iloc[0]
    assert row["difference"] == pytest.approx(0.45) and math.isnan(row["low"])
    assert "missing in many samples" in row["note"]
    assert len(arm_effect(frame(rows), n_boot=1)) == 3, "also where no sample has the arm"


def test_what_is_no_frame():
    with pytest.raises(InputError, match="a table of trials"):
        ariadne_table([1, 2])
    with pytest.raises(InputError, match="metric"):
        arm_effect(arms(), "nonsense")
