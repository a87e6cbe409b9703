"""What is no result, no list of results, no file's name, or no possible number is refused in one sentence."""

from __future__ import annotations

import json

import pytest

from hallumaze_kit.errors import FileError, InputError
from hallumaze_kit.records import BenchmarkResult, decisions_frame, read_results, to_frame, write_csv, write_json
from hallumaze_kit.records.result import METRICS, PROTOCOL_METRICS, RANGES, SHARES

ONE = BenchmarkResult(provider="x", mei=0.5)


@pytest.mark.parametrize(
    "call", [to_frame, decisions_frame, lambda r: write_csv(r, "r.csv"), lambda r: write_json(r, "r.json")]
)
def test_one_result_must_stand_in_a_list(tmp_path, monkeypatch, call):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"results must be a list of BenchmarkResult.*in a list: \[result\]"):
        call(ONE)
    for wrong in (["x"], [ONE, None], 5, None, "x"):
        with pytest.raises(InputError, match=r"results must be a list of BenchmarkResult.*score_answer"):
            call(wrong)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", [None, 5, b"r.json", "a\0b"])
def test_what_names_no_file_is_refused(path):
    for call in (read_results, lambda p: write_json([ONE], p), lambda p: write_csv([ONE], p)):
        with pytest.raises(InputError, match="path must be the name of a file"):
            call(path)


def test_fields_hold_what_they_are_for():
    for name in ("model", "provider", "failure_mode"):
        for wrong in (5, None, b"x"):
            with pytest.raises(InputError, match=f"{name} must be a text"):
                BenchmarkResult(**{"provider": "x", name: wrong})
    for wrong in ("dead end", 5, None):
        with pytest.raises(InputError, match="metacog_signals must be a list"):
            BenchmarkResult(provider="x", metacog_signals=wrong)


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("sr", 2, "a finite number from 0 to 1"),
        ("sr", float("inf"), "a finite number from 0 to 1"),
        ("mei", -0.01, "a finite number from 0 to 1"),
        ("ce", 1.0001, "a finite number from 0 to 1"),
        ("hallucination_count", -3, "a finite number of 0 or more"),
        ("moves", float("inf"), "a finite number of 0 or more"),
        ("first_hallucination_step", -2, "a finite number of -1 or more"),
        ("lure_effect", -1.5, "a finite number from -1 to 1"),
        ("report_gap", float("-inf"), "a finite number"),
    ],
)
def test_a_number_outside_its_range_is_named_with_its_record(tmp_path, name, value, allowed):
    with pytest.raises(InputError, match=f"{name} must be {allowed}, got"):
        BenchmarkResult(provider="x", **{name: value})
    trials = [{"provider": "x", "model": "m", "mei": 0.5}, {"provider": "x", "model": "m", name: value}]
    path = tmp_path / "trials.json"
    path.write_text(json.dumps(trials))
    with pytest.raises(FileError, match=f"trials.json, record 2: {name} must be {allowed}, got .*; mend that record"):
        read_results(path)
    table = tmp_path / "trials.csv"
    table.write_text(f"provider,model,{name}\nx,m,{value}\n")
    with pytest.raises(FileError, match=f"trials.csv, record 1: {name} must be"):
        read_results(table)


def test_rounding_and_the_bounds_themselves_are_inside(tmp_path):
    path = tmp_path / "trials.json"
    path.write_text(json.dumps([{"model": "m", "sr": 1.0000005, "ce": -0.0000005, "hc": 0, "fhr": -1, "score": 1}]))
    (result,) = read_results(path)
    assert (result.sr, result.ce, result.first_hallucination_step) == (1.0000005, -0.0000005, -1)


def test_every_metric_has_a_range():
    assert set(RANGES) == {*METRICS, *PROTOCOL_METRICS} and set(SHARES) <= set(RANGES)
