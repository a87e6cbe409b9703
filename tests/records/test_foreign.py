from __future__ import annotations

import json
import math

import pytest
from records.strategies import same

from hallumaze_kit.errors import FileError
from hallumaze_kit.records import BenchmarkResult, MazeConfig, read_results, write_json
from hallumaze_kit.records.foreign import FAILED_CALL

# Two records as they stand in the public result files (figures).
NINE = {"model": "GLM-4.7", "seed": 2825, "size": 9, "mei": 0.8678, "hrr": 1.0, "sr": 0.0, "hallucination_count": 1,
        "backtrack_count": 6, "brs": 0.8571}  # fmt: skip
WALK = {"provider": "baseline", "model": "random_walk", "size": 5, "seed": 1001, "max_steps_budget": 2500, "sr": 1.0,
        "hallucinations": 0, "bt_count": 50, "loop_count": 80, "hrr": 1.0, "mei": 0.9, "ce": None, "brs": 1.0,
        "hallumaze_score": 0.8, "path_valid": True, "steps": 95, "latency_s": 0.0001, "path_length": 95}  # fmt: skip


def read(tmp_path, data) -> list[BenchmarkResult]:
    path = tmp_path / "trials.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
    return read_results(path)


def test_a_flat_list(tmp_path):
    (walk,) = read(tmp_path, [WALK])
    assert (walk.provider, walk.model, walk.maze_size, walk.seed) == ("baseline", "random_walk", 5, 1001)
    assert (walk.hallucination_count, walk.backtrack_count, walk.loop_count) == (0, 50, 80)
    assert (walk.sr, walk.hrr, walk.mei, walk.brs, walk.hallumaze_score) == (1.0, 1.0, 0.9, 1.0, 0.8)
    assert walk.path_valid is True
    assert walk.latency_s == 0.0001
    assert math.isnan(walk.ce)
    assert math.isnan(walk.first_hallucination_step)
    assert walk.nan_reasons["first_hallucination_step"] == "not given"
    assert walk.extra == {"max_steps_budget": 2500, "steps": 95, "path_length": 95}
    assert (walk.maze, walk.config, walk.warnings, walk.conventions) == (None, None, (), "")


@pytest.mark.parametrize("name", ["results", "raw_trials", "trials", "anything"])
def test_a_list_inside_a_mapping(tmp_path, name):
    (nine,) = read(tmp_path, {"meta": {"size": 9}, "summary": {"GLM-4.7": {"n": 30}}, name: [NINE]})
    assert (nine.model, nine.maze_size, nine.seed, nine.mei) == ("GLM-4.7", 9, 2825, 0.8678)
    assert nine.provider == ""


def test_of_two_other_lists_none_is_guessed(tmp_path):
    with pytest.raises(FileError, match="holds no results"):
        read(tmp_path, {"one": [NINE], "two": [WALK]})
    assert len(read(tmp_path, {"results": [NINE], "two": [WALK]})) == 1


def test_what_the_file_says_of_all(tmp_path):
    trial = {"seed": 3, "mei": 0.5}
    (result,) = read(tmp_path, {"model": "synthetic-walker", "size": 5, "trials": [trial]})
    assert (result.model, result.maze_size, result.seed) == ("synthetic-walker", 5, 3)


def test_a_size_that_no_one_gives_is_not_made_up(tmp_path):
    (result,) = read(tmp_path, [{"model": "synthetic-walker", "mei": 0.5, "config": {"use_mirage": False}}])
    assert result.maze_size is None
    assert result.config is None
    assert result.extra == {"config": {"use_mirage": False}}


