"""The trials as a task of Inspect AI: `inspect eval hallumaze_kit/hallumaze --model …`, then `inspect view`.

`run` in `hallumaze_kit.study.running` builds the same task for any design.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai import eval as run_inspect
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, Model, get_model
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from hallumaze_kit.ask import LLM, Reply, guarded, reply_to
from hallumaze_kit.errors import FileError, InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import BenchmarkResult, MazeConfig
from hallumaze_kit.records.codec import as_json, dumps, from_json, loads
from hallumaze_kit.study.design import Asked, Cell, Design, Subject, known_of
from hallumaze_kit.subjects.llm import Message, converse, is_synthetic, register_synthetic
from hallumaze_kit.trial.hints import Ariadne
from hallumaze_kit.trial.prompt import build_prompt
from hallumaze_kit.trial.scoring import score_answer

SHOWN = ("sr", "mei", "ce", "brs", "hallumaze_score", "hallucination_count", "detected")
"""Measures that a log shows; the whole record stands in each score's metadata, as a text of JSON."""
RECORD = "record"


class Keeper:
    """Who keeps the answers of a task: nobody, unless `run` gives it a book."""

    def going(self, model: str) -> bool:
        """Whether the model is still to be asked."""
        return True

    def held(self) -> contextlib.AbstractContextManager[Any]:
        """What a trial is held in; it may be broken off."""
        return contextlib.nullcontext()

    def keep(self, cell: Cell, index: int, text: str, known: dict[str, Any]) -> dict[str, Any]:
        """Keep an answer before it is scored; what is known of it then."""
        return known

    def failed(self, error: Exception) -> None:
        """A trial broke off by a fault that is no outcome of asking."""

    def done(self, index: int, result: BenchmarkResult) -> None:
        """A trial is scored."""


register_synthetic()


@task
def hallumaze(
    size: int | str = 7,
    seeds: int | str = "0-4",
    algorithm: str = "dfs",
    placement: str = "v1.1",
    runs: int = 1,
    lang: str = "ko",
    mirage: bool = True,
    confidence: bool = True,
    group: str = "A",
    trigger: str = "loop",
    protocol: str = "single",
    view: str = "open",
    injection: str = "none",
    template: int = 0,
    disclosure: str = "disclosed",
    show_seed: bool = True,
    max_tokens: int = 2500,
    plan: str = "",
) -> Task:
    """HalluMaze trials: does a model know that it is wrong, and does it get out?

    `size` and `seeds` take lists and ranges ("5,7", "0-9"). `plan` is the digest of what is asked, as a log's metadata
    names it: `inspect eval-set` tells its runs apart by a task's arguments, not by its samples, so a set that is to be
    gone on with names its plan, and is refused if the kit would ask something else now.
    """
    mazes = [MazeEngine(n, seed, algorithm, placement) for n in whole_numbers(size) for seed in whole_numbers(seeds)]
    config = MazeConfig(
        use_mirage=mirage, use_confidence=confidence, ariadne_mode=group, max_tokens=max_tokens, language=lang,
        protocol=protocol, view=view, show_seed=show_seed, template=template, disclosure=disclosure,
        injection=injection,
    )  # fmt: skip
    model = guarded(get_model())
    subject = Asked(LLM(str(model)))
    design = Design([subject], mazes, [config], runs, trigger=trigger)
    cells = list(enumerate(design.cells()))
    digest = plan_of(cell for _, cell in cells)
    if plan not in ("", digest):
        raise InputError("plan", plan, f"the digest of these trials, {digest}", "Leave it out, or run the set anew.")
    return trials(cells, design, model)


_PLANS: dict[str, Callable[[], Task]] = {}


@task
def planned(plan: str) -> Task:
    """The trials of a design that `run` asks; its argument is their digest, so that a log says what was asked."""
    if plan not in _PLANS:
        raise InputError(
            "plan", plan, "the plan of a run of this process", "Go on with run(…): it asks what is missing."
        )
    return _PLANS[plan]()


