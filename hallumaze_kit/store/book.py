"""`AnswerBook`: takes an answer before it is scored, never changes it, and scores all of them again on demand."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

from hallumaze_kit.errors import InputError, StoreError
from hallumaze_kit.records.atomic import as_path
from hallumaze_kit.records.codec import as_json, coerce, encode
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.records.result import BenchmarkResult
from hallumaze_kit.store import rows, transfer
from hallumaze_kit.store.database import Database
from hallumaze_kit.store.lock import one_run
from hallumaze_kit.store.rows import KNOWN_BEFORE, StoredAnswer

_PAGE = 100


class Rescored(NamedTuple):
    """How many answers `rescore` scored, and (id, what went wrong) for the others."""

    scored: int
    failed: tuple[tuple[str, str], ...]


class AnswerBook:
    """Every pasted, played or paid-for answer in one SQLite file.

        with AnswerBook("results/answers.hallumaze") as book:
            answer_id = book.add(text, maze=maze.to_dict(), config=config, provider="pasted", model="gpt-4o")

    An answer is on the disk when `add` returns (write-ahead log, full synchronisation), before anything is
    scored. The file itself refuses to change or erase it: deletions are marks in a log of events. Results are
    derived and can be made again. Several kernels, processes and threads may use one file at the same time, on a
    disk of the same machine; forks are safe. A book in a folder that cannot be written can still be read.

    `timeout` is how many seconds a call waits for another program that is writing. Raises `StoreError`, one sentence
    that says how to go on, for a file that is no answer book, a folder that cannot be written, a newer schema, a
    lock that stays, a full disk, a file that was deleted or replaced while it was open.
    """

    def __init__(self, path: str | os.PathLike[str], timeout: float = 30.0) -> None:
        self.path = Path(os.path.abspath(as_path(path)))
        self._database = Database(self.path, timeout)

    # ---- answers ----------------------------------------------------------------------------

    def add(
        self, text: str, *, maze: dict[str, Any] | None = None, config: MazeConfig | None = None, **record_fields: Any
    ) -> str:
        """Store an answer, byte for byte, with all that is known of it, and return its id.

        `maze` is what `MazeEngine.to_dict` gives; `record_fields` are fields of `BenchmarkResult` that are known before
        scoring (`KNOWN_BEFORE`); what has no field, a share link say, goes in `extra`. Ids are unique and sort by
        time. Raises `InputError` for an unknown field or a wrong type. If the file cannot take the answer, it is
        written to a rescue file beside it, or in the folder for temporary files, and the `StoreError` names that file;
        `import_jsonl` puts it back. Where no file can be written at all, the error's `.text` is the text.
        """
        answer = _checked(text, maze, config, record_fields)
        try:
            with self._database.writing() as connection:
                rows.insert(connection, answer)
        except StoreError as error:
            raise transfer.rescue(answer, self.path, error) from error
        return answer.id

    def answer(self, id: str) -> StoredAnswer:
        """The stored answer with this id; `InputError` if there is none."""
        with self._database.reading() as connection:
            found = rows.find(connection, id)
        if found is None:
            raise InputError("id", id, "the id of a stored answer", "`answers()` lists them.")
        return found

    def answers(self, include_deleted: bool = False, **known: str) -> Iterator[StoredAnswer]:
        """The stored answers in the order they came; those marked as deleted only if asked for.

        `known` are text fields of the record (`participant="K7M2QX"`): only answers that have just these are given.
        """
        for name, value in known.items():
            if name not in KNOWN_BEFORE or not isinstance(value, str):
                raise InputError(name, value, "a text, of a field that is known before scoring")
        last = 0
        while True:
            with self._database.reading() as connection:
                last, page = rows.page(connection, last, _PAGE, known)
            if not page:
                return
            yield from (answer for answer in page if include_deleted or not answer.deleted)

    def __len__(self) -> int:
        """How many answers are stored and not marked as deleted."""
        with self._database.reading() as connection:
            return connection.execute("SELECT count(*) FROM answers").fetchone()[0] - len(rows.deleted(connection))

    # ---- events -----------------------------------------------------------------------------

    def mark_deleted(self, id: str, reason: str = "", who: str = "") -> None:
        """Mark an answer as deleted; it stays in the file. `who` is the user's name if left out."""
        self._log(id, rows.DELETED, {"reason": reason}, who)

    def restore(self, id: str, reason: str = "", who: str = "") -> None:
        """Take the mark of deletion away; the log keeps both marks."""
        self._log(id, rows.RESTORED, {"reason": reason}, who)

    def note(self, id: str, kind: str, data: Any = None, who: str = "") -> None:
        """Append an event to an answer's log: a correction, a discarded attempt, a withdrawal.

        `kind` is a word, `data` plain JSON values.
        """
        if not isinstance(kind, str) or kind in ("", rows.DELETED, rows.RESTORED):
            raise InputError("kind", kind, "a word of your own", "Use mark_deleted or restore for deletions.")
        self._log(id, kind, data, who)

    def _log(self, id: str, kind: str, data: Any, who: str) -> None:
        self.answer(id)
        encode(data, "data")
        with self._database.writing() as connection:
            rows.log(connection, id, kind, data, who or _user())

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """What is written in this block is on the disk when it ends well, or none of it is.

        Nobody else writes meanwhile, so what is read in the block still holds when it is written. Keep it short.
        """
        with self._database.writing():
            yield

    # ---- results ----------------------------------------------------------------------------

    def save_result(self, id: str, result: BenchmarkResult) -> None:
        """Keep the result of an answer, in place of an earlier one. It carries the answer's id from then on."""
        self.answer(id)
        _check_result(result)
        with self._database.writing() as connection:
            rows.save_result(connection, id, result)

    def result(self, id: str) -> BenchmarkResult | None:
        """The last saved result of an answer, None if it was not scored yet."""
        self.answer(id)
        with self._database.reading() as connection:
            return rows.find_result(connection, id)

    def results(self, include_deleted: bool = False) -> list[BenchmarkResult]:
        """The saved results in the order of the answers; an answer that was not scored has none.

        Of answers to one trial (a book that was imported into another may bring a second one) the first that came whole
        counts, else the last. With `include_deleted` every result there is.
        """
        query = "SELECT answer_id, result FROM results JOIN answers ON id = answer_id ORDER BY number"
        with self._database.reading() as connection:
            found = connection.execute(query).fetchall()
            hidden = set() if include_deleted else rows.deleted(connection)
        results = [rows.read_result(id, text) for id, text in found if id not in hidden]
        return results if include_deleted else rows.one_a_trial(results, lambda r: (r.answer_id, r.extra, r.outcome))

    def rescore(self, score: Callable[[StoredAnswer], BenchmarkResult]) -> Rescored:
        """Score every answer again, deleted ones too, and save the results.

        `score` takes a `StoredAnswer` and gives a `BenchmarkResult`. An answer whose scoring fails keeps its earlier
        result and is named in the report. What is no answer (a consent, a game under way) is passed over.
        """
        made, failed = [], []
        scored = 0
        for answer in self.answers(include_deleted=True):
            if answer.meta.get("outcome") in (rows.ENROLLED, rows.IN_PLAY):
                continue
            try:
                result = score(answer)
                _check_result(result)
            except Exception as error:
                failed.append((answer.id, f"{type(error).__name__}: {error}"))
                continue
            scored += 1
            made.append((answer.id, result))
            if len(made) == _PAGE:
                self._save(made)
                made = []
        self._save(made)
        return Rescored(scored, tuple(failed))

    def _save(self, made: list[tuple[str, BenchmarkResult]]) -> None:
        with self._database.writing() as connection:
            for id, result in made:
                rows.save_result(connection, id, result)

    def one_run(self) -> AbstractContextManager[None]:
        """Hold the right to ask for this book while a block runs; `BookBusy` where another run has it.

        Two runs of one design on one book would buy every trial twice. Whoever is killed holds it no longer.
        """
        return one_run(self.path)

    # ---- moving -----------------------------------------------------------------------------

    def export_jsonl(self, path: str | os.PathLike[str]) -> int:
        """Write everything, events, deletion marks and results too, as JSON lines; return how many answers.

        The file is written whole or not at all; `FileError` if it cannot be, or if `path` is an answer book.
        """
        return transfer.export(self, path)

    def import_jsonl(self, path: str | os.PathLike[str]) -> transfer.Imported:
        """Take in what `export_jsonl` wrote, or a rescue file; return (added, already there).

        Importing twice adds nothing. A line that cannot be read, and an id that stands here with another content
        (kept under a new id), are told in a warning and in `.problems` of what is returned; the other lines are
        imported. `FileError` if the file cannot be read or holds no answer.
        """
        return transfer.take_in(self._database, path)

    # ---- opening and closing ----------------------------------------------------------------

    def close(self) -> None:
        """Close the file; another `AnswerBook` can open it again."""
        self._database.close()

    def __enter__(self) -> AnswerBook:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return (AnswerBook, (str(self.path), self._database.timeout))

    def __repr__(self) -> str:
        return f"AnswerBook({str(self.path)!r})"


def _checked(text: Any, maze: Any, config: Any, record_fields: dict[str, Any]) -> StoredAnswer:
    if not isinstance(text, str):
        raise InputError("text", text, "a text")
    if maze is not None and not isinstance(maze, dict):
        raise InputError("maze", maze, "a mapping, as MazeEngine.to_dict() gives it")
    if config is not None and not isinstance(config, MazeConfig):
        raise InputError("config", config, "a MazeConfig")
    for name in record_fields:
        if name not in KNOWN_BEFORE:
            allowed = f"one that is known before scoring ({', '.join(KNOWN_BEFORE)})"
            raise InputError("field", name, allowed, f"Give what has no field as extra={{{name!r}: …}}.")
    meta = {name: coerce(name, value) for name, value in record_fields.items()}
    encode([maze, meta], "what is known of the answer")
    return StoredAnswer(rows.new_id(), text, maze, config, meta, rows.now())


def _check_result(result: Any) -> None:
    if not isinstance(result, BenchmarkResult):
        raise InputError("result", result, "a BenchmarkResult")
    as_json(result)


def _user() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
