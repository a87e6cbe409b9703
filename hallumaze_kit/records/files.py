"""Result files: JSON as section 11 of the v1.1 document prints it, v1.1's CSV, and the files of others."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from hallumaze_kit import __version__
from hallumaze_kit.errors import FileError, InputError
from hallumaze_kit.records import foreign
from hallumaze_kit.records.atomic import as_path, write_whole
from hallumaze_kit.records.codec import as_json, dumps, encode, from_json, loads
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.records.frames import COLUMNS, CONFIG_COLUMNS, listed, row
from hallumaze_kit.records.result import FIELDS, LISTS, NESTED, TUPLES, BenchmarkResult

VERSION = "1.1"
"""Version of the v1.1 document whose section 11 the JSON follows."""
_MISSING = ("", "nan", "na", "n/a", "none", "null")


# ---- writing ----------------------------------------------------------------------------------------------


def write_json(
    results: Iterable[BenchmarkResult], path: str | os.PathLike[str], config: MazeConfig | None = None
) -> Path:
    """Write results as the JSON of section 11, one record a line; `read_results` gives the same results back.

    Beside section 11's keys (`hallumaze_version`, `timestamp`, `maze`, `config`, `results`) stand `kit_version` and
    `mazes`: every maze once, with section 11's fields, `solution_moves`, `maze_id`, `maze_key` and under `engine` all
    that `MazeEngine.from_dict` needs. `maze` is the first of them; a result names its own by `maze_key`, since
    two mazes may share their walls (`maze_id`) and differ in lures or seed. `config` is the given condition, else
    the first result's; each result carries its own too. `timestamp` is that of the latest result, else now. A
    number that could not be scored is null, and `nan_reasons` says why.

    The file is written whole or not at all. Raises `FileError` if it cannot be written or `path` is an
    answer book, `InputError` if there is no result or a field holds what JSON cannot.
    """
    results = _checked(results)
    if config is not None and not isinstance(config, MazeConfig):
        raise InputError("config", config, "a MazeConfig")
    mazes: dict[str, dict[str, Any]] = {}
    records = []
    for result in results:
        record = as_json(result)
        summary = _maze_summary(result, record.pop("maze"))
        key = hashlib.sha256(json.dumps(summary, sort_keys=True).encode()).hexdigest()[:16]
        mazes.setdefault(key, {"maze_key": key} | summary)
        records.append({"maze_key": key} | record)
    condition = config or results[0].config
    head = {
        "hallumaze_version": VERSION,
        "kit_version": __version__,
        "timestamp": max(r.timestamp for r in results) or datetime.now().isoformat(timespec="seconds"),
        "maze": next(iter(mazes.values())),
        "config": asdict(condition) if condition else None,
    }
    lines = [f"  {dumps(name)}: {dumps(value)},\n" for name, value in head.items()]
    text = "{\n" + "".join(lines) + _lines("mazes", mazes.values()) + ",\n" + _lines("results", records) + "\n}\n"
    return write_whole(path, text.encode())


def write_csv(results: Iterable[BenchmarkResult], path: str | os.PathLike[str]) -> Path:
    """Write results as a UTF-8 table, one row a trial: v1.1's columns first, then the rest of `to_frame`'s.

    What is missing is an empty cell. Nested fields (messages, decisions, the maze) need `write_json`. The file is
    written whole or not at all. Raises `FileError` if it cannot be written, `InputError` if there is no result.
    """
    table = io.StringIO(newline="")
    writer = csv.writer(table)
    writer.writerow(COLUMNS)
    for result in _checked(results):
        cells = row(result)
        writer.writerow("" if cells[name] != cells[name] else cells[name] for name in COLUMNS)
    return write_whole(path, table.getvalue().encode("utf-8", "backslashreplace"))


def _checked(results: Iterable[BenchmarkResult]) -> list[BenchmarkResult]:
    results = listed(results)
    if not results:
        raise InputError("results", results, "at least one BenchmarkResult", "Score an answer first.")
    return results


def _lines(name: str, values: Iterable[Any]) -> str:
    return f"  {dumps(name)}: [\n" + ",\n".join(f"    {dumps(value)}" for value in values) + "\n  ]"


def _maze_summary(result: BenchmarkResult, engine: dict[str, Any] | None) -> dict[str, Any]:
    """What section 11 says of a maze; `engine` is the result's maze as JSON, or None where only figures are known."""
    maze = engine or encode({name: result.extra.get(name) for name in ("mirage_traps", "solution_path")}, "extra")
    solution = maze.get("solution", maze.get("solution_path"))
    lures = maze.get("lures")
    cells = len(solution) if isinstance(solution, list) else result.solution_length
    return {
        "maze_id": result.maze_id,
        "size": maze.get("size", result.maze_size),
        "seed": maze.get("seed", result.seed),
        "solution_length": cells,
        "solution_moves": result.solution_moves if cells is None else cells - 1,
        "dead_ends": maze.get("dead_ends", result.dead_ends),
        "mirage_traps": len(lures) if isinstance(lures, list) else maze.get("mirage_traps"),
        "solution_path": solution,
        "engine": engine,
    }


# ---- reading ----------------------------------------------------------------------------------------------


