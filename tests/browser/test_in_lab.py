"""What the paste panel must stand in JupyterLab: keys alone, a dark theme, hostile texts, little room."""

from __future__ import annotations

import json

import pytest
from browser import serving
from browser.driving import BOX, RESULT, command, paste, press, run_all, wait_for_kernel
from browser.looks import CONTRAST, STICKS_OUT

pytestmark = pytest.mark.xdist_group("browser")
P12, P14 = serving.answer("p12"), serving.answer("p14")
READ = (
    ".hm-notice", "pre.hm-text", "pre.hm-text mark", ".hm-table td", ".hm-table th", ".hm-panel h3", ".hm-bad",
    ".hm-readings dt", ".hm-readings dd", ".hm-result summary", ".hm-panel label",
)  # fmt: skip
RUNS = "window.__ran = true"
NASTY = [
    f"<script>{RUNS}</script>", f"<img src=x onerror='{RUNS}'>", f"</script></pre></div><h1 onclick='{RUNS}'>out</h1>",
    f'<a href="javascript:{RUNS}">x</a> [x](javascript:{RUNS})', "\x1b[31mred\x1b[0m", "\u202eabc\u202c\u200f",
    "x" * 200_000,
]  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    with serving.lab(folder) as address:
        yield address, folder


@pytest.fixture
def lab(server, tmp_path):
    """The address of a notebook with a book of its own, its file, and the folder of the book."""
    address, folder = server
    path = serving.copy_notebook(folder, book=tmp_path)
    return f"{address}/lab/tree/{path.name}?reset", path, tmp_path


def focused(page) -> str:
    """What has the focus: its tag, and the words on it if it is a button."""
    return page.evaluate(
        "(e => e.tagName + (e.tagName === 'BUTTON' ? ' ' + e.textContent.trim() : ''))(document.activeElement)"
    )


def step_to(page, target: str, key: str = "Tab", most: int = 80) -> None:
    for _ in range(most):
        page.keyboard.press(key)
        if focused(page) == target:
            return
    raise AssertionError(f"{key} never reaches {target}")


def test_a_whole_pass_by_keyboard_alone(lab, open_page):
    page = open_page(lab[0])
    wait_for_kernel(page)
    for _ in range(8):
        page.keyboard.press("Shift+Enter")
        page.wait_for_timeout(200)
    page.wait_for_selector(BOX, timeout=30_000)
    step_to(page, "BUTTON 저장한 응답")
    step_to(page, "INPUT")
    step_to(page, "INPUT")
    page.keyboard.press("Control+A")
    page.keyboard.type("5005")
    step_to(page, "BUTTON 미로 만들기")
    page.keyboard.press("Enter")
    page.locator(".hm-prompt", has_text="Seed: 5005").wait_for()
    step_to(page, "BUTTON 둘 다 복사")
    page.keyboard.press("Space")
    page.get_by_role("button", name="복사함").wait_for()
    page.evaluate("text => navigator.clipboard.writeText(text)", P12)
    step_to(page, "TEXTAREA")
    page.keyboard.press("Control+V")
    step_to(page, "BUTTON 저장하고 채점")
    page.keyboard.press("Enter")
    page.wait_for_selector(RESULT)
    step_to(page, "BUTTON 저장한 응답", "Shift+Tab")
    page.keyboard.press("Space")
    page.wait_for_selector(".hm-saved select")
    step_to(page, "SELECT")
    page.keyboard.press("ArrowDown")
    step_to(page, "BUTTON 열기")
    page.keyboard.press("Space")
    step_to(page, "BUTTON 내보내기")
    page.keyboard.press("Enter")
    page.wait_for_selector("a[download]")
    assert page.alerts == [] and len(list(lab[2].glob("answers-*.csv"))) == 1
    assert page.locator(".jp-Notebook .jp-Cell").count() == 9  # no key became a command of the notebook


def test_words_are_readable_in_the_dark_theme(lab, open_page):
    page = open_page(lab[0])
    run_all(page)
    command(page, "apputils:change-theme", theme="JupyterLab Dark")
    page.wait_for_selector("body[data-jp-theme-light='false']", state="attached")
    paste(page, P14.replace("(0, 1)로 갑니다", "(1, 0)로 갑니다", 1))
    page.wait_for_selector(RESULT)
    page.locator(".hm-result summary").last.click()
    for selector in READ:
        found = page.evaluate(CONTRAST, selector)
        assert found and min(found) >= 4.5, (selector, min(found, default=0))


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_sticks_out(lab, open_page, width):
    page = open_page(lab[0])
    run_all(page)
    page.keyboard.press("Control+b")
    page.set_viewport_size({"width": width, "height": 900})
    paste(page, P14)
    page.wait_for_selector(RESULT)
    press(page, "조건 더 보기")
    for view in ("여러 개 한꺼번에", "저장한 응답", "붙여넣기"):
        page.wait_for_timeout(300)
        assert page.evaluate(STICKS_OUT) == []
        press(page, view)


def test_nothing_that_is_pasted_runs_not_even_from_the_saved_notebook(lab, open_page):
    page = open_page(lab[0])
    run_all(page)
    page.evaluate("window.__ran = false")
    page.locator(".hm-model input").fill("".join(NASTY))
    paste(page, "STEP 1: (0,0) → E | 90% | " + "\n".join(NASTY))
    page.wait_for_selector(RESULT)
    check_nothing_ran(page)
    assert NASTY[0] in page.locator(".hm-result pre").first.text_content()
    command(page, "docmanager:save")
    page.wait_for_selector(".lm-TabBar-tab.lm-mod-current.jp-mod-dirty", state="detached")
    page.wait_for_function("!document.querySelector('.jp-Document:not(.lm-mod-hidden) .jp-mod-dirty')")
    saved = json.loads(lab[1].read_text("utf-8"))
    assert any(cell.get("outputs") for cell in saved["cells"])

    fresh = open_page(lab[0])
    fresh.wait_for_selector(".jp-Notebook .jp-Cell")
    run_all(fresh)
    press(fresh, "저장한 응답")
    fresh.locator(".hm-saved option").first.wait_for(state="attached")
    fresh.locator(".hm-saved select").select_option(index=0)
    press(fresh, "열기")
    fresh.wait_for_selector(RESULT)
    assert NASTY[0] in fresh.locator(".hm-result pre").first.text_content()
    check_nothing_ran(fresh)


def check_nothing_ran(page) -> None:
    assert not page.evaluate("window.__ran") and page.alerts == []
    bad = "img[src='x'], .hm-panel script, .hm-panel h1, .jp-OutputArea h1, a[href^='javascript:']"
    assert page.locator(bad).count() == 0
