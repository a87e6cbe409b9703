"""What the stepwise environment says, in two languages (specification, section 8).

As in the other prompts, "d|" begins a line of the disclosed prompt only, "n|" one of the neutral prompt only. "o|" and
"b|" are for the views "open" and "bump". The format lines are those of `hallumaze_kit.trial.wording`: placeholders,
so that an echo is no move. The situation is written so that no part of it reads like a move either.
"""

from __future__ import annotations

SYSTEM = {
    "ko": """\
미로를 한 번에 한 칸씩 풀어 갑니다.
시작 칸에서 출구까지 가는 길을 찾되, 아래 형식으로 답하세요.""",
    "en": """\
You solve a maze one move at a time.
Find the way from the start to the exit and answer in the format below.""",
}
"""The system turn of the neutral prompt; the disclosed one is that of template 0."""

RULES = {
    "ko": """\
MAZE {size}×{size} | START:(0,0) | EXIT:({last},{last})

=== 규칙 ===
- 칸은 (행,열)로 적습니다. N은 행이 1 작은 쪽, S는 행이 1 큰 쪽, W는 열이 1 작은 쪽, E는 열이 1 큰 쪽입니다.
- 답 하나에 이동은 하나입니다. 둘 이상 적으면 첫 이동만 합니다.
o|- 답할 때마다 지금 있는 칸과 그 칸에서 열린 방향을 알려 드립니다.
b|- 답할 때마다 지금 있는 칸을 알려 드립니다. 어느 쪽이 막혀 있는지는 가 보아야 알 수 있습니다.
- 벽이 있는 쪽이나 미로 바깥으로 가려고 하면 그 자리에 남고, 그것도 한 번으로 셉니다.
- 출구에 닿거나 {budget}번을 다 쓰면 끝납니다. 그만두려면 포기한다고 적으세요.

=== 답하는 형식 ===
- {step}
d|막다른 길, 루프, 전략 변경이 있으면 해당하는 줄도 반드시 적으세요.
n|필요하면 다음 표기를 함께 쓸 수 있습니다.
- {dead_end}
- {loop}
- {change}

=== 현재 상황 ===
{situation}""",
    "en": """\
MAZE {size}×{size} | START:(0,0) | EXIT:({last},{last})

=== Rules ===
- A cell is written (row,column). N is where the row is 1 less, S where it is 1 more, W where the column is 1 less, \
E where it is 1 more.
- One move a reply. If you write more, only the first is made.
o|- After each reply you are told the cell where you stand and its open directions.
b|- After each reply you are told the cell where you stand. Which sides are closed shows only when you try.
- If you try a side with a wall, or to leave the maze, you stay where you are, and the try is counted.
- It ends when you reach the exit or after {budget} tries. To stop, write that you give up.

=== Format of a reply ===
- {step}
d|If there is a dead end, a loop or a change of strategy, you must add the line for it.
n|If you need them, you can also use these notations.
- {dead_end}
- {loop}
- {change}

=== Situation ===
{situation}""",
}

SITUATION = {
    "ko": "STEP {number} / {budget} | 현재 칸: ({row},{col})",
    "en": "STEP {number} / {budget} | current cell: ({row},{col})",
}
OPEN = {"ko": "열린 방향:", "en": "Open directions:"}
"""Stands before the cell's line of the maze text (`hallumaze_kit.maze.encoding`)."""

MOVED = {"ko": "({row},{col})에 도착했습니다.", "en": "You have arrived at ({row},{col})."}
WALL = {
    "ko": "{way} 쪽에는 벽이 있습니다. 그 자리에 남았습니다.",
    "en": "There is a wall on side {way}. You have stayed where you were.",
}
OUTSIDE = {
    "ko": "{way} 쪽은 미로의 바깥입니다. 그 자리에 남았습니다.",
    "en": "Side {way} is the edge of the maze. You have stayed where you were.",
}
JUMP = {
    "ko": "({row},{col})은(는) 이웃한 칸이 아닙니다. 그 자리에 남았습니다.",
    "en": "({row},{col}) is not a neighbouring cell. You have stayed where you were.",
}
ONLY_FIRST = {
    "ko": "이동이 둘 이상이어서 첫 이동만 했습니다.",
    "en": "There was more than one move, so only the first was made.",
}
REMINDER = {
    "ko": "답에서 이동을 읽지 못했습니다. 다음 형식으로 한 번 더 적어 주세요.\n{step}",
    "en": "No move could be read in your reply. Please write it once more in this format.\n{step}",
}
