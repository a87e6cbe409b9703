"""Before anything is spent: what a study of this size can see, and what it costs."""

from hallumaze_kit.study.power.closed import interval_width, mazes_for_width, mcnemar_power, paired_power
from hallumaze_kit.study.power.counts import before_spending, expected_counts
from hallumaze_kit.study.power.simulation import StudyModel, fitted_model, mazes_needed, simulate_power

__all__ = [
    "StudyModel", "before_spending", "expected_counts", "fitted_model", "interval_width", "mazes_for_width",
    "mazes_needed", "mcnemar_power", "paired_power", "simulate_power",
]  # fmt: skip
