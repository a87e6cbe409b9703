"""What stands beside the document's metrics (specification, section 6): each definition on a walk worked by hand.

Maze and short form of walks are those of `test_replay`; (0,1) S and (0,2) E carry false lures, (2,2) W none.
"""

from __future__ import annotations

import math

import pytest
from trial.test_replay import JUNCTION_BEHIND_A_WALL, PICTURE, SOLUTION, SOLVED, drawn, said

from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.trial.measuring import measures
from hallumaze_kit.trial.prompt import injected_walk
from hallumaze_kit.trial.replay import replay
from hallumaze_kit.trial.scoring import score_answer
from hallumaze_kit.trial.trace import DeadEnd, Step, StrategyChange, Trace

MAZE = drawn(PICTURE, ("01", "S", "false"), ("02", "E", "false"))


def happened(walk: str = "", final: str | None = None):
    return replay(MAZE, said(walk, final))


def noticed(walk: str, final: str | None = None) -> list[tuple[bool, bool, int | None]]:
    return [(n.detected, n.recovered, n.lag) for n in measures.noticing(happened(walk, final))]


# ---- detected: named before three more moves -------------------------------------------------------

AT_ONCE, AFTER_ONE, AFTER_TWO, NOT = (True, True, 0), (True, True, 1), (True, True, 2), (False, False, None)


@pytest.mark.parametrize(
    ("walk", "expected"),
    [
        # (0,0) S is a wall; the walk goes on behind it
        ("00S 10E 11N", [NOT]),
        ("00S D10 10E 11N 01E", [AT_ONCE]),  # a declaration at its target, no more moves
        ("00S L00 10E 11N 01E", [AT_ONCE]),  # at its start
        ("00S 10E D10 11N 01E", [AFTER_ONE]),
        ("00S 10E 11N D10 01E", [AFTER_TWO]),
        ("00S 10E 11N 01E D10", [NOT]),  # three more moves have been made
        ("00S D11 10E 11N", [NOT]),  # at another cell
        ("D10 00S 10E 11N", [NOT]),  # before it happened
        ("00S C 10E 11N", [AT_ONCE]),  # a change of strategy stands where the subject stands
        ("00S 10E C 11N", [NOT]),  # at (1,1), neither of the two cells
        # standing again where the move started
        ("00S 00E 01E", [AT_ONCE]),
        ("00S 10E 00E 01E", [AFTER_ONE]),
        ("00S 10E 11N 00E 01E", [AFTER_TWO]),
        ("00S 10E 11N 01E 00E", [NOT]),  # by a return, too late
        ("00S 10E 11N 01W", [NOT]),  # the third move leads back: too late
        ("00E 01S 11S 21W 20>11", [AFTER_ONE]),  # back by a stated return, at the end of the walk
        ("00E 11W 10E", [NOT]),  # at the jump's target and on from there
        ("00>22 00E 01E", [AT_ONCE]),  # a jump, and standing where it started
        # left standing, and the same wall again: named, and joined again
        ("00S 00S 10E 11N 01E", [(True, False, 0), NOT]),
        ("00S 00S 00E", [(True, False, 0), AT_ONCE]),
        # two hallucinations, the second one named
        ("00S 10S D20 20S", [NOT, AT_ONCE]),
        ("00E 01S 11S D21 21N", [(True, False, 0), NOT]),
    ],
)
def test_a_hallucination_is_detected_before_three_more_moves_or_not(walk, expected):
    assert noticed(walk) == expected


def test_standing_again_where_a_move_started_counts_even_if_the_next_move_is_a_leap():
    """The subject stands at (0,0) again, and leaps from there."""
    assert noticed("00S 00>22 22E")[0] == AT_ONCE


def test_a_move_back_onto_the_start_of_the_illegal_move_counts():
    """(1,1) S is a wall; from (2,1) back north through the same wall: standing where it started, and joined again."""
    assert noticed("00E 01S 11S 21N")[0] == (True, False, 1)


# ---- recovered: detected, and not joined again ------------------------------------------------------


