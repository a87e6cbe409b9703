"""A person's game is the same conversation as a model's, and can be run again from what was noted."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallumaze_kit import MazeConfig, MazeEngine, parse_answer, score_answer
from hallumaze_kit.ask import Reply
from hallumaze_kit.errors import InputError
from hallumaze_kit.subjects.human import DECLARATIONS, PAUSE, Game
from hallumaze_kit.subjects.llm import converse, hold
from hallumaze_kit.trial.hints import Ariadne
from hallumaze_kit.trial.probe import probe_path

MAZE = MazeEngine(4, 3, "wilson", "balanced")


def game(**options) -> Game:
    return Game(MAZE, MazeConfig(**{"size": 4, "protocol": "stepwise", "language": "en", **options}), seed=7)


def move(one: Game, direction: str, confidence: int = 80, ms: float = 1000.0) -> None:
    one.apply("choice", {"value": direction, "ms": ms, "by": "key"})
    if one.choice:
        one.apply("sure", {"value": confidence, "touched": True, "ms": 500.0})


def to_the_exit(one: Game) -> Game:
    while not one.stopped:
        move(one, MAZE.onward(one.here))
    return one


def test_a_game_by_hand():
    """The maze: (0,0) opens east and south, the solution goes east first."""
    one = game()
    assert one.choices == ("E", "S") and one.asks and one.turn == 1
    one.apply("choice", {"value": "E", "ms": 1200.0, "by": "button"})
    assert one.choice == "E" and one.here == (0, 0), "nothing has come of it yet"
    one.apply("sure", {"value": 65, "touched": True, "ms": 800.0})
    assert one.here == (0, 1) and one.choice == ""
    assert one.messages[2] == {"role": "assistant", "content": "STEP 1: (0,0) → E | confidence: 65%"}
    assert one.messages[3]["content"].startswith("You have arrived at (0,1).")
    start = one.noted[0].pop("slider_start")
    assert 0 <= start <= 100
    assert one.noted == [{"turn": 1, "kind": "answered", "ms": 1200.0, "by": "button", "confidence_ms": 800.0}]
    assert one.seconds == 2.0


def test_in_a_corridor_nothing_is_asked():
    one = game()
    while one.here in MAZE.junctions:
        move(one, MAZE.onward(one.here))
    assert not one.asks
    before = one.turn
    one.apply("choice", {"value": MAZE.onward(one.here), "ms": 1.0})
    assert one.turn == before + 1 and "confidence" not in one.messages[-2]["content"]


def test_the_same_replies_of_a_model_give_the_same_record():
    one = game()
    one.apply("declared", {"value": "dead end"})
    to_the_exit(one)
    replies = iter([m["content"] for m in one.messages if m["role"] == "assistant"])

    async def ask(messages):
        return Reply(text=next(replies))

    talk = hold(converse(ask, MAZE, one.config))
    assert list(talk.messages) == one.messages and talk.text == one.text
    assert talk.prompt.sha256 == one.prompt_sha256
    ours = score_answer(MAZE, one.text, one.config, messages=tuple(one.messages), key_events=tuple(one.noted))
    theirs = score_answer(MAZE, talk.text, one.config, messages=talk.messages)
    assert ours.replace(key_events=()) == theirs.replace(key_events=())
    assert ours.sr == 1 and ours.false_alarms == 1 and ours.decisions[0]["confidence"] == 0.8
    trace = parse_answer(one.text)
    assert len(trace.steps) == ours.moves and [s.cell for s in trace.steps] == [m.start for m in one.walk.moves]
    kinds = [event["kind"] for event in ours.key_events]
    assert kinds[: len(theirs.key_events)] == [event["kind"] for event in theirs.key_events]
    assert kinds.count("answered") == len(replies_of(one))


def replies_of(one: Game) -> list[str]:
    return [m["content"] for m in one.messages if m["role"] == "assistant"]


def test_a_slip_is_noted_and_not_sent():
    one = game()
    one.apply("slip", {"value": "N", "ms": 3.0})
    assert one.turn == 1 and not one.walk.moves
    assert one.noted == [{"turn": 1, "kind": "slip of the hand", "cell": [0, 0], "direction": "N", "ms": 3.0}]
    with pytest.raises(InputError):
        one.apply("slip", {"value": "E"})
    with pytest.raises(InputError):
        one.apply("choice", {"value": "N"})


def test_in_the_dark_every_key_is_sent_and_every_move_is_asked_about():
    """Asked at junctions only, the question itself would tell that there is one."""
    one = game(view="bump")
    assert one.choices == ("N", "E", "S", "W") and one.asks
    move(one, "N")
    assert one.here == (0, 0) and one.walk.moves[0].kind == "bump" and one.bumped() == {((0, 0), "N")}
    move(one, "N")
    assert one.walk.moves[1].kind == "outside"
    with pytest.raises(InputError):
        one.apply("slip", {"value": "N"})
    assert not game(view="bump", use_confidence=False).asks


def test_declarations_go_with_the_next_move():
    one = game(language="ko")
    for what in (*DECLARATIONS, "loop"):
        one.apply("declared", {"value": what, "ms": 1.0})
    move(one, "E", 90)
    assert replies_of(one) == [
        "DEAD_END at (0,0)\nLOOP detected at (0,0)\nSTRATEGY_CHANGE — 생각이 바뀜\nSTEP 1: (0,0) → E | 확신도: 90%"
    ]
    assert [e["kind"] for e in one.walk.events] == ["dead end", "loop", "strategy change"]
    assert one.declared == []


def test_what_cannot_happen_changes_nothing():
    one = game()
    wrong = [
        ("choice", {"value": "Q"}), ("sure", {"value": 50, "touched": True}), ("declared", {"value": "hungry"}),
        ("choice", {}), ("nothing", {}),
    ]  # fmt: skip
    for kind, data in wrong:
        with pytest.raises(InputError):
            one.apply(kind, data)
    one.apply("choice", {"value": "E"})
    for value, touched in ((50, False), (101, True), (-1, True), (True, True), (50.5, True), ("50", True)):
        with pytest.raises(InputError):
            one.apply("sure", {"value": value, "touched": touched})
    with pytest.raises(InputError, match="no undo"):
        one.apply("choice", {"value": "S"})
    assert one.choice == "E" and one.turn == 1 and one.noted == []


def test_a_long_answer_has_a_pause_in_it():
    one = game()
    move(one, "E", ms=PAUSE - 500.0)
    assert one.noted[-1] == {"turn": 1, "kind": "pause", "ms": float(PAUSE)}
    one = game()
    move(one, "E", ms=PAUSE - 501.0)
    assert [e["kind"] for e in one.noted] == ["answered"]


def test_a_time_that_is_not_known_leaves_the_whole_unknown():
    one = game()
    assert one.seconds == 0.0
    move(one, "E", ms=None)
    move(one, "W", ms=250.0)
    assert one.seconds is None


def test_giving_up_ends_a_walk_and_nothing_comes_after():
    one = game(language="ko")
    one.apply("gave up", {"ms": 5.0})
    assert one.stopped == "gave up" and replies_of(one) == ["포기합니다."]
    for kind, data in (("choice", {"value": "E"}), ("slip", {"value": "N"}), ("gave up", {})):
        with pytest.raises(InputError, match="over"):
            one.apply(kind, data)
    assert score_answer(MAZE, one.text, one.config, messages=tuple(one.messages)).failure_mode == "gave up"


def test_the_budget_ends_a_walk():
    one = game(step_budget=2)
    for direction in ("E", "W"):
        move(one, direction)
    assert one.stopped == "budget" and one.messages[-1]["role"] == "assistant"


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("said", ["valid", "invalid"])
def test_a_judgement_is_read_and_scored(language, said):
    config = MazeConfig(size=4, protocol="probe", language=language)
    one = Game(MAZE, config, seed=1)
    assert one.choices == ("valid", "invalid") and one.asks
    move(one, said, 30)
    assert one.stopped == "answered"
    result = score_answer(MAZE, one.text, config, messages=tuple(one.messages), key_events=tuple(one.noted))
    assert result.probe_said_valid is (said == "valid") and result.probe_confidence == 0.3
    assert result.probe_right == float((said == "valid") != probe_path(MAZE, config).broken)
    assert [e.get("event") or e["kind"] for e in result.key_events] == ["probe", "answered"]
    again = score_answer(MAZE, one.text, config, messages=tuple(one.messages), key_events=result.key_events)
    assert again == result
    with pytest.raises(InputError):
        Game(MAZE, config).apply("gave up", {})
    with pytest.raises(InputError):
        Game(MAZE, config).apply("declared", {"value": "loop"})


def test_a_second_walk_begins_with_what_was_said_and_is_measured_by_it():
    """East to (0,1) and straight back without a word: the trigger of group B."""
    first = game(ariadne_mode="B", step_budget=2)
    for direction in ("E", "W"):
        move(first, direction)
    spoken = Ariadne("B").after_walk(MAZE, first.walk.replay(), "en")
    assert spoken is not None and spoken.kind == "hint"
    assert spoken == Ariadne("B").after(MAZE, first.text, first.config), "the same as after the same text in one go"
    assert Ariadne("A").after_walk(MAZE, first.walk.replay(), "en") is None
    second = Game(MAZE, first.config, 7, spoken)
    assert second.messages[1]["content"].startswith(spoken.message + "\n\n")
    second.apply("declared", {"value": "dead end"})
    move(second, "E")
    scored = score_answer(
        MAZE, second.text, second.config, messages=tuple(second.messages), key_events=tuple(second.noted)
    )
    assert spoken.event() in scored.key_events and scored.nrs == 0.0, "a false dead end is no reaction"
    move(second, "W")
    scored = score_answer(
        MAZE, second.text, second.config, messages=tuple(second.messages), key_events=tuple(second.noted)
    )
    assert scored.nrs == 1.0, "turned back after one move: 1/max(1, 1)"


def test_the_slider_starts_by_chance_that_can_be_drawn_again():
    starts = [Game(MAZE, MazeConfig(size=4, protocol="stepwise"), seed).slider_start for seed in range(300)]
    assert starts == [Game(MAZE, MazeConfig(size=4, protocol="stepwise"), seed).slider_start for seed in range(300)]
    assert min(starts) < 5 and max(starts) > 95 and 40 < sum(starts) / 300 < 60
    one = game()
    first = one.slider_start
    move(one, "E")
    move(one, "W")
    assert first != one.slider_start


def test_a_single_answer_cannot_be_played():
    with pytest.raises(InputError, match="protocol"):
        Game(MAZE, MazeConfig(size=4))


TIMES = st.floats(0, 1e6)
EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("choice"), st.fixed_dictionaries({"value": st.sampled_from("NESW"), "ms": TIMES})),
        st.tuples(
            st.just("sure"), st.fixed_dictionaries({"value": st.integers(0, 100), "touched": st.booleans()})
        ),
        st.tuples(st.just("slip"), st.fixed_dictionaries({"value": st.sampled_from("NESW")})),
        st.tuples(st.just("declared"), st.fixed_dictionaries({"value": st.sampled_from(DECLARATIONS)})),
        st.tuples(st.sampled_from(["away", "back", "opened", "gave up"]), st.just({"value": "blur"})),
    ),
    max_size=40,
)  # fmt: skip


@settings(max_examples=60)
@given(EVENTS, st.sampled_from(["open", "bump"]), st.sampled_from(["ko", "en"]))
def test_whatever_is_pressed_what_was_noted_gives_the_same_game_again(events, view, language):
    one, happened = game(view=view, language=language), []
    for kind, data in events:
        before = (one.messages.copy(), one.noted.copy(), one.choice, one.stopped)
        try:
            one.apply(kind, data)
        except InputError:
            assert before == (one.messages, one.noted, one.choice, one.stopped)
            continue
        happened.append((kind, data))
    other = game(view=view, language=language)
    for kind, data in happened:
        other.apply(kind, data)
    assert other.messages == one.messages and other.noted == one.noted
    assert (other.here, other.choice, other.declared, other.stopped, other.turn) == (
        one.here, one.choice, one.declared, one.stopped, one.turn,
    )  # fmt: skip
    chosen = [data["value"] for kind, data in happened if kind == "choice"][: len(one.walk.moves)]
    assert [m.direction for m in one.walk.moves] == chosen, "each key is read back as it was pressed"
