"""`decisions_frame`: one row for each first visit to a junction of the solution (specification, section 9)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trial.test_replay import JUNCTION_BEHIND_A_WALL, PICTURE, SOLVED, drawn, said

from hallumaze_kit import MazeConfig, MazeEngine, decisions_frame, score_answer
from hallumaze_kit.trial.measuring.decisions import decision_rows
from hallumaze_kit.trial.replay import replay

#     +--+--+--+--+
#     |S          |      false lure (0,1) S, true lure (0,2) S, neutral lure (2,2) W
#     +--+  +  +  +
#     |     |  |  |
#     +--+--+  +--+
#     |           |
#     +  +--+--+  +
#     |        | E|
#     +--+--+--+--+
MAZE = drawn(PICTURE, ("01", "S", "false"), ("02", "S", "true"), ("22", "W", "neutral"))


def rows(walk: str, shown: bool = True, final: str | None = None) -> list[dict]:
    return list(decision_rows(MAZE, replay(MAZE, said(walk, final)), shown))


def choices(walk: str, **options) -> list[tuple[list[int], str, bool]]:
    return [(row["cell"], row["choice"], row["right"]) for row in rows(walk, **options)]


@pytest.mark.parametrize(
    ("walk", "expected"),
    [
        (SOLVED, [([0, 1], "E", True), ([0, 2], "S", True), ([2, 2], "E", True)]),
        ("00E 01S 11N 01E", [([0, 1], "S", False)]),  # the second visit to (0,1) is no new row
        ("00E 01W 00E 01E 02E", [([0, 1], "W", False), ([0, 2], "E", False)]),  # back is wrong too
        ("00E 01N 01E 02S", [([0, 1], "N", False), ([0, 2], "S", True)]),  # a closed side tried at a junction
        ("00S 00E 01E 02S 12E 12S 22E", [([0, 1], "E", True), ([0, 2], "S", True), ([2, 2], "E", True)]),  # slips
        ("00E", []),  # stands at a junction without having chosen
        ("", []),
        ("00E 01S 11W 10E 11N 01S", [([0, 1], "S", False)]),  # (1,1) is no junction
        ("00E 12S 22E", [([2, 2], "E", True)]),  # leapt past (0,2)
    ],
)
def test_one_row_for_each_first_visit_to_a_junction_of_the_solution(walk, expected):
    assert choices(walk) == expected


def test_a_final_path_alone_makes_decisions_too():
    assert choices("", final="00 01 02 03") == [([0, 1], "E", True), ([0, 2], "E", False)]


def test_a_junction_off_the_solution_is_no_decision():
    """Wilson's 7×7 maze of seed 5: the walk visits every cell of the maze, to and fro."""
    maze = MazeEngine(7, 5, "wilson")
    off = set(maze.junctions) - set(maze.solution)
    assert off
    words: list[str] = []

    def tour(cell: tuple[int, int], came: str) -> None:
        for way in maze.open_directions(cell):
            if way != came:
                back = {"N": "S", "S": "N", "E": "W", "W": "E"}[way]
                words.append(f"{cell[0]}{cell[1]}{way}")
                there = (cell[0] + (way == "S") - (way == "N"), cell[1] + (way == "E") - (way == "W"))
                tour(there, back)
                words.append(f"{there[0]}{there[1]}{back}")

    tour(maze.start, "")
    made = decision_rows(maze, replay(maze, said(" ".join(words))), True)
    assert sorted(tuple(row["cell"]) for row in made) == sorted(maze.decision_cells)


def test_a_junction_behind_a_wall_that_was_not_passed_is_decided_when_it_is_reached():
    """The junction (1,1) is tried from (1,0), through a wall; the subject is left standing and goes round."""
    maze = drawn(JUNCTION_BEHIND_A_WALL)
    made = decision_rows(maze, replay(maze, said("00S 10E 10N 00E 01S 11E")), True)
    assert [(row["cell"], row["choice"]) for row in made] == [([0, 0], "S"), ([1, 1], "E")]


# ---- columns ---------------------------------------------------------------------------------------


