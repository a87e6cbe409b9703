"""The paper's figures: what they show, that files repeat byte for byte, and both languages."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pandas as pd
import pytest
from matplotlib import pyplot as plt
from PIL import Image

from hallumaze_kit.errors import FileError, InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.maze.fonts import hangul_family
from hallumaze_kit.records import to_frame
from hallumaze_kit.study.design import Design, run_design
from hallumaze_kit.study.figures import LINES, WORDS, confidence_figure, leaderboard_figure, save, walk_figure
from hallumaze_kit.study.showing.style import KIND_LOOK, KINDS
from hallumaze_kit.study.tables import confidence_around, confidence_curve, leaderboard, replayed
from hallumaze_kit.subjects.synthetic import FLOOR, SYNTHETIC

LANGUAGES = [
    "en",
    pytest.param(
        "ko", marks=pytest.mark.skipif(hangul_family() is None, reason="no Hangul font (Debian: fonts-nanum)")
    ),
]


@pytest.fixture(scope="module")
def results():
    subjects = [SYNTHETIC["hasty"], SYNTHETIC["talker"], FLOOR["empty"], FLOOR["clock"]]
    synthetic = run_design(Design(subjects, [MazeEngine(7, s) for s in range(8)]), progress=False)
    # One subject as if it were a model, so that the groups can be seen apart.
    return synthetic + [r.replace(provider="pasted", model="stand-in", subject_kind="") for r in synthetic[:6]]


@pytest.fixture(scope="module")
def board(results):
    return leaderboard(to_frame(results), n_boot=200)


@pytest.fixture(scope="module")
def curve(results):
    return confidence_curve(confidence_around(r for r in results if r.model in ("talker", "clock")), n_boot=200)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def words_in(figure) -> str:
    figure.draw_without_rendering()
    return "\n".join(t.get_text() for t in figure.findobj(lambda artist: hasattr(artist, "get_text")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_leaderboard_names_its_groups_and_says_who_is_no_model(board, language):
    said = words_in(leaderboard_figure(board, language)).replace("\n", " ")
    for kind in ("real", "synthetic", "floor"):
        assert WORDS[language]["groups"][kind] in said
    assert WORDS[language]["groups"]["human"] not in said
    for name in ("hasty", "talker", "empty", "clock", "stand-in"):
        assert name in said
    assert "95 %" in said and "n/a" in said


def test_the_points_of_the_leaderboard_are_the_means_of_its_table(board):
    figure = leaderboard_figure(board, metrics=("sr", "mei"))
    for ax, metric in zip(figure.axes, ("sr", "mei"), strict=True):
        shown = [float(line.get_xdata()[0]) for line in ax.lines if len(line.get_xdata()) == 1]
        assert shown == pytest.approx(board[metric].dropna().tolist())


def test_kinds_of_subjects_differ_by_marker():
    assert set(KIND_LOOK) == set(KINDS)
    assert len({look["marker"] for look in KIND_LOOK.values()}) == len(KINDS)
    assert len({(look["marker"], str(look["linestyle"])) for look in LINES}) == len(LINES)


def test_a_measure_that_the_table_lacks_and_an_empty_table_are_refused(board):
    with pytest.raises(InputError, match="metrics must be one of"):
        leaderboard_figure(board, metrics=("merit",))
    with pytest.raises(InputError, match="table must be a leaderboard of at least one subject"):
        leaderboard_figure(board.iloc[:0])
    with pytest.raises(InputError, match="language must be one of"):
        leaderboard_figure(board, "fr")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_confidence_figure_says_n_and_that_it_is_synthetic(curve, language):
    said = words_in(confidence_figure(curve, language))
    n = curve.loc[(curve["model"] == "talker") & (curve["offset"] == 0), "n"].item()
    assert f"n = {n}" in said
    assert WORDS[language]["ruled"] in said


def test_no_line_of_the_legend_ends_in_a_stub(curve):
    """A legend's line starts with a dash; the last piece is at least half of the dash that it is part of."""
    five = pd.concat([curve[curve["model"] == "talker"].assign(model=f"m{n}") for n in range(len(LINES))])
    (legend,) = confidence_figure(five).legends
    drawn = [line for line in legend.get_lines() if line.get_linestyle() != "-"]
    assert len(drawn) == len(LINES) - 1
    for line in drawn:
        left, (_, pattern) = line.get_xdata()[-1] - line.get_xdata()[0], line._dash_pattern
        pieces = itertools.cycle(zip(pattern, itertools.cycle([True, False]), strict=False))
        piece, ink = next(pieces)
        while left > piece:
            left -= piece
            piece, ink = next(pieces)
        assert not ink or left >= piece / 2, line.get_linestyle()


def test_a_model_among_them_is_not_called_synthetic(curve):
    assert WORDS["en"]["ruled"] not in words_in(confidence_figure(curve.assign(kind="real")))


def test_no_subject_and_more_than_five_are_refused(curve):
    with pytest.raises(InputError, match="curve must be of 1 to 5 subjects, got '0 subjects'"):
        confidence_figure(curve.iloc[:0])
    many = pd.concat([curve.assign(model=f"m{n}") for n in range(6)])
    with pytest.raises(InputError, match="Choose some of them"):
        confidence_figure(many)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_walk_says_what_its_moves_are(results, language):
    result = max((r for r in results if r.model == "hasty"), key=lambda r: r.hallucination_count)
    moves = replayed(result).moves
    figure = walk_figure(MazeEngine.from_dict(result.maze), moves, "Title", language)
    said = words_in(figure)
    walls = sum(move.kind == "wall" for move in moves)
    assert "Title" in said and str(len(moves)) in said
    assert WORDS[language]["kinds"]["wall"].format(walls) in said


def test_lures_that_were_not_shown_are_not_drawn():
    shown, hidden = (words_in(walk_figure(MazeEngine(7, 0), (), lures=lures)) for lures in (True, False))
    assert "lure" in shown and "lure" not in hidden


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_figure_gives_the_same_bytes_and_its_table(board, curve, results, tmp_path, language):
    walk = (MazeEngine.from_dict(results[0].maze), replayed(results[0]).moves)

    def draw(folder: Path) -> dict[str, bytes]:
        for name, figure, data in (
            ("board", leaderboard_figure(board, language), board),
            ("curve", confidence_figure(curve, language), curve),
            ("walk", walk_figure(*walk, "", language), board),
        ):
            save(figure, name, data, folder)
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}

    first, second = draw(tmp_path / "a"), draw(tmp_path / "b")
    assert first == second
    assert sorted(first) == [f"{name}.{end}" for name in ("board", "curve", "walk") for end in ("csv", "pdf", "png")]
    for name, content in first.items():
        assert not re.search(rb"CreationDate|tEXt", content), name
    with Image.open(tmp_path / "a" / "walk.png") as image:
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
        assert image.width == 990
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "a" / "curve.csv"), curve)


def test_a_folder_that_cannot_be_written_is_one_clear_sentence(curve, tmp_path):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(FileError, match=r"The figure x cannot be written into .*taken: .*Name another folder"):
        save(confidence_figure(curve), "x", curve, tmp_path / "taken")


def test_both_languages_say_the_same_things():
    assert WORDS["en"].keys() == WORDS["ko"].keys()
    for key in ("groups", "kinds"):
        assert WORDS["en"][key].keys() == WORDS["ko"][key].keys()
