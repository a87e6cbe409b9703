"""Do two groups err at the same places? Error consistency κ, correlation of error maps, and what they compare with."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from hallumaze_kit.errors import InputError, check_whole
from hallumaze_kit.records import BenchmarkResult
from hallumaze_kit.study.effects.jackknife import JACKKNIFE, left_out, p_of_zero
from hallumaze_kit.study.effects.rows import LEVEL, Effect, refused, tidy
from hallumaze_kit.study.people.maps import GEOMETRY, ITEM, STRATA, answers, rates
from hallumaze_kit.study.people.matching import GeometrySubject, strata_of
from hallumaze_kit.study.people.sums import by_maze, correlations, kappas, mean_of_defined, sums_of, told
from hallumaze_kit.study.tables import FEWEST_MAZES

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

KAPPA, MAPS = "error consistency κ", "correlation of error maps"
GAP, HALVES = "κ minus the people's split half", "κ of people, split half"
FLAT, NO_HALVES = "undefined: one map is flat", "undefined: the people's split half is, with too few errors"
N_SPLITS = 100
MATCHED = "simulated subjects that err by geometry alone (+1 rule)"
PERMUTED = "permutation of items within geometry strata (+1 rule)"
NO_MAP = "κ and correlation do not tell a map from tokens: that needs the same mazes transposed (see hypotheses)"
NO_PEOPLE = "no people among the results: collect them, or name a group that stands in (people=…)"
UNFAIR = "error rates are too different for κ to reach the split half, whatever the places"
EQUAL = "undefined: one of the two is always right, or always wrong"


class Consistency(NamedTuple):
    """c_obs: share of items with equal outcome; c_exp: the share that two independent subjects of these accuracies
    would have; kappa: (c_obs − c_exp)/(1 − c_exp), at most 1; NaN with a note where it is undefined; n items."""

    c_obs: float
    c_exp: float
    kappa: float
    n: int
    note: str = ""


def error_consistency(one: Sequence[float] | np.ndarray, other: Sequence[float] | np.ndarray) -> Consistency:
    """Cohen's κ of right and wrong of two subjects on the same items (Geirhos, Meding & Wichmann 2020).

        c_exp = p·q + (1 − p)(1 − q),    κ = (c_obs − c_exp)/(1 − c_exp)

    with the error rates p and q. Above 0: the two err at the same items more than two independent subjects of these
    accuracies; below 0: less.

    Parameters
    ----------
    one, other : (items,) wrong (1) or right (0), or rates of error over several answers of a group. With rates, c_obs
        is the expected agreement of one answer drawn from each group, so κ is that of single subjects and does not
        grow with the size of the groups

    (1, 1, 0, 0, 0) and (1, 0, 1, 0, 0): c_obs 0.6, c_exp 0.4·0.4 + 0.6·0.6 = 0.52, κ = 0.08/0.48 = 0.1667.

    κ is NaN where one of the two is always right or always wrong: then c_obs = c_exp whatever the other does.
    Raises `InputError` for lists of unequal length and values outside 0 to 1.
    """
    import numpy as np

    p, q = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    if p.shape != q.shape or p.ndim != 1:
        raise InputError("one, other", (p.shape, q.shape), "two lists of the same length")
    if not ((p >= 0) & (p <= 1) & (q >= 0) & (q <= 1)).all():
        raise InputError("one, other", "values beyond 0 and 1, or NaN", "errors (1), right answers (0) or rates")
    if not len(p):
        return Consistency(math.nan, math.nan, math.nan, 0, "no item in common")
    sums = np.array([len(p), p.sum(), q.sum(), (p * q).sum()])
    observed, expected, kappa = (float(value) for value in kappas(sums))
    return Consistency(observed, expected, kappa, len(p), EQUAL if math.isnan(kappa) else "")


def consistency_table(
    results: Iterable[BenchmarkResult],
    level: str = "decision",
    people: str | Sequence[str] = (),
    n_sim: int = 999,
    seed: int = 0,
) -> pd.DataFrame:
    """Each group of people beside each other group: do they err at the same places?

    Parameters
    ----------
    results : results of people and of others on the same mazes
    level : "decision" (first choices at junctions) or "trial" (mazes solved or not); see `answers`
    people : groups ("provider/model") that are taken as the people; unless named, those of kind "human". Synthetic
        subjects may stand in to try the analysis, and keep their name
    n_sim : simulated studies, and permutations
    seed : of simulations, permutations and halves; every row starts from it anew

    Returns
    -------
    Tidy rows (`Effect`); `metric` is the level, `contrast` "people − other" by name, n the items that both met.

    "error consistency κ"   `error_consistency` of the error rates, interval over mazes; the note says how high κ can be
        at all where error rates differ: (1 − |p − q| − c_exp)/(1 − c_exp). p, two-sided, against two
        subjects that err independently, each by geometry alone: a logistic regression of its own errors on the places
        (`GeometrySubject`), from which both are drawn n_sim times. What is compared is the sum of products of the
        two groups' residuals over its standard error by mazes, each draw fitted again; p = (1 + draws as far from their
        mean)/(1 + n_sim). In simulated studies without anything in common it was 0.05 or less in 5 to 6 % of them
    "κ of geometry-matched independent subjects"   mean and middle 95 % of those draws
    "κ minus the people's split half"   how far κ lies below what people have with each other, interval and t test over
        mazes; the note says where error rates alone keep it below
    "correlation of error maps"   Pearson's r of the rates, interval over mazes; p, two-sided, from permutations of the
        other's rates among places of equal geometry (exits, direction of the right way, lure, third of the distances;
        of trials size, lures, third of the solution lengths). It grows with the answers that an item has
    For each group of people with four persons or more: "κ of people, split half" and "correlation of people, split
        half": means over 100 random halves of the persons, with intervals over mazes; the ceiling, what another sample
        of people would reach

    Intervals (95 %) leave out one maze at a time (`jackknife`, t); in simulated studies of 15 and 30 mazes 93 to 95 %
    of those of κ and r held the true value. NaN with fewer than 5 mazes. What is undefined is NaN with its reason.

    Raises `InputError` for a group that has no answers, and what `answers` refuses.
    """
    check_whole("n_sim", n_sim, 1)
    check_whole("seed", seed, 0)
    rows = answers(results, level)
    return tidy(consistency_rows(rows, level, people, n_sim, seed))


def consistency_rows(
    rows: pd.DataFrame, level: str, people: str | Sequence[str], n_sim: int, seed: int
) -> list[Effect]:
    """What `consistency_table` tells of the rows that `answers` made."""
    effects: list[Effect] = []
    table = rates(rows, level)
    names = people_of(rows, people)
    if not names:
        return [refused(NO_PEOPLE, analysis="consistency_table", quantity=KAPPA, metric=level, unit=f"{level}s")]
    for name in names:
        base = {"analysis": "consistency_table", "metric": level, "subject": name, "unit": f"{level}s"}
        halves = SplitHalves(rows[rows["group"] == name], seed)
        effects += halves.effects(base)
        for other in sorted(set(rows["group"]) - set(names)):
            effects += _pair(table, halves, name, other, level, n_sim, seed)
    return effects


def people_of(rows: pd.DataFrame, people: str | Sequence[str]) -> list[str]:
    """The groups that are taken as people."""
    named = [people] if isinstance(people, str) else list(people)
    for name in named:
        if name not in set(rows["group"]):
            raise InputError("people", name, "groups with answers: " + ", ".join(sorted(set(rows["group"]))))
    return named or sorted(set(rows.loc[rows["kind"] == "human", "group"]))


def _pair(
    table: pd.DataFrame, halves: SplitHalves, name: str, other: str, level: str, n_sim: int, seed: int
) -> list[Effect]:
    import numpy as np

    keys = list(ITEM)
    one, two = (table[table["group"] == group] for group in (name, other))
    met = one.merge(two[[*keys, "n", "errors", "rate"]], on=keys, suffixes=("", "_other"))
    base: dict[str, Any] = {"analysis": "consistency_table", "metric": level, "subject": other, "unit": f"{level}s"}
    base |= {"contrast": f"{name} – {other}", "n": len(met), "n_mazes": met["maze_id"].nunique()}
    quantities = (KAPPA, "κ of geometry-matched independent subjects", GAP, MAPS)
    if not len(met):
        return [refused("no item in common", quantity=quantity, **base) for quantity in quantities]
    p, q = met["rate"].to_numpy(), met["rate_other"].to_numpy()
    labels, mazes = np.unique(met["maze_id"].to_numpy(dtype=str), return_inverse=True)
    few = "" if len(labels) >= FEWEST_MAZES else f"no interval: fewer than {FEWEST_MAZES} mazes"
    weights = left_out(len(labels))
    sums = weights @ by_maze(sums_of(p, q), mazes)
    kappa, correlation = kappas(sums)[2], correlations(sums)
    undefined, flat = EQUAL if math.isnan(kappa[0]) else "", FLAT if math.isnan(correlation[0]) else ""
    null, p_matched = _matched(met, mazes, level, n_sim, seed)
    matched = {"note": undefined}
    if not undefined:
        low, high = np.nanpercentile(null, [50 - 50 * LEVEL, 50 + 50 * LEVEL])
        matched |= {"estimate": float(np.nanmean(null)), "low": float(low), "high": float(high)}
    highest = highest_kappa(p.mean(), q.mean())
    bound = f"at error rates of {p.mean():.2f} and {q.mean():.2f} at most {highest:.2f}"
    ceiling = halves.kappas(labels, weights)
    apart = undefined or halves.why or (NO_HALVES if math.isnan(ceiling[0]) else "")
    unfair = f"{UNFAIR}: {bound}" if not apart and highest < ceiling[0] else ""
    statistic, p_gap = p_of_zero(kappa - ceiling) if not few else (math.nan, math.nan)
    return [
        Effect(
            quantity=KAPPA, p=math.nan if undefined else p_matched, test=MATCHED,
            **told(kappa, few, undefined or bound, NO_MAP), **base,
        ),
        Effect(quantity=quantities[1], test=f"{n_sim} simulated studies, middle 95 %", **matched, **base),
        Effect(
            quantity=GAP, statistic=statistic, p=p_gap, test=f"t test, {JACKKNIFE}",
            **told(kappa - ceiling, few, apart, unfair), **base,
        ),
        Effect(
            quantity=MAPS, **_permuted(met, level, correlation[0], n_sim, seed),
            **told(correlation, few, flat, NO_MAP), **base,
        ),
    ]  # fmt: skip


def highest_kappa(p: float, q: float) -> float:
    """What κ can be at error rates p and q, since at most 1 − |p − q| of the items agree.

    0.14 and 0.46: c_exp = 0.5288, (0.68 − 0.5288)/0.4712 = 0.3209.
    """
    expected = p * q + (1 - p) * (1 - q)
    return (1 - abs(p - q) - expected) / (1 - expected) if expected < 1 else math.nan


def studentised(products: np.ndarray, mazes: np.ndarray) -> np.ndarray:
    """Σ over mazes of their sums / √Σ of the squared sums, of each row of products (…, items); 0 where all are 0.

    Products 1, 1, −1 in mazes 0, 0, 1: sums 2 and −1, 1/√5.
    """
    import numpy as np

    sums = products @ np.eye(int(mazes.max()) + 1)[mazes]
    spread = np.sqrt((sums**2).sum(axis=-1))
    return sums.sum(axis=-1) / np.where(spread > 0, spread, 1.0)


def _matched(met: pd.DataFrame, mazes: np.ndarray, level: str, n_sim: int, seed: int) -> tuple[np.ndarray, float]:
    """κ of n_sim pairs of independent groups that err by geometry alone, and p of what geometry leaves."""
    import numpy as np

    rng, geometry = np.random.default_rng(seed), met[list(GEOMETRY[level])].to_numpy(dtype=float)
    pair = [GeometrySubject(geometry, met[n], met[e]) for n, e in (("n", "errors"), ("n_other", "errors_other"))]
    p, q = (subject.draw(n_sim, rng) for subject in pair)
    sums = np.stack([np.full(n_sim, len(met)), p.sum(axis=1), q.sum(axis=1), (p * q).sum(axis=1)], axis=-1)
    left = studentised(pair[0].residuals_of(p) * pair[1].residuals_of(q), mazes)
    return kappas(sums)[2], two_sided(left, float(studentised((pair[0].residuals * pair[1].residuals)[None], mazes)[0]))


def _permuted(met: pd.DataFrame, level: str, observed: float, n_sim: int, seed: int) -> dict[str, Any]:
    """p of the correlation: the other's rates are exchanged within strata of geometry."""
    import numpy as np

    columns, banded = STRATA[level]
    strata = strata_of([met[name].to_numpy() for name in columns], met[banded].to_numpy(dtype=float))
    p, q = met["rate"].to_numpy(), met["rate_other"].to_numpy()
    places = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
    places = [place for place in places if len(place) > 1]
    if math.isnan(observed) or not places:
        return {"test": PERMUTED}
    rng, values = np.random.default_rng(seed), []
    for _ in range(n_sim):
        moved = q.copy()
        for place in places:
            moved[place] = q[rng.permutation(place)]
        values.append(float(np.corrcoef(p, moved)[0, 1]))
    return {"p": two_sided(np.array(values), observed), "test": PERMUTED}


