"""The pipeline from text to result: ranges, reasons, random walks against a replay written from the specification."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trial.test_replay import PICTURE, SOLUTION, drawn, path

from hallumaze_kit import BenchmarkResult, MazeConfig, MazeEngine, parse_answer, score_answer
from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import STEP
from hallumaze_kit.records import METRICS
from hallumaze_kit.trial.measuring.decisions import decision_rows
from hallumaze_kit.trial.measuring.measures import FAILURES, missed_dead_ends, noticing, slips
from hallumaze_kit.trial.replay import replay
from hallumaze_kit.trial.trace import Step, Trace

MAZE = drawn(PICTURE)
LINE = {
    "ko": "STEP {n}: ({r},{c}) → [{d}] | 확신도: {p}% | 이쪽이 맞는 것 같습니다",
    "en": "STEP {n}: ({r},{c}) → [{d}] | confidence: {p}% | this way",
}
Cell = tuple[int, int]


def beyond(where: Cell, way: str) -> Cell:
    return where[0] + STEP[way][0], where[1] + STEP[way][1]


def arrows(cells: Iterable[Cell]) -> str:
    return "FINAL_PATH: " + "→".join(f"({r},{c})" for r, c in cells)


# ---- ranges ----------------------------------------------------------------------------------------

COUNT, SHARE = (0, math.inf), (0, 1)
RANGES = {
    "sr": SHARE, "hallucination_count": COUNT, "first_hallucination_step": (-1, math.inf), "backtrack_count": COUNT,
    "loop_count": COUNT, "hrr": SHARE, "mei": (0, 0.9), "ce": SHARE, "brs": SHARE, "hallumaze_score": (0, 0.95),
    "detected": SHARE, "recovery_rate": SHARE, "recovery_lag": (0, 2), "lure_rate": SHARE, "wrong_branch_rate": SHARE,
    "lure_effect": (-1, 1), "false_alarms": COUNT, "missed_dead_ends": COUNT, "moves": COUNT, "excess": COUNT,
    "slips": COUNT, "reported_hallucinations": COUNT, "reported_backtracks": COUNT,
    "report_gap": (-math.inf, math.inf), "oce": SHARE, "uce": SHARE, "brier": SHARE, "ece": SHARE,
}  # fmt: skip


def check(result: BenchmarkResult, text: str) -> None:
    """What holds for every result, whatever was answered."""
    for name in METRICS:
        value = getattr(result, name)
        if math.isnan(value):
            reason = result.nan_reasons.get(name, "")
            assert reason and reason != "not given", f"{name} is NaN without a reason"
        else:
            low, high = RANGES[name]
            assert low - 1e-12 <= value <= high + 1e-12, f"{name} is {value}"
            assert name not in result.nan_reasons, f"{name} is {value} and has a reason for being NaN"
    assert not math.isnan(result.sr) and not math.isnan(result.hallucination_count)
    assert result.path_valid == (result.sr == 1)
    assert result.failure_mode in FAILURES
    assert (result.failure_mode in FAILURES[:3]) == result.path_valid
    assert (result.hallucination_count == 0) == (result.first_hallucination_step == -1)
    if result.moves == 0 and not result.path_valid:
        assert math.isnan(result.mei) and math.isnan(result.hallumaze_score)
        assert (result.sr, result.backtrack_count, result.loop_count) == (0, 0, 0)
    if not math.isnan(result.ce):
        assert result.ce == pytest.approx(result.oce + result.uce, abs=1e-9)
    if not math.isnan(result.detected):
        assert result.recovery_rate <= result.detected
    if not math.isnan(result.report_gap):
        assert result.report_gap == result.reported_hallucinations - result.hallucination_count
    if not math.isnan(result.lure_effect):
        assert result.lure_effect == pytest.approx(result.lure_rate - result.wrong_branch_rate)
    if not math.isnan(result.excess):
        assert result.excess == pytest.approx(result.moves / result.solution_moves)
    assert result.messages[-1]["content"] == text, "the answer is kept as it came"
    assert result.confidence_pattern in ("A", "B", "")


def test_every_metric_has_a_range_here():
    assert set(RANGES) == set(METRICS)


# ---- the solution solves ---------------------------------------------------------------------------

mazes = st.builds(
    MazeEngine,
    st.integers(2, 9),
    st.integers(0, 10**6),
    st.sampled_from(["dfs", "kruskal", "wilson"]),
    st.sampled_from(["v1.1", "balanced"]),
)


def solution_steps(maze: MazeEngine, language: str) -> str:
    return "\n".join(
        LINE[language].format(n=n, r=where[0], c=where[1], d=maze.onward(where), p=90)
        for n, where in enumerate(maze.solution[:-1], 1)
    )


@given(mazes, st.sampled_from(["ko", "en"]), st.booleans())
def test_the_solution_told_in_steps_solves(maze, language, with_path):
    text = solution_steps(maze, language) + ("\n" + arrows(maze.solution) if with_path else "")
    result = score_answer(maze, text, MazeConfig(size=maze.size, language=language))
    check(result, text)
    assert (result.sr, result.hallucination_count, result.backtrack_count, result.loop_count) == (1, 0, 0, 0)
    assert result.moves == len(maze.solution) - 1 and result.excess == 1
    assert (result.mei, result.brs, result.hrr) == (pytest.approx(0.9), 1, 1)
    assert result.ce == pytest.approx(0.1) and result.uce == pytest.approx(0.1) and result.oce == 0
    assert result.failure_mode == "clean" and result.metacog_signals == []
    assert result.lure_rate in (0, pytest.approx(math.nan, nan_ok=True))
    assert [tuple(row["cell"]) for row in result.decisions] == list(maze.decision_cells)
    assert all(row["right"] for row in result.decisions)


@given(mazes)
def test_the_solution_as_a_final_path_solves(maze):
    text = arrows(maze.solution)
    result = score_answer(maze, text)
    check(result, text)
    assert (result.sr, result.hallucination_count) == (1, 0)
    assert result.moves == len(maze.solution) - 1
    assert parse_answer(text).final_path == tuple(maze.solution)


@given(mazes, st.data())
def test_a_solution_with_one_cell_left_out_does_not_solve(maze, data):
    cells = maze.solution
    gap = data.draw(st.integers(1, len(cells) - 2))
    text = arrows(cells[:gap] + cells[gap + 1 :])
    result = score_answer(maze, text)
    check(result, text)
    assert (result.sr, result.hallucination_count, result.first_hallucination_step) == (0, 1, gap)


# ---- random walks against a replay of the tests' own -------------------------------------------------


class Act(NamedTuple):
    """One step of a walk: where the subject says it stands, and where it goes."""

    cell: Cell
    way: str


class Truth:
    """A random walk with random errors, and what really happened in it, by section 5 of the specification.

    Cells visited are those that the subject stood on: the target of an illegal move is one only if the subject goes
    on from there. Where the specification leaves open whether it was visited, the walk ends. `stood` tells when (moves
    made before), where, and which way from there ("" on the way to the next statement).
    """

    def __init__(self, maze: MazeEngine, dice: list[tuple[int, int]]) -> None:
        self.maze = maze
        self.acts: list[Act] = []
        self.moves: list[tuple[Cell, Cell, str, bool]] = []
        self.stood: list[tuple[int, Cell, str]] = [(0, maze.start, "")]
        self.turns = 0
        here, visited, last, turning = maze.start, {maze.start}, None, False
        for number, (luck, pick) in enumerate(dice):
            stated = here if number == 0 else self.place(here, visited, last, luck, pick)
            elsewhere = stated != here and not (last and stated == last[0])
            if elsewhere and last:
                if last[1] in visited:
                    break  # was the subject there once more, before it was elsewhere?
                self.unclear = last[1]
            open_ways = maze.open_directions(stated)
            way = open_ways[pick % len(open_ways)] if luck % 4 else "NESW"[pick % 4]
            end = beyond(stated, way)
            if end == self.unclear:
                break
            if elsewhere:
                turning = stated in visited
                self.turns += turning
                if not turning:
                    self.moves.append((here, stated, "jump", False))
            visited.add(stated)
            self.stood.append((len(self.moves), stated, way))
            inside = all(0 <= part < maze.size for part in end)
            kind = "legal" if way in open_ways else "wall" if inside else "outside"
            retraced = kind == "legal" and end in visited
            self.turns += retraced and not turning
            turning = retraced
            self.acts.append(Act(stated, way))
            self.moves.append((stated, end, kind, retraced))
            last = None if kind == "legal" else (stated, end)
            here = end
            if kind == "legal":
                visited.add(end)
                self.stood.append((len(self.moves), end, ""))

    unclear: Cell | None = None

    def place(self, here: Cell, visited: set[Cell], last: tuple[Cell, Cell] | None, luck: int, pick: int) -> Cell:
        """Where the subject says it stands: mostly where it is, after an illegal move often where it was."""
        size = self.maze.size
        cells = {(row, col) for row in range(size) for col in range(size)}
        unknown = sorted(cells - visited - {here, self.unclear})
        known = sorted(visited - {here, self.unclear})
        if last is not None and (luck % 2 or here not in cells or here == self.unclear):
            return last[0]
        if luck in (2, 4, 6) and known:
            return known[pick % len(known)]
        if luck == 8 and unknown:
            return unknown[pick % len(unknown)]
        return here

    def text(self, language: str) -> str:
        return "\n".join(
            LINE[language].format(n=n, r=act.cell[0], c=act.cell[1], d=act.way, p=50 + n % 50)
            for n, act in enumerate(self.acts, 1)
        )

    def trace(self) -> Trace:
        return Trace(events=tuple(Step(n, act.cell, act.way) for n, act in enumerate(self.acts, 1)))

    def compare(self, made) -> None:
        assert [(m.start, m.end, m.kind) for m in made.moves] == [move[:3] for move in self.moves]
        assert [m.retraced for m in made.moves] == [move[3] for move in self.moves]
        assert made.backtracks == self.turns
        illegal = [i for i, move in enumerate(self.moves, 1) if move[2] != "legal"]
        assert made.hallucination_count == len(illegal)
        assert made.first_hallucination == (illegal[0] if illegal else -1)

    def noticed(self) -> list[tuple[bool, bool, int | None]]:
        """Detected, recovered and lag of each hallucination, by section 6; nothing was declared."""
        out = []
        for i, (start, end, kind, _) in enumerate(self.moves):
            if kind != "legal":
                lags = [made - i - 1 for made, where, _ in self.stood if where == start and i < made <= i + 3]
                again = any({a, b} == {start, end} for a, b, *_ in self.moves[i + 1 :])
                out.append((bool(lags), bool(lags) and not again, min(lags, default=None)))
        return out

    def decisions(self) -> list[tuple[Cell, str, int]]:
        """Junction of the solution, first choice there at its first visit, number of the move."""
        seen, out, here = {self.maze.exit}, [], None
        for made, where, way in self.stood:
            if way and where in self.maze.decision_cells and (where not in seen or where == here):
                out.append((where, way, made + 1))
            here = where if not way and where not in seen else None
            seen.add(where)
        return out


dice = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 11)), min_size=1, max_size=40)


def test_the_walks_hold_every_kind_of_move_and_of_turn():
    rng = random.Random(1)
    seen: set[str] = set()
    turns = 0
    for seed in range(60):
        thrown = [(rng.randrange(41), rng.randrange(12)) for _ in range(30)]
        truth = Truth(MazeEngine(5, seed, "wilson"), thrown)
        seen |= {move[2] for move in truth.moves}
        turns += truth.turns
    assert seen == {"legal", "wall", "outside", "jump"} and turns > 60


@settings(max_examples=300)
@given(mazes, dice)
def test_a_random_walk_is_replayed_as_the_specification_says(maze, thrown):
    truth = Truth(maze, thrown)
    truth.compare(replay(maze, truth.trace()))


@settings(max_examples=200)
@given(mazes, dice)
def test_what_was_noticed_in_a_random_walk_is_found_as_the_specification_says(maze, thrown):
    truth = Truth(maze, thrown)
    made = noticing(replay(maze, truth.trace()))
    want = truth.noticed()
    if truth.moves and truth.moves[-1][2] != "legal":
        # Whether the walk ended before or behind its last wall is not told.
        made, want = made[:-3], want[:-3]
    assert [(n.detected, n.recovered, n.lag) for n in made] == want


@settings(max_examples=200)
@given(mazes, dice)
def test_decisions_dead_ends_and_slips_of_a_random_walk_are_found_as_the_specification_says(maze, thrown):
    truth = Truth(maze, thrown)
    made = replay(maze, truth.trace())
    rows = decision_rows(maze, made, True)
    assert [(tuple(row["cell"]), row["choice"], row["step"]) for row in rows] == truth.decisions()
    stood = {where for _, where, _ in truth.stood} - {maze.start, maze.exit}
    ends = {where for where in stood if len(maze.open_directions(where)) == 1}
    if not truth.moves or truth.moves[-1][2] == "legal":
        assert missed_dead_ends(maze, made) == len(ends)
    assert slips(maze, made.moves) == sum(
        kind in ("wall", "outside") and start not in maze.decision_cells for start, _, kind, _ in truth.moves
    )


@settings(max_examples=200)
@given(mazes, dice, st.sampled_from(["ko", "en"]))
def test_a_random_walk_told_in_steps_is_read_as_it_was_told(maze, thrown, language):
    truth = Truth(maze, thrown)
    trace = parse_answer(truth.text(language))
    assert [(step.cell, step.direction) for step in trace.steps] == list(truth.acts)
    assert [step.confidence for step in trace.steps] == [50 + n % 50 for n in range(1, len(truth.acts) + 1)]
    assert trace.final_path is None


@settings(max_examples=200)
@given(mazes, dice, st.sampled_from(["ko", "en"]), st.sampled_from(["none", "solution", "half"]), st.booleans())
def test_every_score_of_a_random_walk_is_in_its_range_or_nan_with_a_reason(maze, thrown, language, final, mirage):
    text = Truth(maze, thrown).text(language)
    if final != "none":
        text += "\nHALLUCINATION_COUNT: 2\nBACKTRACK_COUNT: 1\n"
        text += arrows(maze.solution if final == "solution" else maze.solution[: len(maze.solution) // 2 + 1])
    for conventions in ("verified", "published"):
        config = MazeConfig(size=maze.size, language=language, use_mirage=mirage)
        result = score_answer(maze, text, config, conventions=conventions)
        if conventions == "verified":
            check(result, text)
            assert result.path_valid == (final == "solution") or final == "none"
        for name in METRICS:
            value = getattr(result, name)
            assert math.isnan(value) == (name in result.nan_reasons)
            assert math.isnan(value) or RANGES[name][0] - 1e-12 <= value <= RANGES[name][1] + 1e-12


# ---- answers by hand -------------------------------------------------------------------------------


def test_the_published_formulas_do_not_make_the_kits_own_measures_of_nothing():
    """v1.1 scores an empty answer; what v1.1 does not have stays NaN, never 0."""
    result = score_answer(MAZE, "", conventions="published")
    assert result.hallumaze_score == pytest.approx(0.365)
    for name in ("detected", "recovery_rate", "lure_rate", "excess", "slips", "missed_dead_ends", "ece"):
        assert math.isnan(getattr(result, name)) and result.nan_reasons[name], name


def test_report_gap_is_against_the_verified_count_in_both_conventions():
    text = "STEP 1: (0,0) → [S]\nSTEP 2: (0,0) → [E]\nHALLUCINATION_COUNT: 4\n" + arrows(path(SOLUTION))
    for conventions, count in (("verified", 1), ("published", 4)):
        result = score_answer(MAZE, text, conventions=conventions)
        assert (result.hallucination_count, result.reported_hallucinations, result.report_gap) == (count, 4, 3)


def test_the_final_path_decides_even_where_the_steps_hold_no_move():
    """Without one readable *move* of a walk the final path is the walk."""
    text = "STEP 1: (0,0) | I start here\n" + arrows(path(SOLUTION))
    result = score_answer(MAZE, text)
    check(result, text)
    assert (result.sr, result.moves, result.mei) == (1, 6, pytest.approx(0.9))


def test_going_back_to_a_junction_in_one_step_is_a_return_and_no_jump():
    """A stated cell visited before is a return, whether the step before it or the next one states it."""
    told = ["(0,0) → (0,1)", "(0,1) → (1,1)", "(1,1) → (1,0)", "(1,0) → (0,1)", "(0,1) → (0,2)"]
    text = "\n".join(f"STEP {n}: {step}" for n, step in enumerate(told, 1)) + "\n" + arrows(path(SOLUTION))
    result = score_answer(MAZE, text)
    assert (result.hallucination_count, result.first_hallucination_step) == (0, -1)
    assert (result.backtrack_count, result.moves, result.failure_mode) == (1, 4, "clean")


# ---- the record ------------------------------------------------------------------------------------


def test_the_result_says_what_it_was_made_of():
    maze = MazeEngine(5, 1001)
    config = MazeConfig(size=5, language="en", ariadne_mode="B")
    result = score_answer(maze, arrows(maze.solution), config, provider="anthropic", model="m", run=3, arm="hint")
    assert (result.provider, result.model, result.run) == ("anthropic", "m", 3)
    assert (result.arm, result.ariadne_group) == ("hint", "B")
    assert (result.maze_size, result.seed, result.solution_length, result.solution_moves) == (5, 1001, 13, 12)
    assert result.dead_ends == maze.dead_ends and result.maze_id == maze.maze_id
    assert MazeEngine.from_dict(result.maze) == maze
    assert result.signature.startswith("hallumaze|spec:1.1|conventions:verified|lang:en|kit:")
    assert result.config == config


@pytest.mark.parametrize(
    ("arguments", "parameter"),
    [
        ({"maze": "maze"}, "maze"),
        ({"maze": None}, "maze"),
        ({"text": None}, "text"),
        ({"text": b"STEP 1"}, "text"),
        ({"conventions": "v1.1"}, "conventions"),
        ({"config": MazeConfig(size=7)}, "config.size"),
        ({"config": {"size": 4}}, "config"),
    ],
)
def test_wrong_arguments_are_refused_and_named(arguments, parameter):
    with pytest.raises(InputError, match=f"^{parameter} must be") as error:
        score_answer(**({"maze": MAZE, "text": ""} | arguments))
    assert "\n" not in str(error.value)
