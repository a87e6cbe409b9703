"""Regressions whose rows come in clusters (mazes): standard errors that hold with few clusters."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

BOUNDARY = 1e-6
"""A variance of mazes below this share of the residual variance is on the boundary: nothing stands on the fit then."""


SEPARATED = 12
"""Log odds beyond which an outcome is taken as separated by the design."""


class Fit(NamedTuple):
    """An estimate with standard error and degrees of freedom; NaN and a note where there is none."""

    estimate: float
    error: float
    df: float
    note: str = ""


def least_squares(x: np.ndarray, y: np.ndarray, clusters: np.ndarray, term: int) -> Fit:
    """Coefficient `term` of ordinary least squares with a cluster-robust standard error (`robust`).

    With one row a cluster this is HC2, and for two groups Welch's standard error.

    Parameters: x (n, p) design, y (n,) outcome, clusters (n,) whole numbers, term: column of x.
    """
    import numpy as np

    beta = np.linalg.lstsq(x, y, rcond=None)[0]
    error, df = robust(x, y - x @ beta, clusters, term)
    return Fit(float(beta[term]), error, df)


def log_odds(x: np.ndarray, y: np.ndarray, clusters: np.ndarray, term: int) -> Fit:
    """Coefficient `term` of a logistic regression for the mean, with a cluster-robust standard error (`robust`).

    The estimate is that of a GEE with independent working correlation. Rows and residuals are weighted by the binomial
    standard deviation before the sandwich is made (the estimator of Kauermann & Carroll 2001), and the degrees of
    freedom are clusters − p (Li & Redden 2015). The plain sandwich with the normal distribution rejects too often with
    few clusters, that of Mancl & DeRouen too seldom.

    Parameters: x (n, p), y (n,) values from 0 to 1 (outcomes, or shares of trials), clusters (n,), term.
    NaN with a note where the groups are separated: an odds ratio is then 0 or infinite.
    """
    import numpy as np
    import statsmodels.api as sm

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = sm.GLM(y, x, family=sm.families.Binomial()).fit()
    if not fitted.converged or np.abs(x @ fitted.params).max() > SEPARATED:
        return Fit(math.nan, math.nan, math.nan, "the outcome is separated: the odds ratio is 0 or infinite")
    mean = fitted.fittedvalues
    weight = np.sqrt(mean * (1 - mean))
    error, _ = robust(x * weight[:, None], (y - mean) / weight, clusters, term)
    return Fit(float(fitted.params[term]), error, len(np.unique(clusters)) - x.shape[1])


def robust(x: np.ndarray, residuals: np.ndarray, clusters: np.ndarray, term: int) -> tuple[float, float]:
    """Standard error CR2 of coefficient `term`, and its degrees of freedom.

    The residuals of each cluster are multiplied by (I − H)^(−½) of that cluster before the sandwich is made, which
    makes it unbiased when errors are independent and alike; the degrees of freedom are Satterthwaite's under the same
    assumption (Bell & McCaffrey 2002; Pustejovsky & Tipton 2018).
    """
    import numpy as np

    inverse = np.linalg.pinv(x.T @ x)
    direction = inverse[:, term]
    names, clusters = np.unique(clusters, return_inverse=True)
    weights = np.zeros((len(names), len(residuals)))
    variance = 0.0
    for cluster in range(len(names)):
        rows = np.flatnonzero(clusters == cluster)
        mine = x[rows]
        values, vectors = np.linalg.eigh(np.eye(len(rows)) - mine @ inverse @ mine.T)
        roots = np.where(values > 1e-10, 1 / np.sqrt(np.maximum(values, 1e-10)), 0.0)
        adjusted = (vectors * roots) @ (vectors.T @ (mine @ direction))
        variance += float(adjusted @ residuals[rows]) ** 2
        weights[cluster] = -x @ (inverse @ (mine.T @ adjusted))
        weights[cluster, rows] += adjusted
    gram = weights @ weights.T
    return math.sqrt(variance), float(np.trace(gram) ** 2 / (gram**2).sum())


def random_intercept(x: np.ndarray, y: np.ndarray, groups: np.ndarray, term: int) -> Fit:
    """Coefficient `term` of a linear mixed model with a random intercept for each group, by REML.

    NaN with a note where the model is not defined: one group, one row a group, no convergence, a variance of groups on
    the boundary, or a sign that plain regression does not have (where it says so, by more than its standard error). No
    degrees of freedom: they belong to the design.
    """
    import numpy as np
    from statsmodels.regression.mixed_linear_model import MixedLM

    def no(why: str) -> Fit:
        return Fit(math.nan, math.nan, math.nan, why)

    sizes = np.unique(groups, return_counts=True)[1]
    if len(sizes) < 2:
        return no("only one group: no random effect")
    if sizes.max() < 2:
        return no("one row a group: no random effect")
    scale = float(y.std()) or 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fitted = MixedLM(y / scale, x, groups=groups).fit(reml=True, method=["bfgs"])
            variance = float(fitted.cov_re[0, 0])
            estimate, error = float(fitted.fe_params[term]) * scale, float(fitted.bse_fe[term]) * scale
        except (ValueError, np.linalg.LinAlgError):
            return no("the mixed model could not be fitted")
    if not fitted.converged or not np.isfinite([estimate, error]).all() or not error:
        return no("the mixed model did not converge")
    if variance <= BOUNDARY * float(fitted.scale):
        return no("the variance of mazes is at 0")
    plain = np.linalg.lstsq(x, y, rcond=None)[0][term]
    if estimate == 0.0 != plain or (estimate * plain < 0 and abs(plain - estimate) > error):
        return no("the mixed model contradicts plain regression")
    return Fit(estimate, error, math.nan)
