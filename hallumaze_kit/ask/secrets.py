"""Keys are never written: where they may come back from a server, they are taken out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from hallumaze_kit.errors import InputError

REMOVED = "[key removed]"
_SHORTEST = 8
"""A shorter value, or a word of letters, is no key ("none", "assistant"): taking it out would change answers."""
_VARIABLE = re.compile(r"(_API_KEY|_API_TOKEN|_TOKEN|_SECRET|_ACCESS_KEY|_ACCESS_KEY_ID|_PASSWORD)$")
_NAMED = re.compile(r"key|token|secret|auth|password|credential|header|cookie", re.I)
_HARMLESS = frozenset({"max_tokens", "max_completion_tokens", "api_key_var", "token_limit", "tokenizer"})


def known_secrets(more: Iterable[str] = ()) -> tuple[str, ...]:
    """The values of the environment's keys, and `more`; the longest first."""
    values = {value for name, value in os.environ.items() if _VARIABLE.search(name.upper())} | set(more)
    found = {v.strip() for v in values if len(v.strip()) >= _SHORTEST and not (v.strip().isalpha() and len(v) < 20)}
    return tuple(sorted(found, key=len, reverse=True))


def cleaned(text: str, secrets: Iterable[str]) -> str:
    """The text without the secrets."""
    for secret in secrets:
        text = text.replace(secret, REMOVED)
    return text


def check_address(address: str) -> str:
    """The address of a server, if it carries nothing secret: no user, no password, no query."""
    from urllib.parse import urlsplit

    parts = urlsplit(address)
    plain = parts.scheme in ("http", "https") and parts.hostname and not {"@", "?", "#"} & set(address)
    if not address or (plain and not any(secret in address for secret in known_secrets())):
        return address
    allowed = "an address like http://127.0.0.1:8000/v1, without user, password or query"
    raise InputError("base_url", REMOVED, allowed, "Addresses are written to records; put the key in the environment.")


def check_options(options: Mapping[str, Any], name: str = "options") -> None:
    """Refuse options that carry a key: they are written to logs."""
    secrets = known_secrets()
    for option, value in _leaves(options):
        named = _NAMED.search(option) and option not in _HARMLESS
        if named or (isinstance(value, str) and any(secret in value for secret in secrets)):
            mend = "Options are written to logs; name the variable that holds the key: key_env='MY_API_KEY'."
            raise InputError(f"{name}[{option!r}]", REMOVED, "an option without keys or headers", mend)


def _leaves(value: Any, name: str = "") -> Iterable[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key), None
            yield from _leaves(inner, str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner, name)
    else:
        yield name, value
