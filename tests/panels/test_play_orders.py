"""Orders of play: a Williams design."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from hallumaze_kit.errors import InputError
from hallumaze_kit.panels.playing.plan import williams


def test_four_conditions_by_hand():
    """First row 0, 1, n−1, 2; each next row is one more, modulo 4."""
    assert williams(4) == [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]


@pytest.mark.parametrize("n", range(1, 13))
def test_it_is_a_latin_square_balanced_for_what_comes_before(n):
    rows = williams(n)
    assert len(rows) == (n if n % 2 == 0 or n == 1 else 2 * n)
    assert all(sorted(row) == list(range(n)) for row in rows)
    times = len(rows) // n
    for place in range(n):
        assert Counter(row[place] for row in rows) == dict.fromkeys(range(n), times)
    before = Counter(pair for row in rows for pair in pairwise(row))
    assert before == {(a, b): times for a in range(n) for b in range(n) if a != b}


def test_nothing_to_order_is_refused():
    with pytest.raises(InputError, match="n must be"):
        williams(0)
