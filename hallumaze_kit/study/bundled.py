"""The real answers that come with the kit (`data/answers`), scored."""

from __future__ import annotations

import json
from pathlib import Path

from hallumaze_kit.errors import FileError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import BenchmarkResult, MazeConfig

FOLDER = Path(__file__).parents[2] / "data" / "answers"
KNOWN = {
    "provider": "anthropic",
    "model": "claude (version not recorded)",
    "subject_kind": "llm",
    "channel": "collected by hand",
    "date": "2026-11",
}
"""What is known of who answered."""


def answer_text(name: str, folder: Path = FOLDER) -> str:
    """The text of a bundled answer by the beginning of its file's name: `answer_text("q05")`.

    Raises `FileError` if there is none or the folder is missing.
    """
    return _read(_named(name, folder))


def answer_maze(name: str, folder: Path = FOLDER) -> MazeEngine:
    """The maze that a bundled answer answers."""
    label = _labels(folder)[_named(name, folder).name]
    return MazeEngine(label["size"], label["seed"])


def real_results(folder: Path = FOLDER) -> list[BenchmarkResult]:
    """Every bundled answer as a result, in the order of the file names.

    Raises `FileError` if the folder is missing, as it is where the kit was installed without its repository.
    """
    from hallumaze_kit.trial.scoring import score_answer

    results = []
    for name, label in sorted(_labels(folder).items()):
        maze = MazeEngine(label["size"], label["seed"])
        config = MazeConfig(size=maze.size, use_mirage=label["mirage"], language=label["language"])
        extra = {"file": name, "style": label["style"]}
        results.append(score_answer(maze, _read(folder / name), config, **KNOWN, extra=extra))
    return results


def _labels(folder: Path) -> dict[str, dict]:
    return json.loads(_read(folder / "labels.json"))


def _named(name: str, folder: Path) -> Path:
    found = [file for file in sorted(_labels(folder)) if file.startswith(name)]
    if not found:
        raise FileError(
            f"There is no bundled answer whose name begins with {name!r}; {folder / 'labels.json'} lists them."
        )
    return folder / found[0]


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise FileError(
            f"The bundled answers are not at {path.parent} ({path.name}: {error.strerror}). They come with the kit's "
            "repository, not with the installed package: get the repository, or name the folder that holds them."
        ) from error
