"""Do the measures measure what they claim? Synthetic subjects with planted traits, asked, read and scored as text."""

from hallumaze_kit.study.validity.ablation import ablation, weight_grid
from hallumaze_kit.study.validity.conventions import convention_table
from hallumaze_kit.study.validity.planting import FAMILIES, PLANTED, sample_subjects
from hallumaze_kit.study.validity.profile import propose_profile
from hallumaze_kit.study.validity.published import published_table
from hallumaze_kit.study.validity.recovery import ceiling_floor, trait_recovery
from hallumaze_kit.study.validity.trials import by_subject, planted_trials
from hallumaze_kit.study.validity.words import told_trials, words_effect

__all__ = [
    "FAMILIES",
    "PLANTED",
    "ablation",
    "by_subject",
    "ceiling_floor",
    "convention_table",
    "planted_trials",
    "propose_profile",
    "published_table",
    "sample_subjects",
    "told_trials",
    "trait_recovery",
    "weight_grid",
    "words_effect",
]
