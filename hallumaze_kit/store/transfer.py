"""Answer books as JSON lines: export, import, and the rescue of an answer that its book could not take."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hallumaze_kit.errors import FileError, InputError, StoreError
from hallumaze_kit.records.atomic import as_path, write_whole, writing
from hallumaze_kit.records.codec import as_json, coerce, decode, dumps, encode, from_json, loads
from hallumaze_kit.records.result import BenchmarkResult
from hallumaze_kit.store import rows
from hallumaze_kit.store.database import SCHEMA, Database
from hallumaze_kit.store.rows import KNOWN_BEFORE, Event, StoredAnswer

if TYPE_CHECKING:
    from hallumaze_kit.store.book import AnswerBook

FORMAT = "hallumaze answer book"
_BATCH = 100
Line = tuple[StoredAnswer, BenchmarkResult | None]


class _Counts(NamedTuple):
    added: int
    already_there: int


class Imported(_Counts):
    """(added, already there), and `.problems`: what could not be imported as it stood, each with its line."""

    problems: tuple[str, ...] = ()


# ---- out --------------------------------------------------------------------------------------------------


def export(book: AnswerBook, path: str | os.PathLike[str]) -> int:
    """See `AnswerBook.export_jsonl`."""
    count = 0
    with writing(path) as file:
        file.write(f"{dumps({'format': FORMAT, 'schema': SCHEMA})}\n".encode())
        for answer in book.answers(include_deleted=True):
            file.write(_line(answer, book.result(answer.id)))
            count += 1
    return count


def rescue(answer: StoredAnswer, path: Path, error: StoreError) -> StoreError:
    """Write an answer that its book could not take beside the book, else in the folder for temporary files.

    Returns the error to raise: it names the file, or carries the text as `.text` where no file could be written.
    """
    why = str(error).rstrip(".")
    for folder in (path.parent, Path(tempfile.gettempdir())):
        try:
            file = write_whole(folder / f"{path.stem[:60]}-rescued-{answer.id}.jsonl", _line(answer, None))
        except FileError:
            continue
        if folder != path.parent:
            file.chmod(0o600)
        return StoreError(f"{why}; the answer itself is safe in {file}, and import_jsonl puts it back.")
    lost = StoreError(f"{why}; the answer could not be written anywhere else either: take it from this error's .text.")
    lost.text = answer.text
    return lost


def _line(answer: StoredAnswer, result: BenchmarkResult | None) -> bytes:
    content = {
        "id": answer.id,
        "text": answer.text,
        "maze": answer.maze,
        "config": None if answer.config is None else asdict(answer.config),
        "meta": answer.meta,
        "added_at": answer.added_at,
        "events": [event._asdict() for event in answer.events],
    }
    return f"{dumps(encode(content) | {'result': None if result is None else as_json(result)})}\n".encode()


# ---- in ---------------------------------------------------------------------------------------------------


def take_in(database: Database, path: str | os.PathLike[str]) -> Imported:
    """See `AnswerBook.import_jsonl`."""
    counts = {True: 0, False: 0}
    problems: list[str] = []
    lines = _answers(as_path(path), problems)
    while batch := list(itertools.islice(lines, _BATCH)):
        with database.writing() as connection:
            for number, answer, result in batch:
                id, is_new = _store(connection, answer, result)
                counts[is_new] += 1
                if id != answer.id:
                    problems.append(f"line {number}: {answer.id} stands here with other content, so it is kept as {id}")
    if problems and not any(counts.values()):
        raise FileError(f"{path} holds no answers ({problems[0]}): choose a file that export_jsonl wrote.")
    if problems:
        warnings.warn(f"{path}: {'; '.join(problems)}.", stacklevel=3)
    report = Imported(counts[True], counts[False])
    report.problems = tuple(problems)
    return report


def _answers(path: Path, problems: list[str]) -> Iterator[tuple[int, StoredAnswer, BenchmarkResult | None]]:
    """The answers of the lines that can be read, with their line numbers; what is wrong with the others."""
    try:
        with open(path, "rb") as file:
            for number, raw in enumerate(file, 1):
                if not raw.strip():
                    continue
                try:
                    data = loads(raw)
                    if not _is_head(data, path):
                        yield number, *_parse(data)
                except ValueError as error:
                    problems.append(f"line {number} cannot be read ({str(error).rstrip('.')})")
    except FileNotFoundError as error:
        raise FileError(f"{path} does not exist: check the name and the folder ({Path.cwd()}).") from error
    except OSError as error:
        raise FileError(f"{path} cannot be read ({error.strerror}): check the name and who may read it.") from error


def _is_head(data: Any, path: Path) -> bool:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        return False
    if data.get("schema") != SCHEMA:
        raise StoreError(f"{path} was written by another version of the kit: update the kit, then import it again.")
    return True


def _parse(data: Any) -> Line:
    """The answer and the result of a line; `InputError` if it is not one."""
    data = dict(_typed("line", data, dict, "a mapping"))
    result = data.pop("result", None)
    data = decode(data)
    meta = _typed("meta", data.get("meta"), dict, "a mapping")
    if set(meta) - set(KNOWN_BEFORE):
        raise InputError("meta", sorted(set(meta) - set(KNOWN_BEFORE)), "fields that are known before scoring")
    answer = StoredAnswer(
        id=_id("id", data.get("id")),
        text=_typed("text", data.get("text"), str, "a text"),
        maze=coerce("maze", data.get("maze")),
        config=coerce("config", data.get("config")),
        meta={name: coerce(name, value) for name, value in meta.items()},
        added_at=_time("added_at", data.get("added_at")),
        events=tuple(map(_event, _typed("events", data.get("events", []), list, "a list"))),
    )
    return answer, None if result is None else from_json(_typed("result", result, dict, "a mapping"))


def _event(data: Any) -> Event:
    data = _typed("event", data, dict, "a mapping")
    who, kind = (_typed(name, data.get(name), str, "a text") for name in ("who", "kind"))
    return Event(_id("event id", data.get("id")), _time("at", data.get("at")), who, kind, data.get("data"))


def _typed(name: str, value: Any, kind: type, allowed: str) -> Any:
    if isinstance(value, kind):
        return value
    raise InputError(name, value, allowed)


def _id(name: str, value: Any) -> str:
    if isinstance(value, str) and value.isascii() and value.isalnum():
        return value
    raise InputError(name, value, "letters and digits")


def _time(name: str, value: Any) -> str:
    try:
        return datetime.fromisoformat(value).isoformat(timespec="microseconds")
    except (TypeError, ValueError):
        raise InputError(name, value, "an ISO time") from None


def _store(connection: Any, answer: StoredAnswer, result: BenchmarkResult | None) -> tuple[str, bool]:
    """Put an answer in the book unless it is there; return the id it has there and whether it is new."""
    here = rows.find(connection, answer.id)
    if here is not None and _content(here) != _content(answer):
        answer = _renamed(answer)
        here = rows.find(connection, answer.id)
    if here is None:
        rows.insert(connection, answer)
    for event in answer.events:
        rows.insert_event(connection, answer.id, event)
    if result is not None and rows.find_result(connection, answer.id) is None:
        rows.save_result(connection, answer.id, result)
    return answer.id, here is None


def _content(answer: StoredAnswer) -> str:
    """A digest of what an answer is: text, maze, condition, what was known of it."""
    parts = [answer.text, answer.maze, None if answer.config is None else asdict(answer.config), answer.meta]
    return hashlib.sha256(json.dumps(encode(parts), sort_keys=True).encode()).hexdigest()


def _renamed(answer: StoredAnswer) -> StoredAnswer:
    """The answer under an id that follows from its content: importing it again finds it there."""
    digest = _content(answer)
    origin = Event(digest[:32], answer.added_at, "", "renamed", {"from": answer.id})
    return replace(answer, id=answer.id[:14] + digest[:18], events=(*answer.events, origin))
