"""The document's console output, line by line."""

from __future__ import annotations

import io
import math
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import METRICS, BenchmarkResult, MazeConfig, to_frame
from hallumaze_kit.study.showing.console import (
    SHORT,
    WORDS,
    print_maze,
    print_profile,
    print_ranking,
    print_trial,
    ranking,
)
from hallumaze_kit.study.tables import PROFILE, leaderboard

CLAUDE = BenchmarkResult(
    provider="anthropic", model="claude-sonnet-4-20250514", sr=1, mei=0.847, ce=0.142, brs=0.910,
    hallucination_count=1, backtrack_count=2, hallumaze_score=0.791, latency_s=4.2,
    metacog_signals=("dead end", "backtracking", "loop detected"),
)  # fmt: skip
GPT = BenchmarkResult(
    provider="openai", model="gpt-4o", sr=0, mei=0.412, ce=0.381, brs=0.600,
    hallucination_count=4, backtrack_count=2, hallumaze_score=0.441, latency_s=6.8, metacog_signals=("dead end",),
)  # fmt: skip
DEEPSEEK = BenchmarkResult(
    provider="deepseek", model="deepseek-reasoner", sr=1, mei=0.923, ce=0.089, brs=0.950,
    hallucination_count=0, backtrack_count=1, hallumaze_score=0.851, latency_s=9.1,
    metacog_signals=("loop detected", "strategy_change"),
)  # fmt: skip
EMPTY = BenchmarkResult(provider="synthetic", model="empty", subject_kind="floor", sr=0, hallucination_count=0)
ORACLE = BenchmarkResult(
    provider="synthetic", model="oracle", subject_kind="floor", sr=1, mei=0.9, hallumaze_score=0.95
)
RULES = BenchmarkResult(provider="synthetic", model="careful", sr=1, mei=0.9, hallumaze_score=0.9)


def printed(what, *given, width=80) -> str:
    out = io.StringIO()
    what(*given, console=Console(file=out, width=width, highlight=False))
    return out.getvalue()


def test_the_examples_of_the_document_word_for_word():
    assert printed(print_trial, CLAUDE, "ko").splitlines() == [
        "  ▶ 실행 중: anthropic/claude-sonnet-4-20250514",
        "  ✓ SR=1.00 | MEI=0.847● | CE=0.142 | BRS=0.910 | Hall=1 BT=2 | Score=0.791 | 4.2s",
        "  ↳ 메타인지 신호: dead end, backtracking, loop detected",
    ]
    assert printed(print_trial, GPT, "ko").splitlines()[1:] == [
        "  ✗ SR=0.00 | MEI=0.412◑ | CE=0.381 | BRS=0.600 | Hall=4 BT=2 | Score=0.441 | 6.8s",
        "  ↳ 메타인지 신호: dead end",
    ]


def test_the_box_of_the_maze():
    maze = MazeEngine(7, 42)
    facts = f"크기: 7×7 | 정답 길이: {len(maze.solution)} | 막다른 길: {maze.dead_ends} | Mirage: 3"
    top, made, told, bottom = printed(print_maze, maze, "ko").splitlines()
    assert (top[0], bottom[-1]) == ("┌", "┘")
    assert made.strip("│ ") == "미로 생성됨" and told.strip("│ ") == facts


def test_what_was_not_scored_is_a_dash():
    lines = printed(print_trial, EMPTY, "en").splitlines()
    assert lines == [
        "  ▶ Running: synthetic/empty [floor]",
        "  ✗ SR=0.00 | MEI=– | CE=– | BRS=– | Hall=0 BT=– | Score=– | –",
        "  ↳ Metacognitive signals: none",
    ]


def test_the_ranked_table_of_the_document():
    lines = printed(print_ranking, [CLAUDE, GPT, DEEPSEEK], "ko").splitlines()
    assert "HalluMaze 종합 비교" in lines[0]
    rows = [line.strip("│ ").split() for line in lines[1:5]]
    assert rows == [
        ["순위", "모델", "SR", "MEI★", "CE", "BRS", "환각", "Score"],
        ["🥇", "deepseek-reasoner", "1.00", "0.923", "0.089", "0.950", "0.00", "0.851"],
        ["🥈", "claude-sonnet-4-20250514", "1.00", "0.847", "0.142", "0.910", "1.00", "0.791"],
        ["🥉", "gpt-4o", "0.00", "0.412", "0.381", "0.600", "4.00", "0.441"],
    ]
    assert lines[-1] == "  ★ 최고 점수: deepseek-reasoner — HalluScore 0.851 | MEI 0.923"
    assert any("v1.1 문서의 방식" in line and "프로필은 이 표 앞에" in line for line in lines)


