"""People against models: by hand, against statsmodels, on planted patterns, and what is refused.

No people took part: `provider="human"` marks rows that are made here by a rule, to try the analysis.
"""

from __future__ import annotations

import math
import zlib

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp
from statsmodels.api import GLM
from statsmodels.genmod.families import Binomial
from statsmodels.stats.inter_rater import cohens_kappa

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine, transposed
from hallumaze_kit.records import BenchmarkResult, to_frame
from hallumaze_kit.study.effects.rows import COLUMNS
from hallumaze_kit.study.people import (
    answers,
    consistency_table,
    error_consistency,
    error_map,
    group_means,
    hypotheses,
)
from hallumaze_kit.study.people.consistency import consistency_rows, highest_kappa, studentised, two_sided
from hallumaze_kit.study.people.matching import GeometrySubject, strata_of

QUICK = {"n_sim": 99}


def played(maze, wrong, provider="openai", model="b", run=0, participant="", **more):
    """A result whose first choices at the cells of `wrong` are wrong, and right elsewhere."""
    rows = tuple(
        {"cell": cell, "right": cell not in wrong, "lure": "", "choice": "N", "confidence": None, "step": i}
        for i, cell in enumerate(maze.decision_cells)
    )
    return BenchmarkResult(
        provider=provider, model=model, subject_kind="human" if provider == "human" else "llm", run=run,
        participant=participant, maze=maze.to_dict(), maze_id=maze.maze_id, maze_size=maze.size, decisions=rows,
        sr=float(not wrong), **more,
    )  # fmt: skip


def row(table, quantity, **where):
    part = table[table["quantity"] == quantity]
    for name, value in where.items():
        part = part[part[name] == value]
    (found,) = part.to_dict("records")
    return found


MAZES = [MazeEngine(7, seed, "wilson") for seed in range(12)]


def study(rules, mazes=MAZES, persons=6):
    """Results of groups: rules gives (provider, model) a function (maze, cell, rng) → probability of an error."""
    rng = np.random.default_rng(7)
    return [
        played(
            maze, {c for c in maze.decision_cells if rng.random() < rule(maze, c)}, *name, run=k,
            participant=f"p{k}" if name[0] == "human" else "",
        )
        for name, rule in rules.items() for maze in mazes for k in range(persons)
    ]  # fmt: skip


def stable(maze, cell, salt=0):
    """Some junctions are hard whatever their geometry."""
    return 0.85 if zlib.crc32(f"{maze.maze_id}{cell}{salt}".encode()) % 3 == 0 else 0.1


# ---- κ --------------------------------------------------------------------------------------------


def test_the_worked_number():
    found = error_consistency([1, 1, 0, 0, 0], [1, 0, 1, 0, 0])
    assert (found.c_obs, found.c_exp, found.n) == (pytest.approx(0.6), pytest.approx(0.52), 5)
    assert found.kappa == pytest.approx(0.08 / 0.48) and found.note == ""


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
def test_it_is_cohens_kappa(pairs):
    one, other = np.array(pairs, dtype=int).T
    found = error_consistency(one, other)
    if 0 < one.sum() < len(one) and 0 < other.sum() < len(other):
        table = np.histogram2d(one, other, bins=2, range=((0, 1), (0, 1)))[0]
        assert found.kappa == pytest.approx(cohens_kappa(table).kappa)
        assert found.kappa <= highest_kappa(one.mean(), other.mean()) + 1e-9
    else:
        assert math.isnan(found.kappa) and "always right" in found.note and 0 <= found.c_obs <= 1


def test_case_i12_raw_agreement_is_shown_and_kappa_is_undefined():
    found = error_consistency([0] * 5, [0] * 5)
    assert found.c_obs == 1 and math.isnan(found.kappa) and "undefined" in found.note


def test_rates_give_the_agreement_of_single_answers():
    """Three persons and two runs on two items, all six pairs counted by hand."""
    people, runs = np.array([[1, 1, 0], [0, 0, 1]]), np.array([[1, 0], [0, 0]])
    agree = np.mean([[a == b for a in people[i] for b in runs[i]] for i in range(2)])
    found = error_consistency(people.mean(axis=1), runs.mean(axis=1))
    assert found.c_obs == pytest.approx(agree)
    assert found.c_exp == pytest.approx(0.5 * 0.25 + 0.5 * 0.75)


