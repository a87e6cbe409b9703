"""Lures: where they stand, what they claim, what gives them away."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chisquare

from hallumaze_kit.maze import STEP, MazeEngine
from hallumaze_kit.maze.lures import CLAIMS, NEUTRAL

ALGORITHMS = st.sampled_from(("dfs", "kruskal", "wilson"))


def mazes_with(placement: str):
    return st.builds(MazeEngine, st.integers(2, 12), st.integers(0, 10**9), ALGORITHMS, st.just(placement))


def beyond(cell: tuple[int, int], direction: str) -> tuple[int, int]:
    return cell[0] + STEP[direction][0], cell[1] + STEP[direction][1]


# ---- placement "v1.1" ----------------------------------------------------------------------------


@given(mazes_with("v1.1"))
def test_v11_lures_stand_at_the_first_wrong_branches_of_the_path(maze):
    path = maze.solution
    ways = [(cell, d) for cell in path for d in ("N", "S", "E", "W") if maze.is_open(cell, d)]
    wrong = [(cell, d) for cell, d in ways if beyond(cell, d) not in path]
    assert [(lure.cell, lure.direction) for lure in maze.mirage_traps] == wrong[: max(2, maze.size // 2)]
    for lure in maze.mirage_traps:
        assert (lure.kind, lure.valid) == ("false", False)
        assert 0 <= lure.phrase < len(CLAIMS["ko"])


@pytest.mark.parametrize(("size", "solved"), [(5, 0.93), (7, 0.80)])
def test_never_following_a_flag_solves_as_many_v11_mazes_as_the_documentation_says(size, solved):
    """Solved for certain: every wrong branch before the exit is flagged. Standard error over 3,000 mazes: 0.01."""
    hits = 0
    for seed in range(3000):
        maze = MazeEngine(size, seed)
        flagged = {(lure.cell, lure.direction) for lure in maze.mirage_traps}
        hits += all(
            (cell, d) in flagged or beyond(cell, d) in maze.solution
            for cell in maze.solution[:-1]
            for d in maze.open_directions(cell)
        )
    assert hits / 3000 == pytest.approx(solved, abs=0.03)


@pytest.mark.parametrize("size", [5, 7])
def test_in_half_of_the_v11_mazes_a_lure_sits_on_the_exit(size):
    mazes = (MazeEngine(size, seed) for seed in range(3000))
    hits = sum(any(lure.cell == maze.exit for lure in maze.mirage_traps) for maze in mazes)
    assert hits / 3000 == pytest.approx(0.5, abs=0.05)


# ---- placement "balanced" ------------------------------------------------------------------------


@given(mazes_with("balanced"))
def test_balanced_lures_stand_at_junctions_of_the_path_and_say_what_their_kind_says(maze):
    places = [lure.cell for lure in maze.mirage_traps]
    assert places == [cell for cell in maze.decision_cells if cell in places], "one a junction at most, in path order"
    for lure in maze.mirage_traps:
        assert maze.is_open(lure.cell, lure.direction)
        onward = maze.distance(beyond(lure.cell, lure.direction)) < maze.distance(lure.cell)
        came_from = maze.solution[maze.solution.index(lure.cell) - 1] if lure.cell != (0, 0) else None
        assert beyond(lure.cell, lure.direction) != came_from, "nobody needs a hint about where they came from"
        if lure.kind == "neutral":
            assert lure.valid is None
        else:
            assert lure.valid is onward and lure.kind == ("true" if onward else "false")


def test_the_four_draws_are_equally_likely_and_half_of_the_claims_are_true():
    drawn: Counter[str] = Counter()
    for seed in range(1500):
        maze = MazeEngine(7, seed, "wilson", "balanced")
        kinds = {lure.cell: lure.kind for lure in maze.mirage_traps}
        drawn.update(kinds.get(cell, "none") for cell in maze.decision_cells)
    assert set(drawn) == {"false", "true", "neutral", "none"}
    assert chisquare(list(drawn.values())).pvalue > 1e-3
    assert binomtest(drawn["true"], drawn["true"] + drawn["false"]).pvalue > 1e-3


def test_a_flag_by_itself_says_nothing_of_the_way():
    """At a junction with two ways on, a marked one leads on in half of the cases: true all, false none, neutral ½."""
    onward = marked = 0
    for seed in range(1500):
        maze = MazeEngine(7, seed, "wilson", "balanced")
        for lure in maze.mirage_traps:
            if len(maze.open_directions(lure.cell)) == 3 and lure.cell != (0, 0):
                marked += 1
                onward += maze.onward(lure.cell) == lure.direction
    assert binomtest(onward, marked).pvalue > 1e-3


def test_the_two_placements_differ_only_in_the_lures():
    one, other = MazeEngine(9, 5, "wilson"), MazeEngine(9, 5, "wilson", "balanced")
    assert one.masks == other.masks
    assert one.encode_text(use_mirage=False) == other.encode_text(use_mirage=False)
    assert one.mirage_traps != other.mirage_traps


# ---- wording -------------------------------------------------------------------------------------


@pytest.mark.parametrize("pool", [CLAIMS, NEUTRAL])
def test_there_are_at_least_six_different_phrases_of_each_kind_in_each_language(pool):
    assert set(pool) == {"ko", "en"}
    assert len(pool["ko"]) == len(pool["en"]), "a phrase has the same number in both languages"
    for language in pool:
        assert len(set(pool[language])) == len(pool[language]) >= 6
        assert not any("⚑" in phrase or "\n" in phrase or phrase != phrase.strip() for phrase in pool[language])
    assert all(any("가" <= letter <= "힣" for letter in phrase) for phrase in pool["ko"])
    assert all(phrase.isascii() for phrase in pool["en"])


def test_no_sentence_is_claim_and_neutral_at_once_and_none_is_v11s():
    for language in ("ko", "en"):
        assert not set(CLAIMS[language]) & set(NEUTRAL[language])
    assert "이 방향은 출구와 매우 가까운 구역으로 이어지는 것처럼 느껴집니다." not in CLAIMS["ko"], "own wording"


@pytest.mark.parametrize("language", ["ko", "en"])
def test_neutral_sentences_claim_nothing_of_the_exit(language):
    told = {"ko": ("출구", "정답", "나가", "탈출", "빠져"), "en": ("exit", "way out", "right", "leave", "escape")}
    assert not [phrase for phrase in NEUTRAL[language] if any(word in phrase.lower() for word in told[language])]


@pytest.mark.parametrize("language", ["ko", "en"])
def test_neutral_sentences_are_as_long_as_claims(language):
    """ "Neutral (same length, no claim)": a length that gives the kind away would spoil the control."""
    claims, neutral = ([len(phrase) for phrase in pool[language]] for pool in (CLAIMS, NEUTRAL))
    assert sum(neutral) / len(neutral) == pytest.approx(sum(claims) / len(claims), abs=1)
    assert min(claims) - 1 <= min(neutral) and max(neutral) <= max(claims) + 1


def test_the_maze_s_seed_draws_the_phrases_and_every_phrase_comes_up():
    drawn = [[lure.phrase for lure in MazeEngine(7, seed).mirage_traps] for seed in range(200)]
    assert drawn == [[lure.phrase for lure in MazeEngine(7, seed).mirage_traps] for seed in range(200)]
    assert {number for numbers in drawn for number in numbers} == set(range(len(CLAIMS["ko"])))
    balanced = [lure for seed in range(300) for lure in MazeEngine(7, seed, "wilson", "balanced").mirage_traps]
    kinds = {(lure.kind, lure.phrase) for lure in balanced}
    assert kinds == {(kind, n) for kind in ("false", "true", "neutral") for n in range(len(CLAIMS["ko"]))}


def test_true_and_false_claims_use_the_same_sentences():
    """A sentence that only false claims used would give them away."""
    used: dict[str, set[str]] = {"true": set(), "false": set(), "neutral": set()}
    for seed in range(300):
        for lure in MazeEngine(7, seed, "wilson", "balanced").mirage_traps:
            used[lure.kind].add(lure.text("ko"))
    assert used["true"] == used["false"] == set(CLAIMS["ko"])
    assert used["neutral"] == set(NEUTRAL["ko"])
