"""Section 14's ablations, and what rankings owe to the weights of the formulas."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hallumaze_kit.errors import InputError, check_choice, check_whole
from hallumaze_kit.study.effects.rows import LEVEL, Effect, refused, tidy
from hallumaze_kit.study.tables import FEWEST_MAZES, cluster_interval
from hallumaze_kit.study.validity.conventions import order_rows, rank_agreement
from hallumaze_kit.study.validity.recovery import FEWEST_SUBJECTS, bootstrap_rhos, spearman_interval, with_compounds
from hallumaze_kit.study.validity.trials import TRAIT, by_subject
from hallumaze_kit.trial.measuring.metrics import MEI_WEIGHTS, NEUTRAL_CE, SCORE_WEIGHTS, mei_terms

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

FACTORS = (0.5, 0.75, 1.0, 1.25, 1.5)
"""What each weight is multiplied by: up to ±50 %."""
WITHOUT = {
    "MEI without HRR": "mei",
    "MEI without FHR": "mei",
    "Score without CE": "hallumaze_score",
}
"""The ablations of section 14 that take a part out of a formula, and the whole that each is held against."""
LOOKED_AT = ("slip", "notice", "repair", "acts", "lure", "confidence_bias", "doubt")
"""Traits at which an ablation is judged."""
COUNTS = ("sr", "hallucination_count", "first_hallucination_step", "backtrack_count", "loop_count")


def terms_of(frame: pd.DataFrame) -> np.ndarray:
    """MEI's four terms (HRR, first hallucination, loop escape, penalty) of each trial, (n, 4); NaN where MEI is."""
    import numpy as np

    rows = zip(*(frame[name] for name in (*COUNTS, "maze_size")), strict=True)
    out = np.array([mei_terms(*row) for row in rows], dtype=float).reshape(-1, 4)
    out[frame["mei"].isna()] = np.nan
    return out


def weighted_mei(terms: np.ndarray, weights: Sequence[float]) -> np.ndarray:
    """MEI with other weights, 0 to 0.9: (w₁·HRR + w₂·f + w₃·escape − w₄·penalty), at least 0, times 0.9/(w₁ + w₂ + w₃).

    The scale keeps the highest value at 0.9, so that the clamp of the formula at 1 does not come in.
    With the document's weights it is `mei`.
    """
    import numpy as np

    a, b, c, d = weights
    raw = terms @ np.array([a, b, c, -d])
    return np.clip(raw, 0, None) * (sum(MEI_WEIGHTS[:3]) / (a + b + c))


def weighted_score(mei: np.ndarray, ce: np.ndarray, brs: np.ndarray, weights: Sequence[float]) -> np.ndarray:
    """The HalluMaze Score with other weights of MEI, 1 − CE and BRS, over their sum; CE 0.5 where there is none."""
    import numpy as np

    a, b, c = weights
    certain = np.where(np.isnan(ce), NEUTRAL_CE, ce)
    return (a * mei + b * (1 - certain) + c * brs) / (a + b + c)


def ablation(
    frame: pd.DataFrame,
    plain: pd.DataFrame | None = None,
    hinted: pd.DataFrame | None = None,
    sham: pd.DataFrame | None = None,
    n_boot: int = 2000,
    seed: int = 0,
) -> pd.DataFrame:
    """The five ablations of section 14, on planted traits.

    - MEI without HRR, MEI without FHR, Score without CE (`metric`): Kendall's τ with the whole over subjects, the
      largest change of rank, and for each trait of `LOOKED_AT` (`contrast`) ρ of the whole, ρ of the rest, and
      the change of |ρ|, with intervals by bootstrap over subjects. Where a part carries what the measure claims, |ρ|
      with that trait falls when it goes.
    - no mirage (`plain`, the same subjects and mazes with `use_mirage=False`): the difference "without lures − with
      lures" of BRS, MEI and solved mazes, by trial; τ of the subjects by BRS with and without lures; ρ of BRS
      with the trait `lure` in both. A BRS that told of resistance to lures would lose its order without them.
    - Ariadne (`hinted`, group B; `sham`, group B with arm="sham"): the differences "hint − none" and "sham − none" of
      MEI and solved mazes, by trial. B hints only where a loop shows, and asks again: what a sham gives as well comes
      of the second try and of the selection, not of the hint.

    All frames are what `planted_trials` returned. Rows of `Effect`. Raises `InputError` for frames of other subjects
    or mazes.
    """
    check_whole("n_boot", n_boot, 1)
    rows = [row for name in WITHOUT for row in _formula_rows(name, frame, n_boot, seed)]
    if plain is not None:
        rows += _mirage_rows(frame, plain, n_boot, seed)
    for name, other in (("hint − none", hinted), ("sham − none", sham)):
        if other is not None:
            rows += _difference_rows("Ariadne", name, ("mei", "sr"), frame, other, n_boot, seed)
    return tidy(rows)


