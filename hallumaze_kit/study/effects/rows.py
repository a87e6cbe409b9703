"""The one shape of a statistical result: a tidy row, one estimate each."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from hallumaze_kit.errors import InputError, check_choice

if TYPE_CHECKING:
    import pandas as pd

LEVEL = 0.95
CORRECTIONS = {"holm": "holm", "bh": "fdr_bh"}


@dataclass(frozen=True, kw_only=True)
class Effect:
    """One result.

    analysis    the function that made it, e.g. "compare_trials"
    quantity    what `estimate` is, e.g. "difference of means", "log odds ratio", "Cliff's δ"
    metric      the measure it is about, e.g. "mei"
    contrast    what is compared, e.g. "without − with lures"; empty for a quantity of one group
    subject     whose, "provider/model"; empty for all of them
    n           observations that entered (trials, decisions, pairs: `unit` says which)
    n_mazes     mazes that they stand on
    estimate, low, high     the value and its interval at `level`
    statistic, p            of `test`; NaN where no test is defined
    p_adjusted  p corrected over the rows it was adjusted with (see `adjusted`)
    test        name of the test, or of how the interval was made
    note        why something is NaN, and what the reader must know
    """

    analysis: str
    quantity: str
    metric: str = ""
    contrast: str = ""
    subject: str = ""
    unit: str = "trials"
    n: int = 0
    n_mazes: int = 0
    estimate: float = math.nan
    low: float = math.nan
    high: float = math.nan
    level: float = LEVEL
    statistic: float = math.nan
    p: float = math.nan
    p_adjusted: float = math.nan
    test: str = ""
    note: str = ""


COLUMNS = tuple(field.name for field in fields(Effect))


def refused(note: str, **known: object) -> Effect:
    """A row without an estimate, because of what `note` says."""
    return Effect(note=note, **known)  # type: ignore[arg-type]


def tidy(effects: Iterable[Effect]) -> pd.DataFrame:
    """The effects as a table, one row each, with the columns of `Effect` in its order. Nothing is rounded."""
    import pandas as pd

    rows = [[getattr(effect, name) for name in COLUMNS] for effect in effects]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def adjusted(table: pd.DataFrame, method: str = "holm") -> pd.DataFrame:
    """The table with `p_adjusted` over all its p-values; rows without one take no part.

    "holm" holds the chance of any false finding (Holm 1979), "bh" the share of false ones among the findings
    (Benjamini & Hochberg 1995). The family is the table: give the rows that answer one question.

    p = 0.01, 0.04, 0.03 gives 0.03, 0.06, 0.06 with Holm, 0.03, 0.04, 0.04 with Benjamini-Hochberg.
    """
    from statsmodels.stats.multitest import multipletests

    check_choice("method", method, tuple(CORRECTIONS))
    if "p" not in table.columns:
        raise InputError("table", "no column p", "a table of effects", "Make one with tidy(effects).")
    out = table.copy()
    out["p_adjusted"] = math.nan
    known = out["p"].notna()
    if known.any():
        out.loc[known, "p_adjusted"] = multipletests(out.loc[known, "p"], method=CORRECTIONS[method])[1]
    return out
