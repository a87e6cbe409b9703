"""A synthetic subject sits down at the play panel: a study is tried out before people come. Its records say so."""

from __future__ import annotations

from hallumaze_kit.errors import InputError, check_whole
from hallumaze_kit.panels.playing.log import Who
from hallumaze_kit.panels.playing.plan import PlayPlan
from hallumaze_kit.panels.playing.state import PlayState
from hallumaze_kit.records import BenchmarkResult
from hallumaze_kit.store import AnswerBook
from hallumaze_kit.subjects.human import Game
from hallumaze_kit.subjects.synthetic import FLOOR, Synthetic
from hallumaze_kit.trial.probe import read_probe
from hallumaze_kit.trial.stepping.replies import Reply
from hallumaze_kit.trial.stepwise import window
from hallumaze_kit.trial.trace import DeadEnd, Loop, StrategyChange

_NAMES = {DeadEnd: "dead end", Loop: "loop", StrategyChange: "strategy change"}
_ASKS = 3
"""A subject that asks for a closed side so often in one situation takes the first open one then."""


def rehearse(
    book: AnswerBook, plan: PlayPlan, subject: Synthetic, seed: int = 0, language: str = "ko"
) -> list[BenchmarkResult]:
    """Have a synthetic subject go through a whole study, page by page, as a person would.

    What it replies is pressed as keys: a move, at a junction its confidence, its declarations. It is shown as much of
    the way so far as people are. Times are not invented: the records have none. `provider` says "synthetic", so does
    `subject_kind` (or "floor"), and so does the page.

    Returns its results in the order of play. Same book so far, plan, subject and seed: the same games, but for the
    code.
    """
    check_whole("seed", seed, 0)
    if not isinstance(subject, Synthetic):
        raise InputError("subject", subject, "a synthetic subject", "People open the panel.")
    kind = "floor" if subject.name in FLOOR else Synthetic.provider
    state = PlayState(book, plan, language, Who(Synthetic.provider, kind, subject.name))
    _act(state, "go on")
    _act(state, "answer", fields=dict.fromkeys(state.questions, "0"))
    _act(state, "agree")
    _act(state, "first")
    while state.page != "done":
        if state.page in ("ready", "hint"):
            _act(state, "start")
        elif state.entry is not None:
            _answer(state, state.entry.game, subject, seed)
    code = state.seat.code if state.seat else ""
    return [result for result in book.results() if result.participant == code]


def _act(state: PlayState, act: str, value: str = "", **more: object) -> None:
    state.hear({"act": act, "seq": state.seq, "value": value, **more})
    if state.notice and state.notice.kind != "info":
        raise InputError("act", act, f"possible on the page {state.page!r}", state.notice.text(state.words))


def _answer(state: PlayState, game: Game, subject: Synthetic, seed: int) -> None:
    """One reply of the subject, as keys."""
    if game.walk is None:
        said = read_probe(subject.reply(game.messages, seed))
        _press(state, "valid" if said.said_valid else "invalid", said.confidence and 100 * said.confidence)
        return
    reply = _reply(state, game, subject, seed)
    for event in reply.declared:
        _act(state, "declared", _NAMES[type(event)])
    if reply.gave_up or reply.move is None:
        _act(state, "give up")
        _act(state, "yes give up")
        return
    way = reply.move.direction
    _press(state, way if way in game.choices else game.choices[0], reply.move.confidence)


def _reply(state: PlayState, game: Game, subject: Synthetic, seed: int) -> Reply:
    """What it says. A closed side that it asks for is a slip of the hand; it is asked again with another seed."""
    seen = window(game.messages, state.history)
    for more in range(_ASKS):
        reply = game.walk.read(subject.reply(seen, seed + more))
        if reply.move is None or reply.move.direction in game.choices:
            break
        if reply.move.direction:
            state.hear({"act": "slip", "value": reply.move.direction})
    return reply


def _press(state: PlayState, value: str, confidence: float | None) -> None:
    _act(state, "choice", value, by="synthetic")
    if state.entry and state.entry.game.choice:
        sure = 50 if confidence is None else min(100, max(0, round(confidence)))
        _act(state, "sure", fields={"confidence": str(sure)}, touched=True)
