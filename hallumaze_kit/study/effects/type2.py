"""Type-2 measures: does confidence tell right from wrong? (specification, section 9)

AUROC is pooled by subject over decisions, never taken per answer; d′, c, meta-d′ and M-ratio come from tasks with two
choices only: the probe, and junctions with two ways on while the map is in view.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError, check_whole
from hallumaze_kit.maze import STEP, MazeEngine
from hallumaze_kit.records import BenchmarkResult
from hallumaze_kit.records.frames import listed
from hallumaze_kit.study.analysis.detection import Detection, dprime
from hallumaze_kit.study.effects.meta_d import BINS, MetaD, counts_of, fit_meta_d, levels_of
from hallumaze_kit.study.effects.rows import LEVEL, Effect, refused, tidy
from hallumaze_kit.study.tables import FEWEST_MAZES

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

FEWEST_ERRORS = 30
"""With fewer wrong decisions of a subject AUROC is refused (specification, section 9)."""
FEWEST_TRIALS = 25
"""With fewer trials of a class (broken, whole) meta-d′ is refused."""
FEWEST_WRONG = 10
"""With fewer wrong answers meta-d′ is refused."""
BOOTSTRAP = "cluster bootstrap over mazes, percentiles"
_NEEDED = ("provider", "model", "maze_id", "right", "confidence", "step")
_CLOCK = "a clock's confidence only falls with the step, on the same decisions"


def auroc2(decisions: pd.DataFrame, n_boot: int = 2000, seed: int = 0) -> pd.DataFrame:
    """Type-2 AUROC of each subject: the chance that a right decision carries more confidence than a wrong one.

        AUROC = (pairs with more confidence in the right one + ½ · pairs with equal confidence) / pairs

    over all pairs of a right and a wrong decision; 0.5 is no knowledge, 1 complete. "Stratified by step" takes only
    pairs made at the same step, so that no trend of confidence over the steps can carry it. Beside the subject stands
    a clock, whose confidence is minus the step on the same decisions: what of the AUROC is told by the step alone
    (stratified, a clock has 0.5). Wrong is also a try at a closed side.

    Parameters
    ----------
    decisions : DataFrame
        One row a decision, as `decisions_frame` makes it; decisions without a confidence are left out
    n_boot : bootstrap samples; each draws as many mazes as there are, with all their decisions
    seed : every subject's intervals start from it anew

    Returns
    -------
    Tidy rows (`Effect`), five a subject: quantity "AUROC" with contrast "", "clock" and "subject − clock", and
    quantity "AUROC within steps" with contrast "" and "clock". `n` counts decisions. Intervals are percentiles of the
    cluster bootstrap over mazes (95 %), NaN with fewer than 5 mazes. A subject with fewer than 30 wrong decisions is
    refused, as is the stratified AUROC where fewer than 30 wrong decisions meet a right one of their step.

    Right with 0.9 and 0.6, wrong with 0.6 and 0.5: pairs 1, 1, ½, 1 of 4, AUROC 0.875.

    Raises `InputError` for something that is no frame of decisions and n_boot below 1.
    """
    import pandas as pd

    if not isinstance(decisions, pd.DataFrame) or not set(_NEEDED) <= set(decisions.columns):
        raise InputError("decisions", type(decisions).__name__, "a table of decisions", "Use decisions_frame(results).")
    check_whole("n_boot", n_boot, 1)
    check_whole("seed", seed, 0)
    known = decisions[decisions["confidence"].notna()]
    effects: list[Effect] = []
    for (provider, model), everything in decisions.groupby(["provider", "model"], sort=True):
        own = known.loc[known.index.intersection(everything.index)]
        effects += _of_subject(f"{provider}/{model}", own, len(everything) - len(own), n_boot, seed)
    return tidy(effects)


def _of_subject(subject: str, own: pd.DataFrame, silent: int, n_boot: int, seed: int) -> list[Effect]:
    import numpy as np

    right = own["right"].to_numpy(dtype=bool)
    base: dict[str, Any] = {"analysis": "auroc2", "metric": "confidence", "subject": subject, "unit": "decisions"}
    base |= {"n": len(own), "n_mazes": own["maze_id"].nunique()}
    unsaid = f"{silent} decisions without a confidence are left out" if silent else ""
    errors = int((~right).sum())
    if errors < FEWEST_ERRORS or not right.any():
        few = f"{errors} wrong decisions with a confidence; {FEWEST_ERRORS} are needed"
        note = _joined(few if right.any() or errors < FEWEST_ERRORS else "no right decision", unsaid)
        return [
            refused(note, quantity=quantity, contrast=contrast, **base)
            for quantity, contrasts in (("AUROC", ("", "clock", DIFFERENCE)), (WITHIN, ("", "clock")))
            for contrast in contrasts
        ]
    mazes = np.unique(own["maze_id"].to_numpy(dtype=str), return_inverse=True)[1]
    step = own["step"].to_numpy(dtype=float)
    sure = own["confidence"].to_numpy(dtype=float)
    weights = maze_weights(int(mazes.max()) + 1, n_boot, seed)
    few = "" if base["n_mazes"] >= FEWEST_MAZES else f"no interval: fewer than {FEWEST_MAZES} mazes"
    effects = []
    for quantity, strata in (("AUROC", np.zeros(len(own))), (WITHIN, step)):
        matched = int(np.isin(step[~right], step[right]).sum()) if quantity == WITHIN else errors
        if matched < FEWEST_ERRORS:
            note = f"{matched} wrong decisions meet a right one of the same step; {FEWEST_ERRORS} are needed"
            effects += [refused(note, quantity=quantity, contrast=c, **base) for c in ("", "clock")]
            continue
        drawn = {name: _drawn(values, right, mazes, strata, weights) for name, values in (("", sure), ("clock", -step))}
        if quantity == "AUROC":
            drawn[DIFFERENCE] = drawn[""] - drawn["clock"]
        for contrast, values in drawn.items():
            low, high = percentiles(values[1:]) if not few else (math.nan, math.nan)
            note = _joined(few, unsaid if not contrast else "", _CLOCK if contrast == "clock" else "")
            shown = {"estimate": float(values[0]), "low": low, "high": high, "test": BOOTSTRAP, "note": note}
            effects.append(Effect(quantity=quantity, contrast=contrast, **base, **shown))
    return effects


WITHIN, DIFFERENCE = "AUROC within steps", "subject − clock"


def _drawn(
    values: np.ndarray, right: np.ndarray, mazes: np.ndarray, strata: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """AUROC under each row of `weights` (how often each maze counts): Σ w·w′·won pairs / Σ w·w′·pairs."""
    import numpy as np

    n = weights.shape[1]
    won, pairs = np.zeros((n, n)), np.zeros((n, n))
    for stratum in np.unique(strata):
        hit, miss = (np.flatnonzero(part & (strata == stratum)) for part in (right, ~right))
        hit = hit[np.argsort(mazes[hit], kind="stable")]
        if not (len(hit) and len(miss)):
            continue
        at, first = np.unique(mazes[hit], return_index=True)
        pairs += np.outer(np.bincount(mazes[hit], minlength=n), np.bincount(mazes[miss], minlength=n))
        for i in miss:
            better = (values[hit] > values[i]) + 0.5 * (values[hit] == values[i])
            won[at, mazes[i]] += np.add.reduceat(better, first)
    total = np.einsum("bi,ij,bj->b", weights, pairs, weights, optimize=True)
    with np.errstate(invalid="ignore"):
        return np.einsum("bi,ij,bj->b", weights, won, weights, optimize=True) / total


def maze_weights(n_mazes: int, n_boot: int, seed: int) -> np.ndarray:
    """(1 + n_boot, n_mazes) counts: first the data, each maze once, then samples of mazes with replacement."""
    import numpy as np

    drawn = np.random.default_rng(seed).multinomial(n_mazes, np.full(n_mazes, 1 / n_mazes), n_boot)
    return np.vstack([np.ones((1, n_mazes)), drawn])


def percentiles(values: np.ndarray) -> tuple[float, float]:
    """The percentile interval (95 %) of bootstrap values; NaN ones are left out."""
    import numpy as np

    values = values[~np.isnan(values)]
    if not len(values):
        return math.nan, math.nan
    low, high = np.percentile(values, [50 - 50 * LEVEL, 50 + 50 * LEVEL])
    return float(low), float(high)


def meta_d_table(frame: pd.DataFrame, bins: int = BINS, n_boot: int = 500, seed: int = 0) -> pd.DataFrame:
    """d′, c, meta-d′ and M-ratio of each subject, from its probes.

    Parameters
    ----------
    frame : DataFrame
        One row a trial, as `to_frame` makes it. Only probes with a readable judgement and a confidence enter;
        "signal" is a broken path, and c above 0 is reluctance to call a path broken
    bins : levels of confidence (`levels_of`); they are cut once, from all trials of the subject
    n_boot : bootstrap samples over mazes; each is a fit, some 5 ms
    seed : every subject's intervals start from it anew

    Returns
    -------
    Tidy rows (`Effect`), four a subject. Intervals are percentiles of the cluster bootstrap over mazes, NaN with fewer
    than 5 mazes; that of d′ is widened to `dprime`'s, since near the ceiling a bootstrap sees no errors to draw.
    meta-d′ and M-ratio are refused where a class (broken, whole) has fewer than 25 trials, where fewer than 10 answers
    are wrong (the padding would decide), where there is one level of confidence, and where d′ is near 0: the lower end
    of its interval is not above 0. M-ratio is a ratio and noisy: in simulations with M-ratio 1, d′ 1.5 and 4 levels its
    standard deviation is 0.49 with 50 trials, 0.35 with 100, 0.17 with 400.

    Raises `InputError` for something that is no frame of trials, bins below 2 or n_boot below 1.
    """
    import pandas as pd

    needed = ("provider", "model", "maze_id", "protocol", "probe_broken", "probe_said_valid", "probe_confidence")
    if not isinstance(frame, pd.DataFrame) or not set(needed) <= set(frame.columns):
        raise InputError("frame", type(frame).__name__, "a table of trials", "Make one with to_frame(results).")
    trials = frame[(frame["protocol"] == "probe") & frame["probe_broken"].notna()]
    read = trials[trials["probe_said_valid"].notna() & trials["probe_confidence"].notna()]
    choices = pd.DataFrame(
        {
            "provider": trials["provider"],
            "model": trials["model"],
            "maze_id": trials["maze_id"],
            "stimulus": read["probe_broken"].astype(int),
            "answer": 1 - read["probe_said_valid"].astype(int),
            "confidence": read["probe_confidence"].astype(float),
        }
    )
    return _two_choices("meta_d_table", choices, "trials", bins, n_boot, seed)


def junction_meta_d(
    results: Iterable[BenchmarkResult], bins: int = BINS, n_boot: int = 500, seed: int = 0
) -> pd.DataFrame:
    """d′, c, meta-d′ and M-ratio of each subject, from its choices at junctions with two ways on, the map in view.

    Only protocol "single" shows the map. Of the decisions of a result those enter whose cell has exactly two open
    directions besides the way back to the start, that chose one of the two and state a confidence. "Signal" is that
    the right way is the second of the two in the order N, E, S, W; c above 0 is a bias to the first. Parameters,
    refusals and rows are those of `meta_d_table`; `n` counts decisions.

    A walk's decisions are not independent and confidence falls with the step in many subjects: see `auroc2` for both.

    Raises `InputError` for what is no list of results.
    """
    import pandas as pd

    columns = ["provider", "model", "maze_id", "stimulus", "answer", "confidence"]
    rows = [row for result in listed(results) for row in _two_way(result)]
    return _two_choices("junction_meta_d", pd.DataFrame(rows, columns=columns), "decisions", bins, n_boot, seed)


def _two_way(result: BenchmarkResult) -> list[list[Any]]:
    """The choices of a result that have two ways on; see `junction_meta_d`."""
    if not result.maze or not result.decisions or result.config is None or result.config.protocol != "single":
        return []
    maze = MazeEngine.from_dict(result.maze)
    path = maze.solution
    rows = []
    for decision in result.decisions:
        cell, right = tuple(decision["cell"]), maze.onward(tuple(decision["cell"]))
        ways = maze.open_directions(cell)
        if cell != maze.start:
            back = path[path.index(cell) - 1]
            ways = tuple(way for way in ways if (cell[0] + STEP[way][0], cell[1] + STEP[way][1]) != back)
        if len(ways) == 2 and decision["choice"] in ways:
            sure = decision["confidence"]
            answers = [ways.index(right), ways.index(decision["choice"]), math.nan if sure is None else sure]
            rows.append([result.provider, result.model, result.maze_id, *answers])
    return rows


def _two_choices(analysis: str, choices: pd.DataFrame, unit: str, bins: int, n_boot: int, seed: int) -> pd.DataFrame:
    check_whole("bins", bins, 2)
    check_whole("n_boot", n_boot, 1)
    check_whole("seed", seed, 0)
    effects: list[Effect] = []
    for (provider, model), everything in choices.groupby(["provider", "model"], sort=True):
        own = everything.dropna(subset=["stimulus", "answer", "confidence"])
        base: dict[str, Any] = {"analysis": analysis, "subject": f"{provider}/{model}", "unit": unit}
        base |= {"n": len(own), "n_mazes": own["maze_id"].nunique()}
        unread = len(everything) - len(own)
        left_out = f"{unread} without a readable choice or a confidence are left out" if unread else ""
        effects += _signal_rows(base, own, left_out, bins, n_boot, seed)
    return tidy(effects)


_QUANTITIES = ("d′", "c", "meta-d′", "M-ratio")


def _signal_rows(
    base: dict[str, Any], own: pd.DataFrame, left_out: str, bins: int, n_boot: int, seed: int
) -> list[Effect]:
    import numpy as np

    stimulus, answer = (own[name].to_numpy(dtype=int) for name in ("stimulus", "answer"))
    right = [int(((stimulus == s) & (answer == a)).sum()) for s, a in ((1, 1), (1, 0), (0, 1), (0, 0))]
    found = dprime(*right)
    if math.isnan(found.d):
        return [refused(_joined(found.note, left_out), quantity=q, **base) for q in _QUANTITIES]
    level = levels_of(own["confidence"].to_numpy(dtype=float), bins)
    levels = int(level.max()) + 1
    mazes = np.unique(own["maze_id"].to_numpy(dtype=str), return_inverse=True)[1]
    n_mazes = int(mazes.max()) + 1
    # One level is doubled with an empty one, which leaves d′ and c as they are.
    counts = np.stack([
        counts_of(stimulus[mazes == m], answer[mazes == m], level[mazes == m], max(2, levels)) for m in range(n_mazes)
    ])  # fmt: skip
    weights = maze_weights(n_mazes, n_boot if n_mazes >= FEWEST_MAZES else 0, seed)
    tables = np.einsum("bm,mij->bij", weights, counts)
    first = np.array([_type1(table) for table in tables])
    ends = [percentiles(first[1:, k]) for k in (0, 1)]
    if n_mazes >= FEWEST_MAZES:
        ends[0] = (min(ends[0][0], found.d_low), max(ends[0][1], found.d_high))
    few = "" if n_mazes >= FEWEST_MAZES else f"no interval: fewer than {FEWEST_MAZES} mazes"
    why = _why_not(found, int((stimulus != answer).sum()), levels, found.d_low if few else ends[0][0])
    values: list[tuple[float, float, float]] = [(found.d, *ends[0]), (found.c, *ends[1])]
    lost = 0
    if not why:
        fits = [fit_meta_d(*table) for table in tables if table.sum(axis=1).all()]
        lost = len(tables) - len(fits)
        for name in ("meta_d", "m_ratio"):
            values.append((getattr(fits[0], name), *percentiles(np.array([_of(fit, name) for fit in fits[1:]]))))
    dropped = f"{lost} bootstrap samples lacked a class" if lost else ""
    effects = []
    for quantity, (estimate, low, high) in zip(_QUANTITIES, values, strict=False):
        note = _joined(
            found.note if quantity in ("d′", "c") else f"{levels} levels of confidence", few, left_out, dropped
        )
        known = {"estimate": estimate, "low": low, "high": high, "test": BOOTSTRAP, "note": note}
        effects.append(Effect(quantity=quantity, **base, **known))
    return effects + [refused(_joined(why, left_out), quantity=q, **base) for q in _QUANTITIES[len(effects) :]]


def _why_not(found: Detection, wrong: int, levels: int, lowest: float) -> str:
    """Why there is no meta-d′, "" where there is one."""
    fewest = min(found.n_signal, found.n_noise)
    if fewest < FEWEST_TRIALS:
        return f"{fewest} trials in one class; {FEWEST_TRIALS} are needed"
    if wrong < FEWEST_WRONG:
        return f"{wrong} wrong answers; {FEWEST_WRONG} are needed"
    if levels < 2:
        return "one level of confidence only"
    return "" if lowest > 0 else f"d′ is near 0 or below: its interval begins at {lowest:.2f}"


def _of(fit: MetaD, name: str) -> float:
    return float(getattr(fit, name))


def _type1(table: np.ndarray) -> tuple[float, float]:
    """d′ and c of a table of counts; NaN where a class is empty."""
    half = table.shape[1] // 2
    (rejections, alarms), (misses, hits) = ((int(row[:half].sum()), int(row[half:].sum())) for row in table)
    found = dprime(hits, misses, alarms, rejections)
    return found.d, found.c


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)
