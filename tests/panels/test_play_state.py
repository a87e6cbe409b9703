"""The play panel without a face: who may go on, what is stored when, what comes after a reload."""

from __future__ import annotations

import json

import pytest
from panels.playing_games import MAZES, STEPS, act, answer_check, onward, plan_of, seated, solve, step

from hallumaze_kit import AnswerBook, MazeConfig, MazeEngine, score_stored, to_frame, write_csv, write_json
from hallumaze_kit.errors import FileError, InputError, StoreError
from hallumaze_kit.panels.pasting.state import PasteState
from hallumaze_kit.panels.playing import state as states
from hallumaze_kit.panels.playing.log import LETTERS
from hallumaze_kit.panels.playing.people import attendance, read_people, without_withdrawn
from hallumaze_kit.panels.playing.plan import PlayPlan
from hallumaze_kit.panels.playing.rehearsal import rehearse
from hallumaze_kit.panels.playing.state import PlayState
from hallumaze_kit.store.rows import ENROLLED, IN_PLAY
from hallumaze_kit.study.design import Design, run_design
from hallumaze_kit.subjects.synthetic import FLOOR, SYNTHETIC
from hallumaze_kit.trial.stepwise import window


@pytest.fixture
def book(tmp_path):
    with AnswerBook(tmp_path / "play.db") as book:
        yield book


def rows(book: AnswerBook) -> list:
    return list(book.answers(include_deleted=True))


def reopened(book: AnswerBook, state: PlayState, plan: PlayPlan | None = None) -> PlayState:
    """Another window (or kernel) that knows the code, as after a reload."""
    other = PlayState(AnswerBook(book.path), plan or state.plan, "ko")
    other.hear({"act": "hello", "value": state.seat.code})
    return other


# ---- before the first maze -------------------------------------------------------------------------


def test_all_three_must_be_right_and_every_attempt_is_recorded(book):
    state = PlayState(book, plan_of(), "en")
    act(state, "go on")
    assert state.page == "check" and len(state.questions) == 3
    act(state, "answer", fields={"where": "0"})
    assert state.notice.key == "unanswered" and state.checks == []
    act(state, "answer", fields={"where": "0", "regret": "2", "wall_open": "1"})
    assert state.page == "check" and state.notice.text(state.words).startswith("1 of the three")
    act(state, "rules")
    act(state, "go on")
    answer_check(state)
    assert state.page == "consent" and rows(book) == []
    act(state, "agree")
    (row,) = rows(book)
    assert [check["right"] for check in row.meta["extra"]["play"]["checks"]] == [1, 3]
    assert row.meta["extra"]["play"]["checks"][0]["choices"] == ["0", "2", "1"]


def test_who_does_not_agree_leaves_nothing(book):
    state = PlayState(book, plan_of(), "ko")
    act(state, "go on")
    answer_check(state)
    act(state, "disagree")
    assert state.page == "declined" and rows(book) == []
    act(state, "agree")
    assert rows(book) == [] and state.seat is None


def test_nobody_comes_past_a_page(book):
    state = PlayState(book, plan_of(), "en")
    for name in (
        "agree",
        "first",
        "start",
        "answer",
        "choice",
        "sure",
        "yes give up",
        "withdraw",
        "yes withdraw",
        "stay",
    ):
        act(state, name, "E")
        assert state.page == "rules" and state.notice.key == "not_now", name
    assert rows(book) == []


def test_consent_gives_a_code_and_a_number(book):
    first, second = seated(book), seated(book)
    assert first.seat.code != second.seat.code and set(first.seat.code) <= set(LETTERS) and len(first.seat.code) == 6
    assert (first.seat.number, second.seat.number) == (0, 1)
    row = rows(book)[0]
    assert row.meta["consent_version"] == "example-1" and row.meta["device"] == "mouse, window 390x844"
    assert row.meta["outcome"] == ENROLLED and row.deleted and len(book) == 0
    other = seated(book, plan_of(study="another"))
    assert other.seat.number == 0, "numbers are of a study"


def test_the_order_is_the_numbers_row_of_the_square_and_is_recorded(book):
    orders = []
    for _ in range(4):
        state = seated(book)
        while state.page != "done":
            solve(state)
        orders.append([MAZES.index(trial.maze) for trial in state.trials])
    assert orders == [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]
    frame = to_frame(book.results())
    for (_, of_one), order in zip(frame.groupby("participant", sort=False), orders, strict=True):
        assert of_one["trial_index"].tolist() == [0, 1, 2, 3]
        assert of_one["maze_id"].tolist() == [MAZES[i].maze_id for i in order]


