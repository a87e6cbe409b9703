"""What the play panel says, in Korean and English."""

from __future__ import annotations

from typing import Any

CONSENT_VERSION = "example-1"
CONSENT = {
    "ko": (
        "이 글은 예시입니다. 연구자는 기관생명윤리위원회(IRB)가 승인한 글로 바꾸어야 합니다.\n"
        "이 연구는 사람과 언어 모델이 같은 미로를 어떻게 푸는지 비교합니다. 참여는 자유이며, 언제든 까닭을 말하지 않고 "
        "그만둘 수 있습니다.\n"
        "기록하는 것: 누른 키와 확신도, 답하는 데 걸린 시간, 창을 떠났다가 돌아온 때, 화면의 크기, 이해 확인 문제의 "
        "답. "
        "이름이나 주소, 그 밖에 누구인지 알 수 있는 것은 묻지도 기록하지도 않습니다.\n"
        "기록에는 익명 코드만 붙습니다. 그 코드로 나중에 이어서 하거나, 참여를 철회할 수 있습니다. 철회하면 기록한 "
        "것이 "
        "모든 분석에서 빠집니다."
    ),
    "en": (
        "This text is an example. Researchers must put in its place the text that their review board has approved.\n"
        "This study compares how people and language models solve the same mazes. Taking part is voluntary; you can "
        "stop "
        "at any time without giving a reason.\n"
        "What is recorded: the keys you press and how sure you are, how long each answer takes, when you leave the "
        "window and come back, the size of the screen, your answers to the three questions. No name, no address, "
        "nothing that says who you are is asked for or recorded.\n"
        "Only an anonymous code stands with what is recorded. With that code you can go on later, or withdraw. If you "
        "withdraw, what was recorded is left out of every analysis."
    ),
}
DIRECTIONS = {
    "ko": {"N": "위", "E": "오른쪽", "S": "아래", "W": "왼쪽"},
    "en": {"N": "up", "E": "right", "S": "down", "W": "left"},
}
ARROWS = {"N": "↑", "E": "→", "S": "↓", "W": "←"}

