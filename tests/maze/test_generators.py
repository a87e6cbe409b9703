"""The three generators: DFS draw by draw as published, Wilson uniform, and what the docstrings say of them."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from scipy.stats import chisquare

from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.maze.generate import GENERATORS

N, E, S, W = 1, 2, 4, 8


def published_dfs(size: int, seed: int) -> tuple[int, ...]:
    """The specification's sentence as a program, written without looking at the package's.

    "Iterative depth-first search from (0,0); unvisited neighbours in the order N, S, E, W; one draw a step as
    Python's random.Random(seed).choice makes it."
    """
    rng = random.Random(seed)
    masks = {(r, c): 0 for r in range(size) for c in range(size)}
    stack, visited = [(0, 0)], {(0, 0)}
    while stack:
        row, col = stack[-1]
        near = [(row - 1, col, N, S), (row + 1, col, S, N), (row, col + 1, E, W), (row, col - 1, W, E)]
        near = [n for n in near if n[:2] in masks and n[:2] not in visited]
        if not near:
            stack.pop()
            continue
        r, c, side, back = rng.choice(near)
        masks[row, col] |= side
        masks[r, c] |= back
        visited.add((r, c))
        stack.append((r, c))
    return tuple(masks.values())


@pytest.mark.parametrize("size", [2, 3, 5, 7, 9, 11, 13, 24])
def test_dfs_is_the_published_one_draw_by_draw(size):
    for seed in range(60):
        assert MazeEngine(size, seed).masks == published_dfs(size, seed), (size, seed)


@pytest.mark.parametrize("seed", [0, 42813, 2**31, 2**64 + 1, 10**30])
def test_dfs_is_the_published_one_at_the_largest_size_and_for_large_seeds(seed):
    assert MazeEngine(101, seed).masks == published_dfs(101, seed)


def spanning_trees(size: int) -> set[tuple[int, ...]]:
    """Every spanning tree of the grid, by trying every choice of inner walls."""
    edges = [(i, i + 1, E, W) for i in range(size * size) if i % size < size - 1]
    edges += [(i, i + size, S, N) for i in range(size * (size - 1))]
    trees = set()
    for chosen in combinations(edges, size * size - 1):
        parent = list(range(size * size))

        def root(cell, parent=parent):
            while parent[cell] != cell:
                cell = parent[cell]
            return cell

        masks = [0] * (size * size)
        for a, b, side, back in chosen:
            if root(a) == root(b):
                break
            parent[root(a)] = root(b)
            masks[a] |= side
            masks[b] |= back
        else:
            trees.add(tuple(masks))
    return trees


TREES = spanning_trees(3)


def counts(algorithm: str, draws: int) -> list[int]:
    seen = Counter(tuple(GENERATORS[algorithm](3, seed)) for seed in range(draws))
    assert set(seen) <= TREES
    return [seen[tree] for tree in TREES]


def test_there_are_192_spanning_trees_of_3_by_3():
    """The value of Kirchhoff's matrix-tree theorem; 4 for 2×2."""
    assert len(TREES) == 192
    assert len(spanning_trees(2)) == 4


def test_wilson_draws_every_tree_with_the_same_probability():
    seen = counts("wilson", 192 * 150)
    assert min(seen) > 0
    assert chisquare(seen).pvalue > 1e-3


def test_the_same_test_finds_dfs_not_uniform():
    assert chisquare(counts("dfs", 192 * 150)).pvalue < 1e-12


def test_kruskal_reaches_every_tree():
    assert min(counts("kruskal", 192 * 150)) > 0


@pytest.mark.parametrize("algorithm", GENERATORS)
def test_other_seeds_give_other_mazes(algorithm):
    assert len({MazeEngine(7, seed, algorithm).masks for seed in range(200)}) == 200


@pytest.mark.parametrize(("algorithm", "decisions"), [("dfs", 2.4), ("wilson", 6.6)])
def test_decisions_in_a_7_by_7_maze_are_as_many_as_the_documentation_says(algorithm, decisions):
    """Standard error over 1,500 mazes: below 0.07."""
    found = [len(MazeEngine(7, seed, algorithm).decision_cells) for seed in range(1500)]
    assert sum(found) / len(found) == pytest.approx(decisions, abs=0.25)
