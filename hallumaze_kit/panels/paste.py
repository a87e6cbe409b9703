"""`PastePanel`: the panel in which researchers paste answers from chat windows."""

from __future__ import annotations

import base64
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
from hallumaze_kit.panels.pasting.state import PasteState, Shown
from hallumaze_kit.panels.pasting.words import WORDS
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
    leaderboard of what is stored, refreshed with the panel. Raises `InputError` for a wrong argument.
    """

    def __init__(self, store: AnswerBook, lang: str = "ko", plan: PastePlan | None = None) -> None:
        check_choice("lang", lang, tuple(WORDS))
        super().__init__()
        self.state = PasteState(store, plan)
        self.batch_state = Batch(self.state)
        self.lang = lang
        self.tables = w.HTML()
        self.shown: Shown | None = None
        view.warm()
        self._build()

    # ---- building ---------------------------------------------------------------------------------

    def _build(self) -> None:
        """Make all widgets in the panel's language; what stands in the box stays."""
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
        self.unsaved = w.Dropdown(options=[], layout=w.Layout(max_width="100%"))
        self.unsaved_row = row(
            self.unsaved,
            button(words["take"], self.guard(self._take_draft)),
            button(words["drop"], self.guard(self._drop_draft)),
        )
        self.result = w.HTML()
        self.mending = w.VBox()
        self.near = w.HTML()
        self.result_box = w.VBox([])
        self.saved = SavedView(self, words)
        self.batch = BatchView(self, words)
        head = lambda key: w.HTML(f"<h3>{view.text(words[key])}</h3>")  # noqa: E731
        self.paste_view = w.VBox(
            [
                head("maze_head"), self.maze.box,
                head("prompt_head"), row(*self.copies.values()), self.prompt,
                head("who_head"), self.who.box,
                head("answer_head"), self.unsaved_row, self.answer, row(self.score, self.anyway),
            ]
        )  # fmt: skip
        self.body = w.VBox()
        self.children = [w.HTML(STYLE), row(self.language, self.view), self.body, self.notice, self.result_box]
        self.add_class("hm-panel")
        self.anyway.layout.display = "none"
        self.show_stimulus()
        self._show_view()
        self._list_drafts()
        if self.shown:
            self.show(self.shown)
        self.refresh_tables()

    @property
    def words(self) -> dict[str, Any]:
        """What the panel says, in its language."""
        return WORDS[self.lang]

    def _switch(self, change: dict[str, Any]) -> None:
        """The other language: everything is made anew, and what was typed stays where it was."""
        self.lang = change["new"]
        self.state.provenance = self.who.value()
        typed, batch, shown = self.answer.value, self.batch.text.value, self.view.value
        editor = self._editor_typed()
        self._build()
        self.answer.value, self.batch.text.value, self.view.value = typed, batch, shown
        if editor:
            opened, lines, author, reason = editor
            opened()
            self.lines.value, self.author.value, self.reason.value = lines, author, reason

    def _editor_typed(self) -> tuple[Callable[[], None], str, str, str] | None:
        """The open editor of a reading and what stands in it, None if none is open."""
        if not self.mending.children:
            return None
        return self.editing, self.lines.value, self.author.value, self.reason.value

    def _show_view(self) -> None:
        self.notice.value = ""
        self.body.children = [(self.paste_view, self.batch.box, self.saved.box)[self.view.value]]
        if self.view.value == 2:
            self.saved.refresh()

    def guard(self, act: Callable[[], None]) -> Callable[[Any], None]:
        """A handler that says what went wrong instead of raising, and loses nothing."""

        @wraps(act)
        def handler(_: Any = None) -> None:
            try:
                act()
            except InputError as error:
                self.say(self._refusal(error), "error")
            except KitError as error:
                self.say(self.words["refused"].format(what=error), "error")
            except Exception as error:
                where = self.state.drafts.folder
                self.say(self.words["unexpected"].format(what=f"{type(error).__name__}: {error}", where=where), "error")

        return handler

    def _refusal(self, error: InputError) -> str:
        """A wrong input in the panel's language."""
        words = self.words["wrong"]
        kind = "line" if error.parameter.startswith("line ") else error.parameter
        if kind in words:
            return words[kind].format(parameter=error.parameter.removeprefix("line "), given=error.given)
        return self.words["refused"].format(what=error)

    def say(self, sentence: str, kind: str = "info") -> None:
        """Show a sentence under the panel's view."""
        self.notice.value = view.notice(sentence, kind)
        self.near.value = self.notice.value if self.mending.children else ""

    def _say_near(self, sentence: str, kind: str = "info") -> None:
        """Show a sentence below the result too, where the reading is mended."""
        self.say(sentence, kind)
        self.near.value = self.notice.value

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
        self.anyway.layout.display = "none"
        self.guard(lambda: self.state.typed(change["new"]))()

    def _score(self) -> None:
        self._submit(anyway=False)

    def _score_anyway(self) -> None:
        self._submit(anyway=True)

    def _submit(self, anyway: bool) -> None:
        if self.maze.differ():
            self.say(f"{self.words['not_made']} {self.words['kept']}", "ask")
            return
        self.state.provenance = self.who.value()
        got = self.state.submit(self.answer.value, anyway)
        if isinstance(got, Notice):
            self.say(
                f"{self._sentence(got)} {self.words['kept']}" if got.kind != "empty" else self._sentence(got), "ask"
            )
            self.anyway.layout.display = "none" if got.kind == "empty" else ""
            return
        self.answer.value = ""
        self.show(got)
        self.who.show()
        self.maze.show()
        self._list_drafts()
        model = view.short(got.result.model) or self.words["any_model"]
        self.say(self.words["stored"].format(model=model, size=got.maze.size, seed=got.maze.seed))
        self.refresh_tables()

    def _sentence(self, found: Notice) -> str:
        words = self.words["notices"]
        values = dict(found.values)
        if found.kind == "duplicate":
            values["model"] = view.short(values["model"]) or self.words["any_model"]
            values["at"] = view.local_time(values["at"])
        sentence = words[found.kind].format(**values)
        other = values.get("fits")
        return sentence + (words["fits"].format(seed=other.seed) if other is not None else "")

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

    # ---- results ----------------------------------------------------------------------------------

    def show(self, shown: Shown) -> None:
        """Show an answer with its result and what can be done with its reading."""
        words = self.words
        self.shown = shown
        self.result.value = view.shown_html(shown, self.lang)
        self.mending.children = []
        buttons = row(
            button(words["mend"], self.guard(self._open_mending)), button(words["unmend"], self.guard(self._unmend)),
            button(words["code"], self.guard(self._open_coding)),
        )  # fmt: skip
        self.result_box.children = [
            w.HTML(f"<h3>{view.text(words['result_head'])}</h3>"),
            self.result,
            buttons,
            self.mending,
            self.near,
        ]

    def _open_mending(self) -> None:
        self.editing = self._open_mending
        lines = area("", "260px")
        lines.add_class("hm-lines")
        lines.value = "\n".join(self.state.reading(self._id))
        self._editor("mend_help", lines, "author", "reason", "save_mend", self._mend)

    def _open_coding(self) -> None:
        self.editing = self._open_coding
        if self.shown:
            self.result.value = f'<div class="hm-result">{view.answer_alone(self.shown)}</div>'
        self._editor("code_help", area("", "260px"), "coder", None, "save_code", self._code)

    def _editor(
        self, help: str, lines: w.Textarea, who: str, why: str | None, save: str, act: Callable[[], None]
    ) -> None:
        words = self.words
        self.lines = lines
        whole = {"description_width": "initial"}
        self.author = w.Text(description=words[who], style=whole)
        self.reason = w.Text(description=words[why] if why else "", style=whole)
        fields = [self.author, self.reason] if why else [self.author]
        close = button(words["close"], self.guard(lambda: self.show(self.shown) if self.shown else None))
        self.mending.children = [
            w.HTML(view.notice(words[help], "ask")), lines, row(*fields),
            row(button(words[save], self.guard(act), "primary"), close),
        ]  # fmt: skip

    def _mend(self) -> None:
        before = len(self.shown.result.corrections) if self.shown else 0
        shown = self.state.mend(self._id, self.lines.value.split("\n"), self.author.value, self.reason.value)
        self.show(shown)
        changed = len(shown.result.corrections) != before
        self._say_near(self.words["mended" if changed else "no_change"], "info" if changed else "ask")
        self.refresh_tables()

    def _unmend(self) -> None:
        self.show(self.state.unmend(self._id))
        self._say_near(self.words["unmended"])
        self.refresh_tables()

    def _code(self) -> None:
        self.state.code(self._id, self.lines.value.split("\n"), self.author.value)
        self.show(self.state.open(self._id))
        self._say_near(self.words["coded"])

    @property
    def _id(self) -> str:
        if self.shown is None:
            raise InputError("answer", None, "an answer that is shown")
        return self.shown.answer.id

    # ---- tables -----------------------------------------------------------------------------------

    def refresh_tables(self) -> None:
        """Make the frame and the leaderboard anew from what is stored now."""
        from hallumaze_kit.records import to_frame
        from hallumaze_kit.study.tables import leaderboard, readable

        results = self.state.results()
        if not results:
            self.tables.value = STYLE + view.notice(self.words["empty_table"], "ask")
            return
        frame = to_frame(results)
        columns = ["provider", "model", "maze_size", "seed", "sr", "hallucination_count", "mei", "ce", "failure_mode"]
        board = readable(leaderboard(frame, n_boot=500), self.lang)
        self.tables.value = (
            f'{STYLE}<div class="hm-panel hm-result"><h3>{view.text(self.words["table_head"])}</h3>'
            f"{view.frame_html(frame[columns].tail(50))}<h3>{view.text(self.words['board_head'])}</h3>{view.frame_html(board)}</div>"
        )


def download(path: Path, label: str) -> str:
    """A link that hands a written file to the browser; "" for a large one."""
    data = path.read_bytes()
    if len(data) > 5_000_000:
        return ""
    coded = base64.b64encode(data).decode()
    href = f"data:application/octet-stream;base64,{coded}"
    return f'<a download="{view.text(path.name)}" href="{href}">{view.text(label)}</a>'