def test_short_names_and_numbers_python_writes(tmp_path):
    (result,) = read(
        tmp_path,
        '[{"model": "m", "hc": 2, "fhr": 3, "bt": 1, "lt": 0, "score": 0.25, "solution_cells": 13, "first_hall": 9,'
        ' "solved": true, "mei": NaN, "errors": Infinity, "signals": ["루프"]}]',
    )
    assert (result.hallucination_count, result.first_hallucination_step, result.backtrack_count) == (2, 3, 1)
    assert (result.loop_count, result.hallumaze_score, result.sr) == (0, 0.25, 1.0)
    assert (result.solution_length, result.solution_moves) == (13, 12)
    assert result.metacog_signals == ["루프"]
    assert math.isnan(result.mei)
    assert result.extra == {"first_hall": 9, "errors": math.inf}
    path = write_json([result], tmp_path / "again.json")
    assert same(read_results(path), [result])


def test_the_programs_own_json(tmp_path):
    path = [[0, 0], [1, 0], [1, 1]]
    trial = {
        "provider": "synthetic", "model": "synthetic-walker", "maze_size": 2, "ariadne_group": "B", "sr": 1.0,
        "hallucination_count": 0, "first_hallucination_step": -1, "backtrack_count": 0, "loop_count": 0, "hrr": 1.0,
        "mei": 0.9, "ce": None, "brs": 1.0, "hallumaze_score": 0.8, "path_valid": True, "extracted_path": path,
        "solution_path": path, "metacog_signals": [], "confidence_log": [], "steps": [{"step": 1, "r": 0, "c": 0}],
        "raw_response": "STEP 1: (0,0) → S", "tokens_approx": 4, "latency_s": 1.5, "error": None,
        "timestamp": "2026-03-22T14:30:22",
    }  # fmt: skip
    file = {
        "hallumaze_version": "1.1",
        "timestamp": "2026-03-22T14:31:00",
        "maze": {"size": 2, "seed": 9, "solution_length": 3, "dead_ends": 1, "mirage_traps": 1, "solution_path": path},
        "config": {"use_mirage": True, "use_confidence": False, "ariadne_mode": "B", "max_tokens": 900},
        "results": [trial],
    }
    (result,) = read(tmp_path, file)
    assert (result.seed, result.solution_length, result.solution_moves, result.dead_ends) == (9, 3, 2, 1)
    assert result.messages == ({"role": "assistant", "content": "STEP 1: (0,0) → S"},)
    assert result.config == MazeConfig(size=2, use_confidence=False, ariadne_mode="B", max_tokens=900)
    assert result.conventions == "published"
    assert result.timestamp == "2026-03-22T14:30:22"
    assert result.extra["extracted_path"] == path
    assert result.extra["steps"] == [{"step": 1, "r": 0, "c": 0}]
    assert set(result.extra) == {"extracted_path", "solution_path", "steps", "tokens_approx", "mirage_traps"}


def test_a_run_on_another_maze_is_not_given_the_files_seed(tmp_path):
    """The program run several times without a seed keeps only the last maze, beside the results of all."""
    last, other = [[0, 0], [0, 1], [1, 1]], [[0, 0], [1, 0], [1, 1], [1, 2], [2, 2]]
    trial = {"provider": "synthetic", "mei": 0.5}
    file = {
        "hallumaze_version": "1.1",
        "maze": {"size": 2, "seed": 9, "solution_length": 3, "dead_ends": 1, "solution_path": last},
        "results": [
            trial | {"maze_size": 3, "solution_path": other},
            trial | {"maze_size": 2, "solution_path": last},
            trial | {"maze_size": 2, "seed": 8},
        ],
    }
    first, second, third = read(tmp_path, file)
    assert (first.seed, first.maze_size, first.solution_length, first.dead_ends) == (None, 3, 5, None)
    assert (second.seed, second.solution_length, second.dead_ends) == (9, 3, 1)
    assert (third.seed, third.solution_length, third.dead_ends) == (8, None, None)


def test_a_maze_as_walls(tmp_path):
    maze = {"N": 2, "walls": [], "solution": [[0, 0], [0, 1], [1, 1]], "mirage_positions": []}
    (result,) = read(
        tmp_path, {"seed": 4, "size": 2, "maze": maze, "results": [{"model": "m", "solved": False, "mei": 0}]}
    )
    assert (result.maze_size, result.seed, result.sr, result.mei) == (2, 4, 0.0, 0)


