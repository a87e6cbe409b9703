"""What is measured of a stepwise trial (specification, section 8).

The replies are walked through `Stepwise` again, so the same messages give the same numbers whenever they are scored.
What differs from a single answer: an illegal try does not move, so there is nothing to recover from (HRR, MEI, Score,
detection and recovery are NaN), nothing is reported at the end, and in the view "bump" the first try at a closed side
is exploration: its confidence counts as wrong in the calibration, but it is no hallucination and no choice.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.trial.hints import hint_of, nrs, reaction
from hallumaze_kit.trial.measuring import confidence as conf
from hallumaze_kit.trial.measuring import measures, metrics
from hallumaze_kit.trial.measuring.decisions import decision_rows
from hallumaze_kit.trial.measuring.measured import NO_MOVE, Measured
from hallumaze_kit.trial.replay import Replay
from hallumaze_kit.trial.stepwise import KINDS, Stepwise, replies_in
from hallumaze_kit.trial.trace import DeadEnd, Loop, StrategyChange

RECOVERS = "stepwise: the environment recovers for everyone"
NO_REPORT = "stepwise asks for no report"
UNDEFINED = {
    **dict.fromkeys(("hrr", "mei", "hallumaze_score", "detected", "recovery_rate", "recovery_lag"), RECOVERS),
    **dict.fromkeys(("reported_hallucinations", "reported_backtracks", "report_gap"), NO_REPORT),
}
"""Measures that this protocol does not have, and why."""
CALIBRATION = ("ce", "oce", "uce", "brier", "ece")
OF_MOVES = (
    "brs", "lure_rate", "wrong_branch_rate", "lure_effect", "false_alarms", "missed_dead_ends", "excess", "slips",
    "revisits", *CALIBRATION,
)  # fmt: skip
"""Numbers that say nothing of a trial without a move."""

Messages = Sequence[Mapping[str, str]]


def measure_steps(
    maze: MazeEngine, messages: Messages, config: MazeConfig, key_events: Iterable[Mapping[str, Any]] = ()
) -> Measured:
    """Everything that is measured of a stepwise trial.

    Parameters
    ----------
    messages : the conversation, dicts with "role" and "content". The assistant's are the replies; the others are only
        compared with what the environment says, and a warning tells where it said something else
    key_events : what else was noted (times of a person, a hint): it stands behind what the environment notes. After a
        hint or a sham the walk is a second one, and how fast it reacts is measured (NRS)

    Returns a `Measured`: all of `METRICS` and "revisits" (legal moves onto cells visited before), a reason for every
    NaN, and the facts of the record. Raises `InputError` for messages of another shape, never for what a reply says.
    """
    trial = Stepwise(maze, config)
    warnings = _walk(trial, messages)
    happened = trial.replay()
    lures_shown = config.use_mirage and config.view == "open"
    numbers, reasons = _numbers(maze, happened, lures_shown, trial.stopped == "exit")
    besides = tuple(event for event in key_events if event.get("kind") not in KINDS)
    if hint_of(besides) in ("hint", "sham"):
        numbers["nrs"] = nrs(reaction(happened))
    facts = {
        "path_valid": trial.stopped == "exit",
        "metacog_signals": _signals(happened),
        "confidence_log": conf.confidence_log(happened),
        "confidence_pattern": conf.confidence_pattern(happened),
        "failure_mode": failure_mode(trial, happened, lures_shown),
        "warnings": tuple(warnings),
        "decisions": decision_rows(maze, happened, lures_shown),
        "key_events": (*trial.events, *besides),
    }
    return Measured(numbers, reasons, facts)


def spoken_turns(maze: MazeEngine, config: MazeConfig, text: str) -> tuple[dict[str, str], ...]:
    """The assistant's messages of a trial that is known only as one text (see `replies_in`)."""
    return tuple({"role": "assistant", "content": reply} for reply in replies_in(maze, config, text))


