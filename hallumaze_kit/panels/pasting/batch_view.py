"""Several answers at once: split a text or files, find their mazes, store them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import ipywidgets as w

from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.panels.batch import Match, Pasted, match, read_file, split_batch
from hallumaze_kit.panels.pasting import view
from hallumaze_kit.panels.pasting.fields import area, button, row, upload
from hallumaze_kit.panels.pasting.looks import same_answers
from hallumaze_kit.records import MazeConfig

if TYPE_CHECKING:
    from hallumaze_kit.panels.paste import PastePanel
    from hallumaze_kit.panels.pasting.state import PasteState


class Piece(NamedTuple):
    """An answer of a batch, the maze that was found for it, and the name of its draft on the disk."""

    pasted: Pasted
    match: Match
    draft: str


class Batch:
    """The answers of a batch that are not stored yet, without a face; each is on the disk from the start."""

    def __init__(self, state: PasteState) -> None:
        self.state = state
        self.pieces: list[Piece] = []

    def take(self, found: Iterable[Pasted]) -> list[Piece]:
        """Keep the answers found, each with its maze if that is known; returns the new ones."""
        mazes = self._known_mazes()
        new = []
        for pasted in found:
            name = f"batch-{self.state.draft}-{len(self.pieces) + len(new):04d}"
            self.state.drafts.keep(name, pasted.text, pasted.source)
            new.append(Piece(pasted, match(pasted, mazes), name))
        self.pieces += new
        return new

    def store(self, piece: Piece, maze: MazeEngine | None = None) -> bool:
        """Store and score an answer with its maze, or with `maze`; False if the same text is stored already."""
        maze = maze or piece.match.maze
        assert maze is not None
        config = replace(self._config(piece.match), size=maze.size)
        same = same_answers(piece.pasted.text, maze, config, self.state.book.answers())
        if not same:
            known = self.state.provenance
            who = replace(known, model=piece.pasted.model or known.model)
            more = {"date": piece.pasted.date} if piece.pasted.date else {}
            self.state.store(piece.pasted.text, maze, config, who, **more)
        self.pieces.remove(piece)
        self.state.drafts.drop(piece.draft)
        return not same

    def _config(self, found: Match) -> MazeConfig:
        """The present condition, with what the prompt tells of its own; what was found by its walk judges no path."""
        walked = {"protocol": "single"} if found.how == "fits" else {}
        return replace(self.state.config, **walked | dict(found.hints))

    def _known_mazes(self) -> list[MazeEngine]:
        """The mazes that an answer may belong to: the present one, the plan's, and those of stored answers."""
        planned = list(self.state.plan.mazes) if self.state.plan else []
        stored = [MazeEngine.from_dict(a.maze) for a in self.state.book.answers() if a.maze]
        return list(dict.fromkeys([*planned, self.state.maze, *stored]))


class BatchView:
    """The face of `Batch`."""

    def __init__(self, panel: PastePanel, words: dict[str, Any]) -> None:
        self.panel, self.words = panel, words
        self.text = area(words["batch_hint"], "160px")
        self.text.add_class("hm-batch")
        self.text.observe(lambda change: panel.guard(lambda: self._typed(change["new"]))(), "value")
        self.files = upload(words["files"], multiple=True)
        self.files.observe(lambda change: self._take_files(change["new"]), "value")
        self.list = w.Select(options=[], rows=8, layout=w.Layout(width="100%"))
        self.box = w.VBox(
            [
                self.text, row(button(words["split"], panel.guard(self._split), "primary"), self.files), self.list,
                row(button(words["store_matched"], panel.guard(self._store_matched), "primary"),
                    button(f"{words['store_here']} ({words['this_maze']})", panel.guard(self._store_here))),
            ]
        )  # fmt: skip
        self.refresh()

    def refresh(self) -> None:
        """Show the answers that are not stored yet."""
        self.list.options = [(self._line(i, piece), i) for i, piece in enumerate(self.panel.batch_state.pieces)]
        self.list.value = None

    def _line(self, number: int, piece: Piece) -> str:
        words, found = self.words, piece.match
        if found.maze is None:
            known = words["unmatched"].format(reason=words["reasons"][found.reason].format(**found.data))
        else:
            how = words["hows"].get(found.how, found.how)
            known = words["matched"].format(size=found.maze.size, seed=found.maze.seed, how=how)
        first = " ".join(piece.pasted.text.split())[:50]
        return view.plain(f"{number + 1}. {known} · {piece.pasted.model} · {piece.pasted.source} · {first}")

    def _take(self, found: list[Pasted]) -> None:
        new = self.panel.batch_state.take(found)
        self.refresh()
        known = sum(piece.match.maze is not None for piece in new)
        self.panel.say("found", "info" if new else "ask", n=len(new), k=known)

    def _split(self) -> None:
        if not self.text.value.strip():
            self.panel.tell(lambda words: words["notices"]["empty"], "ask")
            return
        self._take(split_batch(self.text.value))
        self.text.value = ""

    def _typed(self, text: str) -> None:
        """Keep on the disk what stands in the box."""
        self.panel.state.drafts.keep(f"{self.panel.state.draft}-batch", text)

    def _take_files(self, files: Iterable[dict[str, Any]]) -> None:
        for file in files:
            self.panel.guard(lambda file=file: self._take(read_file(file["name"], bytes(file["content"]))))()

    def _store_matched(self) -> None:
        batch = self.panel.batch_state
        self.panel.state.provenance = self.panel.who.value()
        known = [piece for piece in batch.pieces if piece.match.maze is not None]
        new = sum([batch.store(piece) for piece in known])
        self._done(new, len(known) - new)

    def _store_here(self) -> None:
        batch = self.panel.batch_state
        if self.list.value is None:
            self.panel.say("choose_one", "ask")
            return
        self.panel.state.provenance = self.panel.who.value()
        new = batch.store(batch.pieces[self.list.value], self.panel.state.maze)
        self._done(int(new), int(not new))

    def _done(self, new: int, twice: int) -> None:
        self.refresh()
        self.panel.refresh()
        self.panel.maze.show()
        left = len(self.panel.batch_state.pieces)

        def said(words: dict[str, Any]) -> str:
            parts = [words["batch_stored"].format(n=new)]
            parts += [words["batch_left"].format(k=left)] if left else []
            parts += [words["batch_twice"].format(n=twice)] if twice else []
            return "".join(parts)

        self.panel.tell(said)