def test_the_highest_kappa_by_hand():
    assert highest_kappa(0.14, 0.46) == pytest.approx((0.68 - 0.5288) / 0.4712)
    assert highest_kappa(0.3, 0.3) == pytest.approx(1) and math.isnan(highest_kappa(0, 0))


@pytest.mark.parametrize("wrong", [([1, 0], [1]), ([2, 0], [1, 0]), ([math.nan], [1]), ([[1]], [[1]])])
def test_what_cannot_be_compared_is_refused(wrong):
    with pytest.raises(InputError, match="one, other"):
        error_consistency(*wrong)


def test_nothing_in_common():
    assert error_consistency([], []).note == "no item in common"


def test_p_by_hand():
    assert two_sided(np.array([0.0, 0.1, -0.1]), 0.2) == 1 / 4
    assert two_sided(np.array([0.0, 0.1, -0.1]), 0.05) == 3 / 4
    assert two_sided(np.array([math.nan, 0.1, -0.1]), 0.2) == 2 / 4
    assert math.isnan(two_sided(np.array([0.1]), math.nan))


def test_the_studentised_sum_by_hand():
    found = studentised(np.array([[1.0, 1.0, -1.0], [0.0, 0.0, 0.0]]), np.array([0, 0, 1]))
    assert found.tolist() == pytest.approx([1 / math.sqrt(5), 0])


# ---- geometry ---------------------------------------------------------------------------------------


def test_the_geometry_subject_is_a_logistic_regression():
    """With many answers the prior does nothing: statsmodels' binomial GLM gives the same rates."""
    rng = np.random.default_rng(0)
    x = np.c_[rng.normal(size=60), rng.integers(2, 5, 60), np.ones(60)]
    n = np.full(60, 5000)
    errors = rng.binomial(n, 1 / (1 + np.exp(1 - 0.7 * x[:, 0] - 0.2 * x[:, 1])))
    subject = GeometrySubject(x, n, errors)
    second = np.c_[x[:, 0] ** 2, x[:, 0] * x[:, 1], x[:, 1] ** 2]
    fitted = GLM(np.c_[errors, n - errors], np.c_[np.ones(60), x[:, :2], second], family=Binomial()).fit()
    assert subject.rates == pytest.approx(fitted.fittedvalues, abs=1e-4)
    assert (n * subject.rates).sum() == pytest.approx(errors.sum())


def test_separated_and_faultless_errors_stay_finite():
    x, n = np.arange(10.0)[:, None], np.ones(10)
    apart = GeometrySubject(x, n, (x[:, 0] > 4).astype(float))
    assert apart.rates.min() > 0 and apart.rates.max() < 1
    assert GeometrySubject(x, n, np.zeros(10)).rates.tolist() == [0] * 10


def test_refitted_residuals_of_draws_carry_no_geometry():
    rng = np.random.default_rng(1)
    x, n = rng.normal(size=(200, 2)), np.full(200, 50)
    subject = GeometrySubject(x, n, rng.binomial(50, 1 / (1 + np.exp(-x[:, 0]))))
    left = subject.residuals_of(subject.draw(200, rng))
    raw = subject.draw(200, rng) - subject.rates
    assert np.abs((left * n) @ x[:, 0]).mean() < 0.15 * np.abs((raw * n) @ x[:, 0]).mean()


def test_strata_by_hand():
    strata = strata_of([np.array([2, 2, 2, 3]), np.array(["", "", "x", ""])], np.array([1, 9, 1, 1]))
    assert len(set(strata.tolist())) == 4
    assert len(set(strata_of([np.array([2, 2])], np.array([1, 1])).tolist())) == 1


def test_answers_tell_whose_where_and_what_stands_there():
    maze = MAZES[0]
    cell = maze.decision_cells[-1]
    table = answers([played(maze, {cell}, "human", "g", participant="a7")])
    assert len(table) == len(maze.decision_cells)
    last = table[table["place"] == cell].iloc[0]
    assert (last["group"], last["kind"], last["person"], last["error"]) == ("human/g", "human", "a7", 1)
    assert last["exits"] == len(maze.open_directions(cell)) and last["distance"] == maze.distance(cell)
    assert last["depth"] == maze.solution.index(cell) and last["outward"] == int(maze.onward(cell) in "ES")
    assert last["depth"] + last["distance"] == len(maze.solution) - 1
    trial = answers([played(maze, {cell})], "trial").iloc[0]
    assert (trial["error"], trial["size"], trial["person"]) == (1, 7, "run 0")