def test_a_failed_call_is_told(tmp_path):
    failed, fine = read(tmp_path, [WALK | {"error": "Error code: 404", "mei": 0.0}, WALK | {"error": None}])
    assert (failed.error, failed.mei, failed.warnings) == ("Error code: 404", 0.0, (FAILED_CALL,))
    assert (fine.error, fine.warnings) == ("", ())


@pytest.mark.parametrize("wrap", [lambda r: r, lambda r: [r], lambda r: {"groups": [r]}])
def test_group_means_of_people(tmp_path, wrap):
    mean = {
        "provider": "human", "model": "undergraduate_group_n30", "maze_size": 7, "ariadne_group": "A", "sr": 0.73,
        "mei": 0.61, "hallucination_count": 2.1, "backtrack_count": 3.4, "solution_length": 18.5,
    }  # fmt: skip
    (result,) = read(tmp_path, wrap(mean))
    by_hand = BenchmarkResult(
        provider="human", model="undergraduate_group_n30", maze_size=7, ariadne_group="A", sr=0.73, mei=0.61,
        hallucination_count=2.1, backtrack_count=3.4, solution_length=18.5,
    )  # fmt: skip
    assert result == by_hand
    assert read_results(write_json([by_hand], tmp_path / "human.json")) == [by_hand]


@pytest.mark.parametrize(
    ("record", "says"),
    [
        (WALK | {"mei": "0.9"}, "record 2: mei must be a number, got '0.9'"),
        (WALK | {"hallucinations": True}, "record 2: hallucination_count must be a number, got True"),
        (WALK | {"seed": "x"}, "record 2: seed must be a whole number, got 'x'"),
        (WALK | {"metacog_signals": "dead end"}, "record 2: metacog_signals must be a list of texts"),
        (WALK | {"confidence_log": [90]}, "record 2: confidence_log must be a list of mappings"),
        (WALK | {"config": {"ariadne_mode": "D"}}, "record 2: ariadne_mode must be one of 'A', 'B', 'C', got 'D'"),
        (7, "record 2 is not a mapping"),
    ],
)
def test_a_wrong_type_names_field_and_record(tmp_path, record, says):
    with pytest.raises(FileError) as caught:
        read(tmp_path, [WALK, record])
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        (" \n\n", "is empty"),
        ('{"results": [\n  {"model": "x",,}]}', "line 2, column 17"),
        ('[{"model": "x", "mei": 0.5}', "is not JSON"),
        ("model,mei\nx,1\n", "line 1, column 1"),
        ("[]", "holds no results"),
        ('{"results": []}', "holds no results"),
        ("[1, 2]", "holds no results"),
        ("7", "is not JSON or holds no results"),
        ('[{"model": "x"}]', "holds no results"),
        ('[{"mei": 0.5}]', "holds no results"),
        ('{"providers": [{"provider": "x", "api_key": "not-a-key", "model": "y"}]}', "holds no results"),
        ("[" * 100_000, "nested too deeply"),
        ("[" + "9" * 5000 + "]", "cannot be read"),
    ],
)
def test_bad_files_say_what_and_where(tmp_path, text, says):
    with pytest.raises(FileError) as caught:
        read(tmp_path, text)
    assert any(part in str(caught.value) for part in says.split(" or "))
    assert "\n" not in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_files_that_are_no_text(tmp_path):
    path = tmp_path / "r.csv"
    path.write_bytes("model,mei\n한,1\n".encode("cp949"))
    with pytest.raises(FileError, match=r"not UTF-8 text \(byte 11 "):
        read_results(path)
    with pytest.raises(FileError, match="does not exist"):
        read_results(tmp_path / "none.json")
    with pytest.raises(FileError, match="is a folder"):
        read_results(tmp_path)
