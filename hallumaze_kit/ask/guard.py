"""What stands between a provider and Inspect: nothing that a provider gives back passes with a key in it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hallumaze_kit.ask.replies import Told, failure, one_line, sayable
from hallumaze_kit.ask.secrets import cleaned, known_secrets, written
from hallumaze_kit.ask.wire import mend_replies

if TYPE_CHECKING:
    from inspect_ai.model import GenerateConfig, Model

PARAMETERS = ("temperature", "seed", "top_p", "max_tokens", "max_completion_tokens", "reasoning_effort", "reasoning")
"""What is looked for in a request, to record what was really taken."""
TAKEN = "hallumaze_taken"
KNOCKS = 2
"""How often an address where nobody has answered yet is tried again; it is wrong, or the server is not running."""
KNOCK_WAIT = 1.0
"""Seconds before the first of them, at most."""


def guarded(
    opened: Model, keys: Sequence[str] = (), retry_wait: float | None = None, max_retries: int = KNOCKS
) -> Model:
    """The model, with keys taken out of all that its provider gives back before Inspect sees or logs it.

    What the request really carried is noted on the way. An error is replaced by a `Told` of ours, so that nothing that
    hangs on it is written anywhere; whether it is retried is decided by the error that it stands for. Where nobody has
    ever been at the address, two quick tries are enough. Guarding twice changes nothing.
    """
    api: Any = opened.api
    if getattr(api.generate, "guards", False):
        return opened
    generate, should_retry = api.generate, api.should_retry
    own = tuple(key for key in (*keys, getattr(api, "api_key", None)) if key)
    pause = KNOCK_WAIT if retry_wait is None else min(retry_wait, KNOCK_WAIT)
    reached = False

    async def once(*args: Any, **kwargs: Any) -> Any:
        mend_replies(api)
        try:
            given = await generate(*args, **kwargs)
        except Exception as error:
            return _told(error, should_retry, own), None
        output, call = given if isinstance(given, tuple) else (given, None)
        return (_told(output, should_retry, own) if isinstance(output, Exception) else output), call

    async def through(*args: Any, **kwargs: Any) -> Any:
        nonlocal reached
        output, call = await once(*args, **kwargs)
        for knock in range(min(max_retries, KNOCKS)):
            if reached or not _unreached(output):
                break
            await asyncio.sleep(pause * 2**knock)
            output, call = await once(*args, **kwargs)
        if not _unreached(output):
            reached = True
        elif not reached:
            output.retry = False
        secrets = known_secrets(own)
        if isinstance(output, Told):
            if call is None:
                raise output
        else:
            output = _cleaned_model(output, secrets)
            output.metadata = (output.metadata or {}) | {TAKEN: _taken(call, kwargs.get("config") or args[-1])}
        return output if call is None else (output, _cleaned_model(call, secrets))

    through.guards, through.keys = True, known_secrets(own)  # type: ignore[attr-defined]
    api.generate = through
    api.should_retry = lambda error: error.retry if isinstance(error, Told) else should_retry(error)
    if retry_wait is not None:
        from tenacity import wait_exponential_jitter

        api.retry_wait = lambda: wait_exponential_jitter(initial=retry_wait, max=600, jitter=retry_wait)
    return opened


def _unreached(output: Any) -> bool:
    return isinstance(output, Told) and output.outcome == "unreachable"


def _told(error: Exception, should_retry: Any, keys: Sequence[str]) -> Told:
    """What is kept of an error: the outcome, the words without keys, whether it is tried again."""
    outcome, said = failure(error)
    # Two passing faults that Inspect knows by their type and retries for every provider.
    passing = type(error).__name__ == "NoStreamDataError" or (
        isinstance(error, AttributeError) and error.name == "call_soon"
    )
    told = Told(one_line(cleaned(said, known_secrets(keys))))
    told.outcome, told.retry = outcome, passing or should_retry(error)
    status = getattr(error, "status_code", None)
    told.status_code = status if isinstance(status, int) else None
    return told


def _cleaned_model(value: Any, secrets: Sequence[str]) -> Any:
    """A pydantic model without the secrets and without halves of characters; itself where there are none in it."""
    try:
        text = value.model_dump_json()
    except ValueError:
        return type(value).model_validate(_cleaned_value(value.model_dump(), secrets))
    forms = [form for secret in secrets for form in written(secret)]
    return type(value).model_validate_json(cleaned(text, secrets)) if any(form in text for form in forms) else value


def _cleaned_value(value: Any, secrets: Sequence[str]) -> Any:
    if isinstance(value, str):
        return cleaned(sayable(value), secrets)
    if isinstance(value, Mapping):
        return {_cleaned_value(name, secrets): _cleaned_value(inner, secrets) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned_value(inner, secrets) for inner in value]
    return value


def _taken(call: Any, config: GenerateConfig) -> dict[str, Any]:
    """The parameters that the request carried; for a provider of one's own, what it was handed."""
    if call is None:
        return {name: value for name in PARAMETERS if (value := getattr(config, name, None)) is not None}
    request = call.request if isinstance(call.request, Mapping) else {}
    inner = next(
        (request[name] for name in ("config", "generation_config") if isinstance(request.get(name), Mapping)), {}
    )
    found = {name: value for name in PARAMETERS if (value := request.get(name, inner.get(name))) is not None}
    return {name: value for name, value in found.items() if isinstance(value, str | int | float | Mapping)}
