"""How a synthetic subject answers a probe: it reads maze and path, judges by its traits, writes a reply."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from hallumaze_kit.maze import STEP, Cell, MazeEngine
from hallumaze_kit.subjects.synthetic_walk import JUNCTION, Streams, Traits

if TYPE_CHECKING:
    from hallumaze_kit.subjects.synthetic import Synthetic

_ASKED = re.compile(r"^VALID: (?:yes\|no|예\|아니오)$", re.M)
_PATH = re.compile(r"^\(0,0\)(?:→\(\d{1,3},\d{1,3}\))+$", re.M)
_CELL = re.compile(r"\((\d{1,3}),(\d{1,3})\)")

WORDS = {"ko": {True: "예", False: "아니오"}, "en": {True: "yes", False: "no"}}
SENTENCES = {
    "ko": {True: "모든 이동이 허용됩니다.", False: "허용되지 않는 이동이 있습니다."},
    "en": {True: "Every move of the path is allowed.", False: "Not every move of the path is allowed."},
}
SURE = {"ko": "확신도는 {sure}%입니다.", "en": "I am {sure}% sure."}
FORMS = {
    "standard": ("VALID: {word}", "CONFIDENCE: {sure}%"),
    "markdown": ("- **VALID:** {word}", "- **CONFIDENCE:** {sure}%"),
    "table": ("| VALID | {word} |", "| CONFIDENCE | {sure}% |"),
    "list": ("1. VALID: {word}", "2. CONFIDENCE: {sure}%"),
    "terse": ("{word}", "{sure}%"),
}
"""The two lines of a reply by style; "prose" writes sentences."""


def is_probe(user: str) -> bool:
    """True if the user turn asks for the judgement of a path: its format line stands in it."""
    return _ASKED.search(user) is not None


def probe_reply(subject: Synthetic, user: str, seed: int) -> str:
    """The reply of a subject to the user turn of a probe, in its language and the subject's style.

    Traits: it notices a broken edge with probability `notice`, and calls a clean path broken with probability `slip`.
    Its confidence is 75 plus its bias and noise, lower by `doubt` where it is wrong, 1 to 100. So the oracle is always
    right, and "stubborn" never sees a broken edge.

    Kinds: "random_walk" tosses a coin, 50 % sure; "never_hint" looks for nothing and says yes, 50 % sure; "clock"
    judges by its traits and is 99 % sure, whatever happens (100 minus the number of its only step); "empty"; "echo".

    The same subject, maze, path and seed give the same judgement in every language, template and process.
    """
    if subject.kind in ("empty", "echo"):
        return user if subject.kind == "echo" else ""
    maze, path = MazeEngine.from_text(user), read_path(user)
    broken = any(not _is_open(maze, a, b) for a, b in pairwise(path))
    streams = Streams(f"hallumaze synthetic probe {subject.name} {maze.maze_id} {path} {seed}")
    valid, sure = _judgement(subject.kind, subject.traits, broken, streams)
    language = "ko" if re.search("[가-힣]", user) else "en"
    prose = (SENTENCES[language][valid], SURE[language])
    lines = prose if subject.style == "prose" else FORMS[subject.style]
    asked = lines if "XX%" in user else lines[:1]
    return "\n".join(asked).format(word=WORDS[language][valid], sure=sure)


def read_path(user: str) -> tuple[Cell, ...]:
    """The path that a probe's user turn shows."""
    found = _PATH.search(user)
    return tuple((int(row), int(col)) for row, col in _CELL.findall(found[0])) if found else ()


def _judgement(kind: str, traits: Traits, broken: bool, streams: Streams) -> tuple[bool, int]:
    """(says that the path is valid, confidence in per cent)."""
    if kind == "random_walk":
        return streams("coin").random() < 0.5, 50
    if kind == "never_hint":
        return True, 50
    notices = streams("notice").random() < (traits.notice if broken else traits.slip)
    if kind == "clock":
        return not notices, 99
    doubt = 0.0 if notices == broken else traits.doubt
    noise = streams("confidence").gauss(0.0, 1.0) * traits.confidence_noise
    return not notices, max(1, min(100, round(JUNCTION - doubt + traits.confidence_bias + noise)))


def _is_open(maze: MazeEngine, one: Cell, other: Cell) -> bool:
    """The maze lets one go from one cell to the other."""
    return any((one[0] + STEP[d][0], one[1] + STEP[d][1]) == other for d in maze.open_directions(one))