def two_sided(null: np.ndarray, observed: float) -> float:
    """(1 + draws at least as far from their mean as what was observed)/(1 + draws); NaN draws count as far.

    Draws 0, 0.1, −0.1 and 0.2 observed: none of 3 is as far from their mean 0, p = 1/4.
    """
    import numpy as np

    if math.isnan(observed) or np.isnan(null).all():
        return math.nan
    middle = np.nanmean(null)
    near = np.abs(null - middle) < abs(observed - middle) - 1e-12
    return float((1 + (~near).sum()) / (1 + len(null)))


class SplitHalves:
    """Random halves of the persons of a group against each other: the ceiling of what others can reach with it."""

    def __init__(self, rows: pd.DataFrame, seed: int) -> None:
        import numpy as np

        persons = sorted(set(rows["person"]))
        self.why = "" if len(persons) >= 4 else f"{len(persons)} persons; a split half needs 4"
        self.n, self.mazes, self.sums = 0, np.array([], dtype=str), np.zeros((0, 0, 6))
        if self.why:
            return
        cells = rows.groupby([*ITEM, "person"], sort=True)["error"].agg(["size", "sum"]).unstack("person", fill_value=0)
        n, errors = (cells[name].reindex(columns=persons).to_numpy(dtype=float) for name in ("size", "sum"))
        rng = np.random.default_rng(seed)
        halves = np.zeros((N_SPLITS, len(persons)), dtype=bool)
        for half in halves:
            half[rng.permutation(len(persons))[: len(persons) // 2]] = True
        parts = [(n @ half.T.astype(float), errors @ half.T.astype(float)) for half in (halves, ~halves)]
        known = (parts[0][0] > 0) & (parts[1][0] > 0)
        p, q = (np.divide(wrong, count, out=np.zeros_like(wrong), where=known) for count, wrong in parts)
        labels = cells.index.get_level_values("maze_id").to_numpy(dtype=str)
        self.mazes, codes = np.unique(labels, return_inverse=True)
        self.sums = by_maze(sums_of(p, q, known), codes)
        self.n = int(known.any(axis=1).sum())

    def kappas(self, labels: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Mean κ of the halves under each row of maze weights; NaN where there is no split half."""
        import numpy as np

        here = np.isin(labels, self.mazes)
        if self.why or not here.any():
            return np.full(len(weights), math.nan)
        sums = np.einsum("bm,msk->bsk", weights[:, here], self.sums[np.searchsorted(self.mazes, labels[here])])
        return mean_of_defined(kappas(sums)[2])

    def effects(self, base: dict[str, Any]) -> list[Effect]:
        """The two ceilings as rows."""
        import numpy as np

        quantities = (HALVES, "correlation of people, split half")
        base = base | {"n": self.n, "n_mazes": len(self.mazes), "test": f"{N_SPLITS} halves; {JACKKNIFE}"}
        if self.why:
            return [refused(self.why, quantity=quantity, **base) for quantity in quantities]
        few = "" if len(self.mazes) >= FEWEST_MAZES else f"no interval: fewer than {FEWEST_MAZES} mazes"
        sums = np.einsum("bm,msk->bsk", left_out(len(self.mazes)), self.sums)
        means = (mean_of_defined(kappas(sums)[2]), mean_of_defined(correlations(sums)))
        return [
            Effect(quantity=quantity, **told(v, few, "undefined: too few errors" if math.isnan(v[0]) else ""), **base)
            for quantity, v in zip(quantities, means, strict=True)
        ]
