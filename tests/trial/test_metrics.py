"""Counts (section 5) and the document's formulas (section 6): values worked by hand, ranges, their flaws, bad input."""

from __future__ import annotations

import doctest
import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trial.test_replay import MAZE, SOLUTION, SOLVED, happened

from hallumaze_kit import MazeEngine, metrics_from_counts, score_answer
from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import STEP
from hallumaze_kit.trial.measuring import metrics

NAN = math.nan


def made(sr=0, hc=0, fhr=-1, bt=0, lt=0, ce=None, size=7, **options) -> dict[str, float]:
    return metrics_from_counts(sr, hc, fhr, bt, lt, ce, size, **options)


def test_the_examples_in_the_docstrings_hold():
    tried = doctest.testmod(metrics)
    assert tried.failed == 0 and tried.attempted >= 4


# ---- FHR, HC and the final path --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("walk", "final", "first", "count"),
    [
        (SOLVED, SOLUTION, -1, 0),
        (SOLVED, None, -1, 0),
        ("00E 01N 01E 02S", None, 2, 1),  # of the walk's moves
        (SOLVED, "00 01 02 12 22 33", 5, 1),  # else of the final path's: (2,2)→(3,3) is no move
        (SOLVED, "00 10 11 01 02 12 22 23 33", 1, 1),  # a wall only in the final path
        ("00E 01E 02N 02S 12S 22E 23S", "00 10 11 01 02 12 22 23 33", 3, 2),  # the walk's number; both count
        ("00E 12S 22E 23S", "00 01 12 22 23 33", 2, 1),  # the same jump in both: once
        ("00S 10E 11N 01E", "00 10 11 01 02", 1, 1),  # the same wall in both: once (case T01)
        ("00S 10E 11N 01E", "10 00 01 02", 1, 1),  # the same wall from the other side: the pair has no order
        (SOLVED, "00 10 00 10 11 01 02", 1, 1),  # the same wall three times in the final path: once
        (SOLVED, "00 10 20 21 22 23 33", 1, 2),  # two walls: (0,0)|(1,0) and (1,0)|(2,0)
        ("00S 00S 00E 01E", None, 1, 2),  # the same wall twice in the walk is two attempts
        ("00E 01S 11S 21E 22E", None, 3, 1),
    ],
)
def test_first_and_number_of_hallucinations(walk, final, first, count):
    made = happened(walk, final)
    assert (made.first_hallucination, made.hallucination_count) == (first, count)


def test_an_answer_with_only_a_final_path_is_walked_along_it():
    walk = happened(final=SOLUTION)
    assert walk.walk_is_final
    assert [(m.start, m.end, m.direction, m.step) for m in walk.moves] == [
        ((0, 0), (0, 1), "E", 1), ((0, 1), (0, 2), "E", 2), ((0, 2), (1, 2), "S", 3),
        ((1, 2), (2, 2), "S", 4), ((2, 2), (2, 3), "E", 5), ((2, 3), (3, 3), "S", 6),
    ]  # fmt: skip
    assert walk.solves(MAZE) and walk.hallucination_count == 0


@pytest.mark.parametrize(
    ("final", "made", "first", "count", "turns"),
    [
        ("00 01 11 10 11 01 02", ["legal"] * 6, -1, 0, 1),
        ("00 10 11 01", ["wall", "legal", "legal"], 1, 1, 0),
        ("00 01 12 22", ["legal", "jump", "legal"], 2, 1, 0),
        ("00 10 00 10", ["wall", "wall", "wall"], 1, 3, 0),  # the walk's moves: each attempt counts
    ],
)
def test_the_walk_of_a_final_path_alone_is_judged_like_any_walk(final, made, first, count, turns):
    walk = happened(final=final)
    assert [m.kind for m in walk.moves] == made
    assert (walk.first_hallucination, walk.hallucination_count, walk.backtracks) == (first, count, turns)


def test_a_final_path_alone_that_begins_elsewhere_begins_with_a_jump():
    """Its moves are judged where they stand: (0,1)→(0,2) and (0,2)→(1,2) are open."""
    walk = happened(final="01 02 12")
    assert [(m.start, m.end, m.kind) for m in walk.moves] == [
        ((0, 0), (0, 1), "jump"), ((0, 1), (0, 2), "legal"), ((0, 2), (1, 2), "legal")
    ]  # fmt: skip
    assert not walk.solves(MAZE)


def test_a_final_path_alone_that_leaps_back_breaks_the_path():
    """(0,2)→(0,0) is a return of the walk, and an illegal move of the final path that the walk did not make so."""
    walk = happened(final="00 01 02 00 01")
    assert walk.first_hallucination == 3
    assert walk.hallucination_count == 1


