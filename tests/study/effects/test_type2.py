"""Type-2 AUROC and the tables of meta-d′: against SciPy, published values and by hand, and what they refuse."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import mannwhitneyu

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import BenchmarkResult, MazeConfig, decisions_frame, to_frame
from hallumaze_kit.study import Design, run_design
from hallumaze_kit.study.effects import auroc2, junction_meta_d, meta_d_table
from hallumaze_kit.study.effects.rows import COLUMNS
from hallumaze_kit.study.effects.type2 import _drawn, maze_weights
from hallumaze_kit.subjects import FLOOR, SYNTHETIC, Synthetic, Traits


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
    one = _drawn(values, right, np.array([0, 1, 1, 0]), np.zeros(4), np.ones((1, 2)))
    assert one.tolist() == [0.875]
    # the first maze twice: right 0.9, 0.9, 0.6, wrong 0.6, 0.5, 0.5; all but one tie of 9 pairs won
    twice = _drawn(values, right, np.array([0, 1, 1, 0]), np.zeros(4), np.array([[2.0, 1.0]]))
    assert twice.tolist() == pytest.approx([8.5 / 9])


def test_it_is_the_mann_whitney_statistic():
    rng = np.random.default_rng(4)
    right = rng.random(300) < 0.7
    sure = np.round(rng.random(300) + 0.2 * right, 1)
    row = cell(auroc2(decisions(right, sure), n_boot=50), "AUROC")
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
    row = cell(auroc2(decisions(flags, sure), n_boot=1), "AUROC")
    assert row["estimate"] == pytest.approx(0.6998064266356949, abs=1e-12)


def test_a_trend_over_steps_is_taken_for_knowledge_until_it_is_stratified():
    rng = np.random.default_rng(1)
    step = rng.integers(1, 11, 3000)
    right = rng.random(3000) < 0.95 - 0.07 * step
    table = auroc2(decisions(right, 1 - step / 20, step), n_boot=100)
    assert cell(table, "AUROC")["estimate"] > 0.65
    assert cell(table, "AUROC")["estimate"] == cell(table, "AUROC", "clock")["estimate"]
    assert cell(table, "AUROC", "subject − clock")["estimate"] == 0
    assert cell(table, "AUROC within steps")["estimate"] == 0.5
    knows = auroc2(decisions(right, 1 - step / 20 + 0.1 * right, step), n_boot=100)
    assert cell(knows, "AUROC within steps")["estimate"] == 1
    assert cell(knows, "AUROC", "subject − clock")["low"] > 0


def test_stratified_by_hand():
    """Steps 1 and 2: pairs 0.9 > 0.5 and 0.4 < 0.6, one of each; across steps pairs do not count."""
    right, sure, step = [True, False] * 2, [0.9, 0.5, 0.4, 0.6], [1, 1, 2, 2]
    table = auroc2(decisions(right * 30, sure * 30, step * 30), n_boot=5)
    assert cell(table, "AUROC within steps")["estimate"] == 0.5
    assert cell(table, "AUROC")["estimate"] == pytest.approx((1 + 1 + 0 + 0) / 4)


def test_under_30_errors_nothing_is_said():
    right = np.arange(200) >= 29
    refusal = auroc2(decisions(right, np.linspace(0, 1, 200)))
    assert refusal["estimate"].isna().all() and len(refusal) == 5
    assert refusal["note"].str.contains("29 wrong decisions with a confidence; 30 are needed").all()
    assert cell(auroc2(decisions(np.arange(200) >= 30, np.linspace(0, 1, 200)), 5), "AUROC")["estimate"] == 1
    none_right = auroc2(decisions(np.zeros(40, bool), np.ones(40)))
    assert (none_right["note"] == "no right decision").all()


def test_errors_that_meet_no_right_decision_of_their_step_refuse_the_stratified_one():
    right = np.arange(200) >= 50
    table = auroc2(decisions(right, np.linspace(0, 1, 200), step=np.where(right, 1, 2)), n_boot=5)
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
    table = auroc2(decisions_frame(walks), n_boot=200)
    assert set(table["subject"]) == {"synthetic/clock", "synthetic/hasty", "synthetic/oracle"}
    assert cell(table, "AUROC within steps", subject="synthetic/clock")["estimate"] == pytest.approx(0.5, abs=1e-9)
    assert math.isnan(cell(table, "AUROC", subject="synthetic/oracle")["estimate"])
    again = auroc2(decisions_frame(walks), n_boot=200)
    pd.testing.assert_frame_equal(table, again)


def test_no_decisions_give_an_empty_table_with_its_columns():
    assert list(auroc2(decisions_frame([])).columns) == list(COLUMNS)


def test_what_is_no_frame_of_decisions_is_refused():
    for wrong in ([], pd.DataFrame({"right": [True]}), None):
        with pytest.raises(InputError, match="decisions"):
            auroc2(wrong)
    with pytest.raises(InputError, match="n_boot"):
        auroc2(decisions([True], [1.0]), n_boot=0)


def test_the_first_weights_are_the_data():
    weights = maze_weights(6, 4, 0)
    assert weights[0].tolist() == [1] * 6 and (weights.sum(axis=1) == 6).all() and len(weights) == 5


# ---- d′, c, meta-d′, M-ratio ----------------------------------------------------------------------


def probes(first, second, mazes=40):
    """Results of a subject with these counts (levels of confidence 0.6, 0.7, …), over so many mazes."""
    out, levels = [], len(first) // 2
    for broken, counts in ((False, first), (True, second)):
        for place, count in enumerate(counts):
            objects, level = place >= levels, place - levels if place >= levels else levels - 1 - place
            out += [
                BenchmarkResult(
                    provider="synthetic", model="s", maze_id=f"m{len(out) + k}"[-2:] if mazes > 4 else "one",
                    config=MazeConfig(protocol="probe"), probe_broken=broken, probe_said_valid=not objects,
                    probe_confidence=0.6 + level / 10,
                )
                for k in range(count)
            ]  # fmt: skip
    return to_frame(out)


PUBLISHED = ([52, 32, 35, 37, 26, 12, 4, 2], [2, 5, 15, 22, 33, 38, 40, 45])


def test_the_table_gives_the_published_fit():
    table = meta_d_table(probes(*PUBLISHED), n_boot=20).set_index("quantity")
    assert table["estimate"].round(3).to_dict() == {"d′": 1.535, "c": 0.0, "meta-d′": 1.634, "M-ratio": 1.064}
    assert (table["low"] < table["estimate"]).all() and (table["estimate"] < table["high"]).all()
    assert (table["n"] == 400).all() and (table["subject"] == "synthetic/s").all()


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ([12, 6, 4, 2], [3, 4, 6, 12], "24 trials in one class; 25 are needed"),
        ([30, 0, 0, 10], [10, 0, 0, 30], "one level of confidence only"),
        ([15, 10, 10, 15], [15, 10, 10, 15], "d′ is near 0 or below"),
        ([5, 10, 15, 30], [30, 15, 10, 5], "d′ is near 0 or below"),
        ([30, 20, 2, 1], [1, 2, 20, 30], "6 wrong answers; 10 are needed"),
    ],
)
def test_what_carries_no_meta_d_is_refused_with_its_reason(first, second, why):
    table = meta_d_table(probes(first, second), n_boot=20).set_index("quantity")
    assert table.loc[["meta-d′", "M-ratio"], "estimate"].isna().all() and why in table.loc["M-ratio", "note"]
    assert table.loc[["d′", "c"], "estimate"].notna().all()


def test_an_empty_class_refuses_everything():
    table = meta_d_table(probes([0, 0, 0, 0], [3, 4, 20, 30]))
    assert table["estimate"].isna().all() and table["note"].str.contains("no trial without an error").all()


def test_few_mazes_give_no_interval():
    table = meta_d_table(probes(*PUBLISHED, mazes=1)).set_index("quantity")
    assert table.loc["M-ratio", "estimate"] == pytest.approx(1.0643, abs=1e-4)
    assert table["low"].isna().all() and table["note"].str.contains("fewer than 5 mazes").all()


def test_synthetic_probes_and_unread_replies():
    subjects = [Synthetic("knower", Traits(slip=0.2, notice=0.75, doubt=25, confidence_noise=9)), FLOOR["empty"]]
    mazes = [MazeEngine(5, seed, "wilson") for seed in range(90)]
    results = run_design(Design(subjects, mazes, [MazeConfig(size=5, protocol="probe")]), progress=False)
    table = meta_d_table(to_frame(results), n_boot=30)
    knower = table[table["subject"] == "synthetic/knower"].set_index("quantity")["estimate"]
    assert knower["M-ratio"] > 1 and knower["d′"] > 1
    empty = table[table["subject"] == "synthetic/empty"]
    assert (empty["n"] == 0).all() and empty["note"].str.contains("90 without a readable choice").all()


def test_the_empty_frame_and_wrong_ones():
    assert list(meta_d_table(to_frame([])).columns) == list(COLUMNS)
    for wrong in (None, pd.DataFrame({"a": [1]})):
        with pytest.raises(InputError, match="frame"):
            meta_d_table(wrong)
    with pytest.raises(InputError, match="bins"):
        meta_d_table(to_frame([]), bins=1)


def test_junctions_with_two_ways_on(walks):
    table = junction_meta_d(walks, n_boot=20)
    hasty = table[table["subject"] == "synthetic/hasty"].set_index("quantity")
    assert 0 < hasty.loc["d′", "n"] < len(decisions_frame([r for r in walks if r.model == "hasty"]))
    oracle = table[table["subject"] == "synthetic/oracle"].set_index("quantity")
    assert oracle.loc["d′", "estimate"] > 4 and "0 wrong answers" in oracle.loc["M-ratio", "note"]


def test_a_junction_by_hand():
    """Seed 3's first two-way junction: the right way and the wrong one are each stimulus once."""
    maze = MazeEngine(5, 3, "wilson")
    config = MazeConfig(size=5)
    ways = {c: maze.open_directions(c) for c in maze.decision_cells}
    (chosen,) = [c for c in ways if c == maze.start or len(ways[c]) == 3][:1]
    behind = maze.solution[maze.solution.index(chosen) - 1] if chosen != maze.start else None
    step = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
    on = [d for d in ways[chosen] if (chosen[0] + step[d][0], chosen[1] + step[d][1]) != behind]
    assert len(on) == 2

    def result(choice, protocol="single"):
        row = {"cell": chosen, "choice": choice, "confidence": 0.8}
        return BenchmarkResult(
            provider="p", model="m", maze=maze.to_dict(), maze_id=maze.maze_id, decisions=(row,),
            config=config if protocol == "single" else MazeConfig(size=5, protocol=protocol),
        )  # fmt: skip

    def n(results):
        return junction_meta_d(results)["n"].tolist()[:1]

    assert n([result(on[0]), result(on[1])]) == [2]
    back = next((d for d in "NESW" if d not in on), "")
    assert n([result(on[0]), result(back)]) == [1]
    assert n([result(on[0], "stepwise")]) == []
