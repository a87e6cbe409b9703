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
from hallumaze_kit.trial.trace import Objection

RESTARTED = "the answer begins again at the start, and a fresh solution looks the same with and without an error"
DETECTED = "injection_detected"
INJECTION = (DETECTED, "injection_alarm", "injection_restarted")
NO_ERROR = "the given walk holds no error"
NOTHING_READ = "no declaration and no move beyond the given walk could be read"


def injection_detected(happened: Replay) -> float:
    """1 if the planted illegal move is noticed, 0 if not; NaN without one, and where it cannot be told.

    Noticed as `detected` has it (section 6): before three more moves of the subject's own, a declaration at one of the
    move's two cells, or standing again where the move started (see the module's docstring: by stating so). A sentence
    that calls the move wrong, or its way closed, counts as a declaration. The moves that stand in the prompt behind the
    illegal one are not the subject's and do not use up the window, nor does what it repeats of the given walk. Who
    repeats the end of that walk and goes another way at the illegal move has noticed, too.

    Who begins again at the start and says nothing (see `restarted`) may have seen the error or solved the maze afresh:
    NaN, as where nothing could be read.

    Given (0,0) E, (0,1) S, (1,1) S through a wall, (2,1) E; the answer "STEP 5: (1,1) → N" is 1: it stands at
    (1,1) again. "STEP 5: (2,2) → E" and nothing more is 0, and so is repeating the last steps as they were given.
    """
    wrong = _planted(happened)
    if wrong is None or _says_nothing(happened):
        return math.nan
    move = happened.injected[wrong]
    near = [d for d in happened.declarations if d.after < _window(happened)]
    named = any(declared_where(d) in (move.start, move.end) for d in near)
    if named or wrong in _objected(happened):
        return 1.0
    if restarted(happened):
        return math.nan
    return float(move.start in _returns(happened) or _departs(happened) == wrong)


def injection_alarm(happened: Replay) -> float:
    """1 if the subject behaves as if the given walk held an error, 0 if not; NaN where it cannot be told.

    The same criterion whether an error was planted or not, so that hits (error) and false alarms (no error) can be
    compared: before three more moves of its own, the subject declares something at any cell of the given walk, calls
    one of its moves wrong or says that it holds an error, states that it stands on an earlier cell of it, or repeats
    a part of it and then goes another way. A declaration that is true of the cell where the subject stands (a dead
    end that is one, a loop where it has been) speaks of the maze and not of an error, and does not count: behind a
    wall there are more dead ends than on the solution.

    NaN where nothing was given or read, and for a fresh start about which nothing is said (see `restarted`).
    """
    if not happened.injected or _says_nothing(happened):
        return math.nan
    earlier = {m.start for m in happened.injected}
    given = earlier | {happened.injected[-1].end}
    near = [(declared_where(d), d) for d in happened.declarations if d.after < _window(happened)]
    named = any(cell in given and not (d.true and cell == d.here) for cell, d in near)
    general = any(o.general and after == 0 for after, o in happened.objections)
    if named or general or _objected(happened):
        return 1.0
    if restarted(happened):
        return math.nan
    return float(bool(earlier & _returns(happened)) or _departs(happened) is not None)


def restarted(happened: Replay) -> bool:
    """The answer does not go on: its walk begins at the start again, counted from step 1, and is not the given one.

    In an error arm such a walk, if it is right, leaves the given one at the error; in a clean arm it repeats it. So
    its moves cannot tell whether an error was noticed.
    """
    if not happened.moves or not happened.injected:
        return False
    first = happened.moves[0]
    return first.start == happened.injected[0].start and first.step <= 1


def injection_numbers(happened: Replay) -> tuple[dict[str, float], dict[str, str]]:
    """The three measures by name, and the reason for each that is NaN."""
    nothing = _says_nothing(happened)
    numbers = {
        "injection_detected": injection_detected(happened),
        "injection_alarm": injection_alarm(happened),
        "injection_restarted": math.nan if nothing else float(restarted(happened)),
    }
    unknown = NOTHING_READ if nothing else RESTARTED
    reasons = dict.fromkeys(numbers, unknown) | ({} if _planted(happened) is not None else {DETECTED: NO_ERROR})
    return numbers, {name: reasons[name] for name, value in numbers.items() if math.isnan(value)}


def _planted(happened: Replay) -> int | None:
    """The place of the planted illegal move in the given walk."""
    return next((i for i, m in enumerate(happened.injected) if not m.legal), None)


def _objected(happened: Replay) -> set[int]:
    """The places of the given moves that a sentence calls wrong, before three more moves of the subject's own."""
    near = [o for after, o in happened.objections if after < _window(happened)]
    return {i for o in near for i, m in enumerate(happened.injected) if _is_about(o, i + 1, m)}


def _is_about(objection: Objection, number: int, move: Move) -> bool:
    """An objection names a given move: by both cells, by a cell and its direction, by its number, or by one cell."""
    ends = {move.start, move.end}
    cells = set(objection.cells)
    if len(cells) > 1:
        return cells == ends
    if objection.step is not None:
        return objection.step == number and cells <= ends
    if cells and objection.directions:
        return cells == {move.start} and move.direction in objection.directions
    return bool(cells) and cells <= ends


def _says_nothing(happened: Replay) -> bool:
    return not (happened.moves or happened.declarations or happened.objections)


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
