"""A provider of one's own: a function that takes messages and gives an answer."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import inspect
import re
import threading
from collections.abc import Awaitable, Callable
from typing import Any

from hallumaze_kit.ask.replies import sayable
from hallumaze_kit.errors import InputError

Said = str | tuple[str, str]
"""An answer, or (answer, stop reason)."""
Answerer = Callable[..., Said | Awaitable[Said]]
STOPS = ("stop", "max_tokens", "model_length", "content_filter", "unknown")
"""Stop reasons that an answer can have, as Inspect names them."""
_OWN: dict[str, Answerer] = {}


def own_providers() -> tuple[str, ...]:
    """The names under which functions are registered."""
    return tuple(_OWN)


def register_provider(name: str, answer: Answerer) -> None:
    """Make `answer` a provider: models are then called `name/model` wherever a model is named.

    `answer(messages, model=…, seed=…, max_tokens=…, temperature=…)` gets the conversation as a list of
    {"role", "content"}, the part of the model's name after the slash, and what was asked for; it may leave out what it
    does not use and end with `**settings`. It gives the text, or (text, stop reason) with Inspect's names
    (`STOPS`). An ordinary function runs in a thread, a coroutine where it is. What it raises is retried if it is a
    connection error or a timeout, and recorded in any case. `attempt_timeout` bounds both; a thread is not stopped by
    it, only left behind.

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
            text, stop_reason = await _call(_OWN[name], messages, {"model": self.model_name, **settings})
            return ModelOutput.from_content(self.model_name, text, stop_reason)  # type: ignore[arg-type]

        def should_retry(self, ex: BaseException) -> bool:
            return isinstance(ex, ConnectionError | TimeoutError)

        def connection_key(self) -> str:
            return name

    modelapi(name)(OwnAPI)


async def _call(answer: Answerer, messages: list[dict[str, str]], settings: dict[str, Any]) -> tuple[str, str]:
    """(answer, stop reason) of a function; `TypeError` where it gives something else."""
    if inspect.iscoroutinefunction(answer):
        said = await answer(messages, **settings)
    else:
        said = await _in_thread(lambda: answer(messages, **settings))
        if inspect.isawaitable(said):
            said = await said
    text, stop_reason = (said, "stop") if isinstance(said, str) else _pair(said)
    if stop_reason not in STOPS:
        raise TypeError(f"the stop reason must be one of {', '.join(STOPS)}, got {stop_reason!r}")
    return sayable(text), stop_reason


def _pair(said: Any) -> tuple[str, str]:
    if isinstance(said, tuple | list) and len(said) == 2 and all(isinstance(part, str) for part in said):
        return said[0], said[1]
    raise TypeError(f"a provider must give a text, or (text, stop reason), got {type(said).__name__}")


async def _in_thread(work: Callable[[], Any]) -> Any:
    """What `work` gives, from a thread of its own, which is left behind when the wait for it is broken off.

    A thread cannot be stopped: after a timeout or an interruption it goes on to its end, and nobody hears it. It keeps
    no program from ending.
    """
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    context = contextvars.copy_context()

    def tell(settle: Callable[[Any], None], value: Any) -> None:
        if not future.done():
            settle(value)

    def run() -> None:
        try:
            settled = future.set_result, context.run(work)
        except Exception as error:
            stopped = isinstance(error, StopIteration)  # which no future can hold
            settled = future.set_exception, RuntimeError(f"StopIteration: {error}") if stopped else error
        except BaseException as error:
            settled = future.set_exception, RuntimeError(f"{type(error).__name__}: {error}")
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(tell, *settled)

    threading.Thread(target=run, name="answer", daemon=True).start()
    return await future