def failure_mode(trial: Stepwise, happened: Replay, lures_shown: bool) -> str:
    """How the trial ended, one of `FAILURES`: the first that fits.

    Solved: "clean" without a hallucination; "recovered" if no closed side or far cell that the environment had named
    was tried again; else "solved unnoticed". Not solved: "gave up", "unreadable" (no move, or two replies in a row
    without one), "cut off" (the conversation ends before the trial), "stuck" (no new cell in the last N tries),
    "lured" (off the path by a lure and never back), "stopped short".
    """
    if trial.stopped == "exit":
        wrong = [(m.start, m.end) for m in happened.moves if m.kind == "jump"]
        wrong += [m.pair for m in happened.moves if m.kind in ("wall", "outside", "bump")]
        if not happened.hallucinations:
            return "clean"
        return "recovered" if len(set(wrong)) == len(wrong) else "solved unnoticed"
    if trial.stopped in ("gave up", "unreadable"):
        return trial.stopped
    if not happened.moves:
        return "unreadable"
    if not trial.done:
        return "cut off"
    if measures.stuck(trial.maze, happened):
        return "stuck"
    if lures_shown and measures.lured(trial.maze, happened):
        return "lured"
    return "stopped short"


def _walk(trial: Stepwise, messages: Messages) -> list[str]:
    """Take every reply; what is to be said of the conversation."""
    said: str | None = None
    changed = late = 0
    for message in messages:
        try:
            role, content = message["role"], message["content"]
        except (TypeError, KeyError):
            shape = "a list of dicts with 'role' and 'content'"
            raise InputError("messages", message, shape) from None
        if role == "assistant":
            late += trial.done
            said = trial.take(content)
        elif role == "user" and said:
            changed += content != said
            said = None
    warnings = []
    if changed:
        warnings.append(f"{changed} of the environment's messages differ from what this version of the kit says")
    if late:
        warnings.append(f"{late} replies after the end of the trial were not read")
    return warnings


def _signals(happened: Replay) -> tuple[str, ...]:
    """The document's metacognitive signals, each only from an event (section 11)."""
    said = {type(d.event) for d in happened.declarations}
    given = {
        "dead end": DeadEnd in said,
        "backtracking": happened.backtracks > 0,
        "loop detected": Loop in said,
        "strategy_change": StrategyChange in said,
    }
    return tuple(name for name, there in given.items() if there)


def _numbers(
    maze: MazeEngine, happened: Replay, lures_shown: bool, solved: bool
) -> tuple[dict[str, float], dict[str, str]]:
    """The numbers of a trial, and a reason for each that is NaN."""
    tries, wrong, turns = len(happened.moves), happened.hallucination_count, happened.backtracks
    rows = conf.judged_steps(happened)
    lures = measures.lure_counts(maze, happened, lures_shown)
    lure_rate, wrong_rate = _share(lures.followed, lures.met), _share(lures.unmarked_followed, lures.unmarked_met)
    numbers: dict[str, float] = {
        **dict.fromkeys(UNDEFINED, math.nan),
        "sr": float(solved),
        "hallucination_count": wrong,
        "first_hallucination_step": happened.first_hallucination,
        "backtrack_count": turns,
        "loop_count": happened.loops,
        "brs": metrics.brs(float(solved), wrong, turns),
        "lure_rate": lure_rate,
        "wrong_branch_rate": wrong_rate,
        "lure_effect": lure_rate - wrong_rate,
        "false_alarms": measures.false_alarms(happened.declarations),
        "missed_dead_ends": measures.missed_dead_ends(maze, happened),
        "moves": tries,
        "excess": tries / (len(maze.solution) - 1),
        "slips": measures.slips(maze, happened.moves),
        "revisits": sum(m.retraced for m in happened.moves),
        "ce": conf.calibration_error(rows),
        "oce": conf.overconfidence(rows),
        "uce": conf.underconfidence(rows),
        "brier": conf.brier(rows),
        "ece": conf.expected_calibration_error(rows),
    }
    no_lure = "no false lure was met" if lures_shown else "lures were not shown"
    reasons = {
        **UNDEFINED,
        **dict.fromkeys(CALIBRATION, "no confidence was stated for a move"),
        "lure_rate": no_lure,
        "wrong_branch_rate": "no unmarked wrong branch was met",
        "lure_effect": no_lure if math.isnan(lure_rate) else "no unmarked wrong branch was met",
    }
    if not tries:
        numbers |= dict.fromkeys(OF_MOVES, math.nan)
        reasons |= dict.fromkeys(OF_MOVES, NO_MOVE)
    return numbers, {name: why for name, why in reasons.items() if math.isnan(numbers[name])}


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
