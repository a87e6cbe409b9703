"""What the parts share: a line, a stopwatch, peers that may be missing."""

from __future__ import annotations

import importlib
import math
import warnings
from collections.abc import Callable
from time import perf_counter
from types import ModuleType
from typing import Any, NamedTuple

PATIENCE = 6.0
"""A run that has taken this many seconds in all is not repeated."""
MISSING = "not installed"
LAYOUT = ("<46", ">14", ">14", ">8", ">13")
HEAD = ("what", "ours", "theirs", "ratio", "target")


class Line(NamedTuple):
    """One measurement. `met` is None where there is no target or it could not be measured."""

    what: str
    ours: str
    theirs: str = "-"
    ratio: float = math.nan
    target: str = ""
    met: bool | None = None

    @property
    def verdict(self) -> str:
        """ "met", "NOT MET", "not measured", or "" without a target."""
        if not self.target:
            return ""
        return {True: "met", False: "NOT MET", None: "not measured"}[self.met]

    def __str__(self) -> str:
        ratio = "-" if math.isnan(self.ratio) else f"{number(self.ratio)}×"
        return f"{columns((self.what, self.ours, self.theirs, ratio, self.target))}  {self.verdict}".rstrip()


def columns(cells: tuple[str, ...]) -> str:
    """The cells of a line: the first flush left, the others flush right."""
    return "  ".join(f"{cell:{layout}}" for cell, layout in zip(cells, LAYOUT, strict=True))


def number(value: float) -> str:
    """Three digits, or all before the point: 0.512, 4.03, 37.1, 12,346."""
    return f"{value:,.0f}" if value >= 100 else f"{value:#.3g}"


def rate(value: float) -> str:
    """So many a second."""
    return f"{number(value)}/s"


def seconds(value: float) -> str:
    """A time in seconds."""
    return f"{number(value)} s"


def fastest(runs: dict[str, Callable[[], Any]], repeats: int) -> dict[str, tuple[float, Any]]:
    """Least wall-clock seconds of each run, and what it returned.

    The runs take turns, so that other load on the machine falls on all of them alike.
    """
    best: dict[str, tuple[float, Any]] = {}
    spent = dict.fromkeys(runs, 0.0)
    for _ in range(repeats):
        for name, run in runs.items():
            if spent[name] > PATIENCE:
                continue
            start = perf_counter()
            made = run()
            took = perf_counter() - start
            spent[name] += took
            if name not in best or took < best[name][0]:
                best[name] = took, made
    return best


def peer(module: str) -> ModuleType | None:
    """A module of a peer, None where it is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ImportError:
        return None
