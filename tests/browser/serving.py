"""A JupyterLab and a Voilà on a copy of the paste notebook, with a book of their own."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "notebooks" / "02_paste_answers.ipynb"
PLAY = ROOT / "notebooks" / "play.ipynb"
ANSWERS = ROOT / "data" / "answers"
CHANGES = {
    'ALGORITHM = \\"wilson\\"': 'ALGORITHM = \\"dfs\\"',
    'PLACEMENT = \\"balanced\\"': 'PLACEMENT = \\"v1.1\\"',
    "SEEDS = range(5)": "SEEDS = [7007, 5005]",
}
"""Parameters with which two of the bundled answers fit the plan."""
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True},
    "notebook-extension/tracker": {"windowingMode": "none"},
}
"""JupyterLab neither asks about news nor takes cells that are out of sight out of the page."""


def answer(name: str) -> str:
    """A bundled answer by the beginning of its name."""
    return next(ANSWERS.glob(f"{name}*")).read_text("utf-8")


def copy_notebook(folder: Path, language: str = "ko", book: Path | None = None) -> Path:
    """The notebook with parameters for the tests, in `folder`, and its book there or in the folder `book`."""
    text = NOTEBOOK.read_text("utf-8").replace("../results/", f"{(book or folder).as_posix()}/")
    for old, new in {**CHANGES, 'LANGUAGE = \\"ko\\"': f'LANGUAGE = \\"{language}\\"'}.items():
        assert old in text, old
        text = text.replace(old, new)
    path = folder / f"{(book or Path('paste')).name}.ipynb"
    path.write_text(text, "utf-8")
    return path


def copy_play(folder: Path, **parameters: object) -> Path:
    """The play notebook in `folder` with other parameters, and its book beside it."""
    notebook = json.loads(PLAY.read_text("utf-8"))
    cell = next(cell for cell in notebook["cells"] if cell["metadata"].get("tags") == ["parameters"])
    values = {"BOOK": str(folder / "play.db"), **parameters}
    assert all(any(line.startswith(f"{name} = ") for line in cell["source"]) for name in values)
    cell["source"] += ["\n", *(f"{name} = {value!r}\n" for name, value in values.items())]
    path = folder / "play.ipynb"
    path.write_text(json.dumps(notebook), "utf-8")
    return path


@contextmanager
def lab(folder: Path) -> Iterator[str]:
    """The address of a JupyterLab on a folder, without a token, news or saved windows."""
    for extension, kept in SETTINGS.items():
        path = folder / "settings" / "@jupyterlab" / f"{extension}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(kept))
    port = _free_port()
    command = [
        "jupyterlab", "--no-browser", "--expose-app-in-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}",
        "--IdentityProvider.token=",
        "--ServerApp.password=", f"--ServerApp.root_dir={folder}", "--ServerApp.disable_check_xsrf=True",
        f"--LabApp.user_settings_dir={folder / 'settings'}", f"--LabApp.workspaces_dir={folder / 'workspaces'}",
    ]  # fmt: skip
    with _running(command, folder, f"http://127.0.0.1:{port}/api"):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def voila(folder: Path) -> Iterator[str]:
    """The address of a Voilà that serves the notebooks of a folder; a notebook's name goes behind it."""
    port = _free_port()
    command = ["voila", str(folder), "--no-browser", f"--port={port}", "--Voila.ip=127.0.0.1"]
    with _running(command, folder, f"http://127.0.0.1:{port}/voila/static/none"):
        yield f"http://127.0.0.1:{port}/voila/render/"


@contextmanager
def _running(module: list[str], folder: Path, address: str) -> Iterator[None]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "JUPYTER_PLATFORM_DIRS": "1"}
    env.pop("MPLBACKEND", None)
    with open(folder / "server.log", "w", encoding="utf-8") as log:
        process = subprocess.Popen([sys.executable, "-m", *module], stdout=log, stderr=subprocess.STDOUT, env=env)
        try:
            _wait_for(address, process)
            yield
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_for(address: str, process: subprocess.Popen) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(address, timeout=1).close()
            return
        except urllib.error.HTTPError as error:
            error.close()
            return
        except OSError:
            assert process.poll() is None, "the server ended before it answered"
            time.sleep(0.2)
    raise AssertionError(f"{address} does not answer")


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]
