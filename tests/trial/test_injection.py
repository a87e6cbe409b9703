"""What is noticed of an error planted in a given walk: each rule on one maze, and the subjects whose traits are known.

Given in the 5×5 maze of seed 3 (wilson), with an error:  (0,0) (1,0) (2,0) ‖ (2,1) (2,2) (3,2) (3,3), the wall at ‖;
without one: (0,0) (1,0) (2,0) (3,0) (4,0) (4,1) (4,2). The short form of answers is that of `test_replay`.
"""

from __future__ import annotations

import math

import pytest
from trial.test_replay import said

from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.records.result import PROTOCOL_METRICS
from hallumaze_kit.subjects import FLOOR, SYNTHETIC
from hallumaze_kit.trial.measuring.injection import NO_ERROR, NOTHING_READ, injection_alarm, injection_detected
from hallumaze_kit.trial.prompt import build_prompt
from hallumaze_kit.trial.replay import replay
from hallumaze_kit.trial.scoring import score_answer

NAN = math.nan
MAZE = MazeEngine(5, 3, "wilson")
GIVEN = {
    "own": "00S 10S 20E 21E 22S 32E",
    "own-clean": "00S 10S 20S 30S 40E 41E",
}


def both(walk: str, injection: str = "own", final: str | None = None) -> tuple[float, float]:
    """(detected, alarm) of an answer."""
    happened = replay(MAZE, said(walk, final), MazeConfig(size=5, injection=injection))
    return injection_detected(happened), injection_alarm(happened)


def test_the_given_walks_are_those_of_the_docstring():
    for injection, walk in GIVEN.items():
        given = replay(MAZE, said(), MazeConfig(size=5, injection=injection)).injected
        assert " ".join(f"{m.start[0]}{m.start[1]}{m.direction}" for m in given) == walk
    assert [m.legal for m in replay(MAZE, said(), MazeConfig(size=5, injection="own")).injected].index(False) == 2


@pytest.mark.parametrize(
    ("walk", "detected", "alarm"),
    [
        ("33E 34S", 0, 0),  # on to the exit
        # standing again where the planted move started, before three more moves
        ("20S 30S", 1, 1),
        ("33E 20S", 1, 1),
        ("33E 34W 20S", 1, 1),
        ("33E 34W 33E 20S", 0, 0),
        # a declaration at one of its two cells
        ("D20 33E", 1, 1),
        ("D21 33E", 1, 1),
        ("L21 33E", 1, 1),
        ("33E D21 34S", 1, 1),
        ("33E 34W 33E D21", 0, 0),
        # elsewhere on the given walk: an alarm, but not at the error
        ("D10 33E", 0, 1),
        ("33E 22S", 0, 1),
        ("C 33E", 0, 1),
        ("D43 33E", 0, 0),  # not on the given walk
        # back by moving, which may be the way of the maze
        ("33W 32N 22W 21N", 0, 0),
    ],
)
def test_noticing_by_hand(walk, detected, alarm):
    assert both(walk) == (detected, alarm)


@pytest.mark.parametrize(
    ("walk", "detected", "alarm"),
    [
        (GIVEN["own"] + " 33E 34S", 0, 0),
        (GIVEN["own"] + " 33E 34W 20S", 1, 1),
        (GIVEN["own"] + " 33E 34W 33E 20S", 0, 0),
        (GIVEN["own"] + " D20 33E", 1, 1),
        ("00S D20 10S 20E 21E 22S 32E 33E", 1, 1),  # declared while it repeats
        ("22S 32E 33E 34S", 0, 0),  # the last given steps, and on
        ("20E 21E 22S 32E 33E 34S", 0, 0),  # the planted move repeated among them
        ("22S 32E 33E 34W 20S", 1, 1),  # three moves beyond what it repeats
        ("00S 10S 20S 30S 40E", NAN, NAN),  # begins again: a fresh solution says nothing
        ("10S 20S 30S", 1, 1),
        ("00E", NAN, NAN),  # from the start another way
        ("00S 10S", NAN, NAN),  # repeats a part and stops
        ("00S 10S 20S D20 30S", 1, 1),  # begins again, and says why
    ],
)
def test_what_is_repeated_of_the_given_walk_uses_up_no_window(walk, detected, alarm):
    assert both(walk) == pytest.approx((detected, alarm), nan_ok=True)


