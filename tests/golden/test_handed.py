"""Answers handed in with the values that they must get: exactly these.

`trials.jsonl`: answers with the fields of the result that are fixed (null is NaN). `faults.jsonl`: faults reported in
public tools of this kind, as small inputs. `data/answers`: real answers of a large language model, with what a careful
reader finds in each.
"""

from __future__ import annotations

import json
import re

import pytest
from golden.comparing import HERE, is_expected, rows

from hallumaze_kit import MazeEngine, parse_answer, replay, score_answer

ANSWERS = HERE.parents[1] / "data" / "answers"


TRIALS, FAULTS = rows("trials.jsonl"), rows("faults.jsonl")
LABELS = json.loads((ANSWERS / "labels.json").read_text("utf-8"))


# ---- trials --------------------------------------------------------------------------------------


def test_all_trials_are_here():
    assert len(TRIALS) == 12 and all(row["expected"] for row in TRIALS.values())


@pytest.mark.parametrize("name", TRIALS)
def test_the_trial_gets_its_values(name):
    trial = TRIALS[name]
    result = score_answer(MazeEngine(trial["size"], trial["seed"]), trial["text"])
    made = {field: getattr(result, field) for field in trial["expected"]}
    wrong = {f: (made[f], want) for f, want in trial["expected"].items() if not is_expected(made[f], want)}
    assert not wrong, f"{trial['why']}; (got, expected): {wrong}"


@pytest.mark.parametrize("name", TRIALS)
def test_the_trial_gets_the_same_values_with_other_line_ends(name):
    trial = TRIALS[name]
    maze = MazeEngine(trial["size"], trial["seed"])
    plain, windows = (score_answer(maze, trial["text"].replace("\n", end)) for end in ("\n", "\r\n"))
    for field in trial["expected"]:
        one, other = getattr(plain, field), getattr(windows, field)
        assert one == other or (one != one and other != other), field


# ---- real answers --------------------------------------------------------------------------------


def test_every_real_answer_has_a_label_and_every_label_an_answer():
    assert sorted(LABELS) == sorted(path.name for path in ANSWERS.glob("*.txt"))
    assert len(LABELS) == 15


@pytest.mark.parametrize("name", LABELS)
def test_the_real_answer_is_read_as_a_careful_reader_reads_it(name):
    label = LABELS[name]
    maze = MazeEngine(label["size"], label["seed"])
    text = (ANSWERS / name).read_text("utf-8")
    trace, result = parse_answer(text), score_answer(maze, text)
    lures = {(lure.cell, lure.direction) for lure in maze.mirage_traps}
    happened = replay(maze, trace)
    made = {
        "moves": len(happened.moves),
        "final_path_cells": len(trace.final_path or ()),
        "lures_followed": len(lures & {(move.start, move.direction) for move in happened.moves}),
        "declared_dead_ends": len(trace.dead_ends),
        "confidences": None,
    }
    wrong = {}
    for field, expected in label["expected"].items():
        value = made[field] if field in made else getattr(result, field)
        if expected is not None and not is_expected(value, expected):
            wrong[field] = (value, expected)
    assert not wrong, f"{label.get('why', '')}; (got, expected): {wrong}"
    assert result.moves == len(happened.moves)


@pytest.mark.parametrize("name", [name for name, label in LABELS.items() if label["expected"]["sr"] == 1])
def test_a_real_answer_that_solves_says_the_solution(name):
    label = LABELS[name]
    trace = parse_answer((ANSWERS / name).read_text("utf-8"))
    assert list(trace.final_path) == MazeEngine(label["size"], label["seed"]).solution


def test_the_one_answer_that_fails_breaks_off_where_its_label_says():
    (name,) = [name for name, label in LABELS.items() if label["expected"]["sr"] == 0]
    maze = MazeEngine(LABELS[name]["size"], LABELS[name]["seed"])
    happened = replay(maze, parse_answer((ANSWERS / name).read_text("utf-8")))
    assert happened.hallucinations == (), "every step is legal"
    assert happened.end == maze.exit
    (wrong,) = happened.final_hallucinations
    assert (wrong.start, wrong.end) == (happened.final_moves[66].start, (14, 14))


# ---- C8: thinking --------------------------------------------------------------------------------

STEPS = "STEP 1: (0,0) → [S]\nSTEP 2: (1,0) → [S]"
OTHER = "STEP 1: (0,0) → [E]\nSTEP 2: (0,1) → [E]\nSTEP 3: (0,2) → [E]"
UNCLOSED, LONE, PAIRED = FAULTS["C8"]["input"]["texts"]


def test_c8_the_texts_are_set_apart_as_handed():
    for text, thinking in ((UNCLOSED, "maybe 7"), (LONE, "maybe 7, no"), (PAIRED, "7")):
        trace = parse_answer(text)
        assert trace.thinking.strip() == thinking
        assert trace.events == () and trace.final_path is None
        assert trace.truncated == (text == UNCLOSED)


