"""Models as verifier, counterfactual answerer and entailment judge."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hallumaze_kit.ask import LLM, AskError, ask
from hallumaze_kit.errors import InputError, check_choice, check_whole
from hallumaze_kit.reasoning.roles.cache import ReplyCache, key_of
from hallumaze_kit.reasoning.roles.families import family_of
from hallumaze_kit.reasoning.roles.prompts import CONTINUE, ENTAIL, SYSTEM, VERIFY, messages
from hallumaze_kit.reasoning.support import Counterfactual
from hallumaze_kit.reasoning.traces.reading import parse_trace
from hallumaze_kit.reasoning.traces.trace import ReasoningTrace, Step, as_steps

if TYPE_CHECKING:
    import numpy as np

_JUDGED = re.compile(
    r"^\W*(?:step|단계)?\s*(\d{1,5})\s*(?:단계)?\s*[:.)=-]\s*(\d+(?:\.\d+)?|\.\d+)\s*(%?)\s*$", re.I | re.M
)
_PROBABILITY = re.compile(r"(?:probability|확률)\W{0,4}(\d+(?:\.\d+)?|\.\d+)\s*(%?)", re.I)
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.I | re.S)


class Role:
    """A model in a role.

    Parameters
    ----------
    model : `LLM`, or its name ("openai/gpt-4o")
    language : of the prompts, "en" or "ko"
    cache : file that keeps the replies (JSON lines); None keeps them in memory
    family : model family, where the name does not tell it
    max_tokens : of a reply

    Attributes `asked` and `failed` count what was asked of the model and what came to nothing; a failed request is NaN
    or no answer, never 0, and is asked again the next time.
    """

    def __init__(
        self,
        model: LLM | str,
        language: str = "en",
        cache: str | ReplyCache | None = None,
        family: str = "",
        max_tokens: int = 4000,
    ) -> None:
        self.model = LLM(model) if isinstance(model, str) else model
        self.language = check_choice("language", language, tuple(SYSTEM))
        self.cache = cache if isinstance(cache, ReplyCache) else ReplyCache(cache)
        self.family = family or family_of(self.model.name)
        self.max_tokens = check_whole("max_tokens", max_tokens, 1)
        self.asked = 0
        self.failed = 0

    def said(self, asked: list[dict[str, str]]) -> str:
        """What the model says, from the cache or anew; "" where the request failed.

        Raises `AskError` where the model cannot be asked at all.
        """
        key = key_of(self.model.name, asked, self.max_tokens)
        held = self.cache.get(key)
        if held is not None:
            return held
        self.asked += 1
        reply = ask(self.model, asked, self.max_tokens)
        if reply.outcome in ("denied", "unknown model", "unreachable"):
            raise AskError(f"{self.model.name}: {reply.outcome}. {reply.error}".strip())
        if reply.outcome != "answered":
            self.failed += 1
            return ""
        self.cache.put(key, reply.text)
        return reply.text


class LLMVerifier(Role):
    """A model that gives each step the probability that it is valid (`StepVerifier`)."""

    def verify(self, problem: str | None, steps: Sequence[Step | str]) -> np.ndarray:
        """(n,) probabilities; NaN for a step that the model did not judge, or judged out of range."""
        import numpy as np

        given = as_steps(list(steps))
        q = np.full(len(given), math.nan)
        if not given:
            return q
        text = self.said(messages(VERIFY, self.language, problem=problem or "", steps=_numbered(given), n=len(given)))
        for number, value, percent in _JUDGED.findall(_THOUGHT.sub("", text)):
            at, probability = int(number) - 1, _probability(value, percent)
            if 0 <= at < len(given):
                q[at] = probability
        return q


class LLMAnswerer(Role):
    """The model that continues from an edited prefix: best the generator itself, whose answer is in question."""

    def __call__(self, edit: Counterfactual) -> str | None:
        """The answer that the model reaches from the edited step on; None without one."""
        problem = edit.original.problem or ""
        text = self.said(messages(CONTINUE, self.language, problem=problem, steps=_numbered(edit.prefix)))
        return parse_trace(text, problem).answer if text else None


class LLMEntailment(Role):
    """A model that says how probably a trace's steps lead to its answer."""

    def __call__(self, trace: ReasoningTrace) -> float:
        """A probability; NaN without an answer, or where the model gave none."""
        if trace.answer is None or not trace.steps:
            return math.nan
        text = self.said(
            messages(
                ENTAIL,
                self.language,
                problem=trace.problem or "",
                steps=_numbered(trace.steps),
                answer=trace.answer_text or trace.answer,
            )
        )
        found = _PROBABILITY.findall(_THOUGHT.sub("", text))
        return _probability(*found[-1]) if found else math.nan


def _numbered(steps: Sequence[Step]) -> str:
    return "\n".join(f"{number}. {step.text}" for number, step in enumerate(steps, 1))


def _probability(value: str, percent: str) -> float:
    """The value in [0, 1]; NaN for one outside it, which is no probability."""
    made = float(value) / (100 if percent else 1)
    return made if 0 <= made <= 1 else math.nan


def judges(
    verifier: LLM | str,
    entailment: LLM | str,
    answerer: LLM | str | None = None,
    language: str = "en",
    cache: str | None = None,
) -> dict[str, Role]:
    """The three roles with one cache, ready for `diagnose(problem, traces, **judges(...))`.

    Without an `answerer` the symbolic one is used. Raises `InputError` where verifier and entailment judge are of one
    family.
    """
    held = ReplyCache(cache)
    made: dict[str, Role] = {
        "verifier": LLMVerifier(verifier, language, held),
        "entailment": LLMEntailment(entailment, language, held),
    }
    if answerer is not None:
        made["answerer"] = LLMAnswerer(answerer, language, held)
    families = (made["verifier"].family, made["entailment"].family)
    if families[0] == families[1] != "unknown":
        raise InputError("entailment", families[1], "of another model family than the verifier")
    return made
