"""How a synthetic subject walks: what it reads in the prompt, what it tries, notices, says and repairs.

Every trait draws from seeded streams of its own, so that changing one trait does not change the luck of the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from random import Random
from typing import NamedTuple

from hallumaze_kit.maze import DIRECTIONS, OPPOSITE, STEP, Cell, MazeEngine
from hallumaze_kit.subjects.traits import Traits

CORRIDOR, JUNCTION = 90, 75
"""Confidence, in per cent, of an unbiased subject where one way is left to go, and where it has to choose."""
_GIVEN = re.compile(r"^STEP \d{1,5}: \((\d{1,3}),(\d{1,3})\) → \[([NESW])\]$", re.M)


class Task(NamedTuple):
    """What a subject reads in a prompt."""

    maze: MazeEngine
    language: str
    confidence: bool
    """A confidence is asked for."""
    counts: bool
    """BACKTRACK_COUNT and HALLUCINATION_COUNT are asked for."""
    given: tuple[tuple[Cell, str], ...]
    """The walk to be continued, if the prompt carries one: cells and directions."""
    ways: dict[Cell, list[str]]
    """The open directions of each cell."""
    walls: dict[Cell, list[str]]
    """The closed directions of each cell, those over the edge left out."""


class Deed(NamedTuple):
    """One move as the subject tried it. `noticed`, `declared`, `repaired` tell of a slip (an illegal move)."""

    step: int
    start: Cell
    direction: str
    end: Cell
    legal: bool
    why: str
    confidence: int
    noticed: bool = False
    declared: bool = False
    repaired: bool = False


class Said(NamedTuple):
    """A declaration: "dead_end" or "loop" at a cell, or "change"; made after the step `after`."""

    kind: str
    cell: Cell
    after: int
    seen_at: int = 0


class Walk(NamedTuple):
    """What a subject did: moves, declarations, how often it turned back knowingly, and the path it gives in the end."""

    deeds: tuple[Deed, ...] = ()
    said: tuple[Said, ...] = ()
    turns: int = 0
    path: tuple[Cell, ...] = ()


class Streams:
    """A seeded stream of random numbers for each name, independent of how the others are used."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._streams: dict[str, Random] = {}

    def __call__(self, name: str) -> Random:
        """The stream `name`."""
        if name not in self._streams:
            self._streams[name] = Random(f"{self._seed} {name}")
        return self._streams[name]


@lru_cache(maxsize=8)  # many subjects answer the same prompt
def read_task(user: str) -> Task:
    """Read the maze, the language and what is asked for in the user turn of a prompt."""
    maze = MazeEngine.from_text(user)
    inside = {(row, col) for row in range(maze.size) for col in range(maze.size)}
    ways = {cell: maze.open_directions(cell) for cell in inside}
    return Task(
        maze,
        "ko" if re.search("[가-힣]", user) else "en",
        "XX%" in user,
        "BACKTRACK_COUNT" in user,
        tuple(((int(row), int(col)), direction) for row, col, direction in _GIVEN.findall(user)),
        ways,
        {cell: [d for d in DIRECTIONS if d not in ways[cell] and beyond(cell, d) in inside] for cell in inside},
    )


def beyond(cell: Cell, direction: str) -> Cell:
    """The cell next to `cell` in a direction."""
    return cell[0] + STEP[direction][0], cell[1] + STEP[direction][1]


class _Crossing(NamedTuple):
    """A wall crossed at a step, the trail that led to it, and how many places it had stood on before."""

    start: Cell
    end: Cell
    step: int
    trail: list[Cell]
    places: int


