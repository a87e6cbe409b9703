"""The words of `interpret` in Korean and English: the document's readings, names of measures, reasons for NaN."""

from __future__ import annotations

from typing import Any

WORDS: dict[str, dict[str, Any]] = {
    "ko": {
        "labels": {
            "outcome": "결과", "mei": "MEI", "score": "Score", "ce": "CE", "brs": "BRS", "lures": "유혹 문구",
            "signals": "메타인지 신호", "confidence": "확신도 패턴", "noticing": "인지와 회복", "report": "자기 보고",
            "hint": "힌트에 대한 반응", "injection": "주입한 오류", "revisits": "다시 밟은 칸",
            "unscored": "채점하지 못한 값", "probe": "경로 판단",
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
        "brs_untried": "불가능한 이동이 없는 답은 풀지 못했어도 BRS가 1이므로 이 값만으로는 추론 능력을 알 수 없음",
        "ti": ("낮은 수용성 (힌트 무시)", "", "높은 학습 가능성 (힌트에 빠르게 반응)"),
        "ti_negative": "음수는 힌트를 무시했다는 뜻이 아니라 힌트를 받은 쪽의 MEI가 더 낮다는 뜻임",
        "ti_missing": "A 그룹의 MEI가 0이거나, 비교할 A·B 그룹의 시행이 없음",
        "signals": {
            "none": "환각을 인식하지 못함 (가장 심각)", "dead": "막힘은 인식했으나 루프는 미인식",
            "loop": "루프 인식 후 적극적 수정 (양호)", "strategy": "전략 수준의 자기조정 (우수)",
        },
        "signal_names": {
            "dead": "막다른 길 인지", "backtrack": "되돌아섬", "loop": "루프 인지", "strategy": "전략 변경",
        },
        "no_signal": "없음", "unrecorded": "기록되지 않음",
        "no_reading": "문서 11절에 이 조합의 해석이 없음",
        "noticed_in_silence": "신호에 해당하는 말은 없지만, 풀이 과정에는 환각을 알아차린 것이 나타남",
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
            "recovery_lag": "회복한 환각을 알아차리기까지 평균 {:g}번 더 이동함", "nrs": "NRS {:.2f}",
            "injection_detected": "알아차림 {:g}", "injection_alarm": "오류가 있다는 신호 {:g}", "revisits": "{:g}회",
        },
        "outcomes": {
            "empty": "채점하지 않음: 모델이 아무 글도 보내지 않음", "cut off": "채점하지 않음: 토큰 한도에서 답이 잘림",
            "filtered": "채점하지 않음: 제공사가 답을 막음", "rate limited": "채점하지 않음: 요청 한도 초과(429)",
            "server error": "채점하지 않음: 서버 오류", "timed out": "채점하지 않음: 정한 시간 안에 답이 없음",
            "garbled": "채점하지 않음: 답의 형식이 깨져 있음", "rejected": "채점하지 않음: 요청이 거절됨",
            "denied": "채점하지 않음: 키가 틀렸거나 권한이 없음", "unknown model": "채점하지 않음: 그런 모델이 없음",
            "unreachable": "채점하지 않음: 서버에 연결되지 않음", "failed": "채점하지 않음: 답을 받지 못함",
        },
        "probe": {
            "broken": "한 곳이 끊긴 경로를 보여 줌", "whole": "온전한 경로를 보여 줌", "valid": "유효하다고 답함",
            "invalid": "유효하지 않다고 답함", "right": "옳음", "wrong": "틀림",
            "unread": "답에서 예·아니오를 읽지 못함",
        },
        "report": "보고한 환각 {claimed:g}회, 미로에서 확인된 환각 {shown:g}회",
    },
    "en": {
        "labels": {
            "outcome": "Outcome", "mei": "MEI", "score": "Score", "ce": "CE", "brs": "BRS",
            "lures": "Lures", "signals": "Metacognitive signals", "confidence": "Confidence pattern",
            "noticing": "Noticing and recovery", "report": "Self-report", "hint": "Reaction to the hint",
            "injection": "Injected error", "revisits": "Cells entered again", "unscored": "Not scored",
            "probe": "Judgement of the path",
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
        "brs_untried": "BRS is 1 for any answer without an illegal move, so for an unsolved maze it shows no reasoning",
        "ti": ("low receptiveness (ignores hints)", "", "high trainability (reacts quickly to hints)"),
        "ti_negative": "below 0 it means that MEI was lower with the hint, not that the hint was ignored",
        "ti_missing": "the MEI of group A is 0, or there are no trials of groups A and B to compare",
        "signals": {
            "none": "did not recognise its hallucinations (most severe)",
            "dead": "recognised being blocked, but not loops", "loop": "recognised loops and actively corrected (good)",
            "strategy": "self-regulation at the level of strategy (excellent)",
        },
        "signal_names": {
            "dead": "dead end", "backtrack": "backtracking", "loop": "loop detected", "strategy": "strategy change",
        },
        "no_signal": "none", "unrecorded": "not recorded",
        "no_reading": "v1.1 section 11 gives no reading for this combination",
        "noticed_in_silence": "no signal word was given, but the walk shows that errors were noticed",
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
            "recovery_lag": "{:g} more moves on average before noticing those it recovered from", "nrs": "NRS {:.2f}",
            "injection_detected": "detected {:g}", "injection_alarm": "alarm raised {:g}", "revisits": "{:g}",
        },
        "outcomes": {
            "empty": "not scored: the model sent no text", "cut off": "not scored: the answer ends at the token limit",
            "filtered": "not scored: the provider withheld the answer", "rate limited": "not scored: rate limit (429)",
            "server error": "not scored: server error", "timed out": "not scored: no answer in the time allowed",
            "garbled": "not scored: what came is no answer", "rejected": "not scored: the request was refused",
            "denied": "not scored: the key is wrong or may not do this",
            "unknown model": "not scored: there is no such model",
            "unreachable": "not scored: no connection to the server", "failed": "not scored: no answer came",
        },
        "probe": {
            "broken": "shown: a path broken at one edge", "whole": "shown: a whole path", "valid": "said: valid",
            "invalid": "said: not valid", "right": "right", "wrong": "wrong", "unread": "no yes or no could be read",
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
    "the second answer is a new walk, not the one that was given": "두 번째 답은 주어진 길이 아니라 새로 걸은 길임",
    "no move could be read": "읽을 수 있는 이동이 없음",
    "no confidence was stated for a move": "확신도를 적은 이동이 없음",
    "no hallucination in the walk": "풀이 과정에 환각이 없음",
    "no hallucination was recovered": "회복한 환각이 없음",
    "no false lure was met": "거짓 유혹을 마주치지 않음",
    "lures were not shown": "유혹 문구를 보여 주지 않음",
    "no unmarked wrong branch was met": "표시 없는 틀린 갈래를 마주치지 않음",
    "not reported": "답에 적혀 있지 않음",
    "hallucinations were not reported": "답에 환각 수가 적혀 있지 않음",
    "stepwise: the environment recovers for everyone": "단계별 진행에서는 환경이 누구나 되돌려 놓음",
    "stepwise asks for no report": "단계별 진행에서는 자기 보고를 받지 않음",
    "probe: no walk is asked for": "경로 판단에서는 길을 걷지 않음",
    "no yes or no could be read": "답에서 예·아니오를 읽지 못함",
    "probe: one judged answer has no bins; ECE is of many": "답 하나로는 구간을 나눌 수 없음(ECE는 여러 답에서 셈)",
    "no confidence was stated": "확신도를 적지 않음",
    "no confidence was asked for": "확신도를 묻지 않음",
    "the given walk holds no error": "주어진 길에 오류가 없음",
    "no declaration and no move beyond the given walk could be read": "주어진 길 뒤에 읽을 선언이나 이동이 없음",
    "not given": "값이 주어지지 않음",
    "no second answer is part of this record": "이 기록에 두 번째 답이 없음",
    **{f"no whole answer: {outcome}": said for outcome, said in WORDS["ko"]["outcomes"].items()},
}
"""The kit's reasons for NaN (`nan_reasons`) in Korean; a reason of another's stays as it was written."""
