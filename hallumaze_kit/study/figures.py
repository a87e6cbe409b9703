"""The paper's figures: each is drawn from one table, in Korean or English, and saved with that table."""

from __future__ import annotations

import math
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import FileError, InputError, check_choice
from hallumaze_kit.maze.drawing import draw_maze, fit_column
from hallumaze_kit.maze.fonts import shown_language
from hallumaze_kit.study.showing.style import COLUMN, KIND_LOOK, PAGE, paper, press
from hallumaze_kit.study.tables import KIND_NAMES, METRIC_NAMES

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hallumaze_kit.maze import MazeEngine
    from hallumaze_kit.maze.lanes import Moved

SHOWN = ("sr", "detected", "recovery_rate", "ce", "mei", "hallumaze_score")
"""The measures of the leaderboard figure."""
LOWER_IS_BETTER = ("ce", "hallucination_count", "excess")
LINES = (
    {"color": "#0B4F8A", "linestyle": "-", "marker": "o"},
    {"color": "#B3261E", "linestyle": "--", "marker": "s"},
    {"color": "#5A5A5A", "linestyle": ":", "marker": "^"},
    {"color": "#B86E00", "linestyle": "-.", "marker": "D"},
    {"color": "#00724F", "linestyle": (0, (5, 1, 1, 1, 1, 1)), "marker": "v"},
)
"""How subjects look where each is a line: colour, line and marker all differ."""
KEY_LENGTH = 2.64
"""Length of a line in a legend, in sizes of its text: every pattern of `LINES` then ends well inside a dash."""
WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "groups": {
            "real": "Real answers",
            "human": "People",
            "synthetic": "Synthetic subjects",
            "floor": "Floor subjects",
        },
        "how": "Beside each name: number of mazes. Point: mean; line: 95 % bootstrap interval over mazes "
        "(none under 5 mazes); n/a: could not be scored.\n↑ higher, ↓ lower is better. "
        "Synthetic and floor subjects follow rules; they are not models.",
        "around": ("moves from the hallucination", "stated confidence (%)", "hallucination"),
        "line": "{model} ({kind}; n = {n}, {mazes} mazes)",
        "band": "Band: 95 % bootstrap interval over mazes.",
        "ruled": "Synthetic subjects: rules, not models.",
        "moves": "{n} moves: {parts}",
        "kinds": {
            "legal": "{} legal",
            "retraced": "{} retraced",
            "wall": "{} into a wall",
            "outside": "{} out of the maze",
            "jump": "{} jump",
        },
    },
    "ko": {
        "groups": {
            "real": "실제 응답",
            "human": "사람",
            "synthetic": "합성 응답자",
            "floor": "하한 기준 응답자",
        },
        "how": "이름 옆: 미로 수, 점: 평균, 선: 미로 단위 부트스트랩 95 % 구간(미로 5개 미만이면 없음), "
        "n/a: 채점할 수 없음.\n↑ 높을수록, ↓ 낮을수록 좋음. 합성·하한 기준 응답자는 규칙대로 답하며 모델이 아님.",
        "around": ("환각을 기준으로 한 이동 수", "밝힌 확신도(%)", "환각"),
        "line": "{model}({kind}, n = {n}, 미로 {mazes}개)",
        "band": "띠: 미로 단위 부트스트랩 95 % 구간.",
        "ruled": "합성 응답자: 규칙대로 답하며 모델이 아님.",
        "moves": "이동 {n}회: {parts}",
        "kinds": {
            "legal": "올바름 {}",
            "retraced": "되짚음 {}",
            "wall": "벽에 막힘 {}",
            "outside": "미로 밖 {}",
            "jump": "건너뜀 {}",
        },
    },
}


