"""Answers made up for these tests are read as they were meant.

`written_answers.jsonl` holds 170 answers to mazes of the kit, made up and labelled for these tests in the styles of
chat models: forms, lists, tables, JSON, diaries, thinking aloud, in English and Korean, with mistakes put in on
purpose. They are data about no model, and nothing about models may be concluded from them.

A line holds the maze (`size`, `seed`, `algorithm`), the `text`, its `style` and what is `expected`: null is not fixed,
a list for one value means that any of its values is right (null in it stands for 0 or nothing), and `walk_options` or
`walk_alternatives` are walks of which any is right. `why` tells how the answer is meant. `written_trials.jsonl` holds
34 more, labelled with fields of their result.
"""

from __future__ import annotations

import pytest
from golden.comparing import is_expected, rows

from hallumaze_kit import MazeEngine, parse_answer, replay, score_answer

ANSWERS, TRIALS = rows("written_answers.jsonl"), rows("written_trials.jsonl")
SCALARS = (
    "sr", "hallucination_count", "first_hallucination_step", "backtrack_count", "loop_count", "moves",
    "reported_backtracks", "reported_hallucinations", "final_path_cells", "gave_up", "truncated", "strategy_changes",
)  # fmt: skip
NOT_READ = {
    "b-k15": "its last move, '남쪽 문을 열자 (6,6)', is told without a word of motion, so it is not read as one",
}
"""Answers of which a part is known not to be read as meant, and why."""


def read(answer: dict) -> dict:
    """What the kit reads in an answer and what happened on its maze, in the words of the labels."""
    maze = MazeEngine(answer["size"], answer["seed"], answer["algorithm"])
    trace = parse_answer(answer["text"])
    happened = replay(maze, trace)
    return {
        "sr": int(happened.solves(maze)),
        "hallucination_count": happened.hallucination_count,
        "first_hallucination_step": happened.first_hallucination,
        "backtrack_count": happened.backtracks,
        "loop_count": happened.loops,
        "moves": len(happened.moves),
        "reported_backtracks": trace.backtracks,
        "reported_hallucinations": trace.hallucinations,
        "final_path_cells": len(trace.final_path or ()),
        "gave_up": trace.gave_up,
        "truncated": trace.truncated,
        "strategy_changes": len(trace.strategy_changes),
        "declared_dead_ends": sorted(list(said.cell) for said in trace.dead_ends if said.cell),
        "declared_loops": len(trace.loops),
        "walk": [[*move.start, move.direction] for move in happened.moves if move.kind != "jump"],
    }


def is_right(value: object, expected: object) -> bool:
    """A value against its label: null is not fixed, of a list any value is right."""
    if isinstance(expected, list):
        return value in expected or (None in expected and value in (0, None))
    return expected is None or value == expected


def walks_of(expected: dict) -> list | None:
    """The walks of which any is right, None where the label fixes none."""
    if expected.get("walk") is not None:
        return [expected["walk"]]
    return expected.get("walk_options") or expected.get("walk_alternatives")


def differences(answer: dict) -> dict[str, tuple]:
    """(read, expected) of everything that is not read as labelled."""
    made, expected = read(answer), answer["expected"]
    wrong = {key: (made[key], expected.get(key)) for key in SCALARS if not is_right(made[key], expected.get(key))}
    dead_ends, loops = expected.get("declared_dead_ends"), expected.get("declared_loops")
    if dead_ends is not None and made["declared_dead_ends"] != sorted(dead_ends):
        wrong["declared_dead_ends"] = (made["declared_dead_ends"], dead_ends)
    if loops is not None and made["declared_loops"] != len(loops):
        wrong["declared_loops"] = (made["declared_loops"], loops)
    walks = walks_of(expected)
    if walks is not None and made["walk"] not in walks:
        wrong["walk"] = (made["walk"], walks)
    return wrong


def test_all_written_answers_are_here_and_labelled():
    assert (len(ANSWERS), len(TRIALS)) == (170, 34)
    for answer in ANSWERS.values():
        assert {"sr", "moves", "hallucination_count", "backtrack_count"} <= set(answer["expected"])
    assert sum(walks_of(answer["expected"]) is not None for answer in ANSWERS.values()) >= 106
    assert set(NOT_READ) < set(ANSWERS)


@pytest.mark.parametrize(
    ("value", "expected", "right"),
    [
        (3, 3, True), (3, 4, False), (3, None, True), (3, [2, 3], True), (3, [2, 4], False),
        (0, [None, 7], True), (None, [None, 7], True), (7, [None, 7], True), (None, 0, False), (True, False, False),
    ],
)  # fmt: skip
def test_a_label_is_compared_as_described(value, expected, right):
    assert is_right(value, expected) is right


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.xfail(strict=True, reason=NOT_READ[name])) if name in NOT_READ else name
        for name in ANSWERS
    ],
)
def test_the_written_answer_is_read_as_it_is_meant(name):
    answer = ANSWERS[name]
    wrong = differences(answer)
    assert not wrong, f"{answer['style']}; {answer['expected']['why']}; (read, expected): {wrong}"


@pytest.mark.parametrize("name", TRIALS)
def test_the_written_trial_gets_its_values(name):
    trial = TRIALS[name]
    result = score_answer(MazeEngine(trial["size"], trial["seed"]), trial["text"])
    wrong = {f: (getattr(result, f), v) for f, v in trial["expected"].items() if not is_expected(getattr(result, f), v)}
    assert not wrong, f"{trial['why']}; (got, expected): {wrong}"
