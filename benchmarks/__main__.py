"""`python -m benchmarks [part ...]`: measure, print, and say which targets are missed.

The exit code is 0 even then: a shared machine must not fail a build by its load.
"""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks import ask, imports, maze, null, panel, parse, play, reasoning, score, size, store, trials
from benchmarks.report import HEAD, MISSING, Line, columns

PARTS = {
    "maze": maze,
    "score": score,
    "parse": parse,
    "size": size,
    "import": imports,
    "store": store,
    "panel": panel,
    "play": play,
    "ask": ask,
    "null": null,
    "trials": trials,
    "reasoning": reasoning,
}
PACKAGES = ("maze-dataset", "mazelib", "bpe-openai", "inspect-ai")


def main(names: list[str]) -> int:
    """Run the parts that are named, all of them without a name; 2 for a name that is none."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"There is no part {unknown[0]!r}: name some of {', '.join(PARTS)}, or none for all.", file=sys.stderr)
        return 2
    print(*about_machine(), sep="\n")
    lines = []
    for name in names or PARTS:
        print(f"\n{name}: {PARTS[name].ABOUT}\n{columns(HEAD)}")
        for line in PARTS[name].measure():
            print(line, flush=True)
            lines.append((name, line))
    print("", *summary(lines), sep="\n")
    return 0


def about_machine() -> list[str]:
    """What the numbers depend on: kit, Python, machine, load, peers."""
    from hallumaze_kit import __version__

    load = " ".join(f"{value:.2f}" for value in os.getloadavg()) if hasattr(os, "getloadavg") else "not known"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return [
        f"HalluMaze Kit {__version__}, {python}, {platform.system()} {platform.machine()}, {_processor()}, "
        f"{os.cpu_count()} cores",
        f"Load average at the start: {load} (a quiet machine has less than 0.5; more makes the times longer)",
        f"Beside it: {', '.join(f'{name} {_version(name)}' for name in PACKAGES)}",
    ]


def summary(lines: list[tuple[str, Line]]) -> list[str]:
    """How many targets were met, and each that was not."""
    aimed = [(name, line) for name, line in lines if line.target]
    found = [f"{sum(line.met is True for _, line in aimed)} of {len(aimed)} targets met."]
    for name, line in aimed:
        if not line.met:
            found.append(f"{line.verdict}: {name}, {line.what}: {line.ours}, target {line.target}")
    if any(line.theirs == MISSING for _, line in lines):
        found.append("A peer is not installed: `make bench` sets up an environment that has them all.")
    return found


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return MISSING


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or "processor not known"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
