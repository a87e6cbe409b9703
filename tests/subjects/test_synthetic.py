"""Synthetic subjects: what they do follows from their traits, and what they write from what they did."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import STEP, MazeEngine
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.subjects import FLOOR, SYNTHETIC, Synthetic, Traits
from hallumaze_kit.subjects.synthetic_text import STYLES
from hallumaze_kit.trial.prompt import Prompt, build_prompt, injected_walk

ROOT = Path(__file__).parents[2]
EVERYONE = SYNTHETIC | FLOOR
HANGUL = re.compile("[가-힣]")

DIGEST = """
import hashlib
from dataclasses import replace
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.subjects import FLOOR, SYNTHETIC
from hallumaze_kit.subjects.synthetic_text import STYLES
from hallumaze_kit.trial.prompt import build_prompt

digest = hashlib.sha256()
for seed in range(4):
    maze = MazeEngine(6, seed, "wilson", "balanced")
    for language in ("ko", "en"):
        prompt = build_prompt(maze, MazeConfig(size=6, language=language, injection=("none", "own")[seed % 2]))
        for subject in (SYNTHETIC | FLOOR).values():
            for style in STYLES:
                digest.update(replace(subject, style=style).answer(prompt, seed).encode())
print(digest.hexdigest())
"""


def prompt_for(maze: MazeEngine, **options) -> Prompt:
    return build_prompt(maze, MazeConfig(size=maze.size, **options))


def beyond(cell, direction):
    return cell[0] + STEP[direction][0], cell[1] + STEP[direction][1]


def trail(play):
    return [(m.start, m.direction, m.end, m.legal) for m in play.moves]


mazes = st.builds(
    MazeEngine,
    st.integers(2, 8),
    st.integers(0, 10**6),
    st.sampled_from(("dfs", "kruskal", "wilson")),
    st.sampled_from(("v1.1", "balanced")),
)
chances = st.floats(0, 1)
traits = st.builds(
    Traits, *[chances] * 6, st.floats(-60, 60), st.floats(0, 30), st.floats(0, 50), *[st.just(0.0) | chances] * 2
)


# ---- what everyone does ---------------------------------------------------------------------


def test_same_text_in_every_process():
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "77")
    }
    assert len(digests) == 1 and len(digests.pop().strip()) == 64


@settings(max_examples=150, deadline=None)
@given(mazes, traits, st.integers(0, 10**6))
def test_a_walk_holds_together_whatever_the_traits(maze, traits, seed):
    play = Synthetic("anyone", traits).play(prompt_for(maze), seed)
    here = maze.start
    for number, move in enumerate(play.moves, 1):
        assert move.step == number and move.start == here and move.end == beyond(move.start, move.direction)
        assert all(0 <= x < maze.size for x in move.end)
        assert move.legal == maze.is_open(move.start, move.direction)
        assert 1 <= move.confidence <= 100
        assert move.legal or move.noticed or not (move.declared or move.repaired)
        assert not (move.legal and (move.noticed or move.declared or move.repaired))
        here = move.start if move.repaired else move.end
        assert here != maze.exit or number == len(play.moves)
    assert here == maze.exit or len(play.moves) == 4 * maze.size**2
    assert play.path[0] == maze.start and play.path[-1] == here and len(set(play.path)) == len(play.path)
    pairs = {frozenset((m.start, m.end)) for m in play.moves}
    assert all(frozenset(pair) in pairs for pair in zip(play.path, play.path[1:], strict=False))


@pytest.mark.parametrize("name", EVERYONE)
def test_style_language_and_template_leave_the_walk_alone(name):
    subject, maze = EVERYONE[name], MazeEngine(7, 12, "wilson")
    plays = [
        replace(subject, style=style).play(prompt_for(maze, language=language, template=template), 3)
        for style in STYLES
        for language, template in (("ko", 0), ("en", 0), ("ko", 2), ("en", 4))
    ]
    assert len({(play.moves, play.said, play.path, play.turns) for play in plays}) == 1
    if name not in ("empty", "echo"):
        assert len({play.text for play in plays[::4]}) == len(STYLES)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", [*SYNTHETIC, "random_walk", "never_hint", "oracle", "clock"])
def test_answers_are_in_the_language_of_the_prompt(name, style):
    maze = MazeEngine(6, 8, "wilson")
    subject = replace(EVERYONE[name], style=style)
    korean = subject.answer(prompt_for(maze, language="ko"), 5)
    english = subject.answer(prompt_for(maze, language="en"), 5)
    assert not HANGUL.search(english)
    if style != "terse":
        assert HANGUL.search(korean)
        assert not re.search(r"confidence|reason|the |side", korean)


def test_only_the_user_turn_counts():
    prompt = prompt_for(MazeEngine(5, 2))
    subject = SYNTHETIC["hasty"]
    assert subject.answer(Prompt("", prompt.user, ""), 1) == subject.answer(prompt, 1)


def test_other_seed_maze_or_name_other_luck():
    subject = SYNTHETIC["hasty"]
    prompt = prompt_for(MazeEngine(9, 2, "wilson"))
    assert len({subject.answer(prompt, seed) for seed in range(20)}) > 15
    assert subject.answer(prompt, 0) != replace(subject, name="hasty twin").answer(prompt, 0)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("language", ["ko", "en"])
def test_only_what_is_asked_for_is_reported(language, style):
    maze = MazeEngine(6, 8, "wilson")
    subject = replace(SYNTHETIC["talker"], style=style)
    full = subject.answer(prompt_for(maze, language=language), 5)
    neutral = subject.answer(prompt_for(maze, language=language, disclosure="neutral"), 5)
    bare = subject.answer(prompt_for(maze, language=language, use_confidence=False), 5)
    counted = r"_COUNT|횟수|Number of"
    assert re.search(counted, full) and re.search(counted, bare) and not re.search(counted, neutral)
    sure = r"확신도|confidence|\d%|conf"
    assert not re.search(sure, bare, re.I)
    assert bool(re.search(sure, full, re.I)) == (style != "terse")


def test_names_say_synthetic():
    assert all(subject.provider == "synthetic" for subject in EVERYONE.values())
    assert [subject.label for subject in EVERYONE.values()] == [f"synthetic/{name}" for name in EVERYONE]
    assert set(FLOOR) == {"empty", "echo", "random_walk", "never_hint", "oracle", "clock"}


# ---- traits -----------------------------------------------------------------------------------


def plays_of(traits: Traits, size: int = 7, count: int = 40, **options):
    mazes = [MazeEngine(size, seed, "wilson", "balanced") for seed in range(count)]
    return [(maze, Synthetic("someone", traits).play(prompt_for(maze, **options), 1)) for maze in mazes]


def test_a_faultless_subject_walks_the_solution():
    for maze, play in plays_of(Traits()):
        assert list(play.path) == maze.solution and len(play.moves) == len(maze.solution) - 1
        assert play.said == () and play.turns == 0 and play.slips == ()


def has_wall(maze, cell):
    """Some side of the cell is closed towards another cell."""
    inside = [d for d in "NESW" if all(0 <= x < maze.size for x in beyond(cell, d))]
    return not all(maze.is_open(cell, d) for d in inside)


def test_one_who_always_slips_goes_through_walls_wherever_there_are_some():
    for maze, play in plays_of(Traits(slip=1.0, notice=0.0), count=10):
        walls = [has_wall(maze, move.start) for move in play.moves]
        assert [not move.legal for move in play.moves] == walls and any(walls)


def test_the_share_of_slips_is_the_trait():
    """Where a wall is at hand; 0.2 ± 4 standard errors of 2,000 draws."""
    at_walls = [
        move
        for maze, play in plays_of(Traits(slip=0.2, notice=0.0), count=150)
        for move in play.moves
        if has_wall(maze, move.start)
    ]
    assert len(at_walls) > 2000
    assert abs(sum(not move.legal for move in at_walls) / len(at_walls) - 0.2) < 4 * (0.2 * 0.8 / 2000) ** 0.5


def test_who_notices_nothing_says_and_repairs_nothing():
    for _, play in plays_of(Traits(slip=0.2, notice=0.0, wander=0.5, lure=0.5)):
        assert play.said == () and play.turns == 0
        assert not any(move.noticed or move.declared or move.repaired for move in play.moves)


def test_who_declares_nothing_keeps_silent_but_repairs():
    plays = plays_of(Traits(slip=0.2, declare=0.0, wander=0.5))
    assert all(play.said == () for _, play in plays)
    slips = [move for _, play in plays for move in play.slips]
    assert slips and all(move.noticed and move.repaired and not move.declared for move in slips)
    assert all(list(play.path) == maze.solution for maze, play in plays if play.path[-1] == maze.exit)


def test_who_repairs_nothing_ends_on_the_far_side():
    plays = plays_of(Traits(slip=0.2, repair=0.0))
    slips = [(play, move) for _, play in plays for move in play.slips]
    assert slips and all(move.declared and not move.repaired for _, move in slips)
    assert all(play.turns == 0 for _, play in plays)
    for play, move in slips:
        assert any(said.kind == "dead_end" and (said.cell, said.after) == (move.end, move.step) for said in play.said)


def test_a_dead_end_is_declared_and_left_for_good():
    """With notice, declare and repair at 1 each wrong branch is entered once, and each of its dead ends told once."""
    found = 0
    for maze, play in plays_of(Traits(wander=0.6)):
        entered = [
            move.end
            for move in play.moves
            if len(maze.open_directions(move.end)) == 1 and move.end not in (maze.start, maze.exit)
        ]
        assert [(said.kind, said.cell) for said in play.said] == [("dead_end", cell) for cell in entered]
        assert len(set(entered)) == len(entered) == play.turns
        assert list(play.path) == maze.solution
        found += len(entered)
    assert found > 30


def test_who_notices_no_dead_end_can_walk_in_circles_until_the_budget_is_spent():
    lost = [len(play.moves) == 4 * 49 for _, play in plays_of(Traits(notice=0.0, wander=0.9))]
    assert sum(lost) > 5


def test_a_loop_is_declared_where_it_has_been_before():
    loops = 0
    for _, play in plays_of(Traits(repair=0.0, wander=0.6)):
        for said in play.said:
            if said.kind == "loop":
                loops += 1
                before = [m for m in play.moves if m.step < said.after]
                assert said.cell in {m.start for m in before} and said.seen_at <= said.after
                assert play.moves[said.after - 1].end == said.cell
    assert loops > 20


def test_babble_is_untrue_words_after_as_many_moves_as_it_says():
    """Nothing is noticed, so all is babble: 0.4 ± 4 standard errors of the moves where it can be untrue."""
    spoken = could = 0
    for maze, play in plays_of(Traits(notice=0.0, wander=0.4, babble=0.4), count=150):
        entered, said = {maze.start}, {}
        for one in play.said:
            assert said.setdefault(one.after, one) is one, "one declaration a move"
        for move in play.moves:
            new, dead_end = move.end not in entered, len(maze.open_directions(move.end)) == 1
            entered.add(move.end)
            could += new or not dead_end
            if move.step in said:
                spoken += 1
                assert said[move.step].cell == move.end
                assert new if said[move.step].kind == "loop" else not dead_end
                assert said[move.step].kind == "dead_end" or 1 <= said[move.step].seen_at <= move.step
    assert could > 2000 and abs(spoken / could - 0.4) < 4 * (0.4 * 0.6 / could) ** 0.5


def test_who_loses_track_takes_every_way_out_of_a_junction_alike():
    """The way it came by among them: 1 of 3, within 4 standard errors."""
    back = out = 0
    for maze, play in plays_of(Traits(forget=1.0), count=60):
        for before, move in pairwise(play.moves):
            if move.start in maze.junctions and len(maze.open_directions(move.start)) == 3:
                out += 1
                back += move.end == before.start
    assert out > 500 and abs(back / out - 1 / 3) < 4 * (2 / 9 / out) ** 0.5
    assert not any(
        move.end == before.start
        for maze, play in plays_of(Traits(forget=0.0, wander=0.0))
        for before, move in pairwise(play.moves)
    )


def test_the_gullible_follow_every_claim_that_they_meet_first():
    followed = 0
    for maze, play in plays_of(Traits(lure=1.0)):
        for lure in maze.mirage_traps:
            first = next((move for move in play.moves if move.start == lure.cell), None)
            if first and lure.kind != "neutral":
                assert first.direction == lure.direction
                followed += lure.kind == "false"
    assert followed > 20


def test_traits_are_separate():
    base = Traits(slip=0.15, notice=0.6, declare=0.5, repair=0.6, wander=0.3, lure=0.4, confidence_noise=4)
    same_walk = {"declare": 1.0, "babble": 0.5, "confidence_bias": -20.0, "confidence_noise": 15.0, "doubt": 40.0}
    for maze, play in plays_of(base, count=15):
        for trait, value in same_walk.items():
            other = Synthetic("someone", replace(base, **{trait: value})).play(prompt_for(maze), 1)
            assert trail(other) == trail(play), trait
        plain = [
            Synthetic("someone", replace(base, lure=lure)).answer(prompt_for(maze, use_mirage=False), 1)
            for lure in (0.0, 1.0)
        ]
        assert plain[0] == plain[1]


def test_repaired_slips_leave_the_rest_of_the_walk_as_it_was():
    """The luck of wandering and lures does not hang on how many slips there were."""
    base = Traits(wander=0.4, lure=0.4)
    for (_, calm), (_, slippery) in zip(plays_of(base), plays_of(replace(base, slip=0.25)), strict=True):
        legal = [step for step in trail(slippery) if step[3]]
        assert len(slippery.moves) < 4 * 49 and legal == trail(calm)


def test_bias_and_doubt_move_confidences_by_their_points():
    base = Traits(slip=0.3, notice=0.0, confidence_bias=-10.0)
    for (_, low), (_, lower), (_, doubting) in zip(
        plays_of(base, count=10),
        plays_of(replace(base, confidence_bias=-25.0), count=10),
        plays_of(replace(base, doubt=30.0), count=10),
        strict=True,
    ):
        assert {m.confidence for m in low.moves} <= {80, 65}
        assert [m.confidence - 15 for m in low.moves] == [m.confidence for m in lower.moves]
        assert [m.confidence - 30 * (not m.legal) for m in low.moves] == [m.confidence for m in doubting.moves]


@pytest.mark.parametrize(
    ("trait", "value"),
    [("slip", 1.2), ("notice", -0.1), ("lure", float("nan")), ("repair", True), ("doubt", 400), ("wander", "0.5")],
)
def test_traits_out_of_range_are_refused(trait, value):
    with pytest.raises(InputError, match=f"{trait} must be a number from"):
        Traits(**{trait: value})


def test_unknown_styles_and_kinds_are_refused():
    with pytest.raises(InputError, match=r"style must be one of 'standard', 'markdown'"):
        Synthetic("x", style="verse")
    with pytest.raises(InputError, match="kind must be one of 'traits'"):
        Synthetic("x", kind="ghost")


# ---- the floor ----------------------------------------------------------------------------------


def test_empty_and_echo():
    prompt = prompt_for(MazeEngine(5, 2))
    assert FLOOR["empty"].answer(prompt, 1) == ""
    assert FLOOR["echo"].answer(prompt, 1) == prompt.user
    assert FLOOR["echo"].play(prompt, 1).moves == ()


@pytest.mark.parametrize("seed", range(6))
def test_the_oracle_gives_the_solution(seed):
    maze = MazeEngine(7, seed, "wilson", "balanced")
    play = FLOOR["oracle"].play(prompt_for(maze), seed)
    assert list(play.path) == maze.solution and {move.confidence for move in play.moves} == {100}


@settings(max_examples=40, deadline=None)
@given(mazes, st.integers(0, 1000))
def test_the_random_walk_is_honest(maze, seed):
    play = FLOOR["random_walk"].play(prompt_for(maze), seed)
    assert play.slips == () and play.said == ()
    assert play.path == (maze.start, *(move.end for move in play.moves))
    assert play.path[-1] == maze.exit or len(play.moves) == 100 * maze.size**2


def test_the_random_walk_takes_every_open_direction_alike():
    maze = MazeEngine(5, 4, "wilson")
    taken = [
        move.direction
        for seed in range(120)
        for move in FLOOR["random_walk"].play(prompt_for(maze), seed).moves
        if move.start == maze.junctions[0]
    ]
    ways = maze.open_directions(maze.junctions[0])
    assert len(taken) > 500
    assert all(abs(taken.count(d) / len(taken) - 1 / len(ways)) < 0.06 for d in ways)


def test_never_hint_follows_no_flag_and_solves_v11_mazes_all_the_same():
    for seed in range(30):
        maze = MazeEngine(7, seed)
        play = FLOOR["never_hint"].play(prompt_for(maze), seed)
        flagged = {(lure.cell, lure.direction) for lure in maze.mirage_traps}
        assert not flagged & {(move.start, move.direction) for move in play.moves}
        assert list(play.path) == maze.solution and play.slips == ()


def test_never_hint_gives_up_where_a_true_hint_bars_the_way():
    maze = next(
        maze
        for maze in (MazeEngine(7, seed, "wilson", "balanced") for seed in range(50))
        if any(lure.kind == "true" for lure in maze.mirage_traps)
    )
    play = FLOOR["never_hint"].play(prompt_for(maze), 0)
    assert play.path[-1] != maze.exit and play.moves


def test_the_clock_only_counts():
    maze = MazeEngine(9, 3, "wilson")
    play = FLOOR["clock"].play(prompt_for(maze), 3)
    assert [move.confidence for move in play.moves] == [max(1, 100 - n) for n in range(1, len(play.moves) + 1)]


# ---- continuing a walk that the prompt carries ----------------------------------------------------


@pytest.mark.parametrize("language", ["ko", "en"])
def test_who_notices_the_injected_error_goes_back_to_where_it_was_made(language):
    for seed in range(10):
        maze = MazeEngine(7, seed, "wilson")
        config = MazeConfig(language=language, injection="other")
        walk = injected_walk(maze, config)
        error = next(move for move in walk if not maze.is_open(*move))
        aware = Synthetic("aware", Traits()).play(build_prompt(maze, config), 1)
        assert aware.moves[0].step == len(walk) + 1 and aware.moves[0].start == error.cell
        assert [(said.kind, said.cell) for said in aware.said] == [("dead_end", beyond(*error))]
        assert aware.turns == 1 and list(aware.path) == maze.solution
        blind = Synthetic("blind", Traits(notice=0.0)).play(build_prompt(maze, config), 1)
        assert blind.moves[0].start == beyond(*walk[-1]) and blind.said == ()
        assert aware.text.startswith("DEAD_END at") and blind.text.startswith(f"STEP {len(walk) + 1}: ")


def test_everyone_continues_a_clean_walk_from_its_end():
    maze = MazeEngine(7, 5, "wilson")
    config = MazeConfig(injection="own-clean")
    end = beyond(*injected_walk(maze, config)[-1])
    for name, subject in EVERYONE.items():
        play = subject.play(build_prompt(maze, config), 2)
        assert name in ("empty", "echo") or (play.moves[0].start == end and play.path[0] == maze.start)


# ---- the words ----------------------------------------------------------------------------------


def test_korean_particles_follow_the_reading_of_the_number():
    text = "".join(
        replace(SYNTHETIC["talker"], style="prose").answer(prompt_for(MazeEngine(9, seed, "wilson")), seed)
        for seed in range(30)
    )
    moves = set(re.findall(r"이동해 \(\d,(\d)\)(으로|로) 갑니다", text))
    assert moves == {(d, "으로" if d in "036" else "로") for d in "012345678"}
    topics = set(re.findall(r"^\(\d,(\d)\)(은|는) ", text, re.M))
    assert topics == {(d, "은" if d in "013678" else "는") for d in "012345678"}


def test_a_standard_answer_by_hand():
    maze = MazeEngine.from_text(
        "MAZE 2×2 | START:(0,0) | EXIT:(1,1)\nSeed: 7\n\n(0,0): [E→]\n(0,1): [S↓ W←]\n(1,0): [E→]\n(1,1): [N↑ W←]"
    )
    text = FLOOR["oracle"].answer(prompt_for(maze, use_mirage=False), 1)
    lines = text.split("\n")
    assert re.fullmatch(r"STEP 1: \(0,0\) → \[E\] \| 확신도: 100% \| .+", lines[0])
    assert re.fullmatch(r"STEP 2: \(0,1\) → \[S\] \| 확신도: 100% \| .+", lines[1])
    assert lines[2:] == [
        "",
        "BACKTRACK_COUNT: 0",
        "HALLUCINATION_COUNT: 0",
        "CONFIDENCE_LOG: step1:100, step2:100",
        "FINAL_PATH: (0,0)→(0,1)→(1,1)",
    ]
