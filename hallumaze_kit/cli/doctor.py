"""What is installed, which keys are set, whom a bare run would ask."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version

from rich.console import Console

from hallumaze_kit.ask.models import KEYS
from hallumaze_kit.cli.keys import is_set, keyed_models
from hallumaze_kit.cli.words import say

PACKAGES = (
    "hallumaze-kit", "inspect-ai", "openai", "anthropic", "google-genai", "pandas", "matplotlib", "statsmodels",
    "jupyterlab", "ipywidgets", "voila",
)  # fmt: skip
MEND = {
    "inspect-ai": "models", "openai": "models", "anthropic": "models", "google-genai": "models", "jupyterlab": "panels",
    "ipywidgets": "panels", "voila": "web",
}  # fmt: skip
"""Extra of the kit that brings a package."""


def print_state(language: str) -> None:
    """Print it; of a key only whether it is set."""
    console = Console(highlight=False, soft_wrap=True)
    lines = [f"Python {platform.python_version()}", say("packages", language)]
    missing = []
    for name in PACKAGES:
        found = _version(name)
        lines.append(f"  {name:14} {found or say('missing', language)}")
        missing += [] if found else [MEND.get(name, "")]
    if any(missing):
        extras = ",".join(sorted(set(filter(None, missing))))
        lines.append("  " + say("install", language, command=f"pip install 'hallumaze-kit[{extras}]'"))
    lines.append(say("keys", language))
    for variable in KEYS.values():
        state = "set" if is_set(variable) else "placeholder" if os.environ.get(variable, "").strip() else "not_set"
        lines.append(f"  {variable:20} {say(state, language)}")
    models = keyed_models()
    lines.append(say("would_ask", language, models=", ".join(models)) if models else say("would_ask_none", language))
    for line in lines:
        console.print(line, markup=False)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
