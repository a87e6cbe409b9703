from __future__ import annotations

import json
import math
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from records.strategies import results, same

from hallumaze_kit.errors import FileError, InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import BenchmarkResult, MazeConfig, read_results, write_json

# Section 11 of the v1.1 document, with its arrow comment taken out and the path of its maze shortened to three cells.
DOCUMENT = """{
  "hallumaze_version": "1.1",
  "timestamp": "2026-03-22T14:30:22",
  "maze": {
    "size": 7,
    "seed": 42813,
    "solution_length": 18,
    "dead_ends": 8,
    "mirage_traps": 3,
    "solution_path": [[0,0],[0,1],[0,2]]
  },
  "config": {
    "use_mirage": true,
    "use_confidence": true,
    "ariadne_mode": "A",
    "max_tokens": 2500
  },
  "results": [
    {
      "provider": "anthropic",
      "model": "claude-sonnet-4-20250514",
      "sr": 1.0,
      "mei": 0.847,
      "ce": 0.142,
      "brs": 0.910,
      "hallumaze_score": 0.791,
      "hallucination_count": 1,
      "backtrack_count": 2,
      "loop_count": 1,
      "hrr": 1.0,
      "first_hallucination_step": 5,
      "path_valid": true,
      "metacog_signals": ["dead end", "backtracking", "loop detected"],
      "confidence_log": [
        {"step": 1, "conf": 90},
        {"step": 2, "conf": 85},
        {"step": 5, "conf": 45}
      ],
      "latency_s": 4.2
    }
  ]
}"""


def result_on(maze: MazeEngine, **fields) -> BenchmarkResult:
    """A synthetic result on a real maze, as scoring makes them."""
    return BenchmarkResult(
        provider="synthetic", model="synthetic-walker", maze_size=maze.size, seed=maze.seed, algorithm=maze.algorithm,
        placement=maze.placement, maze_id=maze.maze_id, solution_length=len(maze.solution),
        solution_moves=len(maze.solution) - 1, dead_ends=maze.dead_ends,
        maze=maze.to_dict() | {"solution": [list(c) for c in maze.solution], "dead_ends": maze.dead_ends}, **fields,
    )  # fmt: skip


@given(st.lists(results, min_size=1, max_size=3))
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture], deadline=None)
def test_every_field_of_every_result_comes_back(tmp_path, written):
    assert same(read_results(write_json(written, tmp_path / "r.json")), written)


def test_the_layout_is_section_11(tmp_path):
    maze = MazeEngine(7, 42)
    config = MazeConfig(size=7, ariadne_mode="B")
    path = write_json([result_on(maze, config=config, mei=0.5, timestamp="2026-03-22T14:30:22")], tmp_path / "r.json")
    data, document = json.loads(path.read_text("utf-8")), json.loads(DOCUMENT)
    assert set(document) <= set(data)
    for part in ("maze", "config"):
        assert set(document[part]) <= set(data[part])
    assert set(document["results"][0]) <= set(data["results"][0])
    assert data["hallumaze_version"] == "1.1"
    assert data["timestamp"] == "2026-03-22T14:30:22"
    assert data["maze"]["solution_path"] == [list(cell) for cell in maze.solution]
    assert data["maze"]["solution_length"] == len(maze.solution) == data["maze"]["solution_moves"] + 1
    assert data["maze"]["mirage_traps"] == len(maze.mirage_traps)
    assert data["maze"]["dead_ends"] == maze.dead_ends
    assert MazeEngine.from_dict(data["maze"]["engine"]) == maze
    assert data["results"][0]["mei"] == 0.5
    assert data["results"][0]["brs"] is None
    assert data["config"]["ariadne_mode"] == "B"


def test_every_maze_stands_once_and_each_result_finds_its_own(tmp_path):
    walls = MazeEngine(7, 5)
    mazes = [walls, MazeEngine(7, 5, placement="balanced"), MazeEngine(9, 5), walls]
    assert mazes[0].maze_id == mazes[1].maze_id
    written = [result_on(maze, config=MazeConfig(size=maze.size), run=n) for n, maze in enumerate(mazes)]
    path = write_json(written, tmp_path / "r.json")
    data = json.loads(path.read_text("utf-8"))
    assert len(data["mazes"]) == 3
    assert data["maze"] == data["mazes"][0]
    read = read_results(path)
    assert read == written
    assert [MazeEngine.from_dict(result.maze) for result in read] == mazes


