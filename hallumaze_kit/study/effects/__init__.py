"""Effects with honest intervals: every result is a tidy row, and what cannot be said is refused in its note."""

from hallumaze_kit.study.effects.rows import Effect, adjusted, refused, tidy

__all__ = ["Effect", "adjusted", "refused", "tidy"]
