"""The one encoding of a result as strict JSON, used by the files and by the store.

`as_json` and `from_json` are each other's inverse. A metric that could not be scored is null (its reason
stands in `nan_reasons`); what JSON has no word for is written as an object with one key: a number that
is not finite as `{"$float": "nan"}`, a text with two surrogates in a row as `{"$text": base64}` (a JSON
reader would melt them into one character), a mapping whose keys are not plain text as
`{"$items": [[key, value], …]}`. A lone surrogate stands as its escape. Tuples are written as lists.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import Any

from hallumaze_kit.errors import InputError
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.records.result import FIELDS, RANGES, BenchmarkResult

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST = 14_000
"""Bits of the longest whole number: Python reads no more than 4,300 digits."""
_CONFIG_FIELDS = tuple(f.name for f in fields(MazeConfig))


def as_json(result: BenchmarkResult) -> dict[str, Any]:
    """Every field of a result as plain JSON values; `from_json` gives the same result back.

    Raises `InputError` that names the field if a value is no number, text, truth value, list or mapping of these.
    """
    return {name: _field_json(name, getattr(result, name)) for name in FIELDS}


def from_json(data: Mapping[str, Any]) -> BenchmarkResult:
    """The result that `as_json` described; keys that are no field go to `extra`.

    Fields may be missing: a number is then NaN "not given", everything else its default. Raises `InputError`
    that names the field if a value has the wrong type.
    """
    extra = dict(coerce("extra", decode(data.get("extra") or {})))
    given: dict[str, Any] = {"provider": ""}
    for key, value in data.items():
        value = decode(value)
        if key == "config" and isinstance(value, Mapping):
            unknown = {k: v for k, v in value.items() if k not in _CONFIG_FIELDS}
            if unknown:
                extra.setdefault("config", unknown)
            value = {k: v for k, v in value.items() if k in _CONFIG_FIELDS}
        if key not in FIELDS:
            extra.setdefault(key, value)
        elif key != "extra" and (value is not None or _optional(key)):
            given[key] = coerce(key, value)
    return BenchmarkResult(**given, extra=extra)


def dumps(value: Any) -> str:
    """Strict JSON on one line that any UTF-8 file can hold; `value` as `encode` or `as_json` made it."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def loads(text: str | bytes) -> Any:
    """JSON as plain values, still encoded. Raises `ValueError` that says where it breaks."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def encode(value: Any, name: str = "value") -> Any:
    """`value` as plain JSON values; `name` is what an error calls it."""
    try:
        return _encode(value)
    except TypeError as error:
        given = str(error)
    except RecursionError:
        given = "nesting without end"
    raise InputError(name, given, "made of numbers, texts, truth values, lists and mappings")


def decode(value: Any) -> Any:
    """The value that `encode` wrote."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        ((tag, held),) = value.items()
        if tag == "$float" and held in ("nan", "inf", "-inf"):
            return math.nan if held == "nan" else float(held)
        if tag == "$text" and isinstance(held, str):
            return base64.b64decode(held).decode("utf-8", "surrogatepass")
        if tag == "$items" and isinstance(held, list):
            return {_key(decode(key)): decode(item) for key, item in held}
    return {key: decode(item) for key, item in value.items()}


def coerce(name: str, value: Any) -> Any:
    """`value` as the field `name` of `BenchmarkResult` holds it, or `InputError` that names the field."""
    if value is None and _optional(name):
        return None
    return _COERCERS[_TYPES[name].removesuffix(" | None").partition("[")[0]](name, value)


def _field_json(name: str, value: Any) -> Any:
    if isinstance(value, MazeConfig):
        value = asdict(value)
    if name in RANGES and value != value:
        return None
    return encode(value, name)


def _encode(value: Any) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        if not _PAIR.search(value):
            return str(value)
        return {"$text": base64.b64encode(value.encode("utf-8", "surrogatepass")).decode()}
    if isinstance(value, int) and value.bit_length() <= _LONGEST:
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else {"$float": str(float(value))}
    if isinstance(value, list | tuple):
        return [_encode(item) for item in value]
    if isinstance(value, Mapping):
        if all(isinstance(key, str) and not key.startswith("$") and not _PAIR.search(key) for key in value):
            return {str(key): _encode(item) for key, item in value.items()}
        return {"$items": [[_encode(key), _encode(item)] for key, item in value.items()]}
    if hasattr(value, "tolist"):  # NumPy numbers and arrays
        return _encode(value.tolist())
    raise TypeError(f"{type(value).__name__}" if not isinstance(value, int) else "a number of over 4,000 digits")


def _key(value: Any) -> Any:
    return tuple(map(_key, value)) if isinstance(value, list) else value


# ---- the type of each field -------------------------------------------------------------------------------

_TYPES = {f.name: str(f.type) for f in fields(BenchmarkResult)}
_FRACTIONS = ("solution_length", "solution_moves", "dead_ends", "discards", "tokens_in", "tokens_out")
"""Whole numbers that are fractions in a group mean."""


def _optional(name: str) -> bool:
    return _TYPES[name].endswith("| None")


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise InputError(name, value, "a text")


def _truth(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value)
    raise InputError(name, value, "true or false")


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) and name == "sr":
        return float(value)
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    raise InputError(name, value, "a number")


def _whole(name: str, value: Any) -> int | float:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and math.isfinite(value):
        if value.is_integer():
            return int(value)
        if name in _FRACTIONS:
            return value
    raise InputError(name, value, "a whole number")


def _mapping(name: str, value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    raise InputError(name, value, "a mapping of names to values")


def _sequence(name: str, value: Any) -> tuple[Any, ...]:
    inner, what = (Mapping, "mappings") if "dict" in _TYPES[name] else (str, "texts")
    if isinstance(value, list | tuple) and all(isinstance(item, inner) for item in value):
        return tuple(value)
    raise InputError(name, value, f"a list of {what}")


def _config(name: str, value: Any) -> MazeConfig:
    if isinstance(value, MazeConfig):
        return value
    if isinstance(value, Mapping) and not set(value) - set(_CONFIG_FIELDS):
        return MazeConfig(**value)
    raise InputError(name, value, "a mapping of the fields of MazeConfig")


_COERCERS: dict[str, Callable[[str, Any], Any]] = {
    "str": _text, "bool": _truth, "float": _number, "int": _whole, "dict": _mapping, "tuple": _sequence,
    "list": _sequence, "MazeConfig": _config,
}  # fmt: skip
