"""Replies of the OpenAI interface that are not quite of its form, brought into it before its package reads them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from hallumaze_kit.ask.replies import sayable

_CHAT = "/chat/completions"
_LONGEST = 200
_SURROGATE = re.compile(rb"\\ud[89a-f]", re.I)
_STATUS = ((r"rate.?limit|quota|too.?many", 429), (r"api.?key|auth|permission", 401), (r"invalid|bad.?request", 400))
"""Status of an error that names none, by its code and type; else 500."""


def mend_replies(api: Any) -> None:
    """Have the replies of a provider's web client mended as they come; once for each client."""
    client = getattr(getattr(api, "client", None), "_client", None)
    hooks = getattr(client, "event_hooks", None)
    if isinstance(hooks, Mapping) and _mend not in hooks.get("response", ()):
        client.event_hooks["response"].append(_mend)


async def _mend(response: Any) -> None:
    if response.status_code != 200 or "json" not in response.headers.get("content-type", ""):
        return
    status, body = mended(await response.aread(), str(response.request.url.path).endswith(_CHAT))
    response.status_code = status
    response._content = body


def mended(body: bytes, chat: bool) -> tuple[int, bytes]:
    """(status, body) of a reply with status 200 as they should have been.

    Halves of characters (lone surrogates, which no file can hold) become U+FFFD. In a reply of the chat interface an
    error gets its status, content that is a list of parts becomes their text, and what holds no message is put in
    quotes, so that it is no reply. Everything else stays as it came, byte for byte.

    >>> mended(b'{"error": {"code": 429, "message": "slow down"}}', True)[0]
    429
    """
    try:
        data = json.loads(body)
    except ValueError:
        return 200, body
    broken = bool(_SURROGATE.search(body)) and (whole := _sayable(data)) != data
    data = whole if broken else data
    if not chat or not isinstance(data, dict):
        return 200, json.dumps(data).encode() if broken else body
    choices = data.get("choices")
    choices = [choice for choice in choices if isinstance(choice, dict)] if isinstance(choices, list) else None
    errors = [data.get("error"), *(choice.get("error") for choice in choices or ())]
    error = next(filter(None, errors), None)
    if error:
        return _status(error), json.dumps({"error": error}).encode()
    if choices is None or not all(isinstance(choice.get("message"), dict) for choice in choices):
        return 200, json.dumps(json.dumps(data)[:_LONGEST]).encode()
    joined = [_joined(choice["message"]) for choice in choices]
    return 200, json.dumps(data).encode() if broken or any(joined) else body


def _joined(message: dict[str, Any]) -> bool:
    """Make the content of a message a text where it is a list of parts; whether it was one."""
    parts = message.get("content")
    if not isinstance(parts, list):
        return False
    texts = [part if isinstance(part, str) else part.get("text") for part in parts if isinstance(part, str | dict)]
    message["content"] = "".join(text for text in texts if isinstance(text, str))
    return True


def _status(error: Any) -> int:
    error = error if isinstance(error, dict) else {"message": str(error)}
    code = error.get("code")
    if str(code).isdecimal() and 400 <= int(code) < 600:
        return int(code)
    words = f"{code} {error.get('type')}"
    return next((status for pattern, status in _STATUS if re.search(pattern, words, re.I)), 500)


def _sayable(value: Any) -> Any:
    if isinstance(value, str):
        return sayable(value)
    if isinstance(value, dict):
        return {sayable(name): _sayable(inner) for name, inner in value.items()}
    return [_sayable(inner) for inner in value] if isinstance(value, list) else value
