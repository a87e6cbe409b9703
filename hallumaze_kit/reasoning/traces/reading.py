"""From a pasted text to a trace: thinking apart, steps numbered, the answer found."""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from hallumaze_kit.errors import InputError
from hallumaze_kit.reasoning.traces.answers import Found, last_number, stated_in
from hallumaze_kit.reasoning.traces.trace import ReasoningTrace, Step

LONGEST_TEXT = 4_000_000
MOST_STEPS = 20_000
"""Beyond these the rest is not read, and a note says so."""

_THINK = re.compile(r"<\s{0,2}(/?)\s{0,2}(?:think|thinking|thought|reasoning)\s{0,2}>", re.I)
_NUMBERED = re.compile(
    r"^\s{0,8}(?:#{1,6}\s*)?(?:[*_]{2}\s*)?((?:step|단계)\s*(\d{1,5})|(\d{1,5})\s*단계|(?:\((\d{1,5})\)|(\d{1,5})[.)])(?=\s))"
    r"\s*(?:[*_]{2})?\s*[:.)-]?\s*(?:[*_]{2})?\s*[:.]?\s*",
    re.I,
)
_BULLET = re.compile(r"^\s{0,12}([-*•‣▪◦])\s+")
_HEADING = re.compile(r"^\s{0,3}#{1,3}\s+|^\s*\*\*[^*]{1,120}\*\*:?\s*$")
_NO_CONTENT = re.compile(r"^\s*(?:```.*|~~~.*|-{3,}|={3,}|\*{3,}|\|?[\s:|-]*-[\s:|-]*\|?|\$\$|\\\[|\\\])\s*$")
_CONCLUSION = re.compile(
    r"^\W{0,4}(?:so|thus|therefore|hence|finally|in total|in conclusion|따라서|그러므로|결국|결론)\b", re.I
)
_SENTENCE = re.compile(r"(?<=[.!?。])\s+(?=\S)")
_ABBREVIATED = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|No|vs|e\.g|i\.e|approx|a\.m|p\.m)|\b[A-Z])\.$|(?:^|\s)\d{1,3}\.$")
_BROKEN_OFF = re.compile(r"[A-Za-z,(+*/=<-]$")


class _Line(NamedTuple):
    text: str
    label: str
    number: int | None
    heading: bool
    gap: bool


def parse_trace(text: str, problem: str | None = None, family: str = "unknown") -> ReasoningTrace:
    """Read a chain of thought.

    Numbered ("Step 3:", "3.", "3단계"), bulleted and line-a-step texts are read as such; one paragraph is split in
    sentences; blank lines make no difference. GSM8K's marks (`<<3*4=12>>`, `####`, `A:`), boxes, "the answer is" and
    "답:" give the answer; without any, it is the last number. A thinking block is set apart, an unclosed one means
    that there is no answer.

    "She has 3 + 4 = 7.\\\\nThe answer is 7." gives one step and the answer "7".

    Parameters
    ----------
    text : the model's text, of any content; nothing in it is evaluated
    problem : the problem's text, to which operands are traced
    family : the model family that wrote it

    Returns
    -------
    ReasoningTrace; `notes` tells what was not read (texts over 4,000,000 characters, steps over 20,000).
    """
    for name, given in (("text", text), ("problem", problem or "")):
        if not isinstance(given, str):
            raise InputError(name, given, "text")
    notes = []
    if len(text) > LONGEST_TEXT:
        notes.append(f"Only the first {LONGEST_TEXT:,} characters were read.")
        text = text[:LONGEST_TEXT]
    spoken, thinking, unclosed = thinking_apart(text)
    lines = _lines(spoken)
    found, steps = _steps(lines)
    if len(steps) > MOST_STEPS:
        notes.append(f"Only the first {MOST_STEPS:,} of {len(steps):,} steps were read.")
        steps = steps[:MOST_STEPS]
    broken = unclosed or _breaks_off(steps, found)
    if unclosed:
        notes.append("The text ends in its thinking.")
        found = None if found is None or not found.stated else found
    elif found is None and steps:
        found = last_number(steps[-1].text)
        if found is not None:
            notes.append("No answer is announced: the last number is taken.")
    return ReasoningTrace(
        problem=problem,
        steps=tuple(steps),
        answer=found.answer if found else None,
        answer_text=found.text if found else "",
        stated=bool(found and found.stated),
        thinking=thinking,
        truncated=broken,
        family=family,
        notes=tuple(notes),
    )


