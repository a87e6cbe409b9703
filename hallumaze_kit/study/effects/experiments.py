"""The document's experiments as tested rows: lures (9.1), Ariadne's arms and TI (9.3), size (10)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hallumaze_kit.study.analysis.ariadne import CONTRASTS, ariadne_table, arm_effect
from hallumaze_kit.study.effects.comparing.blocks import checked, values_of
from hallumaze_kit.study.effects.comparing.effect_sizes import is_constant
from hallumaze_kit.study.effects.comparing.models import least_squares, log_odds
from hallumaze_kit.study.effects.comparing.paired import FEW, NO_VARIATION, NOT_ZERO_ONE, wald
from hallumaze_kit.study.effects.comparing.trials import ZERO_ONE, compare_trials
from hallumaze_kit.study.effects.rows import Effect, refused
from hallumaze_kit.study.tables import FEWEST_MAZES

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

ROBUST = "least squares, cluster-robust by maze (CR2)"


def mirage_test(frame: pd.DataFrame, metric: str = "mei", n_boot: int = 2000, seed: int = 0) -> list[Effect]:
    """Δ of section 9.1 for each subject and placement, tested: without lures − with them, on the same mazes.

    The rows of `compare_trials` between the two conditions. The difference of means is `mirage_effect`'s Δ where every
    maze has both; the interval here is the test's, not the bootstrap's.
    """
    checked(frame, metric, "use_mirage", "placement")
    known = frame[frame["use_mirage"].notna() & frame["maze_id"].astype(bool)]
    out = []
    for who, mine in _by_subject(known, "placement"):
        shown = mine.assign(use_mirage=mine["use_mirage"].astype(bool))
        contrast = f"without − with lures ({who['placement']})"
        for row in compare_trials(shown, metric, "use_mirage", False, True, n_boot, seed):
            quantity = row.quantity.replace("SD of True", "SD with lures")
            out.append(replace(row, analysis="mirage_test", contrast=contrast, quantity=quantity))
    return out


def arm_test(frame: pd.DataFrame, metric: str = "mei") -> list[Effect]:
    """Differences between randomised arms by intention to treat, tested, for each subject and group.

    The differences, numbers and refusals of `arm_effect`: every trial counts in the arm drawn for it. Interval and p
    from least squares of the trials on the arm, cluster-robust by maze (CR2, `least_squares`), which holds whether arms
    share mazes or not; for SR too (a difference of shares).
    """
    checked(frame, metric, "arm", "ariadne_group")
    table = arm_effect(frame, metric, n_boot=1)
    out = []
    for row in table.to_dict("records"):
        subject = f"{row['provider']}/{row['model']}"
        mine = frame[(frame["provider"] == row["provider"]) & (frame["model"] == row["model"])]
        mine = mine[mine["ariadne_group"] == row["group"]]
        first, second = CONTRASTS[[f"{a} − {b}" for a, b in CONTRASTS].index(row["contrast"])]
        known = {"analysis": "arm_test", "quantity": "difference of means", "metric": metric, "subject": subject}
        known |= {"contrast": f"{row['contrast']} (group {row['group']})", "n": row["n_first"] + row["n_second"]}
        known |= {"n_mazes": row["n_mazes"]}
        out.append(_arms(mine[mine["arm"].isin([first, second])], first, metric, row, known))
    return out


def ariadne_effects(frame: pd.DataFrame, n_boot: int = 2000, seed: int = 0) -> list[Effect]:
    """Ignore rate and trainability index of each subject, as rows; the numbers of `ariadne_table`, no test.

    TI holds the selection of trials as well as the hint; `arm_test` on randomised arms does not.
    """
    out = []
    for row in ariadne_table(frame, n_boot, seed).to_dict("records"):
        known = {"analysis": "ariadne_effects", "subject": f"{row['provider']}/{row['model']}", "note": row["note"]}
        ti = {"estimate": row["ti"], "low": row["ti_low"], "high": row["ti_high"], "n": row["n_A"] + row["n_B"]}
        named = {"quantity": "trainability index", "metric": "mei", "contrast": "group B − group A"}
        out.append(Effect(**known | ti | named, n_mazes=row["n_mazes"], test="cluster bootstrap over mazes"))
        share = {"estimate": row["ignored"], "low": row["ignored_low"], "high": row["ignored_high"], "n": row["n_C"]}
        named = {"quantity": "share of hints ignored", "metric": "nrs", "contrast": "group C"}
        out.append(Effect(**known | share | named, test="Wilson; takes trials as independent"))
    return out


def size_trend(frame: pd.DataFrame, metric: str = "mei") -> list[Effect]:
    """Slope of a metric on the size of the maze, for each subject, on the means by maze.

    Per unit of size (a side of one more cell). Least squares with HC2 errors and Satterthwaite's degrees of freedom
    (`least_squares`); for SR the log odds per unit of size (`log_odds`, shares by maze). A straight line is a summary:
    near floor or ceiling the trend bends.

    Refused for fewer than 5 mazes, one size, no variation, separation, and SR values other than 0 and 1.
    """
    import numpy as np

    checked(frame, metric, "maze_size")
    out = []
    for who, mine in _by_subject(frame):
        maze = mine["maze_id"].where(mine["maze_id"].astype(bool))
        values = values_of(mine, metric)
        zero_one = values.dropna().isin([0, 1]).all()
        means = values.groupby(maze).mean().dropna()
        size = mine["maze_size"].groupby(maze).first().reindex(means.index).to_numpy(float)
        known: dict[str, Any] = {"analysis": "size_trend", "metric": metric, "contrast": "per unit of maze size"}
        known |= {"subject": f"{who['provider']}/{who['model']}", "n": int(values[maze.notna()].count())}
        known |= {"n_mazes": len(means), "quantity": "log odds ratio" if metric in ZERO_ONE else "slope"}
        y, clusters = means.to_numpy(float), np.arange(len(means))
        if note := _no_trend(y, size, metric in ZERO_ONE and not zero_one):
            out.append(refused(note, **known))
            continue
        x = np.column_stack([np.ones(len(y)), size - size.mean()])
        fit = (log_odds if metric in ZERO_ONE else least_squares)(x, y, clusters, 1)
        test = "logistic regression" if metric in ZERO_ONE else "least squares (HC2)"
        if math.isnan(fit.estimate):
            out.append(refused(fit.note, **known))
        else:
            out.append(
                wald(fit.estimate, fit.error, fit.df, test=f"{test} on maze means, t with {fit.df:.1f} df", **known)
            )
    return out


def _arms(trials: pd.DataFrame, first: str, metric: str, row: dict[str, Any], known: dict[str, Any]) -> Effect:
    import numpy as np
    import pandas as pd

    trials = trials[trials[metric].notna()]
    y = trials[metric].to_numpy(float)
    if math.isnan(row["difference"]):
        return refused(row["note"], **known)
    if row["n_mazes"] < FEWEST_MAZES or is_constant(y):
        note = FEW if row["n_mazes"] < FEWEST_MAZES else NO_VARIATION
        return refused(note, **known, estimate=row["difference"])
    is_first = (trials["arm"] == first).to_numpy(float)
    if min(is_first.sum(), (1 - is_first).sum()) < 2:
        return refused("an arm has one trial", **known, estimate=row["difference"])
    x = np.column_stack([np.ones(len(y)), is_first])
    fit = least_squares(x, y, pd.factorize(trials["maze_id"])[0], 1)
    if not fit.error:
        return refused("the trials of an arm are all alike: not tested", **known, estimate=row["difference"])
    return wald(row["difference"], fit.error, fit.df, test=f"{ROBUST}, t with {fit.df:.1f} df", **known)


def _no_trend(y: np.ndarray, size: np.ndarray, not_zero_one: bool) -> str:
    if not_zero_one:
        return NOT_ZERO_ONE
    if len(y) < FEWEST_MAZES:
        return FEW
    if is_constant(size):
        return "mazes of one size: no trend"
    return NO_VARIATION if is_constant(y) else ""


def _by_subject(frame: pd.DataFrame, *also: str) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    columns = ["provider", "model", *also]
    for key, mine in frame.groupby(columns, sort=True):
        yield dict(zip(columns, key, strict=True)), mine
