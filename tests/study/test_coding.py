"""Agreement of readings, with values worked out by hand, and the share of corrected readings."""

from __future__ import annotations

import math

import pytest

from hallumaze_kit import AnswerBook, KitError, MazeConfig, MazeEngine
from hallumaze_kit.study import add_reading, agreement, corrected_share
from hallumaze_kit.study.analysis.coding import _kappa_of, _table, align, kappa
from hallumaze_kit.trial.correction import CORRECTION, WITHDRAWN, corrections_between
from hallumaze_kit.trial.parsing import parse_answer

MAZE = MazeEngine(5, 1)


@pytest.fixture
def book(tmp_path):
    with AnswerBook(tmp_path / "a.db") as book:
        yield book


def add(book, moves, model="m"):
    text = "\n".join(f"STEP {i}: {d}" for i, d in enumerate(moves, 1))
    return book.add(text, maze=MAZE.to_dict(), config=MazeConfig(size=5), provider="p", model=model)


def test_moves_stand_side_by_side():
    assert align("EES", "ES") == [("E", "–"), ("E", "E"), ("S", "S")]
    assert align("ES", "EW") == [("E", "E"), ("S", "W")]
    assert align("", "N") == [("–", "N")] and align("", "") == []


def test_kappa_by_hand():
    # 10 places: both E 4 times, both S 3, E/S 2, S/E 1. p0 = 0.7, pe = 0.6·0.5 + 0.4·0.5 = 0.5, kappa = 0.4.
    places = [("E", "E")] * 4 + [("S", "S")] * 3 + [("E", "S")] * 2 + [("S", "E")]
    assert kappa(places) == pytest.approx(0.4) and _kappa_of(_table(places)) == pytest.approx(0.4)


@pytest.mark.parametrize("places", [[], [("E", "E")] * 5, [("E", "E"), ("E", "S"), ("E", "E")]])
def test_kappa_without_variation_is_not_defined(places):
    assert math.isnan(kappa(places))


def test_the_parser_is_compared_with_each_coder_and_coders_with_each_other(book):
    for moves in ("EESS", "ESES", "SSEE", "SESE", "ESSE"):
        id = add(book, moves)
        add_reading(book, id, list(moves), "Lee")
        add_reading(book, id, [*moves[:-1], "N"], "Kim")
    table = agreement(book, n_boot=200)
    assert list(zip(table["reader_1"], table["reader_2"], strict=True)) == [
        ("parser", "Kim"), ("parser", "Lee"), ("Kim", "Lee"),
    ]  # fmt: skip
    same = table[table["reader_2"] == "Lee"].iloc[0]
    assert (same["n_answers"], same["n_moves"], same["agreement"], same["kappa"]) == (5, 20, 1, 1)
    assert same["kappa_low"] == same["kappa_high"] == 1
    other = table.iloc[0]
    # 15 of 20 places agree. Parser: E 10, S 10; Kim: E 8, S 7, N 5. pe = (10·8 + 10·7)/400 = 0.375.
    assert other["agreement"] == 0.75 and other["kappa"] == pytest.approx((0.75 - 0.375) / (1 - 0.375))
    assert other["kappa_low"] <= other["kappa"] <= other["kappa_high"]


def test_few_answers_give_no_interval_and_say_so(book):
    id = add(book, "ES")
    add_reading(book, id, ["E", "S"], "Lee")
    (row,) = agreement(book).to_dict("records")
    assert row["kappa"] == 1 and math.isnan(row["kappa_low"]) and "fewer than 5" in row["note"]


def test_the_parser_stands_uncorrected_and_a_later_reading_counts(book):
    id = add(book, "ES")
    who = {"author": "Kim", "reason": "why", "at": "2026"}
    book.note(id, CORRECTION, list(corrections_between(parse_answer(book.answer(id).text), ["1 W", "2 W"], **who)))
    add_reading(book, id, ["N", "N"], "Lee")
    add_reading(book, id, ["1 E", "2 S"], "Lee")
    (row,) = agreement(book).to_dict("records")
    assert row["agreement"] == 1


def test_without_a_second_reading_there_is_nothing_to_compare(book):
    assert len(agreement(book)) == 0 and "kappa" in agreement(book)
    add(book, "ES")
    assert len(agreement(book)) == 0


def test_the_share_of_corrected_readings_by_model(book):
    who = {"author": "Kim", "reason": "why", "at": "2026"}
    ids = [add(book, "ES", "m") for _ in range(4)] + [add(book, "ES", "n")]
    for id in ids[:3]:
        book.note(id, CORRECTION, list(corrections_between(parse_answer(book.answer(id).text), ["1 W", "2 S"], **who)))
    (event,) = book.answer(ids[0]).events
    book.note(ids[0], WITHDRAWN, {"event": event.id})
    book.mark_deleted(ids[3])
    m, n = corrected_share(book).to_dict("records")
    assert (m["model"], m["n"], m["corrected"], m["changes"]) == ("m", 3, 2, 2)
    assert m["share"] == pytest.approx(2 / 3)
    # Wilson, 2 of 3: (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n)
    assert (m["low"], m["high"]) == (pytest.approx(0.2077, abs=1e-4), pytest.approx(0.9385, abs=1e-4))
    assert (n["n"], n["corrected"], n["low"]) == (1, 0, 0)


@pytest.mark.parametrize(("lines", "coder"), [(["E"], " "), (["E"], "parser"), (["what"], "Lee")])
def test_a_wrong_reading_is_refused(book, lines, coder):
    id = add(book, "ES")
    with pytest.raises(KitError):
        add_reading(book, id, lines, coder)
    assert book.answer(id).events == ()


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("STEP 1: (0,0) → (0,1)\nSTEP 2: (0,1) → (1,1)", ["1 (0,0) E", "2 (0,1) S"]),
        ("STEP 1: → (0,1)\nSTEP 2: → (1,1)", ["1 (0,0) E", "2 (0,1) S"]),
        ("FINAL_PATH: (0,0)→(0,1)→(1,1)", ["E", "S"]),
    ],
)
def test_moves_are_the_same_however_they_are_written(book, text, lines):
    id = book.add(text, maze=MAZE.to_dict(), config=MazeConfig(size=5), provider="p", model="m")
    add_reading(book, id, lines, "Lee")
    (row,) = agreement(book).to_dict("records")
    assert (row["n_moves"], row["agreement"]) == (2, 1)
