"""A planned set of trials counts each stored answer once."""

from __future__ import annotations

import pytest

from hallumaze_kit import AnswerBook, KitError, MazeConfig, MazeEngine
from hallumaze_kit.panels.pasting.plan import PastePlan

MAZES = [MazeEngine(5, 1), MazeEngine(5, 2, "wilson", "balanced")]


@pytest.fixture
def book(tmp_path):
    with AnswerBook(tmp_path / "a.db") as book:
        yield book


def add(book, maze, model="m", **condition):
    config = MazeConfig(size=maze.size, **condition)
    return book.add("STEP 1: (0,0) → E", maze=maze.to_dict(), config=config, provider="p", model=model)


def test_an_answer_counts_for_its_maze_condition_and_model(book):
    plan = PastePlan(MAZES, [MazeConfig(), MazeConfig(language="en")], ["m", "n"])
    assert plan.progress(book.answers())[:2] == (0, 8)
    add(book, MAZES[0], "m")
    add(book, MAZES[0], "other")
    add(book, MazeEngine(5, 3), "m")
    progress = plan.progress(book.answers())
    assert progress.done == 1 and len(progress.missing) == 7
    assert (MAZES[0], MazeConfig(size=5), "m", 0) not in progress.missing


def test_runs_and_any_model(book):
    plan = PastePlan(MAZES[:1], runs=2)
    for done, model in enumerate(("a", "b", "c")):
        assert plan.progress(book.answers()).done == min(done, 2)
        add(book, MAZES[0], model)
    assert plan.progress(book.answers()) == (2, 2, ())


def test_a_deleted_answer_is_missing_again(book):
    plan = PastePlan(MAZES[:1])
    id = add(book, MAZES[0])
    book.mark_deleted(id)
    assert plan.progress(book.answers()).done == 0


def test_mazes_with_other_lures_are_other_mazes(book):
    plan = PastePlan([MazeEngine(5, 1, placement="balanced")])
    add(book, MazeEngine(5, 1))
    assert plan.progress(book.answers()).done == 0


@pytest.mark.parametrize("given", [{"mazes": []}, {"configs": ()}, {"models": "abc"}, {"runs": 0}])
def test_an_empty_plan_is_refused(given):
    with pytest.raises(KitError):
        PastePlan(**{"mazes": MAZES} | given)