# ---- games -----------------------------------------------------------------------------------------


def test_a_game_is_a_record_like_a_models(book):
    state = seated(book, plan_of(practice=[MazeEngine(2, 0)]))
    solve(state)
    solve(state)
    practice, result = book.results()
    assert practice.practice and not result.practice and practice.trial_index == 0
    assert (result.provider, result.subject_kind, result.participant) == ("human", "human", state.seat.code)
    assert result.model == "s" and result.study == "s" and result.outcome == "answered"
    assert result.consent_version == "example-1" and result.device == "mouse, window 390x844"
    assert result.sr == 1 and result.memory == "last 0 turns" and result.stop_reason == "exit"
    assert result.config.language == "en" and result.config.size == 3
    asked = [e for e in result.key_events if e["kind"] == "answered" and "confidence_ms" in e]
    assert len(asked) == len(result.decisions) > 0 and all(d["confidence"] == 0.8 for d in result.decisions)
    turns = sum(m["role"] == "assistant" for m in result.messages)
    assert result.latency_s == turns * 1.0 + len(asked) * 0.5
    assert result.extra["play"]["check_attempts"] == 1 and result.extra["play"]["plan"] == state.plan.digest
    assert result.extra["play"]["number"] == 0 and result.extra["play"]["confidence_at"] == "junctions"
    stored = book.answer(result.answer_id)
    assert score_stored(stored) == result, "scored anew, the same"
    model = to_frame(rehearse(book, plan_of(study="r"), SYNTHETIC["careful"]))
    assert list(to_frame([result]).columns) == list(model.columns)


def test_each_key_is_on_the_disk_before_it_has_happened(book):
    state = seated(book)
    act(state, "start")
    log = state.entry.id
    act(state, "choice", onward(state), ms=10.0)
    act(state, "slip", "N" if "N" not in state.entry.game.choices else "W", ms=11.0)
    with AnswerBook(book.path) as other:
        kinds = [event.kind for event in other.answer(log).events]
        assert other.answer(log).meta["outcome"] == IN_PLAY and other.answer(log).deleted
    assert kinds[:2] == ["deleted", "choice"] and len(book) == 0


def test_what_cannot_be_stored_has_not_happened(book, monkeypatch):
    state = seated(book)
    act(state, "start")

    def full(*_, **__):
        raise StoreError("the disk is full")

    monkeypatch.setattr(book, "note", full)
    act(state, "choice", onward(state))
    assert state.notice.kind == "error" and "disk is full" in state.notice.text(state.words)
    assert state.entry.game.turn == 1 and state.entry.game.choice == ""
    monkeypatch.undo()
    step(state, onward(state))
    assert state.entry.game.turn == 2


def test_a_game_that_could_not_be_stored_as_an_answer_is_stored_with_the_next_key(book, monkeypatch):
    state = seated(book, plan_of([MAZES[0]]))
    act(state, "start")

    def full(*_, **__):
        raise StoreError("the disk is full")

    monkeypatch.setattr(book, "add", full)
    while state.entry and not state.entry.game.stopped:
        act(state, "choice", onward(state))
        act(state, "sure", fields={"confidence": "5"}, touched=True)
    assert state.page == "play" and state.notice.kind == "error" and len(book) == 0
    monkeypatch.undo()
    act(state, "choice", "E")
    assert state.page == "done" and len(book.results()) == 1


def test_a_message_of_an_older_page_does_nothing(book):
    """A double click, a second view of the same panel."""
    state = seated(book)
    act(state, "start")
    old = state.seq
    step(state, onward(state))
    before = len(state.entry.game.messages)
    for seq in (old, None, 10**9, "x"):
        assert not state.hear({"act": "choice", "value": onward(state), "seq": seq})
    assert len(state.entry.game.messages) == before


