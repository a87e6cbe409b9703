"""The same walks with more words: what moves, and what must not."""

import pandas as pd
import pytest
from study.validity.frames import hand_frame

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.study.validity import sample_subjects, told_trials, words_effect
from hallumaze_kit.study.validity.words import TELLINGS, tellings_differ_only_in_words

MAZES = [MazeEngine(5, seed, "wilson", "balanced") for seed in range(4)]
DEEDS = ("sr", "hallucination_count", "backtrack_count", "hrr", "ce", "brs", "acted", "repeat_share", "lure_excess")


@pytest.fixture(scope="module", params=["ko", "en"])
def told(request):
    return told_trials(sample_subjects(8, "plain"), MAZES, MazeConfig(language=request.param))


def rows(table, contrast):
    return table[table["contrast"] == contrast].set_index("metric")


def test_only_words_differ_and_the_replay_finds_the_same_walks(told):
    assert set(told["telling"]) == set(TELLINGS) and tellings_differ_only_in_words(told)
    table = words_effect(told, ["mei"], n_boot=20)
    same = table[table["quantity"] == "pairs read as another walk"]
    assert same["estimate"].tolist() == [0.0, 0.0] and same["n"].tolist() == [32, 32]


def test_deeds_are_not_moved_by_any_words(told):
    table = words_effect(told, DEEDS, n_boot=20)
    moved = table[table["quantity"] == "difference"]
    assert len(moved) == 2 * len(DEEDS) and (moved["estimate"] == 0).all()


def test_the_published_convention_pays_for_untrue_words_and_deeds_do_not(told):
    names = ["published_backtrack_count", "published_mei", "detected", "named", "named_beyond", "untrue_per_move"]
    untrue = rows(words_effect(told, names, n_boot=200), "untrue words − silence")
    for name in ("published_backtrack_count", "published_mei", "detected", "named", "untrue_per_move"):
        assert untrue.loc[name, "low"] > 0, name
    assert untrue.loc["named_beyond", "estimate"] < untrue.loc["named", "estimate"] / 3
    true = rows(words_effect(told, names, n_boot=200), "true words − silence")
    assert true.loc["named_beyond", "low"] > 0.1


def test_a_difference_by_hand():
    parts = []
    for telling, mei in (("silence", 0.2), ("true words", 0.5), ("untrue words", 0.1)):
        values = [mei + 0.01 * x for x in range(6)]
        parts.append(hand_frame(6, mei=values, moves=9, sr=1, hallucination_count=0, backtrack_count=0).assign(
            telling=telling
        ))  # fmt: skip
    parts[2].loc[0, "moves"] = 8  # one of twelve trials is read as another walk
    table = words_effect(pd.concat(parts, ignore_index=True), ["mei", "brs"], n_boot=50)
    assert rows(table, "true words − silence").loc["mei", "estimate"] == pytest.approx(0.3)
    assert rows(table, "untrue words − silence").loc["mei", "estimate"] == pytest.approx(-0.1)
    assert rows(table, "untrue words − silence").loc["mei", "high"] == pytest.approx(-0.1)
    assert table.loc[table["metric"] == "brs", "note"].str.contains("fewer than 5 subjects").all()
    read = table[table["quantity"] == "pairs read as another walk"]
    assert read["estimate"].tolist() == pytest.approx([0, 1 / 12])
    assert read["note"].tolist() == ["", "the replay differs though only words were added"]


def test_a_frame_without_tellings_is_refused():
    with pytest.raises(InputError, match="told must be one of"):
        words_effect(hand_frame(6, mei=0.5))
