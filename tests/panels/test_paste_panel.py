"""The face of the paste panel, driven without a browser: its widgets do what the state does, in both languages."""

from __future__ import annotations

import re

import pytest
from panels.test_state import P07, P12, P14

from hallumaze_kit import AnswerBook, KitError, MazeConfig, MazeEngine
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


def test_another_maze_s_answer_is_told_with_what_does_not_fit_and_taken_there_with_one_click(panel, book):
    paste(panel, P12[0])
    said = panel.notice.value
    assert re.search(r"The move \(\d,\d\)→\(\d,\d\) is not possible in this 7×7 maze", said)
    assert "7×7 maze with seed 5005 of the plan" in said and "not in the maze" not in said
    assert panel.go.layout.display == ""
    panel.go.click()
    assert panel.state.maze == P12[1] and panel.maze.seed.value == "5005" and panel.answer.value == P12[0]
    assert "now 7×7, seed 5005" in panel.notice.value and panel.go.layout.display == "none"
    panel.score.click()
    assert [r.sr for r in book.results()] == [1]


def test_a_maze_that_only_saved_answers_have_is_not_called_planned(book):
    panel = PastePanel(book, "en")
    panel.state.store(P14[0], P14[1], P14[2], panel.state.provenance)
    panel.state.choose(MazeEngine(5, 1), MazeConfig(size=5))
    paste(panel, P14[0] + "\nnot twice the same")
    assert "is not in this 5×5 maze" in panel.notice.value and "The cell (" in panel.notice.value
    assert "seed 7007, to which answers are saved" in panel.notice.value and "plan" not in panel.notice.value


def test_an_answer_to_an_unknown_maze_offers_no_way(panel):
    paste(panel, P07[0])
    assert "another maze" in panel.notice.value and "fits" not in panel.notice.value
    assert panel.go.layout.display == "none" and panel.anyway.layout.display == ""


def test_a_text_without_a_move_is_asked_about(panel, book):
    paste(panel, "hello I cannot do it.")
    assert "No move could be read" in panel.notice.value and len(book) == 0
    panel.anyway.click()
    assert len(book) == 1 and "MEI –<" in panel.result.page.value


def test_who_answered_is_asked_for_beside_the_button_until_it_is_named(book):
    panel = PastePanel(book, "en")
    assert "Neither product nor model" in panel.who.hint.value
    panel.who.product.value = "ChatGPT"
    assert panel.who.hint.value == ""
    panel.who.product.value = " "
    assert panel.who.hint.value
    paste(panel, "STEP 1: (0,0) → E | 90%")
    assert len(book) == 1, "it blocks nothing"


def test_a_result_that_is_not_this_text_s_says_so(panel):
    paste(panel, P14[0])
    assert "<h3>Result</h3>" in panel.result.head.value
    paste(panel, P12[0])
    assert "Result of the previous answer" in panel.result.head.value
    panel.language.value = "ko"
    assert "이전 응답의 결과" in panel.result.head.value
    panel.anyway.click()
    assert "<h3>결과</h3>" in panel.result.head.value


def test_what_was_said_and_asked_stays_through_a_change_of_language(panel, book):
    paste(panel, P12[0])
    panel.maze.seed.value, panel.saved.filter.value = "99", "gpt"
    panel.language.value = "ko"
    assert "시드 5005 미로에는 맞습니다" in panel.notice.value
    assert panel.go.layout.display == panel.anyway.layout.display == "" and panel.answer.value == P12[0]
    assert panel.maze.seed.value == "99" and "바뀌었습니다" in panel.maze.sign.value
    assert panel.saved.filter.value == "gpt"
    panel.maze.seed.value = "7007"
    panel.anyway.click()
    assert len(book) == 1 and "저장하고 채점했습니다" in panel.notice.value
    panel.language.value = "en"
    assert "Saved and scored" in panel.notice.value and panel.anyway.layout.display == "none"


def test_a_pending_question_is_asked_again_when_its_view_comes_back(panel):
    paste(panel, P12[0])
    panel.view.value = 2
    assert panel.notice.value == ""
    panel.view.value = 0
    assert "another maze" in panel.notice.value and panel.anyway.layout.display == ""


@pytest.mark.parametrize(("field", "value"), [("seed", "5005"), ("mirage", False), ("template", 3)])
def test_fields_that_were_changed_say_at_once_that_the_maze_is_not_made(panel, field, value):
    assert panel.maze.sign.value == ""
    getattr(panel.maze, field).value = value
    assert "Changed: press “Make the maze”" in panel.maze.sign.value
    panel.maze.draw()
    assert panel.maze.sign.value == ""


def test_what_is_missing_names_size_and_seed(book):
    panel = PastePanel(book, "ko", PastePlan([MazeEngine(7, 0), MazeEngine(7, 1)], [P14[2]], ["m"]))
    assert "남은 것: 7×7 시드 0 m, 7×7 시드 1 m" in panel.maze.line.value


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