def planned_task(cells: Sequence[tuple[int, Cell]], design: Design, model: Model, keeper: Any) -> Task:
    """`trials` as the task `planned`, with the digest of model, mazes and conditions as its argument."""
    digest = f"{plan_of(cell for _, cell in cells)}:{model}"
    _PLANS[digest] = lambda: trials(cells, design, model, keeper)
    try:
        return planned(digest)
    finally:
        del _PLANS[digest]


def trials(
    cells: Sequence[tuple[int, Cell]],
    design: Design,
    model: Model,
    keeper: Any = Keeper(),  # noqa: B008
) -> Task:
    """A task whose samples are the numbered trials of one model."""
    samples = [
        Sample(id=str(index), input=build_prompt(cell.maze, cell.config).user, metadata=_metadata(cell))
        for index, cell in cells
    ]
    results: dict[str, BenchmarkResult] = {}
    return Task(
        name="hallumaze",
        dataset=MemoryDataset(samples, name=plan_of(cell for _, cell in cells)),
        solver=play(dict(cells), design, model, keeper, results),
        scorer=verified(results),
        model=model,
        config=_limits(cells[0][1].subject.llm),
        metadata={"plan": plan_of(cell for _, cell in cells)},
        fail_on_error=False,
    )


def _limits(llm: LLM) -> GenerateConfig:
    """Bounds that Inspect leaves open; a task's go before a model's."""
    return GenerateConfig(
        max_retries=llm.max_retries, attempt_timeout=llm.attempt_timeout, max_connections=llm.max_connections
    )


@solver
def play(
    cells: Mapping[int, Cell], design: Design, model: Model, keeper: Any, results: dict[str, BenchmarkResult]
) -> Solver:
    """Hold the trial of a sample, keep its answer, then score it."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        index = int(state.sample_id)
        cell = cells[index]
        llm: LLM = cell.subject.llm
        if not keeper.going(llm.name):
            return state

        async def reply(messages: Sequence[Message]) -> Reply:
            return answered_on_purpose(
                llm, await reply_to(model, messages, cell.config.max_tokens, cell.seed, llm.temperature, llm.effort)
            )

        hints = Ariadne(cell.config.ariadne_mode, design.trigger, cell.arm)
        talk = None
        try:
            with keeper.held():
                talk = await converse(reply, cell.maze, cell.config, hints, design.history)
            if talk is None:
                return state  # somebody interrupted
            known = keeper.keep(cell, index, talk.text, known_of(index, cell, design, talk) | asked_of(cell))
            result = score_answer(cell.maze, talk.text, cell.config, **known)
        except Exception as error:
            keeper.failed(error)
            raise
        results[str(state.sample_id)] = result
        keeper.done(index, result)
        state.output.completion = talk.text
        return state

    return solve


def answered_on_purpose(llm: LLM, reply: Reply) -> Reply:
    """A synthetic subject that says nothing means it: the empty floor is an answer."""
    if is_synthetic(llm) and reply.outcome == "empty":
        return Reply(outcome="answered", model=reply.model, taken=reply.taken, seconds=reply.seconds)
    return reply


def asked_of(cell: Cell) -> dict[str, Any]:
    """How the model of a trial is asked, as fields of `BenchmarkResult`."""
    llm: LLM = cell.subject.llm
    asked = {"temperature": llm.temperature, "seed": cell.seed, "max_tokens": cell.config.max_tokens}
    if llm.effort:
        asked["effort"] = llm.effort
    return {"parameters_asked": asked, "effort": llm.effort, "channel": "api"}


@metric
def mean_scored() -> Metric:
    """Mean over the trials that could be scored; NaN if none could."""

    def mean(scores: list[SampleScore]) -> float:
        values = [value for score in scores if not math.isnan(value := score.score.as_float())]
        return sum(values) / len(values) if values else math.nan

    return mean


@metric
def scored() -> Metric:
    """How many trials could be scored: a run whose trials all failed reports success, and 0 here."""

    def count(scores: list[SampleScore]) -> float:
        return float(sum(not math.isnan(score.score.as_float()) for score in scores))

    return count


@scorer(metrics={name: [mean_scored(), scored()] for name in SHOWN})
def verified(results: dict[str, BenchmarkResult]) -> Scorer:
    """The kit's measures, replayed on the maze; NaN where a trial could not be scored."""

    async def score(state: TaskState, target: Target) -> Score:
        result = results.pop(str(state.sample_id), None)
        if result is None:
            return Score(value=dict.fromkeys(SHOWN, math.nan), explanation="not asked")
        return Score(
            value={name: getattr(result, name) for name in SHOWN},
            answer=result.failure_mode or result.outcome,
            explanation=result.error or result.failure_mode,
            metadata={RECORD: dumps(as_json(result))},
        )

    return score