def test_practice_withdrawn_and_typed_records_are_no_answers():
    maze = MAZES[0]
    typed = BenchmarkResult(provider="human", model="n30", sr=0.7)
    assert answers([played(maze, (), practice=True), played(maze, (), withdrawn=True), typed]).empty
    with pytest.raises(InputError, match="level"):
        answers([], "step")


def test_an_error_map_by_hand():
    maze = MAZES[1]
    first, *others = maze.decision_cells
    table = error_map([played(maze, {first}, run=0), played(maze, set(), run=1), played(maze, {first}, run=2)])
    at = table.set_index("place")
    assert at.loc[[first], "rate"].item() == pytest.approx(2 / 3) and at.loc[[first], "n"].item() == 3
    assert table["errors"].sum() == 2 and len(table) == len(others) + 1


# ---- people beside models --------------------------------------------------------------------------


def test_a_shared_pattern_is_found_and_an_own_one_is_not():
    results = study(
        {
            ("human", "a"): stable,
            ("openai", "same"): stable,
            ("openai", "other"): lambda maze, cell: stable(maze, cell, 1),
        }
    )
    table = consistency_table(results, **QUICK)
    same, other = (f"human/a – openai/{name}" for name in ("same", "other"))
    kappa = "error consistency κ"
    assert row(table, kappa, contrast=same)["estimate"] > 0.35 and row(table, kappa, contrast=same)["p"] == 0.01
    assert abs(row(table, kappa, contrast=other)["estimate"]) < 0.2 and row(table, kappa, contrast=other)["p"] > 0.05
    gap = "κ minus the people's split half"
    assert row(table, gap, contrast=same)["low"] < 0 < row(table, gap, contrast=same)["high"]
    assert row(table, gap, contrast=other)["high"] < 0 and row(table, gap, contrast=other)["p"] < 0.05
    maps = "correlation of error maps"
    assert row(table, maps, contrast=same)["p"] == 0.01 and row(table, maps, contrast=other)["p"] > 0.05
    assert "transposed" in row(table, maps, contrast=same)["note"]
    h3 = hypotheses(results, **QUICK)
    told = h3[h3["contrast"] == f"H3: {other}"].iloc[0]
    assert told["high"] < 0 and "H3 expects below 0" in told["note"]
    pd.testing.assert_frame_equal(table, consistency_table(results, **QUICK))


def test_the_table_holds_the_plain_numbers():
    results = study({("human", "a"): stable, ("openai", "b"): lambda maze, cell: 0.4})
    maps = error_map(results)
    pair = maps[maps["group"] == "human/a"].merge(
        maps[maps["group"] == "openai/b"], on=["maze_id", "place", "lure"], suffixes=("", "_b")
    )
    table = consistency_table(results, **QUICK)
    expected = error_consistency(pair["rate"], pair["rate_b"]).kappa
    assert row(table, "error consistency κ")["estimate"] == pytest.approx(expected)
    assert row(table, "correlation of error maps")["estimate"] == pytest.approx(pair["rate"].corr(pair["rate_b"]))
    assert row(table, "error consistency κ")["n"] == len(pair)


def test_geometry_alone_is_not_taken_for_a_common_strategy():
    def geometry(maze, cell):
        return 0.8 if maze.onward(cell) in "NW" and maze.distance(cell) < 20 else 0.1

    table = consistency_table(study({("human", "a"): geometry, ("openai", "b"): geometry}), **QUICK)
    kappa, matched = row(table, "error consistency κ"), row(table, "κ of geometry-matched independent subjects")
    assert kappa["estimate"] > 0.1 and matched["estimate"] > 0.1 and kappa["p"] > 0.05


def test_trials_are_compared_too():
    results = study({("human", "a"): stable, ("openai", "b"): stable})
    table = consistency_table(results, "trial", **QUICK)
    assert row(table, "error consistency κ")["n"] == len(MAZES) and set(table["unit"]) == {"trials"}


def test_all_right_is_undefined_with_its_reason():
    table = consistency_table(study({("human", "a"): stable, ("openai", "b"): lambda maze, cell: 0}), **QUICK)
    for quantity in ("error consistency κ", "κ of geometry-matched independent subjects"):
        found = row(table, quantity)
        assert math.isnan(found["estimate"]) and math.isnan(found["p"]) and "always right" in found["note"]


