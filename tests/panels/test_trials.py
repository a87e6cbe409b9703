"""Trials of more than one prompt and one walk by paste: hints in two steps, planted errors, paths to judge."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import pytest

from hallumaze_kit import AnswerBook, MazeConfig, MazeEngine, build_prompt, score_stored
from hallumaze_kit.errors import InputError
from hallumaze_kit.panels.paste import PastePanel
from hallumaze_kit.panels.pasting import view
from hallumaze_kit.panels.pasting.looks import Notice
from hallumaze_kit.panels.pasting.plan import PastePlan
from hallumaze_kit.panels.pasting.state import PasteState, Provenance
from hallumaze_kit.panels.pasting.words import WORDS
from hallumaze_kit.panels.trials.hints import standing
from hallumaze_kit.panels.trials.words import PROTOCOL_MEANINGS, PROTOCOL_NAMES, TRIALS
from hallumaze_kit.records.result import PROTOCOL_METRICS
from hallumaze_kit.study import Design, run_design
from hallumaze_kit.subjects import FLOOR, SYNTHETIC
from hallumaze_kit.trial.hints import FIRST_ONLY, MESSAGES
from hallumaze_kit.trial.prompt import prompt_of

MAZE = MazeEngine(7, 3, "wilson")
CONFIG = MazeConfig(language="en", ariadne_mode="C")
HASTY = SYNTHETIC["hasty"]
FIRST, SECOND = (HASTY.answer(build_prompt(MAZE, CONFIG), seed) for seed in (1, 2))


@pytest.fixture
def book(tmp_path):
    with AnswerBook(tmp_path / "answers.db") as book:
        yield book


@pytest.fixture
def state(book):
    made = PasteState(book)
    made.choose(MAZE, CONFIG)
    made.provenance = Provenance("OpenAI", "GPT-X")
    return made


# ---- hints ----------------------------------------------------------------------------------------


def test_the_first_answer_is_stored_at_once_and_the_second_is_the_one_that_counts(state, book):
    first = state.submit(FIRST)
    assert len(book) == 1 and FIRST_ONLY in first.result.warnings and math.isnan(first.result.nrs)
    (waiting,) = state.hints.awaited()
    assert waiting.id == first.answer.id and standing(waiting) == "awaited"
    second = state.hints.second(waiting.id, SECOND)
    assert not math.isnan(second.result.nrs) and FIRST_ONLY not in second.result.warnings
    said = [message["content"] for message in second.result.messages]
    prompt = build_prompt(MAZE, CONFIG)
    assert said == [prompt.system, prompt.user, FIRST, MESSAGES["en"]["hint"], SECOND]
    assert len(book) == 1 and [r.answer_id for r in state.results()] == [second.answer.id]
    assert {a.text for a in book.answers(include_deleted=True)} == {FIRST, SECOND} and not state.hints.awaited()
    assert standing(book.answer(first.answer.id)) == "first" and standing(book.answer(second.answer.id)) == "second"


def test_a_hinted_trial_by_paste_has_the_numbers_of_a_run(state):
    (run,) = run_design(Design([HASTY], [MAZE], [CONFIG]), progress=False)
    first, second = (m["content"] for m in run.messages if m["role"] == "assistant")
    pasted = state.hints.second(state.submit(first).answer.id, second).result
    for name in ("sr", "mei", "ce", "nrs", "hallucination_count", "messages", "decisions"):
        assert getattr(pasted, name) == getattr(run, name), name
    assert [e["said"] for e in pasted.key_events] == [e["said"] for e in run.key_events] == ["hint"]


def test_a_restart_between_the_answers_loses_nothing(state, book):
    id = state.submit(FIRST).answer.id
    state.hints.typed(id, "STEP 1: half of the sec")
    later = PasteState(book)
    assert [a.id for a in later.hints.awaited()] == [id]
    assert later.hints.draft(id) == "STEP 1: half of the sec"
    later.hints.second(id, SECOND)
    assert not PasteState(book).hints.awaited()
    assert [draft.text for draft in later.drafts.listed()] == ["STEP 1: half of the sec"], "the other page's words stay"


def test_a_crash_right_after_the_second_was_stored_is_mended(state, book, monkeypatch):
    id = state.submit(FIRST).answer.id
    monkeypatch.setattr(AnswerBook, "mark_deleted", lambda *_: (_ for _ in ()).throw(OSError("power cut")))
    with pytest.raises(OSError):
        state.hints.second(id, SECOND)
    monkeypatch.undo()
    assert len(book) == 2
    PasteState(book)
    assert len(book) == 1 and standing(book.answer(id)) == "first"


def test_where_no_second_answer_comes_the_first_is_the_trial(state, book):
    id = state.submit(FIRST).answer.id
    state.hints.close(id)
    assert not state.hints.awaited() and standing(book.answer(id)) == "alone" and len(state.results()) == 1
    assert FIRST_ONLY in score_stored(book.answer(id)).warnings


def test_deleting_the_second_brings_the_first_back_and_taking_it_back_sets_it_aside(state, book):
    first = state.submit(FIRST).answer.id
    second = state.hints.second(first, SECOND).answer.id
    state.delete(second, "wrong chat")
    assert [a.id for a in book.answers()] == [first] and [a.id for a in state.hints.awaited()] == [first]
    state.restore(second)
    assert [a.id for a in book.answers()] == [second]
    with pytest.raises(InputError):
        state.restore(first)


def test_what_is_no_second_answer_is_asked_about(state, book):
    id = state.submit(FIRST).answer.id
    for text, kind in (("", "empty"), (FIRST, "duplicate"), ("well", "no_moves"), (MESSAGES["en"]["hint"], "prompt")):
        got = state.hints.second(id, text)
        assert isinstance(got, Notice) and got.kind == kind and len(book) == 1
    assert not isinstance(state.hints.second(id, "well", anyway=True), Notice)


def test_group_b_is_asked_for_a_second_answer_only_where_a_loop_shows(state):
    straight = FLOOR["oracle"].answer(build_prompt(MAZE, CONFIG), 5)
    state.choose(MAZE, replace(CONFIG, ariadne_mode="B"))
    quiet = state.submit(straight)
    assert standing(quiet.answer) == "quiet" and not state.hints.awaited() and not quiet.result.key_events
    looping = state.submit(FIRST)
    assert standing(looping.answer) == "awaited" and len(state.hints.awaited()) == 1


def test_arms_are_drawn_in_balance_and_the_same_way_each_time(book):
    drawn = []
    for seed in range(9):
        state = PasteState(book)
        state.hints.randomise = True
        maze = MazeEngine(5, seed)
        state.choose(maze, CONFIG)
        shown = state.submit(f"{HASTY.answer(build_prompt(maze, replace(CONFIG, size=5)), seed)}\n{seed}", anyway=True)
        drawn.append(shown.answer.meta["arm"])
        expected = {"hint": "awaited", "sham": "awaited", "none": "silent"}[drawn[-1]]
        assert standing(shown.answer) == expected
    assert Counter(drawn) == {"hint": 3, "sham": 3, "none": 3}
    assert all(Counter(drawn[n : n + 3]) == {"hint": 1, "sham": 1, "none": 1} for n in (0, 3, 6))


def test_a_plan_counts_a_hinted_trial_once(book):
    state = PasteState(book, PastePlan([MAZE], [CONFIG]))
    id = state.submit(FIRST).answer.id
    assert state.progress()[:2] == (1, 1)
    state.hints.second(id, SECOND)
    assert state.progress()[:2] == (1, 1)


# ---- judging a path, planted errors ---------------------------------------------------------------

PROBE = MazeConfig(language="en", protocol="probe", injection="other")


@pytest.mark.parametrize(
    ("text", "right", "shown"),
    [
        ("VALID: no\nCONFIDENCE: 80%", 1, "right"),
        ("VALID: yes\nCONFIDENCE: 80%", 0, "wrong"),
    ],
)
def test_a_judgement_is_stored_and_shown_on_the_path(book, text, right, shown):
    panel = PastePanel(book, "en")
    panel.state.choose(MAZE, PROBE)
    panel.show_stimulus()
    panel.answer.value = text
    panel.score.click()
    (result,) = panel.state.results()
    page = panel.result.page.value
    assert result.probe_right == right and f'<b class="hm-mei">{shown}</b>' in page
    assert "The path crosses the wall between (" in page and "Confidence: 80 %" in page and "data:image/png" in page
    assert "MEI" not in page and "Solved (SR)" not in page
    assert panel.result.buttons.layout.display == "none", "there are no steps to mend"
    assert shown in panel.saved.list.options[0][0]


def test_what_is_no_judgement_is_asked_about(book):
    state = PasteState(book)
    state.choose(MAZE, PROBE)
    for text, kind in (("I am not sure.", "no_verdict"), (state.prompt.user, "prompt"), ("", "empty")):
        assert state.submit(text).kind == kind and len(book) == 0
    assert state.submit("VALID: no") and len(book) == 1
    state.choose(MazeEngine(7, 4), PROBE)
    assert not isinstance(state.submit("VALID: no"), Notice), "the same words to another question are another answer"


def test_a_planted_error_is_measured_and_explained(book):
    panel = PastePanel(book, "en")
    config = MazeConfig(language="en", injection="own")
    panel.state.choose(MAZE, config)
    panel.show_stimulus()
    prompt = build_prompt(MAZE, config)
    panel.answer.value = SYNTHETIC["careful"].answer(prompt_of(prompt.system, prompt.user), 1)
    panel.score.click()
    assert "Injected error noticed" in panel.result.page.value and "within three moves" in panel.result.page.value


def test_stepwise_is_not_for_pasting(book):
    with pytest.raises(InputError, match="'single' or 'probe' for pasting"):
        PasteState(book).choose(MAZE, MazeConfig(protocol="stepwise"))
    with pytest.raises(InputError):
        PastePlan([MAZE], [MazeConfig(protocol="stepwise")])


# ---- the face -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_second_step_stands_below_the_first(book, language):
    panel = PastePanel(book, language)
    assert panel.hint.box.layout.display == "none"
    panel.maze.size.value, panel.maze.seed.value, panel.maze.algorithm.value = "7", "3", "wilson"
    panel.maze.language.value, panel.maze.group.value = "en", "C"
    panel.maze.draw()
    panel.answer.value = FIRST
    panel.score.click()
    assert panel.hint.box.layout.display == "" and panel.hint.copy.text == MESSAGES["en"]["hint"]
    assert view.text(WORDS[language]["awaiting"]) in panel.result.page.value
    panel.hint.answer.value = "well"
    panel.hint._save(False)
    assert panel.hint.anyway.layout.display == "" and WORDS[language]["kept"] in panel.notice.value
    panel.language.value = "en" if language == "ko" else "ko"
    assert panel.hint.answer.value == "well", "what is typed stays through a change of language"
    panel.hint.answer.value = SECOND
    panel.hint._save(False)
    other = WORDS[panel.lang]
    assert panel.hint.box.layout.display == "none" and other["second_stored"] in panel.notice.value
    assert PROTOCOL_NAMES[panel.lang]["nrs"] in panel.result.page.value and len(book) == 1


def test_no_second_answer_is_one_click(book):
    panel = PastePanel(book, "en")
    panel.state.choose(MAZE, CONFIG)
    panel.show_stimulus()
    panel.answer.value = FIRST
    panel.score.click()
    panel.hint._close()
    assert panel.hint.box.layout.display == "none" and "no second answer" in panel.notice.value
    assert "no second answer" in panel.saved.list.options[0][0]


def test_everything_is_said_in_both_languages():
    def keys(words):
        return {k: keys(v) if isinstance(v, dict) else None for k, v in words.items()}

    assert keys(TRIALS["ko"]) == keys(TRIALS["en"])
    for language in ("ko", "en"):
        assert set(PROTOCOL_NAMES[language]) == set(PROTOCOL_MEANINGS[language]) == set(PROTOCOL_METRICS)
