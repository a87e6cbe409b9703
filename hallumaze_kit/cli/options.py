"""The options under their names, and a command made of them again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from hallumaze_kit.maze.generate import GENERATORS
from hallumaze_kit.maze.lures import PLACEMENTS
from hallumaze_kit.records.config import CHOICES


def _choice(name: str, allowed: tuple[str, ...]) -> Any:
    return StrEnum(name, {word: word for word in allowed})


def _option(panel: str, *names: str, help: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, show_default=False, **more)


MAZE, CONDITION, MODELS, OUTPUT = "Mazes", "Condition", "Models", "Output"
Group = _choice("Group", CHOICES["ariadne_mode"])
Lang = _choice("Lang", CHOICES["language"])
Protocol = _choice("Protocol", CHOICES["protocol"])
View = _choice("View", CHOICES["view"])
Injection = _choice("Injection", CHOICES["injection"])
Disclosure = _choice("Disclosure", CHOICES["disclosure"])
Algorithm = _choice("Algorithm", tuple(GENERATORS))
Placement = _choice("Placement", PLACEMENTS)
Trigger = _choice("Trigger", ("loop", "hallucination", "unsolved"))
Arm = _choice("Arm", ("hint", "sham", "none"))
Conventions = _choice("Conventions", ("verified", "published"))

# ---- which maze, which condition ------------------------------------------------------------------
Size = Annotated[
    int | None, _option(MAZE, "--size", metavar="N", help="Cells a side: 5, 7, 9, 11, or any from 2 to 101 (7).")
]
Seed = Annotated[int, _option(MAZE, "--seed", metavar="N", help="Seed of the maze.")]
NewSeed = Annotated[int | None, _option(MAZE, "--seed", metavar="N", help="Seed of the maze (a new one is drawn).")]
Seeds = Annotated[
    list[str] | None,
    _option(
        MAZE, "--seed", metavar="N",
        help="Seed of the maze; several times, or as 1,2 or 0-9, for several mazes (new ones are drawn).",
    ),
]  # fmt: skip
Runs = Annotated[
    int | None,
    _option(
        MAZE, "--runs", metavar="N",
        help="How often a maze of --seed is asked; without --seed, how many new mazes are asked (1).",
    ),
]  # fmt: skip
AlgorithmOption = Annotated[Algorithm | None, _option(MAZE, "--algorithm", help="Maker of the maze (dfs).")]
PlacementOption = Annotated[
    Placement | None, _option(MAZE, "--placement", help="Where the lures stand, and whether all are false (v1.1).")
]
MaxTokens = Annotated[
    int | None, _option(CONDITION, "--max-tokens", metavar="N", help="Longest answer, in tokens (2500).")
]
GroupOption = Annotated[Group | None, _option(CONDITION, "--group", help="Group of Ariadne's Thread (A).")]
Mirage = Annotated[bool | None, _option(CONDITION, "--mirage/--no-mirage", help="With or without lures (with).")]
Confidence = Annotated[
    bool | None, _option(CONDITION, "--confidence/--no-confidence", help="Ask for confidence or not (ask).")
]
LangOption = Annotated[Lang | None, _option(CONDITION, "--lang", help="Language of the prompt and the screen (ko).")]
ProtocolOption = Annotated[
    Protocol | None,
    _option(CONDITION, "--protocol", help="One answer, step by step, or judging a finished path (single)."),
]
ViewOption = Annotated[View | None, _option(CONDITION, "--view", help="Stepwise: what a turn tells (open).")]
StepBudget = Annotated[
    int | None, _option(CONDITION, "--step-budget", metavar="N", help="Stepwise: moves allowed (4·N²).")
]
InjectionOption = Annotated[
    Injection | None, _option(CONDITION, "--injection", help="The prompt carries the start of a walk (none).")
]
Template = Annotated[
    int | None, _option(CONDITION, "--template", metavar="N", help="Wording of the prompt, 0 to 4 (0).")
]
DisclosureOption = Annotated[
    Disclosure | None, _option(CONDITION, "--disclosure", help="Whether the prompt says what is measured (disclosed).")
]
ShowSeed = Annotated[
    bool | None,
    _option(CONDITION, "--show-seed/--hide-seed", help="The seed stands in the maze's text or not (shown)."),
]
TriggerOption = Annotated[
    Trigger | None, _option(CONDITION, "--trigger", help="Group B: what calls for a hint (loop).")
]
Arms = Annotated[
    list[Arm] | None,
    _option(CONDITION, "--arm", help="Groups B and C: several times, randomise what is told (always the hint)."),
]
History = Annotated[
    int | None, _option(CONDITION, "--history", metavar="N", help="Stepwise: last turns that are shown (all).")
]

# ---- who is asked ---------------------------------------------------------------------------------
Models = Annotated[
    list[str] | None,
    _option(
        MODELS, "--model", metavar="NAME",
        help="provider/model, several times for several; synthetic/careful needs no key (those whose key is set).",
    ),
]  # fmt: skip
Config = Annotated[Path | None, _option(MODELS, "--config", metavar="PATH", help="JSON with maze options and models.")]
Interactive = Annotated[bool, _option(MODELS, "--interactive", help="Ask for models, keys and options.")]
Temperature = Annotated[float | None, _option(MODELS, "--temperature", metavar="X", help="Temperature (0).")]
Effort = Annotated[str | None, _option(MODELS, "--effort", metavar="WORD", help="Reasoning effort: low, medium, high.")]
BaseUrl = Annotated[
    str | None, _option(MODELS, "--base-url", metavar="URL", help="Address of models openai-api/SERVICE/MODEL.")
]
KeyEnv = Annotated[
    str | None, _option(MODELS, "--key-env", metavar="NAME", help="Variable that holds the key of these models.")
]
MaxConnections = Annotated[
    int | None, _option(MODELS, "--max-connections", metavar="N", help="Requests at once, by model (10).")
]
MaxRetries = Annotated[
    int | None, _option(MODELS, "--max-retries", metavar="N", help="Tries after a failed request (5).")
]

# ---- what is written ------------------------------------------------------------------------------
Output = Annotated[
    Path | None,
    _option(OUTPUT, "--output", metavar="PATH", help="JSON file (results/hallumaze_results_DATE_TIME.json)."),
]
Csv = Annotated[bool, _option(OUTPUT, "--csv", help="Write a CSV beside it.")]
Book = Annotated[
    Path | None, _option(OUTPUT, "--book", metavar="PATH", help="Answer book (a .db beside the JSON file).")
]
LogDir = Annotated[Path | None, _option(OUTPUT, "--log-dir", metavar="PATH", help="Inspect's logs (results/logs).")]
Quiet = Annotated[bool, _option(OUTPUT, "--quiet", help="Print nothing but a bar, warnings and errors.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.", show_default=False)]

SPELLED = {
    "ariadne_mode": "--group",
    "language": "--lang",
    "models": "--model",
    "seeds": "--seed",
    "arms": "--arm",
}
"""Options whose name is not that of the value they set."""
SWITCHES = {
    "use_mirage": ("--mirage", "--no-mirage"),
    "use_confidence": ("--confidence", "--no-confidence"),
    "show_seed": ("--show-seed", "--hide-seed"),
}


def chosen(given: Mapping[str, Any]) -> dict[str, Any]:
    """What was really given: no None, no empty list, no flag left out; choices as plain words, paths as text."""
    kept = {name: value for name, value in given.items() if value not in (None, [], (), "") and value is not False}
    kept |= {name: False for name in SWITCHES if given.get(name) is False}
    return {name: _plain(value) for name, value in kept.items()}


def command(given: Mapping[str, Any]) -> str:
    """The `hallumaze` command that gives these options, for a shell.

    >>> command({"size": 7, "seeds": [1, 2], "use_mirage": False, "csv": True})
    'hallumaze --size 7 --seed 1 --seed 2 --no-mirage --csv'
    """
    words = ["hallumaze"]
    for name, value in chosen(given).items():
        option = SPELLED.get(name, f"--{name.replace('_', '-')}")
        if name in SWITCHES:
            words.append(SWITCHES[name][0 if value else 1])
        elif value is True:
            words.append(option)
        else:
            for one in value if isinstance(value, list | tuple) else [value]:
                words += [option, str(one)]
    return shlex.join(words)


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, StrEnum | Path) else value
