"""A quick look at a pasted text before it is stored: is it an answer to this maze at all?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from hallumaze_kit.maze import Cell, MazeEngine
from hallumaze_kit.panels.pasting.plan import maze_key
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.store import StoredAnswer
from hallumaze_kit.trial.parsing import parse_answer
from hallumaze_kit.trial.probe import read_probe
from hallumaze_kit.trial.prompt import Prompt
from hallumaze_kit.trial.replay import Replay, replay
from hallumaze_kit.trial.trace import Trace

LONG = 1_000_000
"""An answer of more characters is stored only if the user says so again."""
FEW = 0.2
"""Share of illegal moves above which an answer may be another maze's that it fits, or a smaller one's."""


class Notice(NamedTuple):
    """Something to say about a pasted text: its kind and the values of its sentence.

    kind   "empty", "long", "prompt", "other_maze", "no_moves", "no_verdict" (of a probe: no yes or no) or "duplicate"

    Of "other_maze", `cell` is a named cell that is not in the maze, `move` (start, end) a move that it does not allow
    (one of the two is None), `fits` a maze that the text fits, None if none is known.
    """

    kind: str
    values: dict[str, Any]


def look(
    text: str,
    maze: MazeEngine,
    config: MazeConfig,
    prompt: Prompt,
    stored: Iterable[StoredAnswer],
    others: Iterable[MazeEngine] = (),
) -> Notice | None:
    """The first thing that speaks against a text as an answer to `maze` under a condition, None if nothing does.

    `stored` are the answers of the book, `others` the mazes that the text may belong to instead.
    """
    if not text.strip():
        return Notice("empty", {})
    if len(text) > LONG:
        return Notice("long", {"n": len(text)})
    same = same_answers(text, maze, config, stored)
    if same:
        return Notice(
            "duplicate", {"id": same[-1].id, "model": same[-1].meta.get("model", ""), "at": same[-1].added_at}
        )
    if config.protocol == "probe":
        said = read_probe(text).said_valid is not None
        return None if said else Notice("prompt" if is_prompt(text, prompt) else "no_verdict", {})
    trace = parse_answer(text)
    happened = replay(maze, trace)
    if not happened.moves and is_prompt(text, prompt):
        return Notice("prompt", {})
    return _of_another(trace, happened, maze, others) or (None if happened.moves else Notice("no_moves", {}))


def same_answers(text: str, maze: MazeEngine, config: MazeConfig, stored: Iterable[StoredAnswer]) -> list[StoredAnswer]:
    """The stored answers with the same text; of a probe, whose answers are short, only those to the same question."""
    same = [a for a in stored if a.text.strip() == text.strip() and not a.deleted]
    if config.protocol != "probe":
        return same
    asked = maze_key(maze.to_dict())
    return [a for a in same if a.config == config and a.maze and maze_key(a.maze) == asked]


def is_prompt(text: str, prompt: Prompt) -> bool:
    """Nearly all lines of the text are lines of the prompt."""
    known = {line.strip() for line in f"{prompt.system}\n{prompt.user}".split("\n")}
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return sum(line in known for line in lines) >= 0.8 * len(lines)


def _of_another(trace: Trace, happened: Replay, maze: MazeEngine, others: Iterable[MazeEngine]) -> Notice | None:
    """The text names cells that do not exist here, or its walk breaks most walls here and none of another maze."""
    named = cells_of(trace)
    outside = [cell for cell in named if not all(0 <= part < maze.size for part in cell)]
    illegal = [m for m in happened.moves if not m.legal]
    share = len(illegal) / len(happened.moves) if happened.moves else 0.0
    end = trace.final_path[-1] if trace.final_path else None
    smaller = end is not None and end[0] == end[1] < maze.size - 1 and max(map(max, named)) == end[0] and share > FEW
    fitting = next((other for other in others if fits(other, trace)), None) if outside or share > FEW else None
    if fitting is None and len(outside) < 2 and not smaller:
        return None
    cell = outside[0] if outside else None
    move = None if outside else (illegal[0].start, illegal[0].end)
    return Notice("other_maze", {"cell": cell, "move": move, "size": maze.size, "fits": fitting})


def fits(maze: MazeEngine, trace: Trace) -> bool:
    """At least nine of ten moves of the answer are legal on the maze, and it ends at the exit."""
    happened = replay(maze, trace)
    legal = sum(m.kind == "legal" for m in happened.moves)
    ended = happened.end == maze.exit or (trace.final_path is not None and trace.final_path[-1] == maze.exit)
    return bool(happened.moves) and ended and legal >= 0.9 * len(happened.moves)


def cells_of(trace: Trace) -> list[Cell]:
    """The cells that steps and final path name."""
    named = [cell for step in trace.steps for cell in (step.cell, step.to) if cell is not None]
    return [*named, *(trace.final_path or ())]
