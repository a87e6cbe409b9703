"""Figures of confidence for the paper: reliability diagram and the ROC of probes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError, check_choice
from hallumaze_kit.maze.fonts import shown_language
from hallumaze_kit.study.figures import KEY_LENGTH, LINES
from hallumaze_kit.study.showing.style import COLUMN, paper
from hallumaze_kit.study.tables import KIND_NAMES

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "calibration": ("stated confidence (%)", "legal steps (%)"),
        "steps": "{model} ({kind}; {n} steps, {mazes} mazes)",
        "bars": "Bars: 95 % bootstrap interval over mazes (none under 5).\nDotted: perfect calibration.",
        "roc": ("false alarms: whole paths called broken", "hits: broken paths called broken"),
        "area": "{model} ({kind}; area {area:.2f}, n = {signal} + {noise})",
        "chance": "Dotted: guessing. n: broken + whole paths.",
        "ruled": "Synthetic and floor subjects: rules, not models.",
    },
    "ko": {
        "calibration": ("밝힌 확신도(%)", "올바른 이동(%)"),
        "steps": "{model}({kind}, 이동 {n}회, 미로 {mazes}개)",
        "bars": "세로선: 미로 단위 부트스트랩 95 % 구간(5개 미만이면 없음). 점선: 완전한 보정.",
        "roc": ("오경보: 온전한 경로를 끊겼다고 함", "적중: 끊긴 경로를 끊겼다고 함"),
        "area": "{model}({kind}, 면적 {area:.2f}, n = {signal} + {noise})",
        "chance": "점선: 찍기. n: 끊긴 경로 + 온전한 경로.",
        "ruled": "합성·하한 기준 응답자: 규칙대로 답하며 모델이 아님.",
    },
}


def calibration_figure(table: pd.DataFrame, language: str = "en") -> Figure:
    """A reliability diagram, a line a subject; `table` is what `calibration_table` returned.

    Raises `InputError` for an empty table or more than five subjects.
    """

    def draw(ax: Axes, mine: pd.DataFrame, look: dict[str, Any], words: dict[str, Any], name: dict[str, str]) -> None:
        label = words["steps"].format(**name, n=mine["n"].sum(), mazes=mine["n_mazes"].max())
        percent = 100 * mine[["confidence", "right", "low", "high"]]
        ax.vlines(percent["confidence"], percent["low"], percent["high"], color=look["color"], linewidth=0.8, alpha=0.7)
        ax.plot(percent["confidence"], percent["right"], **look, markersize=3.4, markerfacecolor="white", label=label)

    return _square(table, language, "calibration", "bars", 100, draw)


def roc_figure(table: pd.DataFrame, language: str = "en") -> Figure:
    """The ROC of probes, a line a subject; `table` is what `roc_table` returned.

    Raises `InputError` for an empty table or more than five subjects.
    """

    def draw(ax: Axes, mine: pd.DataFrame, look: dict[str, Any], words: dict[str, Any], name: dict[str, str]) -> None:
        first = mine.iloc[0]
        label = words["area"].format(**name, area=first["area"], signal=first["n_signal"], noise=first["n_noise"])
        white = {"markersize": 3, "markerfacecolor": "white", "clip_on": False}
        ax.plot(mine["alarm_rate"], mine["hit_rate"], **look, **white, label=label)

    return _square(table, language, "roc", "chance", 1, draw)


def _square(table: pd.DataFrame, language: str, axes: str, note: str, most: int, draw: Any) -> Figure:
    """A square panel with its diagonal, a line a subject, and under it who is who and what the marks mean."""
    from matplotlib import pyplot as plt

    check_choice("language", language, tuple(WORDS))
    subjects = [key for key, _ in table.groupby(["provider", "model", "kind"], sort=True)]
    if not 1 <= len(subjects) <= len(LINES):
        raise InputError("table", f"{len(subjects)} subjects", f"of 1 to {len(LINES)} subjects", "Choose some of them.")
    language = shown_language(language)
    words = WORDS[language]
    with paper(language):
        figure, ax = plt.subplots(figsize=(COLUMN, 3.1 + 0.14 * len(subjects)), layout="constrained")
        ax.plot([0, most], [0, most], color="0.5", linestyle=":", linewidth=0.8, zorder=0)
        for (provider, model, kind), look in zip(subjects, LINES, strict=False):
            mine = table[(table["provider"] == provider) & (table["model"] == model) & (table["kind"] == kind)]
            draw(ax, mine, look, words, {"model": model, "kind": KIND_NAMES[language][kind]})
        across, up = words[axes]
        limits = (-0.03 * most, 1.03 * most)
        ax.set(xlabel=across, ylabel=up, xlim=limits, ylim=limits, aspect="equal")
        ax.grid(color="0.92", linewidth=0.5)
        ax.set_axisbelow(True)
        ruled = table["kind"].isin(["synthetic", "floor"]).any()
        legend = figure.legend(
            loc="outside lower center", frameon=False, handlelength=KEY_LENGTH, title_fontsize=6,
            title="\n".join([words[note], *([words["ruled"]] if ruled else [])]),
        )  # fmt: skip
        legend.get_title().set(linespacing=1.4, ha="center")
        figure.draw_without_rendering()
    return figure
