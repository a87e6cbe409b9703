"""Planted subjects: every part of a range holds one, and no trait stands for another."""

from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest

from hallumaze_kit.errors import InputError
from hallumaze_kit.study.validity import FAMILIES, PLANTED, sample_subjects
from hallumaze_kit.study.validity.planting import family_of, uncorrelated


def traits(subjects):
    return pd.DataFrame([asdict(subject.traits) for subject in subjects])[list(PLANTED)]


@pytest.mark.parametrize("family", FAMILIES)
def test_each_part_of_each_range_holds_one_subject(family):
    drawn = traits(sample_subjects(20, family))
    for name, (low, high) in (PLANTED | dict(FAMILIES[family].ranges)).items():
        part = np.floor((drawn[name] - low) / (high - low) * 20).astype(int)
        assert sorted(part) == list(range(20)), name


def test_traits_hardly_correlate():
    ranks = traits(sample_subjects(40, seed=3)).corr("spearman").to_numpy()
    off = np.abs(ranks[~np.eye(len(ranks), dtype=bool)])
    assert off.max() < 0.15  # of 55 pairs at random the largest is 0.4 or so


def test_columns_that_go_together_are_taken_apart():
    ramp = np.arange(30.0)
    columns = np.stack([ramp, ramp + 6 * np.sin(ramp), np.cos(ramp)], axis=1)
    assert np.corrcoef(columns, rowvar=False)[0, 1] > 0.8
    out = uncorrelated(columns)
    assert (np.sort(out, axis=0) == np.sort(columns, axis=0)).all()
    assert abs(np.corrcoef(out, rowvar=False)[0, 1]) < 0.1


def test_too_few_rows_are_left_as_they_are():
    columns = np.array([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0]])
    assert uncorrelated(columns) is columns


def test_the_same_arguments_give_the_same_subjects_and_families_differ():
    assert sample_subjects(5, "silent", 1) == sample_subjects(5, "silent", 1)
    assert sample_subjects(5, "plain", 1) != sample_subjects(5, "plain", 2)
    one, other = traits(sample_subjects(12, "plain", 1)), traits(sample_subjects(12, "tabular", 1))
    assert (one != other).any(axis=None)
    assert {family_of(subject.name) for subject in sample_subjects(3, "shaky")} == {"shaky"} and family_of("x") == ""


@pytest.mark.parametrize(("n", "family"), [(1, "plain"), (5, "royal"), (2.5, "plain")])
def test_what_cannot_be_drawn_is_refused(n, family):
    with pytest.raises(InputError):
        sample_subjects(n, family)
