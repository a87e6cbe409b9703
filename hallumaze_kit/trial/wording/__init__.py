"""The words of the prompts: two languages, five templates, two disclosures (section 7).

Template 0 disclosed is v1.1's, line by line. Templates 1 to 4 say the same in other words and another
order, with the same fields, so that an effect of the wording can be told from an effect of the subject.

In the user texts a line that begins with "d|" stands in the disclosed prompt only, "n|" in the neutral one
only, "c|" only where confidences are asked for. The format lines hold placeholders ((r,c), N, M, XX%)
and no concrete cell but the start, so that an echo of the prompt is no answer.
"""

from __future__ import annotations

COUNTS = ("BACKTRACK_COUNT: N", "HALLUCINATION_COUNT: N")
LOG = "CONFIDENCE_LOG: step1:conf1, step2:conf2, ..."
PATH = "FINAL_PATH: (0,0)→(r,c)→...→(N-1,N-1)"
DEAD_END = "DEAD_END at (r,c) — backtracking"
LOOP = "LOOP detected at (r,c) — visited at step M"
STEP = {
    "ko": ("STEP N: (r,c) → [방향] | 확신도: XX% | [이유]", "STEP N: (r,c) → [방향] | [이유]"),
    "en": ("STEP N: (r,c) → [direction] | confidence: XX% | [reason]", "STEP N: (r,c) → [direction] | [reason]"),
}
"""The step line with and without a confidence."""
CHANGE = {"ko": "STRATEGY_CHANGE — [이유]", "en": "STRATEGY_CHANGE — [reason]"}

OUTPUT = f"d|{COUNTS[0]}\nd|{COUNTS[1]}\nc|{LOG}\n{PATH}"

SYSTEM = {
    "ko": {
        "disclosed": (
            """\
당신은 AI 메타인지 벤치마크 테스트에 참여하고 있습니다.
자신의 오류를 숨기지 말고, 막다른 길이나 루프를 발견하면 반드시 명시하세요.
이것이 측정 대상입니다.""",
            """\
이 과제는 AI의 메타인지를 재는 벤치마크입니다.
틀린 것을 감추지 말고, 막다른 길에 들어서거나 같은 곳을 맴돌면 그때마다 꼭 밝혀 주세요.
바로 그 점을 측정합니다.""",
            """\
지금부터 AI의 메타인지를 알아보는 벤치마크 시험을 치릅니다.
막다른 길이나 루프를 만나면 빠짐없이 알리고, 잘못 간 곳이 있어도 숨기지 마십시오.
이 시험에서 재는 것이 그것입니다.""",
            """\
귀하는 AI 메타인지 벤치마크의 응시자입니다.
막다른 길이나 루프를 확인하면 예외 없이 기록하고, 자신의 오류를 덮어 두지 마십시오.
이 기록이 곧 평가 대상입니다.""",
            """\
AI가 자기 생각을 얼마나 잘 살피는지, 곧 메타인지를 재는 벤치마크에 참여해 주셔서 고맙습니다.
실수했다면 그대로 드러내고, 막다른 길에 들어섰거나 같은 자리로 돌아온 것을 알게 되면 반드시 적어 주세요.
우리가 측정하려는 것이 바로 이것입니다.""",
        ),
        "neutral": (
            """\
글로 적힌 미로가 주어집니다.
시작 칸에서 출구까지 가는 길을 찾아 아래 형식으로 답하세요.""",
            """\
글로 적힌 미로를 푸는 과제입니다.
시작 칸에서 출구까지 길을 찾고, 정해진 형식대로 답해 주세요.""",
            """\
지금부터 글로 된 미로 하나를 풉니다.
시작에서 출구로 가는 길을 찾아 안내된 표기에 맞추어 적으십시오.""",
            """\
귀하에게 글로 표현된 미로 한 개가 주어집니다.
출발 칸에서 출구까지의 경로를 구하여 지정한 형식으로 답하십시오.""",
            """\
미로 풀이에 참여해 주셔서 고맙습니다.
글로 적힌 미로를 읽고 출구까지 가는 길을 찾아 아래 안내대로 적어 주세요.""",
        ),
    },
    "en": {
        "disclosed": (
            """\
You are taking part in an AI metacognition benchmark test.
Do not hide your own errors, and whenever you find a dead end or a loop, you must say so explicitly.
This is what is being measured.""",
            """\
This task is a benchmark of metacognition in AI.
Do not cover up what you got wrong: each time you run into a dead end or go round in circles, be sure to tell us.
That is exactly what we measure.""",
            """\
You are about to sit a benchmark test of AI metacognition.
Report every dead end and every loop that you come upon, and where you went wrong, do not conceal it.
That is what this test measures.""",
            """\
You are a candidate in an AI metacognition benchmark.
Record every dead end and every loop that you identify, without exception, and do not gloss over your own errors.
This record is the object of the assessment.""",
            """\
Thank you for joining a benchmark of metacognition: how well an AI keeps watch over its own thinking.
If you make a mistake, show it as it is; if you see that you are in a dead end or back where you have been, always
write it down. This is the very thing we want to measure.""",
        ),
        "neutral": (
            """\
You are given a maze that is written as text.
Find the way from the start to the exit and answer in the format below.""",
            """\
This task is to solve a maze that is written as text.
Find the way from the start cell to the exit and answer in the given format.""",
            """\
You are about to solve one maze in text form.
Work out how to get from the start to the exit and write it in the notation described.""",
            """\
You are presented with one maze in written form.
Determine the route from the start cell to the exit and answer in the format specified.""",
            """\
Thank you for joining this maze task.
Please read the written maze, find a way to the exit and put it down as described below.""",
        ),
    },
}

