"""The result of an answer in the panel: what is shown of it, its reading to mend, a second reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets as w

from hallumaze_kit.errors import InputError
from hallumaze_kit.panels.pasting import view
from hallumaze_kit.panels.pasting.fields import area, button, row
from hallumaze_kit.panels.pasting.state import Shown
from hallumaze_kit.panels.trials.pages import page_html
from hallumaze_kit.trial.correction import active_corrections

if TYPE_CHECKING:
    from hallumaze_kit.panels.paste import PastePanel

FIELD = {"layout": w.Layout(width="340px", max_width="100%"), "style": {"description_width": "initial"}}


class ResultView:
    """An answer with its result, and what can be done with its reading."""

    def __init__(self, panel: PastePanel, words: dict[str, Any]) -> None:
        self.panel, self.words = panel, words
        self.shown: Shown | None = None
        self.old = False
        self.opened = ""
        self.head, self.page, self.near = w.HTML(), w.HTML(), w.HTML()
        self.editor = w.VBox()
        self.withdraw = button(words["unmend"], panel.guard(self.unmend))
        self.buttons = row(
            button(words["mend"], panel.guard(self.open_mending)), self.withdraw,
            button(words["code"], panel.guard(self.open_coding)),
        )  # fmt: skip
        self.box = w.VBox([])

    def show(self, shown: Shown) -> None:
        """Show an answer."""
        self.shown = shown
        self.page.value = page_html(shown, self.panel.lang)
        self.buttons.layout.display = "none" if shown.config.protocol == "probe" else ""  # it has no steps to mend
        self.editor.children, self.opened = [], ""
        self.withdraw.layout.display = "" if active_corrections(shown.answer.events) else "none"
        self.mark_old(False)
        self.box.children = [self.head, self.page, self.buttons, self.editor, self.near]

    def mark_old(self, old: bool = True) -> None:
        """Say in the heading that the result is the previous answer's, so that nobody takes it for the new one's."""
        self.old = old
        self.head.value = f"<h3>{view.text(self.words['old_head' if old else 'result_head'])}</h3>"

    # ---- the editor -------------------------------------------------------------------------------

    def open_mending(self) -> None:
        """Open the reading for corrections."""
        self._open("mend", "\n".join(self.panel.state.reading(self._id)))
        self.lines.add_class("hm-lines")

    def open_coding(self) -> None:
        """Show the answer alone, for a second reading."""
        if self.shown:
            self.page.value = f'<div class="hm-result">{view.answer_alone(self.shown)}</div>'
        self._open("code", "")

    def _open(self, kind: str, text: str) -> None:
        words, act = self.words, {"mend": self.mend, "code": self.code}[kind]
        self.opened = kind
        self.lines = area("", "260px")
        self.lines.value = text
        self.author = w.Text(description=words["author" if kind == "mend" else "coder"], **FIELD)
        self.reason = w.Text(description=words["reason"], **FIELD)
        save = button(words[f"save_{kind}"], self.panel.guard(act), "primary")
        close = button(words["close"], self.panel.guard(self._close))
        self.editor.children = [
            w.HTML(view.hint(words[f"{kind}_help"], words[f"{kind}_examples"])), self.lines,
            row(self.author, self.reason) if kind == "mend" else row(self.author), row(save, close),
        ]  # fmt: skip

    def _close(self) -> None:
        self.panel.hush()
        if self.shown:
            self.show(self.shown)

    def typed(self) -> list[str]:
        """What stands in the open editor, its kind first; [] if none is open."""
        return [self.opened, self.lines.value, self.author.value, self.reason.value] if self.opened else []

    def retype(self, values: list[str]) -> None:
        """Open the editor again with what stood in it."""
        if not values:
            return
        kind, *texts = values
        (self.open_mending if kind == "mend" else self.open_coding)()
        self.lines.value, self.author.value, self.reason.value = texts

    # ---- what is done -----------------------------------------------------------------------------

    def mend(self) -> None:
        """Save the corrected reading."""
        before = len(self.shown.result.corrections) if self.shown else 0
        shown = self.panel.state.mend(self._id, self.lines.value.split("\n"), self.author.value, self.reason.value)
        self.show(shown)
        if len(shown.result.corrections) != before:
            self._done("mended")
        else:
            self._done("no_change", "ask")

    def unmend(self) -> None:
        """Withdraw the corrections."""
        self.show(self.panel.state.unmend(self._id))
        self._done("unmended")

    def code(self) -> None:
        """Save the second reading."""
        self.panel.state.code(self._id, self.lines.value.split("\n"), self.author.value)
        self.show(self.panel.state.open(self._id))
        self._done("coded")

    def _done(self, key: str, kind: str = "info") -> None:
        """Say it below the result too, where the reading is mended."""
        self.panel.refresh()
        self.panel.say(key, kind)
        self.near.value = self.panel.notice.value

    @property
    def _id(self) -> str:
        if self.shown is None:
            raise InputError("answer", None, "an answer that is shown")
        return self.shown.answer.id
