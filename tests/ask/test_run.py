"""Whole runs: the kit's frame, nothing lost, nothing asked twice, no key on the disk."""

from __future__ import annotations

import errno
import gzip
import math
import os
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
import zipfile
from pathlib import Path
from urllib.parse import quote

import pandas as pd
import pytest
from ask.server import Scripted, serving
from inspect_ai.log import EvalError

from hallumaze_kit import (
    LLM,
    AnswerBook,
    MazeConfig,
    MazeEngine,
    build_prompt,
    register_provider,
    run,
    run_results,
    score_answer,
)  # fmt: skip
from hallumaze_kit.ask import AskError
from hallumaze_kit.errors import FileError, InputError, KitError, StoreError
from hallumaze_kit.store import BookBusy
from hallumaze_kit.study import Design, run_design, running, tasks
from hallumaze_kit.study.design import cell_seed
from hallumaze_kit.study.running import RunInterrupted, RunWarning, planned_design, trial_key
from hallumaze_kit.study.tasks import read_logs, whole_numbers
from hallumaze_kit.subjects import FLOOR, STEPPERS, SYNTHETIC

KEY = "sk-test-5f3c9a1b2d4e"
VARYING = ["latency_s", "timestamp", "date", "answer_id"]
"""What differs between two runs of the same trials."""
ROOT = Path(__file__).parents[2]


def quiet(models, *, book, **options):
    return run(models, book=book, log_dir=options.pop("log_dir", None), progress=False, **options)


def same(one, other):
    pd.testing.assert_frame_equal(one.drop(columns=VARYING), other.drop(columns=VARYING))


def solved(body):
    """The solution of the maze in the prompt, as an answer."""
    maze = MazeEngine.from_text(body["messages"][1]["content"])
    return "FINAL_PATH: " + "→".join(f"({r},{c})" for r, c in maze.solution)


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("LAB_API_KEY", KEY)
    with serving(Scripted(solved)) as scripted:
        yield scripted


def lab(server, model, **options):
    known = {"max_retries": 1, "retry_wait": 0.01, "attempt_timeout": 10} | options
    return LLM(f"openai-api/lab/{model}", base_url=server.url, **known)


# ---- the same record, whichever way ---------------------------------------------------------------


@pytest.mark.parametrize(
    "config",
    [
        MazeConfig(), MazeConfig(language="en", ariadne_mode="C"), MazeConfig(ariadne_mode="B"),
        MazeConfig(injection="own"), MazeConfig(protocol="probe"), MazeConfig(protocol="stepwise", step_budget=60),
        MazeConfig(protocol="stepwise", view="bump", step_budget=60),
    ],
    ids=lambda c: f"{c.protocol}-{c.view}-{c.ariadne_mode}-{c.injection}",
)  # fmt: skip
def test_library_and_run_give_the_same_records(tmp_path, config):
    subjects = [SYNTHETIC["hasty"], FLOOR["oracle"], FLOOR["empty"]]
    mazes = [MazeEngine(5, seed) for seed in range(3)]
    library = run_design(Design(subjects, mazes, [config], runs=2), progress=False)
    asked = run_results(
        [s.label for s in subjects], [5], range(3), config, 2, book=tmp_path / "a.db", log_dir=None, progress=False
    )
    varying = dict.fromkeys(("latency_s", "timestamp", "date", "answer_id", "channel", "effort", "study"))
    varying |= {"model_returned": "", "parameters_asked": {}, "parameters_taken": {}, "extra": {}, "stop_reason": ""}
    varying |= dict.fromkeys(("timestamp", "date", "answer_id", "channel", "effort", "study"), "")
    varying |= {"tokens_in": None, "tokens_out": None}
    for one, other in zip(library, asked, strict=True):
        assert one.replace(**varying) == other.replace(**varying)


def test_a_paste_gives_the_same_numbers(tmp_path):
    (asked,) = run_results("synthetic/hasty", 7, [3], book=tmp_path / "a.db", log_dir=None, progress=False)
    maze, config, subject = MazeEngine(7, 3), MazeConfig(), SYNTHETIC["hasty"]
    text = subject.answer(build_prompt(maze, config), cell_seed(0, subject, maze, config, 0))
    pasted = score_answer(maze, text, config)
    numbers = ("sr", "mei", "ce", "brs", "hallumaze_score", "hallucination_count", "detected", "moves", "decisions")
    assert [getattr(asked, n) for n in numbers] == [getattr(pasted, n) for n in numbers] and asked.messages[-1][
        "content"
    ] == text


