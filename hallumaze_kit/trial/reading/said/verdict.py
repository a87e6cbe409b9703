"""`read_probe`: is the path said to be valid, and how sure is the subject? (specification, sections 4 and 8)

1. The text is folded to one spelling, thinking is set apart, lines of the prompt given back are left out.
2. The VALID fields are read; the last one that says yes or no decides.
3. Without one, statements decide, the last one counting: a labelled answer ("Answer: no"), a line that begins with
   yes or no, or a sentence about the path as a whole. A sentence is judged by its last word of judgement and the
   negations around it: "not every move is allowed" no, "no illegal moves" yes. That one move is valid says nothing of
   the path; that one is not, does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hallumaze_kit.trial.reading.thinking import set_thinking_apart
from hallumaze_kit.trial.reading.tokens import fold, normalise, stated_in
from hallumaze_kit.trial.wording.probe import probe_lines

MOST_LINES = 2_000
"""Of a longer reply only this many lines, the last ones, are read for sentences and for a confidence."""
RANGE = "the confidence is a range; its middle counts"
LONGEST_SENTENCE = 2_000
"""A longer sentence, which nobody writes by hand (a path, say), is not judged."""


class ProbeReply(NamedTuple):
    """What a reply to a probe says.

    said_valid  True (every move allowed), False, or None where no yes or no could be read
    confidence  that this judgement is right, 0 to 1, None without one
    warnings    what could not be read, and where the reply contradicts itself
    """

    said_valid: bool | None
    confidence: float | None
    warnings: tuple[str, ...] = ()


_END = r"(?![\w/]|\s?(?:\||/|or\b|또는)\s?[\"'(]?(?:yes|no|true|false|예|네|아니))"
_NO = (
    r"no(?:pe)?|n|false|invalid|not (?:\w{1,12} )?(?:valid|allowed|legal|correct)|incorrect|illegal|wrong"
    r"|아니(?:오|요|다|에요)?|아닙니다|아뇨|아님|무효|거짓|틀[림렸]\w{0,4}|불가\w{0,4}|부적합\w{0,4}"
    r"|유효하지\s?\w{0,6}|허용되지\s?\w{0,6}|비유효\w{0,4}"
)
_YES = (
    r"yes|yep|y|true|valid|correct|legal|(?:all )?allowed|예|네|맞[음습아]\w{0,4}|참|그렇\w{0,6}"
    r"|유효(?:함|하\w{0,4}|합\w{0,3})?|허용(?:됨|되\w{0,4}|됩\w{0,3})?"
)
_POLITE = r"(?:입니다|이다|이에요|예요|임|요)?"
_SAY = rf"(?:(?P<no>(?:{_NO}){_POLITE}{_END}|[✗✘❌✕])|(?P<yes>(?:{_YES}){_POLITE}{_END}|[✓✔✅○]))"
_JOINT = r"[\"')\]\s_]{0,6}(?:[:=|?]|→|\bis\b|은|는)[\"'(\[\s|]{0,6}"
_FIELD = re.compile(
    rf"(?<![a-z])(?:(?:is|path)[ _]?)?(?:valid(?:ity)?(?:[ _]?path)?"
    rf"|유효(?:성|한가|함)?(?:\s?여부)?|허용(?:\s?여부|되는가)){_JOINT}{_SAY}"
    rf"|^\W{{0,8}}valid\s{{1,4}}[-–—]?\s{{0,3}}(?P<bare>(?:yes|no|true|false|예|네|아니오|아니요){_END})",
    re.M,
)
_LABELLED = re.compile(
    rf"(?<![a-z])(?:answer|verdict|conclusion|result|judge?ment|답변?|정답|결론|판정|판단|결과){_JOINT}{_SAY}"
)
_OPENING = re.compile(rf"^\W{{0,8}}{_SAY}(?=\W{{0,8}}$|\s{{0,2}}[.,!;—–-]|(?<![a-z]{{3}}):)")
"""A line that begins with yes or no; "valid:" and "true:" are labels and say nothing."""
_ANSWERS_FIRST = re.compile(r"^\W{0,8}(?:no|yes|nope|예|네|아니오|아니요|아뇨)\s?[,.;—–]")
_LABEL = re.compile(r"^\W{0,8}(?:valid|유효)\w{0,12}[\"')\s]{0,4}[:=]")
_MARK_LINE = re.compile(r"^[^\w✗✘❌✕✓✔✅]{0,8}[✗✘❌✕✓✔✅]")

_BAD = (
    r"\b(?:invalid|illegal|disallowed|forbidden|not-allowed|broken|incorrect)\b"
    r"|\b(?:through|cross\w{0,3}|into|passes|breaks?|hits?) (?:a |the |one |any )?walls?\b|\ba wall (?:between|block)"
)
_GOOD = (
    r"\b(?:valid|legal|allowed|permitted|legitimate|correct)\b"
    r"|\b(?:through|cross\w{0,3}|into|passes|breaks?|hits?) no walls?\b"
)
_ENGLISH = re.compile(
    rf"(?P<bad>{_BAD})|(?P<good>{_GOOD})|(?P<neg>\b(?:not|no|never|none|without|neither|nor|zero)\b|n't\b)"
)
_KOREAN = re.compile(
    r"(?P<bad>무효|불가능|불가하|잘못|위반|틀린|벽을\s?(?:통과|넘|뚫|가로|지나)|부적합)"
    r"|(?P<good>유효|허용|올바[르른]|적법|합법|일치|문제)|(?P<neg>않|못\s?[하합한해가갑]|없|아니|아닙|아님|안\s?[되됩됨])"
)
_PROBLEM = "문제"
_WHOLE = re.compile(
    r"\b(?:path|route|solution|walk|it|every|all|each|entire|whole|everything|none|no|never)\b|경로|모든|모두|전부|전체|각|없|길[은이]"
)
_PART = re.compile(r"\b(?:moves?|steps?|transitions?|edges?|this|that|there)\b|이동|걸음|단계|칸")
_EXCEPT = re.compile(r"\b(?:except|apart from|other than|until|up to|save for)\b|제외|빼고|까지[는만]")
_SUPPOSED = re.compile(
    r"\b(?:if|whether|would|should|could|must|need|let me|let's|let us|check|checking|verify|verifying|determine"
    r"|assum\w{1,4})\b|인지|는지|한지|된지|여부|확인해|확인하|만약|라면|다면|려면"
)
_BREAK = re.compile(
    r"(?<=[.!?;])\s|(?<=다)\.|\n|—|–|, ?(?:but|however|so|therefore|thus|hence|and|which)\b|\bbut\b"
    r"|하지만|그러나|따라서|그러므로|지만|므로"
)
_SURE = re.compile(r"confiden|certain|sure\b|probab|확신|신뢰도|자신감|확률")
_ONLY_NUMBER = re.compile(r"(?:^|[.!?,;]\s)\W{0,6}\d{1,3}(?:\.\d{1,4})?\s?%\W{0,4}$")
_SURE_FIELD = re.compile(
    r"(?:^|[|,;{]|\s)[\W_]{0,8}(?:(?:my|overall|final)\s)?(?:confidence|conf\.?|certainty|확신도?|신뢰도)(?:\s?level)?"
    r"[\"'\s)]{0,4}(?:[:=|]|\s[-–—]\s|는\b|은\b|\bis\b)"
)
_RANGE = re.compile(r"(\d{1,3}(?:\.\d{1,4})?)\s?%?\s?(?:[-–~〜—]|to|에서)\s?(\d{1,3}(?:\.\d{1,4})?)\s?%")
_MAZE_LINE = re.compile(r"^\W{0,6}\(\d{1,3}, ?\d{1,3}\): ?\[|⚑")


def read_probe(text: str) -> ProbeReply:
    """Read a reply to a probe; see the module's docstring.

    Never raises on text, never runs it, is linear in its length. "**VALID:** no" and "CONFIDENCE: 90%" give False
    and 0.9; the format given back ("VALID: yes|no") gives None.
    """
    text = normalise(text)
    folded, _, unclosed = set_thinking_apart(fold(text), text)
    prompt = probe_lines()
    lines = [line for line in folded.split("\n") if line.strip() not in prompt and not _MAZE_LINE.search(line[:40])]
    low = "\n".join(lines).lower()
    fields = [_said(m) for m in _FIELD.finditer(low)]
    last = low.split("\n")[-MOST_LINES:]
    told = _told(last)
    said = fields[-1] if fields else told
    confidence, odd = _confidence(last)
    warnings = [odd] if odd else []
    if unclosed:
        warnings.append("a thinking block is not closed, so what follows its tag is thinking and not an answer")
    if said is None and text.strip():
        warnings.append("no yes or no could be read")
    if len(set(fields)) > 1:
        warnings.append("the reply says both yes and no in its VALID fields; the last one counts")
    elif fields and told is not None and told != said:
        warnings.append("the sentences of the reply say otherwise than its VALID field, which counts")
    return ProbeReply(said, confidence, tuple(warnings))


def _said(match: re.Match[str]) -> bool:
    """True for a yes."""
    bare = match.groupdict().get("bare")
    return bare in ("yes", "true", "예", "네") if bare else match["yes"] is not None


def _told(lines: list[str]) -> bool | None:
    """The last thing said of the whole path outside of the VALID fields."""
    for line in reversed(lines):
        said = [] if _FIELD.search(line) else list(_statements(line))
        if said:
            return said[-1]
    return None


def _statements(line: str) -> Iterator[bool]:
    """What a line says of the whole path, in order."""
    line = _LABEL.sub("", line)
    opening = None if _MARK_LINE.search(line) else _OPENING.search(line) or _LABELLED.search(line)
    if opening:
        yield _said(opening)
        line = line[opening.end() :]
    for sentence in _BREAK.split(line):
        if sentence and len(sentence) <= LONGEST_SENTENCE:
            judged = _judge(sentence)
            if judged is not None:
                yield judged


def _judge(sentence: str) -> bool | None:
    """What a sentence says of the whole path; None for a question, a supposition, and what is said of one move."""
    if sentence.rstrip().endswith(("?", "까", "까요")):
        return None
    sentence = _ANSWERS_FIRST.sub("", sentence)
    if _SUPPOSED.search(sentence):
        sentence = sentence.rpartition(":")[2]
        if _SUPPOSED.search(sentence):
            return None
    said = _polarity_korean(sentence)
    if said is None:
        said = _polarity_english(sentence)
    if said is None:
        return None
    whole = _WHOLE.search(sentence) is not None
    if said:
        if not whole:
            return None
        return _EXCEPT.search(sentence) is None
    return False if whole or _PART.search(sentence) or _alone(sentence) else None


def _polarity_english(sentence: str) -> bool | None:
    """The last word of judgement, turned round by each negation between it and the word of judgement before."""
    said, negations = None, 0
    for m in _ENGLISH.finditer(sentence):
        if m["neg"]:
            negations += 1
        else:
            said = (m["good"] is not None) != (negations % 2 == 1)
            negations = 0
    return said


def _polarity_korean(sentence: str) -> bool | None:
    """The last word of judgement, turned round by each negation behind it ("문제", a problem, is bad unless absent)."""
    said: bool | None = None
    for m in _KOREAN.finditer(sentence):
        if not m["neg"]:
            said = m["good"] is not None and m[0] != _PROBLEM
        elif said is not None:
            said = not said
    return said


def _alone(sentence: str) -> bool:
    """The sentence is little more than the word of judgement ("Not valid.", "유효하지 않습니다")."""
    return len(sentence.split()) <= 3


def _confidence(lines: list[str]) -> tuple[float | None, str]:
    """The last CONFIDENCE field, else the last confidence told, as a probability; and what is odd about it.

    Of a range ("90-95%") the middle counts.
    """
    said = [line for line in reversed(lines) if _SURE.search(line) or _ONLY_NUMBER.search(line)]
    for line in sorted(said, key=lambda line: _SURE_FIELD.search(line) is None):
        text = line.replace("|", " ")[:LONGEST_SENTENCE]
        stated = stated_in(text)
        if stated is None:
            continue
        spread = _RANGE.search(text)
        if spread and float(spread[1]) <= float(spread[2]) <= 100:
            return round((float(spread[1]) + float(spread[2])) / 200, 10), RANGE
        value, unit = stated
        probability = value if not unit and value <= 1 else value / 100
        if probability > 1:
            return None, "a confidence above 100 % is none"
        return round(probability, 10), ""
    return None, ""
