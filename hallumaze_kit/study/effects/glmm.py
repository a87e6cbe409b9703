"""Logistic model with crossed random intercepts, fitted by the Laplace approximation, as lme4's `glmer` does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

STEP = 1e-4
"""Step of the numeric derivatives; parameters are on the scale of log odds of standardised columns."""
ITERATIONS = 100


class CrossedFit(NamedTuple):
    """What was fitted.

    beta        (p,) log odds
    error       (p,) their standard errors, given the standard deviations below
    spread      (k,) standard deviation of each factor's random intercepts, in log odds
    deviance    −2 × Laplace log likelihood, without the binomial coefficients
    converged   whether the search ended well
    """

    beta: np.ndarray
    error: np.ndarray
    spread: np.ndarray
    deviance: float
    converged: bool


def crossed_logistic(
    x: np.ndarray, successes: np.ndarray, trials: np.ndarray, factors: Sequence[np.ndarray]
) -> CrossedFit:
    """Maximum likelihood of logit P(success) = xβ + Σ_f u_f, u_f ~ N(0, σ_f²) for each level of each factor f.

    The integral over u is replaced by Laplace's approximation at its mode (Bates, Mächler, Bolker & Walker 2015;
    lme4's `glmer` with nAGQ = 1): deviance(β, σ) = min_u [−2·log P(y | u) + |u|²] + log det(ΛZ'WZΛ + I), with
    random effects Λu. statsmodels has no such fit: the standard deviations of its variational
    `BinomialBayesMixedGLM` are so small that a true hypothesis is rejected in one of five studies, and its Laplace fit
    does not converge on designs of this size.

    Parameters
    ----------
    x : (n, p) design with full column rank
    successes, trials : (n,) counts
    factors : (n,) whole numbers from 0, one array a factor
    """
    import numpy as np
    from scipy import optimize

    scale = np.where(np.ptp(x, axis=0) > 0, x.std(axis=0), 1.0)
    model = _Laplace(x / scale, successes, trials, factors)
    k = len(factors)
    start = np.concatenate([np.full(k, 0.5), model.start()])
    bounds = [(0.0, None)] * k + [(None, None)] * x.shape[1]
    found = optimize.minimize(model.deviance, start, method="L-BFGS-B", jac=model.slope, bounds=bounds)
    spread, beta = found.x[:k], found.x[k:]
    error = np.sqrt(np.diag(model.covariance(spread, beta)))
    return CrossedFit(beta / scale, error / scale, spread, float(found.fun), bool(found.success))


class _Laplace:
    """The deviance of the model as a function of (σ, β); the mode of u is kept as the next start."""

    def __init__(self, x: np.ndarray, y: np.ndarray, n: np.ndarray, factors: Sequence[np.ndarray]) -> None:
        import numpy as np

        sizes = [int(codes.max()) + 1 for codes in factors]
        self.x, self.y, self.n = x, y.astype(float), n.astype(float)
        self.z = np.concatenate(
            [np.eye(size)[codes] for size, codes in zip(sizes, factors, strict=True)], axis=1
        )  # (n, Σ levels) indicators
        self.factor = np.repeat(np.arange(len(factors)), sizes)
        self.u = np.zeros(len(self.factor))

    def start(self) -> np.ndarray:
        """β of the model without random effects."""
        import numpy as np

        beta = np.zeros(self.x.shape[1])
        for _ in range(8):
            mean, weight = self._mean(self.x @ beta)
            step = np.linalg.lstsq((self.x.T * weight) @ self.x, self.x.T @ (self.y - mean), rcond=None)[0]
            beta = beta + np.clip(step, -2, 2)
        return beta

    def deviance(self, parameters: np.ndarray) -> float:
        import numpy as np

        k = self.factor.max() + 1
        penalised, factor = self._mode(parameters[:k], parameters[k:])
        return penalised + 2 * float(np.log(np.diag(factor[0])).sum())

    def slope(self, parameters: np.ndarray) -> np.ndarray:
        """Central differences; below σ = 0 the deviance goes on as its mirror image."""
        import numpy as np

        steps = np.eye(len(parameters)) * STEP
        return np.array([(self.deviance(parameters + s) - self.deviance(parameters - s)) / (2 * STEP) for s in steps])

    def covariance(self, spread: np.ndarray, beta: np.ndarray) -> np.ndarray:
        """Of β given σ: inverse of the Schur complement of the penalised information."""
        import numpy as np
        from scipy.linalg import cho_solve

        _, factor = self._mode(spread, beta)
        z = self.z * spread[self.factor]
        _, weight = self._mean(self.x @ beta + z @ self.u)
        cross = (z.T * weight) @ self.x
        return np.linalg.pinv((self.x.T * weight) @ self.x - cross.T @ cho_solve(factor, cross))

    def _mean(self, eta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        from scipy.special import expit

        share = expit(eta)
        return self.n * share, self.n * share * (1 - share)

    def _penalised(self, eta: np.ndarray, u: np.ndarray) -> float:
        import numpy as np

        return float(2 * (self.n @ np.logaddexp(0, eta) - self.y @ eta) + u @ u)

    def _mode(self, spread: np.ndarray, beta: np.ndarray) -> tuple[float, Any]:
        """Newton steps, halved where they do not descend, to the mode of u; its penalised deviance and Cholesky."""
        import numpy as np
        from scipy.linalg import cho_factor, cho_solve

        z = self.z * spread[self.factor]
        fixed = self.x @ beta
        u, value = self.u, self._penalised(fixed + z @ self.u, self.u)
        for _ in range(ITERATIONS):
            mean, weight = self._mean(fixed + z @ u)
            slope = z.T @ (self.y - mean) - u
            information = (z.T * weight) @ z + np.eye(len(u))
            factor = cho_factor(information)
            step = cho_solve(factor, slope)
            if not math.isfinite(value) or slope @ step < 1e-12:
                break
            size = 1.0
            while size > 1e-6 and (new := self._penalised(fixed + z @ (u + size * step), u + size * step)) > value:
                size /= 2
            if size <= 1e-6:
                break
            u, value = u + size * step, new
        self.u = u
        return value, factor
