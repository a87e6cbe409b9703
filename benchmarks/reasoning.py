"""Diagnosing reasoning traces: all GSM8K model solutions, a trace of 10,000 steps, garbage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.report import Line, fastest, number, seconds
from hallumaze_kit.reasoning import diagnose, load_gsm8k, planted

SOLUTIONS = Path(__file__).parents[1] / ".." / "shared" / "data" / "gsm8k_model_solutions.jsonl"
PROBLEMS = 1319
STEPS = 10_000
LIMIT = 120.0
"""Seconds for all solutions, on two cores."""
MEMORY = 1.0
"""GB that the processes may hold together."""
ONE = 1.0
"""Seconds for one trace, however long or odd."""
ABOUT = "diagnose, offline, seconds; peak memory of the processes together"
GARBAGE = {
    "garbage: signs": "(=+-*/^{}\\frac{",
    "garbage: equals signs": "1=",
    "garbage: LaTeX": "\\frac{1}{",
    "garbage: boxes": "\\boxed{",
    "garbage: letters a line": "a\n",
}

Problem = tuple[str, list[str]]


def measure(problems: int = PROBLEMS, steps: int = STEPS, jobs: int = 2) -> Iterator[Line]:
    """All solutions on `jobs` cores with their memory, then single traces that try one's patience."""
    given, what = texts(problems)
    solutions = sum(len(traces) for _, traces in given)
    took, held = _diagnosed(given, jobs)
    yield Line(f"{solutions:,} {what}", seconds(took), target=f"< {LIMIT:.0f} s", met=took < LIMIT)
    yield Line("memory for them", f"{number(held)} GB", target=f"< {MEMORY:.0f} GB", met=held < MEMORY)
    sums = "\n".join(f"Step {n}: {n} + {n + 1} = {2 * n + 1}" for n in range(1, steps + 1))
    long = {f"a trace of {steps:,} steps": f"{sums}\nThe answer is {2 * steps + 1}."}
    for name, text in (long | {name: unit * (10 * steps // len(unit)) for name, unit in GARBAGE.items()}).items():
        best, _ = fastest({name: lambda text=text: diagnose("", text)}, 3)[name]
        yield Line(name, seconds(best), target=f"< {ONE:.0f} s", met=best < ONE)


def texts(problems: int) -> tuple[list[Problem], str]:
    """Problems with their traces as text, and what they are; planted ones where the real file is not here."""
    if SOLUTIONS.is_file():
        read = load_gsm8k(SOLUTIONS)[:problems]
        return [
            (one.problem, ["\n".join([*(s.text for s in t.steps), f"A: {t.answer}"]) for t in one.traces.values()])
            for one in read
        ], "GSM8K model solutions"
    made = planted(problems, 1)
    return [(one.problem, [trace.text for trace in one.traces]) for one in made], "planted traces (no GSM8K here)"


def _diagnosed(given: Sequence[Problem], jobs: int) -> tuple[float, float]:
    """Seconds, and the peak memory in GB of this process and its workers."""
    from time import perf_counter

    from joblib import Parallel, delayed

    size = max(1, len(given) // (8 * jobs))
    parts = [given[at : at + size] for at in range(0, len(given), size)]
    start = perf_counter()
    peaks = Parallel(n_jobs=jobs)(delayed(_work)(part) for part in parts)
    took = perf_counter() - start
    by_worker: dict[int, float] = {}
    for worker, peak in peaks:
        by_worker[worker] = max(peak, by_worker.get(worker, 0.0))
    return took, sum(by_worker.values())


def _work(part: Sequence[Problem]) -> tuple[int, float]:
    import os
    import resource

    for problem, traces in part:
        diagnose(problem, traces)
    return os.getpid(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
