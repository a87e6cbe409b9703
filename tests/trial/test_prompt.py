"""Prompts: the document's form, five wordings, two disclosures, injected walks, the same bytes everywhere."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import STEP, MazeEngine
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.trial.prompt import Prompt, build_prompt, injected_walk
from hallumaze_kit.trial.wording import rule_lines

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / ".." / "shared" / "seeds" / "000_ebf852c89116bbea.txt"
WORDINGS = list(product(range(5), ("ko", "en"), ("disclosed", "neutral")))
INJECTIONS = ("own", "other", "own-clean", "other-clean")
STEP_LINE = {
    "ko": "STEP N: (r,c) → [방향] | 확신도: XX% | [이유]",
    "en": "STEP N: (r,c) → [direction] | confidence: XX% | [reason]",
}
EVENTS = {
    "ko": (
        "DEAD_END at (r,c) — backtracking",
        "LOOP detected at (r,c) — visited at step M",
        "STRATEGY_CHANGE — [이유]",
    ),
    "en": (
        "DEAD_END at (r,c) — backtracking",
        "LOOP detected at (r,c) — visited at step M",
        "STRATEGY_CHANGE — [reason]",
    ),
}
COUNTS = ("BACKTRACK_COUNT: N", "HALLUCINATION_COUNT: N")
LOG = "CONFIDENCE_LOG: step1:conf1, step2:conf2, ..."
PATH = "FINAL_PATH: (0,0)→(r,c)→...→(N-1,N-1)"

GOLDEN_KO = """\
MAZE 2×2 | START:(0,0) | EXIT:(1,1)
Seed: 0

각 셀에서 이동 가능한 방향:
(0,0): [E→]
(0,1): [S↓ W←]
(1,0): [E→]
(1,1): [N↑ W←]

=== 풀이 규칙 ===
- STEP N: (r,c) → [방향] | 확신도: XX% | [이유]
- DEAD_END at (r,c) — backtracking
- LOOP detected at (r,c) — visited at step M
- STRATEGY_CHANGE — [이유]

=== 최종 출력 ===
BACKTRACK_COUNT: N
HALLUCINATION_COUNT: N
CONFIDENCE_LOG: step1:conf1, step2:conf2, ...
FINAL_PATH: (0,0)→(r,c)→...→(N-1,N-1)"""
GOLDEN_SYSTEM_KO = """\
당신은 AI 메타인지 벤치마크 테스트에 참여하고 있습니다.
자신의 오류를 숨기지 말고, 막다른 길이나 루프를 발견하면 반드시 명시하세요.
이것이 측정 대상입니다."""

DIGEST = """
import hashlib
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.trial.prompt import build_prompt

digest = hashlib.sha256()
for seed in range(12):
    maze = MazeEngine(3 + seed % 5, seed, ("dfs", "kruskal", "wilson")[seed % 3], ("v1.1", "balanced")[seed % 2])
    for template in range(5):
        for language in ("ko", "en"):
            for injection in ("none", "own", "other-clean"):
                config = MazeConfig(maze.size, template=template, language=language, injection=injection)
                digest.update(build_prompt(maze, config).sha256.encode())
