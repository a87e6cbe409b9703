"""Leaderboards and their intervals."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import METRICS, BenchmarkResult, to_frame
from hallumaze_kit.study.tables import (
    KIND_NAMES,
    METRIC_NAMES,
    PROFILE,
    cluster_interval,
    confidence_around,
    confidence_curve,
    interval_ends,
    kind_of,
    leaderboard,
    measures,
    moves_frame,
    readable,
    replayed,
)
from hallumaze_kit.trial.parsing import parse_answer
from hallumaze_kit.trial.replay import replay
from hallumaze_kit.trial.scoring import score_answer

NAN = math.nan


def trials(values, mazes=None, **fields) -> pd.DataFrame:
    """One trial a value of SR, each on its own maze unless told otherwise."""
    mazes = mazes or [f"maze{i}" for i in range(len(values))]
    known = {"provider": "pasted", "model": "m"} | fields
    return to_frame([BenchmarkResult(sr=v, maze_id=m, **known) for v, m in zip(values, mazes, strict=True)])


# ---- the interval --------------------------------------------------------------------------------


def test_five_mazes_by_hand():
    # One maze of five is solved, so a sample of five has Binomial(5, 0.2) solved ones: P(0) = 0.33, P(≤ 2) = 0.942,
    # P(≤ 3) = 0.993, P(≤ 4) = 0.9997. The 0.1 % and 99.9 % points are 0 and 4 of 5.
    assert interval_ends(5) == (pytest.approx(0.00095, abs=1e-5), pytest.approx(0.99905, abs=1e-5))
    assert cluster_interval([0, 0, 0, 0, 1], list("abcde")) == (0.0, pytest.approx(0.8))


def test_clusters_of_unequal_size_by_hand():
    # Maze a has three solved trials, four others one failed each. With k draws of a: 3k / (3k + 5 − k); 4: 12/13.
    values, mazes = [1, 1, 1, 0, 0, 0, 0], list("aaabcde")
    assert cluster_interval(values, mazes) == (0.0, pytest.approx(12 / 13))


def test_scipy_finds_the_same_interval_for_clusters_of_one_size():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(12, 4))
    mazes = np.repeat(np.arange(12), 4)
    low, high = cluster_interval(values.ravel(), mazes, n_boot=3000, seed=7)
    theirs = bootstrap(
        (values.mean(axis=1),), np.mean, n_resamples=3000, method="percentile", rng=np.random.default_rng(7),
        confidence_level=1 - 2 * interval_ends(12)[0],
    ).confidence_interval  # fmt: skip
    assert (low, high) == (pytest.approx(theirs.low), pytest.approx(theirs.high))


def test_trials_of_one_maze_are_not_independent():
    # Eight mazes, each all solved or all failed: ten trials a maze say no more than one.
    outcome = [0, 1, 1, 0, 1, 0, 0, 1]
    once = cluster_interval(outcome, list(range(8)))
    often = cluster_interval(np.repeat(outcome, 10), np.repeat(range(8), 10))
    assert often == once
    low, high = cluster_interval(np.repeat(outcome, 10), list(range(80)))
    assert high - low < (once[1] - once[0]) / 2


@given(st.floats(-10, 10), st.integers(5, 20), st.integers(0, 99))
def test_a_constant_has_an_interval_of_no_width(value, mazes, seed):
    low, high = cluster_interval([value] * mazes, list(range(mazes)), 50, seed)
    assert low == pytest.approx(value) and high == pytest.approx(value)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9)), min_size=1, max_size=40))
def test_the_interval_lies_within_the_values_or_is_refused(rows):
    values, mazes = zip(*rows, strict=True)
    low, high = cluster_interval(values, mazes, 100)
    if len(set(mazes)) < 5:
        assert math.isnan(low) and math.isnan(high)
    else:
        assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9


def test_four_mazes_are_too_few():
    assert all(map(math.isnan, cluster_interval([0, 1, 0, 1] * 20, list("abcd") * 20)))


def test_what_is_not_scored_and_what_has_no_maze_is_left_out():
    clean = cluster_interval([0, 0, 0, 0, 1], list("abcde"))
    assert cluster_interval([0, 0, 0, 0, 1, NAN, 1], [*"abcde", "f", None]) == clean
    assert all(map(math.isnan, cluster_interval([0, 0, 0, 1, NAN], list("abcde"))))


# ---- the leaderboard -----------------------------------------------------------------------------


def test_a_row_a_subject_with_counts_mean_and_interval():
    frame = pd.concat([trials([0, 0, 0, 0, 1, NAN]), trials([1, 1, 1], ["x", "x", "y"], model="few")])
    few, many = leaderboard(frame, ["sr"]).to_dict("records")
    assert (many["model"], many["n_trials"], many["n_mazes"], many["sr_n"]) == ("m", 6, 6, 5)
    assert (many["sr"], many["sr_low"], many["sr_high"], many["note"]) == (0.2, 0, pytest.approx(0.8), "")
    assert (few["n_trials"], few["n_mazes"], few["sr"]) == (3, 2, 1)
    assert math.isnan(few["sr_low"]) and few["note"] == "no interval (fewer than 5 mazes): sr"


def test_a_measure_that_nothing_has_is_nan_and_needs_no_note():
    (row,) = leaderboard(trials([1] * 6), ["sr", "ce"]).to_dict("records")
    assert math.isnan(row["ce"]) and row["ce_n"] == 0 and row["note"] == ""


def test_means_over_several_conditions_say_so():
    both = pd.concat(
        [trials([1] * 6).assign(protocol="single"), trials([0] * 6).assign(protocol="stepwise", use_mirage=False)]
    )
    (row,) = leaderboard(both.assign(ariadne_group="A"), ["sr"]).to_dict("records")
    assert "pools protocol (single, stepwise)" in row["note"] and "ariadne_group" not in row["note"]


def test_rows_stand_by_kind_then_name_never_by_merit():
    frame = pd.concat(
        [
            trials([1], provider="synthetic", model="a", subject_kind="floor"),
            trials([1], provider="synthetic", model="b", subject_kind="synthetic"),
            trials([0], provider="z", model="c", subject_kind="llm"),
            trials([1], provider="human", model="d"),
            trials([0], provider="A", model="e"),
        ]
    )
    table = leaderboard(frame, ["sr"])
    assert table["kind"].tolist() == ["real", "real", "human", "synthetic", "floor"]
    assert table["model"].tolist() == ["e", "c", "d", "b", "a"]


def test_no_interval_depends_on_what_else_is_in_the_table():
    one = trials([0, 1, 0, 1, 1, 0, 1])
    other = trials([1, 1, 0, 0, 1], model="a")
    alone = leaderboard(one, ["sr"]).iloc[0]
    beside = leaderboard(pd.concat([other, one]), ["mei", "sr"]).iloc[1]
    assert alone[["sr", "sr_low", "sr_high"]].tolist() == beside[["sr", "sr_low", "sr_high"]].tolist()


def test_the_seed_decides_the_interval():
    frame = trials(list(np.random.default_rng(0).random(30).round(3)))
    first, again, other = (leaderboard(frame, ["sr"], 50, seed) for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(first, again)
    assert first["sr_low"].item() != other["sr_low"].item()


def test_group_means_of_people_have_no_maze_and_no_interval():
    frame = to_frame([BenchmarkResult(provider="human", model="group_n30", sr=0.73)])
    (row,) = leaderboard(frame, ["sr"]).to_dict("records")
    assert (row["kind"], row["n_mazes"], row["sr"]) == ("human", 0, 0.73)
    assert math.isnan(row["sr_low"])


def test_an_empty_frame_gives_an_empty_table():
    assert leaderboard(to_frame([]), ["sr"]).empty


def test_unknown_measures_are_refused():
    with pytest.raises(InputError, match="metrics must be one of"):
        leaderboard(trials([1]), ["merit"])
    with pytest.raises(InputError, match="n_boot must be"):
        leaderboard(trials([1]), ["sr"], n_boot=0)


@pytest.mark.parametrize(
    ("provider", "kind", "expected"),
    [
        ("openai", "llm", "real"), ("pasted", "", "real"), ("synthetic", "floor", "floor"),
        ("synthetic", "synthetic", "synthetic"), ("synthetic", "", "synthetic"), ("human", "", "human"),
    ],
)  # fmt: skip
def test_who_answered(provider, kind, expected):
    assert kind_of(provider, kind) == expected


def test_a_readable_table_rounds_and_shows_what_was_not_scored():
    frame = trials([0, 0, 0, 0, 1, NAN])
    shown = readable(leaderboard(frame, ["sr", "ce"]))
    assert shown.iloc[0].to_dict() == {
        "subject": "pasted/m", "kind": "real", "trials": 6, "mazes": 6,
        "Solved (SR)": "0.20 [0.00, 0.80] (n=5)", "Calibration error (CE)": "–",
    }  # fmt: skip
    korean = readable(leaderboard(frame, ["sr"]), "ko")
    assert list(korean.columns) == ["응답자", "종류", "시행", "미로", "탈출 성공(SR)"]
    assert korean["종류"].item() == "실제"


def test_the_mean_of_the_first_hallucination_leaves_out_trials_without_one():
    """−1 says that there was none; averaged in, the mean of 4, 8 and −1 would be 3.67."""
    results = [
        BenchmarkResult(provider="x", model="m", maze_id=str(n), first_hallucination_step=step)
        for n, step in enumerate((4, 8, -1))
    ]
    row = leaderboard(to_frame(results), ["first_hallucination_step"]).iloc[0]
    assert (row["first_hallucination_step"], row["first_hallucination_step_n"], row["n_trials"]) == (6, 2, 3)
    never = leaderboard(to_frame(results[2:]), ["first_hallucination_step"]).iloc[0]
    assert math.isnan(never["first_hallucination_step"]) and never["first_hallucination_step_n"] == 0


@pytest.mark.parametrize("wrong", [[BenchmarkResult(provider="x")], BenchmarkResult(provider="x"), None])
def test_a_leaderboard_is_of_a_frame(wrong):
    with pytest.raises(InputError, match=r"frame must be a table of trials, got .* Make one with to_frame\(results\)"):
        leaderboard(wrong)


def test_every_measure_has_a_name_in_both_languages():
    assert set(METRICS) == set(METRIC_NAMES["en"]) == set(METRIC_NAMES["ko"])
    assert set(KIND_NAMES["en"]) == set(KIND_NAMES["ko"])
    assert measures(leaderboard(trials([1]))) == list(PROFILE)


# ---- what happened, as tables --------------------------------------------------------------------

MAZE = MazeEngine.from_text(
    "MAZE 2×2 | START:(0,0) | EXIT:(1,1)\n(0,0): [S↓]\n(0,1): [S↓]\n(1,0): [N↑ E→]\n(1,1): [N↑ W←]"
)
ANSWER = """STEP 1: (0,0) → [S] | 확신도: 90% | 아래
STEP 2: (1,0) → [N] | 확신도: 80% | 위
STEP 3: (0,0) → [E] | 확신도: 70% | 벽
STEP 4: (0,0) → [S] | 확신도: 60% | 다시
STEP 5: (1,0) → [E] | 확신도: 50% | 출구
FINAL_PATH: (0,0)→(1,0)→(1,1)"""


def test_confidence_is_aligned_on_the_hallucination():
    result = score_answer(MAZE, ANSWER, provider="synthetic", model="x")
    around = confidence_around([result], reach=5)
    assert around["offset"].tolist() == [-2, -1, 0, 1, 2]
    assert around["confidence"].tolist() == pytest.approx([0.9, 0.8, 0.7, 0.6, 0.5])
    assert set(around["hallucination"]) == {3} and set(around["kind"]) == {"synthetic"}
    assert confidence_around([result], reach=1)["offset"].tolist() == [-1, 0, 1]


def test_results_without_an_answer_have_no_rows():
    assert confidence_around([BenchmarkResult(provider="human", sr=0.5)]).empty
    assert replayed(BenchmarkResult(provider="human", sr=0.5)) is None


def test_the_curve_is_the_mean_at_each_offset():
    rows = [
        {"provider": "p", "model": "m", "kind": "real", "maze_id": maze, "trial": 0, "hallucination": 1}
        | {"offset": offset, "confidence": confidence}
        for offset, values in ((0, [0, 0, 0, 0, 1]), (1, [0.5, 0.7]))
        for maze, confidence in enumerate(values)
    ]
    at, after = confidence_curve(pd.DataFrame(rows)).to_dict("records")
    assert (at["confidence"], at["low"], at["high"], at["n"], at["n_mazes"]) == (0.2, 0, pytest.approx(0.8), 5, 5)
    assert after["confidence"] == pytest.approx(0.6) and math.isnan(after["low"]) and after["n"] == 2


def test_a_walk_as_a_table():
    table = moves_frame(MAZE, replay(MAZE, parse_answer(ANSWER)).moves)
    assert table["kind"].tolist() == ["legal", "legal", "wall", "legal", "legal"]
    assert table["retraced"].tolist() == [False, True, False, True, False]
    assert table[["end_row", "end_col"]].to_numpy().tolist() == [[1, 0], [0, 0], [0, 1], [1, 0], [1, 1]]


def test_confidence_is_read_of_scored_walks_only_and_of_stepwise_ones_turn_by_turn():
    from hallumaze_kit.records import MazeConfig
    from hallumaze_kit.study import Design, run_design
    from hallumaze_kit.subjects import STEPPERS
    from hallumaze_kit.trial.scoring import score_answer

    wrong = "STEP 1: (0,0) → [N] | confidence: 90%\nSTEP 2: (0,0) → [W] | confidence: 95%"
    cut = score_answer(MazeEngine(5, 1), wrong, MazeConfig(size=5), outcome="cut off")
    probe = score_answer(MazeEngine(5, 1), "VALID: yes\nCONFIDENCE: 90%", MazeConfig(size=5, protocol="probe"))
    assert confidence_around([cut, probe]).empty
    steps = run_design(
        Design([STEPPERS["liar"]], [MazeEngine(5, 1)], [MazeConfig(protocol="stepwise")]), progress=False
    )
    around = confidence_around(steps)
    assert around["hallucination"].nunique() == steps[0].hallucination_count > 0