CELLS = ["00", "01", "02", "12", "22", "23", "33", "11", "10", "21", "20"]
WORDS = ["00E", "01E", "02S", "12S", "22E", "E", "W", "S", "N", "00>11", "01>00", "D10", "L01"]


@given(st.lists(st.sampled_from(CELLS), max_size=9), st.lists(st.sampled_from(WORDS), max_size=9))
def test_there_is_a_first_hallucination_exactly_where_there_is_one_at_all(final, walk):
    made = happened(" ".join(walk), " ".join(final) if final else None)
    assert (made.first_hallucination == -1) == (made.hallucination_count == 0)


# ---- SR --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("walk", "final", "solved"),
    [
        (SOLVED, SOLUTION, True),
        (SOLVED, None, True),  # without a final path, the walk
        ("", SOLUTION, True),  # without steps, the final path
        ("00E 01S 11N 01E 02S 12S 22E 23S", None, True),  # a detour is legal
        ("00E 01S 11W 01E 02S 12S 22E 23S", None, True),  # so is a return
        ("00E 01N 01E 02S 12S 22E 23S", None, False),  # a wall was tried
        ("00E 01N 01E 02S 12S 22E 23S", SOLUTION, True),  # but the final path is clean
        ("00E 01E 02S 12S 22E", None, False),  # stops before the exit
        (SOLVED, "00 01 02 12 22 23", False),  # the final path decides, and stops short
        (SOLVED, "00 01 02 12 22 33", False),  # the final path leaves a cell out
        (SOLVED, "01 02 12 22 23 33", False),  # does not begin at the start
        (SOLVED, SOLUTION + " 23", False),  # does not end at the exit
        (SOLVED, "00 01 11 01 02 12 22 23 33", True),  # a detour in it is legal
        (SOLVED, "00", False),  # a final path of one cell leads nowhere
        ("", "33", False),
        ("", None, False),
    ],
)
def test_solved_is_from_start_to_exit_with_every_move_legal(walk, final, solved):
    assert happened(walk, final).solves(MAZE) is solved


# ---- counts as the public program makes them ---------------------------------------------------------


def test_published_counts_come_from_the_final_path_and_from_what_is_said():
    text = (
        "STEP 1: (0,0) → [S]\nSTEP 2: (0,0) → [E]\n"
        "DEAD_END at (1,0) — dead end, 막다른 길\nLOOP detected at (0,0), 루프\n"
        "BACKTRACK_COUNT: 2\nHALLUCINATION_COUNT: 1\nFINAL_PATH: (0,0)→(0,1)→(1,1)→(2,1)→(1,2)→(2,2)"
    )
    result = score_answer(MAZE, text, conventions="published")
    assert result.sr == 0
    assert result.hallucination_count == 1, "one wall, (1,1)→(2,1); (2,1)→(1,2) is not adjacent and ends the count"
    assert result.first_hallucination_step == 3
    assert result.backtrack_count == 3, "three mentions of a dead end, more than the self-report"
    assert result.loop_count == 2
    more = score_answer(MAZE, text.replace("HALLUCINATION_COUNT: 1", "HALLUCINATION_COUNT: 4"), conventions="published")
    assert more.hallucination_count == 4
    more = score_answer(MAZE, text.replace("BACKTRACK_COUNT: 2", "BACKTRACK_COUNT: 7"), conventions="published")
    assert more.backtrack_count == 7


def test_published_metrics_follow_from_the_published_counts():
    text = "STEP 1: (0,0) → [S]\nHALLUCINATION_COUNT: 3\nBACKTRACK_COUNT: 2\nFINAL_PATH: (0,0)→(1,0)"
    result = score_answer(MAZE, text, conventions="published")
    assert (result.hallucination_count, result.backtrack_count, result.first_hallucination_step) == (3, 2, 1)
    assert result.hrr == pytest.approx(2 / 3) and result.brs == pytest.approx(1 - 3 / 5)
    assert result.mei == pytest.approx(0.4 * 2 / 3 + 0.3 * 15 / 16 - 0.03)
    assert result.conventions == "published" and "conventions:published" in result.signature


