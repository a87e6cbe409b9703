"""Tables of planted trials made by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd

from hallumaze_kit.study.validity import PLANTED
from hallumaze_kit.study.validity.trials import COLUMNS, TRAIT


def hand_frame(n: int, mazes: int = 2, family: str = "plain", seed: int = 0, **columns) -> pd.DataFrame:
    """Trials of n subjects on some mazes; a column is a value for all, or a list with one for each subject.

    Traits are drawn apart from each other unless they are given as `trait_…`; what is not given is NaN.
    """
    rng = np.random.default_rng(seed)
    drawn = {TRAIT + name: rng.permutation(n) / n for name in PLANTED}
    rows = []
    for subject in range(n):
        mine = {name: values[subject] for name, values in drawn.items()}
        mine |= {k: v[subject] if isinstance(v, list | np.ndarray) else v for k, v in columns.items()}
        for maze in range(mazes):
            where = {"maze_id": f"{family}-{maze}", "maze_size": 5, "seed": maze}
            rows.append({"provider": "synthetic", "model": f"{family}/{subject:03d}", "family": family} | where | mine)
    return pd.DataFrame(rows).reindex(columns=list(COLUMNS))
