"""Judging steps exactly: what is right, what is wrong, what is neither; the summary P_R."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallumaze_kit.errors import InputError
from hallumaze_kit.reasoning import ArithmeticVerifier, StepVerifier, parse_trace, step_validity
from hallumaze_kit.reasoning.checking.algebra import rank
from hallumaze_kit.reasoning.expressions.grammar import NoExpression, Undefined, value
from hallumaze_kit.reasoning.expressions.links import expression
from hallumaze_kit.reasoning.expressions.numbers import korean_numeral, named_values

CHECK = ArithmeticVerifier()


def labels(*steps, problem=""):
    return [verdict.label for verdict in CHECK.explain(problem, list(steps))]


def label(step, problem=""):
    return labels(step, problem=problem)[0]


@pytest.mark.parametrize(
    "step",
    [
        "16.99+13.99*2=44.97",  # G8
        "12 × 15 = 180 rolls", "180 ÷ 3 × 2 = 120", "2/3 of 180 is 120", "20÷(1/3)=60", "1 - 0.20 = 0.80",
        "100% - 40% = 60%", "4 sodas / 12 sodas * 100% = 33.333...%", "20% * 3 = 60%", "15/60*100 = 25%",
        "$2\\tfrac{5}{6}+\\frac{1}{6}=3$", "2 5/6 + 1/6 = 3", "½ + ¼ = ¾", "3×4 = １２", "2^3 = 8", "3² = 9",
        "9:40 + 3:00 = 12:40", "9:40 plus 2 hours is 11:40", "1 minute = 60 seconds", "2 h 45 min + 10 min = 175 min",
        "3 * 0.8 = 2.4 billion", "$400 000 - $250 000 = $150 000", "1,236만 7295 - 7295 = 12,360,000",
        "half of 60 is 30", "twice as many as 18 is 36", "3 times 5 is 15",
        "361에서 86을 빼면 275이므로", "12와 8을 더하면 20이다",
        "60의 절반은 30개입니다", "255÷15=17이니 17칸이 필요합니다",
        "7.5 pounds / .5 pound/toy = 15 toys", "He is 9 because 4 + 5 = <<4+5=9>>9", "0.1 + 0.2 = 0.30000000000000004",
        "5 dollars = 500 cents", "70 x 3 = 210", "**9** + **3** = **12**", "-3 - 4 = -7", "6 * -2 = -12",
        "for a total of $<<30*7=210>>210", "$3.30 x 3 = $<<3*3=9.90>>9.90",
    ],
)  # fmt: skip
def test_what_is_right(step):
    assert label(step) == "correct"


@pytest.mark.parametrize(
    "step",
    [
        "36 / 3 = <<36/3=12.0>>18", "20 / (1/3) = <<20/(1/3)=80>>80", "5005 cents * 1000 = <<5005*1000=5005000>>500000",
        "10 * (2/3) = 8", "90+72=152", "75 ÷ 1.5 = 45 minutes", "4 cars / 20 cars * 100% = 25%", "8/24 = 3 trips",
        "2 degrees Celsius - 8 degrees Celsius = 10 degrees", "361에서 86을 빼면 285이므로",
        "11:40 plus 55 minutes is 12:40",
        "77 minutes / 60 minutes/hour = 1 hour 28 minutes", "35.0*(1/2) = 17.0", "5 / 0 = 0", "50% + 40% + 80% = 100%",
        "12×15=170개", "half of 60 is 35", "3 hours - 60 minutes = 1 hour",
    ],
)  # fmt: skip
def test_what_is_wrong(step):
    assert label(step) == "wrong"


@pytest.mark.parametrize(
    ("step", "found"),
    [
        ("10 / 3 = 3.3", "rounded"), ("50 pounds/3 = <<50/3=16.666666666666668>>16.66", "rounded"),
        ("48 / 1.08 ≈ 44.44", "rounded"),
        ("200/60 = 4 buses", "rounded"),
        ("4.20 + 9.45 + 1.35 = $<<4.20+9.45+1.35=14.999999999999998>>14.99", "rounded"),
        ("40/3 = 13 books", "cut"), ("20/3 = 6", "cut"), ("60 - 208 = $<<60-208=-148>>148 more", "sign"),
        ("5 - 6.5 = 1.5", "sign"), ("40 * 5% = 200", "percent"), ("0.5 * 40% = 20 minutes", "percent"),
        ("12 / 10 = 1.2%", "percent"), ("180 - 120 = 60 / 2 = 30", "notation"), ("x + 3 = 12", "set up"),
        ("There are 5 apples.", "unchecked"), ("James + 1 = 9", "unchecked"), ("unit = 18 pages", "unchecked"),
    ],
)  # fmt: skip
def test_what_is_neither_right_nor_wrong(step, found):
    assert label(step) == found


def test_g7_a_chain_is_judged_link_by_link():
    (verdict,) = CHECK.explain("", ["2*3=6+1=7"])
    assert [(judged.link.written, judged.exact == judged.stated) for judged in verdict.judged] == [
        ("2*3=6+1", False), ("6+1=7", True)
    ]  # fmt: skip
    assert [judged.label for judged in verdict.judged] == ["notation", "correct"]
    assert verdict.label == "notation" and verdict.judged[-1].stated == 7
    assert label("2*3=6+1=8") == "wrong", "where the chain ends wrongly, notation is no excuse"


def test_a_running_total_goes_on_from_the_value_before():
    assert labels("5 + 3 = 8", "+ 2 = 10", "* 3 = 30") == ["correct"] * 3
    assert labels("5 + 3 = 8", "+ 2 = 11") == ["correct", "wrong"]


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        (["3x - 12 = 2x + 7", "x - 12 = 7", "x = 19"], ["set up", "correct", "correct"]),
        (["3x - 12 = 2x + 7", "x = 18"], ["set up", "wrong"]),
        (["x+x+23=80", "Subtracting 23 from both sides, we get 2x=77"], ["set up", "wrong"]),
        (["x^2 = 9", "x = -3"], ["set up", "correct"]),
        (["0.88p = 48", "p = 54.55"], ["set up", "rounded"]),
        (["S + G = 70 and G = 3S", "S + 3S = 70", "4S = 70", "S = 15"], ["set up", "correct", "correct", "wrong"]),
        (["x^2 - 4x = x(x - 4)"], ["correct"]), (["(x-2)^2 - 4 = x^2 - 4x"], ["correct"]),
        (["Red chickens: x+5x+2=7x+2"], ["wrong"]),
        (["x = 19", "x^2 - 4x = x(x - 4) = 19 * 15 = 285"], ["set up", "correct"]),
        (["2s + 30 = 110", "Combining like terms, we get 2s = 80"], ["set up", "correct"]),
        (["Let x = 5", "For the second box, x = 7 apples were counted"], ["set up", "set up"]),
    ],
)  # fmt: skip
def test_algebra_follows_or_does_not(steps, found):
    assert labels(*steps) == found


PROBLEM = "Tom buys 12 boxes of 15 pencils. A quarter of them break. A pencil costs $0.40, and he gets a 20% discount."


@pytest.mark.parametrize(
    ("step", "strangers"),
    [
        ("12 * 15 = 180", ()), ("12 * 17 = 204", ("17",)), ("15 / 4 = 3.75", ()), ("0.40 * 0.8 = 0.32", ()),
        ("1 - 0.20 = 0.8", ()), ("15 * 7 = 105 a week", ()), ("100 - 20 = 80", ()), ("12 * 1.08 = 12.96", ("1.08",)),
    ],
)  # fmt: skip
def test_operands_come_from_the_problem_or_common_knowledge(step, strangers):
    (verdict,) = CHECK.explain(PROBLEM, [step])
    assert verdict.strangers == strangers
    assert verdict.label == ("nowhere" if strangers else "correct")


def test_operands_may_come_from_earlier_steps_and_nothing_is_traced_without_a_problem():
    assert labels("12 * 15 = 180", "180 / 4 = 45", "180 - 45 = 135", problem=PROBLEM) == ["correct"] * 3
    assert labels("180 - 45 = 135", problem=PROBLEM) == ["nowhere"]
    assert labels("He keeps 77 aside.", "77 + 12 = 89", problem=PROBLEM) == ["unchecked", "correct"], "named before"
    assert labels("180 - 45 = 135") == ["correct"]
    assert labels("180 - 45 = 130", problem=PROBLEM) == ["wrong"], "a wrong sum is wrong first"


def test_the_verifier_gives_a_value_a_step():
    assert isinstance(CHECK, StepVerifier) and CHECK.family == "arithmetic"
    q = CHECK.verify("", parse_trace("3 + 4 = 7\nSo there.\n7 * 2 = 15\nA: 15").steps)
    assert q[0] == 1 and math.isnan(q[1]) and q[2] == 0
    assert CHECK.verify(None, []).shape == (0,)


# ---- P_R -----------------------------------------------------------------------------------------


def test_step_validity_by_hand():
    made = step_validity([1, 1, 0.25])
    assert pytest.approx(math.sqrt(0.25 ** (1 / 3) * 0.25)) == made.P and made.suspect == 3 and made.checked == 1
    assert pytest.approx(0.6) == step_validity([0.9, 0.4], mix=0).P and step_validity([0.9, 0.4], mix=1).P == 0.4
    assert pytest.approx(0.5) == step_validity([math.nan, 0.5, 0.5]).P
    assert step_validity([math.nan, 0.5, 0.5]).checked == pytest.approx(2 / 3)
    assert step_validity([1, 0, 1]) == (0.0, 2, 1.0)


def test_what_was_not_checked_is_nan_and_not_zero():
    made = step_validity([math.nan, math.nan])
    assert math.isnan(made.P) and made.suspect is None and made.checked == 0
    assert math.isnan(step_validity([]).P) and math.isnan(step_validity([]).checked)


@pytest.mark.parametrize("q", [[1.2], [-0.1], [0.5, 2]])
def test_no_validity_is_outside_its_range(q):
    with pytest.raises(InputError, match="from 0 to 1"):
        step_validity(q)
    with pytest.raises(InputError, match="mix"):
        step_validity([1], mix=2)


def test_padding_with_valid_steps_lifts_the_mean_and_not_the_minimum():
    """The summary's own limit: verbose rationalisation pays, up to the weight of the minimum."""
    bare = step_validity([0.2]).P
    padded = [step_validity([0.2] + [1.0] * n).P for n in (1, 10, 1000)]
    assert bare == pytest.approx(0.2) and padded == sorted(padded) and padded[-1] < math.sqrt(0.2)
    assert step_validity([0.0] + [1.0] * 1000).P == 0, "a wrong sum cannot be padded away"


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=20), st.floats(0, 1))
def test_step_validity_lies_between_the_minimum_and_the_geometric_mean(q, mix):
    made = step_validity(q, mix).P
    assert min(q) - 1e-9 <= made <= float(np.exp(np.mean(np.log(q)))) + 1e-9
    assert pytest.approx(made) == step_validity(q[::-1], mix).P


