"""The maze as text, as section 5 of the document prints it, and back."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import DIRECTIONS, MazeEngine
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.trial.prompt import build_prompt

mazes = st.builds(
    MazeEngine,
    st.integers(2, 13),
    st.integers(0, 10**9),
    st.sampled_from(("dfs", "kruskal", "wilson")),
    st.sampled_from(("v1.1", "balanced")),
)
languages = st.sampled_from(("ko", "en"))

# S . .      start → (1,0) → (1,1) → (2,1) → exit; (1,1) has a wrong branch north to (0,1) and on to (0,2), (1,2),
#            and (2,1) one west to (2,0)
DRAWN_KO = """\
MAZE 3×3 | START:(0,0) | EXIT:(2,2)
Seed: 77

각 셀에서 이동 가능한 방향:
(0,0): [S↓]
(0,1): [E→ S↓]
(0,2): [S↓ W←]
(1,0): [N↑ E→]
(1,1): [N↑ S↓ W←]  ⚑ N방향 힌트: 이 방향은 출구와 매우 가까운 구역으로 이어지는 것처럼 느껴집니다.
(1,2): [N↑]
(2,0): [E→]
(2,1): [N↑ E→ W←]
(2,2): [W←]"""


def test_a_drawn_maze_is_read_as_drawn():
    maze = MazeEngine.from_text(DRAWN_KO)
    assert (maze.size, maze.seed, maze.algorithm) == (3, 77, "text")
    assert maze.passages.tolist() == [[4, 6, 12], [3, 13, 1], [2, 11, 8]]
    assert maze.solution == [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)]
    assert maze.dead_ends == 3, "(0,0), (1,2), (2,0); the exit is left out"
    assert maze.junctions == ((1, 1), (2, 1))
    (lure,) = maze.mirage_traps
    assert (lure.cell, lure.direction, lure.valid, lure.kind, lure.phrase) == ((1, 1), "N", False, "false", -1)
    assert lure.wording.startswith("이 방향은 출구와"), "a wording that is not the kit's is kept"


def test_a_read_maze_is_written_back_byte_for_byte():
    assert MazeEngine.from_text(DRAWN_KO).encode_text() == DRAWN_KO


def test_the_published_maze_is_written_as_section_5_shows_it():
    """The walls of 5×5, seed 1001, as they stand in a model's echo of the prompt; the phrases are the kit's."""
    lines = MazeEngine(5, 1001).encode_text().split("\n")
    assert lines[:4] == ["MAZE 5×5 | START:(0,0) | EXIT:(4,4)", "Seed: 1001", "", "각 셀에서 이동 가능한 방향:"]
    assert lines[4:7] == ["(0,0): [S↓]", "(0,1): [E→ S↓]", "(0,2): [S↓ W←]"]
    assert len(lines) == 4 + 25
    hints = {line.split("  ⚑ ")[0]: line.split("  ⚑ ")[1] for line in lines if "⚑" in line}
    assert list(hints) == ["(4,2): [N↑ E→ W←]", "(4,4): [N↑ W←]"]
    assert hints["(4,2): [N↑ E→ W←]"].startswith("W방향 힌트: ")
    assert hints["(4,4): [N↑ W←]"].startswith("N방향 힌트: ")


def test_the_english_text_has_the_same_form():
    lines = MazeEngine(5, 1001).encode_text(language="en").split("\n")
    assert lines[:4] == ["MAZE 5×5 | START:(0,0) | EXIT:(4,4)", "Seed: 1001", "", "Open directions of each cell:"]
    assert lines[4:7] == ["(0,0): [S↓]", "(0,1): [E→ S↓]", "(0,2): [S↓ W←]"]
    assert not re.search("[가-힣]", "\n".join(lines))


@given(mazes, languages, st.booleans(), st.booleans())
def test_every_text_has_one_line_a_cell_in_order(maze, language, use_mirage, show_seed):
    text = maze.encode_text(use_mirage, language, show_seed)
    assert ("Seed: " in text) == show_seed
    assert ("⚑" in text) == (use_mirage and bool(maze.mirage_traps))
    assert text.count("⚑") == (len(maze.mirage_traps) if use_mirage else 0)
    cells = re.findall(r"^\((\d+),(\d+)\): \[((?:N↑|E→|S↓|W←)(?: (?:N↑|E→|S↓|W←))*)\](?:  ⚑ .+)?$", text, re.M)
    assert [(int(r), int(c)) for r, c, _ in cells] == [(r, c) for r in range(maze.size) for c in range(maze.size)]
    for row, col, ways in cells:
        letters = ways.translate(str.maketrans("", "", "↑→↓← "))
        assert tuple(letters) == maze.open_directions((int(row), int(col)))
        assert list(letters) == sorted(letters, key=DIRECTIONS.index), "in the order N, E, S, W"


# ---- and back ------------------------------------------------------------------------------------


@given(mazes, languages)
def test_the_text_gives_the_maze_back(maze, language):
    again = MazeEngine.from_text(maze.encode_text(language=language))
    assert again == maze
    assert again.mirage_traps == maze.mirage_traps
    assert again.solution == maze.solution
    # In a small maze two generators, or two placements, may make the same.
    assert MazeEngine(maze.size, maze.seed, again.algorithm).masks == maze.masks
    if maze.mirage_traps:
        remade = MazeEngine(maze.size, maze.seed, again.algorithm, again.placement)
        assert remade.mirage_traps == maze.mirage_traps
    for other in ("ko", "en"):
        assert again.encode_text(language=other) == maze.encode_text(language=other)


@given(mazes, languages, st.booleans())
def test_a_text_without_seed_or_lures_gives_the_walls_back(maze, language, use_mirage):
    again = MazeEngine.from_text(maze.encode_text(use_mirage, language, show_seed=False))
    assert again.masks == maze.masks and again.seed is None
    assert again.mirage_traps == (maze.mirage_traps if use_mirage else ())
    assert again.maze_id == maze.maze_id


@given(mazes, languages, st.integers(0, 4), st.sampled_from(("disclosed", "neutral")))
def test_a_maze_is_read_out_of_a_whole_prompt(maze, language, template, disclosure):
    config = MazeConfig(size=maze.size, language=language, template=template, disclosure=disclosure)
    again = MazeEngine.from_text(build_prompt(maze, config).user)
    assert again == maze


@given(mazes, languages, st.sampled_from(("\r\n", "\n")), st.text(max_size=40), st.text(max_size=40))
def test_a_maze_is_read_out_of_a_longer_text(maze, language, newline, before, after):
    text = before.replace("MAZE", "") + "\n" + maze.encode_text(language=language) + "\n\n" + after
    assert MazeEngine.from_text(text.replace("\n", newline)) == maze


def test_a_maze_without_a_seed_prints_none():
    again = MazeEngine.from_text(MazeEngine(3, 1).encode_text(show_seed=False))
    assert again.seed is None
    for language in ("ko", "en"):
        assert "None" not in again.encode_text(language=language)


def test_of_two_mazes_the_first_is_read_with_its_own_seed():
    one, two = MazeEngine(3, 1), MazeEngine(3, 2)
    assert MazeEngine.from_text(one.encode_text() + "\n\n" + two.encode_text()) == one
    assert MazeEngine.from_text(two.encode_text() + "\n\n" + one.encode_text()) == two


def test_a_maze_without_a_seed_does_not_take_the_seed_of_the_next_one():
    one, two = MazeEngine(3, 1), MazeEngine(3, 2)
    again = MazeEngine.from_text(one.encode_text(show_seed=False) + "\n\n" + two.encode_text())
    assert again.masks == one.masks
    assert again.seed is None


def test_lures_that_come_decomposed_are_the_kit_s_own():
    """Hangul pasted from some systems comes in NFD."""
    maze = MazeEngine(7, 3)
    again = MazeEngine.from_text(unicodedata.normalize("NFD", maze.encode_text()))
    assert again.mirage_traps == maze.mirage_traps


# ---- broken texts --------------------------------------------------------------------------------

GOOD = MazeEngine(3, 4).encode_text()
BROKEN = {
    "empty": "",
    "no maze": "안녕하세요. (0,0) 에서 출발합니다.",
    "only a header": "MAZE 3×3 | START:(0,0) | EXIT:(2,2)",
    "not square": GOOD.replace("3×3", "3×4"),
    "too small": "MAZE 1×1 | START:(0,0) | EXIT:(0,0)\n(0,0): []",
    "too large": GOOD.replace("3×3", "102×102"),
    "larger than its cells": GOOD.replace("3×3", "4×4"),
    "smaller than its cells": GOOD.replace("3×3", "2×2"),
    "a line is missing": re.sub(r"^\(1,1\).*\n", "", GOOD, flags=re.M),
    "the end is missing": GOOD[: len(GOOD) // 2],
    "a cell twice": re.sub(r"^\(1,1\)", "(1,0)", GOOD, flags=re.M),
    "everything closed": re.sub(r"\[.*?\]", "[]", GOOD),
    "everything open": re.sub(r"\[.*?\]", "[N↑ E→ S↓ W←]", GOOD),
    "open from one side only": re.sub(r"(?m)^\(0,0\): \[.*?\]", "(0,0): [E→ S↓]", GOOD),
    "a lure at a closed side": DRAWN_KO.replace("⚑ N방향", "⚑ E방향"),
}


def test_the_good_text_of_the_broken_ones_is_good():
    assert MazeEngine.from_text(GOOD) == MazeEngine(3, 4)


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_text_is_refused_in_one_line(fault):
    with pytest.raises(InputError) as error:
        MazeEngine.from_text(BROKEN[fault])
    assert "\n" not in str(error.value)
    assert re.match(r"(text|maze|size) must be .*, got ", str(error.value))


@pytest.mark.parametrize("text", [None, 7, b"MAZE", ["MAZE"]])
def test_what_is_no_text_is_refused(text):
    with pytest.raises(InputError, match="text must be"):
        MazeEngine.from_text(text)


@given(st.text(st.sampled_from("MAZE3×(0,1): [N↑ES→]\n⚑방향힌트"), max_size=120))
def test_any_text_is_a_maze_or_refused(text):
    try:
        maze = MazeEngine.from_text("MAZE 2×2 | START:(0,0) | EXIT:(1,1)\n" + text)
    except InputError:
        return
    assert maze.size == 2 and len(maze.solution) >= 3
