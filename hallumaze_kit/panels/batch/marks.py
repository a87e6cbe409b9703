"""Lines that part answers: role lines of chat transcripts, the kit's own prompt, headers of answers."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from hallumaze_kit.trial.wording import SO_FAR, rule_lines
from hallumaze_kit.trial.wording.probe import VALID, probe_lines


class Mark(NamedTuple):
    """Where something begins: the characters `at` to `end` are the separator, what follows is of this kind.

    kind   "user" (a prompt follows), "assistant" (an answer follows), "header" (an answer follows, or its prompt),
           "prompt" and "reply" (the kit's prompt and what follows it; their separator is empty)
    model  as the line names it
    """

    at: int
    end: int
    kind: str
    model: str = ""


class Lines(NamedTuple):
    """The lines of a text without their line breaks, and where each begins (one more: the end of the text)."""

    lines: list[str]
    starts: list[int]

    @classmethod
    def of(cls, text: str) -> Lines:
        """Cut at line feeds only, so that nothing else in the text is touched."""
        lines = text.split("\n")
        starts = [0, *accumulate(len(line) + 1 for line in lines)]
        starts[-1] = len(text)
        return cls(lines, starts)

    def first(self) -> int:
        """The number of the first line that is not blank; 0 if all are."""
        return next((i for i, line in enumerate(self.lines) if line.strip()), 0)


# ---- role lines ---------------------------------------------------------------------------------

_LOOKED_AT = 160
_VERSION = (
    r"(?:[ -]{0,1}(?:\d[\w.]{0,9}|o\d[\w.]{0,8}|[rv]\d[\w.]{0,6}|pro|flash|opus|sonnet|haiku|turbo|mini|nano|advanced"
    r"|plus|thinking|instruct|large|medium|small|chat|coder|x)\b){0,6}"
)
PRODUCT = (
    r"(?:ChatGPT|GPT|Claude|Gemini|Copilot|Grok|DeepSeek|Llama|Mistral|Qwen|Perplexity|Bard|HyperCLOVA|CLOVA"
    rf"|챗GPT|챗지피티|클로드|제미나이|코파일럿){_VERSION}"
)
_ROLE = re.compile(
    r"(?P<head>#{1,6} {1,3})?(?P<open>\*{1,3}|_{1,3}|\[)?(?:[^\w\s#*_\[\]<>|`~.,:;'\"()=+/\\-]{1,3} ?)?"
    r"(?:(?P<user>you said|user said|나의 말|말씀하신 내용|user|human|you|me|prompt|question"
    r"|사용자|질문자|나|질문|프롬프트)"
    rf"|(?P<product>{PRODUCT})(?P<said> said| says|의 말|의 응답|의 답변)?"
    r"|(?P<bot>assistant|ai|bot|model|response|reply|answer|output|completion|어시스턴트|인공지능|모델|응답|답변|답)"
    r"|(?P<system>system|시스템))"
    r"(?: ?\((?P<note>[^()\n]{1,40})\))?[*_\]]{0,3}(?P<colon> ?[:：])?[*_\]]{0,3}(?:(?P<alone>\s*)$|(?=\s))",
    re.I,
)
_SAID = ("you said", "user said", "나의 말", "말씀하신 내용")
_ASKING = ("prompt", "question", "질문", "프롬프트")
_OF_A_QUESTION = ("answer", "output", "model", "completion", "reply", "답", "모델")
"""Words that stand in answers too: they begin one only where a question or prompt is named in the same style."""
_ALONE_ONLY = (*_OF_A_QUESTION, "me")
_BARE = ("you", "user", "human", "나", "사용자", "assistant", "어시스턴트")
_STRONG = ("assistant", "어시스턴트")


class _Role(NamedTuple):
    line: int
    length: int
    side: str
    word: str
    style: str
    model: str


def roles(lines: Lines) -> list[Mark]:
    """The role lines of a transcript, all in the style of the first that has both sides; none where there is none."""
    found = [role for i, line in enumerate(lines.lines) if (role := _role(i, line))]
    first = lines.first()
    for style in dict.fromkeys(role.style for role in found):
        same = _in_style([role for role in found if role.style == style])
        sides = {role.side for role in same}
        opens = bool(same) and same[0].line == first and (same[0].word in _STRONG or same[0].style == "said")
        if {"user", "assistant"} <= sides or ("assistant" in sides and opens):
            return [_as_mark(lines, role) for role in same]
    return []


def _role(number: int, line: str) -> _Role | None:
    """The role that a line names at its beginning, None if it names none."""
    indent = len(line) - len(line.lstrip())
    m = _ROLE.match(line[indent : indent + _LOOKED_AT]) if indent < 8 else None
    if not m:
        return None
    word = (m["user"] or m["product"] or m["bot"] or m["system"]).lower()
    said = word in _SAID or bool(m["said"])
    alone = m["alone"] is not None and len(line) - indent <= _LOOKED_AT
    style = "#" if m["head"] else m["open"][0] if m["open"] else "said" if said else ":" if m["colon"] else "bare"
    if not alone and (not m["colon"] or style == "#" or word in _ALONE_ONLY):
        return None
    if style == "bare" and not (word in _BARE or m["product"]):
        return None
    note = m["note"] or ""
    model = note if note[:1].isalpha() else m["product"] or ""
    side = "assistant" if m["product"] or m["bot"] else "user"
    return _Role(number, indent + (len(line) - indent if alone else m.end()), side, word, style, model)


def _in_style(same: list[_Role]) -> list[_Role]:
    """Without the words that only an asking word makes a role."""
    asks = any(role.word in _ASKING for role in same)
    return [role for role in same if asks or role.word not in _OF_A_QUESTION]


def _as_mark(lines: Lines, role: _Role) -> Mark:
    at, whole = lines.starts[role.line], role.length >= len(lines.lines[role.line])
    if whole:
        return Mark(at, lines.starts[role.line + 1], role.side, role.model)
    rest = lines.lines[role.line][role.length :]
    return Mark(at, at + role.length + len(rest) - len(rest.lstrip(" \t")), role.side, role.model)


# ---- headers of answers -------------------------------------------------------------------------

_ANSWER_HEADER = re.compile(
    r"(?P<deco>[=\-*#_~>]{1,10}\s{0,3})?(?P<open>[\[(【]\s?)?(?:answer|response|reply|응답|답변|답안)\s?"
    r"(?:#|no\. ?)?\d{1,4}(?![\d.,]?\d)\s?(?:번째|번)?(?P<rest>[^\n]{0,100})$",
    re.I,
)
_MODEL_HEADER = re.compile(
    rf"(?:[=\-*#_~]{{2,10}}\s{{0,3}}(?P<name>{PRODUCT})"
    r"|[#*\[]{0,6}\s?(?:model|모델)(?: ?name|명)?\*{0,2}\s?[:：]\*{0,2}\s{0,3}(?P<said>[^\n]{1,60}))"
    r"[\s=\-*#_~:\]]{0,12}$",
    re.I,
)
_TRIM = " \t\r=-*#_~:：|()[]【】·—–."
_LED = re.compile(r"(?:model|모델|by|from)\s?[:：]?\s{1,3}", re.I)
_NO_NAME = re.compile(r"[(\[]\s?\d|→|->|[.?!…]$")


def headers(lines: Lines) -> list[Mark]:
    """Lines that say "answer 3: gpt-4o" in some way. Whether one alone counts is the caller's to say."""
    found = []
    for i, line in enumerate(lines.lines):
        model = _header(line.strip()) if len(line) <= _LOOKED_AT else None
        if model is not None:
            found.append(Mark(lines.starts[i], lines.starts[i + 1], "header", model))
    return found


def _header(line: str) -> str | None:
    """The model that a header line names ("" if none), None if the line is no header."""
    m = _MODEL_HEADER.match(line)
    if m:
        name = (m["name"] or m["said"]).strip(_TRIM)
        return None if _NO_NAME.search(name) else name
    m = _ANSWER_HEADER.match(line)
    if not m:
        return None
    rest = m["rest"].lstrip()
    if rest and not (m["deco"] or m["open"] or rest[0] in ":：(—–-|.[]"):
        return None
    name = _LED.sub("", rest.strip(_TRIM), count=1) if rest else ""
    return None if _NO_NAME.search(name) or len(name) > 60 else name


# ---- the kit's own prompt -----------------------------------------------------------------------

_MAZE = re.compile(r"MAZE (\d{1,3})[×xX]\1\b")
_MAZE_LINE = re.compile(r"\(\d{1,3},\d{1,3}\): ?\[|Seed: ?\d{1,30}$|각 셀에서 이동|Open directions of each cell")
_EDGE = " \t\r-*•>#`"
_SO_FAR = tuple(unicodedata.normalize("NFC", text.split("\n")[0]).strip(_EDGE) for text in SO_FAR.values())
_FROM_STEP = re.compile(r"STEP (\d{1,3})")
_PATH = re.compile(r"\(0,0\)(?:→\(\d{1,3},\d{1,3}\))+$")
_VALID = tuple(unicodedata.normalize("NFC", line) for line in VALID.values())
_GIVEN_STEP = re.compile(r"STEP \d{1,3}: \(\d{1,3},\d{1,3}\) → \[[NESW]\]$")


@cache
def _rules() -> frozenset[str]:
    lines = rule_lines() | probe_lines()
    return frozenset(unicodedata.normalize("NFC", line).strip(_EDGE) for line in lines)


def holds_maze(text: str) -> bool:
    """Does a text hold the first line of a maze text?"""
    return _MAZE.search(text) is not None


def prompts(lines: Lines) -> list[Mark]:
    """Where the kit's prompts begin and end: a maze text with at least two lines of rules around it."""
    marks: list[Mark] = []
    bare: list[str] = []
    heads = [i for i, line in enumerate(lines.lines) if "MAZE " in line and _MAZE.search(line[:_LOOKED_AT])]
    if heads:
        bare = [_bare(line) for line in lines.lines]
    done = 0
    for head in heads:
        if head < done:
            continue
        top, above = _up(bare, head, done)
        bottom, below = _down(bare, head + 1)
        if len(above | below) >= 2:
            marks.append(Mark(lines.starts[top], lines.starts[top], "prompt"))
            marks.append(Mark(lines.starts[bottom], lines.starts[bottom], "reply"))
            done = bottom
    return marks


def _bare(line: str) -> str:
    """A line as it is compared; a long one that is no path is no line of a prompt."""
    whole = len(line) < 400 or line.startswith("(0,0)→")
    return unicodedata.normalize("NFC", line).strip(_EDGE) if whole else "x"


def _up(bare: list[str], head: int, least: int) -> tuple[int, set[str]]:
    """The first line of rules above the maze, and the rules from there on."""
    rules, top, seen = _rules(), head, set()
    for i in range(head - 1, least - 1, -1):
        if bare[i] in rules and bare[i] not in seen:
            top = i
            seen.add(bare[i])
        elif bare[i]:
            break
    return top, seen


def _down(bare: list[str], start: int) -> tuple[int, set[str]]:
    """The line after the maze, rules, a probe's path, an injected walk; a rule that comes again is the answer's."""
    rules, bottom, seen = _rules(), start, set()
    asked = False
    for i in range(start, len(bare)):
        line = bare[i]
        if line in _SO_FAR:
            return _given(bare, i), seen
        if not asked and _PATH.match(line) and _is_asked(bare, i):
            asked, bottom = True, i + 1
            continue
        if line and not _MAZE_LINE.match(line) and (line not in rules or line in seen):
            break
        if line:
            bottom = i + 1
            if line in rules:
                seen.add(line)
    return bottom, seen


def _is_asked(bare: list[str], path: int) -> bool:
    """A chain of cells is a probe's path, and no answer, if the probe's format stands a few lines below it."""
    return any(line in _VALID for line in bare[path + 1 : path + 15])


def _given(bare: list[str], heading: int) -> int:
    """The line after the walk that the prompt carries: as many steps as its introduction tells."""
    number = _FROM_STEP.search(bare[heading + 1]) if heading + 1 < len(bare) else None
    if not number:
        return heading + 1
    bottom, left = heading + 2, int(number[1]) - 1
    for i in range(bottom, len(bare)):
        if bare[i]:
            if not left or not _GIVEN_STEP.match(bare[i]):
                break
            left -= 1
            bottom = i + 1
    return bottom