# ---- expressions ---------------------------------------------------------------------------------


@given(st.integers(-999, 999), st.integers(1, 999), st.sampled_from("+-*/"), st.integers(1, 99))
def test_sums_are_exact(a, b, sign, c):
    exact = {"+": Fraction(a) + b, "-": Fraction(a) - b, "*": Fraction(a) * b, "/": Fraction(a, b)}[sign]
    made = expression(f"({a} {sign} {b}) / {c}")
    assert value(made) == exact / c
    assert label(f"{a} {sign} {b} = {exact.numerator}/{exact.denominator}") == "correct"


def test_bounds_are_kept_and_nothing_is_evaluated():
    for text in ("9**9**9", "2^100000", "2^0.3"):
        with pytest.raises(NoExpression):
            value(expression(text))
    assert expression("(" * 200 + "1" + ")" * 200) is None and expression("1" * 5000) is None
    with pytest.raises(Undefined):
        value(expression("1/(2-2)"))
    assert expression("__import__('os').getpid()") is None


def test_numbers_in_words():
    found = set(named_values("half of 3/8, 20% of $1,200, twenty-five and a third; 세 명, 열두 개, 백 명"))
    assert {Fraction(1, 2), Fraction(3, 8), Fraction(1, 5), 1200, 25, Fraction(1, 3), 3, 100} <= found
    assert (
        korean_numeral("십일만삼천삼백팔십육") == 113386
        and korean_numeral("일억") == 10**8
        and korean_numeral("가") is None
    )


def test_the_rank_of_a_matrix():
    assert rank([[Fraction(1), Fraction(1)], [Fraction(2), Fraction(2)]]) == 1
    assert rank([[Fraction(1), Fraction(2)], [Fraction(3), Fraction(4)]]) == 2 and rank([]) == 0