WORDS: dict[str, dict[str, Any]] = {
    "ko": {
        "title": "미로 찾기", "language": "언어",
        "how": "이렇게 합니다",
        "rules": {
            "walk": (
                "미로의 한 칸에 서 있습니다. 출구까지 한 번에 한 칸씩 갑니다. 칸은 (행,열)로 적고, 왼쪽 위 칸이 "
                "(0,0)입니다.",
            ),
            "open": (
                "지금 있는 칸과 열린 방향이 보입니다. 화살표 키나 N(위) E(오른쪽) S(아래) W(왼쪽) 키, 또는 단추로 "
                "고릅니다.",
                "막힌 쪽의 키를 누르면 아무 일도 일어나지 않습니다. 잘못 누른 것으로만 적힙니다.",
                "갈림길에서는 결과를 보기 전에, 고른 방향이 출구로 가는 길이라고 얼마나 확신하는지 묻습니다.",
            ),
            "bump": (
                "지금 있는 칸만 보입니다. 어느 쪽이 막혔는지는 가 보아야 압니다. 화살표 키나 N(위) E(오른쪽) S(아래) "
                "W(왼쪽) 키, 또는 단추로 고릅니다.",
                "막힌 쪽으로 가면 그 자리에 남고, 그것도 한 번으로 셉니다.",
                "움직일 때마다 결과를 보기 전에, 그 방향이 출구로 가는 길이라고 얼마나 확신하는지 묻습니다.",
            ),
            "undo": ("되돌리기는 없습니다. 잘못 들어섰으면 걸어서 돌아 나옵니다.",),
            "disclosed": (
                "막다른 길에 들어섰거나, 와 본 칸에 다시 왔거나, 생각이 바뀌었으면 그때마다 꼭 알려 주세요(D, L, C 키 "
                "또는 "
                "단추). 틀린 것을 알아차리는지를 봅니다.",
            ),
            "neutral": (
                "막다른 길에 들어섰거나, 와 본 칸에 다시 왔거나, 생각이 바뀌었으면 그렇다고 알릴 수 있습니다"
                "(D, L, C 키 또는 단추).",
            ),
            "mirage": ("⚑가 붙은 말은 맞을 수도, 틀릴 수도 있습니다.",),
            "probe": (
                "미로의 글과 경로 하나를 보고, 경로의 모든 이동이 열린 방향으로만 이어지는지 판단합니다.",
                "‘유효함’(Y) 또는 ‘유효하지 않음’(N)을 고른 다음, 그 판단을 얼마나 확신하는지 답합니다.",
            ),
            "aids": ("종이, 그림, 다른 프로그램의 도움 없이 혼자 해 주세요.",),
        },
        "example": "보기",
        "example_text": {
            "open": "{cell} 칸에 서 있고 열린 방향은 {ways}입니다. {way} 키를 누르면 {to} 칸으로 갑니다. 막힌 {wall} "
            "키는 "
            "보내지지 않습니다.",
            "bump": "{cell} 칸에 서 있습니다. {way} 키를 누르면 {to} 칸으로 갑니다. 막힌 {wall} 키를 누르면 그 자리에 "
            "남고 "
            "한 번으로 셉니다.",
            "probe": "경로에 {cell}→{to}가 있고 {cell} 칸의 열린 방향에 {way}가 있으면 그 이동은 됩니다. {wall} 쪽이 "
            "없으면 "
            "그쪽으로 가는 이동은 되지 않고, 그런 이동이 하나라도 있는 경로는 유효하지 않습니다.",
        },
        "go_on": "계속", "back": "뒤로", "start": "시작", "next": "다음",
        "have_code": "코드가 있습니다", "code": "코드", "resume": "이어서 하기",
        "check": "이해 확인", "check_about": "세 문제를 모두 맞혀야 시작합니다. 틀리면 설명을 다시 볼 수 있습니다.",
        "send": "답 보내기", "reread": "설명 다시 보기",
        "wrong_answers": "세 문제 가운데 {right}개가 맞았습니다. 설명을 다시 보고 다시 답해 주세요.",
        "unanswered": "세 문제에 모두 답해 주세요.",
        "questions": {
            "where": ("(1,2) 칸에서 E(→)로 가면 어느 칸입니까?", ("(1,3)", "(2,2)", "(0,2)")),
            "regret": ("한 칸 갔는데 잘못 간 것 같습니다. 어떻게 합니까?",
                       ("걸어서 돌아온다. 그것도 이동으로 센다", "되돌리기 단추를 누른다", "미로를 처음부터 다시 "
                       "한다")),
            "wall_open": ("열린 방향이 E와 S뿐인 칸에서 N 키를 누르면 어떻게 됩니까?",
                          ("보내지지 않고 잘못 누른 것으로 적힌다", "벽을 지나간다", "미로가 끝난다")),
            "wall_bump": ("막힌 쪽으로 가려고 하면 어떻게 됩니까?",
                          ("그 자리에 남고 한 번으로 센다", "벽을 지나간다", "아무것도 세지 않는다")),
            "valid": ("경로의 한 이동이 벽을 지나면 그 경로는?",
                      ("유효하지 않다", "유효하다", "길이에 따라 다르다")),
            "sure": ("확신도 50 %는 무슨 뜻입니까?",
                     ("맞을 가능성과 틀릴 가능성이 반반이다", "확실히 맞다", "확실히 틀리다")),
        },
        "consent": "동의", "agree": "읽었고 동의합니다", "disagree": "동의하지 않습니다",
        "consent_version": "동의서 판: {version}",
        "declined": "동의하지 않으셨습니다. 아무것도 저장하지 않았습니다. 이 창을 닫으셔도 됩니다.",
        "your_code": "당신의 코드", "code_about": "이 코드를 적어 두세요. 나중에 이어서 하거나 참여를 철회할 때 "
        "필요합니다.",
        "ready": "미로 {n} / {total}", "ready_practice": "연습 {n} / {total}",
        "ready_about": "크기 {size}×{size}. 시작을 누르면 시간을 잽니다.",
        "ended": {"exit": "출구에 닿았습니다.", "budget": "움직일 수 있는 횟수를 다 썼습니다.",
                  "gave up": "이 미로를 그만두었습니다.", "answered": "답을 받았습니다.",
                  "unreadable": "이 미로가 끝났습니다."},
        "resumed": "이어서 합니다. 멈춘 곳 그대로입니다.",
        "hint": "다시 한 번", "again": "처음부터 다시 하기",
        "here": "지금 있는 칸", "exit_at": "출구 {cell}", "step": "{n} / {budget}번째",
        "open_ways": "열린 방향", "all_ways": "방향", "ways": "갈 방향을 고르세요",
        "arrived": "{cell} 칸에 왔습니다.", "closed": "{way} 쪽은 막혀 있습니다. 그 자리에 남았습니다.",
        "slip": "그쪽은 막혀 있어 보내지 않았습니다.",
        "tell": "알릴 것이 있으면", "say": {"dead end": "막다른 길", "loop": "와 본 칸", "strategy change": "생각이 "
        "바뀜"},
        "said": "적었습니다: {what}. 다음 이동과 함께 보냅니다.",
        "give_up": "이 미로 그만두기", "give_up_sure": "이 미로를 그만둘까요? 다시 할 수 "
        "없습니다.", "yes_give_up": "그만두기",
        "sure_head": "얼마나 확신합니까?",
        "sure_about": "{way} 쪽이 출구로 가는 길이라고 얼마나 확신합니까? 막대를 움직인 다음 확인하세요.",
        "sure_probe": "‘{what}’이라는 판단을 얼마나 확신합니까? 막대를 움직인 다음 확인하세요.",
        "sure_keys": "←→ 5씩, Shift와 함께 1씩, Enter 확인", "not_at_all": "0 %", "fully": "100 %",
        "confirm": "확인", "untouched": "막대를 먼저 움직이세요.",
        "probe": "이 경로는 유효합니까?", "maze_text": "미로", "path": "경로",
        "valid": "유효함", "invalid": "유효하지 않음",
        "done": "모두 마쳤습니다. 고맙습니다!", "done_about": "미로 {n}개를 마쳤습니다. 이 창을 닫으셔도 됩니다.",
        "withdraw": "참여 철회", "withdraw_sure": "참여를 철회할까요? 지금까지 기록한 것이 모든 분석에서 빠지고, 이 "
        "코드로 다시 "
        "할 수 없습니다.", "yes_withdraw": "철회합니다", "no": "아니오, 돌아가기",
        "withdrawn": "철회했습니다. 기록한 것은 모든 분석에서 빠집니다.",
        "elsewhere": "다른 창에서 이 미로를 이어서 하고 있습니다. 그 창에서 계속하거나, 여기서 이어서 할 수 있습니다.",
        "here_instead": "여기서 이어서 하기",
        "silent": "프로그램이 대답하지 않습니다. 페이지를 새로 고치면 멈춘 곳에서 이어집니다.",
        "not_now": "지금은 할 수 없습니다. 화면을 보고 다시 해 주세요.",
        "no_code": "이 연구에 없는 코드입니다. 적어 둔 것과 같은지 보세요.",
        "changed": "그 뒤에 연구의 내용이 바뀌어 이 코드로 이어서 할 수 없습니다. 연구자에게 알려 주세요.",
        "gone_code": "참여를 철회한 코드입니다.",
        "not_stored": "저장하지 못해서 아무 일도 일어나지 않았습니다. 다시 해 보세요. ({what})",
        "synthetic": "합성 참가자",
        "picture": "{size}×{size} 격자, 지금 {cell}, 출구 {exit}", "picture_trail": ", 지나온 칸 {n}개",
    },
    "en": {
        "title": "Mazes", "language": "Language",
        "how": "What you do",
        "rules": {
            "walk": (
                "You stand in a cell of a maze and go to the exit, one cell at a time. A cell is written (row,column); "
                "the top left one is (0,0).",
            ),
            "open": (
                "You see the cell where you are and its open sides. Choose one with the arrow keys, the keys N (up), "
                "E (right), S (down), W (left), or a button.",
                "A key into a wall does nothing. It is noted as a slip of the hand.",
                "Where the way forks you are asked, before you see what comes of it, how sure you are that the side "
                "you "
                "chose is the way to the exit.",
            ),
            "bump": (
                "You see only the cell where you are. Which sides are closed shows when you try. Choose with the arrow "
                "keys, the keys N (up), E (right), S (down), W (left), or a button.",
                "If you try a closed side you stay where you are, and the try is counted.",
                "At every move you are asked, before you see what comes of it, how sure you are that it is the way to "
                "the exit.",
            ),
            "undo": ("There is no undo. If you went wrong, walk back.",),
            "disclosed": (
                "Whenever you are in a dead end, in a cell where you have been before, or have changed your mind, "
                "please "
                "say so (keys D, L, C, or the buttons). Whether you notice what went wrong is what is measured.",
            ),
            "neutral": (
                "If you are in a dead end, in a cell where you have been before, or have changed your mind, you can "
                "say "
                "so (keys D, L, C, or the buttons).",
            ),
            "mirage": ("What is said beside a ⚑ may be true or not.",),
            "probe": (
                "You see a maze as text and a path, and judge whether every move of the path goes through an open "
                "side.",
                "Choose “valid” (Y) or “not valid” (N), then say how sure you are of it.",
            ),
            "aids": ("Please do it alone, without paper, drawings or other programs.",),
        },
        "example": "An example",
        "example_text": {
            "open": "You stand in {cell} and the open sides are {ways}. The key {way} takes you to {to}. The key "
            "{wall}, "
            "into the wall, is not sent.",
            "bump": "You stand in {cell}. The key {way} takes you to {to}. If you press {wall}, into the wall, you "
            "stay "
            "where you are, and it is counted.",
            "probe": "Where the path has {cell}→{to} and {way} is among the open sides of {cell}, that move is "
            "allowed. "
            "If {wall} is not among them, a move to that side is not, and a path with one such move is not valid.",
        },
        "go_on": "Go on", "back": "Back", "start": "Start", "next": "Next",
        "have_code": "I have a code", "code": "Code", "resume": "Go on with it",
        "check": "Three questions", "check_about": "All three must be right to begin. You can read the rules again.",
        "send": "Send the answers", "reread": "Read the rules again",
        "wrong_answers": "{right} of the three are right. Please read the rules again and answer once more.",
        "unanswered": "Please answer all three.",
        "questions": {
            "where": ("You are in (1,2) and go E (→). Where are you then?", ("(1,3)", "(2,2)", "(0,2)")),
            "regret": ("You have moved and think it was wrong. What do you do?",
                       ("Walk back; that counts as a move too", "Press undo", "Begin the maze anew")),
            "wall_open": ("In a cell whose open sides are E and S you press N. What happens?",
                          ("It is not sent and noted as a slip", "I go through the wall", "The maze ends")),
            "wall_bump": ("You try a side that is closed. What happens?",
                          ("I stay, and the try is counted", "I go through the wall", "Nothing is counted")),
            "valid": ("One move of a path goes through a wall. The path is …",
                      ("not valid", "valid", "valid if it is short")),
            "sure": ("What does 50 % sure mean?",
                     ("Right and wrong are equally likely", "Certainly right", "Certainly wrong")),
        },
        "consent": "Consent", "agree": "I have read this and agree", "disagree": "I do not agree",
        "consent_version": "Version of the consent: {version}",
        "declined": "You did not agree. Nothing has been stored. You can close this window.",
        "your_code": "Your code", "code_about": "Write this code down. You need it to go on later, or to withdraw.",
        "ready": "Maze {n} of {total}", "ready_practice": "Practice {n} of {total}",
        "ready_about": "Size {size}×{size}. Time is taken from when you press start.",
        "ended": {"exit": "You have reached the exit.", "budget": "You have used up your moves.",
                  "gave up": "You have stopped this maze.", "answered": "Your answer is taken.",
                  "unreadable": "This maze is over."},
        "resumed": "You go on exactly where you stopped.",
        "hint": "Once more", "again": "Begin again from the start",
        "here": "You are in", "exit_at": "exit {cell}", "step": "move {n} of {budget}",
        "open_ways": "Open sides", "all_ways": "Sides", "ways": "Choose a side",
        "arrived": "You have come to {cell}.", "closed": "Side {way} is closed. You have stayed where you were.",
        "slip": "That side is closed, so the key was not sent.",
        "tell": "If there is something to say",
        "say": {"dead end": "Dead end", "loop": "I have been here", "strategy change": "I changed my mind"},
        "said": "Noted: {what}. It is sent with your next move.",
        "give_up": "Stop this maze", "give_up_sure": "Stop this maze? You cannot take it up again.",
        "yes_give_up": "Stop it",
        "sure_head": "How sure are you?",
        "sure_about": "How sure are you that {way}, which you chose, is the way to the exit? Move the slider, then "
        "confirm.",
        "sure_probe": "How sure are you of “{what}”? Move the slider, then confirm.",
        "sure_keys": "←→ by 5, with Shift by 1, Enter confirms", "not_at_all": "0 %", "fully": "100 %",
        "confirm": "Confirm", "untouched": "Move the slider first.",
        "probe": "Is this path valid?", "maze_text": "Maze", "path": "Path",
        "valid": "Valid", "invalid": "Not valid",
        "done": "That was all. Thank you!", "done_about": "You have done {n} mazes. You can close this window.",
        "withdraw": "Withdraw from the study", "withdraw_sure": "Withdraw? What was recorded is left out of every "
        "analysis, and this code cannot be used again.", "yes_withdraw": "Withdraw", "no": "No, go back",
        "withdrawn": "You have withdrawn. What was recorded is left out of every analysis.",
        "elsewhere": "This game goes on in another window. Continue there, or take it up here.",
        "here_instead": "Take it up here",
        "silent": "The program does not answer. Reload the page; you go on where you stopped.",
        "not_now": "That cannot be done now. Look at the page and try again.",
        "no_code": "This study has no such code. See whether it is the one you wrote down.",
        "changed": "The study was changed since, so this code cannot go on. Please tell the researcher.",
        "gone_code": "The person with this code has withdrawn.",
        "not_stored": "It could not be stored, so nothing has happened. Please try again. ({what})",
        "synthetic": "synthetic player",
        "picture": "{size}×{size} grid, you are in {cell}, the exit is {exit}", "picture_trail": ", {n} cells walked",
    },
}  # fmt: skip
