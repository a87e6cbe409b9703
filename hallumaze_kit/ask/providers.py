"""A provider of one's own: a function that takes messages and gives an answer."""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable
from typing import Any

from hallumaze_kit.errors import InputError

Said = str | tuple[str, str]
"""An answer, or (answer, stop reason)."""
Answerer = Callable[..., Said | Awaitable[Said]]
_OWN: dict[str, Answerer] = {}


def own_providers() -> tuple[str, ...]:
    """The names under which functions are registered."""
    return tuple(_OWN)


def register_provider(name: str, answer: Answerer) -> None:
    """Make `answer` a provider: models are then called `name/model` wherever a model is named.

    `answer(messages, model=…, seed=…, max_tokens=…, temperature=…)` gets the conversation as a list of
    {"role", "content"}, the part of the model's name after the slash, and what was asked for; it may leave out what it
    does not use and end with `**settings`. It gives the text, or (text, stop reason) with Inspect's names
    ("stop", "max_tokens", "content_filter"). An ordinary function runs in a thread, a coroutine where it is. What it
    raises is retried if it is a connection error or a timeout, and recorded in any case.

    Registering a name again replaces the function. Raises `InputError` for a name that is no plain word and for
    something that cannot be called.
    """
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        raise InputError("name", name, "a word of small letters, digits, '-' and '_'")
    if not callable(answer):
        raise InputError("answer", answer, "a function (messages, model, seed, max_tokens, temperature)")
    new = name not in _OWN
    _OWN[name] = answer
    if new:
        _register(name)


def _register(name: str) -> None:
    from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi

    class OwnAPI(ModelAPI):
        """The provider as Inspect knows it."""

        async def generate(
            self, input: list[ChatMessage], tools: Any, tool_choice: Any, config: GenerateConfig
        ) -> ModelOutput:
            messages = [{"role": message.role, "content": message.text} for message in input]
            settings = {"seed": config.seed, "max_tokens": config.max_tokens, "temperature": config.temperature}
            said = await _call(_OWN[name], messages, {"model": self.model_name, **settings})
            text, stop_reason = (said, "stop") if isinstance(said, str) else said
            return ModelOutput.from_content(self.model_name, text, stop_reason)  # type: ignore[arg-type]

        def should_retry(self, ex: BaseException) -> bool:
            return isinstance(ex, ConnectionError | TimeoutError)

        def connection_key(self) -> str:
            return name

    modelapi(name)(OwnAPI)


async def _call(answer: Answerer, messages: list[dict[str, str]], settings: dict[str, Any]) -> Said:
    if inspect.iscoroutinefunction(answer):
        return await answer(messages, **settings)
    from anyio.to_thread import run_sync

    return await run_sync(lambda: answer(messages, **settings))
