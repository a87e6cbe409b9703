"""Any number of models over the same mazes, in any protocol: one call, crash-proof, the kit's frame."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import queue
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hallumaze_kit.ask import FATAL, KEPT, LLM, AskError, one_line, open_model
from hallumaze_kit.errors import InputError, KitError, StoreError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.maze.engine import GENERATOR_VERSION
from hallumaze_kit.records import BenchmarkResult, MazeConfig, to_frame
from hallumaze_kit.store import AnswerBook
from hallumaze_kit.study.design import Asked, Cell, Design
from hallumaze_kit.subjects.llm import is_synthetic, named_synthetic, register_synthetic
from hallumaze_kit.trial.scoring import score_stored

if TYPE_CHECKING:
    import pandas as pd

    from hallumaze_kit.store import StoredAnswer

BOOK = "results/answers.db"
LOGS = "results/logs"
KEY = "trial_key"
_PATIENCE = 20
"""Seconds that a run is given to end once somebody interrupted it."""
DOCUMENT = MazeConfig()
"""The document's condition; it takes the size of the maze it meets."""


class RunInterrupted(KitError):
    """Somebody stopped a run; what was answered is kept, and running again goes on."""


class RunWarning(UserWarning):
    """A run did not get all that it asked for; what it got is kept."""


def run(
    models: Sequence[str | LLM] | str | LLM,
    sizes: Sequence[int] | int = (7,),
    seeds: Iterable[int] = range(5),
    conditions: Sequence[MazeConfig] | MazeConfig = DOCUMENT,
    runs: int = 1,
    **options: Any,
) -> pd.DataFrame:
    """Ask models over the same mazes and give the kit's frame, one row a trial; takes what `run_results` takes.

    >>> frame = run(["openai/gpt-4o", "synthetic/careful"], sizes=[7], seeds=range(20), runs=3)  # doctest: +SKIP
    """
    return to_frame(run_results(models, sizes, seeds, conditions, runs, **options))


def run_results(
    models: Sequence[str | LLM] | str | LLM,
    sizes: Sequence[int] | int = (7,),
    seeds: Iterable[int] = range(5),
    conditions: Sequence[MazeConfig] | MazeConfig = DOCUMENT,
    runs: int = 1,
    *,
    algorithm: str = "dfs",
    placement: str = "v1.1",
    arms: Sequence[str] = (),
    trigger: str = "loop",
    history: int | None = None,
    seed: int = 0,
    book: AnswerBook | str | os.PathLike[str] = BOOK,
    log_dir: str | os.PathLike[str] | None = LOGS,
    study: str = "",
    progress: bool = True,
    told: Callable[[BenchmarkResult], None] | None = None,
) -> list[BenchmarkResult]:
    """Ask models over the same mazes; every answer is in the book before it is scored.

    Parameters
    ----------
    models : names ("openai/gpt-4o", "synthetic/careful") or `LLM`s, no two of one name
    sizes, seeds, algorithm, placement : the mazes; every model meets each
    conditions : `MazeConfig`s; each takes the size of the maze it meets
    runs : repetitions of each trial; they differ by the seed that the model is given, where it takes one
    arms, trigger, history : see `Design`
    seed : every trial's seed is derived from it
    book : an answer book or its file. A trial whose answer stands there is not asked again, so a run that was
        interrupted or killed goes on where it was; a trial that failed (rate limit, server error …) is asked again
    log_dir : folder for Inspect's logs (`inspect view --log-dir …`); None keeps none
    study : a name for the study, kept in each record
    progress : show a bar
    told : called with each result that is newly there

    Returns the results in the order of the design, one a trial. Trials that brought no whole answer are among them:
    NaN, with the outcome and the reason. A `RunWarning` counts them by outcome.

    Raises `AskError` where a model cannot be asked at all (before anything is spent), or where none of them could be
    reached; `InputError` for a wrong argument; `StoreError` where an answer cannot be kept.
    """
    design = planned_design(models, sizes, seeds, conditions, runs, algorithm, placement, arms, trigger, history)
    cells = list(design.cells(seed))
    keys = [trial_key(cell, design) for cell in cells]
    register_synthetic()
    opened = {asked.llm.name: open_model(asked.llm) for asked in design.subjects}
    with _opened_book(book) as kept:
        here = stored_trials(kept, keys)
        missing = [i for i, key in enumerate(keys) if key not in here or here[key].meta.get("outcome") not in KEPT]
        asking = _Asking(kept, keys, here, study, told)
        with _bar(len(cells), len(cells) - len(missing), progress) as bar:
            asking.bar = bar
            if missing:
                _evaluate(missing, cells, design, opened, asking, log_dir)
        asking.report()
        known = [i for i, key in enumerate(keys) if i in asking.results or key in here]
        return [asking.results.get(i) or score_stored(here[keys[i]]) for i in known]


