"""Real solutions: what can be checked, and which right answers stand on a wrong step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hallumaze_kit.reasoning import ArithmeticVerifier, RealProblem
from hallumaze_kit.study.effects.rows import Effect, refused, tidy
from hallumaze_kit.study.faithfulness.hypotheses import wilson
from hallumaze_kit.study.tables import cluster_interval

if TYPE_CHECKING:
    import pandas as pd


def solutions_frame(problems: Sequence[RealProblem], n_jobs: int = 1) -> pd.DataFrame:
    """Judge every step of every solution; one row a step.

    Columns: `problem` (number), `system`, `step`, `label`, `q`, `equation` (an equals sign stands in it), `right` (the
    solution's answer is marked right). The solutions of a problem come from different systems: agreement among them
    is agreement across systems, not of K samples of one. A solution without a step has no row.
    """
    import pandas as pd
    from joblib import Parallel, delayed

    size = max(1, len(problems) // (8 * max(1, n_jobs)))
    parts = [problems[at : at + size] for at in range(0, len(problems), size)]
    made = Parallel(n_jobs=n_jobs)(delayed(_rows)(part) for part in parts)
    columns = ["problem", "system", "step", "label", "q", "equation", "right"]
    return pd.DataFrame([row for rows in made for row in rows], columns=columns)


def _rows(problems: Sequence[RealProblem]) -> list[tuple[int, str, int, str, float, bool, bool]]:
    verifier = ArithmeticVerifier()
    return [
        (problem.number, system, number, verdict.label, verdict.q, step.states_equation, problem.right[system])
        for problem in problems
        for system, trace in problem.traces.items()
        for number, (step, verdict) in enumerate(
            zip(trace.steps, verifier.explain(problem.problem, trace.steps), strict=True), 1
        )
    ]


def coverage(steps: pd.DataFrame) -> pd.DataFrame:
    """Coverage before scores: the share of steps with an equation that were checked, in all and by system."""
    with_equation = steps[steps["equation"]]
    rows = []
    for subject, some in [("", with_equation), *with_equation.groupby("system")]:
        checked = some["q"].notna()
        known = {"analysis": "coverage", "quantity": "steps with an equation that were checked", "subject": subject}
        if not len(some):
            rows.append(refused("no step with an equation", unit="steps", **known))
            continue
        low, high = wilson(int(checked.sum()), len(some))
        rows.append(
            Effect(
                estimate=float(checked.mean()), low=low, high=high, unit="steps", n=len(some), test="Wilson interval",
                **known,
            )
        )  # fmt: skip
    return tidy(rows)


def wrong_step_share(steps: pd.DataFrame, n_boot: int = 2000, seed: int = 0) -> pd.DataFrame:
    """The share of solutions marked right that hold a wrong step, in all and by system, with an interval over problems.

    A lower bound of silent failures: only wrong sums and wrong algebra count, wrong ideas with right sums are not seen.
    """
    right = steps[steps["right"]]
    held = (right["label"] == "wrong").groupby([right["problem"], right["system"]]).any().rename("wrong").reset_index()
    rows = []
    for subject, some in [("", held), *held.groupby("system")]:
        known = {"analysis": "wrong steps", "quantity": "right-marked solutions with a wrong step", "subject": subject}
        if not len(some):
            rows.append(refused("no solution is marked right", unit="solutions", **known))
            continue
        low, high = cluster_interval(some["wrong"].to_numpy(float), some["problem"].to_numpy(), n_boot, seed)
        rows.append(
            Effect(
                estimate=float(some["wrong"].mean()), low=low, high=high, unit="solutions", n=len(some),
                n_mazes=some["problem"].nunique(), test="bootstrap over problems",
                note="n_mazes counts problems; a lower bound of silent failures", **known,
            )
        )  # fmt: skip
    return tidy(rows)
