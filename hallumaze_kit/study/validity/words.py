"""The same walk told with more words: what do measures give for talk?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hallumaze_kit.errors import check_choice, check_whole
from hallumaze_kit.study.effects.rows import Effect, refused, tidy
from hallumaze_kit.study.tables import FEWEST_MAZES, cluster_interval
from hallumaze_kit.study.validity.tallies import POOLED
from hallumaze_kit.study.validity.trials import PUBLISHED, TRAIT, by_subject, planted_trials

if TYPE_CHECKING:
    import pandas as pd

    from hallumaze_kit.maze import MazeEngine
    from hallumaze_kit.records import MazeConfig
    from hallumaze_kit.subjects import Synthetic

TELLINGS: dict[str, dict[str, float]] = {
    "silence": {"declare": 0.0, "babble": 0.0},
    "true words": {"declare": 1.0, "babble": 0.0},
    "untrue words": {"declare": 0.0, "babble": 0.3},
}
"""How a walk is told, as traits: not at all; everything that was noticed; what is not so, after three moves in ten."""
OF_WORDS = (
    "sr", "hallucination_count", "backtrack_count", "loop_count", "hrr", "mei", "ce", "brs", "hallumaze_score",
    "detected", "recovery_rate", *PUBLISHED, *POOLED,
)  # fmt: skip
SAME_WALK = ("moves", "sr", "hallucination_count", "backtrack_count")
"""What must not differ between two tellings of a walk."""


def told_trials(
    subjects: Sequence[Synthetic],
    mazes: Sequence[MazeEngine],
    config: MazeConfig | None = None,
    seed: int = 0,
    n_jobs: int = 1,
) -> pd.DataFrame:
    """Trials as `planted_trials` makes them, each walk told in every way of `TELLINGS` (column `telling`)."""
    import pandas as pd

    parts = []
    for telling, traits in TELLINGS.items():
        told = [replace(subject, traits=replace(subject.traits, **traits)) for subject in subjects]
        parts.append(planted_trials(told, mazes, config, seed, n_jobs).assign(telling=telling))
    return pd.concat(parts, ignore_index=True)


def words_effect(
    told: pd.DataFrame, measures: Sequence[str] = OF_WORDS, n_boot: int = 2000, seed: int = 0
) -> pd.DataFrame:
    """How much each measure moves when only words are added to the same walks.

        mean over subjects of (measure with words − measure in silence)

    A measure of what was done or noticed should stay where it is under both; one of declaring should rise with true
    words and not with untrue ones.

    Parameters
    ----------
    told : what `told_trials` returned
    measures : names of `METRICS`, `PUBLISHED` or `POOLED`

    Returns rows of `Effect`: `quantity` "difference", `contrast` "true words − silence" or "untrue words − silence",
    n subjects, a 95 % interval by bootstrap over subjects; and for each contrast one row "pairs read as another walk"
    (metric ""), the share of trials in which the replay found other moves although only words were added: above 0 the
    reading itself is moved by words.

    Raises `InputError` for a frame without tellings.
    """
    check_choice("told", "telling", tuple(told.columns))
    check_whole("n_boot", n_boot, 1)
    known = {name: told[told["telling"] == name] for name in TELLINGS}
    silence, *others = TELLINGS
    quiet = by_subject(known[silence], measures)
    n_mazes = told["maze_id"].nunique()
    rows = []
    for name in others:
        spoken = by_subject(known[name], measures)
        contrast = f"{name} − {silence}"
        common = {"analysis": "words_effect", "contrast": contrast, "n_mazes": n_mazes}
        rows.append(_other_walks(known[silence], known[name], **common))
        for measure in measures:
            change = (spoken[measure] - quiet[measure]).dropna()
            about = common | {"quantity": "difference", "metric": measure, "unit": "subjects", "n": len(change)}
            if len(change) < FEWEST_MAZES:
                rows.append(refused(f"fewer than {FEWEST_MAZES} subjects have it both ways", **about))
                continue
            low, high = cluster_interval(change.to_numpy(), change.index.to_numpy(), n_boot, seed)
            rows.append(
                Effect(
                    estimate=float(change.mean()), low=low, high=high, test="pairs; bootstrap over subjects", **about
                )
            )
    return tidy(rows)


def _other_walks(one: pd.DataFrame, other: pd.DataFrame, **common: object) -> Effect:
    keys = ["model", "maze_id"]
    pairs = one.merge(other, on=keys, suffixes=("", "_told"), validate="one_to_one")
    differ = sum((pairs[name] != pairs[f"{name}_told"]).astype(int) for name in SAME_WALK) > 0
    return Effect(
        quantity="pairs read as another walk", n=len(pairs), estimate=float(differ.mean()), unit="pairs",
        note="" if not differ.any() else "the replay differs though only words were added", **common,
    )  # fmt: skip


def tellings_differ_only_in_words(told: pd.DataFrame) -> bool:
    """True if the subjects of all tellings have the same traits but for those that make words."""
    words = {TRAIT + name for traits in TELLINGS.values() for name in traits}
    others = [name for name in told.columns if name.startswith(TRAIT) and name not in words]
    return bool((told.groupby("model")[others].nunique() == 1).all(axis=None))
