"""Keys: which are set, and that none is ever shown."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from hallumaze_kit.ask.models import KEYS
from hallumaze_kit.ask.secrets import LOOKS_LIKE_A_KEY, REMOVED, cleaned, known_secrets

STARRED = {
    "anthropic": "claude-sonnet-4-20250514",
    "openai": "gpt-4o",
    "google": "gemini-2.5-flash",
    "deepseek": "deepseek-reasoner",
}
"""The document's starred model of each provider (section 8)."""
_PLACEHOLDER = re.compile(r"\.\.\.|…|your|<|>|^x+$", re.I)


def is_key(value: object) -> bool:
    """True for what may be a key: not "", not "sk-...", not "YOUR_KEY_HERE"."""
    return isinstance(value, str) and bool(value.strip()) and not _PLACEHOLDER.search(value.strip())


def is_set(variable: str) -> bool:
    """True if the environment's variable holds what may be a key."""
    return is_key(os.environ.get(variable))


def without_keys(text: str) -> str:
    """The text without the environment's keys, and without anything that looks like one."""
    return LOOKS_LIKE_A_KEY.sub(REMOVED, cleaned(text, known_secrets()))


def keyed_models(environment: Mapping[str, str] | None = None) -> list[str]:
    """The model of every provider of the document whose key is set.

    ANTHROPIC_MODEL, OPENAI_MODEL (and the like for the others) choose it; else it is the document's starred one.
    """
    environment = os.environ if environment is None else environment
    names = []
    for provider, starred in STARRED.items():
        if is_key(environment.get(KEYS[provider])):
            model = environment.get(f"{provider.upper()}_MODEL", "").strip() or starred
            names.append(f"{provider}/{model.removeprefix(f'{provider}/')}")
    return names
