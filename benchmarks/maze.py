"""Generate a maze and solve it, against maze-dataset and mazelib."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType

from benchmarks.report import MISSING, Line, fastest, peer, rate
from hallumaze_kit.maze import MazeEngine

ABOUT = "Generate and solve, mazes a second; ratio: how many times as fast as the peer. The same number of mazes each."
COUNTS = {7: 100, 51: 3}
"""Mazes of each size."""
ALGORITHMS = {
    "dfs": ("gen_dfs", "BacktrackingGenerator"),
    "kruskal": ("gen_kruskal", "Kruskal"),
    "wilson": ("gen_wilson", "Wilsons"),
}
"""What maze-dataset and mazelib call them."""
TARGET = 25
"""Of dfs, against maze-dataset."""

Path = Sequence[Sequence[int]]


def measure(counts: dict[int, int] = COUNTS, repeats: int = 5) -> Iterator[Line]:
    """A line for each algorithm, size and peer."""
    for algorithm in ALGORITHMS:
        for size, count in counts.items():
            solvers = {"ours": _ours(size, count, algorithm)}
            for name, module, solver in PEERS:
                if package := peer(module):
                    solvers[name] = solver(package, size, count, algorithm)
            best = fastest(solvers, repeats)
            for name, (_, paths) in best.items():
                _check_solved(name, paths, size)
            speed = {name: count / took for name, (took, _) in best.items()}
            for name, _, _ in PEERS:
                yield _line(algorithm, size, name, speed["ours"], speed.get(name))


def _line(algorithm: str, size: int, name: str, ours: float, theirs: float | None) -> Line:
    what = f"{algorithm} {size}×{size}, {name}"
    target = f">= {TARGET}×" if (algorithm, name) == ("dfs", "maze-dataset") else ""
    if theirs is None:
        return Line(what, rate(ours), MISSING, target=target)
    ratio = ours / theirs
    return Line(what, rate(ours), rate(theirs), ratio, target, ratio >= TARGET if target else None)


def _ours(size: int, count: int, algorithm: str) -> Callable[[], list[Path]]:
    return lambda: [MazeEngine(size, seed, algorithm).solution for seed in range(count)]


def _maze_dataset(generation: ModuleType, size: int, count: int, algorithm: str) -> Callable[[], list[Path]]:
    import numpy as np

    generate = getattr(generation.LatticeMazeGenerators, ALGORITHMS[algorithm][0])
    shape = np.array([size, size])

    def run() -> list[Path]:
        _seed_peers()
        return [generate(shape).find_shortest_path((0, 0), (size - 1, size - 1)) for _ in range(count)]

    return run


def _mazelib(package: ModuleType, size: int, count: int, algorithm: str) -> Callable[[], list[Path]]:
    name = ALGORITHMS[algorithm][1]
    generator = getattr(peer(f"mazelib.generate.{name}"), name)
    # Of its solvers, those that were fastest at 7×7 and at 51×51.
    name = "Tremaux" if size < 20 else "Collision"
    solver = getattr(peer(f"mazelib.solve.{name}"), name)

    def run() -> list[Path]:
        _seed_peers()
        paths = []
        for _ in range(count):
            maze = package.Maze()
            maze.generator = generator(size, size)
            maze.solver = solver()
            maze.generate()
            maze.start, maze.end = (1, 1), (2 * size - 1, 2 * size - 1)
            maze.solve()
            paths.append(maze.solutions[0])
        return paths

    return run


def _seed_peers() -> None:
    """The peers draw from global generators and take no other."""
    import numpy as np

    random.seed(0)
    np.random.seed(0)


PEERS = (("maze-dataset", "maze_dataset.generation", _maze_dataset), ("mazelib", "mazelib", _mazelib))


def _check_solved(name: str, paths: list[Path], size: int) -> None:
    """Fail unless every path runs from start to exit; mazelib counts walls as cells and leaves both ends out."""
    first, last, gap = (1, 2 * size - 1, 1) if name == "mazelib" else (0, size - 1, 0)
    for path in paths:
        (r0, c0), (r1, c1) = path[0], path[-1]
        if abs(r0 - first) + abs(c0 - first) != gap or abs(r1 - last) + abs(c1 - last) != gap:
            raise RuntimeError(f"{name} did not solve a maze: its path runs from {path[0]} to {path[-1]}.")
