"""Protocol "probe": the path, the prompt, what is measured of a reply; `test_verdict` reads replies."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections import Counter
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import METRICS, MazeConfig, read_results, to_frame, write_json
from hallumaze_kit.trial.measuring.probing import NO_WALK, ONE_ANSWER, UNREAD
from hallumaze_kit.trial.probe import probe_path, probe_prompt, read_probe
from hallumaze_kit.trial.prompt import build_prompt
from hallumaze_kit.trial.scoring import score_answer
from hallumaze_kit.trial.wording.probe import USER, VALID

ROOT = Path(__file__).parents[2]
INJECTIONS = ("none", "own", "other", "own-clean", "other-clean")
BROKEN = MazeEngine(5, 3, "wilson")
"""Broken under "none" too, by (0,0) (0,1) ‖ (1,1) (2,1) (2,2) (3,2) (3,3) (3,4) (4,4)."""

mazes = st.builds(MazeEngine, st.integers(2, 14), st.integers(0, 10**6), st.sampled_from(("dfs", "kruskal", "wilson")))


def config_of(maze: MazeEngine, injection: str = "none", **options) -> MazeConfig:
    return MazeConfig(size=maze.size, protocol="probe", injection=injection, **options)


def illegal_moves(maze: MazeEngine, cells) -> list[tuple]:
    """The moves of a path that the maze does not allow, found by the masks and nothing of the probe's own."""
    bit = {(-1, 0): 1, (0, 1): 2, (1, 0): 4, (0, -1): 8}
    return [(a, b) for a, b in pairwise(cells) if not int(maze.passages[a]) & bit.get((b[0] - a[0], b[1] - a[1]), 0)]


# ---- the path -------------------------------------------------------------------------------------


@given(mazes, st.sampled_from(INJECTIONS))
def test_a_path_is_whole_or_goes_through_one_wall_between_two_neighbours(maze, injection):
    path = probe_path(maze, config_of(maze, injection))
    assert path.cells[0] == (0, 0) and path.cells[-1] == maze.exit
    assert len(set(path.cells)) == len(path.cells)
    wrong = illegal_moves(maze, path.cells)
    assert wrong == ([path.edge] if path.broken else []) and (path.edge is not None) == path.broken
    if path.broken:
        (row, col), (far_row, far_col) = path.edge
        assert abs(row - far_row) + abs(col - far_col) == 1
    else:
        assert list(path.cells) == maze.solution
    assert injection == "none" or path.broken == (not injection.endswith("-clean"))


@given(mazes)
def test_whose_path_it_is_said_to_be_changes_nothing_of_it(maze):
    own, other = (probe_path(maze, config_of(maze, i)) for i in ("own", "other"))
    none = probe_path(maze, config_of(maze))
    assert own == other
    assert none in (own, probe_path(maze, config_of(maze, "own-clean")))


