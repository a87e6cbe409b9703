"""`match`: which maze an answer belongs to."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import PurePath
from typing import Any, NamedTuple

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.maze.engine import MAX_SIZE, MIN_SIZE
from hallumaze_kit.maze.generate import GENERATORS
from hallumaze_kit.panels.batch.marks import holds_maze
from hallumaze_kit.panels.batch.pasted import Pasted
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.records.config import CHOICES, LANGUAGES, TEMPLATES
from hallumaze_kit.trial.parsing import parse_answer
from hallumaze_kit.trial.prompt import build_prompt
from hallumaze_kit.trial.replay import replay
from hallumaze_kit.trial.trace import Trace
from hallumaze_kit.trial.wording import SO_FAR
from hallumaze_kit.trial.wording.probe import SYSTEM, VALID

REASONS = ("no answer", "maze text broken", "seed without size", "seed does not fit", "several mazes", "no moves",
           "no mazes", "fits none")  # fmt: skip
"""Why no maze was found; the panel words it. `Match.data` holds what belongs to it:

no answer            a prompt that nobody answered
maze text broken     the prompt holds a maze text that cannot be read     why: the sentence of the error
seed without size    a seed is named, and no maze or size for it          seed
seed does not fit    the answer's moves do not fit the maze of the seed   seed, size
several mazes        more than one maze is possible                       count
no moves             nothing names a maze, and no move could be read
no mazes             nothing names a maze, and there are none to compare with
fits none            nothing names a maze, and no candidate is solved     count
"""
FITS, FITS_SEED = 0.9, 0.8
"""Least share of a walk's moves that a maze must allow: to be told by the walk alone, and by a seed with it."""
_SHORTEST = 4


@dataclass(frozen=True)
class Match:
    """What was found out about an answer.

    maze        None if it must be asked
    hints       fields of `MazeConfig` that the prompt tells: "language", "use_mirage", "show_seed", and for a prompt as
                the kit writes it also "protocol", "template", "use_confidence", "injection", "disclosure" (which of a
                probe only the system turn tells)
    how         "maze text", "seed line", "fits", or "" without a maze
    candidates  mazes that remain possible where `maze` is None, the best fit first
    reason      one of `REASONS` where `maze` is None, else ""
    data        what belongs to the reason
    """

    maze: MazeEngine | None = None
    hints: Mapping[str, Any] = field(default_factory=dict)
    how: str = ""
    candidates: tuple[MazeEngine, ...] = ()
    reason: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


def match(pasted: Pasted, mazes: Iterable[MazeEngine], shown: Iterable[MazeEngine] = ()) -> Match:
    """The maze of an answer among `mazes`, or the one that its prompt or seed names.

    1. The maze text in the prompt, else in the answer (there only if it is a candidate or its seed makes it).
    2. A seed, from a field, the prompt, the answer or the file's name, with the size named beside it or told by the end
       of the path: a candidate, else the maze of that seed if at least `FITS_SEED` of the moves are legal in it.
    3. The only candidate that the answer solves, else the only one whose exit it reaches with at least `FITS` of its
       moves legal ("fits").

    `shown` are mazes whose prompts were given out: candidates too, and the ones to take where several are possible.
    Nothing is guessed: where none or several remain, `maze` is None and `candidates` holds them.
    """
    given = list(dict.fromkeys(shown))
    known = list(dict.fromkeys([*given, *mazes]))
    if not pasted.text.strip():
        return Match(candidates=tuple(known), reason="no answer")
    named, broken = _by_text(pasted, known)
    if named is not None:
        return named
    answer = _Answer.read(pasted.text)
    found = _by_seed(pasted, answer, known, given) or _by_fit(answer, known, given)
    if found.maze is None and broken and found.reason != "several mazes":
        return Match(candidates=found.candidates, reason="maze text broken", data={"why": broken})
    return found


# ---- the maze text ------------------------------------------------------------------------------


def _by_text(pasted: Pasted, known: list[MazeEngine]) -> tuple[Match | None, str]:
    """The match by a maze text, and why the prompt's maze text could not be read ("" if it could, or there is none)."""
    broken = ""
    for text, trusted in ((pasted.prompt, True), (pasted.text, False)):
        if not holds_maze(text):
            continue
        try:
            read = MazeEngine.from_text(text)
        except InputError as error:
            broken = broken or (str(error) if trusted else "")
            continue
        maze = _same(read, known)
        if maze is not None or trusted or read.algorithm != "text":
            return Match(maze or _made(read), _hints(text, read, maze or _made(read)), "maze text"), ""
    return None, broken


