from __future__ import annotations

import csv
import math
from pathlib import Path

import pytest
from records.strategies import same

from hallumaze_kit.errors import FileError, InputError
from hallumaze_kit.records import BenchmarkResult, MazeConfig, read_results, to_frame, write_csv
from hallumaze_kit.records.frames import COLUMNS
from hallumaze_kit.records.result import V11_CSV

SHARED = Path(__file__).parents[2] / ".." / "shared"
TEXTS = ['=HYPERLINK("x")', "줄\n바꿈", 'say "no"', "a,b", "\r", "", "+82", " 앞뒤 "]


def test_the_first_columns_are_v11s(tmp_path):
    path = write_csv([BenchmarkResult(provider="synthetic", mei=0.5)], tmp_path / "r.csv")
    with open(path, newline="", encoding="utf-8") as file:
        header, cells = csv.reader(file)
    assert tuple(header) == COLUMNS
    assert tuple(header[:16]) == V11_CSV
    assert dict(zip(header, cells, strict=True))["mei"] == "0.5"
    assert dict(zip(header, cells, strict=True))["ce"] == ""


@pytest.mark.parametrize("text", TEXTS)
def test_text_survives(tmp_path, text):
    written = BenchmarkResult(provider="synthetic", model=text, error=text, sr=1)
    (read,) = read_results(write_csv([written], tmp_path / "r.csv"))
    assert (read.model, read.error) == (text, text)


def test_numbers_and_conditions_survive(tmp_path):
    config = MazeConfig(size=9, ariadne_mode="C", language="en", step_budget=12, use_mirage=False)
    written = [
        BenchmarkResult(
            provider="synthetic", maze_size=9, ariadne_group="C", config=config, mei=0.1 + 0.2, hallucination_count=2.1,
            first_hallucination_step=-1, seed=10**30, path_valid=False, latency_s=-0.0, run=3, practice=True,
            metacog_signals=("dead end", "루프"), signature="s", solution_length=None,
        ),
        BenchmarkResult(provider="synthetic", sr=1, signature="s", path_valid=None),
    ]  # fmt: skip
    read = read_results(write_csv(written, tmp_path / "r.csv"))
    assert same(read, written)


def test_a_lone_surrogate_does_not_stop_the_table(tmp_path):
    path = write_csv([BenchmarkResult(provider="x", model="\ud800", sr=1)], tmp_path / "r.csv")
    assert read_results(path)[0].model == "\\ud800"


def test_pandas_reads_the_same_table(tmp_path):
    import pandas as pd

    written = [BenchmarkResult(provider="synthetic", model="한국어", mei=0.25, hallucination_count=2)]
    frame = pd.read_csv(write_csv(written, tmp_path / "r.csv"))
    assert list(frame.columns) == list(to_frame(written).columns)
    assert frame.loc[0, "model"] == "한국어"
    assert frame.loc[0, "mei"] == 0.25


def test_v11s_csv(tmp_path):
    path = tmp_path / "v11.csv"
    path.write_text(
        ",".join(V11_CSV) + "\r\nsynthetic,walker,7,B,0.0,0.63,,0.5,0.5,2,4,1,0,0.5,False,1.25\r\n", "utf-8-sig"
    )
    (result,) = read_results(path)
    assert (result.provider, result.model, result.maze_size, result.ariadne_group) == ("synthetic", "walker", 7, "B")
    assert (result.sr, result.mei, result.hallucination_count, result.first_hallucination_step) == (0.0, 0.63, 2, 4)
    assert result.path_valid is False
    assert result.latency_s == 1.25
    assert math.isnan(result.ce)
    assert result.config is None


@pytest.mark.skipif(not SHARED.is_dir(), reason="the handed inputs (shared) are not on this machine")
def test_the_published_rows():
    results = read_results(SHARED / "data" / "published_v11_trials.csv")
    assert len(results) == 48
    first = results[0]
    assert (first.model, first.maze_size, first.seed, first.sr) == ("gpt-4o", 5, 1001, 0)
    assert (first.hallucination_count, first.first_hallucination_step, first.backtrack_count) == (0, -1, 0)
    assert (first.mei, first.brs, first.hallumaze_score) == (0.03, 1, 0.365)
    assert (first.solution_length, first.solution_moves, first.dead_ends) == (13, 12, 3)
    assert math.isnan(first.ce)
    assert results[1].ce == 0.5444


def test_a_column_without_a_field_goes_to_extra(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("model,mei,temperature,decisions\nsynthetic,0.5,0.7,\n")
    assert read_results(path)[0].extra == {"temperature": "0.7"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("model,mei\nx,high\n", "record 1: mei must be a number, got 'high'"),
        ("model,mei\nx,0.5\ny,1_0\n", "record 2: mei must be a number, got '1_0'"),
        ("model,mei,seed\nx,0.5,1.5\n", "record 1: seed must be a whole number"),
        ("model,mei\nx,0.5\ny\n", "line 3 has 1 cells where the first line has 2"),
        ('model,mei\n"x,0.5\n', "line 2"),
        ("model,mei\n", "holds no results"),
        ("model,colour\nx,red\n", "holds no results"),
        ("a,b\n1,2\n", "its first line must name the columns"),
        ("model,mei,mei\nx,1,2\n", "each once"),
        ("model,mei,size,ariadne_group,language\nx,1,5,Z,ko\n", "ariadne_mode must be one of"),
        (",,\n", "its first line must name the columns"),
    ],
)
def test_bad_tables_say_where(tmp_path, text, says):
    path = tmp_path / "r.csv"
    path.write_text(text)
    with pytest.raises(FileError) as caught:
        read_results(path)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_nothing_to_write(tmp_path):
    with pytest.raises(InputError, match="at least one BenchmarkResult"):
        write_csv([], tmp_path / "r.csv")


def test_a_long_cell(tmp_path):
    written = BenchmarkResult(provider="x", error="가" * 200_000, sr=1)
    limit = csv.field_size_limit()
    assert read_results(write_csv([written], tmp_path / "r.csv"))[0].error == written.error
    assert csv.field_size_limit() == limit
