"""The paste panel without a face: nothing typed is lost, nothing is stored that is no answer, all can be undone."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from hallumaze_kit import AnswerBook, KitError, MazeConfig, MazeEngine, read_results
from hallumaze_kit.panels.pasting.looks import Notice
from hallumaze_kit.panels.pasting.plan import PastePlan
from hallumaze_kit.panels.pasting.state import PasteState, Provenance
from hallumaze_kit.trial.parsing import parse_answer
from hallumaze_kit.trial.replay import replay

ANSWERS = Path(__file__).parents[2] / "data" / "answers"
LABELS = json.loads((ANSWERS / "labels.json").read_text("utf-8"))


def real(name: str) -> tuple[str, MazeEngine, MazeConfig]:
    file = next(file for file in LABELS if file.startswith(name))
    label = LABELS[file]
    config = MazeConfig(size=label["size"], use_mirage=label["mirage"], language=label["language"])
    return (ANSWERS / file).read_text("utf-8"), MazeEngine(label["size"], label["seed"]), config


P14, P12, P07 = real("p14"), real("p12"), real("p07")


@pytest.fixture
def book(tmp_path):
    with AnswerBook(tmp_path / "answers.db") as book:
        yield book


@pytest.fixture
def state(book):
    made = PasteState(book)
    made.choose(P14[1], P14[2])
    return made


def test_a_real_answer_is_stored_and_scored(state, book):
    state.provenance = Provenance("OpenAI", " GPT-X ", "high", "off", False, 2, "https://example.org/s")
    shown = state.submit(P14[0])
    assert (shown.result.sr, shown.result.backtrack_count, shown.result.model) == (1, 1, "GPT-X")
    stored = book.answer(shown.answer.id)
    assert stored.text == P14[0] and stored.config == P14[2]
    assert stored.meta["provider"] == "OpenAI" and stored.meta["attempt"] == 2 and stored.meta["tools"] == "off"
    assert stored.meta["extra"] == {"new_chat": False, "share_link": "https://example.org/s"}
    assert stored.meta["date"] == date.today().isoformat() and stored.meta["prompt_sha256"] == state.prompt.sha256
    assert book.result(shown.answer.id).mei == shown.result.mei


def test_what_is_typed_is_on_the_disk_until_it_is_stored(state, book):
    state.typed("half an ans")
    later = PasteState(book)
    assert [d.text for d in later.unsaved()] == ["half an ans"] and state.unsaved() == []
    state.submit(P14[0])
    assert PasteState(book).unsaved() == []


@pytest.mark.parametrize("text", ["\ud800 broken", "a\r\nb\x1b[31m", "한글 \u202e"])
def test_any_text_is_kept_as_it_is(state, book, text):
    state.typed(text)
    assert [d.text for d in PasteState(book).unsaved()] == [text]


def test_an_empty_paste_is_never_stored(state, book):
    for text in ("", " \n\t"):
        assert state.submit(text, anyway=True) == Notice("empty", {})
    assert len(book) == 0


@pytest.mark.parametrize("part", ["user", "system", "both"])
def test_the_prompt_is_no_answer(state, book, part):
    prompt = state.prompt
    text = {"user": prompt.user, "system": prompt.system, "both": f"{prompt.system}\n\n{prompt.user}"}[part]
    assert state.submit(text).kind == "prompt" and len(book) == 0
    assert [d.text for d in PasteState(book).unsaved()] == [text]


def test_a_prompt_with_its_answer_is_an_answer(state):
    assert state.submit(f"{state.prompt.user}\n\n{P14[0]}").result.sr == 1


def test_an_answer_to_a_larger_maze_names_cells_that_do_not_exist(book):
    state = PasteState(book)
    state.choose(MazeEngine(5, 1), MazeConfig(size=5))
    notice = state.submit(P14[0])
    assert notice.kind == "other_maze" and notice.values["size"] == 5 and notice.values["fits"] is None
    assert max(notice.values["cell"]) >= 5


def test_an_answer_to_a_smaller_maze_ends_at_its_exit(state):
    notice = state.submit(P07[0])
    assert notice.kind == "other_maze" and notice.values["cell"] is None
    judged = {(m.start, m.end): m.legal for m in replay(state.maze, parse_answer(P07[0])).moves}
    assert judged[notice.values["move"]] is False


def test_a_text_without_a_move_is_asked_about_and_stored_if_it_is_meant(state, book):
    assert state.submit("hello I cannot do it.") == Notice("no_moves", {}) and len(book) == 0
    assert state.submit("hello I cannot do it.", anyway=True).answer.text and len(book) == 1


def test_going_to_the_maze_that_an_answer_fits_takes_its_planned_condition(book):
    asked = MazeConfig(size=7, language="en")
    state = PasteState(book, PastePlan([P14[1], P12[1]], [asked], ["m"]))
    assert state.planned(P12[1]) and not state.planned(P07[1])
    state.provenance = Provenance("p", "another")
    state.go_to(P12[1])
    assert (state.maze, state.config, state.provenance.model) == (P12[1], asked, "another")
    state.choose(P14[1], P14[2])
    state.go_to(P07[1])
    assert (state.maze, state.config.language) == (P07[1], "ko")


def test_an_answer_to_another_planned_maze_is_told(book):
    state = PasteState(book, PastePlan([P14[1], P12[1]], [P14[2]]))
    state.choose(P14[1], P14[2])
    notice = state.submit(P12[0])
    assert notice.kind == "other_maze" and notice.values["fits"] == P12[1]
    assert state.submit(P12[0], anyway=True).result.sr == 0


@pytest.mark.parametrize("name", sorted(LABELS))
def test_no_real_answer_to_its_own_maze_is_questioned(book, name):
    text, maze, config = real(name)
    state = PasteState(book, PastePlan([P14[1], P12[1], P07[1]]))
    state.choose(maze, config)
    assert not isinstance(state.submit(text), Notice)


def test_the_same_answer_twice_is_asked_about(state, book):
    first = state.submit(P14[0])
    notice = state.submit(f"\n{P14[0]}  ")
    assert notice.kind == "duplicate" and notice.values["id"] == first.answer.id and len(book) == 1
    state.submit(P14[0], anyway=True)
    assert len(book) == 2
    for row in state.saved()[0]:
        state.delete(row.id)
    assert not isinstance(state.submit(P14[0]), Notice)


def test_five_megabytes_are_asked_about_and_kept(state, book):
    text = "a wall, " * 700_000
    assert state.submit(text).kind == "long" and len(book) == 0
    assert [d.text for d in PasteState(book).unsaved()] == [text]


def test_provenance_is_remembered_and_suggested(state, book):
    for product, model in (("Google", "Gemini"), ("OpenAI", "GPT-X"), ("OpenAI", "GPT-Y")):
        state.provenance = Provenance(product, model, "low", "on", False, 3)
        state.submit(P14[0], anyway=True)
    again = PasteState(book)
    assert again.provenance == Provenance("OpenAI", "GPT-Y", "low", "on", False, 1, "")
    assert again.suggestions("provider") == ["OpenAI", "Google"]
    assert set(again.suggestions("model")) == {"Gemini", "GPT-X", "GPT-Y"}


def test_the_plan_leads_from_trial_to_trial(book):
    plan = PastePlan([P14[1], P12[1]], [P14[2]], ["m"])
    state = PasteState(book, plan)
    assert state.maze == P14[1] and state.provenance.model == "m"
    state.submit(P14[0])
    assert state.progress().done == 1 and state.next_planned().maze == P12[1]
    state.submit(P12[0])
    assert state.next_planned() is None and state.progress() == (2, 2, ())


def test_answers_are_found_marked_and_taken_back(state, book):
    state.provenance = Provenance("OpenAI", "GPT-X")
    one = state.submit(P14[0]).answer.id
    state.choose(P12[1], P12[2])
    state.provenance = Provenance("Google", "Gemini")
    two = state.submit(P12[0]).answer.id
    assert [row.id for row in state.saved()[0]] == [two, one]
    assert [row.id for row in state.saved("gpt 7007")[0]] == [one] and state.saved("nothing") == ([], 0)
    state.delete(one, "a test")
    assert [row.id for row in state.saved()[0]] == [two]
    assert [row.deleted for row in state.saved(deleted=True)[0]] == [False, True]
    assert [r.model for r in state.results()] == ["Gemini"]
    state.restore(one)
    state.discard(two, "the connection broke")
    assert [row.discarded for row in state.saved()[0]] == [1, 0]
    with pytest.raises(KitError):
        state.discard(two, " ")


def test_exports_hold_what_is_stored(state, tmp_path):
    shown = state.submit(P14[0])
    (back,) = read_results(state.export("json"))
    assert back.mei == shown.result.mei and back.answer_id == shown.answer.id
    assert len(pd.read_csv(state.export("csv"))) == 1
    assert len(pd.read_csv(state.export("decisions"))) == len(shown.result.decisions)
    lines = state.export("jsonl")
    with AnswerBook(tmp_path / "other.db") as other, pytest.raises(KitError):
        PasteState(other).export("xml")
    with AnswerBook(tmp_path / "other.db") as other:
        copy = PasteState(other)
        assert copy.import_(lines.read_bytes()) == (1, 0) and copy.import_(lines.read_bytes()) == (0, 1)
        assert copy.open(shown.answer.id).result.mei == shown.result.mei
        with pytest.raises(KitError):
            copy.import_(b"no book")


def test_everything_is_scored_again(state, book):
    id = state.submit(P14[0]).answer.id
    mei = book.result(id).mei
    book.save_result(id, book.result(id).replace(mei=0.1))
    assert state.rescore_all().scored == 1 and state.open(id).result.mei == mei
    assert state.saved()[0][0].mei == mei


def test_a_store_that_is_none_is_refused():
    with pytest.raises(KitError, match="AnswerBook"):
        PasteState("answers.db")


def test_a_reading_is_mended_and_the_mending_withdrawn(state, book):
    shown = state.submit(P14[0])
    id = shown.answer.id
    lines = state.reading(id)
    wrong = [line.replace("1 (0,0) E -> (0,1)", "1 (0,0) S -> (1,0)") for line in lines]
    mended = state.mend(id, wrong, "Kim", "a try")
    assert mended.result.hallucination_count > 0 and len(mended.result.corrections) == 1
    assert state.saved()[0][0].corrected and book.answer(id).text == P14[0]
    assert state.mend(id, wrong, "Kim", "again").result.corrections == mended.result.corrections
    again = state.unmend(id)
    assert again.result.hallucination_count == shown.result.hallucination_count and again.result.corrections == ()
    assert not state.saved()[0][0].corrected
    with pytest.raises(KitError, match="line 2"):
        state.mend(id, ["", "nonsense"], "Kim", "why")


def test_a_second_reading_is_kept_beside_the_first(state, book):
    id = state.submit(P14[0]).answer.id
    state.code(id, ["1 (0,0) E", "", "2 (0,1) E"], "Lee")
    assert book.answer(id).events[-1].data == {"coder": "Lee", "lines": ["1 (0,0) E", "2 (0,1) E"]}
    with pytest.raises(KitError):
        state.code(id, ["1 (0,0) E"], "")