@pytest.mark.parametrize(
    "message",
    [
        {}, {"act": None}, {"act": []}, {"act": "choice"}, {"act": "choice", "value": {"a": 1}}, {"act": "slip"},
        {"act": "declared", "value": None}, {"act": "sure", "fields": "x"},
        {"act": "sure", "fields": {"confidence": "²"}},
        {"act": "away", "value": ["x"] * 1000, "ms": "soon"}, {"act": "back", "ms": float("nan"), "away_ms": True},
        {"act": "hello", "value": 3, "device": None}, {"act": "language", "value": "fr"},
        {"act": "resume", "fields": []},
    ],
    ids=str,
)  # fmt: skip
def test_whatever_a_message_holds_nothing_breaks(book, message):
    state = seated(book)
    act(state, "start")
    state.hear({"seq": state.seq, **message})
    assert state.page == "play" and state.entry.game.turn == 1
    again = reopened(book, state)
    assert again.page == "play" and again.entry.game.messages == state.entry.game.messages


def test_giving_up_is_asked_about_and_ends_the_maze(book):
    state = seated(book)
    act(state, "start")
    act(state, "give up")
    assert state.page == "give up" and state.turn, "the time of the answer goes on"
    act(state, "stay")
    assert state.page == "play"
    act(state, "give up")
    act(state, "yes give up")
    assert state.page == "ready" and state.ended == "gave up"
    assert book.results()[0].failure_mode == "gave up"


def test_the_probe_is_judged_with_a_confidence(book):
    state = seated(book, PlayPlan("p", [(MAZES[:2], MazeConfig(protocol="probe"))]))
    assert state.questions == ("where", "valid", "sure")
    for said in ("valid", "invalid"):
        act(state, "start")
        step(state, said, 40)
    assert state.page == "done"
    one, two = book.results()
    assert (one.probe_said_valid, two.probe_said_valid) == (True, False) and one.probe_confidence == 0.4
    assert one.extra["play"]["confidence_at"] == "the answer" and one.latency_s == 1.5


def test_blocks_follow_each_other_and_memory_is_recorded(book):
    plan = PlayPlan("b", [(MAZES[:2], STEPS), (MAZES[2:], MazeConfig(protocol="probe"))], memory="trail")
    state = seated(book, plan)
    assert [trial.config.protocol for trial in state.trials] == ["stepwise"] * 2 + ["probe"] * 2
    solve(state)
    assert book.results()[0].memory == "all turns" and state.history is None


def test_the_memory_given_to_people_is_a_models_history_in_the_same_words(book):
    """What a model with this history is sent is what the page shows: all that was told, or the last message alone."""
    for memory, history in (("cell", 0), ("trail", None)):
        state = seated(book, plan_of(study=memory, memory=memory))
        assert state.history == history
        act(state, "start")
        step(state, onward(state))
        game = state.entry.game
        seen = window(game.messages, state.history)
        assert seen[-1] == game.messages[-1] and len(seen) == (3 if memory == "cell" else 4)
        while state.page == "play":
            step(state, onward(state))
        design = Design([SYNTHETIC["careful"]], MAZES[:1], [STEPS], history=history)
        (model,) = run_design(design, progress=False)
        assert book.results()[-1].memory == model.memory


# ---- hints -----------------------------------------------------------------------------------------


def test_groups_take_turns_and_orders_are_balanced_within_them():
    plan = plan_of(groups=("A", "B", "C"))
    seen = {(plan.group(k), tuple(plan.row(k, 4))) for k in range(12)}
    assert len(seen) == 12
    assert [plan.group(k) for k in range(4)] == ["A", "B", "C", "A"]


@pytest.mark.parametrize(
    ("group", "wander", "hinted"), [("A", True, 0), ("B", True, 1), ("B", False, 0), ("C", False, 1)]
)
def test_a_hint_comes_as_the_group_says_and_the_second_walk_counts(book, group, wander, hinted):
    plan = plan_of([MAZES[0]], groups=(group,))
    state = seated(book, plan)
    act(state, "start")
    if wander:  # there and back without a word: a loop that is not declared
        way = state.entry.game.choices[0]
        step(state, way)
        step(state, {"N": "S", "S": "N", "E": "W", "W": "E"}[way])
    while state.page == "play":
        step(state, onward(state))
    assert (state.page == "hint") == bool(hinted)
    if hinted:
        state = reopened(book, state)
        assert state.page == "hint", "a reload between the two walks"
        (first,) = book.results()
        assert any("first answer of a hinted trial" in warning for warning in first.warnings)
        act(state, "start")
        state = reopened(book, state)
        assert state.page == "play" and state.entry.first == first.answer_id
        while state.page == "play":
            step(state, onward(state))
    assert state.page == "done"
    (result,) = book.results()
    assert result.ariadne_group == group and not result.warnings
    said = [event for event in result.key_events if event["kind"] == "ariadne"]
    assert len(said) == hinted and (result.nrs == result.nrs) == bool(hinted)
    assert len([row for row in rows(book) if row.meta["outcome"] == "answered"]) == 1 + hinted


