"""The pipeline: an answer becomes a verified result."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from hallumaze_kit.errors import InputError, check_choice
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import METRICS, BenchmarkResult, MazeConfig
from hallumaze_kit.trial.correction import active_corrections, apply_corrections
from hallumaze_kit.trial.hints import FIRST_ONLY, NEW_WALK, NO_SECOND, hint_of, lacks_second, nrs, reaction, read_as
from hallumaze_kit.trial.measuring import confidence as conf
from hallumaze_kit.trial.measuring import measures, metrics
from hallumaze_kit.trial.measuring.decisions import decision_rows
from hallumaze_kit.trial.measuring.injection import DETECTED, INJECTION, injection_numbers
from hallumaze_kit.trial.measuring.measured import NO_MOVE, Measured
from hallumaze_kit.trial.measuring.probing import measure_probe
from hallumaze_kit.trial.measuring.published import Counts, published_counts
from hallumaze_kit.trial.measuring.stepping import measure_steps, spoken_turns
from hallumaze_kit.trial.parsing import PARSER_VERSION, parse_answer
from hallumaze_kit.trial.replay import Replay, replay
from hallumaze_kit.trial.trace import Trace

SPEC = "1.1"
WITHDRAWAL = "withdrawal"
"""The event of an answer's log by which the person who gave it takes it back."""
SCORED = ("answered",)
"""Outcomes of asking that are scored; an empty, cut-off or withheld answer is no wrong one."""
OF_SECTION_6 = ("hrr", "mei", "ce", "brs", "hallumaze_score")
OF_MOVES = (
    "detected", "recovery_rate", "recovery_lag", "lure_rate", "wrong_branch_rate", "lure_effect", "false_alarms",
    "missed_dead_ends", "excess", "slips", "oce", "uce", "brier", "ece",
)  # fmt: skip
"""Numbers that say nothing of an answer without a move; v1.1's formulas do score it (0.365)."""


def score_answer(
    maze: MazeEngine,
    text: str,
    config: MazeConfig | None = None,
    provider: str = "pasted",
    model: str = "",
    conventions: str = "verified",
    corrections: Sequence[Mapping[str, Any]] = (),
    **fields: Any,
) -> BenchmarkResult:
    """Score one answer: parse it, replay it on its maze, measure.

    Parameters
    ----------
    maze : MazeEngine
    text : str
        The raw answer. Of a stepwise trial the replies, where there is no field `messages` with the whole conversation;
        each reply then ends with the line that holds its move.
    config : MazeConfig, optional
        The condition under which it was asked; by default the document's, of the maze's size.
    conventions : "verified" or "published"
        What counts: what really happened, or what the public v1.1 program counts.
    corrections : list of dicts, as `hallumaze_kit.trial.correction.corrections_between` makes them
        Where a person mended the reading; the result carries them, and a warning says that it rests on them.
    **fields
        Further fields of `BenchmarkResult` (arm, run, date, attempt …).

    Returns a `BenchmarkResult`; every number that could not be scored is NaN and says why in `nan_reasons`.
    Raises `InputError` for a wrong argument, never because of what the text holds.
    """
    if not isinstance(maze, MazeEngine):
        raise InputError("maze", maze, "a MazeEngine")
    check_choice("conventions", conventions, metrics.CONVENTIONS)
    config = MazeConfig(size=maze.size) if config is None else config
    if not isinstance(config, MazeConfig):
        raise InputError("config", config, "a MazeConfig")
    if config.size != maze.size:
        raise InputError("config.size", config.size, f"the size of the maze, {maze.size}")
    outcome = fields.get("outcome", "")
    if outcome and outcome not in SCORED:
        measured = _unscored(outcome)
    elif config.protocol == "probe":
        measured = measure_probe(maze, text, config)
        of_person = tuple(event for event in fields.pop("key_events", ()) if event.get("event") != "probe")
        measured.facts["key_events"] += of_person
    elif config.protocol == "stepwise":
        measured, fields = _stepwise(maze, text, config, conventions, corrections, fields)
    else:
        measured = _measured(maze, text, config, conventions, corrections, fields.get("key_events", ()))
    signature = f"hallumaze|spec:{SPEC}|conventions:{conventions}|lang:{config.language}|kit:{kit_version()}"
    described: dict[str, Any] = {
        "provider": provider,
        "model": model,
        "maze_size": maze.size,
        "ariadne_group": config.ariadne_mode,
        "seed": maze.seed,
        "algorithm": maze.algorithm,
        "placement": maze.placement,
        "maze_id": maze.maze_id,
        "solution_length": len(maze.solution),
        "solution_moves": len(maze.solution) - 1,
        "dead_ends": maze.dead_ends,
        "maze": maze.to_dict() | {"solution": [list(cell) for cell in maze.solution], "dead_ends": maze.dead_ends},
        "config": config,
        "conventions": conventions,
        "signature": signature,
        "parser_version": PARSER_VERSION,
        "messages": ({"role": "assistant", "content": text},),
        "nan_reasons": measured.reasons,
    }
    return BenchmarkResult(**measured.numbers, **(described | measured.facts | fields))


