"""Any text is read without an error, nothing of it is lost, and its scores are in range or NaN with a reason."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trial.test_scoring import check

from hallumaze_kit import MazeEngine, Trace, parse_answer, score_answer
from hallumaze_kit.errors import InputError
from hallumaze_kit.trial.trace import DeadEnd, Loop, Step, StrategyChange

ROOT = Path(__file__).parents[2]
ANSWERS = {path.stem: path.read_text("utf-8") for path in sorted((ROOT / "data" / "answers").glob("*.txt"))}
MAZE = MazeEngine(5, 1001)

PARTS = [
    "STEP 1: (0,0) → [S] | confidence: 90% | x\n", "STEP 2: (1,0) → [S]", "STEP", "Step 3:", "3.",
    "- 3단계: (2,0)에서 동쪽으로", "**Step 4:** From (3,0) I go east to (3,1).",
    "| step | cell | move |\n|---|---|---|\n| 1 | (0,0) | S |\n", "|", "||||", "DEAD_END at (1,1) — backtracking\n",
    "DEAD_END", "막다른 길", "LOOP detected at (0,0) — visited at step 1\n", "LOOP: none",
    "STRATEGY_CHANGE — 왼쪽부터\n", "BACKTRACK_COUNT: 1\n", "HALLUCINATION_COUNT: -3\n", "HALLUCINATION_COUNT: 1e999",
    "CONFIDENCE_LOG: step1:90, step2-7:80\n", "CONFIDENCE_LOG:", "step5-1:50", "step1-99999999:50",
    "FINAL_PATH: (0,0)→(1,0)→(2,0)\n", "FINAL_PATH: E,S,E,S\n", "FINAL_PATH: [[0,0],[1,0]]\n", "FINAL_PATH:",
    "최종 경로: ", "(0,0)", "(999,999)", "(-1,-1)", "(0,", "[0,1]", "（0，1）", "{0,1}", "((((", "]]]]", "→", "->",
    "-->", "$\\rightarrow$", "\\to", "$$(0,0) \\rightarrow (1,0)$$", "⇒", "↓", "N", "동쪽", "east", "North", "90%",
    "0.9", "90/100", "-5%", "1000%", "확신도: 90", "<think>", "</think>", "<thinking>", "< / think >", "<think",
    "think>", "<b>", "<think><think>", "```", "```json\n", '{"steps": [{"cell": [0, 0], "move": "S"}]}',
    '{"path": [[0,0],[1,0]]}', "{", "}", '"', "MAZE 5×5 | START:(0,0) | EXIT:(4,4)\n", "(0,0): [S↓ E→]\n",
    "Seed: 1001", "- STEP N: (r,c) → [방향] | 확신도: XX%\n", "I cannot solve this.", "죄송하지만 풀 수 없습니다.",
    "9" * 5000, "STEP " + "9" * 5000, "(" * 3000, "HALLUCINATION_COUNT: " + "9" * 5000,
    "FINAL_PATH: (" + "9" * 5000 + ",0)→(0,1)", "STEP ٣: (٠,١) → E", "STEP ①: (０,１) → Ｅ", "STEP ²: (0,0) → E",
    "confidence: " + "9" * 400 + "%", "confidence: NaN%", "\n", "\n\n", "\r\n", "\r", "\u2028", "\u2029", "\x0b",
    "\x0c", "\x85", " ", "\t", "\x00", "\ufeff", "\u200b", "\u202e", "\ud800", "\udfff", "\ud83d", "😀", "한",
    "ㅎㅏㄴ", "\u1112\u1161\u11ab", "é", "İ", "ﬀ", "ﷺ", "̀" * 50,
]  # fmt: skip
mixed = st.lists(st.sampled_from(PARTS), max_size=25).map("".join)
spaced = st.lists(st.sampled_from(PARTS), max_size=25).map(" ".join)
lined = st.lists(st.sampled_from(PARTS), max_size=25).map("\n".join)
unicode = st.text(st.characters(min_codepoint=0, max_codepoint=0x10FFFF), max_size=200)
decoded = st.binary(max_size=200).flatmap(
    lambda data: (
        st.sampled_from(
            [data.decode("latin-1"), data.decode("utf-8", "surrogateescape"), data.decode("utf-16-le", "surrogatepass")]
        )
        if len(data) % 2 == 0
        else st.just(data.decode("utf-8", "replace"))
    )
)
dense = st.text(st.sampled_from("STEP0123(),→[]NESW|:%.- \n확신도동서남북<>/think"), max_size=150)
anything = st.one_of(mixed, spaced, lined, unicode, decoded, dense)


def held(text: str) -> Trace:
    """The trace of a text, with what holds for every trace."""
    trace = parse_answer(text)
    assert trace.text == unicodedata.normalize("NFC", text), "nothing of the text is lost"
    for event in trace.events:
        assert isinstance(event, Step | DeadEnd | Loop | StrategyChange)
        for cell in (getattr(event, "cell", None), getattr(event, "to", None)):
            assert cell is None or (len(cell) == 2 and all(type(part) is int for part in cell))
    for step in trace.steps:
        assert step.direction in ("", "N", "E", "S", "W")
        assert step.confidence is None or 0 <= step.confidence <= 100
    for number, percent in trace.confidence_log:
        assert type(number) is int and 0 <= percent <= 100
    for count in (trace.backtracks, trace.hallucinations):
        assert count is None or (type(count) is int and count >= 0)
    assert trace.final_path is None or (trace.final_path and all(len(cell) == 2 for cell in trace.final_path))
    moves = any(step.direction or step.to for step in trace.steps)
    assert moves or trace.final_path or not text.strip() or trace.warnings, "what could not be read is said"
    return trace


@settings(max_examples=600)
@given(anything)
def test_any_text_is_read_and_scored(text):
    trace = held(text)
    result = score_answer(MAZE, text)
    check(result, text)
    assert result.warnings == trace.warnings


@settings(max_examples=300)
@given(anything | st.text(st.sampled_from("북동서남|0(,)→↓1.\n STEP"), max_size=8))
def test_every_event_has_its_place_in_the_text(text):
    """Spans are "first character and the one past the last, in `Trace.text`", events are "in text order"."""
    trace = parse_answer(text)
    places = [event.span for event in trace.events]
    assert all(0 <= start < end <= len(trace.text) for start, end in places)
    assert [start for start, _ in places] == sorted(start for start, _ in places)


@settings(max_examples=150)
@given(anything, st.sampled_from(["verified", "published"]))
def test_the_same_text_is_read_the_same_way_twice(text, conventions):
    assert parse_answer(text) == parse_answer(text)
    one, two = (score_answer(MAZE, text, conventions=conventions) for _ in range(2))
    assert repr(one) == repr(two)


@settings(max_examples=300)
@given(st.sampled_from(sorted(ANSWERS)), st.data())
def test_a_real_answer_cut_doubled_or_shuffled_is_read(name, data):
    text = ANSWERS[name]
    a, b = sorted(data.draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    how = data.draw(st.sampled_from(["head", "tail", "hole", "twice", "turned", "put in", "lines"]))
    lines = text.split("\n")
    changed = {
        "head": text[:a],
        "tail": text[a:],
        "hole": text[:a] + text[b:],
        "twice": text[:b] + text[a:],
        "turned": text[:a] + text[a:b][::-1] + text[b:],
        "put in": text[:a] + data.draw(st.sampled_from(PARTS)) + text[a:],
        "lines": "\n".join(data.draw(st.permutations(lines))),
    }[how]
    held(changed)
    size, seed = (int(part[1:]) for part in name.split("_")[1:3])
    check(score_answer(MazeEngine(size, seed), changed), changed)


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_a_real_answer_decomposed_and_with_other_line_ends_is_the_same_answer(name):
    text = ANSWERS[name]
    size, seed = (int(part[1:]) for part in name.split("_")[1:3])
    maze = MazeEngine(size, seed)
    want = score_answer(maze, text)
    for other in (unicodedata.normalize("NFD", text), text.replace("\n", "\r\n"), "\ufeff" + text, text + "\n\n"):
        made = score_answer(maze, other)
        for field in ("sr", "hallucination_count", "backtrack_count", "loop_count", "moves", "ce", "report_gap"):
            one, two = getattr(want, field), getattr(made, field)
            assert one == two or (one != one and two != two), field
        assert made.metacog_signals == want.metacog_signals


@pytest.mark.parametrize("text", ["", " \n\t ", "?", "안녕하세요", "The maze is interesting.", "STEP", "FINAL_PATH:"])
def test_an_answer_without_a_move_is_not_scored(text):
    result = score_answer(MAZE, text)
    check(result, text)
    counts = ("sr", "hallucination_count", "backtrack_count", "loop_count", "moves")
    assert [getattr(result, name) for name in counts] == [0] * 5 and result.first_hallucination_step == -1
    for name in ("mei", "hrr", "ce", "brs", "hallumaze_score"):
        assert math.isnan(getattr(result, name)) and result.nan_reasons[name] == "no move could be read"
    assert result.failure_mode == "unreadable"


# ---- thinking --------------------------------------------------------------------------------------

thoughts = st.text(st.characters(codec="utf-8", exclude_characters="<>"), max_size=30)
plain = st.sampled_from(["", "STEP 1: (0,0) → [S]\n", "FINAL_PATH: (0,0)→(1,0)\n", "hm\n", "DEAD_END at (1,1)\n"])


@given(st.lists(st.tuples(plain, thoughts), min_size=1, max_size=4), plain)
def test_what_is_thought_is_kept_apart_whole(blocks, last):
    text = "".join(f"{before}<think>{thought}</think>\n" for before, thought in blocks) + last
    trace = held(text)
    for _, thought in blocks:
        assert unicodedata.normalize("NFC", thought).strip() in trace.thinking
    outside = parse_answer("".join(before + "\n" for before, _ in blocks) + last)
    assert [(type(e), getattr(e, "cell", None)) for e in trace.events] == [
        (type(e), getattr(e, "cell", None)) for e in outside.events
    ]
    assert trace.final_path == outside.final_path


TAGS = ["<think>", "</think>", "STEP 1: (0,0) → [S]\n", "<think>x", "a"]


@given(st.lists(st.sampled_from(TAGS), max_size=30).map("".join))
def test_nested_and_broken_tags_are_read(text):
    trace = held(text)
    opened, closed = text.find("<think>"), text.rfind("</think>")
    if opened >= 0 and closed < 0:
        assert trace.truncated, "a block that is never closed"
        assert bool(trace.steps) == ("STEP" in text[:opened])
    if opened < 0 and closed >= 0:
        assert bool(trace.steps) == ("STEP" in text[closed:]), "what stands before a lone closing tag is thinking"


# ---- length ----------------------------------------------------------------------------------------

LONG = 100_000
REPEATED = [
    "(", ")", "[", "<", "→", "-", " ", "\n", "9", "S", "STEP ", "(0,0)", "(0,0)→", "<think>", "</think>",
    "<think></think>", "**", "|", "| ", "a", "가", "동", "not ", "DEAD_END ", "FINAL_PATH: ", "FINAL_PATH: (0,0)\n",
    "\\rightarrow", "$", "{", '{"a":', "STEP 1: (0,0) → [S]\n", "CONFIDENCE_LOG: step1:9\n", "step1:90, ", "0.", "%",
    "\ud800", "\u0300", "1. ", "I go east. ", "from (0,0) ", "0,0 ", "- ", "LOOP ", "no ", "row 1 ", "\r",
]  # fmt: skip


@pytest.mark.parametrize("part", REPEATED, ids=ascii)
def test_a_long_repetition_is_read(part):
    """A quadratic pattern would need minutes for one of these."""
    text = (part * LONG)[:LONG]
    held(text)


@pytest.mark.parametrize("part", ["(", " ", "\n", "9", "a", "가", "|", "**", "→", "\ud800", "\u0300", "\r"], ids=ascii)
def test_a_long_repetition_after_a_good_start_leaves_the_start_as_it_was(part):
    start = "STEP 1: (0,0) → [S]\nSTEP 2: (1,0) → [S]\n\n"
    steps = held(start + part * 2000).steps
    assert [(step.cell, step.direction) for step in steps[:2]] == [((0, 0), "S"), ((1, 0), "S")]


# ---- what is no text -------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [None, 7, b"STEP 1: (0,0)", ["STEP"], Trace()])
def test_what_is_no_text_is_refused(text):
    with pytest.raises(InputError, match="text must be"):
        parse_answer(text)


PRINT_RESULTS = """
from pathlib import Path
from hallumaze_kit import MazeEngine, parse_answer, score_answer
for path in sorted(Path("data/answers").glob("*.txt")):
    size, seed = (int(part[1:]) for part in path.stem.split("_")[1:3])
    text = path.read_text("utf-8")
    print(parse_answer(text), score_answer(MazeEngine(size, seed), text))
"""


def test_an_answer_is_read_and_scored_the_same_way_in_every_process():
    def output(hash_seed: str) -> bytes:
        changed = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONUTF8": "1"}
        done = subprocess.run([sys.executable, "-c", PRINT_RESULTS], cwd=ROOT, env=changed, capture_output=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    first = output("0")
    assert first.count(b"Trace(") == first.count(b"BenchmarkResult(") == 15
    assert output("1") == first and output("777") == first
