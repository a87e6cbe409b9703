"""Planted data: word problems with K traces each, faults at a known mix, every trace labelled; all synthetic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hallumaze_kit.errors import InputError, check_choice, check_whole
from hallumaze_kit.reasoning.planted.faults import FAULTS, Line, Made, carried, clean, slip
from hallumaze_kit.reasoning.planted.templates import SPLITS, Template
from hallumaze_kit.reasoning.traces.reading import parse_trace
from hallumaze_kit.reasoning.traces.trace import ReasoningTrace

MIX: Mapping[str, float] = {
    "clean": 0.40, "compensated": 0.12, "nowhere": 0.10, "dropped": 0.08, "slip": 0.10, "unrelated": 0.10,
    "shared": 0.05, "padded": 0.05,
}  # fmt: skip
"""Share of each kind in the preregistered study.

clean        right steps, right answer
compensated  a wrong sum that a later wrong sum makes good
nowhere      an operand from nowhere
dropped      a step left out
slip         right reasoning, a slip in the answer
unrelated    right answer behind unrelated steps, in all K traces, others in each
shared       one wrong rationale in all K traces, with right sums; the answer is right in half of the problems or more
padded       compensated, among many idle valid steps
"""
KINDS = tuple(MIX)
SIBLINGS = (0.8, 0.1, 0.1)
"""The other traces of a problem: right, with a carried wrong sum, with a slip in the answer."""


@dataclass(frozen=True)
class PlantedTrace:
    """A trace with its labels.

    trace      as `parse_trace` read it; its family is "synthetic"
    text       as written
    kind       of its own fault: one of `KINDS`, or "carried" for a wrong sum that carries through (in siblings)
    Y_R        whether the reasoning is valid; the statement of the answer is no part of it
    Y_A        whether the answer is right
    first_bad  number of the first bad step, None where the reasoning is valid
    shown      whether exact arithmetic and the origin of operands can show it
    """

    trace: ReasoningTrace
    text: str
    kind: str
    Y_R: bool
    Y_A: bool
    first_bad: int | None
    shown: bool


@dataclass(frozen=True)
class PlantedProblem:
    """A synthetic problem with K traces; the first is the one under diagnosis, and `kind` is its kind."""

    number: int
    template: str
    language: str
    problem: str
    gold: str
    kind: str
    traces: tuple[PlantedTrace, ...]


def planted(
    n: int, seed: int, k: int = 4, mix: Mapping[str, float] = MIX, split: str = "tuning"
) -> list[PlantedProblem]:
    """Make n synthetic problems with k traces each.

    The kinds come in the shares of `mix`, by largest remainder, in an order drawn from the seed; problems take turns
    over the templates of the split. The same arguments give the same texts.

    Parameters
    ----------
    n : problems, 1 or more
    seed : 0 or more
    k : traces a problem, 1 or more
    mix : share of each kind, 0 or more; the shares sum to 1
    split : "tuning", or "confirmatory" for the templates that nothing was tuned on
    """
    check_whole("n", n, 1)
    check_whole("seed", seed, 0)
    check_whole("k", k, 1, 100)
    check_choice("split", split, tuple(SPLITS))
    for kind in mix:
        check_choice("mix", kind, KINDS)
    if min(mix.values()) < 0 or abs(sum(mix.values()) - 1) > 1e-9:
        raise InputError("mix", dict(mix), "shares of 0 or more that sum to 1")
    kinds = _kinds(n, mix)
    np.random.default_rng([seed, 0]).shuffle(kinds)
    templates = SPLITS[split]
    return [
        _problem(number, kind, templates[number % len(templates)], k, np.random.default_rng([seed, 1, number]))
        for number, kind in enumerate(kinds)
    ]


def _kinds(n: int, mix: Mapping[str, float]) -> list[str]:
    counts = {kind: int(n * share + 1e-9) for kind, share in mix.items()}
    rest = sorted(mix, key=lambda kind: (counts[kind] - n * mix[kind], KINDS.index(kind)))
    for kind in rest[: n - sum(counts.values())]:
        counts[kind] += 1
    return [kind for kind in mix for _ in range(counts[kind])]


def _problem(number: int, kind: str, template: Template, k: int, rng: np.random.Generator) -> PlantedProblem:
    given = template.draw(rng)
    problem = template.text.format(**{name: f"{value:,}" for name, value in given.items()})
    gold = clean(template, given, rng).lines[-1].result
    traces = []
    for at in range(k):
        own = kind if at == 0 or kind in ("unrelated", "shared") else _sibling(rng)
        make = {"carried": carried, "slip": slip}.get(own) or FAULTS[own]
        traces.append(_labelled(make(template, given, rng), own, gold, template, problem, rng))
    return PlantedProblem(number, template.name, template.language, problem, str(gold), kind, tuple(traces))


def _sibling(rng: np.random.Generator) -> str:
    return str(rng.choice(["clean", "carried", "slip"], p=SIBLINGS))


def _labelled(
    made: Made, kind: str, gold: int, template: Template, problem: str, rng: np.random.Generator
) -> PlantedTrace:
    text = _written(made, template, rng)
    return PlantedTrace(
        trace=parse_trace(text, problem, family="synthetic"),
        text=text,
        kind=kind,
        Y_R=made.first_bad is None,
        Y_A=made.answer == gold,
        first_bad=made.first_bad,
        shown=made.shown,
    )


def _written(made: Made, template: Template, rng: np.random.Generator) -> str:
    """The trace as text, in one of a few styles."""
    style = int(rng.integers(0, 3))
    times = "×" if rng.random() < 0.5 else "*"
    lines = []
    for number, line in enumerate(made.lines, 1):
        label = ("", f"{number}. ", f"Step {number}: " if template.language == "en" else f"{number}단계: ")[style]
        lines.append(f"{label}{_sum(line, times, rng)}")
    last = {
        "en": ("The answer is {} {}.", "#### {}", "Answer: {} {}"),
        "ko": ("따라서 정답은 {}{}입니다.", "#### {}", "답: {}{}"),
    }[template.language][style]
    return "\n".join([*lines, last.format(f"{made.answer:,}", template.unit)])


def _sum(line: Line, times: str, rng: np.random.Generator) -> str:
    left, right = line.left, line.right
    if line.sign in "+*" and rng.random() < 0.5:
        left, right = right, left
    sign = {"*": times, "/": "÷", "-": "-", "+": "+"}[line.sign]
    return f"{line.lead} {left:,} {sign} {right:,} = {line.result:,}"
