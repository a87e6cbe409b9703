"""A run under way: what it keeps, what it counts, what stops it."""

from __future__ import annotations

import contextlib
import queue
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from hallumaze_kit.ask import FATAL, KEPT, AskError, one_line
from hallumaze_kit.ask.secrets import cleaned, known_secrets
from hallumaze_kit.errors import KitError, StoreError
from hallumaze_kit.records import BenchmarkResult
from hallumaze_kit.store import TRIAL_KEY, AnswerBook
from hallumaze_kit.study.design import Cell

if TYPE_CHECKING:
    from hallumaze_kit.store import StoredAnswer


class RunInterrupted(KitError):
    """Somebody stopped a run; what was answered is kept, and running again goes on."""


class RunWarning(UserWarning):
    """A run did not get all that it asked for; what it got is kept."""


def kept_in(book: object) -> str:
    """Where the answers are and how to go on."""
    return f"What was answered is kept in {book}; run the same again to ask the rest."


class Asking:
    """A run under way: it keeps answers, counts outcomes, and stops what cannot go on."""

    def __init__(
        self, book: AnswerBook, keys: Sequence[str], here: dict[str, StoredAnswer], study: str,
        told: Callable[[BenchmarkResult], None] | None, secrets: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.book, self.keys, self.here, self.study, self.told = book, keys, here, study, told
        self.secrets = known_secrets(secrets)
        self.results: dict[int, BenchmarkResult] = {}
        self.stopped: dict[str, str] = {}
        self.broken: KitError | None = None
        self.fault = ""
        self.bar: Any = None
        self._news: queue.Queue[BenchmarkResult] = queue.Queue()
        self._running: dict[Any, Any] = {}
        self._stopping = False

    def going(self, model: str) -> bool:
        """Whether the model is still to be asked."""
        return model not in self.stopped and self.broken is None and not self._stopping

    def wanted(self) -> bool:
        """False once nothing more is to be asked."""
        return not self._stopping

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """A trial that `stop` breaks off."""
        import asyncio

        import anyio

        with anyio.CancelScope() as scope:
            self._running[scope] = asyncio.get_running_loop()
            try:
                yield
            finally:
                del self._running[scope]

    def stop(self) -> None:
        """Ask nothing more, and wait for no answer."""
        self._stopping = True
        for scope, loop in list(self._running.items()):
            loop.call_soon_threadsafe(scope.cancel)

    def hear(self, seconds: float) -> None:
        """Show and tell what is newly there, waiting for it at most so long."""
        try:
            while True:
                result = self._news.get(timeout=seconds) if seconds else self._news.get_nowait()
                self.bar.update()
                if self.told:
                    self.told(result)
        except queue.Empty:
            return

    def keep(self, cell: Cell, index: int, text: str, known: dict[str, Any]) -> dict[str, Any]:
        """Put an answer in the book; what is known of it, with its id."""
        before = self.here.get(self.keys[index])
        now = datetime.now(UTC)
        known = known | {
            "extra": known.get("extra", {}) | {TRIAL_KEY: self.keys[index]},
            "attempt": before.meta.get("attempt", 1) + 1 if before else 1,
            "date": now.date().isoformat(),
            "timestamp": now.isoformat(timespec="seconds"),
            "study": self.study,
        }
        if known["outcome"] in FATAL:
            self.stopped[f"{cell.subject.provider}/{cell.subject.name}"] = f"{known['outcome']}: {known['error']}"
        try:
            id = self.book.add(text, maze=cell.maze.to_dict(), config=cell.config, **known)
            if before:
                self.book.mark_deleted(before.id, f"failed, and asked again: {id}")
        except StoreError as error:
            self.broken = self.broken or error
            raise
        return known | {"answer_id": id}

    def failed(self, error: Exception) -> None:
        """A trial broke off by a fault that is no outcome of asking."""
        self.fault = self.fault or one_line(cleaned(f"{type(error).__name__}: {error}", self.secrets))

    def done(self, index: int, result: BenchmarkResult) -> None:
        """A trial is scored."""
        self.results[index] = result
        self._news.put(result)

    def kept(self) -> str:
        """Where the answers are and how to go on."""
        return kept_in(self.book.path)

    def report(self) -> None:
        """Raise what ended the run, or warn of what it did not get."""
        if self.broken:
            raise self.broken
        told = [f"{model} cannot be asked ({why})." for model, why in self.stopped.items()]
        counts = Counter(result.outcome for result in self.results.values())
        before = any(answer.meta.get("outcome") in KEPT for answer in self.here.values())
        if told and not before and not any(counts[outcome] for outcome in KEPT):
            raise AskError(" ".join([*told, self.kept()]))
        del counts["answered"]
        if counts:
            lost = ", ".join(f"{n} × {outcome}" for outcome, n in sorted(counts.items()))
            told.append(f"Not every trial brought a whole answer: {lost}.")
        if told:
            warnings.warn(" ".join([*told, self.kept()]), RunWarning, stacklevel=4)
