"""The paste panel in a real JupyterLab and a real Voilà page, in a real Chromium."""

from __future__ import annotations

import json
import re
import urllib.request

import pytest
from browser import serving
from browser.driving import BOX, RESULT, paste, press, run_all

from hallumaze_kit import AnswerBook, MazeConfig, MazeEngine, build_prompt

pytestmark = pytest.mark.xdist_group("browser")
P14, P12 = serving.answer("p14"), serving.answer("p12")


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    serving.copy_notebook(folder)
    with serving.lab(folder) as address:
        yield address, folder


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    with serving.voila(folder) as address:
        yield address, folder


@pytest.fixture
def web(served, tmp_path):
    """The address of a page with a book of its own, and the folder of that book."""
    address, folder = served
    return address + serving.copy_notebook(folder, book=tmp_path).name, tmp_path


def numbers(page) -> list[str]:
    """The values in the table of measures."""
    rows = page.locator(".hm-result details:nth-of-type(2) tr td:nth-child(2)")
    return [re.sub(r" \(.*", "", text) for text in rows.all_inner_texts()]


def test_in_jupyterlab_from_the_maze_to_two_answers_that_outlive_the_kernel(lab, open_page):
    address, _ = lab
    page = open_page(f"{address}/lab/tree/paste.ipynb?reset")
    run_all(page)
    page.get_by_label("크기").fill("7")
    page.get_by_label("시드").first.fill("7007")
    press(page, "미로 만들기")
    page.locator(".hm-prompt", has_text="Seed: 7007").wait_for()
    page.get_by_role("button", name="둘 다 복사").click()
    page.get_by_role("button", name="복사함").wait_for()
    prompt = build_prompt(MazeEngine(7, 7007), MazeConfig())
    assert page.evaluate("navigator.clipboard.readText()") == f"{prompt.system}\n\n{prompt.user}"

    paste(page, P14)
    page.wait_for_selector(RESULT)
    assert page.inner_text(RESULT) == "MEI 0.900●" and page.input_value(BOX) == ""
    assert page.eval_on_selector(".hm-walk img", "image => image.complete && image.naturalWidth > 300")
    press(page, "계획의 다음 미로")
    page.locator(".hm-prompt", has_text="Seed: 5005").wait_for()
    paste(page, P12)
    page.locator(".hm-head", has_text="시드 5005").wait_for()
    korean = numbers(page)
    press(page, "English")
    page.get_by_role("button", name="Save and score", exact=True).wait_for()
    page.locator(".hm-result", has_text="What it said, and what happened").first.wait_for()
    assert numbers(page) == korean and len(korean) > 20

    for kernel in json.load(urllib.request.urlopen(f"{address}/api/kernels")):
        asked = urllib.request.Request(f"{address}/api/kernels/{kernel['id']}/restart", method="POST")
        urllib.request.urlopen(asked).close()
    page.goto(f"{address}/lab/tree/paste.ipynb?reset")
    run_all(page)
    press(page, "저장한 응답")
    page.locator(".hm-saved option").nth(1).wait_for(state="attached")
    saved = [line.replace("\xa0", " ") for line in page.locator(".hm-saved option").all_inner_texts()]
    assert len(saved) == 2 and "시드 5005" in saved[0] and "시드 7007" in saved[1]


def test_two_web_pages_share_one_book(web, open_page):
    address, folder = web
    one, other = open_page(address), open_page(address)
    for page in (one, other):
        page.wait_for_selector(BOX)
    paste(one, P14)
    one.wait_for_selector(RESULT)
    press(other, "계획의 다음 미로")
    other.locator(".hm-prompt", has_text="Seed: 5005").wait_for()
    paste(other, P12)
    other.wait_for_selector(RESULT)
    for page in (one, other):
        press(page, "저장한 응답")
        press(page, "목록과 표 새로 고침")
        page.locator(".hm-saved option").nth(1).wait_for(state="attached")
        assert page.locator(".hm-saved option").count() == 2
    with AnswerBook(folder / "answers.db") as book:
        assert [a.text for a in book.answers()] == [P14, P12]


def test_what_is_typed_outlives_a_reload(web, open_page):
    page = open_page(web[0])
    page.wait_for_selector(BOX)
    page.locator(BOX).press_sequentially("STEP 1: half")
    page.wait_for_timeout(1_000)
    page.reload()
    page.locator("option", has_text="STEP 1: half").wait_for(state="attached")
    press(page, "상자에 넣기")
    page.wait_for_function(f"document.querySelector('{BOX}').value === 'STEP 1: half'")


