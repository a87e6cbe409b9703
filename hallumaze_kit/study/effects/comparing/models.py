"""Regressions whose rows come in clusters (mazes): standard errors that hold with few clusters."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

BOUNDARY = 1e-6
"""A variance of mazes below this share of the residual variance is on the boundary: nothing stands on the fit then."""


class Fit(NamedTuple):
    """An estimate with standard error and degrees of freedom; NaN and a note where there is none."""

    estimate: float
    error: float
    df: float
    note: str = ""


def least_squares(x: np.ndarray, y: np.ndarray, clusters: np.ndarray, term: int) -> Fit:
    """Coefficient `term` of ordinary least squares with the cluster-robust standard error CR2.

    Residuals of each cluster are multiplied by (I − H)^(−½) of that cluster before the sandwich is made, which makes
    it unbiased when errors are independent and alike; the degrees of freedom are Satterthwaite's under the same
    assumption (Bell & McCaffrey 2002; Pustejovsky & Tipton 2018). With one row a cluster this is HC2, and for two
    groups Welch's standard error.

    Parameters: x (n, p) design, y (n,) outcome, clusters (n,) whole numbers, term: column of x.
    """
    import numpy as np

    inverse = np.linalg.pinv(x.T @ x)
    residuals = y - x @ (inverse @ (x.T @ y))
    direction = inverse[:, term]
    weights = np.zeros((clusters.max() + 1, len(y)))
    variance = 0.0
    for cluster in range(len(weights)):
        rows = np.flatnonzero(clusters == cluster)
        mine = x[rows]
        values, vectors = np.linalg.eigh(np.eye(len(rows)) - mine @ inverse @ mine.T)
        roots = np.where(values > 1e-10, 1 / np.sqrt(np.maximum(values, 1e-10)), 0.0)
        adjusted = (vectors * roots) @ (vectors.T @ (mine @ direction))
        variance += float(adjusted @ residuals[rows]) ** 2
        weights[cluster] = -x @ (inverse @ (mine.T @ adjusted))
        weights[cluster, rows] += adjusted
    gram = weights @ weights.T
    df = float(np.trace(gram) ** 2 / (gram**2).sum())
    return Fit(float(direction @ (x.T @ y)), math.sqrt(variance), df)


def log_odds(x: np.ndarray, y: np.ndarray, clusters: np.ndarray, term: int) -> Fit:
    """Coefficient `term` of a logistic regression for the mean (GEE, independent working correlation).

    The standard error is the bias-reduced sandwich of Mancl & DeRouen (2001), the degrees of freedom clusters − p:
    with few clusters the plain sandwich with the normal distribution rejects too often.

    Parameters: x (n, p), y (n,) values from 0 to 1 (outcomes, or shares of trials), clusters (n,), term.
    NaN with a note where the groups are separated: an odds ratio is then 0 or infinite.
    """
    import numpy as np
    import statsmodels.api as sm

    order = np.argsort(clusters, kind="stable")
    n_clusters = len(np.unique(clusters))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = sm.GEE(y[order], x[order], groups=clusters[order], family=sm.families.Binomial())
            fitted = model.fit(cov_type="bias_reduced")
        except (ValueError, np.linalg.LinAlgError):
            return Fit(math.nan, math.nan, math.nan, "the logistic regression could not be fitted")
    estimate, error = float(fitted.params[term]), float(fitted.bse[term])
    if not np.isfinite([estimate, error]).all() or not error or np.abs(model.exog @ fitted.params).max() > 15:
        return Fit(math.nan, math.nan, math.nan, "the outcome is separated: the odds ratio is 0 or infinite")
    return Fit(estimate, error, n_clusters - x.shape[1])


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
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fitted = MixedLM(y, x, groups=groups).fit(reml=True)
            variance = float(fitted.cov_re[0, 0])
            estimate, error = float(fitted.fe_params[term]), float(fitted.bse_fe[term])
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
