"""Any sequence of calls on a book, against a plain dict of what it must hold."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule
from records.strategies import plain, texts

from hallumaze_kit.records import BenchmarkResult
from hallumaze_kit.store import AnswerBook


class Book(RuleBasedStateMachine):
    ids = Bundle("ids")

    @initialize()
    def open(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.book = AnswerBook(self.folder / "a.hallumaze")
        self.held: dict[str, dict] = {}

    @rule(target=ids, text=texts)
    def add(self, text: str) -> str:
        id = self.book.add(text, model=text)
        assert id not in self.held
        self.held[id] = {"text": text, "deleted": False, "run": None, "kinds": []}
        return id

    @rule(id=ids)
    def delete(self, id: str) -> None:
        self.book.mark_deleted(id)
        self.held[id]["deleted"] = True
        self.held[id]["kinds"].append("deleted")

    @rule(id=ids)
    def restore(self, id: str) -> None:
        self.book.restore(id)
        self.held[id]["deleted"] = False
        self.held[id]["kinds"].append("restored")

    @rule(id=ids, data=plain)
    def note(self, id: str, data: object) -> None:
        self.book.note(id, "note", data)
        self.held[id]["kinds"].append("note")

    @rule(id=ids, run=st.integers(0, 99))
    def save(self, id: str, run: int) -> None:
        self.book.save_result(id, BenchmarkResult(provider="synthetic", run=run))
        self.held[id]["run"] = run

    @rule(run=st.integers(100, 199))
    def rescore(self, run: int) -> None:
        assert self.book.rescore(lambda _: BenchmarkResult(provider="synthetic", run=run)) == (len(self.held), ())
        for held in self.held.values():
            held["run"] = run

    @rule()
    def reopen(self) -> None:
        self.book.close()
        self.book = AnswerBook(self.book.path)

    @rule()
    def move(self) -> None:
        self.book.export_jsonl(self.folder / "all.jsonl")
        self.book.close()
        self.book = AnswerBook(self.folder / f"{len(list(self.folder.iterdir()))}.hallumaze")
        assert self.book.import_jsonl(self.folder / "all.jsonl") == (len(self.held), 0)

    @invariant()
    def holds_what_was_given(self) -> None:
        answers = list(self.book.answers(include_deleted=True))
        assert [answer.id for answer in answers] == list(self.held)
        for answer, held in zip(answers, self.held.values(), strict=True):
            assert (answer.text, answer.deleted) == (held["text"], held["deleted"])
            assert [event.kind for event in answer.events] == held["kinds"]
        shown = {id: held for id, held in self.held.items() if not held["deleted"]}
        assert [answer.id for answer in self.book.answers()] == list(shown)
        assert len(self.book) == len(shown)
        runs = {id: held["run"] for id, held in shown.items() if held["run"] is not None}
        assert {result.answer_id: result.run for result in self.book.results()} == runs

    def teardown(self) -> None:
        self.book.close()
        shutil.rmtree(self.folder)


TestBook = Book.TestCase
TestBook.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
