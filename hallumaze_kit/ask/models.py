"""Which model, how it is asked, and the asking itself."""

from __future__ import annotations

import importlib.util
import os
import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hallumaze_kit.ask.guard import TAKEN, guarded
from hallumaze_kit.ask.providers import own_providers
from hallumaze_kit.ask.replies import AskError, Reply, failure, one_line, outcome_of
from hallumaze_kit.ask.secrets import check_address, check_options, check_plain, check_variable, cleaned, known_secrets
from hallumaze_kit.errors import InputError, check_whole

if TYPE_CHECKING:
    from inspect_ai.model import GenerateConfig, Model, ModelOutput

KEYS = {
    "anthropic": "ANTHROPIC_API_KEY",
    "openai": "OPENAI_API_KEY",
    "google": "GOOGLE_API_KEY",
    "deepseek": "DEEPSEEK_API_KEY",
    "mistral": "MISTRAL_API_KEY",
    "grok": "XAI_API_KEY",
    "groq": "GROQ_API_KEY",
    "together": "TOGETHER_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
}
"""Variable that holds the key of a provider."""
PACKAGES = {"openai": "openai", "deepseek": "openai", "anthropic": "anthropic", "google": "google.genai"}
"""Package that a provider needs, where it is not Inspect itself."""
PIP = {"google.genai": "google-genai"}
DROPPED = ("temperature", "seed")
"""What is left out where a model refuses it; the record says that it was not taken."""
USUAL = {"emulate_tools": False, "strict_tools": True, "stream": "auto", "streaming": "auto", "betas": []}
"""Options of Inspect's providers that are as they are by themselves; None is so for all."""
GARBLED_AGAIN = 2
"""How often a garbled reply is asked for again; Inspect retries the rest."""


