"""The 48 published v1.1 trials: the same mazes, the same metrics.

`published_v11_trials.csv` holds figures of the public result files (jaytoone/HalluMaze, MIT licence), and no answers.
`fhr` was derived from the published MEI. `ce` is empty where the public program had no confidences.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from hallumaze_kit import MazeEngine, metrics_from_counts

with (Path(__file__).parent / "published_v11_trials.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))
NAMES = [f"{row['model']}-{row['size']}-{row['seed']}" for row in ROWS]
HALF = 0.5e-4 + 1e-12
"""Half a unit of the fourth decimal."""


def metrics(row: dict[str, str], conventions: str) -> dict[str, float]:
    sr, hc, fhr, bt, lt, size = (int(row[name]) for name in ("sr", "hc", "fhr", "bt", "lt", "size"))
    ce = float(row["ce"]) if row["ce"] else None
    return metrics_from_counts(sr, hc, fhr, bt, lt, ce, size, conventions=conventions)


def test_all_48_trials_are_here():
    assert len(ROWS) == len(set(NAMES)) == 48
    assert {row["model"] for row in ROWS} == {"gpt-4o", "MiniMax-M2.5", "glm-4.7"}


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_the_seed_gives_the_published_maze(row):
    maze = MazeEngine(size=int(row["size"]), seed=int(row["seed"]))
    assert (len(maze.solution), maze.dead_ends) == (int(row["solution_cells"]), int(row["dead_ends"]))


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_the_counts_give_the_published_metrics_to_4_decimals(row):
    made = metrics(row, "published")
    for name, column in (("hrr", "hrr"), ("mei", "mei"), ("brs", "brs"), ("hallumaze_score", "score")):
        # The score is made from a CE that was itself rounded to 4 decimals.
        assert abs(made[name] - float(row[column])) <= HALF * (1.3 if name == "hallumaze_score" else 1), name


def test_the_two_conventions_differ_only_where_nothing_happened_on_the_path():
    """Without a hallucination on the path and without success MEI's middle term is 0.1 of its weight: 0.03."""
    for row in ROWS:
        published, verified = metrics(row, "published"), metrics(row, "verified")
        extra = 0.03 if row["fhr"] == "-1" and row["sr"] == "0" else 0.0
        assert published["mei"] - verified["mei"] == pytest.approx(extra, abs=1e-12)
        assert published["hallumaze_score"] - verified["hallumaze_score"] == pytest.approx(extra / 2, abs=1e-12)
        assert (published["hrr"], published["brs"]) == (verified["hrr"], verified["brs"])


def test_the_flaws_that_the_documentation_names_show_in_the_published_rows():
    nothing = [row for row in ROWS if (row["sr"], row["hc"]) == ("0", "0") and row["lt"] == "0" and not row["ce"]]
    assert len(nothing) >= 8
    assert {row["score"] for row in nothing} == {".365"}, "unsolved, nothing noticed, nothing stated: still 0.365"
    assert max(float(row["mei"]) for row in ROWS) == 0.9
