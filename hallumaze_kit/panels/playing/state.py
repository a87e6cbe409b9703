"""The state of the play panel, without a browser: which page is shown, and what an act on it does.

    state = PlayState(book, plan, "en")
    state.hear({"act": "go on", "seq": state.seq})

A page sends what was done on it as a message; `hear` takes it, stores what is to be stored, and the next page stands.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hallumaze_kit.errors import InputError, KitError, check_choice
from hallumaze_kit.panels.playing.log import PERSON, Elsewhere, Entry, PlayLog, Seat, Who, message_after
from hallumaze_kit.panels.playing.plan import PlayPlan, PlayTrial
from hallumaze_kit.panels.playing.words import WORDS
from hallumaze_kit.store import AnswerBook, StoredAnswer
from hallumaze_kit.subjects.human import MEMORIES

PAGES = (
    "rules", "check", "consent", "declined", "code", "ready", "play", "hint", "give up", "done", "withdraw",
    "withdrawn", "elsewhere",
)  # fmt: skip
QUIET = ("slip", "away", "back")
"""Events that change nothing on the page: a message of them does not have to come from the page that is shown."""
LONGEST = 200
"""Characters of a code or a description of the device that are read."""


@dataclass(frozen=True)
class Said:
    """A sentence of the panel's words, with its values; `kind` as of a notice: "info", "ask" or "error"."""

    key: str
    kind: str = "info"
    values: tuple[tuple[str, Any], ...] = ()

    def text(self, words: Mapping[str, Any]) -> str:
        """The sentence."""
        return words[self.key].format(**dict(self.values))


def said(key: str, kind: str = "info", **values: Any) -> Said:
    """A sentence of the panel."""
    return Said(key, kind, tuple(values.items()))


