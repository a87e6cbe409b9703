"""The stepwise protocol: walks worked by hand in both views, what is read in a reply, how a trial ends, scores.

The maze is that of `test_replay`: solution E E S S E S, junctions (0,1), (0,2), (2,2), dead ends (1,0), (1,3), (3,2).
"""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trial.test_replay import PICTURE, drawn
from trial.test_robust import anything
from trial.test_scoring import check, mazes

from hallumaze_kit import MazeConfig, MazeEngine, build_prompt, score_answer
from hallumaze_kit.errors import InputError
from hallumaze_kit.records import METRICS
from hallumaze_kit.store import AnswerBook
from hallumaze_kit.trial.measuring.stepping import measure_steps
from hallumaze_kit.trial.scoring import score_stored
from hallumaze_kit.trial.stepping.replies import LONGEST, read_reply
from hallumaze_kit.trial.stepwise import Stepwise, replies_in, window

MAZE = drawn(PICTURE, ("01", "S", "false"))
VIEWS, LANGUAGES = ("open", "bump"), ("ko", "en")
EITHER = [(view, language) for view in VIEWS for language in LANGUAGES]
WALK = [
    "STEP 1: (0,0) → [E] | confidence: 90% | to the right",
    "STEP 2: (0,1) → [S] | confidence: 70% | the hint",
    "S",  # a wall
    "DEAD_END at (1,1) — backtracking\nMOVE: W",  # which is no dead end
    "DEAD_END at (1,0) — backtracking\nSTEP 5: (1,0) → [E] | confidence: 100% | back",  # which is one
    "S",  # the same wall
    "N",
    "LOOP detected at (0,1) — visited at step 2\n동쪽",
    "(0,2) → (3,3)",  # a jump
    "S", "S", "E", "south",
]  # fmt: skip


def condition(view: str = "open", language: str = "en", **options) -> MazeConfig:
    return MazeConfig(size=options.pop("size", 4), protocol="stepwise", view=view, language=language, **options)


def played(replies: list[str], config: MazeConfig | None = None, maze: MazeEngine = MAZE) -> tuple[Stepwise, list]:
    """The trial after some replies, and its messages."""
    trial = Stepwise(maze, config or condition())
    messages = [{"role": "system", "content": trial.prompt.system}, {"role": "user", "content": trial.prompt.user}]
    for reply in replies:
        messages.append({"role": "assistant", "content": reply})
        shown = trial.take(reply)
        if shown:
            messages.append({"role": "user", "content": shown})
    return trial, messages


def kinds(trial: Stepwise) -> list[str]:
    return [event["kind"] for event in trial.events]


# ---- a walk worked by hand -------------------------------------------------------------------------


@pytest.mark.parametrize(("view", "language"), EITHER)
def test_a_walk_worked_by_hand(view, language):
    config = condition(view, language)
    trial, messages = played(WALK, config)
    assert (trial.stopped, trial.done, trial.here, trial.take("E")) == ("exit", True, (3, 3), "")
    result = score_answer(MAZE, "", config, messages=messages)
    check(result, WALK[-1])
    wrong = {"open": (3, 3, 2), "bump": (2, 6, 1)}[view]  # in the dark, the first S at (1,1) is exploration
    assert (result.hallucination_count, result.first_hallucination_step, result.slips) == wrong
    assert (result.sr, result.path_valid, result.moves, result.excess) == (1, True, 13, 13 / 6)
    assert (result.backtrack_count, result.loop_count, result.revisits) == (1, 1, 2)
    assert (result.false_alarms, result.missed_dead_ends) == (1, 0)
    assert result.brs == pytest.approx(1 - wrong[0] / (1 + wrong[0]))
    assert (result.ce, result.uce, result.oce) == (pytest.approx(0.4 / 3), pytest.approx(0.4 / 3), 0)
    assert result.confidence_log == [{"step": 1, "conf": 90}, {"step": 2, "conf": 70}, {"step": 5, "conf": 100}]
    assert result.failure_mode == "solved unnoticed"
    assert result.metacog_signals == ["dead end", "backtracking", "loop detected"]
    assert (result.lure_rate == 1) if view == "open" else (result.nan_reasons["lure_rate"] == "lures were not shown")
    assert result.decisions[0]["choice"] == "S" and result.decisions[0]["right"] is False
    for name in ("hrr", "mei", "hallumaze_score", "detected", "recovery_rate", "recovery_lag"):
        assert result.nan_reasons[name] == "stepwise: the environment recovers for everyone"
    for name in ("reported_hallucinations", "reported_backtracks", "report_gap"):
        assert result.nan_reasons[name] == "stepwise asks for no report"
    assert not result.warnings
    assert [e["kind"] for e in result.key_events] == [
        {"open": "wall", "bump": "bump"}[view], "dead end", "dead end", "wall", "loop", "jump", "exit",
    ]  # fmt: skip
    assert [e["true"] for e in result.key_events if "true" in e] == [False, True, True]
    assert json.loads(json.dumps(trial.events)) == trial.events


