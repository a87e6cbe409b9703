"""A hundred thousand synthetic trials, from the prompt to the score, and where the time goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter, process_time
from typing import Any

from benchmarks.report import Line, number, rate, seconds
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.study.validity import sample_subjects
from hallumaze_kit.subjects import Synthetic
from hallumaze_kit.subjects.synthetic import SYNTHETIC
from hallumaze_kit.trial.parsing import parse_answer
from hallumaze_kit.trial.prompt import build_prompt
from hallumaze_kit.trial.replay import replay
from hallumaze_kit.trial.scoring import score_answer

ABOUT = (
    "synthetic trials on 7×7 mazes, each written as text, parsed, replayed and scored, in two processes; half of them "
    "by the named subjects, half by subjects with planted traits (longer walks); ratio: of the target. Processor time "
    "does not grow with other load on the machine. The stages are measured one after the other on the first of these "
    "trials, in one process."
)
SIZE = 7
JOBS = 2
WITHIN = 600.0
"""Seconds for 100,000 trials."""
CHUNK = 50
"""Mazes that a process takes at once."""


def measure(trials: int = 100_000, sample: int = 900) -> Iterator[Line]:
    """A line for all trials, one for each stage of `sample` of them, and the share of the parsing."""
    subjects = crowd()
    from joblib import Parallel, delayed

    mazes = -(-trials // len(subjects))
    parts = [range(first, min(first + CHUNK, mazes)) for first in range(0, mazes, CHUNK)]
    start = perf_counter()
    found = Parallel(n_jobs=JOBS)(delayed(trials_of)(part, subjects) for part in parts)
    took = perf_counter() - start
    done, busy = sum(scored for scored, _ in found), sum(spent for _, spent in found)
    allowed = WITHIN * done / 100_000
    what = f"{number(done)} trials, written to scored" if done >= 100 else f"{done} trials, written to scored"
    yield Line(what, seconds(took), ratio=allowed / took, target=f"<= {number(allowed)} s", met=took <= allowed)
    yield Line("the same, a second", rate(done / took))
    yield Line("the same, processor time of each process", seconds(busy / JOBS))
    spent = stages(range(-(-sample // len(subjects))), subjects)
    counted = spent.pop("trials")
    for stage, value in spent.items():
        yield Line(f"a trial: {stage}", f"{number(1000 * value / counted)} ms")
    yield Line("parsing, of all stages", f"{number(100 * spent['parse'] / sum(spent.values()))} %")


def crowd() -> list[Synthetic]:
    """The named subjects, and as many with planted traits."""
    return [*SYNTHETIC.values(), *sample_subjects(len(SYNTHETIC))]


def trials_of(seeds: range, subjects: list[Synthetic]) -> tuple[int, float]:
    """Every subject on the mazes of some seeds; how many trials were scored, and seconds of processor time."""
    scored, start = 0, process_time()
    for seed in seeds:
        maze, config = MazeEngine(SIZE, seed, "wilson", "balanced"), MazeConfig(SIZE)
        prompt = build_prompt(maze, config)
        for subject in subjects:
            scored += score_answer(maze, subject.answer(prompt, seed), config).sr in (0.0, 1.0)
    return scored, process_time() - start


def stages(seeds: range, subjects: list[Synthetic]) -> dict[str, float]:
    """Seconds spent in each stage, and the number of trials."""
    spent = dict.fromkeys(("maze and prompt", "walk and write", "parse", "replay", "measure"), 0.0)
    trials = 0

    def timed(stage: str, run: Callable[[], Any]) -> Any:
        start = perf_counter()
        made = run()
        spent[stage] += perf_counter() - start
        return made

    for seed in seeds:
        maze = timed("maze and prompt", lambda seed=seed: MazeEngine(SIZE, seed, "wilson", "balanced"))
        config = MazeConfig(SIZE)
        prompt = timed("maze and prompt", lambda maze=maze, config=config: build_prompt(maze, config))
        for subject in subjects:
            text = timed("walk and write", lambda s=subject, prompt=prompt, seed=seed: s.answer(prompt, seed))
            before = spent["parse"] + spent["replay"]
            trace = timed("parse", lambda text=text: parse_answer(text))
            timed("replay", lambda maze=maze, trace=trace, config=config: replay(maze, trace, config))
            read = spent["parse"] + spent["replay"] - before
            timed("measure", lambda maze=maze, text=text, config=config: score_answer(maze, text, config))
            spent["measure"] -= read  # score_answer parses and replays, too
            trials += 1
    return spent | {"trials": trials}
