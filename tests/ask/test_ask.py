"""The door to models, against a server that misbehaves as told: outcomes, retries, keys."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from typing import NamedTuple

import pytest
from ask.server import GOOD, Scripted, serving

from hallumaze_kit import LLM, register_provider
from hallumaze_kit.ask import AskError, ask, key_variable, open_role
from hallumaze_kit.ask.replies import failure, one_line, outcome_of
from hallumaze_kit.ask.secrets import REMOVED, check_options, cleaned, known_secrets
from hallumaze_kit.errors import InputError

KEY = "sk-test-5f3c9a1b2d4e"
MESSAGES = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "a maze"}]


@pytest.fixture(scope="module")
def server():
    with serving(Scripted()) as scripted:
        yield scripted


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("LAB_API_KEY", KEY)


def lab(server, model, **options):
    known = {"max_retries": 2, "retry_wait": 0.01, "attempt_timeout": 5} | options
    return LLM(f"openai-api/lab/{model}", base_url=server.url, **known)


@pytest.mark.parametrize(
    ("model", "outcome", "requests"),
    [
        ("good", "answered", 1), ("flaky", "answered", 3), ("limited", "rate limited", 3),
        ("broken", "server error", 3), ("cut-json", "garbled", 3),
        ("html", "garbled", 3), ("empty", "empty", 1), ("length", "cut off", 1),
        ("filter", "filtered", 1), ("echo-error", "rejected", 1), ("gone", "unknown model", 1), ("denied", "denied", 1),
    ],
)  # fmt: skip
def test_everything_a_server_does_is_an_outcome(server, model, outcome, requests):
    before = server.count(model)
    reply = ask(lab(server, model), MESSAGES)
    assert reply.outcome == outcome
    assert server.count(model) - before == requests, "retries are bounded, and nobody else retries"
    assert (reply.text == GOOD) == (outcome in ("answered", "cut off", "filtered"))
    assert bool(reply.error) == (outcome not in ("answered", "empty", "cut off", "filtered"))
    assert "\n" not in reply.error and KEY not in reply.error


def test_a_server_that_hangs_is_given_up(server):
    began = time.monotonic()
    reply = ask(lab(server, "hang", max_retries=1, attempt_timeout=1), MESSAGES)
    assert reply.outcome == "timed out" and time.monotonic() - began < 15


def test_no_server_at_all():
    reply = ask(LLM("openai-api/lab/x", base_url="http://127.0.0.1:9/v1", max_retries=0), MESSAGES)
    assert reply.outcome == "unreachable" and reply.error


def test_what_was_asked_and_what_came_back_is_told(server):
    reply = ask(lab(server, "good"), MESSAGES, max_tokens=77, seed=5)
    assert reply.taken == {"temperature": 0.0, "seed": 5, "max_tokens": 77}
    assert (reply.model, reply.tokens_in, reply.tokens_out, reply.stop_reason) == ("good-2026", 10, 5, "stop")
    sent = server.asked[-1]
    assert [m["content"] for m in sent["messages"]] == ["be brief", "a maze"]


def test_where_a_temperature_is_refused_it_is_left_out_and_the_record_says_so():
    class Strict(Scripted):
        def respond(self, body, key):
            status, kind, text = super().respond(body, key)
            if "temperature" in body:
                return 400, "application/json", '{"error": {"message": "temperature is not supported", "type": "x"}}'
            return status, kind, text

    with serving(Strict()) as server:
        reply = ask(lab(server, "good"), MESSAGES, seed=1)
        assert reply.outcome == "answered" and "temperature" not in reply.taken and reply.taken["seed"] == 1
        assert server.count("good") == 2


def test_a_key_that_a_server_sends_back_goes_nowhere(server):
    reply = ask(lab(server, "echo-answer"), MESSAGES)
    assert reply.outcome == "answered" and KEY not in reply.text and REMOVED in reply.text and GOOD in reply.text
    assert REMOVED in ask(lab(server, "echo-error"), MESSAGES).error


def test_it_works_in_a_running_loop(server):
    async def cell():
        return ask(lab(server, "good"), MESSAGES)

    assert asyncio.run(cell()).outcome == "answered"


# ---- what cannot be asked -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("openai/gpt-4o", "environment variable OPENAI_API_KEY"),
        ("anthropic/claude-sonnet-4-20250514", "environment variable ANTHROPIC_API_KEY"),
        ("google/gemini-2.5-flash", "environment variable GOOGLE_API_KEY"),
        ("deepseek/deepseek-reasoner", "environment variable DEEPSEEK_API_KEY"),
        ("openai-api/other-lab/x", "environment variable OTHER_LAB_API_KEY"),
        ("nonsense/x", "there is no provider 'nonsense'"),
    ],
)
def test_a_missing_key_or_provider_is_one_line_that_names_it(monkeypatch, model, says):
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "DEEPSEEK_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(AskError, match=says) as caught:
        ask(model, MESSAGES)
    assert "\n" not in str(caught.value) and "[bold]" not in str(caught.value)


def test_a_missing_package_is_one_line_that_names_it(monkeypatch):
    monkeypatch.setattr("hallumaze_kit.ask.models._installed", lambda package: False)
    monkeypatch.setenv("GOOGLE_API_KEY", "x" * 20)
    with pytest.raises(AskError, match="needs the package google-genai: pip install google-genai"):
        ask("google/gemini-2.5-flash", MESSAGES)


def test_the_main_model_never_stands_in_for_a_role():
    with pytest.raises(AskError, match="Nobody can play the role 'judge'"):
        open_role("judge")


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "gpt-4o"}, {"name": "openai/"}, {"name": "openai/gpt 4o"}, {"name": 5}, {"temperature": 3},
        {"temperature": True}, {"max_retries": -1}, {"attempt_timeout": 0}, {"max_connections": 0}, {"retry_wait": -1},
    ],
)  # fmt: skip
def test_wrong_arguments(wrong):
    with pytest.raises(InputError):
        LLM(**({"name": "openai/gpt-4o"} | wrong))


@pytest.mark.parametrize(
    "wrong",
    [
        {"options": {"api_key": "abc"}}, {"options": {"extra_headers": {"X": "y"}}},
        {"options": {"extra_body": {"a": KEY}}},
        {"options": {"extra_body": {"user_token": "abc"}}}, {"options": {"default_headers": {}}},
        {"base_url": "https://me:secret@host/v1"}, {"base_url": "https://host/v1?key=abc"},
        {"base_url": f"https://host/{KEY}"},
        {"base_url": "host:80"},
    ],
)  # fmt: skip
def test_anything_that_carries_a_key_is_refused_and_not_repeated(wrong):
    with pytest.raises(InputError) as caught:
        LLM("openai-api/lab/x", **wrong)
    assert not any(secret in str(caught.value) for secret in (KEY, "secret@", "abc"))


def test_harmless_options_are_let_pass():
    check_options({"extra_body": {"provider": {"order": ["a"]}}, "max_tokens": 5, "stream": False})


def test_the_variable_of_the_key():
    assert key_variable(LLM("openai/gpt-4o")) == "OPENAI_API_KEY"
    assert key_variable(LLM("openai-api/my-lab/x")) == "MY_LAB_API_KEY"
    assert key_variable(LLM("openai-api/my-lab/x", key_env="OTHER")) == "OTHER"
    assert key_variable(LLM("ollama/llama3.1")) == key_variable(LLM("synthetic/careful")) == ""


def test_short_values_are_no_keys(monkeypatch):
    monkeypatch.setenv("OLLAMA_API_KEY", "ollama")
    assert "ollama" not in known_secrets() and KEY in known_secrets()
    assert cleaned(f"a {KEY} b", known_secrets()) == f"a {REMOVED} b"


# ---- a provider of one's own ----------------------------------------------------------------------


def test_a_provider_is_a_function():
    seen = {}

    def answer(messages, model, seed, **settings):
        seen.update(messages=messages, model=model, seed=seed, **settings)
        return f"{model} says hello"

    register_provider("mine", answer)
    reply = ask(LLM("mine/big/one"), MESSAGES, max_tokens=9, seed=3)
    assert (reply.text, reply.outcome) == ("big/one says hello", "answered")
    assert seen == {"messages": MESSAGES, "model": "big/one", "seed": 3, "max_tokens": 9, "temperature": 0.0}
    register_provider("mine", lambda messages, **_: ("half an ans", "max_tokens"))
    assert ask("mine/x", MESSAGES).outcome == "cut off"
    register_provider("mine", lambda messages, **_: "")
    assert ask("mine/x", MESSAGES).outcome == "empty"


def test_what_a_provider_raises_is_recorded_and_a_lost_connection_tried_again():
    calls = []

    def broken(messages, **_):
        calls.append(1)
        raise ConnectionError("no route") if len(calls) < 3 else ValueError("my own fault")

    register_provider("mine", broken)
    reply = ask(LLM("mine/x", max_retries=5, retry_wait=0.01), MESSAGES)
    assert (reply.outcome, len(calls)) == ("failed", 3) and "my own fault" in reply.error


@pytest.mark.parametrize("wrong", [("Big", len), ("a b", len), ("", len), ("mine", "no function")])
def test_what_is_no_provider(wrong):
    with pytest.raises(InputError):
        register_provider(*wrong)


def test_an_error_of_any_make_is_recorded_without_the_key():
    class Where(NamedTuple):
        host: str
        key: str

    def broken(messages, **_):
        error = ConnectionError(Where("host", KEY), [f"tried with {KEY}"])
        error.body = {"sent": [KEY]}
        raise error

    register_provider("mine", broken)
    reply = ask(LLM("mine/x", max_retries=0), MESSAGES)
    assert reply.outcome == "failed" and KEY not in reply.error


@pytest.mark.parametrize(
    "model",
    ["anthropic/claude-sonnet-4-20250514", "openai/gpt-4o", "google/gemini-2.5-flash", "deepseek/deepseek-chat"],
)
def test_the_documents_providers_open_with_a_key_and_say_what_is_out_of_reach(monkeypatch, model):
    monkeypatch.setenv(f"{model.split('/')[0].upper()}_API_KEY", KEY)
    code = (
        "from hallumaze_kit.ask import LLM, ask\n"
        f"model = LLM({model!r}, base_url='http://127.0.0.1:9/v1', max_retries=0, attempt_timeout=20)\n"
        "reply = ask(model, [{'role': 'user', 'content': 'a maze'}])\nprint(reply.outcome, '|', reply.error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.stdout.startswith("unreachable | ") and KEY not in done.stdout, done.stdout + done.stderr


# ---- small things ---------------------------------------------------------------------------------


def test_outcomes_of_texts():
    assert outcome_of("x", "stop") == "answered" and outcome_of(" \n", "stop") == "empty"
    assert outcome_of("", "max_tokens") == outcome_of("x", "model_length") == "cut off"


class Status(Exception):
    def __init__(self, status_code):
        super().__init__("told")
        self.status_code = status_code


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (Status(429), "rate limited"), (Status(503), "server error"), (Status(404), "unknown model"),
        (Status(403), "denied"),
        (Status(422), "rejected"), (Status(408), "timed out"), (TimeoutError(), "timed out"), (OSError("x"), "failed"),
        (ConnectionRefusedError("x"), "unreachable"), (ExceptionGroup("g", [Status(429)]), "rate limited"),
    ],
)  # fmt: skip
def test_failures(error, outcome):
    assert failure(error)[0] == outcome and failure(error)[1]


def test_one_line():
    assert one_line("[bold]ERROR[/bold]: a\n\n  b [key removed]") == "ERROR: a b [key removed]"
    assert len(one_line("x" * 1000)) == 300