def test_the_record_says_who_was_asked_how(server, tmp_path):
    (result,) = run_results(
        lab(server, "good"), 5, [2], MazeConfig(max_tokens=99), book=tmp_path / "a.db", log_dir=None, progress=False,
        study="pilot",
    )  # fmt: skip
    assert (result.provider, result.model, result.model_returned) == ("openai-api", "lab/good", "good-2026")
    assert result.parameters_asked == {"temperature": 0.0, "seed": result.subject_seed, "max_tokens": 99}
    assert result.parameters_taken == result.parameters_asked
    assert (result.outcome, result.stop_reason, result.channel, result.study) == ("answered", "stop", "api", "pilot")
    assert (result.tokens_in, result.tokens_out, result.attempt, result.sr) == (10, 5, 1, 1.0)
    assert [m["role"] for m in result.messages] == ["system", "user", "assistant"]
    assert result.timestamp and result.date and result.latency_s >= 0


def test_each_repetition_has_its_own_seed(server, tmp_path):
    frame = quiet(lab(server, "good"), sizes=5, seeds=[1], runs=3, book=tmp_path / "a.db")
    assert len({body["seed"] for body in server.asked}) == 3 == len(set(frame["subject_seed"]))


# ---- outcomes -------------------------------------------------------------------------------------

OUTCOMES = {
    "good": "answered", "flaky": "answered", "limited": "rate limited", "broken": "server error", "cut-json": "garbled",
    "html": "garbled", "empty": "empty", "length": "cut off", "filter": "filtered", "echo-answer": "answered",
    "echo-error": "rejected", "gone": "unknown model", "denied": "denied",
    "half": "answered", "parts": "answered", "seedless": "answered", "busy-200": "rate limited", "nothing": "garbled",
}  # fmt: skip


def test_every_sample_ends_in_its_outcome_and_none_is_lost(server, tmp_path):
    models = [lab(server, name, max_retries=6) for name in OUTCOMES]  # two trials share the flaky script
    with pytest.warns(RunWarning, match="lab/gone cannot be asked .* 2 × cut off") as caught:
        frame = quiet(models, sizes=5, seeds=range(2), book=tmp_path / "a.db")
    assert sum(warning.category is RunWarning for warning in caught) == 1
    asked = frame[~frame["model"].isin(["lab/gone", "lab/denied"])]
    assert len(asked) == 2 * (len(OUTCOMES) - 2)
    came = {m.removeprefix("lab/"): o for m, o in zip(frame["model"], frame["outcome"], strict=True)}
    assert came == OUTCOMES, frame[["model", "outcome", "error"]].to_string()
    unscored = frame[frame["outcome"] != "answered"]
    assert unscored[["sr", "mei", "hallucination_count"]].isna().all(axis=None), "never a wrong answer"
    assert (frame.loc[frame["outcome"] == "answered", "sr"] == 1).all()
    assert unscored["error"].astype(bool).equals(~unscored["outcome"].isin(["empty", "cut off", "filtered"]))
    with AnswerBook(tmp_path / "a.db") as book:
        assert len(book) == len(frame)
        assert all(answer.text for answer in book.answers() if answer.meta["outcome"] in ("cut off", "filtered"))


def test_what_failed_is_asked_again_and_what_was_answered_is_not(server, tmp_path):
    models = [lab(server, name) for name in ("good", "empty", "broken")]
    with pytest.warns(RunWarning, match="2 × server error"):
        quiet(models, sizes=5, seeds=range(2), book=tmp_path / "a.db")
    asked = {name: server.count(name) for name in ("good", "empty")}
    server.respond = lambda body, key: Scripted.respond(server, body | {"model": "good"}, key)
    frame = quiet(models, sizes=5, seeds=range(2), book=tmp_path / "a.db")
    assert {name: server.count(name) for name in ("good", "empty")} == asked | {"good": asked["good"] + 2}
    mended = frame[frame["model"] == "lab/broken"]
    assert mended["outcome"].tolist() == ["answered"] * 2 and mended["attempt"].tolist() == [2, 2]
    with AnswerBook(tmp_path / "a.db") as book:
        assert len(book) == len(frame) and len(list(book.answers(include_deleted=True))) == len(frame) + 2


