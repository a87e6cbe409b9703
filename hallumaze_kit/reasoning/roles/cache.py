"""Replies on disk, so that nothing is asked (and paid) twice and a broken run goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from hallumaze_kit.errors import FileError


class ReplyCache:
    """Answers by what was asked, a JSON line each; written as they come.

    A line that was cut off by a crash is passed over and asked again. Only whole answers are kept. One process at
    a time.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = None if path is None else Path(path)
        self.held: dict[str, str] = {}
        if self.path is None or not self.path.exists():
            return
        try:
            text = self.path.read_text("utf-8", errors="replace")
        except OSError as error:
            raise FileError(f"{self.path} cannot be read: {error.strerror}") from None
        self._cut = bool(text) and not text.endswith("\n")
        for line in text.splitlines():
            try:
                row = json.loads(line)
                self.held[str(row["key"])] = str(row["text"])
            except (ValueError, TypeError, KeyError):
                continue

    _cut = False

    def get(self, key: str) -> str | None:
        """The answer to what was asked, None if it was not."""
        return self.held.get(key)

    def put(self, key: str, text: str) -> None:
        """Keep an answer, on disk before it is used."""
        self.held[key] = text
        if self.path is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(
                    ("\n" if self._cut else "") + json.dumps({"key": key, "text": text}, ensure_ascii=False) + "\n"
                )
        except OSError as error:
            raise FileError(f"{self.path} cannot be written: {error.strerror}") from None
        self._cut = False


def key_of(model: str, messages: Sequence[Mapping[str, str]], max_tokens: int) -> str:
    """A key for what is asked of whom: SHA-256 of model, limit and messages."""
    asked = json.dumps([model, max_tokens, [dict(message) for message in messages]], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(asked.encode("utf-8")).hexdigest()
