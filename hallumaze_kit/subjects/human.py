"""People: one trial as a person plays it, key by key, as a machine that can be run again from what was noted.

What a person does becomes the replies that a model would write, and goes through the same `Stepwise`, so a person's
game is the same conversation, trace and record as a model's. Beside the replies stand the key events of the record:
how long each answer took, slips of the hand, pauses, when the person looked away.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from hallumaze_kit.errors import InputError, check_choice
from hallumaze_kit.maze import DIRECTIONS, Cell, MazeEngine
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.trial.hints import Spoken
from hallumaze_kit.trial.prompt import build_prompt
from hallumaze_kit.trial.stepwise import Stepwise

PAUSE = 30_000
"""Milliseconds; an answer that takes as long has a pause in it."""
DECLARATIONS = ("dead end", "loop", "strategy change")
MEMORIES = {"cell": 0, "trail": None}
"""What a person is shown of the way so far, and the `history` of a model that sees as much (`window`)."""
_SURE = {"ko": "확신도", "en": "confidence"}
_CHANGED = {"ko": "STRATEGY_CHANGE — 생각이 바뀜", "en": "STRATEGY_CHANGE — changed my mind"}
_GIVE_UP = {"ko": "포기합니다.", "en": "I give up."}
_VALID = {"ko": ("아니오", "예"), "en": ("no", "yes")}


class Game:
    """One maze, played.

    maze, config  of protocol "stepwise" or "probe"
    seed          draws where each slider starts
    spoken        what was said after a first walk, if this is the second one

    walk      the `Stepwise` underneath, None for a probe
    messages  the conversation so far, as a model's would be
    noted     the key events of the record so far
    choice    what was chosen and waits for its confidence: a direction, "valid" or "invalid"; "" if nothing
    declared  what was declared this turn
    stopped   why it ended, "" while it has not

    All that happens is an event, `apply(kind, data)`: whoever applies the same events again has the same game. It
    raises `InputError` for what is not possible now, and then nothing has changed; `check` does only that.
    Events and their data (plain JSON; `ms` is the time since the situation was shown):

        "choice"     value (a direction, "valid", "invalid"), ms, by ("key", "button")
        "sure"       value (0 to 100), ms, touched: the confidence in the choice, which is sent with it
        "slip"       value (a direction that is not open): noted, not sent
        "declared"   value, one of `DECLARATIONS`: sent with the next move
        "away"       value ("hidden", "blur"), ms; "back" with ms, away_ms
        "opened"     the game was opened again after a reload
        "gave up"    ms
    """

    def __init__(self, maze: MazeEngine, config: MazeConfig, seed: int = 0, spoken: Spoken | None = None) -> None:
        check_choice("config.protocol", config.protocol, ("stepwise", "probe"))
        self.maze, self.config, self.seed = maze, config, seed
        self.walk = Stepwise(maze, config) if config.protocol == "stepwise" else None
        prompt = self.walk.prompt if self.walk else build_prompt(maze, config)
        first = f"{spoken.message}\n\n{prompt.user}" if spoken and spoken.message else prompt.user
        self.messages = [{"role": "system", "content": prompt.system}, {"role": "user", "content": first}]
        self.prompt_sha256 = prompt.sha256
        self.noted: list[dict[str, Any]] = [spoken.event()] if spoken else []
        self.choice, self.stopped = "", ""
        self.declared: list[str] = []
        self._took: dict[str, Any] = {}
        self._milliseconds: float | None = 0.0

    # ---- where it stands --------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """Number of the reply that comes next, from 1."""
        return sum(message["role"] == "assistant" for message in self.messages) + 1

    @property
    def here(self) -> Cell:
        """Where the person stands."""
        return self.walk.here if self.walk else self.maze.start

    @property
    def choices(self) -> tuple[str, ...]:
        """What can be chosen now and is sent: open directions, in the view "bump" all four, of a probe its answers."""
        if self.walk is None:
            return ("valid", "invalid")
        return self.maze.open_directions(self.here) if self.config.view == "open" else DIRECTIONS

    @property
    def asks(self) -> bool:
        """A confidence is asked for before what is chosen now is sent.

        At junctions only; in the view "bump", where asking there would tell that it is one, at every move.
        """
        if not self.config.use_confidence:
            return False
        return self.walk is None or self.config.view == "bump" or self.here in self.maze.junctions

    @property
    def slider_start(self) -> int:
        """Where the slider of this turn starts, 0 to 100, the same whenever the game is opened again."""
        return Random(f"hallumaze slider {self.seed} {self.maze.maze_id} {self.turn}").randint(0, 100)

    @property
    def text(self) -> str:
        """The replies, one under the other."""
        return "\n".join(message["content"] for message in self.messages if message["role"] == "assistant")

    @property
    def seconds(self) -> float | None:
        """How long the answers took, from when each situation was shown; None if a time of one is not known."""
        return None if self._milliseconds is None else round(self._milliseconds / 1000, 3)

    def trail(self) -> list[Cell]:
        """The cells walked through so far, in order, where the person stands last."""
        moves = self.walk.moves if self.walk else ()
        return [self.maze.start, *(move.end for move in moves if move.reached)]

    def bumped(self) -> set[tuple[Cell, str]]:
        """Sides that turned out to be closed when they were tried, as (cell, direction)."""
        moves = self.walk.moves if self.walk else ()
        return {(move.start, move.direction) for move in moves if not move.reached}

    # ---- what happens -----------------------------------------------------------------------

    def check(self, kind: str, data: Mapping[str, Any]) -> None:
        """Raise `InputError` if this cannot happen now."""
        check_choice("event", kind, tuple(_DOES))
        if self.stopped:
            raise InputError("event", kind, "nothing more: this game is over")
        value = data.get("value")
        if kind == "choice":
            if self.choice:
                raise InputError("choice", value, f"the one made already, {self.choice!r}", "There is no undo.")
            check_choice("choice", value, self.choices)
        elif kind == "sure":
            if not self.choice:
                raise InputError("confidence", value, "one in a choice", "Choose first.")
            if not data.get("touched"):
                raise InputError("confidence", value, "set by the person", "Move the slider first.")
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 100:
                raise InputError("confidence", value, "a whole number from 0 to 100")
        elif kind == "slip":
            closed = [direction for direction in DIRECTIONS if direction not in self.choices]
            check_choice("slip", value, tuple(closed))
        elif kind == "declared":
            check_choice("declaration", value, DECLARATIONS if self.walk else ())
        elif kind == "gave up" and self.walk is None:
            raise InputError("event", kind, "an answer: a path is valid or it is not")

    def apply(self, kind: str, data: Mapping[str, Any]) -> None:
        """Let an event happen."""
        self.check(kind, data)
        _DOES[kind](self, data)

    def _choose(self, data: Mapping[str, Any]) -> None:
        asks = self.asks
        self.choice = data["value"]
        self._took = {"ms": data.get("ms"), "by": data.get("by", "")}
        if not asks:
            self._send(None)

    def _be_sure(self, data: Mapping[str, Any]) -> None:
        self._took |= {"confidence_ms": data.get("ms"), "slider_start": self.slider_start}
        self._send(data["value"])

    def _send(self, confidence: int | None) -> None:
        """Send the choice as a reply; what comes back is the next situation."""
        self._note("answered", **self._took)
        took = self._count(self._took.get("ms"), self._took.get("confidence_ms", 0.0))
        if took is not None and took >= PAUSE:
            self._note("pause", ms=took)
        self._say(self._reply(confidence))

    def _count(self, *times: float | None) -> float | None:
        """Add what an answer took; the whole is not known from then on if a part is not."""
        known = [time for time in times if time is not None]
        took = sum(known) if len(known) == len(times) else None
        self._milliseconds = None if took is None or self._milliseconds is None else self._milliseconds + took
        return took

    def _reply(self, confidence: int | None) -> str:
        """What a model would have written."""
        language = self.config.language
        if self.walk is None:
            sure = [] if confidence is None else [f"CONFIDENCE: {confidence}%"]
            return "\n".join([f"VALID: {_VALID[language][self.choice == 'valid']}", *sure])
        row, col = self.here
        sure = "" if confidence is None else f" | {_SURE[language]}: {confidence}%"
        step = f"STEP {len(self.walk.moves) + 1}: ({row},{col}) → {self.choice}{sure}"
        return "\n".join([*map(self._declaration, self.declared), step])

    def _declaration(self, what: str) -> str:
        row, col = self.here
        if what == "strategy change":
            return _CHANGED[self.config.language]
        return f"DEAD_END at ({row},{col})" if what == "dead end" else f"LOOP detected at ({row},{col})"

    def _say(self, reply: str) -> None:
        self.messages.append({"role": "assistant", "content": reply})
        self.choice, self.declared, self._took = "", [], {}
        if self.walk is None:
            self.stopped = "answered"
            return
        told = self.walk.take(reply)
        self.stopped = self.walk.stopped
        if told:
            self.messages.append({"role": "user", "content": told})

    def _slip(self, data: Mapping[str, Any]) -> None:
        row, col = self.here
        self._note("slip of the hand", cell=[row, col], direction=data["value"], ms=data.get("ms"))

    def _declare(self, data: Mapping[str, Any]) -> None:
        if data["value"] not in self.declared:
            self.declared.append(data["value"])
            self._note("declared", what=data["value"], ms=data.get("ms"))

    def _give_up(self, data: Mapping[str, Any]) -> None:
        self._note("answered", ms=data.get("ms"), by=data.get("by", ""))
        self._count(data.get("ms"))
        self._say("\n".join([*map(self._declaration, self.declared), _GIVE_UP[self.config.language]]))

    def _away(self, data: Mapping[str, Any]) -> None:
        self._note("away", how=data.get("value", ""), ms=data.get("ms"))

    def _back(self, data: Mapping[str, Any]) -> None:
        self._note("back", ms=data.get("ms"), away_ms=data.get("away_ms"))

    def _opened(self, data: Mapping[str, Any]) -> None:
        self._note("opened again")

    def _note(self, kind: str, **more: Any) -> None:
        self.noted.append({"turn": self.turn, "kind": kind, **more})


_DOES = {
    "choice": Game._choose,
    "sure": Game._be_sure,
    "slip": Game._slip,
    "declared": Game._declare,
    "away": Game._away,
    "back": Game._back,
    "opened": Game._opened,
    "gave up": Game._give_up,
}
