"""Synthetic subjects in the stepwise protocol: they read the conversation so far and write the next reply.

They keep nothing between turns. What they know (cells they stood on, sides they were told are closed, the way back)
they read in the messages each time; of a conversation that is cut to its last turns they know that much less. Every
trait draws from a stream of its own for each step, so that changing one does not change the luck of the others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import DIRECTIONS, Cell
from hallumaze_kit.maze.lures import NEUTRAL
from hallumaze_kit.subjects.synthetic_text import CHANGES, REASONS, WORDS
from hallumaze_kit.subjects.synthetic_walk import CORRIDOR, JUNCTION, beyond

if TYPE_CHECKING:
    from hallumaze_kit.subjects.synthetic import Synthetic

Messages = Sequence[Mapping[str, str]]

_HEAD = re.compile(r"^MAZE (\d{1,3})×\d{1,3} \|", re.M)
_SITUATION = re.compile(r"^STEP (\d{1,6}) / \d{1,6} \| (?:현재 칸|current cell): \((\d{1,3}),(\d{1,3})\)$", re.M)
_OPEN = re.compile(r"^(?:열린 방향|Open directions): \(\d{1,3},\d{1,3}\): \[([NESW↑→↓← ]*)\](.*)$", re.M)
_HINT = re.compile(r"⚑ (?:([NESW])방향 힌트|hint for ([NESW])): ([^⚑]*)")
_TRIED = re.compile(r"^STEP \d{1,6}: \((\d{1,3}),(\d{1,3})\) → \[([NESW])\]", re.M)
MUMBLE = {
    "ko": "흠, 조금 더 생각해 보겠습니다.",
    "en": "Hmm, let me think about it a little longer.",
}
GIVE_UP = {"ko": "더 가 볼 곳이 없어 포기합니다.", "en": "There is nowhere left to go, so I give up."}
_NEUTRAL = frozenset(text for pool in NEUTRAL.values() for text in pool)


@dataclass
class Memory:
    """What a conversation tells a subject.

    ways      open directions of the cell it stands on, None in the view "bump"
    hints     directions with a hint here, each with whether it claims anything
    seen      how often it came to each cell, and `first` the step it first set out from there
    trail     the way from where its knowledge begins to `here`, without detours
    passages  pairs of cells it went between, `closed` pairs it was told are closed
    whole     it knows every turn since the start
    noted     cells it declared dead ends
    """

    size: int
    language: str
    confidence: bool
    step: int = 0
    here: Cell = (0, 0)
    ways: tuple[str, ...] | None = None
    hints: dict[str, bool] = field(default_factory=dict)
    seen: dict[Cell, int] = field(default_factory=dict)
    first: dict[Cell, int] = field(default_factory=dict)
    trail: list[Cell] = field(default_factory=list)
    passages: set[frozenset[Cell]] = field(default_factory=set)
    closed: set[frozenset[Cell]] = field(default_factory=set)
    whole: bool = True
    noted: set[Cell] = field(default_factory=set)

    def inside(self, direction: str) -> bool:
        """There is a cell on that side."""
        return all(0 <= x < self.size for x in beyond(self.here, direction))

    def told(self, direction: str) -> bool:
        """The environment said that this side is closed, when it was tried."""
        return frozenset((self.here, beyond(self.here, direction))) in self.closed

    def goes(self) -> list[str]:
        """The sides that are open, or in the view "bump" may be as far as it was told."""
        if self.ways is not None:
            return list(self.ways)
        return [d for d in DIRECTIONS if self.inside(d) and not self.told(d)]

    def fresh(self) -> list[str]:
        """The sides that may lead to a cell it does not know."""
        return [d for d in self.goes() if beyond(self.here, d) not in self.seen]

    def back(self) -> str:
        """The direction it came from; "" where its knowledge begins."""
        return next((d for d in DIRECTIONS if len(self.trail) > 1 and beyond(self.here, d) == self.trail[-2]), "")

    def is_dead_end(self) -> bool:
        """True if the cell has one opening, as far as it can know, and is neither start nor exit."""
        if self.here in ((0, 0), (self.size - 1, self.size - 1)):
            return False
        if self.ways is not None:
            return len(self.ways) == 1
        return sum(not self._may_be_open(d) for d in DIRECTIONS) == 3

    def _may_be_open(self, direction: str) -> bool:
        """In a maze without circles a side towards a known cell it never went through is closed."""
        pair = frozenset((self.here, beyond(self.here, direction)))
        if not self.inside(direction) or pair in self.closed:
            return False
        return pair in self.passages or not self.whole or beyond(self.here, direction) not in self.seen


class Choice(NamedTuple):
    """The next move: direction, why (a key of `REASONS`) and the confidence in it."""

    direction: str
    why: str
    confidence: int


def is_stepwise(messages: Messages) -> bool:
    """True if the first user message is the beginning of a stepwise trial."""
    first = next((m["content"] for m in messages if m["role"] == "user"), "")
    return bool(_HEAD.search(first) and _SITUATION.search(first))


def step_reply(subject: Synthetic, messages: Messages, seed: int) -> str:
    """The next reply of a subject; the same subject, messages and seed give the same text in every process.

    `messages` is the conversation as the subject sees it: dicts with "role" ("system", "user", "assistant") and
    "content". The subject explores depth first, at a fork towards the exit first; its traits (`Traits`) change that:
    slip (it tries a closed side, in the view "bump" one it was told of), wander, lure, notice and repair (else it
    forgets where it has been), declare, and those of its confidence. Without a map the oracle is only faultless.

    Raises `InputError` for a conversation that is not of a stepwise trial.
    """
    if not is_stepwise(messages):
        raise InputError("messages", messages, "the conversation of a stepwise trial")
    memory = remember(messages)
    if subject.kind == "empty":
        return ""
    if subject.kind == "echo":
        return next(m["content"] for m in reversed(messages) if m["role"] == "user")
    if subject.kind == "mumbler":
        return MUMBLE[memory.language]
    turn = _Turn(subject, memory, seed)
    choice = turn.choose()
    if choice is None:
        return GIVE_UP[memory.language]
    return "\n".join([*turn.declarations(choice), turn.line(choice)])


def remember(messages: Messages) -> Memory:
    """Read a conversation, or what is left of it."""
    first = next(m["content"] for m in messages if m["role"] == "user")
    memory = Memory(int(_HEAD.search(first)[1]), "ko" if re.search("[가-힣]", first) else "en", "XX%" in first)
    tried: tuple[Cell, str] | None = None
    for message in messages:
        if message["role"] == "assistant":
            own = _TRIED.search(message["content"])
            tried = ((int(own[1]), int(own[2])), own[3]) if own else None
            noted = re.findall(r"^DEAD_END at \((\d{1,3}),(\d{1,3})\)", message["content"], re.M)
            memory.noted.update((int(r), int(c)) for r, c in noted)
        elif message["role"] == "user":
            _take_in(memory, message["content"], tried)
            tried = None
    return memory


def _take_in(memory: Memory, content: str, tried: tuple[Cell, str] | None) -> None:
    """One message of the environment: where it stands now, and what came of the last try."""
    situations = list(_SITUATION.finditer(content))
    if not situations:
        return
    step, before = int(situations[-1][1]), memory.here
    here = (int(situations[-1][2]), int(situations[-1][3]))
    follows = bool(tried) and step == memory.step + 1 and tried[0] == before
    if follows:
        pair = frozenset((before, beyond(*tried)))
        (memory.closed if here == before else memory.passages).add(pair)
    if memory.step and step > memory.step and not follows:
        memory.whole, memory.trail = False, []
    if here != before or not memory.trail:
        memory.seen[here] = memory.seen.get(here, 0) + 1
        memory.trail = (
            [*memory.trail[: memory.trail.index(here)], here] if here in memory.trail else [*memory.trail, here]
        )
    memory.first.setdefault(here, step)
    memory.step, memory.here = step, here
    opened = _OPEN.search(content)
    memory.ways = tuple(d for d in DIRECTIONS if d in opened[1]) if opened else None
    hints = _HINT.finditer(opened[2]) if opened else ()
    memory.hints = {m[1] or m[2]: m[3].strip() not in _NEUTRAL for m in hints}


class _Turn:
    """A subject at one turn: what it does and says."""

    def __init__(self, subject: Synthetic, memory: Memory, seed: int) -> None:
        self.subject, self.traits, self.memory = subject, subject.traits, memory
        self.stream = f"hallumaze steps {subject.name} {memory.size} {seed} {memory.step} {memory.here}"

    def draw(self, name: str) -> float:
        """A number in [0, 1) for this step and purpose."""
        return Random(f"{self.stream} {name}").random()

    def happens(self, trait: str) -> bool:
        """The trait shows at this step."""
        return self.draw(trait) < getattr(self.traits, trait)

    def choose(self) -> Choice | None:
        """The next move; None to give up."""
        chosen = getattr(self, f"_{self.subject.kind}", self._traits)()
        if chosen is None:
            return None
        direction, why = chosen
        ways = [d for d in self.memory.fresh() if d != self.memory.back()]
        base = (JUNCTION if len(ways) > 1 else CORRIDOR) - (self.traits.doubt if why == "slip" else 0)
        noise = Random(f"{self.stream} confidence").gauss(0.0, 1.0) * self.traits.confidence_noise
        sure = (
            100 - self.memory.step
            if self.subject.kind == "clock"
            else round(base + self.traits.confidence_bias + noise)
        )
        return Choice(direction, why, max(1, min(100, sure)))

    # ---- where to -----------------------------------------------------------------------------

    def _traits(self) -> tuple[str, str] | None:
        memory = self.memory
        remembers = self.happens("notice") and self.happens("repair")
        walls = [d for d in self._closed_sides() if not (memory.ways is not None and remembers and memory.told(d))]
        if walls and self.happens("slip"):
            return walls[int(self.draw("slip side") * len(walls))], "slip"
        ways = memory.fresh()
        if not remembers:
            ways = [d for d in memory.goes() if d != memory.back()]
        claims = [d for d, claims in memory.hints.items() if claims and d in ways]
        if claims and self.happens("lure"):
            return claims[0], "lure"
        return self._explore(ways)

    def _explore(self, ways: list[str]) -> tuple[str, str]:
        """One of the ways, towards the exit first; without any the way back; lost, wherever it was least."""
        if len(ways) == 1:
            return ways[0], "only"
        if ways:
            best = max(ways, key=lambda d: (sum(beyond(self.memory.here, d)), d))
            others = [d for d in ways if d != best]
            wanders = self.happens("wander")
            return (others[int(self.draw("wander which") * len(others))] if wanders else best), "guess"
        if back := self.memory.back():
            return back, "back"
        goes = self.memory.goes() or list(DIRECTIONS)
        least = min(self.memory.seen.get(beyond(self.memory.here, d), 0) for d in goes)
        least_seen = [d for d in goes if self.memory.seen.get(beyond(self.memory.here, d), 0) == least]
        return least_seen[int(self.draw("lost") * len(least_seen))], "any"

    def _closed_sides(self) -> list[str]:
        """Sides between two cells that it knows to be closed."""
        memory = self.memory
        if memory.ways is None:
            return [d for d in DIRECTIONS if memory.inside(d) and memory.told(d)]
        return [d for d in DIRECTIONS if memory.inside(d) and d not in memory.ways]

    def _random_walk(self) -> tuple[str, str]:
        goes = self.memory.goes() or list(DIRECTIONS)
        return goes[int(self.draw("random walk") * len(goes))], "any"

    def _never_hint(self) -> tuple[str, str] | None:
        ways = [d for d in self.memory.fresh() if d not in self.memory.hints]
        return self._explore(ways) if ways or self.memory.back() else None

    def _liar(self) -> tuple[str, str]:
        """Tries a side it knows to be closed, two steps of three."""
        walls = self._closed_sides()
        if walls and self.memory.step % 3:
            return walls[0], "slip"
        return self._explore(self.memory.fresh())

    def _looper(self) -> tuple[str, str]:
        """To and fro through the first passage it finds."""
        here, memory = self.memory.here, self.memory
        known = [d for d in DIRECTIONS if frozenset((here, beyond(here, d))) in memory.passages]
        return (known or memory.goes() or list(DIRECTIONS))[0], "any"

    # ---- what it says -------------------------------------------------------------------------

    def declarations(self, choice: Choice) -> list[str]:
        """The lines before the move: a dead end that it leaves, a cell that it keeps coming back to."""
        memory, kind = self.memory, self.subject.kind
        (row, col), lines = memory.here, []
        if kind == "liar":
            return [f"DEAD_END at ({row},{col}) — backtracking"]
        if kind in ("looper", "random_walk", "never_hint"):
            return []
        says = self.happens("notice") and self.happens("declare")
        if choice.why == "back" and memory.is_dead_end() and memory.here not in memory.noted and says:
            lines.append(f"DEAD_END at ({row},{col}) — backtracking")
        turns = len(memory.ways) if memory.ways is not None else len(DIRECTIONS)
        came = memory.seen[memory.here]
        if came > max(2, turns) and says:
            lines.append(f"LOOP detected at ({row},{col}) — visited at step {memory.first[memory.here]}")
            change = CHANGES[memory.language]
            lines.append(f"STRATEGY_CHANGE — {change[int(self.draw('words') * len(change))]}")
        return lines

    def line(self, choice: Choice) -> str:
        """The move as the prompt's format gives it."""
        language, (row, col) = self.memory.language, self.memory.here
        reasons = REASONS[language][choice.why]
        sure = f" | {WORDS[language]['confidence']}: {choice.confidence}%" if self.memory.confidence else ""
        reason = reasons[int(self.draw("reason") * len(reasons))]
        return f"STEP {self.memory.step}: ({row},{col}) → [{choice.direction}]{sure} | {reason}"