@pytest.mark.parametrize(
    ("walk", "final", "expected"),
    [
        ("00S 00E 01E", None, [AT_ONCE]),
        ("00S 00E 01E 02S 12S 22E 23S", SOLUTION, [AT_ONCE]),
        ("00S 00E 01S 11W 10N", None, [(True, False, 0), NOT]),  # later through the same wall, from the other side
        ("00S 00E 01E", "00 10 11 01 02", [(True, False, 0)]),  # in the final path
        ("00S 00E 01E", "01 00 10", [(True, False, 0)]),
        ("00S 10E 11N", SOLUTION, [NOT]),  # the final path mends it, but it was never named
    ],
)
def test_a_detected_hallucination_is_recovered_if_its_cells_are_not_joined_again(walk, final, expected):
    assert noticed(walk, final) == expected


def test_the_walk_of_a_final_path_alone_does_not_join_its_own_hallucination_again():
    """The final path is the walk, so its one crossing is not a second one."""
    trace = said(final="00 10 00 01")
    assert next((n.detected, n.recovered) for n in measures.noticing(replay(MAZE, trace))) == (True, False)
    (only,) = measures.noticing(replay(MAZE, Trace(events=(DeadEnd((1, 0)),), final_path=((0, 0), (1, 0)))))
    assert (only.detected, only.recovered, only.lag) == (True, True, 0)


def test_after_an_injected_walk_a_hallucination_is_detected_as_after_none():
    maze, config = MazeEngine(7, 3, "wilson"), MazeConfig(size=7, injection="own-clean")
    assert len(injected_walk(maze, config)) > 2
    last = replay(maze, Trace(), config).end
    closed = next(d for d in "NESW" if d not in maze.open_directions(last))
    wrong, right = Step(None, last, closed), Step(None, last, maze.onward(last))
    (named,) = measures.noticing(replay(maze, Trace(events=(wrong, DeadEnd(last), StrategyChange())), config))
    (stood,) = measures.noticing(replay(maze, Trace(events=(wrong, right)), config))
    assert (named.index, named.detected, named.lag) == (0, True, 0)
    assert (stood.index, stood.detected, stood.lag) == (0, True, 0)


# ---- lures: met and followed at first visits --------------------------------------------------------


def lures(walk: str, final: str | None = None, shown: bool = True) -> tuple[int, int, int, int]:
    counted = measures.lure_counts(MAZE, happened(walk, final), shown)
    return counted.met, counted.followed, counted.unmarked_met, counted.unmarked_followed


@pytest.mark.parametrize(
    ("walk", "expected"),
    [
        (SOLVED, (2, 0, 1, 0)),  # all three branches met, none followed
        ("00E 01E", (1, 0, 0, 0)),  # stands at (0,2) without having chosen
        ("00E 01S 11N 01E 02S 12S 22E", (2, 1, 1, 0)),  # the first lure followed
        ("00E 01S 11N 01S", (1, 1, 0, 0)),  # followed again: only the first visit counts
        ("00E 01W 00E 01S", (1, 0, 0, 0)),  # followed at the second visit only
        ("00E 01E 02E 03W 02S 12S 22W", (2, 1, 1, 1)),
        ("00E 01N 01S", (1, 0, 0, 0)),  # the first choice was a wall
        ("00E 12S 22W", (0, 0, 1, 1)),  # a jump past both lures
        ("", (0, 0, 0, 0)),
    ],
)
def test_lures_and_unmarked_branches_are_counted_at_first_visits(walk, expected):
    assert lures(walk) == expected


def test_where_lures_are_not_shown_every_wrong_branch_is_unmarked():
    assert lures("00E 01S 11N 01E 02S 12S 22E", shown=False) == (0, 0, 3, 1)


def test_lures_at_the_exit_are_left_out():
    """In the 5×5 maze of seed 1001 a lure at (4,4) points back north."""
    maze = MazeEngine(5, 1001)
    assert [(lure.cell, lure.direction) for lure in maze.mirage_traps] == [((4, 2), "W"), ((4, 4), "N")]
    through = (*maze.solution, (3, 4), (2, 4))
    counted = measures.lure_counts(maze, replay(maze, Trace(final_path=through)), True)
    assert (counted.met, counted.followed) == (1, 0)


