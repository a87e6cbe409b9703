"""Does RAFS find silent failures? Planted (synthetic) and real traces: coverage first, then H1 to H4."""

from hallumaze_kit.study.faithfulness.hypotheses import (
    by_kind,
    first_bad_found,
    h1,
    h2,
    h3,
    h4,
    pilot,
    planted_frame,
)
from hallumaze_kit.study.faithfulness.precision import average_precision, paired_average_precision, precision_recall
from hallumaze_kit.study.faithfulness.real import coverage, solutions_frame, wrong_step_share

__all__ = [
    "average_precision",
    "by_kind",
    "coverage",
    "first_bad_found",
    "h1",
    "h2",
    "h3",
    "h4",
    "paired_average_precision",
    "pilot",
    "planted_frame",
    "precision_recall",
    "solutions_frame",
    "wrong_step_share",
]
