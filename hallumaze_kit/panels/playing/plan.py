"""What people play in a study: the mazes and their conditions, who gets which order and hint group, the consent."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import NamedTuple

from hallumaze_kit.errors import InputError, check_choice, check_whole
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.panels.playing.words import CONSENT, CONSENT_VERSION
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.subjects.human import MEMORIES
from hallumaze_kit.trial.hints import GROUPS, TRIGGERS, Ariadne
from hallumaze_kit.trial.prompt import build_prompt


class PlayTrial(NamedTuple):
    """One trial of a person: its number (from 0, the practice first), maze, condition, whether it is practice."""

    index: int
    maze: MazeEngine
    config: MazeConfig
    practice: bool


@dataclass(frozen=True)
class PlayPlan:
    """A study that people take part in.

    study     its name; a person's code belongs to one study
    blocks    (mazes, condition) one after the other; within a block each person has the mazes in an order of the
              Williams design. A condition's protocol is "stepwise" or "probe"; size, language and hint group are set
              by the maze, the person, and `groups`
    practice  mazes that are played first, under the first block's condition and always in group A; their records say so
    memory    what is shown of the way so far: "cell" (the cell where one stands) or "trail" (the way, drawn). A model
              that sees as much has the `history` 0 or None
    groups    hint groups (section 9.3) that people are put into in turn
    trigger   what calls for a hint in group B
    consent   text of the consent by language, and `consent_version`, which stands in every record. Your review board
              knows what yours must say; the text that comes with the kit is an example and says so
    licence   of the data, as the consent allows it; stands in every record

    Person number k (from 0, in the order of consent) is in group `groups[k mod g]` and has row ⌊k/g⌋ of each block's
    design, modulo its rows.

    Raises `InputError` for an empty plan, a condition that cannot be played, a repeated maze.
    """

    study: str
    blocks: Sequence[tuple[Sequence[MazeEngine], MazeConfig]]
    practice: Sequence[MazeEngine] = ()
    memory: str = "cell"
    groups: Sequence[str] = ("A",)
    trigger: str = "loop"
    consent: Mapping[str, str] | None = None
    consent_version: str = CONSENT_VERSION
    licence: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.study, str) or not self.study.strip():
            raise InputError("study", self.study, "a name")
        check_choice("memory", self.memory, tuple(MEMORIES))
        check_choice("trigger", self.trigger, TRIGGERS)
        object.__setattr__(self, "groups", tuple(check_choice("groups", group, GROUPS) for group in self.groups))
        object.__setattr__(self, "practice", tuple(self.practice))
        object.__setattr__(self, "blocks", tuple((tuple(mazes), config) for mazes, config in self.blocks))
        if not self.groups:
            raise InputError("groups", self.groups, "a list with at least one hint group")
        if not self.blocks or not all(mazes for mazes, _ in self.blocks):
            raise InputError("blocks", self.blocks, "a list of (mazes, condition), each with at least one maze")
        for mazes, config in self.blocks:
            check_choice("config.protocol", config.protocol, ("stepwise", "probe"))
            for maze in (*mazes, *self.practice):
                build_prompt(maze, replace(config, size=maze.size))  # refuses what cannot be asked
            if len(set(mazes)) < len(mazes):
                raise InputError("blocks", mazes, "a list of different mazes in each block")
        consent = dict(CONSENT if self.consent is None else self.consent)
        if not all(isinstance(consent.get(language), str) and consent[language].strip() for language in CONSENT):
            raise InputError("consent", self.consent, "a text for each of " + ", ".join(map(repr, CONSENT)))
        if self.consent is not None and self.consent_version == CONSENT_VERSION:
            raise InputError("consent_version", self.consent_version, "the version of your own text")
        object.__setattr__(self, "consent", consent)

    @property
    def stepwise(self) -> bool:
        """Mazes are walked in some block."""
        return any(config.protocol == "stepwise" for _, config in self.blocks)

    @property
    def view(self) -> str:
        """The view of the first block that is walked, "" if there is none."""
        return next((config.view for _, config in self.blocks if config.protocol == "stepwise"), "")

    def group(self, number: int) -> str:
        """The hint group of person `number` (from 0)."""
        return self.groups[number % len(self.groups)]

    def row(self, number: int, mazes: int) -> list[int]:
        """The order of a block with so many mazes for person `number`."""
        square = williams(mazes)
        return square[number // len(self.groups) % len(square)]

    def trials(self, number: int, language: str) -> list[PlayTrial]:
        """The trials of person `number` in their order."""
        first = self.blocks[0][1]
        played = [(maze, first, "A", True) for maze in self.practice]
        for mazes, config in self.blocks:
            group = self.group(number) if config.protocol == "stepwise" else "A"
            played += [(mazes[place], config, group, False) for place in self.row(number, len(mazes))]
        return [
            PlayTrial(index, maze, replace(config, size=maze.size, language=language, ariadne_mode=group), practice)
            for index, (maze, config, group, practice) in enumerate(played)
        ]

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits of everything that decides what a person plays; another plan has others."""
        blocks = [([maze.to_dict() for maze in mazes], asdict(config)) for mazes, config in self.blocks]
        practice = [maze.to_dict() for maze in self.practice]
        whole = [self.study, blocks, practice, self.memory, self.groups, self.trigger]
        return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:12]

    def hints(self, config: MazeConfig) -> Ariadne:
        """Who decides whether a hint is given after a walk."""
        return Ariadne(config.ariadne_mode, self.trigger)


def williams(n: int) -> list[list[int]]:
    """The rows of a Williams design for `n` conditions, numbers from 0.

    Every condition stands once in every row and equally often at every place, and comes right before every other one
    equally often, so that what carries over from one to the next falls on all alike. For even `n` there are n rows; for
    odd `n` no n rows can do that, and there are 2n.

    Row 0 is 0, 1, n−1, 2, n−2 …, row i adds i to it (modulo n); for odd `n` the same rows backwards follow.
    Four conditions: 0132, 1203, 2310, 3021.

    Source: E. J. Williams (1949), Experimental designs balanced for the estimation of residual effects of treatments,
    Australian Journal of Scientific Research A 2, 149–168.
    """
    check_whole("n", n, 1)
    first = [0]
    for step in range(1, n):
        first.append((step + 1) // 2 if step % 2 else n - step // 2)
    rows = [[(place + shift) % n for place in first] for shift in range(n)]
    return rows if n % 2 == 0 or n == 1 else [*rows, *(row[::-1] for row in rows)]
