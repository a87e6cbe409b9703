"""A proposed profile of measures: chosen on some mazes and families of subjects, judged on others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hallumaze_kit.errors import InputError, check_whole
from hallumaze_kit.study.effects.rows import LEVEL, Effect, refused, tidy
from hallumaze_kit.study.validity.planting import PLANTED
from hallumaze_kit.study.validity.recovery import COMPOUNDS, FEWEST_SUBJECTS, MEASURES, bootstrap_rhos, with_compounds
from hallumaze_kit.study.validity.trials import TRAIT, by_subject

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

TARGETS = (*PLANTED, *COMPOUNDS)
"""The traits that a profile is to show, and the products of traits."""
OF_WORDS = {"declare": "untrue words − silence", "says": "untrue words − silence", "babble": ""}
"""Targets that are about words, and the words that are not to raise a measure of them."""
AGAINST = ("mei", "hallumaze_score")
MOVED = 0.02
"""A measure that words move by more than this, with an interval without 0, is rewarded or punished for words."""


def bought(words: pd.DataFrame, measure: str, target: str, rho: float) -> bool:
    """True if words alone move a measure that is to show `target`, with which it correlates by `rho`.

    Of a target that is not about words, any words, either way; of declaring, untrue words that move it towards more of
    the target. `words` is what `words_effect` returned; a move counts above 0.02, with an interval without 0.
    """
    rows = words[(words["quantity"] == "difference") & (words["metric"] == measure)]
    rows = rows[(rows["estimate"].abs() > MOVED) & ((rows["low"] > 0) | (rows["high"] < 0))]
    if target not in OF_WORDS:
        return len(rows) > 0
    rows = rows[rows["contrast"] == OF_WORDS[target]]
    return bool((rows["estimate"] * rho > 0).any())


def choose(
    train: pd.DataFrame,
    words: pd.DataFrame | None = None,
    candidates: Sequence[str] = MEASURES,
    targets: Sequence[str] = TARGETS,
) -> dict[str, str]:
    """For each target the measure that shows it best among those that show it and not something else.

    The one with the largest |ρ| over the training subjects, of the candidates whose largest |ρ| with any trait is with
    the target or a trait it has a factor in common with, and that words alone do not move (see `bought`). ""
    where no candidate is left.
    """
    import numpy as np

    subjects = with_compounds(by_subject(train, candidates))
    columns = subjects[[TRAIT + name for name in TARGETS]].to_numpy(float)
    found = {}
    for measure in candidates:
        values = subjects[measure].to_numpy(float)
        known = ~np.isnan(values)
        if known.sum() >= FEWEST_SUBJECTS and np.ptp(values[known]) > 0:
            found[measure] = _rhos(columns[known], values[known])
    chosen = {}
    for target in targets:
        here = TARGETS.index(target)
        kin = [k for k, name in enumerate(TARGETS) if _factors(name) & _factors(target)]
        fit = {
            measure: abs(rhos[here])
            for measure, rhos in found.items()
            if int(np.argmax(np.abs(rhos))) in kin
            and not (words is not None and bought(words, measure, target, rhos[here]))
        }
        chosen[target] = max(fit, key=fit.__getitem__) if fit else ""
    return chosen


def _factors(trait: str) -> set[str]:
    return set(COMPOUNDS.get(trait, (trait,)))


def _rhos(columns: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Spearman's ρ of each column with the values; 0 for a column that does not vary."""
    import numpy as np
    from scipy.stats import rankdata

    ranks, one = rankdata(columns, axis=0), rankdata(values)
    ranks, one = ranks - ranks.mean(axis=0), one - one.mean()
    scale = np.sqrt((ranks**2).sum(axis=0) * (one**2).sum())
    return np.divide(ranks.T @ one, scale, out=np.zeros(len(scale)), where=scale > 0)