def test_only_false_lures_are_met_and_a_marked_branch_is_never_unmarked():
    maze = drawn(PICTURE, ("01", "E", "true"), ("02", "E", "neutral"), ("22", "W", "false"))
    counted = measures.lure_counts(maze, replay(maze, said(SOLVED)), True)
    assert (counted.met, counted.unmarked_met) == (1, 1), "(2,2) W is false; (0,1) S is unmarked; (0,2) E is neutral"


def test_a_junction_behind_a_wall_that_was_not_passed_was_not_visited():
    """(1,1) is tried from (1,0), the subject is left standing; it comes there later by the path, and is lured."""
    maze = drawn(JUNCTION_BEHIND_A_WALL, ("11", "E", "false"))
    assert maze.decision_cells == ((0, 0), (1, 1), (2, 1)) and not maze.is_open((1, 0), "E")
    for walk in ("00S 10N 00E 01S 11E", "00S 10E 10N 00E 01S 11E"):
        counted = measures.lure_counts(maze, replay(maze, said(walk)), True)
        assert (counted.met, counted.followed) == (1, 1), walk


# ---- false alarms, missed dead ends, slips ---------------------------------------------------------


@pytest.mark.parametrize(
    ("walk", "alarms"),
    [
        (SOLVED, 0),
        ("00E 01S 11W D10", 0),
        ("00E D01", 1),  # a junction
        ("D00", 1),  # the start has one opening but is no dead end
        (SOLVED + " D33", 1),  # nor is the exit
        ("00E L01", 1),  # first visit
        ("00E 01W L00", 0),
        ("00E D01 L01 D33", 3),
        ("00E C", 0),  # a change of strategy is neither true nor false
    ],
)
def test_false_alarms_are_declarations_that_are_not_true(walk, alarms):
    assert measures.false_alarms(happened(walk).declarations) == alarms


@pytest.mark.parametrize(
    ("walk", "missed"),
    [
        (SOLVED, 0),
        ("00E 01S 11W 10E", 1),
        ("00E 01S 11W D10 10E", 0),
        ("00E 01S 11W 10E 11N D10", 0),  # declared later
        ("00E 01S 11W D11", 1),  # another cell was declared
        ("00E 01S 11W L10", 1),  # a loop is no dead end
        ("00E 01S 11W 10E 11W", 1),  # entered twice, one dead end
        ("00E 01S 11W 10E 11N 01E 02E 03S 13N", 2),
        ("00E 01W 00E", 0),  # the start is none
        ("00S 10E", 1),  # entered through a wall
    ],
)
def test_missed_dead_ends_are_entered_and_not_declared(walk, missed):
    assert measures.missed_dead_ends(MAZE, happened(walk)) == missed


def test_a_dead_end_behind_a_wall_that_was_not_passed_was_not_entered():
    """(1,0) is tried from the start; the subject is left standing."""
    assert measures.missed_dead_ends(MAZE, happened("00S 00E 01E")) == 0


@pytest.mark.parametrize(
    ("walk", "slips"),
    [
        (SOLVED, 0),
        ("00S 00E", 1),  # the start is a corridor here
        ("00N 00W 00E", 2),
        ("00E 01N 01E", 0),  # a closed side tried at a junction is a decision
        ("00E 01E 02S 12E 12S", 1),
        ("00E 01E 02S 12S 22S 22E", 0),
        ("00E 12S", 0),  # a jump is no closed side
    ],
)
def test_slips_are_closed_sides_tried_where_there_was_nothing_to_decide(walk, slips):
    made = happened(walk)
    assert measures.slips(MAZE, made.moves) == slips


# ---- signals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("walk", "signals"),
    [
        (SOLVED, ()),
        ("00E 01S 11W D10", ("dead end",)),
        ("00E 01W", ("backtracking",)),
        ("00E L01", ("loop detected",)),
        ("00E C", ("strategy_change",)),
        ("00E 01W D10 L00 C", ("dead end", "backtracking", "loop detected", "strategy_change")),
        ("00E 01S 11W 01E", ("backtracking",)),  # by a return
    ],
)
def test_each_signal_comes_from_its_event(walk, signals):
    trace = said(walk)
    assert set(measures.signals(trace, replay(MAZE, trace))) == set(signals)
    assert len(measures.signals(trace, replay(MAZE, trace))) == len(signals)


