"""Decisions: what makes a choice at a junction right, with subjects and mazes as crossed random effects."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError
from hallumaze_kit.records.atomic import as_path, write_whole
from hallumaze_kit.study.effects.comparing.models import log_odds
from hallumaze_kit.study.effects.comparing.paired import FEW, NO_VARIATION, NOT_ZERO_ONE, wald
from hallumaze_kit.study.effects.glmm import crossed_logistic
from hallumaze_kit.study.effects.rows import Effect, refused
from hallumaze_kit.study.tables import FEWEST_MAZES

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

NEEDED = ("provider", "model", "maze_id", "right")
LAPLACE = "crossed logistic model, Laplace"
TOO_FAR = 12
"""Log odds beyond which a cell is taken as separated."""
MEND = "Make one with decisions_frame(results)."


def decision_model(decisions: pd.DataFrame, formula: str = "use_mirage") -> list[Effect]:
    """Log odds of a right choice at a junction, with random intercepts of subjects and of mazes, crossed.

        logit P(right) = formula + u_subject + u_maze

    fitted by the Laplace approximation (`crossed_logistic`; the model of lme4's
    `glmer(right ~ … + (1 | subject) + (1 | maze), family = binomial)`). Rows: for each fixed effect its log odds ratio
    with Wald interval and p; beside it, as a check that rests on less, the same term for the mean of the population
    (quantity "marginal log odds ratio": GEE clustered by maze, CR2, t), which is nearer to 0 by nature; then
    the standard deviations of the random intercepts, in log odds. The intercept comes last and is not tested.

    A term that does not vary within mazes, or within subjects, is tested by t between them (see `_between`), the others
    by z. Random intercepts take an effect as the same for every subject. Where subjects differ in it, it is the mean of
    these subjects, not of subjects in general; with 8 subjects the latter cannot be had from any model.

    Parameters
    ----------
    decisions : one row a decision, as `decisions_frame` makes it
    formula : the right-hand side, e.g. "use_mirage", "C(lure) + distance", "use_mirage * maze_size"

    Refused in the note: no variation, an outcome that is not 0 or 1, fewer than 5 mazes, terms that cannot be told
    apart, separation, no convergence. With one subject only mazes are random. Rows with a missing value are left out.
    Raises `InputError` for what is no frame of decisions and for a formula that cannot be read.
    """
    import numpy as np

    rows, names, x = _design(decisions, formula)
    y = rows["right"].to_numpy(float)
    maze, subject = rows["maze"].to_numpy(), rows["subject"].to_numpy()
    n_mazes = int(maze.max()) + 1 if len(maze) else 0
    known: dict[str, Any] = {"analysis": "decision_model", "metric": "right", "unit": "decisions", "n": len(y)}
    known["n_mazes"] = n_mazes
    if note := _why_not(x, y, n_mazes):
        return [refused(note, quantity="log odds ratio", contrast=name, **known) for name in names[1:] or names]
    factors = {"subject": subject, "maze": maze} if subject.max() else {"maze": maze}
    cells, counts = _cells(x, [*factors.values()])
    fitted = crossed_logistic(
        x[cells], np.bincount(counts, weights=y), np.bincount(counts), [codes[cells] for codes in factors.values()]
    )
    left = len(decisions) - len(y)
    notes = [f"{left} decisions with missing values left out"] if left else []
    if "subject" not in factors:
        notes.append("one subject: only mazes are random")
    if not fitted.converged or not np.isfinite(fitted.error).all() or np.abs(x @ fitted.beta).max() > TOO_FAR:
        note = "; ".join([*notes, "separated or not converged: no odds ratio"])
        return [refused(note, quantity="log odds ratio", contrast=name, **known) for name in names[1:] or names]
    known["note"] = "; ".join(notes)
    out = []
    for term, name in [*enumerate(names)][1:]:
        own = known | {"contrast": name}
        estimate, error = float(fitted.beta[term]), float(fitted.error[term])
        level, df, widened = _between(x, term, factors)
        test = f"{LAPLACE}, Wald z" if math.isinf(df) else f"{LAPLACE}, t with {df} df between {level}s"
        out.append(wald(estimate, error * widened, df, quantity="log odds ratio", test=test, **own))
        out.append(_marginal(x, y, maze, term, own))
    for name, spread in zip(factors, fitted.spread, strict=True):
        note = f"no interval: {int(factors[name].max()) + 1} levels say little of a standard deviation"
        own = known | {"note": "; ".join(filter(None, [known["note"], note])), "contrast": name}
        out.append(Effect(quantity="SD of random intercepts", estimate=float(spread), test="Laplace", **own))
    note = "; ".join(filter(None, [known["note"], "a level, not tested"]))
    intercept = wald(float(fitted.beta[0]), float(fitted.error[0]), math.inf, **known | {"quantity": "log odds"})
    return [*out, replace(intercept, contrast=names[0], test=LAPLACE, statistic=math.nan, p=math.nan, note=note)]


def write_lme4(decisions: pd.DataFrame, path: str | os.PathLike[str], formula: str = "use_mirage") -> tuple[Path, Path]:
    """The decisions as CSV for R and bambi, and beside it, ending in .txt, the calls that read and fit it.

    The CSV has the frame's columns with `right` as 0 or 1, `subject` (provider/model) and `maze` in front; lists are
    left out. The text holds the lme4 and the bambi call for the model of `decision_model`. Each file is written whole
    or not at all. Returns both paths. Raises `InputError` for what is no frame of decisions, `FileError` for a path
    that cannot be written.
    """
    import pandas as pd

    _check(decisions)
    path = as_path(path)
    subject = decisions["provider"].astype(str) + "/" + decisions["model"].astype(str)
    front = pd.DataFrame({"right": decisions["right"].astype(int), "subject": subject, "maze": decisions["maze_id"]})
    rest = decisions.drop(columns=["right", "maze_id", "cell"], errors="ignore")
    table = pd.concat([front, rest], axis=1)
    calls = path.with_name(f"{path.stem}.txt")
    csv = write_whole(path, table.to_csv(index=False, lineterminator="\n").encode())
    return csv, write_whole(calls, CALLS.format(name=path.name, formula=formula).encode())


CALLS = """# R, lme4
library(lme4)
d <- read.csv("{name}", stringsAsFactors = TRUE)
m <- glmer(right ~ {formula} + (1 | subject) + (1 | maze), data = d, family = binomial)
summary(m)

