"""The page of a result, by what was asked: a walk, a walk after a hint, a judgement of a path."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hallumaze_kit.maze import DIRECTIONS, STEP, Cell, MazeEngine
from hallumaze_kit.panels.pasting import view
from hallumaze_kit.panels.pasting.state import Shown
from hallumaze_kit.panels.pasting.words import WORDS
from hallumaze_kit.panels.trials.hints import standing
from hallumaze_kit.trial.probe import probe_path
from hallumaze_kit.trial.replay import Move

OF_PROBE = ("ce", "oce", "uce", "brier")
"""What a judgement has besides its own measures."""
SAID_OF = {
    "awaited": "awaiting",
    "alone": "alone_now",
    "first": "first_now",
    "quiet": "quiet_now",
    "silent": "silent_now",
}


def page_html(shown: Shown, language: str) -> str:
    """The page of a result."""
    if shown.config.protocol == "probe":
        return probe_html(shown, language)
    words = WORDS[language]
    key = SAID_OF.get(standing(shown.answer), "")
    return view.shown_html(shown, language, (view.notice(words[key], "ask") if key else "") + _before(shown, words))


def _before(shown: Shown, words: dict[str, Any]) -> str:
    """Of a second answer, the first one and what was sent after it."""
    if standing(shown.answer) != "second":
        return ""
    said = [turn["content"][: view.LONGEST_SHOWN] for turn in shown.result.messages[2:4]]
    parts = "".join(f'<pre class="hm-text" tabindex="0">{view.text(text)}</pre>' for text in said)
    return view.details(words["before_hint"], parts, False)


def probe_html(shown: Shown, language: str) -> str:
    """A probe: the path on the maze, what was said of it, the few numbers that a judgement has."""
    words = WORDS[language]
    path = probe_path(shown.maze, shown.config)
    moves = tuple(_move(shown.maze, start, end, n) for n, (start, end) in enumerate(pairwise(path.cells), 1))
    alt = words["path_alt"].format(n=len(path.cells))
    judged = words["judged"][view.judged(shown.result.probe_right)]
    said = "".join(f"<li>{view.text(line)}</li>" for line in _lines(shown, path.edge, language))
    parts = [
        view.head(shown, judged, words["protocols"]["probe"], language),
        f'<div class="hm-columns"><div class="hm-walk"><p>{view.text(words["path"])}</p>',
        f"{view.drawn(shown, moves, alt, language)}</div>",
        f"<div><ul>{said}</ul></div></div>",
        view.details(words["numbers"], view.numbers(shown.result, OF_PROBE, language), True),
        view.details(words["warnings"], view.warnings(shown, language), bool(shown.result.warnings)),
        view.details(words["original"], view.answer_html(shown, words), True),
    ]
    return f'<div class="hm-result">{"".join(parts)}</div>'


def _lines(shown: Shown, edge: tuple[Cell, Cell] | None, language: str) -> list[str]:
    """What was shown, what was said, how sure."""
    said, words = shown.result.probe_said_valid, WORDS[language]["probe_lines"]
    lines = [words["broken"].format(edge=" – ".join(f"({r},{c})" for r, c in edge)) if edge else words["whole"]]
    lines.append(words["said"].format(said=words["unread" if said is None else "valid" if said else "invalid"]))
    sure = shown.result.probe_confidence
    return [*lines, words["sure"].format(percent=100 * sure)] if sure == sure else lines


def _move(maze: MazeEngine, start: Cell, end: Cell, number: int) -> Move:
    direction = next(d for d in DIRECTIONS if (start[0] + STEP[d][0], start[1] + STEP[d][1]) == end)
    kind = "legal" if maze.is_open(start, direction) else "wall"
    return Move(start, end, direction, kind, step=number)