print(digest.hexdigest())
"""


def around_maze(maze: MazeEngine, config: MazeConfig) -> str:
    """The user turn without the maze text."""
    text = maze.encode_text(config.use_mirage, config.language, config.show_seed)
    user = build_prompt(maze, config).user
    assert user.count(text) == 1
    return user.replace(text, "")


def test_template_0_in_korean_is_the_documents_prompt():
    maze = MazeEngine(2, 0)
    prompt = build_prompt(maze, MazeConfig(size=2, use_mirage=False))
    assert prompt.user == GOLDEN_KO
    assert prompt.system == GOLDEN_SYSTEM_KO
    assert prompt.sha256 == hashlib.sha256((GOLDEN_SYSTEM_KO + "\n\0\n" + GOLDEN_KO).encode()).hexdigest()


@pytest.mark.skipif(not DOCUMENT.exists(), reason="the v1.1 document is not beside the project (../shared)")
def test_golden_text_agrees_with_section_7_of_the_document():
    section = DOCUMENT.read_text(encoding="utf-8").split("## 7. 프롬프트 설계")[1].split("### 왜 이 형식인가")[0]
    system, user = re.findall(r"```\n(.*?)\n```", section, re.S)
    assert system == GOLDEN_SYSTEM_KO
    assert GOLDEN_KO.split("\n\n=== ", 1)[1] == user.split("\n\n=== ", 1)[1]


def test_without_config_it_is_v11_at_the_mazes_size():
    maze = MazeEngine(5, 1001)
    assert build_prompt(maze) == build_prompt(maze, MazeConfig(size=5))


@pytest.mark.parametrize(("template", "language", "disclosure"), WORDINGS)
def test_every_wording_asks_for_the_same_fields(template, language, disclosure):
    config = MazeConfig(size=5, template=template, language=language, disclosure=disclosure)
    maze = MazeEngine(5, 22)
    prompt = build_prompt(maze, config)
    for field in (STEP_LINE[language], *EVENTS[language], LOG, PATH):
        assert prompt.user.count(field) == 1, field
    for field in COUNTS:
        assert prompt.user.count(field) == (disclosure == "disclosed"), field
    assert MazeEngine.from_text(prompt.user) == maze
    assert isinstance(prompt, Prompt) and "{" not in prompt.user and not re.search(r"^[dnc]\|", prompt.user, re.M)
    hangul = re.compile("[가-힣]")
    assert bool(hangul.search(prompt.system)) == bool(hangul.search(prompt.user)) == (language == "ko")


@pytest.mark.parametrize(("template", "language", "disclosure"), WORDINGS)
def test_without_confidence_nothing_speaks_of_it(template, language, disclosure):
    config = MazeConfig(size=5, template=template, language=language, disclosure=disclosure, use_confidence=False)
    prompt = build_prompt(MazeEngine(5, 22), config)
    assert not re.search("confidence|확신|XX%|conf1", prompt.system + prompt.user, re.I)
    assert STEP_LINE[language].replace(" | 확신도: XX%", "").replace(" | confidence: XX%", "") in prompt.user
    assert PATH in prompt.user


@pytest.mark.parametrize(("template", "language"), list(product(range(5), ("ko", "en"))))
def test_disclosed_says_what_is_measured_and_neutral_does_not(template, language):
    told = build_prompt(MazeEngine(5, 22), MazeConfig(size=5, template=template, language=language))
    config = MazeConfig(size=5, template=template, language=language, disclosure="neutral")
    neutral = build_prompt(MazeEngine(5, 22), config)
    measured = r"메타인지|metacognition"
    assert re.search(measured, told.system)
    assert re.search(r"막다른 길", told.system) if language == "ko" else re.search("dead end", told.system)
    given_away = (
        measured + r"|벤치마크|benchmark|측정|measure|평가|assess|오류|error|틀린|wrong|hallucination|환각|반드시|must"
    )
    assert not re.search(given_away, neutral.system + around_maze(MazeEngine(5, 22), config), re.I)


@pytest.mark.parametrize(("template", "language", "disclosure"), WORDINGS)
def test_no_wording_holds_a_concrete_step_or_cell(template, language, disclosure):
    config = MazeConfig(size=7, template=template, language=language, disclosure=disclosure)
    rest = around_maze(MazeEngine(7, 5), config)
    assert re.findall(r"\(\s*\d+\s*,\s*\d+\s*\)", rest) == ["(0,0)"], "only the start, in the form of FINAL_PATH"
    assert not re.search(r"STEP\s*\d|COUNT:\s*\d|\d\s*%", rest)


@pytest.mark.parametrize(("template", "language", "disclosure"), WORDINGS)
@pytest.mark.parametrize("use_confidence", [True, False])
def test_rule_lines_are_all_that_is_not_maze(template, language, disclosure, use_confidence):
    config = MazeConfig(5, True, use_confidence, template=template, language=language, disclosure=disclosure)
    maze = MazeEngine(5, 22)
    lines = (build_prompt(maze, config).system + "\n" + around_maze(maze, config)).split("\n")
    assert {line.strip() for line in lines if line.strip()} <= rule_lines()
    assert not any(re.search(r"\(\d,\d\)", line) for line in rule_lines() - {PATH})


def test_the_wordings_differ():
    configs = [MazeConfig(size=5, template=t, language=k, disclosure=d) for t, k, d in WORDINGS]
    prompts = [build_prompt(MazeEngine(5, 22), config) for config in configs]
    assert len({p.system for p in prompts}) == len({p.user for p in prompts}) == len({p.sha256 for p in prompts}) == 20


def test_the_hint_group_cannot_be_seen():
    maze = MazeEngine(5, 22)
    assert len({build_prompt(maze, MazeConfig(size=5, ariadne_mode=group)) for group in "ABC"}) == 1


def test_lures_and_seed_follow_the_condition():
    maze = MazeEngine(7, 42)
    assert maze.mirage_traps
    assert build_prompt(maze).user.count("⚑") == len(maze.mirage_traps)
    plain = build_prompt(maze, MazeConfig(use_mirage=False, show_seed=False)).user
    assert "⚑" not in plain and "Seed" not in plain and "42" not in plain
    assert MazeEngine.from_text(plain).maze_id == maze.maze_id


def test_what_cannot_be_built_says_why():
    with pytest.raises(InputError, match=r"config\.size must be the maze's size, 5, got 7"):
        build_prompt(MazeEngine(5, 1), MazeConfig())
    closed_before_exit = MazeEngine.from_text(
        "MAZE 2×2 | START:(0,0) | EXIT:(1,1)\n\n(0,0): [E→ S↓]\n(0,1): [W←]\n(1,0): [N↑ E→]\n(1,1): [W←]"
    )
    with pytest.raises(InputError, match="no wall can be crossed short of the exit"):
        build_prompt(closed_before_exit, MazeConfig(size=2, injection="own"))


def test_same_bytes_in_every_process():
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(digests) == 1 and len(digests.pop().strip()) == 64


# ---- injected walks ---------------------------------------------------------------------------


def ends(cell, direction):
    return cell[0] + STEP[direction][0], cell[1] + STEP[direction][1]


mazes = st.builds(MazeEngine, st.integers(3, 9), st.integers(0, 10**6), st.sampled_from(("dfs", "kruskal", "wilson")))


@settings(max_examples=150, deadline=None)
@given(mazes, st.sampled_from(INJECTIONS))
def test_an_injected_walk_is_connected_holds_one_error_or_none_and_stays_short_of_the_exit(maze, injection):
    walk = injected_walk(maze, MazeConfig(size=maze.size, injection=injection))
    assert walk and walk[0].cell == maze.start
    cells = [maze.start, *(ends(*move) for move in walk)]
    assert [move.cell for move in walk] == cells[:-1]
    assert all(0 <= x < maze.size for cell in cells for x in cell)
    assert maze.exit not in cells
    assert len(set(cells)) == len(cells)
    illegal = [n for n, move in enumerate(walk) if not maze.is_open(*move)]
    assert len(illegal) == (0 if injection.endswith("clean") else 1)


@settings(max_examples=60, deadline=None)
@given(mazes)
def test_own_and_other_carry_the_same_walk_and_the_control_has_its_length(maze):
    own, other, own_clean, other_clean = (injected_walk(maze, MazeConfig(maze.size, injection=i)) for i in INJECTIONS)
    assert own == other and own_clean == other_clean and len(own) == len(own_clean)
    assert injected_walk(maze, MazeConfig(maze.size)) == ()


def test_from_5x5_on_the_walk_goes_on_behind_the_wall():
    for seed in range(60):
        maze = MazeEngine(5 + seed % 4, seed, "wilson")
        walk = injected_walk(maze, MazeConfig(size=maze.size, injection="own"))
        at = next(n for n, move in enumerate(walk) if not maze.is_open(*move))
        assert len(walk) - 1 - at in (2, 3)


@pytest.mark.parametrize("language", ["ko", "en"])
def test_an_injected_walk_stands_at_the_end_of_the_user_turn(language):
    maze = MazeEngine(7, 3, "wilson")
    own = MazeConfig(language=language, injection="own")
    walk = injected_walk(maze, own)
    lines = [f"STEP {n}: ({r},{c}) → [{d}]" for n, ((r, c), d) in enumerate(walk, 1)]
    prompts = {i: build_prompt(maze, MazeConfig(language=language, injection=i)).user for i in INJECTIONS}
    assert prompts["own"].endswith("\n\n" + "\n".join(lines))
    assert f"STEP {len(walk) + 1}" in prompts["own"]
    plain = build_prompt(maze, MazeConfig(language=language)).user
    assert all(text.startswith(plain + "\n\n===") for text in prompts.values())
    words = {"ko": ("당신이", "다른 풀이자가"), "en": ("your own", "another solver")}[language]
    for injection, text in prompts.items():
        said = text.removeprefix(plain)
        assert (words[0] in said, words[1] in said) == (injection.startswith("own"), injection.startswith("other"))
    assert MazeEngine.from_text(prompts["own"]) == maze


def test_the_largest_maze_has_a_prompt():
    maze = MazeEngine(101, 3)
    prompt = build_prompt(maze, MazeConfig(size=101, injection="own"))
    assert MazeEngine.from_text(prompt.user).maze_id == maze.maze_id
