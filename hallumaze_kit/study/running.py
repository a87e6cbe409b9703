"""Any number of models over the same mazes, in any protocol: one call, crash-proof, the kit's frame."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hallumaze_kit.ask import KEPT, LLM, key_variable, one_line, open_model, options_set
from hallumaze_kit.ask.secrets import check_plain
from hallumaze_kit.errors import FileError, InputError, KitError, StoreError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.maze.engine import GENERATOR_VERSION
from hallumaze_kit.records import BenchmarkResult, MazeConfig, to_frame
from hallumaze_kit.store import TRIAL_KEY, AnswerBook
from hallumaze_kit.study.asking import Asking, RunInterrupted, kept_in
from hallumaze_kit.study.asking import RunWarning as RunWarning
from hallumaze_kit.study.design import Asked, Cell, Design
from hallumaze_kit.subjects.llm import is_synthetic, named_synthetic, register_synthetic
from hallumaze_kit.trial.scoring import score_stored

if TYPE_CHECKING:
    import pandas as pd

    from hallumaze_kit.store import StoredAnswer

BOOK = "results/answers.db"
LOGS = "results/logs"
_PATIENCE = 20
"""Seconds that a run is given to end once somebody interrupted it."""
_SYSTEM = re.compile(r"(?:OS|IO|Permission|FileNotFound|NotADirectory|IsADirectory|FileExists)Error\(")
"""How Inspect tells an error of the system that ended a task: by its repr."""
_ONE = threading.Lock()
"""Inspect evaluates once at a time in a process; a run that was interrupted may still be ending."""
_OTHER_LOGS = "Choose another log_dir, or None to keep no logs."
DOCUMENT = MazeConfig()
"""The document's condition; it takes the size of the maze it meets."""


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
        interrupted or killed goes on where it was; a trial that failed (rate limit, server error …) is asked again.
        One run at a time asks for a book
    log_dir : folder for Inspect's logs (`inspect view --log-dir …`); None keeps none
    study : a name for the study, kept in each record
    progress : show a bar
    told : called with each result that is newly there

    Returns the results in the order of the design, one a trial. Trials that brought no whole answer are among them:
    NaN, with the outcome and the reason. A `RunWarning` counts them by outcome.

    Raises `AskError` where a model cannot be asked at all (before anything is spent), or where none of them could be
    reached; `InputError` for a wrong argument; `BookBusy` while another run asks for the same book; `StoreError` where
    an answer cannot be kept; `FileError` for a log folder that cannot be written; `RunInterrupted` on Ctrl-C.
    """
    design = planned_design(models, sizes, seeds, conditions, runs, algorithm, placement, arms, trigger, history)
    secrets = [os.environ.get(key_variable(asked.llm), "") for asked in design.subjects]
    check_plain("study", study, secrets)
    cells = list(design.cells(seed))
    keys = [trial_key(cell, design) for cell in cells]
    try:
        register_synthetic()
        opened = {asked.llm.name: open_model(asked.llm) for asked in design.subjects}
        with _opened_book(book) as kept, contextlib.ExitStack() as turn:
            here, missing = _state(kept, keys)
            if missing:
                turn.enter_context(kept.one_run())
                _check_folder(log_dir)
                here, missing = _state(kept, keys)  # another run may have asked until just now
            asking = Asking(kept, keys, here, study, told, secrets)
            with _bar(len(cells), len(cells) - len(missing), progress) as bar:
                asking.bar = bar
                if missing:
                    _evaluate(missing, cells, design, opened, asking, log_dir)
            asking.report()
            known = [i for i, key in enumerate(keys) if i in asking.results or key in here]
            return [asking.results.get(i) or _reused(here[keys[i]], i, study) for i in known]
    except KeyboardInterrupt:
        path = book.path if isinstance(book, AnswerBook) else book
        raise RunInterrupted(f"The run was interrupted. {kept_in(path)}") from None


def _state(book: AnswerBook, keys: Sequence[str]) -> tuple[dict[str, StoredAnswer], list[int]]:
    """The answers that are there, and the numbers of the trials that are still to be asked."""
    here = stored_trials(book, keys)
    return here, [i for i, key in enumerate(keys) if key not in here or here[key].meta.get("outcome") not in KEPT]


def _reused(answer: StoredAnswer, index: int, study: str) -> BenchmarkResult:
    """The result of an answer that was there before, as a trial of this run."""
    return score_stored(answer).replace(trial_index=index, study=study)


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
        options_set(llm), cell.maze.to_dict(), GENERATOR_VERSION,
        asdict(cell.config), cell.run, cell.seed, cell.arm, *_used(cell.config, design),
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:24]


def _used(config: MazeConfig, design: Design) -> tuple[str, int | None]:
    """Trigger and history as they bear on a condition; where they do not, as they are by themselves."""
    speaks = config.protocol == "single" and config.ariadne_mode != "A"
    return design.trigger if speaks else "loop", design.history if config.protocol == "stepwise" else None


def stored_trials(book: AnswerBook, keys: Sequence[str]) -> dict[str, StoredAnswer]:
    """The last answer of each trial that is kept, by key."""
    wanted = set(keys)
    found: dict[str, StoredAnswer] = {}
    for answer in book.answers():
        key = answer.meta.get("extra", {}).get(TRIAL_KEY)
        if key in wanted and (key not in found or found[key].meta.get("outcome") not in KEPT):
            found[key] = answer
    return found


def _evaluate(
    missing: Sequence[int], cells: Sequence[Cell], design: Design, opened: dict[str, Any], asking: Asking,
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

    def evaluated() -> list[Any]:
        try:
            return evaluate(tasks, log_dir, most)
        except OSError as error:  # answers go to the book, so it is the logs
            raise StoreError(_logs_lost(log_dir, error, asking)) from None

    logs, interrupted = _watched(evaluated, asking)
    if interrupted:
        done = f"{len(asking.results)} of {len(missing)} trials were asked"
        raise RunInterrupted(f"The run was interrupted: {done}. {asking.kept()}")
    wrong = next((one_line(log.error.message) for log in logs if log.status == "error" and log.error), asking.fault)
    if _SYSTEM.match(wrong) and not asking.broken:
        raise StoreError(_logs_lost(log_dir, wrong, asking))
    if wrong and not asking.broken:
        raise KitError(f"The run stopped: {wrong}. {asking.kept()}")


def _watched(evaluate: Callable[[], list[Any]], asking: Asking) -> tuple[list[Any], bool]:
    """Run an evaluation in a thread, so that it does not matter whether a loop runs here (as in Jupyter).

    Results are heard here as they come. Returns the logs and whether somebody interrupted.
    """
    logs: list[Any] = []
    raised: list[BaseException] = []

    def work() -> None:
        try:
            with _ONE:
                logs.extend(evaluate() if asking.wanted() else ())
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
            try:
                worker.join(_PATIENCE)
            except KeyboardInterrupt:  # once more: nothing is waited for any longer
                interrupted = True
    asking.hear(0)
    if raised and not interrupted:
        raise raised[0]
    return logs, interrupted


@contextlib.contextmanager
def _opened_book(book: AnswerBook | str | os.PathLike[str]) -> Iterator[AnswerBook]:
    if isinstance(book, AnswerBook):
        yield book
        return
    with AnswerBook(book) as opened:
        yield opened


def _check_folder(log_dir: str | os.PathLike[str] | None) -> None:
    """`FileError` where no log can be written in the folder; an address ("s3://…") is left to Inspect."""
    if log_dir is None or "://" in str(log_dir):
        return
    try:
        Path(log_dir).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=log_dir) as probe:
            probe.write(b" " * 4096)
    except (OSError, ValueError) as error:
        raise FileError(f"{_logs(log_dir, error)}, before anything was asked. {_OTHER_LOGS}") from None


def _logs_lost(log_dir: str | os.PathLike[str] | None, error: Any, asking: Asking) -> str:
    return f"The run stopped. {_logs(log_dir, error)}. {asking.kept()} {_OTHER_LOGS}"


def _logs(log_dir: str | os.PathLike[str] | None, error: Any) -> str:
    folder = tempfile.gettempdir() if log_dir is None else log_dir
    quoted = re.search(r"'(.+?)'", str(error))
    why = getattr(error, "strerror", None) or (quoted[1] if quoted else one_line(str(error)))
    return f"The logs cannot be written to {folder} ({why})"


def _bar(total: int, initial: int, shown: bool) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without ipywidgets tqdm warns and shows a bar of text, which will do
        from tqdm.auto import tqdm
    return tqdm(total=total, initial=initial, desc="answers", disable=not shown)
