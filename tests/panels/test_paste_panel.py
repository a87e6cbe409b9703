"""The face of the paste panel, driven without a browser: its widgets do what the state does, in both languages."""

from __future__ import annotations

import pytest
from panels.test_state import P12, P14

from hallumaze_kit import AnswerBook, KitError, MazeEngine
from hallumaze_kit.panels.paste import PastePanel
from hallumaze_kit.panels.pasting.plan import PastePlan
from hallumaze_kit.panels.pasting.words import WORDS


@pytest.fixture
def book(tmp_path):
    with AnswerBook(tmp_path / "answers.db") as book:
        yield book


@pytest.fixture
def panel(book):
    return PastePanel(book, "en", PastePlan([P14[1], P12[1]], [P14[2]]))


def paste(panel, text):
    panel.answer.value = text
    panel.score.click()


def test_an_answer_is_pasted_scored_and_shown(panel, book):
    panel.who.model.value = "GPT-X"
    paste(panel, P14[0])
    assert "MEI 0.900●" in panel.result.page.value and "data:image/png" in panel.result.page.value
    assert panel.answer.value == "" and "Saved and scored: GPT-X" in panel.notice.value
    assert "Plan 1 of 2" in panel.maze.line.value and "under this condition: 1" in panel.maze.line.value
    assert "GPT-X" in panel.tables.value and len(book) == 1


def test_what_is_no_answer_stays_in_the_box(panel, book):
    for text, said in (("", "empty"), (panel.state.prompt.user, "the prompt"), (P12[0], "seed 5005")):
        paste(panel, text)
        assert said in panel.notice.value and panel.answer.value == text and len(book) == 0
    assert panel.anyway.layout.display == ""
    panel.anyway.click()
    assert len(book) == 1 and panel.anyway.layout.display == "none"


def test_the_language_changes_and_the_numbers_and_the_typed_text_stay(panel):
    paste(panel, P14[0])
    before = panel.result.page.value
    panel.answer.value, panel.batch.text.value, panel.who.effort.value = "half", "several", "high"
    panel.result.open_mending()
    panel.result.lines.value, panel.result.author.value = "half mended", "Kim"
    panel.view.value = 1
    panel.language.value = "ko"
    assert (panel.result.lines.value, panel.result.author.value, panel.view.value) == ("half mended", "Kim", 1)
    assert (panel.batch.text.value, panel.who.effort.value) == ("several", "high")
    assert panel.answer.value == "half" and "저장하고 채점" in panel.score.description
    for part in ("MEI 0.900●", before.split("base64,")[0].split("MEI")[1][:6]):
        assert part in panel.result.page.value
    assert WORDS["ko"]["claims"] in panel.result.page.value
    assert "계획 1/2" in panel.maze.line.value


@pytest.mark.parametrize(
    ("size", "seed", "said"),
    [
        ("1", "3", "2 to 101"),
        ("x", "3", "2 to 101"),
        ("7.5", "", "2 to 101"),
        ("5", "-1", "0 or more"),
        ("5", "abc", "“abc”"),
    ],
)
def test_wrong_sizes_and_seeds_are_told_and_change_nothing(panel, size, seed, said):
    before = panel.state.maze
    panel.maze.size.value, panel.maze.seed.value = size, seed
    panel.maze.draw()
    assert said in panel.notice.value and panel.state.maze == before


def test_a_maze_is_made_from_the_fields(panel):
    panel.maze.size.value, panel.maze.seed.value = "5", "11"
    panel.maze.algorithm.value, panel.maze.placement.value = "wilson", "balanced"
    panel.maze.language.value, panel.maze.mirage.value, panel.maze.template.value = "en", False, 2
    panel.maze.draw()
    assert panel.state.maze == MazeEngine(5, 11, "wilson", "balanced")
    config = panel.state.config
    assert (config.language, config.use_mirage, config.template, config.size) == ("en", False, 2, 5)
    assert panel.copies["user"].text == panel.state.prompt.user
    assert panel.copies["both"].text == f"{panel.state.prompt.system}\n\n{panel.state.prompt.user}"
    panel.maze.seed.value = ""
    panel.maze.draw()
    assert panel.maze.seed.value == str(panel.state.maze.seed)


def test_saved_answers_are_listed_opened_marked_and_exported(panel, book, tmp_path):
    paste(panel, P14[0])
    panel.maze.next()
    paste(panel, P12[0])
    panel.view.value = 2
    saved = panel.saved
    (_, newest), (_, oldest) = saved.list.options
    saved.list.value = oldest
    saved._with_chosen(saved._open)
    assert "seed 7007" in panel.result.page.value
    saved._with_chosen(saved._delete)
    assert [id for _, id in saved.list.options] == [newest]
    saved.deleted.value = True
    saved.list.value = oldest
    saved._with_chosen(saved._restore)
    saved.filter.value = "5005"
    assert [id for _, id in saved.list.options] == [newest]
    for kind in ("csv", "json", "jsonl", "decisions"):
        saved.kind.value = kind
        saved._export()
        assert 'download="answers-' in saved.link.value
    assert len(list(tmp_path.glob("answers-*"))) == 4


