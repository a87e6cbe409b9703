"""Several answers at once in the panel: matched ones are stored, the others stay listed and on the disk."""

from __future__ import annotations

import json

import pytest
from panels.test_state import P07, P12, P14

from hallumaze_kit import AnswerBook, build_prompt
from hallumaze_kit.panels.batch import REASONS
from hallumaze_kit.panels.paste import PastePanel
from hallumaze_kit.panels.pasting.words import WORDS

CHAT = "\n\n".join(
    f"User:\n{build_prompt(maze, config).user}\n\nAssistant:\n{text}" for text, maze, config in (P14, P12)
)


@pytest.fixture
def book(tmp_path):
    with AnswerBook(tmp_path / "answers.db") as book:
        yield book


@pytest.fixture
def panel(book):
    return PastePanel(book, "en")


def test_a_chat_with_two_prompts_becomes_two_stored_answers(panel, book):
    panel.batch.text.value = CHAT
    panel.batch._split()
    assert "Answers found: 2, their maze known: 2" in panel.notice.value
    assert ["seed 7007" in panel.batch.list.options[0][0], "seed 5005" in panel.batch.list.options[1][0]] == [
        True,
        True,
    ]
    panel.batch._store_matched()
    assert "2 saved and scored" in panel.notice.value and panel.batch.list.options == ()
    assert [(a.text.strip(), a.config) for a in book.answers()] == [(P14[0].strip(), P14[2]), (P12[0].strip(), P12[2])]
    assert [r.sr for r in book.results()] == [1, 1]


def test_what_has_no_maze_stays_listed_and_on_the_disk(panel, book):
    panel.batch._take_files([{"name": "odd.txt", "content": b"I walk around a little and see walls."}])
    assert "their maze known: 0" in panel.notice.value and "maze not known" in panel.batch.list.options[0][0]
    panel.batch._store_matched()
    assert len(book) == 0 and len(panel.batch.list.options) == 1
    assert [d.text for d in PastePanel(book).state.unsaved()] == ["I walk around a little and see walls."]
    panel.batch.list.value = 0
    panel.batch._store_here()
    assert [a.maze["seed"] for a in book.answers()] == [panel.state.maze.seed]
    assert PastePanel(book).state.unsaved() == []


def test_files_bring_their_model_and_twice_is_once(panel, book):
    made = [{"model": "gpt-x", "prompt": build_prompt(P07[1], P07[2]).user, "answer": P07[0]}]
    for expected in ("1 saved", "0 saved"):
        panel.batch._take_files([{"name": "export.json", "content": json.dumps(made).encode()}])
        panel.batch._store_matched()
        assert expected in panel.notice.value
    assert "1 that were saved before are skipped" in panel.notice.value
    assert [a.meta["model"] for a in book.answers()] == ["gpt-x"]


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7 ...", b"\x89PNG\r\n\x1a\n", b"{broken"])
def test_a_file_that_holds_no_answer_is_named_and_changes_nothing(panel, book, content):
    panel.batch._take_files([{"name": "bad.json", "content": content}])
    assert "bad.json" in panel.notice.value and "hm-error" in panel.notice.value
    assert len(book) == 0 and panel.batch.list.options == ()


def test_an_empty_box_is_told(panel):
    panel.batch._split()
    assert "empty" in panel.notice.value


@pytest.mark.parametrize("language", WORDS)
def test_every_reason_has_words(language):
    assert set(WORDS[language]["reasons"]) == set(REASONS)