def test_other_settings_are_other_trials(server, tmp_path):
    for llm in (lab(server, "good"), lab(server, "good", temperature=0.7), lab(server, "good", effort="high")):
        quiet(llm, sizes=5, seeds=[1], book=tmp_path / "a.db")
    quiet(lab(server, "good", max_connections=3), sizes=5, seeds=[1], book=tmp_path / "a.db")
    assert server.count("good") == 3, "how many connections there are changes no answer"


def test_a_setting_that_is_as_it_would_be_anyway_is_no_other_trial(server, tmp_path):
    for options in ({}, {"stream": None}, {"emulate_tools": False, "strict_tools": True, "max_retries": 0}):
        quiet(lab(server, "good", options=options), sizes=5, seeds=[1], book=tmp_path / "a.db")
    assert server.count("good") == 1
    quiet(lab(server, "good", options={"emulate_tools": True}), sizes=5, seeds=[1], book=tmp_path / "a.db")
    assert server.count("good") == 2


@pytest.mark.parametrize(
    ("config", "used"),
    [
        (MazeConfig(), set()), (MazeConfig(protocol="probe"), set()), (MazeConfig(ariadne_mode="B"), {"trigger"}),
        (MazeConfig(ariadne_mode="C"), {"trigger"}), (MazeConfig(protocol="stepwise"), {"history"}),
        (MazeConfig(protocol="stepwise", ariadne_mode="B"), {"history"}),
    ],
    ids=lambda c: f"{c.protocol}-{c.ariadne_mode}" if isinstance(c, MazeConfig) else "",
)  # fmt: skip
def test_a_setting_that_a_condition_does_not_use_is_no_other_trial(config, used):
    def key(**more):
        design = planned_design("synthetic/hasty", 5, [1], config, 1, **more)
        return trial_key(next(design.cells()), design)

    changed = {"trigger": key(trigger="unsolved"), "history": key(history=2)}
    assert {name for name, other in changed.items() if other != key()} == used


def test_answers_that_were_there_are_trials_of_the_present_design(server, tmp_path):
    known = {"book": tmp_path / "a.db", "log_dir": None, "progress": False}
    run_results(lab(server, "good"), 5, [3, 4], study="pilot", **known)
    results = run_results(lab(server, "good"), 5, [1, 3, 4], study="main", **known)
    assert server.count("good") == 3
    assert [(r.seed, r.trial_index, r.study) for r in results] == [(1, 0, "main"), (3, 1, "main"), (4, 2, "main")]
    with AnswerBook(tmp_path / "a.db") as book:
        assert [a.meta["study"] for a in book.answers()] == ["pilot", "pilot", "main"], "what was stored stays"


def test_other_lures_are_other_trials(server, tmp_path):
    for placement in ("v1.1", "balanced"):
        quiet(lab(server, "good"), sizes=7, seeds=[1], placement=placement, book=tmp_path / "a.db")
    assert server.count("good") == 2


def test_a_wrong_name_stops_that_model_and_is_one_message(server, tmp_path):
    with pytest.raises(AskError, match=r"lab/gone cannot be asked \(unknown model: .*a\.db") as caught:
        quiet(lab(server, "gone", max_connections=1), sizes=5, seeds=range(20), book=tmp_path / "a.db")
    assert "\n" not in str(caught.value) and server.count("gone") < 5


