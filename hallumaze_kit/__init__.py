"""HalluMaze Kit: does a language model know that it is wrong, and does it get out?

    from hallumaze_kit import MazeEngine, MazeConfig, build_prompt, score_answer, interpret

The names below load what they need on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "MazeEngine": "maze",
    "Lure": "maze",
    "MazeConfig": "records",
    "BenchmarkResult": "records",
    "to_frame": "records",
    "decisions_frame": "records",
    "read_results": "records",
    "write_json": "records",
    "write_csv": "records",
    "AnswerBook": "store",
    "Prompt": "trial.prompt",
    "build_prompt": "trial.prompt",
    "Trace": "trial.trace",
    "parse_answer": "trial.parsing",
    "Replay": "trial.replay",
    "replay": "trial.replay",
    "metrics_from_counts": "trial.measuring.metrics",
    "score_answer": "trial.scoring",
    "score_stored": "trial.scoring",
    "interpret": "trial.interpreting.interpret",
    "Ariadne": "trial.hints",
    "LLM": "ask",
    "register_provider": "ask",
    "run": "study.running",
    "run_results": "study.running",
    "PastePanel": "panels.paste",
    "PastePlan": "panels.pasting.plan",
    "KitError": "errors",
}
__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
