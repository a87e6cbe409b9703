"""Answers that `score_answer` scores in a second: real ones and synthetic ones in every style."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.report import Line, fastest, rate
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.subjects import Synthetic
from hallumaze_kit.subjects.synthetic import FAMILIES
from hallumaze_kit.subjects.synthetic_text import STYLES
from hallumaze_kit.trial.prompt import build_prompt
from hallumaze_kit.trial.scoring import score_answer

ABOUT = (
    "score_answer on 7×7 answers, answers a second, on mazes made before the clock starts; ratio: of the target, which "
    "is set for real answers and for the form that the prompt asks for. Answers told in sentences take longer."
)
ANSWERS = Path(__file__).parents[1] / "data" / "answers"
SIZE = 7
TARGET = 500
WITH_TARGET = ("real answers", "synthetic answers, standard", "synthetic answers, markdown", "synthetic answers, terse")


class Asked(NamedTuple):
    """An answer and what was asked."""

    maze: MazeEngine
    config: MazeConfig
    text: str


def measure(rounds: int = 10, repeats: int = 5) -> Iterator[Line]:
    """A line for the real answers, `rounds` times over, one for each synthetic style, one for all together.

    In each style every synthetic subject answers `rounds` mazes, half of them in Korean.
    """
    kinds = {"real answers": real_answers() * rounds}
    kinds |= {f"synthetic answers, {style}": synthetic_answers(style, rounds) for style in STYLES}
    total = 0.0
    for what, asked in kinds.items():
        took, _ = fastest({what: lambda asked=asked: _score(asked)}, repeats)[what]
        total += took
        yield _line(f"{what} ({len(asked)})", len(asked) / took, what in WITH_TARGET)
    yield _line("all of these", sum(map(len, kinds.values())) / total, False)


def real_answers(size: int = SIZE) -> list[Asked]:
    """The bundled answers to mazes of a size."""
    found = []
    for name, label in json.loads((ANSWERS / "labels.json").read_text("utf-8")).items():
        if label["size"] == size:
            config = MazeConfig(size, use_mirage=label["mirage"], language=label["language"])
            found.append(Asked(MazeEngine(size, label["seed"]), config, (ANSWERS / name).read_text("utf-8")))
    return found


def synthetic_answers(style: str, rounds: int) -> list[Asked]:
    """Answers of every synthetic subject to the mazes of seeds 0 to `rounds` - 1, Korean and English in turns."""
    found = []
    for seed in range(rounds):
        for number, (name, traits) in enumerate(FAMILIES.items()):
            config = MazeConfig(SIZE, language=("ko", "en")[(seed + number) % 2])
            maze = MazeEngine(SIZE, seed)
            text = Synthetic(name, traits, style).answer(build_prompt(maze, config), seed)
            found.append(Asked(maze, config, text))
    return found


def _score(asked: list[Asked]) -> None:
    for maze, config, text in asked:
        score_answer(maze, text, config)


def _line(what: str, speed: float, has_target: bool) -> Line:
    if not has_target:
        return Line(what, rate(speed))
    return Line(what, rate(speed), ratio=speed / TARGET, target=f">= {TARGET}/s", met=speed >= TARGET)
