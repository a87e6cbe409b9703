from __future__ import annotations

import multiprocessing
import os
import pickle
import sqlite3
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from records.strategies import configs, plain, results, same, texts

from hallumaze_kit.errors import InputError, StoreError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import BenchmarkResult, MazeConfig
from hallumaze_kit.store import KNOWN_BEFORE, AnswerBook, StoredAnswer

in_one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@pytest.fixture
def book(tmp_path):
    with AnswerBook(tmp_path / "answers.hallumaze", timeout=5) as book:
        yield book


@given(
    text=st.text(st.characters()) | texts, maze=st.none() | st.dictionaries(texts, plain), config=st.none() | configs
)
@in_one_folder
def test_what_is_added_is_kept_byte_for_byte(book, text, maze, config):
    id = book.add(text, maze=maze, config=config, provider="pasted", extra={"maze": maze})
    answer = book.answer(id)
    assert same((answer.text, answer.maze, answer.config), (text, maze, config))
    assert same(answer.meta, {"provider": "pasted", "extra": {"maze": maze}})


@pytest.mark.parametrize(
    "text", ["", "\x00", "\ud83d\ude00", "😀", "가" * 1_700_000], ids=["empty", "nul", "halves", "emoji", "5 MB"]
)
def test_awkward_texts(book, text):
    assert book.answer(book.add(text)).text == text


def test_all_that_is_known_is_kept(book):
    maze, config = MazeEngine(7, 42), MazeConfig(size=7, language="en")
    known = {
        "provider": "pasted", "model": "모델", "attempt": 2, "discards": 1, "date": "2026-03-22", "effort": "high",
        "parameters_asked": {"temperature": 0}, "messages": ({"role": "user", "content": "…"},), "latency_s": 4.2,
        "extra": {"share_link": "https://example.org/s/1"},
    }  # fmt: skip
    id = book.add("STEP 1", maze=maze.to_dict(), config=config, **known)
    answer = book.answer(id)
    assert isinstance(answer, StoredAnswer)
    assert MazeEngine.from_dict(answer.maze) == maze
    assert answer.config == config
    assert answer.meta == known
    assert (answer.deleted, answer.events) == (False, ())
    assert BenchmarkResult(**answer.meta).model == "모델"


def test_ids_are_unique_and_sort_by_time(book):
    ids = [book.add("x") for _ in range(50)]
    assert sorted(set(ids)) == ids
    assert [answer.id for answer in book.answers()] == ids
    assert len(book) == 50


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"text": b"bytes"}, "text must be a text"),
        ({"text": "x", "maze": "MAZE"}, "maze must be a mapping"),
        ({"text": "x", "config": {}}, "config must be a MazeConfig"),
        ({"text": "x", "share_link": "u"}, "extra={'share_link': …}"),
        ({"text": "x", "mei": 0.5}, "known before scoring"),
        ({"text": "x", "attempt": "second"}, "attempt must be a whole number"),
        ({"text": "x", "extra": {"a": object()}}, "got 'object'"),
        ({"text": "x", "maze": {"a": {1, 2}}}, "got 'set'"),
    ],
)
def test_wrong_arguments_are_named_and_nothing_is_stored(book, arguments, says):
    with pytest.raises(InputError) as caught:
        book.add(**arguments)
    assert says in str(caught.value)
    assert len(book) == 0


def test_scores_are_not_known_before():
    assert not {"mei", "ce", "decisions", "answer_id", "nan_reasons"} & set(KNOWN_BEFORE)
    assert {"provider", "model", "attempt", "participant", "study", "licence", "extra"} <= set(KNOWN_BEFORE)


# ---- never changed, never erased --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE answers SET text = x'00'",
        "UPDATE answers SET maze = '{}'",
        "UPDATE answers SET id = 'other'",
        "UPDATE answers SET meta = '{}', config = NULL",
        "UPDATE OR REPLACE answers SET added_at = ''",
        "DELETE FROM answers",
        "INSERT OR REPLACE INTO answers SELECT * FROM answers",
        "INSERT OR REPLACE INTO answers (id, text, meta, added_at) SELECT id, x'00', '{}', '' FROM answers",
        "INSERT OR REPLACE INTO answers (number, id, text, meta, added_at) SELECT 1, 'new', x'00', '{}', ''",
        "UPDATE events SET kind = 'restored'",
        "DELETE FROM events",
        "INSERT OR REPLACE INTO events SELECT * FROM events",
    ],
)
def test_the_file_itself_refuses_to_change_an_answer(book, statement):
    id = book.add("the answer", maze={"size": 5}, config=MazeConfig())
    book.mark_deleted(id, "a test")
    before = book.answer(id)
    with sqlite3.connect(book.path) as other, pytest.raises(sqlite3.IntegrityError, match="never"):
        other.execute(statement)
    other.close()
    assert book.answer(id) == before


