"""`BenchmarkResult`: the one schema. Every trial, whoever played it, ends as one of these."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from numbers import Real
from typing import Any

from hallumaze_kit.errors import InputError
from hallumaze_kit.records.config import MazeConfig

NAN = math.nan
METRICS = (
    "sr", "hallucination_count", "first_hallucination_step", "backtrack_count", "loop_count",
    "hrr", "mei", "ce", "brs", "hallumaze_score",
    "detected", "recovery_rate", "recovery_lag", "lure_rate", "wrong_branch_rate", "lure_effect",
    "false_alarms", "missed_dead_ends", "moves", "excess", "slips",
    "reported_hallucinations", "reported_backtracks", "report_gap",
    "oce", "uce", "brier", "ece",
)  # fmt: skip
"""The numbers of a result; each is NaN, with a reason in `nan_reasons`, where it could not be scored."""
PROTOCOL_METRICS = (
    "revisits", "nrs", "injection_detected", "injection_alarm", "injection_restarted", "probe_right",
    "probe_confidence",
)  # fmt: skip
"""Numbers that only some protocols and groups have; NaN elsewhere, and there without a reason."""
SHARES = (
    "sr", "hrr", "mei", "ce", "brs", "hallumaze_score", "detected", "recovery_rate", "lure_rate", "wrong_branch_rate",
    "oce", "uce", "brier", "ece", "nrs", "injection_detected", "injection_alarm", "injection_restarted", "probe_right",
    "probe_confidence",
)  # fmt: skip
RANGES = {
    **dict.fromkeys((*METRICS, *PROTOCOL_METRICS), (0, math.inf)),
    **dict.fromkeys(SHARES, (0, 1)),
    "first_hallucination_step": (-1, math.inf),
    "lure_effect": (-1, 1),
    "report_gap": (-math.inf, math.inf),
}
"""Lowest and highest value of each metric; none is infinite. First hallucination −1: there was none."""
ROUNDING = 1e-6
"""How far a value that was rounded may lie outside."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BenchmarkResult:
    """One trial as one flat record: section 11's fields under their names, and the kit's own.

    Made by `score_answer` from an answer, or by hand for group means of people (section 9.4;
    counts may then be fractions):

        BenchmarkResult(provider="human", model="group_n30", maze_size=7, sr=0.73, mei=0.61,
                        hallucination_count=2.1, backtrack_count=3.4)

    A number that is not known is NaN and `nan_reasons` says why; it is never 0. Lists in the rows of `decisions`,
    `key_events` and the like are kept as tuples, so that a frame can group by them.

    Raises `InputError` for a text field that holds no text, a list field that holds none, and a metric outside its
    range (`RANGES`).
    """

    # who and what (section 11)
    provider: str
    model: str = ""
    maze_size: int | None = 7
    ariadne_group: str = "A"
    # outcome and v1.1 metrics (section 6)
    sr: float = NAN
    mei: float = NAN
    ce: float = NAN
    brs: float = NAN
    hallumaze_score: float = NAN
    hallucination_count: float = NAN
    backtrack_count: float = NAN
    loop_count: float = NAN
    hrr: float = NAN
    first_hallucination_step: float = NAN
    path_valid: bool | None = None
    metacog_signals: list[str] = field(default_factory=list)
    confidence_log: list[dict[str, float]] = field(default_factory=list)
    latency_s: float | None = None
    # what stands beside them
    detected: float = NAN
    recovery_rate: float = NAN
    recovery_lag: float = NAN
    lure_rate: float = NAN
    wrong_branch_rate: float = NAN
    lure_effect: float = NAN
    false_alarms: float = NAN
    missed_dead_ends: float = NAN
    moves: float = NAN
    excess: float = NAN
    slips: float = NAN
    reported_hallucinations: float = NAN
    reported_backtracks: float = NAN
    report_gap: float = NAN
    oce: float = NAN
    uce: float = NAN
    brier: float = NAN
    ece: float = NAN
    # of a protocol or a hint group
    revisits: float = NAN
    nrs: float = NAN
    injection_detected: float = NAN
    injection_alarm: float = NAN
    injection_restarted: float = NAN
    probe_right: float = NAN
    probe_confidence: float = NAN
    probe_broken: bool | None = None
    probe_said_valid: bool | None = None
    confidence_pattern: str = ""
    failure_mode: str = ""
    # stimulus
    seed: int | None = None
    algorithm: str = ""
    placement: str = ""
    maze_id: str = ""
    solution_length: int | None = None
    solution_moves: int | None = None
    dead_ends: int | None = None
    maze: dict[str, Any] | None = None
    config: MazeConfig | None = None
    prompt_sha256: str = ""
    # assignment
    study: str = ""
    arm: str = ""
    trial_index: int | None = None
    run: int = 0
    subject_seed: int | None = None
    # subject
    subject_kind: str = ""
    channel: str = ""
    model_returned: str = ""
    date: str = ""
    parameters_asked: dict[str, Any] = field(default_factory=dict)
    parameters_taken: dict[str, Any] = field(default_factory=dict)
    effort: str = ""
    tools: str = ""
    memory: str = ""
    attempt: int = 1
    discards: int = 0
    participant: str = ""
    consent_version: str = ""
    device: str = ""
    practice: bool = False
    # what was said
    messages: tuple[dict[str, str], ...] = ()
    outcome: str = ""
    stop_reason: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    timestamp: str = ""
    error: str = ""
    key_events: tuple[dict[str, Any], ...] = ()
    # derived
    conventions: str = ""
    signature: str = ""
    parser_version: str = ""
    warnings: tuple[str, ...] = ()
    corrections: tuple[dict[str, Any], ...] = ()
    nan_reasons: dict[str, str] = field(default_factory=dict)
    decisions: tuple[dict[str, Any], ...] = ()
    answer_id: str = ""
    # rights
    licence: str = ""
    withdrawn: bool = False
    # what a file held that has no place above
    extra: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        values = self.__dict__
        for name in TEXTS:
            if not isinstance(values[name], str):
                raise InputError(name, values[name], "a text")
        for name in (*LISTS, *TUPLES):
            if not isinstance(values[name], list | tuple) and (
                isinstance(values[name], str) or not isinstance(values[name], Iterable)
            ):
                raise InputError(name, values[name], "a list")
        reasons = dict(self.nan_reasons)
        for name in RANGES:
            value = values[name]
            if value is None or value != value:
                values[name] = NAN
                if name not in PROTOCOL_METRICS:
                    reasons.setdefault(name, "not given")
            else:
                _check_range(name, value)
                reasons.pop(name, None)
        values["nan_reasons"] = reasons
        for name in LISTS:
            values[name] = list(values[name])
        for name in TUPLES:
            values[name] = tuple([_frozen_row(row) for row in values[name]])

    def __eq__(self, other: object) -> bool:
        """Equal field by field; NaN equals NaN, since it means the same here."""
        if not isinstance(other, BenchmarkResult):
            return NotImplemented
        return all(_same(getattr(self, name), getattr(other, name)) for name in FIELDS)

    __hash__ = None  # type: ignore[assignment]

    def replace(self, **changes: Any) -> BenchmarkResult:
        """A copy with some fields changed."""
        return replace(self, **changes)


