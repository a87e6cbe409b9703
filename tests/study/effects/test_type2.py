"""Type-2 AUROC and the tables of meta-d′: against SciPy, published values and by hand, and what they refuse."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import mannwhitneyu

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import MazeConfig, decisions_frame
from hallumaze_kit.study import Design, run_design
from hallumaze_kit.study.effects import auroc2
from hallumaze_kit.study.effects.rows import COLUMNS
from hallumaze_kit.study.effects.type2.auroc import _weighted
from hallumaze_kit.subjects import FLOOR, SYNTHETIC


def decisions(right, confidence, step=None, maze=None, model="m"):
    n = len(right)
    return pd.DataFrame(
        {
            "provider": "synthetic", "model": model, "maze_id": maze if maze is not None else np.arange(n) % 8,
            "right": right, "confidence": confidence, "step": step if step is not None else np.arange(n) % 5,
        }
    ).astype({"maze_id": str})  # fmt: skip


def cell(table, quantity, contrast="", subject=None):
    rows = table[(table["quantity"] == quantity) & (table["contrast"] == contrast)]
    (row,) = (rows if subject is None else rows[rows["subject"] == subject]).to_dict("records")
    return row


@pytest.fixture(scope="module")
def walks():
    subjects = [SYNTHETIC["hasty"], FLOOR["clock"], FLOOR["oracle"], FLOOR["empty"]]
    mazes = [MazeEngine(7, seed, "wilson") for seed in range(30)]
    return run_design(Design(subjects, mazes, [MazeConfig(size=7)]), progress=False)


# ---- AUROC ----------------------------------------------------------------------------------------


def test_the_worked_number():
    values, right = np.array([0.9, 0.6, 0.6, 0.5]), np.array([True, True, False, False])
    one = _weighted(values, right, np.array([0, 1, 1, 0]), np.zeros(4), np.ones((1, 2)))
    assert one.tolist() == [0.875]
    # the first maze twice: right 0.9, 0.9, 0.6, wrong 0.6, 0.5, 0.5; all but one tie of 9 pairs won
    twice = _weighted(values, right, np.array([0, 1, 1, 0]), np.zeros(4), np.array([[2.0, 1.0]]))
    assert twice.tolist() == pytest.approx([8.5 / 9])


def test_it_is_the_mann_whitney_statistic():
    rng = np.random.default_rng(4)
    right = rng.random(300) < 0.7
    sure = np.round(rng.random(300) + 0.2 * right, 1)
    row = cell(auroc2(decisions(right, sure)), "AUROC")
    expected = mannwhitneyu(sure[right], sure[~right]).statistic / (right.sum() * (~right).sum())
    assert row["estimate"] == pytest.approx(expected) and row["n"] == 300 and row["n_mazes"] == 8
    assert row["low"] < expected < row["high"]


def test_a_published_value():
    """metadpy, sdt.roc_auc: [36 24 17 20 10 12 9 2], [1 4 10 11 19 18 28 39] give 0.6998064266356949.

    It adds ½ to the correct and to the incorrect count of each level; doubled counts and one more are the same.
    """
    first, second = [36, 24, 17, 20, 10, 12, 9, 2], [1, 4, 10, 11, 19, 18, 28, 39]
    right = [first[3 - k] + second[4 + k] for k in range(4)]
    wrong = [second[3 - k] + first[4 + k] for k in range(4)]
    halves = [2 * n + 2 for n in right], [2 * n + 2 for n in wrong]  # each of the two answers brings its ½
    flags = np.repeat([True] * 4 + [False] * 4, halves[0] + halves[1])
    sure = np.repeat(list(range(4)) * 2, halves[0] + halves[1])
    row = cell(auroc2(decisions(flags, sure)), "AUROC")
    assert row["estimate"] == pytest.approx(0.6998064266356949, abs=1e-12)


def test_a_trend_over_steps_is_taken_for_knowledge_until_it_is_stratified():
    rng = np.random.default_rng(1)
    step = rng.integers(1, 11, 3000)
    right = rng.random(3000) < 0.95 - 0.07 * step
    table = auroc2(decisions(right, 1 - step / 20, step))
    assert cell(table, "AUROC")["estimate"] > 0.65
    assert cell(table, "AUROC")["estimate"] == cell(table, "AUROC", "clock")["estimate"]
    assert cell(table, "AUROC", "subject − clock")["estimate"] == 0
    assert cell(table, "AUROC within steps")["estimate"] == 0.5
    knows = auroc2(decisions(right, 1 - step / 20 + 0.1 * right, step))
    assert cell(knows, "AUROC within steps")["estimate"] == 1
    assert cell(knows, "AUROC", "subject − clock")["low"] > 0


def test_stratified_by_hand():
    """Steps 1 and 2: pairs 0.9 > 0.5 and 0.4 < 0.6, one of each; across steps pairs do not count."""
    right, sure, step = [True, False] * 2, [0.9, 0.5, 0.4, 0.6], [1, 1, 2, 2]
    table = auroc2(decisions(right * 30, sure * 30, step * 30))
    assert cell(table, "AUROC within steps")["estimate"] == 0.5
    assert cell(table, "AUROC")["estimate"] == pytest.approx((1 + 1 + 0 + 0) / 4)


def test_under_30_errors_nothing_is_said():
    right = np.arange(200) >= 29
    refusal = auroc2(decisions(right, np.linspace(0, 1, 200)))
    assert refusal["estimate"].isna().all() and len(refusal) == 5
    assert refusal["note"].str.contains("29 wrong decisions with a confidence; 30 are needed").all()
    assert cell(auroc2(decisions(np.arange(200) >= 30, np.linspace(0, 1, 200))), "AUROC")["estimate"] == 1
    none_right = auroc2(decisions(np.zeros(40, bool), np.ones(40)))
    assert (none_right["note"] == "no right decision").all()


def test_errors_that_meet_no_right_decision_of_their_step_refuse_the_stratified_one():
    right = np.arange(200) >= 50
    table = auroc2(decisions(right, np.linspace(0, 1, 200), step=np.where(right, 1, 2)))
    assert cell(table, "AUROC")["estimate"] == 1
    assert "0 wrong decisions meet a right one" in cell(table, "AUROC within steps")["note"]


def test_few_mazes_and_silent_decisions_are_told():
    rng = np.random.default_rng(0)
    right, sure = rng.random(200) < 0.6, rng.random(200)
    sure[:20] = math.nan
    row = cell(auroc2(decisions(right, sure, maze=np.arange(200) % 4)), "AUROC")
    assert math.isnan(row["low"]) and not math.isnan(row["estimate"]) and row["n"] == 180
    assert "fewer than 5 mazes" in row["note"] and "20 decisions without a confidence" in row["note"]


def test_synthetic_subjects(walks):
    table = auroc2(decisions_frame(walks))
    assert set(table["subject"]) == {"synthetic/clock", "synthetic/hasty", "synthetic/oracle"}
    assert cell(table, "AUROC within steps", subject="synthetic/clock")["estimate"] == pytest.approx(0.5, abs=1e-9)
    assert math.isnan(cell(table, "AUROC", subject="synthetic/oracle")["estimate"])
    again = auroc2(decisions_frame(walks))
    pd.testing.assert_frame_equal(table, again)


def test_no_decisions_give_an_empty_table_with_its_columns():
    assert list(auroc2(decisions_frame([])).columns) == list(COLUMNS)


def test_what_is_no_frame_of_decisions_is_refused():
    for wrong in ([], pd.DataFrame({"right": [True]}), None):
        with pytest.raises(InputError, match="decisions"):
            auroc2(wrong)
