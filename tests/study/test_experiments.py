"""The mirage effect and measures by size: numbers worked by hand, pairs by maze, and what the figures say."""

from __future__ import annotations

import math
import warnings

import pytest
from matplotlib import pyplot as plt

from hallumaze_kit import BenchmarkResult, MazeConfig, MazeEngine, to_frame
from hallumaze_kit.errors import InputError
from hallumaze_kit.study import Design, arm_effect, effect_figure, mirage_effect, run_design, size_figure, size_table
from hallumaze_kit.subjects.synthetic import FLOOR, SYNTHETIC

WITH, WITHOUT = MazeConfig(), MazeConfig(use_mirage=False)


def trial(maze, config, mei, placement="balanced", model="m", **more):
    return BenchmarkResult(
        provider="synthetic", model=model, subject_kind="synthetic", maze_id=maze, config=config, mei=mei,
        placement=placement, **more,
    )  # fmt: skip


def only(table):
    (row,) = table.to_dict("records")
    return row


def test_the_effect_is_the_mean_of_the_differences_by_maze():
    results = [trial("a", WITHOUT, 0.9), trial("a", WITH, 0.6), trial("b", WITHOUT, 0.7), trial("b", WITH, 0.7)]
    row = only(mirage_effect(to_frame(results)))
    assert row["difference"] == pytest.approx((0.3 + 0) / 2)
    assert (row["without"], row["with"], row["n_mazes"]) == (pytest.approx(0.8), pytest.approx(0.65), 2)
    assert math.isnan(row["low"]) and row["note"] == "no interval: fewer than 5 mazes"


def test_every_maze_counts_once_and_only_mazes_of_both_conditions_count():
    results = [trial("a", WITHOUT, 0.9), trial("b", WITHOUT, 0.4), trial("b", WITH, 0.2), trial("c", WITH, 0.1)]
    results += [trial("a", WITH, 0.5)] * 3 + [trial("d", WITHOUT, math.nan), trial("d", WITH, 0.5)]
    row = only(mirage_effect(to_frame(results)))
    assert (row["n_mazes"], row["difference"]) == (2, pytest.approx((0.4 + 0.2) / 2))


def test_the_interval_is_of_pairs_so_what_mazes_share_falls_out():
    """Mazes differ a lot, the effect not at all: unpaired it would have a wide interval."""
    results = []
    for i, base in enumerate((0.2, 0.4, 0.5, 0.7, 0.9)):
        results += [trial(f"m{i}", WITHOUT, base), trial(f"m{i}", WITH, base - 0.1)]
    row = only(mirage_effect(to_frame(results)))
    assert [row[name] for name in ("difference", "low", "high")] == pytest.approx([0.1, 0.1, 0.1])


def test_placements_and_subjects_stand_apart():
    results = [
        trial("a", c, m, p, n) for p in ("v1.1", "balanced") for n in "xy" for c, m in ((WITH, 0.5), (WITHOUT, 0.7))
    ]
    table = mirage_effect(to_frame(results))
    assert list(zip(table["model"], table["placement"], strict=True)) == [
        ("x", "balanced"), ("x", "v1.1"), ("y", "balanced"), ("y", "v1.1"),
    ]  # fmt: skip


def test_what_cannot_be_paired_is_nan_and_says_so():
    row = only(mirage_effect(to_frame([trial("a", WITH, 0.5)])))
    assert math.isnan(row["difference"]) and row["note"] == "no maze was scored both without and with lures"
    assert mirage_effect(to_frame([])).empty
    made_by_hand = BenchmarkResult(provider="human", model="group", mei=0.6)
    assert mirage_effect(to_frame([made_by_hand])).empty
    for wrong in ({"frame": 3}, {"frame": to_frame([]), "metric": "luck"}, {"frame": to_frame([]), "n_boot": 0}):
        with pytest.raises(InputError):
            mirage_effect(**wrong)


@pytest.fixture(scope="module")
def frames():
    """(v1.1 and balanced lures with and without, three sizes), by subjects whose traits are known."""
    subjects = [SYNTHETIC["gullible"], FLOOR["never_hint"]]
    out = []
    for placement in ("v1.1", "balanced"):
        mazes = [MazeEngine(size, seed, "dfs", placement) for size in (5, 7) for seed in range(6)]
        out += run_design(Design(subjects, mazes, [WITHOUT, WITH]), progress=False)
    return to_frame(out)


