"""Two processes write 1,000 answers each at once while 100 SIGKILLs fall at random moments.

Every answer that was acknowledged is there, whole, once.
"""

from __future__ import annotations

import collections
import hashlib
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from hallumaze_kit.store import AnswerBook

ROOT = Path(__file__).parents[2]
ANSWERS, KILLS, SEED = 1000, 100, 20260322

WRITER = f"""
import hashlib, os, random, sys, time
sys.path.insert(0, {str(ROOT)!r})
from hallumaze_kit.store import AnswerBook

path, log, gate, name, done = *sys.argv[1:5], int(sys.argv[5])
rng = random.Random(f"{{name}} {{done}} {{os.getpid()}}")
acknowledged = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
book = AnswerBook(path)
for number in range(done, {ANSWERS}):
    while number >= 5 + os.stat(gate).st_size * {ANSWERS // KILLS}:
        time.sleep(0.001)
    body = rng.choice(["STEP 1: (0,0) → E", "막다른 길", "\\x00", "\\ud83d"]) * rng.randrange(1, rng.choice([10, 3000]))
    text = f"{{name}}:{{number}}:{{os.getpid()}}:{{body}}"
    id = book.add(text, maze={{"size": 7, "number": number}}, provider="synthetic", run=number)
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    os.write(acknowledged, f"{{id}} {{digest}}\\n".encode())
    os.fsync(acknowledged)
"""
LINE = 32 + 1 + 64 + 1


class Writer:
    """A process that writes until it has acknowledged all its answers; started again after each kill.

    It goes no further than the gate lets it, a file of one byte a kill, so that the kills are spread over all answers.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.book, self.gate, self.log = (
            name,
            folder / "b.hallumaze",
            folder / "gate",
            folder / f"{name}.log",
        )
        self.log.touch()
        self.start()

    def start(self) -> None:
        arguments = [self.book, self.log, self.gate, self.name, str(self.acknowledged())]
        self.process = subprocess.Popen([sys.executable, "-S", "-E", "-c", WRITER, *arguments])

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        assert self.process.wait() == -signal.SIGKILL, "a writer ended by itself"

    def acknowledged(self) -> int:
        return self.log.stat().st_size // LINE


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_what_was_acknowledged_survives_every_kill(tmp_path):
    rng = random.Random(SEED)
    gate = tmp_path / "gate"
    gate.touch()
    writers = [Writer(name, tmp_path) for name in ("one", "two")]
    for kill in range(KILLS):
        if rng.random() < 0.2:  # at any moment, while the new process opens the book too
            time.sleep(rng.uniform(0, 0.15))
        else:  # while answers are written
            goal = sum(w.acknowledged() for w in writers) + rng.randint(1, 12)
            patience = time.monotonic() + 0.5
            while sum(w.acknowledged() for w in writers) < goal and time.monotonic() < patience:
                pass
            time.sleep(rng.uniform(0, 0.001))
        victim = rng.choice(writers)
        victim.kill()
        gate.write_bytes(b"x" * (kill + 1))
        victim.start()
    for writer in writers:
        assert writer.process.wait() == 0

    acknowledged = [tuple(line.split()) for writer in writers for line in writer.log.read_text().splitlines()]
    assert len(acknowledged) == 2 * ANSWERS
    with AnswerBook(tmp_path / "b.hallumaze") as book:
        answers = list(book.answers())
    held = {answer.id: hashlib.sha256(answer.text.encode("utf-8", "surrogatepass")).hexdigest() for answer in answers}
    assert len(held) == len(answers)
    assert {id: held.get(id) for id, _ in acknowledged} == dict(acknowledged)
    times = collections.Counter(held.values())
    assert all(times[digest] == 1 for _, digest in acknowledged)
    # What a kill left without an acknowledgement is whole too, and there is at most one a kill.
    assert len(answers) <= len(acknowledged) + KILLS
    for answer in answers:
        name, number, _, body = answer.text.split(":", 3)
        assert name in ("one", "two")
        assert body
        assert answer.maze == {"size": 7, "number": int(number)}
        assert answer.meta == {"provider": "synthetic", "run": int(number)}
    with closing(sqlite3.connect(tmp_path / "b.hallumaze")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
