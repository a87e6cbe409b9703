"""H1 to H4 on planted traces, which are synthetic: every row says so."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hallumaze_kit.reasoning import PlantedProblem, diagnose, rafs
from hallumaze_kit.study.effects.rows import Effect, refused, tidy
from hallumaze_kit.study.faithfulness.precision import FEWEST_POSITIVES, paired_average_precision

if TYPE_CHECKING:
    import pandas as pd

SUBJECT = "synthetic/planted"
WITHOUT_S = (1 / 3, 0.0, 1 / 3, 1 / 3)
ALONE = {"agreement alone": "C", "validity alone": "P"}


def planted_frame(problems: Sequence[PlantedProblem]) -> pd.DataFrame:
    """Diagnose the first trace of each planted problem among its K traces; one row a problem.

    Columns: `problem` (number), `template`, `language`, `kind`, `Y_R`, `Y_A`, `silent` (answer right, reasoning not),
    `first_bad`, `shown`, `suspect`, `P`, `S`, `C`, `D`, `rafs`, `rafs_without_S`, `edits` (valid counterfactual edits).
    P, S and the score are the trace's own; C and D are the group's.
    """
    import pandas as pd

    rows = []
    for problem in problems:
        made = diagnose(problem.problem, [planted.trace for planted in problem.traces])
        own, labels = made.reports[0], problem.traces[0]
        rows.append(
            {
                "problem": problem.number, "template": problem.template, "language": problem.language,
                "kind": problem.kind, "Y_R": labels.Y_R, "Y_A": labels.Y_A, "silent": labels.Y_A and not labels.Y_R,
                "first_bad": labels.first_bad, "shown": labels.shown, "suspect": own.validity.suspect,
                "P": own.P, "S": own.S, "C": made.C, "D": made.D, "rafs": own.score,
                "rafs_without_S": rafs(own.P, 1.0, made.C, made.D, WITHOUT_S), "edits": len(own.support.edits),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def risks(frame: pd.DataFrame) -> dict[str, Any]:
    """Suspicion by RAFS and by its rivals, for the rows of a frame: 1 − score, NaN for an abstention."""
    return {"RAFS": 1 - frame["rafs"] / 100} | {name: 1 - frame[column] for name, column in ALONE.items()}


def pilot(frame: pd.DataFrame, min_edits: int = 1) -> pd.DataFrame:
    """The feasibility pilot: the share of traces with enough valid edits (Wilson interval). It claims nothing else."""
    enough = frame["edits"] >= min_edits
    return tidy([_share("pilot", f"share of traces with {min_edits} or more valid edits", enough)])


def h1(frame: pd.DataFrame) -> pd.DataFrame:
    """H1: the share of right answers that are silent failures (Wilson interval).

    In planted data the share is what the mix made it: a check of the counting, no finding.
    """
    note = "the mix of planted faults fixes this share"
    return tidy([_share("h1", "silent failures among right answers", frame.loc[frame["Y_A"], "silent"], note)])


def h2(frame: pd.DataFrame, n_boot: int = 2000, seed: int = 0) -> pd.DataFrame:
    """H2: AUPRC of RAFS for silent failures among right answers, against agreement alone and step validity alone.

    Paired bootstrap over problems; abstentions are misses. A difference whose interval holds 0, or lies under it, is
    the result.
    """
    right = frame[frame["Y_A"]]
    return _compared("h2", risks(right), right, right["silent"], n_boot, seed)


def h3(frame: pd.DataFrame, n_boot: int = 2000, seed: int = 0) -> pd.DataFrame:
    """H3: what RAFS loses without S, in AUPRC among right answers; the others take its weight."""
    right = frame[frame["Y_A"]]
    scores = {"RAFS": 1 - right["rafs"] / 100, "RAFS without S": 1 - right["rafs_without_S"] / 100}
    return _compared("h3", scores, right, right["silent"], n_boot, seed)


def h4(frame: pd.DataFrame, n_boot: int = 2000, seed: int = 0) -> pd.DataFrame:
    """H4: AUPRC of stability D against agreement C for shared-answer rationalisations among right answers.

    A rationalisation is a right answer that every trace reaches by other, unrelated steps (kind "unrelated"); the rest
    are faithful successes. One wrong rationale that all traces share is no part of it: D cannot see it.
    """
    right = frame[frame["Y_A"] & (frame["Y_R"] | (frame["kind"] == "unrelated"))]
    scores = {"stability": 1 - right["D"], "agreement": 1 - right["C"]}
    return _compared("h4", scores, right, right["kind"] == "unrelated", n_boot, seed)


def by_kind(frame: pd.DataFrame, n_boot: int = 2000, seed: int = 0) -> pd.DataFrame:
    """H2 for each kind of fault: its silent failures against the faithful successes."""
    import pandas as pd

    tables = []
    for kind in dict.fromkeys(frame.loc[frame["silent"], "kind"]):
        some = frame[frame["Y_A"] & (frame["Y_R"] | (frame["kind"] == kind))]
        tables.append(_compared(f"h2, {kind}", risks(some), some, some["silent"], n_boot, seed))
    return pd.concat(tables, ignore_index=True) if tables else tidy([])


def first_bad_found(frame: pd.DataFrame) -> pd.DataFrame:
    """The share of first bad steps that are found exactly, of those that arithmetic can show (Wilson interval)."""
    shown = frame[frame["shown"]]
    rows = [
        _share("first bad step", "found, of those that arithmetic can show", shown["suspect"] == shown["first_bad"])
    ]
    for kind, some in shown.groupby("kind", sort=False):
        rows.append(_share("first bad step", f"found, {kind}", some["suspect"] == some["first_bad"]))
    return tidy(rows)


def _share(analysis: str, quantity: str, found: pd.Series, note: str = "") -> Effect:
    known = {"analysis": analysis, "quantity": quantity, "subject": SUBJECT, "unit": "traces", "n": len(found)}
    if not len(found):
        return refused("no trace", **known)
    low, high = wilson(int(found.sum()), len(found))
    return Effect(estimate=float(found.mean()), low=low, high=high, test="Wilson interval", note=note, **known)


def wilson(successes: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share: 0 of 10 gives (0, 0.278). Source: Wilson 1927; statsmodels."""
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(successes, n, method="wilson")
    return float(low), float(high)


def _compared(
    analysis: str, scores: dict[str, Any], frame: pd.DataFrame, positive: pd.Series, n_boot: int, seed: int
) -> pd.DataFrame:
    known: dict[str, Any] = {"analysis": analysis, "subject": SUBJECT, "unit": "traces", "n": len(frame)}
    if positive.nunique() < 2:
        return tidy([refused("silent failures and others are needed: no variation", quantity="AUPRC", **known)])
    table = paired_average_precision(scores, positive, frame["problem"], n_boot, seed)
    rows = []
    for row in table.itertuples():
        note = f"{row.positives} positives of {row.n}, {row.abstained} abstentions counted as misses"
        if math.isnan(row.low):
            note += f"; no interval with fewer than {FEWEST_POSITIVES} positives"
        rows.append(
            Effect(
                quantity="difference of AUPRC" if row.against else "AUPRC",
                metric=row.score,
                contrast=f"{row.score} − {row.against}" if row.against else "",
                estimate=row.estimate, low=row.low, high=row.high,
                test=f"paired bootstrap over problems, {n_boot} samples", note=note, **known,
            )
        )  # fmt: skip
    return tidy(rows)
