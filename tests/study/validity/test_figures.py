"""Figures of the validity study: they show their table, say what is synthetic, have every glyph (a warning fails)."""

import math

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.text import Text
from study.validity.frames import hand_frame

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze.fonts import hangul_family
from hallumaze_kit.study.showing.style import COLUMN, PAGE
from hallumaze_kit.study.showing.validity_figures import (
    FROM_0_TO_1,
    LOOKS,
    ablation_figure,
    convention_figure,
    profile_figure,
    recovery_figure,
    words_figure,
)
from hallumaze_kit.study.showing.validity_words import POOLED_NAMES, TRAIT_NAMES, WORDS, measure_name
from hallumaze_kit.study.validity import PLANTED, ablation, propose_profile, trait_recovery, words_effect
from hallumaze_kit.study.validity.recovery import COMPOUNDS, MEASURES
from hallumaze_kit.study.validity.tallies import POOLED, TALLIES
from hallumaze_kit.study.validity.trials import PUBLISHED

LANGUAGES = [
    "en",
    pytest.param(
        "ko", marks=pytest.mark.skipif(hangul_family() is None, reason="no Hangul font (Debian: fonts-nanum)")
    ),
]
RNG = np.random.default_rng(0)


def trials(family="a", seed=0, **columns):
    """Twelve subjects with every measure drawn at random."""
    rng = np.random.default_rng(seed)
    drawn = {name: rng.random(12) for name in (*MEASURES, *PUBLISHED) if name not in POOLED}
    drawn |= {"hallucination_count": rng.integers(0, 9, 12), "sr": rng.integers(0, 2, 12)}
    drawn |= {name: rng.random(12) + 1 for name in TALLIES}
    drawn |= {"first_hallucination_step": 3, "backtrack_count": rng.integers(0, 5, 12), "loop_count": 0, "moves": 20}
    return hand_frame(12, family=family, seed=seed, **drawn | columns)


TRIALS = trials()
SOME = ("sr", "mei", "ce", "detected", "excess", "report_gap", "acted", "lure_excess", "confidence_gap")
RECOVERY = trait_recovery(TRIALS.assign(mei=0.9, ce=TRIALS["trait_doubt"]), SOME, n_boot=20)
TOLD = pd.concat([TRIALS.assign(telling=telling) for telling in ("silence", "true words", "untrue words")])
EFFECT = words_effect(TOLD, n_boot=20)
ABLATION = ablation(TRIALS, TRIALS, TRIALS, TRIALS, n_boot=20)
PROFILE = propose_profile(TRIALS, trials("b", 1), n_boot=20)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def said(figure):
    """All text of a figure; drawing it, which warns of a missing glyph, is done by who makes it."""
    return "\n".join(t.get_text() for t in figure.findobj(lambda artist: hasattr(artist, "get_text")))


def cut_off(figure):
    """Labels, titles and notes that reach over the edge of the figure."""
    wide, high = figure.bbox.width + 1, figure.bbox.height + 1
    labels = [label for ax in figure.axes for label in (ax.xaxis.label, ax.title, *ax.get_yticklabels())]
    labels += [*figure.texts, *(text for legend in figure.legends for text in legend.findobj(Text))]
    boxes = {label.get_text(): label.get_window_extent() for label in labels if label.get_text()}
    return [t for t, box in boxes.items() if box.x0 < -1 or box.y0 < -1 or box.x1 > wide or box.y1 > high]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("draw", "table", "n"),
    [
        (recovery_figure, RECOVERY, 12), (words_figure, EFFECT, 12), (ablation_figure, ABLATION, 12),
        (convention_figure, TRIALS, 12), (profile_figure, PROFILE, 12),
    ],
    ids=["recovery", "words", "ablation", "conventions", "profile"],
)  # fmt: skip
def test_every_figure_says_that_it_is_synthetic_and_of_how_many(draw, table, n, language):
    figure = draw(table, language)
    assert cut_off(figure) == []
    shown = " ".join(said(figure).split())
    assert {"en": "not models", "ko": "모델이 아님"}[language] in shown
    assert {"en": f"n = {n} subjects, 2 mazes", "ko": f"응답자 {n}명, 미로 2개"}[language] in shown
    assert figure.get_figwidth() in (COLUMN, PAGE)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_trait_and_measure_has_a_name_in_both_languages(language):
    assert set(TRAIT_NAMES[language]) == {*PLANTED, *COMPOUNDS}
    assert set(POOLED_NAMES[language]) == set(POOLED)
    names = [measure_name(measure, language) for measure in (*MEASURES, *PUBLISHED)]
    assert len(set(names)) == len(names) and not any("_" in name for name in names)
    assert set(WORDS["en"]) == set(WORDS["ko"])