def propose_profile(
    train: pd.DataFrame,
    test: pd.DataFrame,
    words: pd.DataFrame | None = None,
    candidates: Sequence[str] = MEASURES,
    targets: Sequence[str] = TARGETS,
    n_boot: int = 2000,
    seed: int = 0,
) -> pd.DataFrame:
    """A measure for each trait, chosen on `train` and judged on `test`, beside MEI and the Score.

    `choose` picks the measures. On the held-out subjects and mazes nothing is chosen any more: recovery is Spearman's ρ
    times the sign that it had in training, so that a measure that turns round counts against itself. MEI and the
    Score are judged alike, with their own signs from training.

    Parameters
    ----------
    train, test : what `planted_trials` returned, for other mazes and other families of subjects
    words : what `words_effect` returned for training subjects; without it nothing is left out for being moved by words
    candidates : measures to choose from (MEI and the Score may be among them)
    targets : traits and products of traits

    Returns
    -------
    Rows of `Effect`, six for each target (`contrast`) with the chosen measure (`metric`): `quantity` "in training",
    "held out", "MEI held out", "Score held out", "profile − MEI" and "profile − Score" (held out; the bootstrap draws
    the same subjects for both). Intervals by bootstrap over the held-out subjects. A target that no measure shows is
    refused with a note.

    What it is and is not: the traits are the kit's idea of a subject, all families walk by the same rules, and the
    measures of sums were made by people who knew those rules. A measure that finds the traits may still fail on models,
    and one that does not find them here has little claim to find them there. Intervals are over subjects; the mazes
    are taken as they are.

    Raises `InputError` if train and test share a maze or a family.
    """
    import numpy as np

    check_whole("n_boot", n_boot, 1)
    for name in ("maze_id", "family"):
        shared = sorted(set(train[name]) & set(test[name]))
        if shared:
            raise InputError("test", f"{len(shared)} of {name} in common", "of other mazes and families than train")
    chosen = choose(train, words, candidates, targets)
    needed = list(dict.fromkeys([*(name for name in chosen.values() if name), *AGAINST]))
    learnt, judged = (with_compounds(by_subject(part, needed)) for part in (train, test))
    rows = []
    for target, measure in chosen.items():
        about = {"analysis": "propose_profile", "metric": measure, "contrast": target, "unit": "subjects"}
        if not measure:
            rows.append(refused("no measure shows this trait before any other", quantity="held out", **about))
            continue
        names = [measure, *AGAINST]
        known = judged[names].notna().all(axis=1)
        values, planted = judged.loc[known, names].to_numpy(float), judged.loc[known, TRAIT + target].to_numpy(float)
        about |= {"n": int(known.sum()), "n_mazes": test["maze_id"].nunique()}
        if known.sum() < FEWEST_SUBJECTS or np.ptp(planted) == 0:
            why = f"fewer than {FEWEST_SUBJECTS} held-out subjects have it, or the trait does not vary among them"
            rows.append(refused(why, quantity="held out", **about))
            continue
        training = [_one_rho(learnt, name, target) for name in names]
        signs = np.where(np.array(training) < 0, -1.0, 1.0)
        rhos = _rhos(values, planted) * signs
        drawn = bootstrap_rhos(values, planted, n_boot, seed) * signs
        rows += _six(training[0] * signs[0], rhos, np.nan_to_num(drawn), about)
    return tidy(rows)


def _one_rho(subjects: pd.DataFrame, measure: str, target: str) -> float:
    values = subjects[measure].to_numpy(float)
    known = values == values
    return float(_rhos(subjects.loc[known, [TRAIT + target]].to_numpy(float), values[known])[0])


def _six(training: float, rhos: np.ndarray, drawn: np.ndarray, about: dict) -> list[Effect]:
    import numpy as np

    ends = [50 - 50 * LEVEL, 50 + 50 * LEVEL]
    found = [("in training", training, (math.nan, math.nan))]
    for k, name in enumerate(("held out", "MEI held out", "Score held out")):
        found.append((name, rhos[k], np.percentile(drawn[:, k], ends)))
    for k, name in ((1, "profile − MEI"), (2, "profile − Score")):
        found.append((name, rhos[0] - rhos[k], np.percentile(drawn[:, 0] - drawn[:, k], ends)))
    return [
        Effect(
            quantity=quantity,
            estimate=float(value),
            low=float(low),
            high=float(high),
            test="Spearman's ρ with the sign of training; bootstrap over subjects",
            **about,
        )
        for quantity, value, (low, high) in found
    ]
