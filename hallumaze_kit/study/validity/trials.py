"""Trials of synthetic subjects with known traits: asked, written as text, parsed, replayed, scored."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError, check_choice, check_whole
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import METRICS, MazeConfig
from hallumaze_kit.study.design import cell_seed
from hallumaze_kit.study.validity.planting import family_of
from hallumaze_kit.study.validity.tallies import POOLED, TALLIES, tallies
from hallumaze_kit.subjects import Synthetic, Traits
from hallumaze_kit.subjects.llm import at_once, converse, hold
from hallumaze_kit.trial.hints import Ariadne, read_as
from hallumaze_kit.trial.measuring.metrics import metrics_from_counts
from hallumaze_kit.trial.measuring.published import published_counts
from hallumaze_kit.trial.parsing import parse_answer
from hallumaze_kit.trial.replay import replay
from hallumaze_kit.trial.scoring import score_answer

if TYPE_CHECKING:
    import pandas as pd

TRAITS = tuple(asdict(Traits()))
TRAIT = "trait_"
"""What stands before the names of traits in a table."""
PUBLISHED = {
    "published_sr": "sr",
    "published_hallucination_count": "hallucination_count",
    "published_first_hallucination_step": "first_hallucination_step",
    "published_backtrack_count": "backtrack_count",
    "published_loop_count": "loop_count",
    "published_hrr": "hrr",
    "published_mei": "mei",
    "published_brs": "brs",
    "published_hallumaze_score": "hallumaze_score",
}
"""Measures by the published convention, and the verified ones that they stand for."""
KEYS = ("provider", "model", "family", "style", "maze_id", "maze_size", "seed", "use_mirage", "ariadne_group")
COLUMNS = (
    *KEYS,
    *(TRAIT + name for name in TRAITS),
    "hinted",
    *METRICS,
    *PUBLISHED,
    *TALLIES,
)
"""Columns of `planted_trials`."""
FIRST = ("first_hallucination_step", "published_first_hallucination_step")
"""Measures where −1 stands for: there was none."""


def planted_trials(
    subjects: Sequence[Synthetic],
    mazes: Sequence[MazeEngine],
    config: MazeConfig | None = None,
    seed: int = 0,
    n_jobs: int = 1,
    arm: str = "",
) -> pd.DataFrame:
    """One row a trial: every subject on every maze, scored from its text by both conventions.

    A trial's luck depends on the subject's name, the maze and `seed`, not on the condition, the style or what the
    traits are: the same name with one trait changed gives a pair of trials. Nothing but the text
    reaches the scores.

    Parameters
    ----------
    subjects : synthetic subjects, no two of one name
    mazes : each is met by every subject
    config : the condition, by default the document's; it takes the size of the maze it meets
    seed : every trial's seed is derived from it
    n_jobs : processes, as joblib counts them (−1 = one a core); the table does not depend on it
    arm : what groups B and C are told, "hint" (also ""), "sham" or "none"; see `hallumaze_kit.trial.hints.Ariadne`

    Returns
    -------
    DataFrame with `COLUMNS`, by subject, then by maze: who and where; `trait_…` as planted; `hinted`; the verified
    measures under their names (NaN where one could not be scored); `published_…` as the public program would
    count them in the same answer; the tallies (see `tallies`). Only results and no texts are kept.

    Raises `InputError` for no subject, two of one name, no maze, and for a stepwise or probe condition.
    """
    import pandas as pd
    from joblib import Parallel, delayed

    config = MazeConfig() if config is None else config
    check_choice("config.protocol", config.protocol, ("single",))
    check_whole("seed", seed, 0)
    names = [subject.name for subject in subjects]
    if not names or len(set(names)) < len(names):
        raise InputError("subjects", names, "a list of subjects of different names")
    if not mazes:
        raise InputError("mazes", mazes, "a list with at least one maze")
    chunk = max(1, min(20, -(-len(subjects) // 8)))
    parts = [subjects[i : i + chunk] for i in range(0, len(subjects), chunk)]
    done = Parallel(n_jobs=n_jobs)(delayed(_trials)(part, mazes, config, seed, arm) for part in parts)
    return pd.DataFrame([row for rows in done for row in rows], columns=list(COLUMNS))


def _trials(
    subjects: Sequence[Synthetic], mazes: Sequence[MazeEngine], config: MazeConfig, seed: int, arm: str
) -> list[tuple]:
    """The rows of some subjects; maze by maze, so that a prompt that all of them answer is read once."""
    rows: dict[str, list[tuple]] = {subject.name: [] for subject in subjects}
    for maze in mazes:
        here = replace(config, size=maze.size)
        for subject in subjects:
            luck = cell_seed(seed, subject, maze, MazeConfig(size=maze.size), 0)
            rows[subject.name].append(trial_row(subject, maze, here, luck, arm))
    return [row for mine in rows.values() for row in mine]


def trial_row(subject: Synthetic, maze: MazeEngine, config: MazeConfig, luck: int, arm: str = "") -> tuple[Any, ...]:
    """One trial as a row of `planted_trials`: the subject writes, and only its text is read."""
    talk = hold(converse(at_once(subject, luck), maze, config, Ariadne(config.ariadne_mode, arm=arm)))
    result = score_answer(maze, talk.text, config, key_events=talk.events)
    trace = parse_answer(talk.text)
    happened = replay(maze, trace, read_as(config, talk.events))
    counts = published_counts(maze, trace, happened)
    published = metrics_from_counts(*counts, ce=result.ce, size=maze.size, conventions="published")
    return (
        subject.provider,
        subject.name,
        family_of(subject.name),
        subject.style,
        maze.maze_id,
        maze.size,
        maze.seed,
        config.use_mirage,
        config.ariadne_mode,
        *asdict(subject.traits).values(),
        bool(talk.events),
        *(float(getattr(result, name)) for name in METRICS),
        *map(float, counts),
        *published.values(),
        *map(float, tallies(maze, happened, config.use_mirage)),
    )


def by_subject(frame: pd.DataFrame, measures: Sequence[str]) -> pd.DataFrame:
    """One row a subject: `family`, its traits, and each measure over its trials.

    A measure of a trial is averaged over the trials where it could be scored (a first hallucination only where there
    was one); one of `POOLED` is made from the sums of the tallies. The index is the subject's name.

    Raises `InputError` for a measure that the frame does not have.
    """
    import numpy as np

    known = (*(name for name in (*METRICS, *PUBLISHED) if name in frame.columns), *POOLED)
    for name in measures:
        check_choice("measures", name, known)
    grouped = frame.groupby("model", sort=True)
    traits = [name for name in frame.columns if name.startswith(TRAIT)]
    out = grouped[["family", *traits]].first()
    plain = [name for name in measures if name not in POOLED]
    values = frame[plain].astype(float)
    for name in set(plain) & set(FIRST):
        values[name] = values[name].where(values[name] >= 0)
    means = values.groupby(frame["model"], sort=True).mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        if len(plain) < len(measures):
            sums = grouped[list(TALLIES)].sum()
        for name in measures:
            out[name] = POOLED[name](sums) if name in POOLED else means[name]
    out[list(measures)] = out[list(measures)].replace([math.inf, -math.inf], math.nan)
    return out
