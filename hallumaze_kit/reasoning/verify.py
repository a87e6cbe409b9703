"""Judging the steps of a chain of thought, offline and exactly, and their summary P_R."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from hallumaze_kit.errors import InputError
from hallumaze_kit.reasoning.checking.algebra import Algebra
from hallumaze_kit.reasoning.checking.judging import Judged, judged_links
from hallumaze_kit.reasoning.checking.operands import Sources
from hallumaze_kit.reasoning.expressions.links import RUNNING
from hallumaze_kit.reasoning.expressions.tokens import Number
from hallumaze_kit.reasoning.traces.trace import Step, as_steps

if TYPE_CHECKING:
    import numpy as np

VALIDITY = {
    "correct": 1.0, "rounded": 0.95, "notation": 0.9, "cut": 0.8, "percent": 0.6, "sign": 0.6, "nowhere": 0.3,
    "wrong": 0.0, "set up": math.nan, "unchecked": math.nan,
}  # fmt: skip
"""q of each label. A convention, not an estimate: only "wrong" and "nowhere" fall under the threshold of 0.5."""
_SEVERITY = ("wrong", "nowhere", "percent", "sign", "cut", "notation", "rounded", "correct", "set up", "unchecked")


@runtime_checkable
class StepVerifier(Protocol):
    """Whoever judges steps: `family` names its model family ("arithmetic" for exact reckoning)."""

    family: str

    def verify(self, problem: str, steps: Sequence[Step | str]) -> np.ndarray:
        """A value in [0, 1] a step, NaN for a step that cannot be checked."""
        ...


@dataclass(frozen=True)
class Verdict:
    """What was found of a step.

    label      the worst label of its equations (`hallumaze_kit.reasoning.checking.judging.LABELS`)
    q          its validity, NaN where nothing could be checked
    judged     its equations, each with its own label
    strangers  operands from nowhere, as written
    """

    label: str
    q: float
    judged: tuple[Judged, ...] = ()
    strangers: tuple[str, ...] = ()


class ArithmeticVerifier:
    """Checks every equation exactly; needs no model.

    Sums are evaluated as fractions, equations with unknowns by SymPy's polynomials, units and percentages are
    respected, and `2*3=6+1=7` is judged link by link. Where the problem is given, each operand is traced to it, to an
    earlier step or to common knowledge (7 days, 100 cents, half, twice). A step without an equation is NaN: it is not
    checked, which is not the same as valid.
    """

    family = "arithmetic"

    def verify(self, problem: str | None, steps: Sequence[Step | str]) -> np.ndarray:
        """(n,) validities in [0, 1]: see `VALIDITY`; NaN for a step that cannot be checked."""
        import numpy as np

        return np.array([verdict.q for verdict in self.explain(problem, steps)], dtype=float)

    def explain(self, problem: str | None, steps: Sequence[Step | str]) -> list[Verdict]:
        """A verdict a step, with its reasons."""
        sources = Sources(problem or "")
        algebra = Algebra()
        previous: Fraction | None = None
        made = []
        for step in as_steps(list(steps)):
            judged = _judged(step, algebra, previous)
            previous = next((found.stated for found in reversed(judged) if found.stated is not None), previous)
            strangers = sources.strangers(step.links) if sources.traces else []
            made.append(_verdict(judged, strangers))
            if sources.traces:
                sources.read(step.text)
            sources.learn(value for found in judged for value in (found.exact, found.stated) if value is not None)
        return made


def _judged(step: Step, algebra: Algebra, previous: Fraction | None) -> list[Judged]:
    """The links of a step judged; those with unknowns against the equations before them."""
    made = list(judged_links(step, previous))
    for at, link in enumerate(step.links):
        if link.names - {RUNNING}:
            stated = link.right.value if isinstance(link.right, Number) and isinstance(link.left, str) else None
            made[at] = Judged(link, algebra.judge(link, step.text, _chain_end(step, at)), stated, stated)
    return made


def _chain_end(step: Step, at: int) -> Number | None:
    """The number that a chain of equals signs behind a link ends in; None where the link is no such chain."""
    end = None
    for link in step.links[at + 1 :]:
        if not link.chained:
            break
        end = link.right
    return end if isinstance(end, Number) else None


def _verdict(judged: Sequence[Judged], strangers: Sequence[Number]) -> Verdict:
    labels = {found.label for found in judged}
    checked = labels - {"unchecked", "set up"}
    if strangers and checked:
        labels.add("nowhere")
    label = next((label for label in _SEVERITY if label in labels), "unchecked")
    return Verdict(label, VALIDITY[label], tuple(judged), tuple(number.written for number in strangers))


class StepValidity(NamedTuple):
    """The summary of a trace's steps.

    P        P_R in [0, 1]; NaN where no step was checked
    suspect  number (from 1) of the first step under the threshold, None without one
    checked  share of the steps that were checked, NaN without steps
    """

    P: float
    suspect: int | None
    checked: float


def step_validity(q: Sequence[float] | np.ndarray, mix: float = 0.5, threshold: float = 0.5) -> StepValidity:
    """Step validity P_R = GM^(1 − mix) · min^mix over the steps that were checked.

    The geometric mean lets every step count, the minimum lets one fatal step count for all; their blend stays
    differentiable in each q_t > 0. NaN entries are steps that were not checked, and take no part. Padding a trace with
    valid steps raises the geometric mean, not the minimum: the limit that the framework names (gaming). Source: RAFS
    summary, section 2, component 1.

    q = (1, 1, 0.25) with mix 0.5 has GM = 0.25^(1/3) = 0.63, min = 0.25 and P_R = √(0.63 · 0.25) = 0.397; the suspect
    is step 3.

    Parameters
    ----------
    q : (n,) values in [0, 1] or NaN
    mix : weight of the minimum, 0 to 1
    threshold : a step below it is suspect, 0 to 1

    Raises
    ------
    InputError
        For values outside these ranges.
    """
    import numpy as np

    for name, given in (("mix", mix), ("threshold", threshold)):
        if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
            raise InputError(name, given, "a number from 0 to 1")
    values = np.asarray(q, dtype=float).reshape(-1)
    known = values[~np.isnan(values)]
    if known.size and (known.min() < 0 or known.max() > 1):
        raise InputError("q", next(float(v) for v in known if not 0 <= v <= 1), "values from 0 to 1, or NaN")
    if not known.size:
        return StepValidity(math.nan, None, 0.0 if values.size else math.nan)
    low = float(known.min())
    mean = 0.0 if low == 0 else math.exp(math.fsum(map(math.log, known.tolist())) / known.size)
    under = np.flatnonzero(values < threshold)
    suspect = int(under[0]) + 1 if under.size else None
    return StepValidity(min(1.0, mean ** (1 - mix) * low**mix), suspect, known.size / values.size)
