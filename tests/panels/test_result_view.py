"""The result in the panel: its reading is mended and read a second time, and the lists follow."""

from __future__ import annotations

import pytest
from panels.test_paste_panel import paste
from panels.test_state import P14

from hallumaze_kit import AnswerBook
from hallumaze_kit.panels.paste import PastePanel
from hallumaze_kit.panels.pasting.words import WORDS
from hallumaze_kit.trial.correction import event_line, read_lines


@pytest.fixture
def book(tmp_path):
    with AnswerBook(tmp_path / "answers.db") as book:
        yield book


@pytest.fixture
def panel(book):
    panel = PastePanel(book, "en")
    panel.state.choose(P14[1], P14[2])
    panel.show_stimulus()
    return panel


def mend(panel, old="1 (0,0) E -> (0,1)", new="1 (0,0) S -> (1,0)"):
    panel.result.open_mending()
    panel.result.lines.value = panel.result.lines.value.replace(old, new, 1)
    panel.result.author.value, panel.result.reason.value = "Kim", "a try"
    panel.guard(panel.result.mend)()


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


def test_lists_and_tables_follow_a_correction_at_once(panel):
    paste(panel, P14[0])
    panel.view.value = 2
    before = panel.saved.list.options[0][0]
    mend(panel)
    after = panel.saved.list.options[0][0]
    assert "corrected" in after and "MEI" in after and after != before
    assert "<td>1</td><td>1</td><td>1.00 [0.21, 1.00]</td><td>1</td>" in panel.readings.value
    panel.result.unmend()
    assert panel.saved.list.options[0][0] == before


def test_corrections_can_be_withdrawn_only_where_there_is_one(panel):
    paste(panel, P14[0])
    assert panel.result.withdraw.layout.display == "none"
    mend(panel)
    assert panel.result.withdraw.layout.display == ""
    panel.result.unmend()
    assert panel.result.withdraw.layout.display == "none"


def test_an_export_takes_the_older_message_away(panel):
    paste(panel, P14[0])
    panel.view.value = 2
    mend(panel)
    assert "corrected reading is saved" in panel.result.near.value
    panel.saved._export()
    assert panel.notice.value == panel.result.near.value == "" and "Written" in panel.saved.link.value
    panel.language.value = "ko"
    assert "썼습니다" in panel.saved.link.value


@pytest.mark.parametrize("language", WORDS)
def test_the_examples_of_the_editor_are_lines_as_it_writes_them(language):
    words = WORDS[language]
    for line in (*words["mend_examples"][:-1], *words["code_examples"]):
        (event,) = read_lines([line]).events
        assert event_line(event) == line
    assert read_lines(words["mend_examples"]).final_path == ((0, 0), (0, 1))


def test_the_help_of_the_editor_is_no_warning_and_shows_the_examples(panel):
    paste(panel, P14[0])
    panel.result.open_mending()
    help = panel.result.editor.children[0].value
    assert "hm-hint" in help and "hm-notice" not in help and "3 (0,1) S -&gt; (1,1) 90%\n" in help


def test_an_open_editor_is_closed_with_its_messages(panel):
    paste(panel, P14[0])
    panel.result.open_mending()
    panel.guard(panel.result.mend)()
    assert "hm-error" in panel.result.near.value
    panel.result._close()
    assert panel.result.near.value == panel.notice.value == "" and panel.result.editor.children == ()