def test_what_the_subject_sees_in_the_open_view():
    trial = Stepwise(MAZE, condition())
    assert trial.prompt.user.endswith(
        "=== Situation ===\nSTEP 1 / 64 | current cell: (0,0)\nOpen directions: (0,0): [E→]"
    )
    assert build_prompt(MAZE, condition()) == trial.prompt
    hint = MAZE.mirage_traps[0].text("en")
    assert trial.take("E") == (
        "You have arrived at (0,1).\n\nSTEP 2 / 64 | current cell: (0,1)\n"
        f"Open directions: (0,1): [E→ S↓ W←]  ⚑ hint for S: {hint}"
    )
    assert trial.take("N, E").startswith(
        "Side N is the edge of the maze. You have stayed where you were.\n"
        "There was more than one move, so only the first was made.\n\nSTEP 3 / 64 | current cell: (0,1)\n"
    )
    assert trial.take("MOVE: (3,3)").startswith("(3,3) is not a neighbouring cell. You have stayed where you were.")
    plain = Stepwise(MAZE, condition(use_mirage=False))
    assert plain.take("E").endswith("Open directions: (0,1): [E→ S↓ W←]")


def test_what_the_subject_sees_in_the_dark():
    trial = Stepwise(MAZE, condition("bump", "ko"))
    assert trial.prompt.user.endswith("=== 현재 상황 ===\nSTEP 1 / 64 | 현재 칸: (0,0)")
    assert trial.take("S") == "S 쪽에는 벽이 있습니다. 그 자리에 남았습니다.\n\nSTEP 2 / 64 | 현재 칸: (0,0)"
    assert trial.take("W").startswith("W 쪽은 미로의 바깥입니다.")
    assert trial.take("E") == "(0,1)에 도착했습니다.\n\nSTEP 4 / 64 | 현재 칸: (0,1)"


@pytest.mark.parametrize(("view", "language"), EITHER)
def test_what_the_condition_changes_in_the_prompt(view, language):
    full = build_prompt(MAZE, condition(view, language))
    assert ("XX%" in full.user) and "XX%" not in build_prompt(
        MAZE, condition(view, language, use_confidence=False)
    ).user
    neutral = build_prompt(MAZE, condition(view, language, disclosure="neutral"))
    for word in ("메타인지", "metacognition", "반드시", "must"):
        assert word not in neutral.system + neutral.user
    assert ("메타인지" in full.system) or ("metacognition" in full.system)
    for part in ("DEAD_END at (r,c)", "LOOP detected at (r,c)", "STRATEGY_CHANGE", "EXIT:(3,3)", "64"):
        assert part in full.user and part in neutral.user
    assert "9" in build_prompt(MAZE, condition(view, language, step_budget=9)).user
    assert not {"|"} & {line[1:2] for line in full.user.split("\n")}, "no mark of another condition is left"


def test_what_this_protocol_does_not_have():
    for option, value in (("template", 3), ("injection", "own")):
        with pytest.raises(InputError, match=rf"config\.{option} must be"):
            build_prompt(MAZE, condition(**{option: value}))
    with pytest.raises(InputError, match=r"config\.size"):
        Stepwise(MAZE, condition(size=5))
    with pytest.raises(InputError, match="conventions must be 'verified'"):
        score_answer(MAZE, "E", condition(), conventions="published")
    with pytest.raises(InputError, match="reply must be the text"):
        Stepwise(MAZE, condition()).take(None)
    with pytest.raises(InputError, match="messages must be a list of dicts"):
        measure_steps(MAZE, ["E"], condition())


# ---- walls in the dark -----------------------------------------------------------------------------


