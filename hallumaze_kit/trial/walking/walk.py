"""A walk on a maze, move by move."""

from __future__ import annotations

from typing import NamedTuple

from hallumaze_kit.maze import Cell, MazeEngine
from hallumaze_kit.maze.encoding import BIT


class Move(NamedTuple):
    """One attempted move.

    start       where the subject stood
    end         where it said to go (it may lie outside the maze)
    direction   "N", "E", "S", "W", "" for a jump
    kind        "legal", "wall" (a closed side), "outside" (over the edge) or "jump" (a stated cell that
                is neither where the last move ended nor visited before); in a stepwise trial "bump" too, the first
                try at a closed side nobody had told of: not legal, and no hallucination
    retraced    a legal move onto a cell visited before
    step        number of the step as written, else the number of the move from 1
    confidence  probability stated for it (0 to 1), None without one
    returned    the subject stood elsewhere just before, by stating a cell visited before
    source      index of the step among the trace's steps, −1 for a move of the final path
    reached     the subject stood at `end` then; False where it was left standing after an illegal move
    """

    start: Cell
    end: Cell
    direction: str
    kind: str
    retraced: bool = False
    step: int = 0
    confidence: float | None = None
    returned: bool = False
    source: int = -1
    reached: bool = True

    @property
    def legal(self) -> bool:
        """The maze allows the move."""
        return self.kind == "legal"

    @property
    def pair(self) -> frozenset[Cell]:
        """The two cells, without order."""
        return frozenset((self.start, self.end))


class Walk:
    """The state of a walk while it is replayed.

    After an illegal move nobody knows yet whether the subject goes on from its target or is left standing: the target
    counts as entered only when the next thing said shows it.
    """

    def __init__(self, maze: MazeEngine) -> None:
        self.maze = maze
        self.here: Cell = maze.start
        self.failed_from: Cell | None = None
        self.entered: dict[Cell, int] = {maze.start: 1}
        self.moves: list[Move] = []
        self.turns: list[int] = []
        self.returns: list[tuple[int, Cell]] = []
        self.turning = False
        self.fresh_return = False

    def kind_of(self, start: Cell, direction: str, end: Cell) -> str:
        """ "legal", "wall", "outside" or "jump"."""
        size = self.maze.size
        if not direction:
            return "jump"
        if not (0 <= end[0] < size and 0 <= end[1] < size and 0 <= start[0] < size and 0 <= start[1] < size):
            return "outside"
        return "legal" if self.maze.masks[start[0] * size + start[1]] & BIT[direction] else "wall"

    def enter(self, cell: Cell) -> None:
        """The subject comes to a cell."""
        self.entered[cell] = self.entered.get(cell, 0) + 1
        self.here = cell

    def go_on(self) -> None:
        """The subject goes on from the target of its illegal move."""
        if self.failed_from is not None:
            self.moves[-1] = self.moves[-1]._replace(reached=True)
            self.enter(self.here)
            self.failed_from = None

    def state(self, cell: Cell, step: int, confidence: float | None, source: int) -> None:
        """The subject says that it stands at `cell`."""
        if cell == self.here:
            self.go_on()
            return
        if cell == self.failed_from:
            self.here, self.failed_from = cell, None  # left standing after an illegal move: no return
            return
        self.failed_from = None
        if cell in self.entered:
            self.returns.append((len(self.moves), cell))
            self.turns.append(len(self.moves) + 1)
            self.turning = self.fresh_return = True
        else:
            self.moves.append(Move(self.here, cell, "", "jump", False, step, confidence, False, source))
            self.turning = False
        self.enter(cell)

    def move(self, direction: str, end: Cell, step: int, confidence: float | None, source: int) -> None:
        """The subject moves; without a direction it leaps to a cell that is no neighbour."""
        self.go_on()
        kind = self.kind_of(self.here, direction, end)
        retraced = kind == "legal" and end in self.entered
        if retraced and not self.turning:
            self.turns.append(len(self.moves) + 1)
        self.turning = retraced
        legal = kind == "legal"
        self.moves.append(
            Move(self.here, end, direction, kind, retraced, step, confidence, self.fresh_return, source, legal)
        )
        self.fresh_return = False
        if legal:
            self.enter(end)
        else:
            self.failed_from, self.here = self.here, end
