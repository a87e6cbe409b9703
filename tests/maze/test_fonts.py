"""Hangul, arrows and the minus sign in figures."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib import font_manager
from matplotlib import pyplot as plt

from hallumaze_kit.maze import MazeEngine, fonts
from hallumaze_kit.maze.drawing import draw_maze

CASES = Path(__file__).parents[2] / ".." / "shared" / "cases" / "faults.jsonl"
SANS = Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"


@pytest.fixture
def fresh(monkeypatch):
    """Forget what was found, and the fonts that were added, before and after."""
    monkeypatch.setattr(font_manager.fontManager, "ttflist", list(font_manager.fontManager.ttflist))
    fonts.hangul_family.cache_clear()
    yield monkeypatch
    fonts.hangul_family.cache_clear()
    plt.close("all")


@pytest.fixture
def nowhere(fresh):
    """A machine without any Hangul font."""
    others = [f for f in font_manager.fontManager.ttflist if f.name not in fonts.HANGUL_FAMILIES]
    fresh.setattr(font_manager.fontManager, "ttflist", others)
    fresh.setattr(fonts, "_system_files", list)
    fresh.setattr(fonts, "_package_files", list)
    return fresh


def test_case_h8_hangul_and_a_minus_sign_leave_no_glyph_out():
    if fonts.hangul_family() is None:
        pytest.skip("no Hangul font on this machine (Debian: fonts-nanum)")
    title, values = "한글 제목", [-1, 1]
    if CASES.exists():
        lines = map(json.loads, CASES.read_text("utf-8").splitlines())
        case = next(line for line in lines if line["id"] == "H8")
        title, values = case["input"]["title"], case["input"]["values"]
    with mpl.rc_context({"font.family": fonts.families("ko")}):
        figure, ax = plt.subplots()
        ax.plot(values)
        ax.set_title(f"{title} → ↓ − ×")
        figure.savefig(io.BytesIO(), format="png")  # a missing glyph is a warning, and a warning an error here
        figure.savefig(io.BytesIO(), format="pdf")
        assert any("\N{MINUS SIGN}" in label.get_text() for label in ax.get_yticklabels())
    plt.close(figure)


def test_dejavu_alone_would_miss_the_hangul():
    """What the test above would see without a Hangul family."""
    with mpl.rc_context({"font.family": ["DejaVu Sans"]}):
        figure, ax = plt.subplots()
        ax.set_title("한글")
        with pytest.warns(UserWarning, match=r"Glyph .* missing"):
            figure.savefig(io.BytesIO())
    plt.close(figure)


def test_both_languages_have_both_fonts_their_own_in_front():
    family = fonts.hangul_family()
    if family is None:
        pytest.skip("no Hangul font on this machine (Debian: fonts-nanum)")
    assert fonts.families("ko") == [family, "DejaVu Sans"]
    assert fonts.families("en") == ["DejaVu Sans", family]


def test_an_old_font_cache_hides_no_font(fresh):
    if fonts.hangul_family() is None:
        pytest.skip("no Hangul font on this machine (Debian: fonts-nanum)")
    old = [f for f in font_manager.fontManager.ttflist if f.name not in fonts.HANGUL_FAMILIES]
    fresh.setattr(font_manager.fontManager, "ttflist", old)
    fonts.hangul_family.cache_clear()
    assert fonts.hangul_family() in fonts.HANGUL_FAMILIES


def test_a_font_package_is_used_without_importing_it(nowhere, tmp_path):
    package = tmp_path / "korean_fonts"
    info = tmp_path / "korean_fonts-1.0.dist-info"
    package.mkdir()
    info.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    shutil.copy(SANS, package / "NanumGothic.ttf")
    shutil.copy(SANS, package / "Other.ttf")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: korean-fonts\nVersion: 1.0\n")
    names = ("korean_fonts/__init__.py", "korean_fonts/NanumGothic.ttf", "korean_fonts/Other.ttf")
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in names))
    nowhere.undo()
    nowhere.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert str(package / "NanumGothic.ttf") in fonts._package_files()
    assert str(package / "Other.ttf") not in fonts._package_files()
    assert "korean_fonts" not in sys.modules


def test_without_a_hangul_font_labels_are_english_and_a_note_says_so(nowhere):
    assert fonts.hangul_family() is None
    assert fonts.families("ko") == ["DejaVu Sans"]
    with pytest.warns(UserWarning, match="koreanize-matplotlib.*No Hangul font was found"):
        ax = draw_maze(MazeEngine(3, 1), language="ko")
    assert ax.get_legend().get_texts()[0].get_text() == "solution"
    ax.figure.savefig(io.BytesIO())


def test_english_needs_no_hangul_font_and_says_nothing(nowhere):
    assert fonts.shown_language("en") == "en"
    assert fonts.families("en") == ["DejaVu Sans"]
    draw_maze(MazeEngine(3, 1)).figure.savefig(io.BytesIO())


def test_a_broken_font_file_is_left_out_with_a_warning(nowhere, tmp_path):
    broken = tmp_path / "NanumGothic.ttf"
    broken.write_bytes(b"no font")
    nowhere.setattr(fonts, "_system_files", lambda: [str(broken)])
    with pytest.warns(UserWarning, match=r"NanumGothic\.ttf cannot be read"):
        assert fonts.hangul_family() is None
