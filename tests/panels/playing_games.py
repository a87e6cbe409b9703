"""How the tests of the play panel play: plans, acts, whole games."""

from __future__ import annotations

from hallumaze_kit import AnswerBook, MazeConfig, MazeEngine
from hallumaze_kit.panels.playing.plan import PlayPlan
from hallumaze_kit.panels.playing.state import PlayState

MAZES = [MazeEngine(3, seed, "wilson") for seed in range(4)]
STEPS = MazeConfig(protocol="stepwise")


def plan_of(mazes=MAZES, config: MazeConfig = STEPS, **options) -> PlayPlan:
    return PlayPlan(options.pop("study", "s"), [(mazes, config)], **options)


def act(state: PlayState, name: str, value: str = "", **more) -> bool:
    """Do something on the page that is shown, as its face would say it."""
    return state.hear({"act": name, "seq": state.seq, "value": value, **more})


def answer_check(state: PlayState, choice: str = "0") -> None:
    act(state, "answer", fields=dict.fromkeys(state.questions, choice))


def seated(book: AnswerBook, plan: PlayPlan | None = None, language: str = "en") -> PlayState:
    """Somebody who has consented and stands before the first maze."""
    state = PlayState(book, plan or plan_of(), language)
    state.hear({"act": "hello", "value": "", "device": "mouse, window 390x844"})
    act(state, "go on")
    answer_check(state)
    act(state, "agree")
    act(state, "first")
    assert state.page == "ready"
    return state


def step(state: PlayState, direction: str, confidence: int = 80) -> None:
    """One move, with its confidence where one is asked for."""
    assert act(state, "choice", direction, ms=1000.0, t=5000.0, by="key") and state.notice is None
    if state.entry and state.entry.game.choice:
        assert act(state, "sure", fields={"confidence": str(confidence)}, touched=True, ms=500.0)


def onward(state: PlayState) -> str:
    """The right direction from where one stands."""
    game = state.entry.game
    return game.maze.onward(game.here)


def solve(state: PlayState) -> None:
    """Start the maze that is next and walk straight to the exit."""
    act(state, "start")
    entry = state.entry
    while state.entry is entry:
        step(state, onward(state))
