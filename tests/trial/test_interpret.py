"""The document's reading aids in words: every bound, both languages, what is not known, real answers."""

from __future__ import annotations

import ast
import inspect
import json
import math
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallumaze_kit.ask import OUTCOMES
from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import METRICS, BenchmarkResult, MazeConfig
from hallumaze_kit.trial import hints, scoring
from hallumaze_kit.trial.interpreting.interpret import Interpretation, _signal_kind, interpret, interpret_ti, mark
from hallumaze_kit.trial.interpreting.reading_aids import NAMES_KO, REASONS_KO, SHORT, WORDS
from hallumaze_kit.trial.measuring import injection, probing, stepping
from hallumaze_kit.trial.measuring.measured import NO_MOVE
from hallumaze_kit.trial.measuring.measures import FAILURES

SHARED = Path(__file__).parents[2] / ".." / "shared"
DOCUMENT = SHARED / "seeds" / "000_ebf852c89116bbea.txt"
ANSWERS = SHARED / "answers"
TRIALS = SHARED / "cases" / "trials.jsonl"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the handed folder `shared` is not beside the project")
LANGUAGES = ("ko", "en")
SIX = WORDS["ko"]["mei_6"]
ELEVEN = WORDS["ko"]["section_11"]
HUMANS = BenchmarkResult(
    provider="human", model="undergraduate_group_n30", maze_size=7, ariadne_group="A",
    sr=0.73, mei=0.61, hallucination_count=2.1, backtrack_count=3.4,
)  # fmt: skip


def made(**numbers) -> BenchmarkResult:
    return BenchmarkResult(provider="pasted", **numbers)


def line(result: BenchmarkResult, key: str, language: str = "ko") -> str:
    """The text under one label, "" if the label is not there."""
    return dict(interpret(result, language).lines).get(WORDS[language]["labels"][key], "")


def answer(name: str) -> BenchmarkResult:
    label = json.loads((ANSWERS / "labels.json").read_text("utf-8"))[name]
    config = MazeConfig(size=label["size"], use_mirage=label["mirage"], language=label["language"])
    return scoring.score_answer(MazeEngine(label["size"], label["seed"]), (ANSWERS / name).read_text("utf-8"), config)


def handed_results() -> list[BenchmarkResult]:
    """Every handed answer and trial, scored in both conventions."""
    results = [answer(name) for name in sorted(json.loads((ANSWERS / "labels.json").read_text("utf-8")))]
    for row in map(json.loads, TRIALS.read_text("utf-8").splitlines()):
        maze = MazeEngine(row["size"], row["seed"])
        results += [scoring.score_answer(maze, row["text"], conventions=c) for c in ("verified", "published")]
    return results


# ---- bands -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mei", "sign", "six", "eleven", "disagree"),
    [
        (0.9, "●", 0, 0, False),
        (0.7, "●", 0, 0, False),
        (0.4 + 0.3, "●", 0, 0, False),
        (0.6999, "◑", 1, 1, True),
        (0.5, "◑", 1, 1, True),
        (0.4999, "◑", 1, 2, False),
        (0.4, "◑", 1, 2, False),
        (0.3999, "○", 2, 2, True),
        (0.1 + 0.2, "○", 2, 2, True),
        (0.3, "○", 2, 2, True),
        (0.2999, "○", 2, 3, False),
        (0.0, "○", 2, 3, False),
    ],
)
def test_mei_has_the_bands_of_both_sections_and_says_where_they_disagree(mei, sign, six, eleven, disagree):
    text = line(made(mei=mei), "mei")
    assert text.startswith(f"{mei:.3f}{sign}; 문서 6절 “{SIX[six]}”; 문서 11절 “{ELEVEN[eleven]}”")
    assert (WORDS["ko"]["disagree"] in text) is disagree
    assert (WORDS["en"]["disagree"] in line(made(mei=mei), "mei", "en")) is disagree
    assert interpret(made(mei=mei)).mark == mark(mei) == sign


