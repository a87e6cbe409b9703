"""How often the tests of the study reject what is true, and how often its intervals hold the truth."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.report import Line
from hallumaze_kit.study.analysis.ariadne import arm_effect
from hallumaze_kit.study.analysis.experiments import mirage_effect
from hallumaze_kit.study.effects.comparing.groups import compare_groups
from hallumaze_kit.study.effects.comparing.trials import compare_trials
from hallumaze_kit.study.effects.decisions import decision_model
from hallumaze_kit.study.effects.experiments import arm_test, mirage_test, size_trend
from hallumaze_kit.study.effects.reliability import icc
from hallumaze_kit.study.effects.rows import Effect

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

ABOUT = (
    "Studies of 8 subjects × 30 mazes in which nothing has an effect: share of p <= 0.05 and share of 95 % intervals "
    "that hold the truth, in %, ± Monte Carlo standard error (number of studies that gave one)."
)
SUBJECTS, MAZES = 8, 30
STUDIES = 2000
"""Brings the Monte Carlo standard error of 5 % to 0.49 points."""
ALLOWED = {"approximate": (4, 6), "exact": (0, 6), "covers": (93, 97)}
"""In %: rejections of tests that are approximate and exact, and intervals that hold the truth."""
SIZES = (5, 7, 9, 11)


class Found(NamedTuple):
    """What one study gave: the row, whether its test is exact, the true value."""

    what: str
    row: Effect
    exact: bool = False
    truth: float = 0.0


class Study(NamedTuple):
    """What lies behind the trials of a study: abilities, difficulties, and how they meet."""

    ability: np.ndarray  # (subjects,)
    ease: np.ndarray  # (mazes,)
    meeting: np.ndarray  # (subjects, mazes)


def measure(studies: int = STUDIES, n_jobs: int = -1) -> Iterator[Line]:
    """Two lines for each row of the tests: how often p is at most 0.05, how often the interval holds the truth."""
    from joblib import Parallel, delayed

    block = 20
    seeds = [range(first, min(first + block, studies)) for first in range(0, studies, block)]
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for found in Parallel(n_jobs=n_jobs)(delayed(_studied)(some) for some in seeds):
        for key, (hits, of) in found.items():
            counts[key][0] += hits
            counts[key][1] += of
    for (what, kind), (hits, of) in counts.items():
        yield line(what, kind, hits, of)


def line(what: str, kind: str, hits: int, of: int) -> Line:
    """The line of so many hits among so many studies: their share with its standard error, and whether it is allowed.

    `kind` is "approximate" or "exact" for rejections, "covers" for intervals that hold the truth.
    """
    low, high = ALLOWED[kind]
    share, error = 100 * hits / of, 100 * math.sqrt(hits * (of - hits) / of) / of
    target = f"{low} to {high} %" if low else f"<= {high} %"
    says = "covers" if kind == "covers" else "rejects"
    return Line(f"{what}: {says}", f"{share:.1f} ± {error:.1f} ({of})", target=target, met=low <= share <= high)


def _studied(seeds: range) -> dict[tuple[str, str], list[int]]:
    """Hits and number of each test and interval over some studies."""
    import numpy as np

    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for seed in seeds:
        rng = np.random.default_rng([seed, 20250101])
        for what, row, exact, truth in (found for part in PARTS for found in part(rng)):
            if not math.isnan(row.p):
                count = counts[what, "exact" if exact else "approximate"]
                count[0] += row.p <= 0.05
                count[1] += 1
            if not math.isnan(row.low):
                count = counts[what, "covers"]
                count[0] += row.low <= truth <= row.high
                count[1] += 1
    return dict(counts)


# ---- studies -------------------------------------------------------------------------------------


def drawn(rng: np.random.Generator) -> Study:
    """Subjects, mazes and their meetings; the first two subjects are equally able."""
    ability = rng.normal(0, 1, SUBJECTS)
    ability[1] = ability[0]
    return Study(ability, rng.normal(0, 1, MAZES), rng.normal(0, 1, (SUBJECTS, MAZES)))


def trials(rng: np.random.Generator, study: Study, subjects: int, **columns: list) -> pd.DataFrame:
    """One trial for each subject, maze and value of the columns, whose values have no effect.

    SR is 0 or 1; MEI lies from 0 to 0.9 in steps of 0.001, one in six at the ceiling; hallucinations are counts.
    """
    import numpy as np
    import pandas as pd

    grid = pd.MultiIndex.from_product([range(subjects), range(MAZES), *columns.values()])
    table = pd.DataFrame(index=grid).reset_index(names=["subject", "maze", *columns])
    s, m = table["subject"].to_numpy(), table["maze"].to_numpy()
    able, ease, meet = study.ability[s], study.ease[m], study.meeting[s, m]
    n = len(table)
    mei = 0.65 + 0.08 * able + 0.1 * ease + 0.08 * meet + rng.normal(0, 0.1, n)
    return table.assign(
        provider="synthetic",
        model="s" + table["subject"].astype(str),
        subject_kind="synthetic",
        placement="balanced",
        maze_id="maze " + table["maze"].astype(str),
        maze_size=np.asarray(SIZES)[m % len(SIZES)],
        mei=np.round(np.clip(mei, 0, 0.9), 3),
        sr=(rng.random(n) < _share(0.4 + 0.7 * able + 0.8 * ease + 0.5 * meet)).astype(float),
        hallucination_count=rng.poisson(np.exp(0.3 - 0.3 * able - 0.4 * ease - 0.3 * meet)).astype(float),
    )


def _share(log_odds: np.ndarray) -> np.ndarray:
    import numpy as np

    return 1 / (1 + np.exp(-log_odds))


def between_models(rng: np.random.Generator) -> Iterator[Found]:
    """Two equal models, one trial a maze; then with trials that are missing; then with three runs."""
    study = drawn(rng)
    once = trials(rng, study, 2)
    for metric in ("mei", "hallucination_count"):
        yield from _named(f"{metric}, two models", compare_trials(once, metric, "model", "s0", "s1"))
    yield from _named("sr, two models", compare_trials(once, "sr", "model", "s0", "s1"))
    missing = once[rng.random(len(once)) < 0.8]
    yield from _named("mei, two models, a fifth missing", compare_trials(missing, "mei", "model", "s0", "s1", 1)[:1])
    runs = trials(rng, study, 2, run=[0, 1, 2])
    yield from _named("sr, two models, three runs", compare_trials(runs, "sr", "model", "s0", "s1"))


def between_conditions(rng: np.random.Generator) -> Iterator[Found]:
    """Eight subjects with and without lures; then one of them."""
    both = trials(rng, drawn(rng), SUBJECTS, use_mirage=[False, True])
    for metric in ("mei", "sr"):
        rows = compare_trials(both, metric, "use_mirage", False, True, 1)[:1]
        yield from _named(f"{metric}, lures, eight subjects", rows)
    one = both[both["subject"] == 0]
    yield from _named("mei, mirage_test", mirage_test(one, "mei", 1)[:1])
    table = mirage_effect(one, "mei").iloc[0]
    yield Found("mei, mirage_effect (bootstrap)", _interval(table["low"], table["high"]))


def between_arms(rng: np.random.Generator) -> Iterator[Found]:
    """One subject, arms drawn for the mazes; then every arm on every maze."""
    import numpy as np

    study = drawn(rng)
    arms = ["hint", "sham"]
    every = trials(rng, study, 1, arm=arms).assign(ariadne_group="B", nrs=math.nan)
    drawn_arm = np.concatenate([rng.permutation(arms) for _ in range(MAZES // len(arms))])
    once = every[every["arm"] == drawn_arm[every["maze"]]]
    for metric in ("mei", "sr"):
        yield from _named(f"{metric}, arm_test, an arm a maze", arm_test(once, metric)[:1])
    yield from _named("mei, arm_test, every arm on each maze", arm_test(every, "mei")[:1])
    table = arm_effect(every, "mei").iloc[0]
    yield Found("mei, arm_effect (bootstrap)", _interval(table["low"], table["high"]))


def by_size(rng: np.random.Generator) -> Iterator[Found]:
    """Four sizes that make no difference, two runs a maze."""
    runs = trials(rng, drawn(rng), 1, run=[0, 1])
    for metric in ("mei", "hallucination_count", "sr"):
        yield from _named(f"{metric}, size_trend", size_trend(runs, metric))


def of_decisions(rng: np.random.Generator) -> Iterator[Found]:
    """Two to five junctions a maze; a condition that varies within mazes, and one between them."""
    import numpy as np
    import pandas as pd

    study = drawn(rng)
    junctions = rng.integers(2, 6, MAZES)
    maze = np.tile(np.repeat(np.arange(MAZES), junctions), SUBJECTS)
    subject = np.repeat(np.arange(SUBJECTS), junctions.sum())
    shown = rng.integers(0, 2, (SUBJECTS, MAZES))[subject, maze]
    odds = 0.8 + 0.7 * study.ability[subject] + 0.6 * study.ease[maze]
    table = pd.DataFrame({"provider": "synthetic", "model": subject, "maze_id": maze.astype(str)}).assign(
        right=rng.random(len(maze)) < _share(odds),
        use_mirage=shown,
        maze_size=np.asarray(SIZES)[maze % len(SIZES)] - 8.0,
    )
    rows = decision_model(table.assign(maze_id="m" + table["maze_id"]), "use_mirage + maze_size")
    for row, what in zip(rows, ("within mazes", "within mazes", "between mazes", "between mazes"), strict=False):
        yield Found(f"decisions, {what}, {'GEE' if row.test.startswith('GEE') else 'model'}", row)


def of_groups(rng: np.random.Generator) -> Iterator[Found]:
    """Fifteen values against twenty; three groups of ten."""
    values = 0.65 + 0.15 * rng.normal(size=65)
    for row, what in zip(
        compare_groups({"a": values[:15], "b": values[15:35]}), ("Student", "Welch", "Cliff's δ"), strict=True
    ):
        yield Found(f"groups, {what}", row)
    groups = {name: values[start : start + 10] for name, start in (("a", 35), ("b", 45), ("c", 55))}
    yield Found("groups, one-way ANOVA", compare_groups(groups)[0])


def of_reliability(rng: np.random.Generator) -> Iterator[Found]:
    """Scores of subjects on mazes whose variances are 1, 0.5 and 2: ICC(2,1) is 1/3.5."""
    noise = rng.normal(0, math.sqrt(2), (SUBJECTS, MAZES))
    scores = rng.normal(0, 1, (SUBJECTS, 1)) + rng.normal(0, math.sqrt(0.5), MAZES) + noise
    row = icc(scores)[1]
    yield Found("ICC(2,1) of 0.286", _interval(row.low, row.high), truth=1 / 3.5)


WORDS = {"pseudomedian of differences": "Wilcoxon", "difference of means": "means", "difference of shares": "McNemar"}
"""What a row is called in the table."""
PARTS: tuple[Callable[[np.random.Generator], Iterator[Found]], ...] = (
    between_models,
    between_conditions,
    between_arms,
    by_size,
    of_decisions,
    of_groups,
    of_reliability,
)


def _named(what: str, rows: list[Effect]) -> Iterator[Found]:
    for row in rows:
        quantity = row.quantity.split(" (")[0]
        yield Found(f"{what}, {WORDS.get(quantity, quantity)}", row, "exact" in row.test)


def _interval(low: float, high: float) -> Effect:
    return Effect(analysis="", quantity="", low=float(low), high=float(high))
