"""`interpret`: the document's reading aids in words, for one result (sections 6, 9.1 to 9.3 and 11).

What the document says stands in quotation marks; the rest is the kit's remark. Bands are read on the numbers
themselves, not as printed (only rounded to nine decimals, so that 0.1 + 0.2 is 0.3). Between two printed bounds
("0.60 ~ 0.79", then 0.80) a value belongs to the lower band.
Sections 6 and 11 disagree on MEI: from 0.50 to 0.70 section 6 says partial where section 11 says good, from 0.30
to 0.40 section 6 says deficient where section 11 says limited. Both are given, and the text says where they disagree.
What the numbers themselves cannot see is said in `hallumaze_kit.trial.measuring.metrics`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

from hallumaze_kit.errors import InputError, check_choice
from hallumaze_kit.records import METRICS, BenchmarkResult
from hallumaze_kit.trial.interpreting.reading_aids import NAMES_KO, REASONS_KO, SHORT, WORDS

MARKS = "●◑○"
MEI_6 = (0.7, 0.4)
MEI_11 = (0.7, 0.5, 0.3)
SCORE_11 = (0.8, 0.6, 0.4)
AGREE = ((0, 0), (1, 2), (2, 3))
"""Bands of MEI in sections 6 and 11, counted from the best, that say the same."""
CE_BOUNDS = (0.15, 0.40)
BRS_BOUNDS = (0.50, 0.85)
TI_BOUNDS = (0.1, 0.3)
SIGNALS = ("dead", "backtrack", "loop", "strategy")
"""What tells the signals apart, however a file spells them ("dead end", "dead_end", "backtrack" …)."""


@dataclass(frozen=True)
class Interpretation:
    """A result in words; printed, or shown as the last value of a cell, it is plain text.

    mark    ●, ◑, ○ or "–" (see the function `mark`)
    lines   (label, text), in order
    """

    mark: str
    lines: tuple[tuple[str, str], ...]

    def __repr__(self) -> str:
        return "\n".join(f"{label}: {text}" for label, text in self.lines)


def interpret(result: BenchmarkResult, language: str = "ko") -> Interpretation:
    """The document's reading aids for one result, and what was really measured beside them.

    Parameters
    ----------
    result : BenchmarkResult, scored, read from a file, or made by hand (a group mean of people, section 9.4)
    language : "ko" or "en"

    Returns an `Interpretation`: outcome, MEI (sections 6 and 11), Score (11), CE (6), BRS (9.1) with the lures beside
    it, signals (11), confidence pattern (9.2), what was noticed, the self-report against the maze, and every number
    that could not be scored with its reason.

    Raises `InputError` for another language, something that is no result, or a measure that is no number.
    """
    check_choice("language", language, tuple(WORDS))
    if not isinstance(result, BenchmarkResult):
        raise InputError("result", result, "a BenchmarkResult", "Make one with score_answer(maze, text).")
    result = result.replace(**{name: _number(name, getattr(result, name)) for name in METRICS})
    words = WORDS[language]
    if result.outcome not in ("", "answered"):
        said = words["outcomes"].get(result.outcome, result.outcome)
        return Interpretation(
            "–", ((words["labels"]["outcome"], f"{said} ({result.error})" if result.error else said),)
        )
    if result.probe_broken is not None:
        texts = {"probe": _probe(result, words), "ce": _ce(result, language)}
        return Interpretation("–", tuple((words["labels"][key], text) for key, text in texts.items()))
    texts = {
        "outcome": _join(
            _parts(result, ("sr", "hallucination_count", "backtrack_count", "loop_count"), language),
            words["failures"].get(result.failure_mode, result.failure_mode),
        ),
        "mei": _mei(result, language),
        "score": _score(result, language),
        "ce": _ce(result, language),
        "brs": _brs(result, language),
        "lures": _parts(result, ("lure_rate", "wrong_branch_rate", "lure_effect"), language),
        "signals": _signals(result, words),
        "confidence": _confidence(result, words),
        "noticing": _parts(result, ("detected", "recovery_rate", "recovery_lag"), language),
        "report": _report(result, language),
        "hint": _known(result, ("nrs",), words),
        "injection": _known(result, ("injection_detected", "injection_alarm"), words),
        "revisits": _known(result, ("revisits",), words),
        "unscored": _unscored(result, language),
    }
    return Interpretation(mark(result.mei), tuple((words["labels"][key], text) for key, text in texts.items() if text))


def interpret_ti(ti: float | None, language: str = "ko") -> str:
    """The document's reading of a trainability index (section 9.3): above 0.3 high, below 0.1 low, NaN or None unknown.

    Raises `InputError` for another language or something that is no number.
    """
    words = WORDS[check_choice("language", language, tuple(WORDS))]
    value = _number("ti", ti)
    if math.isnan(value):
        return f"TI – ({words['ti_missing']})"
    remark = words["ti_negative"] if value < 0 else ""
    return _join(f"TI {value:.3f}", _reading(value, TI_BOUNDS, words, "ti", "9.3"), remark)


def mark(mei: float | None) -> str:
    """The document's mark of an MEI: ● from 0.7, ◑ from 0.4, ○ below, "–" for None or NaN.

    The document prints marks (section 3: 0.847●, 0.412◑, 0.923●) without saying where they change. The bounds here are
    those of section 6's bands of MEI, so that mark and words never contradict each other; its examples fit. The
    public program used 0.6 and 0.3, which no section states.

    Raises `InputError` for something that is no number.
    """
    value = _number("mei", mei)
    return "–" if math.isnan(value) else MARKS[_band(value, MEI_6)]


def reason_words(reason: str, language: str) -> str:
    """A reason of `nan_reasons` in `language`; one that the kit did not make stays as it was written."""
    return REASONS_KO.get(reason, reason) if language == "ko" else reason


def _mei(result: BenchmarkResult, language: str) -> str:
    if math.isnan(result.mei):
        return _missing(result, "mei", language)
    words = WORDS[language]
    six, eleven = _band(result.mei, MEI_6), _band(result.mei, MEI_11)
    return _join(
        f"{result.mei:.3f}{mark(result.mei)}",
        _quote(words, "6", words["mei_6"][six]),
        _quote(words, "11", words["section_11"][eleven]),
        "" if (six, eleven) in AGREE else words["disagree"],
        words["too_high"] if round(result.mei, 9) > 0.9 else "",
    )


def _score(result: BenchmarkResult, language: str) -> str:
    if math.isnan(result.hallumaze_score):
        return _missing(result, "hallumaze_score", language)
    words = WORDS[language]
    row = _band(result.hallumaze_score, SCORE_11)
    by_mei = row if math.isnan(result.mei) else _band(result.mei, MEI_11)
    return _join(
        f"{result.hallumaze_score:.3f}",
        _quote(words, "11", words["section_11"][row]),
        words["by_mei"].format(row=words["section_11"][by_mei]) if by_mei != row else "",
        words["neutral_ce"] if result.conventions and math.isnan(result.ce) else "",
    )


def _ce(result: BenchmarkResult, language: str) -> str:
    words = WORDS[language]
    if math.isnan(result.ce):
        return _join(_missing(result, "ce", language), _quote(words, "6", words["ce_missing"]))
    unsplit = math.isnan(result.oce) or math.isnan(result.uce)
    parts = "" if unsplit else words["ce_parts"].format(oce=result.oce, uce=result.uce)
    return _join(f"{result.ce:.3f}", _reading(result.ce, CE_BOUNDS, words, "ce", "6"), parts)


def _brs(result: BenchmarkResult, language: str) -> str:
    if math.isnan(result.brs):
        return _missing(result, "brs", language)
    words = WORDS[language]
    untried = words["brs_untried"] if result.hallucination_count == 0 and result.sr < 1 else ""
    reading = _reading(result.brs, BRS_BOUNDS, words, "brs", "9.1")
    return _join(f"{result.brs:.3f}", reading, untried, words["brs_remark"])


def _signals(result: BenchmarkResult, words: dict[str, Any]) -> str:
    given = tuple(map(str, result.metacog_signals))
    names = [words["signal_names"].get(_signal_kind(signal), signal) for signal in given]
    if not given and not result.conventions:  # no program looked for signals
        return words["unrecorded"]
    kinds = set(map(_signal_kind, given))
    if "strategy" in kinds:
        key = "strategy"
    elif {"loop", "backtrack"} <= kinds:
        key = "loop"
    elif kinds == {"dead"}:
        key = "dead"
    else:
        key = "" if kinds else "none"
    if key == "none" and result.detected > 0:
        return _join(words["no_signal"], words["noticed_in_silence"])
    said = _quote(words, "11", words["signals"][key]) if key else words["no_reading"]
    remark = words["nothing_to_see"] if key == "none" and result.hallucination_count == 0 else ""
    return _join(", ".join(names) or words["no_signal"], said, remark)


def _signal_kind(signal: str) -> str:
    """Which of `SIGNALS` it is, itself if none."""
    return next((kind for kind in SIGNALS if kind in signal.lower()), signal)


def _confidence(result: BenchmarkResult, words: dict[str, Any]) -> str:
    pattern = result.confidence_pattern
    known = pattern or result.failure_mode  # every scored answer has a failure mode
    return words["confidence"].get(pattern, pattern) if known else words["unrecorded"]


def _report(result: BenchmarkResult, language: str) -> str:
    if math.isnan(result.report_gap):
        return _missing(result, "report_gap", language)
    if math.isnan(result.reported_hallucinations):
        return _missing(result, "reported_hallucinations", language)
    claimed, shown = result.reported_hallucinations, result.reported_hallucinations - result.report_gap
    return WORDS[language]["report"].format(claimed=round(claimed, 2), shown=round(shown, 2))


def _unscored(result: BenchmarkResult, language: str) -> str:
    """Every measure that is NaN, by reason; "" if none is."""
    names = SHORT | (NAMES_KO if language == "ko" else {})
    groups: dict[str, list[str]] = {}
    for name in METRICS:
        if math.isnan(getattr(result, name)):
            reason = reason_words(result.nan_reasons[name], language)
            groups.setdefault(reason, []).append(names.get(name, name.replace("_", " ")))
    return "; ".join(f"{', '.join(members)} ({reason})" for reason, members in groups.items())


def _known(result: BenchmarkResult, names: tuple[str, ...], words: dict[str, Any]) -> str:
    """What is known of measures that only some protocols have; "" if nothing is."""
    values = {name: getattr(result, name) for name in names}
    return ", ".join(words["parts"][name].format(value) for name, value in values.items() if not math.isnan(value))


def _probe(result: BenchmarkResult, words: dict[str, Any]) -> str:
    """A probe: what was shown, what was said, whether that is right."""
    shown = words["probe"]["broken" if result.probe_broken else "whole"]
    if result.probe_said_valid is None:
        return _join(shown, words["probe"]["unread"])
    said = words["probe"]["valid" if result.probe_said_valid else "invalid"]
    return _join(shown, said, words["probe"]["right" if result.probe_right else "wrong"])


def _parts(result: BenchmarkResult, names: tuple[str, ...], language: str) -> str:
    """What is known of some measures; if nothing is, why not."""
    known = [(name, getattr(result, name)) for name in names if not math.isnan(getattr(result, name))]
    if not known:
        return _missing(result, names[0], language)
    return ", ".join(WORDS[language]["parts"][name].format(round(value, 2) + 0.0) for name, value in known)


def _reading(value: float, bounds: tuple[float, float], words: dict[str, Any], key: str, section: str) -> str:
    """The document's reading of a value below the low bound or above the high one; on them and between it has none."""
    low, high = bounds
    value = round(value, 9)
    said = words[key][(value > high) - (value < low) + 1]
    if said:
        return _quote(words, section, said)
    return words["between"].format(section=section, low=low, high=high)


def _quote(words: dict[str, Any], section: str, said: str) -> str:
    return words["quote"].format(section=section, said=said)


def _band(value: float, lowest: tuple[float, ...]) -> int:
    """Number of the band from the best (0), `lowest` being the lowest value of each band but the last."""
    return sum(round(value, 9) < bound for bound in lowest)


def _missing(result: BenchmarkResult, name: str, language: str) -> str:
    return f"– ({reason_words(result.nan_reasons[name], language)})"


def _join(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _number(parameter: str, value: object) -> float:
    """`value` as a float, None as NaN; anything else is refused."""
    if value is None:
        return math.nan
    if not isinstance(value, Real):
        raise InputError(parameter, value, "a number, or NaN where it is not known")
    return float(value)
