"""Means of groups beside each other: people's, also typed in by hand, and models'."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError, check_choice
from hallumaze_kit.records import METRICS, BenchmarkResult, to_frame
from hallumaze_kit.records.result import SHARES
from hallumaze_kit.study.effects.jackknife import JACKKNIFE, interval, jackknife, left_out
from hallumaze_kit.study.effects.rows import Effect, refused, tidy
from hallumaze_kit.study.tables import FEWEST_MAZES, kind_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

DOCUMENTED = ("sr", "mei", "hallucination_count", "backtrack_count")
"""The means that section 9.4's example types in."""
TYPED = "a group mean typed in: no spread, so nothing is tested"
_NEEDED = ("provider", "model", "subject_kind", "maze_id", "maze_size")


def group_means(
    data: Iterable[BenchmarkResult] | pd.DataFrame,
    metrics: Sequence[str] = DOCUMENTED,
) -> pd.DataFrame:
    """The mean of each group, and each group of people minus each other group, by size of maze.

    A group is a provider and model. A record without a maze is a group mean that somebody typed in (section 9.4):

        BenchmarkResult(provider="human", model="group_n30", maze_size=7, sr=0.73, hallucination_count=2.1)

    It stands as it is: without a spread there is no interval, and no difference from it is tested. Where people
    and others played the same mazes, the difference is the mean over those mazes of (people's mean − other's mean) with
    its interval over mazes; tests of trials are another table's matter.

    Parameters
    ----------
    data : results, or a frame of trials. Conditions are not kept apart: give the part that is to be compared
    metrics : measures of `hallumaze_kit.records.METRICS`

    Returns
    -------
    Tidy rows (`Effect`): quantity "mean" (contrast: the size of the mazes) and "difference of means" (contrast "human/a
    − openai/b, 7×7", subject the other group). Intervals (95 %) leave out one maze at a time (`jackknife`, t; shares on
    the logit scale); NaN with fewer than 5 mazes, and where all mazes are alike.

    Raises `InputError` for something else than results or a frame of trials, and for an unknown measure.
    """
    import pandas as pd

    frame = data if isinstance(data, pd.DataFrame) else to_frame(data)
    if not set(_NEEDED) <= set(frame.columns):
        raise InputError(
            "data", type(data).__name__, "results or a table of trials", "Make one with to_frame(results)."
        )
    for metric in metrics:
        check_choice("metrics", metric, METRICS)
    groups = [
        (f"{provider}/{model}", kind_of(provider, group["subject_kind"].iloc[0] or ""), size, group)
        for (size, provider, model), group in frame.groupby(["maze_size", "provider", "model"], sort=True, dropna=False)
    ]
    effects: list[Effect] = []
    for metric in metrics:
        effects += [_mean(name, size, group, metric) for name, _, size, group in groups]
        effects += [
            _difference(people, other, metric)
            for people in groups
            for other in groups
            if people[1] == "human" and other is not people and other[2] == people[2]
        ]
    return tidy(effects)


def _mean(name: str, size: Any, group: pd.DataFrame, metric: str) -> Effect:
    import numpy as np

    values, mazes = group[metric].astype(float), _mazes(group)
    base: dict[str, Any] = {"analysis": "group_means", "quantity": "mean", "metric": metric, "contrast": _by(size)}
    base |= {"subject": name, "n": int(values.count()), "n_mazes": mazes[values.notna()].nunique()}
    if not base["n"]:
        return refused("not given, or not scored", **base)
    if mazes.isna().all():
        several = f"; mean of {base['n']} typed means, each counted alike" if base["n"] > 1 else ""
        return Effect(estimate=values.mean(), unit="group means", note=TYPED + several, **base)
    kept = values.groupby(mazes).agg(["sum", "count"]).query("count > 0")
    weights = left_out(len(kept))
    means = (weights @ kept["sum"].to_numpy()) / np.maximum(weights @ kept["count"].to_numpy(), 1)
    return Effect(**_told(means, metric in SHARES), test=JACKKNIFE, **base)


def _difference(people: tuple, other: tuple, metric: str) -> Effect:
    import numpy as np
    import pandas as pd

    base: dict[str, Any] = {"analysis": "group_means", "quantity": "difference of means", "metric": metric}
    base |= {"contrast": f"{people[0]} − {other[0]}, {_by(people[2])}", "subject": other[0]}
    groups = people[3], other[3]
    values = [group[metric].astype(float) for group in groups]
    if not (values[0].count() and values[1].count()):
        return refused("not scored in both groups", **base)
    plain = values[0].mean() - values[1].mean()
    if any(_mazes(group).isna().all() for group in groups):
        return Effect(estimate=plain, unit="group means", note=TYPED, **base)
    means = [v.groupby(_mazes(group)).mean() for group, v in zip(groups, values, strict=True)]
    pairs = pd.concat(means, axis=1, keys=["people", "other"]).dropna()
    base |= {"n": len(pairs), "n_mazes": len(pairs), "unit": "mazes"}
    if not len(pairs):
        return Effect(estimate=plain, note="no maze was played by both, so mazes and groups are mixed up", **base)
    weights = left_out(len(pairs))
    means = (weights @ (pairs["people"] - pairs["other"]).to_numpy()) / np.maximum(weights.sum(axis=1), 1)
    return Effect(**_told(means, share=False), test=JACKKNIFE, **base)


def _told(means: np.ndarray, share: bool) -> dict[str, Any]:
    """Estimate, interval and note of means[0]; the others leave one maze out each."""
    estimate = float(means[0])
    if len(means) - 1 < FEWEST_MAZES:
        return {"estimate": estimate, "note": f"no interval: fewer than {FEWEST_MAZES} mazes"}
    if jackknife(means) < 1e-12:
        return {"estimate": estimate, "note": "no interval: all mazes are alike, which says nothing of others"}
    low, high = interval(means, share)
    return {"estimate": estimate, "low": low, "high": high}


def _mazes(group: pd.DataFrame) -> pd.Series:
    """The mazes of the trials; NaN for a mean that was typed in, which has none."""
    return group["maze_id"].where(group["maze_id"].fillna("").astype(bool))


def _by(size: Any) -> str:
    return "" if size is None or size != size else f"{int(size)}×{int(size)}"
