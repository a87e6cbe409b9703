"""What stands in an answer book: answers, the events of their later life, their results."""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, TypeVar

from hallumaze_kit.errors import StoreError
from hallumaze_kit.records.codec import as_json, coerce, decode, dumps, encode, from_json, loads
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.records.result import FIELDS, KEPT, RANGES, BenchmarkResult

TRIAL_KEY = "trial_key"
"""Name in `extra` of what a trial is; answers with the same one are answers to one trial."""
DELETED, RESTORED = "deleted", "restored"
ENROLLED, IN_PLAY = "enrolled", "in play"
"""Outcomes of rows that are no answers: a person's consent, the log of a game under way."""
_DERIVED = (
    *RANGES, "path_valid", "probe_broken", "probe_said_valid",
    "metacog_signals", "confidence_log", "confidence_pattern", "failure_mode", "conventions",
    "signature", "parser_version", "warnings", "corrections", "nan_reasons", "decisions", "answer_id", "maze", "config",
)  # fmt: skip
KNOWN_BEFORE = tuple(name for name in FIELDS if name not in _DERIVED)
"""Fields of a result that are known before scoring: assignment, subject, what was said, rights."""
T = TypeVar("T")
_SELECT = "SELECT number, id, text, maze, config, meta, added_at FROM answers"


class Event(NamedTuple):
    """Something that happened to an answer after it was stored."""

    id: str
    at: str
    who: str
    kind: str
    data: Any


@dataclass(frozen=True)
class StoredAnswer:
    """An answer as it was given, and what has happened to it since.

    `maze` is the dict that `MazeEngine.from_dict` reads, `meta` the known fields of `BenchmarkResult` by name,
    `added_at` an ISO time (UTC), `events` the log in the order of time.
    """

    id: str
    text: str
    maze: dict[str, Any] | None
    config: MazeConfig | None
    meta: dict[str, Any]
    added_at: str
    events: tuple[Event, ...] = ()

    @property
    def deleted(self) -> bool:
        """True if the last mark is a deletion."""
        marks = [event.kind for event in self.events if event.kind in (DELETED, RESTORED)]
        return marks[-1:] == [DELETED]


def find(connection: sqlite3.Connection, id: str) -> StoredAnswer | None:
    """The answer with this id, None if there is none."""
    row = connection.execute(f"{_SELECT} WHERE id = ?", (plain(id),)).fetchone()
    return None if row is None else _answer(connection, row)


def page(
    connection: sqlite3.Connection, after: int, size: int, known: Mapping[str, str] | None = None
) -> tuple[int, list[StoredAnswer]]:
    """The next `size` answers behind number `after`, in the order they came, and the number of the last.

    Of those with the `known` fields (names of the record's, which are words) and no others.
    """
    fields = known or {}
    wanted = "".join(f" AND json_extract(meta, '$.{name}') = ?" for name in fields)
    query = f"{_SELECT} WHERE number > ?{wanted} ORDER BY number LIMIT ?"
    rows = connection.execute(query, (after, *map(plain, fields.values()), size)).fetchall()
    return (rows[-1][0] if rows else after), [_answer(connection, row) for row in rows]


def insert(connection: sqlite3.Connection, answer: StoredAnswer) -> None:
    """Write an answer and its events."""
    connection.execute(
        "INSERT INTO answers (id, text, maze, config, meta, added_at) VALUES (?, ?, ?, ?, ?, ?)",
        (
            answer.id,
            answer.text.encode("utf-8", "surrogatepass"),
            None if answer.maze is None else dumps(encode(answer.maze, "maze")),
            None if answer.config is None else dumps(asdict(answer.config)),
            dumps(encode(answer.meta, "meta")),
            answer.added_at,
        ),
    )
    for event in answer.events:
        insert_event(connection, answer.id, event)


def insert_event(connection: sqlite3.Connection, answer_id: str, event: Event) -> None:
    """Write an event unless it is there."""
    key = (answer_id, event.id)
    if not connection.execute("SELECT 1 FROM events WHERE answer_id = ? AND id = ?", key).fetchone():
        row = (*key, event.at, plain(event.who), plain(event.kind), dumps(encode(event.data, "data")))
        connection.execute("INSERT INTO events (answer_id, id, at, who, kind, data) VALUES (?, ?, ?, ?, ?, ?)", row)


