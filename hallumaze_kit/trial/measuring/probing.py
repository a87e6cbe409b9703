"""What is measured of one reply to a probe (specification, section 8)."""

from __future__ import annotations

import math
from typing import Any

from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.records.result import METRICS
from hallumaze_kit.trial.measuring import confidence as conf
from hallumaze_kit.trial.measuring.measured import Measured
from hallumaze_kit.trial.probe import probe_path, read_probe

NO_WALK = "probe: no walk is asked for"
UNREAD = "no yes or no could be read"
ONE_ANSWER = "probe: one judged answer has no bins; ECE is of many"


def measure_probe(maze: MazeEngine, text: str, config: MazeConfig) -> Measured:
    """Measure one reply: is the judgement right, and how far off is the confidence in it?

    numbers  probe_right (1 or 0; NaN where no yes or no could be read), probe_confidence (0 to 1, as stated), and from
             both, one judged answer: ce = |confidence − right|, oce, uce, brier = (confidence − right)². Everything
             else is of walks and NaN; so is ECE, which of one answer would be CE again.
    facts    probe_broken, probe_said_valid, path_valid None, failure_mode "", warnings, and a key event with the number
             of the path's cells and, if it is broken, the edge

    "VALID: yes", "CONFIDENCE: 90%" on a broken path: probe_right 0, ce 0.9, oce 0.9, uce 0, brier 0.81.
    """
    path = probe_path(maze, config)
    reply = read_probe(text)
    right = math.nan if reply.said_valid is None else float(reply.said_valid != path.broken)
    stated = math.nan if reply.confidence is None else reply.confidence
    rows = [] if math.isnan(right) or math.isnan(stated) else [conf.Judged(stated, int(right))]
    judged = {
        "ce": conf.calibration_error(rows),
        "oce": conf.overconfidence(rows),
        "uce": conf.underconfidence(rows),
        "brier": conf.brier(rows),
    }
    numbers = dict.fromkeys(METRICS, math.nan) | judged | {"probe_right": right, "probe_confidence": stated}
    unstated = "no confidence was stated" if config.use_confidence else "no confidence was asked for"
    reasons = {
        **dict.fromkeys(METRICS, NO_WALK),
        "ece": ONE_ANSWER,
        **dict.fromkeys(judged, UNREAD if math.isnan(right) else unstated),
        "probe_right": UNREAD,
        "probe_confidence": unstated,
    }
    event: dict[str, Any] = {"event": "probe", "cells": len(path.cells)}
    facts = {
        "path_valid": None,
        "probe_broken": path.broken,
        "probe_said_valid": reply.said_valid,
        "failure_mode": "",
        "warnings": reply.warnings,
        "key_events": (event | ({"edge": path.edge} if path.edge else {}),),
    }
    return Measured(numbers, {name: why for name, why in reasons.items() if math.isnan(numbers[name])}, facts)
