"""`PastePanel`: the panel in which researchers paste answers from chat windows."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import ipywidgets as w

from hallumaze_kit.errors import InputError, KitError, check_choice
from hallumaze_kit.panels.copying import CopyButton
from hallumaze_kit.panels.pasting import view
from hallumaze_kit.panels.pasting.batch_view import Batch, BatchView
from hallumaze_kit.panels.pasting.fields import MazeFields, WhoFields, area, button, row
from hallumaze_kit.panels.pasting.looks import Notice
from hallumaze_kit.panels.pasting.plan import PastePlan
from hallumaze_kit.panels.pasting.saved_view import SavedView
from hallumaze_kit.panels.pasting.state import PasteState
from hallumaze_kit.panels.pasting.words import WORDS
from hallumaze_kit.panels.result_view import ResultView
from hallumaze_kit.panels.tables import readings_html, tables_html
from hallumaze_kit.panels.telling import Words, notice_words, refusal_words
from hallumaze_kit.panels.trials.hint_view import HintView
from hallumaze_kit.store import AnswerBook

STYLE = f"<style>{(Path(__file__).parent / 'look.css').read_text('utf-8')}</style>"


class PastePanel(w.VBox):
    """Draw a maze, copy its prompt, paste the answer, see what really happened.

    Parameters
    ----------
    store : AnswerBook
        Takes every answer before it is scored; drafts and exports stand beside its file.
    lang : "ko" or "en"
        Of the panel; the prompt's language is part of the condition.
    plan : PastePlan, optional
        A set of trials to fill; the panel shows how far it has come and draws the next one.

    `state` is a `PasteState`, the same panel without a face; `tables` is a widget with the frame and the
    leaderboard of what is stored, `readings` one with the corrected readings and the agreement with second ones, both
    refreshed with the panel. Raises `InputError` for a wrong argument.
    """

    def __init__(self, store: AnswerBook, lang: str = "ko", plan: PastePlan | None = None) -> None:
        check_choice("lang", lang, tuple(WORDS))
        super().__init__()
        self.state = PasteState(store, plan)
        self.batch_state = Batch(self.state)
        self.lang = lang
        self.tables, self.readings = w.HTML(), w.HTML()
        self.pending: Notice | None = None
        view.warm()
        self._build()

    # ---- building ---------------------------------------------------------------------------------

    def _build(self) -> None:
        """Make all widgets in the panel's language."""
        words = self.words
        self.notice = w.HTML()
        self.language = w.ToggleButtons(options=[("한국어", "ko"), ("English", "en")], value=self.lang)
        self.language.style.button_width = "90px"
        self.language.observe(self._switch, "value")
        self.view = w.ToggleButtons(options=[(name, i) for i, name in enumerate(words["views"])], value=0)
        self.view.style.button_width = "auto"
        self.view.observe(lambda _: self._show_view(), "value")
        self.maze = MazeFields(self, words)
        self.who = WhoFields(self.state, words)
        self.prompt = w.HTML()
        self.prompt.add_class("hm-prompt")
        self.copies = {
            name: CopyButton(label=words[f"copy_{name}"], done=words["copied"]) for name in ("system", "user", "both")
        }
        self.answer = area(words["answer_hint"], "180px")
        self.answer.add_class("hm-answer")
        self.answer.observe(self._typed, "value")
        self.score = button(words["score"], self.guard(self._score), "primary")
        self.anyway = button(words["anyway"], self.guard(self._score_anyway), "warning")
        self.go = button(words["go"], self.guard(self._go), "info")
        self.unsaved = w.Dropdown(options=[], layout=w.Layout(max_width="100%"))
        self.unsaved_row = row(
            self.unsaved,
            button(words["take"], self.guard(self._take_draft)),
            button(words["drop"], self.guard(self._drop_draft)),
        )
        self.result = ResultView(self, words)
        self.hint = HintView(self, words)
        self.saved = SavedView(self, words)
        self.batch = BatchView(self, words)
        head = lambda key: w.HTML(f"<h3>{view.text(words[key])}</h3>")  # noqa: E731
        self.paste_view = w.VBox(
            [
                head("maze_head"), self.maze.box,
                head("prompt_head"), row(*self.copies.values()), self.prompt,
                head("who_head"), self.who.box,
                head("answer_head"), self.unsaved_row, self.answer,
                row(self.score, self.anyway, self.go, self.who.hint),
                self.hint.box,
            ]
        )  # fmt: skip
        self.body = w.VBox()
        self.children = [w.HTML(STYLE), row(self.language, self.view), self.body, self.notice, self.result.box]
        self.add_class("hm-panel")
        self._offer(None)
        self.show_stimulus()
        self._show_view()
        self._list_drafts()
        self.refresh()

    @property
    def words(self) -> Words:
        """What the panel says, in its language."""
        return WORDS[self.lang]

    def _switch(self, change: dict[str, Any]) -> None:
        """The other language: everything is made anew, and what was typed, shown, said and asked stays."""
        self.lang = change["new"]
        self.state.provenance = self.who.value()
        typed = {name: getattr(self, name).typed() for name in ("maze", "saved", "result")}
        texts, seen, result = (self.answer.value, self.batch.text.value), self.view.value, self.result
        pending, said, near = self.pending, self._said, bool(self.result.near.value)
        self._build()
        self.answer.value, self.batch.text.value = texts
        self.view.value = seen
        if result.shown:
            self.result.show(result.shown)
            self.result.mark_old(result.old)
        for name, values in typed.items():
            getattr(self, name).retype(values)
        self._offer(pending)
        self.tell(*said)
        self.result.near.value = self.notice.value if near else ""

    def _show_view(self) -> None:
        self.hush()
        self.body.children = [(self.paste_view, self.batch.box, self.saved.box)[self.view.value]]
        if self.view.value == 2:
            self.saved.refresh()
        if self.view.value == 0 and self.pending:
            self._ask(self.pending)

    def guard(self, act: Callable[[], None]) -> Callable[[Any], None]:
        """A handler that says what went wrong instead of raising, and loses nothing."""

        @wraps(act)
        def handler(_: Any = None) -> None:
            try:
                act()
            except InputError as error:
                refused = error
                self.tell(lambda words: refusal_words(refused, words), "error")
            except KitError as error:
                self.say("refused", "error", what=error)
            except Exception as error:
                where = self.state.drafts.folder
                self.say("unexpected", "error", what=f"{type(error).__name__}: {error}", where=where)

        return handler

    # ---- what is said -----------------------------------------------------------------------------

    def tell(self, saying: Callable[[Words], str], kind: str = "info") -> None:
        """Show what `saying` makes of the panel's words, under its view; beside an open editor too."""
        self._said = (saying, kind)
        self.notice.value = view.notice(saying(self.words), kind)
        self.result.near.value = self.notice.value if self.result.opened else ""

    def say(self, key: str, kind: str = "info", **values: Any) -> None:
        """Show a sentence of the panel's words."""
        self.tell(lambda words: words[key].format(**values), kind)

    def hush(self) -> None:
        """Take away what was said last."""
        self.tell(lambda _: "")

    # ---- the stimulus -----------------------------------------------------------------------------

    def show_stimulus(self) -> None:
        """Show the present maze's prompt and fields."""
        prompt = self.state.prompt
        self.maze.show()
        both = f"{prompt.system}\n\n{prompt.user}"
        self.prompt.value = f'<pre class="hm-text" tabindex="0">{view.text(both)}</pre>'
        for name, text in (("system", prompt.system), ("user", prompt.user), ("both", both)):
            self.copies[name].text = text

    # ---- answers ----------------------------------------------------------------------------------

    def _typed(self, change: dict[str, Any]) -> None:
        self._offer(None)
        self.guard(lambda: self.state.typed(change["new"]))()

    def _score(self) -> None:
        self._submit(anyway=False)

    def _score_anyway(self) -> None:
        self._submit(anyway=True)

    def _submit(self, anyway: bool) -> None:
        self.result.mark_old()
        if self.maze.differ():
            self.tell(lambda words: f"{words['not_made']} {words['kept']}", "ask")
            return
        self.state.provenance = self.who.value()
        got = self.state.submit(self.answer.value, anyway)
        if isinstance(got, Notice):
            self._ask(got)
            return
        self.answer.value = ""
        self._offer(None)
        self.result.show(got)
        self.who.show()
        self.maze.show()
        self._list_drafts()
        self.hint.show(got.answer.id)
        self.refresh()
        model, size, seed = view.short(got.result.model), got.maze.size, got.maze.seed
        self.tell(lambda words: words["stored"].format(model=model or words["any_model"], size=size, seed=seed))

    def _ask(self, found: Notice) -> None:
        """Say what speaks against a text, and offer what can be done with it."""
        self.explain(found)
        self._offer(found)

    def explain(self, found: Notice) -> None:
        """Say what speaks against a text."""
        fits = found.values.get("fits")
        planned = fits is not None and self.state.planned(fits)
        self.tell(lambda words: notice_words(found, words, planned), "ask")

    def _offer(self, found: Notice | None) -> None:
        """Show the buttons that answer a question, and no other."""
        self.pending = found
        self.anyway.layout.display = "" if found and found.kind != "empty" else "none"
        self.go.layout.display = "" if found and found.values.get("fits") is not None else "none"

    def _go(self) -> None:
        """Go to the maze that the text fits; the text stays."""
        if self.pending is None:
            return
        maze = self.pending.values["fits"]
        self.state.provenance = self.who.value()
        self.state.go_to(maze)
        self._offer(None)
        self.show_stimulus()
        self.say("gone", size=maze.size, seed=maze.seed)

    def _list_drafts(self) -> None:
        drafts = self.state.unsaved()
        self.unsaved.options = [
            (f"{self.words['unsaved']}: {d.at.replace('T', ' ')}, {len(d.text):,} · {d.text[:30]!r}", d.name)
            for d in drafts
        ]
        self.unsaved.index = 0 if drafts else None
        self.unsaved_row.layout.display = "" if drafts else "none"

    def _take_draft(self) -> None:
        draft = next((d for d in self.state.unsaved() if d.name == self.unsaved.value), None)
        if draft:
            self.answer.value = draft.text
            self.state.drafts.drop(draft.name)
        self._list_drafts()

    def _drop_draft(self) -> None:
        if self.unsaved.value:
            self.state.drafts.drop(self.unsaved.value)
        self._list_drafts()

    # ---- lists and tables -------------------------------------------------------------------------

    def refresh(self) -> None:
        """Make the list of saved answers and the tables anew from what is stored now."""
        self.saved.refresh()
        self.hint.show()
        tables, readings = tables_html(self.state.results(), self.lang), readings_html(self.state.book, self.lang)
        self.tables.value = f'{STYLE}<div class="hm-panel hm-result">{tables}</div>'
        self.readings.value = f'{STYLE}<div class="hm-panel hm-result">{readings}</div>'
