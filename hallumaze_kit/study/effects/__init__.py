"""Effects with honest intervals: every result is a tidy row, and what cannot be said is refused in its note."""

from hallumaze_kit.study.effects.meta_d import MetaD, fit_meta_d
from hallumaze_kit.study.effects.rows import Effect, adjusted, refused, tidy
from hallumaze_kit.study.effects.two_choices import junction_meta_d, meta_d_table
from hallumaze_kit.study.effects.type2 import auroc2

__all__ = [
    "Effect", "MetaD", "adjusted", "auroc2", "fit_meta_d", "junction_meta_d", "meta_d_table", "refused", "tidy",
]  # fmt: skip
