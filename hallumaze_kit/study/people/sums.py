"""κ and correlation from sums over mazes, so that leaving a maze out is a subtraction."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hallumaze_kit.study.effects.jackknife import interval

if TYPE_CHECKING:
    import numpy as np


def sums_of(p: np.ndarray, q: np.ndarray, known: np.ndarray | None = None) -> np.ndarray:
    """(…, 6): 1, p, q, pq, p², q² of each item with the rates p and q; 0 where an item is not `known`."""
    import numpy as np

    out = np.stack([np.ones_like(p), p, q, p * q, p * p, q * q], axis=-1)
    return out if known is None else np.where(known[..., None], out, 0.0)


def by_maze(values: np.ndarray, mazes: np.ndarray) -> np.ndarray:
    """(items, …) summed within mazes: (mazes, …)."""
    import numpy as np

    out = np.zeros((int(mazes.max()) + 1, *values.shape[1:]))
    np.add.at(out, mazes, values)
    return out


def kappas(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """c_obs, c_exp and κ (see `error_consistency`) from (…, 6) sums; κ is NaN where a rate is 0 or 1 throughout."""
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        p, q, both = (sums[..., k] / sums[..., 0] for k in (1, 2, 3))
        observed, expected = 1 - p - q + 2 * both, p * q + (1 - p) * (1 - q)
        constant = (np.minimum(p, 1 - p) < 1e-12) | (np.minimum(q, 1 - q) < 1e-12)
        return observed, expected, np.where(constant, math.nan, (observed - expected) / (1 - expected))


def correlations(sums: np.ndarray) -> np.ndarray:
    """Pearson's r from (…, 6) sums; NaN where one of the two does not vary."""
    import numpy as np

    with np.errstate(invalid="ignore", divide="ignore"):
        p, q, both, pp, qq = (sums[..., k] / sums[..., 0] for k in (1, 2, 3, 4, 5))
        flat = np.minimum(pp - p * p, qq - q * q) < 1e-12
        return (both - p * q) / np.sqrt(np.where(flat, math.nan, (pp - p * p) * (qq - q * q)))


def mean_of_defined(values: np.ndarray) -> np.ndarray:
    """Mean over the last axis of what is not NaN; NaN where nothing is."""
    import numpy as np

    known = ~np.isnan(values)
    total = np.where(known, values, 0.0).sum(axis=-1)
    return np.divide(total, known.sum(axis=-1), out=np.full(total.shape, math.nan), where=known.any(axis=-1))


def told(values: np.ndarray, few: str, *notes: str) -> dict[str, Any]:
    """Estimate, interval and note of values[0]; the others leave one maze out each. `few` says why no interval."""
    estimate = float(values[0])
    low, high = (math.nan, math.nan) if few else interval(values)
    shaky = "no interval: undefined without one of the mazes" if not few and estimate == estimate and low != low else ""
    return {"estimate": estimate, "low": low, "high": high, "note": joined(*notes, few, shaky)}


def joined(*notes: str) -> str:
    """The notes that say something, one after the other."""
    return "; ".join(note for note in notes if note)
