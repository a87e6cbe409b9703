"""Ariadne's Thread (section 9.3): how fast hints are taken, how often they are ignored, and what they change."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError, check_choice, check_whole
from hallumaze_kit.records import METRICS
from hallumaze_kit.study.tables import FEWEST_MAZES, LEVEL, interval_ends, kind_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

NEEDED = ("provider", "model", "subject_kind", "ariadne_group", "arm", "maze_id", "mei", "nrs")
CONTRASTS = (("hint", "sham"), ("hint", "none"), ("sham", "none"))


def ariadne_table(frame: pd.DataFrame, n_boot: int = 2000, seed: int = 0) -> pd.DataFrame:
    """Hint reaction speed, ignore rate and trainability index of each subject, with 95 % intervals.

        NRS = mean over hinted trials of group B of 1/max(1, moves until the first reaction), 0 without one
        ignored = share of group C's hinted trials without a reaction
        TI = NRS × (mean MEI_B − mean MEI_A)/mean MEI_A, over the mazes that both groups met

    The document's contrast mixes selected with unselected trials: B is hinted only where a loop shows, so TI holds the
    selection as well as the hint. `arm_effect` on randomised arms does not. Trials of the arms "sham" and "none" are
    left out here.

    Parameters
    ----------
    frame : one row a trial, as `to_frame` makes it
    n_boot : bootstrap samples; each draws whole mazes, with the trials of both groups on them
    seed : every interval starts from it anew

    Returns one row a subject: `provider`, `model`, `kind`, `n_A`, `n_B`, `n_C`, `n_hinted_B`, `n_mazes` (scored in A
    and in B), `mei_A`, `mei_B` (on these mazes), `nrs` (of all hinted trials of B), `ignored` with `ignored_low`,
    `ignored_high` (Wilson), `ti` with `ti_low`, `ti_high` (percentiles; NaN with fewer than 5 mazes), and `note`, which
    says why a value is NaN. TI is NaN where MEI_A is 0, where the groups share no scored maze, and where nobody was
    hinted.

    Raises `InputError` for something that is no frame of trials. Source: section 9.3; specification, section 7.
    """
    import pandas as pd

    _check(frame, n_boot, seed)
    trials = frame[frame["arm"].isin(["", "hint"])]
    rows = [_row(who, mine, n_boot, seed) for who, mine in trials.groupby(["provider", "model"], sort=True)]
    columns = ["provider", "model", "kind", "n_A", "n_B", "n_C", "n_hinted_B", "n_mazes", "mei_A", "mei_B", "nrs"]
    columns += ["ignored", "ignored_low", "ignored_high", "ti", "ti_low", "ti_high", "note"]
    return pd.DataFrame(rows, columns=columns)


def trainability(nrs: float, mei_a: float, mei_b: float) -> float:
    """TI = NRS × (MEI_B − MEI_A)/MEI_A; NaN where MEI_A is 0 or a value is missing (section 9.3).

    >>> round(trainability(0.5, 0.4, 0.6), 3)
    0.25
    """
    return nrs * (mei_b - mei_a) / mei_a if mei_a else math.nan


def arm_effect(frame: pd.DataFrame, metric: str = "mei", n_boot: int = 2000, seed: int = 0) -> pd.DataFrame:
    """Differences between randomised arms, by intention to treat, with 95 % intervals over mazes.

    Every trial counts in the arm that was drawn for it, whether or not the occasion to say something came. For each
    subject, group and pair of arms: `difference` = mean of the first − mean of the second, `low`, `high` (percentiles
    of a bootstrap that draws whole mazes; NaN with fewer than 5), `n_first`, `n_second` (trials that could be scored),
    `n_mazes`, `note`.

    Raises `InputError` for something that is no frame of trials, and for an unknown metric.
    """
    import pandas as pd

    _check(frame, n_boot, seed)
    check_choice("metric", metric, METRICS)
    rows = []
    for (provider, model, group), mine in frame.groupby(["provider", "model", "ariadne_group"], sort=True):
        for first, second in CONTRASTS:
            if not mine["arm"].isin([first, second]).any():
                continue
            kind = kind_of(provider, mine["subject_kind"].iloc[0] or "")
            row = {"provider": provider, "model": model, "kind": kind, "group": group}
            row["contrast"] = f"{first} − {second}"
            rows.append(row | _contrast(mine[mine[metric].notna()], first, second, metric, n_boot, seed))
    columns = ["provider", "model", "kind", "group", "contrast", "difference", "low", "high", "n_first", "n_second"]
    return pd.DataFrame(rows, columns=[*columns, "n_mazes", "note"])


def _row(who: Any, mine: pd.DataFrame, n_boot: int, seed: int) -> dict[str, Any]:
    from statsmodels.stats.proportion import proportion_confint

    groups = {group: mine[mine["ariadne_group"] == group] for group in "ABC"}
    scored = {group: part[part["mei"].notna()] for group, part in groups.items()}
    shared = sorted(set(scored["A"]["maze_id"]) & set(scored["B"]["maze_id"]))
    sums = _sums(scored["A"], scored["B"], shared)
    total = sums.sum(axis=0) if shared else None
    mei_a, mei_b, speed = _means(total) if shared else (math.nan, math.nan, math.nan)
    hinted_c = groups["C"]["nrs"].dropna()
    ignored = int((hinted_c == 0).sum())
    low, high = math.nan, math.nan
    if len(hinted_c):
        low, high = proportion_confint(ignored, len(hinted_c), method="wilson")
    ti = trainability(speed, mei_a, mei_b)
    ti_low, ti_high = _ti_interval(sums, n_boot, seed) if not math.isnan(ti) else (math.nan, math.nan)
    return {
        "provider": who[0], "model": who[1], "kind": kind_of(who[0], mine["subject_kind"].iloc[0] or ""),
        "n_A": len(groups["A"]), "n_B": len(groups["B"]), "n_C": len(groups["C"]),
        "n_hinted_B": int(groups["B"]["nrs"].notna().sum()), "n_mazes": len(shared),
        "mei_A": mei_a, "mei_B": mei_b, "nrs": groups["B"]["nrs"].mean(),
        "ignored": ignored / len(hinted_c) if len(hinted_c) else math.nan, "ignored_low": low, "ignored_high": high,
        "ti": ti, "ti_low": ti_low, "ti_high": ti_high,
        "note": _note(groups, shared, mei_a, speed, ti_low),
    }  # fmt: skip


def _note(groups: dict[str, pd.DataFrame], shared: list[str], mei_a: float, speed: float, ti_low: float) -> str:
    notes = []
    if len(groups["A"]) and not groups["A"]["mei"].notna().any():
        notes.append("no TI: MEI of group A could not be scored")
    elif not shared:
        notes.append("no TI: groups A and B share no maze")
    elif math.isnan(speed):
        notes.append("no TI: nobody in group B was given a hint")
    elif not mei_a:
        notes.append("no TI: MEI of group A is 0")
    elif math.isnan(ti_low):
        notes.append(f"no interval of TI: fewer than {FEWEST_MAZES} mazes, or too few with hints")
    if not groups["C"]["nrs"].notna().any():
        notes.append("no ignore rate: nobody in group C was given a hint")
    return "; ".join(notes)


def _sums(a: pd.DataFrame, b: pd.DataFrame, mazes: list[str]) -> np.ndarray:
    """(mazes, 6) sums and counts of MEI in A, MEI in B, NRS in B."""
    import numpy as np

    out = np.zeros((len(mazes), 6))
    for column, (part, name) in enumerate(((a, "mei"), (b, "mei"), (b, "nrs"))):
        grouped = part.groupby("maze_id")[name].agg(["sum", "count"]).reindex(mazes)
        out[:, 2 * column : 2 * column + 2] = grouped.fillna(0).to_numpy()
    return out


def _means(total: np.ndarray) -> tuple[float, float, float]:
    """MEI_A, MEI_B, NRS from six sums; NaN where nothing was counted."""
    return tuple(float(s / n) if n else math.nan for s, n in total.reshape(3, 2))  # type: ignore[return-value]


def _ti_interval(sums: np.ndarray, n_boot: int, seed: int) -> tuple[float, float]:
    """Percentiles of TI over samples of whole mazes; NaN if mazes are few or a sample has no hint in one of twenty."""
    import numpy as np

    if len(sums) < FEWEST_MAZES:
        return math.nan, math.nan
    drawn = np.random.default_rng(seed).integers(0, len(sums), (n_boot, len(sums)))
    values = np.array([trainability(speed, a, b) for a, b, speed in (_means(sums[rows].sum(axis=0)) for rows in drawn)])
    known = values[~np.isnan(values)]
    if len(known) < LEVEL * n_boot:
        return math.nan, math.nan
    low, high = np.quantile(known, interval_ends(len(sums)))
    return float(low), float(high)


def _contrast(scored: pd.DataFrame, first: str, second: str, metric: str, n_boot: int, seed: int) -> dict[str, Any]:
    import numpy as np

    one, other = scored[scored["arm"] == first], scored[scored["arm"] == second]
    mazes = sorted({*one["maze_id"], *other["maze_id"]})
    out = {"n_first": len(one), "n_second": len(other), "n_mazes": len(mazes), "low": math.nan, "high": math.nan}
    if not len(one) or not len(other):
        missing = first if not len(one) else second
        return out | {"difference": math.nan, "note": f"no trial in the arm {missing!r} could be scored"}
    out["difference"] = float(one[metric].mean() - other[metric].mean())
    if len(mazes) < FEWEST_MAZES:
        return out | {"note": f"no interval: fewer than {FEWEST_MAZES} mazes"}
    sums = np.zeros((len(mazes), 4))
    for column, part in enumerate((one, other)):
        grouped = part.groupby("maze_id")[metric].agg(["sum", "count"]).reindex(mazes)
        sums[:, 2 * column : 2 * column + 2] = grouped.fillna(0).to_numpy()
    drawn = sums[np.random.default_rng(seed).integers(0, len(mazes), (n_boot, len(mazes)))].sum(axis=1)
    whole = drawn[(drawn[:, 1] > 0) & (drawn[:, 3] > 0)]
    if len(whole) < LEVEL * n_boot:
        return out | {"note": "no interval: an arm has so few mazes that it is missing in many samples"}
    differences = whole[:, 0] / whole[:, 1] - whole[:, 2] / whole[:, 3]
    low, high = np.quantile(differences, interval_ends(len(mazes)))
    return out | {"low": float(low), "high": float(high), "note": ""}


def _check(frame: Any, n_boot: int, seed: int) -> None:
    import pandas as pd

    if not isinstance(frame, pd.DataFrame) or not set(NEEDED) <= set(frame.columns):
        mend = "Make one with to_frame(results) or run(…)."
        raise InputError("frame", type(frame).__name__, "a table of trials", mend)
    check_whole("n_boot", n_boot, 1)
    check_whole("seed", seed, 0)