def test_the_matrix_shows_each_rho_and_frames_what_is_meant():
    figure = recovery_figure(RECOVERY)
    shown = said(figure)
    cells = [line for line in shown.splitlines() if line == "n/a" or line[-3:-2] == "."]
    assert len(cells) == len(RECOVERY)
    assert cells.count("n/a") == RECOVERY["estimate"].isna().sum() > 0
    frames = [patch for patch in figure.axes[0].patches if not patch.get_fill()]
    assert len(frames) == (RECOVERY["meant"] | (RECOVERY["p_adjusted"] < 0.05)).sum()
    dashed = [patch for patch in frames if patch.get_linestyle() not in ("-", "solid")]
    assert len(dashed) == (~RECOVERY["meant"] & (RECOVERY["p_adjusted"] < 0.05)).sum()


def test_a_cell_with_a_larger_rho_is_darker_and_its_letters_are_light():
    table = RECOVERY[RECOVERY["metric"] == "ce"]
    ax = recovery_figure(table).axes[0]
    shades = [patch.get_facecolor()[0] for patch in ax.patches if patch.get_fill()]
    sizes = table.set_index("contrast")["estimate"].abs().reindex(list(TRAIT_NAMES["en"])).tolist()
    assert np.argsort(shades).tolist() == np.argsort([-size for size in sizes]).tolist()
    letters = {text.get_text(): text.get_color() for text in ax.texts}
    assert letters["+1.00"] == "white"


def test_points_stand_at_the_estimates():
    ax = words_figure(EFFECT).axes[0]
    rows = EFFECT[(EFFECT["quantity"] == "difference") & EFFECT["metric"].isin(FROM_0_TO_1)]
    for line, contrast in zip(
        [line for line in ax.lines if len(line.get_xdata()) > 2], rows["contrast"].unique(), strict=True
    ):
        want = rows[rows["contrast"] == contrast].set_index("metric").reindex(FROM_0_TO_1)["estimate"]
        assert list(line.get_xdata()) == pytest.approx(want.tolist(), nan_ok=True)
    assert len({(look["marker"], look["markerfacecolor"]) for look in LOOKS}) == len(LOOKS)


def test_a_measure_that_does_not_vary_has_no_order():
    assert "τ: n/a" in said(convention_figure(TRIALS.assign(mei=0.9, published_mei=0.3)))


def test_the_ablation_can_stand_without_lures_and_hints():
    assert len(ablation_figure(ablation(TRIALS, n_boot=20)).axes) == 3
    assert len(ablation_figure(ABLATION).axes) == 4


def test_the_profile_names_what_was_chosen():
    shown = said(profile_figure(PROFILE))
    for measure in PROFILE.loc[PROFILE["metric"] != "", "metric"].unique():
        assert measure_name(measure, "en") in shown
    nothing = PROFILE.assign(metric="", estimate=math.nan, low=math.nan, high=math.nan)
    assert "n/a" in said(profile_figure(nothing))


def test_other_tables_are_refused():
    for draw in (recovery_figure, words_figure, ablation_figure, profile_figure):
        for table in (EFFECT.iloc[:0], EFFECT.assign(analysis="another"), EFFECT.drop(columns="analysis")):
            with pytest.raises(InputError, match="table must be what"):
                draw(table)
        with pytest.raises(InputError, match="language must be one of"):
            draw(EFFECT, "fr")
    with pytest.raises(InputError, match="frame must be trials"):
        convention_figure(TRIALS.iloc[:0])
