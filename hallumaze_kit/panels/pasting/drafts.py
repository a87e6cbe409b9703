"""Texts that are typed or pasted but not stored as answers yet: on the disk from the first letter on."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from hallumaze_kit.records.atomic import write_whole


class Draft(NamedTuple):
    """A text that was not stored: its file's name, when it was written (ISO, local), the text, where it came from."""

    name: str
    at: str
    text: str
    source: str = ""


class Drafts:
    """The drafts beside an answer book, one file each; several panels may use one folder."""

    def __init__(self, book: Path, now: Callable[[], datetime] = datetime.now) -> None:
        self.folder = book.with_name(f"{book.name}.drafts")
        self._now = now

    def keep(self, name: str, text: str, source: str = "") -> None:
        """Write a draft in place of an earlier one of this name; an empty text takes it away. Raises `FileError`."""
        if not text:
            self.drop(name)
            return
        kept = {"at": self._now().isoformat(timespec="seconds"), "text": text, "source": source}
        write_whole(self.folder / f"{name}.json", json.dumps(kept, ensure_ascii=True).encode())

    def drop(self, name: str) -> None:
        """Take a draft away: its text is stored elsewhere, or nobody wants it."""
        (self.folder / f"{name}.json").unlink(missing_ok=True)

    def listed(self) -> list[Draft]:
        """All drafts, the oldest first; a file that cannot be read is left alone."""
        found = []
        for path in self.folder.glob("*.json") if self.folder.is_dir() else ():
            try:
                kept = json.loads(path.read_bytes())
                found.append(Draft(path.stem, str(kept["at"]), str(kept["text"]), str(kept.get("source", ""))))
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return sorted(found, key=lambda draft: (draft.at, draft.name))


def new_name() -> str:
    """A name for a draft that no other panel has."""
    return secrets.token_hex(8)
