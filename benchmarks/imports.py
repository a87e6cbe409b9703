"""How long `import hallumaze_kit` takes in a new Python process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.report import MISSING, Line, seconds

ABOUT = "Import in a new process, seconds without the start of Python; theirs: maze-dataset; ratio: times as fast."
ROOT = Path(__file__).parents[1]
STATEMENTS = {
    "import hallumaze_kit": "import hallumaze_kit",
    "and all that scores an answer": "from hallumaze_kit import MazeConfig, MazeEngine, build_prompt, score_answer",
}
LIMIT = 0.5
"""Seconds for `import hallumaze_kit`."""


def measure(repeats: int = 5) -> Iterator[Line]:
    """A line for each statement; the first has the target."""
    theirs = import_time("import maze_dataset", repeats)
    for number, (what, statement) in enumerate(STATEMENTS.items()):
        ours = import_time(statement, repeats)
        if ours is None:
            raise RuntimeError(f"{statement!r} fails.")
        target, met = (f"<= {LIMIT} s", ours <= LIMIT) if number == 0 else ("", None)
        if theirs is None:
            yield Line(what, seconds(ours), MISSING, target=target, met=met)
        else:
            yield Line(what, seconds(ours), seconds(theirs), theirs / ours, target, met)


def import_time(statement: str, repeats: int) -> float | None:
    """Least seconds that an import statement takes, None where it fails."""
    code = f"from time import perf_counter as t\na = t()\n{statement}\nprint(t() - a)"
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
    times = []
    for _ in range(repeats):
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
        if done.returncode:
            return None
        times.append(float(done.stdout.split()[-1]))
    return min(times)
