"""The SQLite file under an answer book: its schema, its one connection a process, its errors in words."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

from hallumaze_kit.errors import StoreError

SCHEMA = 1
APPLICATION = 0x4D415A45
"""SQLite's mark of what a file is for: "MAZE"."""
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
_REFUSED = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH)

# Triggers hold the promise "never changed, never erased" against every program that opens the file. REPLACE fires no
# delete trigger by default, so an insert over an existing row is refused too.
_TABLES = """
CREATE TABLE answers (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    text BLOB NOT NULL,
    maze TEXT,
    config TEXT,
    meta TEXT NOT NULL,
    added_at TEXT NOT NULL
);
CREATE TABLE events (
    answer_id TEXT NOT NULL REFERENCES answers (id),
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    who TEXT NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (answer_id, id)
);
CREATE TABLE results (
    answer_id TEXT NOT NULL PRIMARY KEY REFERENCES answers (id),
    result TEXT NOT NULL,
    saved_at TEXT NOT NULL
);
"""
_TRIGGERS = """
CREATE TRIGGER {table}_update BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, '{table} are never changed'); END;
CREATE TRIGGER {table}_delete BEFORE DELETE ON {table}
BEGIN SELECT RAISE(ABORT, '{table} are never erased'); END;
CREATE TRIGGER {table}_replace BEFORE INSERT ON {table}
WHEN EXISTS (SELECT 1 FROM {table} WHERE {same} OR rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, '{table} are never replaced'); END;
"""
_SCRIPT = (
    _TABLES
    + _TRIGGERS.format(table="answers", same="id = NEW.id")
    + _TRIGGERS.format(table="events", same="answer_id = NEW.answer_id AND id = NEW.id")
)


