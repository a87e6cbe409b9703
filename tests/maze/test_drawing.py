"""Mazes and walks as text and as pictures."""

from __future__ import annotations

import io
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import STEP, MazeEngine
from hallumaze_kit.maze.drawing import draw_maze, fit_column, maze_as_text
from hallumaze_kit.maze.fonts import hangul_family
from hallumaze_kit.maze.lanes import pieces
from hallumaze_kit.maze.pen import INK, MARK, STYLE, WORDS

SMALL = MazeEngine.from_text(
    "MAZE 2×2 | START:(0,0) | EXIT:(1,1)\n(0,0): [S↓]\n(0,1): [S↓]\n(1,0): [N↑ E→]\n(1,1): [N↑ W←]"
)


class Move(NamedTuple):
    start: tuple[int, int]
    end: tuple[int, int]
    kind: str = "legal"
    retraced: bool = False


def walk(maze: MazeEngine, ways: str) -> list[Move]:
    """Moves by letters; a closed side is tried and left standing, "!" behind it goes through."""
    at, seen, moves = (0, 0), {(0, 0)}, []
    for way, onward in zip(ways, ways[1:] + " ", strict=True):
        if way == "!":
            continue
        to = (at[0] + STEP[way][0], at[1] + STEP[way][1])
        inside = all(0 <= part < maze.size for part in to)
        kind = "outside" if not inside else "legal" if maze.is_open(at, way) else "wall"
        moves.append(Move(at, to, kind, kind == "legal" and to in seen))
        if kind == "legal" or onward == "!":
            at = to
            seen.add(at)
    return moves


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


# ---- text ----------------------------------------------------------------------------------------


def test_the_smallest_maze_as_text_by_hand():
    assert maze_as_text(SMALL).splitlines() == [
        "┌───┬───┐",
        "│ S │   │",
        "│   ╵   │",
        "│ ·   E │",
        "└───────┘",
    ]


def test_illegal_moves_stand_on_the_wall_the_border_and_the_cell_jumped_to():
    moves = [
        Move((0, 0), (0, 1), "wall"),
        Move((0, 0), (-1, 0), "outside"),
        Move((0, 0), (1, 0)),
        Move((1, 0), (0, 1), "jump"),
        Move((0, 1), (1, 1)),
        Move((1, 1), (1, 2), "outside"),
    ]
    assert maze_as_text(SMALL, moves).splitlines() == [
        "┌─✗─┬───┐",
        "│ S ✗✗· │",
        "│   ╵   │",
        "│ ·   E ✗",
        "└───────┘",
    ]


def test_a_jump_out_of_the_maze_stands_on_the_border():
    assert maze_as_text(SMALL, [Move((0, 0), (9, 1), "jump")]).splitlines()[-1] == "└────✗──┘"


def read_back(text: str) -> list[list[int]]:
    """Masks of open sides (N 1, E 2, S 4, W 8), read from the picture alone."""
    lines = text.splitlines()
    size = len(lines) // 2
    return [
        [
            (lines[2 * r][4 * c + 2] == " ")
            | 2 * (lines[2 * r + 1][4 * c + 4] == " ")
            | 4 * (lines[2 * r + 2][4 * c + 2] == " ")
            | 8 * (lines[2 * r + 1][4 * c] == " ")
            for c in range(size)
        ]
        for r in range(size)
    ]


@given(st.integers(2, 12), st.integers(0, 10**6), st.sampled_from(["dfs", "kruskal", "wilson"]))
def test_the_text_shows_every_wall_and_no_other(size, seed, algorithm):
    maze = MazeEngine(size, seed, algorithm)
    text = maze_as_text(maze)
    assert read_back(text) == maze.passages.tolist()
    assert {len(line) for line in text.splitlines()} == {4 * size + 1}
    assert text.count("·") == len(maze.solution) - 2


ARMS = {
    "╵": "N", "╶": "E", "╷": "S", "╴": "W", "│": "NS", "─": "EW", "└": "NE", "┌": "ES", "┐": "SW", "┘": "NW",
    "├": "NES", "┬": "ESW", "┤": "NSW", "┴": "NEW", "┼": "NESW",
}  # fmt: skip


