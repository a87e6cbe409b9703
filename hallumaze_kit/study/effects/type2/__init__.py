"""Type-2 measures: does confidence tell right from wrong? AUROC over decisions, meta-d′ where it is defined."""

from hallumaze_kit.study.effects.type2.auroc import auroc2
from hallumaze_kit.study.effects.type2.meta_d import MetaD, fit_meta_d
from hallumaze_kit.study.effects.type2.two_choices import junction_meta_d, meta_d_table

__all__ = ["MetaD", "auroc2", "fit_meta_d", "junction_meta_d", "meta_d_table"]
