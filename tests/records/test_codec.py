from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from records.strategies import plain, results, same

from hallumaze_kit.errors import InputError
from hallumaze_kit.records import BenchmarkResult, MazeConfig
from hallumaze_kit.records.codec import as_json, coerce, decode, dumps, encode, from_json, loads


def _strict(text: str) -> object:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text.encode("utf-8"), parse_constant=refuse)


@given(plain)
def test_any_plain_value_comes_back_from_strict_json(value):
    assert same(decode(_strict(dumps(encode(value)))), value)


@given(results)
def test_every_field_comes_back_exactly(result):
    assert same(from_json(_strict(dumps(as_json(result)))), result)


def test_a_result_from_json_equals_the_one_written():
    result = BenchmarkResult(provider="human", sr=0.73, config=MazeConfig(size=9), decisions=({"cell": [1, 2]},))
    assert from_json(loads(dumps(as_json(result)))) == result


def test_a_number_without_a_score_is_null_and_keeps_its_reason():
    data = as_json(BenchmarkResult(provider="x", mei=math.nan, nan_reasons={"mei": "no readable move"}))
    assert data["mei"] is None
    assert data["nan_reasons"]["mei"] == "no readable move"
    back = from_json(data)
    assert math.isnan(back.mei)
    assert back.nan_reasons["mei"] == "no readable move"


def test_what_json_has_no_word_for():
    assert encode([math.nan, -math.inf]) == [{"$float": "nan"}, {"$float": "-inf"}]
    assert encode({1: "a"}) == {"$items": [[1, "a"]]}
    assert dumps(encode("한 \ud800")) == '"한 \\ud800"'
    assert decode(encode("\ud83d\ude00")) == "\ud83d\ude00" != "😀"
    assert decode({"$float": "2"}) == {"$float": "2"}


def test_numpy_numbers_become_numbers():
    assert same(encode({"a": np.float64(0.1), "b": np.int8(3), "c": np.array([1, 2]), "d": np.bool_(True)}),
                {"a": 0.1, "b": 3, "c": [1, 2], "d": True})  # fmt: skip


def test_rows_keep_cells_as_tuples_so_that_frames_can_group_by_them():
    result = BenchmarkResult(provider="x", decisions=[{"cell": [1, 2], "exits": ("E", "S")}])
    assert result.decisions == ({"cell": (1, 2), "exits": ("E", "S")},)
    assert from_json(as_json(result)).decisions == result.decisions


@pytest.mark.parametrize(
    ("value", "shown"),
    [(object(), "'object'"), ({1, 2}, "'set'"), (b"bytes", "'bytes'"), (1 << 20_000, "over 4,000 digits")],
    ids=["object", "set", "bytes", "long"],
)
def test_what_cannot_be_written_is_named(value, shown):
    with pytest.raises(InputError, match=f"extra must be made of numbers.*{shown}"):
        as_json(BenchmarkResult(provider="x", extra={"a": [value]}))


def test_endless_nesting_is_refused():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InputError, match="nesting without end"):
        encode(deep)
    with pytest.raises(ValueError, match="nested too deeply"):
        loads("[" * 100_000)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mei", "high"),
        ("hallucination_count", True),
        ("seed", 3.5),
        ("seed", "42"),
        ("provider", 7),
        ("path_valid", "yes"),
        ("metacog_signals", "dead end"),
        ("decisions", [1]),
        ("extra", []),
        ("config", {"size": "7"}),
        ("config", {"colour": 1}),
        ("practice", None),
    ],
)
def test_a_wrong_type_names_the_field(name, value):
    with pytest.raises(InputError, match=f"{'size' if value == {'size': '7'} else name} must be"):
        coerce(name, value)


@pytest.mark.parametrize(
    ("name", "value", "held"),
    [
        ("seed", 1001.0, 1001),
        ("solution_length", 18.4, 18.4),
        ("sr", True, 1.0),
        ("path_valid", 1, True),
        ("latency_s", None, None),
        ("hallucination_count", 2.1, 2.1),
    ],
)
def test_what_a_field_takes(name, value, held):
    assert same(coerce(name, value), held)
