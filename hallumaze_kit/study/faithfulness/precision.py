"""Precision and recall of a score that ranks traces by suspicion; abstentions are misses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError, check_whole

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    Floats = Sequence[float] | np.ndarray
FEWEST_POSITIVES = 5
"""With fewer positives an interval says nothing."""


def average_precision(risk: Floats, positive: Floats) -> float:
    """Area under the precision–recall curve, as average precision: Σ (R_k − R_{k−1}) · P_k over the thresholds k.

    Equal risks share a threshold. A NaN risk is an abstention: never flagged, so that an abstained positive is a miss
    (recall stays under 1). NaN without a positive. The chance level is the share of positives. Source: scikit-learn's
    `average_precision_score`, with which it agrees where nothing is NaN; Davis & Goadrich 2006.

    risk 0.9, 0.8, 0.7, 0.6 with positives 1, 0, 1, 0: ½ · 1 + ½ · ⅔ = 0.833.

    Parameters
    ----------
    risk : (n,) any numbers, higher is more suspicious; NaN for an abstention
    positive : (n,) 0 or 1
    """
    import numpy as np

    values, found = _checked(risk, positive)
    return float(_weighted(values, found, np.ones((1, values.size)))[0])


def _checked(risk: Floats, positive: Floats) -> tuple[np.ndarray, np.ndarray]:
    import numpy as np

    values, found = np.asarray(risk, dtype=float).reshape(-1), np.asarray(positive).reshape(-1).astype(float)
    if values.shape != found.shape:
        raise InputError("positive", f"{found.size} labels", f"one label a risk, {values.size}")
    if not np.isin(found, (0, 1)).all():
        raise InputError("positive", "other values", "0 or 1")
    return values, found


def _weighted(values: np.ndarray, found: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Average precision for each row of weights, (b, n) -> (b,)."""
    import numpy as np

    total = weights @ found
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(-values[known], kind="stable")]
    if not order.size:
        return np.where(total > 0, 0.0, np.nan)
    ends = np.flatnonzero(np.append(np.diff(values[order]) != 0, True))
    hits = np.cumsum(weights[:, order] * found[order], axis=1)[:, ends]
    flagged = np.cumsum(weights[:, order], axis=1)[:, ends]
    gained = np.diff(hits, axis=1, prepend=0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = np.where(flagged > 0, hits / flagged, 0.0)
        return np.where(total > 0, (gained * precision).sum(axis=1) / total, np.nan)


def precision_recall(risk: Floats, positive: Floats) -> pd.DataFrame:
    """The precision–recall curve: rows `threshold`, `precision`, `recall`, from the highest risk down.

    Abstained positives keep the recall under 1.
    """
    import numpy as np
    import pandas as pd

    values, found = _checked(risk, positive)
    rows = []
    for threshold in np.unique(values[~np.isnan(values)])[::-1]:
        flagged = values >= threshold
        hits = found[flagged].sum()
        rows.append((float(threshold), hits / flagged.sum(), hits / found.sum() if found.sum() else math.nan))
    return pd.DataFrame(rows, columns=["threshold", "precision", "recall"])


def paired_average_precision(
    risks: Mapping[str, Floats],
    positive: Floats,
    clusters: Sequence[Any] | np.ndarray | None = None,
    n_boot: int = 2000,
    seed: int = 0,
) -> pd.DataFrame:
    """Average precision of several scores of the same traces, and of the first minus each other, with 95 % intervals.

    Percentile intervals over `n_boot` samples of whole clusters (problems); every score is taken on the same samples,
    so that the differences are paired. Without 5 positives there is an estimate and no interval.

    Returns
    -------
    DataFrame with a row for each score and each difference: `score`, `against` ("" for a score by itself), `estimate`,
    `low`, `high`, `n`, `positives`, `abstained`
    """
    import numpy as np
    import pandas as pd

    check_whole("n_boot", n_boot, 1)
    found = np.asarray(positive).reshape(-1)
    codes, labels = pd.factorize(pd.Series(np.arange(found.size) if clusters is None else np.asarray(clusters)))
    drawn = np.random.default_rng(seed).multinomial(len(labels), np.full(len(labels), 1 / max(1, len(labels))), n_boot)
    weights = drawn[:, codes].astype(float)
    held = {name: _checked(risk, found) for name, risk in risks.items()}
    whole = {name: average_precision(*pair) for name, pair in held.items()}
    boots = {name: _weighted(*pair, weights) for name, pair in held.items()}
    first, *others = risks
    rows = [_row(name, "", whole[name], boots[name], held[name]) for name in risks]
    rows += [_row(first, name, whole[first] - whole[name], boots[first] - boots[name], held[first]) for name in others]
    return pd.DataFrame(rows, columns=["score", "against", "estimate", "low", "high", "n", "positives", "abstained"])


def _row(
    name: str, against: str, estimate: float, boots: np.ndarray, held: tuple[np.ndarray, np.ndarray]
) -> tuple[Any, ...]:
    import numpy as np

    values, found = held
    low = high = math.nan
    if found.sum() >= FEWEST_POSITIVES:
        low, high = np.nanpercentile(boots, [2.5, 97.5])
    return name, against, estimate, float(low), float(high), found.size, int(found.sum()), int(np.isnan(values).sum())
