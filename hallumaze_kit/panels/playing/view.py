"""The pages of the play panel as HTML. What was typed is escaped; nothing of the maze that is not to be seen is there.

A button carries `data-act` and `data-value`, a field `data-field`; the face (`face.py`) sends them as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hallumaze_kit.maze import DIRECTIONS, STEP, MazeEngine
from hallumaze_kit.panels.pasting.view import notice, text
from hallumaze_kit.panels.playing.log import message_after
from hallumaze_kit.panels.playing.picture import picture
from hallumaze_kit.panels.playing.state import PlayState
from hallumaze_kit.panels.playing.words import ARROWS
from hallumaze_kit.panels.playing.words import DIRECTIONS as SIDES
from hallumaze_kit.subjects.human import DECLARATIONS, Game
from hallumaze_kit.trial.probe import probe_path

KEYS = {
    **{f"Arrow{name}": d for name, d in (("Up", "N"), ("Right", "E"), ("Down", "S"), ("Left", "W"))},
    **{f"Key{d}": d for d in DIRECTIONS},
}
"""Keys as the face names them: by the Latin letter on them, else by their place on the keyboard."""
SAY_KEYS = dict(zip(("KeyD", "KeyL", "KeyC"), DECLARATIONS, strict=True))
FORGET = ("done", "withdrawn", "declined")
"""Pages after which a window no longer knows whose it was: the next person may sit down at it."""
EXAMPLE = MazeEngine(4, 3)


def page(state: PlayState) -> dict[str, Any]:
    """Everything that the face needs: the page's HTML, its keys, what its messages carry."""
    words = state.words
    game = state.entry.game if state.entry else None
    playing = state.page == "play" and game is not None
    says = f'<p class="hm-synthetic">{text(words["synthetic"])}: {text(state.who.model)}</p>' if state.who.model else ""
    told = notice(state.notice.text(words), state.notice.kind) if state.notice else ""
    body = _PAGES[state.page](state)
    foot = _foot(state)
    return {
        "seq": state.seq,
        "turn": state.turn,
        "page": state.page,
        "html": f'<div class="hm-play hm-page-{state.page.replace(" ", "-")}">{says}{told}{body}{foot}</div>',
        "keys": _keys(game) if playing else {},
        "open": list(game.choices) if playing and not game.choice else [],
        "slip": words["slip"],
        "silent": words["silent"],
        "lang": state.language,
        "title": words["title"],
        "code": state.seat.code if state.seat and state.page not in FORGET else "",
        "study": state.plan.study,
    }


def _keys(game: Game) -> dict[str, list[str]]:
    """What a key does on the page of a game: [act, value]."""
    if game.choice:
        return {}
    if game.walk is None:
        return {"KeyY": ["choice", "valid"], "KeyN": ["choice", "invalid"]}
    return {key: ["choice", d] for key, d in KEYS.items()} | {key: ["declared", d] for key, d in SAY_KEYS.items()}


# ---- parts ------------------------------------------------------------------------------------------


def button(label: str, act: str, value: str = "", kind: str = "", key: str = "") -> str:
    """A button; `kind` "primary" is pressed by Enter too."""
    hint = f" <kbd>{text(key)}</kbd>" if key else ""
    style = {"primary": " mod-primary hm-primary", "plain": " hm-plain"}.get(kind, "")
    return (
        f'<button type="button" class="jupyter-button widget-button hm-button{style}" data-act="{text(act)}" '
        f'data-value="{text(value)}">{text(label)}{hint}</button>'
    )


def _row(*parts: str) -> str:
    return f'<div class="hm-buttons">{"".join(parts)}</div>'


def _head(title: str) -> str:
    return f"<h3>{text(title)}</h3>"


def _paragraphs(lines: Iterable[str]) -> str:
    return "".join(f"<p>{text(line)}</p>" for line in lines)


def _small(line: str) -> str:
    return f'<p class="hm-small">{text(line)}</p>'


def _cell(cell: tuple[int, int]) -> str:
    return f"({cell[0]},{cell[1]})"


def _side(direction: str) -> str:
    return f"{direction} {ARROWS[direction]}"