@given(st.integers(2, 9), st.integers(0, 10**6))
def test_every_corner_joins_exactly_the_walls_beside_it(size, seed):
    lines = maze_as_text(MazeEngine(size, seed)).splitlines()
    for y in range(0, 2 * size + 1, 2):
        for x in range(0, 4 * size + 1, 4):
            around = {"N": (y - 1, x), "E": (y, x + 2), "S": (y + 1, x), "W": (y, x - 2)}
            walls = "".join(
                d for d, (r, c) in around.items() if 0 <= r < len(lines) and 0 <= c <= 4 * size and lines[r][c] != " "
            )
            assert ARMS[lines[y][x]] == walls


def test_the_largest_maze_as_text():
    maze = MazeEngine(101, 1, "wilson")
    assert read_back(maze_as_text(maze)) == maze.passages.tolist()


# ---- lanes ---------------------------------------------------------------------------------------


def test_there_and_back_keep_to_the_right_and_do_not_touch():
    there, back = pieces([Move((0, 0), (0, 1)), Move((0, 1), (0, 0), retraced=True)])
    assert (there.key, back.key) == ("legal", "retraced")
    # Eastward the right hand is below (y grows), westward above.
    assert all(y == pytest.approx(0.13) for _, y in there.points)
    assert back.points[0] == there.points[-1]
    assert [y for _, y in back.points[1:]] == pytest.approx([-0.13, -0.13])


def test_a_turn_joins_the_lanes_at_their_crossing():
    east, south = pieces([Move((0, 0), (0, 1)), Move((0, 1), (1, 1))])
    assert east.points == ((0.0, 0.13), (0.87, 0.13))
    assert south.points == ((0.87, 0.13), (0.87, 1.0))


def test_the_third_pass_in_one_direction_has_a_lane_of_its_own():
    maze = SMALL
    lanes = [piece.points[-1][0] for piece in pieces(walk(maze, "SNSNS")) if piece.number in (1, 3, 5)]
    assert lanes == pytest.approx([-0.13, -0.21, -0.29])


def test_illegal_moves_end_at_the_wall_outside_and_at_the_cell_jumped_to():
    wall, outside, jump = pieces(
        [Move((0, 0), (0, 1), "wall"), Move((0, 0), (-1, 0), "outside"), Move((0, 0), (1, 1), "jump")]
    )
    assert wall.points == ((0, 0), (0.5, 0))
    assert outside.points == ((0, 0), (0, -0.75))
    assert jump.points == ((0, 0), (1, 1))
    assert [piece.number for piece in (wall, outside, jump)] == [1, 2, 3]


def test_a_walker_who_goes_on_behind_a_wall_is_drawn_through_it():
    through, onward = pieces([Move((0, 0), (0, 1), "wall"), Move((0, 1), (1, 1))])
    assert through.key == "through"
    assert through.points[-1] == onward.points[0]


def test_standing_elsewhere_without_a_move_is_a_return():
    out = pieces([Move((0, 0), (1, 0)), Move((0, 0), (0, 1))])
    assert [piece.key for piece in out] == ["legal", "return", "legal"]
    assert out[1].points[1] == (0, 0)
    assert out[1].number == 0


def test_a_walker_who_goes_on_outside_stays_in_the_picture():
    moves = [Move((0, 0), (-1, 0), "outside"), Move((-1, 0), (-1, 1), "outside"), Move((1, 0), (1, 1))]
    assert [piece.key for piece in pieces(moves)] == ["outside", "outside", "return", "legal"]
    ax = draw_maze(SMALL, moves=moves)
    ax.figure.savefig(io.BytesIO())


# ---- pictures ------------------------------------------------------------------------------------


def labels(ax) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_the_legend_explains_just_what_is_drawn():
    maze = MazeEngine(7, 3)
    assert labels(draw_maze(maze, lures=False)) == ["solution"]
    assert labels(draw_maze(maze)) == ["solution", "lure, false claim"]
    assert draw_maze(maze, solution=False, lures=False).get_legend() is None
    moves = [*walk(maze, "SSEEWNWE"), Move((2, 1), (6, 6), "jump")]
    assert labels(draw_maze(maze, moves=moves, lures=False)) == [
        "solution", "legal move", "retraced move", "into a wall", "jump", "which move it was",
    ]  # fmt: skip