@given(st.floats(0, 1))
def test_mark_and_words_never_contradict_each_other(mei):
    text = line(made(mei=mei), "mei", "en")
    word = {"●": "high", "◑": "partial", "○": "deficient"}[mark(mei)]
    assert f"section 6 “{word} metacognition" in text
    other = {"excellent": "●", "good": "◑", "limited": "◑○", "deficient": "○"}
    found = next(row for row in other if f"section 11 “{row} metacognition" in text)
    assert mark(mei) in other[found]
    same = (word, found) in (("high", "excellent"), ("partial", "limited"), ("deficient", "deficient"))
    assert (WORDS["en"]["disagree"] in text) is not same


def test_the_documents_marks():
    assert [mark(m) for m in (0.847, 0.412, 0.923)] == ["●", "◑", "●"]
    assert mark(math.nan) == mark(None) == "–"


def test_a_sum_that_only_floats_hold_below_the_bound_counts_as_the_bound():
    below = (0.6 + 0.7 + 0.8) / 3  # a mean of three trials
    assert below < 0.7
    assert mark(below) == "●"


def test_an_mei_that_the_formula_cannot_give_is_named():
    assert WORDS["ko"]["too_high"] in line(made(mei=0.923), "mei")
    assert "cannot pass 0.9" in line(made(mei=0.923), "mei", "en")
    assert "0.9를 넘을 수 없" not in line(made(mei=0.4 + 0.3 + 0.2), "mei")


@pytest.mark.parametrize(
    ("score", "row"),
    [(1.0, 0), (0.8, 0), (0.7999, 1), (0.795, 1), (0.6, 1), (0.5999, 2), (0.4, 2), (0.3999, 3), (0.0, 3)],
)
def test_score_has_the_rows_of_section_11(score, row):
    assert line(made(hallumaze_score=score), "score") == f"{score:.3f}; 문서 11절 “{ELEVEN[row]}”"


def test_the_row_by_mei_is_given_where_score_and_mei_fall_into_different_rows():
    text = line(made(hallumaze_score=0.85, mei=0.65), "score")
    assert text == f"0.850; 문서 11절 “{ELEVEN[0]}”; 같은 표를 MEI로 읽으면 “{ELEVEN[1]}”"
    assert "같은 표" not in line(made(hallumaze_score=0.85, mei=0.75), "score")


def test_the_score_says_when_it_had_no_ce():
    scored = made(hallumaze_score=0.5, conventions="verified")
    assert "중립값 0.5" in line(scored, "score") and "neutral 0.5" in line(scored, "score", "en")
    assert "중립값" not in line(scored.replace(ce=0.2), "score")
    assert "중립값" not in line(made(hallumaze_score=0.5), "score"), "how a Score made by hand was made is not known"


@pytest.mark.parametrize(
    ("ce", "reading"),
    [
        (0.0, "잘 보정된 자기인식"), (0.1499, "잘 보정된 자기인식"),
        (0.15, None), (1 - 0.85, None), (0.40, None), (1 - 0.6, None),
        (0.4001, "심각한 과신 또는 과소신뢰"), (1.0, "심각한 과신 또는 과소신뢰"),
    ],
)  # fmt: skip
def test_ce(ce, reading):
    said = f"문서 6절 “{reading}”" if reading else "문서 6절의 두 기준(0.15, 0.40) 사이라 정해진 해석이 없음"
    assert line(made(ce=ce), "ce") == f"{ce:.3f}; {said}"


def test_ce_says_in_which_direction_where_that_is_known():
    assert line(made(ce=0.5, oce=0.45, uce=0.05), "ce", "en") == (
        "0.500; v1.1 section 6 “severe overconfidence or underconfidence”; overconfidence 0.450, underconfidence 0.050"
    )


def test_a_missing_ce_is_not_enough_data():
    assert line(made(ce=None), "ce") == "– (값이 주어지지 않음); 문서 6절 “확신도 데이터 부족”"
    assert line(made(), "ce", "en") == "– (not given); v1.1 section 6 “not enough confidence data”"


@pytest.mark.parametrize(
    ("brs", "reading"),
    [
        (1.0, "강한 논리적 추론 (System 2 지배)"), (0.8501, "강한 논리적 추론 (System 2 지배)"),
        (0.85, None), (0.50, None),
        (0.4999, "언어 패턴에 취약 (System 1 지배)"), (0.0, "언어 패턴에 취약 (System 1 지배)"),
    ],
)  # fmt: skip
def test_brs_and_what_it_does_not_look_at(brs, reading):
    said = f"문서 9.1절 “{reading}”" if reading else "문서 9.1절의 두 기준(0.50, 0.85) 사이라 정해진 해석이 없음"
    assert line(made(brs=brs), "brs") == f"{brs:.3f}; {said}; {WORDS['ko']['brs_remark']}"
    assert "does not look at lures" in line(made(brs=brs), "brs", "en")


