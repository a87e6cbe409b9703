"""Planted trials: what stands in the table is what the text scores, and luck depends on the trial alone."""

from dataclasses import replace

import pandas as pd
import pytest

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import METRICS, MazeConfig
from hallumaze_kit.study.design import cell_seed
from hallumaze_kit.study.validity import by_subject, planted_trials, sample_subjects
from hallumaze_kit.study.validity.trials import COLUMNS, PUBLISHED
from hallumaze_kit.subjects import FLOOR, SYNTHETIC, Synthetic, Traits
from hallumaze_kit.trial.prompt import build_prompt
from hallumaze_kit.trial.scoring import score_answer

MAZES = [MazeEngine(5, seed, "wilson", "balanced") for seed in range(3)]
SUBJECTS = [*sample_subjects(4, "storyteller"), FLOOR["empty"], SYNTHETIC["hasty"]]


@pytest.fixture(scope="module")
def trials():
    return planted_trials(SUBJECTS, MAZES, MazeConfig(language="en"), seed=5)


def test_each_row_is_what_the_text_scores_by_both_conventions(trials):
    assert list(trials.columns) == list(COLUMNS) and len(trials) == len(SUBJECTS) * len(MAZES)
    at = 0
    for subject in SUBJECTS:
        for maze in MAZES:
            config = MazeConfig(5, language="en")
            luck = cell_seed(5, subject, maze, MazeConfig(5), 0)
            text = subject.answer(build_prompt(maze, config), luck)
            row, at = trials.iloc[at], at + 1
            assert (row["model"], row["maze_id"]) == (subject.name, maze.maze_id)
            verified, published = (score_answer(maze, text, config, conventions=c) for c in ("verified", "published"))
            for name in METRICS:
                assert row[name] == pytest.approx(getattr(verified, name), nan_ok=True), name
            for column, name in PUBLISHED.items():
                assert row[column] == pytest.approx(getattr(published, name), nan_ok=True), name


def test_the_number_of_processes_and_the_company_change_nothing(trials):
    both = planted_trials(SUBJECTS, MAZES, MazeConfig(language="en"), seed=5, n_jobs=2)
    pd.testing.assert_frame_equal(trials, both)
    alone = planted_trials(SUBJECTS[2:3], MAZES[1:2], MazeConfig(language="en"), seed=5)
    mine = trials[(trials["model"] == SUBJECTS[2].name) & (trials["maze_id"] == MAZES[1].maze_id)]
    pd.testing.assert_frame_equal(alone, mine.reset_index(drop=True))


def test_style_and_words_do_not_change_the_walk():
    one = Synthetic("same", Traits(slip=0.1, notice=0.7, repair=0.5, wander=0.3, declare=0.0))
    other = replace(one, style="prose", traits=replace(one.traits, declare=1.0, babble=0.4))
    quiet, loud = (planted_trials([subject], MAZES, MazeConfig(language="ko")) for subject in (one, other))
    same = ["n_moves", "n_illegal", "n_acted", "n_repeats", "sr"]
    pd.testing.assert_frame_equal(quiet[same], loud[same])
    assert loud["n_false"].sum() > quiet["n_false"].sum() == 0


def test_a_hint_is_told_in_group_b_and_nothing_in_a():
    looper = [Synthetic("loops", Traits(notice=0.9, declare=0.0, wander=0.5, forget=0.6))]
    lengths = {}
    for group, arm in (("A", ""), ("B", "none"), ("B", "hint"), ("B", "sham")):
        frame = planted_trials(looper, MAZES, MazeConfig(ariadne_mode=group), arm=arm)
        assert frame["hinted"].any() == (group == "B")
        lengths[group, arm] = frame["n_moves"].tolist()
    assert lengths["A", ""] == lengths["B", "none"] != lengths["B", "hint"]


def test_what_cannot_be_run_is_refused():
    for subjects, mazes, config in (
        ([], MAZES, None),
        ([SUBJECTS[0], SUBJECTS[0]], MAZES, None),
        (SUBJECTS, [], None),
        (SUBJECTS, MAZES, MazeConfig(protocol="stepwise")),
    ):
        with pytest.raises(InputError):
            planted_trials(subjects, mazes, config)


def test_a_subject_is_a_mean_of_trials_or_a_ratio_of_sums(trials):
    table = by_subject(trials, ["mei", "first_hallucination_step", "slip_share", "acted"])
    mine = trials[trials["model"] == "hasty"]
    assert table.loc["hasty", "mei"] == pytest.approx(mine["mei"].mean())
    firsts = mine["first_hallucination_step"]
    assert table.loc["hasty", "first_hallucination_step"] == pytest.approx(firsts[firsts >= 0].mean(), nan_ok=True)
    assert table.loc["hasty", "slip_share"] == pytest.approx(mine["n_illegal"].sum() / mine["n_moves"].sum())
    assert table.loc["empty", ["mei", "slip_share"]].isna().all(), "no answer, no measure"
    assert table.loc["hasty", "trait_slip"] == SYNTHETIC["hasty"].traits.slip
    with pytest.raises(InputError, match="measures must be one of"):
        by_subject(trials, ["merit"])