def thinking_apart(text: str) -> tuple[str, str, bool]:
    """The text without its thinking, the thinking, and whether it is left open.

    Before a lone closing tag all is thinking; after an unclosed opening one too.
    """
    kept, thought = [], []
    at, opened = 0, False
    for tag in _THINK.finditer(text):
        if not tag[1]:
            if not opened:
                kept.append(text[at : tag.start()])
                at, opened = tag.end(), True
            continue
        if not opened:
            thought += kept
            kept = []
        thought.append(text[at : tag.start()])
        at, opened = tag.end(), False
    (thought if opened else kept).append(text[at:])
    return "\n".join(kept), "\n".join(part.strip() for part in thought if part.strip()), opened


def _lines(text: str) -> list[_Line]:
    made = []
    gap = False
    for line in text.splitlines():
        if not line.strip():
            gap = True
            continue
        if _NO_CONTENT.match(line):
            continue
        marked = _NUMBERED.match(line)
        bullet = _BULLET.match(line)
        if marked:
            digits = next(group for group in marked.groups()[1:] if group)
            made.append(_Line(line[marked.end() :].strip(), marked[1], int(digits), line.lstrip().startswith("#"), gap))
        elif bullet:
            made.append(_Line(line[bullet.end() :].strip(), bullet[1], None, False, gap))
        else:
            made.append(_Line(line.strip(), "", None, bool(_HEADING.match(line)), gap))
        gap = False
    return made


def _steps(lines: list[_Line]) -> tuple[Found | None, list[Step]]:
    found, body = _answer_apart(lines)
    numbers = [line.number for line in body if line.number is not None]
    if len(numbers) >= 2 and numbers[0] in (0, 1) and all(b >= a for a, b in itertools.pairwise(numbers)):
        return found, _grouped(body)
    texts = [line for line in body if not (line.heading and not Step(line.text).links)]
    steps = [Step(line.text.lstrip("#").strip(), line.label) for line in texts]
    if len(steps) == 1:
        steps = [Step(sentence, steps[0].label) for sentence in sentences(steps[0].text)]
    return found, [step for step in steps if step.text]


def _answer_apart(lines: list[_Line]) -> tuple[Found | None, list[_Line]]:
    """The last answer that is announced, and the lines that are more than an announcement."""
    found: Found | None = None
    boxed = False
    body = []
    skip = False
    for at, line in enumerate(lines):
        if skip:
            skip = False
            continue
        behind = lines[at + 1].text if at + 1 < len(lines) else ""
        original = f"{line.label} {line.text}" if line.label.startswith("#") else line.text
        told = stated_in(original, behind)
        if told is None:
            body.append(line)
            continue
        in_box = "\\boxed" in line.text
        if in_box or not boxed:
            found, boxed = told, boxed or in_box
        if Step(line.text).links or _says_more(line.text):
            body.append(line)
        elif told.text and told.text not in line.text.replace("**", "") and told.text in behind.replace("**", ""):
            skip = not Step(behind).links
    return found, body


def _says_more(line: str) -> bool:
    """Whether an announcement stands at the end of a paragraph of several sentences."""
    return len(line) > 200 and len(sentences(line)) > 1


def _grouped(body: list[_Line]) -> list[Step]:
    """Numbered steps, each with the lines below it."""
    steps: list[list[str]] = []
    labels: list[str] = []
    last = max(at for at, line in enumerate(body) if line.number is not None)
    for at, line in enumerate(body):
        if line.number is not None:
            steps.append([line.text])
            labels.append(line.label)
        elif not steps:
            if Step(line.text).links:
                steps.append([line.text])
                labels.append("")
        elif at > last and line.gap and _CONCLUSION.match(line.text) and Step(line.text).links:
            steps.append([line.text])
            labels.append("")
        else:
            steps[-1].append(line.text)
    return [Step("\n".join(parts).strip(), label) for parts, label in zip(steps, labels, strict=True)]


def sentences(paragraph: str) -> list[str]:
    """The sentences of a paragraph; abbreviations and numbers do not end one."""
    made: list[str] = []
    for part in _SENTENCE.split(paragraph):
        if made and _ABBREVIATED.search(made[-1]):
            made[-1] = f"{made[-1]} {part}"
        else:
            made.append(part)
    return [sentence for sentence in made if sentence.strip()]


def _breaks_off(steps: list[Step], found: Found | None) -> bool:
    if found is not None or not steps:
        return False
    last = steps[-1].text
    return len(last) > 30 and bool(_BROKEN_OFF.search(last)) and "=" not in last[-30:]
