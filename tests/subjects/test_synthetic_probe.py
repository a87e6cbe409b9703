"""Synthetic subjects before a probe: what they judge follows from their traits, and is read as they wrote it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.subjects import FLOOR, SYNTHETIC, Synthetic, Traits
from hallumaze_kit.subjects.synthetic_probe import FORMS, is_probe, probe_reply, read_path
from hallumaze_kit.subjects.synthetic_text import STYLES
from hallumaze_kit.trial.probe import probe_path, read_probe
from hallumaze_kit.trial.prompt import build_prompt

JUDGES = {name: s for name, s in (SYNTHETIC | FLOOR).items() if s.kind not in ("empty", "echo")}


def prompt_of(maze: MazeEngine, injection: str = "none", **options):
    return build_prompt(maze, MazeConfig(size=maze.size, protocol="probe", injection=injection, **options))


def said(subject: Synthetic, injection: str, seeds: range, **options) -> list[bool | None]:
    """What a subject says of the paths of many mazes, read from its text."""
    mazes = [MazeEngine(4 + seed % 3, seed, "wilson") for seed in seeds]
    return [read_probe(subject.answer(prompt_of(m, injection, **options), s)).said_valid for s, m in enumerate(mazes)]


@pytest.mark.parametrize(("language", "template"), list(product(("ko", "en"), range(5))))
def test_a_probe_is_known_by_its_prompt_and_its_path_is_read(language, template):
    for seed, injection in enumerate(("none", "own", "other-clean")):
        maze = MazeEngine(6, seed, "wilson", "balanced")
        config = MazeConfig(size=6, protocol="probe", injection=injection, language=language, template=template)
        user = build_prompt(maze, config).user
        assert is_probe(user) and read_path(user) == probe_path(maze, config).cells
        single = build_prompt(maze, MazeConfig(size=6, injection=injection, language=language, template=template)).user
        assert not is_probe(single)


@pytest.mark.parametrize(("style", "language"), list(product(STYLES, ("ko", "en"))))
def test_the_oracle_is_right_in_every_style_and_language(style, language):
    oracle = replace(FLOOR["oracle"], style=style)
    assert said(oracle, "own", range(20), language=language) == [False] * 20
    assert said(oracle, "other-clean", range(20), language=language) == [True] * 20


def test_every_style_has_a_form():
    assert {*FORMS, "prose"} == set(STYLES)


@given(st.sampled_from(sorted(JUDGES)), st.integers(0, 10**6), st.sampled_from(("none", "own", "own-clean")))
def test_style_language_and_template_leave_the_judgement_alone(name, seed, injection):
    maze = MazeEngine(2 + seed % 5, seed, "wilson")
    replies = {
        read_probe(
            replace(JUDGES[name], style=style).answer(prompt_of(maze, injection, language=lang, template=t), seed)
        )
        for style, lang, t in (("standard", "ko", 0), ("prose", "en", 1), ("table", "ko", 4), ("terse", "en", 2),
                               ("markdown", "en", 3), ("list", "ko", 2), ("prose", "ko", 0))
    }  # fmt: skip
    assert len(replies) == 1
    reply = replies.pop()
    assert reply.said_valid is not None and 0.01 <= reply.confidence <= 1 and reply.warnings == ()


def test_a_confidence_is_stated_only_where_one_is_asked_for():
    maze = MazeEngine(5, 1)
    for style in STYLES:
        text = replace(SYNTHETIC["careful"], style=style).answer(prompt_of(maze, use_confidence=False), 1)
        assert read_probe(text).confidence is None and read_probe(text).said_valid is not None


def test_who_guesses_tosses_a_fair_coin_for_each_prompt_and_seed():
    guesser, low, high = FLOOR["random_walk"], binom.ppf(0.001, 200, 0.5), binom.ppf(0.999, 200, 0.5)
    for injection in ("own", "own-clean"):
        assert low <= sum(said(guesser, injection, range(200))) <= high
    prompt = prompt_of(MazeEngine(5, 1), "own")
    by_seed = [guesser.answer(prompt, seed) for seed in range(200)]
    assert low <= sum(read_probe(text).said_valid for text in by_seed) <= high
    assert by_seed == [guesser.answer(prompt, seed) for seed in range(200)]
    assert {read_probe(text).confidence for text in by_seed} == {0.5}


def test_notice_is_the_share_of_broken_paths_seen_and_slip_that_of_whole_ones_objected_to():
    subject = Synthetic("known", Traits(notice=0.7, slip=0.1))
    objected = said(subject, "own", range(200)).count(False), said(subject, "own-clean", range(200)).count(False)
    for count, rate in zip(objected, (0.7, 0.1), strict=True):
        assert binom.ppf(0.001, 200, rate) <= count <= binom.ppf(0.999, 200, rate)


def test_who_never_notices_and_never_slips_always_says_yes():
    for subject in (Synthetic("blind", Traits(notice=0.0)), FLOOR["never_hint"]):
        assert said(subject, "own", range(30)) == [True] * 30


def test_confidence_by_hand():
    """75 + bias, lower by doubt where it is wrong; the clock's is 99."""
    prompt = prompt_of(MazeEngine(5, 3, "wilson"), "own")
    for traits, expected in (
        (Traits(confidence_bias=10), 0.85),
        (Traits(confidence_bias=40), 1.0),
        (Traits(notice=0.0, doubt=30), 0.45),
        (Traits(notice=1.0, doubt=30), 0.75),
        (Traits(notice=0.0, doubt=100), 0.01),
    ):
        assert read_probe(Synthetic("known", traits).answer(prompt, 1)).confidence == expected
    assert read_probe(FLOOR["clock"].answer(prompt, 1)).confidence == 0.99


def test_empty_and_echo_and_what_a_play_holds():
    prompt = prompt_of(MazeEngine(5, 1), "own")
    assert FLOOR["empty"].answer(prompt, 1) == "" and FLOOR["echo"].answer(prompt, 1) == prompt.user
    play = SYNTHETIC["careful"].play(prompt, 3)
    assert (play.moves, play.said, play.turns, play.path) == ((), (), 0, ())
    assert play.text == probe_reply(SYNTHETIC["careful"], prompt.user, 3) == SYNTHETIC["careful"].answer(prompt, 3)
