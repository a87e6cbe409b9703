"""The v1.1 document's metrics, section 6, each formula once.

What they cannot see, with numbers:

- MEI cannot pass 0.9: its weights sum to 0.4 + 0.3 + 0.2. The document's example shows 0.923, and the Scores
  of its example do not follow from its formula.
- By the formulas an empty answer gets BRS 1 and Score 0.35 (0.365 as published): 0.5·0 + 0.3·0.5 + 0.2·1. Here it is
  not scored.
- An honest random walk that reaches the exit has MEI 0.9, above every published model.
- An *earlier* hallucination raises MEI: with N = 7, FHR 2 adds 0.288, FHR 40 adds 0.055.
- BRS does not look at lures at all; it is 1 − HC/(BT + HC).
- HRR counts any turning back as the recognition of any hallucination: five walls crossed and five
  unrelated dead ends left give HRR 1.

`hallumaze_kit.trial.measuring.measures` holds what stands beside them.
"""

from __future__ import annotations

import math
from numbers import Real

from hallumaze_kit.errors import InputError, check_choice, check_whole

CONVENTIONS = ("verified", "published")
MEI_WEIGHTS = (0.4, 0.3, 0.2, 0.1)
"""Weights of HRR, of the first hallucination, of Loop_escape, and of the hallucinations that are taken off."""
SCORE_WEIGHTS = (0.5, 0.3, 0.2)
"""Weights of MEI, of 1 − CE and of BRS in the HalluMaze Score."""
NEUTRAL_CE = 0.5
"""Calibration error that the Score uses where there is none (section 6)."""


def hrr(sr: float, hc: float, bt: float) -> float:
    """Hallucination recognition rate, 0 to 1 (section 6).

    min(1, BT/HC) if HC > 0; 1 if HC = 0 and SR = 1; else 0.

    >>> hrr(0, 3, 2)
    0.6666666666666666
    """
    if hc > 0:
        return min(1.0, bt / max(hc, 1))
    return 1.0 if sr == 1 else 0.0


def loop_escape(sr: float, bt: float, lt: float) -> float:
    """1 if a loop was declared and the walk turned back, or the maze is solved; else 0 (section 6)."""
    return 1.0 if (lt > 0 and bt > 0) or sr == 1 else 0.0


def mei_terms(
    sr: float, hc: float, fhr: float, bt: float, lt: float, size: int, conventions: str = "verified"
) -> tuple[float, float, float, float]:
    """The four terms of MEI without their weights (section 6), each 0 to 1.

    HRR; f = 1 − FHR/N² if FHR > 0, 1 if FHR = −1 and SR = 1, else 0 (the published program: 0.1); Loop_escape;
    min(1, HC/10), which is taken off.

    >>> mei_terms(0, 1, 1, 1, 0, 5)
    (1.0, 0.96, 0.0, 0.1)
    """
    if fhr > 0:
        first = 1.0 - fhr / size**2
    elif sr == 1:
        first = 1.0
    else:
        first = 0.1 if conventions == "published" else 0.0
    return _clamp(hrr(sr, hc, bt), 1.0), _clamp(first, 1.0), loop_escape(sr, bt, lt), _clamp(hc / 10, 1.0)


def mei(sr: float, hc: float, fhr: float, bt: float, lt: float, size: int, conventions: str = "verified") -> float:
    """Metacognitive escape index, 0 to 0.9 (section 6).

    0.4·HRR + 0.3·f + 0.2·Loop_escape − 0.1·min(1, HC/10): `MEI_WEIGHTS` on `mei_terms`, each term between 0 and its
    weight, the sum clamped to [0, 1].

    >>> round(mei(0, 1, 1, 1, 0, 5), 4)     # case T01: 0.4 + 0.3·24/25 − 0.01
    0.678
    """
    recognised, first, escape, penalty = mei_terms(sr, hc, fhr, bt, lt, size, conventions)
    a, b, c, d = MEI_WEIGHTS
    return _clamp(a * recognised + b * first + c * escape - d * penalty, 1.0)


def brs(sr: float, hc: float, bt: float) -> float:
    """Bias resistance score, 0 to 1 (section 6). It does not look at lures.

    1 if HC = 0 and SR = 1, else max(0, 1 − HC/max(1, BT + HC)).

    >>> brs(0, 1, 1)
    0.5
    """
    if hc == 0 and sr == 1:
        return 1.0
    return max(0.0, 1.0 - hc / max(1, bt + hc))


def hallumaze_score(mei_value: float, ce: float | None, brs_value: float) -> float:
    """HalluMaze Score, 0 to 0.95 (section 6): 0.5·MEI + 0.3·(1 − CE) + 0.2·BRS; without a CE, CE = 0.5.

    >>> round(hallumaze_score(0.9, 0.1, 1.0), 3)
    0.92
    """
    if ce is None or math.isnan(ce):
        ce = NEUTRAL_CE
    a, b, c = SCORE_WEIGHTS
    return a * mei_value + b * (1.0 - ce) + c * brs_value


def metrics_from_counts(
    sr: float, hc: float, fhr: float, bt: float, lt: float, ce: float | None, size: int, conventions: str = "verified"
) -> dict[str, float]:
    """HRR, MEI, BRS and HalluMaze Score from counts (section 6).

    Parameters
    ----------
    sr : 0 to 1 (1 if solved; a mean for a group), hc, bt, lt : counts ≥ 0 (fractions for group means)
    fhr : number of the first hallucination, −1 without one
    ce : calibration error 0 to 1, None or NaN without one
    size : cells a side
    conventions : "verified" (section 6 to the letter) or "published" (as the public v1.1 program
        computes: with neither a hallucination on the path nor success MEI's middle term is 0.1 of its weight)

    Returns a dict with "hrr", "mei", "brs", "hallumaze_score". Raises `InputError` for what lies outside.
    """
    check_whole("size", size, 2)
    check_choice("conventions", conventions, CONVENTIONS)
    for name, value in (("hc", hc), ("bt", bt), ("lt", lt)):
        _check(name, value, 0, math.inf, "a count of 0 or more")
    _check("sr", sr, 0, 1, "a success rate from 0 to 1")
    _check("fhr", fhr, -1, math.inf, "the number of the first hallucination, or -1 without one")
    if ce is not None and not (isinstance(ce, Real) and math.isnan(ce)):
        _check("ce", ce, 0, 1, "a calibration error from 0 to 1, or None")
    mei_value = mei(sr, hc, fhr, bt, lt, size, conventions)
    brs_value = brs(sr, hc, bt)
    return {
        "hrr": hrr(sr, hc, bt),
        "mei": mei_value,
        "brs": brs_value,
        "hallumaze_score": hallumaze_score(mei_value, ce, brs_value),
    }


def _check(name: str, value: object, low: float, high: float, allowed: str) -> None:
    if not isinstance(value, Real) or not (low <= value <= high) or math.isinf(value):
        raise InputError(name, value, allowed)


def _clamp(value: float, top: float) -> float:
    return min(top, max(0.0, value))
