"""Figures of the validity study: traits found or not, words only, conventions, ablations, a held-out profile."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hallumaze_kit.errors import InputError, check_choice
from hallumaze_kit.maze.fonts import shown_language
from hallumaze_kit.study.showing.style import COLUMN, PAGE, paper
from hallumaze_kit.study.showing.validity_words import POOLED_NAMES, TRAIT_NAMES, WORDS, measure_name

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LOOKS = (
    {"color": "#0B4F8A", "marker": "o", "markerfacecolor": "#0B4F8A"},
    {"color": "#B3261E", "marker": "s", "markerfacecolor": "white"},
    {"color": "#5A5A5A", "marker": "x", "markerfacecolor": "#5A5A5A"},
)
"""How two or three things on one row look: colour and marker differ."""
OF_DOCUMENT = ("sr", "hallucination_count", "hrr", "mei", "ce", "brs", "hallumaze_score")
FROM_0_TO_1 = (
    "sr", "hrr", "mei", "brs", "hallumaze_score", "detected", "recovery_rate", "acted", "named", "named_beyond",
    "published_sr", "published_hrr", "published_mei", "published_brs", "published_hallumaze_score",
)  # fmt: skip
"""The measures of `words_figure`: their scales can stand side by side."""
COMPARED = ("hrr", "mei", "brs", "hallumaze_score")
DARK = 0.6
"""Cells with a larger |ρ| are dark and take white letters."""


def recovery_figure(table: pd.DataFrame, language: str = "en") -> Figure:
    """Traits × measures, each cell with its ρ; `table` is what `trait_recovery` returned.

    Raises `InputError` for an empty table.
    """
    from matplotlib import pyplot as plt

    language, words = _ready(table, "trait_recovery", language)
    traits = [name for name in TRAIT_NAMES[language] if name in set(table["contrast"])]
    measures = list(dict.fromkeys(table["metric"]))
    groups = [_group(measure) for measure in measures]
    cells = table.set_index(["metric", "contrast"])
    rows = [y + groups[y] * 0.35 for y in range(len(measures))]
    with paper(language):
        size = (PAGE, 0.158 * rows[-1] + 1.75)
        figure, ax = plt.subplots(figsize=size, layout="constrained")
        for y, measure in zip(rows, measures, strict=True):
            for x, trait in enumerate(traits):
                if (measure, trait) in cells.index:
                    _cell(ax, x, y, cells.loc[(measure, trait)])
        ax.set_xlim(-0.52, len(traits) - 0.48)
        ax.set_ylim(rows[-1] + 0.52, -0.52)
        names = [textwrap.fill(TRAIT_NAMES[language][trait], 12) for trait in traits]
        ax.set_xticks(range(len(traits)), names, rotation=40, ha="left", rotation_mode="anchor")
        ax.set_yticks(rows, [measure_name(measure, language) for measure in measures])
        ax.xaxis.tick_top()
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        for group in sorted(set(groups)):
            at = [y for y, g in zip(rows, groups, strict=True) if g == group]
            if len(at) > 2:
                ax.text(
                    len(traits) - 0.4, (at[0] + at[-1]) / 2, words["groups"][group], rotation=270,
                    ha="left", va="center", color="0.3",
                )  # fmt: skip
        _note(figure, words["matrix"], " ".join(_ruled(table, words)))
        figure.draw_without_rendering()
    return figure


def _group(measure: str) -> int:
    return 2 if measure in POOLED_NAMES["en"] else 0 if measure.removeprefix("published_") in OF_DOCUMENT else 1


def _cell(ax: Axes, x: int, y: float, row: pd.Series) -> None:
    from matplotlib.patches import Rectangle

    rho = row["estimate"]
    known = not math.isnan(rho)
    shade = str(1 - 0.78 * abs(rho)) if known else "1"
    ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=shade, edgecolor="white", linewidth=0.6))
    sure = known and row["p_adjusted"] < 0.05
    if row["meant"] or sure:
        look = {"edgecolor": "#B3261E", "linewidth": 1.1, "linestyle": "-" if row["meant"] else (0, (2, 1.2))}
        ax.add_patch(Rectangle((x - 0.45, y - 0.42), 0.9, 0.84, fill=False, zorder=3, **look))
    dark = known and abs(rho) > DARK
    color = "white" if dark else "black" if sure else "0.4"
    ax.text(x, y, _rounded(rho), ha="center", va="center_baseline", fontsize=5.8, color=color)


def _rounded(rho: float) -> str:
    """Two decimals with a sign and without the 0 before them: −.54, +1.00, .00."""
    if math.isnan(rho):
        return "n/a"
    text = f"{rho:+.2f}".replace("0.", ".").replace("-", "−")
    return ".00" if text[1:] == ".00" else text


def words_figure(table: pd.DataFrame, language: str = "en", measures: Sequence[str] = FROM_0_TO_1) -> Figure:
    """How far each measure moves when only words are added; `table` is what `words_effect` returned.

    Raises `InputError` for an empty table.
    """
    from matplotlib import pyplot as plt

    language, words = _ready(table, "words_effect", language)
    rows = table[(table["quantity"] == "difference") & table["metric"].isin(measures)]
    shown = [measure for measure in measures if measure in set(rows["metric"])]
    with paper(language):
        figure, ax = plt.subplots(figsize=(COLUMN, 0.185 * len(shown) + 1.25), layout="constrained")
        for look, (contrast, name), shift in zip(LOOKS, words["tellings"].items(), (-0.16, 0.16), strict=False):
            mine = rows[rows["contrast"] == contrast].set_index("metric").reindex(shown)
            _points(ax, mine, [y + shift for y in range(len(shown))], look, name)
        _listed(ax, [measure_name(measure, language) for measure in shown])
        ax.axvline(0, color="0.5", linewidth=0.7, zorder=0)
        ax.set_xlabel(words["difference"])
        _legend(figure, ax, words["bars"], *_ruled(rows, words))
        figure.draw_without_rendering()
    return figure


def ablation_figure(table: pd.DataFrame, language: str = "en") -> Figure:
    """Section 14's ablations: ρ of whole and rest with each trait, and what lures and hints do.

    `table` is what `ablation` returned. Raises `InputError` for an empty table.
    """
    from matplotlib import pyplot as plt

    language, words = _ready(table, "ablation", language)
    parts = [name for name in words["parts"] if name in set(table["metric"])]
    changes = table[(table["quantity"] == "difference") & table["metric"].isin(words["changes"])]
    traits = [name for name in TRAIT_NAMES[language] if name in set(table.loc[table["metric"] == parts[0], "contrast"])]
    with paper(language):
        figure, axes = plt.subplots(
            1, len(parts) + bool(len(changes)), figsize=(PAGE, 2.55), squeeze=False, layout="constrained"
        )
        for ax, part in zip(axes[0], parts, strict=False):
            for look, quantity, name, shift in zip(
                LOOKS,
                ("ρ of the whole", "ρ of the rest"),
                (words["whole"], words["rest"]),
                (-0.16, 0.16),
                strict=False,
            ):
                mine = table[(table["metric"] == part) & (table["quantity"] == quantity)]
                mine = mine.set_index("contrast").reindex(traits)
                _points(ax, mine, [y + shift for y in range(len(traits))], look, name)
            ax.set_title(words["parts"][part])
            ax.set(xlabel=words["rho"], xlim=(-1.05, 1.05))
            _listed(ax, [TRAIT_NAMES[language][trait] for trait in traits] if ax is axes[0][0] else [""] * len(traits))
            ax.axvline(0, color="0.5", linewidth=0.7, zorder=0)
        if len(changes):
            ax = axes[0][-1]
            names = [f"{words['contrasts'][r.contrast]}: {words['changes'][r.metric]}" for r in changes.itertuples()]
            _points(ax, changes, range(len(changes)), LOOKS[2], "")
            _listed(ax, names)
            ax.axvline(0, color="0.5", linewidth=0.7, zorder=0)
            ax.set_title(words["other"])
            ax.set_xlabel(words["change"])
        _legend(figure, axes[0][0], words["bars"], *_ruled(table, words), columns=2)
        figure.draw_without_rendering()
    return figure


def convention_figure(frame: pd.DataFrame, language: str = "en", measures: Sequence[str] = COMPARED) -> Figure:
    """Each subject's mean by the verified convention and by the published one, on the same answers.

    `frame` is what `planted_trials` returned. Raises `InputError` for an empty frame.
    """
    from matplotlib import pyplot as plt

    from hallumaze_kit.study.validity.conventions import rank_agreement
    from hallumaze_kit.study.validity.trials import by_subject

    check_choice("language", language, tuple(WORDS))
    if frame.empty:
        raise InputError("frame", "no rows", "trials of at least one subject")
    language = shown_language(language)
    words = WORDS[language]
    subjects = by_subject(frame, [*measures, *(f"published_{name}" for name in measures)])
    with paper(language):
        figure, axes = plt.subplots(
            1, len(measures), figsize=(PAGE, PAGE / len(measures) + 0.55), squeeze=False, layout="constrained"
        )
        for ax, measure in zip(axes[0], measures, strict=True):
            one, other = subjects[measure], subjects[f"published_{measure}"]
            ax.plot([0, 1], [0, 1], color="0.6", linewidth=0.7, zorder=0)
            ax.plot(one, other, linestyle="", **LOOKS[0] | {"markerfacecolor": "white"}, markersize=3)
            tau = rank_agreement(one, other)
            ax.text(
                0.97, 0.04, words["undefined"] if math.isnan(tau) else words["order"].format(tau=tau).replace("-", "−"),
                transform=ax.transAxes, ha="right", va="bottom",
            )  # fmt: skip
            ax.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), aspect="equal", xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
            ax.set_title(measure_name(measure, language))
        figure.supxlabel(words["axes"][0], fontsize=7)
        figure.supylabel(words["axes"][1], fontsize=7)
        of = words["of"].format(n=len(subjects), mazes=frame["maze_id"].nunique())
        figure.suptitle(f"{words['ruled']} {of}", fontsize=6, x=0.01, ha="left")
        figure.draw_without_rendering()
    return figure


def profile_figure(table: pd.DataFrame, language: str = "en") -> Figure:
    """Held-out recovery of each trait by the chosen measure, by MEI and by the Score.

    `table` is what `propose_profile` returned. Raises `InputError` for an empty table.
    """
    from matplotlib import pyplot as plt

    language, words = _ready(table, "propose_profile", language)
    traits = [name for name in TRAIT_NAMES[language] if name in set(table["contrast"])]
    chosen = table.groupby("contrast")["metric"].first()
    with paper(language):
        figure, ax = plt.subplots(figsize=(COLUMN, 0.3 * len(traits) + 1.3), layout="constrained")
        for look, quantity, name, shift in zip(
            LOOKS, ("held out", "MEI held out", "Score held out"), words["who"], (-0.24, 0.0, 0.24), strict=True
        ):
            mine = table[table["quantity"] == quantity].set_index("contrast").reindex(traits)
            _points(ax, mine, [y + shift for y in range(len(traits))], look, name)
        names = [
            f"{TRAIT_NAMES[language][trait]}\n({measure_name(chosen[trait], language) if chosen[trait] else 'n/a'})"
            for trait in traits
        ]
        _listed(ax, names)
        for label in ax.get_yticklabels():
            label.set(fontsize=6, linespacing=1.15)
        ax.axvline(0, color="0.5", linewidth=0.7, zorder=0)
        ax.set_xlim(-1.05, 1.05)
        ax.set_xlabel(textwrap.fill(words["held"], 32))
        _legend(figure, ax, words["bars"], *_ruled(table, words), columns=3)
        figure.draw_without_rendering()
    return figure


def _ready(table: pd.DataFrame, analysis: str, language: str) -> tuple[str, dict]:
    check_choice("language", language, tuple(WORDS))
    if table.empty or "analysis" not in table.columns or set(table["analysis"]) != {analysis}:
        raise InputError("table", "no such rows", f"what {analysis} returned, with at least one row")
    language = shown_language(language)
    return language, WORDS[language]


def _points(ax: Axes, rows: pd.DataFrame, at: Sequence[float], look: dict, name: str) -> None:
    """A point with its interval on each row; rows without an estimate stay empty."""
    ax.hlines(at, rows["low"], rows["high"], color=look["color"], linewidth=0.9)
    ax.plot(rows["estimate"], at, linestyle="", **look, markersize=3.4, markeredgewidth=0.9, zorder=3, label=name)


def _listed(ax: Axes, names: Sequence[str]) -> None:
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", color="0.9", linewidth=0.5)
    ax.set_axisbelow(True)


def _ruled(table: pd.DataFrame, words: dict) -> tuple[str, str]:
    of_subjects = table[table["unit"] == "subjects"]
    return words["ruled"], words["of"].format(n=of_subjects["n"].max(), mazes=table["n_mazes"].max())


def _legend(figure: Figure, ax: Axes, *lines: str, columns: int = 1) -> None:
    handles, labels = ax.get_legend_handles_labels()
    look = {"ncols": columns, "frameon": False, "title_fontsize": 6}
    legend = figure.legend(handles, labels, loc="outside lower center", title="\n".join(lines), **look)
    legend.get_title().set(linespacing=1.4, ha="center")


def _note(figure: Figure, *lines: str) -> None:
    figure.supxlabel("\n".join(lines), fontsize=6, x=0.01, ha="left", linespacing=1.4)