def _same(read: MazeEngine, known: list[MazeEngine]) -> MazeEngine | None:
    """The candidate with the walls of a maze that was read, and with its lures where it shows any."""
    same = [maze for maze in known if maze.masks == read.masks and read.seed in (None, maze.seed)]
    with_lures = [maze for maze in same if not read.mirage_traps or maze.mirage_traps == read.mirage_traps]
    return with_lures[0] if with_lures else None


def _made(read: MazeEngine) -> MazeEngine:
    """The maze that a generator makes of the seed, with its lures, where the text shows none or the same."""
    if read.algorithm == "text":
        return read
    placement = read.placement if read.mirage_traps and read.placement != "text" else "v1.1"
    made = MazeEngine(read.size, read.seed, read.algorithm, placement)
    return made if not read.mirage_traps or made.mirage_traps == read.mirage_traps else read


def _hints(text: str, read: MazeEngine, maze: MazeEngine) -> dict[str, Any]:
    """Fields of `MazeConfig` that a prompt tells."""
    text = unicodedata.normalize("NFC", text).replace("\r\n", "\n")
    hints: dict[str, Any] = {"show_seed": read.seed is not None}
    if read.mirage_traps or maze.mirage_traps:
        hints["use_mirage"] = bool(read.mirage_traps)
    korean, english = "각 셀에서 이동 가능한 방향" in text, "Open directions of each cell" in text
    if korean != english:
        hints["language"] = LANGUAGES[0] if korean else LANGUAGES[1]
        hints |= _wording(text, read, hints)
    return hints


def _wording(text: str, read: MazeEngine, hints: Mapping[str, Any]) -> dict[str, Any]:
    """Protocol, template, confidence, injection and disclosure of a prompt that holds the kit's user turn; else {}."""
    language = hints["language"]
    if VALID[language] in text:
        protocol, injections = "probe", CHOICES["injection"]
    elif SO_FAR[language].split("\n")[0] in text:
        protocol, injections = "single", CHOICES["injection"][1:]
    else:
        protocol, injections = "single", ("none",)
    plain = "\n".join(line.rstrip() for line in text.split("\n"))
    for template, disclosure, confident, injection in product(
        range(TEMPLATES), CHOICES["disclosure"], (True, False), injections
    ):
        fields = {
            "protocol": protocol,
            "template": template,
            "disclosure": disclosure,
            "use_confidence": confident,
            "injection": injection,
        }
        shown = {"use_mirage": bool(read.mirage_traps), "show_seed": hints["show_seed"]}
        try:
            prompt = build_prompt(read, MazeConfig(size=read.size, language=language, **shown, **fields))
        except InputError:
            continue  # no room for an injected walk
        if prompt.user in plain:
            return fields if protocol == "single" else _of_probe(fields, language, plain)
    return {}


def _of_probe(fields: dict[str, Any], language: str, text: str) -> dict[str, Any]:
    """The fields of a probe, whose disclosure stands in its system turn alone, and is not known without it."""
    told = {name for name, system in SYSTEM[language].items() if system[fields["template"]] in text}
    known = {name: value for name, value in fields.items() if name != "disclosure"}
    return known | ({"disclosure": told.pop()} if len(told) == 1 else {})


# ---- the seed -----------------------------------------------------------------------------------

_SEED = re.compile(r"(?:\bseed|시드)(?:\s?(?:number|no\.?|값|번호))?[\s:=#*_`(]{0,6}(\d{1,12})(?!\d)", re.I)
_SIZE = re.compile(r"(?<!\d)(\d{1,3})\s?[×xX*]\s?(\d{1,3})(?!\d)")
_FILE_NAME = re.compile(r"(?:^|[_\W])n(\d{1,3})_s(\d{1,12})(?:[_\W]|$)", re.I)
_SOURCE_LENGTH = 200_000


class _Named(NamedTuple):
    seed: int
    size: int | None
    sure: bool


def _named(pasted: Pasted) -> _Named | None:
    """The seed that is named first: in a field, the prompt, the answer, the file's name; None where none or several."""
    if pasted.seed is not None:
        return _Named(pasted.seed, pasted.size, True)
    for text in (pasted.prompt[:_SOURCE_LENGTH], pasted.text[:_SOURCE_LENGTH]):
        seeds = {int(m[1]) for m in _SEED.finditer(text)}
        if len(seeds) > 1:
            return None
        if seeds:
            sizes = {int(m[1]) for m in _SIZE.finditer(text) if m[1] == m[2]}
            return _Named(seeds.pop(), sizes.pop() if len(sizes) == 1 else pasted.size, True)
    name = PurePath(pasted.source.replace("\\", "/")).name[:200]
    in_name = _FILE_NAME.search(name)
    if in_name:
        return _Named(int(in_name[2]), int(in_name[1]), False)
    seeds = {int(m[1]) for m in _SEED.finditer(name)}
    return _Named(seeds.pop(), pasted.size, False) if len(seeds) == 1 else None


