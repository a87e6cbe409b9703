"""What a chain of thought is, once it is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from hallumaze_kit.reasoning.expressions.links import Link, links_of


@dataclass(frozen=True)
class Step:
    """One step.

    text    as written, without its number or bullet
    label   the number or bullet that it bore: "Step 3", "2.", "-"; "" for none
    """

    text: str
    label: str = ""

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Its equations, each neighbour of an equals sign a link."""
        return links_of(self.text)

    @property
    def states_equation(self) -> bool:
        """Whether an equals sign stands in it."""
        return "=" in self.text or "≈" in self.text

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class ReasoningTrace:
    """A chain of thought.

    problem      the problem's text; "" where it was not given
    steps        in their order; texts are taken for steps
    answer       the final answer in one spelling ("$29.00" is "29", "5 apples" "5", "−5" "-5", LaTeX as it stands);
                 None where there is none
    answer_text  the answer as written, with its unit
    stated       whether the answer was announced ("The answer is", "####", a box); else the last number was taken
    thinking     what stood in a thinking block, which is no part of the answer
    truncated    whether the text breaks off: in its thinking, or in the middle of a sentence
    family       the model family that wrote it; "unknown" is a value of its own
    notes        what the reader should know
    """

    problem: str | None
    steps: tuple[Step, ...] = ()
    answer: str | None = None
    answer_text: str = ""
    stated: bool = False
    thinking: str = ""
    truncated: bool = False
    family: str = "unknown"
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "problem", self.problem or "")
        object.__setattr__(self, "steps", as_steps(self.steps))
        object.__setattr__(self, "notes", tuple(self.notes))


def as_steps(steps: object) -> tuple[Step, ...]:
    """Steps from steps or texts: the one form that everything here works on."""
    given = steps if isinstance(steps, list | tuple) else [steps]
    return tuple(step if isinstance(step, Step) else Step(str(step)) for step in given)
