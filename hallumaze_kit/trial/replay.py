"""`replay`: what really happened, an answer walked on its maze (specification, section 5; protocol "single")."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from hallumaze_kit.maze import STEP as OFFSET
from hallumaze_kit.maze import Cell, MazeEngine
from hallumaze_kit.trial.reading.tokens import direction_between
from hallumaze_kit.trial.trace import DeadEnd, Event, Loop, Objection, Step, Trace
from hallumaze_kit.trial.walking.walk import Move, Walk

if TYPE_CHECKING:
    from hallumaze_kit.records import MazeConfig


@dataclass(frozen=True)
class Declaration:
    """A declared dead end, loop or strategy change, with where the subject stood and whether it is true.

    after   number of moves made before it
    here    where the subject stood
    true    None for a change of strategy, which is neither true nor false
    """

    event: Event
    after: int
    here: Cell
    true: bool | None


@dataclass(frozen=True)
class Replay:
    """What happened.

    moves           attempted moves of the walk, in order (the final path's where the answer has no steps)
    final_moves     moves of the final path
    declarations    what was declared, each tied to its place in the walk
    turns           number of each move before which, or at which, the walk turned back (one a turn)
    end             where the walk ends
    returns_after   for each return, the number of moves made before it and the cell returned to
    walk_is_final   the answer has no steps, so the final path is the walk
    injected        moves that stood in the prompt, before the subject's own
    final_given     the answer states a final path (one cell is a path that leads nowhere)
    objections      each sentence that calls a move wrong, with the number of moves made before it
    """

    moves: tuple[Move, ...] = ()
    final_moves: tuple[Move, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    turns: tuple[int, ...] = ()
    end: Cell = (0, 0)
    returns_after: tuple[tuple[int, Cell], ...] = ()
    walk_is_final: bool = False
    injected: tuple[Move, ...] = ()
    final_given: bool = False
    objections: tuple[tuple[int, Objection], ...] = ()

    @cached_property
    def hallucinations(self) -> tuple[int, ...]:
        """Indices (from 0) of the walk's moves that the maze does not allow, first bumps left out."""
        return tuple([i for i, m in enumerate(self.moves) if m.kind not in ("legal", "bump")])

    @cached_property
    def final_hallucinations(self) -> tuple[Move, ...]:
        """Illegal moves of the final path whose cells the walk did not already join illegally, each pair once.

        An error that the prompt planted is not the subject's, wherever it is repeated.
        """
        if self.walk_is_final:
            return ()
        seen = {self.moves[i].pair for i in self.hallucinations} | self._planted
        out = []
        for m in self.final_moves:
            if not m.legal and m.pair not in seen:
                seen.add(m.pair)
                out.append(m)
        return tuple(out)

    @property
    def hallucination_count(self) -> int:
        """HC: illegal moves of the walk, and those that only the final path makes."""
        return len(self.hallucinations) + len(self.final_hallucinations)

    @property
    def first_hallucination(self) -> int:
        """FHR: number (from 1) of the first illegal move of the walk, else of the final path; −1 if none."""
        if self.hallucinations:
            return self.hallucinations[0] + 1
        planted = self._planted
        return next((i for i, m in enumerate(self.final_moves, 1) if not m.legal and m.pair not in planted), -1)

    @cached_property
    def _planted(self) -> set[frozenset[Cell]]:
        """The pairs of cells that the prompt's walk joins illegally."""
        return {m.pair for m in self.injected if not m.legal}

    @property
    def backtracks(self) -> int:
        """BT: times the walk turns back."""
        return len(self.turns)

    @property
    def loops(self) -> int:
        """LT: loops declared at a cell that had been entered before the current visit."""
        return sum(isinstance(d.event, Loop) and d.true is True for d in self.declarations)

    def solves(self, maze: MazeEngine) -> bool:
        """SR: the final path (without one, the walk) goes from start to exit, every move legal.

        Of a walk that goes on from a planted error, who states that it stands again on a cell before that error has
        a legal way there, and goes on from it.
        """
        if self.final_given:
            path, end = self.final_moves, self.final_moves[-1].end if self.final_moves else None
        else:
            path, end = self.injected + self.moves, self.end
            wrong = next((i for i, m in enumerate(self.injected) if not m.legal), None)
            if wrong is not None and (kept := self._mended_from(wrong)) is not None:
                path = self.injected[:kept] + self.moves
        return bool(path) and path[0].start == maze.start and end == maze.exit and all(m.legal for m in path)

    def _mended_from(self, wrong: int) -> int | None:
        """How many given moves, all before the planted error `wrong`, lead to where the last return to them went.

        None where the subject did not return to one of their cells, or went back behind the error after it.
        """
        before = [m.start for m in self.injected[: wrong + 1]]
        behind = {m.end for m in self.injected[wrong:]} - set(before)
        kept = None
        for _, cell in self.returns_after:
            if cell in before:
                kept = before.index(cell)
            elif cell in behind:
                kept = None
        return kept


def replay(maze: MazeEngine, trace: Trace, config: MazeConfig | None = None) -> Replay:
    """Walk an answer on its maze.

    The walk is the steps; without steps, the final path. After an illegal move the next stated cell
    may be where the move started, its target, or a cell visited before; another stated cell that is not where
    the last move ended and was not visited before is a jump, and the step's own move is then judged too.
    With `config.injection`, the walk goes on from the moves that stood in the prompt, which are not counted.

    Returns a `Replay`. Source: specification, section 5.
    """
    final_moves = _path_moves(maze, trace)
    walk = Walk(maze)
    injected = _inject(walk, maze, config)
    if not _restated(_moving(trace), injected):
        trace = _without_judged(trace, injected)
    steps = _moving(trace)
    if steps:
        declarations = _walk_steps(walk, trace, steps, injected)
    else:
        declarations = _walk_final(walk, trace, final_moves, injected)
    before = len(injected)
    return Replay(
        moves=tuple(walk.moves[before:]),
        final_moves=final_moves,
        declarations=tuple([replace(d, after=d.after - before) if before else d for d in declarations]),
        turns=tuple([t - before for t in walk.turns]),
        end=walk.here,
        returns_after=tuple((n - before, cell) for n, cell in walk.returns),
        walk_is_final=not steps,
        injected=injected,
        final_given=trace.final_path is not None,
        objections=tuple([(_made_before(o, trace, walk.moves[before:]), o) for o in trace.objections]),
    )


def _walk_final(
    walk: Walk, trace: Trace, final_moves: tuple[Move, ...], injected: tuple[Move, ...]
) -> list[Declaration]:
    """Without steps, the final path is the walk; a leap in it is a jump wherever it leads."""
    log = dict(trace.confidence_log)
    skip = _given(final_moves, injected)
    if trace.final_path and not skip:
        walk.state(trace.final_path[0], 1, None, -1)
    for number, m in enumerate(final_moves, 1):
        if number > skip:
            walk.move(m.direction, m.end, number, _probability(log.get(number)), -1)
    walk.go_on()
    return [_declare(e, walk) for e in trace.events if not isinstance(e, Step)]


def _walk_steps(walk: Walk, trace: Trace, steps: list[Step], injected: tuple[Move, ...]) -> list[Declaration]:
    """Walk the steps, without those that only repeat the moves of the prompt, and place the declarations."""
    restated = _restated(steps, injected)
    log = {} if any(s.confidence is not None for s in steps) else dict(trace.confidence_log)
    declarations, index, moved = [], -1, 0
    for event in _as_said(trace.events):
        if not isinstance(event, Step):
            declarations.append(_declare(event, walk))
            continue
        index += 1
        if not (event.direction or event.to is not None):
            continue
        moved += 1
        if moved <= restated:
            continue
        number = event.number if event.number is not None else moved
        confidence = _probability(event.confidence if event.confidence is not None else log.get(number))
        if event.cell is not None:
            walk.state(event.cell, number, confidence, index)
        direction, end = _aim(walk.here, event)
        if direction or end not in walk.entered:
            walk.move(direction, end, number, confidence, index)
        else:
            walk.state(end, number, confidence, index)  # a leap to a cell visited before is a return
    walk.go_on()
    return declarations


def _as_said(events: tuple[Event, ...]) -> list[Event]:
    """Events with each declaration before the steps that it goes before."""
    said: list[Event] = []
    for event in events:
        at = len(said)
        left = 0 if isinstance(event, Step) else event.before
        while left and at:
            at -= 1
            left -= isinstance(said[at], Step)
        said.insert(at, event)
    return said


def _probability(percent: float | None) -> float | None:
    return None if percent is None else percent / 100


def _aim(here: Cell, step: Step) -> tuple[str, Cell]:
    """Direction and end of a step from where the subject stands; a stated target decides, "" for a jump."""
    if step.to is None:
        down, right = OFFSET[step.direction]
        return step.direction, (here[0] + down, here[1] + right)
    return direction_between(here, step.to), step.to


def _path_moves(maze: MazeEngine, trace: Trace) -> tuple[Move, ...]:
    """The moves of the final path, each judged for itself."""
    path = trace.final_path or ()
    walk = Walk(maze)
    out = []
    pairs = [(a, b) for a, b in pairwise(path) if a != b]
    for i, (start, end) in enumerate(pairs, 1):
        direction = direction_between(start, end)
        out.append(Move(start, end, direction, walk.kind_of(start, direction, end), False, i))
    return tuple(out)


def _declare(event: Event, walk: Walk) -> Declaration:
    """A declaration at this point of the walk, and whether it is true."""
    true: bool | None = None
    if isinstance(event, DeadEnd):
        true = event.cell in dead_end_cells(walk.maze)
    elif isinstance(event, Loop):
        standing = event.cell == walk.here and walk.failed_from is None
        before = walk.entered.get(event.cell, 0) - standing if event.cell is not None else 0
        true = before > 0
    return Declaration(event, len(walk.moves), walk.here, true)


def dead_end_cells(maze: MazeEngine) -> set[Cell]:
    """The cells with one open side that are neither start nor exit."""
    ends = {divmod(i, maze.size) for i, mask in enumerate(maze.masks) if mask.bit_count() == 1}
    return ends - {maze.start, maze.exit}


def _inject(walk: Walk, maze: MazeEngine, config: MazeConfig | None) -> tuple[Move, ...]:
    """Walk the moves that stood in the prompt; their turns and returns are not the subject's."""
    if config is None or config.injection == "none":
        return ()
    from hallumaze_kit.trial.prompt import injected_walk

    for i, m in enumerate(injected_walk(maze, config), 1):
        walk.state(m.cell, i, None, -1)
        down, right = OFFSET[m.direction]
        walk.move(m.direction, (m.cell[0] + down, m.cell[1] + right), i, None, -1)
    walk.turns.clear()
    walk.returns.clear()
    walk.turning = walk.fresh_return = False
    return tuple(walk.moves)


def _given(walked: tuple[Move, ...], injected: tuple[Move, ...]) -> int:
    """How many leading moves of a final path are those that stood in the prompt: all of them or none."""
    same = [(a.start, a.end) for a in walked[: len(injected)]] == [(b.start, b.end) for b in injected]
    return len(injected) if same else 0


def _without_judged(trace: Trace, injected: tuple[Move, ...]) -> Trace:
    """The trace without the steps that name a move of the prompt only to call it wrong ("Step 2: … is no move")."""
    if not injected or not trace.objections:
        return trace
    judged = {o.step for o in trace.objections if o.step is not None and 0 < o.step <= len(injected)}

    def names_it(event: Event) -> bool:
        if not isinstance(event, Step) or event.number not in judged:
            return False
        given = injected[event.number - 1]
        way = direction_between(given.start, event.to) if event.to is not None else event.direction
        return event.cell in (None, given.start) and way in (given.direction, "")

    return replace(trace, events=tuple([e for e in trace.events if not names_it(e)]))


def _moving(trace: Trace) -> list[Step]:
    """The steps that go somewhere."""
    return [e for e in trace.events if isinstance(e, Step) and (e.direction or e.to is not None)]


def _made_before(objection: Objection, trace: Trace, moves: list[Move]) -> int:
    """How many of the subject's moves were made by steps above an objection."""
    above = [e.span[0] < objection.span[0] for e in trace.events if isinstance(e, Step)]
    return sum(m.source >= 0 and above[m.source] for m in moves)


def _restated(steps: list[Step], injected: tuple[Move, ...]) -> int:
    """How many leading steps only repeat the moves that stood in the prompt: all of them or none."""
    same = len(steps) >= len(injected) and all(
        s.direction == m.direction and s.cell in (None, m.start) for s, m in zip(steps, injected, strict=False)
    )
    return len(injected) if same else 0
