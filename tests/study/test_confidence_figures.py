"""Reliability and ROC: points by hand, against scikit-style ranks, and what the figures say."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from scipy.stats import mannwhitneyu

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.maze.fonts import hangul_family
from hallumaze_kit.records import MazeConfig, to_frame
from hallumaze_kit.study.analysis.confidence import calibration_table, roc_table
from hallumaze_kit.study.design import Design, run_design
from hallumaze_kit.study.showing.paper_figures import WORDS, calibration_figure, roc_figure
from hallumaze_kit.subjects import FLOOR, SYNTHETIC
from hallumaze_kit.trial.scoring import score_answer

LANGUAGES = [
    "en",
    pytest.param(
        "ko", marks=pytest.mark.skipif(hangul_family() is None, reason="no Hangul font (Debian: fonts-nanum)")
    ),
]


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def test_bins_by_hand():
    maze = MazeEngine(5, 3, "wilson")  # (0,0) S, (1,0) S are open, (2,0) E is a wall
    text = "STEP 1: (0,0) → [S] | 90%\nSTEP 2: (1,0) → [S] | 70%\nSTEP 3: (2,0) → [E] | 95%"
    result = score_answer(maze, text, MazeConfig(size=5))
    rows = calibration_table([result]).to_dict("records")
    assert [(r["low_edge"], r["high_edge"], r["n"]) for r in rows] == [(0.7, 0.8, 1), (0.9, 1.0, 2)]
    assert [r["confidence"] for r in rows] == pytest.approx([0.7, 0.925]) and [r["right"] for r in rows] == [1, 0.5]
    assert all(math.isnan(r["low"]) for r in rows) and rows[0]["n_mazes"] == 1
    one = calibration_table([result], bins=1).iloc[0]
    assert (one["n"], one["right"], one["low_edge"], one["high_edge"]) == (3, pytest.approx(2 / 3), 0, 1)


def probes(broken, whole) -> pd.DataFrame:
    """A probe a strength with which the path is called broken."""
    rows = [(True, s) for s in broken] + [(False, s) for s in whole]
    return pd.DataFrame(
        [
            {
                "provider": "p", "model": "m", "subject_kind": "synthetic", "maze_id": str(i),
                "probe_broken": is_broken, "probe_said_valid": strength < 0.5,
                "probe_confidence": max(strength, 1 - strength),
            }
            for i, (is_broken, strength) in enumerate(rows)
        ]
    )  # fmt: skip


def test_the_roc_by_hand():
    table = roc_table(probes([0.9, 0.4], [0.6, 0.1]))
    assert table["area"].iloc[0] == 0.75
    assert list(zip(table["alarm_rate"], table["hit_rate"], strict=True)) == [
        (0, 0), (0, 0.5), (0.5, 0.5), (0.5, 1), (1, 1),
    ]  # fmt: skip
    assert table["strength"].tolist()[1:] == pytest.approx([0.9, 0.6, 0.4, 0.1])


def test_the_area_is_that_of_ranks():
    rng = np.random.default_rng(4)
    broken, whole = rng.choice([0.1, 0.3, 0.6, 0.8, 0.95], 40), rng.choice([0.1, 0.3, 0.6, 0.8], 30)
    expected = mannwhitneyu(broken, whole).statistic / (40 * 30)
    assert roc_table(probes(broken, whole))["area"].iloc[0] == pytest.approx(expected)


def test_one_class_alone_has_no_roc_and_what_is_no_frame_is_refused():
    assert roc_table(probes([0.9], [])).empty
    with pytest.raises(InputError):
        roc_table([1])
    with pytest.raises(InputError):
        roc_figure(roc_table(probes([0.9], [])))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_figures_name_their_subjects_and_say_who_follows_rules(language):
    mazes = [MazeEngine(5, seed, "wilson") for seed in range(6)]
    walks = run_design(Design([SYNTHETIC["careful"], SYNTHETIC["talker"]], mazes), progress=False)
    judged = run_design(Design([FLOOR["oracle"]], mazes, [MazeConfig(protocol="probe")]), progress=False)
    for figure, names in (
        (calibration_figure(calibration_table(walks, n_boot=100), language), ("careful", "talker")),
        (roc_figure(roc_table(to_frame(judged)), language), ("oracle",)),
    ):
        said = "\n".join(t.get_text() for t in figure.findobj(lambda artist: hasattr(artist, "get_text")))
        assert all(name in said for name in names) and WORDS[language]["ruled"] in said
