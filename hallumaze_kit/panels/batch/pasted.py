"""`Pasted`: one answer out of a pasted text or a file, before it is known which maze it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

LARGEST = 20_000_000
"""Most characters of a pasted text, and most bytes of a file."""


@dataclass(frozen=True)
class Pasted:
    """One answer as it was found.

    text    the answer, character for character; "" where a prompt has no answer after it
    prompt  what the subject was asked before it, "" if unknown
    model   as the text or file names it, "" if unknown
    source  the file's name, or "pasted text"
    number  1, 2, … in its source
    date    "2025-06-30", "" if unknown
    seed    of the maze, where a file states it in a field beside the answer
    size    likewise
    """

    text: str
    prompt: str = ""
    model: str = ""
    source: str = "pasted text"
    number: int = 1
    date: str = ""
    seed: int | None = None
    size: int | None = None
