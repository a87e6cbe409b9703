"""Replays worked by hand, one for each rule of the specification's section 5.

The maze of most of them, drawn once:

    +--+--+--+--+
    |S          |       solution  (0,0) (0,1) (0,2) (1,2) (2,2) (2,3) (3,3): E E S S E S
    +--+  +  +  +       junctions (0,1), (0,2), (2,2); wrong branches (0,1) S, (0,2) E, (2,2) W
    |     |  |  |       dead ends (1,0), (1,3), (3,2), and the start
    +--+--+  +--+       corridor cells of the solution: (0,0), (1,2), (2,3)
    |           |
    +  +--+--+  +
    |        | E|
    +--+--+--+--+

What a subject says is written as in `said("00E 01S:80 D11")`: stands at (0,0), goes east; stands at (0,1), goes south,
80 % sure; declares (1,1) a dead end. `L` is a loop, `C` a change of strategy, `>` a stated target, a cell alone an
arrival.
"""

from __future__ import annotations

import re

import pytest

from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.trial.prompt import injected_walk
from hallumaze_kit.trial.replay import replay
from hallumaze_kit.trial.trace import DeadEnd, Loop, Step, StrategyChange, Trace

PICTURE = """\
+--+--+--+--+
|S          |
+--+  +  +  +
|     |  |  |
+--+--+  +--+
|           |
+  +--+--+  +
|        | E|
+--+--+--+--+"""
JUNCTION_BEHIND_A_WALL = """\
+--+--+--+
|S    |  |
+  +  +  +
|  |     |
+--+  +--+
|       E|
+--+--+--+"""


def drawn(picture: str, *lures: tuple[str, str, str]) -> MazeEngine:
    """A maze from a picture, with lures given as (cell, direction, kind)."""
    lines = picture.split("\n")
    size = len(lines) // 2
    digits = ""
    for row in range(size):
        for col in range(size):
            line, at = 2 * row + 1, 3 * col
            sides = (lines[line - 1][at + 1], lines[line][at + 3], lines[line + 1][at + 1], lines[line][at])
            digits += f"{sum(bit for bit, side in zip((1, 2, 4, 8), sides, strict=True) if side == ' '):x}"
    valid = {"true": True, "false": False, "neutral": None}
    placed = [
        {"cell": cell(where), "direction": way, "phrase": 0, "valid": valid[kind], "kind": kind}
        for where, way, kind in lures
    ]
    return MazeEngine.from_dict({"size": size, "passages": digits, "lures": placed})


def cell(digits: str) -> tuple[int, int]:
    return int(digits[0]), int(digits[1])


def path(cells: str) -> tuple[tuple[int, int], ...]:
    return tuple(cell(digits) for digits in cells.split())


SAID = re.compile(r"(\d\d)?([NESW]?)(?:>(\d\d))?(?::(\d+))?")


def said(walk: str = "", final: str | None = None, **fields) -> Trace:
    """What a subject says, in the short form of this module's docstring; `final` is its final path."""
    events, number = [], 0
    for word in walk.split():
        if word == "C":
            events.append(StrategyChange())
        elif word[0] in "DL":
            events.append({"D": DeadEnd, "L": Loop}[word[0]](cell(word[1:])))
        else:
            number += 1
            where, way, target, sure = SAID.fullmatch(word).groups()
            events.append(
                Step(number, where and cell(where), way, target and cell(target), float(sure) if sure else None)
            )
    return Trace(events=tuple(events), final_path=None if final is None else path(final), **fields)


MAZE = drawn(PICTURE)
SOLUTION = "00 01 02 12 22 23 33"
SOLVED = "00E 01E 02S 12S 22E 23S"


def happened(walk: str = "", final: str | None = None, **fields):
    return replay(MAZE, said(walk, final, **fields))


def kinds(walk: str) -> list[str]:
    return [move.kind for move in happened(walk).moves]


def test_the_picture_is_the_maze():
    assert MAZE.solution == list(path(SOLUTION))
    assert MAZE.decision_cells == path("01 02 22")
    assert MAZE.dead_ends == 4
    assert [MAZE.open_directions(c) for c in path("10 13 32 33")] == [("E",), ("N",), ("W",), ("N",)]


# ---- kinds of moves ------------------------------------------------------------------------------