def test_a_wall_is_one_wall_from_either_side():
    """(1,1)|(1,2): bumped from the west first, then from the east."""
    trial, messages = played(["E", "S", "E", "N", "E", "S", "W"], condition("bump"))
    assert [m.kind for m in trial.moves] == ["legal", "legal", "bump", "legal", "legal", "legal", "wall"]
    result = score_answer(MAZE, "", condition("bump"), messages=messages)
    assert (result.hallucination_count, result.first_hallucination_step, result.sr) == (1, 7, 0)


def test_the_edge_of_the_maze_is_explored_once_too():
    trial, _ = played(["N", "N", "W", "(0,0)→(2,2)"], condition("bump"))
    assert [m.kind for m in trial.moves] == ["bump", "outside", "bump", "jump"]
    assert trial.replay().hallucinations == (1, 3)


def test_a_bump_counts_as_wrong_in_the_calibration_and_is_no_choice():
    replies = ["E", "MOVE: N | confidence: 80%", "S"]  # (0,1) is a junction, N is the edge
    trial, messages = played(replies, condition("bump"))
    result = score_answer(MAZE, "", condition("bump"), messages=messages)
    assert trial.moves[1].kind == "bump" and result.hallucination_count == 0
    assert (result.ce, result.oce) == (pytest.approx(0.8), pytest.approx(0.8))
    assert [(row["cell"], row["choice"], row["step"]) for row in result.decisions] == [((0, 1), "S", 3)]


# ---- what is read in a reply -----------------------------------------------------------------------

MOVES = {
    "E": ["E", "e", "east", "East.", "동쪽", "동", "오른쪽", "→", "[E]", "`E`", "**E**", "E 80%", "E→", "MOVE: E",
          "move: right", "**MOVE:** E | confidence: 80%", "이동: 동쪽", "답: E", "Answer: **East**",
          '{"move": "E", "confidence": 80}',
          "I go east.", "동쪽으로 이동합니다.", "STEP 9: (0,1) → [E] | 확신도: 80% | 이유", "(0,1) → (0,2)",
          "FINAL_PATH: (0,1)→(0,2)", "<think>maybe west</think>\nE", "MOVE: E\n<think>S?",
          "From (0,1) I could go south or west. West looks better.\nMOVE: E"],
    "S": ["S", "남쪽", "아래", "⬇️", "S↓", "Direction: S\nConfidence: 85", "방향: 남 / 확신도: 60",
          "I see E and S. I go S.",
          "Going east leads away, so I go S.\n\nSTEP 2: (0,1) → [S] | confidence: 70% | E is worse",
          "**Move: South** (75% sure)", "DEAD_END at (0,2) — backtracking\nS"],
    "W": ["W", "서쪽으로", "go left", "STEP 4: (0,1) → W | dead end here"],
}  # fmt: skip


@pytest.mark.parametrize(("direction", "text"), [(d, text) for d, texts in MOVES.items() for text in texts])
def test_a_move_is_read_in_many_forms(direction, text):
    trial, _ = played(["E", text])
    assert [m.direction for m in trial.moves] == ["E", direction]
    assert "extra moves" not in kinds(trial)
    if "\n" not in text:
        assert replies_in(MAZE, condition(), f"E\n{text}") == ["E", text]


@pytest.mark.parametrize(
    "text",
    ["", "  \n", "N/A", "MOVE: ?", "No.", "So let us see.", "Answer: I do not know", "<think>E", "STEP 2: (0,1) → ",
     "STEP N: (r,c) → [direction] | confidence: XX% | [reason]", "(0,0)→(0,1)", "I am at (0,1)."],
)  # fmt: skip
def test_no_move_is_read_where_there_is_none(text):
    trial, _ = played(["E", text])
    assert len(trial.moves) == 1 and kinds(trial) == ["unreadable", "reminder"]


@pytest.mark.parametrize(("view", "language"), EITHER)
def test_an_echo_of_what_was_said_is_no_move(view, language):
    trial, messages = played(["E", "E"], condition(view, language))
    for said in (
        messages[1]["content"],
        messages[0]["content"],
        messages[-1]["content"],
        "> " + messages[3]["content"],
    ):
        assert trial.read(said).move is None
        assert trial.read(f"{said}\nMOVE: S").move.direction == "S"