def spanning_trees(size: int) -> list[MazeEngine]:
    """Every maze of a size."""
    cells = list(product(range(size), range(size)))
    sides = [(a, b) for a, b in combinations(cells, 2) if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    out = []
    for chosen in combinations(sides, size * size - 1):
        masks = dict.fromkeys(cells, 0)
        root = {cell: cell for cell in cells}
        for a, b in chosen:
            old, new = root[a], root[b]
            root = {cell: new if at == old else at for cell, at in root.items()}
            south = b[0] > a[0]
            masks[a] |= 4 if south else 2
            masks[b] |= 1 if south else 8
        if len(set(root.values())) == 1:
            out.append(MazeEngine.from_dict({"size": size, "passages": "".join(f"{masks[c]:x}" for c in cells)}))
    return out


@pytest.mark.parametrize(("size", "count"), [(2, 4), (3, 192)])
def test_every_maze_has_a_broken_path_the_smallest_too(size, count):
    trees = spanning_trees(size)
    assert len(trees) == count  # Kirchhoff
    for maze in trees:
        path = probe_path(maze, config_of(maze, "own"))
        assert illegal_moves(maze, path.cells) == [path.edge] and len(set(path.cells)) == len(path.cells)


def test_fitting_pairs_are_drawn_alike():
    """2×2 by hand: solution south, east; (0,1) hangs on (0,0), so (0,1)→(1,1) is the only fitting pair.

    In the 192 mazes of 3×3, each maze's pair is one of those that fit, found here by trying all; how often the first
    of them is drawn is the sum of 1/n over the mazes, within 3.5 standard deviations.
    """
    maze = MazeEngine.from_dict({"size": 2, "passages": "6838"})
    assert maze.solution == [(0, 0), (1, 0), (1, 1)]
    assert probe_path(maze, config_of(maze, "own")) == (((0, 0), (0, 1), (1, 1)), True, ((0, 1), (1, 1)))
    drawn = expected = variance = 0.0
    for maze in spanning_trees(3):
        fitting = [
            (u, v)
            for u, v in product(product(range(3), range(3)), repeat=2)
            if abs(u[0] - v[0]) + abs(u[1] - v[1]) == 1
            and illegal_moves(maze, (u, v))
            and not set(way(maze, (0, 0), u)) & set(way(maze, v, (2, 2)))
        ]
        edge = probe_path(maze, config_of(maze, "own")).edge
        assert edge in fitting
        share = 1 / len(fitting)
        drawn, expected, variance = drawn + (edge == fitting[0]), expected + share, variance + share * (1 - share)
    assert abs(drawn - expected) < 3.5 * math.sqrt(variance)


def way(maze: MazeEngine, start, end, came=None) -> list:
    """The only way between two cells, by depth-first search."""
    if start == end:
        return [start]
    for row, col in ((-1, 0), (0, 1), (1, 0), (0, -1)):
        far = (start[0] + row, start[1] + col)
        if far != came and all(0 <= x < maze.size for x in far) and not illegal_moves(maze, (start, far)):
            rest = way(maze, far, end, start)
            if rest:
                return [start, *rest]
    return []


def test_half_of_the_mazes_are_broken_where_nobody_is_said_to_have_made_the_path():
    broken = sum(probe_path(m, config_of(m)).broken for m in (MazeEngine(7, s, "wilson") for s in range(400)))
    assert broken == 202  # counted once; Binomial(400, ½) lies within 200 ± 39 in all but one case of ten thousand
    assert abs(broken - 200) <= 39


def test_the_largest_maze_has_a_broken_path_soon():
    maze = MazeEngine(101, 1, "wilson")
    started = time.perf_counter()
    path = probe_path(maze, config_of(maze, "own"))
    assert time.perf_counter() - started < 5 and illegal_moves(maze, path.cells) == [path.edge]


DIGEST = """
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.trial.prompt import build_prompt
for seed in range(5):
    maze = MazeEngine(6, seed, "wilson", "balanced")
    for injection in ("none", "own", "other-clean"):
        print(build_prompt(maze, MazeConfig(size=6, protocol="probe", injection=injection, template=seed)).sha256)
"""


def test_same_bytes_in_every_process():
    printed = {
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
    assert len(printed) == 1 and len(printed.pop().split()) == 15


# ---- the prompt -----------------------------------------------------------------------------------

EVERY = [
    {"language": language, "template": template, "disclosure": disclosure, "use_confidence": confidence}
    for language in ("ko", "en")
    for template in range(5)
    for disclosure in ("disclosed", "neutral")
    for confidence in (True, False)
]


@pytest.mark.parametrize("options", EVERY)
def test_a_prompt_holds_maze_path_question_and_format(options):
    prompt = build_prompt(BROKEN, config_of(BROKEN, "own", **options))
    assert prompt == probe_prompt(BROKEN, config_of(BROKEN, "own", **options))
    lines = prompt.user.split("\n")
    assert "(0,0)→(0,1)→(1,1)→(2,1)→(2,2)→(3,2)→(3,3)→(3,4)→(4,4)" in lines
    assert MazeEngine.from_text(prompt.user).maze_id == BROKEN.maze_id
    assert VALID[options["language"]] in lines
    assert ("CONFIDENCE: XX%" in lines) == ("%" in prompt.user) == options["use_confidence"]
    assert not {"{", "}"} & set(prompt.user) and not any(line.startswith("c|") for line in lines)


@pytest.mark.parametrize("options", EVERY)
def test_a_prompt_given_back_is_no_reply(options):
    for injection in INJECTIONS:
        prompt = build_prompt(BROKEN, config_of(BROKEN, injection, **options))
        for text in (prompt.user, prompt.system, f"{prompt.system}\n\n{prompt.user}"):
            assert read_probe(text)[:2] == (None, None)


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("template", range(5))
def test_a_broken_and_a_clean_prompt_differ_in_the_path_alone(language, template):
    for whose in ("own", "other"):
        broken, clean = (
            build_prompt(BROKEN, config_of(BROKEN, i, language=language, template=template))
            for i in (whose, f"{whose}-clean")
        )
        different = [a for a, b in zip(broken.user.split("\n"), clean.user.split("\n"), strict=True) if a != b]
        assert len(different) == 1 and different[0].startswith("(0,0)→") and broken.system == clean.system


def test_whose_path_it_is_is_said():
    words = {"en": ("that you gave", "another solver"), "ko": ("당신이", "다른 풀이자가")}
    for language, (own, other) in words.items():
        for template in range(5):
            for injection in INJECTIONS:
                config = config_of(BROKEN, injection, language=language, template=template)
                user = build_prompt(BROKEN, config).user
                assert (own in user, other in user) == (injection.startswith("own"), injection.startswith("other"))


def test_only_the_disclosed_prompt_says_what_is_measured():
    tells = ("metacognition", "메타인지", "error", "오류", "measure", "측정", "wrong")
    for language, template in product(("ko", "en"), range(5)):
        disclosed, neutral = (
            build_prompt(BROKEN, config_of(BROKEN, language=language, template=template, disclosure=d))
            for d in ("disclosed", "neutral")
        )
        assert not any(word in neutral.system + neutral.user for word in tells)
        assert any(word in disclosed.system for word in tells) and disclosed.user == neutral.user


def test_lures_and_seed_follow_the_condition():
    shown = build_prompt(BROKEN, config_of(BROKEN)).user
    assert shown.count("⚑") == len(BROKEN.mirage_traps) > 0 and "Seed: 3" in shown
    plain = build_prompt(BROKEN, config_of(BROKEN, use_mirage=False, show_seed=False)).user
    assert "⚑" not in plain and "Seed" not in plain


def test_five_templates_are_five():
    for language in ("ko", "en"):
        prompts = {build_prompt(BROKEN, config_of(BROKEN, language=language, template=t)) for t in range(5)}
        assert len(prompts) == len(USER[language]) == 5


def test_a_condition_of_another_size_is_refused():
    for build in (probe_path, probe_prompt):
        with pytest.raises(InputError, match=r"config\.size must be the maze's size, 5, got 7"):
            build(BROKEN, MazeConfig(protocol="probe"))


# ---- what is measured -----------------------------------------------------------------------------


def test_a_wrong_judgement_with_its_confidence_by_hand():
    result = score_answer(BROKEN, "VALID: yes\nCONFIDENCE: 90%", config_of(BROKEN, "own"))
    assert (result.probe_right, result.probe_confidence) == (0, 0.9)
    assert (result.ce, result.oce, result.uce) == (0.9, 0.9, 0) and result.brier == pytest.approx(0.81)
    assert result.probe_broken is True and result.probe_said_valid is True and result.path_valid is None
    assert result.failure_mode == "" and result.warnings == ()
    assert [dict(e) for e in result.key_events] == [{"event": "probe", "cells": 9, "edge": ((0, 1), (1, 1))}]


def test_a_right_judgement_of_a_whole_path_by_hand():
    result = score_answer(BROKEN, "VALID: 예\nCONFIDENCE: 80%", config_of(BROKEN, "own-clean"))
    assert (result.probe_right, result.oce) == (1, 0) and result.uce == result.ce == pytest.approx(0.2)
    assert result.brier == pytest.approx(0.04) and result.probe_broken is False
    assert [dict(e) for e in result.key_events] == [{"event": "probe", "cells": 9}]


def test_every_other_number_is_nan_and_says_why():
    result = score_answer(BROKEN, "VALID: no\nCONFIDENCE: 80%", config_of(BROKEN, "own"))
    judged = {"ce", "oce", "uce", "brier"}
    for name in METRICS:
        assert math.isnan(getattr(result, name)) == (name not in judged)
    assert Counter(result.nan_reasons.values()) == {NO_WALK: len(METRICS) - 5, ONE_ANSWER: 1}


@pytest.mark.parametrize(
    ("text", "options", "right", "reasons"),
    [
        ("Hard to say, 70% sure.", {}, UNREAD, {"ce": UNREAD, "probe_right": UNREAD}),
        ("", {}, UNREAD, {"ce": UNREAD, "probe_confidence": "no confidence was stated"}),
        ("VALID: no", {}, None, {"ce": "no confidence was stated", "probe_confidence": "no confidence was stated"}),
        ("VALID: no", {"use_confidence": False}, None, {"brier": "no confidence was asked for"}),
    ],
)
def test_what_is_missing_is_nan_with_the_reason(text, options, right, reasons):
    result = score_answer(BROKEN, text, config_of(BROKEN, "own", **options))
    assert result.nan_reasons.get("probe_right") == right
    for name, why in reasons.items():
        assert math.isnan(getattr(result, name)) and result.nan_reasons[name] == why


def test_an_echo_of_the_prompt_is_unread():
    config = config_of(BROKEN, "own", language="en")
    result = score_answer(BROKEN, build_prompt(BROKEN, config).user, config)
    assert result.probe_said_valid is None and math.isnan(result.probe_right)


def test_a_record_goes_to_a_file_and_back_and_into_a_frame(tmp_path):
    results = [
        score_answer(BROKEN, text, config_of(BROKEN, injection))
        for text, injection in (("VALID: no", "own"), ("VALID: yes\n90%", "own-clean"), ("?", "none"))
    ]
    path = tmp_path / "probe.json"
    write_json(results, path)
    assert read_results(path) == results
    frame = to_frame(results)
    assert list(frame["probe_broken"]) == [True, False, True]
    assert list(frame["probe_said_valid"]) == [False, True, None]