def test_without_a_choice_a_choice_is_asked_for(panel):
    panel.saved._with_chosen(panel.saved._open)
    assert "First choose" in panel.notice.value


def test_a_text_of_an_earlier_panel_is_offered(book, panel):
    panel.answer.value = "typed and not saved"
    later = PastePanel(book, "en")
    assert "typed and not saved" in later.unsaved.options[0][0] and later.unsaved_row.layout.display == ""
    later._take_draft()
    assert later.answer.value == "typed and not saved" and later.unsaved_row.layout.display == "none"


def test_an_unexpected_error_is_told_and_keeps_the_text(panel, monkeypatch):
    def fail(*_):
        raise RuntimeError("a fault of ours <b>")

    monkeypatch.setattr(panel.state, "submit", fail)
    paste(panel, P14[0])
    assert "a fault of ours &lt;b&gt;" in panel.notice.value and panel.answer.value == P14[0]
    assert [d.text for d in PastePanel(panel.state.book).state.unsaved()] == [P14[0]]


@pytest.mark.parametrize("given", [{"lang": "de"}, {"store": "answers.db"}])
def test_wrong_arguments_are_refused(book, given):
    with pytest.raises(KitError):
        PastePanel(**{"store": book} | given)


def test_a_reading_is_mended_in_the_panel(panel, book):
    paste(panel, P14[0])
    panel.result.open_mending()
    panel.result.lines.value = panel.result.lines.value.replace("1 (0,0) E", "1 (0,0) S", 1)
    panel.guard(panel.result.mend)()
    assert "who corrected it" in panel.notice.value and not panel.result.shown.result.corrections
    panel.result.author.value, panel.result.reason.value = "Kim", "a try"
    panel.guard(panel.result.mend)()
    assert "The corrected reading is saved" in panel.notice.value and "was corrected: 1" in panel.result.page.value
    panel.result.open_mending()
    panel.result.lines.value += "\nnonsense"
    panel.result.author.value, panel.result.reason.value = "Kim", "a try"
    panel.guard(panel.result.mend)()
    assert "“nonsense”" in panel.notice.value and panel.result.near.value == panel.notice.value
    assert "nonsense" in panel.result.lines.value
    panel.result.unmend()
    assert not panel.result.shown.result.corrections


def test_a_second_reader_sees_the_answer_alone(panel, book):
    paste(panel, P14[0])
    panel.result.open_coding()
    assert (
        "MEI" not in panel.result.page.value
        and "<mark" not in panel.result.page.value
        and panel.result.lines.value == ""
    )
    panel.result.lines.value, panel.result.author.value = "1 (0,0) E", "Lee"
    panel.guard(panel.result.code)()
    assert book.answer(panel.result.shown.answer.id).events[-1].data["coder"] == "Lee"


def test_a_name_of_200000_characters_is_kept_whole_and_shown_short(panel, book):
    panel.who.model.value = "m" * 200_000
    paste(panel, P14[0])
    (answer,) = book.answers()
    assert len(answer.meta["model"]) == 200_000
    panel.view.value = 2
    assert len(panel.notice.value) < 500 and len(panel.saved.list.options[0][0]) < 300
    assert "m" * 100 not in panel.result.page.value + panel.tables.value and panel.state.suggestions("model") == []


def test_the_panel_embeds_in_a_page_whatever_it_shows(panel):
    from ipywidgets.embed import embed_snippet

    paste(panel, "STEP 1: (0,0) → E | 90% | </script><script>alert(1)</script>")
    page = embed_snippet(views=[panel])
    assert "alert(1)" in page and "<script>alert(1)" not in page


def test_what_is_typed_for_a_batch_is_on_the_disk(panel, book):
    panel.batch.text.value = "two answers"
    assert [d.text for d in PastePanel(book).state.unsaved()] == ["two answers"]
    panel.batch.text.value = ""
    assert PastePanel(book).state.unsaved() == []


@pytest.mark.parametrize(("field", "value"), [("seed", "5005"), ("mirage", False), ("template", 3)])
def test_fields_that_were_changed_but_not_made_are_asked_about(panel, book, field, value):
    widget = getattr(panel.maze, field)
    before, widget.value = widget.value, value
    paste(panel, P14[0])
    assert "Make the maze" in panel.notice.value and len(book) == 0 and panel.answer.value == P14[0]
    widget.value = before
    panel.score.click()
    assert len(book) == 1
