"""What the pages of the play panel show, and what they must not show."""

from __future__ import annotations

import re

import pytest
from panels.playing_games import MAZES, STEPS, act, answer_check, onward, plan_of, seated, step

from hallumaze_kit import AnswerBook, MazeConfig, MazeEngine
from hallumaze_kit.panels.play import PlayPanel
from hallumaze_kit.panels.playing import view
from hallumaze_kit.panels.playing.log import Who
from hallumaze_kit.panels.playing.plan import PlayPlan
from hallumaze_kit.panels.playing.state import PAGES, PlayState
from hallumaze_kit.panels.playing.words import ARROWS, CONSENT, WORDS

HANGUL = re.compile("[가-힣]")
LURED = MazeEngine(5, 3, "wilson", "v1.1")


@pytest.fixture
def book(tmp_path):
    with AnswerBook(tmp_path / "play.db") as book:
        yield book


def shown(state: PlayState) -> str:
    return view.page(state)["html"]


def acts(state: PlayState) -> list[tuple[str, str]]:
    return re.findall(r'data-act="([^"]*)" data-value="([^"]*)"', shown(state))


def same_shape(one: object, other: object, path: str = "") -> None:
    assert type(one) is type(other), path
    if isinstance(one, dict):
        assert one.keys() == other.keys(), path
        for key in one:
            same_shape(one[key], other[key], f"{path}.{key}")
    elif isinstance(one, tuple):
        assert len(one) == len(other), path
    elif isinstance(one, str):
        assert sorted(re.findall(r"{\w+", one)) == sorted(re.findall(r"{\w+", other)), path


def test_everything_is_said_in_both_languages():
    same_shape(WORDS["ko"], WORDS["en"])
    assert set(CONSENT) == set(WORDS)


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("view_name", ["open", "bump"])
def test_every_page_speaks_one_language(book, language, view_name):
    config = MazeConfig(protocol="stepwise", view=view_name, use_mirage=False)
    plan = PlayPlan("s", [(MAZES[:1], config), (MAZES[1:2], MazeConfig(protocol="probe", use_mirage=False))])
    state = PlayState(book, plan, language)
    seen = {}

    def look() -> None:
        html = re.sub(r'<div class="hm-buttons hm-languages">.*?</div>', "", shown(state))
        seen[state.page] = html
        assert bool(HANGUL.search(re.sub(r"<[^>]*>", "", html))) == (language == "ko"), state.page

    def do(name: str, value: str = "", **more) -> None:
        act(state, name, value, **more)
        look()

    look()
    do("go on")
    answer_check(state, "1")
    look()
    answer_check(state)
    look()
    do("agree")
    do("withdraw")
    do("stay")
    do("start")
    do("declared", "loop")
    do("give up")
    do("stay")
    for direction in (d for d in "NESW" if view_name == "bump" or d in state.entry.game.choices):
        step(state, direction)
        look()
    while state.page == "play":
        do("choice", onward(state))
        if state.entry and state.entry.game.choice:
            do("sure", fields={"confidence": "7"}, touched=True)
    do("start")
    do("choice", "valid")
    do("sure", fields={"confidence": "7"}, touched=True)
    do("withdraw")
    do("yes withdraw")
    assert {"rules", "check", "consent", "code", "ready", "play", "give up", "withdraw", "withdrawn"} <= set(seen)
    assert set(PAGES) == set(view._PAGES)


def test_only_the_open_sides_can_be_pressed(book):
    state = seated(book)
    act(state, "start")
    game = state.entry.game
    ways = [value for name, value in acts(state) if name == "choice"]
    assert ways == list(game.choices) and view.page(state)["open"] == ways
    keys = view.page(state)["keys"]
    assert (
        keys["ArrowUp"] == ["choice", "N"] and keys["KeyW"] == ["choice", "W"] and keys["KeyL"] == ["declared", "loop"]
    )


def test_the_slider_stands_where_chance_put_it_and_the_way_is_not_shown_yet(book):
    state = seated(book)
    act(state, "start")
    while not state.entry.game.choice:
        act(state, "choice", onward(state))
    game = state.entry.game
    html = shown(state)
    assert f'value="{game.slider_start}"' in html
    assert f"({game.here[0]},{game.here[1]})" in html
    assert view.page(state)["keys"] == {} and not [name for name, _ in acts(state) if name == "choice"]
    assert f"{game.choice} {ARROWS[game.choice]}" in html


