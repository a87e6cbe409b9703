"""`PlayPanel`: the panel in which people play the mazes that models are asked about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ipywidgets as w

from hallumaze_kit.panels.playing import view
from hallumaze_kit.panels.playing.face import Face
from hallumaze_kit.panels.playing.plan import PlayPlan
from hallumaze_kit.panels.playing.state import PlayState
from hallumaze_kit.store import AnswerBook

STYLE = f"<style>{(Path(__file__).parent / 'look.css').read_text('utf-8')}</style>"


class PlayPanel(w.VBox):
    """Rules, three questions, consent, then maze after maze: one person plays a `PlayPlan`.

    Parameters
    ----------
    store : AnswerBook
        Takes every move before it is made; several panels, kernels and pages may share one book.
    plan : PlayPlan
    lang : "ko" or "en"
        Until the person chooses.

    `state` is a `PlayState`, the same without a face. A window that is opened again goes on where its person stopped;
    from another one the anonymous code does. Raises `InputError` for a wrong argument.
    """

    def __init__(self, store: AnswerBook, plan: PlayPlan, lang: str = "ko") -> None:
        self.state = PlayState(store, plan, lang)
        self.face = Face(page=view.page(self.state))
        self.face.on_msg(self._heard)
        super().__init__([w.HTML(STYLE), self.face])
        self.add_class("hm-panel")

    def _heard(self, _: Any, message: Any, __: Any) -> None:
        if isinstance(message, dict) and self.state.hear(message):
            self.face.page = view.page(self.state)
