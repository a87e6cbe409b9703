"""Reading replies to probes: what models and people really write, and what says nothing."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallumaze_kit.trial.probe import read_probe

SAID = {
    True: [
        "VALID: yes", "VALID: 예", "VALID: 네", "VALID: 예입니다.", "VALID: 유효함", "Valid: True", "VALID: ✅ yes",
        "ＶＡＬＩＤ：　예\nＣＯＮＦＩＤＥＮＣＥ：９０％", "```\nVALID: yes\nCONFIDENCE: 90%\n```", "Valid.",
        "VALID: Yes, all moves are allowed", "VALID: yes\n\nReasoning: no move goes through a wall.",
        "Yes, every move is allowed. I am 90% sure.", "Every move is allowed.", "The path is valid, no problem",
        "No wall is crossed, so all moves are allowed.", "There are no illegal moves in the path.",
        "The path contains no invalid moves.", "The path never crosses a wall.",
        "Checking each move: all moves are allowed.", "모든 이동이 허용됩니다.", "허용되지 않는 이동은 없습니다.",
        "이 경로는 유효합니다. 확신도: 95%", "잘못된 이동이 없습니다.", "예, 모든 이동이 허용됩니다.",
        "네, 허용됩니다.", "최종 답변: 예", "경로에 문제가 없습니다.", "허용 여부: 예",
        "The path breaks no walls; each step goes through an open side.", "경로의 모든 이동이 열린 방향과 일치합니다.",
    ],
    False: [
        "VALID: no", "**VALID:** 아니오", "VALID = No.", "VALID: 아니요\n확신도: 90", "VALID: 아닙니다", "Valid: False",
        "ＶＡＬＩＤ：ｎｏ", '{"valid": false, "confidence": 0.9}', "VALID no", "- VALID — no", "Is it valid? No.",
        '```json\n{\n  "VALID": "no",\n  "CONFIDENCE": "85%"\n}\n```', "| VALID | no |\n| CONFIDENCE | 80 |",
        "<think>VALID: yes</think>\nVALID: no", "VALID: yes</think>VALID: no", "<answer>VALID: no</answer>",
        "VALID: invalid", "VALID: not valid", "VALID: ❌", "VALID: no (the move (1,1)→(1,2) is blocked)", "INVALID",
        "VALID：아니오，CONFIDENCE：90%", "유효 여부: 아니오", "유효성: 유효하지 않음", "$\\boxed{\\text{VALID: no}}$",
        "The path is invalid", "The path isn't valid.", "No.", "no: broken at (1,1)", "Answer: **No**",
        "The answer is no.", "No, the move (2,3)→(2,4) is not allowed.", "Not every move is allowed.",
        "All moves are valid except (2,3)→(2,4).", "The path is valid until (3,2).",
        "The path contains an illegal move at (2,3).", "It goes through a wall between (1,1) and (1,2).",
        "Step 3: (0,1)→(0,2): invalid", "Conclusion: the path is not valid.",
        "1. (0,0)→(0,1): valid\n2. (0,1)→(1,1): invalid\n3. (1,1)→(1,2): valid",
        "유효하지 않습니다", "모든 이동이 허용되는 것은 아닙니다.", "허용되지 않는 이동이 하나 있습니다.",
        "이 경로는 유효한 경로가 아닙니다", "이 경로는 허용되지 않는 이동이 있어 유효하지 않습니다.",
        "(1,1)에서 (1,2)로 가는 이동은 벽을 통과하므로 경로가 유효하지 않습니다.", "답: 아니오",
        "아니오. (1,1)에서 (1,2)로는 갈 수 없습니다.", "결론: 유효하지 않은 경로입니다.", "정답은 아니오입니다.",
        "경로에 문제가 있습니다.", "허용 여부: 아니오",
    ],
    None: [
        "", "VALID: yes|no", "VALID: yes | no", "VALID: yes/no", "VALID: yes or no", "VALID: 예|아니오", "VALID: N/A",
        "<think>VALID: yes", "VALID: uncertain", "I cannot tell.", "Is every move allowed?", "Step 3: valid",
        "Let me check whether every move is allowed.", "모든 이동이 허용되는지 확인하겠습니다.", "이동 3은 유효합니다",
        "At (1,1) the hint for E is misleading.", "예상대로 어렵습니다", "(0,0): [E→ S↓]\n(0,1): [W←]",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("said", "text"), [(said, text) for said, texts in SAID.items() for text in texts])
def test_replies_as_they_are_written(said, text):
    assert read_probe(text).said_valid is said


@pytest.mark.parametrize(
    ("text", "said", "warned"),
    [
        ("VALID: yes\nWait, that is wrong.\nVALID: no", False, "both yes and no"),
        ("VALID: no\n\nOn reflection:\nVALID: yes", True, "both yes and no"),
        ("The path is invalid.\nVALID: yes", True, "say otherwise than its VALID field"),
        ("VALID: no\nEvery move is allowed.", False, "say otherwise than its VALID field"),
        ("The path is invalid. No, every move is allowed.", True, ""),
        ("<think>The path is valid.", None, "thinking block is not closed"),
        ("Hard to say.", None, "no yes or no could be read"),
        ("VALID: no\nNot every move is allowed.", False, ""),
    ],
)
def test_the_last_statement_counts_and_a_field_before_sentences(text, said, warned):
    reply = read_probe(text)
    assert reply.said_valid is said
    assert warned in "; ".join(reply.warnings) and (reply.warnings == ()) == (not warned)


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("CONFIDENCE: 90%", 0.9), ("CONFIDENCE: 0.9", 0.9), ("confidence 90/100", 0.9), ("확신도: 90", 0.9),
        ("CONFIDENCE: 9/10", 0.9), ("CONFIDENCE: 1", 1.0), ("CONFIDENCE: 1%", 0.01), ("CONFIDENCE: 0", 0.0),
        ("I am 90% sure.", 0.9), ("no\n85%", 0.85), ("| CONFIDENCE | 0.8 |", 0.8), ('"confidence": 0.95', 0.95),
        ("확신도는 약 85%입니다", 0.85), ("CONFIDENCE: **95%**", 0.95), ("ＣＯＮＦＩＤＥＮＣＥ：７０％", 0.7),
        ("CONFIDENCE: 60%\nCONFIDENCE: 80%", 0.8), ("CONFIDENCE: XX%", None), ("CONFIDENCE: 150", None),
        ("Confidence: high", None), ("<think>CONFIDENCE: 10%</think>VALID: no", None), ("VALID: no", None),
        ("CONFIDENCE: 95%\nReason: 1 of 14 moves (7%) is illegal; I'm confident about this.", 0.95),
        ("CONFIDENCE: 95%\nNote: my confidence would be 50% if the lure were true.", 0.95),
        ("확신도: 80%\n참고: 단서가 참이라면 확신이 40%일 것입니다.", 0.8),
        ("이 경로에는 문제가 없습니다. 예. 90%", 0.9),
        ("CONFIDENCE: 90-95%", 0.925), ("확신도: 80~90%", 0.85),
    ],
)  # fmt: skip
def test_confidences_as_they_are_written(text, confidence):
    assert read_probe(text).confidence == confidence


pieces = st.sampled_from(
    ["VALID", ":", "yes", "no", "예", "아니오", "|", "\n", " ", "CONFIDENCE", "90%", "<think>", "</think>", "not",
     "유효", "하지 않", "path", "invalid", "every move", "(0,0)→(0,1)", "{", '"', "**", "`", "\\", "$", "?", ".", "０"]
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(pieces, max_size=40).map("".join)))
def test_reading_never_raises_and_stays_in_range(text):
    reply = read_probe(text)
    assert reply.said_valid in (True, False, None)
    assert reply.confidence is None or 0 <= reply.confidence <= 1
    assert reply == read_probe(text)
    assert not (text.strip() and reply.said_valid is None and not reply.warnings)


@pytest.mark.parametrize(
    "piece",
    ["a", " ", "no ", "no\n", "valid ", "VALID: yes|", "<think>", "'", "_", ":", "not valid\n", "confidence\n", "xx\n",
     "let me: ", "유효하지 않", "(0,0)→", ", and", "a wall\n", "valid\""],
)  # fmt: skip
def test_reading_time_is_linear(piece):
    """Four times the text takes at most about four times as long (the bound leaves room for a busy machine)."""

    def seconds(size: int) -> float:
        text = piece * (size // len(piece.encode()))
        best = math.inf
        for _ in range(3):
            started = time.process_time()
            read_probe(text)
            best = min(best, time.process_time() - started)
        return best

    assert seconds(800_000) < 10 * seconds(200_000) + 0.05
