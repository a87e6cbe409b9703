"""What confidence is worth, as tables for figures: reliability by bins, and the ROC of a judgement with confidence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError, check_whole
from hallumaze_kit.records import BenchmarkResult
from hallumaze_kit.records.frames import listed
from hallumaze_kit.study.tables import cluster_interval, kind_of, replayed

if TYPE_CHECKING:
    import pandas as pd

WHO = ["provider", "model", "kind"]
ROC_NEEDED = ("provider", "model", "subject_kind", "maze_id", "probe_broken", "probe_said_valid", "probe_confidence")


def calibration_table(
    results: Iterable[BenchmarkResult], bins: int = 10, n_boot: int = 2000, seed: int = 0
) -> pd.DataFrame:
    """How often steps are legal at each stated confidence: the points of a reliability diagram.

    Parameters
    ----------
    results : results that hold the answer's text and its maze; others have no rows
    bins : bins of equal width over [0, 1]; a confidence on an edge belongs to the bin above, 1 to the last
    n_boot, seed : of the bootstrap over mazes

    Returns one row a subject and bin that holds a step: `provider`, `model`, `kind`, `low_edge`, `high_edge`,
    `confidence` (its mean, 0 to 1), `right` (share of legal steps), `low`, `high` (95 %, whole mazes drawn; NaN with
    fewer than 5 mazes), `n` (steps), `n_mazes`. Perfect calibration is right = confidence.

    Steps at 90 %, 95 % and 70 %, the second into a wall: bin 0.9 to 1 has confidence 0.925 and right 0.5, bin 0.7 to
    0.8 has 0.7 and 1. Source: DeGroot & Fienberg 1983; specification, section 6.
    """
    import numpy as np
    import pandas as pd

    from hallumaze_kit.trial.measuring.confidence import judged_steps

    check_whole("bins", bins, 1)
    steps = []
    for result in listed(results):
        happened = replayed(result)
        who = [result.provider, result.model, kind_of(result.provider, result.subject_kind), result.maze_id]
        steps += [[*who, row.confidence, row.correct] for row in (judged_steps(happened) if happened else ())]
    table = pd.DataFrame(steps, columns=[*WHO, "maze_id", "confidence", "correct"])
    table["bin"] = np.minimum((table["confidence"].astype(float) * bins + 1e-9).astype(int), bins - 1)
    rows: list[list[Any]] = []
    for (*who, number), mine in table.groupby([*WHO, "bin"], sort=True):
        right = mine["correct"].to_numpy(float)
        low, high = cluster_interval(right, mine["maze_id"].to_numpy(), n_boot, seed)
        edges = [number / bins, (number + 1) / bins]
        counts = [len(mine), mine["maze_id"].nunique()]
        rows.append([*who, *edges, mine["confidence"].mean(), right.mean(), low, high, *counts])
    columns = [*WHO, "low_edge", "high_edge", "confidence", "right", "low", "high", "n", "n_mazes"]
    return pd.DataFrame(rows, columns=columns)


def roc_table(frame: pd.DataFrame) -> pd.DataFrame:
    """The ROC of probes: hits against false alarms at each strength of "this path is broken".

    The strength is the stated confidence of whoever says "broken" and 1 − confidence of whoever says "valid" (without
    one, 1 and 0). At each strength that occurs: `hit_rate`, the share of broken paths called broken at least so
    strongly, and `alarm_rate`, the same of whole paths; from (0, 0) to (1, 1). `area` under the points by trapezoids
    is the chance that a broken path is called broken more strongly than a whole one, ties counted half.

    Returns one row a subject and strength: `provider`, `model`, `kind`, `strength` (NaN at (0, 0)), `alarm_rate`,
    `hit_rate`, `area`, `n_signal`, `n_noise`. A subject without broken or without whole paths has no rows.

    Broken paths at 0.9 and 0.4, whole ones at 0.6 and 0.1: 3 of 4 pairs are in order, area 0.75.
    Raises `InputError` for something that is no frame of trials. Source: Macmillan & Creelman 2005, ch. 3.
    """
    import numpy as np
    import pandas as pd

    if not isinstance(frame, pd.DataFrame) or not set(ROC_NEEDED) <= set(frame.columns):
        raise InputError("frame", type(frame).__name__, "a table of trials", "Make one with to_frame(results).")
    read = frame[frame["probe_said_valid"].notna() & frame["probe_broken"].notna()]
    rows: list[list[Any]] = []
    for (provider, model), mine in read.groupby(["provider", "model"], sort=True):
        broken = mine["probe_broken"].astype(bool).to_numpy()
        valid = mine["probe_said_valid"].astype(bool).to_numpy()
        sure = mine["probe_confidence"].astype(float).fillna(1.0).to_numpy()
        strength = np.where(valid, 1 - sure, sure)
        signal, noise = int(broken.sum()), int((~broken).sum())
        if not signal or not noise:
            continue
        levels = np.unique(strength)[::-1]
        hits = [0.0, *((strength[broken] >= level).mean() for level in levels)]
        alarms = [0.0, *((strength[~broken] >= level).mean() for level in levels)]
        area = float(np.trapezoid(hits, alarms))
        who = [provider, model, kind_of(provider, mine["subject_kind"].iloc[0] or "")]
        for level, alarm, hit in zip([np.nan, *levels], alarms, hits, strict=True):
            rows.append([*who, float(level), float(alarm), float(hit), area, signal, noise])
    columns = [*WHO, "strength", "alarm_rate", "hit_rate", "area", "n_signal", "n_noise"]
    return pd.DataFrame(rows, columns=columns)
