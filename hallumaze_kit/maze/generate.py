"""Spanning trees of the N×N grid, as bit masks of open sides.

A maze is a flat list of N·N masks in row order; bit 1 opens north, 2 east, 4 south, 8 west.
Every generator takes the size and a seed and touches no global generator.
"""

from __future__ import annotations

from random import Random

N, E, S, W = 1, 2, 4, 8


def _neighbours(size: int) -> list[list[tuple[int, int, int]]]:
    """For each cell, (neighbour, side, opposite side) in v1.1's order north, south, east, west."""
    out = []
    for cell in range(size * size):
        row, col = divmod(cell, size)
        near = []
        if row:
            near.append((cell - size, N, S))
        if row < size - 1:
            near.append((cell + size, S, N))
        if col < size - 1:
            near.append((cell + 1, E, W))
        if col:
            near.append((cell - 1, W, E))
        out.append(near)
    return out


def dfs(size: int, seed: int) -> list[int]:
    """Iterative depth-first search from (0,0), draw by draw as the public v1.1 program makes it.

    One draw a step, as `random.Random(seed).choice` makes it, among the unvisited neighbours in
    the order N, S, E, W: the same seed gives the maze of the published trials (section 5).
    The draw is written out (`choice` reads `getrandbits` until it is below the count) because the
    call costs more than the rest of the step.
    """
    bits = Random(seed).getrandbits
    masks = [0] * (size * size)
    last = size - 1
    stack = [0]
    cell = 0
    left = size * size - 1
    while left:
        row, col = divmod(cell, size)
        near = []
        if row and not masks[cell - size]:
            near.append((cell - size, N, S))
        if row < last and not masks[cell + size]:
            near.append((cell + size, S, N))
        if col < last and not masks[cell + 1]:
            near.append((cell + 1, E, W))
        if col and not masks[cell - 1]:
            near.append((cell - 1, W, E))
        count = len(near)
        if not count:
            stack.pop()
            cell = stack[-1]
            continue
        width = count.bit_length()
        draw = bits(width)
        while draw >= count:
            draw = bits(width)
        nearby, side, back = near[draw]
        masks[cell] |= side
        masks[nearby] |= back
        stack.append(nearby)
        cell = nearby
        left -= 1
    return masks


def kruskal(size: int, seed: int) -> list[int]:
    """Kruskal's algorithm on a shuffled list of inner walls (Kruskal 1956), union by path halving."""
    walls = []
    for cell in range(size * size):
        if cell % size < size - 1:
            walls.append((cell, cell + 1, E, W))
        if cell + size < size * size:
            walls.append((cell, cell + size, S, N))
    Random(seed).shuffle(walls)
    masks = [0] * (size * size)
    parent = list(range(size * size))

    def root(cell: int) -> int:
        while parent[cell] != cell:
            parent[cell] = parent[parent[cell]]
            cell = parent[cell]
        return cell

    for one, other, side, back in walls:
        a, b = root(one), root(other)
        if a != b:
            parent[a] = b
            masks[one] |= side
            masks[other] |= back
    return masks


def wilson(size: int, seed: int) -> list[int]:
    """Wilson's loop-erased random walks: every spanning tree is equally likely (Wilson 1996)."""
    rng = Random(seed)
    near = _neighbours(size)
    masks = [0] * (size * size)
    inside = bytearray(size * size)
    inside[-1] = 1
    exit_of: list[tuple[int, int, int]] = [(0, 0, 0)] * (size * size)
    for start in range(size * size):
        cell = start
        while not inside[cell]:
            exit_of[cell] = near[cell][int(rng.random() * len(near[cell]))]
            cell = exit_of[cell][0]
        cell = start
        while not inside[cell]:
            inside[cell] = 1
            onward, side, back = exit_of[cell]
            masks[cell] |= side
            masks[onward] |= back
            cell = onward
    return masks


GENERATORS = {"dfs": dfs, "kruskal": kruskal, "wilson": wilson}