def test_all_three_kinds_of_lure_are_told_apart():
    maze = MazeEngine(9, 5, "wilson", "balanced")
    assert {lure.kind for lure in maze.mirage_traps} == {"true", "false", "neutral"}
    assert labels(draw_maze(maze))[1:] == ["lure, false claim", "lure, true claim", "lure, no claim"]


def test_kinds_of_moves_differ_by_more_than_colour():
    looks = [(str(STYLE[key]), MARK.get(key)) for key in ("legal", "retraced", "wall", "outside", "jump", "return")]
    assert len(set(looks)) == len(looks)


def test_ink_stands_out_from_paper_and_band_in_grey():
    def grey(colour):
        return float(np.dot(to_rgb(colour), [0.299, 0.587, 0.114]))

    for key in ("legal", "retraced", "wall", "outside", "jump", "return", "false", "true", "neutral"):
        assert grey(INK["solution"]) - grey(INK[key]) > 0.3, key


def test_dashes_of_the_retraced_pass_are_drawn():
    maze = SMALL
    ax = draw_maze(maze, moves=walk(maze, "SNSE"))
    drawn = {
        tuple(c.get_colors()[0][:3]): c.get_linestyles()[0][1] for c in ax.collections if isinstance(c, LineCollection)
    }
    assert drawn[to_rgb(INK["legal"])] is None
    assert drawn[to_rgb(INK["retraced"])] is not None


def test_the_end_is_marked_only_away_from_the_exit():
    assert "end of the walk" in labels(draw_maze(SMALL, moves=walk(SMALL, "S")))
    assert "end of the walk" not in labels(draw_maze(SMALL, moves=walk(SMALL, "SE")))


def test_many_illegal_moves_carry_no_numbers():
    few = draw_maze(SMALL, moves=walk(SMALL, "N" * 12))
    many = draw_maze(SMALL, moves=walk(SMALL, "N" * 13))
    assert "which move it was" in labels(few)
    assert "which move it was" not in labels(many)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("size", [2, 7, 101])
def test_every_size_is_drawn_in_both_languages_without_a_warning(size, language):
    if language == "ko" and hangul_family() is None:
        pytest.skip("no Hangul font on this machine (Debian: fonts-nanum)")
    maze = MazeEngine(size, 1, placement="balanced")
    moves = [*walk(maze, "NSSEEWWNESWNES"), Move((0, 0), (size + 5, 0), "jump"), Move((0, 0), (-1, 0), "outside")]
    ax = draw_maze(maze, moves=moves, language=language)
    ax.figure.savefig(io.BytesIO(), dpi=100)
    assert set(labels(ax)) <= set(WORDS[language].values())
    assert ax.figure.get_figwidth() == pytest.approx(3.3)


def test_the_same_words_in_both_languages():
    assert list(WORDS["en"]) == list(WORDS["ko"])


def test_a_given_axes_is_drawn_on_and_its_figure_left_alone():
    figure, axes = plt.subplots(1, 2, figsize=(5, 3))
    assert draw_maze(SMALL, axes[1]) is axes[1]
    assert figure.get_size_inches().tolist() == [5, 3]
    assert not axes[0].collections


def test_a_longer_legend_makes_a_higher_figure():
    ax = draw_maze(SMALL, lures=False)
    before = ax.figure.get_figheight()
    fit_column(ax, top=0.22 + 0.5)
    assert ax.figure.get_figheight() == pytest.approx(before + 0.5)


def test_the_settings_of_matplotlib_are_left_alone():
    before = dict(mpl.rcParams)
    draw_maze(SMALL, language="en")
    assert dict(mpl.rcParams) == before


def test_unknown_languages_and_kinds_are_refused_with_a_sentence():
    with pytest.raises(InputError, match=r"language must be one of 'ko', 'en', got 'fr'"):
        draw_maze(SMALL, language="fr")
    with pytest.raises(InputError, match="kind must be one of 'legal', 'wall', 'outside', 'jump', got 'fly'"):
        draw_maze(SMALL, moves=[Move((0, 0), (1, 0), "fly")])
    with pytest.raises(InputError, match="kind must be"):
        maze_as_text(SMALL, [Move((0, 0), (1, 0), "fly")])
