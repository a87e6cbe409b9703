"""The document's experiments as tables: what lures do (section 9.1), and what size does (section 10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError, check_choice, check_whole
from hallumaze_kit.records import METRICS
from hallumaze_kit.study.tables import FEWEST_MAZES, cluster_interval, kind_of, leaderboard

if TYPE_CHECKING:
    import pandas as pd

BY_SIZE = ("sr", "excess", "mei")
"""The measures of `size_table` unless others are asked for."""
MEND = "Make one with to_frame(results) or run(…)."
NEEDED = ("provider", "model", "subject_kind", "placement", "maze_id", "use_mirage")


def mirage_effect(frame: pd.DataFrame, metric: str = "mei", n_boot: int = 2000, seed: int = 0) -> pd.DataFrame:
    """Δ of section 9.1: the measure without lures minus the measure with them, on the same mazes.

        Δ = mean over mazes of (mean of the trials without lures − mean of those with them)

    Above 0 lures do harm (for `ce`, `excess` and counts of errors, where less is better, below 0). v1.1's help whoever
    distrusts every flag, because they stand on wrong branches only: its Δ measures distrust of flags as well as
    resistance to them. Read the two placements beside each other; "balanced" lures are as often true as false.

    Parameters
    ----------
    frame : one row a trial, as `to_frame` or `run` makes it, with trials of both conditions (`use_mirage`)
    metric : a measure of `hallumaze_kit.records.METRICS`
    n_boot : bootstrap samples; each draws as many mazes as there are, and a maze takes its two conditions along
    seed : every interval starts from it anew

    Returns one row a subject and placement: `provider`, `model`, `kind`, `placement`, `without`, `with` (means over the
    shared mazes), `difference`, `low`, `high` (95 %; NaN with fewer than 5 mazes), `n_mazes` (scored in both
    conditions), `note`. Nothing is rounded.

    MEI without lures 0.9 and 0.7 on two mazes, with them 0.6 and 0.7: Δ = (0.3 + 0)/2 = 0.15.

    Raises `InputError` for something that is no frame of trials, an unknown measure or n_boot below 1.
    """
    import pandas as pd

    if not isinstance(frame, pd.DataFrame) or not set(NEEDED) <= set(frame.columns):
        raise InputError("frame", type(frame).__name__, "a table of trials", MEND)
    check_choice("metric", metric, METRICS)
    check_whole("n_boot", n_boot, 1)
    rows = []
    known = frame[frame["use_mirage"].notna() & frame["maze_id"].astype(bool)]
    for (provider, model, placement), trials in known.groupby(["provider", "model", "placement"], sort=True):
        kind = kind_of(provider, trials["subject_kind"].iloc[0] or "")
        shown = trials["use_mirage"].astype(bool)
        means = [
            part.astype({metric: float}).groupby("maze_id")[metric].mean() for part in (trials[~shown], trials[shown])
        ]
        pairs = pd.concat(means, axis=1, keys=["without", "with"]).dropna()
        differences = pairs["without"] - pairs["with"]
        low, high = cluster_interval(differences.to_numpy(), pairs.index.to_numpy(), n_boot, seed)
        note = "" if len(pairs) >= FEWEST_MAZES else f"no interval: fewer than {FEWEST_MAZES} mazes"
        if not len(pairs):
            note = "no maze was scored both without and with lures"
        row: dict[str, Any] = {"provider": provider, "model": model, "kind": kind, "placement": placement}
        row |= {"without": pairs["without"].mean(), "with": pairs["with"].mean(), "difference": differences.mean()}
        rows.append(row | {"low": low, "high": high, "n_mazes": len(pairs), "note": note})
    columns = ["provider", "model", "kind", "placement", "without", "with", "difference", "low", "high", "n_mazes"]
    return pd.DataFrame(rows, columns=[*columns, "note"])


def size_table(
    frame: pd.DataFrame, metrics: Sequence[str] = BY_SIZE, n_boot: int = 2000, seed: int = 0
) -> pd.DataFrame:
    """A leaderboard for each size of maze, one under the other, with the size as column `maze_size` in front.

    See `leaderboard` for the other columns and what is raised.
    """
    import pandas as pd

    if not isinstance(frame, pd.DataFrame) or "maze_size" not in frame.columns:
        raise InputError("frame", type(frame).__name__, "a table of trials", MEND)
    parts = []
    for size, trials in frame.groupby("maze_size", sort=True):
        part = leaderboard(trials, metrics, n_boot, seed)
        part.insert(0, "maze_size", int(size))
        parts.append(part)
    return pd.concat(parts, ignore_index=True) if parts else leaderboard(frame, metrics, n_boot, seed)
