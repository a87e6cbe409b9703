"""The second step of a hinted trial: what to send in the same chat, and a box for what comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets as w

from hallumaze_kit.panels.copying import CopyButton
from hallumaze_kit.panels.pasting import view
from hallumaze_kit.panels.pasting.fields import area, button, row
from hallumaze_kit.panels.pasting.looks import Notice
from hallumaze_kit.panels.trials.hints import message_after

if TYPE_CHECKING:
    from hallumaze_kit.panels.paste import PastePanel


class HintView:
    """Shown while a trial waits for its second answer; the oldest one first."""

    def __init__(self, panel: PastePanel, words: dict[str, Any]) -> None:
        self.panel, self.words = panel, words
        self.id = ""
        self.head = w.HTML(f"<h3>{view.text(words['hint_head'])}</h3>")
        self.about, self.message = w.HTML(), w.HTML()
        self.copy = CopyButton(label=words["copy_hint"], done=words["copied"])
        self.answer = area(words["second_hint"], "140px")
        self.answer.add_class("hm-second")
        self.answer.observe(self._typed, "value")
        self.anyway = button(words["anyway"], panel.guard(lambda: self._save(True)), "warning")
        self.anyway.layout.display = "none"
        self.other = button(words["other_second"], panel.guard(self._other))
        self.waiting: list[str] = []
        self.buttons = row(
            button(words["save_second"], panel.guard(lambda: self._save(False)), "primary"), self.anyway,
            button(words["no_second"], panel.guard(self._close)), self.other,
        )  # fmt: skip
        self.box = w.VBox([self.head, self.about, row(self.copy), self.message, self.answer, self.buttons])

    def show(self, id: str = "") -> None:
        """A trial that waits (`id`, else the one shown, else the oldest), with what was typed for it; else nothing."""
        waiting = self.panel.state.hints.awaited()
        self.box.layout.display = "" if waiting else "none"
        if not waiting:
            self.id = ""
            return
        self.waiting = [answer.id for answer in waiting]
        first = next((answer for answer in waiting if answer.id == (id or self.id)), waiting[0])
        self.other.layout.display = "" if len(waiting) > 1 else "none"
        who = " ".join(view.short(first.meta.get(name, "")) for name in ("provider", "model")).strip()
        maze = first.maze or {}
        lines = [self.words["hint_about"].format(who=who, size=maze.get("size"), seed=maze.get("seed"))]
        if len(waiting) > 1:
            lines.append(self.words["hint_more"].format(n=len(waiting) - 1))
        self.about.value = view.notice(" ".join(lines), "ask")
        self.copy.text = message_after(first)
        self.message.value = f'<pre class="hm-text" tabindex="0">{view.text(message_after(first))}</pre>'
        if first.id != self.id:
            self.id = ""
            self.anyway.layout.display = "none"
            self.answer.value = self.panel.state.hints.draft(first.id)
            self.id = first.id

    def _typed(self, change: dict[str, Any]) -> None:
        self.anyway.layout.display = "none"
        if self.id:
            self.panel.guard(lambda: self.panel.state.hints.typed(self.id, change["new"]))()

    def _save(self, anyway: bool) -> None:
        got = self.panel.state.hints.second(self.id, self.answer.value, anyway)
        if isinstance(got, Notice):
            self.panel.explain(got)
            self.anyway.layout.display = "none" if got.kind == "empty" else ""
            return
        self._next()
        self.panel.result.show(got)
        self.panel.say("second_stored")

    def _close(self) -> None:
        closed, result = self.id, self.panel.result
        self.panel.state.hints.close(closed)
        self._next()
        if result.shown and result.shown.answer.id == closed:
            result.show(self.panel.state.open(closed))
        self.panel.say("second_closed")

    def _other(self) -> None:
        """The next one of the trials that wait; what was typed for this one is on the disk."""
        at = self.waiting.index(self.id) + 1 if self.id in self.waiting else 0
        self.show(self.waiting[at % len(self.waiting)])

    def _next(self) -> None:
        self.id = ""
        self.answer.value = ""
        self.show()
        self.panel.maze.show()
        self.panel.refresh()
