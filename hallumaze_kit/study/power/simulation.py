"""Power by simulation: studies drawn from a model of subjects, mazes and residuals, each tested as it will be.

Studies are shared out by joblib without a backend named, so that a cluster does them unchanged:

    with joblib.parallel_config(backend="dask"):
        simulate_power(model, mazes=(20, 40))

Each study has a seed of its own, so the result is the same on one core and on a cluster.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError, check_choice, check_whole
from hallumaze_kit.records import METRICS
from hallumaze_kit.study.effects.rows import LEVEL, Effect, tidy
from hallumaze_kit.study.power.closed import ALPHA, check_number
from hallumaze_kit.study.tables import FEWEST_MAZES

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

EXACT = "McNemar, exact"
BATCH = 100
"""Studies a task; it does not depend on the number of workers."""


@dataclass(frozen=True, kw_only=True)
class StudyModel:
    """A paired comparison: every subject meets every maze under two conditions (or as two models).

        value = base + subject + maze + [second condition]·(difference + effect of the maze) + residual

    difference    second − first condition; for a binary measure a difference of probabilities at `base`
    base          mean of the first condition; for a binary measure the chance of a 1 in the median maze
    binary        the measure is 0 or 1 (SR): the sum above is taken on the logit scale, and there is no residual
    sd_subject    between subjects; it falls out of the paired difference of a continuous measure
    sd_maze       between mazes; likewise
    sd_effect     of the difference between mazes: how much more it is in one maze than in another
    sd_residual   of single answers, continuous measures only
    subjects, runs   how many subjects; answers of each to each maze and condition

    The mazes are the sample, the subjects are these: the difference is to be told for them on other mazes. Raises
    `InputError` for a standard deviation below 0, a base that is no probability, or no spread at all.
    """

    difference: float
    base: float = 0.0
    binary: bool = False
    sd_subject: float = 0.0
    sd_maze: float = 0.0
    sd_effect: float = 0.0
    sd_residual: float = 1.0
    subjects: int = 1
    runs: int = 1

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.name.startswith("sd_"):
                check_number(field.name, getattr(self, field.name), 0)
        check_number("difference", self.difference)
        check_number("base", self.base)
        check_whole("subjects", self.subjects, 1)
        check_whole("runs", self.runs, 1)
        if self.binary:
            for name, chance in (("base", self.base), ("base + difference", self.base + self.difference)):
                check_number(name, chance, 0, 1, open_ends=True)
        elif not (self.sd_residual or self.sd_effect):
            raise InputError(
                "sd_residual", self.sd_residual, "above 0 where sd_effect is 0", "Without spread: no test."
            )

    @property
    def sd_of_pairs(self) -> float:
        """Standard deviation over mazes of the paired difference of a continuous measure.

        √(sd_effect² + 2·sd_residual²/(subjects·runs)); NaN for a binary one.
        """
        if self.binary:
            return math.nan
        return math.sqrt(self.sd_effect**2 + 2 * self.sd_residual**2 / (self.subjects * self.runs))

    @property
    def test(self) -> str:
        """The test that the simulated studies are given."""
        exact = self.binary and self.subjects == self.runs == 1
        return EXACT if exact else "paired t over mazes"


def simulate_power(
    model: StudyModel,
    mazes: Sequence[int] | int = (10, 20, 40, 80),
    alpha: float = ALPHA,
    n_studies: int = 2000,
    seed: int = 0,
    n_jobs: int | None = None,
) -> pd.DataFrame:
    """The power of a paired comparison with so many mazes, and how wide the interval of the difference will be.

    Parameters
    ----------
    model : StudyModel
    mazes : numbers of mazes, each 2 or more
    alpha : two-sided level
    n_studies : simulated studies for each number; the Monte Carlo error at a power of 0.8 is 0.9 points with 2000
    seed : study k with m mazes is drawn from the seed (seed, m, k) and no other
    n_jobs : as joblib takes it; None leaves it to `joblib.parallel_config`

    Each study is tested over mazes (means of its subjects and runs): the paired t test; for a binary measure of one
    subject with one run McNemar's exact test. A study whose pairs do not differ rejects nothing.

    Returns
    -------
    Tidy rows (`Effect`), two a number: quantity "power", the share of studies with p ≤ alpha, with the exact interval
    of that share (Clopper-Pearson, 95 %: Monte Carlo error only); and "width of the interval", the mean width of the
    95 % t interval of the difference. `n` counts studies. With difference 0 the power is the false positive rate.

    `StudyModel(difference=0.5, sd_effect=1, sd_residual=0)` is the textbook's paired t test with d = 0.5: with 34
    mazes `paired_power` has 0.8078.

    Raises `InputError` for fewer than 2 mazes or 1 study.
    """
    from joblib import Parallel, delayed
    from statsmodels.stats.proportion import proportion_confint

    numbers = [mazes] if isinstance(mazes, int) else list(mazes)
    for number in numbers:
        check_whole("mazes", number, 2)
    _check(model, alpha, n_studies, seed)
    batches = [(m, range(k, min(k + BATCH, n_studies))) for m in numbers for k in range(0, n_studies, BATCH)]
    done = Parallel(n_jobs=n_jobs)(delayed(_studies)(model, m, seed, studies) for m, studies in batches)
    effects = []
    base: dict[str, Any] = {"analysis": "simulate_power", "unit": "studies", "n": n_studies, "level": LEVEL}
    base |= {"metric": "binary" if model.binary else "continuous", "contrast": f"difference {model.difference:g}"}
    for number in numbers:
        found = [row for (m, _), rows in zip(batches, done, strict=True) if m == number for row in rows]
        rejected = sum(p <= alpha for p, _ in found)
        low, high = proportion_confint(rejected, n_studies, 1 - LEVEL, method="beta")
        widths = [width for _, width in found if not math.isnan(width)]
        mean = math.fsum(widths) / len(widths) if widths else math.nan
        ends = {"low": float(low), "high": float(high)}
        effects.append(
            Effect(quantity="power", estimate=rejected / n_studies, n_mazes=number, **ends, test=model.test, **base)
        )
        effects.append(Effect(quantity="width of the interval", estimate=mean, n_mazes=number, test="t", **base))
    return tidy(effects)


def mazes_needed(
    model: StudyModel,
    power: float = 0.8,
    alpha: float = ALPHA,
    n_studies: int = 2000,
    seed: int = 0,
    n_jobs: int | None = None,
    largest: int = 2000,
) -> pd.DataFrame:
    """The fewest mazes with which the simulated power reaches `power`, found by halving.

    Returns one row (`Effect`): estimate the number; low and high the fewest with which the interval of the simulated
    power touches, and lies wholly above, the power that is asked for, by the Monte Carlo error of n_studies. Where
    `largest` mazes do not do, all are NaN and the note says what they reach.

    d = 0.5 and power 0.8 need 34 (R: pwr.t.test gives 33.37).
    """
    _check(model, alpha, n_studies, seed)
    check_number("power", power, 0, 1, open_ends=True)
    check_whole("largest", largest, 2)
    known: dict[int, tuple[float, float, float]] = {}

    def at(number: int) -> tuple[float, float, float]:
        if number not in known:
            row = simulate_power(model, number, alpha, n_studies, seed, n_jobs).iloc[0]
            known[number] = row["high"], row["estimate"], row["low"]
        return known[number]

    base: dict[str, Any] = {"analysis": "mazes_needed", "quantity": "mazes", "unit": "studies", "n": n_studies}
    base |= {"metric": "binary" if model.binary else "continuous", "contrast": f"difference {model.difference:g}"}
    base["test"] = model.test
    found = [_fewest(lambda number, k=k: at(number)[k] >= power, largest) for k in range(3)]
    if found[1] is None:
        note = f"{largest} mazes reach a power of {at(largest)[1]:.3f}"
        return tidy([Effect(note=note, **base)])
    low, estimate, high = (math.nan if number is None else float(number) for number in found)
    note = f"power {at(int(estimate))[1]:.3f} with {int(estimate)}"
    return tidy([Effect(estimate=estimate, low=low, high=high, n_mazes=int(estimate), note=note, **base)])


def _fewest(enough: Any, largest: int) -> int | None:
    """The smallest number from 2 to `largest` that is enough, by doubling and halving; None if none is."""
    low, high = 2, 2
    while not enough(high):
        if high == largest:
            return None
        low, high = high + 1, min(2 * high, largest)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low


def _check(model: StudyModel, alpha: float, n_studies: int, seed: int) -> None:
    if not isinstance(model, StudyModel):
        raise InputError("model", model, "a StudyModel")
    check_number("alpha", alpha, 0, 1, open_ends=True)
    check_whole("n_studies", n_studies, 1)
    check_whole("seed", seed, 0)


def _studies(model: StudyModel, mazes: int, seed: int, studies: range) -> list[tuple[float, float]]:
    """(p, width of the 95 % interval) of each study; studies are named by their number."""
    import numpy as np

    values = np.stack([_drawn(model, mazes, np.random.default_rng([seed, mazes, k])) for k in studies])
    p, widths = _tested(model, values[:, 1] - values[:, 0])
    return list(zip(p.tolist(), widths.tolist(), strict=True))


def _drawn(model: StudyModel, mazes: int, rng: np.random.Generator) -> np.ndarray:
    """(2, mazes) means over subjects and runs of one study."""
    import numpy as np
    from scipy.special import expit, logit

    shape = (2, model.subjects, mazes)
    level = rng.normal(0, 1, model.subjects)[:, None] * model.sd_subject + rng.normal(0, 1, mazes) * model.sd_maze
    effect = rng.normal(0, 1, mazes) * model.sd_effect
    if model.binary:
        first = logit(model.base)
        shift = logit(model.base + model.difference) - first
        chance = expit(np.stack([first + level, first + level + shift + effect]))
        return rng.binomial(model.runs, chance, shape).mean(axis=1) / model.runs
    means = np.stack([model.base + level, model.base + level + model.difference + effect])
    noise = rng.normal(0, 1, shape) * (model.sd_residual / math.sqrt(model.runs))
    return (means + noise).mean(axis=1)


def _tested(model: StudyModel, gaps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """p and width of the interval of each row of paired differences (studies, mazes); NaN without a difference."""
    import numpy as np
    from scipy.special import stdtr, stdtrit
    from scipy.stats import binom

    n = gaps.shape[1]
    se = gaps.std(axis=1, ddof=1) / math.sqrt(n)
    widths = 2 * stdtrit(n - 1, (1 + LEVEL) / 2) * se
    if model.test == EXACT:
        more, less = (gaps > 0).sum(axis=1), (gaps < 0).sum(axis=1)
        p = np.minimum(1, 2 * binom.cdf(np.minimum(more, less), more + less, 0.5))
        return np.where(more + less > 0, p, math.nan), widths
    flat = se < 1e-12 * (1 + np.abs(gaps).max(axis=1))
    t = np.abs(gaps.mean(axis=1)) / np.where(flat, 1.0, se)
    return np.where(flat, math.nan, 2 * stdtr(n - 1, -t)), widths


def fitted_model(frame: pd.DataFrame, metric: str, difference: float, runs: int = 1) -> StudyModel:
    """A model for a comparison of two subjects like those of a pilot, with the spread that the pilot shows.

    Parameters
    ----------
    frame : one row a trial, one condition; two subjects (provider and model) or more that all met five mazes or more
    metric : a measure of `hallumaze_kit.records.METRICS`; one that is only 0 or 1 makes a binary model
    difference : that is to be found
    runs : answers of each to each maze in the study that is planned

    Variance components of the table of cell means, subject × maze, by mean squares (two-way random model):
    maze (MS_maze − MS_rest)/subjects, subject (MS_subject − MS_rest)/mazes, at least 0. With repeated runs the
    residual is the pooled variance within cells, and what MS_rest has beyond residual/runs is subject × maze, so
    that sd_effect = √2 times its standard deviation; with one run MS_rest is all residual. Mazes that a subject lacks
    are left out. For a binary measure components are brought to the logit scale by 1/(p(1 − p)), the answers' own
    binomial variance taken out of MS_rest; with fewer than two runs sd_effect is 0.

    Raises `InputError` for fewer subjects or mazes, an unknown measure, or one that does not vary.
    """
    import numpy as np
    import pandas as pd

    check_choice("metric", metric, METRICS)
    if not isinstance(frame, pd.DataFrame) or not {"provider", "model", "maze_id", metric} <= set(frame.columns):
        raise InputError("frame", type(frame).__name__, "a table of trials", "Make one with to_frame(results).")
    known = frame[frame[metric].notna() & frame["maze_id"].astype(bool)]
    known = known.assign(value=known[metric].astype(float), who=known["provider"] + "/" + known["model"])
    cells = known.groupby(["who", "maze_id"])["value"].agg(["mean", "count", "var"])
    table = cells["mean"].unstack("maze_id").dropna(axis=1)
    subjects, mazes = table.shape
    if subjects < 2 or mazes < FEWEST_MAZES:
        needed = f"2 subjects or more that all met {FEWEST_MAZES} mazes or more"
        raise InputError("frame", f"{subjects} subjects with {mazes} mazes in common", needed)
    values = table.to_numpy()
    grand, rows, columns = values.mean(), values.mean(axis=1), values.mean(axis=0)
    rest = ((values - rows[:, None] - columns + grand) ** 2).sum() / ((subjects - 1) * (mazes - 1))
    maze = max(0.0, float(columns.var(ddof=1)) - rest / subjects)
    subject = max(0.0, float(rows.var(ddof=1)) - rest / mazes)
    if rest + maze + subject < 1e-15:
        raise InputError("metric", metric, "one that varies in the frame")
    used = cells[cells.index.get_level_values("maze_id").isin(table.columns)]
    repeats = float(len(used) / (1 / used["count"]).sum())
    sds: dict[str, Any] = {"difference": difference, "base": float(grand), "runs": runs}
    if set(np.unique(known["value"])) <= {0.0, 1.0}:
        spread = grand * (1 - grand)
        own = float((values * (1 - values)).mean())
        between = max(0.0, rest - own / (repeats - 1)) if repeats >= 2 else 0.0
        parts = {"sd_maze": maze, "sd_subject": subject, "sd_effect": 2 * between}
        return StudyModel(binary=True, **sds, **{name: math.sqrt(part) / spread for name, part in parts.items()})
    within = used["var"].where(used["count"] > 1)
    freedom = (used["count"] - 1).where(used["count"] > 1, 0)
    residual = float((within * freedom).sum() / freedom.sum()) if freedom.sum() else rest
    between = max(0.0, rest - residual / repeats) if freedom.sum() else 0.0
    parts = {"sd_maze": maze, "sd_subject": subject, "sd_effect": 2 * between, "sd_residual": residual}
    return StudyModel(**sds, **{name: math.sqrt(part) for name, part in parts.items()})