def ablated(frame: pd.DataFrame, name: str) -> pd.Series:
    """A measure of each trial with a part taken out: "MEI without HRR", "MEI without FHR" or "Score without CE"."""
    import pandas as pd

    check_choice("name", name, tuple(WITHOUT))
    if name == "Score without CE":
        mei, ce, brs = (frame[part].to_numpy(float) for part in ("mei", "ce", "brs"))
        values = weighted_score(mei, ce, brs, (SCORE_WEIGHTS[0], 0.0, SCORE_WEIGHTS[2]))
    else:
        gone = 0 if name == "MEI without HRR" else 1
        weights = [0.0 if i == gone else weight for i, weight in enumerate(MEI_WEIGHTS)]
        values = weighted_mei(terms_of(frame), weights)
    return pd.Series(values, frame.index)


def _formula_rows(name: str, frame: pd.DataFrame, n_boot: int, seed: int) -> list[Effect]:
    import numpy as np
    from scipy.stats import spearmanr

    whole = WITHOUT[name]
    subjects = with_compounds(by_subject(frame, [whole]))
    left = ablated(frame, name).groupby(frame["model"]).mean()
    known = subjects[whole].notna() & left.notna()
    subjects, left = subjects[known], left[known]
    common = {"analysis": "ablation", "metric": name, "n_mazes": frame["maze_id"].nunique()}
    rows = order_rows(subjects[whole], left, **common, contrast=f"against {whole}")
    about = common | {"unit": "subjects", "n": len(left)}
    both = np.stack([subjects[whole].to_numpy(float), left.to_numpy(float)], axis=1)
    for trait in LOOKED_AT:
        planted = subjects[TRAIT + trait].to_numpy(float)
        if len(left) < FEWEST_SUBJECTS or np.ptp(planted) == 0 or (np.ptp(both, axis=0) == 0).any():
            why = "too few subjects, or the trait or the measure does not vary"
            rows.append(refused(why, contrast=trait, quantity="change of |ρ|", **about))
            continue
        rhos = [float(spearmanr(planted, column).statistic) for column in both.T]
        lows, highs = spearman_interval(both, planted, n_boot, seed)
        for quantity, rho, low, high in zip(("ρ of the whole", "ρ of the rest"), rhos, lows, highs, strict=True):
            rows.append(
                Effect(
                    contrast=trait,
                    quantity=quantity,
                    estimate=rho,
                    low=float(low),
                    high=float(high),
                    test="Spearman's ρ; bootstrap over subjects",
                    **about,
                )
            )
        drawn = np.abs(bootstrap_rhos(both, planted, n_boot, seed))
        low, high = np.nanpercentile(drawn[:, 1] - drawn[:, 0], [50 - 50 * LEVEL, 50 + 50 * LEVEL])
        rows.append(
            Effect(
                contrast=trait,
                quantity="change of |ρ|",
                estimate=abs(rhos[1]) - abs(rhos[0]),
                low=float(low),
                high=float(high),
                test="bootstrap over subjects",
                **about,
            )
        )
    return rows


def _mirage_rows(frame: pd.DataFrame, plain: pd.DataFrame, n_boot: int, seed: int) -> list[Effect]:
    from scipy.stats import spearmanr

    name = "without lures − with lures"
    rows = _difference_rows("no mirage", name, ("brs", "mei", "sr"), frame, plain, n_boot, seed)
    subjects, without = by_subject(frame, ["brs"]), by_subject(plain, ["brs"])
    common = {"analysis": "ablation", "metric": "no mirage: brs", "n_mazes": frame["maze_id"].nunique()}
    rows += order_rows(subjects["brs"], without["brs"], contrast=name, **common)
    about = common | {"unit": "subjects", "n": len(subjects), "contrast": "lure"}
    for quantity, table in (("ρ with lures", subjects), ("ρ without lures", without)):
        planted, values = table[TRAIT + "lure"].to_numpy(float), table["brs"].to_numpy(float)
        if len(table) < FEWEST_SUBJECTS or table["brs"].nunique() < 2 or table[TRAIT + "lure"].nunique() < 2:
            rows.append(
                refused("too few subjects, or the trait or the measure does not vary", quantity=quantity, **about)
            )
            continue
        (low,), (high,) = spearman_interval(values[:, None], planted, n_boot, seed)
        rows.append(
            Effect(
                quantity=quantity,
                estimate=float(spearmanr(planted, values).statistic),
                low=float(low),
                high=float(high),
                test="Spearman's ρ; bootstrap over subjects",
                **about,
            )
        )
    return rows


