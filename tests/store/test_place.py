"""Where a book lies: nothing else may be written over it, and it notices when its file is gone or read-only."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from records.privileges import reachable_folder, unprivileged

from hallumaze_kit.errors import FileError, InputError, StoreError
from hallumaze_kit.records import BenchmarkResult, write_csv, write_json
from hallumaze_kit.store import AnswerBook

posix = pytest.mark.skipif(
    sys.platform == "win32", reason="Windows deletes no open file and has other rights on folders"
)
RESULTS = [BenchmarkResult(provider="x", mei=0.5)]


def rescued(error: pytest.ExceptionInfo) -> Path:
    assert "\n" not in str(error.value)
    return Path(re.search(r"safe in (.+\.jsonl), and import_jsonl puts it back", str(error.value)).group(1))


# ---- nothing is written over a book ------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal"])
def test_no_file_is_written_over_a_book(tmp_path, ending):
    with AnswerBook(tmp_path / "b.db") as book:
        book.add("the only copy")
        target = Path(f"{book.path}{ending}")
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        for write in (
            lambda: book.export_jsonl(target),
            lambda: write_json(RESULTS, target),
            lambda: write_csv(RESULTS, target),
        ):
            with pytest.raises(FileError, match="is an answer book or another database: choose another file name"):
                write()
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
        assert [answer.text for answer in book.answers()] == ["the only copy"]


@posix
def test_a_link_to_a_book_is_the_book(tmp_path):
    with AnswerBook(tmp_path / "b.db") as book:
        book.add("the only copy")
        (tmp_path / "link.jsonl").symlink_to(book.path)
        with pytest.raises(FileError, match="is an answer book"):
            book.export_jsonl(tmp_path / "link.jsonl")
        assert len(book) == 1


def test_names_that_only_end_like_a_books_files_are_free(tmp_path):
    for name in ("-wal", "notes-wal", "r.json"):
        assert write_json(RESULTS, tmp_path / name).exists()
        assert write_json(RESULTS, tmp_path / name).exists()


# ---- the file is gone --------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("how", ["deleted", "moved", "replaced", "its folder deleted"])
def test_a_book_whose_file_is_gone_takes_nothing_and_rescues_the_text(tmp_path, how):
    path = tmp_path / "folder" / "b.db"
    with AnswerBook(tmp_path / "other.db") as other:
        other.add("of another book")
    with AnswerBook(path) as book:
        kept = book.add("before")
        if how == "deleted":
            path.unlink()
        elif how == "moved":
            path.rename(tmp_path / "elsewhere.db")
        elif how == "replaced":
            os.replace(tmp_path / "other.db", path)
        else:
            shutil.rmtree(path.parent)
        with pytest.raises(StoreError, match="was deleted, moved or replaced while it was open") as error:
            book.add("after")
        with pytest.raises(StoreError, match="open the book again"):
            book.mark_deleted(kept)
        assert book.answer(kept).text == "before", "what was open can still be saved"
        assert book.export_jsonl(tmp_path / "saved.jsonl") >= 1
    with AnswerBook(tmp_path / "new.db") as new:
        new.import_jsonl(tmp_path / "saved.jsonl")
        new.import_jsonl(rescued(error))
        assert [answer.text for answer in new.answers()] == ["before", "after"]


@posix
def test_a_book_that_opens_its_file_anew_does_not_make_an_empty_one(tmp_path):
    """After a fork every book opens its file again."""
    with AnswerBook(tmp_path / "b.db") as book:
        book.add("before")
        book._database.disconnect()
        book.path.unlink()
        with pytest.raises(StoreError, match="was deleted, moved or replaced"):
            book.add("after")
        assert not book.path.exists()


# ---- a folder that cannot be written -----------------------------------------------------------------------


@posix
def test_a_book_in_a_folder_that_cannot_be_written_is_read(tmp_path):
    with reachable_folder() as folder:
        path = folder / "b ü%20#?.db"
        with AnswerBook(path) as book:
            id = book.add("before")
            book.save_result(id, BenchmarkResult(provider="x", mei=0.5))
        path.chmod(0o444)
        folder.chmod(0o555)
        with unprivileged(), AnswerBook(path) as book:
            assert [answer.text for answer in book.answers()] == ["before"]
            assert book.results()[0].mei == 0.5 and len(book) == 1
            with pytest.raises(StoreError, match=r"cannot be opened for writing.*choose a folder of your own") as error:
                book.add("after")
            assert os.listdir(folder) == [path.name]
        folder.chmod(0o755)
        path.chmod(0o644)
        file = rescued(error)
        with AnswerBook(path) as book:
            assert book.import_jsonl(file) == (1, 0)
        file.unlink()


@posix
def test_a_book_that_another_writes_is_never_read_without_its_log():
    """The newest answers stand in the log alone: a reader sees them, or is told that it cannot read."""
    with reachable_folder() as folder:
        path = folder / "b.db"
        with AnswerBook(path) as book:
            book.add("first")
            folder.chmod(0o555)
            for file in folder.iterdir():
                file.chmod(0o644)
            with unprivileged(), AnswerBook(path) as reader:
                assert len(reader) == 1
                os.seteuid(0) if os.getuid() == 0 else folder.chmod(0o755)
                book.add("second")
                os.seteuid(65534) if os.getuid() == 0 else folder.chmod(0o555)
                assert [answer.text for answer in reader.answers()] == ["first", "second"]
            folder.chmod(0o755)
            shutil.copy(path, folder / "c.db")
            shutil.copy(f"{path}-wal", folder / "c.db-wal")
            folder.chmod(0o555)
            with unprivileged(), pytest.raises(StoreError, match="cannot be opened"):
                AnswerBook(folder / "c.db")
            folder.chmod(0o755)


@posix
def test_another_database_in_a_folder_that_cannot_be_written_is_no_book():
    with reachable_folder() as folder:
        with closing(sqlite3.connect(folder / "o.db")) as other:
            other.execute("CREATE TABLE mine (x)")
        folder.chmod(0o555)
        with unprivileged(), pytest.raises(StoreError, match="is a database but not an answer book"):
            AnswerBook(folder / "o.db")
        folder.chmod(0o755)


@pytest.mark.parametrize("path", [None, 5, b"b.db", "a\0b"])
def test_what_names_no_file_is_refused(tmp_path, path):
    with pytest.raises(InputError, match="path must be the name of a file"):
        AnswerBook(path)
    with AnswerBook(tmp_path / "b.db") as book:
        for call in (book.export_jsonl, book.import_jsonl):
            with pytest.raises(InputError, match="path must be the name of a file"):
                call(path)