def test_a_row_says_what_stood_there_and_what_was_chosen():
    first, second, third = rows("00E:90 01S:80 11N:70 01E:60 02S:50 12S 22W")
    assert (first["exits"], first["distance"], first["confidence"], first["step"]) == ("ESW", 5, 0.8, 2)
    assert (second["exits"], second["distance"], second["confidence"], second["step"]) == ("ESW", 4, 0.5, 5)
    assert (third["exits"], third["distance"], third["step"]) == ("NEW", 2, 7)
    assert math.isnan(third["confidence"])
    assert {row["maze_id"] for row in (first, second, third)} == {MAZE.maze_id}


def test_lure_columns():
    followed = rows("00E 01S 11N 01E 02S 12S 22W")
    told = [(row["lure"], row["lure_direction"], row["lure_followed"]) for row in followed]
    assert told == [("false", "S", True), ("true", "S", True), ("neutral", "W", True)]
    ignored = rows("00E 01E 02E 03W 02S 12S 22E")
    told = [(row["lure"], row["lure_direction"], row["lure_followed"]) for row in ignored]
    assert told == [("false", "S", False), ("true", "S", False), ("neutral", "W", False)]
    hidden = rows(SOLVED, shown=False)
    assert {(row["lure"], row["lure_direction"], row["lure_followed"]) for row in hidden} == {("", "", False)}


def test_a_row_says_whether_the_choice_was_legal():
    assert [row["legal"] for row in rows("00E 01N 01E 02S")] == [False, True]
    assert [row["right"] for row in rows("00E 01N 01E 02S")] == [False, True]


def test_the_history_is_the_moves_before_as_letters():
    made = rows("00S 00E 01S 11W 01E 02E 12S 22W")
    assert [(row["cell"], row["history"], row["hallucinations_before"]) for row in made] == [
        ([0, 1], "SE", 1),
        ([0, 2], "SESW.E", 1),  # a point for the return to (0,1) before its move
        ([2, 2], "SESW.EE.S", 2),  # a point for the jump to (1,2)
    ]


# ---- the frame -------------------------------------------------------------------------------------


def written(walk: str) -> str:
    return "\n".join(f"STEP {n}: ({w[0]},{w[1]}) → [{w[2]}] | x" for n, w in enumerate(walk.split(), 1))


def test_the_frame_puts_the_trial_before_each_decision():
    config = MazeConfig(size=4, language="en", template=2)
    one = score_answer(MAZE, written(SOLVED), config, provider="pasted", model="m1", answer_id="a")
    two = score_answer(MAZE, written("00E 01S"), config, provider="pasted", model="m2", answer_id="b")
    none = score_answer(MAZE, "", config)
    frame = decisions_frame([one, none, two])
    assert list(frame["model"]) == ["m1"] * 3 + ["m2"]
    assert list(frame["answer_id"]) == ["a"] * 3 + ["b"]
    assert set(frame["language"]) == {"en"} and set(frame["template"]) == {2}
    assert [tuple(cell) for cell in frame["cell"]] == [(0, 1), (0, 2), (2, 2), (0, 1)]
    assert list(frame["right"]) == [True, True, True, False]
    assert frame.groupby("cell").size().to_dict() == {(0, 1): 2, (0, 2): 1, (2, 2): 1}


def test_no_decision_is_an_empty_frame_with_its_columns():
    frame = decisions_frame([score_answer(MAZE, "")])
    assert len(frame) == 0
    assert {"maze_id", "cell", "choice", "right", "lure", "confidence", "step", "history"} <= set(frame.columns)
    assert list(decisions_frame([]).columns) == list(frame.columns)


@given(st.lists(st.sampled_from("NESW"), max_size=25), st.integers(0, 200))
def test_decisions_of_any_walk_are_first_visits_in_order(ways, seed):
    maze = MazeEngine(5, seed, "wilson", "balanced")
    made = decision_rows(maze, replay(maze, said(" ".join(ways))), True)
    cells = [tuple(row["cell"]) for row in made]
    assert len(set(cells)) == len(cells) and set(cells) <= set(maze.decision_cells)
    assert [row["step"] for row in made] == sorted(row["step"] for row in made)
    for row in made:
        cell = tuple(row["cell"])
        assert row["choice"] == ways[row["step"] - 1]
        assert row["right"] == (maze.onward(cell) == row["choice"])
        assert row["legal"] == maze.is_open(cell, row["choice"])
        assert row["history"] == "".join(ways[: row["step"] - 1])
