"""Protocol "probe": a maze, a complete path, one question (specification, section 8).

The path is the solution, or broken at exactly one edge, where it goes through a wall. "Is every move allowed?" is a
two-choice task with a confidence, on which d′, meta-d′ and M-ratio are defined, for people and models alike.
"""

from __future__ import annotations

import hashlib
from random import Random
from typing import NamedTuple

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import STEP, Cell, MazeEngine
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.trial.prompt import Prompt
from hallumaze_kit.trial.reading.said.verdict import ProbeReply, read_probe
from hallumaze_kit.trial.wording import probe as wording

__all__ = ["ProbePath", "ProbeReply", "probe_path", "probe_prompt", "read_probe"]

Edge = tuple[Cell, Cell]


class ProbePath(NamedTuple):
    """A complete path from start to exit.

    cells   the cells in order, none twice
    broken  one of its moves goes through a wall
    edge    the two cells of that move, in the order of the path; None if all moves are legal
    """

    cells: tuple[Cell, ...]
    broken: bool
    edge: Edge | None


def probe_path(maze: MazeEngine, config: MazeConfig) -> ProbePath:
    """The path that is probed; same arguments, same result, in every process.

    `config.injection` decides which half the maze belongs to: "own", "other" are broken, "own-clean", "other-clean"
    are the solution, and under "none" a hash of the maze's id decides, half and half. Which edge is broken depends on
    the walls alone: the subject's "own" path and the "other" solver's are the same.

    A broken path leads from the start to a cell u on the only way there, through a wall to its neighbour v, and from v
    to the exit on the only way there. That fits if no cell is met twice, that is, if u's branch leaves the
    solution before v's does; one fitting pair is drawn, each as likely as another. Every maze has one: between the
    cells that branch off before a place of the solution and those that branch off behind it there is one passage only,
    but a grid cannot be cut in two through one pair of neighbours, so at least one walled pair lies there as well.
    Broken paths may be shorter or longer than the solution, and no cell or
    length is a sign: what they have in common is the wall.

    2×2 with the solution south, east and (0,1) open to (0,0) only: the walled pairs are (0,1)–(1,1), which fits
    from (0,1) to (1,1) and gives (0,0)→(0,1)→(1,1), edge ((0,1), (1,1)).

    Raises `InputError` if `config.size` is not the maze's.
    """
    if config.size != maze.size:
        raise InputError("config.size", config.size, f"the maze's size, {maze.size}")
    if not is_broken(maze, config):
        return ProbePath(tuple(maze.solution), False, None)
    leaves = _leaves_solution(maze)
    pairs = [(u, v) for u, v in _walled_pairs(maze) if leaves[u] < leaves[v]]
    u, v = Random(f"hallumaze probe {maze.maze_id}").choice(pairs)
    return ProbePath((*_way(maze, maze.start, u), *_way(maze, v, maze.exit)), True, (u, v))


def is_broken(maze: MazeEngine, config: MazeConfig) -> bool:
    """Which half a maze belongs to under a condition; see `probe_path`."""
    if config.injection == "none":
        return hashlib.sha256(f"hallumaze probe half {maze.maze_id}".encode()).digest()[0] % 2 == 1
    return not config.injection.endswith("-clean")


def probe_prompt(maze: MazeEngine, config: MazeConfig) -> Prompt:
    """The probe's prompt: maze, path, whose it is said to be, the question, the format of the answer.

    The options do what they do in `build_prompt`; there are five templates in two languages. "disclosed" says in the
    system turn that noticing errors and confidence are measured, "neutral" does not; the user turn is the same.
    "own", "own-clean": a path that the subject gave; "other", "other-clean": that another solver gave; "none": a path.
    A broken and a clean prompt differ in the path alone.

    Raises `InputError` if `config.size` is not the maze's.
    """
    path = probe_path(maze, config)
    lines = wording.USER[config.language][config.template].split("\n")
    kept = [line.removeprefix("c|") for line in lines if config.use_confidence or not line.startswith("c|")]
    user = "\n".join(kept).format(
        maze=maze.encode_text(config.use_mirage, config.language, config.show_seed),
        whose=wording.WHOSE[config.language][config.injection.removesuffix("-clean")],
        path="→".join(f"({row},{col})" for row, col in path.cells),
        valid=wording.VALID[config.language],
        confidence=wording.CONFIDENCE,
    )
    system = wording.SYSTEM[config.language][config.disclosure][config.template]
    return Prompt(system, user, hashlib.sha256(f"{system}\n\0\n{user}".encode()).hexdigest())


def _walled_pairs(maze: MazeEngine) -> list[Edge]:
    """Neighbours with a wall between them, each pair in both orders."""
    out = []
    for row in range(maze.size):
        for col in range(maze.size):
            for direction in ("E", "S"):
                far = (row + STEP[direction][0], col + STEP[direction][1])
                if max(far) < maze.size and not maze.is_open((row, col), direction):
                    out += [((row, col), far), (far, (row, col))]
    return out


def _leaves_solution(maze: MazeEngine) -> dict[Cell, int]:
    """For each cell, the place on the solution (from 0) where the way to it leaves the solution."""
    leaves = {cell: place for place, cell in enumerate(maze.solution)}
    queue = list(leaves)
    for cell in queue:
        for far in _neighbours(maze, cell):
            if far not in leaves:
                leaves[far] = leaves[cell]
                queue.append(far)
    return leaves


def _way(maze: MazeEngine, start: Cell, end: Cell) -> list[Cell]:
    """The only way between two cells, both counted."""
    came: dict[Cell, Cell] = {end: end}
    queue = [end]
    for cell in queue:
        for far in _neighbours(maze, cell):
            if far not in came:
                came[far] = cell
                queue.append(far)
    way = [start]
    while way[-1] != end:
        way.append(came[way[-1]])
    return way


def _neighbours(maze: MazeEngine, cell: Cell) -> list[Cell]:
    """The cells that one can go to from a cell."""
    return [(cell[0] + STEP[d][0], cell[1] + STEP[d][1]) for d in maze.open_directions(cell)]
