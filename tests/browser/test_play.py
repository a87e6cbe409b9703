"""The play panel in a real Voilà page and a real JupyterLab, in a real Chromium."""

from __future__ import annotations

import re

import pytest
from browser import serving
from browser.driving import command, wait_for_kernel
from browser.looks import CONTRAST, STICKS_OUT

from hallumaze_kit import AnswerBook, MazeEngine

pytestmark = pytest.mark.xdist_group("browser")
SIZE, SEEDS = 3, [1, 2]
PARAMETERS = {"SIZE": SIZE, "SEEDS": SEEDS, "PRACTICE_SEEDS": [], "LANGUAGE": "en"}
IDLE = "!document.querySelector('.hm-busy')"
TYPED = """([key, code]) => document.activeElement
  .dispatchEvent(new KeyboardEvent("keydown", { key, code, bubbles: true }))"""
READ = (".hm-play p", ".hm-play li", ".hm-play h3", ".hm-button:not(:disabled)", ".hm-notice", ".hm-small", ".hm-code")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("play")
    with serving.voila(folder) as address:
        yield address, folder


@pytest.fixture
def web(served, tmp_path):
    """The address of a page with a book of its own, and that book's folder."""
    address, folder = served
    path = serving.copy_play(folder, **PARAMETERS, BOOK=str(tmp_path / "play.db"))
    return address + path.name, tmp_path


def on(page, name: str) -> None:
    """Wait for a page of the panel."""
    page.wait_for_selector(f".hm-page-{name}", timeout=60_000)
    page.wait_for_function(IDLE)


def key(page, *keys: str) -> None:
    """Press keys one after the other, each when the page has answered the one before."""
    for one in keys:
        page.keyboard.press(one)
        page.wait_for_timeout(30)
        page.wait_for_function(IDLE)


def tab_to(page, selector: str) -> None:
    """Press Tab until the focus is there."""
    for _ in range(40):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {selector}")


def sit_down(page) -> None:
    """From the rules to the first maze, by keyboard alone."""
    on(page, "rules")
    tab_to(page, '[data-act="go on"]')
    key(page, "Enter")
    on(page, "check")
    for name in ("where", "regret", "wall_open"):
        tab_to(page, f"[data-field={name}]")
        page.keyboard.press("Space")
        for _ in range(3):
            if page.evaluate("document.activeElement.value") != "0":
                page.keyboard.press("ArrowDown")
    key(page, "Enter")
    on(page, "consent")
    tab_to(page, "[data-act=agree]")
    key(page, "Enter")
    on(page, "code")
    key(page, "Enter")
    on(page, "ready")


def here(page) -> tuple[int, int]:
    row, col = re.findall(r"\d+", page.inner_text(".hm-where b"))
    return int(row), int(col)


def step(page, maze: MazeEngine) -> None:
    """One right move, with its confidence where it is asked for."""
    key(page, f"Key{maze.onward(here(page))}")
    if page.locator("[data-touch]").count():
        assert page.locator(".hm-primary").is_disabled()
        key(page, "Enter")
        assert page.locator("[data-touch]").count(), "an untouched slider is not sent"
        key(page, "ArrowRight", "Enter")
    page.wait_for_function(f"{IDLE} && !document.querySelector('[data-touch]')")


def walk(page, maze: MazeEngine) -> None:
    """To the exit."""
    for _ in range(2 * SIZE**2):
        if page.locator(".hm-page-play").count() == 0:
            return
        step(page, maze)
    raise AssertionError("the exit is never reached")


def start(page) -> None:
    """Begin the maze that is next."""
    key(page, "Enter")
    on(page, "play")


def orders_of(book: AnswerBook, code: str) -> list[MazeEngine]:
    """A person's mazes in their order, from the number that the book gave."""
    from hallumaze_kit.panels.playing.plan import williams

    (row,) = [row for row in book.answers(True, participant=code) if row.meta["outcome"] == "enrolled"]
    rows = williams(len(SEEDS))
    order = rows[row.meta["extra"]["play"]["number"] % len(rows)]
    return [MazeEngine(SIZE, SEEDS[place], "wilson", "balanced") for place in order]


def code_on(page) -> str:
    return page.inner_text(".hm-foot .hm-code")