# ---- going on --------------------------------------------------------------------------------------


def test_a_reload_goes_on_exactly_where_it_was(book):
    state = seated(book)
    for stop in range(6):
        if state.page == "ready":
            act(state, "start")
        if stop == 1:
            act(state, "declared", "dead end")
        act(state, "choice", onward(state), ms=700.0)
        other = reopened(book, state)
        assert (other.page, other.language) == (state.page, "en") and other.seat.number == state.seat.number
        if state.entry:
            mine, theirs = state.entry.game, other.entry.game
            assert (theirs.messages, theirs.choice, theirs.declared, theirs.here) == (
                mine.messages, mine.choice, mine.declared, mine.here,
            )  # fmt: skip
            assert theirs.slider_start == mine.slider_start
            assert theirs.noted[: len(mine.noted)] == mine.noted and theirs.noted[-1]["kind"] == "opened again"
        state = other
        if state.entry and state.entry.game.choice:
            act(state, "sure", fields={"confidence": "60"}, touched=True)
    while state.page != "done":
        solve(state) if state.page == "ready" else step(state, onward(state))
    assert [result.trial_index for result in book.results()] == [0, 1, 2, 3]
    assert all(result.sr == 1 for result in book.results())
    assert reopened(book, state).page == "done"


def test_between_games_and_right_after_consent_too(book):
    state = PlayState(book, plan_of(), "ko")
    act(state, "go on")
    answer_check(state)
    act(state, "agree")
    again = reopened(book, state)
    assert again.page == "ready" and again.trial.index == 0
    solve(again)
    assert reopened(book, again).trial.index == 1


def test_a_crash_between_the_last_move_and_the_answer_loses_nothing(book, monkeypatch):
    state = seated(book, plan_of([MAZES[0]]))
    act(state, "start")
    monkeypatch.setattr(states.PlayState, "_finish", lambda self: None)
    while not state.entry.game.stopped:
        step(state, onward(state))
    monkeypatch.undo()
    assert book.results() == []
    again = reopened(book, state)
    assert again.page == "done" and book.results()[0].sr == 1


def test_a_crash_between_the_answer_and_its_score_loses_nothing(book, monkeypatch):
    state = seated(book, plan_of([MAZES[0]]))

    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(book, "save_result", killed)
    with pytest.raises(KeyboardInterrupt):
        solve(state)
    assert len(book) == 1 and AnswerBook(book.path).results() == []
    assert reopened(book, state).page == "done" and len(book.results()) == 1


def test_a_plan_that_was_changed_since_is_not_gone_on_with(book):
    """Orders and numbers of trials would no longer be those that the person began with."""
    state = seated(book)
    solve(state)
    for changed in (plan_of(MAZES[:3]), plan_of(memory="trail"), plan_of(groups=("B",)), plan_of(MAZES[::-1])):
        other = PlayState(book, changed, "en")
        act(other, "resume", fields={"code": state.seat.code})
        assert other.notice.key == "changed" and other.seat is None
        assert reopened(book, state, changed).notice.key == "changed", "a window that knows the code says so too"
    later = plan_of(consent={"ko": "동의", "en": "Consent"}, consent_version="2", licence="CC BY 4.0")
    again = reopened(book, state, later)
    solve(again)
    assert [r.consent_version for r in book.results()] == ["example-1"] * 2, "what was agreed to"
    assert book.results()[1].licence == "CC BY 4.0" and seated(book, later).seat.consent == "2"


def test_the_code_goes_on_from_another_window_and_an_unknown_one_is_said(book):
    state = seated(book)
    act(state, "start")
    step(state, onward(state))
    other = PlayState(book, state.plan, "ko")
    act(other, "resume", fields={"code": "ZZZZZZ"})
    assert other.page == "rules" and other.notice.key == "no_code"
    act(other, "resume", fields={"code": f" {state.seat.code.lower()} "})
    assert other.page == "play" and other.entry.game.messages == state.entry.game.messages
    elsewhere = PlayState(book, plan_of(study="another"), "ko")
    act(elsewhere, "resume", fields={"code": state.seat.code})
    assert elsewhere.notice.key == "no_code", "a code belongs to one study"


