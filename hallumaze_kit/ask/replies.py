"""What comes back from a model: the text and the outcome, whatever went wrong on the way."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hallumaze_kit.errors import KitError
from hallumaze_kit.records.result import KEPT

FATAL = ("denied", "unknown model", "unreachable")
"""Outcomes that every other trial of the same model would meet as well."""
OUTCOMES = (*KEPT, "rate limited", "server error", "timed out", "garbled", "rejected", *FATAL, "failed")
"""How asking can end.

answered       text came, and the provider says that it is whole
empty          the provider says that all went well, but there is no text
cut off        the text ends at the limit of tokens
filtered       the provider withheld it
rate limited   429, still after all retries
server error   5xx, still after all retries
timed out      no answer in the time allowed
garbled        what came is no answer of the interface: half a JSON text, a web page
rejected       the request was refused as it stands (400, 422)
denied         the key is wrong or may not do this (401, 403)
unknown model  there is no such model (404)
unreachable    no connection to the address
failed         anything else
"""
_STOPS = {"max_tokens": "cut off", "model_length": "cut off", "content_filter": "filtered"}
_LONGEST_ERROR = 300
_THOUGHT = re.compile(r"<(think|thinking)>.*?</\1>", re.I | re.S)
"""Thinking that stands in the text is no answer."""
_UNREACHED = {"ConnectError", "ClientConnectorError", "ClientConnectorDNSError", "gaierror", "ConnectionRefusedError"}
"""Nobody is at the address; a connection that breaks later is a fault of this request only."""


class AskError(KitError):
    """A model cannot be asked at all: no key, no package, no such provider, a wrong name, no connection."""


class Told(Exception):
    """An error of a provider as it is passed on: its words without keys, and nothing that hung on it."""

    outcome = "failed"
    retry: Any = False
    status_code: int | None = None


@dataclass(frozen=True)
class Reply:
    """What came back for one request.

    text           what the model said, byte for byte, without its reasoning; "" where nothing came. A half of a
                   character (a lone surrogate), which no file can hold, is U+FFFD
    outcome        one of `OUTCOMES`
    stop_reason    the provider's, as Inspect names it ("stop", "max_tokens", "content_filter" …)
    error          what went wrong, in one line without secrets; "" where nothing did
    model          the id that the provider gave back
    reasoning      its reasoning, where the provider shows it
    tokens_in, tokens_out   as the provider counts them
    seconds        time of the attempt that came through
    taken          parameters that the request really carried, by name; empty where it cannot be seen
    """

    text: str = ""
    outcome: str = "answered"
    stop_reason: str = ""
    error: str = ""
    model: str = ""
    reasoning: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    taken: Mapping[str, Any] = field(default_factory=dict)


def outcome_of(text: str, stop_reason: str) -> str:
    """The outcome of a reply that came, by its text and the provider's stop reason."""
    if stop_reason in _STOPS:
        return _STOPS[stop_reason]
    return "answered" if _THOUGHT.sub("", text).strip() else "empty"


def failure(error: BaseException) -> tuple[str, str]:
    """(outcome, what was said) for what was raised while asking; the words may still hold a key."""
    causes = list(_causes(error))
    told = next((cause for cause in causes if isinstance(cause, Told)), None)
    if told:
        return told.outcome, str(told)
    names = {type(cause).__name__ for cause in causes}
    status = next(filter(None, map(_status, causes)), None)
    if any("Timeout" in name for name in names) or any(isinstance(cause, TimeoutError) for cause in causes):
        outcome = "timed out"
    elif status is not None:
        outcome = _of_status(status)
    elif names & _UNREACHED:
        outcome = "unreachable"
    elif any(isinstance(cause, json.JSONDecodeError) for cause in causes) or names & {
        "OpenAIResponseError", "APIResponseValidationError", "ValidationError",
    }:  # fmt: skip
        outcome = "garbled"
    else:
        outcome = "failed"
    return outcome, _said(causes) or type(causes[-1]).__name__


def sayable(text: str) -> str:
    """The text with every half of a character (a lone surrogate) as U+FFFD; pairs of halves are joined.

    >>> sayable("a\\ud83d b")
    'a\ufffd b'
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def one_line(text: str) -> str:
    """The text on one line, without the markup of a console, at most 300 characters."""
    plain = re.sub(r"\[/?(?:bold|blue|red|green|yellow|italic|link|dim)\b[^\]]*\]", "", text)
    plain = " ".join(sayable(plain).split())
    return plain if len(plain) <= _LONGEST_ERROR else f"{plain[: _LONGEST_ERROR - 1]}…"


def _of_status(status: int) -> str:
    if status == 429:
        return "rate limited"
    if status in (401, 403):
        return "denied"
    if status == 404:
        return "unknown model"
    if status in (408, 504):
        return "timed out"
    if 400 <= status < 500:
        return "rejected"
    return "server error" if status >= 500 else "failed"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what lies under it, outermost first."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        attempt = getattr(error, "last_attempt", None)
        group = getattr(error, "exceptions", None)
        if attempt is not None and attempt.failed:
            error = attempt.exception()
        elif group:
            error = group[0]
        else:
            error = error.__cause__


def _status(error: BaseException) -> int | None:
    for name in ("status_code", "code"):
        value = getattr(error, name, None)
        if isinstance(value, int) and 400 <= value < 600:
            return value
    return None


def _said(causes: list[BaseException]) -> str:
    """The provider's words, else those of the innermost error."""
    for cause in causes:
        message = getattr(cause, "provider_message", None)
        if isinstance(message, str) and message:
            return message
    for cause in reversed(causes):
        with contextlib.suppress(Exception):  # an error whose words cannot be made has none
            if str(cause):
                return f"{type(cause).__name__}: {cause}"
    return ""
