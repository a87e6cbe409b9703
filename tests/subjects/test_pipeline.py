"""What the pipeline measures in synthetic answers is what the subjects did.

The truth is worked out here from the moves and declarations of `Play`, by the definitions of the specification
(sections 5 and 6), without the package's own replay.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


def reached(move):
    """The subject stood at the end of the move; it was left standing where a slip was taken back."""
    return move.legal or not move.repaired


def turns(play, start):
    """BT: each maximal run of legal moves onto cells visited before counts once."""
    visited, running, count = {start}, False, 0
    for move in play.moves:
        retraced = move.legal and move.end in visited
        count += retraced and not running
        running = retraced
        if reached(move):
            visited.add(move.end)
    return count


def noticed(play, i):
    """(detected, recovered, lag) of the illegal move with index i."""
    wrong, later = play.moves[i], play.moves[i + 1 :]
    pair = {wrong.start, wrong.end}
    lags = [said.after - wrong.step for said in play.said if said.cell in pair]
    stands = [0] if wrong.repaired and later else []
    stands += [k for k, move in enumerate(later, 1) if reached(move) and move.end == wrong.start]
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
        if after is not None and reached(move) and after.start != move.end:
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
        "missed_dead_ends": len({m.end for m in play.moves if reached(m) and dead_end(maze, m.end)} - told),
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


def score(maze, config, play):
    return score_answer(maze, play.text, config, provider="synthetic")


# ---- everyone, in every style that carries steps -----------------------------------------------


@pytest.mark.parametrize("style", STEPPED)
@pytest.mark.parametrize("name", WALKERS)
def test_the_pipeline_measures_what_the_subject_did(name, style):
    subject = replace(WALKERS[name], style=style)
    for seed in range(5):
        maze = maze_of(seed)
        config = config_of(maze, seed)
        play = subject.play(build_prompt(maze, config), seed)
        assert not differences(score(maze, config, play), truth(maze, play)), play.text


chances = st.one_of(st.sampled_from((0.0, 1.0)), st.floats(0, 1))
anyone = st.builds(
    Synthetic,
    st.just("anyone"),
    st.builds(Traits, st.floats(0, 0.4), chances, chances, chances, chances, chances, st.floats(-60, 30)),
    st.sampled_from(STEPPED),
)


@settings(max_examples=120, deadline=None)
@given(anyone, st.integers(0, 10**6), st.sampled_from(("ko", "en")), st.sampled_from(("disclosed", "neutral")))
def test_and_whatever_the_traits(subject, seed, language, disclosure):
    maze = maze_of(seed)
    config = config_of(maze, seed, language=language, disclosure=disclosure)
    play = subject.play(build_prompt(maze, config), seed)
    unasked = ("reported_backtracks", "reported_hallucinations") if disclosure == "neutral" else ()
    assert not differences(score(maze, config, play), truth(maze, play), unasked), play.text


@pytest.mark.parametrize("style", ["standard", "markdown", "table", "list"])
@pytest.mark.parametrize("injection", ["own", "other", "own-clean", "other-clean"])
def test_a_continued_walk_is_scored_on_the_subjects_own_moves(injection, style):
    for seed in range(6):
        maze = maze_of(seed)
        config = config_of(maze, seed, injection=injection)
        for name in ("oracle", "silent_fixer", "careful"):
            play = replace(WALKERS[name], style=style).play(build_prompt(maze, config), seed)
            result = score(maze, config, play)
            assert (result.moves, result.reported_backtracks) == (len(play.moves), play.turns)
            if name == "oracle":
                assert (result.sr, result.hallucination_count) == (1, 0)


def test_a_terse_answer_is_scored_on_its_path():
    broken = 0
    for seed in range(40):
        maze = maze_of(seed)
        config = config_of(maze, seed)
        play = replace(SYNTHETIC["talker"], style="terse").play(build_prompt(maze, config), seed)
        result = score(maze, config, play)
        slipped = {frozenset((move.start, move.end)) for move in play.slips}
        on_path = sum(frozenset(two) in slipped for two in zip(play.path, play.path[1:], strict=False))
        assert (result.hallucination_count, result.moves) == (on_path, len(play.path) - 1)
        assert result.sr == truth(maze, play)["sr"]
        broken += on_path
    assert broken > 10


# ---- single traits, planted and found --------------------------------------------------------------


def results_of(traits, count=40, style="standard", **options):
    out = []
    for seed in range(count):
        maze = maze_of(seed)
        config = config_of(maze, seed, **options)
        play = Synthetic("someone", traits, style).play(build_prompt(maze, config), seed)
        out.append((maze, play, score(maze, config, play)))
    return out


def test_silent_repair_is_detected_and_recovered_without_a_word():
    seen = 0
    for _, play, result in results_of(Traits(slip=0.2, declare=0.0)):
        assert not {"dead end", "loop detected", "strategy_change"} & set(result.metacog_signals)
        if play.slips:
            assert (result.detected, result.recovery_rate, result.recovery_lag) == (1, 1, 0)
            assert (result.sr, result.failure_mode) == (1, "recovered")
            seen += 1
    assert seen > 20


def test_talk_without_repair_is_detected_and_not_recovered_if_the_path_keeps_the_wall():
    kept = 0
    for _, play, result in results_of(Traits(slip=0.2, repair=0.0)):
        if play.slips:
            assert result.detected == 1 and "dead end" in result.metacog_signals
            ways = [frozenset(two) for two in zip(play.path, play.path[1:], strict=False)]
            if all(frozenset((move.start, move.end)) in ways for move in play.slips):
                assert result.recovery_rate == 0 and result.sr == 0 and result.failure_mode == "not corrected"
                kept += 1
    assert kept > 10


def test_who_notices_nothing_is_found_unnoticed():
    results = [result for _, play, result in results_of(Traits(slip=0.15, notice=0.0)) if play.slips]
    assert len(results) > 20
    assert sum(result.detected for result in results) / len(results) < 0.3
    assert all(result.metacog_signals in ([], ["backtracking"]) for result in results)


def test_lure_rates_are_the_trait():
    for lure in (0.0, 1.0):
        rates = []
        for maze, _, result in results_of(Traits(lure=lure)):
            cells = [trap.cell for trap in maze.mirage_traps]
            if len(set(cells)) == len(cells) and not math.isnan(
                result.lure_rate
            ):  # of two at one cell, one is followed
                rates.append(result.lure_rate)
        assert len(rates) > 20 and set(rates) == {lure}
    half = [result.lure_rate for *_, result in results_of(Traits(lure=0.5), count=80)]
    met = [rate for rate in half if not math.isnan(rate)]
    assert abs(sum(met) / len(met) - 0.5) < 0.2
    assert all(math.isnan(result.lure_rate) for *_, result in results_of(Traits(lure=1.0), count=5, use_mirage=False))


def test_without_confidences_there_is_no_calibration():
    for style in STEPPED:
        for *_, result in results_of(Traits(slip=0.1), count=4, style=style, use_confidence=False):
            assert math.isnan(result.ce) and result.nan_reasons["ce"] and result.confidence_log == []


# ---- the floor ----------------------------------------------------------------------------------


@pytest.mark.parametrize("style", STEPPED)
def test_floor_subjects_score_what_they_are(style):
    for seed in range(6):
        maze = maze_of(seed)
        config = config_of(maze, seed)
        prompt = build_prompt(maze, config)
        oracle = score(maze, config, replace(FLOOR["oracle"], style=style).play(prompt, seed))
        assert (oracle.sr, oracle.hallucination_count, oracle.excess, oracle.ce) == (1, 0, 1, 0)
        walker = score(maze, config, replace(FLOOR["random_walk"], style=style).play(prompt, seed))
        assert walker.hallucination_count == 0 and walker.metacog_signals in ([], ["backtracking"])
        shy = score(maze, config, replace(FLOOR["never_hint"], style=style).play(prompt, seed))
        assert math.isnan(shy.lure_rate) or shy.lure_rate == 0


@pytest.mark.parametrize("disclosure", ["disclosed", "neutral"])
@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("template", range(5))
def test_no_answer_and_an_echo_are_not_scored(template, language, disclosure):
    maze = maze_of(3)
    config = config_of(maze, 3, template=template, language=language, disclosure=disclosure)
    for name in ("empty", "echo"):
        result = score(maze, config, FLOOR[name].play(build_prompt(maze, config), 0))
        assert math.isnan(result.mei) and math.isnan(result.hallumaze_score)
        assert (result.sr, result.moves, result.failure_mode) == (0, 0, "unreadable")
        assert result.metacog_signals == [] and math.isnan(result.reported_backtracks)
