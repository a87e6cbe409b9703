"""Many people at once on one store: nothing is lost, nothing is mixed."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

from panels.playing_games import MAZES, act, onward, plan_of, seated, step

from hallumaze_kit import AnswerBook, MazeEngine
from hallumaze_kit.panels.playing.state import PlayState
from hallumaze_kit.store.rows import ENROLLED, IN_PLAY

PEOPLE, THREADS = 200, 8
PLAN = plan_of([MAZES[0], MazeEngine(2, 1)], groups=("A", "B"))


def one_step(state: PlayState, rng: Random) -> None:
    """A key of somebody who often goes wrong; slips and declarations too."""
    if state.page in ("ready", "hint"):
        act(state, "start")
        return
    game = state.entry.game
    if rng.random() < 0.1:
        act(state, "declared", rng.choice(["loop", "dead end", "strategy change"]))
    closed = [d for d in "NESW" if d not in game.choices]
    if closed and rng.random() < 0.1:
        act(state, "slip", rng.choice(closed))
    step(state, onward(state) if rng.random() < 0.9 else rng.choice(game.choices), rng.randrange(101))


def played(state: PlayState) -> dict[str, tuple]:
    """What this window saw of its game under way, by the log's row."""
    game = state.entry.game
    return {state.entry.id: (tuple(m["content"] for m in game.messages), len(game.noted))}


def test_two_hundred_games_at_once_on_one_store(tmp_path):
    """All stand in their games before the first goes on; each thread interleaves the games of 25 people.

    Half of the threads share one book object, the others have one each, as the kernels of Voilà have.
    """
    path = tmp_path / "play.db"
    shared = AnswerBook(path)
    together = Barrier(THREADS)

    def work(number: int) -> list[tuple[PlayState, dict]]:
        book = shared if number % 2 else AnswerBook(path)
        rng = Random(number)
        states = [seated(book, PLAN) for _ in range(PEOPLE // THREADS)]
        for state in states:
            act(state, "start")
        together.wait(120)
        seen = {id(state): {} for state in states}
        playing = list(states)
        while playing:
            state = rng.choice(playing)
            if state.page == "play":
                seen[id(state)].update(played(state))
            one_step(state, rng)
            if state.page == "done":
                playing.remove(state)
        return [(state, seen[id(state)]) for state in states]

    with ThreadPoolExecutor(THREADS) as pool:
        finished = [pair for pairs in pool.map(work, range(THREADS)) for pair in pairs]

    seats = [state.seat for state, _ in finished]
    assert len({seat.code for seat in seats}) == PEOPLE
    assert sorted(seat.number for seat in seats) == list(range(PEOPLE)), "every number once"
    groups = Counter((PLAN.group(seat.number), tuple(PLAN.row(seat.number, 2))) for seat in seats)
    assert set(groups.values()) == {PEOPLE // 4}

    rows = list(shared.answers(include_deleted=True))
    by_id = {row.id: row for row in rows}
    kinds = Counter(row.meta["outcome"] for row in rows)
    assert kinds[ENROLLED] == PEOPLE and kinds[IN_PLAY] == kinds["answered"]
    answers = {row.meta["extra"]["play"]["log"]: row for row in rows if row.meta["outcome"] == "answered"}
    for state, seen in finished:
        for log, (messages, _) in seen.items():
            answer = answers[log]
            assert answer.meta["participant"] == by_id[log].meta["participant"] == state.seat.code
            said = tuple(m["content"] for m in answer.meta["messages"])
            assert said[: len(messages)] == messages and len(said) == len(messages) + 1
            assert {event.who for event in by_id[log].events} == {state.seat.code}
            replies = [m["content"] for m in answer.meta["messages"] if m["role"] == "assistant"]
            pressed = [event.data["value"] for event in by_id[log].events if event.kind == "choice"]
            assert [reply.split("→ ")[1][0] for reply in replies] == pressed
    results = shared.results()
    assert len(results) == PEOPLE * 2 and all(result.outcome == "answered" for result in results)
    assert Counter(result.participant for result in results) == {seat.code: 2 for seat in seats}
    shared.close()