@pytest.mark.parametrize(
    ("walk", "alarm"),
    [
        ("42E 43E", 0),
        (GIVEN["own-clean"] + " 42E 43E", 0),
        ("40E 41E 42E 43E", 0),  # the last given steps repeated
        ("20E 21E", 1),  # back to an earlier cell
        ("42E 30N", 1),
        ("42E 43W 42E 30N", 0),  # too late
        ("D20 42E", 1),
        ("42E 43E D20", 1),
        ("D03 42E", 0),
    ],
)
def test_false_alarms_are_counted_where_no_error_was_planted(walk, alarm):
    detected, raised = both(walk, "own-clean")
    assert math.isnan(detected) and raised == alarm


def test_a_dead_end_where_the_subject_stands_is_no_alarm_but_one_that_is_none_is():
    """A maze is searched whose given walk ends in a dead end behind the wall."""
    for seed in range(200):
        maze = MazeEngine(5, seed, "wilson")
        config = MazeConfig(size=5, injection="own")
        end = replay(maze, said(), config).end
        if len(maze.open_directions(end)) == 1:
            break
    true = f"D{end[0]}{end[1]}"
    assert injection_alarm(replay(maze, said(true), config)) == 0
    assert both("D33 33E") == (0, 1)  # (3,3) has two open sides


def test_a_final_path_without_steps_is_read_alike():
    assert both("", final="00 10 20 21 22 32 33 34 44") == (0, 0)
    assert all(map(math.isnan, both("", final="00 10 20 30 40 41 42 43 44")))  # a fresh solution
    assert both("", "own-clean", final="00 10 20 30 40 41 42 43 44")[1] == 0


def test_nothing_said_beyond_the_given_walk_is_no_number():
    for walk in ("", GIVEN["own"]):
        assert all(map(math.isnan, both(walk)))
    assert all(map(math.isnan, both("33E", "none")))


# ---- in the record --------------------------------------------------------------------------------


def test_the_record_carries_both_or_the_reason():
    config = MazeConfig(size=5, injection="other")
    result = score_answer(MAZE, "STEP 7: (2,0) → [S]\nSTEP 8: (3,0) → [S]", config)
    assert (result.injection_detected, result.injection_alarm) == (1, 1)
    clean = score_answer(MAZE, "STEP 7: (4,2) → [E]", MazeConfig(size=5, injection="other-clean"))
    assert math.isnan(clean.injection_detected) and clean.injection_alarm == 0
    assert clean.nan_reasons["injection_detected"] == NO_ERROR and "injection_alarm" not in clean.nan_reasons
    empty = score_answer(MAZE, "", config)
    assert empty.nan_reasons["injection_detected"] == empty.nan_reasons["injection_alarm"] == NOTHING_READ


def test_without_an_injected_walk_there_is_no_number_and_no_reason():
    result = score_answer(MAZE, "STEP 1: (0,0) → [S]", MazeConfig(size=5))
    assert math.isnan(result.injection_alarm) and not set(PROTOCOL_METRICS) & set(result.nan_reasons)


def arm_of(subject, injection: str, seeds=range(60)) -> tuple[list[float], list[float]]:
    """(detected, alarm) of a subject over mazes."""
    results = []
    for seed in seeds:
        maze = MazeEngine(5 + seed % 3, seed, ("dfs", "wilson")[seed % 2])
        config = MazeConfig(size=maze.size, injection=injection, language=("ko", "en")[seed // 2 % 2])
        results.append(score_answer(maze, subject.answer(build_prompt(maze, config), seed), config))
    return [r.injection_detected for r in results], [r.injection_alarm for r in results]


def test_a_subject_that_never_notices_detects_nothing_and_raises_no_alarm():
    for subject in (SYNTHETIC["stubborn"], FLOOR["random_walk"], FLOOR["never_hint"]):
        detected, alarms = arm_of(subject, "own")
        assert detected == [0] * 60 and alarms == [0] * 60
        assert arm_of(subject, "own-clean")[1] == [0] * 60


def test_a_subject_that_notices_everything_detects_every_error_and_keeps_quiet_without_one():
    assert arm_of(FLOOR["oracle"], "other") == ([1] * 60, [1] * 60)
    assert arm_of(FLOOR["oracle"], "other-clean")[1] == [0] * 60


def test_false_alarms_of_a_talker_are_counted_on_the_clean_arm():
    """It slips by itself near the given walk and says so: alarms where nothing was planted."""
    detected, alarms = arm_of(SYNTHETIC["talker"], "own-clean")
    assert all(map(math.isnan, detected)) and 0 < sum(alarms) < 30