def _foot(state: PlayState) -> str:
    """Who one is, and the way out; on every page of somebody who takes part."""
    if state.seat is None or state.page in ("withdraw", "withdrawn", "elsewhere"):
        return ""
    code = f'<span>{text(state.words["code"])}: <b class="hm-code">{text(state.seat.code)}</b></span>'
    return f'<div class="hm-foot">{code}{button(state.words["withdraw"], "withdraw", kind="plain")}</div>'


# ---- before the first maze --------------------------------------------------------------------------


def _rules(state: PlayState) -> str:
    words, rules = state.words, state.words["rules"]
    first = state.plan.blocks[0][1]
    walked = ("walk", state.plan.view, "undo", first.disclosure) if state.plan.stepwise else ()
    lures = ("mirage",) if any(config.use_mirage and config.view == "open" for _, config in state.plan.blocks) else ()
    probe = ("probe",) if any(config.protocol == "probe" for _, config in state.plan.blocks) else ()
    listed = [line for part in (*walked, *lures, *probe, "aids") for line in rules[part]]
    languages = "".join(
        f'<button type="button" class="jupyter-button widget-button hm-button" data-act="language" '
        f'data-value="{value}" lang="{value}" aria-pressed="{str(value == state.language).lower()}">{name}</button>'
        for value, name in (("ko", "한국어"), ("en", "English"))
    )
    code = (
        f'<details class="hm-have"><summary>{text(words["have_code"])}</summary><div class="hm-buttons">'
        f'<label>{text(words["code"])} <input type="text" data-field="code" size="8" maxlength="20" autocomplete="off" '
        f'autocapitalize="characters" spellcheck="false"></label>{button(words["resume"], "resume")}</div></details>'
    )
    items = "".join(f"<li>{text(line)}</li>" for line in listed)
    return (
        f'<div class="hm-buttons hm-languages">{languages}</div>{_head(words["how"])}<ul>{items}</ul>'
        f"{_example(state)}{_row(button(words['go_on'], 'go on', kind='primary'))}{code}"
    )


def _example(state: PlayState) -> str:
    """A worked example on a maze that nobody plays."""
    words = state.words
    here = EXAMPLE.solution[1]
    ways = EXAMPLE.open_directions(here)
    way, wall = EXAMPLE.onward(here), next(d for d in DIRECTIONS if d not in ways)
    to = (here[0] + STEP[way][0], here[1] + STEP[way][1])
    form = words["example_text"][state.plan.view or "probe"]
    told = form.format(
        cell=_cell(here), ways=", ".join(map(_side, ways)), way=_side(way), to=_cell(to), wall=_side(wall)
    )
    drawn = ""
    if state.plan.stepwise:
        from hallumaze_kit.records import MazeConfig

        game = Game(
            EXAMPLE, MazeConfig(size=EXAMPLE.size, protocol="stepwise", view=state.plan.view, use_confidence=False)
        )
        game.apply("choice", {"value": EXAMPLE.onward(EXAMPLE.start)})
        drawn = picture(game, state.plan.memory, text(_alt(game, state)))
    return f'{_head(words["example"])}<div class="hm-example">{drawn}<p>{text(told)}</p></div>'


def _check(state: PlayState) -> str:
    words = state.words
    asked = ""
    for number, name in enumerate(state.questions):
        question, choices = words["questions"][name]
        order = [(place + number + 1) % len(choices) for place in range(len(choices))]
        listed = "".join(
            f'<label><input type="radio" name="hm-{name}" data-field="{name}" value="{place}"> '
            f"{text(choices[place])}</label>"
            for place in order
        )
        asked += f"<fieldset><legend>{number + 1}. {text(question)}</legend>{listed}</fieldset>"
    buttons = _row(button(words["send"], "answer", kind="primary"), button(words["reread"], "rules"))
    return f"{_head(words['check'])}<p>{text(words['check_about'])}</p>{asked}{buttons}"