@pytest.mark.parametrize(
    ("text", "percent"),
    [("E 80%", 80), ("MOVE: E | confidence: 0.8", 80), ("E\nconfidence: 80", 80),
     ("STEP 1: (0,0) → [E] | 확신도: 80%", 80), ("East (80% sure)", 80), ("E\n확신도: 100%", 100),
     ("E\nconfidence: 1", 100), ("E\nconfidence: 250", None), ("E", None)],
)  # fmt: skip
def test_the_confidence_of_a_move(text, percent):
    assert read_reply(text, (0, 0)).move.confidence == percent


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("I came from (1,0) by going south. Now I go east.", "E"),
        ("I came from (1,0) by going south, so now I go east.", "E"),
        ("I moved S twice. Next I will go E.", "E"),
        ("If I go north I return to (1,0). East is the only option.", "E"),
        ("If I went N, I would be back at (1,0), so I go E.", "E"),
        ("My last move was south. East is the best choice.", "E"),
        ("Going S would hit a wall. I move E.", "E"),
        ("(1,0)에서 남쪽으로 왔습니다. 이제 동쪽으로 갑니다.", "E"),
        ("북쪽은 온 길이므로 동쪽으로 갑니다.", "E"),
        ("북쪽으로 가면 (1,0)으로 돌아갑니다. 동쪽으로 이동합니다.", "E"),
        ("I moved E.", "E"),  # the choice itself, told as done
    ],
)
def test_moves_that_were_made_or_only_thought_of_are_not_the_move(text, direction):
    assert read_reply(text, (2, 0)).move.direction == direction


def test_only_the_first_of_several_moves_is_made():
    trial, _ = played(["STEP 1: (0,0) → E\nSTEP 2: (0,1) → E\nSTEP 3: (0,2) → S"])
    assert trial.here == (0, 1)
    assert trial.events == [{"turn": 1, "kind": "extra moves", "count": 2}]
    assert played(["MOVE: E, E"])[0].events == [{"turn": 1, "kind": "extra moves", "count": 1}]
    trial, _ = played(["E", "FINAL_PATH: (0,0)→(0,1)→(0,2)→(1,2)"])
    assert (trial.here, trial.events) == ((0, 2), [{"turn": 2, "kind": "extra moves", "count": 1}])


def test_steps_that_only_repeat_earlier_ones_are_not_made_again():
    so_far = "STEP 1: (0,0) → [E]\nSTEP 2: (0,1) → [E]"
    trial, _ = played(["STEP 1: (0,0) → [E]", so_far, f"{so_far}\nSTEP 3: (0,2) → [S]"])
    assert (trial.here, trial.events) == ((1, 2), [])


def test_a_stated_cell_where_it_does_not_stand_is_noted_and_the_move_is_made():
    trial, messages = played(["STEP 1: (2,2) → [E]"])
    assert trial.here == (0, 1)
    assert trial.events == [{"turn": 1, "kind": "misplaced", "stated": [2, 2], "here": [0, 0]}]
    assert score_answer(MAZE, "", condition(), messages=messages).hallucination_count == 0


def test_a_far_target_is_a_jump_and_does_not_move():
    trial, messages = played(["STEP 1: (0,0) → (2,2)"])
    assert (trial.here, trial.moves[0].kind, trial.moves[0].end, trial.moves[0].reached) == (
        (0, 0),
        "jump",
        (2, 2),
        False,
    )
    assert score_answer(MAZE, "", condition(), messages=messages).hallucination_count == 1


def test_a_declaration_without_a_cell_is_made_where_the_subject_stands():
    trial, _ = played(
        ["E", "S", "W", "DEAD_END\nE", "STEP 5: (1,1) → [N]\nDEAD_END — backtracking", "LOOP detected\nE"]
    )
    said = [(d.event.cell, d.true, d.after) for d in trial.replay().declarations]
    assert said == [((1, 0), True, 3), ((1, 1), False, 4), ((0, 1), True, 5)]


def test_being_left_standing_is_no_return():
    trial, _ = played(["E", "N", "LOOP detected at (0,1) — visited at step 2\nE"])
    assert [d.true for d in trial.replay().declarations] == [False]
    assert trial.replay().backtracks == 0 and not any(m.retraced for m in trial.moves)


