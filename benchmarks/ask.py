"""A run of the kit beside plain Inspect: the same model, the same prompts, logs written by both."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import Line
from hallumaze_kit.ask import LLM, open_model
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.study.running import run
from hallumaze_kit.subjects.llm import register_synthetic
from hallumaze_kit.trial.prompt import build_prompt

ABOUT = (
    "200 mazes × 3 runs of a synthetic model; the kit also stores every answer on the disk, replays and measures it "
    "and gives the frame. Plain Inspect generates and scores with `includes`; the display of both is off."
)
MAZES, RUNS = 200, 3
MODEL = "synthetic/careful"
MOST = 1.2


def measure(repeats: int = 3, mazes: int = MAZES) -> Iterator[Line]:
    """The kit's time over plain Inspect's as it comes, and over Inspect with the settings that the kit uses."""
    register_synthetic()
    with TemporaryDirectory() as folder:
        fresh = itertools.count()
        ways: dict[str, Callable[[], object]] = {
            "plain": lambda: _plain(folder, mazes),
            "bare": lambda: _plain(folder, mazes, log_realtime=False, score_display=False, log_level="error"),
            "kit": lambda: run(
                MODEL, 7, range(mazes), MazeConfig(), RUNS, book=Path(folder, f"{next(fresh)}.db"),
                log_dir=Path(folder, "kit"), progress=False,
            ),
        }  # fmt: skip
        took = {name: float("inf") for name in ways}
        for _ in range(repeats):
            for name, way in ways.items():
                began = time.perf_counter()
                with contextlib.redirect_stdout(io.StringIO()):
                    way()
                took[name] = min(took[name], time.perf_counter() - began)
    samples = mazes * RUNS
    ours = f"{1000 * took['kit'] / samples:.1f} ms"
    for name, what, most in (
        ("plain", "a sample, beside plain Inspect", MOST),
        ("bare", "beside Inspect with the kit's log settings", None),
    ):
        over = took["kit"] / took[name]
        yield Line(
            what, ours, f"{1000 * took[name] / samples:.1f} ms", over,
            target=f"< {most:g}×" if most else "", met=over < most if most else None,
        )  # fmt: skip


def _plain(folder: str, mazes: int, **options: object) -> None:
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser
    from inspect_ai.scorer import includes
    from inspect_ai.solver import generate

    samples = []
    for seed, number in itertools.product(range(mazes), range(RUNS)):
        prompt = build_prompt(MazeEngine(7, seed), MazeConfig())
        turns = [ChatMessageSystem(content=prompt.system), ChatMessageUser(content=prompt.user)]
        samples.append(Sample(input=turns, target="FINAL_PATH", id=f"{seed}-{number}"))
    (log,) = evaluate(
        Task(dataset=MemoryDataset(samples), solver=generate(), scorer=includes()), model=open_model(LLM(MODEL)),
        log_dir=os.path.join(folder, "plain"), display="log", **options,
    )  # fmt: skip
    if log.status != "success":
        raise RuntimeError(f"plain Inspect ended with {log.status}")
