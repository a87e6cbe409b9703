"""One maze: a spanning tree with one solution; what it says of itself; what it refuses."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallumaze_kit.errors import InputError, KitError
from hallumaze_kit.maze import DIRECTIONS, OPPOSITE, STEP, MazeEngine

ROOT = Path(__file__).parents[2]
BIT = {"N": 1, "E": 2, "S": 4, "W": 8}
ALGORITHMS = ("dfs", "kruskal", "wilson")
PLACEMENTS = ("v1.1", "balanced")
mazes = st.builds(
    MazeEngine, st.integers(2, 13), st.integers(0, 10**9), st.sampled_from(ALGORITHMS), st.sampled_from(PLACEMENTS)
)


def neighbours(maze: MazeEngine, cell: tuple[int, int]) -> dict[str, tuple[int, int]]:
    """Where one can go from a cell, read from the passages alone."""
    mask = int(maze.passages[cell])
    return {d: (cell[0] + STEP[d][0], cell[1] + STEP[d][1]) for d in DIRECTIONS if mask & BIT[d]}


def cells(maze: MazeEngine) -> list[tuple[int, int]]:
    return [(row, col) for row in range(maze.size) for col in range(maze.size)]


def walked(maze: MazeEngine, goal: tuple[int, int]) -> dict[tuple[int, int], int]:
    """Moves from every cell to `goal`, by breadth-first search over the passages."""
    far, queue = {goal: 0}, [goal]
    for cell in queue:
        for near in neighbours(maze, cell).values():
            if near not in far:
                far[near] = far[cell] + 1
                queue.append(near)
    return far


# ---- what every maze is --------------------------------------------------------------------------


@given(mazes)
def test_every_maze_is_a_spanning_tree(maze):
    parent = {cell: cell for cell in cells(maze)}

    def root(cell):
        while parent[cell] != cell:
            cell = parent[cell]
        return cell

    joins = 0
    for cell in cells(maze):
        for direction, near in neighbours(maze, cell).items():
            assert near in parent, "an opening leads out of the maze"
            assert OPPOSITE[direction] in neighbours(maze, near), "an opening is closed from the other side"
            if direction in "ES":
                joins += 1
                assert root(cell) != root(near), "a second way between two cells"
                parent[root(cell)] = root(near)
    assert joins == maze.size**2 - 1
    assert len({root(cell) for cell in parent}) == 1


@given(mazes)
def test_the_solution_is_the_only_path_from_start_to_exit(maze):
    path = maze.solution
    assert path[0] == maze.start == (0, 0)
    assert path[-1] == maze.exit == (maze.size - 1, maze.size - 1)
    assert len(set(path)) == len(path), "a tree has one path without a cell twice"
    for here, there in pairwise(path):
        assert there in neighbours(maze, here).values()


@given(mazes)
def test_distances_and_directions_onward_agree_with_a_search(maze):
    far = walked(maze, maze.exit)
    for cell in cells(maze):
        assert maze.distance(cell) == far[cell]
        nearer = [d for d, near in neighbours(maze, cell).items() if far[near] < far[cell]]
        assert [maze.onward(cell)] == (nearer or [""])
    assert maze.distance(maze.start) == len(maze.solution) - 1
    assert maze.onward(maze.exit) == ""


@given(mazes)
def test_questions_to_the_maze_agree_with_its_passages(maze):
    passages = maze.passages
    assert passages.shape == (maze.size, maze.size) and passages.dtype == np.uint8
    for cell in cells(maze):
        near = neighbours(maze, cell)
        assert maze.open_directions(cell) == tuple(near)
        assert [d for d in DIRECTIONS if maze.is_open(cell, d)] == list(near)


@given(mazes)
def test_junctions_and_dead_ends_are_counted_as_defined(maze):
    exits = {cell: len(neighbours(maze, cell)) for cell in cells(maze)}
    choices = [cell for cell, n in exits.items() if n >= 3 or (cell == (0, 0) and n == 2)]
    assert list(maze.junctions) == choices
    assert list(maze.decision_cells) == [cell for cell in maze.solution if cell in choices]
    assert maze.dead_ends == sum(n == 1 for cell, n in exits.items() if cell != maze.exit), "the start counts"
    # A tree of V cells has 2(V − 1) ends of passages, so every branch too many makes a leaf.
    leaves = sum(n == 1 for n in exits.values())
    assert leaves == 2 + sum(n - 2 for n in exits.values() if n >= 3)


# ---- arguments -----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 0, -5, 102, 7.0, "7", True, None, (7,), float("nan")])
def test_a_size_outside_2_to_101_is_refused(size):
    with pytest.raises(InputError, match=r"size must be a whole number from 2 to 101, got"):
        MazeEngine(size)


@pytest.mark.parametrize("seed", [-1, 1.5, "x", True, float("nan"), [1]])
def test_a_seed_that_is_no_whole_number_of_0_or_more_is_refused(seed):
    with pytest.raises(InputError, match=r"seed must be a whole number of 0 or more, got .*\. \S.*recorded") as error:
        MazeEngine(5, seed)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "arguments",
    [{"algorithm": "prim"}, {"algorithm": "DFS"}, {"algorithm": None}, {"algorithm": ["dfs"]}, {"placement": "v1"},
     {"placement": 1.1}],
)  # fmt: skip
def test_an_unknown_name_is_refused_and_the_known_ones_are_listed(arguments):
    (name,) = arguments
    known = {"algorithm": ALGORITHMS, "placement": PLACEMENTS}[name]
    with pytest.raises(InputError, match=f"{name} must be one of") as error:
        MazeEngine(5, 1, **arguments)
    assert all(repr(choice) in str(error.value) for choice in known)


@pytest.mark.parametrize("size", [2, 101])
def test_the_smallest_and_the_largest_size_are_allowed(size):
    assert MazeEngine(size, 3).passages.shape == (size, size)


def test_seed_0_is_a_seed():
    assert MazeEngine(7, 0).seed == 0
    assert MazeEngine(7, 0) == MazeEngine(7, 0)
    assert MazeEngine(7, 0).masks != MazeEngine(7, 1).masks


def test_without_a_seed_one_is_drawn_and_recorded():
    drawn = [MazeEngine(7) for _ in range(12)]
    assert all(type(maze.seed) is int and maze.seed >= 0 for maze in drawn)
    assert len({maze.seed for maze in drawn}) > 1
    assert all(MazeEngine(7, maze.seed) == maze for maze in drawn)


def test_whole_numbers_of_other_types_are_whole_numbers():
    maze = MazeEngine(np.int64(5), np.uint8(7))
    assert maze == MazeEngine(5, 7)
    assert type(maze.size) is int and type(maze.seed) is int


@pytest.mark.parametrize("direction", ["n", "North", "", None, 1, "NE", "동"])
def test_an_unknown_direction_is_refused(direction):
    with pytest.raises(InputError, match="direction must be one of 'N', 'E', 'S', 'W', got"):
        MazeEngine(5, 1).is_open((0, 0), direction)


@pytest.mark.parametrize("ask", ["distance", "onward", "open_directions"])
@pytest.mark.parametrize("cell", [(-1, 0), (0, 5), (5, 5), (0,), (0, 0, 0), (0.0, 1), ("0", "1"), None, 3, "ab"])
def test_a_cell_outside_the_maze_is_refused(ask, cell):
    with pytest.raises(InputError, match=r"cell must be .* 0 to 4, got"):
        getattr(MazeEngine(5, 1), ask)(cell)


def test_a_side_of_a_cell_outside_the_maze_is_refused():
    with pytest.raises(InputError, match="cell must be"):
        MazeEngine(5, 1).is_open((5, 0), "N")


def test_an_unknown_language_is_refused():
    with pytest.raises(InputError, match="language must be one of 'ko', 'en', got 'fr'"):
        MazeEngine(5, 1).encode_text(language="fr")


# ---- a maze is frozen ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["size", "seed", "passages", "solution", "mirage_traps", "new"])
def test_nothing_of_a_maze_can_be_set(name):
    maze = MazeEngine(5, 1)
    with pytest.raises(AttributeError, match="frozen"):
        setattr(maze, name, 1)
    assert maze == MazeEngine(5, 1)


def test_nothing_of_a_maze_can_be_deleted():
    maze = MazeEngine(5, 1)
    with pytest.raises(AttributeError, match="frozen"):
        del maze.size


def test_a_maze_survives_copying_and_pickling():
    """Studies send mazes to other processes."""
    maze = MazeEngine(5, 1, "wilson", "balanced")
    for again in (copy.copy(maze), copy.deepcopy(maze), pickle.loads(pickle.dumps(maze))):
        assert again == maze and again.encode_text() == maze.encode_text() and again.placement == "balanced"


def test_what_a_maze_hands_out_can_be_changed_without_harm():
    maze = MazeEngine(5, 1)
    maze.passages[:] = 0
    maze.solution.clear()
    data = maze.to_dict()
    data["lures"].clear()
    assert maze == MazeEngine(5, 1)
    assert maze.passages.any() and maze.solution and maze.to_dict()["lures"]


def test_equal_mazes_are_equal_and_hash_alike():
    one, same, other = MazeEngine(5, 1), MazeEngine(5, 1), MazeEngine(5, 2)
    assert one == same and hash(one) == hash(same)
    assert one != other and one != "maze"
    assert MazeEngine(5, 1, placement="balanced").maze_id == one.maze_id != other.maze_id


# ---- records -------------------------------------------------------------------------------------


@given(mazes)
def test_a_maze_comes_back_from_its_record(maze):
    again = MazeEngine.from_dict(json.loads(json.dumps(maze.to_dict())))
    assert again == maze
    assert (again.algorithm, again.placement) == (maze.algorithm, maze.placement)
    assert again.mirage_traps == maze.mirage_traps
    assert again.to_dict() == maze.to_dict()


def test_what_is_stored_decides_even_if_a_generator_would_make_something_else():
    stored = MazeEngine(5, 1).to_dict() | {"seed": 2}
    assert (MazeEngine.from_dict(stored).passages == MazeEngine(5, 1).passages).all()


BROKEN_RECORDS = {
    "nothing": {"size": None},
    "size": {"size": 102},
    "too few passages": {"passages": "1"},
    "passages that are no digits": {"passages": "z" * 9},
    "no openings": {"passages": "0" * 9},
    "an opening to the outside": {"passages": "f" * 9},
    "one-sided openings": {"passages": "2" + "0" * 8},
    "a round way and a cell apart": {"passages": "6ec791380"},
    "one opening too many": {"passages": "6ec7913a8"},
    "no passages": {"passages": None},
    "passages that are a number": {"passages": 5},
    "seed": {"seed": -1},
    "a seed that is text": {"seed": "x"},
    "a seed that is a fraction": {"seed": 1.5},
    "half a lure": {"lures": [{"cell": [0, 0]}]},
    "lures that are none": {"lures": 5},
    "a lure outside": {"lures": [{"cell": [9, 9], "direction": "N", "phrase": 0, "valid": False, "kind": "false"}]},
    "a phrase that does not exist": {
        "lures": [{"cell": [0, 0], "direction": "N", "phrase": 99, "valid": False, "kind": "false"}]
    },
    "an algorithm that is none": {"algorithm": 5},
}


@pytest.mark.parametrize("fault", BROKEN_RECORDS)
def test_a_broken_record_is_refused_in_one_line(fault):
    with pytest.raises(KitError) as error:
        MazeEngine.from_dict(MazeEngine(3, 1).to_dict() | BROKEN_RECORDS[fault])
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("record", [None, [], "maze", 5])
def test_a_record_that_is_no_record_is_refused(record):
    with pytest.raises(KitError):
        MazeEngine.from_dict(record)


# ---- same arguments, same bytes ------------------------------------------------------------------

PRINT_MAZES = """
import hashlib
from hallumaze_kit.maze import MazeEngine
for algorithm in ("dfs", "kruskal", "wilson"):
    for placement in ("v1.1", "balanced"):
        maze = MazeEngine(9, 2024, algorithm, placement)
        for language in ("ko", "en"):
            print(hashlib.sha256(maze.encode_text(language=language).encode()).hexdigest())
        print(repr(maze.mirage_traps), maze.maze_id, maze.solution)
"""


def output(hash_seed: str) -> str:
    changed = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    done = subprocess.run([sys.executable, "-c", PRINT_MAZES], env=changed, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_same_arguments_give_the_same_bytes_in_every_process():
    first = output("0")
    assert len(set(first.split())) > 20
    assert output("1") == first
    assert output("4294967295") == first


@settings(max_examples=20)
@given(st.integers(2, 9), st.integers(0, 10**6), st.sampled_from(ALGORITHMS), st.sampled_from(PLACEMENTS))
def test_the_global_generators_are_neither_read_nor_moved(size, seed, algorithm, placement):
    import random

    before, numpy_before = random.getstate(), np.random.get_state()[1].tobytes()
    first = MazeEngine(size, seed, algorithm, placement).encode_text()
    assert random.getstate() == before
    assert np.random.get_state()[1].tobytes() == numpy_before
    random.random()
    assert MazeEngine(size, seed, algorithm, placement).encode_text() == first
    random.setstate(before)
