import math

import pytest

from hallumaze_kit.errors import InputError
from hallumaze_kit.study.effects import Effect, adjusted, refused, tidy


def table(*values):
    return tidy(Effect(analysis="a", quantity="q", p=value) for value in values)


@pytest.mark.parametrize(
    ("method", "expected"),
    [("holm", [0.03, 0.06, 0.06]), ("bh", [0.03, 0.04, 0.04])],
)
def test_corrections_by_hand(method, expected):
    assert adjusted(table(0.01, 0.04, 0.03), method)["p_adjusted"].tolist() == pytest.approx(expected)


def test_rows_without_p_take_no_part():
    out = adjusted(table(0.01, math.nan, 0.04))["p_adjusted"]
    assert out[0] == pytest.approx(0.02) and math.isnan(out[1]) and out[2] == pytest.approx(0.04)


def test_an_empty_table_has_the_columns():
    assert list(adjusted(tidy([])).columns)[:3] == ["analysis", "quantity", "metric"]


def test_refusals_say_why():
    row = refused("one group only", analysis="a", quantity="q")
    assert math.isnan(row.estimate) and row.note == "one group only"


def test_wrong_method_and_table():
    with pytest.raises(InputError):
        adjusted(table(0.1), "bonferoni")
    with pytest.raises(InputError):
        adjusted(table(0.1).drop(columns="p"))