@pytest.mark.parametrize("tag", ["think", "thinking", "THINK"])
def test_c8_an_unclosed_thinking_block_is_no_answer(tag):
    trace = parse_answer(f"<{tag}>\n{STEPS}\nFINAL_PATH: (0,0)→(1,0)")
    assert trace.steps == () and trace.final_path is None and trace.truncated
    assert trace.warnings and STEPS in trace.thinking


@pytest.mark.parametrize(
    "thought", [f"<think>{OTHER}</think>", f"<think>\n{OTHER}\n</think>\n", f"{OTHER}\n</think>\n"]
)
def test_c8_what_stands_before_a_closing_tag_is_thinking(thought):
    trace = parse_answer(f"{thought}\n{STEPS}\nFINAL_PATH: (0,0)→(1,0)→(2,0)")
    assert [(step.cell, step.direction) for step in trace.steps] == [((0, 0), "S"), ((1, 0), "S")]
    assert OTHER in trace.thinking and "STEP 2: (1,0)" not in trace.thinking
    assert trace.final_path == ((0, 0), (1, 0), (2, 0)) and not trace.truncated


# ---- C13: arrows ---------------------------------------------------------------------------------

ARROWS = [re.fullmatch(r"A(.+)B", text)[1] for text in FAULTS["C13"]["input"]["texts"]]


def test_c13_six_spellings_are_handed():
    assert len(ARROWS) == 6 and all(arrow.strip() for arrow in ARROWS)


@pytest.mark.parametrize("arrow", ARROWS)
def test_c13_every_arrow_joins_cells_of_a_final_path(arrow):
    trace = parse_answer("FINAL_PATH: " + arrow.join(["(0,0)", "(1,0)", "(2,0)"]))
    assert trace.final_path == ((0, 0), (1, 0), (2, 0))


@pytest.mark.parametrize("arrow", ARROWS)
def test_c13_every_arrow_joins_the_cells_of_a_step(arrow):
    trace = parse_answer(f"STEP 1: (0,0){arrow}(1,0)\nSTEP 2: (1,0){arrow}(2,0)")
    moves = replay(MazeEngine(5, 1001), trace).moves
    assert [(move.start, move.end, move.kind) for move in moves] == [
        ((0, 0), (1, 0), "legal"), ((1, 0), (2, 0), "legal")
    ]  # fmt: skip


@pytest.mark.parametrize("arrow", ARROWS)
def test_c13_every_arrow_joins_a_cell_and_its_direction(arrow):
    trace = parse_answer(f"STEP 1: (0,0){arrow}S\nSTEP 2: (1,0){arrow}S")
    assert [(step.cell, step.direction) for step in trace.steps] == [((0, 0), "S"), ((1, 0), "S")]


@pytest.mark.parametrize("arrow", ["-", ">=", "≥", "<"])
def test_c13_other_signs_are_no_arrows(arrow):
    """ "Do not split -5 or >=": a sign that is no arrow beside a cell gives no direction east."""
    trace = parse_answer(f"STEP 1: (0,0) → [S] | confidence {arrow} 5\nSTEP 2: (1,0) → [S] | confidence {arrow} 5")
    assert [(step.cell, step.direction, step.to) for step in trace.steps] == [((0, 0), "S", None), ((1, 0), "S", None)]


# ---- C14: coordinates ----------------------------------------------------------------------------

POINTS = FAULTS["C14"]["input"]["texts"]


def test_c14_five_spellings_are_handed():
    assert len(POINTS) == 5


@pytest.mark.parametrize("point", POINTS)
def test_c14_every_spelling_is_the_cell_in_a_final_path(point):
    assert parse_answer(f"FINAL_PATH: (0,0) → {point}").final_path == ((0, 0), (0, 1))


@pytest.mark.parametrize("point", POINTS)
def test_c14_every_spelling_is_the_cell_of_a_step(point):
    trace = parse_answer(f"STEP 1: (0,0) → E\nSTEP 2: {point} → S\nSTEP 3: (1,1) → N")
    assert [(step.cell, step.direction) for step in trace.steps] == [((0, 0), "E"), ((0, 1), "S"), ((1, 1), "N")]


@pytest.mark.parametrize("point", POINTS)
def test_c14_every_spelling_is_the_target_of_a_step(point):
    (step,) = parse_answer(f"STEP 1: (0,0) → {point}").steps
    assert (step.cell, step.to) == ((0, 0), (0, 1)) or (step.cell, step.direction) == ((0, 0), "E")


@pytest.mark.parametrize("point", POINTS)
def test_c14_every_spelling_is_the_cell_of_a_declaration(point):
    trace = parse_answer(f"STEP 1: (0,0) → E\nDEAD_END at {point} — backtracking")
    assert [said.cell for said in trace.dead_ends] == [(0, 1)]
