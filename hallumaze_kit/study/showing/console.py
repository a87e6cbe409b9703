"""The v1.1 document's console output (section 3), in Korean and English."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import check_choice
from hallumaze_kit.records import BenchmarkResult, to_frame
from hallumaze_kit.study.tables import KIND_NAMES, kind_of, measures, pooled, readable
from hallumaze_kit.trial.interpreting.interpret import interpret, mark

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console

    from hallumaze_kit.maze import MazeEngine

MEDALS = ("🥇", "🥈", "🥉")
RANKED = ("sr", "mei", "ce", "brs", "hallucination_count", "hallumaze_score")
WORDS: dict[str, dict[str, Any]] = {
    "ko": {
        "made": "미로 생성됨",
        "maze": "크기: {n}×{n} | 정답 길이: {cells} | 막다른 길: {ends} | Mirage: {lures}",
        "running": "실행 중",
        "signals": "메타인지 신호",
        "none": "없음",
        "title": "HalluMaze 종합 비교",
        "heads": ("순위", "모델", "SR", "MEI★", "CE", "BRS", "환각", "Score"),
        "best": "★ 최고 점수: {who} — HalluScore {score} | MEI {mei}",
        "unscored": "–(k): 시행 k회는 채점할 수 없어 평균에서 뺐습니다.",
        "pooled": "주의: 평균이 서로 다른 조건을 섞습니다 — {what}.",
        "rule": "이 순위는 v1.1 문서의 방식(HalluMaze Score 순)이며, 지표별 프로필은 이 표 앞에 있습니다.",
        "marked": "[합성]·[하한 기준]은 규칙대로 답하는 응답자로, 모델이 아닙니다.",
        "profile": "지표별 프로필: 평균, 그 아래는 미로 단위 부트스트랩 95 % 구간",
        "size": "시행/\n미로",
    },
    "en": {
        "made": "Maze made",
        "maze": "Size: {n}×{n} | Solution length: {cells} | Dead ends: {ends} | Mirage: {lures}",
        "running": "Running",
        "signals": "Metacognitive signals",
        "none": "none",
        "title": "HalluMaze comparison",
        "heads": ("Rank", "Model", "SR", "MEI★", "CE", "BRS", "Hall.", "Score"),
        "best": "★ Best score: {who} — HalluScore {score} | MEI {mei}",
        "unscored": "–(k): k trials could not be scored and are left out of the mean.",
        "pooled": "Mind: the means pool different conditions – {what}.",
        "rule": "This ranking is the v1.1 document's (by HalluMaze Score); a profile of the measures stands before it.",
        "marked": "[synthetic] and [floor] subjects follow rules; they are not models.",
        "profile": "Profile of measures: the mean over its 95 % bootstrap interval by maze",
        "size": "trials/\nmazes",
    },
}
"""Everything that is printed."""
SHORT: dict[str, dict[str, str]] = {
    "ko": {
        "first_hallucination_step": "FHR", "hallucination_count": "HC", "backtrack_count": "BT", "loop_count": "LT",
        "hallumaze_score": "Score", "detected": "인지율", "recovery_rate": "회복률", "recovery_lag": "회복\n지연",
        "lure_rate": "유혹\n추종", "wrong_branch_rate": "틀린\n갈래", "lure_effect": "유혹\n효과",
        "false_alarms": "거짓\n선언", "missed_dead_ends": "놓친\n막힘", "moves": "이동", "excess": "정답\n대비",
        "slips": "헛디딤", "reported_hallucinations": "보고\n환각", "reported_backtracks": "보고\n복귀",
        "report_gap": "보고\n차이", "brier": "Brier",
    },
    "en": {
        "first_hallucination_step": "FHR", "hallucination_count": "HC", "backtrack_count": "BT", "loop_count": "LT",
        "hallumaze_score": "Score", "detected": "noticed", "recovery_rate": "recov.", "recovery_lag": "recov.\nlag",
        "lure_rate": "lures\ntaken", "wrong_branch_rate": "wrong\nbranch", "lure_effect": "lure\neffect",
        "false_alarms": "false\nalarms", "missed_dead_ends": "missed\nends", "moves": "moves", "excess": "excess",
        "slips": "slips", "reported_hallucinations": "hall.\nsaid", "reported_backtracks": "BT\nsaid",
        "report_gap": "report\ngap", "brier": "Brier",
    },
}  # fmt: skip
"""Headings of the printed profile; the other measures are called as their fields, in capitals."""
ABREAST = 5
"""Measures of a printed profile that stand side by side: as many as a screen is wide."""


def print_maze(maze: MazeEngine, language: str = "ko", console: Console | None = None) -> None:
    """The box that says what maze was made."""
    from rich import box
    from rich.panel import Panel

    words = _words(language)
    facts = words["maze"].format(
        n=maze.size, cells=len(maze.solution), ends=maze.dead_ends, lures=len(maze.mirage_traps)
    )
    _print(console, Panel.fit(f"{words['made']}\n{facts}", box=box.SQUARE))


def print_trial(result: BenchmarkResult, language: str = "ko", console: Console | None = None) -> None:
    """Three lines: who runs, the document's numbers ("–" where one could not be scored), the metacognitive signals.

    Two lines for a probe, and for a trial that brought no whole answer: who runs, and what came of it.
    """
    words = _words(language)
    name = f"{result.provider}/{result.model}{_tag(kind_of(result.provider, result.subject_kind), language)}"
    running = f"▶ {words['running']}: {name}"
    if result.outcome not in ("", "answered") or result.probe_broken is not None:
        came = " | ".join(text for _, text in interpret(result, language).lines)
        _print(console, running, f"{'✓' if result.probe_right == 1 else '✗'} {came}")
        return
    outcome = "✓" if result.sr == 1 else "✗"
    seconds = "–" if result.latency_s is None else f"{result.latency_s:.1f}s"
    mei = "–" if math.isnan(result.mei) else f"{result.mei:.3f}{mark(result.mei)}"
    numbers = (
        f"SR={_number(result.sr, 2)} | MEI={mei} | CE={_number(result.ce)} | "
        f"BRS={_number(result.brs)} | Hall={_number(result.hallucination_count, 0)} "
        f"BT={_number(result.backtrack_count, 0)} | Score={_number(result.hallumaze_score)} | {seconds}"
    )
    signals = ", ".join(result.metacog_signals) or words["none"]
    _print(console, running, f"{outcome} {numbers}", f"↳ {words['signals']}: {signals}")


def ranking(results: Iterable[BenchmarkResult]) -> pd.DataFrame:
    """The v1.1 document's ranking: means by subject, highest HalluMaze Score first.

    Columns `rank`, `provider`, `model`, `kind`, and for each of the document's numbers m its mean `m` and
    `m_unscored`, the trials that could not be scored and are left out. Subjects that share a Score stand by
    name. Synthetic subjects stand at their place without a rank (0) where models or people are ranked, floor
    subjects always. What this ranking cannot see is said in `hallumaze_kit.trial.measuring.metrics`; `leaderboard`
    gives the profile that should be read first. `note` says where a subject's means pool several protocols or
    conditions.
    """
    import pandas as pd

    frame = to_frame(results)
    rows = []
    for (provider, model), trials in frame.groupby(["provider", "model"], sort=True):
        row: dict[str, Any] = {
            "provider": provider,
            "model": model,
            "kind": kind_of(provider, trials["subject_kind"].iloc[0]),
        }
        for metric in RANKED:
            row |= {metric: trials[metric].mean(), f"{metric}_unscored": int(trials[metric].isna().sum())}
        rows.append(row | {"note": "; ".join(pooled(trials))})
    columns = [
        "provider",
        "model",
        "kind",
        *(f"{metric}{part}" for metric in RANKED for part in ("", "_unscored")),
        "note",
    ]
    table = pd.DataFrame(rows, columns=columns).sort_values(
        "hallumaze_score", ascending=False, kind="stable", ignore_index=True
    )
    answered = table["kind"].isin(["real", "human"])
    ranked = (answered if answered.any() else table["kind"] == "synthetic") & table["hallumaze_score"].notna()
    table.insert(0, "rank", ranked.cumsum().where(ranked, 0))
    return table


def print_ranking(results: Iterable[BenchmarkResult], language: str = "ko", console: Console | None = None) -> None:
    """The document's ranked table with its medals, what it is, and the best line."""
    from rich import box
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    words = _words(language)
    table = ranking(results)
    shown = Table(box=None, pad_edge=False)
    for number, head in enumerate(words["heads"]):
        shown.add_column(head, justify="left" if number < 2 else "right", no_wrap=number != 1, overflow="fold")
    for _, row in table.iterrows():
        cells = [_mean(row, metric, 2 if metric in ("sr", "hallucination_count") else 3) for metric in RANKED]
        name = Text(f"{row['model']}{_tag(row['kind'], language)}")
        shown.add_row(_place(row["rank"]), name, *map(Text, cells))
    parts: list[Any] = [Panel.fit(shown, title=words["title"], box=box.SQUARE)]
    if any(table[f"{metric}_unscored"].any() for metric in RANKED):
        parts.append(words["unscored"])
    if table["kind"].isin(["synthetic", "floor"]).any():
        parts.append(words["marked"])
    parts += [words["pooled"].format(what=note) for note in table["note"].unique() if note]
    parts.append(words["rule"])
    for _, best in table[table["rank"] == 1].iterrows():
        who = f"{best['model']}{_tag(best['kind'], language)}"
        parts.append("")
        parts.append(words["best"].format(who=who, score=_number(best["hallumaze_score"]), mei=_number(best["mei"])))
    _print(console, *parts)


