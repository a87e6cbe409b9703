"""One run at a time asks for a book, and whoever is killed holds nothing."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from hallumaze_kit.errors import StoreError
from hallumaze_kit.records import BenchmarkResult
from hallumaze_kit.store import AnswerBook, BookBusy

ROOT = Path(__file__).parents[2]
HOLDER = f"""
import sys, time
sys.path.insert(0, {str(ROOT)!r})
from hallumaze_kit.store import AnswerBook
with AnswerBook(sys.argv[1]) as book, book.one_run():
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def book(tmp_path):
    with AnswerBook(tmp_path / "b.db") as opened:
        yield opened


def holder(path):
    process = subprocess.Popen([sys.executable, "-S", "-E", "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    return process


def test_another_process_is_named_and_a_killed_one_holds_nothing(book, tmp_path):
    other = holder(book.path)
    says = rf"Another run \(process {other.pid}\) is asking for .*b\.db: wait"
    with pytest.raises(BookBusy, match=says) as caught, book.one_run():
        pass
    assert "\n" not in str(caught.value)
    book.add("a pasted answer needs no right to ask")
    os.symlink(book.path, tmp_path / "link.db")
    with AnswerBook(tmp_path / "link.db") as same, pytest.raises(BookBusy), same.one_run():
        pass
    other.send_signal(signal.SIGKILL)
    other.communicate()
    assert Path(f"{book.path}.lock").exists(), "it was left behind"
    with book.one_run():
        pass
    assert sorted(path.name for path in tmp_path.glob("*.lock")) == []


def test_two_runs_of_one_process_are_two_runs(book):
    said = []

    def second():
        try:
            with book.one_run():
                said.append("held")
        except BookBusy as error:
            said.append(str(error))

    with book.one_run():
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
    assert len(said) == 1 and f"process {os.getpid()}" in said[0]
    second()
    assert said[1] == "held"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_does_not_hold_on_for_its_parent(book):
    context = multiprocessing.get_context("fork")
    ended = context.Event()
    with book.one_run():
        child = context.Process(target=ended.wait)
        child.start()
    try:
        with book.one_run():
            pass
    finally:
        ended.set()
        child.join()


def test_a_child_that_outlives_its_killed_parent_is_in_nobodys_way(book):
    if not hasattr(os, "fork"):
        pytest.skip("this system has no fork")
    code = HOLDER.replace("time.sleep(600)", "import os; os.fork() or time.sleep(5); time.sleep(600)")
    process = subprocess.Popen([sys.executable, "-S", "-E", "-c", code, str(book.path)], stdout=subprocess.PIPE)
    process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.wait()
    with book.one_run():
        pass
    process.stdout.close()


def test_the_right_is_given_back_when_a_run_breaks_off(book):
    with pytest.raises(KeyboardInterrupt), book.one_run():
        raise KeyboardInterrupt
    with book.one_run():
        pass


def test_where_there_can_be_no_lock_it_is_said(book):
    Path(f"{book.path}.lock").mkdir()
    with pytest.raises(StoreError, match=r"b\.db\.lock cannot be locked") as caught, book.one_run():
        pass
    assert not isinstance(caught.value, BookBusy)


def test_of_answers_to_one_trial_one_result_counts(book):
    def scored(outcome, key):
        extra = {"trial_key": key} if key else {}
        id = book.add("", provider="p", outcome=outcome, extra=extra)
        book.save_result(id, BenchmarkResult(provider="p", model="m", maze_size=5, outcome=outcome, extra=extra))
        return id

    ids = [
        scored(*one)
        for one in (("rate limited", "k"), ("answered", "k"), ("answered", "k"), ("failed", "j"), ("failed", "j"),
                    ("answered", ""), ("answered", ""))
    ]  # fmt: skip
    assert [r.answer_id for r in book.results()] == [ids[n] for n in (1, 4, 5, 6)]
    assert [r.answer_id for r in book.results(include_deleted=True)] == ids
