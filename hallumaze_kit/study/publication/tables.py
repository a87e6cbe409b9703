"""A table as a paper prints it: LaTeX (booktabs), Markdown, and the CSV with every digit."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import InputError, check_whole
from hallumaze_kit.records.atomic import write_whole

if TYPE_CHECKING:
    import pandas as pd

MISSING = "–"
"""What stands where a number could not be computed."""
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "−": r"$-$", "Δ": r"$\Delta$", "δ": r"$\delta$", "κ": r"$\kappa$", "ρ": r"$\rho$", "τ": r"$\tau$",
    "′": r"$'$", "×": r"$\times$", "≤": r"$\le$", "≥": r"$\ge$",
}  # fmt: skip
_MARKDOWN = str.maketrans({"|": r"\|", "*": r"\*", "_": r"\_", "`": r"\`", "<": "&lt;", "\\": r"\\", "\n": " "})


def as_latex(
    table: pd.DataFrame, caption: str = "", label: str = "", digits: int = 3, heads: Mapping[str, str] | None = None
) -> str:
    """A LaTeX table in the style of booktabs, one row a row of `table`, without its index.

    Numbers are rounded to `digits` (whole numbers stay whole, NaN is "–") and stand to the right, words to the left;
    characters that LaTeX gives a meaning are escaped. `heads` names columns anew.

    Raises `InputError` for what is no table, one without columns, digits below 0 or an unknown column in `heads`.
    """
    heads = _checked(table, digits, heads)
    shape = "".join("r" if _numeric(table[name]) else "l" for name in table.columns)
    lines = [r"\begin{table}[t]", r"\centering", *([rf"\caption{{{_latex(caption)}}}"] if caption else [])]
    lines += [*([rf"\label{{{label}}}"] if label else []), rf"\begin{{tabular}}{{{shape}}}", r"\toprule"]
    lines += [" & ".join(_latex(heads.get(name, str(name))) for name in table.columns) + r" \\", r"\midrule"]
    lines += [" & ".join(_latex(_cell(value, digits)) for value in row) + r" \\" for row in _rows(table)]
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}", ""]
    return "\n".join(lines)


def as_markdown(table: pd.DataFrame, digits: int = 3, heads: Mapping[str, str] | None = None) -> str:
    """The table in Markdown, one row a line; see `as_latex` for what is rounded, named and raised."""
    heads = _checked(table, digits, heads)
    names = [heads.get(name, str(name)).translate(_MARKDOWN) for name in table.columns]
    marks = ["---:" if _numeric(table[name]) else "---" for name in table.columns]
    rows = [[_cell(value, digits).translate(_MARKDOWN) for value in row] for row in _rows(table)]
    return "\n".join(f"| {' | '.join(row)} |" for row in [names, marks, *rows]) + "\n"


def write_table(
    table: pd.DataFrame, stem: str | os.PathLike[str], caption: str = "", label: str = "", digits: int = 3,
    heads: Mapping[str, str] | None = None,
) -> list[Path]:  # fmt: skip
    """Write `stem`.tex, `stem`.md and `stem`.csv; the three paths. The CSV keeps the columns' names and every digit.

    Raises what `as_latex` raises, and `FileError` where a file cannot be written; a file is whole or not there.
    """
    stem = Path(stem)
    texts = {
        ".tex": as_latex(table, caption, label, digits, heads),
        ".md": (f"{caption}\n\n" if caption else "") + as_markdown(table, digits, heads),
        ".csv": table.to_csv(index=False, lineterminator="\n"),
    }
    paths = [stem.with_name(stem.name + ending) for ending in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        write_whole(path, text.encode())
    return paths


def _checked(table: Any, digits: int, heads: Mapping[str, str] | None) -> Mapping[str, str]:
    import pandas as pd

    if not isinstance(table, pd.DataFrame) or not len(table.columns):
        raise InputError("table", type(table).__name__, "a table with columns")
    check_whole("digits", digits, 0)
    unknown = [name for name in heads or {} if name not in table.columns]
    if unknown:
        raise InputError("heads", unknown[0], f"one of {', '.join(map(str, table.columns))}")
    return heads or {}


def _numeric(column: pd.Series) -> bool:
    return column.dtype.kind in "iuf"


def _rows(table: pd.DataFrame) -> Any:
    return table.itertuples(index=False, name=None)


def _cell(value: Any, digits: int) -> str:
    """A value as it is printed: rounded, −0 without its sign, with a true minus."""
    import pandas as pd

    if pd.api.types.is_scalar(value) and pd.isna(value):
        return MISSING
    if isinstance(value, float):
        text = f"{value:.{digits}f}" if math.isfinite(value) else ("∞" if value > 0 else "-∞")
        text = text.removeprefix("-") if not float(text.replace("∞", "1")) else text
        return text.replace("-", "−")
    return str(value).replace("\n", " ")


def _latex(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in text)
