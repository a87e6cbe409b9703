"""The document's three hypotheses (section 9.4), each with what would speak for it and against it.

H1  people build a mental map             their errors go with the passages: the same junctions after the coordinates
                                          changed as before
H2  models process a sequence of tokens   their errors go with the text: other junctions after the change
H3  the two err at different places       error consistency between people and a model is below that among people

H3 can be read off one set of mazes. H1 and H2 cannot: a map and a rule about tokens may err at the same junctions of
one text. They need the manipulation: each maze also as `hallumaze_kit.maze.transposed` gives it, to other
people or in other runs, with `show_seed=False` for both.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import check_whole
from hallumaze_kit.maze import MazeEngine, transposed
from hallumaze_kit.records import BenchmarkResult
from hallumaze_kit.records.frames import listed
from hallumaze_kit.study.effects.jackknife import JACKKNIFE, left_out, p_of_zero
from hallumaze_kit.study.effects.rows import Effect, refused, tidy
from hallumaze_kit.study.people.consistency import (
    EQUAL,
    GAP,
    HALVES,
    NO_PEOPLE,
    UNFAIR,
    SplitHalves,
    consistency_rows,
    people_of,
)
from hallumaze_kit.study.people.maps import ITEM, answers, rates
from hallumaze_kit.study.people.sums import by_maze, joined, kappas, sums_of, told
from hallumaze_kit.study.tables import FEWEST_MAZES

if TYPE_CHECKING:
    import pandas as pd

OFFER = "no maze was also given transposed, and one text cannot tell a map from tokens: give transposed(maze) too"
EXPECTED = {
    "H1": "H1 expects about 0: errors go with the passages, by a map or by a rule on geometry. Below 0: with the text",
    "H2": "H2 expects below 0: errors go with the text. About 0: with the passages, by a map or by a rule on geometry",
    "H3": "H3 expects below 0: the two err at other places than people do among themselves. It does not say why",
}
NOTHING = "not told: among themselves they err at no common places that can be told from chance"


def hypotheses(
    results: Iterable[BenchmarkResult],
    people: str | Sequence[str] = (),
    n_sim: int = 999,
    seed: int = 0,
) -> pd.DataFrame:
    """H1 to H3 as tidy rows: estimate, interval over mazes, and in the note what the hypothesis expects.

    Parameters
    ----------
    results : results of people and of others on the same mazes; for H1 and H2 also on the transposed ones. People
        never play a maze and its twin both, or they remember it
    people, n_sim, seed : as in `consistency_table`

    Returns
    -------
    Tidy rows (`Effect`), by hypothesis in `contrast`, on decisions:

    H1 (each group of people), H2 (each other group)
        "κ transposed": error consistency of the group with itself between the mazes and their twins, a junction with
        the junction it became. "κ same text": of random halves of its persons (a model's runs) on the same text.
        "κ transposed − same text": their difference, interval over pairs of mazes. It is the row that the hypothesis
        speaks of
    H3 (each other group)
        "κ minus the people's split half" of `consistency_table`

    A difference is refused where the group with itself on the same text (H1, H2), or people among themselves (H3), show
    no consistency that can be told from 0: then there is nothing that could be lost or kept. H3 is refused too where
    the error rates of the two differ so much that κ could not reach the split half.

    p is of the difference against 0 (t test, jackknife over mazes or pairs of mazes). A difference that cannot be told
    from 0 is no proof that there is none: look at how wide the interval is. What cannot be computed is refused with its
    reason.
    """
    check_whole("n_sim", n_sim, 1)
    check_whole("seed", seed, 0)
    results = listed(results)
    rows = answers(results, "decision")
    names = people_of(rows, people)
    twins = _twins(results)
    effects: list[Effect] = []
    for group in sorted(set(rows["group"])):
        which = "H1" if group in names else "H2"
        base: dict[str, Any] = {"analysis": "hypotheses", "metric": "decision", "subject": group, "unit": "decisions"}
        effects += _with_itself(rows[rows["group"] == group], twins, which, base | {"contrast": which}, seed)
    told = consistency_rows(rows, "decision", names, n_sim, seed)
    if not names:
        effects.append(refused(NO_PEOPLE, analysis="hypotheses", quantity=GAP, metric="decision", contrast="H3"))
    floor = {row.subject: row for row in told if row.quantity == HALVES}
    for row in told:
        if row.quantity == GAP:
            name = row.contrast.split(" – ")[0]
            silent = NOTHING if row.estimate == row.estimate and not floor[name].low > 0 else ""
            silent = silent or ("not told" if UNFAIR in row.note else "")
            effects.append(_hypothesis(row, "H3", silent, analysis="hypotheses", contrast=f"H3: {row.contrast}"))
    return tidy(effects)


def _hypothesis(row: Effect, which: str, silent: str, **changes: Any) -> Effect:
    """The row with what the hypothesis expects; without its numbers where they would say nothing."""
    numbers = dict.fromkeys(("estimate", "low", "high", "statistic", "p"), math.nan) if silent else {}
    return replace(row, **changes | numbers, note=joined(EXPECTED[which], silent, row.note))


def _twins(results: Sequence[BenchmarkResult]) -> dict[str, str]:
    """Maze to the transposed one, by id, each pair once; a maze that is its own mirror image is no manipulation."""
    mazes = {result.maze_id: result.maze for result in results if result.maze}
    pairs: dict[str, str] = {}
    for maze_id, maze in sorted(mazes.items()):
        twin = transposed(MazeEngine.from_dict(maze)).maze_id
        if twin in mazes and twin != maze_id and twin not in pairs:
            pairs[maze_id] = twin
    return pairs


def _with_itself(own: pd.DataFrame, twins: dict[str, str], which: str, base: dict[str, Any], seed: int) -> list[Effect]:
    import numpy as np

    quantities = ("κ transposed", "κ same text", "κ transposed − same text")
    back = {twin: maze_id for maze_id, twin in twins.items()}
    mine = own[own["maze_id"].isin(twins) | own["maze_id"].isin(back)]
    there = mine["maze_id"].isin(back)
    pair = mine["maze_id"].where(~there, mine["maze_id"].map(back))
    table = rates(mine, "decision")
    first, second = (table[table["maze_id"].isin(part)] for part in (twins, back))
    turned = second.assign(maze_id=second["maze_id"].map(back), place=[(col, row) for row, col in second["place"]])
    if not (len(first) and len(second)):
        return [refused(OFFER, quantity=quantity, **base) for quantity in quantities]
    met = first.merge(turned[[*ITEM, "rate"]], on=list(ITEM), suffixes=("", "_t"))
    base = base | {"n": len(met), "n_mazes": met["maze_id"].nunique()}
    if not len(met):
        return [refused("no junction was met both ways", quantity=quantity, **base) for quantity in quantities]
    labels, codes = np.unique(met["maze_id"].to_numpy(dtype=str), return_inverse=True)
    weights = left_out(len(labels))
    across = kappas(weights @ by_maze(sums_of(met["rate"].to_numpy(), met["rate_t"].to_numpy()), codes))[2]
    # Halves meet on the same text: the twin is another place, though a pair of mazes is drawn together.
    halves = SplitHalves(mine.assign(place=list(zip(there, mine["place"], strict=True)), maze_id=pair), seed)
    within = halves.kappas(labels, weights)
    few = "" if len(labels) >= FEWEST_MAZES else f"no interval: fewer than {FEWEST_MAZES} pairs of mazes"
    undefined = EQUAL if math.isnan(across[0]) else ""
    unsteady = halves.why or ("undefined: too few errors" if math.isnan(within[0]) else "")
    notes = (undefined, unsteady, undefined or unsteady)
    rows = [
        Effect(quantity=quantity, test=JACKKNIFE, **told(values, few, note), **base)
        for quantity, values, note in zip(quantities, (across, within, across - within), notes, strict=True)
    ]
    statistic, p = p_of_zero(across - within) if not few else (math.nan, math.nan)
    silent = NOTHING if not (undefined or unsteady) and not rows[1].low > 0 else ""
    tested = {"statistic": statistic, "p": p, "test": f"t test, {JACKKNIFE}"}
    return [*rows[:2], _hypothesis(rows[2], which, silent, **tested)]
