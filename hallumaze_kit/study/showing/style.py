"""The one look of every figure: sizes for a paper, colours and marks that survive grey, Hangul."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hallumaze_kit.maze.fonts import families

COLUMN, PAGE = 3.3, 6.9
"""Widths in inches: one column, both columns."""
KINDS = ("real", "human", "synthetic", "floor")
"""Who answered: models, people, the kit's rule-based subjects, floor subjects; in the order of every table."""
KIND_LOOK = {
    "real": {"color": "#0B4F8A", "marker": "o", "markerfacecolor": "#0B4F8A"},
    "human": {"color": "#00724F", "marker": "^", "markerfacecolor": "#00724F"},
    "synthetic": {"color": "#B86E00", "marker": "s", "markerfacecolor": "white"},
    "floor": {"color": "#5A5A5A", "marker": "x", "markerfacecolor": "#5A5A5A"},
}


@contextmanager
def paper(language: str) -> Iterator[None]:
    """matplotlib settings of a figure in `language` ("ko" or "en"); what was set before comes back after."""
    settings = {
        "font.family": families(language),
        "font.size": 7,
        "axes.titlesize": 7,
        "axes.labelsize": 7,
        "xtick.labelsize": 6.5,
        "ytick.labelsize": 6.5,
        "legend.fontsize": 6.5,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.6,
        "xtick.major.width": 0.6,
        "ytick.major.width": 0.6,
        "lines.linewidth": 1.2,
        "figure.dpi": 150,
        "savefig.dpi": 300,
    }
    with _set(settings):
        yield


@contextmanager
def press() -> Iterator[None]:
    """matplotlib settings of a file for print: fonts stay text (type 42; many journals refuse type 3)."""
    log = logging.getLogger("fontTools.subset")
    level = log.level
    log.setLevel(logging.ERROR)  # it reports every table of a font that it leaves out
    try:
        with _set({"pdf.fonttype": 42}):
            yield
    finally:
        log.setLevel(level)


@contextmanager
def _set(settings: dict[str, Any]) -> Iterator[None]:
    """Change just these settings for a while.

    matplotlib's own `rc_context` also takes back what a notebook's backend sets when the first figure is made, and
    then no later figure is shown.
    """
    from matplotlib import rcParams

    before = {name: rcParams[name] for name in settings}
    rcParams.update(settings)
    try:
        yield
    finally:
        rcParams.update(before)