def test_the_solution_is_six_legal_moves():
    walk = happened(SOLVED, SOLUTION)
    assert [(m.start, m.end, m.direction, m.kind) for m in walk.moves] == [
        ((0, 0), (0, 1), "E", "legal"), ((0, 1), (0, 2), "E", "legal"), ((0, 2), (1, 2), "S", "legal"),
        ((1, 2), (2, 2), "S", "legal"), ((2, 2), (2, 3), "E", "legal"), ((2, 3), (3, 3), "S", "legal"),
    ]  # fmt: skip
    assert not any(m.retraced or m.returned for m in walk.moves)
    assert (walk.hallucination_count, walk.first_hallucination, walk.backtracks, walk.loops) == (0, -1, 0, 0)
    assert walk.end == MAZE.exit and walk.solves(MAZE)


@pytest.mark.parametrize(
    ("walk", "expected"),
    [
        ("00S", ["wall"]),
        ("00N", ["outside"]),
        ("00W", ["outside"]),
        ("00E 01N", ["legal", "outside"]),
        ("00>01", ["legal"]),
        ("00>10", ["wall"]),
        ("00>22", ["jump"]),
        ("00>11", ["jump"]),
        ("00E E S", ["legal", "legal", "legal"]),
        ("E E N", ["legal", "legal", "outside"]),
        ("00>00", []),  # to stay where one is is no move
        ("00E 01>01 01E", ["legal", "legal"]),
    ],
)
def test_each_attempt_is_legal_wall_outside_or_jump(walk, expected):
    assert kinds(walk) == expected


@pytest.mark.parametrize(
    ("walk", "expected"),
    [
        ("00E 12S", ["legal", "jump", "legal"]),  # one hallucination; the step's own move is fine
        ("00E 12E", ["legal", "jump", "wall"]),  # two hallucinations in one step
        ("00E 33E", ["legal", "jump", "outside"]),
        ("12S", ["jump", "legal"]),  # the first stated cell is not the start
        ("00E 12S 22W 33N", ["legal", "jump", "legal", "legal", "jump", "legal"]),
    ],
)
def test_a_jump_is_one_hallucination_and_the_steps_own_move_is_judged_too(walk, expected):
    assert kinds(walk) == expected
    assert happened(walk).hallucination_count == sum(kind != "legal" for kind in expected)


def test_a_jump_has_no_direction_and_leads_to_the_stated_cell():
    jump = happened("00E 12S").moves[1]
    assert (jump.start, jump.end, jump.direction) == ((0, 1), (1, 2), "")


def test_an_arrival_is_no_move():
    assert len(happened(SOLVED + " 33").moves) == 6
    assert happened("00").moves == ()


def test_the_step_of_a_move_is_the_number_as_written_else_the_number_of_the_move():
    steps = (Step(10, (0, 0), "E"), Step(None, (0, 1), "E"), Step(30, (2, 2), "E"))
    assert [m.step for m in replay(MAZE, Trace(events=steps)).moves] == [10, 2, 30, 30]


# ---- where the next cell may be after an illegal move ----------------------------------------------


def test_after_an_illegal_move_the_start_of_it_is_no_return():
    walk = happened("00S 00E")
    assert [m.kind for m in walk.moves] == ["wall", "legal"]
    assert walk.backtracks == 0 and not walk.moves[1].returned and not walk.moves[1].retraced


def test_after_an_illegal_move_its_target_is_where_the_walk_goes_on():
    walk = happened("00S 10E 11N")
    assert [m.kind for m in walk.moves] == ["wall", "legal", "legal"]
    assert walk.backtracks == 0


def test_after_an_illegal_move_a_cell_visited_before_is_a_return():
    walk = happened("00E 01N 00E 01S")
    assert [m.kind for m in walk.moves] == ["legal", "outside", "legal", "legal"]
    assert [m.returned for m in walk.moves] == [False, False, True, False]
    assert walk.backtracks == 1, "the return and the retraced move after it count once"


def test_after_an_illegal_move_any_other_cell_is_a_jump():
    assert kinds("00S 22E") == ["wall", "jump", "legal"]


def test_after_an_illegal_move_without_a_stated_cell_the_walk_goes_on_at_its_target():
    walk = happened("00S E N")
    assert [(m.start, m.kind) for m in walk.moves] == [((0, 0), "wall"), ((1, 0), "legal"), ((1, 1), "legal")]


def test_being_left_standing_before_a_wall_again_and_again_is_no_return():
    walk = happened("00S 00S 00N 00E")
    assert [m.kind for m in walk.moves] == ["wall", "wall", "outside", "legal"]
    assert walk.hallucination_count == 3 and walk.backtracks == 0