# Python, bambi
import bambi as bmb
import pandas as pd
d = pd.read_csv("{name}")
m = bmb.Model("right ~ {formula} + (1|subject) + (1|maze)", d, family="bernoulli")
fit = m.fit()
"""


def _check(decisions: Any) -> None:
    import pandas as pd

    if not isinstance(decisions, pd.DataFrame) or not set(NEEDED) <= set(decisions.columns):
        raise InputError("decisions", type(decisions).__name__, "a table of decisions", MEND)


def _design(decisions: Any, formula: str) -> tuple[pd.DataFrame, list[str], np.ndarray]:
    """Outcome and codes of the rows without missing values, names of the terms (the intercept first), design."""
    import pandas as pd
    import statsmodels.api as sm

    _check(decisions)
    subject = decisions["provider"].astype(str) + "/" + decisions["model"].astype(str)
    data = decisions.assign(right=pd.to_numeric(decisions["right"], errors="coerce").astype(float), subject=subject)
    data = data[data["right"].notna() & data["maze_id"].astype(bool)].reset_index(drop=True)
    if not len(data):
        return pd.DataFrame({"right": [], "maze": [], "subject": []}, dtype=int), ["Intercept"], _empty()
    try:
        model = sm.OLS.from_formula(f"right ~ {formula}", data)
    except Exception as error:
        allowed = "terms of the frame's columns, such as 'use_mirage' or 'C(lure) + distance'"
        raise InputError("formula", formula, allowed, f"({type(error).__name__})") from error
    kept = data.loc[model.data.row_labels]
    names, x = list(model.exog_names), model.exog
    if names[0] != "Intercept":
        raise InputError("formula", formula, "a formula with an intercept")
    codes = {"maze": pd.factorize(kept["maze_id"])[0], "subject": pd.factorize(kept["subject"])[0]}
    return pd.DataFrame({"right": kept["right"].to_numpy()} | codes), names, x


def _empty() -> np.ndarray:
    import numpy as np

    return np.ones((0, 1))


def _why_not(x: np.ndarray, y: np.ndarray, n_mazes: int) -> str:
    import numpy as np

    if not np.isin(y, (0, 1)).all():
        return NOT_ZERO_ONE
    if n_mazes < FEWEST_MAZES:
        return FEW
    if y.min() == y.max():
        return NO_VARIATION
    if np.linalg.matrix_rank(x) < x.shape[1]:
        return "terms cannot be told apart: one of them does not vary, or follows from the others"
    return ""


def _cells(x: np.ndarray, factors: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """A row of each combination of design and factors, and the combination of each row."""
    import numpy as np

    keys = np.column_stack([x, *factors])
    _, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return first, which.ravel()


def _between(x: np.ndarray, term: int, factors: dict[str, np.ndarray]) -> tuple[str, float, float]:
    """The factor that a term is constant within, its degrees of freedom, and by how much its error is to be widened.

    A term that varies within subjects and within mazes: none, ∞ and 1. One that does not vary within the m levels of a
    factor stands on m values: with q such columns (the intercept is one) m − q degrees of freedom, as in the
    between-within method (Schluchter & Elashoff 1990), and √(m/(m − q)), by which maximum likelihood makes the error
    too small there, as dividing by m instead of m − q does.
    """
    import numpy as np

    for name, codes in factors.items():
        levels = int(codes.max()) + 1
        means = np.array([np.bincount(codes, weights=column) / np.bincount(codes) for column in x.T])
        constant = [np.allclose(column, mean[codes]) for column, mean in zip(x.T, means, strict=True)]
        if constant[term]:
            df = max(levels - sum(constant), 1)
            return name, df, math.sqrt(levels / df)
    return "", math.inf, 1.0


def _marginal(x: np.ndarray, y: np.ndarray, maze: np.ndarray, term: int, known: dict[str, Any]) -> Effect:
    fit = log_odds(x, y, maze, term)
    known = known | {"quantity": "marginal log odds ratio"}
    if math.isnan(fit.estimate):
        return refused("; ".join(filter(None, [known.pop("note"), fit.note])), **known)
    return wald(
        fit.estimate, fit.error, fit.df, test=f"GEE (logit) by maze, bias-reduced, t with {fit.df:.0f} df", **known
    )