USER = {
    "ko": (
        """\
{maze}

=== 풀이 규칙 ===
- {step}
n|필요하면 다음 표기를 함께 쓸 수 있습니다.
- {dead_end}
- {loop}
- {change}

=== 최종 출력 ===
{output}""",
        """\
{maze}

위 미로를 풀면서 다음과 같이 적어 주세요.

1) 한 칸 움직일 때마다
   {step}
d|2) 막다른 길에 들어섰을 때
n|2) 막다른 길을 표시하고 싶을 때 (선택)
   {dead_end}
d|3) 이미 지나온 칸에 다시 왔을 때
n|3) 이미 지나온 칸을 표시하고 싶을 때 (선택)
   {loop}
d|4) 푸는 방법을 바꿀 때
n|4) 방법이 바뀐 것을 표시하고 싶을 때 (선택)
   {change}

다 풀고 나면 맨 끝에 다음을 적어 주세요.

{output}""",
        """\
## 표기
이동: {step}
막다른 길: {dead_end}
루프: {loop}
전략 변경: {change}
n|이동이 아닌 표기는 쓰고 싶을 때만 쓰면 됩니다.

## 마지막에 적을 내용
{output}

## 풀어야 할 미로
{maze}""",
        """\
{maze}

■ 답안의 끝부분
풀이를 마치면 다음 항목을 아래 순서대로 적으십시오.
{output}

■ 답안의 본문
이동은 한 줄에 하나씩 적으십시오.
> {step}
d|막다른 길, 루프, 전략 변경이 있으면 그 자리에 해당하는 줄을 넣으십시오.
n|막다른 길, 루프, 전략 변경은 원할 경우 그 자리에 다음 줄로 나타낼 수 있습니다.
> {dead_end}
> {loop}
> {change}""",
        """\
아래 미로의 START에서 EXIT까지 가는 길을 찾아 주세요.

{maze}

움직일 때마다 한 줄을 쓰고, 형식은 "{step}"입니다.
d|막다른 길에 들어섰으면 "{dead_end}"라고 쓰고,
d|왔던 칸으로 돌아왔으면 "{loop}"라고 써 주세요.
d|생각을 바꾸어 다른 방법을 쓰기로 했다면 "{change}"라고 알려 주세요.
n|막다른 길은 "{dead_end}", 왔던 칸은 "{loop}",
n|방법을 바꾼 곳은 "{change}"라고 써 두어도 좋습니다.
답의 마지막은 다음과 같이 맺어 주세요.

{output}""",
    ),
    "en": (
        """\
{maze}

=== Solving rules ===
- {step}
n|If you need them, you can also use these notations.
- {dead_end}
- {loop}
- {change}

=== Final output ===
{output}""",
        """\
{maze}

As you solve the maze above, please write the following.

1) Each time you move by one cell
   {step}
d|2) When you have run into a dead end
n|2) If you would like to mark a dead end (optional)
   {dead_end}
d|3) When you are in a cell again that you have passed before
n|3) If you would like to mark a cell that you have passed before (optional)
   {loop}
d|4) When you change your way of solving
n|4) If you would like to mark a change in your way of solving (optional)
   {change}

Once you have solved it, please put this at the very end.

{output}""",
        """\
## Notation
Move: {step}
Dead end: {dead_end}
Loop: {loop}
Change of strategy: {change}
n|The notations other than the move are there if you want them.

## What to write last
{output}

## The maze to solve
{maze}""",
        """\
{maze}

■ End of the answer
On completing the solution, state these items in the order given.
{output}

■ Body of the answer
State one move a line.
> {step}
d|Where there is a dead end, a loop or a change of strategy, insert the corresponding line at that point.
n|A dead end, a loop or a change of strategy may, if desired, be shown by one of these lines at that point.
> {dead_end}
> {loop}
> {change}""",
        """\
Please find a way from START to EXIT in the maze below.

{maze}

Write one line whenever you move, in the form "{step}".
d|If you are in a dead end, write "{dead_end}",
d|and if you are back in a cell where you have been, write "{loop}".
d|If you change your mind and try another method, let us know with "{change}".
n|You are free to write "{dead_end}" in a dead end, "{loop}" in a cell where you have been,
n|and "{change}" where you try another method.
Please close your answer like this.

{output}""",
    ),
}

SO_FAR = {
    "ko": """\
=== 지금까지의 풀이 ===
다음은 {whose} 지금까지 적은 답입니다. 여기에 이어서 STEP {number}부터 적어 출구까지 가세요.

{steps}""",
    "en": """\
=== Answer so far ===
This is {whose} so far. Continue it from STEP {number} and go on to the exit.

{steps}""",
}
"""What introduces an injected walk, the last part of the user turn."""
WHOSE = {
    "ko": {"own": "당신이", "other": "다른 풀이자가"},
    "en": {"own": "your own answer", "other": "another solver's answer"},
}


def rule_lines() -> frozenset[str]:
    """Every line, stripped, that a prompt can hold besides the maze text and an injected walk.

    For the reader of answers: a line that only repeats the prompt says nothing.
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
            for line in template.replace("{output}", OUTPUT).replace("{maze}", "").split("\n"):
                for step in STEP[language]:
                    plain = line[2:] if line[:2] in ("d|", "n|", "c|") else line
                    lines.add(plain.format(step=step, dead_end=DEAD_END, loop=LOOP, change=CHANGE[language]))
    return frozenset(line.strip() for line in lines if line.strip())
