"""Sentences that call a move wrong: what they name, and what they mean for a planted error.

Given in the 7×7 maze of seed 3 (wilson), with an error: (0,0) (1,0) ‖ (1,1) (0,1) (0,2) (0,3); the wall is at step 2.
"""

from __future__ import annotations

import math

import pytest

from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.trial.parsing import parse_answer
from hallumaze_kit.trial.replay import replay
from hallumaze_kit.trial.scoring import score_answer

MAZE = MazeEngine(7, 3, "wilson")
ERROR, CLEAN = MazeConfig(size=7, injection="own"), MazeConfig(size=7, injection="own-clean")
BACK = "\nSTEP 6: (1,0) → [S] | confidence: 90% | go\nSTEP 7: (2,0) → [S] | confidence: 90% | go"
ON = "\nSTEP 6: (0,3) → [S] | confidence: 90% | go\nSTEP 7: (1,3) → [N] | confidence: 90% | go"

LOCATED = [
    "The move from (1,0) to (1,1) goes through a wall, it was wrong.",
    "Note: step 2 from (1,0) to (1,1) goes through a wall and is not allowed.",
    "Step 2 is illegal: there is a wall between (1,0) and (1,1).",
    "HALLUCINATION: (1,0)→(1,1) is a wall",
    "HALLUCINATION at (1,0)",
    "HALLUCINATION detected: the move (1,0) → E does not exist.",
    "Wait, (1,0) has only N and S open, so STEP 2: (1,0) → [E] was invalid.",
    "Step 2: (1,0) → (1,1) is not a valid move.",
    "STEP 2 (1,0)→(1,1): invalid, wall.",
    "The previous answer contains an error at (1,0): East is not open there.",
    "I made a mistake at step 2.",
    "I notice that my earlier move from (1,0) east to (1,1) is impossible.",
    "The move (1,0)→E is not permitted by the maze.",
    "Looking back, (1,0) to (1,1) isn't connected.",
    "The other solver moved through a wall from (1,0) to (1,1).",
    "There is no passage between (1,0) and (1,1).",
    "Step 2 goes from (1,0) to (1,1). This is illegal.",
    "환각 발견: (1,0)→(1,1)은 벽입니다.",
    "2단계 (1,0)→(1,1)은 벽이 있어 잘못된 이동입니다.",
    "STEP 2의 (1,0)에서 동쪽 이동은 불가능합니다.",
    "(1,0)에서 (1,1)로 가는 길은 막혀 있습니다. 잘못된 이동이었습니다.",
    "앞의 풀이에 오류가 있습니다: (1,0)에서 E는 열려 있지 않습니다.",
    "이전 단계에서 (1,0) → E 이동은 벽을 통과한 환각이었습니다.",
    "(1,0)과 (1,1) 사이에는 벽이 있습니다.",
    "2번째 이동은 잘못되었습니다.",
]


def numbers(text: str, config: MazeConfig) -> tuple[float, float]:
    result = score_answer(MAZE, text, config)
    return result.injection_detected, result.injection_alarm


def test_the_given_walk_is_that_of_the_docstring():
    given = replay(MAZE, parse_answer(""), ERROR).injected
    assert [m.start for m in given] == [(0, 0), (1, 0), (1, 1), (0, 1), (0, 2)]
    assert [m.legal for m in given] == [True, False, True, True, True]


@pytest.mark.parametrize("sentence", LOCATED)
def test_whoever_calls_the_planted_move_wrong_has_noticed_and_moves_nowhere_by_it(sentence):
    assert numbers(sentence, ERROR) == numbers(sentence + ON, ERROR) == numbers(sentence + BACK, ERROR) == (1, 1)
    happened = replay(MAZE, parse_answer(sentence + ON), ERROR)
    assert [(m.start, m.direction) for m in happened.moves] == [((0, 3), "S"), ((1, 3), "N")]
    happened = replay(MAZE, parse_answer(sentence + BACK), ERROR)
    assert [(m.start, m.direction) for m in happened.moves] == [((1, 0), "S"), ((2, 0), "S")]


@pytest.mark.parametrize(
    "sentence", ["The answer so far contains an illegal move.", "지금까지의 풀이에 오류가 있습니다."]
)
def test_an_error_that_is_named_nowhere_is_an_alarm_and_no_detection(sentence):
    assert numbers(sentence + ON, ERROR) == (0, 1)
    assert numbers(sentence + "\nSTEP 6: (5,0) → [S]", CLEAN)[1] == 1


