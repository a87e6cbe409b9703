"""Every part of the benchmarks runs, with small counts and without the peers; what it prints is what it measured."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

from benchmarks import __main__ as bench
from benchmarks import ask, imports, maze, null, panel, parse, play, reasoning, report, score, size, store, trials
from benchmarks.report import MISSING, Line
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.trial.parsing import LONGEST_LINE

SMALL = {
    maze: {"counts": {3: 2, 5: 1}, "repeats": 1},
    score: {"rounds": 1, "repeats": 1},
    parse: {"characters": 400, "repeats": 1},
    size: {"sizes": (3, 5), "mazes": 2},
    imports: {"repeats": 1},
    store: {"answers": 3, "repeats": 1},
    panel: {"repeats": 1, "size": 5},
    play: {"sessions": (1,), "games": 1},
    ask: {"repeats": 1, "mazes": 2},
    null: {"studies": 1, "n_jobs": 1},
    trials: {"trials": 36, "sample": 18},
    reasoning: {"problems": 3, "steps": 50, "jobs": 1},
}
LINES = {
    maze: 12, score: 8, size: 12, imports: 2, store: 1, panel: 2, ask: 2, null: 56, trials: 9, play: 5, reasoning: 8,
}  # fmt: skip


@pytest.fixture
def no_peers(monkeypatch):
    for package in ("maze_dataset", "mazelib", "bpe_openai"):
        monkeypatch.setitem(sys.modules, package, None)


@pytest.fixture
def small(monkeypatch):
    """The parts as `main` calls them, with small counts."""
    for part, counts in SMALL.items():
        lines = list(part.measure(**counts))
        monkeypatch.setattr(part, "measure", lambda lines=lines: iter(lines))


@pytest.mark.parametrize("part", SMALL, ids=lambda part: part.__name__)
def test_a_part_measures_ours(no_peers, part):
    lines = list(part.measure(**SMALL[part]))
    assert len(lines) == LINES.get(part, len(parse.texts(400)))
    assert len({line.what for line in lines}) == len(lines)
    assert all(any(digit in line.ours for digit in "123456789") for line in lines)


@pytest.mark.parametrize("part", [maze, size], ids=lambda part: part.__name__)
def test_a_missing_peer_is_said_and_not_counted_as_missed(no_peers, part):
    for line in part.measure(**SMALL[part]):
        assert line.theirs == MISSING and math.isnan(line.ratio) and line.met is None


def test_main_runs_every_part_and_ends_with_the_targets(no_peers, small, capsys):
    assert bench.main([]) == 0
    shown = capsys.readouterr().out
    assert all(f"\n{name}: " in shown for name in bench.PARTS)
    assert "Load average at the start: " in shown and sys.version.split()[0] in shown
    assert "not measured: maze, dfs 3×3, maze-dataset: " in shown
    assert " targets met.\n" in shown and "`make bench`" in shown


def test_main_runs_only_the_parts_that_are_named(no_peers, small, capsys):
    assert bench.main(["store", "size"]) == 0
    shown = capsys.readouterr().out
    assert [name for name in bench.PARTS if f"\n{name}: " in shown] == ["size", "store"]
    assert shown.index("\nstore: ") < shown.index("\nsize: ")


def test_an_unknown_part_is_one_clear_line(capsys):
    assert bench.main(["maze", "speed"]) == 2
    out, error = capsys.readouterr()
    names = ", ".join(bench.PARTS)
    assert not out and error == f"There is no part 'speed': name some of {names}, or none for all.\n"
    assert names.startswith("maze, score, parse")


def test_rates_under_the_null_are_shown_with_their_error_and_judged():
    line = null.line("t", "approximate", 100, 2000)
    assert (line.what, line.ours, line.target, line.met) == ("t: rejects", "5.0 ± 0.5 (2000)", "4 to 6 %", True)
    assert [null.line("t", "approximate", hits, 100).met for hits in (3, 4, 6, 7)] == [False, True, True, False]
    assert [null.line("t", "exact", hits, 100).met for hits in (0, 6, 7)] == [True, True, False]
    assert [null.line("t", "covers", hits, 100).met for hits in (92, 93, 97, 98)] == [False, True, True, False]
    assert null.line("t", "covers", 95, 100).what == "t: covers"


def test_the_same_studies_are_made_each_time():
    assert null._studied(range(3, 4)) == null._studied(range(3, 4)) != null._studied(range(5, 6))


def test_a_line_shows_its_ratio_and_its_verdict():
    line = Line("dfs", "300/s", "10/s", 30.0, ">= 25×", True)
    assert " ".join(str(line).split()) == "dfs 300/s 10/s 30.0× >= 25× met"
    assert str(Line("dfs", "200/s", "10/s", 20.0, ">= 25×", False)).endswith("  NOT MET")
    assert Line("dfs", "200/s", MISSING, target=">= 25×").verdict == "not measured"
    assert str(Line("add", "7/s")).split() == ["add", "7/s", "-", "-"]


def test_the_summary_names_what_was_missed():
    lines = [
        ("maze", Line("a", "1/s", "2/s", 0.5, ">= 25×", False)),
        ("maze", Line("b", "60/s", "2/s", 30.0, ">= 25×", True)),
        ("maze", Line("c", "60/s", "2/s", 30.0)),
        ("score", Line("d", "9/s", target=">= 5/s", met=True)),
    ]
    assert bench.summary(lines) == ["2 of 3 targets met.", "NOT MET: maze, a: 1/s, target >= 25×"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0041, "0.00410"), (0.5123, "0.512"), (1, "1.00"), (4.026, "4.03"), (37.14, "37.1"), (12345.6, "12,346")],
)
def test_a_number_has_three_digits_or_all_before_the_point(value, shown):
    assert report.number(value) == shown


def test_fastest_gives_what_the_least_run_returned(monkeypatch):
    monkeypatch.setattr(report, "perf_counter", iter([0, 5, 10, 12, 20, 21, 30, 33]).__next__)
    returned = iter(["first", "other first", "second", "other second"])
    best = report.fastest({"one": lambda: next(returned), "two": lambda: next(returned)}, 2)
    assert best == {"one": (1, "second"), "two": (2, "other first")}


def test_fastest_does_not_repeat_what_takes_too_long(monkeypatch):
    monkeypatch.setattr(report, "perf_counter", iter([0, report.PATIENCE + 1]).__next__)
    assert report.fastest({"slow": lambda: "made"}, 5) == {"slow": (report.PATIENCE + 1, "made")}


def test_a_peer_that_does_not_solve_its_maze_is_found():
    solution = MazeEngine(5, 1).solution
    maze._check_solved("ours", [solution], 5)
    for broken in (solution[:-1], solution[1:]):
        with pytest.raises(RuntimeError, match="did not solve"):
            maze._check_solved("ours", [broken], 5)
    maze._check_solved("mazelib", [[(2, 1), (3, 1), (9, 8)]], 5)
    with pytest.raises(RuntimeError, match="mazelib did not solve"):
        maze._check_solved("mazelib", [[(2, 1), (3, 1), (9, 6)]], 5)


def test_the_texts_have_the_length_that_is_said():
    made = parse.texts(50_000)
    assert {len(text) for text in made.values()} == {50_000}
    longest = [max(map(len, text.split("\n"))) for what, text in made.items() if what.endswith("long lines")]
    assert set(longest) == {LONGEST_LINE}


def test_the_answers_are_real_ones_and_synthetic_ones_in_both_languages():
    real = score.real_answers()
    texts = [path.read_bytes().decode() for path in Path(score.ANSWERS).glob("*_n7_*.txt")]
    assert sorted(answer.text for answer in real) == sorted(texts) and texts
    for style in score.STYLES:
        made = score.synthetic_answers(style, 2)
        assert {answer.config.language for answer in made} == {"ko", "en"}


def test_every_trial_of_the_benchmark_goes_through_text_and_is_counted():
    subjects = trials.crowd()
    assert len({subject.name for subject in subjects}) == len(subjects) == 18
    scored, busy = trials.trials_of(range(2), subjects)
    assert scored == 36 and busy > 0
    spent = trials.stages(range(1), subjects)
    assert spent.pop("trials") == 18 and all(value > 0 for value in spent.values())


def test_a_parser_that_is_too_slow_is_given_up(monkeypatch):
    read = []
    monkeypatch.setattr(parse, "parse_answer", lambda text: read.append(len(text)))
    monkeypatch.setattr(report, "perf_counter", iter([0, 2]).__next__)
    line = parse._line("slow", "x" * 2560, 3)
    assert read == [10] and line.met is False and line.ours == "given up" and line.theirs == "2.00 s (1/256)"
