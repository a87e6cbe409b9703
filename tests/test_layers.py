"""Imports go downward only. The imports are read, not run, so those in functions and for types count too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = "hallumaze_kit"
ROOT = Path(__file__).parents[1] / PACKAGE

_STUDY = ("errors", "records", "store", "ask", "maze", "trial", "checks", "reasoning", "subjects", "study")
MAY_IMPORT = {
    "errors": (),
    "records": ("errors",),
    "store": ("errors", "records"),
    "ask": ("errors", "records"),
    "maze": ("errors",),
    "trial": ("errors", "maze", "records"),
    "checks": ("errors",),
    "reasoning": ("errors", "ask", "checks.tokens"),
    "subjects": ("errors", "records", "maze", "trial.prompt", "trial.hints", "trial.stepwise", "ask"),
    "study": _STUDY,
    "panels": (*_STUDY, "panels"),
    "cli": (*_STUDY, "panels", "cli"),
    "__main__": ("cli",),
}
"""Room of the package: what it may import, besides itself."""
ONLY_IN = {
    "ipywidgets": ("panels",),
    "anywidget": ("panels",),
    "inspect_ai": ("ask", "study.tasks"),
    **dict.fromkeys(
        ("openai", "anthropic", "google", "mistralai", "cohere", "groq", "together", "litellm", "ollama", "boto3"),
        ("ask",),
    ),
}
"""Outside package: the only places that may import it."""


def imports(source: str, module: str, is_package: bool = False) -> Iterator[tuple[int, str]]:
    """(line, dotted name) of everything that `source`, the text of `module`, imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = module.split(".")
            up = parts[: len(parts) - node.level + is_package] if node.level else []
            base = ".".join([*up, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in ("import_module", "__import__"):
                yield node.lineno, str(node.args[0].value)


def inside(name: str, places: tuple[str, ...]) -> bool:
    """True if the dotted `name` is one of `places` or below one."""
    return any(f"{name}.".startswith(f"{place}.") for place in places)


def faults(source: str, module: str, is_package: bool = False) -> list[str]:
    """What `source`, the text of `module` (dotted, with the package's name), imports against the order."""
    place = module.removeprefix(PACKAGE).lstrip(".")
    room = place.split(".")[0]
    if room and room not in MAY_IMPORT:
        return [f"{module}: no room of the house has this name; DESIGN names them, MAY_IMPORT lists them"]
    found = []
    for line, name in imports(source, module, is_package):
        outside = name.split(".")[0]
        if outside in ONLY_IN and not inside(place, ONLY_IN[outside]):
            found.append(f"{module}:{line} imports {outside}, which only {' and '.join(ONLY_IN[outside])} may")
        if outside != PACKAGE or not room or name == f"{PACKAGE}.__version__":
            continue
        target = name.removeprefix(PACKAGE).lstrip(".")
        if not inside(target, (room, *MAY_IMPORT[room])):
            allowed = ", ".join(MAY_IMPORT[room]) or "nothing"
            found.append(f"{module}:{line} imports {name}; {room} may import {allowed}")
    return found


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_imports_go_downward_only():
    files = sorted(ROOT.rglob("*.py"))
    assert files
    found = [
        fault
        for path in files
        for fault in faults(path.read_text("utf-8"), module_of(path), path.name == "__init__.py")
    ]
    assert not found, "\n".join(found)


def test_the_order_itself_has_no_circle():
    order = list(MAY_IMPORT)
    for room, allowed in MAY_IMPORT.items():
        for target in allowed:
            below = target.split(".")[0]
            assert below == room or order.index(below) < order.index(room), (room, target)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("hallumaze_kit.errors", "import hallumaze_kit.records"),
        ("hallumaze_kit.maze.engine", "from hallumaze_kit.records import MazeConfig"),
        ("hallumaze_kit.maze.engine", "from hallumaze_kit import trial"),
        ("hallumaze_kit.maze.engine", "from hallumaze_kit import MazeConfig"),
        ("hallumaze_kit.maze.engine", "import hallumaze_kit"),
        ("hallumaze_kit.maze.engine", "def f():\n    from hallumaze_kit.trial.scoring import score_answer"),
        ("hallumaze_kit.maze.engine", "if TYPE_CHECKING:\n    from hallumaze_kit.trial.trace import Trace"),
        ("hallumaze_kit.maze.engine", "from ..trial import prompt"),
        ("hallumaze_kit.maze.engine", "from .. import trial"),
        ("hallumaze_kit.trial.prompt", "import importlib\nimportlib.import_module('hallumaze_kit.study')"),
        ("hallumaze_kit.subjects.synthetic", "from hallumaze_kit.trial import score_answer"),
        ("hallumaze_kit.subjects.synthetic", "from hallumaze_kit.trial.prompting import x"),
        ("hallumaze_kit.reasoning.verify", "from hallumaze_kit.checks.judge import judge"),
        ("hallumaze_kit.study.tables", "from hallumaze_kit.panels.paste import Paste"),
        ("hallumaze_kit.study.tables", "import ipywidgets"),
        ("hallumaze_kit.study.tables", "import inspect_ai.model"),
        ("hallumaze_kit.study.tables", "def f():\n    from openai import OpenAI"),
        ("hallumaze_kit", "import ipywidgets"),
        ("hallumaze_kit.helpers", "import os"),
    ],
)
def test_an_import_against_the_order_is_found(module, source):
    assert len(faults(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("hallumaze_kit.maze.engine", "import numpy as np\nfrom hallumaze_kit.errors import InputError"),
        ("hallumaze_kit.maze.engine", "from hallumaze_kit import errors\nfrom hallumaze_kit.maze import lures"),
        ("hallumaze_kit.maze.engine", "from . import lures\nfrom .generate import dfs\nfrom ..errors import E"),
        ("hallumaze_kit.trial.scoring", "from hallumaze_kit import __version__"),
        ("hallumaze_kit.subjects.synthetic", "from hallumaze_kit.trial.prompt import Prompt"),
        ("hallumaze_kit.subjects.llm", "from hallumaze_kit.trial import prompt\nfrom hallumaze_kit.ask import ask"),
        ("hallumaze_kit.reasoning.rafs", "from hallumaze_kit.checks.tokens import words"),
        ("hallumaze_kit.ask", "def f():\n    import inspect_ai.model"),
        ("hallumaze_kit.study.tasks", "from inspect_ai import task"),
        ("hallumaze_kit.panels.paste", "import ipywidgets\nfrom hallumaze_kit.study.design import run"),
        ("hallumaze_kit.cli", "from hallumaze_kit.panels import paste\nfrom hallumaze_kit.store import AnswerBook"),
        ("hallumaze_kit", "from hallumaze_kit.study import design"),
    ],
)
def test_an_import_in_the_order_is_let_pass(module, source):
    assert faults(source, module) == []


def test_relative_imports_of_a_package_are_read_from_the_package_itself():
    assert list(imports("from .engine import MazeEngine", "hallumaze_kit.maze", is_package=True)) == [
        (1, "hallumaze_kit.maze.engine.MazeEngine")
    ]
    assert list(imports("from ..trial import trace", "hallumaze_kit.maze", is_package=True)) == [
        (1, "hallumaze_kit.trial.trace")
    ]
