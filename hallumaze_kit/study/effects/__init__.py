"""Effects with honest intervals: every result is a tidy row, and what cannot be said is refused in its note."""

from hallumaze_kit.study.effects.comparing.effect_sizes import cliffs_delta, glass_delta, paired_d
from hallumaze_kit.study.effects.comparing.groups import compare_groups
from hallumaze_kit.study.effects.comparing.paired import mcnemar, paired_t, wilcoxon
from hallumaze_kit.study.effects.comparing.trials import compare_trials
from hallumaze_kit.study.effects.decisions import decision_model, write_lme4
from hallumaze_kit.study.effects.experiments import ariadne_effects, arm_test, mirage_test, size_trend
from hallumaze_kit.study.effects.reliability import icc, maze_icc, split_half
from hallumaze_kit.study.effects.resample import cluster_bootstrap
from hallumaze_kit.study.effects.rows import Effect, adjusted, refused, tidy
from hallumaze_kit.study.effects.type2.auroc import auroc2
from hallumaze_kit.study.effects.type2.meta_d import MetaD, fit_meta_d
from hallumaze_kit.study.effects.type2.two_choices import junction_meta_d, meta_d_table
from hallumaze_kit.study.effects.variance import variance_components

__all__ = [
    "Effect",
    "MetaD",
    "adjusted",
    "ariadne_effects",
    "arm_test",
    "auroc2",
    "cliffs_delta",
    "cluster_bootstrap",
    "compare_groups",
    "compare_trials",
    "decision_model",
    "fit_meta_d",
    "glass_delta",
    "icc",
    "junction_meta_d",
    "maze_icc",
    "mcnemar",
    "meta_d_table",
    "mirage_test",
    "paired_d",
    "paired_t",
    "refused",
    "size_trend",
    "split_half",
    "tidy",
    "variance_components",
    "wilcoxon",
    "write_lme4",
]
