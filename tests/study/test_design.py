"""Designs: which trials, with which seeds, and that answers are kept before they are scored."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

import pytest

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.store import AnswerBook
from hallumaze_kit.study.design import Design, cell_seed, run_design
from hallumaze_kit.subjects.synthetic import FLOOR, SYNTHETIC


@dataclass(frozen=True)
class Solver:
    """Answers with the solution and its seed, and remembers nothing."""

    name: str = "solver"
    provider: str = "made up"

    def answer(self, prompt, seed):
        maze = MazeEngine.from_text(prompt.user)
        return f"seed {seed}\nFINAL_PATH: " + "→".join(f"({r},{c})" for r, c in maze.solution)


MAZES = [MazeEngine(5, 1), MazeEngine(7, 2)]
CONFIGS = [MazeConfig(), MazeConfig(language="en", use_mirage=False)]


def quiet(design, **options):
    return run_design(design, progress=False, **options)


def test_every_subject_meets_every_maze_under_every_condition():
    design = Design([Solver("a"), Solver("b")], MAZES, CONFIGS, runs=3)
    results = quiet(design)
    assert len(results) == 2 * 2 * 2 * 3
    keys = {(r.model, r.maze_size, r.config.language, r.config.use_mirage, r.run) for r in results}
    assert keys == {
        (m, n, *c, run) for m in "ab" for n in (5, 7) for c in (("ko", True), ("en", False)) for run in range(3)
    }
    assert [r.trial_index for r in results] == list(range(24))
    assert all(r.sr == 1 and r.config.size == r.maze_size and len(r.prompt_sha256) == 64 for r in results)


def test_each_trial_has_its_own_seed_and_keeps_it_whatever_else_is_run():
    small = {(r.model, r.seed, r.run): r.subject_seed for r in quiet(Design([Solver("a")], MAZES[:1], runs=2))}
    large = {
        (r.model, r.seed, r.run): r.subject_seed
        for r in quiet(Design([Solver("b"), Solver("a")], MAZES[::-1], CONFIGS[:1], runs=3))
    }
    assert len(set(large.values())) == len(large) == 12
    assert all(large[key] == seed for key, seed in small.items())
    other = [r.subject_seed for r in quiet(Design([Solver("a")], MAZES[:1], runs=2), seed=1)]
    assert not set(other) & set(small.values())


def test_the_seed_is_the_same_in_every_process():
    code = (
        "from hallumaze_kit.maze import MazeEngine\nfrom hallumaze_kit.records import MazeConfig\n"
        "from hallumaze_kit.subjects.synthetic import SYNTHETIC\nfrom hallumaze_kit.study.design import cell_seed\n"
        "print(cell_seed(0, SYNTHETIC['careful'], MazeEngine(5, 1), MazeConfig(size=5), 0))"
    )
    seeds = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True, text=True, check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }  # fmt: skip
    assert seeds == {str(cell_seed(0, SYNTHETIC["careful"], MazeEngine(5, 1), MazeConfig(size=5), 0))}


def test_two_mazes_with_the_same_walls_and_other_lures_are_two_mazes():
    same_walls = [MazeEngine(7, 2), MazeEngine(7, 2, placement="balanced")]
    seeds = [r.subject_seed for r in quiet(Design([Solver()], same_walls))]
    assert len(set(seeds)) == 2


def test_the_number_of_workers_changes_nothing():
    design = Design([SYNTHETIC["hasty"], FLOOR["random_walk"]], MAZES, runs=2)
    assert repr(quiet(design, n_jobs=1)) == repr(quiet(design, n_jobs=2))  # NaN equals no NaN, so the text


def test_floor_subjects_are_marked():
    results = quiet(Design([SYNTHETIC["careful"], *FLOOR.values(), Solver()], MAZES[:1]))
    kinds = {r.model: r.subject_kind for r in results}
    assert kinds == {"careful": "synthetic", "solver": "llm"} | dict.fromkeys(FLOOR, "floor")


def test_every_answer_is_in_the_book_with_what_is_known_of_it(tmp_path):
    with AnswerBook(tmp_path / "answers.hallumaze") as book:
        results = quiet(Design([Solver()], MAZES, CONFIGS), book=book)
        for result in results:
            stored = book.answer(result.answer_id)
            assert stored.text == result.messages[-1]["content"]
            assert stored.config == result.config
            assert MazeEngine.from_dict(stored.maze).maze_id == result.maze_id
            assert stored.meta["subject_seed"] == result.subject_seed
        assert len(book) == len(results) == 4


def test_answers_are_kept_even_if_scoring_fails(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("scoring broke")

    monkeypatch.setattr("hallumaze_kit.trial.scoring.score_answer", fail)
    with AnswerBook(tmp_path / "answers.hallumaze") as book:
        with pytest.raises(RuntimeError, match="scoring broke"):
            quiet(Design([Solver()], MAZES), book=book)
        assert len(book) == 2


def test_answers_given_before_a_subject_fails_are_kept(tmp_path):
    class Tired(Solver):
        def answer(self, prompt, seed):
            if MazeEngine.from_text(prompt.user).size == 7:
                raise ConnectionError("the line is down")
            return super().answer(prompt, seed)

    with AnswerBook(tmp_path / "answers.hallumaze") as book:
        with pytest.raises(ConnectionError, match="the line is down"):
            quiet(Design([Tired()], MAZES), book=book)
        assert len(book) == 1


def test_progress_is_shown_if_asked_for(capsys):
    run_design(Design([Solver()], MAZES), progress=True)
    assert "answers: 100%" in capsys.readouterr().err
    quiet(Design([Solver()], MAZES))
    assert capsys.readouterr().err == ""


def test_arms_stay_what_they_are_whatever_is_added_and_a_maze_has_each_once():
    """Three runs and three arms: each maze has every arm; more runs, mazes, subjects or another order change none."""
    conditions = [MazeConfig(ariadne_mode="B"), MazeConfig(ariadne_mode="C")]
    arms = ("hint", "sham", "none")

    def drawn(design):
        return {(c.subject.name, c.maze.maze_id, c.config.ariadne_mode, c.run): c.arm for c in design.cells()}

    many = [MazeEngine(5, seed) for seed in range(12)]
    small = drawn(Design([Solver("a")], many[:6], conditions, runs=3, arms=arms))
    for name, maze, group, _ in small:
        assert {small[name, maze, group, run] for run in range(3)} == set(arms)
    large = drawn(Design([Solver("b"), Solver("a")], many[::-1], conditions[::-1], runs=7, arms=arms[::-1]))
    assert all(large[trial] == arm for trial, arm in small.items())
    first = [arm for (*_, run), arm in large.items() if run == 0]
    assert min(map(first.count, arms)) > len(first) / 6
    assert set(drawn(Design([Solver("a")], many, arms=arms)).values()) == {""}  # group A is told nothing


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"subjects": []}, "subjects must be a list with at least one entry"),
        ({"mazes": []}, "mazes must be a list with at least one entry"),
        ({"configs": []}, "configs must be a list with at least one entry"),
        ({"runs": 0}, "runs must be a whole number of 1 or more, got 0"),
        ({"subjects": [Solver(), Solver()]}, "subjects must be a list of different subjects.*runs="),
        ({"mazes": [MazeEngine(5, 1), MazeEngine(5, 1)]}, "mazes must be a list of different mazes"),
        ({"configs": [MazeConfig(size=5), MazeConfig(size=7)]}, "configs must be a list of different configs"),
    ],
)
def test_designs_that_mean_nothing_are_refused(changes, sentence):
    with pytest.raises(InputError, match=sentence):
        Design(**({"subjects": [Solver()], "mazes": MAZES} | changes))