def test_the_lures_stand_beside_brs_where_they_are_known():
    met = made(brs=1, lure_rate=0.5, wrong_branch_rate=0.25, lure_effect=0.25)
    assert line(met, "lures", "en") == (
        "followed 50% of the false lures met, took 25% of the unmarked wrong branches, lure effect +0.25"
    )
    assert line(met, "lures") == (
        "마주친 거짓 유혹의 50%를 따라감, 표시 없는 틀린 갈래의 25%로 들어감, 유혹 효과 +0.25"
    )
    assert line(made(lure_effect=-0.001), "lures", "en") == "lure effect +0.00"
    assert line(made(lure_rate=0.5), "lures") == "마주친 거짓 유혹의 50%를 따라감"
    assert line(made(nan_reasons={"lure_rate": "lures were not shown"}), "lures") == "– (유혹 문구를 보여 주지 않음)"


@pytest.mark.parametrize(
    ("ti", "ko", "en"),
    [
        (0.3001, "“높은 학습 가능성 (힌트에 빠르게 반응)”", "“high trainability (reacts quickly to hints)”"),
        (0.3, "두 기준(0.10, 0.30) 사이", "two bounds (0.10, 0.30)"),
        (0.1 + 0.2, "두 기준(0.10, 0.30) 사이", "two bounds (0.10, 0.30)"),
        (0.1, "두 기준(0.10, 0.30) 사이", "two bounds (0.10, 0.30)"),
        (0.0999, "“낮은 수용성 (힌트 무시)”", "“low receptiveness (ignores hints)”"),
        (0, "“낮은 수용성 (힌트 무시)”", "“low receptiveness (ignores hints)”"),
    ],
)
def test_ti(ti, ko, en):
    assert ko in interpret_ti(ti) and en in interpret_ti(ti, "en")
    assert interpret_ti(ti).startswith(f"TI {ti:.3f}; 문서 9.3절")
    assert WORDS["ko"]["ti_negative"] not in interpret_ti(ti)


def test_a_negative_ti_is_no_ignored_hint_and_a_missing_one_has_its_reason():
    assert "힌트를 받은 쪽의 MEI가 더 낮다" in interpret_ti(-0.2)
    assert "MEI was lower with the hint" in interpret_ti(-0.2, "en")
    assert interpret_ti(math.nan) == interpret_ti(None) == f"TI – ({WORDS['ko']['ti_missing']})"


# ---- signals, confidence, outcome ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("signals", "reading"),
    [
        (("dead end",), "dead"),
        (("dead_end",), "dead"),
        (("backtracking", "loop detected"), "loop"),
        (("dead end", "backtracking", "loop detected"), "loop"),
        (("strategy_change",), "strategy"),
        (("loop detected", "strategy_change"), "strategy"),
        (("dead end", "backtracking"), None),
        (("backtracking",), None),
        (("loop detected",), None),
        (("dead end", "something of another program"), None),
    ],
)
def test_signal_patterns_of_section_11(signals, reading):
    result = made(metacog_signals=signals, hallucination_count=1)
    for language in LANGUAGES:
        words = WORDS[language]
        said = f"“{words['signals'][reading]}”" if reading else words["no_reading"]
        names = [words["signal_names"].get(_signal_kind(signal), signal) for signal in signals]
        assert line(result, "signals", language).startswith(", ".join(names) + "; ")
        assert line(result, "signals", language).endswith(said)


def test_signals_are_named_in_the_language_of_the_reader():
    result = made(metacog_signals=("dead end", "backtracking", "loop detected", "strategy_change", "other"))
    assert line(result, "signals").startswith("막다른 길 인지, 되돌아섬, 루프 인지, 전략 변경, other; ")
    assert line(result, "signals", "en").startswith("dead end, backtracking, loop detected, strategy change, other; ")


