"""Small frames for the tests of effects."""

from __future__ import annotations

import pandas as pd


def trials(rows, *columns):
    """A frame of trials of a synthetic subject: a maze, then the named columns, in each row."""
    who = {"provider": "synthetic", "model": "s", "subject_kind": "synthetic"}
    return pd.DataFrame([who | dict(zip(("maze_id", *columns), row, strict=True)) for row in rows])


def two_models(one, other, metric="mei"):
    """Values of models x and y on mazes m0, m1, …; None for no trial."""
    rows = []
    for k, pair in enumerate(zip(one, other, strict=True)):
        rows += [(f"m{k}", name, value) for name, value in zip("xy", pair, strict=True) if value is not None]
    return trials(rows, "model", metric)
