"""Where the variance of a metric lies: subjects, mazes, their meeting, templates, runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hallumaze_kit.study.effects.comparing.blocks import checked, values_of
from hallumaze_kit.study.effects.comparing.effect_sizes import is_constant
from hallumaze_kit.study.effects.comparing.paired import NO_VARIATION
from hallumaze_kit.study.effects.rows import Effect, refused

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

RUN = "run (residual)"
NO_INTERVAL = "no interval: the levels are few"


def variance_components(frame: pd.DataFrame, metric: str) -> list[Effect]:
    """Variance of a metric between subjects, mazes, subject × maze, templates, and runs (what is left).

        y = μ + subject + maze + subject×maze + template + run, all random

    Moment estimates (Henderson's method 1; with every subject on every maze equally often they are those of the
    analysis of variance and of REML, as long as none is negative). For each component two rows: its variance, and its
    share of their sum, for which negative ones count as 0. A component with one level, or whose levels cannot be told
    from another's (subject × maze without repeated trials), is not in the model and is refused by name.

    Method 1 takes no fixed effects: give trials of one condition. Refused where nothing varies. Raises `InputError` for
    what is no frame of trials or an unknown metric.

    lme4's Penicillin data (24 plates as mazes, 6 samples as subjects): 0.717 plates, 3.731 samples, 0.302 left
    (`lmer(diameter ~ 1 + (1 | plate) + (1 | sample), Penicillin)`).
    """
    import numpy as np
    import pandas as pd

    checked(frame, metric)
    subject = frame["provider"].astype(str) + "/" + frame["model"].astype(str)
    values = values_of(frame, metric)
    kept = values.notna() & frame["maze_id"].astype(bool)
    y = values[kept].to_numpy(float)
    maze = frame["maze_id"][kept].astype(str)
    factors = {"subject": subject[kept], "maze": maze, "subject × maze": subject[kept] + " on " + maze}
    if "template" in frame.columns:
        factors["template"] = frame["template"][kept].astype(str)
    codes = {name: pd.factorize(labels)[0] for name, labels in factors.items()}
    known: dict[str, Any] = {"analysis": "variance_components", "metric": metric, "n": len(y)}
    known |= {"n_mazes": len(np.unique(codes["maze"])), "test": "moments (Henderson 1)"}
    if is_constant(y):
        return [refused(NO_VARIATION, quantity="variance", contrast=name, **known) for name in [*codes, RUN]]
    used, reasons = _usable(codes, len(y))
    components = dict(zip([*used, RUN], map(float, _moments(y, list(used.values()))), strict=True))
    total = sum(max(value, 0.0) for value in components.values())
    rows = []
    for name in [*codes, RUN]:
        if name in reasons:
            rows.append(refused(reasons[name], quantity="variance", contrast=name, **known))
            continue
        value = components[name]
        note = "estimated below 0: read it as 0" if value < 0 else NO_INTERVAL
        rows.append(Effect(quantity="variance", estimate=value, contrast=name, note=note, **known))
        rows.append(Effect(quantity="share", estimate=max(value, 0.0) / total, contrast=name, note=note, **known))
    return rows


def _usable(codes: dict[str, np.ndarray], n: int) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """The factors that the model can hold, and why the others are not in it."""
    used: dict[str, np.ndarray] = {}
    reasons = {}
    for name, labels in codes.items():
        levels = int(labels.max()) + 1
        if levels < 2:
            reasons[name] = "one level only"
        elif levels == n:
            reasons[name] = "every trial is a level of its own: in the residual"
        elif same := [other for other, found in used.items() if _nested(labels, found)]:
            reasons[name] = f"its levels are those of {same[0]}"
        else:
            used[name] = labels
    return used, reasons


def _nested(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two factors divide the trials in the same way."""
    import numpy as np

    pairs = len(np.unique(np.column_stack([one, other]), axis=0))
    return pairs == one.max() + 1 == other.max() + 1


def _moments(y: np.ndarray, factors: list[np.ndarray]) -> np.ndarray:
    """Variances of the factors and the residual: observed sums of squares set equal to their expected values.

    T_f = Σ over levels of f of (sum of y)²/(number), T₀ = (Σ y)²/N, T_e = Σ y². For factor h, E[T_f] holds σ_h² with
    Σ over levels a of f of Σ over levels l of h of n_al²/n_a.
    """
    import numpy as np

    n = len(y)
    y = y - y.mean()
    groupings = [np.zeros(n, int), *factors, np.arange(n)]  # mean, factors, residual
    totals = [float((np.bincount(g, weights=y) ** 2 / np.bincount(g)).sum()) for g in groupings]
    coefficients = np.array([[_overlap(g, h) for h in groupings[1:]] for g in groupings])
    return np.linalg.solve(coefficients[1:] - coefficients[0], np.subtract(totals[1:], totals[0]))


def _overlap(grouping: np.ndarray, factor: np.ndarray) -> float:
    import numpy as np

    cells, counts = np.unique(np.column_stack([grouping, factor]), axis=0, return_counts=True)
    return float((counts**2 / np.bincount(grouping)[cells[:, 0]]).sum())