def evaluate(tasks: Sequence[Task], log_dir: str | os.PathLike[str] | None, max_samples: int) -> list[EvalLog]:
    """Have Inspect run tasks, quietly, all at once; without a folder their logs are thrown away."""
    with contextlib.ExitStack() as stack:
        folder = log_dir or stack.enter_context(tempfile.TemporaryDirectory())
        return run_inspect(
            list(tasks), log_dir=str(folder), display="log", log_level="error", log_realtime=False,
            score_display=False, fail_on_error=False, max_tasks=len(tasks), max_samples=max_samples,
        )  # fmt: skip


def read_logs(place: str | os.PathLike[str]) -> list[BenchmarkResult]:
    """The results in the logs of `inspect eval hallumaze_kit/…`: a log, or a folder of them, oldest first.

    Raises `FileError` for a place without logs and for a log that holds no trials of the kit.
    """
    from inspect_ai.log import read_eval_log

    path = Path(place)
    logs = sorted(path.rglob("*.eval")) if path.is_dir() else [path]
    if not logs or not all(log.is_file() for log in logs):
        raise FileError(f"There is no log at {path}: name a file that ends in .eval, or the folder that holds it.")
    found = []
    for log in logs:
        try:
            samples = read_eval_log(str(log)).samples or []
        except Exception as error:
            raise FileError(f"{log} cannot be read as a log ({type(error).__name__}).") from None
        for sample in sorted(samples, key=lambda sample: int(sample.id) if str(sample.id).isdecimal() else 0):
            metadata = next(iter((sample.scores or {}).values()), Score(value=0)).metadata or {}
            if RECORD in metadata:
                found.append(from_json(loads(metadata[RECORD])))
    if not found:
        raise FileError(f"{path} holds no trials of the kit: its logs are of other tasks, or nothing was scored.")
    return found


def whole_numbers(given: int | str | Sequence[int]) -> list[int]:
    """Whole numbers from a list in words: "5,7", "0-9"; `InputError` for anything else.

    >>> whole_numbers("0-2,7")
    [0, 1, 2, 7]
    """
    if isinstance(given, int):
        return [given]
    if not isinstance(given, str):
        return [int(one) for one in given]
    numbers: list[int] = []
    for part in given.split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise InputError("numbers", given, "whole numbers and ranges like 5,7 or 0-9")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def plan_of(cells: Any) -> str:
    """Sixteen hex digits of what is asked: mazes with their lures, conditions, runs, seeds, arms."""
    parts = [[cell.maze.to_dict(), str(cell.config), cell.run, cell.seed, cell.arm] for cell in cells]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def _metadata(cell: Cell) -> dict[str, Any]:
    return {"maze": cell.maze.maze_id, "size": cell.maze.size, "seed": cell.maze.seed, "run": cell.run, "arm": cell.arm}


__all__ = ["Subject", "hallumaze", "read_logs", "trials"]
