"""Which measure finds which planted trait, which is moved by a trait it should not see, and where measures saturate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hallumaze_kit.errors import InputError, check_choice, check_whole
from hallumaze_kit.study.effects.rows import LEVEL, Effect, adjusted, refused, tidy
from hallumaze_kit.study.tables import cluster_interval
from hallumaze_kit.study.validity.tallies import POOLED
from hallumaze_kit.study.validity.trials import TRAIT, by_subject

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

FEWEST_SUBJECTS = 10
"""With fewer subjects a rank correlation over subjects says nothing."""
COMPOUNDS = {"acts": ("notice", "repair"), "says": ("notice", "declare")}
"""Products of traits that behaviour can show: what is noticed and acted on, what is noticed and said."""
_CALIBRATION = ("confidence_bias", "confidence_noise", "doubt")
MEANT: dict[str, tuple[str, ...]] = {
    "sr": ("slip", "notice", "repair", "wander", "forget"),
    "hallucination_count": ("slip",),
    "first_hallucination_step": ("slip",),
    "backtrack_count": ("notice", "repair"),
    "loop_count": ("notice", "declare", "forget"),
    "hrr": ("notice",),
    "mei": ("notice", "repair"),
    "ce": _CALIBRATION,
    "brs": ("lure",),
    "hallumaze_score": ("notice", "repair", "lure", *_CALIBRATION),
    "detected": ("notice",),
    "recovery_rate": ("notice", "repair"),
    "recovery_lag": ("notice", "repair"),
    "lure_rate": ("lure",),
    "lure_effect": ("lure",),
    "wrong_branch_rate": ("wander",),
    "false_alarms": ("babble",),
    "missed_dead_ends": ("notice", "declare"),
    "excess": ("wander", "forget", "notice", "repair"),
    "report_gap": ("slip", "notice", "declare"),
    "oce": _CALIBRATION,
    "uce": _CALIBRATION,
    "brier": _CALIBRATION,
    "ece": _CALIBRATION,
    "slip_share": ("slip",),
    "acted": ("notice", "repair"),
    "named": ("notice", "declare"),
    "named_beyond": ("notice", "declare"),
    "dead_ends_missed": ("notice", "declare"),
    "untrue_per_move": ("babble",),
    "repeat_share": ("forget", "wander", "notice", "repair"),
    "reversal_share": ("forget",),
    "lure_share": ("lure",),
    "lure_excess": ("lure",),
    "wrong_share": ("wander",),
    "overclaim": ("confidence_bias",),
    "confidence_gap": ("doubt",),
    "confidence_spread": ("confidence_noise",),
}
"""The traits that each measure is meant to see: by the document (sections 6 and 9) or the specification (section 6)."""
OF_DOCUMENT = ("sr", "hallucination_count", "hrr", "mei", "ce", "brs", "hallumaze_score")
OF_KIT = (
    "detected", "recovery_rate", "lure_effect", "excess", "false_alarms", "missed_dead_ends", "report_gap", "brier",
)  # fmt: skip
BESIDE = tuple(POOLED)
MEASURES = (*OF_DOCUMENT, *OF_KIT, *BESIDE)
"""The measures that are looked at unless others are named: the document's, the kit's, and those of sums."""
HIGHEST = dict.fromkeys(
    ("sr", "hrr", "ce", "brs", "detected", "recovery_rate", "lure_rate", "wrong_branch_rate", "oce", "brier"), 1.0
) | {"mei": 0.9, "hallumaze_score": 0.95}
"""The highest value that a trial can have, where there is one."""
LOWEST = dict.fromkeys((*HIGHEST, "hallucination_count", "false_alarms", "missed_dead_ends", "uce", "ece"), 0.0) | {
    "excess": 1.0
}
EDGE = 1e-9
CONFOUNDED = 0.2
"""Traits that correlate by so much cannot be told apart by a measure that is meant to see one of them."""


def meant(measure: str, trait: str) -> bool:
    """True if the measure is meant to see the trait, or one of its factors where it is a product."""
    seen = MEANT[measure.removeprefix("published_")]
    return trait in seen or any(part in seen for part in COMPOUNDS.get(trait, ()))


def with_compounds(subjects: pd.DataFrame) -> pd.DataFrame:
    """The table of `by_subject` with the products of traits of `COMPOUNDS`."""
    products = {TRAIT + name: subjects[TRAIT + a] * subjects[TRAIT + b] for name, (a, b) in COMPOUNDS.items()}
    return subjects.assign(**products)


def trait_recovery(
    frame: pd.DataFrame,
    measures: Sequence[str] = MEASURES,
    traits: Sequence[str] = (),
    n_boot: int = 2000,
    seed: int = 0,
) -> pd.DataFrame:
    """Spearman's rank correlation of each trait with each measure over subjects.

    ρ = Pearson's correlation of the ranks, ties at their mean rank; 1 if the measure puts the subjects in the order of
    the trait, 0 if it knows nothing of it. The interval is a percentile bootstrap over subjects, ranked anew in each
    sample; p is by the t approximation and adjusted over the table (Benjamini-Hochberg).

    Parameters
    ----------
    frame : what `planted_trials` returned
    measures : names of `METRICS`, `PUBLISHED` or `POOLED`
    traits : by default those that vary among the subjects, and the products `acts` and `says`
    n_boot, seed : bootstrap samples, and what they are drawn from

    Returns
    -------
    Rows of `Effect`, one for each measure (`metric`) and trait (`contrast`), with the columns `meant` (the measure is
    meant to see the trait, see `MEANT`) and `verdict`: "finds" (meant, and ρ is not 0 at adjusted p < 0.05), "misses"
    (meant, and it may be 0), "leaks" (not meant, and not 0), "confounded" (as "leaks", but among these subjects
    the trait itself correlates by 0.2 or more with one that the measure is meant to see, which the note names, so that
    nothing can be said), "" (not meant, and it may be 0; or refused). A measure that does not vary, or that fewer than
    10 subjects have, is refused with a note.

    ρ of ranks 1, 2, 3, 4, 5 with 2, 1, 4, 3, 5: 1 − 6·4/(5·24) = 0.8.
    """
    import numpy as np
    from scipy.stats import spearmanr

    check_whole("n_boot", n_boot, 1)
    subjects = with_compounds(by_subject(frame, measures))
    if not traits:
        planted = [name.removeprefix(TRAIT) for name in subjects.columns if name.startswith(TRAIT)]
        traits = [name for name in planted if subjects[TRAIT + name].nunique() > 1]
    for trait in traits:
        check_choice("traits", TRAIT + trait, tuple(subjects.columns))
    n_mazes = frame["maze_id"].nunique()
    planted_values = subjects[[TRAIT + trait for trait in traits]].to_numpy(float)
    rows = []
    for measure in measures:
        values = subjects[measure].to_numpy(float)
        known = ~np.isnan(values)
        common = {
            "analysis": "trait_recovery", "quantity": "Spearman's ρ", "metric": measure,
            "unit": "subjects", "n": int(known.sum()), "n_mazes": n_mazes,
        }  # fmt: skip
        why = _why_not(values[known])
        given = planted_values[known]
        varies = np.ptp(given, axis=0) > 0 if len(given) else np.zeros(len(traits), dtype=bool)
        low, high = np.full((2, len(traits)), math.nan)
        if not why and varies.any():
            low[varies], high[varies] = spearman_interval(given[:, varies], values[known], n_boot, seed)
        for k, trait in enumerate(traits):
            if why or not varies[k]:
                rows.append(refused(why or "the trait does not vary among these subjects", contrast=trait, **common))
                continue
            found = spearmanr(given[:, k], values[known])
            rows.append(
                Effect(
                    contrast=trait,
                    estimate=float(found.statistic),
                    low=float(low[k]),
                    high=float(high[k]),
                    p=float(found.pvalue),
                    test="Spearman's ρ; interval by bootstrap over subjects",
                    **common,
                )
            )
    table = adjusted(tidy(rows), "bh")
    table["meant"] = [meant(row.metric, row.contrast) for row in table.itertuples()]
    table["verdict"] = [_verdict(row.meant, row.p_adjusted) for row in table.itertuples()]
    for row in table[table["verdict"] == "leaks"].itertuples():
        kin = _kin(subjects, row.contrast, MEANT[row.metric.removeprefix("published_")])
        if kin:
            note = f"the trait correlates with {kin}, which the measure is meant to see"
            table.loc[row.Index, ["verdict", "note"]] = ["confounded", note]
    return table


def _kin(subjects: pd.DataFrame, trait: str, others: Sequence[str]) -> str:
    """The first of the other traits that correlates by 0.2 or more with the trait, "" if none does."""
    mine = subjects[TRAIT + trait].rank()
    for other in others:
        planted = subjects[TRAIT + other].rank()
        if planted.nunique() > 1 and abs(mine.corr(planted)) >= CONFOUNDED:
            return other
    return ""


def _why_not(values: np.ndarray) -> str:
    """Why nothing is said of these values; "" if there is no reason."""
    if len(values) < FEWEST_SUBJECTS:
        return f"fewer than {FEWEST_SUBJECTS} subjects have it"
    if values.max() - values.min() < EDGE:
        return f"it does not vary: every subject has {values[0]:.4g}"
    return ""


def _verdict(is_meant: bool, p: float) -> str:
    if math.isnan(p):
        return ""
    if is_meant:
        return "finds" if p < 1 - LEVEL else "misses"
    return "leaks" if p < 1 - LEVEL else ""


def spearman_interval(
    columns: np.ndarray, values: np.ndarray, n_boot: int = 2000, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper ends (95 %) of Spearman's ρ of each column with `values`.

    `columns` is (n, k), `values` (n,). Percentile bootstrap: n rows are drawn with replacement and ranked anew. A
    sample without variation gives no ρ and is left out.
    """
    import numpy as np

    drawn = bootstrap_rhos(columns, values, n_boot, seed)
    low, high = np.nanpercentile(drawn, [50 - 50 * LEVEL, 50 + 50 * LEVEL], axis=0)
    return low, high


