"""Trials that the kit did not write: the public v1.1 program's files, its flat trial lists, tables, group means.

What a file says is taken as it stands; keys that have no field go to `extra`; what it does not say is not made up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hallumaze_kit.records.result import FIELDS, METRICS

ALIASES = {
    "size": "maze_size",
    "hallucinations": "hallucination_count", "hc": "hallucination_count",
    "first_hall": "first_hallucination_step", "fhr": "first_hallucination_step",
    "bt_count": "backtrack_count", "bt": "backtrack_count",
    "lt": "loop_count",
    "score": "hallumaze_score",
    "solved": "sr",
    "signals": "metacog_signals",
    "solution_cells": "solution_length",
}  # fmt: skip
"""Names of other files, and the field each one means."""
LISTS = ("results", "raw_trials")
FAILED_CALL = "the file scores a failed call: its numbers are not measurements"


def find_trials(data: Any) -> list[Any]:
    """The list of trials in parsed JSON; empty where there is none.

    A list, or a mapping with "results", "raw_trials" or exactly one other list of trials, or one trial alone.
    """
    if isinstance(data, list):
        return data if _holds_trials(data, {}) else []
    if not isinstance(data, dict):
        return []
    for name in LISTS:
        if _holds_trials(data.get(name), data):
            return data[name]
    lists = [value for value in data.values() if _holds_trials(value, data)]
    if lists:
        return lists[0] if len(lists) == 1 else []
    return [data] if _is_trial(data, {}) else []


def _holds_trials(value: Any, around: Mapping[str, Any]) -> bool:
    return isinstance(value, list) and any(isinstance(record, dict) and _is_trial(record, around) for record in value)


def _is_trial(record: Mapping[str, Any], around: Mapping[str, Any]) -> bool:
    """A trial says who played, and at least one thing that was measured."""
    named = any(isinstance(part.get(key), str) for part in (record, around) for key in ("model", "provider"))
    return named and any(ALIASES.get(key, key) in (*METRICS, "path_valid") for key in record)


def field_names(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with the kit's names for the keys it knows; a second key for the same field keeps its own name."""
    named: dict[str, Any] = {}
    for key, value in record.items():
        name = ALIASES.get(key, key)
        named[key if name != key and (name in record or name in named) else name] = value
    return named


def complete(record: Mapping[str, Any], around: Mapping[str, Any]) -> dict[str, Any]:
    """The record with what the file around it says of every trial: maze, condition, model.

    The file's maze is left out where the record is of another one: the public program run several times keeps
    only its last maze, beside results that each carry their own solution.
    """
    known = field_names(record)
    for name in ("provider", "model"):
        if isinstance(around.get(name), str):
            known.setdefault(name, around[name])
    maze = {name: value for name, value in _file_maze(around).items() if value is not None}
    if all(known.get(name, maze.get(name)) == maze.get(name) for name in _SAME_MAZE if name in maze):
        known = maze | known
    elif isinstance(known.get("solution_path"), list):
        known.setdefault("solution_length", len(known["solution_path"]))
    known.setdefault("maze_size", None)
    if isinstance(known.get("solution_length"), int):
        known.setdefault("solution_moves", known["solution_length"] - 1)
    if isinstance(known.get("raw_response"), str) and "messages" not in known:
        known["messages"] = [{"role": "assistant", "content": known.pop("raw_response")}]
    if "hallumaze_version" in around:
        known.setdefault("conventions", "published")
    if known.get("error") and "signature" not in known and isinstance(known.get("warnings", []), list):
        known["warnings"] = [*known.get("warnings", ()), FAILED_CALL]
    return _with_condition(known, around.get("config"))


_SAME_MAZE = ("maze_size", "seed", "solution_path")


def _file_maze(around: Mapping[str, Any]) -> dict[str, Any]:
    maze = around.get("maze")
    maze = maze if isinstance(maze, dict) else {}
    return {
        "maze_size": maze.get("size", maze.get("N", around.get("size"))),
        "seed": maze.get("seed", around.get("seed")),
        "solution_length": maze.get("solution_length"),
        "dead_ends": maze.get("dead_ends"),
        "mirage_traps": maze.get("mirage_traps"),
        "solution_path": maze.get("solution_path", maze.get("solution")),
    }


def _with_condition(known: dict[str, Any], config: Any) -> dict[str, Any]:
    """Give the record its own condition: the file's, with the record's size and hint group."""
    config = known.get("config", config)
    if not isinstance(config, dict):
        return known
    if "ariadne_mode" in config:
        known.setdefault("ariadne_group", config["ariadne_mode"])
    if known["maze_size"] is None and "size" not in config:
        extra = dict(known.get("extra") or {})
        return {**known, "config": None, "extra": {"config": config} | extra}
    group = {"ariadne_mode": known["ariadne_group"]} if known.get("ariadne_group") else {}
    return {**known, "config": {"size": known["maze_size"]} | config | group}


assert set(ALIASES.values()) <= set(FIELDS)
