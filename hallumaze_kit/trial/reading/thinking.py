"""Thinking blocks, which are kept apart from an answer and never scored."""

from __future__ import annotations

import re

_THINK = re.compile(r"<\s{0,2}(/?)\s{0,2}(?:think|thinking|thought|reasoning|reflection)\s{0,2}>", re.I)
_NO_LINE_END = re.compile(r"[^\n]")


def set_thinking_apart(folded: str, text: str) -> tuple[str, str, bool]:
    """The folded text with thinking blanked, the thinking, and whether a block is left open.

    `<think>` is markup to the folding, so tags are found in the text as it came. A lone closing tag
    means that all before it is thinking; an unclosed opening one, that all after it is.
    """
    spans: list[tuple[int, int]] = []
    opened: int | None = None
    for tag in _THINK.finditer(text):
        if tag[1]:
            spans.append((opened if opened is not None else (spans[-1][1] if spans else 0), tag.end()))
            opened = None
        elif opened is None:
            opened = tag.start()
    if opened is not None:
        spans.append((opened, len(text)))
    if not spans:
        return folded, "", False
    kept, at = [], 0
    for start, end in spans:
        kept += [folded[at:start], _NO_LINE_END.sub(" ", folded[start:end])]
        at = end
    thinking = "\n".join(_THINK.sub("", text[a:b]).strip() for a, b in spans)
    return "".join([*kept, folded[at:]]), thinking, opened is not None
