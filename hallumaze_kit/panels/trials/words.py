"""What the paste panel says of hinted trials, planted errors and paths to judge, in Korean and English."""

from __future__ import annotations

from typing import Any

TRIALS: dict[str, dict[str, Any]] = {
    "ko": {
        "protocol": "절차", "protocols": {"single": "한 번에 풀기", "probe": "경로 판단"},
        "trigger": "힌트 조건",
        "triggers": {"loop": "루프가 보일 때", "hallucination": "환각이 있을 때", "unsolved": "풀지 못했을 때"},
        "randomise": "힌트를 무작위로(힌트·가짜·없음)",
        "standings": {
            "awaited": "두 번째 답을 기다림", "alone": "두 번째 답 없음", "first": "첫 번째 답(힌트 전)",
            "second": "힌트 뒤의 답", "silent": "아무 말도 하지 않는 조건", "quiet": "",
        },
        "judged": {"right": "옳음", "wrong": "틀림", "unread": "읽지 못함"},
        "hint_head": "두 번째 단계: 같은 대화에 이어서 보내기",
        "hint_about": "첫 번째 답은 저장되었습니다({who} · {size}×{size} · 시드 {seed}). 아래 글을 같은 대화창에 "
        "보내고, 돌아온 답을 붙여 넣으세요. 채점하는 것은 두 번째 답이며, 두 답 모두 남습니다.",
        "hint_more": "기다리는 시행이 {n}개 더 있습니다.",
        "copy_hint": "보낼 글 복사", "second_hint": "두 번째 답을 여기에 붙여 넣으세요",
        "save_second": "두 번째 답 저장하고 채점", "no_second": "두 번째 답은 오지 않음",
        "second_stored": "두 번째 답을 저장하고 채점했습니다. 이 시행은 한 번으로 셉니다.",
        "second_closed": "두 번째 답이 없는 시행으로 적었습니다. 첫 번째 답이 이 시행의 답입니다.",
        "awaiting": "두 번째 답을 기다리는 시행입니다. 아래 수치는 첫 번째 답의 것입니다.",
        "quiet_now": "이 답에는 힌트를 줄 까닭이 보이지 않습니다(B 그룹). 이 답이 이 시행의 답입니다.",
        "alone_now": "두 번째 답이 오지 않은 시행입니다. 아래 수치는 첫 번째 답의 것입니다.",
        "first_now": "힌트 뒤의 답을 세므로 이 답은 표에서 빠집니다. 그 답에 삭제 표시를 하면 다시 셉니다.",
        "before_hint": "첫 번째 답과 그 뒤에 보낸 글", "other_second": "기다리는 다음 시행",
        "silent_now": "무작위로 ‘아무 말도 하지 않음’이 뽑혔습니다. 이 답이 이 시행의 답입니다.",
        "path": "보여 준 경로", "path_alt": "미로에 그린 경로, 칸 {n}개",
        "probe_events": "판단",
        "probe_lines": {
            "broken": "경로는 {edge} 사이의 벽을 지납니다.", "whole": "경로는 온전합니다.",
            "said": "답: {said}", "valid": "유효함", "invalid": "유효하지 않음", "unread": "예·아니오를 읽지 못함",
            "sure": "확신도: {percent:.0f} %",
        },
    },
    "en": {
        "protocol": "Protocol", "protocols": {"single": "solve at once", "probe": "judge a path"},
        "trigger": "Hint when",
        "triggers": {"loop": "a loop shows", "hallucination": "a hallucination shows", "unsolved": "it is not solved"},
        "randomise": "randomise (hint, sham, nothing)",
        "standings": {
            "awaited": "second answer awaited", "alone": "no second answer", "first": "first answer (before the hint)",
            "second": "answer after the hint", "silent": "nothing is said in this arm", "quiet": "",
        },
        "judged": {"right": "right", "wrong": "wrong", "unread": "not read"},
        "hint_head": "Second step: go on in the same chat",
        "hint_about": "The first answer is stored ({who} · {size}×{size} · seed {seed}). Send the text below in the "
        "same chat and paste what comes back. The second answer is the one that is scored; both are kept.",
        "hint_more": "{n} more trials are waiting.",
        "copy_hint": "Copy the text", "second_hint": "Paste the second answer here",
        "save_second": "Save and score the second answer", "no_second": "No second answer came",
        "second_stored": "The second answer is saved and scored. The trial counts once.",
        "second_closed": "Noted: no second answer came. The first answer is this trial's.",
        "awaiting": "This trial waits for its second answer. The numbers below are the first answer's.",
        "quiet_now": "Nothing in this answer calls for a hint (group B). It is this trial's answer.",
        "alone_now": "No second answer came. The numbers below are the first answer's.",
        "first_now": "The answer after the hint counts for this trial, so this one is left out of the tables. Mark "
        "that one as deleted to count this one again.",
        "before_hint": "The first answer, and what was sent after it", "other_second": "Next one waiting",
        "silent_now": "The draw says that nothing is said. This is the trial's answer.",
        "path": "The path that was shown", "path_alt": "The path drawn on the maze, {n} cells",
        "probe_events": "Judgement",
        "probe_lines": {
            "broken": "The path crosses the wall between {edge}.", "whole": "The path is whole.",
            "said": "Said: {said}", "valid": "valid", "invalid": "not valid", "unread": "no yes or no could be read",
            "sure": "Confidence: {percent:.0f} %",
        },
    },
}  # fmt: skip
PROTOCOL_NAMES = {
    "ko": {
        "revisits": "다시 밟은 칸", "nrs": "힌트 반응 속도(NRS)", "injection_detected": "주입한 오류를 알아차림",
        "injection_alarm": "오류 신호", "injection_restarted": "처음부터 다시 풂",
        "probe_right": "판단이 옳음", "probe_confidence": "판단의 확신도",
    },
    "en": {
        "revisits": "Cells entered again", "nrs": "Hint reaction speed (NRS)",
        "injection_detected": "Injected error noticed", "injection_alarm": "Alarm raised",
        "injection_restarted": "Began again",
        "probe_right": "Judgement right", "probe_confidence": "Confidence in it",
    },
}  # fmt: skip
PROTOCOL_MEANINGS = {
    "ko": {
        "revisits": "이미 밟은 칸으로 들어간 이동 수", "nrs": "힌트 뒤 첫 반응까지 이동 수의 역수, 반응이 없으면 0",
        "injection_detected": "주어진 길의 틀린 이동을 세 번 안에 말하거나 되돌아감(1)",
        "injection_alarm": "주어진 길에 오류가 있다는 신호를 세 번 안에 보냄(1); 온전한 길에서는 거짓 경보",
        "injection_restarted": "이어 풀지 않고 출발점에서 새로 풂(1); 오류를 알아차렸는지 알 수 없음",
        "probe_right": "경로가 유효한지 옳게 말함(1)", "probe_confidence": "말한 확신도",
    },
    "en": {
        "revisits": "moves onto cells visited before",
        "nrs": "1/moves until the first reaction to the hint, 0 without one",
        "injection_detected": "the planted move was named, or gone back on, within three moves (1)",
        "injection_alarm": "signalled in three moves that the given walk holds an error (1); a false alarm if clean",
        "injection_restarted": "did not go on but began at the start again (1): whether it noticed is unknown",
        "probe_right": "said rightly whether the path is valid (1)", "probe_confidence": "confidence as stated",
    },
}  # fmt: skip
WRONG = {
    "ko": {
        "other answer": "이 시행의 다른 답이 세어지고 있습니다. 먼저 그 답에 삭제 표시를 하세요.",
        "second answer": "이 시행에는 두 번째 답이 이미 있습니다. 목록을 새로 고치세요.",
        "config.injection": "이 미로에는 오류를 심을 자리가 없습니다. 크기를 3 이상으로 하세요.",
    },
    "en": {
        "other answer": "The other answer of this trial counts. Mark that one as deleted first.",
        "second answer": "This trial has a second answer already. Refresh the list.",
        "config.injection": "In this maze no error can be planted. Take a size of 3 or more.",
    },
}
WARNINGS = {
    r"the first answer of a hinted trial is scored, without a second one":
    "힌트를 줄 시행의 첫 번째 답만 채점했고 두 번째 답은 없음",
    r"no yes or no could be read": "예나 아니오를 읽지 못함",
    r"the reply says both yes and no in its VALID fields; the last one counts":
    "VALID에 예와 아니오가 모두 있어 마지막 것을 따름",
    r"the sentences of the reply say otherwise than its VALID field, which counts":
    "문장과 VALID가 서로 달라 VALID를 따름",
    r"a confidence above 100 % is none": "100 %를 넘는 확신도는 읽지 않음",
}  # fmt: skip
"""Warnings of hinted trials and probes in Korean."""
NO_VERDICT = {
    "ko": "답에서 예·아니오(VALID)를 읽지 못했습니다.",
    "en": "No yes or no (VALID) can be read in this text.",
}