def log(connection: sqlite3.Connection, answer_id: str, kind: str, data: Any, who: str) -> None:
    """Append an event to an answer's log, after all that stand there."""
    last = connection.execute("SELECT max(at) FROM events WHERE answer_id = ?", (answer_id,)).fetchone()[0]
    insert_event(connection, answer_id, Event(new_id(), _after(last), who, kind, data))


def deleted(connection: sqlite3.Connection) -> set[str]:
    """Ids of the answers whose last mark is a deletion."""
    query = "SELECT answer_id, kind FROM events WHERE kind IN (?, ?) ORDER BY at, id"
    last = dict(connection.execute(query, (DELETED, RESTORED)).fetchall())
    return {id for id, kind in last.items() if kind == DELETED}


def save_result(connection: sqlite3.Connection, answer_id: str, result: BenchmarkResult) -> None:
    """Write a result in place of an earlier one; it carries the answer's id from then on."""
    row = (answer_id, dumps(as_json(result.replace(answer_id=answer_id))), now())
    connection.execute("INSERT OR REPLACE INTO results (answer_id, result, saved_at) VALUES (?, ?, ?)", row)


def find_result(connection: sqlite3.Connection, answer_id: str) -> BenchmarkResult | None:
    """The result of an answer, None if it was not scored yet."""
    row = connection.execute("SELECT result FROM results WHERE answer_id = ?", (plain(answer_id),)).fetchone()
    return None if row is None else read_result(answer_id, row[0])


def read_result(answer_id: str, text: str) -> BenchmarkResult:
    """The result that a row holds."""
    try:
        return from_json(loads(text))
    except ValueError as error:
        raise StoreError(f"The result of {answer_id} cannot be read ({error}): score the answer again.") from error


def _answer(connection: sqlite3.Connection, row: tuple[Any, ...]) -> StoredAnswer:
    _, id, text, maze, config, meta, added_at = row
    query = "SELECT id, at, who, kind, data FROM events WHERE answer_id = ? ORDER BY at, id"
    events = connection.execute(query, (id,)).fetchall()
    try:
        return StoredAnswer(
            id,
            text.decode("utf-8", "surrogatepass"),
            None if maze is None else decode(loads(maze)),
            None if config is None else coerce("config", loads(config)),
            {name: coerce(name, value) for name, value in decode(loads(meta)).items()},
            added_at,
            tuple(Event(*words, decode(loads(data))) for *words, data in events),
        )
    except (KeyError, ValueError) as error:
        raise StoreError(f"Answer {id} was stored by another version of the kit ({error}): update the kit.") from error


def one_a_trial(given: Iterable[T], known: Callable[[T], tuple[str, Mapping[str, Any], str]]) -> list[T]:
    """Of those that belong to one trial the first that came whole, else the last; all others.

    `known` gives id, `extra` and outcome of each.
    """
    found: dict[str, tuple[str, T]] = {}
    for one in given:
        id, extra, outcome = known(one)
        key = extra.get(TRIAL_KEY) or id
        if key not in found or found[key][0] not in KEPT:
            found[key] = (outcome, one)
    return [one for _, one in found.values()]


def counted(answers: Iterable[StoredAnswer]) -> list[StoredAnswer]:
    """The answers that count, one a trial (`one_a_trial`)."""
    return one_a_trial(answers, lambda a: (a.id, a.meta.get("extra", {}), a.meta.get("outcome", "")))


def new_id() -> str:
    """32 hex digits: microseconds since 1970, then 72 random bits."""
    return f"{time.time_ns() // 1000:014x}{secrets.token_hex(9)}"


def now() -> str:
    """The time as ISO text that sorts (UTC, microseconds)."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def plain(text: object) -> str:
    """Text that a database column can hold; ids, names and kinds are ordinary words."""
    return str(text).encode("utf-8", "backslashreplace").decode()


def _after(last: str | None) -> str:
    """Now, or just after `last` where the clock was set back: the order of events is that of their times."""
    time = now()
    if last is None or last < time:
        return time
    return (datetime.fromisoformat(last) + timedelta(microseconds=1)).isoformat(timespec="microseconds")