def test_deletions_are_marks(book):
    kept, marked = book.add("kept"), book.add("marked")
    book.mark_deleted(marked, "pasted twice", who="검사자")
    assert [a.id for a in book.answers()] == [kept]
    assert [a.id for a in book.answers(include_deleted=True)] == [kept, marked]
    assert (len(book), book.answer(marked).deleted, book.answer(marked).text) == (1, True, "marked")
    book.restore(marked)
    book.mark_deleted(marked)
    book.restore(marked, "it was another one")
    answer = book.answer(marked)
    assert (len(book), answer.deleted) == (2, False)
    assert [event.kind for event in answer.events] == ["deleted", "restored", "deleted", "restored"]
    assert (answer.events[0].who, answer.events[0].data) == ("검사자", {"reason": "pasted twice"})
    assert [event.at for event in answer.events] == sorted({event.at for event in answer.events})


def test_the_order_of_events_does_not_follow_a_clock_set_back(book, monkeypatch):
    id = book.add("x")
    book.mark_deleted(id)
    monkeypatch.setattr("hallumaze_kit.store.rows.now", lambda: "2001-01-01T00:00:00.000000+00:00")
    book.restore(id)
    assert [event.kind for event in book.answer(id).events] == ["deleted", "restored"]


def test_notes(book):
    id = book.add("x")
    book.note(id, "correction", {"step": 3, "to": "E", "why": "손으로 고침"}, who="me")
    (event,) = book.answer(id).events
    assert (event.kind, event.who, event.data) == ("correction", "me", {"step": 3, "to": "E", "why": "손으로 고침"})
    assert not book.answer(id).deleted
    for kind in ("deleted", "restored", "", None):
        with pytest.raises(InputError, match="kind must be"):
            book.note(id, kind)


def test_an_id_that_is_not_there(book):
    for call in (book.answer, book.result, book.mark_deleted, book.restore, lambda id: book.note(id, "x"),
                 lambda id: book.save_result(id, BenchmarkResult(provider="x"))):  # fmt: skip
        for id in ("none", "\ud800", None):
            with pytest.raises(InputError, match="id must be the id of a stored answer"):
                call(id)


# ---- results ----------------------------------------------------------------------------------------------


@given(results)
@in_one_folder
def test_results_come_back_exactly(book, result):
    id = book.add("x")
    book.save_result(id, result)
    assert same(book.result(id), result.replace(answer_id=id))


def test_results_are_replaced_and_follow_the_answers(book):
    one, two, three = (book.add(text) for text in "abc")
    assert book.result(one) is None
    for id in (three, one, three):
        book.save_result(id, BenchmarkResult(provider="x", run=len(book.results())))
    assert [(r.answer_id, r.run) for r in book.results()] == [(one, 1), (three, 2)]
    book.mark_deleted(one)
    assert [r.answer_id for r in book.results()] == [three]
    assert [r.answer_id for r in book.results(include_deleted=True)] == [one, three]
    with pytest.raises(InputError, match="result must be a BenchmarkResult"):
        book.save_result(two, {"mei": 1})


def test_everything_is_scored_again_in_one_call(book):
    ids = [book.add(text) for text in ("good", "bad", "good", "strange", "deleted")]
    book.mark_deleted(ids[4])
    book.save_result(ids[1], BenchmarkResult(provider="earlier"))

    def score(answer: StoredAnswer) -> BenchmarkResult:
        if answer.text == "bad":
            raise ZeroDivisionError("by zero")
        return None if answer.text == "strange" else BenchmarkResult(provider="new", model=answer.text)

    report = book.rescore(score)
    assert report.scored == 3
    assert [id for id, _ in report.failed] == [ids[1], ids[3]]
    assert report.failed[0][1] == "ZeroDivisionError: by zero"
    assert "result must be a BenchmarkResult" in report.failed[1][1]
    assert book.result(ids[1]).provider == "earlier"
    assert [r.provider for r in book.results(include_deleted=True)] == ["new", "earlier", "new", "new"]


def test_more_answers_than_a_page(book):
    for n in range(230):
        book.add(str(n))
    assert [answer.text for answer in book.answers()] == [str(n) for n in range(230)]
    assert book.rescore(lambda answer: BenchmarkResult(provider=answer.text)).scored == 230
    assert [r.provider for r in book.results()] == [str(n) for n in range(230)]


# ---- several at once --------------------------------------------------------------------------------------