def test_of_two_windows_only_the_last_one_plays(book):
    first = seated(book)
    act(first, "start")
    second = reopened(book, first)
    before = len(first.entry.game.messages)
    act(first, "choice", onward(first))
    assert first.page == "elsewhere" and len(first.entry.game.messages) == before
    assert not first.hear({"act": "away", "value": "blur"})
    step(second, onward(second))
    act(first, "resume")
    assert first.page == "play" and first.entry.game.messages == second.entry.game.messages
    act(second, "choice", onward(second))
    assert second.page == "elsewhere"


# ---- withdrawal ------------------------------------------------------------------------------------


def test_who_withdraws_is_in_no_table_any_more(book, tmp_path):
    stays, goes = seated(book), seated(book)
    for state in (stays, goes):
        solve(state)
    act(goes, "start")
    act(goes, "withdraw")
    assert goes.page == "withdraw"
    act(goes, "stay")
    assert goes.page == "play"
    act(goes, "withdraw")
    act(goes, "yes withdraw")
    assert goes.page == "withdrawn"
    assert {result.participant for result in book.results()} == {stays.seat.code}
    kept = [r for r in book.results(include_deleted=True) if r.participant == goes.seat.code]
    assert kept and all(result.withdrawn for result in kept)
    book.rescore(score_stored)
    assert {r.participant for r in book.results(include_deleted=True) if r.withdrawn} == {goes.seat.code}
    again = PlayState(book, goes.plan, "en")
    act(again, "resume", fields={"code": goes.seat.code})
    assert again.notice.key == "gone_code" and again.page == "rules"
    assert reopened(book, goes).page == "rules"

    target = tmp_path / "erased.db"
    assert without_withdrawn(book, target) == 3  # consent, log and answer of the one who stays
    assert goes.seat.code.encode() not in target.read_bytes()
    with AnswerBook(target) as erased:
        assert erased.results() == book.results()
    with pytest.raises(InputError, match="exist"):
        without_withdrawn(book, target)


def test_another_window_cannot_go_on_after_a_withdrawal(book):
    state = seated(book)
    act(state, "start")
    other = reopened(book, state)
    act(other, "withdraw")
    act(other, "yes withdraw")
    act(state, "choice", onward(state))
    act(state, "resume")
    assert state.notice.key == "gone_code" and book.results() == []


def test_an_empty_book_loses_nothing(book, tmp_path):
    assert without_withdrawn(book, tmp_path / "new.db") == 0


# ---- files -----------------------------------------------------------------------------------------


def test_real_people_are_read_from_their_files(book, tmp_path):
    person, gone = seated(book, plan_of(practice=[MAZES[3]])), seated(book)
    for state in (person, person, gone):
        solve(state)
    act(gone, "withdraw")
    act(gone, "yes withdraw")
    rehearse(book, plan_of([MAZES[0]], study="r"), SYNTHETIC["careful"])
    book.add("STEP 1: (0,0) → E", maze=MAZES[0].to_dict(), config=MazeConfig(size=3), subject_kind="llm")
    book.rescore(score_stored)
    (result,) = read_people([book.path])
    assert (result.participant, result.trial_index) == (person.seat.code, 1)
    assert [r.practice for r in read_people([book.path], practice=True)] == [True, False]
    write_json(book.results(), tmp_path / "out.json")
    write_csv(book.results(include_deleted=True), tmp_path / "out.csv")
    for name in ("out.json", "out.csv"):
        assert [r.participant for r in read_people([tmp_path / name])] == [person.seat.code], name
    with pytest.raises(FileError, match="not there"):
        read_people([tmp_path / "none.db"])
    assert not (tmp_path / "none.db").exists() and read_people([]) == []


def test_who_came_how_far_is_listed(book):
    assert attendance(book).empty
    person, gone = seated(book, plan_of(practice=[MAZES[3]])), seated(book, plan_of(groups=("C",)))
    for state in (person, person, gone, gone):  # of the second, both walks of one maze
        solve(state)
    act(gone, "withdraw")
    act(gone, "yes withdraw")
    listed = attendance(book)
    assert listed["participant"].tolist() == [person.seat.code, gone.seat.code]
    assert listed["games"].tolist() == [1, 1] and listed["withdrawn"].tolist() == [False, True]
    assert listed["group"].tolist() == ["A", "C"] and listed["check_attempts"].tolist() == [1, 1]