def test_no_network_is_one_message(tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_API_KEY", KEY)
    away = LLM("openai-api/lab/x", base_url="http://127.0.0.1:9/v1", max_retries=0, max_connections=1)
    with pytest.raises(AskError, match=r"cannot be asked \(unreachable"):
        quiet(away, sizes=5, seeds=range(5), book=tmp_path / "a.db")


def test_an_address_where_nobody_is_costs_no_minutes(tmp_path, monkeypatch):
    monkeypatch.setenv("LAB_API_KEY", KEY)
    began = time.monotonic()
    with pytest.raises(AskError, match=r"cannot be asked \(unreachable"):
        quiet(LLM("openai-api/lab/x", base_url="http://127.0.0.1:9/v1"), sizes=5, seeds=range(5), book=tmp_path / "a")
    assert time.monotonic() - began < 30, "with all five retries it would be some 95 s"


def test_a_provider_that_hangs_ends_its_trial_only(tmp_path):
    def answer(messages, model, **_):
        time.sleep(60 if model == "hang" else 0)
        return solved({"messages": messages})

    register_provider("mine", answer)
    began = time.monotonic()
    models = [LLM(f"mine/{name}", max_retries=0, attempt_timeout=1) for name in ("hang", "good")]
    with pytest.warns(RunWarning, match="2 × timed out"):
        frame = quiet(models, sizes=5, seeds=range(2), book=tmp_path / "a.db")
    assert frame["outcome"].tolist() == ["timed out"] * 2 + ["answered"] * 2 and time.monotonic() - began < 40


def test_a_missing_key_stops_before_anything_is_asked(server, tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(AskError, match="OPENAI_API_KEY"):
        quiet([lab(server, "good"), "openai/gpt-4o"], sizes=5, seeds=range(5), book=tmp_path / "a.db")
    assert not server.asked


@pytest.mark.parametrize(
    "wrong",
    [
        {"models": "gpt-4o"},
        {"models": [5]},
        {"models": "synthetic/nobody"},
        {"sizes": [1]},
        {"runs": 0},
        {"arms": ["x"]},
    ],
)  # fmt: skip
def test_wrong_arguments_ask_nobody(tmp_path, wrong):
    known = {"models": "synthetic/careful", "sizes": [5], "seeds": [1]} | wrong
    with pytest.raises(InputError):
        quiet(known.pop("models"), book=tmp_path / "a.db", **known)


def test_a_full_disk_is_one_message_and_keeps_what_was_done(server, tmp_path, monkeypatch):
    add, room = AnswerBook.add, [3]

    def filling(book, *args, **fields):
        room[0] -= 1
        if room[0] < 0:
            raise StoreError("a.db cannot be written (disk full): free some space")
        return add(book, *args, **fields)

    monkeypatch.setattr(AnswerBook, "add", filling)
    with pytest.raises(StoreError, match="disk full"):
        quiet(lab(server, "good", max_connections=1), sizes=5, seeds=range(30), book=tmp_path / "a.db")
    assert server.count("good") < 30, "nothing more is paid for once it cannot be kept"
    monkeypatch.setattr(AnswerBook, "add", add)
    frame = quiet(lab(server, "good"), sizes=5, seeds=range(30), book=tmp_path / "a.db")
    assert len(frame) == 30 and (frame["sr"] == 1).all()


@pytest.mark.parametrize("place", ["note.txt/deep/a.db", "note.txt", "folder", "\0.db"])
def test_a_book_in_an_impossible_place_is_one_message(server, tmp_path, place):
    (tmp_path / "note.txt").write_text("mine " * 300)
    (tmp_path / "folder").mkdir()
    with pytest.raises(KitError) as caught:
        quiet(lab(server, "good"), sizes=5, seeds=[1], book=tmp_path / place)
    assert "\n" not in str(caught.value) and not server.asked


def test_a_folder_for_logs_that_cannot_be_is_named_before_anything_is_asked(server, tmp_path):
    (tmp_path / "note.txt").write_text("mine")
    for folder in (tmp_path / "note.txt", tmp_path / "note.txt" / "logs"):
        with pytest.raises(FileError, match=rf"The logs cannot be written to {re.escape(str(folder))} \(") as caught:
            quiet(lab(server, "good"), sizes=5, seeds=[1], book=tmp_path / "a.db", log_dir=folder)
        assert "\n" not in str(caught.value)
    assert not server.asked


@pytest.mark.parametrize("way", ["raised", "told"])
def test_a_folder_for_logs_that_is_full_is_named_and_the_answers_are_kept(server, tmp_path, monkeypatch, way):
    """Measured on a disk of 40 kB: Inspect ends the task with the repr of the error; at its end it raises."""
    evaluate = tasks.evaluate

    def full(*arguments):
        (log,) = evaluate(*arguments)
        error = OSError(errno.ENOSPC, "No space left on device")
        if way == "raised":
            raise error
        log.status, log.error = "error", EvalError(message=repr(error), traceback="", traceback_ansi="")
        return [log]

    monkeypatch.setattr(tasks, "evaluate", full)
    says = rf"logs cannot be written to {re.escape(str(tmp_path / 'l'))} \(No space left on device\).*kept in .*a\.db"
    with pytest.raises(StoreError, match=says) as caught:
        quiet(lab(server, "good"), sizes=5, seeds=[1, 2], book=tmp_path / "a.db", log_dir=tmp_path / "l")
    assert "\n" not in str(caught.value)
    monkeypatch.undo()
    monkeypatch.setenv("LAB_API_KEY", KEY)
    quiet(lab(server, "good"), sizes=5, seeds=[1, 2], book=tmp_path / "a.db")
    assert server.count("good") == 2


def test_a_fault_in_a_trial_is_told_and_not_passed_over(server, tmp_path, monkeypatch):
    from hallumaze_kit.study import tasks

    async def broken(*_):
        raise RuntimeError("a fault of the kit's own")

    monkeypatch.setattr(tasks, "converse", broken)
    with pytest.raises(KitError, match="The run stopped: RuntimeError: a fault of the kit's own"):
        quiet(lab(server, "good"), sizes=5, seeds=[1], book=tmp_path / "a.db")


# ---- keys -----------------------------------------------------------------------------------------


def contents(folder):
    """The bytes of every file below a folder, archives opened."""
    for path in Path(folder).rglob("*"):
        if not path.is_file():
            continue
        raw = path.read_bytes()
        yield path, raw
        if zipfile.is_zipfile(path):
            import zipfile_zstd  # noqa: F401

            with zipfile.ZipFile(path) as archive:
                for name in archive.namelist():
                    yield f"{path}:{name}", archive.read(name)
        elif raw[:2] == b"\x1f\x8b":
            yield f"{path} unpacked", gzip.decompress(raw)


SCRIPT = """
import sys, warnings
from hallumaze_kit import LLM, run
warnings.simplefilter("ignore")
url, names = sys.argv[1], sys.argv[2].split(",")
run([LLM(f"openai-api/lab/{n}", base_url=url, max_retries=1, retry_wait=0.01, attempt_timeout=10) for n in names],
    5, range(int(sys.argv[3])), book="book.db", log_dir="logs", progress=False)
"""


def started(folder, url, names, seeds, **more):
    env = os.environ | {"HOME": str(folder / "home"), "XDG_DATA_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, url, ",".join(names), str(seeds)], cwd=folder, env=env,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more,
    )  # fmt: skip


def test_no_key_is_on_the_disk(server, tmp_path):
    run_ = started(tmp_path, server.url, ["good", "echo-answer", "echo-error", "denied", "limited", "html"], 2)
    said = run_.communicate(timeout=120)[0]
    assert run_.returncode == 0, said
    files = dict(contents(tmp_path))
    assert any(".eval:" in str(name) for name in files) and any(str(name).endswith("book.db") for name in files)
    assert any(b"FINAL_PATH" in raw for raw in files.values()), "the search sees into the archives"
    found = [name for name, raw in files.items() if KEY.encode() in raw]
    assert not found and KEY not in said


LEAKING = """
import os, sys, types, warnings
from hallumaze_kit import LLM, register_provider, run
warnings.simplefilter("ignore")
own = os.environ["MINE"]

class Speaking(Exception):
    def __str__(self):
        return f"told with {self.held}"

def speaking():
    error = Speaking()
    error.held = types.SimpleNamespace(inner=[own])
    return error

WAYS = {
    "text": lambda: ValueError(own), "bytes": lambda: ValueError(own.encode()), "cause": lambda: KeyError({own: {own}}),
    "group": lambda: ExceptionGroup("all", [ValueError("a"), ExceptionGroup(own, [ValueError(own)])]),
    "file": lambda: FileNotFoundError(2, "gone", f"/{own}", None, own), "said": speaking,
}

def answer(messages, model, **_):
    if model in WAYS:
        error = WAYS[model]()
        error.add_note(own)
        raise error from RuntimeError(own)
    return (f"answered {own}", own) if model == "stop" else f"answered {own}"

register_provider("mine", answer)
names = [*WAYS, "stop", "answer"]
models = [LLM(f"mine/{n}", key_env="MINE", max_retries=0) for n in names]
frame = run(models, 5, range(2), book="book.db", log_dir="logs", progress=False)
print(sorted(zip(frame["model"], frame["outcome"])), list(frame["error"]))
"""


def test_no_key_of_a_provider_of_ones_own_is_on_the_disk(tmp_path):
    own = "own/key-of+mine:42"
    env = os.environ | {"HOME": str(tmp_path / "home"), "XDG_DATA_HOME": str(tmp_path / "home"), "MINE": own}
    env["PYTHONPATH"] = str(ROOT)
    done = subprocess.run([sys.executable, "-c", LEAKING], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("'failed'") == 14 and "('answer', 'answered')" in done.stdout, done.stdout
    files = dict(contents(tmp_path))
    assert any(".eval:" in str(name) for name in files) and any(b"[key removed]" in raw for raw in files.values())
    found = [name for name, raw in files.items() if own.encode() in raw or quote(own, safe="").encode() in raw]
    assert not found and own not in done.stdout + done.stderr


def test_a_study_named_by_a_key_is_refused(server, tmp_path):
    for study in (KEY, f"pilot {KEY}", "sk-another-5f3c9a1b"):
        with pytest.raises(InputError, match="study") as caught:
            quiet(lab(server, "good"), sizes=5, seeds=[1], book=tmp_path / "a.db", study=study)
        assert study not in str(caught.value)
    assert not server.asked and not (tmp_path / "a.db").exists()


# ---- two runs at once -----------------------------------------------------------------------------


def test_two_runs_on_one_book_buy_no_trial_twice(server, tmp_path):
    slow(server)
    first = started(tmp_path, server.url, ["good"], 100)
    deadline = time.monotonic() + 60
    while len(server.asked) < 15 and time.monotonic() < deadline:
        time.sleep(0.02)
    known, book = LLM("openai-api/lab/good", base_url=server.url), tmp_path / "book.db"
    with pytest.raises(BookBusy, match=rf"Another run \(process {first.pid}\) is asking for .*book\.db") as caught:
        quiet(known, sizes=5, seeds=range(100), book=book)
    assert "\n" not in str(caught.value) and first.poll() is None
    with AnswerBook(book) as opened:
        there = next(answer.maze["seed"] for answer in opened.answers())
    assert len(quiet(known, sizes=5, seeds=[there], book=book)) == 1, "what is there is read at any time"
    said = first.communicate(timeout=120)[0]
    assert first.returncode == 0, said
    frame = quiet(known, sizes=5, seeds=range(100), book=book)
    assert len(frame) == 100 == len(server.asked) and not (tmp_path / "book.db.lock").exists()


# ---- kills and interruptions ----------------------------------------------------------------------


def slow(scripted):
    respond = scripted.respond

    def waiting(body, key):
        time.sleep(0.3)
        return respond(body, key)

    scripted.respond = waiting


def test_killed_three_times_it_is_finished_and_nothing_finished_is_asked_again(server, tmp_path):
    slow(server)
    llm, seeds = (
        LLM("openai-api/lab/good", base_url=server.url, max_retries=1, retry_wait=0.01, attempt_timeout=10),
        120,
    )
    for _ in range(3):
        before = len(server.asked)
        killed = started(tmp_path, server.url, ["good"], seeds)
        deadline = time.monotonic() + 60
        while len(server.asked) < before + 25 and time.monotonic() < deadline:
            time.sleep(0.02)
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        time.sleep(1)  # what it had asked just before is answered, and counted
    with AnswerBook(tmp_path / "book.db") as book:
        there = [answer.text for answer in book.answers()]
    assert 20 < len(there) < seeds
    before = len(server.asked)
    frame = quiet(llm, sizes=5, seeds=range(seeds), book=tmp_path / "book.db")
    assert len(server.asked) - before == seeds - len(there)
    whole = quiet(llm, sizes=5, seeds=range(seeds), book=tmp_path / "other.db")
    same(frame, whole)


def test_an_interrupted_run_says_so_and_goes_on(server, tmp_path):
    slow(server)
    stopped = started(tmp_path, server.url, ["good"], 100)
    deadline = time.monotonic() + 60
    while len(server.asked) < 15 and time.monotonic() < deadline:
        time.sleep(0.02)
    stopped.send_signal(signal.SIGINT)
    said = stopped.communicate(timeout=60)[0]
    assert stopped.returncode != 0 and "RunInterrupted: The run was interrupted" in said and "book.db" in said
    with AnswerBook(tmp_path / "book.db") as book:
        assert 0 < len(book) < 100


def test_a_second_interruption_ends_the_waiting_and_says_the_same(server, tmp_path):
    stopped = started(tmp_path, server.url, ["hang"], 20)
    deadline = time.monotonic() + 60
    while len(server.asked) < 5 and time.monotonic() < deadline:
        time.sleep(0.02)
    for _ in range(2):
        stopped.send_signal(signal.SIGINT)
        time.sleep(0.3)
    said = stopped.communicate(timeout=60)[0]
    assert stopped.returncode != 0 and "RunInterrupted: The run was interrupted" in said
    assert "KeyboardInterrupt" not in said and "book.db" in said.splitlines()[-1]


@pytest.mark.parametrize("moment", ["open_model", "_opened_book", "_bar", "score_stored"])
def test_an_interruption_at_any_moment_is_one_message(server, tmp_path, monkeypatch, moment):
    quiet(lab(server, "good"), sizes=5, seeds=[1], book=tmp_path / "a.db")

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(running, moment, interrupted)
    with pytest.raises(RunInterrupted, match=r"The run was interrupted\..*kept in .*a\.db") as caught:
        quiet(lab(server, "good"), sizes=5, seeds=[1], book=tmp_path / "a.db")
    assert caught.value.__suppress_context__ and "\n" not in str(caught.value)


def test_an_interruption_while_it_winds_down_is_no_other_message(server, tmp_path, monkeypatch):
    class Thread(threading.Thread):
        def join(self, timeout=None):
            if timeout == running._PATIENCE:
                raise KeyboardInterrupt
            super().join(timeout)

    def told(_):
        raise KeyboardInterrupt

    slow(server)
    with monkeypatch.context() as patched:
        patched.setattr(running.threading, "Thread", Thread)
        with pytest.raises(RunInterrupted, match=r"interrupted: \d+ of 40 trials were asked"):
            run_results(
                lab(server, "good"), 5, range(40), book=tmp_path / "a.db", log_dir=None, progress=False, told=told
            )
    frame = quiet(lab(server, "good"), sizes=5, seeds=range(40), book=tmp_path / "a.db")
    assert (frame["outcome"] == "answered").all(), "at once, though the run before may still be ending"


def test_an_interruption_shows_no_traceback_in_a_notebook():
    assert RunInterrupted("It stopped.")._render_traceback_() == ["RunInterrupted: It stopped."]


# ---- logs and the registered task -------------------------------------------------------------------


def test_logs_hold_the_records(tmp_path):
    frame = quiet(
        ["synthetic/careful", "synthetic/hasty"],
        sizes=5,
        seeds=range(3),
        book=tmp_path / "a.db",
        log_dir=tmp_path / "l",
    )
    logged = pd.DataFrame(
        [(r.model, r.seed, r.mei) for r in read_logs(tmp_path / "l")], columns=["model", "seed", "mei"]
    )
    merged = logged.merge(frame[["model", "seed", "mei"]], on=["model", "seed"])
    assert len(logged) == 6 == len(merged) and (merged["mei_x"] == merged["mei_y"]).all()
    for nowhere in (tmp_path / "none", tmp_path):
        if nowhere == tmp_path:
            (tmp_path / "x.eval").write_bytes(b"no log")
        with pytest.raises(FileError):
            read_logs(nowhere)


def inspect(folder, *arguments):
    env = os.environ | {"XDG_DATA_HOME": str(folder / "home"), "INSPECT_DISPLAY": "plain"}
    command = [str(Path(sys.executable).with_name("inspect")), *arguments]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120)


def test_inspect_knows_the_task_and_the_synthetic_models(tmp_path):
    done = inspect(
        tmp_path, "eval", "hallumaze_kit/hallumaze", "--model", "synthetic/careful", "--log-dir", "logs",
        "-T", "size=5,7", "-T", "seeds=0-2", "-T", "lang=en", "-T", "runs=2",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    results = read_logs(tmp_path / "logs")
    assert [(r.maze_size, r.seed, r.run) for r in results[:3]] == [(5, 0, 0), (5, 0, 1), (5, 1, 0)] and len(
        results
    ) == 12
    frame = quiet(
        "synthetic/careful",
        sizes=[5, 7],
        seeds=range(3),
        runs=2,
        conditions=MazeConfig(language="en"),
        book=tmp_path / "a.db",
    )
    assert sorted(r.mei for r in results) == sorted(frame["mei"])
    listed = inspect(tmp_path, "log", "list", "--log-dir", "logs")
    assert ".eval" in listed.stdout, "inspect view lists the same"


def test_a_plan_that_is_no_longer_what_would_be_asked_is_refused(tmp_path):
    done = inspect(
        tmp_path, "eval", "hallumaze_kit/hallumaze", "--model", "synthetic/careful", "-T", "seeds=0", "-T", "plan=old",
        "--log-dir", "logs",
    )  # fmt: skip
    assert done.returncode != 0 and "plan must be the digest of these trials" in done.stdout + done.stderr


def test_numbers_in_words():
    assert whole_numbers("0-2,7") == [0, 1, 2, 7] and whole_numbers(5) == [5] and whole_numbers([1, 2]) == [1, 2]
    for wrong in ("x", "1-", "", "1-x", "-3"):
        with pytest.raises(InputError):
            whole_numbers(wrong)


# ---- protocols --------------------------------------------------------------------------------------


def test_groups_and_arms(tmp_path):
    configs = [MazeConfig(ariadne_mode=group) for group in "ABC"]
    frame = quiet(
        "synthetic/hasty",
        sizes=5,
        seeds=range(2),
        runs=3,
        conditions=configs,
        arms=["hint", "sham", "none"],
        book=tmp_path / "a.db",
    )
    arms = frame.groupby("ariadne_group")["arm"].value_counts().unstack(fill_value=0)
    assert arms.loc["A"].to_dict() == {"": 6, "hint": 0, "none": 0, "sham": 0}
    assert (arms.loc[["B", "C"], ["hint", "none", "sham"]] == 2).all(axis=None), "a maze has each arm once"
    told = frame[(frame["ariadne_group"] == "C") & frame["arm"].isin(["hint", "sham"])]
    assert told["nrs"].notna().all() and frame.loc[frame["arm"].isin(["", "none"]), "nrs"].isna().all()


def test_both_answers_of_a_hinted_trial_are_kept(tmp_path):
    (result,) = run_results(
        "synthetic/hasty", 5, [1], MazeConfig(ariadne_mode="C"), book=tmp_path / "a.db", log_dir=None, progress=False
    )
    assert [m["role"] for m in result.messages] == ["system", "user", "assistant", "user", "assistant"]
    second = score_answer(MazeEngine(5, 1), result.messages[-1]["content"], MazeConfig(size=5, ariadne_mode="C"))
    assert second.mei == result.mei and result.key_events[0]["said"] == "hint"


def test_stepwise_subjects_are_what_they_are(tmp_path):
    for view in ("open", "bump"):
        frame = quiet(
            ["synthetic/explorer", "synthetic/liar", "synthetic/looper", "synthetic/mumbler"], sizes=5, seeds=range(4),
            conditions=MazeConfig(protocol="stepwise", view=view), book=tmp_path / "a.db",
        ).set_index("model")  # fmt: skip
        assert (frame.loc["explorer", "hallucination_count"] == 0).all() and (frame.loc["explorer", "sr"] == 1).all()
        assert (frame.loc["liar", "hallucination_count"] > 0).all()
        assert (frame.loc["looper", "failure_mode"] == "stuck").all()
        assert (frame.loc["mumbler", "failure_mode"] == "unreadable").all() and (frame.loc["mumbler", "sr"] == 0).all()
    assert set(STEPPERS) == {"explorer", "liar", "looper", "mumbler"}


def test_a_stepwise_model_is_shown_its_last_turns_only(server, tmp_path):
    server.answer = lambda body: "MOVE: E | confidence: 50%"
    config = MazeConfig(protocol="stepwise", step_budget=6)
    quiet(lab(server, "good"), sizes=5, seeds=[1], conditions=config, history=2, book=tmp_path / "a.db")
    assert [len(body["messages"]) for body in server.asked] == [2, 4, 6, 6, 6, 6]
    frame = quiet(lab(server, "good"), sizes=5, seeds=[1], conditions=config, book=tmp_path / "a.db")
    assert frame["memory"].tolist() == ["all turns"] and len(server.asked[-1]["messages"]) == 12


def test_a_stepwise_trial_that_breaks_off_is_no_wrong_answer(server, tmp_path):
    respond = server.respond
    server.respond = lambda body, key: (
        respond(body | {"model": "broken"}, key) if len(server.asked) > 3 else respond(body, key)
    )
    server.answer = lambda body: "MOVE: E | confidence: 50%"
    with pytest.warns(RunWarning, match="1 × server error"):
        frame = quiet(
            lab(server, "good"), sizes=5, seeds=[1], conditions=MazeConfig(protocol="stepwise"), book=tmp_path / "a.db"
        )
    assert math.isnan(frame.loc[0, "sr"]) and frame.loc[0, "outcome"] == "server error"


def test_in_a_running_loop(tmp_path):
    import asyncio

    async def cell():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return quiet("synthetic/careful", sizes=5, seeds=[1], book=tmp_path / "a.db")

    assert asyncio.run(cell()).loc[0, "outcome"] == "answered"


def test_told_hears_each_new_result_once(tmp_path):
    heard = []
    for _ in range(2):
        run_results(
            "synthetic/careful", 5, range(3), book=tmp_path / "a.db", log_dir=None, progress=False, told=heard.append
        )
    assert sorted(r.seed for r in heard) == [0, 1, 2]
