"""What the pipeline measures in synthetic answers is what the subjects did.

The truth is worked out here from the moves and declarations of `Play`, by the definitions of the specification
(sections 5 and 6), without the package's own replay.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.subjects import FLOOR, SYNTHETIC, Synthetic, Traits
from hallumaze_kit.subjects.synthetic_text import STYLES
from hallumaze_kit.trial.prompt import build_prompt
from hallumaze_kit.trial.scoring import score_answer

STEPPED = [style for style in STYLES if style != "terse"]
WALKERS = SYNTHETIC | {name: FLOOR[name] for name in ("random_walk", "never_hint", "oracle", "clock")}
WINDOW = 3


def maze_of(seed: int) -> MazeEngine:
    algorithm = ("wilson", "dfs", "kruskal")[seed % 3]
    return MazeEngine(4 + seed % 5, seed, algorithm, ("v1.1", "balanced")[seed % 2])


def config_of(maze: MazeEngine, seed: int, **options) -> MazeConfig:
    defaults = {"language": ("ko", "en")[seed % 2], "template": seed % 5}
    return MazeConfig(size=maze.size, **(defaults | options))


def turns(play, start):
    """BT: each maximal run of legal moves onto cells visited before counts once."""
    visited, running, count = {start}, False, 0
    for move in play.moves:
        retraced = move.legal and move.end in visited
        count += retraced and not running
        running = retraced
        visited.add(move.end)
    return count


def noticed(play, i):
    """(detected, recovered, lag) of the illegal move with index i."""
    wrong, later = play.moves[i], play.moves[i + 1 :]
    pair = {wrong.start, wrong.end}
    lags = [said.after - wrong.step for said in play.said if said.cell in pair]
    stands = [0] if wrong.repaired and later else []
    stands += [k for k, move in enumerate(later, 1) if move.end == wrong.start]
    lags = [lag for lag in lags + stands if 0 <= lag < WINDOW]
    joined = [{move.start, move.end} for move in later]
    joined += [set(two) for two in zip(play.path, play.path[1:], strict=False)]
    return bool(lags), bool(lags) and pair not in joined, min(lags, default=None)


def first_choices(play, maze):
    """The first move made from each cell, at its first visit; the exit left out."""
    seen, out = {maze.exit}, {}
    for move, after in zip(play.moves, [*play.moves[1:], None], strict=True):
        if move.start not in seen:
            out[move.start] = move.direction
        seen.add(move.start)
        if after is not None and after.start != move.end:
            seen.add(move.end)
    return out


def share(hits):
    hits = list(hits)
    return sum(hits) / len(hits) if hits else math.nan


def dead_end(maze, cell):
    return len(maze.open_directions(cell)) == 1 and cell not in (maze.start, maze.exit)


def truth(maze, play):
    """What a careful reader of the subject's mind would score."""
    seen = [noticed(play, i) for i, move in enumerate(play.moves) if not move.legal]
    lags = [lag for _, recovered, lag in seen if recovered]
    choices = first_choices(play, maze)
    lures = [lure for lure in maze.mirage_traps if lure.kind == "false" and lure.cell in choices]
    steps = [move.step for move in play.moves if not move.legal]
    errors = [abs(move.confidence / 100 - move.legal) for move in play.moves]
    illegal_path = {frozenset((m.start, m.end)) for m in play.slips}
    told = {said.cell for said in play.said if said.kind == "dead_end"}
    return {
        "sr": float(
            play.path[-1] == maze.exit
            and all(frozenset(two) not in illegal_path for two in zip(play.path, play.path[1:], strict=False))
        ),
        "moves": len(play.moves),
        "hallucination_count": len(steps),
        "first_hallucination_step": steps[0] if steps else -1,
        "backtrack_count": turns(play, maze.start),
        "loop_count": sum(said.kind == "loop" for said in play.said),
        "detected": share(detected for detected, _, _ in seen),
        "recovery_rate": share(recovered for _, recovered, _ in seen),
        "recovery_lag": sum(lags) / len(lags) if lags else math.nan,
        "lure_rate": share(choices[lure.cell] == lure.direction for lure in lures),
        "ce": sum(errors) / len(errors),
        "excess": len(play.moves) / (len(maze.solution) - 1),
        "missed_dead_ends": len({m.end for m in play.moves if dead_end(maze, m.end)} - told),
        "false_alarms": sum(said.kind == "dead_end" and not dead_end(maze, said.cell) for said in play.said),
        "reported_backtracks": play.turns,
        "reported_hallucinations": sum(move.declared for move in play.moves),
    }


def differences(result, wanted, without=()):
    return {
        name: (getattr(result, name), value)
        for name, value in wanted.items()
        if name not in without and getattr(result, name) != pytest.approx(value, abs=1e-9, nan_ok=True)
    }


@pytest.mark.parametrize("style", STEPPED)
@pytest.mark.parametrize("name", WALKERS)
def test_the_pipeline_measures_what_the_subject_did(name, style):
    subject = replace(WALKERS[name], style=style)
    for seed in range(12):
        maze = maze_of(seed)
        config = config_of(maze, seed)
        play = subject.play(build_prompt(maze, config), seed)
        result = score_answer(maze, play.text, config, provider=subject.provider, model=subject.name)
        assert not differences(result, truth(maze, play)), play.text
