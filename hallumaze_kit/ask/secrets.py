"""Keys are never written: where they may come back from a server, they are taken out."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from hallumaze_kit.errors import InputError

REMOVED = "[key removed]"
_SHORTEST = 8
"""A shorter value, or a word of letters, is no key ("none", "assistant"): taking it out would change answers."""
_VARIABLE = re.compile(r"(_API_KEY|_API_TOKEN|_TOKEN|_SECRET|_ACCESS_KEY|_ACCESS_KEY_ID|_PASSWORD)$")
_NAMED = re.compile(r"key|token|secret|auth|passw|passphrase|passcode|credential|header|cookie|bearer|signature", re.I)
_WORDS = frozenset({"pat", "pwd", "pw", "pass", "sig", "sas", "jwt", "otp", "creds"})
"""Names of keys that are too short to be looked for inside other words ("path", "signal")."""
LOOKS_LIKE_A_KEY = re.compile(r"\b(?:sk-|AIza|xai-|gsk_|hf_)[\w-]{6,}")
_HARMLESS = frozenset({"max_tokens", "max_completion_tokens", "api_key_var", "token_limit", "tokenizer"})


def known_secrets(more: Iterable[str] = ()) -> tuple[str, ...]:
    """The values of the environment's keys, and `more`; the longest first."""
    values = {value for name, value in os.environ.items() if _VARIABLE.search(name.upper())} | set(more)
    found = {v.strip() for v in values if len(v.strip()) >= _SHORTEST and not (v.strip().isalpha() and len(v) < 20)}
    return tuple(sorted(found, key=len, reverse=True))


def written(secret: str) -> tuple[str, ...]:
    """The ways in which a secret may stand in a text: as it is, and as JSON, Python and addresses write it."""
    forms = (secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], repr(secret)[1:-1])
    return tuple(dict.fromkeys((*forms, repr(secret.encode("utf-8", "replace"))[2:-1], quote(secret, safe=""))))


def cleaned(text: str, secrets: Iterable[str]) -> str:
    """The text without the secrets, however they are written."""
    for secret in secrets:
        for form in written(secret):
            text = text.replace(form, REMOVED)
    return text


def carries_key(text: str, keys: Iterable[str] = ()) -> bool:
    """Whether a key of the environment, one of `keys` or what looks like one stands in the text."""
    secrets = known_secrets(keys)
    return bool(LOOKS_LIKE_A_KEY.search(text)) or any(form in text for one in secrets for form in written(one))


def check_plain(name: str, text: Any, keys: Iterable[str] = ()) -> None:
    """Refuse a text that carries a key where it is written to records; other values are left to their own check."""
    if isinstance(text, str) and carries_key(text, keys):
        mend = "It is written to records; put the key in the environment."
        raise InputError(name, REMOVED, "a text without keys", mend)


def check_variable(name: Any) -> None:
    """Refuse what is no name of a variable, the key itself above all; "" is let pass."""
    if name != "" and not (isinstance(name, str) and re.fullmatch(r"[A-Za-z_]\w*", name) and not carries_key(name)):
        raise InputError("key_env", REMOVED, "the name of the variable that holds the key, like MY_API_KEY")


def check_address(address: str, keys: Iterable[str] = ()) -> str:
    """The address of a server, if it carries nothing secret: no user, no password, no query."""
    plain = isinstance(address, str) and (not address or (_is_address(address) and not carries_key(address, keys)))
    if plain:
        return address
    allowed = "an address like http://127.0.0.1:8000/v1, without user, password or query"
    raise InputError("base_url", REMOVED, allowed, "Addresses are written to records; put the key in the environment.")


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not {"@", "?", "#"} & set(text)


def check_options(options: Mapping[str, Any], keys: Iterable[str] = (), name: str = "options") -> None:
    """Refuse options that carry a key: they are written to logs."""
    if not isinstance(options, Mapping):
        raise InputError(name, type(options).__name__, "a mapping of names to values")
    keys = tuple(keys)
    for option, text in _leaves(options):
        hidden = carries_key(option, keys)
        if hidden or _names_a_secret(option) or carries_key(text, keys):
            mend = "Options are written to logs; name the variable that holds the key: key_env='MY_API_KEY'."
            shown = REMOVED if hidden else option
            raise InputError(f"{name}[{shown!r}]", REMOVED, "an option without keys or headers", mend)


def _names_a_secret(option: str) -> bool:
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", option).lower())
    return option not in _HARMLESS and (bool(_NAMED.search(option)) or bool(_WORDS & set(words)))


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """(name, what stands there as a text) for everything in nested options."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            text = key.decode("utf-8", "replace") if isinstance(key, bytes | bytearray) else str(key)
            yield text, ""
            yield from _leaves(inner, text)
    elif isinstance(value, list | tuple | set | frozenset):
        for inner in value:
            yield from _leaves(inner, name)
    elif isinstance(value, bytes | bytearray):
        yield name, value.decode("utf-8", "replace")
    else:
        yield name, value if isinstance(value, str) else f"{value} {value!r}"
