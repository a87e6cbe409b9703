"""Results as tables for people: a profile of measures with intervals, never one winner."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError, check_choice, check_whole
from hallumaze_kit.records import METRICS, BenchmarkResult
from hallumaze_kit.records.frames import listed
from hallumaze_kit.study.showing.style import KINDS

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from hallumaze_kit.maze import MazeEngine
    from hallumaze_kit.trial.replay import Move, Replay

PROFILE = (
    "sr", "hallucination_count", "detected", "recovery_rate", "lure_effect", "excess",
    "ce", "brs", "mei", "hallumaze_score",
)  # fmt: skip
"""The measures of `leaderboard` unless others are asked for."""
FEWEST_MAZES = 5
"""With fewer mazes a bootstrap over mazes says nothing; the interval is then NaN."""
LEVEL = 0.95
CONDITIONS = ("protocol", "view", "injection", "ariadne_group", "arm", "use_mirage", "placement")
"""Columns whose values change what a measure means."""
METRIC_NAMES = {
    "en": {
        "sr": "Solved (SR)", "hallucination_count": "Hallucinations (HC)", "first_hallucination_step": "First at (FHR)",
        "backtrack_count": "Turns back (BT)", "loop_count": "Loops named (LT)", "hrr": "HRR", "mei": "MEI",
        "ce": "Calibration error (CE)", "brs": "BRS", "hallumaze_score": "HalluMaze Score", "detected": "Detected",
        "recovery_rate": "Recovered", "recovery_lag": "Moves to recovery", "lure_rate": "Lures followed",
        "wrong_branch_rate": "Wrong branches", "lure_effect": "Lure effect", "false_alarms": "False alarms",
        "missed_dead_ends": "Dead ends missed", "moves": "Moves", "excess": "Moves / solution",
        "slips": "Slips", "reported_hallucinations": "Hall. reported", "reported_backtracks": "Turns back reported",
        "report_gap": "Report gap", "oce": "OCE", "uce": "UCE", "brier": "Brier", "ece": "ECE",
    },
    "ko": {
        "sr": "탈출 성공(SR)", "hallucination_count": "환각 횟수(HC)", "first_hallucination_step": "첫 환각(FHR)",
        "backtrack_count": "되돌아섬(BT)", "loop_count": "루프 감지(LT)", "hrr": "HRR", "mei": "MEI",
        "ce": "보정 오차(CE)", "brs": "BRS", "hallumaze_score": "HalluMaze Score", "detected": "환각 인지율",
        "recovery_rate": "환각 회복률", "recovery_lag": "회복까지 이동 수", "lure_rate": "유혹 추종률",
        "wrong_branch_rate": "틀린 갈래 비율", "lure_effect": "유혹 효과", "false_alarms": "거짓 선언 수",
        "missed_dead_ends": "놓친 막다른 길", "moves": "이동 수", "excess": "정답 대비 이동 수",
        "slips": "헛디딤 수", "reported_hallucinations": "보고한 환각", "reported_backtracks": "보고한 되돌아섬",
        "report_gap": "보고 차이", "oce": "OCE", "uce": "UCE", "brier": "Brier", "ece": "ECE",
    },
}  # fmt: skip
"""Short names of the measures, for headings."""


def kind_of(provider: str, subject_kind: str = "") -> str:
    """Who answered, as one of `KINDS`, from the record's `subject_kind` or else its `provider`."""
    return next((name for name in (subject_kind, provider) if name in KINDS), "real")


