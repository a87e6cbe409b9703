"""Batch paste: several answers in one text or in chosen files, each matched to its maze.

    for pasted in split_batch(text):                    # or read_file(name, data)
        found = match(pasted, mazes)
        if found.maze is None: ...                      # ask, with found.candidates; found.reason says why
        else: config = MazeConfig(size=found.maze.size, **found.hints)

Reading order: `pasted`; `splitting` with the lines that part answers (`marks`) and bare rules (`rules`); `files` and
`exports`; `matching`.
"""

from hallumaze_kit.panels.batch.files import read_file
from hallumaze_kit.panels.batch.matching import REASONS, Match, match
from hallumaze_kit.panels.batch.pasted import LARGEST, Pasted
from hallumaze_kit.panels.batch.splitting import split_batch

__all__ = ["LARGEST", "REASONS", "Match", "Pasted", "match", "read_file", "split_batch"]
