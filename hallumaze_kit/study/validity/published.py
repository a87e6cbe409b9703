"""A table of the published kind, and what "below a random walk" rests on."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hallumaze_kit.errors import InputError, check_choice, check_whole
from hallumaze_kit.records import METRICS
from hallumaze_kit.study.effects.rows import LEVEL, Effect, adjusted, refused, tidy
from hallumaze_kit.study.tables import cluster_interval

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

AGAINST = 0.9
"""The public random walk's MEI: what anybody gets who leaves a maze without a hallucination, and MEI's highest."""
ROUNDING = 5e-5
"""Published values have four decimals."""


def published_table(
    frame: pd.DataFrame,
    metric: str = "mei",
    against: float = AGAINST,
    control: str = "random_walk",
    n_boot: int = 2000,
    seed: int = 0,
) -> pd.DataFrame:
    """Means, tests and effect sizes of the published kind, with what they rest on.

    Rows of `Effect`, five a subject (`subject`), each with its `quantity`:

    - "mean", with a 95 % bootstrap interval over mazes (NaN with fewer than 5);
    - "trials below", the number of scored trials whose value is not `against` but below it (`n` is all of them);
    - "difference from 0.9": mean of value − `against`, with Wilcoxon's signed-rank test of the differences that are not
      0 (exact without ties up to 50, by all permutations with ties up to 13, else by the normal approximation);
      `p_adjusted` is Holm's over these rows;
    - "forced p": where no trial lies above `against`, the two-sided p that k trials below it give however little below,
      2/2ᵏ. MEI cannot pass 0.9, so a test against 0.9 can only say that not every trial was
      without fault: from six such trials on it is "significant";
    - "Glass's δ": (mean − mean of the control)/standard deviation of the control (n − 1); refused where the control
      does not vary, as a random walk that always gets out does not: 0.9 each time.

    Parameters
    ----------
    frame : one row a trial, as `to_frame` makes it, of published trial lists (`read_results`) or of the kit's own
    metric : a measure of `METRICS`
    against : what the trials are tested against
    control : name (`model`) of the subject whose spread Glass's δ takes; it may be absent

    Values 0.8, 0.7, 0.6, 0.5, 0.4, 0.3 against 0.9: W = 0, p = 2/2⁶ = 0.03125 (R: `wilcox.test(x, mu = 0.9)`).

    Raises `InputError` for a frame that has no trials of this measure.
    """
    import numpy as np
    import pandas as pd

    check_choice("metric", metric, METRICS)
    check_whole("n_boot", n_boot, 1)
    if not isinstance(frame, pd.DataFrame) or metric not in frame.columns or frame[metric].notna().sum() == 0:
        raise InputError("frame", type(frame).__name__, f"a table of trials with {metric!r}", "See read_results.")
    spread = frame.loc[frame["model"] == control, metric].dropna().to_numpy(float)
    rows = []
    for (provider, model), trials in frame.groupby(["provider", "model"], sort=True):
        values = trials[metric].astype(float)
        scored = trials[values.notna()]
        values = values.dropna().to_numpy()
        common = {"analysis": "published_table", "metric": metric, "subject": f"{provider}/{model}".strip("/")}
        mazes = _mazes(scored)
        common |= {"n": len(values), "n_mazes": len(set(mazes))}
        if not len(values):
            rows.append(refused("no trial could be scored", quantity="mean", **common))
            continue
        low, high = cluster_interval(values, mazes, n_boot, seed)
        mean = Effect(
            quantity="mean", estimate=values.mean(), low=low, high=high, test="bootstrap over mazes", **common
        )
        gaps = np.where(np.abs(values - against) < ROUNDING, 0.0, (values - against).round(9))
        rows += [mean, *_against(gaps, against, common), _glass(values, spread, control, n_boot, seed, common)]
    table = tidy(rows)
    tested = table["quantity"] == f"difference from {against:g}"
    table.loc[tested, "p_adjusted"] = adjusted(table[tested])["p_adjusted"]
    return table


def _mazes(trials: pd.DataFrame) -> list[str]:
    """What tells mazes apart: their id, or size and seed where a file names no more."""
    named = zip(trials["maze_id"], trials["maze_size"], trials["seed"], strict=True)
    return [maze if isinstance(maze, str) and maze else f"{size}/{seed}" for maze, size, seed in named]


def _against(gaps: np.ndarray, against: float, common: dict) -> list[Effect]:
    below, above = int((gaps < 0).sum()), int((gaps > 0).sum())
    rows = [Effect(quantity="trials below", estimate=below, note=f"{above} above", **common)]
    quantity = f"difference from {against:g}"
    if below + above == 0:
        rows.append(refused("every trial has this value", quantity=quantity, **common | {"estimate": 0.0}))
        rows.append(refused("no trial is below", quantity="forced p", **common))
        return rows
    statistic, p, how = signed_rank(gaps)
    rows.append(
        Effect(
            quantity=quantity,
            estimate=float(gaps.mean()),
            statistic=statistic,
            p=p,
            test=f"Wilcoxon signed-rank, {how}, {below + above} differences",
            **common,
        )
    )
    if above:
        rows.append(refused("trials lie above, too: nothing is forced", quantity="forced p", **common))
    else:
        note = "no trial can lie above" if against >= AGAINST and common["metric"] == "mei" else "no trial lies above"
        rows.append(
            Effect(quantity="forced p", estimate=2.0 ** (1 - below), test="2/2^(trials below)", note=note, **common)
        )
    return rows


def signed_rank(gaps: np.ndarray) -> tuple[float, float, str]:
    """Wilcoxon's signed-rank statistic, two-sided p, and how p was found; differences of 0 are left out."""
    import numpy as np
    from scipy.stats import wilcoxon

    gaps = gaps[gaps != 0]
    ties = len(np.unique(np.abs(gaps))) < len(gaps)
    how = "exact" if len(gaps) <= 50 and not ties else "all permutations" if len(gaps) <= 13 else "normal approximation"
    found = wilcoxon(gaps)
    return float(found.statistic), float(found.pvalue), how


def glass_delta(values: np.ndarray, control: np.ndarray) -> float:
    """Glass's δ = (mean of values − mean of control)/standard deviation of the control, n − 1 (Glass 1976).

    2, 2, 2 against 3, 5, 7: (2 − 5)/2 = −1.5. NaN where the control has fewer than two values or does not vary.
    """
    import numpy as np

    if len(control) < 2 or np.ptp(control) < 1e-9:
        return math.nan
    return float((np.mean(values) - np.mean(control)) / np.std(control, ddof=1))


def _glass(values: np.ndarray, control: np.ndarray, name: str, n_boot: int, seed: int, common: dict) -> Effect:
    import numpy as np

    about = common | {"quantity": "Glass's δ", "contrast": f"against {name}"}
    if not len(control):
        return refused(f"there are no trials of {name}", **about)
    delta = glass_delta(values, control)
    if math.isnan(delta):
        every = f"each of its {len(control)} trials has {control[0]:.4g}"
        return refused(f"{name} does not vary ({every}): a difference cannot be told in its deviations", **about)
    rng = np.random.default_rng(seed)
    drawn = [glass_delta(rng.choice(values, len(values)), rng.choice(control, len(control))) for _ in range(n_boot)]
    low, high = np.nanpercentile(drawn, [50 - 50 * LEVEL, 50 + 50 * LEVEL])
    return Effect(estimate=delta, low=float(low), high=float(high), test="bootstrap over trials of both", **about)
