"""What a protocol measures of one trial, before it becomes a record."""

from __future__ import annotations

from typing import Any, NamedTuple

NO_MOVE = "no move could be read"
"""The reason for NaN where an answer holds no move."""


class Measured(NamedTuple):
    """What was measured of a trial.

    numbers   metrics by name (`METRICS`, `PROTOCOL_METRICS`); NaN where one could not be scored
    reasons   why, for each that is NaN
    facts     other derived fields of `BenchmarkResult` by name (failure_mode, path_valid, decisions, warnings …)
    """

    numbers: dict[str, float]
    reasons: dict[str, str]
    facts: dict[str, Any]