def leaderboard(
    frame: pd.DataFrame, metrics: Sequence[str] = PROFILE, n_boot: int = 2000, seed: int = 0
) -> pd.DataFrame:
    """One row a subject: the mean of each measure with a 95 % interval over mazes.

    There is no overall rank: the measures say different things and no sum of them is a finding. Rows
    stand by kind (real, human, synthetic, floor), then by name.

    Parameters
    ----------
    frame : DataFrame
        One row a trial, as `to_frame` makes it.
    metrics : names of measures (`hallumaze_kit.records.METRICS`)
    n_boot : int ≥ 1
        Bootstrap samples; each draws as many mazes as there are, with all their trials.
    seed : int ≥ 0
        Every interval starts from it anew, so none depends on what else is in the table.

    Returns
    -------
    DataFrame with columns `provider`, `model`, `kind`, `n_trials`, `n_mazes`; for each measure m its mean `m`, the
    interval `m_low`, `m_high`, and `m_n`, the number of trials that could be scored; and `note`, which says
    for what there is no interval. A measure that no trial has is NaN, and a trial without a hallucination has no first
    one (−1 in the frame), so it is left out of that mean. The note also says where a mean pools trials of several
    protocols or conditions, which mean different things. Nothing is rounded.

    Raises
    ------
    InputError
        For something that is no frame of trials, an unknown measure or n_boot below 1.
    """
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise InputError("frame", frame, "a table of trials", "Make one with to_frame(results).")
    for metric in metrics:
        check_choice("metrics", metric, METRICS)
    check_whole("n_boot", n_boot, 1)
    check_whole("seed", seed, 0)
    rows = []
    for (provider, model), trials in frame.groupby(["provider", "model"], sort=True):
        kind = kind_of(provider, trials["subject_kind"].iloc[0] or "")
        mazes = trials["maze_id"].where(trials["maze_id"].astype(bool))
        row: dict[str, Any] = {"provider": provider, "model": model, "kind": kind}
        row |= {"n_trials": len(trials), "n_mazes": mazes.nunique()}
        without = []
        for metric in metrics:
            values = trials[metric].astype(float)
            if metric == "first_hallucination_step":
                values = values.where(values >= 0)
            low, high = cluster_interval(values.to_numpy(), mazes.to_numpy(), n_boot, seed)
            row |= {metric: values.mean(), f"{metric}_low": low, f"{metric}_high": high, f"{metric}_n": values.count()}
            if values.count() and math.isnan(low):
                without.append(metric)
        notes = [f"no interval (fewer than {FEWEST_MAZES} mazes): {', '.join(without)}"] if without else []
        row["note"] = "; ".join([*notes, *pooled(trials)])
        rows.append(row)
    columns = ["provider", "model", "kind", "n_trials", "n_mazes"]
    columns += [f"{metric}{part}" for metric in metrics for part in ("", "_low", "_high", "_n")]
    table = pd.DataFrame(rows, columns=[*columns, "note"])
    return table.sort_values(["kind", "provider", "model"], key=_by_kind, kind="stable", ignore_index=True)


def pooled(trials: pd.DataFrame) -> list[str]:
    """What is to be said of a mean over trials of several conditions: "pools protocol (single, stepwise)"."""
    said = []
    for name in CONDITIONS:
        values = trials[name].dropna().unique() if name in trials.columns else ()
        if len(values) > 1:
            said.append(f"pools {name} ({', '.join(sorted(map(str, values)))})")
    return said


