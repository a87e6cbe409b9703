"""The door to models, against a server that misbehaves as told: outcomes, retries, keys."""

from __future__ import annotations

import asyncio
import inspect
import json
import subprocess
import sys
import time
import traceback
import types
from typing import NamedTuple
from urllib.parse import quote

import pydantic
import pytest
from ask.server import GOOD, Scripted, serving

from hallumaze_kit import LLM, register_provider
from hallumaze_kit.ask import OUTCOMES, AskError, ask, key_variable, open_model, open_role, reply_to
from hallumaze_kit.ask.models import USUAL, run_here
from hallumaze_kit.ask.replies import Told, failure, one_line, outcome_of
from hallumaze_kit.ask.secrets import REMOVED, check_options, cleaned, known_secrets
from hallumaze_kit.ask.wire import mended
from hallumaze_kit.errors import InputError

KEY = "sk-test-5f3c9a1b2d4e"
MINE = "own/key+of-mine:42"
"""The value of a variable whose name does not say that it holds a key."""
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
        ("parts", "answered", 1), ("busy-200", "rate limited", 3), ("error-200", "server error", 3),
        ("broke-off", "server error", 3), ("nothing", "garbled", 3),
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


def test_where_a_seed_is_refused_it_is_left_out_and_the_record_says_so(server):
    before = server.count("seedless")
    reply = ask(lab(server, "seedless"), MESSAGES, seed=7)
    assert reply.outcome == "answered" and reply.taken == {"temperature": 0.0, "max_tokens": 2500}
    assert server.count("seedless") - before == 2


def test_everything_that_can_be_left_out_is_left_out_in_turn_even_after_a_garbled_reply():
    class Strict(Scripted):
        def respond(self, body, key):
            status, kind, text = super().respond(body, key)
            refused = next((name for name in ("seed", "temperature") if name in body), "")
            if refused:
                error = {"error": {"message": f"unknown field: {refused}", "type": "x"}}
                return 400, "application/json", json.dumps(error)
            return (200, "text/html", "<html>") if self.count("good") < 5 else (status, kind, text)

    with serving(Strict()) as server:
        reply = ask(lab(server, "good"), MESSAGES, seed=1)
        assert reply.outcome == "answered" and reply.taken == {"max_tokens": 2500}


def test_half_a_character_is_no_end_of_an_answer(server):
    reply = ask(lab(server, "half"), MESSAGES)
    assert (reply.outcome, reply.text) == ("answered", f"\ufffd{GOOD}")
    register_provider("mine", lambda messages, **_: "whole 🙂 \ud83d\ude00 half \ud83d")
    assert ask("mine/x", MESSAGES).text == "whole 🙂 😀 half \ufffd"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ({"code": 404}, 404), ({"code": "503"}, 503), ({"type": "rate_limit_error"}, 429),
        ({"code": "insufficient_quota"}, 429), ({"code": "invalid_api_key"}, 401),
        ({"type": "invalid_request_error"}, 400), ({"code": None}, 500), ("overloaded", 500),
    ],
)  # fmt: skip
def test_an_error_with_status_200_gets_its_status(error, status):
    body = json.dumps({"error": error}).encode()
    assert mended(body, chat=True)[0] == status
    assert mended(body, chat=False) == (200, body), "other interfaces have errors of their own"


def test_a_reply_of_the_right_form_stays_as_it_came():
    for body in (b'{"choices":  [{"message": {"content": "\\ud83d\\ude00 x", "n": 1.0}}]}', b"no json", b"[1,  2]"):
        assert mended(body, chat=True) == (200, body)


def test_an_address_where_nobody_is_is_given_up_quickly():
    began = time.monotonic()
    reply = ask(LLM("openai-api/lab/x", base_url="http://127.0.0.1:9/v1"), MESSAGES)
    assert reply.outcome == "unreachable" and time.monotonic() - began < 20


