"""Signal detection: does a subject tell a broken path from a whole one, an error from none? (specification, section 8)

"Signal" is a path or a walk with an error, "noise" one without; a "hit" says of a signal that something is wrong, a
"false alarm" says so of noise. d′ is how far the two are apart for the subject, in standard deviations of its
evidence; c is how reluctant it is to say that something is wrong (above 0) or how ready (below 0).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

from hallumaze_kit.errors import InputError, check_whole
from hallumaze_kit.study.tables import kind_of

if TYPE_CHECKING:
    import pandas as pd

NORMAL = NormalDist()
CORRECTED = "log-linear correction"
NEEDED = ("provider", "model", "subject_kind", "maze_id", "protocol", "injection", "outcome")


class Detection(NamedTuple):
    """Sensitivity and bias of one subject.

    d, c            d′ and the criterion; NaN where one class is empty
    d_low, d_high   interval of d′
    se              standard error of d′
    n_signal, n_noise   trials with and without an error
    note            the correction that was made, or why there is nothing
    """

    d: float
    c: float
    d_low: float
    d_high: float
    se: float
    n_signal: int
    n_noise: int
    note: str


def dprime(hits: int, misses: int, false_alarms: int, correct_rejections: int, level: float = 0.95) -> Detection:
    """d′ and c of a yes/no task, with an interval.

    H = (hits + ½)/(n_signal + 1), F = (false alarms + ½)/(n_noise + 1), always: the log-linear correction, with which
    rates of 0 and 1 have a z and d′ is less biased than with a correction of those rates alone (Hautus 1995). Then
    d′ = z(H) − z(F), c = −(z(H) + z(F))/2, and

        se² = H(1 − H)/(n_signal·φ(z(H))²) + F(1 − F)/(n_noise·φ(z(F))²)    (Gourevitch & Galanter 1967),

    interval d′ ± z((1 + level)/2)·se. It takes trials as independent and is approximate with few trials and near the
    ceiling, which for n and n trials is 2·z((n + ½)/(n + 1)): 4.14 for 25 and 25. d′ has no bounds; 0 is guessing.
    The correction pulls both rates to ½, and the more the fewer trials: who always answers alike gets 0 only where
    there are as many trials with an error as without (0 of 58 and 0 of 22 give −0.37, interval −1.93 to 1.19).

    20 hits, 5 misses, 10 false alarms, 15 correct rejections: H = 20.5/26, F = 10.5/26; z = 0.8011 and −0.2434;
    d′ = 1.0445, c = −0.2788, se = 0.3793, interval 0.3012 to 1.7878.

    Where one class is empty, d, c, se and the interval are NaN and the note says so. Raises `InputError` for a count
    that is no whole number of 0 or more, and for a level outside (0, 1).
    """
    counts = {"hits": hits, "misses": misses, "false_alarms": false_alarms, "correct_rejections": correct_rejections}
    for name, count in counts.items():
        check_whole(name, count, 0)
    if isinstance(level, bool) or not isinstance(level, int | float) or not 0 < level < 1:
        raise InputError("level", level, "a number between 0 and 1")
    n_signal, n_noise = int(hits + misses), int(false_alarms + correct_rejections)
    if not (n_signal and n_noise):
        empty = " and ".join(name for name, n in (("with", n_signal), ("without", n_noise)) if not n)
        return Detection(*[math.nan] * 5, n_signal, n_noise, f"no trial {empty} an error, so no d′")
    hit_rate, alarm_rate = (hits + 0.5) / (n_signal + 1), (false_alarms + 0.5) / (n_noise + 1)
    z_hit, z_alarm = NORMAL.inv_cdf(hit_rate), NORMAL.inv_cdf(alarm_rate)
    se = math.sqrt(_variance(hit_rate, z_hit, n_signal) + _variance(alarm_rate, z_alarm, n_noise))
    d, reach = z_hit - z_alarm, NORMAL.inv_cdf((1 + level) / 2) * se
    return Detection(d, -(z_hit + z_alarm) / 2, d - reach, d + reach, se, n_signal, n_noise, CORRECTED)


def _variance(rate: float, z: float, n: int) -> float:
    """Variance of z(rate): rate·(1 − rate)/(n·φ(z)²)."""
    return rate * (1 - rate) / (n * NORMAL.pdf(z) ** 2)


def probe_table(frame: pd.DataFrame) -> pd.DataFrame:
    """One row a subject: how well it tells broken paths from whole ones.

    Parameters
    ----------
    frame : DataFrame
        One row a trial, as `to_frame` makes it; rows of other protocols are left out. Whose path it was said to be
        (`injection`) is not looked at: for own against other, give a part of the frame each.

    Returns
    -------
    DataFrame with columns `provider`, `model`, `kind`, `n` (replies that were read), `unanswered` (trials that
    brought no whole answer: rate limits, cut off, empty …), `unread` (replies without a readable yes or no; both are
    left out of everything else), `n_mazes`, `hits`, `misses`, `false_alarms`,
    `correct_rejections`, `d`, `d_low`, `d_high`, `c` (see `dprime`), `accuracy` with its Wilson interval
    `accuracy_low`, `accuracy_high` (95 %), and `note`, which also says where mazes repeat or replies are missing.
    Nothing is rounded.

    Raises `InputError` for something that is no frame of trials.
    """
    trials = _checked(frame, ("probe_broken", "probe_said_valid"))
    trials = trials[(trials["protocol"] == "probe") & trials["probe_broken"].notna()]
    rows = []
    for who, group in _by_subject(trials):
        group, unanswered = _answered(group)
        read = group[group["probe_said_valid"].notna()]
        broken, objects = read["probe_broken"].astype(bool), ~read["probe_said_valid"].astype(bool)
        counts = _counts(broken, objects)
        found = dprime(**counts)
        right = counts["hits"] + counts["correct_rejections"]
        unread = len(group) - len(read)
        notes = [found.note, *_repeats(read), *_missing(unanswered)]
        if unread:
            notes.append(f"{unread} of {len(group)} replies could not be read and are left out")
        row = (
            who
            | {"n": len(read), "unanswered": unanswered, "unread": unread, "n_mazes": read["maze_id"].nunique()}
            | counts
            | _shown(found)
        )
        rows.append(row | _share("accuracy", right, len(read)) | {"note": "; ".join(notes)})
    return _table(rows, PROBE_COLUMNS)


def injection_table(frame: pd.DataFrame) -> pd.DataFrame:
    """One row a subject: what it noticed of the errors planted in given walks, and its alarms where there were none.

    Parameters
    ----------
    frame : DataFrame
        One row a trial, as `to_frame` makes it; only rows of protocol "single" with an `injection` count.

    Returns
    -------
    DataFrame with columns `provider`, `model`, `kind`; of the walks with an error `n_error`, `detected` (share that
    was noticed, by `injection_detected`) with its Wilson interval `detected_low`, `detected_high`; of the walks
    without one `n_clean`, `alarms` (share with an alarm, by `injection_alarm`), `alarms_low`, `alarms_high`; then
    from `injection_alarm` in both `hits`, `misses`, `false_alarms`, `correct_rejections`, `d`, `d_low`, `d_high`, `c`
    (see `dprime`); left out are `unanswered` (trials that brought no whole answer), `unread` (answers that say nothing
    beyond the given walk) and `restarted` (answers that do not go on but begin at the start again and say nothing of
    the given walk: whether they noticed cannot be told); `note`.
    Nothing is rounded.

    Raises `InputError` for something that is no frame of trials.
    """
    trials = _checked(frame, ("injection_detected", "injection_alarm", "injection_restarted"))
    arms = ("own", "other", "own-clean", "other-clean")
    trials = trials[(trials["protocol"] == "single") & trials["injection"].isin(arms)]
    rows = []
    for who, group in _by_subject(trials):
        group, unanswered = _answered(group)
        read = group[group["injection_alarm"].notna()]
        error = read["injection"].isin(("own", "other"))
        counts = _counts(error, read["injection_alarm"].astype(float) > 0)
        found = dprime(**counts)
        detected = read.loc[error, "injection_detected"].astype(float).dropna()
        unknown = group[group["injection_alarm"].isna()]
        restarted = int((unknown["injection_restarted"] == 1).sum())
        unread = len(unknown) - restarted
        notes = [found.note, *_repeats(read), *_missing(unanswered)]
        if restarted:
            notes.append(f"{restarted} of {len(group)} answers begin again at the start and are left out")
        if unread:
            notes.append(f"{unread} of {len(group)} answers say nothing beyond the given walk and are left out")
        row = who | {"n_error": found.n_signal} | _share("detected", int(detected.sum()), len(detected))
        row |= {"n_clean": found.n_noise} | _share("alarms", counts["false_alarms"], found.n_noise)
        row |= counts | _shown(found) | {"unanswered": unanswered, "restarted": restarted}
        rows.append(row | {"unread": unread, "note": "; ".join(notes)})
    return _table(rows, INJECTION_COLUMNS)


_WHO = ("provider", "model", "kind")
_CELLS = ("hits", "misses", "false_alarms", "correct_rejections", "d", "d_low", "d_high", "c")
PROBE_COLUMNS = (
    *_WHO, "n", "unanswered", "unread", "n_mazes", *_CELLS, "accuracy", "accuracy_low", "accuracy_high", "note",
)  # fmt: skip
INJECTION_COLUMNS = (
    *_WHO, "n_error", "detected", "detected_low", "detected_high", "n_clean", "alarms", "alarms_low", "alarms_high",
    *_CELLS, "unanswered", "restarted", "unread", "note",
)  # fmt: skip


def _checked(frame: Any, columns: tuple[str, ...]) -> pd.DataFrame:
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise InputError("frame", frame, "a table of trials", "Make one with to_frame(results).")
    missing = [name for name in (*NEEDED, *columns) if name not in frame.columns]
    if missing:
        needed = "a table of trials with the columns " + ", ".join((*NEEDED, *columns))
        raise InputError("frame", f"no column {missing[0]}", needed, "Make one with to_frame(results).")
    return frame


def _by_subject(trials: pd.DataFrame) -> Iterable[tuple[dict[str, str], pd.DataFrame]]:
    for (provider, model), group in trials.groupby(["provider", "model"], sort=True):
        kind = kind_of(provider, group["subject_kind"].iloc[0] or "")
        yield {"provider": provider, "model": model, "kind": kind}, group


def _answered(group: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """The trials that brought a whole answer, and how many did not."""
    answered = group["outcome"].isin(("", "answered"))
    return group[answered], int((~answered).sum())


def _missing(unanswered: int) -> list[str]:
    return [f"{unanswered} trials brought no whole answer and are left out"] if unanswered else []


def _counts(signal: pd.Series, said: pd.Series) -> dict[str, int]:
    """The four cells, from whether there is an error and whether the subject says so."""
    return {
        "hits": int((signal & said).sum()),
        "misses": int((signal & ~said).sum()),
        "false_alarms": int((~signal & said).sum()),
        "correct_rejections": int((~signal & ~said).sum()),
    }


def _shown(found: Detection) -> dict[str, float]:
    return {"d": found.d, "d_low": found.d_low, "d_high": found.d_high, "c": found.c}


def _share(name: str, part: int, whole: int) -> dict[str, float]:
    """A share with its Wilson interval (95 %; Wilson 1927), NaN of nothing."""
    from statsmodels.stats.proportion import proportion_confint

    if not whole:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"), math.nan)
    low, high = proportion_confint(part, whole, method="wilson")
    return {name: part / whole, f"{name}_low": float(low), f"{name}_high": float(high)}


def _repeats(read: pd.DataFrame) -> list[str]:
    """What is said where a maze stands in several trials of one arm: the intervals take trials as independent."""
    if read.duplicated(["maze_id", "injection"]).any():
        return ["mazes repeat, and the intervals take trials as independent"]
    return []


def _table(rows: list[dict[str, Any]], columns: tuple[str, ...]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows, columns=list(columns))