def _check_range(name: str, value: object) -> None:
    if not isinstance(value, float | int | Real):  # the first two spare the look at an abstract class
        return
    low, high = RANGES[name]
    if low - ROUNDING <= value <= high + ROUNDING and abs(value) != math.inf:
        return
    span = f" from {low} to {high}" if high == 1 else f" of {low} or more" if low > -math.inf else ""
    raise InputError(name, value, f"a finite number{span}")


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(value, other[key]) for key, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    both_nan = isinstance(one, float) and isinstance(other, float) and math.isnan(one) and math.isnan(other)
    return both_nan or one == other


def _frozen_row(row: Any) -> Any:
    return {key: _frozen(value) for key, value in row.items()} if isinstance(row, dict) else row


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list | tuple) else value


FIELDS = tuple(f.name for f in fields(BenchmarkResult))
V11_CSV = (
    "provider", "model", "maze_size", "ariadne_group", "sr", "mei", "ce", "brs", "hallumaze_score",
    "hallucination_count", "first_hallucination_step", "backtrack_count", "loop_count", "hrr",
    "path_valid", "latency_s",
)  # fmt: skip
"""Columns of the public program's CSV, in its order; the kit's own follow them."""
NESTED = (
    "maze", "config", "parameters_asked", "parameters_taken", "messages", "key_events",
    "corrections", "nan_reasons", "decisions", "confidence_log", "extra",
)  # fmt: skip
"""Fields that do not fit a cell of a table; JSON carries them."""
LISTS = ("metacog_signals", "confidence_log")
"""Fields that are lists, as section 11's JSON has them."""
TUPLES = tuple(f.name for f in fields(BenchmarkResult) if str(f.type).startswith("tuple"))
TEXTS = tuple(f.name for f in fields(BenchmarkResult) if str(f.type) == "str")
"""Fields that are texts."""
