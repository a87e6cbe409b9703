"""Who answers. Subjects see prompts, never scores."""

from hallumaze_kit.subjects.synthetic import FLOOR, STEPPERS, SYNTHETIC, Play, Synthetic, Traits

__all__ = ["FLOOR", "STEPPERS", "SYNTHETIC", "Play", "Synthetic", "Traits"]
