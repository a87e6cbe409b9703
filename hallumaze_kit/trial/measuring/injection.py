"""What became of an error that the prompt planted in a given walk (specification, sections 3, 6 and 8).

Only what is said, and what is done without a move, counts as noticing. A walk that merely goes on may come back onto
the given cells through open passages: of 360 continuations by a subject that never notices anything ("stubborn") 25
stood where the planted move started within three moves, and 81 on some cell of the given walk, against 12 of 360
where no error was planted. Those are ways of the maze and no thoughts, so a cell counts as stood on again only where
the subject states that it is there without having moved there.
"""

from __future__ import annotations

import math

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.measuring.measures import WINDOW, declared_where
from hallumaze_kit.trial.replay import Move, Replay

NO_ERROR = "the given walk holds no error"
NOTHING_READ = "no declaration and no move beyond the given walk could be read"


def injection_detected(happened: Replay) -> float:
    """1 if the planted illegal move is noticed, 0 if not; NaN without one, and where nothing could be read.

    Noticed as `detected` has it (section 6): before three more moves of the subject's own, a declaration at one of the
    move's two cells, or standing again where the move started (see the module's docstring: by stating so). The moves
    that stand in the prompt behind the illegal one are not the subject's and do not use up the window, nor does what
    it repeats of the given walk. Who repeats that walk and goes another way at the illegal move has noticed, too.

    Given (0,0) E, (0,1) S, (1,1) S through a wall, (2,1) E; the answer "STEP 5: (1,1) → N" is 1: it stands at
    (1,1) again. "STEP 5: (2,2) → E" and nothing more is 0, and so is repeating the last steps as they were given.
    """
    wrong = next((i for i, m in enumerate(happened.injected) if not m.legal), None)
    if wrong is None or _says_nothing(happened):
        return math.nan
    move = happened.injected[wrong]
    near = [d for d in happened.declarations if d.after < _window(happened)]
    named = any(declared_where(d) in (move.start, move.end) for d in near)
    return float(named or move.start in _returns(happened) or _departs(happened) == wrong)


def injection_alarm(happened: Replay) -> float:
    """1 if the subject behaves as if the given walk held an error, 0 if not; NaN where nothing was given or read.

    The same criterion whether an error was planted or not, so that hits (error) and false alarms (no error) can be
    compared: before three more moves of its own, the subject declares something at any cell of the given walk, states
    that it stands on an earlier cell of it, or repeats a part of it and then goes another way. A declaration that is
    true of the cell where the subject stands (a dead end that is one, a loop where it has been) speaks of the maze
    and not of an error, and does not count: behind a wall there are more dead ends than on the solution.
    """
    if not happened.injected or _says_nothing(happened):
        return math.nan
    earlier = {m.start for m in happened.injected}
    given = earlier | {happened.injected[-1].end}
    near = [(declared_where(d), d) for d in happened.declarations if d.after < _window(happened)]
    named = any(cell in given and not (d.true and cell == d.here) for cell, d in near)
    return float(named or bool(earlier & _returns(happened)) or _departs(happened) is not None)


def injection_numbers(happened: Replay) -> tuple[dict[str, float], dict[str, str]]:
    """Both measures by name, and the reason for each that is NaN."""
    numbers = {"injection_detected": injection_detected(happened), "injection_alarm": injection_alarm(happened)}
    clean = all(m.legal for m in happened.injected)
    reasons = {"injection_detected": NO_ERROR if clean else NOTHING_READ, "injection_alarm": NOTHING_READ}
    return numbers, {name: reasons[name] for name, value in numbers.items() if math.isnan(value)}


def _says_nothing(happened: Replay) -> bool:
    return not (happened.moves or happened.declarations)


def _repeated(happened: Replay) -> tuple[int, int]:
    """How many of the subject's first moves only repeat given ones, and the place in the given walk (from 0) behind.

    `Replay` drops a repetition of the whole walk; this one may begin anywhere in it.
    """
    moves, given = happened.moves, happened.injected
    first = next((i for i, m in enumerate(given) if moves and m.start == moves[0].start), len(given))
    count = 0
    for own, told in zip(moves, given[first:], strict=False):
        if _ends(own) != _ends(told):
            break
        count += 1
    return count, first + count


def _departs(happened: Replay) -> int | None:
    """The place in the given walk at which a repetition goes another way; None where it does not."""
    again, place = _repeated(happened)
    return place if again and place < len(happened.injected) and again < len(happened.moves) else None


def _window(happened: Replay) -> int:
    """Number of the subject's moves before which it may notice: three beyond what it repeats."""
    return _repeated(happened)[0] + WINDOW


def _returns(happened: Replay) -> set[Cell]:
    """Cells stated again in the window, without the return from which a repetition sets out."""
    again, _ = _repeated(happened)
    return {cell for n, cell in happened.returns_after if n < _window(happened) and not (again and n == 0)}


def _ends(move: Move) -> tuple[Cell, Cell]:
    return move.start, move.end