@pytest.mark.parametrize(
    "text",
    [
        "BACKTRACK_COUNT: 0\nHALLUCINATION_COUNT: 0",
        "DEAD_END: none\nLOOP: none\nSTRATEGY_CHANGE: none",
        "막다른 길: 없음\n루프: 없음\n전략 변경: 없음",
        "I saw no loop and no dead end.",
    ],
)
def test_words_that_only_name_an_event_are_no_signal(text):
    result = score_answer(MAZE, "STEP 1: (0,0) → [E]\nSTEP 2: (0,1) → [E]\n" + text)
    assert result.metacog_signals == []


# ---- failure modes ---------------------------------------------------------------------------------


def mode(walk: str = "", final: str | None = None, shown: bool = True, maze: MazeEngine = MAZE, **fields) -> str:
    trace = said(walk, final, **fields)
    return measures.failure_mode(maze, trace, replay(maze, trace), shown)


@pytest.mark.parametrize(
    ("walk", "final", "fields", "expected"),
    [
        (SOLVED, SOLUTION, {}, "clean"),
        ("00E 01S 11N 01E 02S 12S 22E 23S", None, {}, "clean"),  # a detour is no hallucination
        ("00S 00E 01E 02S 12S 22E 23S", SOLUTION, {}, "recovered"),
        ("00S 10E 11N 01E 02S 12S 22E 23S", SOLUTION, {}, "solved unnoticed"),
        ("00S 00E 01N 01E 02S 12S 22E E", SOLUTION, {}, "solved unnoticed"),  # the last one is not named
        ("", None, {"gave_up": True}, "gave up"),
        ("00E 01E", None, {"gave_up": True, "truncated": True}, "gave up"),  # the first that fits
        ("", None, {}, "unreadable"),
        ("", None, {"truncated": True}, "unreadable"),
        ("00E 01E", None, {"truncated": True}, "cut off"),
        ("00E 01W 00E 01W 00E", None, {"truncated": True}, "cut off"),
        ("00E 01W 00E 01W 00E", None, {}, "stuck"),  # no new cell in the last four moves
        ("00E 01W 00E 01W", None, {}, "stopped short"),  # the first of the last four is new
        ("00E 01S 11W 10E 11W 10E 11W", None, {}, "stuck"),  # in a branch behind a lure, and no new cell for long
        ("00E 01S 11W", None, {}, "lured"),
        ("00S 00E 01S 11W", "00 10", {}, "lured"),  # the final path breaks a wall that was named: comes after
        ("00E 01S 11W 10E 11N", None, {}, "stopped short"),  # back on the path at (0,1)
        ("00E 01E 02E 03S", None, {}, "lured"),
        ("00E 01E 02S 12S 22W 21W", None, {}, "stopped short"),  # off the path, but no lure stood there
        ("00E 01S 11S D21 21E", "00 01 11 21 22 23 33", {}, "not corrected"),  # named, and broken in the final path
        ("00S 00E 01E 02S 12S", "00 10 11 01 02 12 22 23 33", {}, "not corrected"),
        ("00S 10E 11N 01E 02S 12S", None, {}, "unnoticed"),
        (SOLVED, "00 01 02 12 22 33", {}, "unnoticed"),  # a wall of the final path only
        ("00S 00E 01E 02S 12S", None, {}, "stopped short"),  # named, mended, not finished
        ("00E 01E 02S 12S", None, {}, "stopped short"),
        (SOLVED, "00 01 02 12", {}, "stopped short"),
    ],
)
def test_each_failure_mode_on_a_walk_by_hand(walk, final, fields, expected):
    assert mode(walk, final, **fields) == expected


def test_without_lures_on_the_page_nobody_is_lured():
    assert mode("00E 01S 11W", shown=False) == "stopped short"


def test_a_true_or_neutral_lure_lures_nobody():
    maze = drawn(PICTURE, ("01", "S", "neutral"))
    assert mode("00E 01S 11W", maze=maze) == "stopped short"


