"""How the labels of answers are kept and compared."""

from __future__ import annotations

import json
import math
from pathlib import Path

HERE = Path(__file__).parent


def rows(name: str) -> dict[str, dict]:
    """The rows of a file beside this one, by their id."""
    return {row["id"]: row for row in map(json.loads, (HERE / name).read_text("utf-8").splitlines())}


def is_expected(value: object, expected: object) -> bool:
    """null is NaN, a list of numbers means either, numbers agree to 1e-6, the rest is equal."""
    if expected is None:
        return isinstance(value, float) and math.isnan(value)
    if isinstance(expected, list) and not isinstance(value, list | tuple):
        return any(is_expected(value, one) for one in expected)
    if isinstance(expected, int | float):
        return isinstance(value, int | float) and abs(value - expected) <= 1e-6
    return (list(value) if isinstance(value, tuple) else value) == expected
