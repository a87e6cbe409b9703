"""Model families: who may judge whom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError

if TYPE_CHECKING:
    from hallumaze_kit.reasoning.traces.trace import ReasoningTrace

UNKNOWN = "unknown"
NO_MODEL = ("arithmetic", "symbolic")
"""Families of what is no model: exact reckoning shares no bias with anybody."""
_NAMES = {
    "gpt": "gpt", "chatgpt": "gpt", "o1": "gpt", "o3": "gpt", "o4": "gpt", "claude": "claude", "gemini": "gemini",
    "gemma": "gemini", "llama": "llama", "deepseek": "deepseek", "qwen": "qwen", "qwq": "qwen", "mistral": "mistral",
    "mixtral": "mistral", "magistral": "mistral", "grok": "grok", "phi": "phi", "command": "command",
    "exaone": "exaone",
    "solar": "solar", "hyperclova": "hyperclova", "yi": "yi", "glm": "glm", "kimi": "kimi", "granite": "granite",
}  # fmt: skip


def family_of(model: str) -> str:
    """The family of a model by its name: "anthropic/claude-sonnet-4" is "claude", "ollama/llama3.1:8b" "llama".

    The name decides, not the provider: whoever serves a Llama, it is one. "unknown" for a name that tells nothing.
    """
    for word in re.split(r"[^a-z0-9]+", model.lower().rpartition("/")[2]):
        stem = re.match(r"[a-z]*", word)
        for name in (word, stem[0] if stem else ""):
            if name in _NAMES:
                return _NAMES[name]
    return UNKNOWN


def check_families(
    traces: Sequence[ReasoningTrace],
    verifier: Any,
    answerer: Any = None,
    entailment: Any = None,
    allow_shared: bool = False,
) -> dict[str, object]:
    """The families of generator, verifier and validators, with whether one is shared.

    The generator's families are those of the traces. The counterfactual answerer may be the generator itself (it is
    asked to go on from its own prefix), so that its family is recorded and not compared.

    Raises
    ------
    InputError
        Where a model family plays two of the roles, unless `allow_shared`. "unknown" is never called shared; it is
        recorded.
    """
    generators = sorted({trace.family for trace in traces})
    roles = {"verifier": _family(verifier), "entailment": _family(entailment)}
    shared = sorted(
        {family for family in roles.values() if family in generators}
        | {roles["verifier"] for _ in (0,) if roles["verifier"] == roles["entailment"]}
    )
    shared = [family for family in shared if family not in (*NO_MODEL, UNKNOWN)]
    if shared and not allow_shared:
        raise InputError(
            "verifier", shared[0], "of another model family than the generator and the other judges",
            "A model that judges its own family shares its bias; pass allow_shared_family=True to do so all the same.",
        )  # fmt: skip
    return {"generator": generators, **roles, "answerer": _family(answerer), "shared": shared}


def _family(judge: Any) -> str:
    return "symbolic" if judge is None else str(getattr(judge, "family", UNKNOWN))