def planned_design(
    models: Sequence[str | LLM] | str | LLM, sizes: Sequence[int] | int, seeds: Iterable[int],
    conditions: Sequence[MazeConfig] | MazeConfig, runs: int, algorithm: str = "dfs", placement: str = "v1.1",
    arms: Sequence[str] = (), trigger: str = "loop", history: int | None = None,
) -> Design:  # fmt: skip
    """The design that `run_results` asks; `InputError` for a wrong argument."""
    llms = [LLM(m) if isinstance(m, str) else m for m in ([models] if isinstance(models, str | LLM) else models)]
    for llm in llms:
        if not isinstance(llm, LLM):
            raise InputError("models", llm, "names like 'openai/gpt-4o', or LLMs")
        if is_synthetic(llm):
            named_synthetic(llm.model)
    if not isinstance(seeds, Iterable):
        raise InputError("seeds", seeds, "a list of seeds", "range(5) are the seeds 0 to 4.")
    sizes, seeds = [sizes] if isinstance(sizes, int) else list(sizes), list(seeds)
    mazes = [MazeEngine(size, s, algorithm, placement) for size in sizes for s in seeds]
    configs = [conditions] if isinstance(conditions, MazeConfig) else list(conditions)
    return Design([Asked(llm) for llm in llms], mazes, configs, runs, arms, trigger, history)


def trial_key(cell: Cell, design: Design) -> str:
    """What a trial is, in 24 hex digits: whoever is asked in whatever way, the maze, the condition, run and seed."""
    llm: LLM = cell.subject.llm
    parts = [
        llm.name, llm.base_url.rstrip("/"), None if llm.temperature is None else float(llm.temperature), llm.effort,
        dict(llm.options), cell.maze.to_dict(), GENERATOR_VERSION,
        asdict(cell.config), cell.run, cell.seed, cell.arm, design.trigger, design.history,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:24]


def stored_trials(book: AnswerBook, keys: Sequence[str]) -> dict[str, StoredAnswer]:
    """The last answer of each trial that is kept, by key."""
    wanted = set(keys)
    found: dict[str, StoredAnswer] = {}
    for answer in book.answers():
        key = answer.meta.get("extra", {}).get(KEY)
        if key in wanted and (key not in found or found[key].meta.get("outcome") not in KEPT):
            found[key] = answer
    return found


class _Asking:
    """A run under way: it keeps answers, counts outcomes, and stops what cannot go on."""

    def __init__(
        self, book: AnswerBook, keys: Sequence[str], here: dict[str, StoredAnswer], study: str,
        told: Callable[[BenchmarkResult], None] | None,
    ) -> None:  # fmt: skip
        self.book, self.keys, self.here, self.study, self.told = book, keys, here, study, told
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
            "extra": known.get("extra", {}) | {KEY: self.keys[index]},
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
        self.fault = self.fault or one_line(f"{type(error).__name__}: {error}")

    def done(self, index: int, result: BenchmarkResult) -> None:
        """A trial is scored."""
        self.results[index] = result
        self._news.put(result)

    def kept(self) -> str:
        """Where the answers are and how to go on."""
        return f"What was answered is kept in {self.book.path}; run the same again to ask the rest."

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


def _evaluate(
    missing: Sequence[int], cells: Sequence[Cell], design: Design, opened: dict[str, Any], asking: _Asking,
    log_dir: str | os.PathLike[str] | None,
) -> None:  # fmt: skip
    """Have Inspect ask the missing trials, one task a model, all at once."""
    from hallumaze_kit.study.tasks import evaluate, planned_task

    tasks = []
    for name, model in opened.items():
        mine = [(i, cells[i]) for i in missing if cells[i].subject.llm.name == name]
        if mine:
            tasks.append(planned_task(mine, design, model, asking))
    most = max(cell.subject.llm.max_connections for cell in cells)
    logs, interrupted = _watched(lambda: evaluate(tasks, log_dir, most), asking)
    if interrupted:
        done = f"{len(asking.results)} of {len(missing)} trials were asked"
        raise RunInterrupted(f"The run was interrupted: {done}. {asking.kept()}")
    wrong = next((one_line(log.error.message) for log in logs if log.status == "error" and log.error), asking.fault)
    if wrong and not asking.broken:
        raise KitError(f"The run stopped: {wrong}. {asking.kept()}")


def _watched(evaluate: Callable[[], list[Any]], asking: _Asking) -> tuple[list[Any], bool]:
    """Run an evaluation in a thread, so that it does not matter whether a loop runs here (as in Jupyter).

    Results are heard here as they come. Returns the logs and whether somebody interrupted.
    """
    logs: list[Any] = []
    raised: list[BaseException] = []

    def work() -> None:
        try:
            logs.extend(evaluate())
        except BaseException as error:
            raised.append(error)

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    interrupted = False
    try:
        while worker.is_alive():
            asking.hear(0.1)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        if worker.is_alive():
            asking.stop()
            worker.join(_PATIENCE)
    asking.hear(0)
    if raised and isinstance(raised[0], OSError):
        why = raised[0].strerror or raised[0]
        raise StoreError(f"The run stopped: {why}. {asking.kept()}") from None
    if raised and not interrupted:
        raise raised[0]
    return logs, interrupted


@contextlib.contextmanager
def _opened_book(book: AnswerBook | str | os.PathLike[str]) -> Iterator[AnswerBook]:
    if isinstance(book, AnswerBook):
        yield book
        return
    path = Path(book)
    path.parent.mkdir(parents=True, exist_ok=True)
    with AnswerBook(path) as opened:
        yield opened


def _bar(total: int, initial: int, shown: bool) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without ipywidgets tqdm warns and shows a bar of text, which will do
        from tqdm.auto import tqdm
    return tqdm(total=total, initial=initial, desc="answers", disable=not shown)