def test_few_persons_few_mazes_no_common_mazes():
    rules = {("human", "a"): stable, ("openai", "b"): stable}
    few = consistency_table(study(rules, persons=3), **QUICK)
    assert "3 persons; a split half needs 4" in row(few, "κ of people, split half")["note"]
    assert "3 persons" in row(few, "κ minus the people's split half")["note"]
    short = row(consistency_table(study(rules, MAZES[:3]), **QUICK), "error consistency κ")
    assert math.isnan(short["low"]) and not math.isnan(short["estimate"]) and "fewer than 5 mazes" in short["note"]
    apart = study({("human", "a"): stable}, MAZES[:6]) + study({("openai", "b"): stable}, MAZES[6:])
    assert "no item in common" in row(consistency_table(apart, **QUICK), "error consistency κ")["note"]


def test_people_are_needed_or_named():
    results = study({("openai", "a"): stable, ("openai", "b"): stable})
    assert "no people among the results" in consistency_table(results, **QUICK)["note"].item()
    named = consistency_table(results, people="openai/a", **QUICK)
    assert row(named, "error consistency κ")["contrast"] == "openai/a – openai/b"
    with pytest.raises(InputError, match="people"):
        consistency_table(results, people="openai/z")
    assert list(hypotheses([], **QUICK)["note"]) and list(hypotheses([], **QUICK).columns) == list(COLUMNS)


def test_error_rates_that_keep_kappa_down_are_told_and_refuse_h3():
    results = study(
        {("human", "a"): stable, ("openai", "b"): lambda maze, cell: 1 if stable(maze, cell) > 0.5 else 0.9}
    )
    gap = row(consistency_table(results, **QUICK), "κ minus the people's split half")
    assert "error rates are too different" in gap["note"]
    told = hypotheses(results, **QUICK)
    h3 = told[told["contrast"].str.startswith("H3")].iloc[0]
    assert math.isnan(h3["estimate"]) and "not told" in h3["note"]


def test_the_p_of_kappa_holds_its_level_under_geometry_alone():
    """60 studies of two independent subjects with the same geometry: at 5 % more than 9 rejections have 0.1 %."""
    rng, rejected = np.random.default_rng(3), 0
    items = pd.DataFrame({"maze_id": np.repeat([f"m{k}" for k in range(20)], 5), "lure": "", "straight": 0})
    items["place"] = [(k % 5, 0) for k in range(100)]
    for _ in range(60):
        items["exits"], items["outward"] = rng.integers(2, 4, 100), rng.integers(0, 2, 100)
        items["distance"], items["depth"] = rng.integers(2, 30, 100), rng.integers(0, 20, 100)
        rate = 1 / (1 + np.exp(1.5 - 1.2 * (items["exits"] - 2) - 0.05 * (items["distance"] - 15)))
        rows = pd.concat(
            items.assign(group=group, kind=group[:5], person=f"run {k}", error=(rng.random(100) < rate).astype(int))
            for group in ("human", "model") for k in range(2)
        ).assign(false_lure=0, true_lure=0)  # fmt: skip
        found = consistency_rows(rows, "decision", "human", 99, int(rng.integers(10**6)))
        rejected += next(effect.p for effect in found if effect.quantity == "error consistency κ") <= 0.05
    assert rejected <= 9


# ---- H1 and H2: the manipulation ---------------------------------------------------------------------


def test_a_map_keeps_its_errors_under_transposition_and_a_token_rule_does_not():
    twins = {transposed(maze).maze_id: maze for maze in MAZES}
    both = [*MAZES, *(transposed(maze) for maze in MAZES)]

    def by_map(maze, cell):
        original = twins.get(maze.maze_id)
        return stable(original, (cell[1], cell[0])) if original else stable(maze, cell)

    results = study({("human", "map"): by_map, ("openai", "tokens"): stable, ("openai", "map"): by_map}, both)
    table = hypotheses(results, **QUICK)
    quantity = "κ transposed − same text"
    people, tokens, model = (row(table, quantity, subject=s) for s in ("human/map", "openai/tokens", "openai/map"))
    assert people["contrast"] == "H1" and people["low"] < 0 < people["high"] and "H1 expects about 0" in people["note"]
    assert tokens["contrast"] == "H2" and tokens["high"] < 0 and tokens["p"] < 0.05 < people["p"]
    assert model["low"] < 0 < model["high"]
    assert people["n_mazes"] == len(MAZES)


