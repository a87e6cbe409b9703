"""What the figures of the validity study say, in Korean and English."""

from __future__ import annotations

from typing import Any

from hallumaze_kit.study.tables import METRIC_NAMES

TRAIT_NAMES = {
    "en": {
        "slip": "slips", "notice": "notices", "declare": "declares", "repair": "repairs", "wander": "wanders",
        "lure": "follows lures", "forget": "loses track", "babble": "talks untruly",
        "confidence_bias": "claims much", "confidence_noise": "varies in confidence", "doubt": "doubts its slips",
        "acts": "notices × repairs", "says": "notices × declares",
    },
    "ko": {
        "slip": "환각을 일으킴", "notice": "알아차림", "declare": "말로 밝힘", "repair": "바로잡음", "wander": "헤맴",
        "lure": "유혹을 따름", "forget": "길을 잊음", "babble": "빈말을 함",
        "confidence_bias": "확신도 높음", "confidence_noise": "확신도 들쭉날쭉", "doubt": "환각 때 확신 하락",
        "acts": "알아차림×바로잡음", "says": "알아차림×말로 밝힘",
    },
}  # fmt: skip
"""Planted traits, as what a subject does."""
POOLED_NAMES = {
    "en": {
        "slip_share": "Hallucinations a move", "acted": "Mended in deed", "named": "Named in words",
        "named_beyond": "Named beyond chance", "dead_ends_missed": "Share of dead ends missed",
        "untrue_per_move": "Untrue words a move", "repeat_share": "Going round", "reversal_share": "Losing track",
        "lure_share": "Lures followed (sums)", "lure_excess": "Lure effect (sums)",
        "wrong_share": "Wrong branches (sums)", "overclaim": "Overclaiming", "confidence_gap": "Confidence gap",
        "confidence_spread": "Confidence spread",
    },
    "ko": {
        "slip_share": "이동당 환각", "acted": "행동으로 고침", "named": "말로 짚음",
        "named_beyond": "우연을 넘어 짚음", "dead_ends_missed": "놓친 막다른 길 비율",
        "untrue_per_move": "이동당 거짓 선언", "repeat_share": "맴돎", "reversal_share": "길 잃음",
        "lure_share": "유혹 추종률(합)", "lure_excess": "유혹 효과(합)",
        "wrong_share": "틀린 갈래 비율(합)", "overclaim": "과신", "confidence_gap": "확신도 차이",
        "confidence_spread": "확신도 흩어짐",
    },
}  # fmt: skip
"""Measures from sums of tallies."""
WORDS: dict[str, dict[str, Any]] = {
    "en": {
        "published": "{} (published)",
        "ruled": "Synthetic subjects follow rules; they are not models.",
        "of": "n = {n} subjects, {mazes} mazes.",
        "groups": ("v1.1 document", "this kit, by trial", "proposed, from sums"),
        "matrix": "Spearman's ρ of planted trait and measure; darker: further from 0. Grey figures: may be 0 "
        "(p ≥ 0.05, Benjamini-Hochberg).\nSolid frame: the measure is meant to see the trait. Dashed frame: moved by a "
        "trait that it is not meant to see.",
        "tellings": {"true words − silence": "everything noticed is said", "untrue words − silence": "untrue words"},
        "difference": "change when only words are added",
        "bars": "Bars: 95 % bootstrap interval over subjects.",
        "whole": "whole formula",
        "rest": "without the part",
        "parts": {
            "MEI without HRR": "MEI without HRR", "MEI without FHR": "MEI without FHR",
            "Score without CE": "Score without CE",
        },
        "rho": "ρ with the trait",
        "changes": {
            "no mirage: brs": "BRS", "no mirage: mei": "MEI", "no mirage: sr": "solved",
            "Ariadne: mei": "MEI", "Ariadne: sr": "solved",
        },
        "contrasts": {
            "without lures − with lures": "no lures", "hint − none": "hint", "sham − none": "sham hint",
        },
        "other": "No lures; Ariadne",
        "change": "difference",
        "axes": ("verified: what happened", "published: what the answer says"),
        "order": "Kendall's τ = {tau:.2f}",
        "undefined": "τ: n/a",
        "held": "recovery held out (ρ with the sign of training)",
        "who": ("chosen measure", "MEI", "HalluMaze Score"),
    },
    "ko": {
        "published": "{}(공개 방식)",
        "ruled": "합성 응답자: 규칙대로 답하며 모델이 아님.",
        "of": "응답자 {n}명, 미로 {mazes}개.",
        "groups": ("v1.1 문서", "이 키트, 시행별", "제안, 합으로 계산"),
        "matrix": "심은 특성과 지표의 스피어만 ρ, 짙을수록 0에서 멂. 회색 숫자: 0일 수 있음(p ≥ 0.05, "
        "Benjamini-Hochberg).\n실선 테두리: 그 특성을 봐야 하는 지표. 점선 테두리: 보지 말아야 할 특성에 흔들린 지표.",
        "tellings": {"true words − silence": "알아차린 것을 모두 말함", "untrue words − silence": "거짓 선언"},
        "difference": "같은 걸음에 말만 더했을 때의 변화",
        "bars": "가로선: 응답자 단위 부트스트랩 95 % 구간.",
        "whole": "공식 그대로",
        "rest": "항을 뺀 뒤",
        "parts": {
            "MEI without HRR": "HRR을 뺀 MEI", "MEI without FHR": "FHR을 뺀 MEI", "Score without CE": "CE를 뺀 Score",
        },
        "rho": "특성과의 ρ",
        "changes": {
            "no mirage: brs": "BRS", "no mirage: mei": "MEI", "no mirage: sr": "탈출",
            "Ariadne: mei": "MEI", "Ariadne: sr": "탈출",
        },
        "contrasts": {
            "without lures − with lures": "유혹 없음", "hint − none": "힌트", "sham − none": "가짜 힌트",
        },
        "other": "유혹 없음, Ariadne",
        "change": "차이",
        "axes": ("검증 방식: 실제로 일어난 것", "공개 방식: 응답이 말한 것"),
        "order": "켄달 τ = {tau:.2f}",
        "undefined": "τ: n/a",
        "held": "따로 둔 응답자·미로에서의 회복(학습 때 부호의 ρ)",
        "who": ("고른 지표", "MEI", "HalluMaze Score"),
    },
}  # fmt: skip


def measure_name(measure: str, language: str) -> str:
    """The name of a measure as a heading, the published ones marked as such."""
    if measure.startswith("published_"):
        return WORDS[language]["published"].format(measure_name(measure.removeprefix("published_"), language))
    return POOLED_NAMES[language].get(measure) or METRIC_NAMES[language].get(measure, measure)
