"""Chromium for the tests of this folder; without it, or without Playwright, they are skipped."""

from __future__ import annotations

import pytest
from browser import serving


@pytest.fixture(scope="session")
def chromium():
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if serving.CHROMIUM is None:
        pytest.skip("no Chromium is on this machine (Debian: apt install chromium)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=serving.CHROMIUM, args=serving.ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium):
    """A page of a given width; whatever it complains of loudly is a fault of the test."""
    contexts = []

    def opened(address: str, width: int = 1280):
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, permissions=["clipboard-read", "clipboard-write"]
        )
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.alerts = []
        page.on("dialog", lambda dialog: _answered(page, dialog))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()


def _answered(page, dialog) -> None:
    """Leaving an unsaved notebook is meant; any other dialog is kept as a fault."""
    if dialog.type == "beforeunload":
        dialog.accept()
    else:
        page.alerts.append(dialog.message)
        dialog.dismiss()
