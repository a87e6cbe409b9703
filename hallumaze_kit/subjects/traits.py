"""The traits of a rule-based subject."""

from __future__ import annotations

from dataclasses import dataclass, fields

from hallumaze_kit.errors import InputError


@dataclass(frozen=True)
class Traits:
    """What a rule-based subject is like. Probabilities in [0, 1]; confidences in points (0 to 100).

    slip      for each move: that it goes through a wall between two cells instead (a hallucination)
    notice    that it notices a slip at once, a dead end on entering it, a junction it has been at before
    declare   that it puts what it noticed into words; otherwise it keeps silent
    repair    that it acts on what it noticed: after a slip it stands again where the move started; out of a dead end
              it goes back to the last junction and never into that branch again. Without it, it walks on from the far
              side of the wall; in a dead end it turns about and forgets the branch
    wander    at a junction: that its own choice is a wrong branch
    lure      at a junction with a claiming hint in sight: that it follows the hint, whatever its own choice was
    confidence_bias    added to every stated confidence (90 in a corridor, 75 at a junction)
    confidence_noise   standard deviation of what varies from move to move
    doubt     how much lower its confidence is on a slip: how far its confidence knows of its errors
    forget    at a junction: that it has lost track of where it came from and what it closed, and takes any open way
    babble    after each move: that it declares a dead end or a loop where there is none; words, and nothing else
    """

    slip: float = 0.0
    notice: float = 1.0
    declare: float = 1.0
    repair: float = 1.0
    wander: float = 0.0
    lure: float = 0.0
    confidence_bias: float = 0.0
    confidence_noise: float = 0.0
    doubt: float = 0.0
    forget: float = 0.0
    babble: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            points = field.name.startswith("confidence") or field.name == "doubt"
            low, high = (-100, 100) if points else (0, 1)
            if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
                raise InputError(field.name, value, f"a number from {low} to {high}")