def test_threads_share_a_book(book):
    def write(name: int) -> None:
        for n in range(40):
            id = book.add(f"{name}:{n}")
            book.save_result(id, BenchmarkResult(provider=str(name)))
            assert book.answer(id).text == f"{name}:{n}"

    threads = [threading.Thread(target=write, args=(name,)) for name in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(a.text for a in book.answers()) == sorted(f"{name}:{n}" for name in range(6) for n in range(40))
    assert len(book.results()) == 240


def _write_in_process(book: AnswerBook, name: str, count: int) -> None:
    for n in range(count):
        book.add(f"{name}:{n}")


@pytest.mark.parametrize("start", multiprocessing.get_all_start_methods())
def test_processes_share_a_book(book, start):
    book.add("before")
    context = multiprocessing.get_context(start)
    processes = [context.Process(target=_write_in_process, args=(book, name, 25)) for name in "abc"]
    for process in processes:
        process.start()
    seen = [len(list(book.answers())) for _ in range(20)]
    assert seen == sorted(seen)
    for process in processes:
        process.join()
        assert process.exitcode == 0
    expected = ["before", *(f"{name}:{n}" for name in "abc" for n in range(25))]
    assert sorted(a.text for a in book.answers()) == sorted(expected)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_what_a_forked_child_writes_outlives_the_parents_closing(tmp_path):
    """A connection carried over a fork would let the last closing parent throw the child's write-ahead log away."""
    book = AnswerBook(tmp_path / "b.hallumaze", timeout=5)
    book.add("parent")
    closed_r, closed_w = os.pipe()
    child = os.fork()
    if child == 0:
        book.add("child, while the parent has it open")
        os.read(closed_r, 1)
        book.add("child, after the parent closed it")
        os._exit(0)
    while len(book) < 2:
        pass
    book.close()
    os.write(closed_w, b"x")
    assert os.waitpid(child, 0)[1] == 0
    with AnswerBook(book.path) as again:
        assert len(again) == 3


def test_a_book_can_be_sent_to_another_process(book):
    id = book.add("x")
    with pickle.loads(pickle.dumps(book)) as other:
        assert other.answer(id).text == "x"


def test_a_closed_book_says_so(tmp_path):
    with AnswerBook(tmp_path / "b.hallumaze") as book:
        id = book.add("x")
    book.close()
    with pytest.raises(StoreError, match="is closed: open it again"):
        book.answer(id)
    assert AnswerBook(book.path).answer(id).text == "x"


def test_a_book_stays_where_it_is_when_the_folder_changes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    book = AnswerBook("b.hallumaze")
    book.close()
    monkeypatch.chdir("/")
    assert book.path == tmp_path / "b.hallumaze"
    assert repr(book) == f"AnswerBook({str(tmp_path / 'b.hallumaze')!r})"


# ---- some answers, and several writes at once --------------------------------------------------------------


def test_answers_with_known_fields_are_found(book):
    ids = [book.add("x", participant=code, study="s") for code in ("A", "B", "A")]
    book.add("x", participant="A", study="other")
    book.mark_deleted(ids[2])
    assert [answer.id for answer in book.answers(participant="A", study="s")] == [ids[0]]
    assert [answer.id for answer in book.answers(True, participant="A", study="s")] == [ids[0], ids[2]]
    assert list(book.answers(participant="A' OR 1=1 --")) == []
    with pytest.raises(InputError, match="known before scoring"):
        list(book.answers(**{"participant') = 1 OR ('": "A"}))
    with pytest.raises(InputError, match="attempt"):
        list(book.answers(attempt=1))


def test_what_is_written_together_is_there_or_none_of_it(book):
    with book.together():
        id = book.add("one")
        book.note(id, "seen")
        assert [event.kind for event in book.answer(id).events] == ["seen"]
    assert len(book) == 1

    with pytest.raises(ZeroDivisionError), book.together():
        book.add("two")
        book.note(id, "seen again")
        1 / 0  # noqa: B018
    assert len(book) == 1 and len(book.answer(id).events) == 1


def test_nobody_else_writes_meanwhile(book):
    """Two books on one file each count and then add; no count is seen twice."""
    seen = []

    def count_and_add(number: int) -> None:
        with AnswerBook(book.path) as mine:
            for _ in range(20):
                with mine.together():
                    seen.append(len(mine))
                    mine.add(f"{number}")

    threads = [threading.Thread(target=count_and_add, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == list(range(80))


def test_what_is_no_answer_is_not_scored_anew(book):
    book.add("", outcome="in play", maze={"size": 5})
    book.add("", outcome="enrolled")
    id = book.add("an answer")
    scored = []
    report = book.rescore(lambda answer: scored.append(answer.id) or BenchmarkResult(provider="x"))
    assert report == (1, ()) and scored == [id]
