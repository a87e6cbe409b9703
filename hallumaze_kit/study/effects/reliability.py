"""Reliability: intraclass correlations of subjects over mazes, and split half."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError, check_whole
from hallumaze_kit.study.effects.comparing.blocks import checked, values_of
from hallumaze_kit.study.effects.comparing.effect_sizes import is_constant
from hallumaze_kit.study.effects.comparing.paired import NO_VARIATION
from hallumaze_kit.study.effects.rows import LEVEL, Effect, refused

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

FEWEST_SUBJECTS = 4
"""With fewer subjects a correlation over subjects has no interval."""


def icc(scores: Sequence[Sequence[float]] | np.ndarray, **known: Any) -> list[Effect]:
    """The six intraclass correlations of Shrout & Fleiss (1979): rows are targets (subjects), columns judges (mazes).

    With the mean squares of n rows (B), k columns (J), rows within (W) and the residual (E):

        ICC(1,1) = (B − W)/(B + (k − 1)W)                          ICC(1,k) = (B − W)/B
        ICC(2,1) = (B − E)/(B + (k − 1)E + k(J − E)/n)             ICC(2,k) = (B − E)/(B + (J − E)/n)
        ICC(3,1) = (B − E)/(B + (k − 1)E)                          ICC(3,k) = (B − E)/B

    1: every target its own judges; 2: the judges are a sample, absolute agreement (mazes of this kind: read this one);
    3: these judges, consistency. "1" is one column, "k" the mean of k. Each row has the F test of no difference between
    targets and the 95 % interval of that paper (for 2 Satterthwaite's approximation).

    Parameters: scores (n, k), n and k at least 2, no NaN. `known` are other columns of the rows. Refused where nothing
    varies. Raises `InputError` for another shape or a missing score.

    Their table 2 (6 × 4): 0.17, 0.29, 0.71 for one, 0.44, 0.62, 0.91 for the mean of four.
    """
    import numpy as np

    try:
        table = np.asarray(scores, float)
    except ValueError:
        table = np.empty(0)
    if table.ndim != 2 or min(table.shape) < 2 or np.isnan(table).any():
        raise InputError("scores", f"shape {table.shape}", "a full table of at least 2 rows and 2 columns, no NaN")
    n, k = table.shape
    known = {"analysis": "icc", "unit": "scores", "n": n * k} | known
    names = [f"ICC({kind},{many})" for many in ("1", "k") for kind in (1, 2, 3)]
    if is_constant(table.ravel()):
        return [refused(NO_VARIATION, quantity=name, **known) for name in names]
    squares = _mean_squares(table)
    if squares["E"] <= 1e-14 * squares["B"] or squares["W"] <= 1e-14 * squares["B"]:
        note = "no residual variation: the judges agree but for a constant, the F is infinite"
        return [refused(note, quantity=name, **known) for name in names]
    singles = {1: _one_way(squares, n, k), 2: _two_way_random(squares, n, k), 3: _two_way_fixed(squares, n, k)}
    rows = []
    for many in ("1", "k"):
        for kind, (estimate, low, high, statistic, p) in singles.items():
            numbers = [_stepped_up(value, k) if many == "k" else value for value in (estimate, low, high)]
            limits = dict(zip(("estimate", "low", "high"), numbers, strict=True))
            row = known | limits | {"statistic": statistic, "p": p, "test": "F (Shrout & Fleiss 1979)"}
            rows.append(Effect(quantity=f"ICC({kind},{many})", **row))
    return rows


def maze_icc(frame: pd.DataFrame, metric: str) -> list[Effect]:
    """How far subjects' scores agree over mazes: `icc` of the means by subject and maze.

    Mazes that a subject lacks are left out for all. ICC(2,1) is the reliability of one maze, ICC(2,k) that of the mean
    over the mazes of this study. Refused with fewer than 2 subjects or shared mazes.
    """
    table, dropped = _crossed(checked(frame, metric), metric)
    known = {"analysis": "maze_icc", "metric": metric, "n_mazes": table.shape[1]}
    if min(table.shape) < 2:
        return [refused("fewer than 2 subjects or 2 mazes that all of them met", quantity="ICC(2,1)", **known)]
    note = f"{dropped} mazes that a subject lacks left out" if dropped else ""
    rows = icc(table.to_numpy(), **known)
    if not note:
        return rows
    return [Effect(**vars(row) | {"note": "; ".join(filter(None, [row.note, note]))}) for row in rows]


def split_half(frame: pd.DataFrame, metric: str, n_splits: int = 1000, seed: int = 0) -> list[Effect]:
    """Correlation over subjects of their means on two random halves of the mazes, stepped up to the whole length.

        r = mean over splits (Fisher's z) of the correlation between halves
        reliability = 2r/(1 + r)    (Spearman 1910; Brown 1910)

    Two rows, r and the stepped-up value. The interval is Fisher's z with subjects − 3, which takes the mean of the
    splits as one split: a little too wide. Mazes that a subject lacks are left out for all; an odd maze is left out of
    each split in turn.

    Refused with fewer than 4 subjects or mazes, and where subjects do not differ.
    """
    import numpy as np
    from scipy import stats

    check_whole("n_splits", n_splits, 1)
    check_whole("seed", seed, 0)
    table, dropped = _crossed(checked(frame, metric), metric)
    scores = table.to_numpy()
    n, k = scores.shape
    known: dict[str, Any] = {"analysis": "split_half", "metric": metric, "unit": "subjects", "n": n, "n_mazes": k}
    known |= {"test": f"Fisher's z over {n} subjects, {n_splits} splits"}
    names = ("correlation of halves", "reliability (Spearman-Brown)")
    if min(n, k) < FEWEST_SUBJECTS:
        note = f"fewer than {FEWEST_SUBJECTS} subjects, or {FEWEST_SUBJECTS} mazes that all of them met"
        return [refused(note, quantity=name, **known) for name in names]
    rng = np.random.default_rng(seed)
    order = np.argsort(rng.random((n_splits, k)), axis=1)
    halves = [scores[:, order[:, start::2][:, : k // 2]].mean(axis=2) for start in (0, 1)]  # (n, n_splits) each
    centred = [half - half.mean(axis=0) for half in halves]
    spread = np.sqrt((centred[0] ** 2).sum(axis=0) * (centred[1] ** 2).sum(axis=0))
    known_splits = spread > 1e-12
    if known_splits.mean() < LEVEL:
        return [refused("subjects do not differ on a half", quantity=name, **known) for name in names]
    r = ((centred[0] * centred[1]).sum(axis=0)[known_splits] / spread[known_splits]).clip(-1 + 1e-9, 1 - 1e-9)
    z = float(np.arctanh(r).mean())
    reach = float(stats.norm.ppf((1 + LEVEL) / 2)) / math.sqrt(n - 3)
    note = f"{dropped} mazes that a subject lacks left out" if dropped else ""
    values = [math.tanh(v) for v in (z, z - reach, z + reach)]
    out = []
    for name, numbers in zip(names, (values, [_stepped_up(v, 2) for v in values]), strict=True):
        limits = dict(zip(("estimate", "low", "high"), numbers, strict=True))
        out.append(Effect(quantity=name, note=note, **known, **limits))
    return out


def _crossed(frame: pd.DataFrame, metric: str) -> tuple[pd.DataFrame, int]:
    """Means by subject (rows) and maze (columns) of the mazes that every subject has, and how many were dropped."""
    subject = frame["provider"].astype(str) + "/" + frame["model"].astype(str)
    maze = frame["maze_id"].where(frame["maze_id"].astype(bool))
    table = values_of(frame, metric).groupby([subject.rename("subject"), maze.rename("maze")]).mean().unstack()
    table = table.dropna(how="all")
    whole = table.dropna(axis=1)
    return whole, table.shape[1] - whole.shape[1]


def _mean_squares(table: np.ndarray) -> dict[str, float]:
    n, k = table.shape
    grand = table.mean()
    rows = k * float(((table.mean(axis=1) - grand) ** 2).sum())
    columns = n * float(((table.mean(axis=0) - grand) ** 2).sum())
    within = float(((table - table.mean(axis=1, keepdims=True)) ** 2).sum())
    return {
        "B": rows / (n - 1),
        "J": columns / (k - 1),
        "W": within / (n * (k - 1)),
        "E": max(within - columns, 0.0) / ((n - 1) * (k - 1)),
    }


Five = tuple[float, float, float, float, float]
"""Estimate, low, high, F, p."""


def _one_way(squares: dict[str, float], n: int, k: int) -> Five:
    return _from_f(squares["B"] / squares["W"], n - 1, n * (k - 1), k)


def _two_way_fixed(squares: dict[str, float], n: int, k: int) -> Five:
    return _from_f(squares["B"] / squares["E"], n - 1, (n - 1) * (k - 1), k)


def _from_f(statistic: float, df_rows: int, df_error: int, k: int) -> Five:
    """(F − 1)/(F + k − 1), and the same of the limits of F."""
    from scipy import stats

    tail = (1 - LEVEL) / 2
    limits = (
        statistic,
        statistic / stats.f.isf(tail, df_rows, df_error),
        statistic * stats.f.isf(tail, df_error, df_rows),
    )
    estimate, low, high = (float((f - 1) / (f + k - 1)) for f in limits)
    return estimate, low, high, statistic, float(stats.f.sf(statistic, df_rows, df_error))


def _two_way_random(squares: dict[str, float], n: int, k: int) -> Five:
    from scipy import stats

    b, j, e = squares["B"], squares["J"], squares["E"]
    estimate = (b - e) / (b + (k - 1) * e + k * (j - e) / n)
    ratio = j / e
    common = n * (1 + (k - 1) * estimate) - k * estimate
    df = (k - 1) * (n - 1) * (k * estimate * ratio + common) ** 2
    df /= (n - 1) * k**2 * estimate**2 * ratio**2 + common**2
    tail = (1 - LEVEL) / 2
    upper, lower = stats.f.isf(tail, n - 1, df), stats.f.isf(tail, df, n - 1)
    shared = k * j + (k * n - k - n) * e
    low = n * (b - upper * e) / (upper * shared + n * b)
    high = n * (lower * b - e) / (shared + n * lower * b)
    statistic = b / e
    return estimate, float(low), float(high), statistic, float(stats.f.sf(statistic, n - 1, (n - 1) * (k - 1)))


def _stepped_up(value: float, k: int) -> float:
    """Spearman-Brown: k·r/(1 + (k − 1)·r); −∞ where a negative r makes the whole length impossible."""
    below = 1 + (k - 1) * value
    return k * value / below if below > 0 else -math.inf