def test_being_left_standing_after_a_jump_is_no_return():
    """A jump is an illegal move: the next stated cell may be where it started."""
    walk = happened("00>22 00E")
    assert [m.kind for m in walk.moves] == ["jump", "legal"]
    assert walk.backtracks == 0 and not walk.moves[1].returned


def test_the_target_of_an_illegal_move_that_left_the_subject_standing_was_not_visited_so_entering_it_is_no_retracing():
    """(1,0) lies behind the wall south of the start; the walk comes there later, for the first time."""
    walk = happened("00S 00E 01S 11W")
    assert [m.kind for m in walk.moves] == ["wall", "legal", "legal", "legal"]
    assert not walk.moves[3].retraced
    assert walk.backtracks == 0


def test_the_target_of_an_illegal_move_that_left_the_subject_standing_was_not_visited_so_stating_it_is_a_jump():
    walk = happened("00S 00E 10E")
    assert [m.kind for m in walk.moves] == ["wall", "legal", "jump", "legal"]
    assert walk.hallucination_count == 2 and walk.backtracks == 0


# ---- BT: times the walk turns back -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("walk", "turns"),
    [
        (SOLVED, 0),
        ("00E 01S 11W 10E 11N 01E", 1),  # into the dead end and back: one run of two
        ("00E 01W", 1),
        ("00E 01W 00E 01W", 1),  # all three retrace: one run
        ("00E 01W 00E 01E 02W", 2),  # (0,2) is new between the two runs
        ("00E 01E 02W 01S 11N 01E 02S", 2),
        ("00E 01S 11W 01E", 1),  # a return alone
        ("00E 01S 11W 01W", 1),  # a return with the run that follows it
        ("00E 01E 02E 01W 00E 01S", 1),  # a return and a run of two after it
        ("00E 01E 02W 00E", 2),  # a run, then a return with its run
        ("00E 01E 02S 00E 02E", 2),  # two returns
        ("00E 01E 02S 12S 00E 01S 11N 01E", 2),  # return with run, new cell, run
        ("00E 01E 02>00", 1),  # a stated target that was visited is a return, not a jump
        ("00E 01E 02W 01N 01W", 2),  # a wall between two retraced moves ends the run
    ],
)
def test_the_walk_turns_back_as_often_as_counted_by_hand(walk, turns):
    assert happened(walk).backtracks == turns


def test_a_retraced_move_is_legal_and_ends_on_a_cell_visited_before():
    walk = happened("00E 01E 02S 12S 22W 21N 21E 22N")
    assert [m.retraced for m in walk.moves] == [False] * 6 + [True, True]
    assert walk.moves[5].kind == "wall", "(2,1) N is closed"
    crossing = happened("00E 01S 11N 01W 00S 10E").moves
    assert [(m.kind, m.retraced) for m in crossing[2:]] == [
        ("legal", True), ("legal", True), ("wall", False), ("legal", True)
    ]  # fmt: skip


def test_an_illegal_move_onto_a_visited_cell_is_not_retraced():
    walk = happened("00E 01S 11W 10N 00E")
    assert walk.moves[3].kind == "wall" and not walk.moves[3].retraced
    assert walk.backtracks == 1, "the retraced move from the start on, not the crossed wall"


def test_a_return_is_no_move_and_no_hallucination():
    walk = happened("00E 01S 11W 01E 02S")
    assert len(walk.moves) == 5 and walk.hallucination_count == 0
    assert [m.returned for m in walk.moves] == [False, False, False, True, False]


# ---- LT: loops -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("walk", "loops"),
    [
        ("00E 01W L00", 1),  # stands at the start for the second time
        ("00E 01E 02W 01W L00", 1),
        ("00E L01", 0),  # the first visit
        ("L00", 0),  # has not left the start
        ("00E 01E L33", 0),  # never there
        ("00E 01E 02>00 L00", 1),  # came back by a return
        ("00E 01S 11W 10N L00", 1),  # came back through a wall, to a cell entered before
        ("00S L10", 0),  # went through a wall, to a cell never entered before
        ("00E 01W L00 00E L01", 2),
        ("00E 01W 00E D01", 0),  # a dead end is no loop
        (SOLVED, 0),
    ],
)
def test_a_loop_counts_where_the_cell_had_been_entered_before_the_current_visit(walk, loops):
    assert happened(walk).loops == loops


def test_a_loop_at_the_far_side_of_a_wall_that_was_never_passed_does_not_count():
    assert happened("00S 00E L10").loops == 0


