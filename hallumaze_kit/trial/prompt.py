"""From a maze and a condition to the prompt (section 7 of the v1.1 document; specification 1, section 3)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import DIRECTIONS, STEP, Cell, MazeEngine
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.trial import wording

TAIL = 3
"""Most legal moves that follow the illegal one in an injected walk."""


class Prompt(NamedTuple):
    """What a subject is shown: system turn, user turn, and the SHA-256 (hex) of both.

    `sha256` is taken over `system + "\\n\\0\\n" + user` in UTF-8.
    """

    system: str
    user: str
    sha256: str


class InjectedMove(NamedTuple):
    """One move of a walk that the prompt carries: the cell it starts from and its direction."""

    cell: Cell
    direction: str


def build_prompt(maze: MazeEngine, config: MazeConfig | None = None) -> Prompt:
    """The prompt for a maze under a condition; same arguments, same bytes, in every process.

    Without `config` it is `MazeConfig(size=maze.size)`: v1.1's prompt in Korean. What the options do:

    template, language   one of five wordings with the same fields, in Korean or English
    disclosure           "neutral" neither says what is measured nor demands declarations. It keeps the step line, the
                         confidence log and FINAL_PATH, without which an answer cannot be read, and offers the DEAD_END,
                         LOOP and STRATEGY_CHANGE lines as a notation for who wants it, so that declarations are written
                         alike in both conditions; it leaves out BACKTRACK_COUNT and HALLUCINATION_COUNT, because asking
                         for them says what is looked for. Self-reported counts are therefore NaN in that condition.
    use_confidence       False drops the confidence of the step line and CONFIDENCE_LOG
    use_mirage, show_seed   passed on to `MazeEngine.encode_text`
    injection            the user turn ends with the walk of `injected_walk`, to be continued
    ariadne_mode         does not change a byte: who sees "you may get a hint" knows the group (the public program told
                         group B so), and a difference between groups would then no longer be the hint's effect

    With the protocol "stepwise" it is what stands at the beginning of the trial (`hallumaze_kit.trial.stepwise`), with
    "probe" the question about a path (`hallumaze_kit.trial.probe`).

    Raises `InputError` if `config.size` is not the maze's, and for a maze that is too small for an injected walk or a
    broken path.
    """
    config = config or MazeConfig(size=maze.size)
    check_size(maze, config)
    if config.protocol == "stepwise":
        from hallumaze_kit.trial.stepwise import Stepwise  # which imports this module

        return Stepwise(maze, config).prompt
    if config.protocol == "probe":
        from hallumaze_kit.trial.probe import probe_prompt  # which imports this module

        return probe_prompt(maze, config)
    step = wording.STEP[config.language][0 if config.use_confidence else 1]
    template = wording.USER[config.language][config.template].replace("{output}", wording.OUTPUT)
    user = _lines(template, config).format(
        maze=maze.encode_text(config.use_mirage, config.language, config.show_seed),
        step=step,
        dead_end=wording.DEAD_END,
        loop=wording.LOOP,
        change=wording.CHANGE[config.language],
    )
    walk = injected_walk(maze, config)
    if walk:
        steps = "\n".join(f"STEP {n}: ({r},{c}) → [{d}]" for n, ((r, c), d) in enumerate(walk, 1))
        whose = wording.WHOSE[config.language][config.injection.removesuffix("-clean")]
        so_far = wording.SO_FAR[config.language].format(whose=whose, number=len(walk) + 1, steps=steps)
        user = f"{user}\n\n{so_far}"
    system = wording.SYSTEM[config.language][config.disclosure][config.template]
    return prompt_of(system, user)


def prompt_of(system: str, user: str) -> Prompt:
    """A prompt with its hash."""
    return Prompt(system, user, hashlib.sha256(f"{system}\n\0\n{user}".encode()).hexdigest())


def injected_walk(maze: MazeEngine, config: MazeConfig) -> tuple[InjectedMove, ...]:
    """The moves that the prompt carries under `config.injection`, from the start; () for "none".

    "own", "other": along the solution for a while (up to a third of it where the maze allows), then through one wall
    between two cells, then on from the far side for two or three legal moves (fewer where there is no room) over cells
    not yet visited. "own-clean", "other-clean": the same number of moves, all along the solution. Both end short of
    the exit. The moves depend on the maze's walls and on whether an error is planted, nothing else: the subject's
    "own" walk and the "other" solver's are the same, in every language and template. The lines carry no confidence
    and no reason, so that nobody's confidence is anchored.

    Raises `InputError` for a maze in which no wall can be crossed short of the exit (some of 2×2).
    """
    if config.injection == "none":
        return ()
    check_size(maze, config)
    broken = _broken_walk(maze)
    if not broken:
        mend = "In this maze no wall can be crossed short of the exit; take a size of 3 or more."
        raise InputError("config.injection", config.injection, "'none' for this maze", mend)
    if not config.injection.endswith("-clean"):
        return tuple(broken)
    return tuple(InjectedMove(cell, maze.onward(cell)) for cell in maze.solution[: len(broken)])


def check_size(maze: MazeEngine, config: MazeConfig) -> None:
    """Raise `InputError` if the condition is for another size than the maze's."""
    if config.size != maze.size:
        raise InputError("config.size", config.size, f"the maze's size, {maze.size}")