def test_no_signal_is_read_with_the_hallucinations_beside_it():
    silent = made(conventions="verified", hallucination_count=2)
    assert line(silent, "signals") == "없음; 문서 11절 “환각을 인식하지 못함 (가장 심각)”"
    assert line(silent.replace(hallucination_count=0), "signals").endswith("인식할 환각도 없었음")
    assert line(HUMANS, "signals") == "기록되지 않음", "what nobody looked for is not absent"


def test_errors_noticed_without_a_signal_word_are_not_called_unrecognised():
    noticed = made(conventions="verified", hallucination_count=1, detected=1, recovery_rate=1)
    for language in LANGUAGES:
        words = WORDS[language]
        assert line(noticed, "signals", language) == f"{words['no_signal']}; {words['noticed_in_silence']}"
        unseen = line(noticed.replace(detected=0), "signals", language)
        assert words["signals"]["none"] in unseen and words["noticed_in_silence"] not in unseen


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_brs_of_one_without_a_move_tried_is_not_praised_alone(language):
    words = WORDS[language]
    gave_up = made(brs=1, sr=0, hallucination_count=0, failure_mode="gave up")
    assert words["brs_untried"] in line(gave_up, "brs", language)
    for other in (gave_up.replace(sr=1), gave_up.replace(brs=0.9, hallucination_count=1), made(brs=1)):
        assert words["brs_untried"] not in line(other, "brs", language)


def test_confidence_patterns():
    assert "“이상적 메타인지”" in line(made(confidence_pattern="A"), "confidence")
    assert "“메타인지 결함”" in line(made(confidence_pattern="B"), "confidence")
    assert line(made(failure_mode="clean"), "confidence", "en").startswith("neither A nor B")
    assert line(made(), "confidence", "en") == "not recorded"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_failure_mode_has_words(language):
    words = WORDS[language]["failures"]
    assert tuple(words) == FAILURES
    assert len(set(words.values())) == len(FAILURES)
    for mode in FAILURES:
        assert line(made(sr=0, failure_mode=mode), "outcome", language) == f"SR 0.00; {words[mode]}"
    assert line(made(sr=0, failure_mode="of another program"), "outcome", language) == "SR 0.00; of another program"


def test_what_was_noticed_and_what_was_reported():
    result = made(detected=1, recovery_rate=0.5, recovery_lag=1.5, reported_hallucinations=0, report_gap=-1)
    assert line(result, "noticing", "en") == (
        "noticed 100% of the hallucinations, recovered from 50%, "
        "1.5 more moves on average before noticing those it recovered from"
    )
    assert line(result, "report", "en") == "claims 0, the maze shows 1"
    assert line(result, "report") == "보고한 환각 0회, 미로에서 확인된 환각 1회"
    assert line(made(report_gap=-1), "report") == "– (값이 주어지지 않음)"


# ---- what is not known ----------------------------------------------------------------------------------


def reasons_of_the_kit() -> set[str]:
    """Every text with a blank in the functions that give reasons, and the record's own."""
    found = set(made().nan_reasons.values()) | {NO_MOVE, stepping.RECOVERS, stepping.NO_REPORT}
    found |= {probing.NO_WALK, probing.UNREAD, probing.ONE_ANSWER, injection.NO_ERROR, injection.NOTHING_READ}
    found |= {
        hints.NO_SECOND,
        hints.NEW_WALK,
        hints.NEW_WALK,
        "no confidence was stated",
        "no confidence was asked for",
    }
    found |= {f"no whole answer: {outcome}" for outcome in OUTCOMES if outcome != "answered"}
    for function in (scoring._numbers, stepping._numbers):
        tree = ast.parse(inspect.getsource(function)).body[0]
        docstring = ast.get_docstring(tree, clean=False)
        texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        found |= {text for text in texts if " " in text and text != docstring}
    return found


def test_every_reason_of_the_kit_has_its_korean_and_none_is_left_over():
    assert set(REASONS_KO) == reasons_of_the_kit()


def test_reasons_of_others_pass_through():
    result = made(nan_reasons={"mei": "another program knows no MEI"})
    for language in LANGUAGES:
        assert line(result, "mei", language) == "– (another program knows no MEI)"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_nan_stands_with_its_reason_once(language):
    nothing = line(made(), "unscored", language)
    assert nothing.count("(") == 1 and nothing.count(",") == len(METRICS) - 1
    everything = interpret(made(**dict.fromkeys(METRICS, 0)), language)
    assert WORDS[language]["labels"]["unscored"] not in dict(everything.lines)
    one = made(**dict.fromkeys(set(METRICS) - {"slips"}, 0))
    assert line(one, "unscored", language) == {
        "ko": "갈림길 밖에서 막힌 쪽을 시도한 횟수 (값이 주어지지 않음)", "en": "slips (not given)",
    }[language]  # fmt: skip


