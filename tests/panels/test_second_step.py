"""The second step of hinted trials where several wait, where an error was planted, and where a draw is asked for."""

from __future__ import annotations

import math

import pytest

from hallumaze_kit import AnswerBook, MazeConfig, MazeEngine
from hallumaze_kit.panels.paste import PastePanel
from hallumaze_kit.panels.pasting.plan import PastePlan
from hallumaze_kit.panels.pasting.state import PasteState

MAZES = [MazeEngine(7, 3), MazeEngine(7, 4)]
C = MazeConfig(size=7, ariadne_mode="C", language="en")


@pytest.fixture
def book(tmp_path):
    with AnswerBook(tmp_path / "answers.db") as book:
        yield book


def solved(maze):
    steps = [f"STEP {n}: ({r},{c}) → {maze.onward((r, c))} | 90%" for n, (r, c) in enumerate(maze.solution[:-1], 1)]
    return "\n".join([*steps, "FINAL_PATH: " + "→".join(f"({r},{c})" for r, c in maze.solution)])


def first(panel, maze):
    panel.state.choose(maze, C)
    panel.show_stimulus()
    panel.answer.value = solved(maze)
    panel.score.click()


def test_the_step_is_that_of_the_answer_just_pasted_and_the_other_is_one_press_away(book):
    panel = PastePanel(book, "en")
    for maze in MAZES:
        first(panel, maze)
    assert "seed 4" in panel.hint.about.value
    panel.hint.answer.value = "half of the second"
    panel.hint.other.click()
    assert "seed 3" in panel.hint.about.value and panel.hint.answer.value == ""
    panel.hint.other.click()
    assert "seed 4" in panel.hint.about.value and panel.hint.answer.value == "half of the second"


def test_what_was_typed_for_a_second_answer_is_not_offered_as_a_first(book):
    panel = PastePanel(book, "en")
    first(panel, MAZES[0])
    panel.hint.answer.value = "half of the second"
    again = PastePanel(book, "en")
    assert again.hint.answer.value == "half of the second" and again.state.unsaved() == []
    again.hint._close()
    assert [draft.text for draft in again.state.unsaved()] == ["half of the second"], "no text is ever lost"


def test_a_second_answer_that_is_taken_away_is_awaited_again_at_once(book):
    panel = PastePanel(book, "en")
    first(panel, MAZES[0])
    panel.hint.answer.value = solved(MAZES[0]) + "\nonce more"
    panel.hint._save(True)
    assert panel.hint.box.layout.display == "none" and "you may be passing" in panel.result.page.value
    panel.saved._delete(panel.result.shown.answer.id)
    assert panel.hint.box.layout.display == "" and len(panel.state.hints.awaited()) == 1


def test_the_draw_stays_asked_for_through_the_plan_and_the_language(book):
    panel = PastePanel(book, "en", PastePlan(MAZES, [C]))
    panel.maze.randomise.value, panel.maze.trigger.value = True, "unsolved"
    assert panel.maze.sign.value == "", "the prompt is the same"
    panel.maze.next()
    panel.language.value = "ko"
    assert panel.maze.randomise.value and panel.maze.trigger.value == "unsolved"
    first(panel, MAZES[0])
    assert next(book.answers(include_deleted=True)).meta["arm"] in ("hint", "sham", "none")


@pytest.mark.parametrize("injection", ["own", "other-clean"])
def test_a_second_answer_is_a_new_walk_though_an_error_was_planted_in_the_first(book, injection):
    state, maze = PasteState(book), MAZES[0]
    config = MazeConfig(size=7, ariadne_mode="C", language="en", injection=injection)
    shown = state.store(solved(maze), maze, config, state.provenance)
    second = state.hints.second(shown.answer.id, solved(maze) + "\nagain", anyway=True)
    assert (second.result.backtrack_count, second.result.nrs, second.happened.injected) == (0, 0, ())
    assert math.isnan(second.result.injection_alarm) and "new walk" in second.result.nan_reasons["injection_alarm"]
    assert shown.happened.injected and shown.result.injection_restarted == (injection == "own")