class Walker:
    """A subject under way: where it stands, where it came from, what it has tried and said."""

    def __init__(self, task: Task, traits: Traits, streams: Streams) -> None:
        self.maze, self.traits, self.streams = task.maze, traits, streams
        self.ways, self.walls = task.ways, task.walls
        self.here = task.maze.start
        self.trail = [self.here]
        """The way from where it set out to `here`; begins anew behind a wall that was crossed."""
        self.entered = {self.here: 0}
        """The step that first led to each cell."""
        self.places = [self.here]
        """Every cell it stood on, in order."""
        self.closed: set[tuple[Cell, str]] = set()
        """Branches known to hold no exit."""
        self.known_walls: set[frozenset[Cell]] = set()
        """Pairs of cells it knows to be walled off."""
        self.deeds: list[Deed] = []
        self.said: list[Said] = []
        self.turns = 0
        self.step = 0
        self._take_up(task.given)

    def running(self, patience: int = 4) -> bool:
        """True until the exit is reached or patience·N² moves are made."""
        return self.here != self.maze.exit and len(self.deeds) < patience * self.maze.size**2

    def walk(self, path: Iterable[Cell] | None = None) -> Walk:
        """What was done so far; the final path is `path`, or the walk without its detours."""
        chosen = tuple(_without_loops([*self.places, self.here]) if path is None else path)
        return Walk(tuple(self.deeds), tuple(self.said), self.turns, chosen)

    def happens(self, trait: str, occasion: str = "") -> bool:
        """Draw from the trait's stream for this kind of occasion."""
        return self.streams(f"{trait} {occasion}").random() < getattr(self.traits, trait)

    def move(self, direction: str, why: str, confidence: int) -> None:
        """A legal move; the caller keeps the trail."""
        end = beyond(self.here, direction)
        self.step += 1
        self.deeds.append(Deed(self.step, self.here, direction, end, True, why, confidence))
        self._stand(end)

    def ways_on(self) -> list[str]:
        """Open directions that are not the way back and not known to be vain."""
        back = self.way_back()
        return [d for d in self.ways[self.here] if d != back and (self.here, d) not in self.closed]

    def way_back(self) -> str:
        """The direction it came from; "" where it set out."""
        if len(self.trail) < 2:
            return ""
        return next(d for d in DIRECTIONS if beyond(self.here, d) == self.trail[-2])

    def slip(self) -> bool:
        """Go through a wall, if the slip trait has it and there is one; notice, declare, repair it or not."""
        walls = [
            d for d in self.walls[self.here] if frozenset((self.here, beyond(self.here, d))) not in self.known_walls
        ]
        slips, side = self.happens("slip"), self.streams("slip side").random()
        if not slips or not walls:
            return False
        direction = walls[int(side * len(walls))]
        start, end = self.here, beyond(self.here, direction)
        confidence = self.confidence(self.traits.doubt)
        self.step += 1
        faced = self._face("slip")
        self.deeds.append(Deed(self.step, start, direction, end, False, "slip", confidence, *faced))
        self._own_up(self._cross(end), *faced)
        return True

    def confidence(self, lower: float = 0.0) -> int:
        """The confidence stated for the next move, 1 to 100."""
        base = JUNCTION if len(self.ways_on()) > 1 else CORRIDOR
        noise = self.streams("confidence").gauss(0.0, 1.0) * self.traits.confidence_noise
        return max(1, min(100, round(base - lower + self.traits.confidence_bias + noise)))

    def leave_dead_end(self) -> None:
        """Nothing is left ahead: go back knowingly, or just turn about."""
        back, before = self.way_back(), self.trail[-2]
        repaired = len(self.ways[self.here]) > 1
        if not repaired and self.here != self.maze.start:
            _, declared, repaired = self._face("dead end")
            if declared:
                self.said.append(Said("dead_end", self.here, self.step))
            self.turns += repaired
        confidence = self.confidence()
        if repaired:
            self.closed.add((before, OPPOSITE[back]))
            self.trail.pop()
            self.move(back, "back", confidence)
        else:
            self.trail = [self.here, before]
            self._move_unaware(back, "back", confidence)

    def lose_track(self) -> bool:
        """At a junction, take any open direction, if `forget` has it: the way back, or one known to be vain."""
        if not self.traits.forget or self.here not in self.maze.junctions:
            return False
        forgets, which = self.happens("forget"), self.streams("forget which").random()
        if not forgets:
            return False
        ways, back, confidence = self.ways[self.here], self.way_back(), self.confidence()
        direction = ways[int(which * len(ways))]
        end = beyond(self.here, direction)
        self.trail = [self.here, end] if direction == back else [*self.trail, end]
        self._move_unaware(direction, "guess", confidence)
        return True

    def go_on(self, ways: list[str]) -> None:
        """Take one of the ways ahead."""
        why, confidence = "only", self.confidence()
        direction = ways[0]
        if len(ways) > 1:
            direction, why = self._choose(ways)
        self.trail.append(beyond(self.here, direction))
        self._move_unaware(direction, why, confidence)

    def _choose(self, ways: list[str]) -> tuple[str, str]:
        right = self.maze.onward(self.here)
        errs, which = self.happens("wander"), self.streams("wander which").random()
        wrong = [d for d in ways if d != right]
        direction, why = (right, "right") if right in ways and not errs else (wrong[int(which * len(wrong))], "guess")
        claims = [
            lure.direction
            for lure in self.maze.mirage_traps
            if lure.cell == self.here and lure.kind != "neutral" and lure.direction in ways
        ]
        if claims and self.happens("lure"):
            return claims[0], "lure"
        return direction, why

    def _move_unaware(self, direction: str, why: str, confidence: int) -> None:
        """A move that may lead where it has been before, which it may notice at a junction."""
        known = beyond(self.here, direction) in self.entered
        self.move(direction, why, confidence)
        if known and self.here in self.maze.junctions:
            _, declared, _ = self._face("loop")
            if declared:
                self.said.append(Said("loop", self.here, self.step, self.entered[self.here] + 1))
                self.said.append(Said("change", self.here, self.step))

    def _face(self, occasion: str) -> tuple[bool, bool, bool]:
        """(noticed, declared, repaired); each trait draws its number, whether it is needed or not."""
        noticed = self.happens("notice", occasion)
        declared, repaired = self.happens("declare", occasion), self.happens("repair", occasion)
        return noticed, noticed and declared, noticed and repaired

    def _cross(self, end: Cell) -> _Crossing:
        """Stand on the far side of a wall, where the trail begins anew."""
        crossing = _Crossing(self.here, end, self.step, self.trail, len(self.places))
        self.trail = [end]
        self._stand(end)
        return crossing

    def _own_up(self, crossing: _Crossing, noticed: bool, declared: bool, repaired: bool) -> None:
        """What follows from a wall that was crossed; repaired, all since then is as if it had not been."""
        if noticed:
            self.known_walls.add(frozenset((crossing.start, crossing.end)))
        if declared:
            self.said.append(Said("dead_end", crossing.end, self.step))
        if repaired:
            self.turns += 1
            self.here, self.trail = crossing.start, crossing.trail
            self.entered = {cell: step for cell, step in self.entered.items() if step < crossing.step}
            del self.places[crossing.places :]

    def _stand(self, cell: Cell) -> None:
        if self.places[-1] != self.here:
            self.places.append(self.here)
        self.here = cell
        self.places.append(cell)
        self.entered.setdefault(cell, self.step)

    def _take_up(self, given: Iterable[tuple[Cell, str]]) -> None:
        """Stand where the given walk ends; if it crossed a wall, notice it or not."""
        crossing = None
        for start, direction in given:
            self.step += 1
            end = beyond(start, direction)
            if self.maze.is_open(start, direction):
                self.trail.append(end)
                self._stand(end)
            else:
                crossing = self._cross(end)
        if crossing:
            self._own_up(crossing, *self._face("given"))


