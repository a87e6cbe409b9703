"""Signal detection: d′ against SciPy and by hand, the tables of probes and of planted errors."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm
from statsmodels.stats.proportion import proportion_confint

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import BenchmarkResult, MazeConfig, to_frame
from hallumaze_kit.study import Design, dprime, injection_table, probe_table, run_design
from hallumaze_kit.subjects import FLOOR, SYNTHETIC, Synthetic, Traits

counts = st.integers(0, 200)


# ---- d′ -------------------------------------------------------------------------------------------


def test_the_worked_number():
    found = dprime(20, 5, 10, 15)
    hit, alarm = 20.5 / 26, 10.5 / 26
    z_hit, z_alarm = norm.ppf([hit, alarm])
    se = math.sqrt(hit * (1 - hit) / (25 * norm.pdf(z_hit) ** 2) + alarm * (1 - alarm) / (25 * norm.pdf(z_alarm) ** 2))
    assert found.d == pytest.approx(z_hit - z_alarm) and round(found.d, 4) == 1.0445
    assert found.c == pytest.approx(-(z_hit + z_alarm) / 2) and round(found.c, 4) == -0.2788
    assert found.se == pytest.approx(se) and round(found.se, 4) == 0.3793
    assert (round(found.d_low, 4), round(found.d_high, 4)) == (0.3012, 1.7878)
    assert (found.d_low, found.d_high) == pytest.approx(norm.interval(0.95, found.d, se))
    assert (found.n_signal, found.n_noise, found.note) == (25, 25, "log-linear correction")


def test_another_level_widens_the_interval_as_the_normal_has_it():
    found = dprime(20, 5, 10, 15, level=0.99)
    assert (found.d_low, found.d_high) == pytest.approx(norm.interval(0.99, found.d, found.se))


@pytest.mark.parametrize(("n", "ceiling"), [(1, 1.3490), (10, 3.3812), (25, 4.1398), (100, 5.1585)])
def test_the_ceiling_by_hand(n, ceiling):
    """All right: H = (n + ½)/(n + 1), F = ½/(n + 1), so d′ = 2·z((n + ½)/(n + 1)) and c = 0."""
    found = dprime(n, 0, 0, n)
    assert found.d == pytest.approx(2 * norm.ppf((n + 0.5) / (n + 1))) and found.d == pytest.approx(ceiling, abs=5e-5)
    assert found.c == pytest.approx(0) and found.d > dprime(n, 0, 1, n).d and found.d > dprime(n, 1, 0, n).d


@given(counts, counts, counts, counts)
def test_turning_the_answers_round_turns_the_signs(hits, misses, alarms, rejections):
    one, other = dprime(hits, misses, alarms, rejections), dprime(misses, hits, rejections, alarms)
    if hits + misses and alarms + rejections:
        assert (one.d, one.c, one.se) == pytest.approx((-other.d, -other.c, other.se), abs=1e-9)
        assert one.d_low < one.d < one.d_high
    else:
        assert all(map(math.isnan, one[:5])) and "no d′" in one.note


def test_an_empty_class_is_refused_with_a_note():
    assert dprime(0, 0, 3, 4).note == "no trial with an error, so no d′"
    assert dprime(3, 4, 0, 0).note == "no trial without an error, so no d′"
    assert "with and without" in dprime(0, 0, 0, 0).note


@pytest.mark.parametrize("wrong", [{"hits": -1}, {"misses": 1.5}, {"false_alarms": True}, {"level": 1}, {"level": 0}])
def test_what_is_no_count_or_level_is_refused(wrong):
    given = {"hits": 1, "misses": 1, "false_alarms": 1, "correct_rejections": 1} | wrong
    with pytest.raises(InputError, match=next(iter(wrong))):
        dprime(**given)


@pytest.mark.parametrize("rate", [0.5, 0.3, 0.8])
def test_the_interval_of_a_guesser_holds_0_in_19_of_20_cases(rate):
    """Exactly, over both binomials with 30 trials each: whoever says "wrong" at the same rate to both has d′ 0."""
    weights = binom.pmf(range(31), 30, rate)
    covered = sum(
        weights[h] * weights[f]
        for h in range(31)
        for f in range(31)
        if dprime(h, 30 - h, f, 30 - f).d_low <= 0 <= dprime(h, 30 - h, f, 30 - f).d_high
    )
    assert 0.94 <= covered <= 0.975


# ---- probes ---------------------------------------------------------------------------------------


def probes(*trials: tuple[bool, bool | None], model: str = "m", mazes=None, **fields) -> list[BenchmarkResult]:
    """One trial for each (broken, said valid)."""
    config = MazeConfig(protocol="probe")
    known = {"provider": "pasted", "model": model, "config": config} | fields
    return [
        BenchmarkResult(probe_broken=broken, probe_said_valid=said, maze_id=mazes[i] if mazes else f"maze{i}", **known)
        for i, (broken, said) in enumerate(trials)
    ]


def test_a_table_of_probes_by_hand():
    """Broken: 3 objected to, 1 not; whole: 1 objected to, 2 not; one reply unread."""
    said = [(True, False)] * 3 + [(True, True), (False, False), (False, True), (False, True), (True, None)]
    table = probe_table(to_frame([*probes(*said), *probes((True, False), model="n")]))
    row = table.iloc[0]
    assert (row["model"], row["kind"], row["n"], row["unread"], row["n_mazes"]) == ("m", "real", 7, 1, 7)
    assert (row["hits"], row["misses"], row["false_alarms"], row["correct_rejections"]) == (3, 1, 1, 2)
    assert row["d"] == pytest.approx(norm.ppf(3.5 / 5) - norm.ppf(1.5 / 4))
    assert row["c"] == pytest.approx(-(norm.ppf(3.5 / 5) + norm.ppf(1.5 / 4)) / 2)
    assert row["accuracy"] == 5 / 7
    assert (row["accuracy_low"], row["accuracy_high"]) == pytest.approx(proportion_confint(5, 7, method="wilson"))
    assert row["note"] == "log-linear correction; 1 of 8 replies could not be read and are left out"
    other = table.iloc[1]
    assert math.isnan(other["d"]) and other["accuracy"] == 1 and other["note"].startswith("no trial without an error")


def test_a_subject_whose_replies_cannot_be_read_has_a_row_without_numbers():
    row = probe_table(to_frame(probes((True, None), (False, None)))).iloc[0]
    assert (row["n"], row["unread"]) == (0, 2) and math.isnan(row["d"]) and math.isnan(row["accuracy"])


def test_repeated_mazes_are_told():
    said = [(True, False), (True, True), (False, True)]
    assert "mazes repeat" in probe_table(to_frame(probes(*said, mazes=["a", "a", "b"]))).iloc[0]["note"]
    assert "mazes repeat" not in probe_table(to_frame(probes(*said))).iloc[0]["note"]


def test_other_protocols_are_left_out_and_an_empty_table_has_its_columns():
    walks = [BenchmarkResult(provider="pasted", model="m", config=MazeConfig())]
    assert len(probe_table(to_frame(walks))) == 0 and "d_low" in probe_table(to_frame(walks)).columns
    mixed = probe_table(to_frame([*walks, *probes((True, False), (False, True))]))
    assert list(mixed["n"]) == [2]


@pytest.mark.parametrize("table", [probe_table, injection_table])
def test_what_is_no_frame_of_trials_is_refused(table):
    with pytest.raises(InputError, match="frame must be a table of trials"):
        table([1])
    with pytest.raises(InputError, match="with the columns"):
        table(pd.DataFrame({"provider": []}))


def answered(subjects, configs, seeds, size: int = 5) -> pd.DataFrame:
    """Trials of synthetic subjects over mazes."""
    mazes = [MazeEngine(size, seed, "wilson") for seed in seeds]
    return to_frame(run_design(Design(subjects, mazes, configs), progress=False))


ARMS = [MazeConfig(size=5, protocol="probe", injection=i, language="en") for i in ("own", "own-clean")]


def test_who_guesses_has_a_d_of_0_within_its_interval_and_the_oracle_stands_at_the_ceiling():
    subjects = [FLOOR["random_walk"], FLOOR["oracle"], FLOOR["never_hint"]]
    table = probe_table(answered(subjects, ARMS, range(50))).set_index("model")
    guess, oracle, yes = table.loc["random_walk"], table.loc["oracle"], table.loc["never_hint"]
    assert guess["d_low"] < 0 < guess["d_high"] and guess["accuracy_low"] < 0.5 < guess["accuracy_high"]
    assert 10 < guess["hits"] < 40 and 10 < guess["false_alarms"] < 40
    assert (oracle["hits"], oracle["correct_rejections"], oracle["accuracy"]) == (50, 50, 1)
    assert oracle["d"] == pytest.approx(2 * norm.ppf(50.5 / 51)) and oracle["d_low"] > guess["d_high"]
    assert yes["hits"] == yes["false_alarms"] == 0 and yes["d"] == 0  # always yes, as many of each


def test_traits_are_found_again_in_the_table():
    """notice 0.9 and slip 0.2 are the hit and the false alarm rate: d′ = z(0.9) − z(0.2) = 2.12."""
    subject = Synthetic("known", Traits(notice=0.9, slip=0.2))
    row = probe_table(answered([subject], ARMS, range(150), size=4)).iloc[0]
    assert row["d_low"] < norm.ppf(0.9) - norm.ppf(0.2) < row["d_high"]
    assert binom.ppf(0.001, 150, 0.9) <= row["hits"] <= binom.ppf(0.999, 150, 0.9)
    assert binom.ppf(0.001, 150, 0.2) <= row["false_alarms"] <= binom.ppf(0.999, 150, 0.2)


# ---- planted errors -------------------------------------------------------------------------------


def planted(*trials: tuple[str, float, float], **fields) -> list[BenchmarkResult]:
    """One trial for each (injection, detected, alarm)."""
    return [
        BenchmarkResult(
            provider="pasted",
            model="m",
            maze_id=f"maze{i}",
            config=MazeConfig(injection=injection),
            injection_detected=detected,
            injection_alarm=alarm,
            **fields,
        )
        for i, (injection, detected, alarm) in enumerate(trials)
    ]


def test_a_table_of_planted_errors_by_hand():
    nan = math.nan
    results = planted(
        ("own", 1, 1), ("own", 1, 1), ("other", 0, 1), ("other", 0, 0),
        ("own-clean", nan, 0), ("own-clean", nan, 1), ("other-clean", nan, 0), ("own", nan, nan), ("none", nan, nan),
    )  # fmt: skip
    row = injection_table(to_frame(results)).iloc[0]
    assert (row["n_error"], row["detected"]) == (4, 0.5)
    assert (row["detected_low"], row["detected_high"]) == pytest.approx(proportion_confint(2, 4, method="wilson"))
    assert (row["n_clean"], row["alarms"]) == (3, 1 / 3)
    assert (row["hits"], row["misses"], row["false_alarms"], row["correct_rejections"]) == (3, 1, 1, 2)
    assert row["d"] == pytest.approx(norm.ppf(3.5 / 5) - norm.ppf(1.5 / 4)) and row["unread"] == 1
    assert "1 of 8 answers say nothing beyond the given walk" in row["note"]


def test_trials_without_an_answer_and_fresh_starts_are_counted_by_name():
    nan = math.nan
    results = [
        *planted(("own", 1, 1), ("own-clean", nan, 0)),
        *planted(("own", nan, nan), injection_restarted=1),
        *planted(("own", nan, nan), ("own-clean", nan, nan), outcome="rate limited"),
    ]
    row = injection_table(to_frame(results)).iloc[0]
    assert (row["n_error"], row["n_clean"], row["unanswered"], row["restarted"], row["unread"]) == (1, 1, 2, 1, 0)
    assert "2 trials brought no whole answer" in row["note"] and "1 of 3 answers begin again" in row["note"]
    fields = {"provider": "p", "model": "m", "config": MazeConfig(protocol="probe"), "probe_broken": True}
    probes = [
        BenchmarkResult(**fields, maze_id="a", probe_said_valid=False, outcome="answered"),
        BenchmarkResult(**fields, maze_id="b", outcome="cut off"),
        BenchmarkResult(**fields, maze_id="c", outcome="answered"),
    ]
    row = probe_table(to_frame(probes)).iloc[0]
    assert (row["n"], row["unanswered"], row["unread"]) == (1, 1, 1)
    assert "1 of 2 replies could not be read" in row["note"]


def test_who_never_notices_detects_nothing_and_false_alarms_on_the_clean_arms_are_counted():
    subjects = [SYNTHETIC["stubborn"], SYNTHETIC["talker"], FLOOR["oracle"], FLOOR["empty"]]
    configs = [MazeConfig(injection=i, language="en") for i in ("own", "own-clean")]
    table = injection_table(answered(subjects, configs, range(40), size=6)).set_index("model")
    stubborn, talker, oracle, empty = (table.loc[name] for name in ("stubborn", "talker", "oracle", "empty"))
    assert (stubborn["n_error"], stubborn["detected"], stubborn["alarms"], stubborn["d"]) == (40, 0, 0, 0)
    assert stubborn["detected_high"] == pytest.approx(proportion_confint(0, 40, method="wilson")[1])
    assert talker["detected"] > 0.8 and talker["false_alarms"] > 0 and talker["alarms"] == talker["false_alarms"] / 40
    assert (oracle["detected"], oracle["alarms"]) == (1, 0) and oracle["d"] == pytest.approx(2 * norm.ppf(40.5 / 41))
    assert empty["unread"] == 80 and math.isnan(empty["detected"]) and math.isnan(empty["d"])