# ---- formulas by hand -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "hrr", "mei", "brs", "score"),
    [
        # solved without a fault: HRR 1, MEI 0.4 + 0.3 + 0.2, BRS 1, Score 0.45 + 0.15 + 0.2
        ({"sr": 1}, 1.0, 0.9, 1.0, 0.8),
        ({"sr": 1, "ce": 0.0}, 1.0, 0.9, 1.0, 0.95),
        # unsolved, nothing happened: BRS 1 − 0/1
        ({}, 0.0, 0.0, 1.0, 0.35),
        # case T01: HRR 1/1, MEI 0.4 + 0.3·24/25 + 0 − 0.01, BRS 1 − 1/2
        ({"hc": 1, "fhr": 1, "bt": 1, "size": 5, "ce": 0.263636}, 1.0, 0.678, 0.5, 0.339 + 0.3 * 0.736364 + 0.1),
        # three hallucinations, two turns, one loop: HRR 2/3, f 1 − 5/49, loop escape, 0.03 off
        ({"hc": 3, "fhr": 5, "bt": 2, "lt": 1}, 2 / 3, 0.4 * 2 / 3 + 0.3 * 44 / 49 + 0.2 - 0.03, 0.4, None),
        # more turns than hallucinations: HRR stops at 1, BRS 1 − 1/5
        ({"hc": 1, "fhr": 3, "bt": 4}, 1.0, 0.4 + 0.3 * 46 / 49 - 0.01, 0.8, None),
        # loop declared, never turned back: no escape
        ({"lt": 3}, 0.0, 0.0, 1.0, 0.35),
        ({"lt": 3, "bt": 1}, 0.0, 0.2, 1.0, 0.1 + 0.15 + 0.2),
        # solved on the final path after a hallucination: HRR 0 without a turn
        ({"sr": 1, "hc": 2, "fhr": 7}, 0.0, 0.3 * 42 / 49 + 0.2 - 0.02, 0.0, None),
        # more than ten hallucinations cost no more than ten; the sum stays at 0
        ({"hc": 25, "fhr": 48}, 0.0, 0.0, 0.0, 0.15),
        # a first hallucination after move N² would make the term negative: it is clamped to 0
        ({"sr": 1, "hc": 1, "fhr": 60, "bt": 1}, 1.0, 0.4 + 0 + 0.2 - 0.01, 0.5, None),
        # means of a group of people
        ({"sr": 0.73, "hc": 2.1, "fhr": 6.5, "bt": 3.4}, 1.0, 0.4 + 0.3 * (1 - 6.5 / 49) - 0.021, 1 - 2.1 / 5.5, None),
        ({"hc": 0.5, "fhr": 2, "bt": 0.25}, 0.25, 0.1 + 0.3 * 47 / 49 - 0.005, 0.5, None),
    ],
)  # fmt: skip
def test_values_worked_by_hand(counts, hrr, mei, brs, score):
    got = made(**counts)
    assert got["hrr"] == pytest.approx(hrr, abs=1e-12)
    assert got["mei"] == pytest.approx(mei, abs=1e-12)
    assert got["brs"] == pytest.approx(brs, abs=1e-12)
    ce = counts.get("ce", 0.5)
    assert got["hallumaze_score"] == pytest.approx(0.5 * mei + 0.3 * (1 - ce) + 0.2 * brs if score is None else score)


def test_the_score_uses_one_half_where_there_is_no_calibration_error():
    assert made(sr=1, ce=None) == made(sr=1, ce=NAN) == made(sr=1, ce=0.5)
    assert made(sr=1, ce=0.0)["hallumaze_score"] - made(sr=1, ce=1.0)["hallumaze_score"] == pytest.approx(0.3)


def test_the_published_convention_gives_a_tenth_of_the_middle_term_where_nothing_happened():
    assert made(conventions="published")["mei"] == pytest.approx(0.03)
    assert made(conventions="published")["hallumaze_score"] == pytest.approx(0.365)
    for counts in ({"sr": 1}, {"hc": 1, "fhr": 3}, {"sr": 1, "hc": 2, "fhr": 4, "bt": 1}):
        assert made(**counts, conventions="published") == made(**counts)


counts = st.fixed_dictionaries(
    {
        "sr": st.sampled_from([0, 1]) | st.floats(0, 1),
        "hc": st.integers(0, 500) | st.floats(0, 500),
        "fhr": st.just(-1) | st.integers(1, 20000),
        "bt": st.integers(0, 500) | st.floats(0, 500),
        "lt": st.integers(0, 50),
        "ce": st.none() | st.just(NAN) | st.floats(0, 1),
        "size": st.integers(2, 101),
        "conventions": st.sampled_from(["verified", "published"]),
    }
)


@given(counts)
def test_every_metric_lies_in_its_range(given_counts):
    got = made(**given_counts)
    assert set(got) == {"hrr", "mei", "brs", "hallumaze_score"}
    assert 0 <= got["hrr"] <= 1 and 0 <= got["brs"] <= 1
    assert 0 <= got["mei"] <= 0.9 + 1e-12
    assert 0 <= got["hallumaze_score"] <= 0.95 + 1e-12


@given(counts, st.integers(0, 50))
def test_more_turning_back_never_lowers_hrr_and_brs(given_counts, more):
    less, greater = made(**given_counts), made(**(given_counts | {"bt": given_counts["bt"] + more}))
    assert greater["hrr"] >= less["hrr"] and greater["brs"] >= less["brs"]


