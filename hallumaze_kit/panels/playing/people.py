"""What comes out of the books in which people played: their results, who came how far, a book without the withdrawn."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import FileError, InputError
from hallumaze_kit.panels.playing.log import is_withdrawn
from hallumaze_kit.panels.trials.hints import PLAYED
from hallumaze_kit.records import BenchmarkResult, read_results
from hallumaze_kit.records.atomic import as_path
from hallumaze_kit.store import AnswerBook
from hallumaze_kit.store.rows import ENROLLED

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "study", "provider", "participant", "number", "group", "language", "check_attempts", "games", "last", "withdrawn",
)  # fmt: skip
"""Columns of `attendance`."""


def read_people(paths: Iterable[str | os.PathLike[str]], practice: bool = False) -> list[BenchmarkResult]:
    """The results of real people in these files: answer books, or what `write_json` and `write_csv` wrote.

    Left out are synthetic players, models, what was withdrawn, and practice unless it is asked for. Raises `FileError`
    or `StoreError` for a file that cannot be read.
    """
    found = []
    for path in map(as_path, paths):
        if path.suffix in (".json", ".csv"):
            found += read_results(path)
        elif not path.is_file():
            raise FileError(f"{path} is not there: name an answer book, or a JSON or CSV file of results.")
        else:
            with AnswerBook(path) as book:
                found += book.results()
    people = [result for result in found if result.subject_kind == "human" and not result.withdrawn]
    return [result for result in people if practice or not result.practice]


def attendance(book: AnswerBook) -> pd.DataFrame:
    """Who took part and how far they came: one row a person of any study, synthetic players too.

    study, provider, participant, number (from 0), group, language, check_attempts, games (finished; practice is left
    out, a walk before a hint and the one after it are one), last (time of the last key, ISO, UTC), withdrawn.
    """
    import pandas as pd

    people: dict[tuple[str, str], dict[str, Any]] = {}
    for row in book.answers(include_deleted=True, channel=PLAYED):
        meta = row.meta
        key = (meta["study"], meta["participant"])
        if meta["outcome"] == ENROLLED:
            play = meta["extra"]["play"]
            people[key] = dict.fromkeys(COLUMNS) | {
                "study": key[0], "provider": meta["provider"], "participant": key[1], "number": play["number"],
                "group": play["group"], "language": play["language"], "check_attempts": len(play["checks"]),
                "games": set(), "last": "", "withdrawn": is_withdrawn(row),
            }  # fmt: skip
        if meta["outcome"] == "answered" and not meta["practice"]:
            people[key]["games"].add(meta["trial_index"])
        people[key]["last"] = max([people[key]["last"], row.added_at, *(event.at for event in row.events)])
    listed = [person | {"games": len(person["games"])} for person in people.values()]
    return pd.DataFrame(listed, columns=list(COLUMNS))


def without_withdrawn(book: AnswerBook, path: Path | str) -> int:
    """Write a new book without what people took back, logs included; return how many rows it holds.

    The old file keeps everything, as every answer book does: delete it to erase what was withdrawn. Raises
    `InputError` if there is a file at `path` already.
    """
    target = Path(path)
    if target.exists():
        raise InputError("path", str(path), "the name of a file that does not exist yet")
    gone = {row.id for row in book.answers(include_deleted=True) if is_withdrawn(row)}
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "book.jsonl"
        book.export_jsonl(lines)
        head, *rows = lines.read_text("utf-8").splitlines()
        kept = [row for row in rows if json.loads(row)["id"] not in gone]
        lines.write_text("\n".join([head, *kept]), "utf-8")
        with AnswerBook(target) as new:
            return new.import_jsonl(lines)[0] if kept else 0
