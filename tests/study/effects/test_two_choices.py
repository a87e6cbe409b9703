"""The tables of d′, c, meta-d′ and M-ratio: the published fit, junctions by hand, and what they refuse."""

from __future__ import annotations

import pandas as pd
import pytest

from hallumaze_kit.errors import InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import BenchmarkResult, MazeConfig, decisions_frame, to_frame
from hallumaze_kit.study import Design, run_design
from hallumaze_kit.study.effects import junction_meta_d, meta_d_table
from hallumaze_kit.study.effects.rows import COLUMNS
from hallumaze_kit.subjects import FLOOR, SYNTHETIC, Synthetic, Traits


@pytest.fixture(scope="module")
def walks():
    subjects = [SYNTHETIC["hasty"], FLOOR["clock"], FLOOR["oracle"], FLOOR["empty"]]
    mazes = [MazeEngine(7, seed, "wilson") for seed in range(30)]
    return run_design(Design(subjects, mazes, [MazeConfig(size=7)]), progress=False)


def probes(first, second, mazes=40):
    """Results of a subject with these counts (levels of confidence 0.6, 0.7, …), over so many mazes."""
    out, levels = [], len(first) // 2
    for broken, counts in ((False, first), (True, second)):
        for place, count in enumerate(counts):
            objects, level = place >= levels, place - levels if place >= levels else levels - 1 - place
            out += [
                BenchmarkResult(
                    provider="synthetic", model="s", maze_id=f"m{len(out) + k}"[-2:] if mazes > 4 else "one",
                    config=MazeConfig(protocol="probe"), probe_broken=broken, probe_said_valid=not objects,
                    probe_confidence=0.6 + level / 10,
                )
                for k in range(count)
            ]  # fmt: skip
    return to_frame(out)


PUBLISHED = ([52, 32, 35, 37, 26, 12, 4, 2], [2, 5, 15, 22, 33, 38, 40, 45])


def test_the_table_gives_the_published_fit():
    table = meta_d_table(probes(*PUBLISHED)).set_index("quantity")
    assert table["estimate"].round(3).to_dict() == {"d′": 1.535, "c": 0.0, "meta-d′": 1.634, "M-ratio": 1.064}
    assert (table["low"] < table["estimate"]).all() and (table["estimate"] < table["high"]).all()
    assert (table["n"] == 400).all() and (table["subject"] == "synthetic/s").all()


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ([12, 6, 4, 2], [3, 4, 6, 12], "24 trials in one class; 25 are needed"),
        ([30, 0, 0, 10], [10, 0, 0, 30], "one level of confidence only"),
        ([15, 10, 10, 15], [15, 10, 10, 15], "d′ is near 0 or below"),
        ([5, 10, 15, 30], [30, 15, 10, 5], "d′ is near 0 or below"),
        ([30, 20, 2, 1], [1, 2, 20, 30], "6 wrong answers; 10 are needed"),
    ],
)
def test_what_carries_no_meta_d_is_refused_with_its_reason(first, second, why):
    table = meta_d_table(probes(first, second)).set_index("quantity")
    assert table.loc[["meta-d′", "M-ratio"], "estimate"].isna().all() and why in table.loc["M-ratio", "note"]
    assert table.loc[["d′", "c"], "estimate"].notna().all()


def test_an_empty_class_refuses_everything():
    table = meta_d_table(probes([0, 0, 0, 0], [3, 4, 20, 30]))
    assert table["estimate"].isna().all() and table["note"].str.contains("no trial without an error").all()


def test_few_mazes_give_no_interval():
    table = meta_d_table(probes(*PUBLISHED, mazes=1)).set_index("quantity")
    assert table.loc["M-ratio", "estimate"] == pytest.approx(1.0643, abs=1e-4)
    assert table["low"].isna().all() and table["note"].str.contains("fewer than 5 mazes").all()


def test_a_class_on_one_maze_has_no_interval():
    frame = probes(*PUBLISHED)
    frame.loc[frame["probe_broken"].astype(bool), "maze_id"] = "one"
    table = meta_d_table(frame).set_index("quantity")
    assert table.loc["d′", "estimate"] == pytest.approx(1.535, abs=1e-3)
    assert "one maze only" in table.loc["M-ratio", "note"] and table["low"].isna().all()


def test_synthetic_probes_and_unread_replies():
    subjects = [Synthetic("knower", Traits(slip=0.2, notice=0.75, doubt=25, confidence_noise=9)), FLOOR["empty"]]
    mazes = [MazeEngine(5, seed, "wilson") for seed in range(90)]
    results = run_design(Design(subjects, mazes, [MazeConfig(size=5, protocol="probe")]), progress=False)
    table = meta_d_table(to_frame(results))
    knower = table[table["subject"] == "synthetic/knower"].set_index("quantity")["estimate"]
    assert knower["M-ratio"] > 1 and knower["d′"] > 1
    empty = table[table["subject"] == "synthetic/empty"]
    assert (empty["n"] == 0).all() and empty["note"].str.contains("90 without a readable choice").all()


def test_the_empty_frame_and_wrong_ones():
    assert list(meta_d_table(to_frame([])).columns) == list(COLUMNS)
    for wrong in (None, pd.DataFrame({"a": [1]})):
        with pytest.raises(InputError, match="frame"):
            meta_d_table(wrong)
    with pytest.raises(InputError, match="bins"):
        meta_d_table(to_frame([]), bins=1)


def test_junctions_with_two_ways_on(walks):
    table = junction_meta_d(walks)
    hasty = table[table["subject"] == "synthetic/hasty"].set_index("quantity")
    assert 0 < hasty.loc["d′", "n"] < len(decisions_frame([r for r in walks if r.model == "hasty"]))
    oracle = table[table["subject"] == "synthetic/oracle"].set_index("quantity")
    assert oracle.loc["d′", "estimate"] > 4 and "0 wrong answers" in oracle.loc["M-ratio", "note"]


def test_a_junction_by_hand():
    """Seed 3's first two-way junction: the right way and the wrong one are each stimulus once."""
    maze = MazeEngine(5, 3, "wilson")
    config = MazeConfig(size=5)
    ways = {c: maze.open_directions(c) for c in maze.decision_cells}
    (chosen,) = [c for c in ways if c == maze.start or len(ways[c]) == 3][:1]
    behind = maze.solution[maze.solution.index(chosen) - 1] if chosen != maze.start else None
    step = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
    on = [d for d in ways[chosen] if (chosen[0] + step[d][0], chosen[1] + step[d][1]) != behind]
    assert len(on) == 2

    def result(choice, protocol="single"):
        row = {"cell": chosen, "choice": choice, "confidence": 0.8}
        return BenchmarkResult(
            provider="p", model="m", maze=maze.to_dict(), maze_id=maze.maze_id, decisions=(row,),
            config=config if protocol == "single" else MazeConfig(size=5, protocol=protocol),
        )  # fmt: skip

    def n(results):
        return junction_meta_d(results)["n"].tolist()[:1]

    assert n([result(on[0]), result(on[1])]) == [2]
    back = next((d for d in "NESW" if d not in on), "")
    assert n([result(on[0]), result(back)]) == [1]
    assert n([result(on[0], "stepwise")]) == []
