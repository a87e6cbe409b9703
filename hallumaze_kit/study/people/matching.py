"""Subjects that know the geometry of a place and nothing else: what error consistency they would show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

PRIOR_SD, SECOND_SD = 2.0, 0.5
"""Standard deviation of the normal prior on standardised coefficients: finite where errors are separated or absent."""


class GeometrySubject:
    """One group's errors as the geometry of the places predicts them.

    A logistic regression of errors among answers on the standardised columns and their products two by two (squares
    too), with a normal prior (mean 0, standard deviation 2) on each coefficient but the intercept, at its mode.
    What does not vary is left out. A dependence on geometry that is sharper than this, a threshold, remains in the
    residuals and shows as consistency.

    Parameters
    ----------
    geometry : (items, columns)
    n, errors : (items,) answers, and wrong ones among them

    Attributes
    ----------
    rates : (items,) predicted error rates; Σ n·rates = Σ errors
    residuals : (items,) observed minus predicted rates
    """

    def __init__(self, geometry: np.ndarray, n: np.ndarray, errors: np.ndarray) -> None:
        import numpy as np
        from scipy.optimize import minimize
        from scipy.special import expit, log_expit

        geometry, self.n, errors = (np.asarray(part, dtype=float) for part in (geometry, n, errors))
        x = _standard(geometry)
        products = [x[:, i] * x[:, j] for i in range(x.shape[1]) for j in range(i, x.shape[1])]
        self.x = np.c_[np.ones(len(x)), x, _standard(np.array(products).T.reshape(len(x), -1))]
        weight = np.r_[0.0, np.full(x.shape[1], PRIOR_SD**-2)]
        weight = np.r_[weight, np.full(self.x.shape[1] - len(weight), SECOND_SD**-2)]
        if errors.sum() in (0, self.n.sum()):
            self.rates = np.full(len(x), errors.sum() / self.n.sum())
            self.residuals, self._step, self._pull = np.zeros(len(x)), None, None
            return

        def loss(b: np.ndarray) -> tuple[float, np.ndarray]:
            at = self.x @ b
            value = -(errors * log_expit(at) + (self.n - errors) * log_expit(-at)).sum() + (weight * b * b).sum() / 2
            return value, self.x.T @ (self.n * expit(at) - errors) + weight * b

        def curvature(b: np.ndarray) -> np.ndarray:
            rates = expit(self.x @ b)
            return self.x.T @ (self.x * (self.n * rates * (1 - rates))[:, None]) + np.diag(weight)

        start, options = np.zeros(len(weight)), {"gtol": 1e-8}
        found = minimize(loss, start, jac=True, hess=curvature, method="trust-exact", options=options).x
        self.rates = expit(self.x @ found)
        self.residuals = errors / self.n - self.rates
        self._spread = self.rates * (1 - self.rates)
        self._step = np.linalg.inv(curvature(found))
        self._pull = weight * found

    def draw(self, n_sim: int, rng: np.random.Generator) -> np.ndarray:
        """(n_sim, items) error rates of independent subjects with the same numbers of answers."""
        return rng.binomial(self.n.astype(int), self.rates, (n_sim, len(self.n))) / self.n

    def residuals_of(self, drawn: np.ndarray) -> np.ndarray:
        """(n_sim, items) residuals of drawn rates, each regression fitted again in one Newton step."""
        if self._step is None:
            return drawn - self.rates
        apart = drawn - self.rates
        moved = ((apart * self.n) @ self.x - self._pull) @ self._step
        return apart - (moved @ self.x.T) * self._spread


def _standard(columns: np.ndarray) -> np.ndarray:
    """The columns with mean 0 and standard deviation 1, without those that do not vary."""
    import numpy as np

    spread = columns.std(axis=0)
    kept = columns[:, spread > 1e-9 * (1 + np.abs(columns).max(axis=0, initial=0))]
    return (kept - kept.mean(axis=0)) / kept.std(axis=0)


def strata_of(columns: Sequence[np.ndarray], banded: np.ndarray) -> np.ndarray:
    """A number for each item, the same for items of equal columns and the same third of `banded`."""
    import numpy as np

    thirds = np.searchsorted(np.quantile(banded, [1 / 3, 2 / 3], method="inverted_cdf"), banded, side="left")
    rows = np.array([[str(value) for value in column] for column in (*columns, thirds)])
    return np.unique(rows, axis=1, return_inverse=True)[1].ravel()