@pytest.mark.parametrize(
    "sentence",
    [
        "No hallucination was found in the path so far.",
        "All steps so far are valid, there is no illegal move.",
        "I must avoid illegal moves.",
        "HALLUCINATION_COUNT: 0",
        "환각 없음",
        "앞의 풀이에 오류가 없습니다.",
        "벽이 있는지 확인하겠습니다.",
        "From (5,0), West is the edge, a wall, so I go South.",
        "At (5,0) north is where I came from, the other sides are walls.",
        "STEP 5: (4,0) → [S] | confidence: 90% | North is where I came from, the wall is West",
    ],
)
def test_what_objects_to_no_given_move_is_no_alarm(sentence):
    assert numbers(sentence + "\nSTEP 6: (5,0) → [S] | confidence: 90% | go", CLEAN)[1] == 0


def test_a_given_walk_that_is_repeated_with_a_judgement_of_its_error():
    given = (
        "STEP 1: (0,0) → [S] | confidence: 90% | ok\nSTEP 2: (1,0) → [E] | confidence: 0% | wall, invalid\n"
        "STEP 3: (1,1) → [N] | confidence: 90% | ok\nSTEP 4: (0,1) → [E] | ok\nSTEP 5: (0,2) → [E] | ok"
    )
    assert numbers(given + ON, ERROR) == (1, 1)
    assert numbers(given.replace("wall, invalid", "ok") + ON, ERROR) == (0, 0)


@pytest.mark.parametrize(
    "step",
    [
        "STEP {n}: (2,0) → [S] | confidence: 90% | E is closed, S is the only way",
        "STEP {n}: (2,0) → [S] | 확신도: 90% | E가 닫혀 있어 S로 이동",
        "STEP {n}: (2,0) → [S] | 확신도: 90% | 동쪽이 벽이라 S로",
        "| {n} | (2,0) | S | 90% | East is a wall |",
    ],
)
def test_a_clean_walk_that_is_repeated_with_what_is_closed_beside_it_is_no_alarm(step):
    table = step.startswith("|")
    head = "| Step | Cell | Direction | Confidence | Reason |\n|---|---|---|---|---|\n" if table else ""
    form = "| {n} | ({r},0) | S | 90% | on |" if table else "STEP {n}: ({r},0) → [S] | confidence: 90% | on"
    lines = [(step if r == 2 else form).format(n=r + 1, r=r) for r in range(6)]
    assert numbers(head + "\n".join(lines), CLEAN)[1] == 0


def test_the_planted_error_is_not_the_subjects_own_in_whatever_form_it_is_repeated():
    given = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 2), (0, 3)]
    path = "FINAL_PATH: " + "→".join(f"({r},{c})" for r, c in [*given, (1, 3)])
    steps = "STEP 6: (0,3) → [S] | confidence: 90% | go\n"
    for text in (path, steps + path, steps):
        result = score_answer(MAZE, text, ERROR)
        assert (result.hallucination_count, result.first_hallucination_step) == (0, -1)


def test_a_stated_return_from_behind_the_error_can_solve_the_maze_without_a_final_path():
    on = MAZE.solution[MAZE.solution.index((1, 0)) :]
    walk = [MAZE.onward(cell) for cell in on[:-1]]
    back = "\n".join(f"STEP {n}: ({r},{c}) → [{d}]" for n, ((r, c), d) in enumerate(zip(on, walk, strict=False), 6))
    assert score_answer(MAZE, back, ERROR).sr == 1
    through = "STEP 6: (1,1) → [N]\n" + back.replace("STEP 6: (1,0)", "STEP 7: (1,0)")
    assert score_answer(MAZE, through, ERROR).sr == 1  # behind the error again, then back before it
    never = score_answer(MAZE, back.replace("STEP 6: (1,0) → [S]\n", ""), ERROR)
    assert never.sr == 0


def test_who_begins_again_and_says_nothing_cannot_be_told():
    steps = "\n".join(
        f"STEP {n}: ({r},{c}) → [{MAZE.onward((r, c))}]" for n, (r, c) in enumerate(MAZE.solution[:-1], 1)
    )
    result = score_answer(MAZE, steps, ERROR)
    assert math.isnan(result.injection_detected) and math.isnan(result.injection_alarm)
    assert result.injection_restarted == 1 and "begins again" in result.nan_reasons["injection_detected"]
    assert score_answer(MAZE, "Step 2 is illegal.\n" + steps, ERROR).injection_detected == 1
    assert score_answer(MAZE, steps, CLEAN).injection_restarted == 0  # the given walk repeated, and on


def test_who_walks_on_to_the_exit_from_the_error_has_not_noticed_it():
    result = score_answer(MAZE, "STEP 6: (0,3) → [S]" + "".join(_on_from((1, 3))) + "\nBACKTRACK_COUNT: 0", ERROR)
    assert (result.sr, result.failure_mode) == (0, "unnoticed")


def _on_from(cell):
    number = 7
    while cell != MAZE.exit:
        way = MAZE.onward(cell)
        yield f"\nSTEP {number}: ({cell[0]},{cell[1]}) → [{way}]"
        cell = (cell[0] + {"N": -1, "S": 1}.get(way, 0), cell[1] + {"W": -1, "E": 1}.get(way, 0))
        number += 1