class Database:
    """One connection a process, used by one thread at a time, opened again after a fork.

    A connection must not cross a fork, not even unused: SQLite would take the parent's locks for the child's own, and
    what the child writes could be lost. So every connection is closed before a fork and opened again on use.

    A book that cannot be written is opened for reading alone, anew for each use: it may become writable, and another
    program may write it.
    """

    def __init__(self, path: Path, timeout: float) -> None:
        self.path, self.timeout = path, timeout
        self.lock = threading.RLock()
        self.closed = False
        self._connection: sqlite3.Connection | None = None
        self._read_only = False
        self._file: tuple[int, int] | None = None
        _OPEN.add(self)
        with self.reading():
            pass

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, for queries. SQLite's errors come out as `StoreError`."""
        with self.lock:
            try:
                yield self._connected()
            except (sqlite3.Error, OSError) as error:
                if _code(error) in _REFUSED and self._connection and not self._connection.in_transaction:
                    self.disconnect()  # A connection that began read-only stays so, even when the folder is mended.
                raise StoreError(self._explain(error)) from error
            finally:
                if self._read_only:
                    self.disconnect()

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The connection inside a transaction that is on the disk when the block ends well, undone otherwise.

        A block inside another joins its transaction. `StoreError` if the file is no longer where it was: what is
        written to a deleted file is gone when it is closed.
        """
        with self.reading() as connection:
            if connection.in_transaction:
                yield connection
                return
            self._patiently(connection, "BEGIN IMMEDIATE")
            try:
                yield connection
                self._check_place()
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            self._check_place()  # It may have gone meanwhile.

    def close(self) -> None:
        """Close the connection for good."""
        with self.lock:
            self.closed = True
            self.disconnect()

    def __del__(self) -> None:
        if getattr(self, "_connection", None) is not None:
            self._connection.close()

    def disconnect(self) -> None:
        """Close the connection until the next use."""
        with self.lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            self._read_only = False

    def _connected(self) -> sqlite3.Connection:
        if self.closed:
            raise StoreError(f"{self.path} is closed: open it again with AnswerBook({str(self.path)!r}).")
        if self._connection is None:
            if self._file:
                self._check_place()
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._connection = self._opened()
            except (sqlite3.Error, OSError) as error:
                self._connection = self._opened_to_read(error)
                self._read_only = True
            self._file = self._file or self._place()
        return self._connection

    def _opened(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=self.timeout, isolation_level=None, check_same_thread=False)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _opened_to_read(self, error: Exception) -> sqlite3.Connection:
        """A connection that only reads; `error` again where the file cannot be read, or is not there."""
        if (isinstance(error, sqlite3.Error) and _code(error) not in _REFUSED) or not self.path.is_file():
            raise error
        log = Path(f"{self.path}-wal")
        # SQLite reads a file that "never changes" without its log, so what the log holds would be missing.
        settled = not log.exists() or not log.stat().st_size
        for mode in ("mode=ro", "immutable=1")[: 1 + settled]:
            uri = f"{self.path.as_uri()}?{mode}"
            connection = sqlite3.connect(
                uri, uri=True, timeout=self.timeout, isolation_level=None, check_same_thread=False
            )
            try:
                self._patiently(connection, "SELECT 1 FROM sqlite_master")
                self._check_kind(connection)
            except sqlite3.Error:
                connection.close()
            except BaseException:
                connection.close()
                raise
            else:
                return connection
        raise error

    def _place(self) -> tuple[int, int] | None:
        """What the file system knows the file by; None if nothing is there."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    def _check_place(self) -> None:
        if self._place() != self._file:
            raise StoreError(
                f"{self.path} was deleted, moved or replaced while it was open: save what was read from it with "
                "export_jsonl, put the file back or choose another name, and open the book again."
            )

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Check that the file is an answer book, make it one if it is new, and set how safely it writes."""
        if self._is_new(connection):
            self._patiently(connection, "BEGIN IMMEDIATE")
            try:
                if self._is_new(connection):
                    # executescript would commit first, so the statements run one by one.
                    for statement in _statements(_SCRIPT):
                        connection.execute(statement)
                    connection.execute(f"PRAGMA application_id = {APPLICATION}")
                    connection.execute(f"PRAGMA user_version = {SCHEMA}")
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        self._check_kind(connection)
        self._patiently(connection, "PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    def _check_kind(self, connection: sqlite3.Connection) -> None:
        if _pragma(connection, "application_id") != APPLICATION:
            raise StoreError(f"{self.path} is a database but not an answer book: choose another file name.")
        if _pragma(connection, "user_version") > SCHEMA:
            raise StoreError(
                f"{self.path} was written by a newer version of the kit: update the kit, then open it again."
            )

    def _is_new(self, connection: sqlite3.Connection) -> bool:
        self._patiently(connection, "SELECT 1 FROM sqlite_master")
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        return not tables and not _pragma(connection, "application_id") and not _pragma(connection, "user_version")

    def _patiently(self, connection: sqlite3.Connection, statement: str) -> None:
        """Run a statement that SQLite may refuse at once, without its own waiting, while another process writes."""
        deadline = time.monotonic() + self.timeout
        while True:
            try:
                connection.execute(statement)
                return
            except sqlite3.OperationalError as error:
                if _code(error) not in _BUSY or time.monotonic() >= deadline:
                    raise
                time.sleep(0.005)

    def _explain(self, error: Exception) -> str:
        code = _code(error)
        if code in _BUSY:
            return (
                f"{self.path} is locked: another program has held it for more than {self.timeout:g} s, "
                "so close that program or try again."
            )
        if code == sqlite3.SQLITE_FULL:
            return f"{self.path} cannot take more because the disk is full: free some space, then try again."
        if code in _REFUSED or isinstance(error, OSError):
            reason = error.strerror if isinstance(error, OSError) else error
            return f"{self.path} cannot be opened for writing ({reason}): choose a folder of your own."
        if code == sqlite3.SQLITE_NOTADB:
            return f"{self.path} is not an answer book: choose another file name, this file stays as it is."
        if code == sqlite3.SQLITE_CORRUPT:
            return f"{self.path} is damaged ({error}): keep it, and start a new book from a copy or an export."
        return f"{self.path} cannot be used ({error}): check the disk, then try again."


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _code(error: Exception) -> int:
    """SQLite's primary error code, without the details in the upper bits."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


# ---- forks ------------------------------------------------------------------------------------------------

_OPEN: weakref.WeakSet[Database] = weakref.WeakSet()
_HELD: list[Database] = []
_FORKING = threading.Lock()


def _before_fork() -> None:
    _FORKING.acquire()
    for database in list(_OPEN):
        database.lock.acquire()
        _HELD.append(database)
        database.disconnect()


def _after_fork() -> None:
    while _HELD:
        _HELD.pop().lock.release()
    _FORKING.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