# ---- what the docstring says the metrics cannot see ------------------------------------------------


def test_mei_cannot_pass_0_9_though_the_documents_example_does():
    """The document prints MEI 0.923 for a solved trial without hallucinations; its formula gives 0.9."""
    best = max(
        made(sr, hc, fhr, bt, lt, None, 7)["mei"]
        for sr in (0, 1) for hc in (0, 1, 2) for fhr in (-1, 1, 5) for bt in (0, 1, 2) for lt in (0, 1)
    )  # fmt: skip
    assert best == pytest.approx(0.9) and best < 0.923
    assert made(sr=1, hc=0, fhr=-1, bt=1, lt=1)["mei"] == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("mei", "ce", "brs", "printed", "by_formula"),
    [(0.847, 0.142, 0.910, 0.791, 0.8629), (0.412, 0.381, 0.600, 0.441, 0.5117), (0.923, 0.089, 0.950, 0.851, 0.9248)],
)
def test_the_scores_of_the_documents_example_do_not_follow_from_its_formula(mei, ce, brs, printed, by_formula):
    score = metrics.hallumaze_score(mei, ce, brs)
    assert score == pytest.approx(by_formula, abs=5e-5)
    assert abs(score - printed) > 0.05


def test_by_the_formulas_an_empty_answer_gets_0_35_but_the_kit_does_not_score_it():
    assert made()["hallumaze_score"] == pytest.approx(0.35)
    result = score_answer(MazeEngine(5, 1001), "")
    for name in ("mei", "hrr", "ce", "brs", "hallumaze_score"):
        assert math.isnan(getattr(result, name)) and result.nan_reasons[name] == "no move could be read"
    assert score_answer(MazeEngine(5, 1001), "", conventions="published").hallumaze_score == pytest.approx(0.365)


def test_an_honest_random_walk_to_the_exit_gets_mei_0_9():
    """Every move legal, drawn by chance; four times as many as needed, and no word about it."""
    rng, maze = random.Random(7), MazeEngine(5, 1001)
    here, lines = maze.start, []
    while here != maze.exit:
        way = rng.choice(maze.open_directions(here))
        lines.append(f"STEP {len(lines) + 1}: ({here[0]},{here[1]}) → [{way}] | ?")
        here = (here[0] + STEP[way][0], here[1] + STEP[way][1])
    result = score_answer(maze, "\n".join(lines))
    assert result.moves == len(lines) == 56 > 4 * 12 and result.backtrack_count > 3
    assert result.mei == pytest.approx(0.9) and result.brs == 1.0


def test_an_earlier_hallucination_raises_mei():
    """N = 7: FHR 2 adds 0.288, FHR 40 adds 0.055."""
    base = {"hc": 1, "bt": 0, "lt": 0}
    early, late = made(**base, fhr=2)["mei"] + 0.01, made(**base, fhr=40)["mei"] + 0.01
    assert early == pytest.approx(0.288, abs=5e-4) and late == pytest.approx(0.055, abs=5e-4)


def test_any_turning_back_recognises_any_hallucination():
    """Five walls crossed and five unrelated dead ends left: HRR 1."""
    assert made(hc=5, fhr=1, bt=5)["hrr"] == 1.0


# ---- bad input -----------------------------------------------------------------------------------

GOOD = {"sr": 0, "hc": 1, "fhr": 2, "bt": 1, "lt": 0, "ce": None, "size": 7}
BAD = [
    ("sr", -0.1), ("sr", 1.1), ("sr", NAN), ("sr", None), ("sr", "1"),
    ("hc", -1), ("hc", NAN), ("hc", math.inf), ("hc", None), ("hc", "1"),
    ("bt", -1), ("bt", NAN), ("bt", math.inf), ("bt", None), ("bt", [1]),
    ("lt", -0.5), ("lt", NAN), ("lt", math.inf), ("lt", None), ("lt", "0"),
    ("fhr", NAN), ("fhr", None), ("fhr", "2"), ("fhr", -7),
    ("ce", -0.1), ("ce", 1.1), ("ce", "0.5"), ("ce", math.inf),
    ("size", 1), ("size", 7.0), ("size", "7"), ("size", True), ("size", None),
    ("conventions", "v1.1"), ("conventions", None),
]  # fmt: skip


def test_the_good_input_of_the_bad_ones_is_good():
    assert metrics_from_counts(**GOOD)["hrr"] == 1.0


@pytest.mark.parametrize(("name", "value"), BAD)
def test_bad_input_is_refused_and_named(name, value):
    with pytest.raises(InputError, match=f"^{name} must be .*, got ") as error:
        metrics_from_counts(**(GOOD | {name: value}))
    assert "\n" not in str(error.value)
