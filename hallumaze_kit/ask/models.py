"""Which model, how it is asked, and the asking itself."""

from __future__ import annotations

import importlib.util
import json
import os
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hallumaze_kit.ask.providers import own_providers
from hallumaze_kit.ask.replies import AskError, Reply, failure, one_line, outcome_of
from hallumaze_kit.ask.secrets import check_address, check_options, cleaned, known_secrets
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
PARAMETERS = ("temperature", "seed", "top_p", "max_tokens", "max_completion_tokens", "reasoning_effort", "reasoning")
"""What is looked for in a request, to record what was really taken."""
TAKEN = "hallumaze_taken"
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
    max_retries      how often a rate limit, a server error or a timeout is tried again
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
        parts = self.name.split("/") if isinstance(self.name, str) else []
        if len(parts) < 2 or not all(part.strip() for part in parts) or any(c.isspace() for c in self.name):
            mend = "For example openai/gpt-4o, anthropic/claude-sonnet-4-20250514 or synthetic/careful."
            raise InputError("model", self.name, "provider/model", mend)
        check_address(self.base_url)
        check_options(self.options)
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
    # The provider's own package would retry as well, out of sight.
    quiet = {"max_retries": 0} if model.provider in (*PACKAGES, "openai-api") and model.provider != "google" else {}
    try:
        opened = inspect_model.get_model(
            model.name,
            base_url=model.base_url or None,
            api_key=key if model.key_env else None,
            config=config,
            memoize=False,
            **(quiet | dict(model.options)),
        )
    except Exception as error:
        raise AskError(_unopened(model, error)) from None
    return guarded(opened, [key], model.retry_wait)


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

    Where the model refuses a temperature, it is asked without one. Replies are never taken from a cache.
    """
    from inspect_ai.model import GenerateConfig

    config = GenerateConfig(
        max_tokens=max_tokens, seed=seed, temperature=temperature, reasoning_effort=effort or None, cache=False
    )
    began = time.monotonic()
    outcome, error = "", ""
    for _ in range(1 + GARBLED_AGAIN):
        try:
            output = await opened.generate(_chat(messages), config=config)
        except Exception as raised:
            outcome, error = failure(raised)
            error = one_line(cleaned(error, getattr(opened.api.generate, "secrets", known_secrets())))
            if outcome == "rejected" and "temperature" in error.lower() and config.temperature is not None:
                config = config.model_copy(update={"temperature": None})
            elif outcome != "garbled" or type(raised).__name__ == "RetryError":
                break
        else:
            return _reply(output, time.monotonic() - began)
    return Reply(outcome=outcome, error=error, seconds=time.monotonic() - began)


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


def _unopened(model: LLM, error: Exception) -> str:
    """One line for what Inspect says when a model cannot be opened."""
    said = one_line(cleaned(str(getattr(error, "message", "") or error), known_secrets()))
    if "not recognized" in said or "not found" in said.lower():
        known = ", ".join((*KEYS, "ollama", "vllm", "openai-api", *own_providers()))
        return f"{model.name}: there is no provider {model.provider!r}. Known are {known}."
    return f"{model.name} cannot be opened: {said.removeprefix('ERROR: ')}"


def guarded(opened: Model, keys: Sequence[str] = (), retry_wait: float | None = None) -> Model:
    """The model, with keys taken out of all that its provider gives back before Inspect sees or logs it.

    What the request really carried is noted on the way. Guarding twice changes nothing.
    """
    api: Any = opened.api
    if getattr(api.generate, "guards", False):
        return opened
    generate = api.generate
    secrets = known_secrets(key for key in (*keys, getattr(api, "api_key", None)) if key)

    async def through(*args: Any, **kwargs: Any) -> Any:
        try:
            given = await generate(*args, **kwargs)
        except Exception as error:
            _clean_error(error, secrets)
            raise
        output, call = given if isinstance(given, tuple) else (given, None)
        if isinstance(output, Exception):
            _clean_error(output, secrets)
        else:
            output = _cleaned_model(output, secrets)
            output.metadata = (output.metadata or {}) | {TAKEN: _taken(call, kwargs.get("config") or args[-1])}
        return output if call is None else (output, _cleaned_model(call, secrets))

    through.guards, through.secrets = True, secrets  # type: ignore[attr-defined]
    api.generate = through
    if retry_wait is not None:
        from tenacity import wait_exponential_jitter

        api.retry_wait = lambda: wait_exponential_jitter(initial=retry_wait, max=600, jitter=retry_wait)
    return opened


def _cleaned_model(value: Any, secrets: Sequence[str]) -> Any:
    """A pydantic model without the secrets; itself where there are none in it."""
    if not secrets:
        return value
    text = value.model_dump_json()
    written = [json.dumps(secret, ensure_ascii=False)[1:-1] for secret in secrets]
    if not any(secret in text for secret in written):
        return value
    return type(value).model_validate_json(cleaned(text, written))


def _clean_error(error: Exception, secrets: Sequence[str]) -> None:
    """Take the secrets out of an error's texts; its type decides about retries, so it stays."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        cause.args = tuple(_cleaned_value(a, secrets) for a in cause.args)
        for name, value in list(vars(cause).items()):
            if isinstance(value, str | dict | list):
                setattr(cause, name, _cleaned_value(value, secrets))
        cause = cause.__cause__ or cause.__context__


def _cleaned_value(value: Any, secrets: Sequence[str]) -> Any:
    if isinstance(value, str):
        return cleaned(value, secrets)
    if isinstance(value, Mapping):
        return {key: _cleaned_value(inner, secrets) for key, inner in value.items()}
    if type(value) in (list, tuple):  # named tuples of other packages are left as they are
        return type(value)(_cleaned_value(inner, secrets) for inner in value)
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
