"""Figures of the experiments: differences with their intervals, and measures by the size of the maze."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError, check_choice
from hallumaze_kit.maze.fonts import shown_language
from hallumaze_kit.study.analysis.experiments import BY_SIZE
from hallumaze_kit.study.figures import KEY_LENGTH, LINES, LOWER_IS_BETTER
from hallumaze_kit.study.showing.style import KIND_LOOK, PAGE, paper
from hallumaze_kit.study.tables import KIND_NAMES, METRIC_NAMES

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STEEP = 10
"""Above this `excess` is drawn on a logarithmic axis."""
LESS_IS_BETTER = (
    "hallucination_count", "ce", "recovery_lag", "lure_rate", "wrong_branch_rate", "lure_effect", "false_alarms",
    "missed_dead_ends", "moves", "excess", "slips", "oce", "uce", "brier", "ece",
)  # fmt: skip
"""Measures of which more means worse: without lures less of them means that lures do harm."""
RULED = ("synthetic", "floor")
WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "placement": "Δ {metric} = without lures − with lures",
        "contrast": "difference in {metric}",
        "panels": {
            "v1.1": "v1.1 lures (wrong branches only)",
            "balanced": "balanced lures (true, false, neutral)",
            "hint − sham": "hint − sham",
            "hint − none": "hint − nothing said",
            "sham − none": "sham − nothing said",
        },
        "name": "{model} ({kind}) · {mazes}",
        "sides": {"placement": ("lures help", "lures harm"), "contrast": ("lower", "higher")},
        "how": "Beside each name: number of mazes. Point: mean; line: 95 % bootstrap interval over mazes; "
        "n/a: could not be scored.",
        "size": "side of the maze (cells)",
        "line": "{model} ({kind})",
        "bars": "Bars: 95 % bootstrap interval over mazes ({mazes} mazes a size).",
        "ruled": "Synthetic and floor subjects follow rules; they are not models.",
    },
    "ko": {
        "placement": "Δ {metric} = 유혹 없음 − 유혹 있음",
        "contrast": "{metric}의 차이",
        "panels": {
            "v1.1": "v1.1 유혹(틀린 갈래에만)",
            "balanced": "균형 유혹(참·거짓·중립)",
            "hint − sham": "힌트 − 가짜 힌트",
            "hint − none": "힌트 − 말 없음",
            "sham − none": "가짜 힌트 − 말 없음",
        },
        "name": "{model}({kind}) · {mazes}",
        "sides": {"placement": ("유혹이 도움", "유혹이 방해"), "contrast": ("낮아짐", "높아짐")},
        "how": "이름 옆: 미로 수, 점: 평균, 선: 미로 단위 부트스트랩 95 % 구간, n/a: 채점할 수 없음.",
        "size": "미로 한 변(칸)",
        "line": "{model}({kind})",
        "bars": "세로선: 미로 단위 부트스트랩 95 % 구간(크기마다 미로 {mazes}개).",
        "ruled": "합성·하한 기준 응답자는 규칙대로 답하며 모델이 아님.",
    },
}


def effect_figure(table: pd.DataFrame, by: str = "placement", language: str = "en", metric: str = "mei") -> Figure:
    """Differences with intervals around 0, a row a subject, a panel a placement or contrast.

    `table` is what `mirage_effect` (by="placement") or `arm_effect` (by="contrast") returned for `metric`. Raises
    `InputError` for an empty table and for one that lacks the column `by`.
    """
    from matplotlib import pyplot as plt

    check_choice("language", language, tuple(WORDS))
    check_choice("by", by, ("placement", "contrast"))
    if table.empty or by not in table.columns:
        raise InputError("table", "no such rows", f"a table with at least one row and the column {by!r}")
    language = shown_language(language)
    words = WORDS[language]
    panels = list(dict.fromkeys(table[by]))
    panels.sort(key=lambda panel: [*words["panels"]].index(panel) if panel in words["panels"] else len(words["panels"]))
    subjects = list(dict.fromkeys(zip(table["provider"], table["model"], table["kind"], strict=True)))
    ordered = sorted(subjects, key=lambda who: (list(KIND_LOOK).index(who[2]), who))
    counts = table.groupby(["provider", "model", "kind"])["n_mazes"].max()
    names = [
        words["name"].format(model=who[1], kind=KIND_NAMES[language][who[2]], mazes=counts[who]) for who in ordered
    ]
    with paper(language):
        figure, axes = plt.subplots(
            1, len(panels), sharex=True, sharey=True, squeeze=False, layout="constrained",
            figsize=(PAGE, 0.2 * len(ordered) + 1.25),
        )  # fmt: skip
        for ax, panel in zip(axes[0], panels, strict=True):
            here = table[table[by] == panel]
            for y, who in enumerate(ordered):
                _difference(ax, y, who[2], here[(here["provider"] == who[0]) & (here["model"] == who[1])])
            ax.axvline(0, color="0.5", linewidth=0.7, zorder=0)
            ax.set_title(words["panels"].get(panel, panel), pad=12)
            low, high = words["sides"][by]
            if by == "placement" and metric in LESS_IS_BETTER:
                low, high = high, low
            for x, side, text in ((0, "left", low), (1, "right", high)):
                ax.text(x, 1.01, text, transform=ax.transAxes, ha=side, va="bottom", fontsize=6, color="0.35")
            ax.set_xlabel(words[by].format(metric=METRIC_NAMES[language].get(metric, metric)))
            ax.grid(axis="x", color="0.9", linewidth=0.5)
            ax.set_axisbelow(True)
            ax.tick_params(axis="y", length=0)
        axes[0][0].set_yticks(range(len(ordered)), names)
        axes[0][0].set_ylim(len(ordered) - 0.5, -0.5)
        _note(figure, [words["how"], *_ruled(table["kind"], words)])
        figure.draw_without_rendering()
    return figure


def size_figure(table: pd.DataFrame, language: str = "en", metrics: Sequence[str] = BY_SIZE) -> Figure:
    """Measures by the size of the maze, a panel a measure, a line a subject, with intervals.

    `table` is what `size_table` returned for at least these measures; `excess` stands on a logarithmic axis where it
    passes 10. Raises `InputError` for a measure that it lacks, an empty table and more than five subjects.
    """
    from matplotlib import pyplot as plt

    check_choice("language", language, tuple(WORDS))
    for metric in metrics:
        check_choice("metrics", metric, tuple(table.columns))
    subjects = list(dict.fromkeys(zip(table["provider"], table["model"], table["kind"], strict=True)))
    if not 1 <= len(subjects) <= len(LINES):
        raise InputError("table", f"{len(subjects)} subjects", f"of 1 to {len(LINES)} subjects", "Choose some of them.")
    language = shown_language(language)
    words = WORDS[language]
    sizes = sorted(table["maze_size"].unique())
    with paper(language):
        figure, axes = plt.subplots(1, len(metrics), squeeze=False, figsize=(PAGE, 2.7), layout="constrained")
        for ax, metric in zip(axes[0], metrics, strict=True):
            for number, (who, look) in enumerate(zip(subjects, LINES, strict=False)):
                mine = table[(table["provider"] == who[0]) & (table["model"] == who[1])].sort_values("maze_size")
                x = mine["maze_size"] + 0.16 * (number - (len(subjects) - 1) / 2)
                label = words["line"].format(model=who[1], kind=KIND_NAMES[language][who[2]])
                ax.vlines(
                    x, mine[f"{metric}_low"], mine[f"{metric}_high"], color=look["color"], linewidth=0.8, alpha=0.7
                )
                ax.plot(x, mine[metric], **look, markersize=3.4, markerfacecolor="white", label=label)
            arrow = "↓" if metric in LOWER_IS_BETTER else "↑"
            ax.set_title(textwrap.fill(f"{METRIC_NAMES[language].get(metric, metric)} {arrow}", 30))
            ax.set(xlabel=words["size"], xticks=sizes)
            ax.grid(axis="y", color="0.9", linewidth=0.5)
            ax.set_axisbelow(True)
            if metric == "excess" and table[metric].max() > STEEP:
                ax.set_yscale("log")
                ax.yaxis.set_major_formatter("{x:g}")
            elif metric not in LOWER_IS_BETTER:
                ax.set_ylim(-0.04, 1.04)
        mazes = dict.fromkeys((str(table["n_mazes"].min()), str(table["n_mazes"].max())))
        notes = [words["bars"].format(mazes="–".join(mazes))]
        lines, labels = axes[0][0].get_legend_handles_labels()
        legend = figure.legend(
            lines, labels, loc="outside lower center", ncols=len(subjects), frameon=False, handlelength=KEY_LENGTH,
            title=" ".join([*notes, *_ruled(table["kind"], words)]), title_fontsize=6,
        )  # fmt: skip
        legend.get_title().set(ha="center")
        figure.draw_without_rendering()
    return figure


def _difference(ax: Axes, y: int, kind: str, rows: pd.DataFrame) -> None:
    value = rows["difference"].iloc[0] if len(rows) else float("nan")
    if value != value:
        ax.text(0.5, y, "n/a", transform=ax.get_yaxis_transform(), ha="center", va="center", color="0.4", fontsize=6)
        return
    look = KIND_LOOK[kind]
    ax.hlines(y, rows["low"].iloc[0], rows["high"].iloc[0], color=look["color"], linewidth=1)
    ax.plot(value, y, **look, markersize=3.6, markeredgewidth=0.9, zorder=3)


def _ruled(kinds: pd.Series, words: dict[str, Any]) -> list[str]:
    """What is said where rules answered."""
    return [words["ruled"]] if kinds.isin(RULED).any() else []


def _note(figure: Figure, lines: Sequence[str]) -> None:
    figure.supxlabel("\n".join(lines), fontsize=6, x=0.01, ha="left", linespacing=1.4)