# ---- a book with other answers ---------------------------------------------------------------------


def test_scoring_anew_passes_over_what_is_no_answer(book):
    state = seated(book)
    solve(state)
    act(state, "start")
    book.add("STEP 1: (0,0) → E", maze=MAZES[0].to_dict(), config=MazeConfig(size=3), model="m")
    report = book.rescore(score_stored)
    assert report == (2, ())
    assert {result.provider for result in book.results(include_deleted=True)} == {"human", "pasted"}


def test_the_paste_panel_does_not_wait_for_what_is_played(book):
    state = seated(book, plan_of([MAZES[0]], groups=("C",)))
    solve(state)
    assert state.page == "hint" and len(book) == 1
    assert PasteState(book).hints.awaited() == []


def test_everything_goes_out_and_in_again(book, tmp_path):
    state = seated(book)
    solve(state)
    act(state, "start")
    step(state, onward(state))
    book.export_jsonl(tmp_path / "all.jsonl")
    with AnswerBook(tmp_path / "new.db") as new:
        new.import_jsonl(tmp_path / "all.jsonl")
        assert new.results() == book.results()
        there = PlayState(new, state.plan, "ko")
        there.hear({"act": "hello", "value": state.seat.code})
        assert there.entry.game.messages == state.entry.game.messages
    json.dumps([row.meta for row in rows(book)])


# ---- synthetic subjects ----------------------------------------------------------------------------


@pytest.mark.parametrize("view", ["open", "bump"])
@pytest.mark.parametrize("memory", ["cell", "trail"])
def test_a_synthetic_subject_goes_through_a_whole_study_and_is_called_one(book, view, memory):
    config = MazeConfig(protocol="stepwise", view=view, step_budget=12)
    plan = PlayPlan("r", [(MAZES[:2], config), (MAZES[2:], MazeConfig(protocol="probe"))], groups=("C",), memory=memory)
    results = rehearse(book, plan, SYNTHETIC["hasty"], seed=3, language="en")
    assert len(results) == 4
    assert {(r.provider, r.subject_kind, r.model) for r in results} == {("synthetic", "synthetic", "hasty")}
    assert all(r.latency_s is None for r in results), "times are not invented"
    with AnswerBook(book.path.with_name("again.db")) as other:
        again = rehearse(other, plan, SYNTHETIC["hasty"], seed=3, language="en")
    assert [r.messages for r in again] == [r.messages for r in results]


def test_a_floor_subject_is_called_one(book):
    (result,) = rehearse(book, plan_of([MAZES[0]]), FLOOR["random_walk"])
    assert (result.provider, result.subject_kind, result.model) == ("synthetic", "floor", "random_walk")


# ---- wrong plans -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [
        {"study": " "}, {"mazes": []}, {"mazes": [MAZES[0], MAZES[0]]}, {"config": MazeConfig()}, {"memory": "all"},
        {"groups": ()}, {"groups": ("D",)}, {"trigger": "boredom"}, {"consent": {"ko": "동의"}},
        {"consent": {"ko": "동의", "en": "Consent"}}, {"config": MazeConfig(protocol="stepwise", template=2)},
    ],
    ids=str,
)  # fmt: skip
def test_a_plan_that_cannot_be_played_is_refused(wrong):
    with pytest.raises(InputError):
        plan_of(**wrong)


def test_a_consent_of_ones_own_carries_its_version(book):
    plan = plan_of(consent={"ko": "동의", "en": "Consent"}, consent_version="irb-2026-07")
    state = seated(book, plan)
    solve(state)
    assert book.results()[0].consent_version == "irb-2026-07"


def test_wrong_arguments_are_said(book):
    with pytest.raises(InputError, match="AnswerBook"):
        PlayState("play.db", plan_of())
    with pytest.raises(InputError, match="PlayPlan"):
        PlayState(book, None)
    with pytest.raises(InputError, match="lang"):
        PlayState(book, plan_of(), "fr")
    with pytest.raises(InputError, match="synthetic subject"):
        rehearse(book, plan_of(), "careful")