def _consent(state: PlayState) -> str:
    words = state.words
    version = words["consent_version"].format(version=state.plan.consent_version)
    told = _paragraphs(state.plan.consent[state.language].split("\n"))
    buttons = _row(button(words["agree"], "agree"), button(words["disagree"], "disagree"))
    return f'{_head(words["consent"])}<div class="hm-consent" tabindex="0">{told}</div>{_small(version)}{buttons}'


def _code(state: PlayState) -> str:
    words, code = state.words, state.seat.code if state.seat else ""
    return (
        f'{_head(words["your_code"])}<p class="hm-big"><b>{text(code)}</b></p><p>{text(words["code_about"])}</p>'
        f"{_row(button(words['go_on'], 'first', kind='primary'))}"
    )


# ---- mazes ------------------------------------------------------------------------------------------


def _ready(state: PlayState) -> str:
    words, trial = state.words, state.trial
    if trial is None:
        return ""
    practice = [one for one in state.trials if one.practice]
    total = len(practice) if trial.practice else len(state.trials) - len(practice)
    n = trial.index + 1 - (0 if trial.practice else len(practice))
    title = words["ready_practice" if trial.practice else "ready"].format(n=n, total=total)
    about = words["ready_about"].format(size=trial.maze.size)
    before = f'<p class="hm-ended">{text(words["ended"][state.ended])}</p>' if state.ended else ""
    return f"{before}{_head(title)}<p>{text(about)}</p>{_row(button(words['start'], 'start', kind='primary'))}"


def _play(state: PlayState) -> str:
    game = state.entry.game if state.entry else None
    if game is None:
        return ""
    if game.choice:
        return _sure(state, game)
    return _probe(state, game) if game.walk is None else _move(state, game)


def _alt(game: Game, state: PlayState) -> str:
    words, size = state.words, game.maze.size
    alt = words["picture"].format(size=size, cell=_cell(game.here), exit=_cell(game.maze.exit))
    return alt + (words["picture_trail"].format(n=len(game.trail()) - 1) if state.plan.memory == "trail" else "")


def _board(state: PlayState, game: Game, beside: str) -> str:
    """The picture, and what stands beside it."""
    drawn = picture(game, state.plan.memory, text(_alt(game, state)))
    return f'<div class="hm-board"><div class="hm-see">{drawn}</div><div class="hm-do">{beside}</div></div>'


def _where(state: PlayState, game: Game) -> str:
    """What came of the last move, and where one stands now."""
    words, walk = state.words, game.walk
    last = walk.moves[-1] if walk.moves else None
    came = ""
    if last:
        key = "arrived" if last.reached else "closed"
        came = words[key].format(cell=_cell(game.here), way=_side(last.direction))
    exit_at = words["exit_at"].format(cell=_cell(game.maze.exit))
    step = words["step"].format(n=len(walk.moves) + 1, budget=walk.budget)
    return (
        f'<p class="hm-came" role="status">{text(came)}</p><p class="hm-where">'
        f'<span class="hm-small">{text(words["here"])}</span> <b>{_cell(game.here)}</b> '
        f'<span class="hm-small">{text(exit_at)} · {text(step)}</span></p>'
    )


def _move(state: PlayState, game: Game) -> str:
    """Where one stands, the ways, what can be said."""
    words = state.words
    shown = game.config.use_mirage and game.config.view == "open"
    lures = {lure.direction: lure for lure in game.maze.mirage_traps if shown and lure.cell == game.here}
    ways = "".join(_way(state, d, lures.get(d)) for d in game.choices)
    says = "".join(
        button(words["say"][what], "declared", what, "plain", key.removeprefix("Key")) for key, what in SAY_KEYS.items()
    )
    title = words["open_ways" if game.config.view == "open" else "all_ways"]
    return _board(
        state,
        game,
        f'{_where(state, game)}<div class="hm-ways" role="group" aria-label="{text(title)}">{_small(title)}{ways}</div>'
        f'<div class="hm-slip" role="alert"></div>'
        f'<div class="hm-says">{_small(words["tell"])}{says}</div>'
        f"{button(words['give_up'], 'give up', kind='plain')}",
    )