def test_a_server_that_went_away_after_it_answered_is_waited_for():
    calls = []

    def provider(messages, **_):
        calls.append(1)
        if 2 <= len(calls) <= 6:
            raise ConnectionRefusedError("restarting")
        return "here"

    register_provider("mine", provider)
    model = LLM("mine/x", max_retries=5, retry_wait=0.01)

    async def twice():
        opened = open_model(model)
        return [await reply_to(opened, MESSAGES) for _ in range(2)]

    assert [reply.outcome for reply in run_here(twice())] == ["answered", "answered"]
    calls[:] = [1]
    assert ask(model, MESSAGES).outcome == "unreachable" and len(calls) == 4, "at first, two more tries are enough"


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
        {"base_url": "host:80"}, {"base_url": "http://[half"}, {"base_url": f"https://host/{MINE}"},
        {"base_url": f"https://host/{quote(MINE, safe='')}"}, {"options": {"a": MINE}},
        {"options": {"a": MINE.encode()}}, {"options": {MINE: 1}}, {"options": {MINE.encode(): 1}},
        {"options": {"a": {MINE}}},
        {"options": {"a": frozenset([MINE.encode()])}}, {"options": {"a": [{"b": (MINE,)}]}},
        {"options": {"a": types.SimpleNamespace(inner=MINE)}}, {"options": {"a": "sk-another-5f3c9a1b"}},
        {"options": [MINE]}, {"name": f"openai-api/lab/{MINE}"}, {"name": MINE}, {"name": f"lab {KEY}"},
        {"name": "openai-api/lab/AIza5f3c9a1b2d"}, {"effort": MINE}, {"key_env": KEY}, {"key_env": "hf_5f3c9a1b2d4e"},
        {"key_env": MINE}, {"key_env": 5},
        *({"options": {name: "abc"}} for name in (
            "pat", "pwd", "passphrase", "passwd", "pass", "bearer", "sig", "signature", "jwt", "github_pat", "dbPwd",
            "sas", "X-Sig",
        )),
    ],
)  # fmt: skip
def test_anything_that_carries_a_key_is_refused_and_not_repeated(monkeypatch, wrong):
    monkeypatch.setenv("MINE_IS_IT", MINE)
    with pytest.raises(InputError) as caught:
        LLM(**({"name": "openai-api/lab/x", "key_env": "MINE_IS_IT"} | wrong))
    given = (KEY, MINE, quote(MINE, safe=""), "secret@", "abc", "5f3c9a1b")
    assert not any(secret in str(caught.value) for secret in given)


def test_harmless_options_are_let_pass():
    check_options({"extra_body": {"provider": {"order": ["a"]}}, "max_tokens": 5, "stream": False})
    check_options({"path": "a", "pattern": "b", "signal": 3, "design": {"passes": 2}, "compat": None, 5: b"raw"})


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


@pytest.mark.parametrize("kind", ["function", "object with a coroutine", "coroutine"])
def test_the_time_of_a_provider_is_bounded(kind):
    class Slow:
        async def __call__(self, messages, **_):
            await asyncio.sleep(30)

    async def slow(messages, **_):
        await asyncio.sleep(30)

    providers = {"function": lambda messages, **_: time.sleep(30), "object with a coroutine": Slow(), "coroutine": slow}
    register_provider("mine", providers[kind])
    began = time.monotonic()
    reply = ask(LLM("mine/x", max_retries=0, attempt_timeout=1), MESSAGES)
    assert reply.outcome == "timed out" and time.monotonic() - began < 10


