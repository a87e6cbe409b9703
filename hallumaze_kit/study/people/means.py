"""Means of groups beside each other: people's, also typed in by hand, and models'."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError, check_choice, check_whole
from hallumaze_kit.records import METRICS, BenchmarkResult, to_frame
from hallumaze_kit.study.effects.rows import Effect, refused, tidy
from hallumaze_kit.study.tables import FEWEST_MAZES, cluster_interval, kind_of

if TYPE_CHECKING:
    import pandas as pd

DOCUMENTED = ("sr", "mei", "hallucination_count", "backtrack_count")
"""The means that section 9.4's example types in."""
TYPED = "a group mean typed in: no spread, so nothing is tested"
BOOTSTRAP = "cluster bootstrap over mazes, percentiles"
_NEEDED = ("provider", "model", "subject_kind", "maze_id", "maze_size")


def group_means(
    data: Iterable[BenchmarkResult] | pd.DataFrame,
    metrics: Sequence[str] = DOCUMENTED,
    n_boot: int = 2000,
    seed: int = 0,
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
    n_boot, seed : of the bootstrap over mazes (`cluster_interval`)

    Returns
    -------
    Tidy rows (`Effect`): quantity "mean" (contrast: the size of the mazes) and "difference of means" (contrast "human/a
    − openai/b, 7×7", subject the other group). Intervals 95 %, NaN with fewer than 5 mazes.

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
    check_whole("n_boot", n_boot, 1)
    check_whole("seed", seed, 0)
    groups = [
        (f"{provider}/{model}", kind_of(provider, group["subject_kind"].iloc[0] or ""), size, group)
        for (size, provider, model), group in frame.groupby(["maze_size", "provider", "model"], sort=True, dropna=False)
    ]
    effects: list[Effect] = []
    for metric in metrics:
        effects += [_mean(name, size, group, metric, n_boot, seed) for name, _, size, group in groups]
        effects += [
            _difference(people, other, metric, n_boot, seed)
            for people in groups
            for other in groups
            if people[1] == "human" and other is not people and other[2] == people[2]
        ]
    return tidy(effects)


def _mean(name: str, size: Any, group: pd.DataFrame, metric: str, n_boot: int, seed: int) -> Effect:
    values, mazes = group[metric].astype(float), group["maze_id"].where(group["maze_id"].astype(bool))
    base: dict[str, Any] = {"analysis": "group_means", "quantity": "mean", "metric": metric, "contrast": _by(size)}
    base |= {"subject": name, "n": int(values.count()), "n_mazes": mazes[values.notna()].nunique()}
    if not base["n"]:
        return refused("not given, or not scored", **base)
    if mazes.isna().all():
        several = f"; mean of {base['n']} typed means, each counted alike" if base["n"] > 1 else ""
        return Effect(estimate=values.mean(), unit="group means", note=TYPED + several, **base)
    low, high = cluster_interval(values.to_numpy(), mazes.to_numpy(), n_boot, seed)
    note = f"no interval: fewer than {FEWEST_MAZES} mazes" if math.isnan(low) else ""
    return Effect(estimate=values.mean(), low=low, high=high, test=BOOTSTRAP, note=note, **base)


def _difference(people: tuple, other: tuple, metric: str, n_boot: int, seed: int) -> Effect:
    import pandas as pd

    base: dict[str, Any] = {"analysis": "group_means", "quantity": "difference of means", "metric": metric}
    base |= {"contrast": f"{people[0]} − {other[0]}, {_by(people[2])}", "subject": other[0]}
    groups = people[3], other[3]
    values = [group[metric].astype(float) for group in groups]
    if not (values[0].count() and values[1].count()):
        return refused("not scored in both groups", **base)
    plain = values[0].mean() - values[1].mean()
    if any((group["maze_id"] == "").all() for group in groups):
        return Effect(estimate=plain, unit="group means", note=TYPED, **base)
    means = [group.assign(value=v).groupby("maze_id")["value"].mean() for group, v in zip(groups, values, strict=True)]
    pairs = pd.concat(means, axis=1, keys=["people", "other"]).dropna()
    base |= {"n": len(pairs), "n_mazes": len(pairs), "unit": "mazes"}
    if not len(pairs):
        return Effect(estimate=plain, note="no maze was played by both, so mazes and groups are mixed up", **base)
    gaps = pairs["people"] - pairs["other"]
    low, high = cluster_interval(gaps.to_numpy(), pairs.index.to_numpy(), n_boot, seed)
    note = f"no interval: fewer than {FEWEST_MAZES} mazes in common" if math.isnan(low) else ""
    return Effect(estimate=gaps.mean(), low=low, high=high, test=BOOTSTRAP, note=note, **base)


def _by(size: Any) -> str:
    return "" if size is None or size != size else f"{int(size)}×{int(size)}"