def test_every_measure_has_a_korean_name():
    assert sorted(SHORT | NAMES_KO) == sorted(METRICS)


def test_an_answer_without_a_move():
    result = scoring.score_answer(MazeEngine(5, 1001), "")
    read = interpret(result)
    assert read.mark == "–"
    assert line(result, "outcome").endswith("; 읽을 수 있는 이동이 없음")
    for key in ("mei", "score", "brs", "lures", "noticing"):
        assert line(result, key) == "– (읽을 수 있는 이동이 없음)"
        assert line(result, key, "en") == "– (no move could be read)"
    assert line(result, "report") == "– (답에 환각 수가 적혀 있지 않음)"


def test_a_group_mean_made_by_hand():
    assert interpret(HUMANS, "en").mark == "◑"
    assert line(HUMANS, "outcome", "en") == "SR 0.73, hallucinations 2.1, turns back 3.4"
    assert line(HUMANS, "outcome") == "SR 0.73, 환각 2.1회, 되돌아섬 3.4회"
    assert line(HUMANS.replace(backtrack_count=10 / 3), "outcome", "en").endswith("turns back 3.33")
    assert "partial" in line(HUMANS, "mei", "en") and "good" in line(HUMANS, "mei", "en")
    assert WORDS["en"]["disagree"] in line(HUMANS, "mei", "en")
    assert line(HUMANS, "score", "en") == "– (not given)"


# ---- real answers --------------------------------------------------------------------------------------


@needs_shared
def test_a_real_answer_that_follows_a_lure_and_declares_it():
    result = answer("p14_n7_s7007_ko_mirage_freeform.txt")
    assert line(result, "outcome") == "SR 1.00, 환각 0회, 되돌아섬 1회, 루프 감지 0회; 환각 없이 탈출함"
    assert line(result, "mei").startswith("0.900●")
    assert WORDS["ko"]["too_high"] not in line(result, "mei")
    assert "강한 논리적 추론" in line(result, "brs"), "BRS is 1 although a lure was followed"
    assert line(result, "lures").startswith("마주친 거짓 유혹의 33%를 따라감")
    assert line(result, "signals").endswith("“전략 수준의 자기조정 (우수)”")
    assert "인지율, 회복률, 회복까지의 이동 수 (풀이 과정에 환각이 없음)" in line(result, "unscored")


@needs_shared
def test_an_answer_that_did_not_come_whole_is_one_line():
    for outcome in OUTCOMES[1:]:
        result = scoring.score_answer(MazeEngine(5, 1), "", MazeConfig(size=5), outcome=outcome, error="429 slow down")
        for language in LANGUAGES:
            (read,) = interpret(result, language).lines
            assert read[1] == f"{WORDS[language]['outcomes'][outcome]} (429 slow down)"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("VALID: no\nCONFIDENCE: 90%", "shown: a path broken at one edge; said: not valid; right"),
        ("VALID: yes\nCONFIDENCE: 90%", "shown: a path broken at one edge; said: valid; wrong"),
        ("well", "shown: a path broken at one edge; no yes or no could be read"),
    ],
)
def test_a_probe_is_read_as_a_judgement(text, says):
    config = MazeConfig(size=5, protocol="probe", injection="other")
    result = scoring.score_answer(MazeEngine(5, 1), text, config)
    lines = dict(interpret(result, "en").lines)
    assert lines["Judgement of the path"] == says and set(lines) == {"Judgement of the path", "CE"}
    assert dict(interpret(result, "ko").lines)["경로 판단"].startswith("한 곳이 끊긴 경로를 보여 줌; ")


def test_what_only_some_protocols_have_has_its_line():
    result = made(nrs=0.5, injection_detected=1, injection_alarm=0, revisits=3)
    assert line(result, "hint", "en") == "NRS 0.50" and line(result, "revisits", "en") == "3"
    assert line(result, "injection", "en") == "detected 1, alarm raised 0"
    assert line(made(), "hint") == line(made(), "injection") == ""


