"""How the tests work a page: run a notebook, press, paste."""

from __future__ import annotations

BOX, RESULT = ".hm-answer textarea", ".hm-result .hm-mei"
READY = "window.jupyterapp?.shell.currentWidget?.sessionContext?.kernelDisplayStatus === 'idle'"


def wait_for_kernel(page) -> None:
    """What is run before the kernel answers would be lost; its sign in the tool bar says “idle” too early."""
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.wait_for_function(READY, timeout=60_000)


def command(page, name: str, **values) -> None:
    """Start a command of JupyterLab; does not wait for its end."""
    page.evaluate("([name, values]) => void window.jupyterapp.commands.execute(name, values)", [name, values])


def run_all(page) -> None:
    """Run a notebook in JupyterLab from top to bottom, once its kernel is there, and wait for its panel."""
    wait_for_kernel(page)
    command(page, "notebook:run-all-cells")
    page.wait_for_selector(BOX, timeout=60_000)


def press(page, name: str) -> None:
    """Click the button with these words."""
    page.get_by_role("button", name=name, exact=True).first.click()


def paste(page, text: str, button: str = "저장하고 채점") -> None:
    """Put an answer into the box and have it scored."""
    page.fill(BOX, text)
    press(page, button)