def bootstrap_rhos(columns: np.ndarray, values: np.ndarray, n_boot: int, seed: int) -> np.ndarray:
    """Spearman's ρ of each column with `values` in each bootstrap sample, (n_boot, k); all with the same rows."""
    import numpy as np
    from scipy.stats import rankdata

    drawn = np.random.default_rng(seed).integers(0, len(values), (n_boot, len(values)))
    with np.errstate(invalid="ignore", divide="ignore"):
        one = _standard(rankdata(values[drawn], axis=1))
        out = [(_standard(rankdata(column[drawn], axis=1)) * one).mean(axis=1) for column in columns.T]
    return np.stack(out, axis=1)


def _standard(ranks: np.ndarray) -> np.ndarray:
    return (ranks - ranks.mean(axis=1, keepdims=True)) / ranks.std(axis=1, keepdims=True)


def ceiling_floor(
    frame: pd.DataFrame, measures: Sequence[str] = (*OF_DOCUMENT, *OF_KIT), n_boot: int = 2000, seed: int = 0
) -> pd.DataFrame:
    """Share of trials at the highest and at the lowest value that a measure can have, and share not scored.

    Where many trials stand at an end, the measure cannot tell them apart; where many have none, its mean is of a
    selection. Rows of `Effect`: `quantity` "share at ceiling", "share at floor" (of the scored trials; refused where
    there is no such end) or "share not scored" (of all), with a 95 % interval by bootstrap over subjects. MEI's
    ceiling is 0.9, the Score's 0.95.
    """
    for measure in measures:
        if measure not in frame.columns:
            raise InputError("measures", measure, "measures of a trial", "Those of sums have no end in a trial.")
    rows = []
    for measure in measures:
        values = frame[measure].astype(float)
        scored = values.notna()
        ends = {
            "share at ceiling": (HIGHEST.get(measure), lambda v, end: v >= end - EDGE),
            "share at floor": (LOWEST.get(measure), lambda v, end: v <= end + EDGE),
        }
        for quantity, (end, at) in ends.items():
            known = {"analysis": "ceiling_floor", "quantity": quantity, "metric": measure, "contrast": ""}
            if end is None or not scored.any():
                rows.append(refused("no trial could be scored" if end is not None else "it has no such end", **known))
                continue
            rows.append(
                _mean(at(values[scored], end), frame[scored], n_boot, seed, **(known | {"contrast": f"{end:g}"}))
            )
        known = {"analysis": "ceiling_floor", "quantity": "share not scored", "metric": measure}
        rows.append(_mean(~scored, frame, n_boot, seed, **known))
    return tidy(rows)


def _mean(values: pd.Series, frame: pd.DataFrame, n_boot: int, seed: int, **known: str) -> Effect:
    low, high = cluster_interval(values.to_numpy(float), frame["model"].to_numpy(), n_boot, seed)
    return Effect(
        **known, n=len(values), n_mazes=frame["maze_id"].nunique(), estimate=float(values.mean()), low=low, high=high,
        test="bootstrap over subjects",
    )  # fmt: skip
