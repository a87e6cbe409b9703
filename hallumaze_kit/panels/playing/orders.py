"""In which order a person plays the mazes: a Latin square that is balanced for what comes right before."""

from __future__ import annotations

from hallumaze_kit.errors import check_whole


def williams(n: int) -> list[list[int]]:
    """The rows of a Williams design for `n` conditions, numbers from 0.

    Every condition stands once in every row and equally often at every place, and comes right before every other one
    equally often, so that what carries over from one to the next falls on all alike. For even `n` there are n rows; for
    odd `n` no n rows can do that, and there are 2n.

    Row 0 is 0, 1, n−1, 2, n−2 …, row i adds i to it (modulo n); for odd `n` the same rows backwards follow.
    Four conditions: 0132, 1203, 2310, 3021.

    Source: E. J. Williams (1949), Experimental designs balanced for the estimation of residual effects of treatments,
    Australian Journal of Scientific Research A 2, 149–168.
    """
    check_whole("n", n, 1)
    first = [0]
    for step in range(1, n):
        first.append((step + 1) // 2 if step % 2 else n - step // 2)
    rows = [[(place + shift) % n for place in first] for shift in range(n)]
    return rows if n % 2 == 0 or n == 1 else [*rows, *(row[::-1] for row in rows)]