def test_running_against_the_same_wall_enters_no_new_cell():
    """Four moves, all of them against the wall south of the start, the subject left standing each time."""
    assert mode("00S 00S 00S 00S") == "stuck"


def test_running_against_other_walls_enters_no_new_cell():
    assert mode("00E 01N 01N 01N 01N 01N") == "stuck"


def test_every_mode_that_the_kit_names_is_tried_here():
    tried = {row[3] for row in test_each_failure_mode_on_a_walk_by_hand.pytestmark[0].args[1]}
    assert tried == set(measures.FAILURES)


# ---- in the result ---------------------------------------------------------------------------------

ANSWER = """\
STEP 1: (0,0) → [S] | confidence: 90% | try
STEP 2: (0,0) → [E] | confidence: 60% | that was a wall
STEP 3: (0,1) → [S] | confidence: 60% | hint
STEP 4: (1,1) → [W] | confidence: 60% | on
DEAD_END at (1,0) — backtracking
STEP 5: (1,0) → [E] | confidence: 70% | back
STEP 6: (1,1) → [N] | confidence: 70% | back
STEP 7: (0,1) → [E] | confidence: 80% | on
STEP 8: (0,2) → [S] | confidence: 80% | on
BACKTRACK_COUNT: 1
HALLUCINATION_COUNT: 3
FINAL_PATH: (0,0)→(0,1)→(0,2)→(1,2)"""


def test_the_measures_of_a_whole_answer_by_hand():
    result = score_answer(MAZE, ANSWER)
    assert (result.sr, result.hallucination_count, result.first_hallucination_step) == (0, 1, 1)
    assert result.backtrack_count == 1, "one run of two; the wall's far side (1,0) was not visited before step 4"
    assert (result.detected, result.recovery_rate, result.recovery_lag) == (1, 1, 0)
    assert (result.lure_rate, result.wrong_branch_rate) == (0.5, result.wrong_branch_rate)
    assert math.isnan(result.wrong_branch_rate) and math.isnan(result.lure_effect), "(2,2) was never reached"
    assert result.nan_reasons["wrong_branch_rate"] == "no unmarked wrong branch was met"
    assert (result.false_alarms, result.missed_dead_ends, result.slips) == (0, 0, 1)
    assert result.moves == 8 and result.excess == pytest.approx(8 / 6)
    assert (result.reported_hallucinations, result.reported_backtracks, result.report_gap) == (3, 1, 2)
    assert set(result.metacog_signals) == {"dead end", "backtracking"}
    assert result.failure_mode == "stopped short"


def test_the_effect_of_lures_is_the_difference_of_the_two_rates():
    text = "\n".join(
        f"STEP {i}: ({where[0]},{where[1]}) → [{where[2]}]"
        for i, where in enumerate(["00E", "01S", "11N", "01E", "02S", "12S", "22E", "23S"], 1)
    )
    result = score_answer(MAZE, text)
    assert (result.lure_rate, result.wrong_branch_rate, result.lure_effect) == (0.5, 0.0, 0.5)
    hidden = score_answer(MAZE, text, MazeConfig(size=4, use_mirage=False))
    assert math.isnan(hidden.lure_rate) and hidden.nan_reasons["lure_rate"] == "lures were not shown"
    assert hidden.wrong_branch_rate == pytest.approx(1 / 3)


def test_report_gap_counts_nothing_where_nothing_was_reported():
    result = score_answer(MAZE, "STEP 1: (0,0) → [S]\nSTEP 2: (1,0) → [E]")
    assert math.isnan(result.report_gap) and math.isnan(result.reported_hallucinations)
    assert result.nan_reasons["report_gap"] and result.nan_reasons["reported_hallucinations"]


def test_without_hallucinations_there_is_nothing_to_recover():
    result = score_answer(MAZE, "FINAL_PATH: (0,0)→(0,1)→(0,2)→(1,2)→(2,2)→(2,3)→(3,3)")
    for name in ("detected", "recovery_rate", "recovery_lag"):
        assert math.isnan(getattr(result, name)) and result.nan_reasons[name] == "no hallucination in the walk"