def _unscored(outcome: str) -> Measured:
    """What is known of a trial that brought no whole answer: nothing, and why."""
    reason = f"no whole answer: {outcome}"
    return Measured(dict.fromkeys(METRICS, math.nan), dict.fromkeys(METRICS, reason), {"path_valid": None})


def _measured(
    maze: MazeEngine,
    text: str,
    config: MazeConfig,
    conventions: str,
    corrections: Sequence[Mapping[str, Any]],
    key_events: Any,
) -> Measured:
    """What is measured of a single answer; of a second one, after a hint or a sham, also how fast it reacts."""
    planted = config.injection != "none"
    config = read_as(config, key_events)
    trace, fitted = apply_corrections(parse_answer(text), corrections)
    happened = replay(maze, trace, config)
    numbers, reasons = _numbers(maze, trace, happened, config, conventions)
    if hint_of(key_events) in ("hint", "sham"):
        numbers["nrs"] = nrs(reaction(happened))
        reasons |= dict.fromkeys(INJECTION, NEW_WALK) if planted else {}
    facts = {
        "path_valid": happened.solves(maze),
        "metacog_signals": measures.signals(trace, happened),
        "confidence_log": conf.confidence_log(happened),
        "confidence_pattern": conf.confidence_pattern(happened),
        "failure_mode": measures.failure_mode(maze, trace, happened, config.use_mirage, numbers.get(DETECTED) == 1),
        "warnings": (*trace.warnings, *_resting_on(fitted)),
        "corrections": tuple(dict(one) for one in fitted),
        "decisions": decision_rows(maze, happened, config.use_mirage),
    }
    return Measured(numbers, reasons, facts)


def _stepwise(
    maze: MazeEngine,
    text: str,
    config: MazeConfig,
    conventions: str,
    corrections: Sequence[Mapping[str, Any]],
    fields: dict[str, Any],
) -> tuple[Measured, dict[str, Any]]:
    """What is measured of a stepwise trial, and the fields with its messages; its own events are made again."""
    if conventions != "verified":
        raise InputError("conventions", conventions, "'verified' for the protocol 'stepwise'")
    messages = tuple(fields.get("messages") or spoken_turns(maze, config, text))
    measured = measure_steps(maze, messages, config, fields.get("key_events", ()))
    if corrections:
        measured.facts["warnings"] += ("corrections of the reading are not applied to stepwise trials",)
    known = {name: value for name, value in fields.items() if name != "key_events"}
    return measured, known | {"messages": messages}


def score_stored(answer: Any) -> BenchmarkResult:
    """Score an answer of an `AnswerBook` again (`book.rescore(score_stored)`), with the corrections of its reading.

    The first answer of a hinted trial, whose second never came, says so in its warnings.
    """
    if not answer.maze:
        known = "known for an answer that is to be scored"
        raise InputError("maze", answer.maze, known, "Store the answer with its maze.")
    maze = MazeEngine.from_dict(answer.maze)
    known = {k: v for k, v in answer.meta.items() if k not in ("answer_id", "conventions")}
    known = {"provider": "pasted"} | known
    known["timestamp"] = known.get("timestamp") or re.sub(r"\.\d+", "", answer.added_at)  # to the second
    corrections = active_corrections(answer.events)
    if any(event.kind == WITHDRAWAL for event in answer.events):
        known["withdrawn"] = True
    result = score_answer(maze, answer.text, answer.config, corrections=corrections, answer_id=answer.id, **known)
    if not lacks_second(known):
        return result
    return result.replace(warnings=(*result.warnings, FIRST_ONLY), nan_reasons=result.nan_reasons | {"nrs": NO_SECOND})