def test_of_a_very_long_reply_the_beginning_is_read():
    trial, _ = played([". " * LONGEST + "\nMOVE: E"])
    assert kinds(trial) == ["cut", "unreadable", "reminder"] and trial.events[0]["characters"] == 2 * LONGEST + 8
    assert len(trial.events[1]["text"]) == 200
    assert played(["MOVE: E\n" + ". " * LONGEST])[0].here == (0, 1)


# ---- how it ends -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_reminder_then_the_end(language):
    config = condition(language=language)
    trial, messages = played(["E", "hm", "hm hm"], config)
    assert trial.stopped == "unreadable" and kinds(trial) == ["unreadable", "reminder", "unreadable"]
    reminder = messages[-2]["content"]
    assert (
        "STEP N: (r,c)" in reminder
        and f"STEP 2 / 64 | {'현재 칸' if language == 'ko' else 'current cell'}: (0,1)" in reminder
    )
    result = score_answer(MAZE, "", config, messages=messages)
    assert (result.failure_mode, result.sr, result.moves) == ("unreadable", 0, 1)


def test_a_move_after_the_reminder_goes_on_and_earns_another_reminder():
    trial, _ = played(["hm", "E", "hm", "E", "hm"])
    assert not trial.done and len(trial.moves) == 2 and kinds(trial).count("reminder") == 3


def test_the_budget_counts_every_try():
    trial, messages = played(["E", "N", "N", "E"], condition(step_budget=3))
    assert (trial.stopped, trial.here, len(trial.moves)) == ("budget", (0, 1), 3)
    result = score_answer(MAZE, "", condition(step_budget=3), messages=messages)
    assert (result.sr, result.failure_mode, result.warnings) == (0, "stopped short", (
        "1 replies after the end of the trial were not read",
    ))  # fmt: skip
    assert Stepwise(MAZE, condition()).budget == 64
    assert played(["E", "E", "S", "S", "E", "S"], condition(step_budget=6))[0].stopped == "exit"


@pytest.mark.parametrize("text", ["I give up.", "포기합니다.", "I cannot solve this maze."])
def test_who_gives_up_ends_the_trial(text):
    trial, messages = played(["E", text])
    assert trial.stopped == "gave up" and trial.events[-1] == {"turn": 2, "kind": "gave up"}
    assert score_answer(MAZE, "", condition(), messages=messages).failure_mode == "gave up"
    assert not played([f"{text} I mean this branch.\nMOVE: E"])[0].done, "a move says that it goes on"


@pytest.mark.parametrize(
    ("replies", "mode"),
    [
        (["E", "E", "S", "S", "E", "S"], "clean"),
        (["E", "N", "E", "S", "S", "E", "S"], "recovered"),
        (["N", "N", "E", "E", "S", "S", "E", "S"], "solved unnoticed"),
        (["E", "E"], "cut off"),
        (["hm"], "unreadable"),
        ([], "unreadable"),
        (["E", "W"] * 32, "stuck"),
        (["E", "S"], "lured"),
        (["E", "E"] + ["N"] * 2, "stopped short"),
    ],
)
def test_how_a_trial_ended(replies, mode):
    config = condition(step_budget=len(replies) if mode in ("lured", "stopped short") else None)
    assert score_answer(MAZE, "", config, messages=played(replies, config)[1]).failure_mode == mode


def test_without_an_answer_the_counts_are_0_and_the_rest_has_a_reason():
    for messages in (played([])[1], []):
        result = score_answer(MAZE, "", condition(), messages=messages)
        zero = ("sr", "hallucination_count", "backtrack_count", "loop_count", "moves")
        assert all(getattr(result, name) == 0 for name in zero) and result.first_hallucination_step == -1
        for name in set(METRICS) - {*zero, "first_hallucination_step"}:
            assert math.isnan(getattr(result, name)) and result.nan_reasons[name] not in ("", "not given")
        assert math.isnan(result.revisits)


# ---- from messages, from text, from the book -------------------------------------------------------


