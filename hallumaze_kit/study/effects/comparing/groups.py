"""Independent groups of values: two-sample t, one-way ANOVA, and what cannot be tested."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError
from hallumaze_kit.study.effects.comparing.effect_sizes import cliffs_delta, is_constant
from hallumaze_kit.study.effects.comparing.paired import NO_VARIATION, wald
from hallumaze_kit.study.effects.rows import Effect, refused

if TYPE_CHECKING:
    import numpy as np

FEW_ROWS = "one value a group: nothing to test with"


def compare_groups(groups: Mapping[str, Sequence[float]], **known: Any) -> list[Effect]:
    """Differences between independent groups, e.g. people in two arms, or values typed in by hand.

    Two groups give three rows: Student's t (pooled variance, n₁ + n₂ − 2 degrees of freedom), Welch's t (each its own
    variance, Welch-Satterthwaite degrees of freedom; the one to report when spreads may differ), and Cliff's δ. Their
    difference is first − second. More groups give one row, the F of a one-way ANOVA, whose estimate is η².

    Parameters
    ----------
    groups : name → values, at least two; NaN values are left out
    known : other columns of the rows, e.g. metric="mei"

    A group with one value: Student's t is defined while the other group varies, Welch's is not; one value in every
    group is not tested; means without the values behind them are such groups. Groups that are constant but differ: t or
    F infinite, p = 0, with a note. Raises `InputError` for fewer than two groups and an empty one.

    [1] against [2, 3, 4]: Student t = −1.732, df = 2, p = 0.2254, Welch NaN.
    """
    import numpy as np

    if not isinstance(groups, Mapping) or len(groups) < 2:
        raise InputError("groups", groups, "names and values of at least two groups")
    values = {name: np.asarray(group, float) for name, group in groups.items()}
    values = {name: group[~np.isnan(group)] for name, group in values.items()}
    for name, group in values.items():
        if not len(group):
            raise InputError("groups", f"no value in {name!r}", "groups that each have a value")
    known = {"analysis": "compare_groups", "unit": "values", "n": sum(map(len, values.values()))} | known
    if len(values) > 2:
        return [_anova(list(values.values()), known)]
    (first, one), (second, other) = values.items()
    known = {"contrast": f"{first} − {second}"} | known
    size = cliffs_delta(one, other)
    sized = {"estimate": size.estimate, "low": size.low, "high": size.high, "test": size.test, "note": size.note}
    return [_student(one, other, known), _welch(one, other, known), Effect(quantity="Cliff's δ", **known | sized)]


def _student(one: np.ndarray, other: np.ndarray, known: dict[str, Any]) -> Effect:
    df = len(one) + len(other) - 2
    known = known | {"quantity": "difference of means", "test": f"Student's t (pooled variance), {df} df"}
    if (row := _degenerate(one, other, known)) is not None:
        return row
    lone = min(len(one), len(other)) == 1
    squares = sum(float(((group - group.mean()) ** 2).sum()) for group in (one, other))
    error = math.sqrt(squares / df * (1 / len(one) + 1 / len(other)))
    note = "one group has one value: its variance is taken from the other" if lone else ""
    return wald(float(one.mean() - other.mean()), error, df, **known | {"note": note})


def _welch(one: np.ndarray, other: np.ndarray, known: dict[str, Any]) -> Effect:
    known = known | {"quantity": "difference of means", "test": "Welch's t"}
    if (row := _degenerate(one, other, known)) is not None:
        return row
    estimate = float(one.mean() - other.mean())
    if min(len(one), len(other)) == 1:
        note = "Welch's t is not defined: a group with one value has no variance"
        return refused(note, **known, estimate=estimate)
    parts = [float(group.var(ddof=1)) / len(group) for group in (one, other)]
    df = sum(parts) ** 2 / sum(part**2 / (len(group) - 1) for part, group in zip(parts, (one, other), strict=True))
    return wald(estimate, math.sqrt(sum(parts)), df, **known | {"test": f"Welch's t, {df:.1f} df"})


def _degenerate(one: np.ndarray, other: np.ndarray, known: dict[str, Any]) -> Effect | None:
    """The row of two groups without any variation inside, None where there is some."""
    estimate = float(one.mean() - other.mean())
    if len(one) == len(other) == 1:
        return refused(FEW_ROWS, **known, estimate=estimate)
    if not (is_constant(one) and is_constant(other)):
        return None
    if is_constant(_joined(one, other)):
        return refused(NO_VARIATION, **known, estimate=estimate)
    return _infinite(known | {"estimate": estimate, "statistic": math.copysign(math.inf, estimate)})


def _anova(groups: list[np.ndarray], known: dict[str, Any]) -> Effect:
    from scipy import stats

    n, k = sum(map(len, groups)), len(groups)
    known = known | {"quantity": "η²", "contrast": known.get("contrast", f"{k} groups"), "test": "one-way ANOVA (F)"}
    together = _joined(*groups)
    if n == k:
        return refused(FEW_ROWS, **known)
    if is_constant(together):
        return refused(NO_VARIATION, **known)
    if all(is_constant(group) for group in groups):
        return _infinite(known | {"estimate": 1.0, "statistic": math.inf})
    grand = float(together.mean())
    between = math.fsum(len(group) * (float(group.mean()) - grand) ** 2 for group in groups)
    within = math.fsum(float(((group - group.mean()) ** 2).sum()) for group in groups)
    statistic = (between / (k - 1)) / (within / (n - k))
    p = float(stats.f.sf(statistic, k - 1, n - k))
    known["test"] = f"one-way ANOVA, F with {k - 1} and {n - k} df"
    return Effect(**known, estimate=between / (between + within), statistic=statistic, p=p)


def _infinite(known: dict[str, Any]) -> Effect:
    return Effect(**known, p=0.0, note="the groups are constant and differ: the statistic is infinite")


def _joined(*groups: np.ndarray) -> np.ndarray:
    import numpy as np

    return np.sort(np.concatenate(groups))
