"""`read_file`: the answers in a chosen file."""

from __future__ import annotations

import codecs
import json
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from hallumaze_kit.errors import FileError, InputError
from hallumaze_kit.panels.batch.exports import Said, answers
from hallumaze_kit.panels.batch.pasted import LARGEST, Pasted
from hallumaze_kit.panels.batch.splitting import split_batch

KINDS = (".txt", ".md", ".json", ".jsonl")
_MAGIC = {
    b"%PDF": "a PDF",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"GIF8": "an image",
    b"RIFF": "an image or a sound",
    b"PK\x03\x04": "a packed file (.zip, .docx, .xlsx)",
    b"\x1f\x8b": "a packed file (.gz)",
    b"\xd0\xcf\x11\xe0": "an old Office file",
    b"SQLite format 3": "a database",
}
_MEND = "Save it as .txt or .md, or paste its text."
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\f\r\x1b")
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def read_file(name: str, data: bytes) -> list[Pasted]:
    """The answers in a file of the given name and content, in order; at least one.

    .txt, .md and other text go through `split_batch`. .json and .jsonl may be an export of ChatGPT or Claude, a saved
    AI Studio prompt, a list of messages, a response of a provider's API, a list of texts, or a list of records with a
    text field ("answer", "response", "text", "output", "응답" …); unknown keys are ignored. Text is UTF-8, UTF-16 with
    a byte order mark, or CP949.

    Raises `FileError`, one sentence, for a file that is empty, larger than `LARGEST`, no text, broken JSON, JSON
    without an answer, or a file that the kit wrote itself; `InputError` if `data` is not bytes.
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise InputError("data", data, "the bytes of a file")
    data, shown = bytes(data), PurePath(name).name[:80]
    if len(data) > LARGEST:
        limit = f"{len(data):,} bytes, more than the {LARGEST:,} that are read"
        raise FileError(f"{shown} has {limit}: take the conversations with maze answers out of it.")
    text = _text(shown, data)
    if not text.strip():
        raise FileError(f"{shown} is empty: choose a file that holds an answer.")
    kind = PurePath(name).suffix.lower()
    if kind not in (".json", ".jsonl", ".ndjson"):
        return split_batch(text, name)
    found = _answers_of(shown, _lines_of_json(shown, text) if kind != ".json" else _json(shown, text))
    pasted = [one for said in found for one in _pasted(said, name)]
    if not pasted:
        known = "a chat export, a list of messages, an API response or records with an answer field"
        raise FileError(f"{shown} holds no answer that could be found: it should be {known}.")
    return [replace(one, number=number) for number, one in enumerate(pasted, 1)]


def _text(shown: str, data: bytes) -> str:
    """The text of the bytes; `FileError` if they are none."""
    for magic, what in _MAGIC.items():
        if data.startswith(magic):
            raise FileError(f"{shown} is {what} and not text. {_MEND}")
    encodings = [encoding for bom, encoding in _BOMS if data.startswith(bom)] or ["utf-8", "cp949"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text and _is_written(data, encoding):
            return text
    raise FileError(f"{shown} is no text in UTF-8, UTF-16 or CP949. {_MEND}")


def _is_written(data: bytes, encoding: str) -> bool:
    """Do bytes hold next to no control characters, as text does? (UTF-16 has a mark that says what it is.)"""
    controls = len(data) - len(data.translate(None, _CONTROLS))
    return encoding == "utf-16" or controls <= 8 + len(data) // 100


def _json(shown: str, text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise FileError(f"{shown} is nested too deeply to be read: it is no export of a chat.") from None
    except ValueError as error:
        try:
            return _lines_of_json(shown, text)  # JSON lines under the name .json
        except FileError:
            pass
        where = f" (line {error.lineno}: {error.msg})" if isinstance(error, json.JSONDecodeError) else ""
        broken = f"{shown} is broken JSON{where}"
    raise FileError(f"{broken}: export it again, or paste its text.")


def _lines_of_json(shown: str, text: str) -> list[Any]:
    values = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            values.append(json.loads(line))
        except RecursionError:
            raise FileError(f"{shown} is nested too deeply to be read: it is no export of a chat.") from None
        except ValueError:
            raise FileError(f"{shown} has broken JSON in line {number}: export it again, or paste its text.") from None
    return values


def _answers_of(shown: str, value: Any) -> list[Said]:
    if _is_own(value):
        raise FileError(
            f"{shown} was written by this kit: import it (AnswerBook.import_jsonl, read_results) instead of pasting it."
        )
    return answers(value)


def _is_own(value: Any) -> bool:
    """A result file, or a line of an exported answer book."""
    if isinstance(value, list) and value:
        return _is_own(value[0])
    if not isinstance(value, dict):
        return False
    book = value.get("format") == "hallumaze answer book" or {"id", "text", "config", "meta", "added_at"} <= set(value)
    return book or "hallumaze_version" in value


def _pasted(said: Said, name: str) -> list[Pasted]:
    """A text that stands alone may hold several answers or its prompt; one that the file names an answer is one."""
    if said.alone:
        parts = split_batch(said.text, name)
        return [replace(part, model=part.model or said.model, date=said.date) for part in parts]
    return [Pasted(said.text, said.prompt, said.model, name, 1, said.date, said.seed, said.size)]