def _way(state: PlayState, direction: str, lure: Any) -> str:
    """A button of a way, with what a lure says of it."""
    label = f"{ARROWS[direction]} {direction} {SIDES[state.language][direction]}"
    claim = f'<span class="hm-lure">⚑ {text(lure.text(state.language))}</span>' if lure else ""
    return f'<div class="hm-way">{button(label, "choice", direction)}{claim}</div>'


def _sure(state: PlayState, game: Game) -> str:
    """How sure one is of the choice, before anything comes of it. The slider starts where chance put it."""
    words = state.words
    if game.walk is None:
        return _slider(state, game, words["sure_probe"].format(what=words[game.choice]))
    asked = _slider(state, game, words["sure_about"].format(way=_side(game.choice)))
    return _board(state, game, f"{_where(state, game)}{asked}")


def _slider(state: PlayState, game: Game, about: str) -> str:
    words = state.words
    return (
        f"{_head(words['sure_head'])}<p>{text(about)}</p>"
        f'<div class="hm-slider"><span>{text(words["not_at_all"])}</span>'
        f'<input type="range" min="0" max="100" step="1" value="{game.slider_start}" data-field="confidence" '
        f'data-touch="yes" aria-label="{text(words["sure_head"])}"><span>{text(words["fully"])}</span></div>'
        f'<p class="hm-value" aria-live="polite">&nbsp;</p>'
        f"{_row(button(words['confirm'], 'sure', kind='primary'))}{_small(words['sure_keys'])}"
    )


def _probe(state: PlayState, game: Game) -> str:
    words, config = state.words, game.config
    maze = game.maze.encode_text(config.use_mirage, config.language, config.show_seed)
    path = "→".join(_cell(cell) for cell in probe_path(game.maze, config).cells)
    yes = button(words["valid"], "choice", "valid", key="Y")
    no = button(words["invalid"], "choice", "invalid", key="N")
    shown = [
        f'{_small(words[name])}<pre class="hm-text" tabindex="0">{text(what)}</pre>'
        for name, what in (("path", path), ("maze_text", maze))
    ]
    return f"{_head(words['probe'])}{shown[0]}{_row(yes, no)}{shown[1]}"


def _hint(state: PlayState) -> str:
    words = state.words
    message = message_after(state.hinted) if state.hinted else ""
    ended = f'<p class="hm-ended">{text(words["ended"][state.ended])}</p>' if state.ended else ""
    return (
        f'{ended}{_head(words["hint"])}<p class="hm-message">{text(message)}</p>'
        f"{_row(button(words['again'], 'start', kind='primary'))}"
    )


# ---- ends -------------------------------------------------------------------------------------------


def _ask(question: str, yes: tuple[str, str]) -> Callable[[PlayState], str]:
    """A page that asks whether something is meant."""

    def asked(state: PlayState) -> str:
        words = state.words
        buttons = _row(button(words["no"], "stay", kind="primary"), button(words[yes[0]], yes[1]))
        return f"<p>{text(words[question])}</p>{buttons}"

    return asked


def _done(state: PlayState) -> str:
    words = state.words
    ended = f'<p class="hm-ended">{text(words["ended"][state.ended])}</p>' if state.ended else ""
    about = words["done_about"].format(n=len(state.trials))
    return f"{ended}{_head(words['done'])}<p>{text(about)}</p><p>{text(words['code_about'])}</p>"


def _plain(key: str) -> Callable[[PlayState], str]:
    return lambda state: f"<p>{text(state.words[key])}</p>"


def _elsewhere(state: PlayState) -> str:
    words = state.words
    return f"<p>{text(words['elsewhere'])}</p>{_row(button(words['here_instead'], 'resume', kind='primary'))}"


_PAGES: dict[str, Callable[[PlayState], str]] = {
    "rules": _rules,
    "check": _check,
    "consent": _consent,
    "declined": _plain("declined"),
    "code": _code,
    "ready": _ready,
    "play": _play,
    "hint": _hint,
    "give up": _ask("give_up_sure", ("yes_give_up", "yes give up")),
    "done": _done,
    "withdraw": _ask("withdraw_sure", ("yes_withdraw", "yes withdraw")),
    "withdrawn": _plain("withdrawn"),
    "elsewhere": _elsewhere,
}