def leaderboard_figure(table: pd.DataFrame, language: str = "en", metrics: Sequence[str] = SHOWN) -> Figure:
    """Means with intervals, a small panel a measure, a row a subject; real answers stand apart from the others.

    `table` is what `leaderboard` returned for at least these measures. Kinds of subjects differ by
    marker as well as colour. Raises `InputError` for a measure that the table lacks or an empty table.
    """
    from matplotlib import pyplot as plt

    check_choice("language", language, tuple(WORDS))
    for metric in metrics:
        check_choice("metrics", metric, tuple(table.columns))
    if table.empty:
        raise InputError("table", "no rows", "a leaderboard of at least one subject")
    language = shown_language(language)
    words = WORDS[language]
    labels = table["model"] + " · " + table["n_mazes"].astype(str)
    names = [textwrap.fill(label, 22, max_lines=2, placeholder="…") for label in labels]
    rows, headings = _rows(table["kind"], names, words["groups"])
    depth = rows[-1] + 1
    with paper(language):
        figure, axes = plt.subplots(
            1, len(metrics), sharey=True, squeeze=False, figsize=(PAGE, 0.165 * depth + 1.0), layout="constrained"
        )
        for ax, metric in zip(axes[0], metrics, strict=True):
            _measure_panel(ax, table, metric, rows)
            arrow = "↓" if metric in LOWER_IS_BETTER else "↑"
            ax.set_title(textwrap.fill(f"{METRIC_NAMES[language].get(metric, metric)} {arrow}", 18))
            for y, _ in headings[1:]:
                ax.axhline(y - 0.55, color="0.75", linewidth=0.5)
        first = axes[0][0]
        first.set_yticks([*rows, *(y for y, _ in headings)], [*names, *(text for _, text in headings)])
        for label in first.get_yticklabels()[: len(rows)]:
            label.set_color("0.25")
        first.set_ylim(depth - 0.4, -0.7)
        figure.supxlabel(words["how"], fontsize=6, x=0.01, ha="left", linespacing=1.4)
        figure.draw_without_rendering()
    return figure


def _rows(
    kinds: Iterable[str], names: Iterable[str], groups: dict[str, str]
) -> tuple[list[float], list[tuple[float, str]]]:
    """Heights of the subjects, one under the other, and of the headings over each kind."""
    rows: list[float] = []
    headings: list[tuple[float, str]] = []
    y, before = 0.0, ""
    for kind, name in zip(kinds, names, strict=True):
        if kind != before:
            headings.append((y, groups[kind]))
            y, before = y + 1, kind
        more = 0.4 * name.count("\n")
        rows.append(y + more)
        y += 1 + 2 * more
    return rows, headings


def _measure_panel(ax: Axes, table: pd.DataFrame, metric: str, rows: Sequence[float]) -> None:
    for y, (_, subject) in zip(rows, table.iterrows(), strict=True):
        value, look = subject[metric], KIND_LOOK[subject["kind"]]
        if math.isnan(value):
            ax.text(
                0.5, y, "n/a", transform=ax.get_yaxis_transform(), ha="center", va="center", color="0.4", fontsize=6
            )
            continue
        ax.hlines(y, subject[f"{metric}_low"], subject[f"{metric}_high"], color=look["color"], linewidth=1)
        ax.plot(value, y, **look, markersize=3.6, markeredgewidth=0.9, clip_on=False, zorder=3)
    ax.grid(axis="x", color="0.9", linewidth=0.5)
    ax.set_axisbelow(True)
    ax.tick_params(axis="y", length=0)
    if metric not in ("hallucination_count", "excess", "lure_effect"):
        ax.set_xlim(-0.04, 1.04)
        ax.set_xticks([0, 0.5, 1], ["0", ".5", "1"])