@pytest.mark.parametrize("memory", ["cell", "trail"])
@pytest.mark.parametrize("view_name", ["open", "bump"])
def test_the_picture_holds_no_more_of_the_maze_than_was_seen(book, memory, view_name):
    """Two mazes that look alike so far give the same picture."""
    config = MazeConfig(protocol="stepwise", view=view_name, use_mirage=False)
    pictures = []
    alike = {}
    for seed in range(200):
        maze = MazeEngine(3, seed, "wilson")
        alike.setdefault((maze.open_directions((0, 0)), maze.open_directions((0, 1))), []).append(maze)
    one, other = next(
        pair[:2] for (first, second), pair in alike.items() if "E" in first and len(second) > 1 and len(set(pair)) > 1
        and pair[0] != pair[1]
    )  # fmt: skip
    for maze in (one, other):
        state = seated(book, plan_of([maze], config, study=f"{maze.seed}", memory=memory))
        act(state, "start")
        step(state, "E")
        pictures.append(re.search(r"<svg.*?</svg>", shown(state))[0])
        assert maze.maze_id not in view.page(state)["html"]
    assert pictures[0] == pictures[1]


def test_a_trail_is_drawn_only_where_it_is_to_be(book):
    drawn = {}
    for memory in ("cell", "trail"):
        state = seated(book, plan_of(study=memory, memory=memory))
        act(state, "start")
        step(state, onward(state))
        drawn[memory] = shown(state)
    assert "hm-trail" in drawn["trail"] and "hm-trail" not in drawn["cell"]
    assert drawn["cell"].count("hm-known") == 1 and drawn["trail"].count("hm-known") == 2


def test_lures_stand_beside_their_way_if_the_condition_shows_them(book):
    lure = LURED.mirage_traps[0]
    for shows in (True, False):
        config = MazeConfig(protocol="stepwise", use_mirage=shows)
        state = seated(book, plan_of([LURED], config, study=str(shows)))
        act(state, "start")
        while state.entry.game.here != lure.cell:
            step(state, onward(state))
        assert (lure.text("en") in shown(state)) is shows
        assert (lure.text("en") in state.entry.game.messages[-1]["content"]) is shows, "as a model is told"


def test_nothing_that_is_typed_or_named_becomes_markup(book):
    nasty = "<img src=x onerror=alert(1)>"
    plan = plan_of(study=nasty, consent={"ko": nasty, "en": nasty}, consent_version=nasty)
    state = PlayState(book, plan, "en", Who("synthetic", "synthetic", nasty))
    state.hear({"act": "hello", "value": nasty, "device": nasty})
    act(state, "resume", fields={"code": nasty})
    for name in ("go on", "answer", "agree", "first"):
        act(state, name, fields=dict.fromkeys(state.questions, "0"))
        assert "<img" not in shown(state)


def test_a_synthetic_player_is_called_one_on_every_page(book):
    state = PlayState(book, plan_of(), "en", Who("synthetic", "synthetic", "careful"))
    assert "synthetic player: careful" in shown(state)
    assert "synthetic" not in shown(PlayState(book, plan_of(), "en"))


def test_a_window_forgets_whose_it_was_when_all_is_done(book):
    state = seated(book, plan_of([MAZES[0]]))
    assert view.page(state)["code"] == state.seat.code
    act(state, "start")
    while state.page == "play":
        step(state, onward(state))
    assert state.page == "done" and view.page(state)["code"] == "" and state.seat.code in shown(state)


def test_the_panel_shows_what_the_state_says(book):
    panel = PlayPanel(book, plan_of(), "ko")
    first = panel.face.page
    panel.face._handle_custom_msg({"act": "language", "value": "en", "seq": first["seq"]}, [])
    assert panel.face.page["lang"] == "en" and panel.face.page["seq"] == first["seq"] + 1
    before = panel.face.page
    for nothing in ({"act": "go on", "seq": first["seq"]}, "text", None, ["go on"]):
        panel.face._handle_custom_msg(nothing, [])
        assert panel.face.page == before
    assert STEPS.protocol == "stepwise"
