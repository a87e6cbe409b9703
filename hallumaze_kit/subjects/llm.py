"""One trial with whoever can be asked in messages: a language model, a synthetic subject."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from hallumaze_kit.ask import LLM, Reply, register_provider
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.subjects.synthetic import FLOOR, STEPPERS, SYNTHETIC, Synthetic
from hallumaze_kit.trial.hints import Ariadne
from hallumaze_kit.trial.prompt import Prompt, build_prompt
from hallumaze_kit.trial.stepwise import Stepwise, window

Message = dict[str, str]
Asker = Callable[[Sequence[Message]], Awaitable[Reply]]


@dataclass(frozen=True)
class Conversation:
    """A trial as it was held.

    text       the answer that is scored: the last reply; stepwise, all replies, one under the other
    messages   system, user, assistant … in order, byte for byte
    replies    what came back for each request
    events     what else happened (the occasion of a hint), for `key_events`
    prompt     what stood at its beginning
    """

    text: str
    messages: tuple[Message, ...]
    replies: tuple[Reply, ...]
    events: tuple[dict[str, Any], ...]
    prompt: Prompt

    def known(self) -> dict[str, Any]:
        """What is known of the trial before it is scored, as fields of `BenchmarkResult`."""
        last = self.replies[-1]
        reasoning = [reply.reasoning for reply in self.replies]
        more = ({"extra": {"reasoning": reasoning}} if any(reasoning) else {}) | (
            {"key_events": self.events} if self.events else {}
        )
        return more | {
            "messages": self.messages,
            "prompt_sha256": self.prompt.sha256,
            "outcome": last.outcome,
            "stop_reason": last.stop_reason,
            "error": last.error,
            "model_returned": last.model,
            "latency_s": _sum(reply.seconds for reply in self.replies),
            "tokens_in": _sum(reply.tokens_in for reply in self.replies),
            "tokens_out": _sum(reply.tokens_out for reply in self.replies),
            "parameters_taken": dict(last.taken),
        }


async def converse(
    ask: Asker, maze: MazeEngine, config: MazeConfig, hints: Ariadne | None = None, history: int | None = None
) -> Conversation:
    """Hold one trial: the prompt, the answer, a hint and the second answer; stepwise, turn after turn.

    `hints` speaks after the first answer of protocol "single"; `history` is how many of its last turns a stepwise
    subject is shown (None: all). A reply that did not come whole ends the trial; what was said before it is kept.
    """
    if config.protocol == "stepwise":
        return await _stepwise(ask, maze, config, history)
    prompt = build_prompt(maze, config)
    talk = _Talk(ask, prompt)
    answered = await talk.say()
    events: tuple[dict[str, Any], ...] = ()
    spoken = hints.after(maze, talk.last, config) if answered and hints and config.protocol == "single" else None
    if spoken:
        events = (spoken.event(),)
        if spoken.message:
            await talk.say(spoken.message)
    return talk.over(events)


async def _stepwise(ask: Asker, maze: MazeEngine, config: MazeConfig, history: int | None) -> Conversation:
    game = Stepwise(maze, config)
    talk = _Talk(ask, game.prompt, lambda messages: window(messages, history))
    message = ""
    while await talk.say(message):
        message = game.take(talk.last)
        if game.done:
            break
    return talk.over(joined=True)


class _Talk:
    """A conversation under way."""

    def __init__(
        self, ask: Asker, prompt: Prompt, shown: Callable[[list[Message]], Sequence[Message]] = lambda m: m
    ) -> None:
        self._ask, self._shown, self._prompt = ask, shown, prompt
        self._messages = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]
        self._replies: list[Reply] = []

    @property
    def last(self) -> str:
        """What was said last."""
        return self._messages[-1]["content"]

    async def say(self, message: str = "") -> bool:
        """Send a message (at the beginning, the prompt), take the reply; False if none came whole."""
        if message:
            self._messages.append({"role": "user", "content": message})
        reply = await self._ask(self._shown(self._messages))
        self._replies.append(reply)
        if reply.text or reply.outcome == "answered":
            self._messages.append({"role": "assistant", "content": reply.text})
        return reply.outcome == "answered"

    def over(self, events: tuple[dict[str, Any], ...] = (), joined: bool = False) -> Conversation:
        """The conversation as it was held; its text is the last reply, or all of them joined."""
        said = [message["content"] for message in self._messages if message["role"] == "assistant"]
        text = "\n".join(said if joined else said[-1:])
        return Conversation(text, tuple(self._messages), tuple(self._replies), events, self._prompt)


def hold(coroutine: Coroutine[Any, Any, Conversation]) -> Conversation:
    """The conversation of a coroutine that never waits: one with a subject that answers at once."""
    try:
        coroutine.send(None)
    except StopIteration as over:
        return over.value
    raise RuntimeError("the subject does not answer at once")


def at_once(subject: Synthetic, seed: int) -> Asker:
    """A synthetic subject as one that is asked in messages."""

    async def reply(messages: Sequence[Message]) -> Reply:
        return synthetic_reply(subject, messages, seed)

    return reply


def synthetic_reply(subject: Synthetic, messages: Sequence[Message], seed: int) -> Reply:
    """What a synthetic subject replies; an empty answer is one it gives on purpose, and is scored."""
    return Reply(text=subject.reply(messages, seed), model=subject.name, taken={"seed": seed})


def register_synthetic() -> None:
    """Make the synthetic and floor subjects models: `synthetic/careful`, `synthetic/oracle` …"""
    register_provider("synthetic", _synthetic)


async def _synthetic(messages: list[Message], model: str, seed: int | None, **_: Any) -> str:
    return named_synthetic(model).reply(messages, seed or 0)


def named_synthetic(name: str) -> Synthetic:
    """The synthetic subject called `synthetic/<name>`; `InputError` lists those that there are."""
    from hallumaze_kit.errors import check_choice

    subjects = SYNTHETIC | FLOOR | STEPPERS
    return subjects[check_choice("model synthetic/…", name, tuple(subjects))]


def is_synthetic(model: LLM) -> bool:
    """True for `synthetic/…`."""
    return model.provider == Synthetic.provider


def _sum(values: Any) -> Any:
    given = [value for value in values if value is not None]
    return sum(given) if given else None
