"""The bundled answers, and the one command that makes every table and figure."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from records.privileges import reachable_folder, unprivileged

from hallumaze_kit.errors import FileError
from hallumaze_kit.study import __main__ as command
from hallumaze_kit.study import bundled, figures


def test_the_bundled_answers_are_the_real_ones_with_what_is_known_of_them():
    results = bundled.real_results()
    labels = json.loads((bundled.FOLDER / "labels.json").read_text("utf-8"))
    assert [r.extra["file"] for r in results] == sorted(labels)
    assert {(r.provider, r.model, r.date) for r in results} == {
        ("anthropic", "claude (version not recorded)", "2026-11")
    }
    for result in results:
        label = labels[result.extra["file"]]
        assert (result.maze_size, result.seed) == (label["size"], label["seed"])
        assert (result.config.language, result.config.use_mirage) == (label["language"], label["mirage"])
        assert result.messages[-1]["content"] == (bundled.FOLDER / result.extra["file"]).read_bytes().decode()
        expected = label["expected"]["sr"]
        assert result.sr in (expected if isinstance(expected, list) else [expected])


def test_the_bundled_files_are_the_handed_ones_byte_for_byte():
    handed = Path(__file__).parents[2] / ".." / "shared" / "answers"
    if not handed.is_dir():
        pytest.skip("the handed inputs (../shared) are not here")
    names = sorted(path.name for path in handed.iterdir() if path.name != "README.md")
    assert names == sorted(path.name for path in bundled.FOLDER.iterdir() if path.name != "README.md")
    assert all((handed / name).read_bytes() == (bundled.FOLDER / name).read_bytes() for name in names)


def test_an_answer_is_found_by_the_beginning_of_its_name():
    assert bundled.answer_text("q05").startswith("STEP 1: (0,0) → [S]")
    assert bundled.answer_maze("q05").size == 15
    with pytest.raises(FileError, match="no bundled answer whose name begins with 'x99'"):
        bundled.answer_text("x99")


def test_without_the_repository_the_bundled_answers_say_where_they_are(tmp_path):
    with pytest.raises(FileError, match="They come with the kit's repository, not with the installed package"):
        bundled.real_results(tmp_path / "data" / "answers")


@pytest.fixture
def brief(monkeypatch):
    """Fewer mazes and subjects, so that the command is quick; all kinds are there."""
    keep = ("hasty", "talker", "stubborn")
    monkeypatch.setattr(command, "SYNTHETIC", {name: command.SYNTHETIC[name] for name in keep})
    monkeypatch.setattr(command, "MORE_MAZES", 5)
    return monkeypatch


def test_the_command_prints_the_tables_and_writes_the_figures(brief, tmp_path, capsys):
    assert command.main(["--out", str(tmp_path / "figures"), "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert out.index("Profile of measures") < out.index("HalluMaze comparison") < out.index("Wrote 4 figures")
    assert str(tmp_path / "figures") in out.replace("\n", "")
    assert "claude (version not recorded)" in out and "random_walk" in out
    names = {"leaderboard_en", "confidence_en", "walk_real_en", "walk_synthetic_en"}
    assert {path.name for path in (tmp_path / "figures").iterdir()} == {
        f"{name}.{ending}" for name in names for ending in ("png", "pdf", "csv")
    }


def test_without_the_bundled_answers_it_says_so_and_goes_on(brief, tmp_path, capsys):
    def missing():
        return bundled._labels(tmp_path)

    brief.setattr(bundled, "real_results", missing)
    assert command.main(["--out", str(tmp_path / "figures"), "--lang", "en"]) == 0
    said = capsys.readouterr()
    assert "The bundled answers are not at" in said.err
    assert "hasty [synthetic]" in said.out and "claude" not in said.out
    assert not (tmp_path / "figures" / "walk_real_en.png").exists()


def test_without_a_hangul_font_it_says_so_once_and_draws_in_english(brief, tmp_path, capsys):
    brief.setattr(command, "hangul_family", lambda: None)
    brief.setattr(bundled, "real_results", list)
    shown = []

    def save(figure, name, data, folder):
        shown.extend(text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text")))
        return [name]

    brief.setattr(figures, "save", save)
    assert command.main(["--out", str(tmp_path), "--lang", "ko"]) == 0
    said = capsys.readouterr()
    assert said.err.count("한글 글꼴을 찾지 못해") == 1
    assert "Synthetic subjects" in shown and not re.search("[가-힣]", "".join(shown))


def test_a_folder_that_cannot_be_made_is_one_line(brief, tmp_path, capsys):
    (tmp_path / "taken").write_text("a file")

    def scored():
        raise AssertionError("the folder is looked at before anything is scored")

    brief.setattr(bundled, "real_results", scored)
    assert command.main(["--out", str(tmp_path / "taken"), "--lang", "en"]) == 1
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1 and "cannot be written into" in said[0]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights on folders")
def test_a_folder_that_cannot_be_written_is_one_line():
    with reachable_folder() as folder:
        folder.chmod(0o555)
        with (
            unprivileged(),
            pytest.raises(FileError, match=r"The figures cannot be written into .*: Permission denied"),
        ):
            figures.check_folder(folder)
        folder.chmod(0o755)
        figures.check_folder(folder / "new")
        assert list((folder / "new").iterdir()) == []


def test_an_unknown_language_is_refused_by_name(capsys):
    with pytest.raises(SystemExit) as stop:
        command.main(["--lang", "fr"])
    assert stop.value.code == 2
    assert "invalid choice: 'fr'" in capsys.readouterr().err


def test_everything_is_said_in_both_languages():
    assert command.WORDS["ko"].keys() == command.WORDS["en"].keys()
