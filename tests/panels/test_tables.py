"""The tables under the panel: headings in both languages, rounded, and "none yet" where there is nothing."""

from __future__ import annotations

import re

import pytest
from panels.test_state import P07, P12, P14

from hallumaze_kit import AnswerBook
from hallumaze_kit.panels.pasting.state import PasteState, Provenance
from hallumaze_kit.panels.pasting.words import WORDS
from hallumaze_kit.panels.tables import _note_words, readings_html, tables_html
from hallumaze_kit.study import agreement


@pytest.fixture
def state(tmp_path):
    with AnswerBook(tmp_path / "answers.db") as book:
        yield PasteState(book)


def heads(page: str) -> list[str]:
    return re.findall("<th>(.*?)</th>", page)


@pytest.mark.parametrize("language", WORDS)
def test_an_empty_book_has_none_yet(state, language):
    words = WORDS[language]
    assert readings_html(state.book, language).count(words["none_yet"]) == 2
    assert words["empty_table"] in tables_html([], language)


@pytest.mark.parametrize("language", WORDS)
def test_trials_have_headings_and_endings_in_words(state, language):
    state.store(*P14, Provenance("<i>", "GPT"))
    page = tables_html(state.results(), language)
    assert heads(page)[:4] == [WORDS[language]["table_columns"][n] for n in ("provider", "model", "maze_size", "seed")]
    assert ("환각 없이 탈출함" if language == "ko" else "solved without a hallucination") in page
    assert "failure_mode" not in page and "&lt;i&gt;" in page


@pytest.mark.parametrize("language", WORDS)
def test_corrected_and_second_readings_are_counted(state, language):
    words = WORDS[language]
    for text, maze, config in (P14, P12, P07):
        id = state.store(text, maze, config, Provenance("OpenAI", "GPT")).answer.id
        state.code(id, state.reading(id), "Lee <i>")
    state.mend(id, state.reading(id)[1:], "Kim", "why")
    page = readings_html(state.book, language)
    # 1 of 3: Wilson's interval 0.0615 to 0.7923 by hand.
    assert "<td>OpenAI</td><td>GPT</td><td>3</td><td>1</td><td>0.33 [0.06, 0.79]</td><td>1</td>" in page
    assert f"<td>{words['program']}</td><td>Lee &lt;i&gt;</td><td>3</td>" in page
    assert "<td>1.00</td><td>1.00</td>" in page
    assert heads(page) == [*words["share_columns"], *words["agree_columns"]]
    assert words["agree_notes"]["no interval with fewer than {} answers"].format(5) in page


def test_every_note_has_words(state):
    for language in WORDS:
        words = WORDS[language]
        assert _note_words("", words) == "" and _note_words("of {another} 3", words) == "of {another} 3"
        said = _note_words("3 of 500 samples have no kappa and are left out", words)
        assert said.index("500" if language == "ko" else "3") < said.index("3" if language == "ko" else "500")
    assert agreement(state.book).empty