def test_v11_lures_show_the_way_to_whoever_distrusts_them_and_balanced_ones_do_not(frames):
    detours = mirage_effect(frames, "excess").set_index(["model", "placement"])["difference"]
    solved = mirage_effect(frames, "sr").set_index(["model", "placement"])["difference"]
    assert detours["never_hint", "v1.1"] > 0 > detours["gullible", "v1.1"]
    assert solved["never_hint", "v1.1"] == 0 < solved["never_hint", "balanced"]


def test_a_size_has_its_own_leaderboard(frames):
    table = size_table(frames, ["sr"])
    assert list(zip(table["maze_size"], table["model"], strict=True)) == [
        (5, "gullible"), (5, "never_hint"), (7, "gullible"), (7, "never_hint"),
    ]  # fmt: skip
    five = frames[(frames["maze_size"] == 5) & (frames["model"] == "gullible")]
    assert table.loc[0, "sr"] == five["sr"].mean() and table.loc[0, "n_mazes"] == 6
    assert size_table(to_frame([])).empty
    with pytest.raises(InputError):
        size_table([])


# ---- figures -------------------------------------------------------------------------------------


def words(figure):
    figure.draw_without_rendering()
    found = [text.get_text() for text in figure.findobj(plt.Text) if text.get_text()]
    return "\n".join(found)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_figures_say_what_is_synthetic_and_miss_no_glyph(frames, language):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        effect = words(effect_figure(mirage_effect(frames), language=language))
        size = words(size_figure(size_table(frames), language))
    kinds = {"en": ("(synthetic)", "(floor)", "not models"), "ko": ("(합성)", "(하한 기준)", "모델이 아님")}[language]
    for said in (effect, size):
        assert all(kind in said for kind in kinds)
    assert {"en": "v1.1 lures", "ko": "v1.1 유혹"}[language] in effect
    plt.close("all")


def test_where_less_is_better_the_sides_change_places(frames):
    places = {}
    for metric in ("mei", "excess"):
        ax = effect_figure(mirage_effect(frames, metric), metric=metric).axes[0]
        places[metric] = {text.get_text(): text.get_position()[0] for text in ax.texts}
    assert places["mei"]["lures help"] == places["excess"]["lures harm"] == 0
    plt.close("all")


def test_real_models_are_not_called_synthetic():
    results = [
        trial("a", c, 0.5, model="gpt-4o").replace(provider="openai", subject_kind="llm", sr=1.0, excess=12.0)
        for c in (WITH, WITHOUT)
    ]
    table = size_table(to_frame(results))
    figure = size_figure(table)
    said = words(effect_figure(mirage_effect(to_frame(results)))) + words(figure)
    assert "gpt-4o (real)" in said and "not models" not in said
    assert [ax.get_yscale() for ax in figure.axes] == ["linear", "log", "linear"]
    plt.close("all")


def test_the_same_figure_shows_arms():
    mazes = [MazeEngine(5, seed, "wilson") for seed in range(6)]
    design = Design([SYNTHETIC["hasty"]], mazes, [MazeConfig(ariadne_mode="C")], arms=("hint", "sham", "none"))
    table = arm_effect(to_frame(run_design(design, progress=False)))
    said = words(effect_figure(table, "contrast"))
    assert "hint − sham" in said and "sham − nothing said" in said and "hasty (synthetic) · " in said
    missing = table.assign(difference=math.nan, low=math.nan, high=math.nan)
    assert words(effect_figure(missing, "contrast")).count("n/a") == 3 + 1  # and the note that explains it
    plt.close("all")


def test_figures_refuse_what_they_cannot_show(frames):
    table = size_table(frames)
    many = mirage_effect(to_frame([]))
    for call in (
        lambda: effect_figure(many), lambda: effect_figure(mirage_effect(frames), "contrast"),
        lambda: effect_figure(mirage_effect(frames), "size"), lambda: size_figure(table, metrics=["luck"]),
        lambda: size_figure(table.iloc[:0]), lambda: size_figure(table, "fr"),
    ):  # fmt: skip
        with pytest.raises(InputError):
            call()
