"""The pictures of the READMEs, made again: python tests/browser/pictures.py (needs Chromium and Playwright)."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]

from browser import serving  # noqa: E402

from hallumaze_kit import parse_answer, replay  # noqa: E402
from hallumaze_kit.study import answer_maze, answer_text, walk_figure  # noqa: E402

FOLDER = serving.ROOT / "figures" / "readme"
NAME = "p14"
WALK = "q05"
TITLES = {
    "ko": "실제 응답 q05 (15×15, 시드 4): 최종 경로가 벽을 넘는다",
    "en": "Real answer q05 (15×15, seed 4): its final path crosses a wall",
}
BUTTON = {"ko": "저장하고 채점", "en": "Save and score"}


def panel(language: str) -> None:
    """The panel with a bundled real answer, as a web page of 1,100 pixels."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        notebook = serving.copy_notebook(Path(folder), language)
        with serving.voila(notebook.parent) as address:
            browser = driver.chromium.launch(executable_path=serving.CHROMIUM, args=serving.ARGUMENTS)
            page = browser.new_page(viewport={"width": 1130, "height": 1750})
            page.goto(address + notebook.name)
            page.wait_for_selector(".hm-answer textarea")
            page.locator(".hm-model input").fill("claude (version not recorded)")
            page.fill(".hm-answer textarea", serving.answer(NAME))
            page.get_by_role("button", name=BUTTON[language], exact=True).click()
            page.wait_for_selector(".hm-walk img")
            page.wait_for_timeout(800)
            box = page.locator(".hm-panel").first.bounding_box()
            page.mouse.move(0, 0)
            clip = {"x": 0, "y": max(0, box["y"]), "width": 1130, "height": min(1560, 1750 - max(0, box["y"]))}
            page.screenshot(path=FOLDER / f"panel_{language}.png", clip=clip)
            browser.close()


def walk(language: str) -> None:
    """The final path of a real answer on its maze."""
    maze = answer_maze(WALK)
    moves = replay(maze, parse_answer(answer_text(WALK))).final_moves
    walk_figure(maze, moves, TITLES[language], language).savefig(FOLDER / f"walk_{language}.png", dpi=150)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for language in ("ko", "en"):
        panel(language)
        walk(language)
    print(*sorted(path.name for path in FOLDER.glob("*.png")))