def _lines(template: str, config: MazeConfig) -> str:
    """The template without the lines of other conditions."""
    keep = {"d|": config.disclosure == "disclosed", "n|": config.disclosure == "neutral", "c|": config.use_confidence}
    lines = []
    for line in template.split("\n"):
        mark = line[:2]
        if keep.get(mark, True):
            lines.append(line[2:] if mark in keep else line)
    return "\n".join(lines)


def _neighbour(cell: Cell, direction: str) -> Cell:
    return cell[0] + STEP[direction][0], cell[1] + STEP[direction][1]


def _broken_walk(maze: MazeEngine) -> list[InjectedMove]:
    """A walk with one wall crossed in it, the first found that serves; [] if the maze has no room for one.

    At least one move shorter than the solution, so that a clean walk of the same length ends short of the exit.
    """
    rng = Random(f"hallumaze injection {maze.maze_id}")
    longest = len(maze.solution) - 2
    best: list[InjectedMove] = []
    room = -1
    for way in _ways(maze, longest - 1, rng):
        cell = _neighbour(*way[-1]) if way else maze.start
        visited = {move.cell for move in way} | {cell}
        for direction in rng.sample(DIRECTIONS, 4):
            far = _neighbour(cell, direction)
            inside = all(0 <= x < maze.size for x in far)
            if not inside or maze.is_open(cell, direction) or far in visited or far == maze.exit:
                continue
            tails = _walks(maze, far, visited | {far}, min(TAIL, longest - 1 - len(way)))
            tail = rng.choice([tail for tail in tails if len(tail) >= 2] or [max(tails, key=len)])
            if len(tail) > room:
                best, room = [*way, InjectedMove(cell, direction), *tail], len(tail)
            if room >= 2:
                return best
    return best


def _ways(maze: MazeEngine, most: int, rng: Random) -> Iterator[list[InjectedMove]]:
    """Legal walks from the start, the most wanted first: part of the first third of the solution, of all of it, any."""
    along = [InjectedMove(cell, maze.onward(cell)) for cell in maze.solution[:most]]
    third = min(len(along), len(maze.solution) // 3)
    for counts in (range(1, third + 1), [0, *range(third + 1, len(along) + 1)]):
        for count in rng.sample(counts, len(counts)):
            yield along[:count]
    yield from _walks(maze, maze.start, {maze.start}, most)


def _walks(maze: MazeEngine, cell: Cell, visited: set[Cell], most: int) -> list[list[InjectedMove]]:
    """All legal walks of 0 to `most` moves from `cell` over unvisited cells, the exit left out."""
    walks: list[list[InjectedMove]] = [[]]
    if most > 0:
        for direction in maze.open_directions(cell):
            end = _neighbour(cell, direction)
            if end not in visited and end != maze.exit:
                for rest in _walks(maze, end, visited | {end}, most - 1):
                    walks.append([InjectedMove(cell, direction), *rest])
    return walks
