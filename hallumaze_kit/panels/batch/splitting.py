"""`split_batch`: several answers in one text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hallumaze_kit.errors import InputError
from hallumaze_kit.panels.batch import marks, rules
from hallumaze_kit.panels.batch.marks import Lines, Mark
from hallumaze_kit.panels.batch.pasted import LARGEST, Pasted


class Part(NamedTuple):
    """A part of a text, in text order; put together, all parts are the text.

    kind    "answer", "prompt" or "separator"
    opener  what began it: "start" (of the text), "user", "assistant", "header", "prompt", "reply", "rule"
    model   as a role line or header before it names it
    """

    kind: str
    text: str
    opener: str = ""
    model: str = ""


def split_batch(text: str, source: str = "pasted text") -> list[Pasted]:
    """The answers in a text, in order; [] for a blank one. One answer alone is given back untouched.

    Answers are parted by the role lines of a transcript ("User:", "ChatGPT said:", "나의 말:", "## Response"), by the
    kit's own prompt before them, by headers ("=== answer 3: gpt-4o ===", "[응답 2] 모델: X") and by bare rules between
    two texts that each look like an answer (see `rules`). Blank lines and bare rules at the edges of an answer belong
    to the separators; every other line is in exactly one answer or prompt.

    Of a transcript, a user's message is the prompt of every answer up to the next one. The kit's prompt belongs to
    the answer after it, and above headers to all of them. A prompt without an answer is kept with the text "".

    Raises `InputError` if `text` is no `str` or longer than `LARGEST`.
    """
    if not isinstance(text, str):
        raise InputError("text", text, "a text")
    if len(text) > LARGEST:
        size = f"{len(text):,} characters"
        raise InputError("text", size, f"at most {LARGEST:,} characters", "Paste it in parts, or choose files.")
    found = list(_answers(cut(text)))
    if not found and text.strip():
        found = [("", text, "")]
    return [Pasted(answer, prompt, model, source, number) for number, (prompt, answer, model) in enumerate(found, 1)]


def cut(text: str) -> list[Part]:
    """The parts of a text: `"".join(part.text for part in cut(text)) == text`."""
    lines = Lines.of(text)
    parts = list(_at_rules(_as_prompts(list(_at_marks(text, _marks(text, lines))))))
    if len(parts) == 1:
        return parts
    return [piece for part in parts for piece in _without_edges(part)]


def _marks(text: str, lines: Lines) -> list[Mark]:
    """All marks of a text in order; a role line comes before a header, both before the kit's prompt."""
    talk = marks.roles(lines)
    taken = {mark.at for mark in talk}
    heads = [mark for mark in marks.headers(lines) if mark.at not in taken]
    heads = heads if len(heads) > 1 or talk else [mark for mark in heads if _counts_alone(mark, text, lines)]
    first_turn = talk[0].at if talk else len(text) + 1
    own = [mark for mark in marks.prompts(lines) if mark.at < first_turn]
    return sorted([*talk, *heads, *own], key=lambda mark: (mark.at, mark.end))


def _counts_alone(mark: Mark, text: str, lines: Lines) -> bool:
    """A single header begins the text, or stands between two answers."""
    before = text[: mark.at]
    opens = mark.at == lines.starts[lines.first()]
    return opens or (rules.looks_like_answer(before) and rules.looks_like_answer(text[mark.end :]))


_KIND = {"user": "prompt", "prompt": "prompt"}


def _at_marks(text: str, found: list[Mark]) -> Iterator[Part]:
    """The text cut at its marks."""
    yield Part("answer", text[: found[0].at] if found else text, "start")
    for mark, end in zip(found, [*(mark.at for mark in found[1:]), len(text)], strict=False):
        yield Part("separator", text[mark.at : mark.end])
        yield Part(_KIND.get(mark.kind, "answer"), text[mark.end : end], mark.kind, mark.model)


def _as_prompts(parts: list[Part]) -> list[Part]:
    """What stands at the beginning or under a header is a prompt where it is no answer and one comes after it."""
    out = list(parts)
    for i, part in enumerate(parts):
        following = next((p for p in parts[i + 1 : i + 3] if p.kind != "separator" and p.opener), None)
        asks = part.opener == "start" or (part.opener == "header" and following and following.kind == "prompt")
        if asks and following and part.text.strip() and not rules.looks_like_answer(part.text):
            out[i] = part._replace(kind="prompt")
    return out


def _at_rules(parts: list[Part]) -> Iterator[Part]:
    """Answers cut at the bare rules that part them."""
    for part in parts:
        if part.kind != "answer":
            yield part
            continue
        lines = Lines.of(part.text)
        opener, at = part.opener, 0
        for number in rules.cuts(lines.lines):
            rule, after = lines.starts[number], lines.starts[number + 1]
            yield Part("answer", part.text[at:rule], opener, part.model)
            yield Part("separator", part.text[rule:after])
            opener, at = "rule", after
        yield Part("answer", part.text[at:], opener, part.model)


def _without_edges(part: Part) -> list[Part]:
    """A part without the blank lines and bare rules at its edges and its last line break, which become separators."""
    if part.kind == "separator":
        return [part]
    lines = Lines.of(part.text)
    first, last = 0, len(lines.lines)
    while first < last and _is_edge(lines.lines[first]):
        first += 1
    while last > first and _is_edge(lines.lines[last - 1]):
        last -= 1
    if first == last:
        return [Part("separator", part.text), part._replace(text="")]
    begin = lines.starts[first]
    end = begin + len("\n".join(lines.lines[first:last]).rstrip("\r"))
    return [
        Part("separator", part.text[:begin]),
        part._replace(text=part.text[begin:end]),
        Part("separator", part.text[end:]),
    ]


def _is_edge(line: str) -> bool:
    """A blank line or a bare rule; `~~~` is none, as it may close a block of code."""
    return len(line) < 420 and (not line.strip() or ("~" not in line and rules.RULE.match(line) is not None))


def _answers(parts: list[Part]) -> Iterator[tuple[str, str, str]]:
    """(prompt, answer, model) of each answer: which prompt and which header an answer belongs to.

    A prompt above a header that finds no answer (`waiting`) comes with an empty one, so that it is not lost.
    """
    prompt = model = waiting = ""
    asked: list[str] = []
    common = answered = False
    for part in parts:
        if part.opener == "header":
            model = part.model or ("" if answered else model)
            if any(map(marks.holds_maze, asked)):
                if waiting:
                    yield waiting, "", ""
                prompt, asked, common = "\n\n".join(asked), [], True
                waiting = prompt
            answered = False
        if part.kind == "separator" or not part.text.strip():
            continue
        if part.kind == "prompt":
            asked.append(part.text)
            common = False
            continue
        if asked and waiting:
            yield waiting, "", ""
            waiting = ""
        prompt = "\n\n".join(asked) or prompt
        shared = (asked or common or part.opener == "assistant") and part.opener != "rule"
        waiting = "" if shared else waiting
        yield (prompt if shared else ""), part.text, part.model or model
        asked, answered = [], True
    if waiting:
        yield waiting, "", ""
    if asked:
        yield "\n\n".join(asked), "", model
