from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from records.strategies import configs, plain, results, same, texts

from hallumaze_kit.errors import FileError, StoreError
from hallumaze_kit.records import BenchmarkResult, MazeConfig
from hallumaze_kit.store import AnswerBook


@pytest.fixture
def book(tmp_path):
    with AnswerBook(tmp_path / "a.hallumaze") as book:
        yield book


@pytest.fixture
def other(tmp_path):
    with AnswerBook(tmp_path / "b.hallumaze") as book:
        yield book


def everything(book: AnswerBook) -> list:
    return [(answer, book.result(answer.id)) for answer in book.answers(include_deleted=True)]


def filled(book: AnswerBook) -> list[str]:
    ids = [
        book.add("하나\n둘", maze={"size": 5, "lures": [[0, 1]]}, config=MazeConfig(size=5), provider="pasted"),
        book.add("\ud83d\ude00 \x00", extra={"share_link": "u", "nan": float("nan")}),
        book.add(""),
    ]
    book.mark_deleted(ids[0], "twice", who="a")
    book.note(ids[1], "correction", {"step": 2}, who="b")
    book.save_result(ids[1], BenchmarkResult(provider="x", mei=0.5))
    return ids


def test_everything_goes_over(book, other, tmp_path):
    filled(book)
    assert book.export_jsonl(tmp_path / "all.jsonl") == 3
    assert other.import_jsonl(tmp_path / "all.jsonl") == (3, 0)
    assert same(everything(other), everything(book))
    other.export_jsonl(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "all.jsonl").read_bytes()


def test_importing_twice_adds_nothing(book, other, tmp_path):
    filled(book)
    book.export_jsonl(tmp_path / "all.jsonl")
    other.import_jsonl(tmp_path / "all.jsonl")
    before = everything(other)
    report = other.import_jsonl(tmp_path / "all.jsonl")
    assert report == (0, 3)
    assert report.problems == ()
    assert same(everything(other), before)


def test_what_happened_later_is_added_to_what_is_there(book, other, tmp_path):
    ids = filled(book)
    book.export_jsonl(tmp_path / "early.jsonl")
    other.import_jsonl(tmp_path / "early.jsonl")
    other.note(ids[2], "mine", 1)
    book.restore(ids[0])
    book.save_result(ids[0], BenchmarkResult(provider="late"))
    new = book.add("new")
    book.export_jsonl(tmp_path / "late.jsonl")
    assert other.import_jsonl(tmp_path / "late.jsonl") == (1, 3)
    assert not other.answer(ids[0]).deleted
    assert other.result(ids[0]).provider == "late"
    assert [event.kind for event in other.answer(ids[2]).events] == ["mine"]
    assert other.answer(new).text == "new"


@given(
    answers=st.lists(
        st.tuples(
            texts, st.none() | st.dictionaries(texts, plain, max_size=2), st.none() | configs, st.none() | results
        ),
        max_size=3,
    )
)
@settings(suppress_health_check=list(HealthCheck), max_examples=40)
def test_any_book_goes_over(tmp_path_factory, answers):
    folder = tmp_path_factory.mktemp("books")
    with AnswerBook(folder / "a") as book, AnswerBook(folder / "b") as other:
        for text, maze, config, result in answers:
            id = book.add(text, maze=maze, config=config, provider=text, extra={"maze": maze})
            book.note(id, "note", maze)
            if result is not None:
                book.save_result(id, result)
        assert book.export_jsonl(folder / "all.jsonl") == len(answers)
        assert other.import_jsonl(folder / "all.jsonl") == (len(answers), 0)
        assert other.import_jsonl(folder / "all.jsonl") == (0, len(answers))
        assert same(everything(other), everything(book))


def test_another_answer_under_the_same_id_is_kept_under_a_new_one(book, other, tmp_path):
    ids = filled(book)
    book.export_jsonl(tmp_path / "all.jsonl")
    other.import_jsonl(tmp_path / "all.jsonl")
    changed = tmp_path / "changed.jsonl"
    changed.write_text((tmp_path / "all.jsonl").read_text("utf-8").replace("하나", "셋"), "utf-8")
    for added in (1, 0):
        with pytest.warns(UserWarning, match=f"line 2: {ids[0]} stands here with other content"):
            report = other.import_jsonl(changed)
        assert report == (added, 3 - added)
    (problem,) = report.problems
    new = problem.split()[-1]
    assert len(new) == len(ids[0])
    assert new not in ids
    assert other.answer(ids[0]).text == "하나\n둘"
    assert other.answer(new).text == "셋\n둘"
    assert [event.kind for event in other.answer(new).events] == ["renamed", "deleted"]
    assert other.answer(new).events[0].data == {"from": ids[0]}


def test_broken_lines_are_told_and_the_others_come_in(book, other, tmp_path):
    ids = filled(book)
    path = tmp_path / "all.jsonl"
    book.export_jsonl(path)
    head, one, two, three = path.read_bytes().splitlines()
    lines = [
        head, b"", one[:-20], two, b'{"id": "x"}', b"[1]", b"\xff\xfe", two.replace(ids[1].encode(), b"a b"),
        json.dumps(json.loads(three) | {"id": "c0ffee", "meta": {"mei": 1}}).encode(),
        json.dumps(json.loads(three) | {"id": "c0ffee", "added_at": "yesterday"}).encode(),
        json.dumps(json.loads(three) | {"id": "c0ffee", "events": [{"kind": "deleted"}]}).encode(),
        json.dumps(json.loads(three) | {"id": "c0ffee", "text": 7}).encode(),
        three,
    ]  # fmt: skip
    path.write_bytes(b"\n".join(lines))
    with pytest.warns(UserWarning, match="line 3 cannot be read"):
        report = other.import_jsonl(path)
    assert report == (2, 0)
    assert [int(problem.split()[1]) for problem in report.problems] == [3, 5, 6, 7, 8, 9, 10, 11, 12]
    assert "meta must be fields that are known before scoring" in report.problems[5]
    assert [answer.id for answer in other.answers(include_deleted=True)] == ids[1:]


def test_files_that_hold_no_answers(book, tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text('{"model": "x"}\nnot json\n')
    with pytest.raises(FileError, match=r"holds no answers \(line 1 cannot be read"):
        book.import_jsonl(path)
    with pytest.raises(FileError, match="does not exist"):
        book.import_jsonl(tmp_path / "none.jsonl")
    with pytest.raises(FileError, match="cannot be read"):
        book.import_jsonl(tmp_path)
    path.write_text('{"format": "hallumaze answer book", "schema": 99}\n')
    with pytest.raises(StoreError, match="another version of the kit"):
        book.import_jsonl(path)


def test_an_empty_book_goes_over(book, other, tmp_path):
    assert book.export_jsonl(tmp_path / "all.jsonl") == 0
    assert other.import_jsonl(tmp_path / "all.jsonl") == (0, 0)


def test_more_answers_than_a_batch(book, other, tmp_path):
    for n in range(230):
        book.add(str(n))
    assert book.export_jsonl(tmp_path / "all.jsonl") == 230
    assert other.import_jsonl(tmp_path / "all.jsonl") == (230, 0)
    assert [answer.text for answer in other.answers()] == [str(n) for n in range(230)]
