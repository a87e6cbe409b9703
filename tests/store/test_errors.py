from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from records.privileges import reachable_folder, unprivileged

from hallumaze_kit.errors import FileError, StoreError
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.store import AnswerBook

ROOT = Path(__file__).parents[2]
TEXT = "STEP 1: (0,0) → S\n막다른 길 \ud83d"


@contextmanager
def locked(path: Path):
    """Another program that writes and does not end."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


def rescued(error: pytest.ExceptionInfo) -> Path:
    assert "\n" not in str(error.value)
    return Path(re.search(r"safe in (.+\.jsonl), and import_jsonl puts it back", str(error.value)).group(1))


def test_a_locked_book_says_so_and_the_answer_is_safe(tmp_path):
    with AnswerBook(tmp_path / "b.hallumaze", timeout=0.05) as book:
        kept = book.add("before")
        with locked(book.path):
            with pytest.raises(
                StoreError, match=r"is locked: another program has held it for more than 0.05 s"
            ) as error:
                book.add(TEXT, maze={"size": 5}, config=MazeConfig(size=5), provider="pasted", attempt=2)
            with pytest.raises(StoreError, match="close that program or try again"):
                book.mark_deleted(kept)
            assert book.answer(kept).text == "before"
        assert rescued(error).parent == tmp_path
        assert book.import_jsonl(rescued(error)) == (1, 0)
        _, answer = book.answers()
        assert (answer.text, answer.maze, answer.config) == (TEXT, {"size": 5}, MazeConfig(size=5))
        assert answer.meta == {"provider": "pasted", "attempt": 2}
        assert not book.answer(kept).deleted


def test_a_short_lock_is_waited_for(tmp_path):
    with AnswerBook(tmp_path / "b.hallumaze", timeout=30) as book, locked(book.path) as other:
        adding = threading.Thread(target=book.add, args=(TEXT,))
        adding.start()
        time.sleep(0.2)
        assert adding.is_alive()
        other.execute("ROLLBACK")
        adding.join()
        assert len(book) == 1


def test_a_new_book_waits_for_the_one_who_makes_it(tmp_path):
    path = tmp_path / "b.hallumaze"
    with locked(path), pytest.raises(StoreError, match="is locked"):
        AnswerBook(path, timeout=0.05)
    with AnswerBook(path) as book:
        assert len(book) == 0


def test_files_that_are_no_answer_book_stay_as_they_are(tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text("내 메모\n" * 500, "utf-8")
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE mine (x)")
        connection.commit()
    for path, says in ((text, "is not an answer book"), (other, "is a database but not an answer book")):
        before = path.read_bytes()
        with pytest.raises(StoreError, match=f"{says}.*choose another file name"):
            AnswerBook(path)
        assert path.read_bytes() == before
    with pytest.raises(StoreError, match="cannot be opened"):
        AnswerBook(tmp_path)


def test_a_newer_schema_is_not_touched(tmp_path):
    path = tmp_path / "b.hallumaze"
    AnswerBook(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="newer version of the kit: update the kit"):
        AnswerBook(path)


def test_a_damaged_book_says_so(tmp_path):
    path = tmp_path / "b.hallumaze"
    with AnswerBook(path) as book:
        for _ in range(40):
            book.add("x" * 3000)
    data = bytearray(path.read_bytes())
    for page in range(3, len(data) // 4096):
        data[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    path.write_bytes(data)
    with AnswerBook(path) as book, pytest.raises(StoreError, match=r"is damaged \(.*\): keep it"):
        list(book.answers())


def test_an_empty_file_becomes_a_book(tmp_path):
    """What a kill at the very first moment leaves behind."""
    path = tmp_path / "b.hallumaze"
    path.touch()
    with AnswerBook(path) as book:
        assert book.answer(book.add(TEXT)).text == TEXT


def test_missing_folders_are_made(tmp_path):
    with AnswerBook(tmp_path / "results" / "2026" / "b.hallumaze") as book:
        assert book.answer(book.add(TEXT)).text == TEXT


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights on folders")
def test_a_folder_that_cannot_be_written():
    with reachable_folder() as folder:
        folder.chmod(0o555)
        with (
            unprivileged(),
            pytest.raises(StoreError, match=r"cannot be opened for writing \(.*choose a folder of your own"),
        ):
            AnswerBook(folder / "b.hallumaze")
        assert os.listdir(folder) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights on folders")
def test_a_folder_that_can_no_longer_be_written():
    """The rescue file then goes to the folder for temporary files, readable for its owner alone."""
    with reachable_folder() as folder, AnswerBook(folder / "b.hallumaze") as book:
        book.add("before")
        for file in folder.iterdir():
            file.chmod(0o444)
        folder.chmod(0o555)
        book._database.disconnect()
        with unprivileged(), pytest.raises(StoreError, match="choose a folder of your own") as error:
            book.add(TEXT)
        file = rescued(error)
        try:
            assert file.parent == Path(tempfile.gettempdir())
            assert file.stat().st_mode & 0o777 == 0o600
            folder.chmod(0o755)
            for held in folder.iterdir():
                held.chmod(0o644)
            assert book.import_jsonl(file) == (1, 0)
            assert [answer.text for answer in book.answers()] == ["before", TEXT]
        finally:
            file.unlink()


def test_a_closed_book_rescues_too(tmp_path):
    book = AnswerBook(tmp_path / "b.hallumaze")
    book.close()
    with pytest.raises(StoreError, match="is closed") as error:
        book.add(TEXT)
    with AnswerBook(book.path) as again:
        assert again.import_jsonl(rescued(error)) == (1, 0)


def test_where_nothing_can_be_written_the_error_carries_the_text(tmp_path, monkeypatch):
    book = AnswerBook(tmp_path / "b.hallumaze")
    book.close()

    def full(*_):
        raise FileError("full")

    monkeypatch.setattr("hallumaze_kit.store.transfer.write_whole", full)
    with pytest.raises(StoreError, match=r"take it from this error's \.text") as error:
        book.add(TEXT)
    assert error.value.text == TEXT


# ---- a full disk ------------------------------------------------------------------------------------------


def fill(book: AnswerBook) -> tuple[list[str], str]:
    """Add answers until the book takes no more; their ids, and what the error says."""
    ids = []
    while True:
        try:
            ids.append(book.add(TEXT + str(len(ids)) + "x" * 5000))
        except StoreError as error:
            return ids, str(error)


def test_a_full_book_loses_nothing(tmp_path):
    with AnswerBook(tmp_path / "b.hallumaze") as book:
        book._database._connection.execute("PRAGMA max_page_count = 60")
        ids, says = fill(book)
        assert "the disk is full: free some space" in says
        assert [answer.id for answer in book.answers()] == ids
        book._database._connection.execute("PRAGMA max_page_count = 1000000")
        assert book.import_jsonl(re.search(r"safe in (.+\.jsonl),", says).group(1)) == (1, 0)
        assert [a.text for a in book.answers()] == [f"{TEXT}{n}" + "x" * 5000 for n in range(len(ids) + 1)]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of a file")
def test_a_real_limit_on_the_size_of_files(tmp_path):
    script = f"""
        import resource, sys
        sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / "tests")!r}]
        from hallumaze_kit.store import AnswerBook
        from store.test_errors import fill
        book = AnswerBook({str(tmp_path / "b.hallumaze")!r})
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        ids, says = fill(book)
        print(len(ids), says)
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, encoding="utf-8", check=True
    )
    count, says = run.stdout.strip().split(" ", 1)
    file = re.search(r"safe in (.+\.jsonl),", says).group(1)
    with AnswerBook(tmp_path / "b.hallumaze") as book:
        assert int(count) > 5
        book.import_jsonl(file)
        assert [a.text for a in book.answers()] == [f"{TEXT}{n}" + "x" * 5000 for n in range(int(count) + 1)]
