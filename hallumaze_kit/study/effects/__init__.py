"""Effects with honest intervals: every result is a tidy row, and what cannot be said is refused in its note."""

from hallumaze_kit.study.effects.rows import Effect, adjusted, refused, tidy
from hallumaze_kit.study.effects.type2.auroc import auroc2
from hallumaze_kit.study.effects.type2.meta_d import MetaD, fit_meta_d
from hallumaze_kit.study.effects.type2.two_choices import junction_meta_d, meta_d_table

__all__ = [
    "Effect", "MetaD", "adjusted", "auroc2", "fit_meta_d", "junction_meta_d", "meta_d_table", "refused", "tidy",
]  # fmt: skip
