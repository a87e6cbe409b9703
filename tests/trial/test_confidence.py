"""Confidence against what happened: calibration by hand and against NumPy, the patterns of section 9.2."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trial.test_replay import MAZE, PICTURE, drawn, said

from hallumaze_kit.trial.measuring import confidence as conf
from hallumaze_kit.trial.measuring.confidence import Judged
from hallumaze_kit.trial.replay import replay
from hallumaze_kit.trial.scoring import score_answer

rows_of = st.lists(
    st.builds(Judged, st.integers(0, 100).map(lambda percent: percent / 100) | st.floats(0, 1), st.integers(0, 1)),
    min_size=1,
    max_size=40,
)
BY_HAND = [Judged(0.9, 1), Judged(0.9, 0), Judged(0.6, 1), Judged(0.2, 0)]


def judged(walk: str, **fields) -> list[tuple[float, int]]:
    return [(row.confidence, row.correct) for row in conf.judged_steps(replay(MAZE, said(walk, **fields)))]


# ---- which steps are judged ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("walk", "expected"),
    [
        ("00E:90 01E:80", [(0.9, 1), (0.8, 1)]),
        ("00S:90 00E:80", [(0.9, 0), (0.8, 1)]),
        ("00E:90 01E 02S:80", [(0.9, 1), (0.8, 1)]),  # no confidence, no row
        ("00E 01E", []),
        ("00E:90 12S:70", [(0.9, 1), (0.7, 0)]),  # a jump to the step's cell: the step is wrong, once
        ("00E:90 12E:70", [(0.9, 1), (0.7, 0)]),  # a jump and a wall in one step: still once
        ("00E:90 01>22:70", [(0.9, 1), (0.7, 0)]),
        ("00E:90 33:70", [(0.9, 1)]),  # an arrival is no move
        ("00E:50 01E:50 02S:50", [(0.5, 1), (0.5, 1), (0.5, 1)]),  # equal confidences are not one step
        ("00E:90 01S:80 11W:70 01E:60", [(0.9, 1), (0.8, 1), (0.7, 1), (0.6, 1)]),  # a return is no fault
    ],
)
def test_each_step_with_a_confidence_is_judged_once(walk, expected):
    assert judged(walk) == expected


def test_the_moves_of_a_final_path_are_judged_by_the_log():
    log = ((1, 90.0), (2, 60.0))
    assert judged("", final="00 01 11 10", confidence_log=log) == [(0.9, 1), (0.6, 1)]
    assert judged("", final="00 10 11", confidence_log=log) == [(0.9, 0), (0.6, 1)]


def test_the_confidence_log_of_a_result_names_each_step_once():
    """Section 11 of the document: one entry a step."""
    text = "STEP 1: (0,0) → [E] | confidence: 90%\nSTEP 2: (1,2) → [S] | confidence: 80%\nSTEP 3: (2,2) → [E] | a"
    assert list(score_answer(MAZE, text).confidence_log) == [{"step": 1, "conf": 90.0}, {"step": 2, "conf": 80.0}]


# ---- calibration -----------------------------------------------------------------------------------


def test_calibration_by_hand():
    """Errors 0.1, 0.9, 0.4, 0.2; bins (0.8, 0.9] with 2 rows, (0.5, 0.6] and (0.1, 0.2] with one each."""
    assert conf.calibration_error(BY_HAND) == pytest.approx(1.6 / 4)
    assert conf.overconfidence(BY_HAND) == pytest.approx((0.9 + 0.2) / 4)
    assert conf.underconfidence(BY_HAND) == pytest.approx((0.1 + 0.4) / 4)
    assert conf.brier(BY_HAND) == pytest.approx((0.01 + 0.81 + 0.16 + 0.04) / 4)
    ece = 2 / 4 * abs(0.5 - 0.9) + 1 / 4 * abs(1 - 0.6) + 1 / 4 * abs(0 - 0.2)
    assert conf.expected_calibration_error(BY_HAND) == pytest.approx(ece)


def test_a_perfect_and_a_hopeless_subject():
    right, wrong = [Judged(1.0, 1), Judged(0.0, 0)], [Judged(0.0, 1), Judged(1.0, 0)]
    for measure in (conf.calibration_error, conf.brier, conf.expected_calibration_error):
        assert measure(right) == 0.0 and measure(wrong) == 1.0
    assert (conf.overconfidence(wrong), conf.underconfidence(wrong)) == (0.5, 0.5)


@pytest.mark.parametrize(
    "measure",
    [conf.calibration_error, conf.overconfidence, conf.underconfidence, conf.brier, conf.expected_calibration_error],
)
def test_without_a_confidence_there_is_no_calibration(measure):
    assert math.isnan(measure([]))


@given(rows_of)
def test_the_calibration_error_is_over_and_underconfidence_together(rows):
    ce, oce, uce = conf.calibration_error(rows), conf.overconfidence(rows), conf.underconfidence(rows)
    assert ce == pytest.approx(oce + uce, abs=1e-12)
    assert 0 <= oce <= 1 and 0 <= uce <= 1 and 0 <= ce <= 1 + 1e-12


@given(rows_of)
def test_brier_and_the_calibration_error_agree_with_numpy(rows):
    stated, correct = (np.array(part, float) for part in zip(*[(r.confidence, r.correct) for r in rows], strict=True))
    assert conf.calibration_error(rows) == pytest.approx(np.mean(np.abs(stated - correct)), abs=1e-12)
    assert conf.brier(rows) == pytest.approx(np.mean((stated - correct) ** 2), abs=1e-12)


@given(rows_of, st.sampled_from([5, 10, 20]))
def test_the_expected_calibration_error_agrees_with_numpy(rows, bins):
    """Bins (k/bins, (k+1)/bins], the first one with 0; edges as `round` writes them, so that 0.3 is an edge."""
    stated = np.array([round(r.confidence, 9) for r in rows])
    correct = np.array([r.correct for r in rows], float)
    edges = np.round(np.linspace(0, 1, bins + 1), 9)
    held = np.clip(np.digitize(stated, edges, right=True) - 1, 0, bins - 1)
    members = [held == k for k in range(bins) if (held == k).any()]
    gaps = [m.mean() * abs(correct[m].mean() - stated[m].mean()) for m in members]
    rounded = [Judged(float(s), r.correct) for s, r in zip(stated, rows, strict=True)]
    assert conf.expected_calibration_error(rounded, bins) == pytest.approx(sum(gaps), abs=1e-9)


@given(rows_of)
def test_the_expected_calibration_error_lies_between_the_whole_gap_and_the_calibration_error(rows):
    gap = abs(np.mean([r.confidence for r in rows]) - np.mean([r.correct for r in rows]))
    ece = conf.expected_calibration_error(rows)
    assert gap - 1e-9 <= ece <= conf.calibration_error(rows) + 1e-9


def test_calibration_of_a_whole_answer():
    """Ten steps at 80 % and one wall at 90 %: (0.9 + 10·0.2)/11 as in case T01."""
    result = score_answer(
        MAZE,
        "STEP 1: (0,0) → [S] | confidence: 90%\n"
        + "\n".join(f"STEP {2 + i}: (0,{i % 2}) → [{'EW'[i % 2]}] | confidence: 80%" for i in range(10)),
    )
    assert result.ce == pytest.approx((0.9 + 10 * 0.2) / 11)
    assert result.oce == pytest.approx(0.9 / 11) and result.uce == pytest.approx(2 / 11)
    assert result.brier == pytest.approx((0.81 + 10 * 0.04) / 11)
    assert result.ece == pytest.approx(1 / 11 * 0.9 + 10 / 11 * 0.2)


# ---- patterns --------------------------------------------------------------------------------------


def pattern(walk: str) -> str:
    return conf.confidence_pattern(replay(MAZE, said(walk)))


@pytest.mark.parametrize(
    ("walk", "expected"),
    [
        # a wall at (0,1) N after one fine step
        ("00E:90 01N:80 01E:80", "A"),  # falls by ten points at it
        ("00E:90 01N:81 01E:80", ""),  # by nine: neither
        ("00E:90 01N:90 01E:50", "B"),  # stays; what comes after is too late
        ("00E:90 01N:95 01E:90", "B"),  # rises
        ("00E:90 01E:75 02N:75 02S:90", "A"),  # falls before it
        ("00E:90 01E:60 02N:65 02S:90", "A"),  # falls before, a little higher at it
        ("00E:50 01E:90 02N:90 02S:90", "B"),
        ("00E 01N:90 01E:20", ""),  # nothing stated before it
        ("00E:90 01N 01E:20", ""),  # nor at it
        ("00N:90 00E:20", ""),  # it is the first move
        ("00E:90 12S:50", "A"),  # at a jump
        ("00E:90 12S:90", "B"),
        ("00E:90 01E:50", ""),  # falls, but nothing was wrong
        ("00E 01N", ""),
    ],
)
def test_pattern_a_is_a_fall_of_ten_points_before_or_at_a_hallucination_and_b_none(walk, expected):
    assert pattern(walk) == expected


@pytest.mark.parametrize(
    ("walk", "expected"),
    [
        ("00E:90 01W:90 L00 00E:90 01E:90", "B"),  # unchanged through a declared loop
        ("00E:90 01W:60 L00 00E:60 01E:60", ""),  # it fell there
        ("00E 01W L00 00E", ""),  # nothing stated
        ("00E:90 01E:90 02S:90 12S:90", ""),  # no loop
        ("00E:90 01S:90 11W:90 D10 10E:90 11N:90", ""),  # a declared dead end and the way back is no loop
    ],
)
def test_pattern_b_is_also_an_unchanged_confidence_through_a_loop(walk, expected):
    assert pattern(walk) == expected


def test_pattern_b_shows_in_a_loop_that_the_subject_does_not_notice():
    """The document: "루프 반복 시: 확신도 그대로 → 자기인식 완전 부재". To and fro, always 90 % sure, not a word."""
    assert pattern("00E:90 01W:90 00E:90 01W:90 00E:90 01W:90") == "B"


def test_the_pattern_stands_in_the_result():
    text = "STEP 1: (0,0) → [E] | 확신도: 90%\nSTEP 2: (0,1) → [N] | 확신도: 60%\nSTEP 3: (0,1) → [E] | 확신도: 60%"
    assert score_answer(drawn(PICTURE), text).confidence_pattern == "A"
