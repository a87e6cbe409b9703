"""`parse_answer` on 1 MB of text: real answers over and over, and texts made to trouble a parser."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.report import Line, fastest, seconds
from benchmarks.score import ANSWERS
from hallumaze_kit.trial.parsing import LONGEST_LINE, parse_answer

CHARACTERS = 1_000_000
LIMIT = 1.0
"""Seconds for all of a text."""
GROWTH = 6
"""Times as long as for a quarter of it: 4 is linear, 16 quadratic; the rest is left for noise."""
ABOUT = (
    f"parse_answer, seconds for {CHARACTERS:,} characters (ours) and for a quarter of them (theirs); ratio: of the two "
    "times, 4 is linear. Given up where a part takes longer than the whole may."
)

UNITS = {
    "letters": "a",
    "Hangul": "가",
    "spaces": " ",
    "newlines": "\n",
    "tabs": "\t",
    "digits": "1",
    "( only": "(",
    ") only": ")",
    "[ only": "[",
    "{ only": "{",
    "< only": "<",
    "pipes": "|",
    "commas": ",",
    "hyphens": "-",
    "asterisks": "*",
    "backticks": "`",
    "backslashes": "\\",
    "dollar signs": "$",
    "double quotes": '"',
    "arrows": "→",
    "brackets that nest": "([{",
    "cells (0,0)": "(0,0)",
    "cells a line": "(0,0)\n",
    "a chain that walks": "(0,0)→(0,1)→(1,1)→(1,0)→",
    "a chain with spaces": "(0,0) -> (0,1) -> ",
    "moves (E,S)": "E,S,",
    "<think>": "<think>",
    "<think></think>": "<think></think>",
    "dead end": "dead end ",
    "dead end in Korean": "막다른 길 ",
    "loop detected": "loop detected at (0,0) ",
    "FINAL_PATH": "FINAL_PATH: ",
    "CONFIDENCE_LOG ranges": "step1-7:90, ",
    "step labels": "STEP 1: ",
    "step lines": "STEP 1: (0,0) → [E] | confidence: 90% | why: open\n",
    "steps on one line": "STEP 1: (0,0) → [E] | 90% ",
    "JSON objects": '{"step": 1, "cell": [0, 0], "direction": "E", "confidence": 90}\n',
    "JSON that stays open": '{"path": [[0, 0], ',
    "table rows": "| 1 | (0,0) | E | 90% | open |\n",
    "lines of a maze text": "(0,0): [E→ S↓]\n",
    "LaTeX": "$(0,0) \\rightarrow (0,1)$ ",
    "Korean prose": "출발점에서 동쪽으로 가면 막다른 길인 것 같아서 남쪽으로 내려간 뒤 갈림길을 다시 살펴보았다. ",
    "Korean prose with cells": "(0,0)에서 동쪽으로 가서 (0,1)에 도착했고, 다시 남쪽 (1,1)로 이동했다. ",
    "English prose": "From the start I go east, see that it may be a dead end, turn back and try south instead. ",
    "English prose with cells": "From (0,0) I go east to (0,1), then south to (1,1). ",
}
"""What a text repeats."""


def measure(characters: int = CHARACTERS, repeats: int = 3) -> Iterator[Line]:
    """A line for each text."""
    for what, text in texts(characters).items():
        yield _line(what, text, repeats)


def texts(characters: int) -> dict[str, str]:
    """The texts, each of so many characters.

    A unit without a line break fills one line, and again lines of the longest length that the parser reads whole: of
    longer ones it reads only the beginning.
    """
    made = {}
    for what, unit in {"real answers": real_text(), **UNITS}.items():
        made[what] = repeated(unit, characters)
        if "\n" not in unit:
            made[f"{what}, long lines"] = repeated(repeated(unit, LONGEST_LINE) + "\n", characters)
    return made


def _line(what: str, text: str, repeats: int) -> Line:
    target = f"< {LIMIT:.0f} s, <= {GROWTH}×"
    for share in (256, 64, 16, 4):
        part = text[: len(text) // share]
        took, _ = fastest({what: lambda part=part: parse_answer(part)}, repeats if share == 4 else 1)[what]
        if took > LIMIT:
            return Line(what, "given up", f"{seconds(took)} (1/{share})", target=target, met=False)
    whole, _ = fastest({what: lambda: parse_answer(text)}, repeats)[what]
    return Line(what, seconds(whole), seconds(took), whole / took, target, whole < LIMIT and whole <= GROWTH * took)


def real_text() -> str:
    """The bundled answers, one after the other."""
    return "\n".join(path.read_text("utf-8") for path in sorted(ANSWERS.glob("*.txt")))


def repeated(unit: str, characters: int) -> str:
    """`unit` over and over, cut to so many characters."""
    return (unit * (characters // len(unit) + 1))[:characters]