def _by_seed(pasted: Pasted, answer: _Answer, known: list[MazeEngine], given: list[MazeEngine]) -> Match | None:
    """The match by a seed; None where no seed is named, or only the file's name tells one that does not fit."""
    named = _named(pasted)
    if named is None:
        return None
    size = named.size or answer.size
    same = [maze for maze in known if maze.seed == named.seed and size in (None, maze.size)]
    if not named.sure:
        same = [maze for maze in same if answer.share(maze) >= FITS_SEED]
    if len(same) > 1:
        same = [maze for maze in same if answer.share(maze) >= FITS_SEED] or same
    if same:
        return _one_of(same, given, answer, "seed line")
    if size is None:
        return Match(candidates=_ranked(answer, known), reason="seed without size", data={"seed": named.seed})
    if MIN_SIZE <= size <= MAX_SIZE and answer.length >= _SHORTEST:
        made = [MazeEngine(size, named.seed, algorithm) for algorithm in GENERATORS]
        fitting = [maze for maze in made if answer.share(maze) >= FITS_SEED]
        if fitting:
            best = max(answer.share(maze) for maze in fitting)
            return _one_of([maze for maze in fitting if answer.share(maze) == best], given, answer, "seed line")
    if not named.sure:
        return None
    data = {"seed": named.seed, "size": size}
    return Match(candidates=_ranked(answer, known), reason="seed does not fit", data=data)


# ---- the moves ----------------------------------------------------------------------------------


class _Answer(NamedTuple):
    """An answer that was read: its trace, its moves in the longer of walk and final path, its size by its end."""

    trace: Trace
    length: int
    size: int | None
    replays: dict[MazeEngine, tuple[float, bool, bool]]

    @classmethod
    def read(cls, text: str) -> _Answer:
        trace = parse_answer(text)
        steps = [step for step in trace.steps if step.direction or step.to is not None]
        path = trace.final_path or ()
        end = path[-1] if path else (steps[-1].to if steps else None)
        size = end[0] + 1 if end and end[0] == end[1] and MIN_SIZE <= end[0] + 1 <= MAX_SIZE else None
        return cls(trace, max(len(steps), len(path) - 1), size, {})

    def on(self, maze: MazeEngine) -> tuple[float, bool, bool]:
        """The share of moves that a maze allows (0 without moves), whether they solve it, whether they nearly do.

        Nearly: walk or final path ends at the exit, and at least `FITS` of the walk's moves are legal.
        """
        if maze not in self.replays:
            done = replay(maze, self.trace)
            moves = done.moves or done.final_moves
            share = sum(move.legal for move in moves) / len(moves) if moves else 0.0
            ends = done.end == maze.exit or bool(done.final_moves and done.final_moves[-1].end == maze.exit)
            self.replays[maze] = share, done.solves(maze), ends and share >= FITS
        return self.replays[maze]

    def share(self, maze: MazeEngine) -> float:
        """The share of moves that a maze allows."""
        return self.on(maze)[0]


def _by_fit(answer: _Answer, known: list[MazeEngine], given: list[MazeEngine]) -> Match:
    """The only candidate that the answer solves; where it solves none, the only one that it nearly does."""
    if not answer.length:
        return Match(candidates=tuple(known), reason="no moves")
    if not known:
        return Match(reason="no mazes")
    same = [maze for maze in known if answer.size in (None, maze.size)]
    fitting = [maze for maze in same if answer.on(maze)[1]] or [maze for maze in same if answer.on(maze)[2]]
    if fitting:
        return _one_of(fitting, given, answer, "fits")
    return Match(candidates=_ranked(answer, known), reason="fits none", data={"count": len(known)})


def _one_of(possible: list[MazeEngine], given: list[MazeEngine], answer: _Answer, how: str) -> Match:
    """The match, if one maze is possible, or only one of them was given out."""
    handed = [maze for maze in possible if maze in given]
    chosen = possible if len(possible) == 1 else handed
    if len(chosen) == 1:
        return Match(chosen[0], {}, how)
    return Match(candidates=_ranked(answer, possible), reason="several mazes", data={"count": len(possible)})


def _ranked(answer: _Answer, mazes: list[MazeEngine]) -> tuple[MazeEngine, ...]:
    """The mazes of the answer's size (all, if none has it or it is not known), the best fit first."""
    same = [maze for maze in mazes if answer.size in (None, maze.size)] or mazes
    return tuple(sorted(same, key=lambda maze: -answer.share(maze)) if answer.length else same)