def test_without_the_manipulation_it_is_offered():
    table = hypotheses(study({("human", "a"): stable, ("openai", "b"): stable}), **QUICK)
    offered = table[table["contrast"].isin(["H1", "H2"])]
    assert (
        len(offered) == 6 and offered["note"].str.contains("give transposed").all() and offered["estimate"].isna().all()
    )


def test_who_errs_at_random_says_nothing_of_a_map():
    both = [*MAZES, *(transposed(maze) for maze in MAZES)]
    table = hypotheses(study({("human", "a"): lambda maze, cell: 0.3, ("openai", "b"): stable}, both), **QUICK)
    told = row(table, "κ transposed − same text", subject="human/a")
    assert math.isnan(told["estimate"]) and "not told" in told["note"]


# ---- means -------------------------------------------------------------------------------------------

TYPED = BenchmarkResult(
    provider="human", model="undergraduate_group_n30", maze_size=7, ariadne_group="A", sr=0.73, mei=0.61,
    hallucination_count=2.1, backtrack_count=3.4,
)  # fmt: skip


def test_the_documents_typed_means_stand_beside_models_untested():
    """Section 9.4's own example."""
    models = [played(maze, maze.decision_cells[:1] if k % 3 else ()) for k, maze in enumerate(MAZES)]
    table = group_means([TYPED, *models], metrics=("sr", "hallucination_count"))
    typed = row(table, "mean", metric="sr", subject="human/undergraduate_group_n30")
    assert typed["estimate"] == 0.73 and math.isnan(typed["low"]) and "nothing is tested" in typed["note"]
    assert (typed["unit"], typed["contrast"]) == ("group means", "7×7")
    model = row(table, "mean", metric="sr", subject="openai/b")
    assert model["estimate"] == pytest.approx(4 / 12) and model["low"] < 4 / 12 < model["high"]
    gap = row(table, "difference of means", metric="sr")
    assert gap["estimate"] == pytest.approx(0.73 - 4 / 12) and math.isnan(gap["low"]) and math.isnan(gap["p"])
    assert "nothing is tested" in gap["note"] and gap["contrast"] == "human/undergraduate_group_n30 − openai/b, 7×7"
    assert "not scored" in row(table, "difference of means", metric="hallucination_count")["note"]


def test_mazes_that_both_played_are_paired():
    people = [played(maze, (), "human", "a") for maze in MAZES]
    models = [played(maze, maze.decision_cells[:1] if k % 2 else ()) for k, maze in enumerate(MAZES[:8])]
    gap = row(group_means(to_frame([*people, *models]), ("sr",)), "difference of means")
    assert gap["estimate"] == pytest.approx(0.5) and gap["n_mazes"] == 8 and 0 < gap["low"] < 0.5 < gap["high"]
    apart = group_means([*people[:4], *models[4:]], ("sr",))
    assert "no maze was played by both" in row(apart, "difference of means")["note"]


def test_the_interval_of_a_mean_is_the_t_interval_over_mazes():
    values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0]
    results = [played(maze, ()).replace(backtrack_count=v) for maze, v in zip(MAZES, values, strict=False)]
    found = row(group_means(results, ("backtrack_count",)), "mean")
    ends = ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found["low"], found["high"]) == pytest.approx((ends.low, ends.high))
    alike = row(group_means([played(maze, ()) for maze in MAZES], ("sr",)), "mean")
    assert alike["estimate"] == 1 and math.isnan(alike["low"]) and "all mazes are alike" in alike["note"]


def test_sizes_are_kept_apart():
    nine = TYPED.replace(maze_size=9)
    table = group_means([TYPED, nine, played(MAZES[0], ())], ("sr",))
    assert len(table[table["quantity"] == "mean"]) == 3
    assert row(table, "difference of means")["contrast"].endswith("7×7")


def test_group_means_of_nothing_and_of_what_is_no_result():
    assert group_means([]).empty
    for wrong in ([3], pd.DataFrame({"a": [1]})):
        with pytest.raises(InputError):
            group_means(wrong)
    with pytest.raises(InputError, match="metrics"):
        group_means([], ("height",))