def test_declarations_are_tied_to_their_place_in_the_walk():
    walk = happened("00E D01 01S 11W D10 L00 C")
    assert [(d.after, d.here, d.true) for d in walk.declarations] == [
        (1, (0, 1), False), (3, (1, 0), True), (3, (1, 0), True), (3, (1, 0), None)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("where", "true"), [("10", True), ("13", True), ("32", True), ("00", False), ("33", False), ("11", False)]
)
def test_a_dead_end_has_one_opening_and_is_neither_start_nor_exit(where, true):
    assert happened("00E D" + where).declarations[0].true is true


def test_a_dead_end_outside_the_maze_is_none():
    (said_it,) = replay(MAZE, Trace(events=(Step(1, (0, 0), "N"), DeadEnd((-1, 0))))).declarations
    assert said_it.true is False


# ---- nothing, confidences ---------------------------------------------------------------------------


def test_nothing_said_is_nothing_happened():
    walk = happened()
    assert walk.moves == () and walk.final_moves == () and walk.declarations == ()
    assert (walk.hallucination_count, walk.first_hallucination, walk.backtracks, walk.loops) == (0, -1, 0, 0)


def test_a_confidence_is_a_probability():
    assert [m.confidence for m in happened("00E:90 01E:0 02S:100 12S").moves] == [0.9, 0.0, 1.0, None]


def test_the_confidence_log_is_used_only_where_no_step_carries_one():
    log = ((1, 90.0), (2, 80.0))
    assert [m.confidence for m in happened("00E 01E 02S", confidence_log=log).moves] == [0.9, 0.8, None]
    assert [m.confidence for m in happened("00E:50 01E 02S", confidence_log=log).moves] == [0.5, None, None]
    assert [m.confidence for m in happened(final="00 01 02 12", confidence_log=log).moves] == [0.9, 0.8, None]


def test_the_confidence_log_numbers_steps_even_where_the_steps_bear_no_numbers():
    """The second step leaps: two moves, one step. The third step's confidence is the third of the log."""
    steps = (Step(None, (0, 0), "E"), Step(None, (1, 2), "S"), Step(None, (2, 2), "E"))
    walk = replay(MAZE, Trace(events=steps, confidence_log=((1, 90.0), (2, 80.0), (3, 70.0), (4, 60.0))))
    assert [(m.kind, m.confidence) for m in walk.moves] == [
        ("legal", 0.9), ("jump", 0.8), ("legal", 0.8), ("legal", 0.7)
    ]  # fmt: skip


# ---- a walk that goes on from the prompt -----------------------------------------------------------

BIG = MazeEngine(7, 3, "wilson")


def onward(maze: MazeEngine, start: tuple[int, int]) -> list[Step]:
    steps, here = [], start
    while here != maze.exit:
        way = maze.onward(here)
        steps.append(Step(None, here, way))
        here = (here[0] + {"N": -1, "S": 1}.get(way, 0), here[1] + {"W": -1, "E": 1}.get(way, 0))
    return steps


@pytest.mark.parametrize("injection", ["own", "other", "own-clean", "other-clean"])
def test_injected_moves_are_not_counted(injection):
    config = MazeConfig(size=7, injection=injection)
    given_moves = injected_walk(BIG, config)
    last = replay(BIG, Trace(), config).end
    walk = replay(BIG, Trace(events=tuple(onward(BIG, last))), config)
    assert len(walk.injected) == len(given_moves)
    assert sum(not m.legal for m in walk.injected) == (not injection.endswith("-clean"))
    assert walk.hallucination_count == 0 and walk.first_hallucination == -1
    assert walk.moves[0].start == last and walk.end == BIG.exit


def test_a_clean_injected_walk_that_is_carried_to_the_exit_solves():
    """Without a final path the walk decides; it began at the start, in the prompt, and every move is legal."""
    config = MazeConfig(size=7, injection="own-clean")
    last = replay(BIG, Trace(), config).end
    assert replay(BIG, Trace(events=tuple(onward(BIG, last))), config).solves(BIG)


def test_what_follows_an_injected_walk_is_numbered_by_the_subjects_own_moves():
    config = MazeConfig(size=7, injection="own-clean")
    last = replay(BIG, Trace(), config).end
    first, second, *_ = onward(BIG, last)
    back = Step(None, (0, 0), BIG.onward((0, 0)))
    walk = replay(BIG, Trace(events=(first, DeadEnd((0, 0)), second, StrategyChange(), back)), config)
    assert [d.after for d in walk.declarations] == [1, 2]
    assert walk.turns == (3,)
    assert walk.returns_after == ((2, (0, 0)),)