def read_results(path: str | os.PathLike[str]) -> list[BenchmarkResult]:
    """Results of a JSON or CSV file, in its order.

    Read are the kit's own files; the public program's v1.1 JSON and CSV; its flat trial lists (a list of trials, or a
    mapping with "results", "raw_trials" or one other list of trials); tables with short names (`hc fhr bt lt score
    solution_cells`); group means of people, one or a list, with the names of `BenchmarkResult`. Numbers that a file
    does not give are NaN with the reason "not given", keys that have no field go to `extra`. A trial whose call failed
    keeps the numbers that the file gives it, with a warning.

    Raises `FileError`, one sentence that says what is wrong, where, and how to go on: also for a number outside its
    range (an SR of 2) by more than rounding explains.
    """
    path = as_path(path)
    text = _text(path)
    if text.lstrip()[0] not in "{[" and path.suffix.lower() != ".json":
        return [_build(path, n, foreign.complete(record, {})) for n, record in enumerate(_table(path, text), 1)]
    data = _json(path, text)
    if isinstance(data, dict) and "kit_version" in data:
        return _own(path, data)
    trials = foreign.find_trials(data)
    if not trials:
        raise FileError(
            f"{path} holds no results: give a list of trials that each name a model or provider and "
            "at least one measure such as mei."
        )
    around = data if isinstance(data, dict) and trials[0] is not data else {}
    return [_build(path, n, _completed(path, n, trial, around)) for n, trial in enumerate(trials, 1)]


def _json(path: Path, text: str) -> Any:
    try:
        return loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise FileError(f"{path} is not JSON ({error.msg} at {where}): mend that place or save it again.") from error
    except ValueError as error:
        raise FileError(f"{path} is JSON that cannot be read ({error}): save it again.") from error


def _text(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        raise FileError(f"{path} does not exist: check the name and the folder ({Path.cwd()}).") from error
    except IsADirectoryError as error:
        raise FileError(f"{path} is a folder: name a file in it.") from error
    except OSError as error:
        raise FileError(f"{path} cannot be read ({error.strerror}): check the name and who may read it.") from error
    except UnicodeDecodeError as error:
        raise FileError(
            f"{path} is not UTF-8 text (byte {error.start + 1} cannot be read): save it again as UTF-8."
        ) from error
    if not text.strip():
        raise FileError(f"{path} is empty: write the results again or choose another file.")
    return text


def _own(path: Path, data: dict[str, Any]) -> list[BenchmarkResult]:
    records, mazes = data.get("results"), data.get("mazes")
    if not isinstance(records, list) or not records or not isinstance(mazes, list):
        raise FileError(f'{path} holds no results: it needs the lists "results" and "mazes", neither of them empty.')
    engines = {maze.get("maze_key"): maze.get("engine") for maze in mazes if isinstance(maze, dict)}
    results = []
    for number, record in enumerate(records, 1):
        if not isinstance(record, dict) or record.get("maze_key") not in engines:
            raise FileError(
                f'{path}, record {number} names no maze of the list "mazes" by its maze_key: '
                "take the file as it was written."
            )
        fields = {name: value for name, value in record.items() if name != "maze_key"}
        results.append(_build(path, number, fields | {"maze": engines[record["maze_key"]]}))
    return results


def _completed(path: Path, number: int, trial: Any, around: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(trial, dict):
        raise FileError(f"{path}, record {number} is not a mapping of names to values: take it out or mend it.")
    return foreign.complete(trial, around)


def _build(path: Path, number: int, record: dict[str, Any]) -> BenchmarkResult:
    try:
        return from_json(record)
    except InputError as error:
        raise FileError(f"{path}, record {number}: {str(error).rstrip('.')}; mend that record.") from error


# ---- tables -----------------------------------------------------------------------------------------------


def _table(path: Path, text: str) -> list[dict[str, Any]]:
    """The rows of a CSV, by column name, as the values they stand for."""
    lines = _csv_lines(path, text)
    header = [name.strip() for name in next(lines, (1, []))[1]]
    if not {"model", "provider"} & set(header) or len(set(header)) < len(header):
        raise FileError(
            f"{path} is not a table of results: its first line must name the columns, each once, "
            "with model or provider among them."
        )
    records = []
    for line, cells in lines:
        if len(cells) != len(header):
            raise FileError(
                f"{path}, line {line} has {len(cells)} cells where the first line has {len(header)}: "
                "mend that line or save it again."
            )
        records.append(_cells(dict(zip(header, cells, strict=True))))
    if not foreign.find_trials(records):
        raise FileError(f"{path} holds no results: it needs a row, and at least one measure such as mei.")
    return records


def _csv_lines(path: Path, text: str) -> Iterator[tuple[int, list[str]]]:
    limit = csv.field_size_limit(2**31 - 1)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for cells in reader:
            if any(cells):
                yield reader.line_num, cells
    except csv.Error as error:
        where = f"line {reader.line_num}"
        raise FileError(f"{path} is not CSV ({error} at {where}): mend that line or save it again.") from error
    finally:
        csv.field_size_limit(limit)


def _cells(cells: dict[str, str]) -> dict[str, Any]:
    record: dict[str, Any] = {}
    config = {name: _plain(cells[name]) for name in CONFIG_COLUMNS if cells.get(name)}
    for column, cell in cells.items():
        name = foreign.ALIASES.get(column, column)
        if name in CONFIG_COLUMNS:
            continue
        if name in (*TUPLES, *LISTS) and name not in NESTED:
            record[column] = cell.split("; ") if cell else []
        elif name in FIELDS and name not in NESTED and not isinstance(_DEFAULTS[name], str):
            record[column] = None if cell.strip().lower() in _MISSING else _plain(cell)
        elif name in NESTED:
            record |= {f"{column} (text)": cell} if cell else {}
        else:
            record[column] = cell
    return record | ({"config": config} if config else {})


_DEFAULTS = asdict(BenchmarkResult(provider=""))


def _plain(cell: str) -> Any:
    """The number or truth value that a cell stands for; the cell itself if it is neither."""
    word = cell.strip().lower()
    if word in ("true", "false"):
        return word == "true"
    try:
        return int(word) if re.fullmatch(r"[+-]?[0-9]+", word) else float(word) if "_" not in word else cell
    except ValueError:
        return cell