def test_a_whole_pass_by_keyboard_alone(web, open_page):
    page = open_page(web[0])
    page.wait_for_selector(BOX)

    def tab_to(matches: str, most: int = 80) -> None:
        for _ in range(most):
            page.keyboard.press("Tab")
            if page.evaluate(f"(e => {matches})(document.activeElement)"):
                return
        raise AssertionError(f"Tab never reaches {matches}")

    def named(words: str) -> str:
        return f"e.tagName === 'BUTTON' && e.textContent.trim() === {json.dumps(words)}"

    tab_to(named("미로 만들기"))
    page.keyboard.press("Enter")
    tab_to(named("둘 다 복사"))
    page.keyboard.press("Enter")
    page.get_by_role("button", name="복사함").wait_for()
    tab_to("e.tagName === 'TEXTAREA'")
    page.evaluate("text => navigator.clipboard.writeText(text)", P14)
    page.keyboard.press("Control+V")
    page.wait_for_timeout(500)
    tab_to(named("저장하고 채점"))
    page.keyboard.press("Enter")
    page.wait_for_selector(RESULT)
    for _ in range(80):
        page.keyboard.press("Shift+Tab")
        if page.evaluate(f"(e => {named('저장한 응답')})(document.activeElement)"):
            break
    page.keyboard.press("Enter")
    page.wait_for_selector(".hm-saved select")
    tab_to("e.tagName === 'SELECT' && e.closest('.hm-saved') !== null")
    page.keyboard.press("ArrowDown")
    tab_to(named("열기"))
    page.keyboard.press("Space")
    tab_to(named("내보내기"))
    page.keyboard.press("Enter")
    page.wait_for_selector("a[download]")
    assert page.alerts == [] and len(list(web[1].glob("answers-*.csv"))) == 1


SIDEWAYS = """() => {
  const page = document.documentElement, panel = document.querySelector('.hm-panel');
  return [page.scrollWidth - page.clientWidth, panel.scrollWidth - panel.clientWidth];
}"""


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_scrolls_sideways(lab, web, open_page, width):
    for address in (f"{lab[0]}/lab/tree/paste.ipynb?reset", web[0]):
        page = open_page(address)
        if "/lab/" in address:
            run_all(page)
            page.keyboard.press("Control+b")  # the side bar takes most of a narrow window
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_selector(BOX, timeout=60_000)
        page.wait_for_timeout(500)
        assert page.evaluate(SIDEWAYS) == [0, 0]
        paste(page, P14)
        page.wait_for_selector(f"{RESULT}, .hm-ask:has-text('그대로 있습니다')")
        if page.locator(RESULT).count() == 0:  # where the plan is full, the maze is another one
            press(page, "그래도 저장하고 채점")
        page.wait_for_selector(RESULT)
        for view in ("여러 개 한꺼번에", "저장한 응답", "붙여넣기"):
            assert page.evaluate(SIDEWAYS) == [0, 0], view
            press(page, view)
            page.wait_for_timeout(300)


CONTRAST = """selector => {
  const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
    const a = c.match(/[\\d.]+/g); if (a && (a.length < 4 || +a[3] > 0.9)) return c; } return 'rgb(255, 255, 255)'; };
  return [...document.querySelectorAll(selector)].filter(e => e.offsetParent && e.textContent.trim()).map(e => {
    const one = light(getComputedStyle(e).color), two = light(behind(e));
    return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05); });
}"""


BACKGROUND = {"dark": "rgb(17, 17, 17)", "light": "rgb(255, 255, 255)"}


@pytest.mark.parametrize("theme", BACKGROUND)
def test_words_are_readable_in_both_themes(web, open_page, theme):
    page = open_page(f"{web[0]}?theme={theme}")
    page.wait_for_selector(BOX)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == BACKGROUND[theme]
    paste(page, P14.replace("(0, 1)로 갑니다", "(1, 0)로 갑니다", 1))
    page.wait_for_selector(RESULT)
    page.locator(".hm-result summary").last.click()
    for selector in (".hm-notice", "pre.hm-text", ".hm-table td", ".hm-table th", ".hm-panel h3", ".hm-bad"):
        found = page.evaluate(CONTRAST, selector)
        assert found and min(found) >= 4.5, (selector, min(found, default=0))


RUNS = "window.__ran = true"
NASTY = "\n".join(
    (
        f"<script>{RUNS}</script>", f"<img src=x onerror='{RUNS}'><b>A</b>", "</script></pre></div><h1>out</h1>",
        f'<a href="javascript:{RUNS}">x</a> [x](javascript:{RUNS})', "\x1b[31mred\x1b[0m", "\u202eabc\u202c",
        "x" * 200_000,
    )
)  # fmt: skip


def test_nothing_that_is_pasted_runs(web, open_page):
    page = open_page(web[0])
    page.wait_for_selector(BOX)
    page.evaluate("window.__ran = false")
    page.locator(".hm-model input").fill(f"<img src=x onerror='{RUNS}'></script>\u202e")
    paste(page, f"STEP 1: (0,0) → E | 90% | {NASTY}")
    page.wait_for_selector(RESULT)
    press(page, "저장한 응답")
    page.locator(".hm-saved option").first.wait_for(state="attached")
    press(page, "English")
    page.get_by_role("button", name="Saved answers").click()
    page.wait_for_timeout(500)
    assert page.evaluate("window.__ran") is False and page.alerts == []
    assert page.locator("img[src='x'], .hm-panel script, .hm-panel h1, a[href^='javascript:']").count() == 0
    assert "<img src=x onerror=" in page.locator(".hm-head").inner_text()
    assert f"<script>{RUNS}</script>" in page.locator(".hm-result pre").text_content()
    page.reload()
    page.wait_for_selector(BOX)
    assert page.alerts == []
