"""Who answers. Subjects see prompts, never scores."""

from hallumaze_kit.subjects.synthetic import FLOOR, SYNTHETIC, Play, Synthetic, Traits

__all__ = ["FLOOR", "SYNTHETIC", "Play", "Synthetic", "Traits"]
