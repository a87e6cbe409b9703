"""The same maze under other coordinates."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallumaze_kit.maze import STEP, MazeEngine, half_turned, transposed
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.trial.prompt import build_prompt
from hallumaze_kit.trial.scoring import score_answer

mazes = st.builds(
    MazeEngine,
    st.integers(2, 9),
    st.integers(0, 10**6),
    st.sampled_from(["dfs", "wilson", "kruskal"]),
    st.sampled_from(["v1.1", "balanced"]),
)


def cells(maze):
    return [(r, c) for r in range(maze.size) for c in range(maze.size)]


def edges(maze, place=lambda cell: cell):
    return {
        frozenset((place(cell), place((cell[0] + STEP[d][0], cell[1] + STEP[d][1]))))
        for cell in cells(maze)
        for d in maze.open_directions(cell)
    }


def swap(cell):
    return (cell[1], cell[0])


def test_a_small_maze_by_hand():
    """2×2, solution east then south, (1,0) hangs on (0,0)."""
    made = {"size": 2, "seed": 5, "algorithm": "text", "placement": "text", "passages": "6c11", "lures": []}
    maze = MazeEngine.from_dict(made)
    assert maze.solution == [(0, 0), (0, 1), (1, 1)]
    other = transposed(maze)
    assert other.solution == [(0, 0), (1, 0), (1, 1)] and other.to_dict()["passages"] == "6838"
    turned = half_turned(maze)
    assert turned.solution == [(0, 0), (1, 0), (1, 1)] and turned.to_dict()["passages"] == "4439"
    assert (turned.seed, turned.algorithm) == (None, "text")


@settings(max_examples=40)
@given(mazes)
def test_the_transposed_maze_is_the_same_graph_with_the_same_ends(maze):
    other = transposed(maze)
    assert edges(other) == edges(maze, swap)
    assert other.solution == [swap(cell) for cell in maze.solution]
    assert all(other.distance(swap(cell)) == maze.distance(cell) for cell in cells(maze))
    assert other.dead_ends == maze.dead_ends and len(other.solution) == len(maze.solution)
    assert other.decision_cells == tuple(swap(cell) for cell in maze.decision_cells)
    assert transposed(other).maze_id == maze.maze_id
    assert [(lure.kind, lure.valid, lure.phrase) for lure in other.mirage_traps] == [
        (lure.kind, lure.valid, lure.phrase) for lure in maze.mirage_traps
    ]
    for lure in other.mirage_traps:
        assert lure.kind == "neutral" or lure.valid == (other.onward(lure.cell) == lure.direction)


@settings(max_examples=40)
@given(mazes)
def test_the_half_turn_is_the_same_graph_walked_backwards(maze):
    last = maze.size - 1

    def turn(cell):
        return (last - cell[0], last - cell[1])

    other = half_turned(maze)
    assert edges(other) == edges(maze, turn)
    assert other.solution == [turn(cell) for cell in reversed(maze.solution)]
    assert len(other.solution) == len(maze.solution) and not other.mirage_traps
    assert all(other.distance(turn(cell)) == len(way(maze, cell)) for cell in maze.solution)
    assert half_turned(other).maze_id == maze.maze_id


def way(maze, cell):
    """The cells of the solution before `cell`."""
    return maze.solution[: maze.solution.index(cell)]


@pytest.mark.parametrize("turn", [transposed, half_turned])
def test_the_engine_and_the_trial_take_it_like_any_maze(turn):
    maze = turn(MazeEngine(7, 4, "wilson", "balanced"))
    text = maze.encode_text(True, "ko")
    assert "Seed" not in text and MazeEngine.from_text(text).maze_id == maze.maze_id
    assert MazeEngine.from_dict(maze.to_dict()) == maze
    config = MazeConfig(size=7, language="en", show_seed=False)
    assert "MAZE 7×7" in build_prompt(maze, config).user
    path = "FINAL_PATH: " + "→".join(f"({r},{c})" for r, c in maze.solution)
    assert score_answer(maze, path, config).sr == 1
