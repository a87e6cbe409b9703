"""Confidence against what happened: calibration of one answer, and the patterns of section 9.2."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from hallumaze_kit.trial.replay import Replay
from hallumaze_kit.trial.trace import DeadEnd

FALL = 0.10
"""A fall of ten points or more is a fall (section 9.2, made exact in the specification, section 6)."""


class Judged(NamedTuple):
    """One stated confidence (probability) and whether its step was legal (1) or not (0)."""

    confidence: float
    correct: int


def judged_steps(happened: Replay) -> list[Judged]:
    """One row a step with a confidence; a step with any illegal move, a jump to its cell among them, is wrong."""
    rows: list[Judged] = []
    last = None
    for m in happened.moves:
        if m.confidence is None:
            last = None
            continue
        key = (m.source, m.step)
        if key != last or m.source < 0:
            rows.append(Judged(m.confidence, int(m.kind == "legal")))
        elif m.kind != "legal":
            rows[-1] = Judged(rows[-1].confidence, 0)
        last = key
    return rows


def calibration_error(rows: Sequence[Judged]) -> float:
    """CE = mean |confidence − correct|, 0 to 1 (section 6); NaN without rows."""
    return _mean([abs(c - correct) for c, correct in rows])


def overconfidence(rows: Sequence[Judged]) -> float:
    """OCE = mean of max(0, confidence − correct), 0 to 1; CE = OCE + UCE."""
    return _mean([c - correct if c > correct else 0.0 for c, correct in rows])


def underconfidence(rows: Sequence[Judged]) -> float:
    """UCE = mean of max(0, correct − confidence), 0 to 1."""
    return _mean([correct - c if correct > c else 0.0 for c, correct in rows])


def brier(rows: Sequence[Judged]) -> float:
    """Brier score = mean (confidence − correct)², 0 to 1 (Brier 1950)."""
    return _mean([(c - correct) ** 2 for c, correct in rows])


def expected_calibration_error(rows: Sequence[Judged], bins: int = 10) -> float:
    """ECE = Σ nₖ/n · |accuracyₖ − confidenceₖ| over equal bins of confidence, 0 to 1 (Naeini et al. 2015).

    Bin k holds confidences in (k/bins, (k+1)/bins], the first one 0 too. NaN without rows.
    """
    if not rows:
        return math.nan
    gaps = [0.0] * bins
    for c, correct in rows:
        gaps[max(0, math.ceil(c * bins - 1e-12) - 1)] += correct - c
    return math.fsum(map(abs, gaps)) / len(rows)


def confidence_pattern(happened: Replay) -> str:
    """ "A", "B" or "" (section 9.2).

    A: over the hallucinations, confidence falls on average by ten points or more, before (from the step two back
    to the step before) or at the hallucination (from the step before to its own). B: it stays or rises there, or
    stays unchanged through a loop (visited cells entered again without a declared way back). Else, or without
    confidences there, "".
    """
    stated = [m.confidence for m in happened.moves]
    falls = []
    for i in happened.hallucinations:
        at, before, earlier = (stated[k] if k >= 0 else None for k in (i, i - 1, i - 2))
        steps = [a - b for a, b in ((before, at), (earlier, before)) if a is not None and b is not None]
        if steps:
            falls.append(max(steps))
    if falls:
        mean = _mean(falls)
        if mean >= FALL - 1e-9:
            return "A"
        return "B" if mean <= 1e-9 else ""
    pairs = [(stated[i - 1], stated[i]) for i in _looping(happened)]
    known = [(a, b) for a, b in pairs if a is not None and b is not None]
    return "B" if known and all(a == b for a, b in known) else ""


def confidence_log(happened: Replay) -> tuple[dict[str, float], ...]:
    """Section 11's log, one entry a step, in percent."""
    log: list[dict[str, float]] = []
    last = -1
    for m in happened.moves:
        source, confidence = m.source, m.confidence
        if confidence is not None and not (source == last >= 0):
            log.append({"step": m.step, "conf": round(confidence * 100, 10)})
        last = source
    return tuple(log)


def _looping(happened: Replay) -> list[int]:
    """Indices of moves onto visited cells that belong to no declared way back out of a dead end."""
    announced = {d.after for d in happened.declarations if isinstance(d.event, DeadEnd)}
    out, way_back = [], False
    for i, m in enumerate(happened.moves):
        way_back = m.retraced and (way_back or i in announced)
        if m.retraced and i and not way_back:
            out.append(i)
    return out


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan
