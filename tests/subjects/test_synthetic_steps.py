"""Synthetic subjects in stepwise trials: what is known of them beforehand comes out in the scores."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import BenchmarkResult, MazeConfig
from hallumaze_kit.subjects import FLOOR, STEPPERS, SYNTHETIC, Synthetic, Traits
from hallumaze_kit.trial.prompt import build_prompt
from hallumaze_kit.trial.scoring import score_answer
from hallumaze_kit.trial.stepwise import Stepwise, window

EVERYONE = STEPPERS | SYNTHETIC | FLOOR
HANGUL = re.compile("[가-힣]")
VIEWS = ("open", "bump")
mazes = st.builds(
    MazeEngine, st.integers(2, 7), st.integers(0, 10**6), st.sampled_from(["dfs", "wilson"]), st.just("balanced")
)


def play(subject, maze: MazeEngine, seed: int = 0, history: int | None = None, **options) -> tuple[Stepwise, list]:
    """A trial from beginning to end, and its messages."""
    trial = Stepwise(maze, MazeConfig(size=maze.size, protocol="stepwise", **options))
    messages = [{"role": "system", "content": trial.prompt.system}, {"role": "user", "content": trial.prompt.user}]
    while not trial.done:
        messages.append({"role": "assistant", "content": subject.reply(window(messages, history), seed)})
        shown = trial.take(messages[-1]["content"])
        messages += [{"role": "user", "content": shown}] if shown else []
    return trial, messages


def scored(subject, maze: MazeEngine, seed: int = 0, **options) -> BenchmarkResult:
    trial, messages = play(subject, maze, seed, **options)
    result = score_answer(maze, "", trial.config, messages=messages)
    assert not result.warnings
    return result


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("language", ["ko", "en"])
@settings(max_examples=25)
@given(maze=mazes)
def test_an_honest_explorer_gets_no_hallucination(view, language, maze):
    result = scored(STEPPERS["explorer"], maze, view=view, language=language)
    assert (result.sr, result.hallucination_count, result.failure_mode) == (1, 0, "clean")
    assert (result.false_alarms, result.missed_dead_ends) == (0, 0)
    trial, _ = play(STEPPERS["explorer"], maze, view=view, language=language)
    tried = [m.pair for m in trial.moves if not m.legal]
    assert len(tried) == len(set(tried)) and (view == "bump" or not tried)
    assert not any(kind in ("extra moves", "misplaced", "unreadable") for kind in (e["kind"] for e in trial.events))


@pytest.mark.parametrize("view", VIEWS)
def test_a_liar_gets_hallucinations_and_false_alarms(view):
    for seed in range(5):
        maze = MazeEngine(6, seed, "wilson")
        result = scored(STEPPERS["liar"], maze, view=view)
        assert result.hallucination_count > 10 and result.false_alarms > 10
        assert result.failure_mode not in ("clean", "recovered")


@pytest.mark.parametrize("view", VIEWS)
def test_a_looper_is_stuck(view):
    for seed in range(5):
        result = scored(STEPPERS["looper"], MazeEngine(6, seed, "wilson"), view=view)
        assert (result.failure_mode, result.sr, result.moves, result.hallucination_count) == ("stuck", 0, 144, 0)


@pytest.mark.parametrize("name", ["mumbler", "empty", "echo"])
@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("view", VIEWS)
def test_who_writes_no_move_is_unreadable(name, language, view):
    trial, messages = play(EVERYONE[name], MazeEngine(5, 2), view=view, language=language)
    assert trial.stopped == "unreadable" and not trial.moves
    assert [m["role"] for m in messages].count("assistant") == 2
    if name == "mumbler":
        assert bool(HANGUL.search(messages[2]["content"])) == (language == "ko")


def test_slips_are_counted_one_by_one():
    """A subject that tries a closed side at every step in which there is one, told or not, gets one for each."""
    maze = MazeEngine(5, 3)
    subject = Synthetic("bent", Traits(slip=1.0, notice=0.0))
    result = scored(subject, maze, step_budget=20)
    assert (result.hallucination_count, result.moves, result.first_hallucination_step) == (20, 20, 1)
    assert scored(replace(subject, traits=Traits()), maze).hallucination_count == 0


def test_who_remembers_tries_a_closed_side_once():
    trial, _ = play(Synthetic("once", Traits(slip=1.0)), MazeEngine(5, 3), step_budget=200)
    tried = [(m.start, m.direction) for m in trial.moves if not m.legal]
    assert tried and len(tried) == len(set(tried)) and trial.stopped == "exit"


def test_lures_are_followed_by_trait():
    rates = {0.0: [], 1.0: []}
    for lure, met in rates.items():
        for seed in range(12):
            maze = MazeEngine(7, seed, "wilson", "balanced")
            rate = scored(Synthetic("l", Traits(lure=lure)), maze).lure_rate
            met += [rate] if rate == rate else []
    assert min(rates[1.0]) == 1 and sum(rates[0.0]) < len(rates[0.0])
    for seed in range(6):
        result = scored(FLOOR["never_hint"], MazeEngine(7, seed, "wilson", "balanced"))
        assert result.lure_rate in (0,) or "lure_rate" in result.nan_reasons
        assert result.failure_mode in ("clean", "gave up")


def test_the_clock_counts_down_and_the_oracle_is_sure():
    assert [row["conf"] for row in scored(FLOOR["clock"], MazeEngine(4, 1)).confidence_log][:3] == [99, 98, 97]
    assert {row["conf"] for row in scored(FLOOR["oracle"], MazeEngine(4, 1)).confidence_log} == {100}
    assert scored(FLOOR["oracle"], MazeEngine(4, 1), use_confidence=False).confidence_log == []


def test_forgetful_subjects_go_round_and_say_so():
    maze = MazeEngine(6, 0, "wilson", "balanced")
    assert scored(SYNTHETIC["stubborn"], maze, 3).metacog_signals in ([], ["backtracking"]), "it never says a word"
    talked = [scored(SYNTHETIC["talker"], MazeEngine(6, seed, "wilson"), seed) for seed in range(4)]
    assert any("strategy_change" in r.metacog_signals and r.loop_count for r in talked)
    assert all(r.false_alarms == 0 for r in talked)


@settings(max_examples=40)
@given(
    mazes, st.sampled_from(sorted(EVERYONE)), st.sampled_from(VIEWS), st.integers(0, 4), st.sampled_from(["ko", "en"])
)
def test_a_subject_that_sees_only_the_last_turns_plays_to_the_end(maze, name, view, history, language):
    trial, messages = play(EVERYONE[name], maze, 1, history, view=view, language=language, step_budget=40)
    assert trial.done and "extra moves" not in [e["kind"] for e in trial.events]
    assert play(EVERYONE[name], maze, 1, history, view=view, language=language, step_budget=40)[1] == messages


def test_an_explorer_that_forgets_bumps_into_walls_again():
    maze = MazeEngine(6, 1, "wilson")
    assert scored(STEPPERS["explorer"], maze, view="bump", history=2).hallucination_count > 0
    assert scored(STEPPERS["explorer"], maze, view="bump").hallucination_count == 0


def test_reply_answers_other_prompts_as_before():
    maze = MazeEngine(5, 1)
    prompt = build_prompt(maze, MazeConfig(size=5))
    messages = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]
    for subject in (SYNTHETIC["careful"], FLOOR["echo"]):
        assert subject.reply(messages, 4) == subject.answer(prompt, 4)
    with pytest.raises(InputError, match="take part in stepwise trials"):
        STEPPERS["liar"].reply(messages, 4)
    with pytest.raises(InputError, match="messages must be a conversation"):
        SYNTHETIC["careful"].reply(messages[:1], 4)
