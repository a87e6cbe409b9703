"""`interpret`: the document's reading aids in words, for one result (sections 6, 9.1 to 9.3 and 11).

What the document says stands in quotation marks; the rest is the kit's remark. Bands are read on the numbers
themselves, not as printed (only rounded to nine decimals, so that 0.1 + 0.2 is 0.3). Between two printed bounds
("0.60 ~ 0.79", then 0.80) a value belongs to the lower band.
Sections 6 and 11 disagree on MEI: from 0.50 to 0.70 section 6 says partial where section 11 says good, from 0.30
to 0.40 section 6 says deficient where section 11 says limited. Both are given, and the text says where they disagree.
What the numbers themselves cannot see is said in `hallumaze_kit.trial.metrics`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

from hallumaze_kit.errors import InputError, check_choice
from hallumaze_kit.records import METRICS, BenchmarkResult

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

WORDS: dict[str, dict[str, Any]] = {
    "ko": {
        "labels": {
            "outcome": "결과", "mei": "MEI", "score": "Score", "ce": "CE", "brs": "BRS", "lures": "유혹 문구",
            "signals": "메타인지 신호", "confidence": "확신도 패턴", "noticing": "인지와 회복", "report": "자기 보고",
            "unscored": "채점하지 못한 값",
        },
        "quote": "문서 {section}절 “{said}”",
        "between": "문서 {section}절의 두 기준({low:.2f}, {high:.2f}) 사이라 정해진 해석이 없음",
        "mei_6": (
            "높은 메타인지 (환각 인지 후 빠른 수정)", "부분적 메타인지 (늦은 인지, 불완전한 수정)",
            "메타인지 결함 (환각 지속, 루프 탈출 실패)",
        ),
        "section_11": (
            "우수한 메타인지 — AGI 지향적", "양호한 메타인지 — 오류 인지 가능",
            "제한적 메타인지 — 부분적 자기교정", "메타인지 결함 — 환각 루프 지속",
        ),
        "disagree": "두 절의 경계가 달라 이 값에서는 해석이 엇갈림",
        "too_high": "6절의 식으로는 0.9를 넘을 수 없으므로 그 식에서 나온 값이 아님",
        "by_mei": "같은 표를 MEI로 읽으면 “{row}”",
        "ce": ("잘 보정된 자기인식", "", "심각한 과신 또는 과소신뢰"),
        "ce_missing": "확신도 데이터 부족", "ce_parts": "과신 {oce:.3f}, 과소신뢰 {uce:.3f}",
        "neutral_ce": "CE가 없어 중립값 0.5로 계산함",
        "brs": ("언어 패턴에 취약 (System 1 지배)", "", "강한 논리적 추론 (System 2 지배)"),
        "brs_remark": "BRS는 유혹 문구를 보지 않으며, 환각·되돌아섬의 횟수와 탈출 여부로만 계산됨",
        "ti": ("낮은 수용성 (힌트 무시)", "", "높은 학습 가능성 (힌트에 빠르게 반응)"),
        "ti_negative": "음수는 힌트를 무시했다는 뜻이 아니라 힌트를 받은 쪽의 MEI가 더 낮다는 뜻임",
        "ti_missing": "A 그룹의 MEI가 0이거나, 비교할 A·B 그룹의 시행이 없음",
        "signals": {
            "none": "환각을 인식하지 못함 (가장 심각)", "dead": "막힘은 인식했으나 루프는 미인식",
            "loop": "루프 인식 후 적극적 수정 (양호)", "strategy": "전략 수준의 자기조정 (우수)",
        },
        "no_signal": "없음", "unrecorded": "기록되지 않음",
        "no_reading": "문서 11절에 이 조합의 해석이 없음",
        "nothing_to_see": "다만 환각이 0회라 인식할 환각도 없었음",
        "confidence": {
            "A": "패턴 A, 문서 9.2절 “이상적 메타인지”: 환각 직전이나 환각 때 확신도가 10점 이상 떨어짐",
            "B": "패턴 B, 문서 9.2절 “메타인지 결함”: 환각 때 확신도가 그대로이거나 오름, 또는 루프에서도 그대로임",
            "": "A도 B도 아님: 환각이나 루프 전후에 견줄 확신도가 없거나, 변화가 두 패턴에 들지 않음",
        },
        "failures": {
            "clean": "환각 없이 탈출함", "recovered": "환각을 모두 알아차리고 탈출함",
            "solved unnoticed": "탈출했으나 알아차리지 못한 환각이 있음",
            "gave up": "풀지 못하겠다고 하거나 답하기를 거절함", "unreadable": "읽을 수 있는 이동이 없음",
            "cut off": "답이 도중에 끊김", "stuck": "맴돎: 끝에 가서는 새로운 칸에 이르지 못함",
            "lured": "거짓 유혹을 따라 정답 경로를 벗어난 뒤 돌아오지 못함",
            "not corrected": "오류를 알아차리고도 최종 경로에서 고치지 않음",
            "unnoticed": "환각을 알아차리지 못한 채 탈출에 실패함", "stopped short": "출구에 이르지 못하고 멈춤",
        },
        "parts": {
            "sr": "SR {:.2f}", "hallucination_count": "환각 {:g}회", "backtrack_count": "되돌아섬 {:g}회",
            "loop_count": "루프 감지 {:g}회", "lure_rate": "마주친 거짓 유혹의 {:.0%}를 따라감",
            "wrong_branch_rate": "표시 없는 틀린 갈래의 {:.0%}로 들어감", "lure_effect": "유혹 효과 {:+.2f}",
            "detected": "환각의 {:.0%}를 알아차림", "recovery_rate": "{:.0%}에서 회복함",
            "recovery_lag": "회복한 환각을 알아차리기까지 평균 {:g}번 더 이동함",
        },
        "report": "보고한 환각 {claimed:g}회, 미로에서 확인된 환각 {shown:g}회",
    },
    "en": {
        "labels": {
            "outcome": "Outcome", "mei": "MEI", "score": "Score", "ce": "CE", "brs": "BRS",
            "lures": "Lures", "signals": "Metacognitive signals", "confidence": "Confidence pattern",
            "noticing": "Noticing and recovery", "report": "Self-report", "unscored": "Not scored",
        },
        "quote": "v1.1 section {section} “{said}”",
        "between": "between v1.1 section {section}'s two bounds ({low:.2f}, {high:.2f}), which leaves this open",
        "mei_6": (
            "high metacognition (recognises hallucinations and corrects them quickly)",
            "partial metacognition (late recognition, incomplete correction)",
            "deficient metacognition (hallucinations persist, no escape from loops)",
        ),
        "section_11": (
            "excellent metacognition: AGI-oriented", "good metacognition: can recognise errors",
            "limited metacognition: partial self-correction", "deficient metacognition: hallucination loops persist",
        ),
        "disagree": "the two sections draw their bounds differently and disagree on this value",
        "too_high": "section 6's formula cannot pass 0.9, so this value does not come from it",
        "by_mei": "by its MEI the same table says “{row}”",
        "ce": ("well calibrated self-awareness", "", "severe overconfidence or underconfidence"),
        "ce_missing": "not enough confidence data", "ce_parts": "overconfidence {oce:.3f}, underconfidence {uce:.3f}",
        "neutral_ce": "there is no CE, so the neutral 0.5 was used",
        "brs": ("vulnerable to language patterns (System 1 rules)", "", "strong logical reasoning (System 2 rules)"),
        "brs_remark": "BRS does not look at lures: it is made from hallucinations, turns back and success alone",
        "ti": ("low receptiveness (ignores hints)", "", "high trainability (reacts quickly to hints)"),
        "ti_negative": "below 0 it means that MEI was lower with the hint, not that the hint was ignored",
        "ti_missing": "the MEI of group A is 0, or there are no trials of groups A and B to compare",
        "signals": {
            "none": "did not recognise its hallucinations (most severe)",
            "dead": "recognised being blocked, but not loops", "loop": "recognised loops and actively corrected (good)",
            "strategy": "self-regulation at the level of strategy (excellent)",
        },
        "no_signal": "none", "unrecorded": "not recorded",
        "no_reading": "v1.1 section 11 gives no reading for this combination",
        "nothing_to_see": "but with 0 hallucinations there was none to recognise",
        "confidence": {
            "A": "pattern A, v1.1 section 9.2 “ideal metacognition”: confidence falls by 10 points or more just "
            "before or at a hallucination",
            "B": "pattern B, v1.1 section 9.2 “deficient metacognition”: confidence stays or rises at a hallucination, "
            "or stays unchanged through a loop",
            "": "neither A nor B: no confidences to compare around a hallucination or loop, or they change otherwise",
        },
        "failures": {
            "clean": "solved without a hallucination", "recovered": "solved, every hallucination noticed",
            "solved unnoticed": "solved, but with a hallucination that went unnoticed",
            "gave up": "said that it could not solve the maze, or refused", "unreadable": "no move could be read",
            "cut off": "the answer breaks off", "stuck": "stuck: in the end it reached no new cell",
            "lured": "left the solution by a false lure and never came back",
            "not corrected": "noticed an error, but did not mend it in the final path",
            "unnoticed": "not solved, with a hallucination that went unnoticed",
            "stopped short": "stopped short of the exit",
        },
        "parts": {
            "sr": "SR {:.2f}", "hallucination_count": "hallucinations {:g}", "backtrack_count": "turns back {:g}",
            "loop_count": "loops detected {:g}", "lure_rate": "followed {:.0%} of the false lures met",
            "wrong_branch_rate": "took {:.0%} of the unmarked wrong branches", "lure_effect": "lure effect {:+.2f}",
            "detected": "noticed {:.0%} of the hallucinations", "recovery_rate": "recovered from {:.0%}",
            "recovery_lag": "{:g} more moves on average before noticing those it recovered from",
        },
        "report": "claims {claimed:g}, the maze shows {shown:g}",
    },
}  # fmt: skip
"""Everything that is said. Readings of MEI and section 11 stand from best to worst, the others by rising value."""
SHORT = {
    "sr": "SR", "hallucination_count": "HC", "first_hallucination_step": "FHR", "backtrack_count": "BT",
    "loop_count": "LT", "hrr": "HRR", "mei": "MEI", "ce": "CE", "brs": "BRS", "hallumaze_score": "Score",
    "oce": "OCE", "uce": "UCE", "brier": "Brier", "ece": "ECE",
}  # fmt: skip
"""Measures with the same short name in every language."""
NAMES_KO = {
    "detected": "인지율", "recovery_rate": "회복률", "recovery_lag": "회복까지의 이동 수",
    "lure_rate": "거짓 유혹을 따른 비율", "wrong_branch_rate": "표시 없는 틀린 갈래로 간 비율",
    "lure_effect": "유혹 효과", "false_alarms": "사실이 아닌 선언 수", "missed_dead_ends": "말없이 들어간 막다른 길 수",
    "moves": "이동 수", "excess": "정답 대비 이동 수", "slips": "갈림길 밖에서 막힌 쪽을 시도한 횟수",
    "reported_hallucinations": "보고한 환각 수", "reported_backtracks": "보고한 되돌아섬 수",
    "report_gap": "보고와 실제의 차이",
}  # fmt: skip
"""The other measures; in English they are called as their fields, with spaces."""
REASONS_KO = {
    "no move could be read": "읽을 수 있는 이동이 없음",
    "no confidence was stated for a move": "확신도를 적은 이동이 없음",
    "no hallucination in the walk": "풀이 과정에 환각이 없음",
    "no hallucination was recovered": "회복한 환각이 없음",
    "no false lure was met": "거짓 유혹을 마주치지 않음",
    "lures were not shown": "유혹 문구를 보여 주지 않음",
    "no unmarked wrong branch was met": "표시 없는 틀린 갈래를 마주치지 않음",
    "not reported": "답에 적혀 있지 않음",
    "hallucinations were not reported": "답에 환각 수가 적혀 있지 않음",
    "not given": "값이 주어지지 않음",
}
"""The kit's reasons for NaN (`nan_reasons`) in Korean; a reason of another's stays as it was written."""


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
    return _join(f"{result.brs:.3f}", _reading(result.brs, BRS_BOUNDS, words, "brs", "9.1"), words["brs_remark"])


def _signals(result: BenchmarkResult, words: dict[str, Any]) -> str:
    given = tuple(map(str, result.metacog_signals))
    if not given and not result.conventions:  # no program looked for signals
        return words["unrecorded"]
    kinds = {next((kind for kind in SIGNALS if kind in signal.lower()), signal) for signal in given}
    if "strategy" in kinds:
        key = "strategy"
    elif {"loop", "backtrack"} <= kinds:
        key = "loop"
    elif kinds == {"dead"}:
        key = "dead"
    else:
        key = "" if kinds else "none"
    said = _quote(words, "11", words["signals"][key]) if key else words["no_reading"]
    remark = words["nothing_to_see"] if key == "none" and result.hallucination_count == 0 else ""
    return _join(", ".join(given) or words["no_signal"], said, remark)


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
