"""Tallies of a walk that was counted by hand, and the measures of their sums."""

import math

import pandas as pd
import pytest

from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.study.validity.tallies import POOLED, TALLIES, tallies
from hallumaze_kit.trial.parsing import parse_answer
from hallumaze_kit.trial.replay import replay

# A 3×3 maze: junctions (0,1) and (1,1); dead ends (0,2), (1,2), (2,0).
MAZE = MazeEngine.from_text("""HALLUMAZE 3x3
(0,0): [E→]
(0,1): [E→ S↓ W←]
(0,2): [W←]
(1,0): [E→ S↓]
(1,1): [N↑ E→ S↓ W←]
(1,2): [W←]
(2,0): [N↑]
(2,1): [N↑ E→]
(2,2): [W←]
""")
WALK = """STEP 1: (0,0) → [E] | confidence: 90%
STEP 2: (0,1) → [E] | confidence: 90%
DEAD_END at (0,2) — backtracking
STEP 3: (0,2) → [W] | confidence: 90%
STEP 4: (0,1) → [S] | confidence: 90%
STEP 5: (1,1) → [W] | confidence: 90%
STEP 6: (1,0) → [N] | confidence: 40%
DEAD_END at (0,0) — backtracking
STEP 7: (1,0) → [E] | confidence: 90%
STEP 8: (1,1) → [E] | confidence: 90%
LOOP detected at (1,2) — visited at step 2
STEP 9: (1,2) → [W] | confidence: 90%
STEP 10: (1,1) → [S] | confidence: 90%
STEP 11: (2,1) → [E] | confidence: 90%
"""


def counted(text):
    found = tallies(MAZE, replay(MAZE, parse_answer(text)), lures_shown=False)
    return dict(zip(TALLIES, found, strict=True))


def test_a_walk_counted_by_hand():
    assert counted(WALK) == pytest.approx(
        {
            "n_moves": 11, "n_legal": 10, "n_illegal": 1, "n_acted": 1, "n_named": 1,
            "n_alarms": 1,  # step 8, beside the loop that is none
            "n_repeats": 0, "n_junctions": 5, "n_reversals": 0,
            "n_dead_ends": 2, "n_dead_ends_missed": 1, "n_true": 1, "n_false": 2,
            "n_lures": 0, "n_lures_followed": 0,
            "n_unmarked": 3, "n_unmarked_followed": 2,  # east at (0,1); west, not east, at (1,1)
            "n_stated": 11, "n_stated_wrong": 1, "sum_confidence": 9.4, "sum_confidence_wrong": 0.4,
            "sum_correct": 10, "sum_squares_right": 8.1,
        }
    )  # fmt: skip


def test_words_alone_make_nothing_acted_and_silence_nothing_named():
    silent = "\n".join(line for line in WALK.splitlines() if line.startswith("STEP"))
    found = counted(silent)
    assert (found["n_acted"], found["n_named"], found["n_true"], found["n_false"]) == (1, 0, 0, 0)
    walked_on = "STEP 1: (0,0) → [S]\nDEAD_END at (1,0) — backtracking\nSTEP 2: (1,0) → [E]\nSTEP 3: (1,1) → [S]"
    found = counted(walked_on)
    assert (found["n_illegal"], found["n_acted"], found["n_named"]) == (1, 0, 1)


def test_mended_and_done_again_is_not_mended():
    again = "STEP 1: (0,0) → [S]\nSTEP 2: (0,0) → [S]\nSTEP 3: (0,0) → [E]"
    assert (counted(again)["n_illegal"], counted(again)["n_acted"]) == (2, 1)


def test_going_straight_back_past_an_untried_way_is_losing_track():
    turned = "STEP 1: (0,0) → [E]\nSTEP 2: (0,1) → [W]\nSTEP 3: (0,0) → [E]\nSTEP 4: (0,1) → [S]"
    found = counted(turned)
    assert (found["n_junctions"], found["n_reversals"], found["n_repeats"]) == (2, 1, 1)
    out_of_a_dead_end = "STEP 1: (0,0) → [E]\nSTEP 2: (0,1) → [E]\nSTEP 3: (0,2) → [W]\nSTEP 4: (0,1) → [S]"
    assert counted(out_of_a_dead_end)["n_reversals"] == 0


def test_an_empty_answer_counts_nothing():
    assert set(counted("").values()) == {0}


def pooled(name, **sums):
    return float(POOLED[name](pd.DataFrame([dict.fromkeys(TALLIES, 0) | sums]))[0])


def test_the_worked_numbers_of_the_measures():
    named = {"n_named": 4, "n_illegal": 10, "n_alarms": 12, "n_legal": 60}
    assert pooled("named", **named) == pytest.approx(0.4)
    assert pooled("named_beyond", **named) == pytest.approx(0.2)
    lures = {"n_lures": 10, "n_lures_followed": 6, "n_unmarked": 20, "n_unmarked_followed": 5}
    assert pooled("lure_excess", **lures) == pytest.approx(0.6 - 0.25)
    # Right steps at 0.9, 0.9, 0.7, 0.7; wrong ones at 0.5, 0.3: means 0.8 and 0.4, deviation of the right ones 0.1.
    stated = {
        "n_stated": 6, "n_stated_wrong": 2, "sum_confidence": 4.0, "sum_confidence_wrong": 0.8, "sum_correct": 4,
        "sum_squares_right": 0.81 * 2 + 0.49 * 2,
    }  # fmt: skip
    assert pooled("confidence_gap", **stated) == pytest.approx(0.4)
    assert pooled("confidence_spread", **stated) == pytest.approx(0.1)
    assert pooled("overclaim", **stated) == pytest.approx(0.0)


@pytest.mark.parametrize("name", POOLED)
def test_nothing_to_divide_by_is_no_number(name):
    assert math.isnan(pooled(name))
