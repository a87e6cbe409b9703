"""One walk, told in many ways, is always the same walk: no error, no backtrack, no event that was not declared."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from itertools import pairwise

import pytest

from hallumaze_kit import MazeEngine, parse_answer, score_answer
from hallumaze_kit.maze import STEP

MAZE = MazeEngine(5, 4, "wilson", "balanced")
CELLS = MAZE.solution
STEPS = [
    (cell, next(d for d, (down, right) in STEP.items() if (cell[0] + down, cell[1] + right) == after))
    for cell, after in pairwise(CELLS)
]
WORD = {"N": "north", "E": "east", "S": "south", "W": "west"}
KOREAN = {"N": "북쪽", "E": "동쪽", "S": "남쪽", "W": "서쪽"}
FINAL = "\nFINAL_PATH: " + "→".join(f"({r},{c})" for r, c in CELLS)
PLAIN = [f"STEP {i}: ({r},{c}) → [{d}] | confidence: 90% | the only way" for i, ((r, c), d) in enumerate(STEPS, 1)]


def walk_of(text: str) -> tuple:
    """What is fixed for each telling: solved, errors, backtracks, loops, moves, declared dead ends and loops."""
    result, trace = score_answer(MAZE, text), parse_answer(text)
    counts = (result.hallucination_count, result.backtrack_count, result.loop_count, result.moves)
    return (result.sr, *counts, len(trace.dead_ends), len(trace.loops))


RIGHT = (1, 0, 0, 0, len(STEPS), 0, 0)


def lines(form: str, final: str = FINAL) -> str:
    """Each step of the walk by a form; `{x}` is a closed side, `{o}` are the open ones."""
    told = []
    for i, ((r, c), d) in enumerate(STEPS, 1):
        open_sides = MAZE.open_directions((r, c))
        closed = next(side for side in "NESW" if side not in open_sides)
        back = next((side for side in open_sides if side != d), closed)
        told.append(
            form.format(
                i=i, r=r, c=c, d=d, x=closed, w=WORD[d], xw=WORD[closed].capitalize(), xk=KOREAN[closed], b=back,
                o=", ".join(open_sides), oa=" and ".join(open_sides),
            )
        )  # fmt: skip
    return "\n".join(told) + final


FORMS = {
    "fields": "Step {i}\n- Position: ({r},{c})\n- Direction: {d}\n- Confidence: 90%",
    "fields, move": "Step {i}\n- Position: ({r},{c})\n- Move: {d}\n- Confidence: 90%",
    "fields without bullets": "Step {i}\nPosition: ({r},{c})\nDirection: {d}\nConfidence: 90%",
    "fields with what is open": "Step {i}\n- Position: ({r},{c})\n- Open: {o}\n- Chosen direction: {d}",
    "a closed side behind a full stop": "STEP {i}: ({r},{c}) → {d}. {x} is closed.",
    "a closed side behind a dash": "STEP {i}: ({r},{c}) → [{d}] — {x} is a wall (confidence: 90%)",
    "a closed side behind a dash in Korean": "STEP {i}: ({r},{c}) → [{d}] — {xk}은 벽이다",
    "a closed side behind a colon": "STEP {i}: ({r},{c}) → {d}: {x} is closed",
    "a closed side behind a comma": "STEP {i}: ({r},{c}) → {d}, {x} is closed",
    "a closed side in brackets": "STEP {i}: ({r},{c}) → {d} ({x} is closed)",
    "the way back behind a dash": "STEP {i}: ({r},{c}) → [{d}] — {b} goes back",
    "a dead end elsewhere": "Step {i}: From ({r},{c}), I go {w}. {xw} is a dead end.",
    "what is open in brackets": "STEP {i}: ({r},{c}) [{o}] → {d}",
    "what is open in words": "{i}. At ({r},{c}): options are {o}. I choose {w}.",
    "a choice": "STEP {i}: At ({r},{c}), choose between {oa} → [{d}]",
    "what is open before an arrow": "At ({r},{c}), options are {o} → move {w}.",
    "where, what is open, where to": "Current position: ({r},{c}). Available: {o}. Move {d}.",
    "row and column by name": "STEP {i}: r={r},c={c} → {d}",
    "a colon": "STEP {i}: ({r},{c}): {d}",
}


@pytest.mark.parametrize("name", FORMS)
def test_the_walk_is_the_same_in_every_form(name):
    assert walk_of(lines(FORMS[name])) == RIGHT


@pytest.mark.parametrize(
    ("sides", "move"),
    [
        ("Open directions", "Chosen"), ("Available moves", "Move"), ("Possible moves", "Direction"),
        ("열린 방향", "방향"), ("Options", "Choice"), ("Options seen", "Chosen direction"),
    ],
)  # fmt: skip
def test_a_column_of_open_sides_is_no_move(sides, move):
    head = f"| Step | Cell | {sides} | {move} | Confidence |\n|---|---|---|---|---|\n"
    text = head + lines("| {i} | ({r},{c}) | {o} | {d} | 90% |", final="")
    assert walk_of(text) == RIGHT
    assert score_answer(MAZE, text).ce == pytest.approx(0.1)


@pytest.mark.parametrize(
    "head",
    [
        "| Turn | I am at | I go |\n|---|---|---|\n",
        "| Schritt | Von | Richtung |\n|---|---|---|\n",
        "step | cell | move\n",
    ],
)
def test_a_table_is_read_by_its_header(head):
    bars = ("| ", " |") if head.startswith("|") else ("", "")
    assert walk_of(head + lines(bars[0] + "{i} | ({r},{c}) | {d}" + bars[1], final="")) == RIGHT


@pytest.mark.parametrize("form", ["- ({r},{c}): {o}", "({r},{c}) → {o}", "({r},{c}): [W←]"])
def test_the_maze_given_back_is_no_walk(form):
    assert walk_of(lines(form))[:3] == (1, 0, 0)


@pytest.mark.parametrize(
    "said",
    [
        "Following the hint, (0,0)→(0,1)→(0,2), is not possible.",
        "(0,1) → (0,2) would be a wall.",
        "If you want, I go east to (0,1) next time.",
        lines("Step {i}: ({r},{c}) → {d} ✓", final=""),
    ],
)
def test_what_follows_the_final_path_is_no_walk(said):
    assert walk_of("\n".join(PLAIN) + FINAL + "\n" + said) == RIGHT


def runs() -> Iterable[tuple[str, int]]:
    """The directions of the walk and how often each is repeated."""
    out: list[list] = []
    for _, d in STEPS:
        if out and out[-1][0] == d:
            out[-1][1] += 1
        else:
            out.append([d, 1])
    return [(d, n) for d, n in out]


@pytest.mark.parametrize(
    "text",
    [
        "Path: " + ", ".join(f"{n}{d}" for d, n in runs()),
        "Moves: " + ", ".join(f"{WORD[d].capitalize()} ({n})" for d, n in runs()),
        "Moves: " + " ".join(f"{d}{n}" for d, n in runs()),
        "Path: " + ", ".join(f"{d}×{n}" for d, n in runs()),
        "Path: " + " → ".join(f"r{r}c{c}" for r, c in CELLS),
        json.dumps({"steps": [{"cell": list(c), "direction": d} for c, d in STEPS]}, indent=2),
        json.dumps({"steps": [{"cell": {"r": c[0], "c": c[1]}, "direction": d} for c, d in STEPS]}),
        " ".join(PLAIN) + " BACKTRACK_COUNT: 0" + FINAL.replace("\n", " "),
    ],
)
def test_the_walk_is_the_same_in_short_forms(text):
    assert walk_of(text) == RIGHT


@pytest.mark.parametrize("text", ["Path: A1→A2→B2→B3", "0→5→10→11"])
def test_cells_in_another_notation_are_not_guessed(text):
    result = score_answer(MAZE, text)
    assert (result.sr, result.hallucination_count, result.failure_mode) == (0, 0, "unreadable")


@pytest.mark.parametrize(
    "reason",
    ["(0,1) is a DEAD_END, avoid", "DEAD_END if E", "would loop back to (0,0) if N", "a loop would form to the north"],
)
def test_a_supposed_dead_end_or_loop_is_not_declared(reason):
    text = "\n".join(PLAIN).replace("the only way", reason)
    assert walk_of(text) == RIGHT
    assert score_answer(MAZE, text).false_alarms == 0


def test_a_promise_to_declare_is_no_declaration():
    promise = "I will report DEAD_END at any dead end and LOOP detected at any loop.\n"
    assert walk_of(promise + "\n".join(PLAIN)) == RIGHT


@pytest.mark.parametrize(
    ("said", "percent"),
    [
        ("~90%", 90), (".9", 90), ("9/10", 90), ("80 percent", 80), ("90% (high)", 90), ("약 90%", 90), ("9할", 90),
        ("0.95", 95), ("95", 95),
    ],
)  # fmt: skip
def test_a_confidence_is_read_in_every_unit(said, percent):
    trace = parse_answer(f"STEP 1: (0,0) → S | confidence: {said}")
    assert [step.confidence for step in trace.steps] == [percent]


@pytest.mark.parametrize(
    ("said", "count"),
    [("N/A", None), ("unknown", None), ("none", 0), ("없음", 0), ("0", 0), ("2 (one mended)", 2)],
)
def test_a_self_report_is_the_fields_or_none(said, count):
    text = f"The prompt warns of 3 hallucinations.\nHALLUCINATION_COUNT: {said}{FINAL}"
    assert parse_answer(text).hallucinations == count
    gap = score_answer(MAZE, text).report_gap
    assert math.isnan(gap) if count is None else gap == count


@pytest.mark.parametrize(
    ("said", "gave_up"),
    [
        ("I could not find any shorter way.", False),
        ("I could not find any mistake.", False),
        ("I could not find the exit.", True),
    ],
)
def test_only_who_finds_no_way_gave_up(said, gave_up):
    assert parse_answer("\n".join(PLAIN[:3]) + "\n" + said).gave_up is gave_up


@pytest.mark.parametrize(
    "said",
    [
        "I can't determine a path from (0,0) to (2,2).",
        "The task is to find a path from (0,0) to (2,2). I cannot do that.",
        "(0,0)에서 (2,2)까지 가는 경로를 찾을 수 없습니다.",
        "I can explain how to write a program that finds the path from (0,0) to (3,3).",
    ],
)
def test_the_task_told_again_is_no_jump(said):
    result = score_answer(MAZE, said)
    assert (result.moves, result.hallucination_count) == (0, 0)
    assert math.isnan(result.mei)


@pytest.mark.parametrize("label", ["STEP 2 (corrected):", "STEP 2 (정정):", "Corrected STEP 2:", "Step 2 (retry) -"])
def test_a_step_told_again_keeps_its_form(label):
    trace = parse_answer(f"STEP 1: (0,0) → S | 90%\n{label} (1,0) → S | 80% | the only unvisited opening")
    assert [(s.number, s.cell, s.direction, s.confidence) for s in trace.steps] == [
        (1, (0, 0), "S", 90), (2, (1, 0), "S", 80),
    ]  # fmt: skip


@pytest.mark.parametrize("way", ["South (S↓)", "South (S)", "S (↓)", "남쪽(S)", "S↓"])
def test_a_direction_said_twice_is_one_move(way):
    trace = parse_answer(f"### Step 1\n- **Position:** (0, 0)\n- **Move:** {way} → (1, 0)")
    assert [(s.cell, s.direction, s.to) for s in trace.steps] == [((0, 0), "S", (1, 0))]


@pytest.mark.parametrize("said", ["— not entered", "(avoided)", "— never visited", ": skipped"])
def test_a_dead_end_that_was_not_entered_is_not_declared(said):
    assert parse_answer(f"STEP 1: (0,0) → S\nDEAD_END: (3,0) {said}").dead_ends == ()
    assert len(parse_answer("STEP 1: (0,0) → S\nDEAD_END: (3,0) — backtracking").dead_ends) == 1


def test_self_reports_in_a_bold_list_are_read():
    trace = parse_answer("STEP 1: (0,0) → S\n- **Backtracks:** 2\n- **Total hallucinations:** 1")
    assert (trace.backtracks, trace.hallucinations) == (2, 1)


def test_each_of_several_confidences_in_a_paragraph_is_of_the_moves_before_it():
    trace = parse_answer("From (0,0) I go south to (1,0) and south to (2,0) (95%). Then I go east to (2,1) (60%).")
    assert [s.confidence for s in trace.steps] == [95, 95, 60]


@pytest.mark.parametrize("cell", ["(5,1)", "(12, 3)", "[0,1]"])
def test_a_cell_behind_a_confidence_is_not_its_number(cell):
    trace = parse_answer(f"From (0,0) I went south to (1,0) and felt about 90% sure. At {cell} I saw a wall.")
    assert [s.confidence for s in trace.steps] == [90]


def test_directions_that_are_taken_back_take_no_declaration_with_them():
    trace = parse_answer(
        "From (0,0) I can go on, so I go east\nSTRATEGY_CHANGE: no more hints\nFrom (0,0) I go south to (1,0)"
    )
    assert [c.reason for c in trace.strategy_changes] == ["no more hints"]


@pytest.mark.parametrize("shout", [str.upper, str.lower])
def test_a_subject_that_gives_up_does_so_in_any_case(shout):
    assert parse_answer(shout("STEP 1: (0,0) → S\nI'm stuck here and could not find the way.")).gave_up


def test_of_more_sentences_than_anyone_writes_the_first_and_the_closing_fields_are_read():
    told = "\n".join(f"Then I go {'south' if i % 2 else 'north'} again, as there is no other way." for i in range(6000))
    trace = parse_answer(f"From (0,0) I go south to (1,0).\n{told}\nBACKTRACK_COUNT: 3{FINAL}")
    assert trace.final_path == tuple(CELLS) and trace.backtracks == 3
    assert any("more sentences than are read" in w for w in trace.warnings)
    assert 2000 < len(trace.steps) < 6000
    form = "\n".join(f"STEP {i}: (0,0) → [S] | confidence: 90% | again" for i in range(6000))
    assert len(parse_answer(form).steps) == 6000 and parse_answer(form).warnings == ()
