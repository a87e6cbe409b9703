"""`MazeConfig`: one experimental condition."""

from __future__ import annotations

from dataclasses import dataclass

from hallumaze_kit.errors import InputError, check_choice, check_whole

LANGUAGES = ("ko", "en")
TEMPLATES = 5
CHOICES = {
    "ariadne_mode": ("A", "B", "C"),
    "language": LANGUAGES,
    "protocol": ("single", "stepwise", "probe"),
    "view": ("open", "bump"),
    "disclosure": ("disclosed", "neutral"),
    "injection": ("none", "own", "other", "own-clean", "other-clean"),
}


@dataclass(frozen=True)
class MazeConfig:
    """One experimental condition: what the subject is shown and asked.

    size            cells a side, 2 to 101 (presets 5, 7, 9, 11)
    use_mirage      show the lures
    use_confidence  ask for a confidence at each step
    ariadne_mode    hint group: "A" pure, "B" triggered, "C" observed (section 9.3)
    max_tokens      longest answer asked for
    language        "ko" or "en"
    protocol        "single" (one answer), "stepwise" or "probe"
    view            stepwise only: "open" tells the open directions, "bump" coordinates only
    step_budget     stepwise only: moves allowed; None means 4·N²
    show_seed       print the seed in the maze text
    template        0 is v1.1's wording, 1 to 4 are paraphrases with the same content
    disclosure      "disclosed" says what is measured and demands declarations, "neutral" does not
    injection       "own" / "other": the prompt carries the start of a walk with one illegal move,
                    said to be the subject's own or another solver's; "own-clean" and "other-clean"
                    are the same without an error (controls); "none"

    Raises `InputError` for a value outside these. Source: sections 7 and 9 of the v1.1 document.
    """

    size: int = 7
    use_mirage: bool = True
    use_confidence: bool = True
    ariadne_mode: str = "A"
    max_tokens: int = 2500
    language: str = "ko"
    protocol: str = "single"
    view: str = "open"
    step_budget: int | None = None
    show_seed: bool = True
    template: int = 0
    disclosure: str = "disclosed"
    injection: str = "none"

    def __post_init__(self) -> None:
        check_whole("size", self.size, 2, 101)
        check_whole("max_tokens", self.max_tokens, 1)
        check_whole("template", self.template, 0, TEMPLATES - 1)
        if self.step_budget is not None:
            check_whole("step_budget", self.step_budget, 1, mend="Leave it out for 4·N².")
        for name in ("use_mirage", "use_confidence", "show_seed"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(name, getattr(self, name), "True or False")
        for name, allowed in CHOICES.items():
            check_choice(name, getattr(self, name), allowed)
