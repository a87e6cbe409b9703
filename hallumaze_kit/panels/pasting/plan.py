"""A planned set of trials, and how far the answers have come."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from hallumaze_kit.errors import InputError, check_whole
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.store import StoredAnswer


class Trial(NamedTuple):
    """One planned trial; `model` is "" where any will do."""

    maze: MazeEngine
    config: MazeConfig
    model: str
    run: int


class Progress(NamedTuple):
    """How many of the planned trials are done, and which are missing, in the order of the plan."""

    done: int
    total: int
    missing: tuple[Trial, ...]


@dataclass(frozen=True)
class PastePlan:
    """Mazes × conditions × models × runs that are to be pasted, in that order.

    mazes    MazeEngine each
    configs  conditions; each takes the size of the maze it meets
    models   names as they are typed into the panel; ("",) asks for answers of any model
    runs     answers for each, 1 or more

    Raises `InputError` for an empty list, fewer than one run, and a stepwise condition, which goes turn by turn and
    cannot be pasted.
    """

    mazes: Sequence[MazeEngine]
    configs: Sequence[MazeConfig] = (MazeConfig(),)
    models: Sequence[str] = ("",)
    runs: int = 1

    def __post_init__(self) -> None:
        check_whole("runs", self.runs, 1)
        for name in ("mazes", "configs", "models"):
            given = tuple(getattr(self, name))
            if not given or isinstance(getattr(self, name), str):
                raise InputError(name, getattr(self, name), "a list with at least one entry")
            object.__setattr__(self, name, given)
        for config in self.configs:
            check_pasted(config)

    def trials(self) -> list[Trial]:
        """The planned trials, mazes in the outermost loop."""
        return [
            Trial(maze, replace(config, size=maze.size), model, run)
            for maze in self.mazes
            for config in self.configs
            for model in self.models
            for run in range(self.runs)
        ]

    def progress(self, answers: Iterable[StoredAnswer]) -> Progress:
        """What is done and what is missing; an answer counts for one trial, with its maze, condition and model."""
        given = Counter(_key(a.maze, a.config, a.meta.get("model", "")) for a in answers if a.maze and a.config)
        anyone: Counter[tuple[str, MazeConfig]] = Counter()
        for (maze, config, _), count in given.items():
            anyone[maze, config] += count
        missing = []
        trials = self.trials()
        for trial in trials:
            key = _key(trial.maze.to_dict(), trial.config, trial.model)
            left = given if trial.model else anyone
            place = key if trial.model else key[:2]
            if left[place] > 0:
                left[place] -= 1
            else:
                missing.append(trial)
        return Progress(len(trials) - len(missing), len(trials), tuple(missing))


def check_pasted(config: MazeConfig) -> MazeConfig:
    """The condition, if answers to it can be pasted: one prompt, one answer. `InputError` for a stepwise one."""
    if config.protocol == "stepwise":
        mend = "A stepwise trial goes turn by turn: run it with a model, or let a person play it."
        raise InputError("config.protocol", config.protocol, "'single' or 'probe' for pasting", mend)
    return config


def _key(maze: dict[str, Any], config: MazeConfig, model: str) -> tuple[str, MazeConfig, str]:
    """What tells two trials apart: walls and lures, condition, model."""
    return maze_key(maze), config, model.strip()


def maze_key(maze: dict[str, Any]) -> str:
    """What tells two mazes apart: walls and lures."""
    kept = {name: maze.get(name) for name in ("size", "passages", "lures")}
    return json.dumps(kept, sort_keys=True, default=list)