@dataclass(frozen=True)
class LLM:
    """A language model and how it is asked.

    name             "provider/model", as Inspect AI names them: "anthropic/claude-sonnet-4-20250514", "openai/gpt-4o",
                     "google/gemini-2.5-flash", "deepseek/deepseek-reasoner", "ollama/llama3.1", "vllm/…";
                     "openai-api/<service>/<model>" with `base_url` for any OpenAI-compatible address; a provider of
                     your own (`register_provider`); "synthetic/careful" in the kit
    base_url         address of the server, where it is not the provider's own
    key_env          variable that holds the key, where it is not the provider's own; the key itself is never given
    temperature      0 by default; None leaves it to the provider. Where a model refuses it, it is left out, and the
                     record says what was taken
    effort           reasoning effort ("low", "medium", "high" …), "" leaves it to the provider
    max_retries      how often a rate limit, a server error or a timeout is tried again; an address where nobody has
                     answered yet gets two quick tries at most
    retry_wait       seconds before the first retry; doubled each time, with jitter
    attempt_timeout  seconds that one attempt may take; a server that hangs is given up after them
    max_connections  requests at once
    options          further arguments of Inspect's provider; no keys, no headers

    Raises `InputError` for a value outside these and for anything that carries a key.
    """

    name: str
    base_url: str = ""
    key_env: str = ""
    temperature: float | None = 0.0
    effort: str = ""
    max_retries: int = 5
    retry_wait: float = 3.0
    attempt_timeout: int = 300
    max_connections: int = 10
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_variable(self.key_env)
        keys = [os.environ.get(self.key_env, "")] if self.key_env else []
        check_plain("model", self.name, keys)
        check_plain("effort", self.effort, keys)
        parts = self.name.split("/") if isinstance(self.name, str) else []
        if len(parts) < 2 or not all(part.strip() for part in parts) or any(c.isspace() for c in self.name):
            mend = "For example openai/gpt-4o, anthropic/claude-sonnet-4-20250514 or synthetic/careful."
            raise InputError("model", self.name, "provider/model", mend)
        check_address(self.base_url, keys)
        check_options(self.options, keys)
        check_whole("max_retries", self.max_retries, 0, 100)
        check_whole("attempt_timeout", self.attempt_timeout, 1)
        check_whole("max_connections", self.max_connections, 1, 1000)
        for name, value, high in (("temperature", self.temperature, 2), ("retry_wait", self.retry_wait, 3600)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
                raise InputError(name, value, "a number")
            if value is not None and not 0 <= value <= high:
                raise InputError(name, value, f"a number from 0 to {high}")

    @property
    def provider(self) -> str:
        """The part before the first slash."""
        return self.name.split("/", 1)[0]

    @property
    def model(self) -> str:
        """The part behind it."""
        return self.name.split("/", 1)[1]


def key_variable(model: LLM) -> str:
    """The environment variable that holds the model's key; "" where it needs none."""
    if model.key_env:
        return model.key_env
    if model.provider == "openai-api":
        return f"{model.model.split('/')[0].upper().replace('-', '_')}_API_KEY"
    return KEYS.get(model.provider, "")


def open_model(model: LLM) -> Model:
    """The model, ready to be asked with `reply_to`.

    Raises `AskError`, one line, where the package, the provider or the key is missing.
    """
    inspect_model = _inspect()
    missing = next((p for p in (PACKAGES.get(model.provider),) if p and not _installed(p)), None)
    if missing:
        raise AskError(
            f"{model.name} needs the package {PIP.get(missing, missing)}: pip install {PIP.get(missing, missing)}"
        )
    variable = key_variable(model)
    key = os.environ.get(variable, "").strip() if variable else ""
    if variable and not key:
        raise AskError(f"{model.name} needs a key in the environment variable {variable}: set it and run again.")
    config = inspect_model.GenerateConfig(
        max_retries=model.max_retries,
        attempt_timeout=model.attempt_timeout,
        max_connections=model.max_connections,
        adaptive_connections=False,
    )
    try:
        opened = inspect_model.get_model(
            model.name,
            base_url=model.base_url or None,
            api_key=key if model.key_env else None,
            config=config,
            memoize=False,
            **(_quiet(model) | dict(model.options)),
        )
    except Exception as error:
        raise AskError(_unopened(model, error, key)) from None
    return guarded(opened, [key], model.retry_wait, model.max_retries)


def _quiet(model: LLM) -> dict[str, Any]:
    """Arguments without which the provider's own package would retry as well, out of sight."""
    return {"max_retries": 0} if model.provider in (*PACKAGES, "openai-api") and model.provider != "google" else {}


def options_set(model: LLM) -> dict[str, Any]:
    """The options that change something: all but those that are None or what the provider does by itself (`USUAL`)."""
    usual = USUAL | _quiet(model)
    unset = {name for name, value in model.options.items() if value is None or usual.get(name, None) == value}
    return {name: value for name, value in model.options.items() if name not in unset}


def open_role(role: str) -> Model:
    """The model that plays a role in a running Inspect task ("subject", "judge" …).

    Raises `AskError` where nobody was given the role: the main model never stands in for it.
    """
    try:
        return guarded(_inspect().get_model(role=role, required=True))
    except Exception as error:
        said = one_line(cleaned(str(getattr(error, "message", "") or error), known_secrets()))
        raise AskError(f"Nobody can play the role {role!r}: {said}") from None


async def reply_to(
    opened: Model,
    messages: Sequence[Mapping[str, str]],
    max_tokens: int | None = None,
    seed: int | None = None,
    temperature: float | None = 0.0,
    effort: str = "",
) -> Reply:
    """Ask an opened model; whatever happens becomes a `Reply`, nothing is raised but an interruption.

    Where the model refuses a temperature or a seed, it is asked without. Replies are never taken from a cache.
    """
    from inspect_ai.model import GenerateConfig

    config = GenerateConfig(
        max_tokens=max_tokens, seed=seed, temperature=temperature, reasoning_effort=effort or None, cache=False
    )
    began = time.monotonic()
    again = GARBLED_AGAIN
    while True:
        try:
            return _reply(await opened.generate(_chat(messages), config=config), time.monotonic() - began)
        except Exception as raised:
            outcome, error = failure(raised)
            error = one_line(cleaned(error, getattr(opened.api.generate, "keys", ())))
            retried = type(raised).__name__ == "RetryError"
        refused = _refused(error, config) if outcome == "rejected" else ""
        if refused:
            config = config.model_copy(update={refused: None})
        elif outcome == "garbled" and again and not retried:
            again -= 1
        else:
            return Reply(outcome=outcome, error=error, seconds=time.monotonic() - began)


def _refused(error: str, config: GenerateConfig) -> str:
    """The parameter that a request was refused for and can do without; "" where it is none."""
    named = (name for name in DROPPED if re.search(rf"\b{name}\b", error, re.I))
    return next((name for name in named if getattr(config, name) is not None), "")


def ask(
    model: LLM | str, messages: Sequence[Mapping[str, str]], max_tokens: int = 2500, seed: int | None = None
) -> Reply:
    """Ask a model once, from a script or from a notebook.

    `messages` are mappings with "role" ("system", "user", "assistant") and "content". Raises `AskError` where the model
    cannot be asked at all; every other outcome stands in the reply.
    """
    model = LLM(model) if isinstance(model, str) else model

    async def asked() -> Reply:
        return await reply_to(open_model(model), messages, max_tokens, seed, model.temperature, model.effort)

    return run_here(asked())


def run_here(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine to its end, whether or not an event loop is running here (as in Jupyter)."""
    import asyncio
    import threading

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    out: dict[str, Any] = {}

    def work() -> None:
        try:
            out["value"] = asyncio.run(coroutine)
        except BaseException as error:
            out["error"] = error

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join()
    if "error" in out:
        raise out["error"]
    return out["value"]


# ---- Inspect ----------------------------------------------------------------------------------------------


def _inspect() -> Any:
    try:
        import inspect_ai.model as inspect_model
    except ImportError:
        raise AskError("Asking models needs the package inspect-ai: pip install 'hallumaze-kit[models]'") from None
    return inspect_model


def _installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ImportError:
        return False


def _unopened(model: LLM, error: Exception, key: str) -> str:
    """One line for what Inspect says when a model cannot be opened."""
    said = one_line(cleaned(str(getattr(error, "message", "") or error), known_secrets([key])))
    if "not recognized" in said or "not found" in said.lower():
        known = ", ".join((*KEYS, "ollama", "vllm", "openai-api", *own_providers()))
        return f"{model.name}: there is no provider {model.provider!r}. Known are {known}."
    return f"{model.name} cannot be opened: {said.removeprefix('ERROR: ')}"


def _chat(messages: Sequence[Mapping[str, str]]) -> list[Any]:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    return [kinds[message["role"]](content=message["content"]) for message in messages]


def _reply(output: ModelOutput, seconds: float) -> Reply:
    if not output.choices:
        return Reply(outcome="empty", error=one_line(output.error or ""), model=output.model, seconds=seconds)
    message = output.choices[0].message
    parts = message.content if isinstance(message.content, list) else []
    reasoning = "\n".join(part.reasoning for part in parts if part.type == "reasoning")
    stop_reason = output.choices[0].stop_reason
    usage = output.usage
    return Reply(
        text=message.text,
        outcome=outcome_of(message.text, stop_reason),
        stop_reason=stop_reason,
        model=output.model,
        reasoning=reasoning,
        tokens_in=usage.input_tokens if usage else None,
        tokens_out=usage.output_tokens if usage else None,
        seconds=output.time if output.time is not None else seconds,
        taken=(output.metadata or {}).get(TAKEN, {}),
    )


Asker = Callable[[Sequence[Mapping[str, str]]], Awaitable[Reply]]
"""Whoever answers a conversation: a model, a synthetic subject."""
