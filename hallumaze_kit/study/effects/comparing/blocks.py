"""The two sides of a comparison on the mazes that they share: mazes are the blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from hallumaze_kit.errors import InputError, check_choice
from hallumaze_kit.records import METRICS

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

WHO = ("provider", "model", "subject_kind", "subject")
"""Columns that tell subjects apart: between two of their values other subjects are compared, not the same ones."""
NEEDED = ("provider", "model", "maze_id")
MEND = "Make one with to_frame(results) or run(…)."


class Blocks(NamedTuple):
    """A metric on both sides, one row a maze, in the order of the mazes' names.

    mazes       (m,) names of the mazes with a value on either side
    one, other  (m,) mean of the side's trials on the maze; NaN where it has none
    most        most trials that a side has on a maze, 1 without repetitions
    n           trials that entered
    zero_one    whether every trial's value is 0 or 1
    note        what was left out
    """

    mazes: list[str]
    one: np.ndarray
    other: np.ndarray
    most: int
    n: int
    zero_one: bool
    note: str

    @property
    def shared(self) -> np.ndarray:
        """(m,) whether both sides have the maze."""
        import numpy as np

        return ~np.isnan(self.one) & ~np.isnan(self.other)

    @property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Both sides on the shared mazes."""
        return self.one[self.shared], self.other[self.shared]


def checked(frame: Any, metric: str, *columns: str) -> pd.DataFrame:
    """The frame, if it is one of trials with these columns and the metric is one; else `InputError`."""
    import pandas as pd

    if not isinstance(frame, pd.DataFrame) or not {*NEEDED, *columns, metric} <= set(frame.columns):
        check_choice("metric", metric, METRICS)
        raise InputError("frame", type(frame).__name__, f"a table of trials with {', '.join(columns) or metric}", MEND)
    check_choice("metric", metric, METRICS)
    return frame


def values_of(frame: pd.DataFrame, metric: str) -> pd.Series:
    """The metric as floats; a trial without a hallucination has no first one (−1 in the frame), so NaN."""
    values = frame[metric].astype(float)
    return values.where(values >= 0) if metric == "first_hallucination_step" else values


def blocks(frame: pd.DataFrame, metric: str, between: str, one: Any, other: Any) -> Blocks:
    """Both sides of a comparison by maze.

    Between conditions a subject is compared with itself: its trials on a maze enter where it has both conditions there,
    and a maze's value is the mean over subjects, each with the mean of its trials. Between subjects a maze's value is
    the mean of the side's trials. Trials without a value or a maze are left out.

    Raises `InputError` for what is no frame of trials, an unknown metric or column, and two sides that are the same.
    """
    import pandas as pd

    checked(frame, metric)
    if between != "subject" and between not in frame.columns:
        raise InputError("between", between, "a column of the frame, or 'subject' for provider/model")
    if one == other:
        raise InputError("b", other, f"another value of {between} than a")
    subject = frame["provider"].astype(str) + "/" + frame["model"].astype(str)
    side = subject if between == "subject" else frame[between]
    maze = frame["maze_id"]
    trials = pd.DataFrame(
        {
            "maze": maze.where(maze.astype(bool)),
            "subject": "" if between in WHO else subject,
            "side": side.map({one: 0, other: 1}),
            "value": values_of(frame, metric),
        }
    )
    trials = trials[trials["side"].notna()]
    known = trials.dropna()
    cells = known.groupby(["subject", "maze", "side"], sort=True)["value"].agg(["mean", "size"]).unstack("side")
    cells = cells.reindex(columns=pd.MultiIndex.from_product([["mean", "size"], [0, 1]]))
    notes = []
    if len(known) < len(trials):
        notes.append(f"{len(trials) - len(known)} trials without a value or a maze left out")
    if between not in WHO and trials["subject"].nunique() > 1:
        whole = cells["mean"].notna().all(axis=1)
        lone = int(cells.loc[~whole, "size"].sum().sum())
        if lone:
            notes.append(f"{lone} trials of subjects without the other side on the maze left out")
        cells = cells[whole]
    means = cells["mean"].groupby(level="maze").mean()
    entered = cells["size"].sum().sum()
    return Blocks(
        mazes=list(means.index),
        one=means[0].to_numpy(float),
        other=means[1].to_numpy(float),
        most=int(cells["size"].groupby(level="maze").sum().max().max()) if len(cells) else 0,
        n=int(entered),
        zero_one=bool(known["value"].isin([0, 1]).all()),
        note="; ".join(notes),
    )
