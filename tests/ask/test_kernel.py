"""Runs in a Jupyter kernel: inside its running loop, and interrupted from outside."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import nbformat
import pytest
from ask.server import Scripted, serving
from nbclient import NotebookClient

from hallumaze_kit import AnswerBook

KEY = "sk-test-5f3c9a1b2d4e"
FIRST = """
from hallumaze_kit import LLM, run
frame = run("synthetic/careful", 5, range(4), book="first.db", log_dir=None)
print(len(frame), set(frame["outcome"]))
"""
SECOND = """
run(LLM("openai-api/lab/good", base_url="{url}", max_connections=2), 5, range(200), book="second.db", log_dir=None)
"""


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_API_KEY", KEY)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    client = NotebookClient(
        nbformat.v4.new_notebook(), timeout=120, allow_errors=True, kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    )  # fmt: skip
    with client.setup_kernel():
        yield client


def execute(kernel, source):
    cell = nbformat.v4.new_code_cell(source)
    kernel.nb.cells.append(cell)
    kernel.execute_cell(cell, len(kernel.nb.cells) - 1)
    return cell.outputs


def test_in_a_kernel_runs_go_and_an_interruption_is_one_message_that_keeps_what_was_done(kernel, tmp_path):
    outputs = execute(kernel, FIRST)
    assert "4 {'answered'}" in "".join(out.get("text", "") for out in outputs)
    with serving(Scripted(lambda body: time.sleep(0.1) or "FINAL_PATH: (0,0)→(0,1)")) as server:

        def interrupt():
            deadline = time.monotonic() + 60
            while len(server.asked) < 8 and time.monotonic() < deadline:
                time.sleep(0.02)
            asyncio.run(kernel.km.interrupt_kernel())

        threading.Thread(target=interrupt, daemon=True).start()
        outputs = execute(kernel, SECOND.format(url=server.url))
    errors = [out for out in outputs if out.output_type == "error"]
    others = [out.get("text", "") for out in outputs if out.output_type == "stream" and "answers:" not in out["text"]]
    assert len(errors) == 1 and errors[0].ename == "RunInterrupted" and not others
    (line,) = errors[0].traceback
    assert line.startswith("RunInterrupted: The run was interrupted: ") and "second.db; run the same again" in line
    with AnswerBook(tmp_path / "second.db") as book:
        assert 0 < len(book) < 200
    assert "".join(out.get("text", "") for out in execute(kernel, "print('alive')")) == "alive\n"
