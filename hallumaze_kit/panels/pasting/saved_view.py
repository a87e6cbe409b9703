"""The list of saved answers: find, open, score again, mark, export, import."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets as w

from hallumaze_kit.panels.pasting import view
from hallumaze_kit.panels.pasting.fields import button, row, upload

if TYPE_CHECKING:
    from hallumaze_kit.panels.paste import PastePanel


class SavedView:
    """What the panel shows of the book."""

    def __init__(self, panel: PastePanel, words: dict[str, Any]) -> None:
        self.panel, self.words = panel, words
        wide = {"layout": w.Layout(width="340px", max_width="100%"), "style": {"description_width": "initial"}}
        self.filter = w.Text(description=words["filter"], placeholder=words["filter_hint"], **wide)
        self.deleted = w.Checkbox(description=words["deleted"], indent=False, layout=w.Layout(width="auto"))
        self.list = w.Select(options=[], rows=10, layout=w.Layout(width="100%"))
        self.list.add_class("hm-saved")
        self.count = w.HTML()
        self.why = w.Text(description=words["why"], placeholder=words["why_hint"], **wide)
        self.kind = w.Dropdown(
            options=[(words["exports"][kind], kind) for kind in ("csv", "json", "jsonl", "decisions")]
        )
        self.link = w.HTML()
        self.exported: Path | None = None
        self.upload = upload(words["import"], accept=".jsonl")
        self.filter.observe(lambda _: self.refresh(), "value")
        self.deleted.observe(lambda _: self.refresh(), "value")
        self.upload.observe(self._imported, "value")
        of_one = {"open": self._open, "rescore": self._rescore, "delete": self._delete, "restore": self._restore,
                  "discard": self._discard}  # fmt: skip
        marks = [button(words[key], panel.guard(partial(self._with_chosen, do))) for key, do in of_one.items()]
        self.box = w.VBox(
            [
                row(self.filter, self.deleted, button(words["refresh"], panel.guard(panel.refresh))),
                self.count, self.list, row(*marks, self.why),
                row(self.kind, button(words["export"], panel.guard(self._export), "primary"), self.upload,
                    button(words["rescore_all"], panel.guard(self._rescore_all))),
                self.link,
            ]
        )  # fmt: skip

    def refresh(self) -> None:
        """Read the list anew."""
        rows, n = self.panel.state.saved(self.filter.value, self.deleted.value)
        chosen = self.list.value
        lines = [view.row_line(r, self.panel.lang) for r in rows]
        self.list.options = [(f"{i}. {line}", r.id) for i, (line, r) in enumerate(zip(lines, rows, strict=True), 1)]
        self.list.value = chosen if chosen in {r.id for r in rows} else None
        words = self.words["saved" if n == len(rows) else "shown_of"].format(n=n, k=len(rows))
        self.count.value = f'<div class="hm-result">{view.text(words)}</div>'

    def typed(self) -> list[Any]:
        """What stands in the fields, what is chosen, and the file that was written last."""
        return [self.filter.value, self.deleted.value, self.why.value, self.kind.value, self.list.value, self.exported]

    def retype(self, values: list[Any]) -> None:
        """Put into the fields what stood in them."""
        self.filter.value, self.deleted.value, self.why.value, self.kind.value, chosen, exported = values
        self.refresh()
        self.list.value = chosen
        if exported:
            self._link(exported)

    def _with_chosen(self, act: Callable[[str], None]) -> None:
        """Do something with the chosen answer, or ask for a choice."""
        if self.list.value:
            act(str(self.list.value))
        else:
            self.panel.say("choose_one", "ask")

    def _done(self, key: str, **values: Any) -> None:
        self.panel.refresh()
        self.panel.say(key, **values)

    def _open(self, id: str) -> None:
        self.panel.result.show(self.panel.state.open(id))
        self.panel.hush()

    def _rescore(self, id: str) -> None:
        self.panel.result.show(self.panel.state.score(id))
        self._done("rescored", n=1)

    def _delete(self, id: str) -> None:
        self.panel.state.delete(id, self.why.value)
        self._done("marked")

    def _restore(self, id: str) -> None:
        self.panel.state.restore(id)
        self._done("restored")

    def _discard(self, id: str) -> None:
        if not self.why.value.strip():
            self.panel.say("give_reason", "ask")
            return
        self.panel.state.discard(id, self.why.value)
        self.why.value = ""
        self._done("discarded")

    def _rescore_all(self) -> None:
        report = self.panel.state.rescore_all()

        def said(words: dict[str, Any]) -> str:
            failed = report.failed[:1]
            more = [" " + words["rescore_failed"].format(n=len(report.failed), why=why) for _, why in failed]
            return "".join([words["rescored"].format(n=report.scored), *more])

        self.panel.refresh()
        self.panel.tell(said)

    def _export(self) -> None:
        self.panel.hush()
        self._link(self.panel.state.export(self.kind.value))

    def _link(self, path: Path) -> None:
        """Say where a file was written, and hand it to the browser."""
        self.exported = path
        said = self.words["exported"].format(path=path)
        self.link.value = f"{view.notice(said)}{view.download(path, self.words['download'])}"

    def _imported(self, change: dict[str, Any]) -> None:
        for file in change["new"]:
            self.panel.guard(lambda file=file: self._take_in(bytes(file["content"])))()

    def _take_in(self, data: bytes) -> None:
        report = self.panel.state.import_(data)

        def said(words: dict[str, Any]) -> str:
            done = words["imported"].format(added=report.added, there=report.already_there)
            return " ".join([done, *report.problems[:3]])

        self.panel.refresh()
        self.panel.tell(said)
