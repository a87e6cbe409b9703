"""How long the maze text and the prompt are, against maze-dataset's token text of the same mazes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType

from benchmarks.report import MISSING, Line, peer
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.records.config import LANGUAGES
from hallumaze_kit.trial.prompt import build_prompt

ABOUT = (
    "Length in characters / tokens (o200k_base), mean over mazes; theirs: maze-dataset's text of the same mazes up to "
    "the path; ratio: of tokens."
)
SIZES = (5, 7, 9, 11)

Length = tuple[float, float | None]
"""Characters, and tokens if they can be counted."""


def measure(sizes: tuple[int, ...] = SIZES, mazes: int = 20) -> Iterator[Line]:
    """A line for each size, language and text."""
    count = _token_counter()
    peers = peer("maze_dataset"), peer("maze_dataset.tokenization")
    for size in sizes:
        drawn = [MazeEngine(size, seed) for seed in range(mazes)]
        theirs = _mean([_peer_text(maze, *peers) for maze in drawn], count) if all(peers) else None
        for language in LANGUAGES:
            config = MazeConfig(size, language=language)
            prompts = [build_prompt(maze, config) for maze in drawn]
            texts = {
                "maze text": [maze.encode_text(True, language) for maze in drawn],
                "maze text without lures": [maze.encode_text(False, language) for maze in drawn],
                "prompt": [f"{prompt.system}\n{prompt.user}" for prompt in prompts],
            }
            for name, made in texts.items():
                yield _line(f"{size}×{size} {language}, {name}", _mean(made, count), theirs)


def _line(what: str, ours: Length, theirs: Length | None) -> Line:
    if theirs is None:
        return Line(what, _shown(ours), MISSING)
    if ours[1] is None or theirs[1] is None:
        return Line(what, _shown(ours), _shown(theirs))
    return Line(what, _shown(ours), _shown(theirs), ours[1] / theirs[1])


def _shown(length: Length) -> str:
    characters, tokens = length
    return f"{characters:,.0f} / {'?' if tokens is None else f'{tokens:,.0f}'}"


def _mean(texts: list[str], count: Callable[[str], int] | None) -> Length:
    tokens = None if count is None else sum(map(count, texts)) / len(texts)
    return sum(map(len, texts)) / len(texts), tokens


def _token_counter() -> Callable[[str], int] | None:
    package = peer("bpe_openai")
    if package is None:
        return None
    encoding = package.get_encoding("o200k_base")
    return lambda text: len(encoding.encode(text))


def _peer_text(maze: MazeEngine, package: ModuleType, tokenization: ModuleType) -> str:
    """The maze as maze-dataset's default tokenizer writes it: passages, origin, target."""
    import numpy as np

    down, right = (maze.passages & 4) > 0, (maze.passages & 2) > 0
    solved = package.SolvedMaze(connection_list=np.stack([down, right]), solution=np.array(maze.solution))
    tokens = solved.as_tokens(tokenization.MazeTokenizerModular())
    return " ".join(tokens[: tokens.index("<PATH_START>")])