def _resting_on(corrections: Sequence[Mapping[str, Any]]) -> list[str]:
    """What is said of a result that rests on corrections."""
    n = len(corrections)
    return [f"the scores rest on {n} correction{'s' if n > 1 else ''} of the reading"] if n else []


def kit_version() -> str:
    """The version of the kit that made a score."""
    from hallumaze_kit import __version__

    return __version__


def _numbers(
    maze: MazeEngine, trace: Trace, happened: Replay, config: MazeConfig, conventions: str
) -> tuple[dict[str, float], dict[str, str]]:
    """The numbers of a result, and a reason for each that is NaN."""
    if conventions == "published":
        counts = published_counts(maze, trace, happened)
    else:
        counts = Counts(
            sr=int(happened.solves(maze)),
            hc=happened.hallucination_count,
            fhr=happened.first_hallucination,
            bt=happened.backtracks,
            lt=happened.loops,
        )
    rows = conf.judged_steps(happened)
    ce = conf.calibration_error(rows)
    seen = measures.noticing(happened)
    lures = measures.lure_counts(maze, happened, config.use_mirage)
    lag = [n.lag for n in seen if n.recovered and n.lag is not None]
    lure_rate, wrong_rate = _share(lures.followed, lures.met), _share(lures.unmarked_followed, lures.unmarked_met)
    numbers: dict[str, float] = {
        "sr": float(counts.sr),
        "hallucination_count": counts.hc,
        "first_hallucination_step": counts.fhr,
        "backtrack_count": counts.bt,
        "loop_count": counts.lt,
        "ce": ce,
        **metrics.metrics_from_counts(*counts, ce=ce, size=maze.size, conventions=conventions),
        "detected": _share(sum(n.detected for n in seen), len(seen)),
        "recovery_rate": _share(sum(n.recovered for n in seen), len(seen)),
        "recovery_lag": sum(lag) / len(lag) if lag else math.nan,
        "lure_rate": lure_rate,
        "wrong_branch_rate": wrong_rate,
        "lure_effect": lure_rate - wrong_rate,
        "false_alarms": measures.false_alarms(happened.declarations),
        "missed_dead_ends": measures.missed_dead_ends(maze, happened),
        "moves": len(happened.moves),
        "excess": len(happened.moves) / (len(maze.solution) - 1),
        "slips": measures.slips(maze, happened.moves),
        "reported_hallucinations": math.nan if trace.hallucinations is None else trace.hallucinations,
        "reported_backtracks": math.nan if trace.backtracks is None else trace.backtracks,
        "report_gap": math.nan if trace.hallucinations is None else trace.hallucinations - happened.hallucination_count,
        "oce": conf.overconfidence(rows),
        "uce": conf.underconfidence(rows),
        "brier": conf.brier(rows),
        "ece": conf.expected_calibration_error(rows),
    }
    no_lure = "no false lure was met" if config.use_mirage else "lures were not shown"
    reasons = {
        **dict.fromkeys(("ce", "oce", "uce", "brier", "ece"), "no confidence was stated for a move"),
        **dict.fromkeys(("detected", "recovery_rate"), "no hallucination in the walk"),
        "recovery_lag": "no hallucination was recovered" if seen else "no hallucination in the walk",
        "lure_rate": no_lure,
        "wrong_branch_rate": "no unmarked wrong branch was met",
        "lure_effect": no_lure if math.isnan(lure_rate) else "no unmarked wrong branch was met",
        "reported_hallucinations": "not reported",
        "reported_backtracks": "not reported",
        "report_gap": "hallucinations were not reported",
    }
    if not happened.moves:
        unscored = OF_MOVES + (OF_SECTION_6 if conventions == "verified" else ())
        numbers |= dict.fromkeys(unscored, math.nan)
        reasons |= dict.fromkeys(unscored, NO_MOVE)
    if config.protocol == "single" and config.injection != "none":
        of_injection, why = injection_numbers(happened)
        numbers |= of_injection
        reasons |= why
    return numbers, reasons


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