def test_replies_without_their_messages_end_with_their_moves():
    text = "Let me see.\nE\nDEAD_END at (0,0) — backtracking\nSTEP 2: (0,1) → [E] | confidence: 60%\n\nS\nI stop here."
    assert replies_in(MAZE, condition(), text) == [
        "Let me see.\nE", "DEAD_END at (0,0) — backtracking\nSTEP 2: (0,1) → [E] | confidence: 60%", "\nS",
        "I stop here.",
    ]  # fmt: skip
    result = score_answer(MAZE, text, condition())
    assert (result.moves, result.false_alarms, len(result.messages)) == (3, 1, 4)
    assert score_answer(MAZE, "\n".join(["E", "E", "S", "S", "E", "S"]), condition()).failure_mode == "clean"


def test_a_stored_trial_is_scored_again_from_its_messages(tmp_path):
    config, messages = condition("bump"), played(WALK, condition("bump"))[1]
    first = score_answer(MAZE, "", config, messages=messages)
    with AnswerBook(tmp_path / "book.db") as book:
        id = book.add("", maze=MAZE.to_dict(), config=config, provider="pasted", messages=messages)
        again = score_stored(book.answer(id))
    assert again.replace(answer_id="", timestamp="") == first and again.moves == 13


def test_a_conversation_that_went_otherwise_is_pointed_out():
    messages = played(["E", "E", "S"])[1]
    messages[3] = messages[3] | {"content": "You have arrived at (3,0)."}
    warnings = score_answer(MAZE, "", condition(), messages=messages).warnings
    assert warnings == ("1 of the environment's messages differ from what this version of the kit says",)


@settings(max_examples=150)
@given(
    mazes,
    st.lists(anything | st.sampled_from(["N", "E", "S", "W", "MOVE: (1,1)"]), max_size=8),
    st.sampled_from(EITHER),
)
def test_any_replies_are_taken_and_scored_and_scored_again(maze, replies, how):
    config = condition(*how, size=maze.size)
    trial, messages = played(replies, config, maze)
    assert json.loads(json.dumps(trial.events)) == trial.events
    result = score_answer(maze, "", config, messages=messages)
    check(result, messages[-1]["content"])
    assert result.moves == len(trial.moves) and (result.sr == 1) == (trial.stopped == "exit")
    assert score_answer(maze, "", config, messages=result.messages) == result
    assert played(replies, config, maze)[1] == messages, "same replies, same bytes"
    text = "\n".join(replies)
    told = score_answer(maze, text, config)
    check(told, told.messages[-1]["content"])
    assert "\n".join(m["content"] for m in told.messages) == text, "the text is kept as it came"


@settings(max_examples=100)
@given(mazes, st.lists(st.sampled_from("NESW"), max_size=80), st.sampled_from(VIEWS))
def test_counts_are_those_of_a_walk_counted_here(maze, ways, view):
    """HC, BT and revisits of random tries, counted from the definitions without the package's replay."""
    here, seen, tried, running = (0, 0), {(0, 0)}, set(), False
    wrong = turns = revisits = moves = 0
    for way in ways:
        if here == maze.exit or moves == 4 * maze.size**2:
            break
        moves += 1
        down, right = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}[way]
        end = (here[0] + down, here[1] + right)
        if maze.is_open(here, way):
            turns += end in seen and not running
            running = end in seen
            revisits += end in seen
            seen.add(end)
            here = end
        else:
            wrong += view == "open" or frozenset((here, end)) in tried
            tried.add(frozenset((here, end)))
    config = condition(view, size=maze.size)
    numbers = measure_steps(maze, played(ways, config, maze)[1], config).numbers
    assert (numbers["moves"], numbers["hallucination_count"], numbers["backtrack_count"]) == (moves, wrong, turns)
    assert numbers["sr"] == (here == maze.exit)
    assert numbers["revisits"] == revisits if moves else math.isnan(numbers["revisits"])


# ---- the last turns --------------------------------------------------------------------------------


def test_the_window_keeps_the_rules_and_the_last_turns():
    messages = played(["E", "E", "S"])[1]
    assert window(messages) == messages and window(messages, 3) == messages and window(messages, 9) == messages
    assert window(messages, 2) == [*messages[:2], *messages[4:]]
    assert window(messages, 1) == [*messages[:2], *messages[6:]]
    assert window(messages, 0) == [*messages[:2], messages[-1]]
    assert window(messages[:2], 0) == messages[:2] and window([], 2) == []
    assert window(messages[1:], 1) == [messages[1], *messages[6:]], "without a system turn"
    for wrong in (-1, 1.5, True):
        with pytest.raises(InputError, match="history must be a whole number"):
            window(messages, wrong)
