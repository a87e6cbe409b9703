"""The published convention against the verified one, on the same answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hallumaze_kit.errors import check_choice, check_whole
from hallumaze_kit.study.effects.rows import Effect, refused, tidy
from hallumaze_kit.study.tables import FEWEST_MAZES, cluster_interval
from hallumaze_kit.study.validity.trials import FIRST, PUBLISHED, by_subject

if TYPE_CHECKING:
    import pandas as pd


def convention_table(frame: pd.DataFrame, n_boot: int = 2000, seed: int = 0) -> pd.DataFrame:
    """What the public program's way of counting makes of the same answers.

    Parameters
    ----------
    frame : what `planted_trials` returned

    Returns rows of `Effect`, for each measure of section 6 (`metric`) with contrast "published − verified":

    - "difference": mean over the trials that both conventions score, with a 95 % bootstrap interval over subjects;
    - "share of trials that differ";
    - "Kendall's τ of the subjects": agreement of the two orders of subjects by their means (τ-b, 1 the same order);
    - "largest change of rank": places by which one subject moves at most, ties at their mean rank.

    The published convention believes the answer: its BT counts the words "dead end", its HC the larger of the path's
    and the self-report. Its SR asks for a final path.
    """
    check_whole("n_boot", n_boot, 1)
    for name in PUBLISHED:
        check_choice("frame", name, tuple(frame.columns))
    subjects = by_subject(frame, [*PUBLISHED, *PUBLISHED.values()])
    n_mazes = frame["maze_id"].nunique()
    rows = []
    for published, verified in PUBLISHED.items():
        common = {
            "analysis": "convention_table",
            "metric": verified,
            "contrast": "published − verified",
            "n_mazes": n_mazes,
        }
        both = frame[[published, verified]].astype(float)
        both = both[both.notna().all(axis=1) & ((published not in FIRST) | (both >= 0).all(axis=1))]
        if both.empty:
            rows.append(refused("no trial is scored by both", quantity="difference", **common))
            continue
        change = both[published] - both[verified]
        who = frame.loc[both.index, "model"].to_numpy()
        for quantity, values in (
            ("difference", change),
            ("share of trials that differ", (change.abs() > 1e-9).astype(float)),
        ):
            low, high = cluster_interval(values.to_numpy(), who, n_boot, seed)
            rows.append(
                Effect(
                    quantity=quantity,
                    n=len(values),
                    estimate=float(values.mean()),
                    low=low,
                    high=high,
                    test="bootstrap over subjects",
                    **common,
                )
            )
        rows += order_rows(subjects[published], subjects[verified], **common)
    return tidy(rows)


def order_rows(one: pd.Series, other: pd.Series, **common: object) -> list[Effect]:
    """Kendall's τ-b of two series over the same subjects, and the largest change of rank.

    Refused with fewer than 5 subjects, or where one series does not vary.
    """
    from scipy.stats import kendalltau

    known = one.notna() & other.notna()
    one, other = one[known], other[known]
    about = common | {"unit": "subjects", "n": len(one)}
    names = ("Kendall's τ of the subjects", "largest change of rank")
    if len(one) < FEWEST_MAZES or one.nunique() < 2 or other.nunique() < 2:
        why = f"fewer than {FEWEST_MAZES} subjects" if len(one) < FEWEST_MAZES else "one of the two does not vary"
        return [refused(why, quantity=name, **about) for name in names]
    found = kendalltau(one, other)
    moved = (one.rank() - other.rank()).abs().max()
    return [
        Effect(
            quantity=names[0], estimate=float(found.statistic), p=float(found.pvalue), test="Kendall's τ-b", **about
        ),
        Effect(quantity=names[1], estimate=float(moved), test="ranks of means", **about),
    ]


def rank_agreement(one: Sequence[float], other: Sequence[float]) -> float:
    """Kendall's τ-b; NaN where one of the two does not vary."""
    import numpy as np
    from scipy.stats import kendalltau

    if np.ptp(one) == 0 or np.ptp(other) == 0:
        return math.nan
    return float(kendalltau(one, other).statistic)
