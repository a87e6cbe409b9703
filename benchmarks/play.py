"""How many people one machine carries: sessions of the play panel in Voilà, each with a kernel of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import MISSING, Line, number, peer, seconds
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.panels.playing.plan import PlayPlan
from hallumaze_kit.panels.playing.state import PlayState
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.store import AnswerBook

ABOUT = (
    "sessions of notebooks/play.ipynb in Voilà that are opened at once: seconds until the last page is there (without "
    "a browser's own drawing), megabytes a session (proportional set size of its kernel), how many sessions the memory "
    "holds, extrapolated; then one key of one person, stored and shown."
)
ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "notebooks" / "play.ipynb"
SPARE = 0.8
"""Share of the memory that is free now which sessions may take."""
QUICK = 0.1
"""Seconds for a key: what feels immediate."""


def measure(sessions: tuple[int, ...] = (1, 4, 8), games: int = 20) -> Iterator[Line]:
    """A line for each number of sessions, the extrapolation, and a line for a key."""
    if peer("voila") is None or peer("ipywidgets") is None:
        for n in sessions:
            yield Line(f"{n} sessions at once", MISSING)
    else:
        yield from _served(sessions)
    took = _key(games)
    yield Line("a key, stored and shown", seconds(took), target=f"< {QUICK} s", met=took < QUICK)


def _served(sessions: tuple[int, ...]) -> Iterator[Line]:
    a_session = 0.0
    with TemporaryDirectory() as folder:
        for n in sessions:
            with _voila(Path(folder)) as (address, pid):
                server = _memory(pid)
                took = _open(address, n)
                kernels = _children(pid)
                if len(kernels) != n:
                    raise RuntimeError(f"{n} sessions were opened, {len(kernels)} kernels run.")
                a_session = sum(map(_memory, kernels)) / n
                yield Line(f"{n} sessions at once, until the last is there", seconds(took))
                yield Line(f"{n} sessions, memory of each", f"{number(a_session)} MB")
        yield Line("Voilà itself", f"{number(server)} MB")
        yield Line("sessions in free memory, extrapolated", f"{SPARE * _free() / a_session:.0f}")


@contextmanager
def _voila(folder: Path) -> Iterator[tuple[str, int]]:
    """A Voilà on a copy of the notebook with its book beside it: (address of the page, number of the process)."""
    text = NOTEBOOK.read_text("utf-8").replace("../results/", f"{folder.as_posix()}/")
    (folder / NOTEBOOK.name).write_text(text, "utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "voila", str(folder), "--no-browser", f"--port={port}", "--Voila.ip=127.0.0.1"]
    env = os.environ | {"PYTHONPATH": str(ROOT), "JUPYTER_PLATFORM_DIRS": "1"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    try:
        _wait(f"http://127.0.0.1:{port}/voila/static/none", process)
        yield f"http://127.0.0.1:{port}/voila/render/{NOTEBOOK.name}", process.pid
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(address: str, process: subprocess.Popen) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(address, timeout=1).close()
            return
        except urllib.error.HTTPError as error:
            error.close()
            return
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.2)
    raise RuntimeError("Voilà does not start.")


def _open(address: str, n: int) -> float:
    """Open n pages at once; seconds until all of them are whole."""
    ready = threading.Barrier(n + 1)

    def one(_: int) -> None:
        ready.wait()
        with urllib.request.urlopen(address, timeout=300) as page:
            if b"widget-view" not in page.read():
                raise RuntimeError("a page came without the panel")

    with ThreadPoolExecutor(n) as pool:
        opened = pool.map(one, range(n))
        ready.wait()
        start = time.perf_counter()
        list(opened)
        return time.perf_counter() - start


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for file in listed for child in file.read_text().split()]


def _memory(pid: int) -> float:
    """Megabytes of a process: its own, and its share of what it shares."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def _free() -> float:
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable")) / 1024


def _key(games: int) -> float:
    """Mean seconds from a key to the next page of one person, over whole games."""
    from hallumaze_kit.panels.playing import view

    plan = PlayPlan(
        "bench", [([MazeEngine(7, seed, "wilson") for seed in range(games)], MazeConfig(protocol="stepwise"))]
    )
    spent, keys = 0.0, 0
    with TemporaryDirectory() as folder, AnswerBook(Path(folder) / "play.db") as book:
        state = PlayState(book, plan, "en")
        for name in ("go on", "answer", "agree", "first"):
            state.hear({"act": name, "seq": state.seq, "fields": dict.fromkeys(state.questions, "0")})
        while state.page != "done":
            message = {"act": "start"}
            if state.entry and state.entry.game.choice:
                message = {"act": "sure", "fields": {"confidence": "50"}, "touched": True}
            elif state.entry:
                game = state.entry.game
                message = {"act": "choice", "value": game.maze.onward(game.here), "ms": 500.0}
            began = time.perf_counter()
            state.hear({**message, "seq": state.seq})
            view.page(state)
            spent, keys = spent + time.perf_counter() - began, keys + 1
        if len(book.results()) != games:
            raise RuntimeError("a game was lost")
    return spent / keys
