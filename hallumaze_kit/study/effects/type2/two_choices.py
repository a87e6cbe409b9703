"""d′, c, meta-d′ and M-ratio of tasks with two choices (specification, section 9).

They come from the probe, and from junctions with two ways on while the map is in view; nowhere else are they defined.
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
from hallumaze_kit.study.effects.jackknife import JACKKNIFE, interval, left_out
from hallumaze_kit.study.effects.rows import Effect, refused, tidy
from hallumaze_kit.study.effects.type2.meta_d import BINS, fit_meta_d, levels_of, places_of
from hallumaze_kit.study.tables import FEWEST_MAZES

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

FEWEST_TRIALS = 25
"""With fewer trials of a class (broken, whole) meta-d′ is refused."""
FEWEST_WRONG = 10
"""With fewer wrong answers meta-d′ is refused."""


def meta_d_table(frame: pd.DataFrame, bins: int = BINS) -> pd.DataFrame:
    """d′, c, meta-d′ and M-ratio of each subject, from its probes.

    Parameters
    ----------
    frame : DataFrame
        One row a trial, as `to_frame` makes it. Only probes with a readable judgement and a confidence enter;
        "signal" is a broken path, and c above 0 is reluctance to call a path broken
    bins : levels of confidence (`levels_of`); they are cut once, from all trials of the subject

    Returns
    -------
    Tidy rows (`Effect`), four a subject. Intervals (95 %) are clustered by maze: `jackknife` over mazes with t, each
    maze left out and the rest fitted again; in simulated studies of 400 probes 94 to 95 % of them held the true value.
    NaN with fewer than 5 mazes. That of d′ is widened to `dprime`'s, since
    near the ceiling there are no errors whose leaving out would show.

    meta-d′ and M-ratio are refused where a class (broken, whole) has fewer than 25 trials, where fewer than 10 answers
    are wrong (the padding would decide), where there is one level of confidence, and where d′ is near 0: the lower end
    of its interval is not above 0. M-ratio is a ratio and noisy: in simulations with M-ratio 1, d′ 1.5 and 4 levels its
    standard deviation is 0.49 with 50 trials, 0.35 with 100, 0.17 with 400.

    Raises `InputError` for something that is no frame of trials and bins below 2.
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
    return _two_choices("meta_d_table", choices, "trials", bins)


def junction_meta_d(results: Iterable[BenchmarkResult], bins: int = BINS) -> pd.DataFrame:
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
    return _two_choices("junction_meta_d", pd.DataFrame(rows, columns=columns), "decisions", bins)


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


def _two_choices(analysis: str, choices: pd.DataFrame, unit: str, bins: int) -> pd.DataFrame:
    check_whole("bins", bins, 2)
    effects: list[Effect] = []
    for (provider, model), everything in choices.groupby(["provider", "model"], sort=True):
        own = everything.dropna(subset=["stimulus", "answer", "confidence"])
        base: dict[str, Any] = {"analysis": analysis, "subject": f"{provider}/{model}", "unit": unit}
        base |= {"n": len(own), "n_mazes": own["maze_id"].astype(str).nunique()}
        unread = len(everything) - len(own)
        left = f"{unread} without a readable choice or a confidence are left out" if unread else ""
        effects += _signal_rows(base, own, left, bins)
    return tidy(effects)


def _signal_rows(base: dict[str, Any], own: pd.DataFrame, left: str, bins: int) -> list[Effect]:
    import numpy as np

    stimulus, answer = (own[name].to_numpy(dtype=int) for name in ("stimulus", "answer"))
    found = dprime(*(int(((stimulus == s) & (answer == a)).sum()) for s, a in ((1, 1), (1, 0), (0, 1), (0, 0))))
    if math.isnan(found.d):
        return [refused(_joined(found.note, left), quantity=q, **base) for q in _QUANTITIES]
    level = levels_of(own["confidence"].to_numpy(dtype=float), bins)
    levels, n_mazes = int(level.max()) + 1, base["n_mazes"]
    # A single level gets an empty one beside it, which leaves d′ and c as they are.
    shape = (n_mazes, 4 * max(2, levels))
    mazes = np.unique(own["maze_id"].to_numpy(dtype=str), return_inverse=True)[1]
    counts = np.zeros(shape)
    np.add.at(counts, (mazes, places_of(stimulus, answer, level, max(2, levels))), 1)
    enough = n_mazes >= FEWEST_MAZES
    weights = left_out(n_mazes) if enough else np.ones((1, n_mazes))
    tables, which = np.unique(weights @ counts, axis=0, return_inverse=True)  # most mazes leave one of a few tables
    which = which.ravel()
    few = "" if enough else f"no interval: fewer than {FEWEST_MAZES} mazes"
    type1 = np.array([_type1(table) for table in tables])[which]
    spans = [interval(type1[:, k]) for k in (0, 1)]
    if enough:
        spans[0] = (min(spans[0][0], found.d_low), max(spans[0][1], found.d_high))
    why = _why_not(found, int((stimulus != answer).sum()), levels, spans[0][0] if enough else found.d_low)
    values = [(found.d, *spans[0]), (found.c, *spans[1])]
    if not why:
        fits = [fit_meta_d(*table.reshape(2, -1)) for table in tables]
        for name in ("meta_d", "m_ratio"):
            fitted = np.array([getattr(fit, name) for fit in fits])[which]
            values.append((float(fitted[0]), *interval(fitted)))
    effects = []
    for quantity, (estimate, low, high) in zip(_QUANTITIES, values, strict=False):
        note = _joined(found.note if quantity in _QUANTITIES[:2] else f"{levels} levels of confidence", few, left)
        test = f"{JACKKNIFE}; no narrower than dprime's" if quantity == _QUANTITIES[0] else JACKKNIFE
        known = {"estimate": estimate, "low": low, "high": high, "test": test, "note": note}
        effects.append(Effect(quantity=quantity, **base, **known))
    return effects + [refused(_joined(why, left), quantity=q, **base) for q in _QUANTITIES[len(effects) :]]


_QUANTITIES = ("d′", "c", "meta-d′", "M-ratio")


def _why_not(found: Detection, wrong: int, levels: int, lowest: float) -> str:
    """Why there is no meta-d′, "" where there is one."""
    fewest = min(found.n_signal, found.n_noise)
    if fewest < FEWEST_TRIALS:
        return f"{fewest} trials in one class; {FEWEST_TRIALS} are needed"
    if wrong < FEWEST_WRONG:
        return f"{wrong} wrong answers; {FEWEST_WRONG} are needed"
    if levels < 2:
        return "one level of confidence only"
    if math.isnan(lowest):
        return "a class stands on one maze only"
    return "" if lowest > 0 else f"d′ is near 0 or below: its interval begins at {lowest:.2f}"


def _type1(table: np.ndarray) -> tuple[float, float]:
    """d′ and c of a table of counts, in one row; NaN where a class is empty."""
    rejections, alarms, misses, hits = (int(part.sum()) for part in table.reshape(4, -1))
    found = dprime(hits, misses, alarms, rejections)
    return found.d, found.c


def _joined(*notes: str) -> str:
    return "; ".join(note for note in notes if note)
