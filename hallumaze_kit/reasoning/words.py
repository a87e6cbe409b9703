"""What people read of a diagnosis, in English and Korean."""

from __future__ import annotations

ADVICE = {
    "en": {
        "suspect step": "Mend the suspect step and let the rest be worked out again from there.",
        "answer not carried": "The steps do not lead to the answer: mend how the answer is taken from them.",
        "unstable answers": "The answers differ from trace to trace: sample more, or do not use the answer.",
        "divergent reasons": "One answer, different reasons: have the reasons checked by a person before it is used.",
        "none": "Nothing was found. That is no proof: what cannot be checked was not.",
    },
    "ko": {
        "suspect step": "의심 단계를 고치고 그다음부터 다시 풀게 하십시오.",
        "answer not carried": "단계들이 정답으로 이어지지 않습니다. 답을 옮겨 적는 부분을 고치십시오.",
        "unstable answers": "풀이마다 답이 다릅니다. 더 뽑아 보거나 이 답을 쓰지 마십시오.",
        "divergent reasons": "답은 같으나 이유가 서로 다릅니다. 쓰기 전에 사람이 이유를 확인해야 합니다.",
        "none": "찾아낸 문제가 없습니다. 확인할 수 없는 것은 확인하지 않았으므로 증명은 아닙니다.",
    },
}
STATUS = {
    "en": {"accept": "accept", "review": "review", "abstain": "abstain"},
    "ko": {"accept": "수용", "review": "검토", "abstain": "관망"},
}
FAILURE = {
    "en": {
        "suspect step": "suspect step", "answer not carried": "answer not carried (extraction)",
        "unstable answers": "unstable answers", 
        "divergent reasons": "divergent reasons (shared-answer rationalisation)",
        "none": "none found",
    },
    "ko": {
        "suspect step": "의심 단계", "answer not carried": "정답으로 이어지지 않음(추출 실패)",
        "unstable answers": "답이 불안정함", "divergent reasons": "이유가 갈림(같은 답의 합리화)", "none": "찾지 못함",
    },
}  # fmt: skip
QUADRANT = {
    "en": {name: name for name in ("faithful success", "silent failure", "extraction failure", "overt failure")},
    "ko": {
        "faithful success": "충실한 성공", "silent failure": "침묵하는 실패", "extraction failure": "추출 실패",
        "overt failure": "명시적 실패",
    },
}  # fmt: skip
LABEL = {
    "en": {
        "correct": "correct", "rounded": "rounded", "cut": "cut to whole things", "sign": "sign dropped in words",
        "percent": "percent read as a factor", "notation": "equals sign between steps (notation)",
        "nowhere": "operand from nowhere", "wrong": "wrong", "set up": "set up, not checked",
        "unchecked": "not checked",
    },
    "ko": {
        "correct": "맞음", "rounded": "반올림함", "cut": "정수로 잘라 냄", "sign": "말에서 부호가 빠짐",
        "percent": "퍼센트를 배수로 읽음", "notation": "등호를 이어 씀(표기)", "nowhere": "어디서도 오지 않은 수",
        "wrong": "틀림", "set up": "식을 세움(확인 안 함)", "unchecked": "확인하지 못함",
    },
}  # fmt: skip
COMPONENT = {
    "en": {"P": "step validity (P)", "S": "support (S)", "C": "agreement (C)", "D": "stability (D)"},
    "ko": {"P": "단계 유효성(P)", "S": "추론–정답 지지(S)", "C": "정답 합의(C)", "D": "추론 안정성(D)"},
}