def test_a_provider_that_hangs_keeps_no_program_from_ending():
    code = (
        "import time\nfrom hallumaze_kit.ask import LLM, ask, register_provider\n"
        "register_provider('mine', lambda messages, **_: time.sleep(300))\n"
        "print(ask(LLM('mine/x', max_retries=0, attempt_timeout=1), [{'role': 'user', 'content': 'a'}]).outcome)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240)
    assert done.stdout == "timed out\n", done.stderr


@pytest.mark.parametrize("given", [5, ("a", "b", "c"), ("text", "because"), (None, "stop"), None])
def test_what_is_no_answer_of_a_provider_is_said(given):
    register_provider("mine", lambda messages, **_: given)
    reply = ask(LLM("mine/x", max_retries=0), MESSAGES)
    assert reply.outcome == "failed" and "must" in reply.error


@pytest.mark.parametrize("error", [StopIteration("a"), SystemExit(3), KeyboardInterrupt()])
def test_a_provider_that_stops_by_force_is_an_outcome(error):
    def stops(messages, **_):
        raise error

    register_provider("mine", stops)
    reply = ask(LLM("mine/x", max_retries=0), MESSAGES)
    assert reply.outcome == "failed" and type(error).__name__ in reply.error


@pytest.mark.parametrize("wrong", [("Big", len), ("a b", len), ("", len), ("mine", "no function")])
def test_what_is_no_provider(wrong):
    with pytest.raises(InputError):
        register_provider(*wrong)


class Where(NamedTuple):
    host: str
    key: str


class Speaking(Exception):
    """Its words are made of what hangs on it."""

    def __init__(self, **held):
        super().__init__("told")
        self.__dict__.update(held)

    def __str__(self):
        return " ".join(f"{name}={value}" for name, value in vars(self).items())


class Mute(Exception):
    def __str__(self):
        raise RuntimeError(OWN)


class Validated(pydantic.BaseModel):
    reason: int


def pydantic_error():
    try:
        Validated(reason=OWN)
    except pydantic.ValidationError as error:
        return error


OWN = "own/key'\\of\"mine+42"
"""The value of a variable whose name does not say that it holds a key."""
HELD = types.SimpleNamespace(key=OWN)
LEAKS = [
    ConnectionError(Where("host", KEY), [f"tried with {KEY}"]), ValueError(OWN), ValueError(OWN.encode()),
    ValueError({OWN: {OWN}}, frozenset([OWN])), ExceptionGroup("all", [ValueError(OWN), ValueError(f"and {OWN}")]),
    ExceptionGroup(OWN, [ExceptionGroup("in", [KeyError(OWN)])]), FileNotFoundError(2, "gone", f"/{OWN}", None, OWN),
    OSError(5, OWN), UnicodeDecodeError("utf-8", OWN.encode(), 0, 1, OWN), Speaking(held=HELD, more=(HELD,)),
    Speaking(raw=OWN.encode(), bag={OWN}, url=f"http://host/?q={quote(OWN, safe='')}"), Mute(), pydantic_error(),
    ValueError(json.dumps({"sent": OWN})), InputError("key", OWN, "none"),
]  # fmt: skip


def raising(error):
    def broken(messages, **_):
        try:
            raise RuntimeError(f"under it {OWN}")
        except RuntimeError as under:
            error.add_note(OWN)
            raise error from under

    return broken


def leaks(text):
    """The ways in which a key stands in a text; a part of it counts too."""
    forms = {OWN, OWN[:12], OWN[-8:], repr(OWN)[1:-1], json.dumps(OWN)[1:-1], quote(OWN, safe=""), KEY}
    return [form for form in forms if form in text]


def test_an_error_of_any_make_is_recorded_without_the_key(monkeypatch):
    monkeypatch.setenv("MINE", OWN)
    for number, error in enumerate(LEAKS):
        register_provider("mine", raising(error))
        reply = ask(LLM("mine/x", max_retries=0, key_env="MINE"), MESSAGES)
        assert reply.outcome in OUTCOMES and reply.outcome != "answered"
        assert leaks(reply.error) == [], (number, reply.error)
        assert reply.error, number


def test_no_error_of_a_provider_reaches_inspect_with_a_key(monkeypatch):
    """What Inspect sees is an error of ours; the one of the provider, and all that hangs on it, stays behind."""
    monkeypatch.setenv("MINE", OWN)

    async def seen(error):
        register_provider("mine", raising(error))
        opened = open_model(LLM("mine/x", key_env="MINE", max_retries=0))
        with pytest.raises(Told) as caught:
            await opened.api.generate([], [], None, None)
        told = caught.value
        assert told.__cause__ is told.__context__ is None and vars(told).keys() == {"outcome", "retry", "status_code"}
        return repr(told) + "".join(traceback.format_exception(told))

    for error in LEAKS:
        assert leaks(asyncio.run(seen(error))) == []


def test_a_stop_reason_is_no_hiding_place(monkeypatch):
    monkeypatch.setenv("MINE", OWN)
    register_provider("mine", lambda messages, **_: ("text", OWN))
    reply = ask(LLM("mine/x", max_retries=0, key_env="MINE"), MESSAGES)
    assert reply.outcome == "failed" and leaks(reply.error + reply.stop_reason) == []


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
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240)
    assert done.stdout.startswith("unreachable | ") and KEY not in done.stdout, done.stdout + done.stderr


def test_the_usual_values_of_options_are_those_of_inspect(monkeypatch):
    names = ("openai/gpt-4o", "anthropic/claude-sonnet-4-20250514", "google/gemini-2.5-flash", "openai-api/lab/x")
    usual = {}
    for name in names:
        monkeypatch.setenv(f"{name.split('/')[0].upper()}_API_KEY", KEY)
        opened = open_model(LLM(name, base_url="http://127.0.0.1:9/v1"))
        for kind in type(opened.api).__mro__[:-1]:
            usual |= {n: one.default for n, one in inspect.signature(kind.__init__).parameters.items()}
    usual["stream"] = usual["stream"] or "auto"  # the same, in Inspect's words
    assert {name: usual[name] for name in USUAL} == USUAL


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