def test_same_results_same_bytes(tmp_path):
    written = [result_on(MazeEngine(5, 1), timestamp="2026-01-01T00:00:00")]
    one, two = (write_json(written, tmp_path / name).read_bytes() for name in ("a.json", "b.json"))
    assert one == two


def test_without_a_time_of_its_own_the_file_carries_the_present(tmp_path):
    path = write_json([BenchmarkResult(provider="human")], tmp_path / "r.json")
    assert (
        abs((datetime.now() - datetime.fromisoformat(json.loads(path.read_text())["timestamp"])).total_seconds()) < 60
    )


def test_korean_stands_readable_and_the_file_is_utf8(tmp_path):
    path = write_json([BenchmarkResult(provider="사람", error="끊긴 반쪽 \ud83d")], tmp_path / "결과.json")
    assert "사람" in path.read_text("utf-8")
    assert read_results(path)[0].error == "끊긴 반쪽 \ud83d"


def test_the_given_condition_stands_at_the_top(tmp_path):
    path = write_json([BenchmarkResult(provider="x")], tmp_path / "r.json", MazeConfig(max_tokens=9))
    assert json.loads(path.read_text())["config"]["max_tokens"] == 9
    assert read_results(path)[0].config is None


@pytest.mark.parametrize(
    ("results", "says"), [([], "at least one BenchmarkResult"), ([{"provider": "x"}], "a list of BenchmarkResult")]
)
def test_only_results_are_written(tmp_path, results, says):
    path = write_json([BenchmarkResult(provider="kept")], tmp_path / "r.json")
    with pytest.raises(InputError, match=says):
        write_json(results, path)
    with pytest.raises(InputError, match="config must be a MazeConfig"):
        write_json([BenchmarkResult(provider="x")], path, {"size": 7})
    assert read_results(path)[0].provider == "kept"


def test_the_documents_own_example_is_read(tmp_path):
    path = tmp_path / "hallumaze_results_20260322_143022.json"
    path.write_text(DOCUMENT, "utf-8")
    (result,) = read_results(path)
    assert (result.provider, result.model) == ("anthropic", "claude-sonnet-4-20250514")
    assert (result.sr, result.mei, result.ce, result.brs, result.hallumaze_score) == (1.0, 0.847, 0.142, 0.910, 0.791)
    assert (result.hallucination_count, result.backtrack_count, result.loop_count) == (1, 2, 1)
    assert (result.maze_size, result.seed, result.solution_length, result.solution_moves) == (7, 42813, 18, 17)
    assert result.metacog_signals == ["dead end", "backtracking", "loop detected"]
    assert result.confidence_log[2] == {"step": 5, "conf": 45}
    assert result.config == MazeConfig(size=7, use_mirage=True, use_confidence=True, ariadne_mode="A", max_tokens=2500)
    assert result.conventions == "published"
    assert math.isnan(result.detected)
    assert result.nan_reasons["detected"] == "not given"
    again = json.loads(write_json([result], tmp_path / "again.json").read_text("utf-8"))
    for name, value in json.loads(DOCUMENT)["maze"].items():
        if name != "solution_length":  # the shortened path has three cells
            assert again["maze"][name] == value


def test_own_files_that_were_damaged_say_where(tmp_path):
    path = write_json(
        [BenchmarkResult(provider="x", mei=0.5), BenchmarkResult(provider="y", mei=0.5)], tmp_path / "r.json"
    )
    whole = json.loads(path.read_text())

    def error_of(**changes) -> str:
        path.write_text(json.dumps(whole | changes))
        with pytest.raises(FileError) as caught:
            read_results(path)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    wrong = [whole["results"][0], whole["results"][1] | {"mei": "half"}]
    assert "record 2: mei must be a number, got 'half'" in error_of(results=wrong)
    assert "record 1 names no maze" in error_of(mazes=[])
    assert "holds no results" in error_of(results=[])
    assert "record 2 names no maze" in error_of(results=[whole["results"][0], 7])


def test_a_newer_kits_field_is_kept(tmp_path):
    path = write_json([BenchmarkResult(provider="x", extra={"own": 1})], tmp_path / "r.json")
    path.write_text(path.read_text().replace('"provider": "x"', '"provider": "x", "gaze": [1, 2]'))
    assert read_results(path)[0].extra == {"own": 1, "gaze": [1, 2]}


def test_paths_may_be_text(tmp_path):
    path = write_json([BenchmarkResult(provider="x")], str(tmp_path / "r.json"))
    assert isinstance(path, Path)
    assert read_results(str(path))[0].provider == "x"