def _difference_rows(
    what: str, contrast: str, measures: Sequence[str], one: pd.DataFrame, other: pd.DataFrame, n_boot: int, seed: int
) -> list[Effect]:
    """Mean over pairs of trials of other − one, with an interval by bootstrap over subjects."""
    keys = ["model", "maze_size", "seed"]
    pairs = one.merge(other, on=keys, suffixes=("", "_other"), validate="one_to_one")
    if len(pairs) != len(one) or len(pairs) != len(other):
        raise InputError(what, f"{len(other)} trials, {len(pairs)} of them in pairs", "the same subjects and mazes")
    rows = []
    for measure in measures:
        change = (pairs[f"{measure}_other"] - pairs[measure]).dropna()
        about = {
            "analysis": "ablation", "metric": f"{what}: {measure}", "contrast": contrast, "quantity": "difference",
            "unit": "pairs", "n": len(change), "n_mazes": pairs["maze_id"].nunique(),
        }  # fmt: skip
        if pairs["model"].nunique() < FEWEST_MAZES or change.empty:
            rows.append(refused(f"fewer than {FEWEST_MAZES} subjects", **about))
            continue
        low, high = cluster_interval(change.to_numpy(), pairs.loc[change.index, "model"].to_numpy(), n_boot, seed)
        rows.append(
            Effect(
                estimate=float(change.mean()),
                low=low,
                high=high,
                test="pairs of trials; bootstrap over subjects",
                **about,
            )
        )
    return rows


def weight_grid(frame: pd.DataFrame, metric: str = "mei", factors: Sequence[float] = FACTORS) -> pd.DataFrame:
    """How the order of subjects depends on the weights: every weight times every factor.

    Parameters
    ----------
    frame : what `planted_trials` returned
    metric : "mei" (four weights: 5⁴ = 625 settings) or "hallumaze_score" (three: 125)
    factors : what each weight is multiplied by, without the others being changed

    Returns
    -------
    DataFrame, one row a setting: the weights, `tau` (Kendall's τ-b of the subjects' means with those under the
    document's weights), `largest_change` (places that one subject moves at most), `top_stays` (the first stays first).
    The row of the document's weights has τ 1. Weights that matter little for the order are weights that nothing
    in the data asks for.

    Raises `InputError` for fewer than 5 subjects.
    """
    import numpy as np
    import pandas as pd
    from scipy.stats import rankdata

    check_choice("metric", metric, ("mei", "hallumaze_score"))
    names, weights, measured = _weighted(frame, metric)
    known = measured(weights) == measured(weights)
    codes, who = pd.factorize(frame.loc[known, "model"], sort=True)
    if len(who) < FEWEST_MAZES:
        raise InputError("frame", f"{len(who)} subjects with {metric!r}", f"trials of at least {FEWEST_MAZES} subjects")

    def means(setting: Sequence[float]) -> np.ndarray:
        return np.bincount(codes, measured(setting)[known]) / np.bincount(codes)

    default = means(weights)
    rows = []
    for multiplied in itertools.product(factors, repeat=len(weights)):
        setting = [w * factor for w, factor in zip(weights, multiplied, strict=True)]
        here = means(setting)
        moved = float(np.abs(rankdata(here) - rankdata(default)).max())
        rows.append([*setting, rank_agreement(here, default), moved, bool(here.argmax() == default.argmax())])
    return pd.DataFrame(rows, columns=[*names, "tau", "largest_change", "top_stays"])


def _weighted(frame: pd.DataFrame, metric: str):
    """Names of the weights, the document's weights, and the measure of each trial as a function of weights."""
    if metric == "mei":
        terms = terms_of(frame)
        return ("w_hrr", "w_fhr", "w_escape", "w_penalty"), MEI_WEIGHTS, lambda setting: weighted_mei(terms, setting)
    parts = [frame[name].to_numpy(float) for name in ("mei", "ce", "brs")]
    return ("w_mei", "w_ce", "w_brs"), SCORE_WEIGHTS, lambda setting: weighted_score(*parts, setting)