class PlayState:
    """All that one person does in the play panel, as messages.

    book, plan  an `AnswerBook` and a `PlayPlan`
    language    "ko" or "en", until a person has consented in one
    who         `Who` plays: people, or a synthetic subject, which the record and the page then say

    page      one of `PAGES`
    seq       number of the page; a message about another page than the one shown does nothing
    seat      the person, from the consent on
    entry     the game under way, if any
    trial     the trial that is next or under way
    ended     why the last game of this window ended, "" before the first
    hinted    the first walk after which a hint is shown
    notice    what is said on top of the page, None if nothing
    checks    attempts at the three questions: (choices, how many were right)
    """

    def __init__(self, book: AnswerBook, plan: PlayPlan, language: str = "ko", who: Who = PERSON) -> None:
        if not isinstance(book, AnswerBook):
            raise InputError("store", book, "an AnswerBook", 'Open one: AnswerBook("play.db").')
        if not isinstance(plan, PlayPlan):
            raise InputError("plan", plan, "a PlayPlan")
        self.language = check_choice("lang", language, tuple(WORDS))
        self.log, self.plan, self.who = PlayLog(book, plan, who), plan, who
        self.page, self.seq = "rules", 1
        self.seat: Seat | None = None
        self.trials: list[PlayTrial] = []
        self.trial: PlayTrial | None = None
        self.entry: Entry | None = None
        self.hinted: StoredAnswer | None = None
        self.ended, self.device = "", ""
        self.notice: Said | None = None
        self.checks: list[dict[str, Any]] = []

    # ---- what is asked ----------------------------------------------------------------------

    @property
    def words(self) -> dict[str, Any]:
        """What the panel says, in its language."""
        return WORDS[self.language]

    @property
    def questions(self) -> tuple[str, ...]:
        """The three questions of the check; the first choice of each is the right one."""
        if not self.plan.stepwise:
            return ("where", "valid", "sure")
        return ("where", "regret", f"wall_{self.plan.view}")

    @property
    def history(self) -> int | None:
        """How many of its last turns a model sees that is shown as much as people are here, None for all."""
        return MEMORIES[self.plan.memory]

    @property
    def turn(self) -> str:
        """Name of the situation that is answered now; the time of an answer counts from when it was first shown."""
        if self.entry is None:
            return ""
        game = self.entry.game
        return f"{self.entry.id}.{game.turn}.{'sure' if game.choice else 'choice'}"

    # ---- messages ---------------------------------------------------------------------------

    def hear(self, message: Mapping[str, Any]) -> bool:
        """Take a message of the page; False if it was about another page, or nothing came of it.

        Fields: "act"; "seq" of the page; "value"; "fields", what was filled in; times as `Game` has them. Whatever a
        message holds, nothing is raised: what cannot be done, or not stored, is said as the notice.
        """
        act = message.get("act")
        if act in QUIET:
            return self._quietly(act, message)
        does = _ACTS.get(act) if isinstance(act, str) else None
        if does is None or (act != "hello" and message.get("seq") != self.seq):
            return False
        self.notice = None
        try:
            does(self, message)
        except Elsewhere:
            self.page = "elsewhere"
        except InputError as error:
            known = {"code": "no_code", "withdrawn code": "gone_code", "changed plan": "changed"}
            self.notice = said(known.get(error.parameter, "not_now"), "ask")
        except KitError as error:
            self.notice = said("not_stored", "error", what=str(error))
        self.seq += 1
        return True

    def _quietly(self, act: str, message: Mapping[str, Any]) -> bool:
        """Note what changes nothing on the page; one that comes late, or cannot be noted, is let go."""
        try:
            self._happen(act, message)
        except KitError:
            return False
        return True

    # ---- before the first maze --------------------------------------------------------------

    def _hello(self, message: Mapping[str, Any]) -> None:
        """A window has opened: go on with the game it knows of, if there is one."""
        self.device = str(message.get("device", ""))[:LONGEST]
        code = message.get("value")
        if self.seat is None and isinstance(code, str) and code:
            try:
                self._sit_down(code)
            except InputError as error:
                if error.parameter == "changed plan":
                    raise

    def _speak(self, message: Mapping[str, Any]) -> None:
        if self.seat is None:
            self.language = check_choice("lang", message.get("value"), tuple(WORDS))

    def _resume(self, message: Mapping[str, Any]) -> None:
        code = self.seat.code if self.page == "elsewhere" and self.seat else _field(message, "code")
        self._sit_down(code[:LONGEST])

    def _sit_down(self, code: str) -> None:
        """Go on as the person with this code, exactly where the last window stopped."""
        seat = self.log.find(code)
        self.seat, self.language = seat, seat.language
        self.trials = self.plan.trials(seat.number, seat.language)
        standing = self.log.standing(seat)
        self.ended, self.entry, self.hinted = "", None, None
        self._go_to(standing.index)
        if standing.entry:
            self.entry, self.trial = standing.entry, standing.entry.trial
            self.page = "play"
            if self.entry.game.stopped:
                self._finish()
            else:
                self._happen("opened", {})
        elif standing.hinted:
            self.hinted, self.page = standing.hinted, "hint"
        self.notice = said("resumed")

    def _go_on(self, message: Mapping[str, Any]) -> None:
        self._only_on("rules")
        self.page = "check"

    def _back_to_rules(self, message: Mapping[str, Any]) -> None:
        self._only_on("check", "consent")
        self.page = "rules"

    def _answer(self, message: Mapping[str, Any]) -> None:
        """The three questions: all right, or the rules again."""
        self._only_on("check")
        chosen = [_field(message, question) for question in self.questions]
        if not all(chosen):
            self.notice = said("unanswered", "ask")
            return
        right = sum(choice == "0" for choice in chosen)
        self.checks.append({"questions": list(self.questions), "choices": chosen, "right": right})
        if right < len(chosen):
            self.notice = said("wrong_answers", "ask", right=right)
            return
        self.page = "consent"

    def _agree(self, message: Mapping[str, Any]) -> None:
        """Consent: from here on things are stored."""
        self._only_on("consent")
        self.seat = self.log.enrol(self.language, self.device, self.checks)
        self.trials = self.plan.trials(self.seat.number, self.language)
        self._go_to(0)
        self.page = "code"

    def _disagree(self, message: Mapping[str, Any]) -> None:
        self._only_on("consent")
        self.page = "declined"

    # ---- mazes ------------------------------------------------------------------------------

    def _go_to(self, index: int) -> None:
        """The trial with this index is next, if there is one."""
        self.trial = self.trials[index] if index < len(self.trials) else None
        self.page = "ready" if self.trial else "done"

    def _to_first(self, message: Mapping[str, Any]) -> None:
        self._only_on("code")
        self._go_to(0)

    def _start(self, message: Mapping[str, Any]) -> None:
        """Begin the next trial, or the second walk after a hint."""
        self._only_on("ready", "hint")
        if self.seat is None or self.trial is None:
            raise InputError("start", self.page, "a page with a maze to come")
        self.entry = self.log.begin(self.seat, self.trial, self.hinted)
        self.hinted, self.page = None, "play"

    def _choose(self, message: Mapping[str, Any]) -> None:
        self._play("choice", message, {"value": message.get("value"), "by": str(message.get("by", ""))[:20]})

    def _be_sure(self, message: Mapping[str, Any]) -> None:
        value = _field(message, "confidence")
        sure = int(value) if value.isascii() and value.isdigit() and len(value) < 4 else -1
        self._play("sure", message, {"value": sure, "touched": message.get("touched") is True})

    def _declare(self, message: Mapping[str, Any]) -> None:
        self._play("declared", message, {"value": message.get("value")})
        what = self.words["say"][message["value"]]
        self.notice = said("said", what=what)

    def _ask_give_up(self, message: Mapping[str, Any]) -> None:
        self._only_on("play")
        if self.entry is None or self.entry.game.walk is None or self.entry.game.choice:
            raise InputError("act", "give up", "a move")
        self.page = "give up"

    def _give_up(self, message: Mapping[str, Any]) -> None:
        self._only_on("give up")
        self.page = "play"
        self._play("gave up", message, {"by": str(message.get("by", ""))[:20]})

    def _play(self, kind: str, message: Mapping[str, Any], data: dict[str, Any]) -> None:
        self._only_on("play")
        if not (self.entry and self.entry.game.stopped):  # which it is if it could not be stored as an answer
            self._happen(kind, message, data)
        if self.entry and self.entry.game.stopped:
            self._finish()

    def _happen(self, kind: str, message: Mapping[str, Any], data: Mapping[str, Any] | None = None) -> None:
        """Store an event of the game, then let it happen."""
        if self.seat is None or self.entry is None:
            raise InputError("event", kind, "something in a game")
        if data is None:
            data = {"value": str(message["value"])[:20]} if "value" in message else {}
        times = {name: _time(message[name]) for name in ("ms", "away_ms", "t") if name in message}
        self.log.note(self.seat, self.entry, kind, {**data, **times})

    def _finish(self) -> None:
        """A game is over: it is an answer now."""
        if self.seat is None or self.entry is None or self.trial is None:
            return
        answer = self.log.finish(self.seat, self.entry)
        self.ended, self.entry = self.entry.game.stopped, None
        if message_after(answer):
            self.hinted, self.page = answer, "hint"
        else:
            self._go_to(self.trial.index + 1)

    # ---- going away -------------------------------------------------------------------------

    def _ask_withdraw(self, message: Mapping[str, Any]) -> None:
        if self.seat is None or self.page in ("withdrawn", "elsewhere"):
            raise InputError("act", "withdraw", "something of a person in this study")
        self.page = "withdraw"

    def _stay(self, message: Mapping[str, Any]) -> None:
        """Back from a question whether to stop or withdraw."""
        self._only_on("withdraw", "give up")
        if self.entry:
            self.page = "play"
        elif self.hinted:
            self.page = "hint"
        else:
            self.page = "ready" if self.trial else "done"

    def _withdraw(self, message: Mapping[str, Any]) -> None:
        self._only_on("withdraw")
        if self.seat is not None:
            self.log.withdraw(self.seat)
        self.entry, self.trial, self.hinted, self.page = None, None, None, "withdrawn"

    def _only_on(self, *pages: str) -> None:
        if self.page not in pages:
            raise InputError("page", self.page, " or ".join(map(repr, pages)))


def _field(message: Mapping[str, Any], name: str) -> str:
    fields = message.get("fields")
    return str(fields.get(name, "")) if isinstance(fields, Mapping) else ""


def _time(value: Any) -> float | None:
    """Milliseconds as the page counts them; None for what is no time."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e12:
        return None
    return round(float(value), 1)


_ACTS: dict[str, Callable[[PlayState, Mapping[str, Any]], None]] = {
    "hello": PlayState._hello,
    "language": PlayState._speak,
    "resume": PlayState._resume,
    "go on": PlayState._go_on,
    "rules": PlayState._back_to_rules,
    "answer": PlayState._answer,
    "agree": PlayState._agree,
    "disagree": PlayState._disagree,
    "first": PlayState._to_first,
    "start": PlayState._start,
    "choice": PlayState._choose,
    "sure": PlayState._be_sure,
    "declared": PlayState._declare,
    "give up": PlayState._ask_give_up,
    "yes give up": PlayState._give_up,
    "withdraw": PlayState._ask_withdraw,
    "yes withdraw": PlayState._withdraw,
    "stay": PlayState._stay,
}
