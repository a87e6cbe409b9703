"""`BenchmarkResult` itself: what is not given, and when two records are equal."""

from __future__ import annotations

import math

import pytest

from hallumaze_kit.records import METRICS, BenchmarkResult

NAN = math.nan


def test_what_is_not_given_is_nan_with_that_reason():
    group = BenchmarkResult(provider="human", model="group_n30", sr=0.73, mei=0.61, hallucination_count=2.1)
    assert group.sr == 0.73 and "sr" not in group.nan_reasons
    assert math.isnan(group.ce) and group.nan_reasons["ce"] == "not given"
    assert set(group.nan_reasons) == set(METRICS) - {"sr", "mei", "hallucination_count"}


def test_a_value_takes_its_reason_away_and_none_is_nan():
    known = BenchmarkResult(provider="x", ce=None, mei=0.5, nan_reasons={"ce": "no confidence", "mei": "left over"})
    assert math.isnan(known.ce) and known.nan_reasons["ce"] == "no confidence" and "mei" not in known.nan_reasons


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ({}, {}, True),
        ({"sr": NAN}, {}, True),  # NaN is NaN
        ({"sr": 1.0}, {"sr": 1}, True),
        ({"sr": 1.0}, {}, False),
        ({"decisions": ({"confidence": NAN},)}, {"decisions": ({"confidence": NAN},)}, True),
        ({"decisions": ({"confidence": NAN},)}, {"decisions": ({"confidence": 0.5},)}, False),
        ({"extra": {"a": [1, NAN]}}, {"extra": {"a": [1, NAN]}}, True),
        ({"extra": {"a": 1}}, {"extra": {"b": 1}}, False),
    ],
)
def test_records_are_equal_field_by_field(one, other, equal):
    assert (BenchmarkResult(provider="x", **one) == BenchmarkResult(provider="x", **other)) is equal
    assert BenchmarkResult(provider="x", **one) != "a record"
