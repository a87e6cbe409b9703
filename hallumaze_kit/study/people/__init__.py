"""People against models (section 9.4): group means, error maps, error consistency, the three hypotheses."""

from hallumaze_kit.study.people.consistency import Consistency, consistency_table, error_consistency
from hallumaze_kit.study.people.hypotheses import hypotheses
from hallumaze_kit.study.people.maps import answers, error_map
from hallumaze_kit.study.people.means import group_means

__all__ = [
    "Consistency", "answers", "consistency_table", "error_consistency", "error_map", "group_means", "hypotheses",
]  # fmt: skip
