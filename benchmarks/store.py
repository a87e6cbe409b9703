"""Answers that an `AnswerBook` acknowledges in a second, one after the other from one process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import Line, fastest, rate
from benchmarks.score import Asked, real_answers
from hallumaze_kit.store import AnswerBook

ABOUT = (
    "AnswerBook.add, answers acknowledged a second, each on the disk by then; theirs: appending the text alone to a "
    "file with fsync; ratio: of the two speeds."
)


def measure(answers: int = 300, repeats: int = 3) -> Iterator[Line]:
    """One line."""
    real = real_answers()
    asked = [real[number % len(real)] for number in range(answers)]
    with TemporaryDirectory() as folder:
        fresh = (Path(folder) / str(number) for number in range(2 * repeats))
        best = fastest({"book": lambda: _book(asked, next(fresh)), "file": lambda: _file(asked, next(fresh))}, repeats)
        took, path = best["book"]
        with AnswerBook(path) as book:
            kept = len(book)
    if kept != answers:
        raise RuntimeError(f"{answers} answers were acknowledged, {kept} are in the book.")
    ours, theirs = kept / took, answers / best["file"][0]
    yield Line("add, one answer at a time", rate(ours), rate(theirs), ours / theirs)


def _book(asked: list[Asked], path: Path) -> Path:
    with AnswerBook(path) as book:
        for maze, config, text in asked:
            book.add(text, maze=maze.to_dict(), config=config, provider="pasted")
    return path


def _file(asked: list[Asked], path: Path) -> None:
    with open(path, "ab", buffering=0) as file:
        for answer in asked:
            file.write(answer.text.encode())
            os.fsync(file.fileno())
