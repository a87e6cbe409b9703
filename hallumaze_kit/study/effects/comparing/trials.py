"""Two sides of a study compared on a metric, with mazes as blocks."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import check_whole
from hallumaze_kit.study.effects.comparing.blocks import Blocks, blocks
from hallumaze_kit.study.effects.comparing.effect_sizes import (
    Size,
    cliffs_delta_paired,
    glass_delta,
    is_constant,
    paired_d,
)
from hallumaze_kit.study.effects.comparing.groups import compare_groups
from hallumaze_kit.study.effects.comparing.models import log_odds, random_intercept
from hallumaze_kit.study.effects.comparing.paired import (
    NO_VARIATION,
    NOT_ZERO_ONE,
    mcnemar,
    paired_t,
    wald,
    wilcoxon,
)
from hallumaze_kit.study.effects.rows import Effect, refused

if TYPE_CHECKING:
    import pandas as pd

ZERO_ONE = ("sr",)
"""Metrics that are 0 or 1 in a trial."""


def compare_trials(
    frame: pd.DataFrame, metric: str, between: str, a: Any, b: Any, n_boot: int = 2000, seed: int = 0
) -> list[Effect]:
    """Difference a − b of a metric, with mazes as blocks: a test of means, a test of ranks, and effect sizes.

    The rows, in order:

    1. Means. Mixed model: mean of the trials by maze and side ~ side + (1 | maze), REML, Student's t with (shared
       mazes − 1) degrees of freedom; with every maze on both sides it is the paired t. Where it is not defined (see
       `random_intercept`) the paired t on the shared mazes; the note says which and why.
       SR instead by the exact McNemar test (one trial a maze and side), with repetitions by a logistic GEE on the
       shares by maze, clustered by maze (`log_odds`; quantity "log odds ratio").
    2. Ranks: exact Wilcoxon signed rank on the differences by maze (not for SR).
    3. Glass's δ (SD of b), d_z, d_av, Cliff's δ on the values by maze (not for SR).

    Where no maze has both sides there is no block: one row, Welch's t on maze means, and the note says so.

    Parameters
    ----------
    frame : one row a trial, as `to_frame` makes it
    metric : a measure of `hallumaze_kit.records.METRICS`
    between : the column that tells the sides apart ("model", "use_mirage", "arm", "ariadne_group", "placement",
        "language", …), or "subject" for provider/model. Between conditions each subject is compared with itself on a
        maze (see `blocks`); the subjects are then those of the frame, not a sample of subjects.
    a, b : the two values of that column
    n_boot, seed : of the bootstrap intervals

    Everything is said of mazes like these. Refused in the note, with NaN: no variation, fewer than 5 mazes, outcomes
    that are not 0 or 1 for SR. Raises `InputError` for what is no frame of trials, unknown metric or column, and a = b.

    MEI 0.9, 0.8, 0.7, 0.9, 0.8 against 0.6, 0.7, 0.7, 0.5, 0.6 on five mazes: difference 0.2, t = 2.828, df = 4,
    p = 0.0474, −0.0 to 0.4 (0.0036 to 0.3964).
    """
    check_whole("n_boot", n_boot, 1)
    check_whole("seed", seed, 0)
    found = blocks(frame, metric, between, a, b)
    one, other = found.pairs
    known: dict[str, Any] = {
        "analysis": "compare_trials",
        "metric": metric,
        "contrast": f"{a} − {b}",
        "subject": _only_subject(frame),
        "n": found.n,
        "n_mazes": len(one),
    }
    if metric in ZERO_ONE and not found.zero_one:
        return [refused(NOT_ZERO_ONE, quantity="difference of shares", **known)]
    empty = [str(name) for name, side in ((a, found.one), (b, found.other)) if _nan(side).all()]
    if empty:
        note = f"no trial of {' or '.join(empty)} could be scored"
        return [refused(_said(found.note, note), quantity="difference of means", **known)]
    values = [*found.one[~_nan(found.one)], *found.other[~_nan(found.other)]]
    if is_constant(_array(values)):
        return [refused(_said(found.note, NO_VARIATION), quantity="difference of means", **known, estimate=0.0)]
    if not len(one):
        return [_without_blocks(found, known)]
    if metric in ZERO_ONE:
        return [_shares(found, known)]
    difference = one - other
    rows = [_means(found, known), wilcoxon(difference, **known | {"note": found.note})]
    d_z, d_av = paired_d(one, other)
    sizes = {
        f"Glass's δ (SD of {b})": glass_delta(one, other, n_boot, seed),
        "d_z": d_z,
        "d_av": d_av,
        "Cliff's δ": cliffs_delta_paired(one, other, n_boot, seed),
    }
    return rows + [_sized(size, quantity, known) for quantity, size in sizes.items()]


def _means(found: Blocks, known: dict[str, Any]) -> Effect:
    """The mixed model where it is defined, else the paired t."""
    import numpy as np

    one, other = found.pairs
    row = paired_t(one - other, **known | {"note": found.note})
    if math.isnan(row.p):
        return row
    has = [~_nan(found.one), ~_nan(found.other)]
    df, lone = len(one) - 1, int((has[0] ^ has[1]).sum())
    test = f"mixed model (REML), t with {df} df"
    if np.cov(one, other)[0, 1] <= 0:
        return replace(row, note=_said(found.note, "paired t, not the mixed model: the variance of mazes is at 0"))
    if not lone:
        why = "mixed model with mazes as random blocks; every maze has both sides, so REML gives the paired t"
        return replace(row, test=test, note=_said(found.note, why))
    maze = np.concatenate([np.flatnonzero(side) for side in has])
    is_one = np.repeat([1.0, 0.0], [side.sum() for side in has])
    y = np.concatenate([found.one[has[0]], found.other[has[1]]])
    fit = random_intercept(np.column_stack([np.ones(len(y)), is_one]), y, maze, 1)
    if fit.note:
        return replace(row, note=_said(found.note, f"paired t, not the mixed model: {fit.note}"))
    why = f"mixed model with mazes as random blocks; {lone} mazes have one side only"
    known = known | {"quantity": row.quantity, "test": test, "note": _said(found.note, why)}
    return wald(fit.estimate, fit.error, df, **known)


def _shares(found: Blocks, known: dict[str, Any]) -> Effect:
    import numpy as np

    one, other = found.pairs
    if found.most == 1:
        lone = len(found.mazes) - len(one)
        note = f"{lone} mazes with one side only left out" if lone else ""
        return mcnemar(one, other, **known | {"note": _said(found.note, note)})
    row = paired_t(one - other, **known | {"quantity": "difference of shares", "note": found.note})
    if math.isnan(row.p):
        return row
    m = len(one)
    x = np.column_stack([np.ones(2 * m), np.repeat([1.0, 0.0], m)])
    fit = log_odds(x, np.concatenate([one, other]), np.tile(np.arange(m), 2), 1)
    if fit.note:
        return replace(row, note=_said(found.note, f"paired t on shares by maze, not the GEE: {fit.note}"))
    note = _said(found.note, "repeated trials: shares by maze, not McNemar")
    known = known | {"quantity": "log odds ratio", "test": f"GEE (logit) by maze, CR2, t with {fit.df:.0f} df"}
    return wald(fit.estimate, fit.error, fit.df, **known | {"note": note})


def _without_blocks(found: Blocks, known: dict[str, Any]) -> Effect:
    """Welch's t on maze means: one row a maze carries no random effect."""
    one, other = found.one[~_nan(found.one)], found.other[~_nan(found.other)]
    welch = compare_groups({"a": one, "b": other})[1]
    why = "no maze has both sides, one row a maze: no random effect, plain regression on maze means instead"
    known = known | {"n_mazes": len(one) + len(other), "note": _said(found.note, why, welch.note)}
    return replace(welch, **known)


def _sized(size: Size, quantity: str, known: dict[str, Any]) -> Effect:
    numbers = {"estimate": size.estimate, "low": size.low, "high": size.high}
    return Effect(quantity=quantity, test=size.test, note=size.note, **known, **numbers)


def _only_subject(frame: pd.DataFrame) -> str:
    names = (frame["provider"].astype(str) + "/" + frame["model"].astype(str)).unique()
    return names[0] if len(names) == 1 else ""


def _said(*notes: str) -> str:
    return "; ".join(note for note in notes if note)


def _nan(values: Any) -> Any:
    import numpy as np

    return np.isnan(values)


def _array(values: list[float]) -> Any:
    import numpy as np

    return np.asarray(values, float)
