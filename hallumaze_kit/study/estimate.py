"""What a run would take before anything is spent: requests, tokens, cost, minutes, each as a range.

Tokens are counted by characters, without any model's tokenizer: a Hangul syllable is half a token to two tokens, any
other character a quarter of a token (English prose) to one token (coordinates, arrows). Real tokenizers lie between.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hallumaze_kit.ask import KEPT, LLM
from hallumaze_kit.errors import InputError
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.store import AnswerBook
from hallumaze_kit.study.design import Cell
from hallumaze_kit.study.running import DOCUMENT, planned_design, stored_trials, trial_key
from hallumaze_kit.subjects.llm import at_once, converse, hold, is_synthetic
from hallumaze_kit.subjects.synthetic import FLOOR
from hallumaze_kit.trial.hints import MESSAGES
from hallumaze_kit.trial.prompt import build_prompt
from hallumaze_kit.trial.stepwise import Stepwise, window

if TYPE_CHECKING:
    import pandas as pd

HANGUL = (0.5, 2.0)
OTHER = (0.25, 1.0)
"""Tokens a character, least and most."""
_HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
_ELSEWHERE = ("log_dir", "study", "progress", "told")
"""Options of `run` that change nothing here."""


class Span(NamedTuple):
    """Least and most."""

    low: float
    high: float

    def __add__(self, other: Span) -> Span:  # type: ignore[override]
        return Span(self.low + other[0], self.high + other[1])


class Load(NamedTuple):
    """What a trial takes: requests, and tokens in and out."""

    requests: Span
    tokens_in: Span
    tokens_out: Span


def estimate(
    models: Sequence[str | LLM] | str | LLM,
    sizes: Sequence[int] | int = (7,),
    seeds: Iterable[int] = range(5),
    conditions: Sequence[MazeConfig] | MazeConfig = DOCUMENT,
    runs: int = 1,
    prices: Mapping[str, tuple[float, float]] | None = None,
    seconds_per_request: float | Mapping[str, float] | None = None,
    *,
    seed: int = 0,
    book: AnswerBook | str | os.PathLike[str] | None = None,
    **options: Any,
) -> pd.DataFrame:
    """What `run` with the same arguments would ask, one row a model; nothing is asked and nothing is written.

    Parameters
    ----------
    models, sizes, seeds, conditions, runs, seed, options : as `run` takes them
    prices : USD for a million tokens in and out, by model: {"openai/gpt-4o": (2.5, 10)}. The kit knows no prices,
        since they change: look them up
    seconds_per_request : one number, or one a model, as `measured_seconds` gives them
    book : an answer book or its file; a trial whose answer stands there is not counted

    Returns
    -------
    DataFrame with columns `model`, `trials` (still to be asked), `answered` (in the book), and as `…_low`, `…_high`:
    `requests`, `tokens_in`, `tokens_out`, `cost` (USD), `minutes`; and `note`. Nothing is rounded.

    requests    single and probe 1; group B 1 to 2, group C 2, but 1 where the arm is "none"; stepwise the moves of the
                solution to the step budget
    tokens_in   every request sends the conversation so far: a second answer the first, stepwise the whole or its last
                `history` turns. Characters count as `tokens` says
    tokens_out  least: a synthetic subject's faultless answer; most: `max_tokens` a request, what reasoning models think
                included. A trial cannot take more, and rarely takes that much
    cost        tokens in × price in + tokens out × price out, without the discount for what a provider caches; NaN
                without a price
    minutes     requests × seconds / connections at once (`max_connections`, but no more than there are trials); NaN
                without seconds. Rate limits and retries come on top

    One request of 4000 tokens in and 1000 out at (2.5, 10) costs 4000·2.5/10⁶ + 1000·10/10⁶ = 0.02 USD.

    Raises `InputError` for what `run` would refuse, and for a price or time that is no number of 0 or more.
    """
    import pandas as pd

    design = planned_design(
        models, sizes, seeds, conditions, runs, **{k: v for k, v in options.items() if k not in _ELSEWHERE}
    )
    prices = {name: _price(name, given) for name, given in (prices or {}).items()}
    cells = list(design.cells(seed))
    keys = [trial_key(cell, design) for cell in cells]
    there = _answered(book, keys)
    known: dict[Any, Load] = {}
    rows = []
    for llm in (asked.llm for asked in design.subjects):
        mine = [(cell, key) for cell, key in zip(cells, keys, strict=True) if cell.subject.llm is llm]
        loads = [_load_of(cell, design.history, known) for cell, key in mine if key not in there]
        row = {"model": llm.name, "trials": len(loads), "answered": len(mine) - len(loads)}
        rows.append(row | _row(llm, loads, prices, _seconds(llm.name, seconds_per_request)))
    return pd.DataFrame(rows)


def tokens(text: str) -> Span:
    """Tokens of a text, least and most, by its characters.

    >>> tokens("미로 ab")  # two Hangul syllables, three other characters
    Span(low=1.75, high=7.0)
    """
    hangul = len(_HANGUL.findall(text))
    other = len(text) - hangul
    return Span(*(hangul * h + other * o for h, o in zip(HANGUL, OTHER, strict=True)))


def measured_seconds(book: AnswerBook | str | os.PathLike[str]) -> dict[str, float]:
    """Mean seconds a request took, by model, in the answers of a book that say so; {} where none do.

    An answer's `latency_s` is the sum over its requests, so it counts with as many as it has replies.
    """
    if not isinstance(book, AnswerBook):
        if not Path(book).exists():
            return {}
        with AnswerBook(book) as opened:
            return measured_seconds(opened)
    seconds: dict[str, float] = {}
    requests: dict[str, int] = {}
    for answer in book.answers():
        took, name = answer.meta.get("latency_s"), f"{answer.meta.get('provider')}/{answer.meta.get('model')}"
        if took is not None and answer.meta.get("outcome") in KEPT:
            said = sum(message["role"] == "assistant" for message in answer.meta.get("messages", ()))
            seconds[name] = seconds.get(name, 0.0) + took
            requests[name] = requests.get(name, 0) + max(1, said)
    return {name: total / requests[name] for name, total in seconds.items()}


def _row(llm: LLM, loads: Sequence[Load], prices: Mapping[str, tuple[float, float]], seconds: float) -> dict[str, Any]:
    nothing = Span(0, 0)
    total = Load(*(sum((load[part] for load in loads), nothing) for part in range(3)))
    free = is_synthetic(llm)
    price_in, price_out = (0.0, 0.0) if free else prices.get(llm.name, (math.nan, math.nan))
    cost = [(i * price_in + o * price_out) / 1e6 for i, o in zip(total.tokens_in, total.tokens_out, strict=True)]
    at_once = max(1, min(llm.max_connections, len(loads)))
    minutes = [n * seconds / at_once / 60 for n in total.requests]
    notes = ["follows rules, costs nothing"] if free else []
    if math.isnan(price_in):
        notes.append(f"no price: prices={{{llm.name!r}: (USD a million tokens in, out)}}")
    if math.isnan(seconds):
        notes.append("no time: seconds_per_request=…")
    named = {"requests": total.requests, "tokens_in": total.tokens_in, "tokens_out": total.tokens_out}
    named |= {"cost": cost, "minutes": minutes}
    flat = {f"{name}_{end}": span[i] for name, span in named.items() for i, end in enumerate(("low", "high"))}
    return flat | {"note": "; ".join(notes)}


def _load_of(cell: Cell, history: int | None, known: dict[Any, Load]) -> Load:
    """The load of a trial; those of one maze, condition and arm are alike, whoever is asked."""
    key = (id(cell.maze), cell.config, cell.arm)
    if key not in known:
        known[key] = _stepwise(cell, history) if cell.config.protocol == "stepwise" else _single(cell)
    return known[key]


def _single(cell: Cell) -> Load:
    """One answer, and in the groups B and C a second."""
    config = cell.config
    prompt = build_prompt(cell.maze, config)
    shown = tokens(prompt.system + prompt.user)
    least = tokens(FLOOR["oracle"].answer(prompt, 0)).low
    answer = Span(min(least, config.max_tokens), config.max_tokens)
    first = Load(Span(1, 1), shown, answer)
    if config.protocol != "single" or config.ariadne_mode == "A" or cell.arm == "none":
        return first
    again = Load(Span(1, 1), shown + answer + tokens(MESSAGES[config.language][cell.arm or "hint"]), answer)
    if config.ariadne_mode == "B":  # which may speak or not
        again = Load(*(Span(0, part.high) for part in again))
    return Load(*(one + other for one, other in zip(first, again, strict=True)))


def _stepwise(cell: Cell, history: int | None) -> Load:
    """Least: the oracle's conversation. Most: the budget used up, with replies as long as they may be."""
    game = Stepwise(cell.maze, cell.config)
    messages = hold(converse(at_once(FLOOR["oracle"], 0), cell.maze, cell.config)).messages
    replies = [i for i, message in enumerate(messages) if message["role"] == "assistant"]
    sent = [_text(window(messages[:i], history)) for i in replies]
    out = sum(min(tokens(messages[i]["content"]).low, cell.config.max_tokens) for i in replies)
    told = max((tokens(m["content"]).high for m in messages[2:] if m["role"] == "user"), default=0.0)
    before = sum(turn if history is None else min(turn, history) for turn in range(game.budget))
    most = game.budget * tokens(_text(messages[:2])).high + before * (cell.config.max_tokens + told)
    return Load(
        Span(len(replies), game.budget),
        Span(sum(tokens(text).low for text in sent), most),
        Span(out, game.budget * cell.config.max_tokens),
    )


def _text(messages: Iterable[Mapping[str, str]]) -> str:
    return "".join(message["content"] for message in messages)


def _answered(book: AnswerBook | str | os.PathLike[str] | None, keys: Sequence[str]) -> set[str]:
    """The keys of the trials that `run` would not ask again."""
    if book is None or (not isinstance(book, AnswerBook) and not Path(book).exists()):
        return set()
    if not isinstance(book, AnswerBook):
        with AnswerBook(book) as opened:
            return _answered(opened, keys)
    return {key for key, answer in stored_trials(book, keys).items() if answer.meta.get("outcome") in KEPT}


def _price(name: str, given: Any) -> tuple[float, float]:
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) != 2:
        raise InputError(f"prices[{name!r}]", given, "two numbers: USD for a million tokens in and out")
    return _amount(f"prices[{name!r}]", given[0]), _amount(f"prices[{name!r}]", given[1])


def _seconds(name: str, given: float | Mapping[str, float] | None) -> float:
    found = given.get(name) if isinstance(given, Mapping) else given
    return math.nan if found is None else _amount("seconds_per_request", found)


def _amount(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise InputError(name, value, "a number of 0 or more")
    return float(value)