def test_a_real_answer_that_crosses_a_wall_and_claims_none():
    result = answer("q05_n15_s4_ko_mirage_direct.txt")
    assert interpret(result, "en").mark == "○"
    assert line(result, "outcome", "en").endswith("; not solved, with a hallucination that went unnoticed")
    assert line(result, "report", "en") == "claims 0, the maze shows 1"
    assert line(result, "signals") == "없음; 문서 11절 “환각을 인식하지 못함 (가장 심각)”"


@needs_shared
def test_every_handed_answer_reads_in_both_languages_with_every_nan():
    protocols = ("hint", "injection", "revisits", "probe")
    labels = {
        language: [label for key, label in WORDS[language]["labels"].items() if key not in protocols]
        for language in LANGUAGES
    }
    for result in handed_results():
        korean = str(interpret(result, "ko"))
        assert not [reason for reason in REASONS_KO if reason in korean]
        for language in LANGUAGES:
            read = interpret(result, language)
            assert [label for label, _ in read.lines] in (labels[language], labels[language][:-1])
            unscored = line(result, "unscored", language)
            for name in METRICS:
                called = SHORT.get(name) or (NAMES_KO[name] if language == "ko" else name.replace("_", " "))
                listed = [part for group in unscored.split("; ") for part in group.rpartition(" (")[0].split(", ")]
                assert (called in listed) is math.isnan(getattr(result, name)), name


@needs_shared
def test_the_korean_quotations_stand_in_the_document_word_for_word():
    document = DOCUMENT.read_text("utf-8")
    words = WORDS["ko"]
    quoted = [*words["mei_6"], *words["section_11"], *words["ce"], words["ce_missing"], *words["brs"], *words["ti"],
              *words["signals"].values(), "이상적 메타인지", "메타인지 결함"]  # fmt: skip
    assert [said for said in quoted if said not in document] == []


# ---- form ----------------------------------------------------------------------------------------------


def shape(value: object) -> object:
    """Keys, lengths and placeholders of words, without the words."""
    if isinstance(value, dict):
        return {key: shape(held) for key, held in value.items()}
    if isinstance(value, tuple):
        return tuple(bool(held) for held in value)
    return sorted(f"{name}:{spec}" for _, name, spec, _ in string.Formatter().parse(str(value)) if name is not None)


def test_both_languages_say_the_same_things():
    assert shape(WORDS["ko"]) == shape(WORDS["en"])


def test_it_prints_as_plain_text_also_as_the_last_value_of_a_cell():
    read = interpret(HUMANS, "en")
    assert isinstance(read, Interpretation)
    assert str(read) == repr(read) == "\n".join(f"{label}: {text}" for label, text in read.lines)
    assert str(read).splitlines()[0] == "Outcome: SR 0.73, hallucinations 2.1, turns back 3.4"
    assert interpret(HUMANS) == interpret(HUMANS, "ko")


@pytest.mark.parametrize("call", [lambda g: interpret(HUMANS, g), lambda g: interpret_ti(0.2, g)])
@pytest.mark.parametrize("language", ["fr", "KO", "", None, 1])
def test_another_language_is_refused(call, language):
    with pytest.raises(InputError, match="language must be one of 'ko', 'en'"):
        call(language)


@pytest.mark.parametrize("given", [None, {"mei": 0.5}, "an answer", HUMANS.mei])
def test_what_is_no_result_is_refused(given):
    with pytest.raises(InputError, match=r"result must be a BenchmarkResult, got .*score_answer"):
        interpret(given)


def test_what_is_no_number_is_refused():
    with pytest.raises(InputError, match="mei must be a number"):
        interpret(made(mei="0.5"))
    for call in (mark, interpret_ti):
        with pytest.raises(InputError, match="must be a number"):
            call("0.5")


def test_numbers_of_numpy_are_numbers():
    np = pytest.importorskip("numpy")
    assert mark(np.float32(0.75)) == "●"
    assert line(made(mei=np.float64(0.75), sr=np.int64(1)), "outcome") == "SR 1.00"


def test_the_public_name_is_the_function():
    import hallumaze_kit

    assert hallumaze_kit.interpret is interpret