def confidence_figure(curve: pd.DataFrame, language: str = "en") -> Figure:
    """Confidence around hallucinations, a line a subject with its band; `curve` is what `confidence_curve` returned.

    n is the number of hallucinations with a confidence. Raises `InputError` for an empty curve or more than five
    subjects.
    """
    from matplotlib import pyplot as plt

    check_choice("language", language, tuple(WORDS))
    subjects = [key for key, _ in curve.groupby(["provider", "model", "kind"], sort=True)]
    if not 1 <= len(subjects) <= len(LINES):
        raise InputError("curve", f"{len(subjects)} subjects", f"of 1 to {len(LINES)} subjects", "Choose some of them.")
    language = shown_language(language)
    words = WORDS[language]
    across, up, at = words["around"]
    with paper(language):
        figure, ax = plt.subplots(figsize=(COLUMN, 2.5 + 0.13 * len(subjects)), layout="constrained")
        ax.axvline(0, color="0.6", linewidth=0.8, zorder=0)
        ax.annotate(
            at, (0, 1), xycoords=("data", "axes fraction"), xytext=(0, 2), textcoords="offset points", ha="center"
        )
        for (provider, model, kind), look in zip(subjects, LINES, strict=False):
            mine = curve[(curve["provider"] == provider) & (curve["model"] == model) & (curve["kind"] == kind)]
            here = mine[mine["offset"] == 0]
            label = words["line"].format(
                model=model, kind=KIND_NAMES[language][kind], n=here["n"].sum(), mazes=here["n_mazes"].sum()
            )
            ax.fill_between(
                mine["offset"], 100 * mine["low"], 100 * mine["high"], color=look["color"], alpha=0.15, linewidth=0
            )
            ax.plot(
                mine["offset"], 100 * mine["confidence"], **look, markersize=3.5, markerfacecolor="white", label=label
            )
        ax.set(xlabel=across, ylabel=up, ylim=(-2, 102), xticks=sorted(curve["offset"].unique()))
        ruled = set(curve["kind"]) <= {"synthetic", "floor"}
        note = f"{words['ruled']}\n{words['band']}" if ruled else words["band"]
        legend = figure.legend(
            loc="outside lower center", frameon=False, title=note, title_fontsize=6, handlelength=KEY_LENGTH
        )
        legend.get_title().set(linespacing=1.4, ha="center")
        figure.draw_without_rendering()
    return figure


def walk_figure(
    maze: MazeEngine, moves: Sequence[Moved], title: str = "", language: str = "en", lures: bool = True
) -> Figure:
    """A walk on its maze, one column wide, under a title and the count of each kind of move.

    `lures=False` leaves the lures out: those of a condition that did not show them are no part of its stimulus.
    """
    check_choice("language", language, tuple(WORDS))
    words = WORDS[shown_language(language)]
    found = Counter("retraced" if move.kind == "legal" and move.retraced else move.kind for move in moves)
    parts = ", ".join(text.format(found[kind]) for kind, text in words["kinds"].items() if found[kind])
    with paper(language):
        ax = draw_maze(maze, moves=moves, lures=lures, language=language)
        heading = [*textwrap.wrap(title, 52), words["moves"].format(n=len(moves), parts=parts)]
        fit_column(ax, top=0.25 + 0.14 * len(heading))
        ax.figure.text(0.02, 0.99, "\n".join(heading), va="top", fontsize=7, linespacing=1.35)
        ax.figure.draw_without_rendering()
    return ax.figure


def check_folder(folder: str | Path) -> None:
    """Make the folder if it is missing, and raise `FileError` if nothing can be written into it."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise FileError(
            f"The figures cannot be written into {folder}: {error.strerror or error}. Name another folder."
        ) from error


def save(figure: Figure, name: str, data: pd.DataFrame, folder: str | Path) -> list[Path]:
    """Write a figure as PNG (300 dpi) and PDF with the CSV it was drawn from, and close it; the three paths.

    The files hold no date: the same figure gives the same bytes. Raises `FileError` if the folder
    cannot be made or written.
    """
    from matplotlib import pyplot as plt

    folder = Path(folder)
    png, pdf, csv = paths = [folder / f"{name}.{ending}" for ending in ("png", "pdf", "csv")]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with press():
            figure.savefig(png, dpi=300, metadata={"Software": None})
            figure.savefig(pdf, metadata={"CreationDate": None})
        data.to_csv(csv, index=False, encoding="utf-8", lineterminator="\n")
    except OSError as error:
        raise FileError(
            f"The figure {name} cannot be written into {folder}: {error.strerror or error}. "
            "Name another folder, or make room in this one."
        ) from error
    plt.close(figure)
    return paths
