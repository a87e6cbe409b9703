"""Reading chains of thought: answers, steps, thinking. C and G cases: faults reported in public tools, as handed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallumaze_kit.errors import InputError
from hallumaze_kit.reasoning import ReasoningTrace, Step, canonical, parse_trace, same_answer
from hallumaze_kit.reasoning.traces import reading
from hallumaze_kit.reasoning.traces.answers import read_number


def answer(text):
    return parse_trace(text).answer


# ---- answers (area C) ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("So the total is $29.00.", "29"),  # C1
        ("It comes to 72 boxes, all together.", "72"),  # C2
        ("**ANSWER: C**", "C"), ("ANSWER: **C**", "C"), ("ANSWER: $C$", "C"),  # C4
        ("The answer is **18**.", "18"), ("Total: \\$460", "460"),  # C4
        ("The answer is 25", "25"), ("it is 33.14", "33.14"), ("The answer is −5", "-5"),  # C5
        ("\\boxed{\\frac{1}{2}}", "\\frac{1}{2}"), ("first \\boxed 3$ then \\boxed{5}", "5"),  # C7
        ("maybe \\boxed{1}, so \\boxed{2}", "2"),  # C7
        ("<think>maybe 7", None), ("maybe 7, no</think>\nAnswer: 8", "8"), ("<think>7</think>8", "8"),  # C8
        ('Format: "Answer: $LETTER".\nCodon ATG (M).\nAnswer: $B', "B"),  # C10
        ("The answer is C because I checked.", "C"), ("Answer seems to be A.\nAnswer: A", "A"),  # C11
        ("The answer is B because a car moves.", "B"),  # C11
        ("3 + 4 = 7\n#### 1,200", "1200"), ("5 + 6 = 11\nA: 11", "11"), ("답: 17명", "17"),
        ("따라서 정답은 9,750원입니다.", "9750"), ("The answer is 12 시 40분.", "12"), ("답: 12시 40분", "12:40"),
        ("The answer is 20%.", "20%"), ("The answer is 2/3.", "2/3"), ("The answer is x = 19.", "19"),
        ("$$\\boxed{20\\text{ days}}$$", "20"), ("**Arrival:** $\\boxed{12{:}40}$", "12:40"),
        ("Answer:\n42", "42"), ("", None), ("no number here", None),
    ],
)  # fmt: skip
def test_the_answer_of_a_text(text, found):
    assert answer(text) == found


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("29.00", "29", True), ("25", "5", False), ("5", "-5", False), ("33.14", "3.14", False),
        ("−5", "-5", True),  # C
        ("2/3", "\\frac{2}{3}", True), ("0.5", "1/2", True), ("\\frac12", "\\frac{1}{2}", True),  # G1
        ("50%", "0.5", True), ("50%", "50", False), ("28%", "28 percent", True),  # G2
        ("0.0000001", "0.0000002", False), ("1/3", "0.333333", True), ("1/3", "0.333", False),  # G4
        ("3*x-1*y+13=0", "3x + 4y + 14=0", False), ("2x + 4 = 0", "x = -2", True), ("x^2-4x", "x(x-4)", True),  # G5
        ("10cm", "100 mm", True), ("10 cm", "10 mm", False), ("12시 40분", "12:40", True), ("17명", "17", True),
        ("C", "c", True), ("C", "B", False), (None, None, False), ("", "", False), ("5", None, False),
    ],
)  # fmt: skip
def test_when_two_answers_are_the_same(one, other, same):
    assert same_answer(one, other) is same
    assert same_answer(other, one) is same


def test_a_bare_number_is_a_percentage_only_where_the_problem_asks_for_one():
    assert same_answer("50%", "50", "What percentage of them?") and same_answer("50", "50%", "몇 퍼센트인가?")
    assert not same_answer("50%", "50", "How many?") and not same_answer("50%", "60", "What percentage?")


def test_equal_answers_are_one_class():
    assert canonical("0.5") == canonical("1/2") == canonical("\\frac{1}{2}") == canonical("50%") == "1/2"
    assert canonical(None) == canonical("  ") == "" and canonical("12:40") != canonical("12.6667")
    assert read_number("2 5/6 hours") == read_number("17/6") and read_number("C") is None


# ---- steps ---------------------------------------------------------------------------------------


def test_blank_lines_make_no_difference():  # G11
    assert [step.text for step in parse_trace("s1\n\ns2").steps] == ["s1", "s2"]
    assert parse_trace("s1\n\ns2").steps == parse_trace("s1\ns2").steps


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Step 1: 3 + 4 = 7\nStep 2: 7 * 2 = 14\nThe answer is 14.", ["Step 1", "Step 2"]),
        ("1. 3 + 4 = 7\n2. 7 * 2 = 14", ["1.", "2."]),
        ("1단계: 3 + 4 = 7\n2단계: 7 * 2 = 14\n답: 14", ["1단계", "2단계"]),
        ("- 3 + 4 = 7\n- 7 * 2 = 14", ["-", "-"]),
        ("3 + 4 = <<3+4=7>>7\n7 * 2 = <<7*2=14>>14\nA: 14", ["", ""]),
        ("**Step 1:** 3 + 4 = 7\n\n**Step 2:** 7 * 2 = 14", ["Step 1", "Step 2"]),
        ("### 1. Sum\n$$3+4=7$$\n\n### 2. Double\n$$7\\times 2=14$$\n\n$$\\boxed{14}$$", ["1.", "2."]),
    ],
)
def test_steps_are_numbered_as_they_stand(text, labels):
    trace = parse_trace(text)
    assert [step.label for step in trace.steps] == labels
    assert trace.answer == "14"
    assert [len(step.links) for step in trace.steps] == [1, 1]


def test_one_paragraph_is_split_in_sentences():
    trace = parse_trace("먼저 12×15=180개를 굽습니다. 그중 120개를 팝니다. 180−120=60이므로 60개가 남습니다.")
    assert len(trace.steps) == 3 and trace.answer == "60" and not trace.stated
    assert len(parse_trace("Mr. Lee has 3.5 kg. He eats 1.5 kg.").steps) == 2


def test_a_decimal_at_the_start_of_a_line_is_no_number_of_a_step():
    trace = parse_trace("3.5 + 4 = 7.5\n7.5 * 2 = 15")
    assert [step.label for step in trace.steps] == ["", ""] and trace.steps[0].text == "3.5 + 4 = 7.5"


def test_thinking_stands_apart_and_breaking_off_is_told():
    trace = parse_trace("<think>3 + 4 = 8?</think>3 + 4 = 7\nThe answer is 7.")
    assert trace.thinking == "3 + 4 = 8?" and len(trace.steps) == 1 and not trace.truncated
    open_one = parse_trace("3 + 4 = 7\n<think>so 7")
    assert open_one.truncated and open_one.answer is None and "The text ends in its thinking." in open_one.notes
    assert parse_trace("3 + 4 = 7\nSo the price of all the apples together would be about the").truncated


def test_a_trace_takes_texts_for_steps_and_keeps_what_it_is_given():
    trace = ReasoningTrace("p", ["3 + 4 = 7"], "7")
    assert trace.steps == (Step("3 + 4 = 7"),) and trace.problem == "p" and trace.family == "unknown"
    assert ReasoningTrace(None, (), None).problem == "" and str(trace.steps[0]) == "3 + 4 = 7"


def test_what_is_too_long_is_told(monkeypatch):
    monkeypatch.setattr(reading, "MOST_STEPS", 3)
    trace = parse_trace("1 + 1 = 2\n" * 5)
    assert len(trace.steps) == 3 and "Only the first 3 of 5 steps were read." in trace.notes
    monkeypatch.setattr(reading, "LONGEST_TEXT", 12)
    assert "Only the first 12 characters were read." in parse_trace("1 + 1 = 2\n" * 5).notes


def test_no_text_is_refused_in_a_sentence():
    with pytest.raises(InputError, match="text must be text"):
        parse_trace(3)


@given(st.text(alphabet="0123456789 .,=+-*/()[]{}<>\\$%^xyab\n:#|단계답은A" + "Step", max_size=300))
def test_any_text_is_read(text):
    trace = parse_trace(text, text)
    assert all(step.text for step in trace.steps)
    for step in trace.steps:
        assert isinstance(step.links, tuple)