def print_profile(table: pd.DataFrame, language: str = "ko", console: Console | None = None) -> None:
    """A leaderboard (`tables.leaderboard`); under each mean its interval, and n where fewer trials were scored."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    words = _words(language)
    names = measures(table)
    cells = readable(table, language).iloc[:, -len(names) :]
    tables = []
    for at in range(0, len(names), ABREAST):
        title = words["profile"] if not at else None
        shown = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
        shown.add_column(words["heads"][1], min_width=11, overflow="fold")
        shown.add_column(words["size"], justify="right")
        for name in names[at : at + ABREAST]:
            shown.add_column(SHORT[language].get(name, name.upper()), justify="right", min_width=9, overflow="fold")
        part = cells.iloc[:, at : at + ABREAST]
        for (_, subject), row in zip(table.iterrows(), part.itertuples(index=False), strict=True):
            who = f"{subject['model']}{_tag(subject['kind'], language)}"
            numbers = [re.sub(r" \[(\S+), (\S+)\]", r"\n\1–\2", cell).replace(" (n", "\n(n") for cell in row]
            shown.add_row(Text(who), f"{subject['n_trials']}/{subject['n_mazes']}", *map(Text, numbers))
        tables.append(shown)
    _print(console, *tables)


def _words(language: str) -> dict[str, Any]:
    return WORDS[check_choice("language", language, tuple(WORDS))]


def _print(console: Console | None, *parts: Any) -> None:
    """Print all parts at once (a notebook shows one output); a text is one line, indented, that is not wrapped."""
    from rich.console import Console, Group
    from rich.text import Text

    lines = [Text(f"  {part}", no_wrap=True, overflow="ignore") if isinstance(part, str) else part for part in parts]
    (console or Console(highlight=False)).print(Group(*lines), crop=False)


def _number(value: float, digits: int = 3) -> str:
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def _mean(row: pd.Series, metric: str, digits: int) -> str:
    unscored = row[f"{metric}_unscored"]
    if math.isnan(row[metric]):
        return f"–({unscored})"
    return _number(row[metric], digits) + (f" –({unscored})" if unscored else "")


def _place(rank: int) -> str:
    return "·" if not rank else MEDALS[rank - 1] if rank <= len(MEDALS) else str(rank)


def _tag(kind: str, language: str) -> str:
    return f" [{KIND_NAMES[language][kind]}]" if kind in ("synthetic", "floor") else ""