def cluster_interval(
    values: Sequence[float] | np.ndarray, clusters: Sequence[Any] | np.ndarray, n_boot: int = 2000, seed: int = 0
) -> tuple[float, float]:
    """Expanded percentile interval (95 %) of a mean whose values come in clusters.

    Each of `n_boot` samples draws whole clusters with replacement, as many as there are, and takes the mean of all
    their values: Σ sums / Σ counts over the drawn clusters; its limits are taken at `interval_ends`. NaN values,
    and values without a cluster (None, NaN), are left out. With fewer than 5 clusters the answer is (NaN, NaN): so
    few say nothing of others. Values that are all the same give an interval of width 0. Source: Davison & Hinkley
    1997, 2.4 and 3.8; Cameron, Gelbach & Miller 2008 for clusters.

    Parameters
    ----------
    values : (n,) floats
    clusters : (n,) labels, any values that can be told apart
    """
    import numpy as np
    import pandas as pd

    codes, labels = pd.factorize(pd.Series(clusters), sort=True)
    values = np.asarray(values, dtype=float)
    known = ~np.isnan(values) & (codes >= 0)
    counts = np.bincount(codes[known], minlength=len(labels))
    sums = np.bincount(codes[known], weights=values[known], minlength=len(labels))[counts > 0]
    counts = counts[counts > 0]
    if len(counts) < FEWEST_MAZES:
        return math.nan, math.nan
    drawn = np.random.default_rng(seed).integers(0, len(counts), (n_boot, len(counts)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, interval_ends(len(counts)))
    return float(low), float(high)


def interval_ends(n_clusters: int) -> tuple[float, float]:
    """At which shares of the bootstrap samples the limits of a 95 % interval are taken: (low, high).

    Φ(−√(n/(n − 1))·t) and its mirror, t the 97.5 % point of Student's t with n − 1 degrees of freedom, instead of 2.5 %
    and 97.5 %, which are too narrow with few clusters: with 30 plain percentiles of a mean cover some 92 % (Hesterberg
    2015, "expanded percentile interval"). For 30 clusters 1.9 % and 98.1 %; for 5 they are 0.1 % and 99.9 %.

    >>> [round(end, 4) for end in interval_ends(30)]
    [0.0188, 0.9812]
    """
    from scipy import stats

    reach = stats.t.ppf((1 + LEVEL) / 2, n_clusters - 1) * math.sqrt(n_clusters / (n_clusters - 1))
    return float(stats.norm.cdf(-reach)), float(stats.norm.cdf(reach))


def readable(table: pd.DataFrame, language: str = "en") -> pd.DataFrame:
    """A leaderboard with one cell a measure, rounded, for reading: "0.87 [0.73, 1.00]", "–" where nothing was scored.

    "(n=12)" stands behind a value that rests on fewer trials than the row has.
    """
    import pandas as pd

    check_choice("language", language, tuple(METRIC_NAMES))
    heads = {
        "en": ("subject", "kind", "trials", "mazes"),
        "ko": ("응답자", "종류", "시행", "미로"),
    }[language]
    kinds = KIND_NAMES[language]
    out = pd.DataFrame(
        {
            heads[0]: table["provider"] + "/" + table["model"],
            heads[1]: table["kind"].map(kinds),
            heads[2]: table["n_trials"],
            heads[3]: table["n_mazes"],
        }
    )
    for metric in measures(table):
        out[METRIC_NAMES[language].get(metric, metric)] = [_cell(row, metric) for _, row in table.iterrows()]
    return out


KIND_NAMES = {
    "en": {"real": "real", "human": "human", "synthetic": "synthetic", "floor": "floor"},
    "ko": {"real": "실제", "human": "사람", "synthetic": "합성", "floor": "하한 기준"},
}


def measures(table: pd.DataFrame) -> list[str]:
    """The measures that a leaderboard holds, in its order."""
    return [name.removesuffix("_n") for name in table.columns if name.endswith("_n")]


def _cell(row: pd.Series, metric: str) -> str:
    value, low, high, n = row[metric], row[f"{metric}_low"], row[f"{metric}_high"], row[f"{metric}_n"]
    if not n:
        return "–"
    span = "" if math.isnan(low) else f" [{low:.2f}, {high:.2f}]"
    return f"{value:.2f}{span}" + (f" (n={n})" if n < row["n_trials"] else "")


def _by_kind(column: pd.Series) -> pd.Series:
    return column.map(KINDS.index) if column.name == "kind" else column.str.lower()


def replayed(result: BenchmarkResult) -> Replay | None:
    """What happened in the trial of a result, from its answer, as corrected, and its maze.

    None without an answer that is scored, and for a probe, which is no walk.
    """
    from hallumaze_kit.maze import MazeEngine
    from hallumaze_kit.trial.correction import correct
    from hallumaze_kit.trial.hints import read_as
    from hallumaze_kit.trial.parsing import parse_answer
    from hallumaze_kit.trial.replay import replay
    from hallumaze_kit.trial.stepwise import Stepwise

    said = [message["content"] for message in result.messages if message["role"] == "assistant"]
    protocol = result.config.protocol if result.config else "single"
    if not said or not result.maze or result.outcome not in ("", "answered") or protocol == "probe":
        return None
    if protocol == "stepwise":
        game = Stepwise(MazeEngine.from_dict(result.maze), result.config)
        for reply in said:
            game.take(reply)
        return game.replay()
    trace = correct(parse_answer(said[-1]), result.corrections)
    config = read_as(result.config, result.key_events) if result.config else None
    return replay(MazeEngine.from_dict(result.maze), trace, config)


def moves_frame(maze: MazeEngine, moves: Sequence[Move]) -> pd.DataFrame:
    """A walk as a table, one row a move, each with the maze it was made on."""
    import pandas as pd

    rows = [
        {
            "size": maze.size, "seed": maze.seed, "maze_id": maze.maze_id, "move": number,
            "start_row": move.start[0], "start_col": move.start[1], "end_row": move.end[0], "end_col": move.end[1],
            "kind": move.kind, "retraced": move.retraced, "confidence": move.confidence,
        }
        for number, move in enumerate(moves, 1)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def confidence_around(results: Iterable[BenchmarkResult], reach: int = 5) -> pd.DataFrame:
    """Stated confidence before, at and after each hallucination of the walks.

    Parameters
    ----------
    results : results that hold the answer's text and its maze, as `score_answer` makes them; others have no rows
    reach : int ≥ 1
        Moves before and after.

    Returns
    -------
    DataFrame, one row for each hallucination and each move within reach of it that states a confidence: `provider`,
    `model`, `kind`, `maze_id`, `trial` (number of the result), `hallucination` (number of the illegal move),
    `offset` (−reach to reach, 0 the hallucination), `confidence` (0 to 1). A move near two
    hallucinations stands in both windows.
    """
    import pandas as pd

    check_whole("reach", reach, 1)
    rows = []
    for trial, result in enumerate(listed(results)):
        who = {
            "provider": result.provider,
            "model": result.model,
            "kind": kind_of(result.provider, result.subject_kind),
        }
        who |= {"maze_id": result.maze_id, "trial": trial}
        happened = replayed(result)
        for illegal in happened.hallucinations if happened else ():
            for offset in range(-reach, reach + 1):
                at = illegal + offset
                if 0 <= at < len(happened.moves) and happened.moves[at].confidence is not None:
                    near = {"hallucination": illegal + 1, "offset": offset, "confidence": happened.moves[at].confidence}
                    rows.append(who | near)
    columns = ["provider", "model", "kind", "maze_id", "trial", "hallucination", "offset", "confidence"]
    return pd.DataFrame(rows, columns=columns)


def confidence_curve(around: pd.DataFrame, n_boot: int = 2000, seed: int = 0) -> pd.DataFrame:
    """Mean confidence at each offset from a hallucination, by subject, with a 95 % interval over mazes.

    `around` is what `confidence_around` returned. Columns: `provider`, `model`, `kind`, `offset`, `confidence`
    (0 to 1), `low`, `high` (NaN with fewer than 5 mazes; see `cluster_interval`), `n` (confidences), `n_mazes`.
    """
    import pandas as pd

    rows = []
    for key, near in around.groupby(["provider", "model", "kind", "offset"], sort=True):
        values, mazes = near["confidence"], near["maze_id"]
        low, high = cluster_interval(values.to_numpy(), mazes.to_numpy(), n_boot, seed)
        rows.append([*key, values.mean(), low, high, len(values), mazes.nunique()])
    columns = ["provider", "model", "kind", "offset", "confidence", "low", "high", "n", "n_mazes"]
    return pd.DataFrame(rows, columns=columns)
