"""Tables for a paper: what is rounded, escaped and refused."""

from __future__ import annotations

import csv
import math

import numpy as np
import pandas as pd
import pytest

from hallumaze_kit.errors import FileError, InputError
from hallumaze_kit.study.publication import as_latex, as_markdown, write_table

TABLE = pd.DataFrame(
    {
        "model": ["a_b & c", "가|나", "50% {x}\\"],
        "mei": [0.12345, -0.00004, math.nan],
        "n": [3, 40, 500],
        "p": [-0.5, math.inf, 1e-9],
    }
)


def test_latex_by_hand():
    assert as_latex(TABLE, "Means, 95 %", "tab:means", heads={"mei": "MEI"}) == "\n".join(
        [
            r"\begin{table}[t]", r"\centering", r"\caption{Means, 95 \%}", r"\label{tab:means}",
            r"\begin{tabular}{lrrr}", r"\toprule", r"model & MEI & n & p \\", r"\midrule",
            r"a\_b \& c & 0.123 & 3 & $-$0.500 \\", r"가|나 & 0.000 & 40 & ∞ \\",
            r"50\% \{x\}\textbackslash{} & – & 500 & 0.000 \\", r"\bottomrule", r"\end{tabular}", r"\end{table}", "",
        ]
    )  # fmt: skip


def test_markdown_by_hand():
    assert as_markdown(TABLE[["model", "mei", "n"]], digits=2).splitlines() == [
        "| model | mei | n |",
        "| --- | ---: | ---: |",
        r"| a\_b & c | 0.12 | 3 |",
        r"| 가\|나 | 0.00 | 40 |",
        r"| 50% {x}\\ | – | 500 |",
    ]


def test_the_csv_keeps_names_and_digits(tmp_path):
    paths = write_table(TABLE, tmp_path / "means", "Means", heads={"mei": "MEI"})
    assert [path.name for path in paths] == ["means.tex", "means.md", "means.csv"]
    with paths[2].open(encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["model", "mei", "n", "p"] and rows[1] == ["a_b & c", "0.12345", "3", "-0.5"]
    assert paths[1].read_text("utf-8").startswith("Means\n\n| model | MEI |")
    with pytest.raises(FileError):
        write_table(TABLE, tmp_path / "means.csv" / "below")


def test_a_table_without_rows_has_its_head():
    empty = TABLE.iloc[:0]
    assert as_markdown(empty).splitlines()[0] == "| model | mei | n | p |" and r"\midrule" in as_latex(empty)


def test_values_of_every_kind():
    table = pd.DataFrame({"a": [None, "x\ny", True, np.int64(3), np.float64(2.5), pd.NA]})
    assert [line.strip("| ") for line in as_markdown(table).splitlines()[2:]] == ["–", "x y", "True", "3", "2.500", "–"]


@pytest.mark.parametrize(
    "wrong", [{"table": [1]}, {"table": pd.DataFrame()}, {"digits": -1}, {"digits": 1.5}, {"heads": {"nothing": "x"}}]
)
def test_what_is_no_table_is_refused(wrong):
    with pytest.raises(InputError):
        as_latex(**({"table": TABLE} | wrong))