def traits_walk(task: Task, traits: Traits, streams: Streams) -> Walk:
    """The walk of a subject with traits, to the exit or for 4·N² moves."""
    walker = Walker(task, traits, streams)
    while walker.running():
        if walker.slip() or walker.lose_track():
            continue
        ways = walker.ways_on()
        if ways:
            walker.go_on(ways)
        else:
            walker.leave_dead_end()
    return chatter(walker.walk(), task, traits.babble, streams("babble"))


def chatter(walk: Walk, task: Task, rate: float, rng: Random) -> Walk:
    """The same walk with declarations that are not true, after each move with probability `rate`.

    A dead end at a cell that is none, or a loop at a cell entered for the first time.
    """
    if not rate:
        return walk
    said, entered = [], {task.maze.start}
    for deed in walk.deeds:
        speaks, loop, seen = rng.random() < rate, rng.random() < 0.5, rng.random()
        new, open_ways = deed.end not in entered, len(task.ways[deed.end])
        entered.add(deed.end)
        if speaks and new and (loop or open_ways < 2):
            said.append(Said("loop", deed.end, deed.step, 1 + int(seen * (deed.step - 1))))
        elif speaks and open_ways > 1:
            said.append(Said("dead_end", deed.end, deed.step))
    return walk._replace(said=(*walk.said, *said))


def clock_walk(task: Task, traits: Traits, streams: Streams) -> Walk:
    """The same walk, but the confidence is 100 minus the number of the step (at least 1), whatever happens."""
    walk = traits_walk(task, traits, streams)
    return walk._replace(deeds=tuple(deed._replace(confidence=max(1, 100 - deed.step)) for deed in walk.deeds))


def random_walk(task: Task, traits: Traits, streams: Streams) -> Walk:
    """An honest random walk: any open direction, to the exit or for 100·N² moves; all of it is the final path.

    The patience is that of the public program's random walk (2,500 moves on 5×5).
    """
    walker = Walker(task, Traits(notice=0.0), streams)
    while walker.running(patience=100):
        walker.move(streams("random walk").choice(walker.ways[walker.here]), "any", 50)
    return walker.walk(walker.places)


def never_hint(task: Task, traits: Traits, streams: Streams) -> Walk:
    """Never follows a flagged direction: any other unvisited neighbour, else back the way it came."""
    walker = Walker(task, Traits(notice=0.0), streams)
    flagged = {(lure.cell, lure.direction) for lure in walker.maze.mirage_traps}
    while walker.running():
        here = walker.here
        ways = [d for d in walker.ways[here] if (here, d) not in flagged]
        fresh = [d for d in ways if beyond(here, d) not in walker.entered]
        if fresh:
            direction, why = streams("never hint").choice(fresh), "any"
            walker.trail.append(beyond(here, direction))
        elif walker.way_back() in ways:
            direction, why = walker.way_back(), "back"
            walker.trail.pop()
        else:
            break
        walker.move(direction, why, JUNCTION if len(fresh) > 1 else CORRIDOR)
    return walker.walk()


def _without_loops(places: Iterable[Cell]) -> list[Cell]:
    """The cells without the detours between two visits to the same cell."""
    path: list[Cell] = []
    at: dict[Cell, int] = {}
    for cell in places:
        if cell in at:
            for gone in path[at[cell] + 1 :]:
                del at[gone]
            del path[at[cell] + 1 :]
        else:
            at[cell] = len(path)
            path.append(cell)
    return path


WALKS: dict[str, Callable[[Task, Traits, Streams], Walk]] = {
    "traits": traits_walk,
    "clock": clock_walk,
    "random_walk": random_walk,
    "never_hint": never_hint,
}
