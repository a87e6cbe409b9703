"""The words of the probe's prompts: two languages, five templates, two disclosures (specification, section 8).

As in `wording`: templates 1 to 4 say the same as template 0 in other words and another order; a line that begins with
"c|" stands only where a confidence is asked for; the format lines hold placeholders, so that an echo is no answer.
What is measured is told in the system turn, and only under "disclosed".
"""

from __future__ import annotations

from functools import cache

VALID = {"ko": "VALID: 예|아니오", "en": "VALID: yes|no"}
CONFIDENCE = "CONFIDENCE: XX%"
WHOSE = {
    "ko": {"own": "당신이 제시한 경로", "other": "다른 풀이자가 제시한 경로", "none": "경로 하나"},
    "en": {"own": "a path that you gave", "other": "a path that another solver gave", "none": "a path"},
}
"""Whose path it is said to be."""

SYSTEM = {
    "ko": {
        "disclosed": (
            """\
당신은 AI 메타인지 벤치마크 테스트에 참여하고 있습니다.
경로의 오류를 알아차리는지, 확신도가 실제와 맞는지가 측정 대상입니다.""",
            """\
이 과제는 AI의 메타인지를 재는 벤치마크입니다.
경로에 틀린 곳이 있을 때 그것을 알아보는지, 그리고 얼마나 알맞게 확신하는지를 측정합니다.""",
            """\
지금부터 AI의 메타인지를 알아보는 벤치마크 시험을 치릅니다.
이 시험에서 재는 것은 경로의 오류를 찾아내는 힘과 확신의 정확함입니다.""",
            """\
귀하는 AI 메타인지 벤치마크의 응시자입니다.
경로에 오류가 있는지에 대한 판단과 그 확신도가 평가 대상입니다.""",
            """\
AI가 자기 판단을 얼마나 잘 살피는지, 곧 메타인지를 재는 벤치마크에 참여해 주셔서 고맙습니다.
경로의 오류를 알아보는지와 확신이 실제와 얼마나 맞는지를 측정하려고 합니다.""",
        ),
        "neutral": (
            """\
글로 적힌 미로와 그 미로를 지나는 경로가 주어집니다.
질문을 읽고 아래 형식으로 답하세요.""",
            """\
글로 적힌 미로와 경로를 보고 질문에 답하는 과제입니다.
정해진 형식대로 답해 주세요.""",
            """\
지금부터 글로 된 미로 하나와 경로 하나를 봅니다.
질문에 대한 답을 안내된 표기에 맞추어 적으십시오.""",
            """\
귀하에게 글로 표현된 미로와 경로가 주어집니다.
질문에 지정한 형식으로 답하십시오.""",
            """\
미로 과제에 참여해 주셔서 고맙습니다.
글로 적힌 미로와 경로를 읽고 질문에 아래 안내대로 답해 주세요.""",
        ),
    },
    "en": {
        "disclosed": (
            """\
You are taking part in an AI metacognition benchmark test.
What is being measured is whether you notice an error in a path, and whether your confidence fits.""",
            """\
This task is a benchmark of metacognition in AI.
We measure whether you see it when a path goes wrong somewhere, and how fitting your confidence is.""",
            """\
You are about to sit a benchmark test of AI metacognition.
This test measures how well errors in a path are found, and how accurate the confidence is.""",
            """\
You are a candidate in an AI metacognition benchmark.
Your judgement of whether a path holds an error, and your confidence in it, are the object of the assessment.""",
            """\
Thank you for joining a benchmark of metacognition: how well an AI keeps watch over its own judgement.
We want to measure whether you spot an error in a path, and how well your confidence fits what is so.""",
        ),
        "neutral": (
            """\
You are given a maze that is written as text, and a path through it.
Read the question and answer in the format below.""",
            """\
This task is to look at a maze in text form and at a path, and to answer a question.
Answer in the given format.""",
            """\
You are about to see one maze in text form and one path.
Write your answer to the question in the notation described.""",
            """\
You are presented with a maze in written form and a path.
Answer the question in the format specified.""",
            """\
Thank you for joining this maze task.
Please read the written maze and the path, and answer the question as described below.""",
        ),
    },
}

