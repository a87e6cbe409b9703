"""From a pasted answer to what is shown of it: stored, scored, drawn and written as a page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import Line, fastest, seconds
from benchmarks.score import ANSWERS
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.panels.pasting import view
from hallumaze_kit.panels.pasting.state import PasteState
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.store import AnswerBook
from hallumaze_kit.subjects.synthetic import SYNTHETIC
from hallumaze_kit.trial.prompt import build_prompt

ABOUT = "from the press of the button to the finished page, in seconds, after the panel has been opened."
SHORT, LONG = 1.0, 3.0


def measure(repeats: int = 5, size: int = 31) -> Iterator[Line]:
    """A real 7×7 answer, and a synthetic one to a large maze."""
    real = (next(ANSWERS.glob("p14*")).read_text("utf-8"), MazeEngine(7, 7007))
    large = MazeEngine(size, 1)
    config = MazeConfig(size=size)
    made = (SYNTHETIC["careful"].answer(build_prompt(large, config), 0), large)
    view.warm()
    with TemporaryDirectory() as folder, AnswerBook(Path(folder) / "answers.db") as book:
        state = PasteState(book)
        for what, (text, maze), most in (
            ("real answer, 7×7", real, SHORT),
            (f"synthetic answer, {size}×{size}", made, LONG),
        ):
            state.choose(maze, MazeConfig(size=maze.size))
            took, page = fastest({what: lambda text=text: _paste(state, text)}, repeats)[what]
            if "data:image/png" not in page:
                raise RuntimeError(f"{what}: nothing was drawn")
            yield Line(what, seconds(took), target=f"< {most:g} s", met=took < most)


def _paste(state: PasteState, text: str) -> str:
    return view.shown_html(state.submit(text, anyway=True), "ko")