def test_a_whole_game_by_keyboard_in_a_web_page_with_a_reload_in_the_middle(web, open_page):
    address, folder = web
    page = open_page(address, 390)
    sit_down(page)
    code = code_on(page)
    with AnswerBook(folder / "play.db") as book:
        mazes = orders_of(book, code)
        start(page)
        walk(page, mazes[0])
        on(page, "ready")
        start(page)
        closed = next(d for d in "NESW" if d not in mazes[1].open_directions((0, 0)))
        page.evaluate(TYPED, ["ㅁ", f"Key{closed}"])  # a Korean keyboard: another letter, the same place
        page.locator(".hm-slip", has_text="closed").wait_for()
        key(page, "KeyL")
        page.locator(".hm-notice", has_text="Noted").wait_for()
        page.wait_for_timeout(400)
        step(page, mazes[1])
        stood = here(page)
        for event in ("blur", "focus"):
            page.evaluate("name => { window.dispatchEvent(new Event(name)); }", event)
            page.wait_for_timeout(200)

        page.reload()
        on(page, "play")
        assert here(page) == stood and code_on(page) == code
        page.locator(".hm-notice", has_text="exactly where you stopped").wait_for()
        walk(page, mazes[1])
        on(page, "done")
        assert page.evaluate("sessionStorage.length") == 0
        first, second = book.results()
        assert [first.sr, second.sr] == [1, 1] and {first.participant, second.participant} == {code}
        slip = next(event for event in second.key_events if event["kind"] == "slip of the hand")
        assert slip["direction"] == closed and slip["cell"] == (0, 0)
        kinds = [event["kind"] for event in second.key_events]
        assert {"slip of the hand", "declared", "opened again", "loop"} <= set(kinds)
        back = next(event for event in second.key_events if event["kind"] == "back")
        assert kinds.index("away") == kinds.index("back") - 1 and 150 < back["away_ms"] < 10_000
        answered = [event for event in second.key_events if event["kind"] == "answered"]
        assert answered[0]["ms"] > 400, "a notice does not start the clock anew"
        assert all(0 < event["ms"] < 60_000 and event["by"] == "key" for event in answered)
        assert "window 390x900" in first.device
        assert first.messages[-1]["role"] == "assistant" and first.false_alarms == 0 and second.false_alarms == 1


def test_two_browsers_at_once_mix_nothing(web, open_page):
    address, folder = web
    pages = [open_page(address), open_page(address)]
    for page in pages:
        sit_down(page)
    codes = [code_on(page) for page in pages]
    assert codes[0] != codes[1]
    with AnswerBook(folder / "play.db") as book:
        orders = [orders_of(book, code) for code in codes]
        assert orders[0] != orders[1], "the second person has the other row of the square"
        for page in pages:
            start(page)
        for _ in range(2 * SIZE**2):
            for page, mazes in zip(pages, orders, strict=True):
                if page.locator(".hm-page-play").count():
                    step(page, mazes[0])
        results = book.results()
        assert {result.participant: result.maze_id for result in results} == {
            code: mazes[0].maze_id for code, mazes in zip(codes, orders, strict=True)
        }
        assert all(result.sr == 1 and result.excess == 1 for result in results)


def test_in_jupyterlab_by_keyboard_and_after_a_restart_of_the_kernel(tmp_path, open_page):
    with serving.lab(tmp_path) as address:
        serving.copy_play(tmp_path, **PARAMETERS | {"MEMORY": "trail"})
        page = open_page(f"{address}/lab/tree/play.ipynb?reset")
        wait_for_kernel(page)
        command(page, "notebook:run-all-cells")
        on(page, "rules")
        assert not page.evaluate("document.querySelector('.hm-desk').contains(document.activeElement)")
        page.locator(".hm-desk").focus()
        sit_down(page)
        code = code_on(page)
        with AnswerBook(tmp_path / "play.db") as book:
            mazes = orders_of(book, code)
            start(page)
            cells = page.locator(".jp-Notebook .jp-Cell").count()
            key(page, "KeyB", "KeyA", "KeyX", "KeyM", "KeyY")
            assert page.locator(".jp-Notebook .jp-Cell").count() == cells, "no key became a command of the notebook"
            step(page, mazes[0])
            stood = here(page)
            command(page, "apputils:change-theme", theme="JupyterLab Dark")
            page.wait_for_selector("body[data-jp-theme-light='false']", state="attached")
            for selector in READ:
                found = page.evaluate(CONTRAST, selector)
                assert min(found, default=9) >= 4.5, (selector, min(found))

            page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
            page.wait_for_timeout(500)
            wait_for_kernel(page)
            command(page, "notebook:run-all-cells")
            page.locator(".hm-notice", has_text="exactly where you stopped").wait_for(timeout=60_000)
            assert here(page) == stood and code_on(page) == code
            page.locator(".hm-desk").focus()
            walk(page, mazes[0])
            on(page, "ready")
            assert book.results()[0].sr == 1 and book.results()[0].memory == "all turns"


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_sticks_out(web, open_page, width):
    page = open_page(web[0], width)
    on(page, "rules")
    assert page.evaluate(STICKS_OUT) == []
    sit_down(page)
    start(page)
    assert page.evaluate(STICKS_OUT) == []
    for selector in READ:
        found = page.evaluate(CONTRAST, selector)
        assert min(found, default=9) >= 4.5, (selector, min(found))
