"""The rows of fields of the paste panel: the maze and its condition, and where an answer comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import ipywidgets as w

from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.maze.generate import GENERATORS
from hallumaze_kit.maze.lures import PLACEMENTS
from hallumaze_kit.panels.pasting import view
from hallumaze_kit.panels.pasting.plan import Trial
from hallumaze_kit.panels.pasting.state import PasteState, Provenance
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.records.config import CHOICES, TEMPLATES

if TYPE_CHECKING:
    from hallumaze_kit.panels.paste import PastePanel

_ROW = w.Layout(max_width="100%", width="100%")

WHOLE = {"continuous_update": False}
"""A field that is sent when it is left: letter by letter, a quick click on a button would overtake the last ones."""


def row(*widgets: w.Widget) -> w.Box:
    """Widgets side by side, on further lines where there is no room."""
    box = w.Box(list(widgets), layout=w.Layout(flex_flow="row wrap", max_width="100%"))
    box.add_class("hm-row")
    return box


def button(label: str, act: Callable[[Any], None], style: str = "") -> w.Button:
    """A button that is as wide as its label."""
    made = w.Button(description=label, button_style=style, layout=w.Layout(width="auto"))
    made.on_click(act)
    return made


def upload(label: str, **more: Any) -> w.FileUpload:
    """A button for files; the style sheet shows its tooltip in place of its words and their counter, “(0)”."""
    made = w.FileUpload(description=label, tooltip=label, layout=w.Layout(width="auto"), **more)
    made.add_class("hm-upload")
    return made


def area(hint: str, height: str) -> w.Textarea:
    """A box for a long text."""
    return w.Textarea(placeholder=hint, layout=w.Layout(width="100%", height=height))


class MazeFields:
    """Size, seed, generator, lures and condition of the maze that is asked."""

    def __init__(self, panel: PastePanel, words: dict[str, Any]) -> None:
        self.panel, self.words = panel, words
        field = {"layout": w.Layout(width="220px", max_width="100%"), "style": {"description_width": "90px"}}
        self.size = w.Combobox(options=["5", "7", "9", "11"], description=words["size"], **field, **WHOLE)
        self.seed = w.Text(description=words["seed"], placeholder=words["seed_hint"], **field, **WHOLE)
        self.algorithm = w.Dropdown(options=list(GENERATORS), description=words["algorithm"], **field)
        self.placement = w.Dropdown(options=list(PLACEMENTS), description=words["placement"], **field)
        self.language = w.Dropdown(
            options=[("한국어", "ko"), ("English", "en")], description=words["language"], **field
        )
        self.mirage = w.Checkbox(description=words["mirage"], indent=False, layout=w.Layout(width="auto"))
        self.template = w.Dropdown(options=list(range(TEMPLATES)), description=words["template"], **field)
        self.disclosure = w.Dropdown(options=list(CHOICES["disclosure"]), description=words["disclosure"], **field)
        protocols = [(name, value) for value, name in words["protocols"].items()]
        self.protocol = w.Dropdown(options=protocols, description=words["protocol"], **field)
        triggers = [(name, value) for value, name in words["triggers"].items()]
        self.trigger = w.Dropdown(options=triggers, description=words["trigger"], **field)
        self.randomise = w.Checkbox(description=words["randomise"], indent=False, layout=w.Layout(width="auto"))
        self.injection = w.Dropdown(options=list(CHOICES["injection"]), description=words["injection"], **field)
        self.group = w.Dropdown(options=list(CHOICES["ariadne_mode"]), description=words["group"], **field)
        self.confidence = w.Checkbox(description=words["confidence"], indent=False, layout=w.Layout(width="auto"))
        self.show_seed = w.Checkbox(description=words["show_seed"], indent=False, layout=w.Layout(width="auto"))
        self.more = w.ToggleButton(description=words["more"], layout=w.Layout(width="auto"))
        more = row(
            self.protocol, self.injection, self.group, self.trigger, self.randomise, self.template, self.disclosure,
            self.confidence, self.show_seed,
        )  # fmt: skip
        more.layout.display = "none"
        self.more.observe(lambda change: setattr(more.layout, "display", "" if change["new"] else "none"), "value")
        self.line, self.sign = w.HTML(), w.HTML()
        self._made: list[Any] = []
        buttons = [button(words["draw"], panel.guard(self.draw), "info")]
        if panel.state.plan:
            buttons.append(button(words["next"], panel.guard(self.next), "info"))
        self.box = w.VBox(
            [
                row(self.size, self.seed, self.algorithm, self.placement, self.language, self.mirage),
                row(*buttons, self.more, self.sign), more, self.line,
            ]
        )  # fmt: skip
        self.trigger.value, self.randomise.value = panel.state.hints.trigger, panel.state.hints.randomise
        for field in (self.trigger, self.randomise):
            field.observe(self._say_when, "value")
        for field in self._fields():
            field.observe(lambda _: self._show_sign(), "value")

    def show(self) -> None:
        """The fields as the state has them, and how many answers there are."""
        maze, config, words = self.panel.state.maze, self.panel.state.config, self.words
        self.size.value = str(maze.size)
        self.seed.value = "" if maze.seed is None else str(maze.seed)
        if maze.algorithm in GENERATORS:
            self.algorithm.value = maze.algorithm
        if maze.placement in PLACEMENTS:
            self.placement.value = maze.placement
        self.language.value, self.mirage.value = config.language, config.use_mirage
        self.template.value, self.disclosure.value = config.template, config.disclosure
        self.protocol.value, self.injection.value = config.protocol, config.injection
        self.group.value, hints = config.ariadne_mode, self.panel.state.hints
        trigger, randomise = hints.trigger, hints.randomise
        self.trigger.value, self.randomise.value = trigger, randomise
        self.confidence.value, self.show_seed.value = config.use_confidence, config.show_seed
        self._made = self.typed()
        self._show_sign()
        said = [
            words["drawn"].format(size=maze.size, seed=maze.seed, algorithm=maze.algorithm, placement=maze.placement)
        ]
        said.append(words["answers_here"].format(n=self.panel.state.answers_here()))
        if self.panel.state.plan:
            progress = self.panel.state.progress()
            said.append(words["progress"].format(done=progress.done, total=progress.total))
            left = [self._trial_line(trial) for trial in progress.missing]
            shown = ", ".join(left[:8]) + (" …" if len(left) > 8 else "")
            said.append(words["missing"].format(what=shown) if left else words["all_done"])
        self.line.value = f'<div class="hm-notice" role="status">{view.text(" · ".join(said))}</div>'

    def _trial_line(self, trial: Trial) -> str:
        seed = self.words["at_seed"].format(seed=trial.maze.seed)
        return f"{trial.maze.size}×{trial.maze.size} {seed} {trial.model}".strip()

    def _say_when(self, change: dict[str, Any]) -> None:
        """When and what is said changes no prompt and is no part of a plan: it holds at once, for every next answer."""
        hints = self.panel.state.hints
        hints.trigger, hints.randomise = self.trigger.value, self.randomise.value

    def differ(self) -> bool:
        """The fields name another maze or condition than the one that is asked."""
        return self.typed() != self._made

    def typed(self) -> list[Any]:
        """What stands in the fields."""
        return [field.value for field in self._fields()]

    def retype(self, values: list[Any]) -> None:
        """Put into the fields what stood in them."""
        for field, value in zip(self._fields(), values, strict=True):
            field.value = value

    def _show_sign(self) -> None:
        self.sign.value = view.notice(self.words["changed"], "ask") if self.differ() else ""

    def _fields(self) -> tuple[Any, ...]:
        return (
            self.size, self.seed, self.algorithm, self.placement, self.language, self.mirage, self.template,
            self.disclosure, self.injection, self.group, self.confidence, self.show_seed, self.protocol,
        )  # fmt: skip

    def draw(self) -> None:
        """Make the maze that the fields name."""
        size, seed = self.size.value.strip(), self.seed.value.strip()
        if not (size.isascii() and size.isdigit() and 2 <= int(size) <= 101):
            self.panel.say("bad_size", "error", given=size)
            return
        if seed and not (seed.isascii() and seed.isdigit()):
            self.panel.say("bad_seed", "error", given=seed)
            return
        maze = MazeEngine(int(size), int(seed) if seed else None, self.algorithm.value, self.placement.value)
        config = MazeConfig(
            size=maze.size, use_mirage=self.mirage.value, use_confidence=self.confidence.value,
            ariadne_mode=self.group.value, language=self.language.value, show_seed=self.show_seed.value,
            template=self.template.value, disclosure=self.disclosure.value, injection=self.injection.value,
            protocol=self.protocol.value,
        )  # fmt: skip
        self.panel.state.choose(maze, config)
        self.panel.show_stimulus()
        self.panel.hush()

    def next(self) -> None:
        """Make the next maze of the plan."""
        self.panel.state.provenance = self.panel.who.value()
        trial = self.panel.state.next_planned()
        self.panel.show_stimulus()
        self.panel.who.show()
        if trial is None:
            self.panel.say("all_done")
            return
        model = f", {trial.model}" if trial.model else ""
        self.panel.say("planned", size=trial.maze.size, seed=trial.maze.seed, model=model)


class WhoFields:
    """One remembered row: product, model, effort, tools, new chat, attempt, share link."""

    def __init__(self, state: PasteState, words: dict[str, Any]) -> None:
        self.state, self.words = state, words
        field = {"layout": w.Layout(width="220px", max_width="100%"), "style": {"description_width": "90px"}}
        self.product = w.Combobox(description=words["product"], placeholder="ChatGPT", **field, **WHOLE)
        self.model = w.Combobox(description=words["model"], placeholder="GPT-4o", **field, **WHOLE)
        self.effort = w.Combobox(description=words["effort"], **field, **WHOLE)
        tools = [(name, value) for value, name in words["tool_names"].items()]
        self.tools = w.Dropdown(options=tools, description=words["tools"], **field)
        self.new_chat = w.Checkbox(description=words["new_chat"], indent=False, layout=w.Layout(width="auto"))
        self.attempt = w.BoundedIntText(min=1, max=999, description=words["attempt"], **field)
        self.link = w.Text(description=words["link"], **field, **WHOLE)
        self.model.add_class("hm-model")
        self.hint = w.HTML()
        for name in (self.product, self.model):
            name.observe(lambda _: self._show_hint(), "value")
        self.box = row(self.product, self.model, self.effort, self.tools, self.attempt, self.link, self.new_chat)
        self.show()

    def show(self) -> None:
        """The row as the state has it, with suggestions from earlier answers."""
        known = self.state.provenance
        for widget, field in ((self.product, "provider"), (self.model, "model"), (self.effort, "effort")):
            widget.options = self.state.suggestions(field)
        self.product.value, self.model.value, self.effort.value = known.product, known.model, known.effort
        self.tools.value, self.new_chat.value = known.tools, known.new_chat
        self.attempt.value, self.link.value = known.attempt, known.link
        self._show_hint()

    def _show_hint(self) -> None:
        """Remind, beside the button that saves, that nobody is named."""
        named = self.product.value.strip() or self.model.value.strip()
        self.hint.value = "" if named else view.hint(self.words["nameless"])

    def value(self) -> Provenance:
        """What the row says."""
        return replace(
            self.state.provenance, product=self.product.value, model=self.model.value, effort=self.effort.value,
            tools=self.tools.value, new_chat=self.new_chat.value, attempt=self.attempt.value, link=self.link.value,
        )  # fmt: skip
