"""Ariadne's Thread: when something is said, what it is, and how a reaction is timed."""

from __future__ import annotations

import math

import pytest

from hallumaze_kit import Ariadne, MazeConfig, MazeEngine, parse_answer, replay, score_answer
from hallumaze_kit.errors import InputError
from hallumaze_kit.trial.hints import MESSAGES, hint_of, loops_unnoticed, nrs, reaction, shows

# (0,0)-(0,1)-(0,2); (0,1)-(1,1); (0,2)-(1,2)-(2,2); (0,0)-(1,0)-(2,0)-(2,1)
MAZE = MazeEngine.from_text(
    "MAZE 3×3 | START:(0,0) | EXIT:(2,2)\n\n(0,0): [E→ S↓]\n(0,1): [E→ S↓ W←]\n(0,2): [S↓ W←]\n(1,0): [N↑ S↓]\n"
    "(1,1): [N↑]\n(1,2): [N↑ S↓]\n(2,0): [N↑ E→]\n(2,1): [W←]\n(2,2): [N↑]"
)
CONFIG = MazeConfig(size=3, language="en")
STRAIGHT = ["(0,0) E", "(0,1) E", "(0,2) S", "(1,2) S"]
SILENT_LOOP = ["(0,0) E", "(0,1) S", "(1,1) N", "(0,1) E", "(0,2) S", "(1,2) S"]
SAID_LOOP = ["(0,0) E", "(0,1) S", "DEAD_END at (1,1) — backtracking", "(1,1) N", "(0,1) E", "(0,2) S", "(1,2) S"]
SAID_AFTER = ["(0,0) E", "(0,1) S", "(1,1) N", "LOOP detected at (0,1) — visited at step 2", "(0,1) E", "(0,2) S"]
WALL = ["(0,0) E", "(0,1) E", "(0,2) S", "(1,2) W"]


def text(lines):
    out, number = [], 0
    for line in lines:
        if line.startswith("("):
            number += 1
            cell, direction = line.split()
            out.append(f"STEP {number}: {cell} → [{direction}] | confidence: 80% | because")
        else:
            out.append(line)
    return "\n".join(out)


def walked(lines):
    return replay(MAZE, parse_answer(text(lines)), CONFIG)


def test_a_loop_shows_where_a_cell_is_entered_again_and_no_return_was_declared():
    assert loops_unnoticed(walked(STRAIGHT)) == ()
    assert loops_unnoticed(walked(SILENT_LOOP)) == (2,)
    assert loops_unnoticed(walked(SAID_LOOP)) == ()
    assert loops_unnoticed(walked(SAID_AFTER)) == ()


def test_a_return_by_stating_the_cell_is_a_declared_one():
    jumped = ["(0,0) E", "(0,1) S", "(0,1) E", "(0,2) W", "(0,1) S"]
    happened = walked(jumped)
    assert happened.returns_after == ((2, (0, 1)),)
    assert loops_unnoticed(happened) == (3, 4), "going back from (0,2) later is declared nowhere"


def test_one_declaration_covers_the_whole_run_back_and_only_that_run():
    there_and_back = [
        "(0,0) S",
        "(1,0) S",
        "(2,0) E",
        "DEAD_END at (2,1) — backtracking",
        "(2,1) W",
        "(2,0) N",
        "(1,0) N",
    ]
    assert loops_unnoticed(walked(there_and_back)) == ()
    again = [*there_and_back, "(0,0) E", "(0,1) S", "(1,1) N"]
    assert loops_unnoticed(walked(again)) == (8,)


@pytest.mark.parametrize(
    ("lines", "trigger", "expected"),
    [
        (STRAIGHT, "loop", False), (STRAIGHT, "hallucination", False), (STRAIGHT, "unsolved", False),
        (SILENT_LOOP, "loop", True), (SILENT_LOOP, "unsolved", False), (WALL, "hallucination", True),
        (WALL, "unsolved", True), (WALL, "loop", False),
    ],
)  # fmt: skip
def test_triggers(lines, trigger, expected):
    assert shows(MAZE, walked(lines), trigger) is expected


def test_group_a_is_never_told_anything_b_only_on_the_trigger_c_always():
    for lines, told in ((STRAIGHT, (False, False, True)), (SILENT_LOOP, (False, True, True))):
        spoken = [Ariadne(group).after(MAZE, text(lines), CONFIG) for group in "ABC"]
        assert tuple(one is not None for one in spoken) == told
    b, c = (Ariadne(group).after(MAZE, text(SILENT_LOOP), CONFIG) for group in "BC")
    assert b.message == c.message == MESSAGES["en"]["hint"]


def test_the_hint_says_nothing_of_the_maze_and_the_sham_helps_with_nothing():
    for texts in MESSAGES.values():
        assert not any(character.isdigit() for message in texts.values() for character in message)
        assert texts["hint"] != texts["sham"]
    korean = Ariadne("C").after(MAZE, "", MazeConfig(size=3))
    assert korean.message == MESSAGES["ko"]["hint"]


def test_arms_change_what_is_said_and_keep_the_occasion():
    spoken = {arm: Ariadne("B", arm=arm).after(MAZE, text(SILENT_LOOP), CONFIG) for arm in ("hint", "sham", "none")}
    assert [one.message for one in spoken.values()] == [MESSAGES["en"]["hint"], MESSAGES["en"]["sham"], ""]
    assert {hint_of([one.event()]) for one in spoken.values()} == {"hint", "sham", "none"}
    assert all(one.shown for one in spoken.values())
    assert not Ariadne("C").after(MAZE, text(STRAIGHT), CONFIG).shown
    assert hint_of([{"kind": "bump"}]) == ""


@pytest.mark.parametrize("wrong", [{"group": "D"}, {"trigger": "x"}, {"group": "B", "arm": "x"}, {"arm": "hint"}])
def test_wrong_arguments(wrong):
    with pytest.raises(InputError):
        Ariadne(**wrong)


@pytest.mark.parametrize(
    ("lines", "moves", "speed"),
    [
        (STRAIGHT, None, 0.0),
        (SILENT_LOOP, 2, 0.5),  # two moves, then the retraced run
        (SAID_LOOP, 2, 0.5),  # the declaration, before that run
        (["DEAD_END at (1,1) — backtracking", *STRAIGHT], 0, 1.0),
        (["DEAD_END at (0,1) — backtracking", *STRAIGHT], None, 0.0),  # not true: no reaction
        (["(0,0) E", "(0,1) E", "(0,2) S", "(0,1) S"], 3, 1 / 3),  # a return, by stating the cell
    ],
)  # fmt: skip
def test_reaction(lines, moves, speed):
    assert reaction(walked(lines)) == moves
    assert nrs(moves) == pytest.approx(speed)


def test_nrs_is_measured_of_the_second_answer_and_only_where_something_was_said():
    def scored(events):
        return score_answer(MAZE, text(SILENT_LOOP), CONFIG, key_events=events)

    event = {"kind": "ariadne", "trigger": "loop", "shown": True}
    assert scored(({**event, "said": "hint"},)).nrs == scored(({**event, "said": "sham"},)).nrs == 0.5
    assert math.isnan(scored(({**event, "said": "none"},)).nrs) and math.isnan(scored(()).nrs)