def test_a_ranking_over_several_protocols_says_so():
    results = [replace(GPT, config=MazeConfig(protocol=p)) for p in ("single", "stepwise")]
    assert ranking(results)["note"].tolist() == ["pools protocol (single, stepwise)"]
    for language, word in (("ko", "주의"), ("en", "Mind")):
        text = printed(print_ranking, results, language)
        assert word in text and "pools protocol (single, stepwise)" in text
    assert "Mind" not in printed(print_ranking, [GPT], "en")


def test_rule_followers_stand_at_their_place_without_a_rank():
    table = ranking([GPT, EMPTY, ORACLE, RULES, CLAUDE])
    assert table["model"].tolist() == ["oracle", "careful", "claude-sonnet-4-20250514", "gpt-4o", "empty"]
    assert table["rank"].tolist() == [0, 0, 1, 2, 0]
    text = printed(print_ranking, [GPT, EMPTY, ORACLE, RULES, CLAUDE], "en")
    assert "oracle [floor]" in text and "careful [synthetic]" in text
    assert "[synthetic] and [floor] subjects follow rules; they are not models." in text
    assert text.splitlines()[-1].strip().startswith("★ Best score: claude-sonnet-4")


def test_synthetic_subjects_are_ranked_among_themselves():
    weaker = RULES.replace(model="hasty", hallumaze_score=0.4)
    assert ranking([weaker, ORACLE, RULES])["rank"].tolist() == [0, 1, 2]


def test_trials_that_were_not_scored_are_counted_and_left_out():
    results = [CLAUDE, CLAUDE.replace(ce=math.nan, run=1), EMPTY]
    table = ranking(results)
    row = table.iloc[0]
    assert (row["ce"], row["ce_unscored"], row["mei_unscored"]) == (pytest.approx(0.142), 1, 0)
    text = printed(print_ranking, results, "en", width=100)
    assert "0.142 –(1)" in text
    assert "–(k): k trials could not be scored and are left out of the mean." in text
    assert "–(k)" not in printed(print_ranking, [CLAUDE], "en")


def test_subjects_with_the_same_score_stand_by_name():
    twins = [CLAUDE.replace(model=name) for name in ("b", "a")]
    assert ranking(twins)["model"].tolist() == ["a", "b"]


def test_no_results_no_ranking():
    assert ranking([]).empty
    assert "HalluMaze comparison" in printed(print_ranking, [], "en")


def test_brackets_in_a_name_are_shown_as_they_are():
    odd = CLAUDE.replace(model="[bold]x[/bold]")
    assert "[bold]x[/bold]" in printed(print_ranking, [odd], "en")
    assert "[bold]x[/bold]" in printed(print_trial, odd, "en")


@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_profile_fits_a_screen_of_eighty_columns(language):
    results = [CLAUDE.replace(maze_id=str(n), mei=n / 10) for n in range(6)] + [EMPTY]
    table = leaderboard(to_frame(results), ["sr", "hallucination_count", "detected", "recovery_rate", "ce"])
    text = printed(print_profile, table, language)
    assert "…" not in text and "empty" in text
    assert "1.00–1.00" in text  # the interval stands under the mean
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("language", ["ko", "en"])
def test_a_profile_of_every_measure_is_readable_on_eighty_columns(language):
    results = [CLAUDE.replace(maze_id=str(n), moves=100.25 + n, excess=n) for n in range(6)] + [EMPTY]
    for metrics in (PROFILE, METRICS):
        text = printed(print_profile, leaderboard(to_frame(results), metrics), language)
        assert "…" not in text and "_" not in text
        assert max(map(cell_len, text.splitlines())) <= 80
        words = set(text.split())
        shown = [SHORT[language].get(name, name.upper()).split() for name in metrics]
        assert [heading for heading in shown if not words.issuperset(heading)] == []


def test_the_headings_of_the_profile_tell_the_measures_apart():
    for names in SHORT.values():
        assert names.keys() == SHORT["ko"].keys() <= set(METRICS)
        assert len({names.get(name, name.upper()) for name in METRICS}) == len(METRICS)


def test_everything_is_said_in_both_languages():
    assert WORDS["ko"].keys() == WORDS["en"].keys()
    with pytest.raises(InputError, match="language must be one of 'ko', 'en'"):
        print_trial(CLAUDE, "fr")