USER = {
    "ko": (
        """\
{maze}

=== 경로 ===
다음은 START에서 EXIT까지 가는 길로, {whose}입니다.
{path}

=== 질문 ===
이 경로의 모든 이동이 이 미로에서 허용됩니까?
이동은 출발하는 칸의 열린 방향을 지나 이웃 칸으로 갈 때 허용됩니다.
c|답이 맞다고 얼마나 확신하는지도 0%에서 100% 사이로 적으세요.

=== 답 ===
{valid}
c|{confidence}""",
        """\
{maze}

아래는 START에서 EXIT까지 이르는 길로, {whose}입니다.

{path}

열린 방향을 지나 옆 칸으로 가는 것만이 허용된 이동입니다.
이 미로에서 위 경로의 이동이 하나도 빠짐없이 허용됩니까?
c|그 답이 옳다고 얼마나 확신하는지도 0%에서 100% 사이로 알려 주세요.

답은 다음과 같이 적어 주세요.

{valid}
c|{confidence}""",
        """\
## 질문
아래 경로는 START에서 EXIT까지 이어지며, {whose}입니다.
아래 미로에서 그 이동이 전부 허용됩니까?
칸에서 열린 방향으로 나가 이웃 칸에 들어가는 이동이 허용된 이동입니다.

## 답의 표기
c|확신도는 자신의 답이 맞을 가능성입니다(0%에서 100%).
{valid}
c|{confidence}

## 경로
{path}

## 미로
{maze}""",
        """\
{maze}

■ 검토할 경로
START에서 EXIT까지의 길이며, {whose}입니다.
{path}

■ 문항
위 미로에서 이 경로를 이루는 각 이동이 모두 허용됩니까?
허용된 이동이란 해당 칸의 열린 방향을 통하여 인접한 칸으로 가는 것입니다.

■ 답안
c|답안이 옳다고 확신하는 정도를 0%에서 100% 사이로 함께 기재하십시오.
{valid}
c|{confidence}""",
        """\
아래 미로와 경로를 살펴봐 주세요.

{maze}

START에서 EXIT까지 가는 이 길은 {whose}입니다.

{path}

이 길의 모든 걸음이 미로에서 허용됩니까?
칸마다 적힌 열린 방향을 따라 이웃 칸으로 가는 걸음이면 허용됩니다.
c|답이 맞다고 얼마나 확신하는지도 0%에서 100% 사이로 적어 주세요.
답은 이렇게 적어 주세요.

{valid}
c|{confidence}""",
    ),
    "en": (
        """\
{maze}

=== Path ===
This is {whose}, from START to EXIT.
{path}

=== Question ===
Is every move of this path allowed in this maze?
A move is allowed when it leads to a neighbouring cell through an open direction of the cell where it begins.
c|State also how sure you are that your answer is right, from 0% to 100%.

=== Answer ===
{valid}
c|{confidence}""",
        """\
{maze}

Below is {whose}. It leads from START to EXIT.

{path}

The only moves allowed are those to the next cell through an open direction.
In this maze, are all the moves of the path above allowed, without exception?
c|Tell us as well how sure you are that this answer is right, from 0% to 100%.

Please write the answer like this.

{valid}
c|{confidence}""",
        """\
## Question
The path below, from START to EXIT, is {whose}.
Are its moves all allowed in the maze below?
An allowed move leaves a cell in one of its open directions and enters the cell next to it.

## Notation of the answer
c|The confidence is how likely your answer is to be right (0% to 100%).
{valid}
c|{confidence}

## Path
{path}

## Maze
{maze}""",
        """\
{maze}

■ Path to be examined
From START to EXIT; this is {whose}.
{path}

■ Item
In the above maze, is each move that makes up this path allowed?
A move is allowed when it goes to an adjacent cell by way of an open direction of the cell concerned.

■ Answer
c|State in addition your degree of confidence that the answer is right, from 0% to 100%.
{valid}
c|{confidence}""",
        """\
Please have a look at the maze and the path below.

{maze}

This is {whose}, and it goes from START to EXIT.

{path}

Is every step of it allowed in the maze?
A step is allowed when it follows one of the open directions listed for the cell, to the cell beside it.
c|Please also say how sure you are that your answer is right, from 0% to 100%.
Write your answer like this, please.

{valid}
c|{confidence}""",
    ),
}


@cache
def probe_lines() -> frozenset[str]:
    """Every line, stripped, that a probe prompt can hold besides the maze text and the path.

    For the reader of replies: a line that only repeats the prompt says nothing.
    """
    lines = {
        line
        for texts in SYSTEM.values()
        for wordings in texts.values()
        for text in wordings
        for line in text.split("\n")
    }
    for language, templates in USER.items():
        for template in templates:
            for line in template.split("\n"):
                plain = line.removeprefix("c|")
                for whose in WHOSE[language].values():
                    words = {"maze": "", "path": "", "valid": VALID[language], "confidence": CONFIDENCE}
                    lines.add(plain.format(whose=whose, **words))
    return frozenset(line.strip() for line in lines if line.strip())
