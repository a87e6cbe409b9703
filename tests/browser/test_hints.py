"""A hinted trial by paste in a real page: first answer, hint, reload, second answer."""

from __future__ import annotations

import pytest
from browser import serving
from browser.driving import BOX, RESULT, paste, press

from hallumaze_kit import AnswerBook
from hallumaze_kit.trial.hints import MESSAGES

pytestmark = pytest.mark.xdist_group("browser")
P14 = serving.answer("p14")
SECOND = ".hm-second textarea"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hints")
    with serving.voila(folder) as address:
        yield address, folder


def test_the_second_step_outlives_a_reload_and_counts_the_trial_once(served, open_page, tmp_path):
    address, folder = served
    page = open_page(address + serving.copy_notebook(folder, book=tmp_path).name)
    page.wait_for_selector(BOX)
    press(page, "조건 더 보기")
    page.get_by_label("그룹").select_option("C")
    page.get_by_label("시드").first.fill("7007")
    press(page, "미로 만들기")
    page.locator(".hm-prompt", has_text="Seed: 7007").wait_for()
    paste(page, P14)
    page.wait_for_selector(SECOND, state="visible")
    press(page, "보낼 글 복사")
    page.get_by_role("button", name="복사함").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == MESSAGES["ko"]["hint"]
    page.fill(SECOND, "STEP 1: 다시")
    page.wait_for_timeout(1_000)

    page.reload()
    page.wait_for_selector(SECOND, state="visible")
    assert page.input_value(SECOND) == "STEP 1: 다시"
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.fill(SECOND, f"다시 풀었습니다.\n{P14}")
    press(page, "두 번째 답 저장하고 채점")
    page.locator(".hm-result", has_text="힌트 반응 속도(NRS)").wait_for()
    assert page.inner_text(RESULT) == "MEI 0.900●" and not page.is_visible(SECOND)
    with AnswerBook(tmp_path / "answers.db") as book:
        (answer,) = book.answers()
        assert len(list(book.answers(include_deleted=True))) == 2
        assert [m["role"] for m in answer.meta["messages"]] == ["system", "user", "assistant", "user", "assistant"]
