"""A corrected reading says what the person wrote and keeps what stood there before, as long as that fits."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallumaze_kit import (
    AnswerBook,
    KitError,
    MazeConfig,
    MazeEngine,
    parse_answer,
    read_results,
    score_answer,
    score_stored,
    write_json,
)
from hallumaze_kit.study.tables import replayed
from hallumaze_kit.trial.correction import (
    CORRECTION,
    WITHDRAWN,
    active_corrections,
    correct,
    corrections_between,
    event_line,
    read_lines,
    reading_lines,
)
from hallumaze_kit.trial.trace import DeadEnd, Loop, Step, StrategyChange, Trace

WHO = {"author": "Kim", "reason": "the parser missed a step", "at": "2026-01-02T03:04:05+09:00"}
cells = st.tuples(st.integers(0, 100), st.integers(0, 100))
numbers = st.none() | st.integers(0, 9999)
steps = st.builds(
    Step, numbers, st.none() | cells, st.sampled_from("NESW"), st.none() | cells,
    st.none() | st.integers(0, 1000).map(lambda tenths: tenths / 10), st.text(max_size=4),
    st.tuples(st.integers(0, 9), st.integers(0, 9)),
)  # fmt: skip
events = st.one_of(
    steps,
    st.builds(DeadEnd, st.none() | cells),
    st.builds(Loop, cells, numbers),
    st.builds(StrategyChange, st.text("abc 가", max_size=8).map(lambda text: " ".join(text.split()))),
)
traces = st.builds(
    Trace,
    events=st.lists(events, max_size=8).map(tuple),
    final_path=st.none() | st.lists(cells, min_size=1, max_size=4).map(tuple),
)


def bare(event):
    """What a line says of an event."""
    return event._replace(span=(0, 0), reason="") if isinstance(event, Step) else replace(event, span=(0, 0), before=0)


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ("3 (0,1) S -> (1,1) 90%", Step(3, (0, 1), "S", (1, 1), 90.0)),
        ("(0, 1) s", Step(None, (0, 1), "S")),
        ("E", Step(None, None, "E")),
        ("2 E 97.5 %", Step(2, None, "E", None, 97.5)),
        ("→ (2,2)", Step(None, None, "", (2, 2))),
        ("(0,1)", Step(None, (0, 1), "")),
        ("DEAD_END (0,3)", DeadEnd((0, 3))),
        ("DEAD_END", DeadEnd(None)),
        ("LOOP (1,1) 4", Loop((1, 1), 4)),
        ("LOOP", Loop(None)),
        ("STRATEGY_CHANGE  no more\thints", StrategyChange("no more hints")),
    ],
)
def test_a_line_is_an_event(line, event):
    assert read_lines([line]).events == (event,)
    assert read_lines([event_line(event)]).events == (event,)


def test_the_final_path_is_a_line_and_the_last_one_counts():
    assert read_lines(["FINAL_PATH (0,0) (0,1)", "", "FINAL_PATH (0,0)"]).final_path == ((0, 0),)
    assert read_lines(["FINAL_PATH -"]).final_path is None


OUTSIDE = (
    "X", "(0,1", "3", "90%", "E W", "(0,0) E 101%", "DEAD_END 4", "FINAL_PATH E", "FINAL_PATH (0,0) -",
    "STRATEGY_CHANGEOVER", "<b>", "E; drop",
)  # fmt: skip


@pytest.mark.parametrize("line", OUTSIDE)
def test_a_line_outside_the_grammar_is_named(line):
    with pytest.raises(KitError, match="line 2 must be in this form"):
        read_lines(["E", line])


@given(traces)
def test_a_reading_written_as_lines_is_the_same_reading(trace):
    again = read_lines(reading_lines(trace))
    assert again.events == tuple(map(bare, trace.events)) and again.final_path == trace.final_path


@given(traces, traces)
def test_corrected_by_any_edit_a_reading_says_what_was_written(trace, wanted):
    lines = reading_lines(wanted)
    made = corrections_between(trace, lines, **WHO)
    corrected = correct(trace, json.loads(json.dumps(made)))
    assert reading_lines(corrected) == lines and corrected.warnings == trace.warnings
    assert (made == ()) == (reading_lines(trace) == lines)
    assert all(one["author"] == "Kim" and one["at"] == WHO["at"] for one in made)


@given(traces, traces, traces)
def test_corrections_follow_each_other(trace, first, second):
    one = corrections_between(trace, reading_lines(first), **WHO)
    two = corrections_between(correct(trace, one), reading_lines(second), **WHO | {"at": "later"})
    assert reading_lines(correct(trace, [*one, *two])) == reading_lines(second)


def test_what_stood_there_is_kept_and_its_place_too():
    trace = parse_answer("STEP 1: (0,0) → E | 90% | the only way\nSTEP 2: (0,1) → S | 80% | down\nDEAD_END at (1,1)")
    lines = reading_lines(trace)
    assert lines == ["1 (0,0) E 90%", "2 (0,1) S 80%", "DEAD_END (1,1)"]
    made = corrections_between(trace, [lines[0], "2 (0,1) W 80%", "3 (0,0) S"], **WHO)
    assert [(c["kind"], c["index"], c["original"], c["corrected"]) for c in made] == [
        ("change", 1, "2 (0,1) S 80%", "2 (0,1) W 80%"), ("change", 2, "DEAD_END (1,1)", "3 (0,0) S"),
    ]  # fmt: skip
    corrected = correct(trace, made)
    assert [e.span for e in corrected.events] == [e.span for e in trace.events]
    assert corrected.steps[1].reason == "down" and corrected.text == trace.text


def test_an_added_step_stands_at_the_place_of_the_one_before():
    trace = parse_answer("STEP 1: (0,0) → E\nSTEP 3: (0,2) → E")
    made = corrections_between(trace, ["1 (0,0) E", "2 (0,1) E", "3 (0,2) E"], **WHO)
    assert [(c["kind"], c["index"], c["original"]) for c in made] == [("add", 1, None)]
    corrected = correct(trace, made)
    assert corrected.steps[1].span == trace.steps[0].span and len(corrected.steps) == 3


def test_a_correction_finds_its_event_when_a_newer_parser_reads_more():
    old = parse_answer("STEP 1: (0,0) → E\nSTEP 2: (0,1) → S")
    made = corrections_between(old, ["1 (0,0) E", "2 (0,1) E"], **WHO)
    newer = replace(old, events=(Step(0, None, "N"), *old.events))
    assert reading_lines(correct(newer, made)) == ["0 N", "1 (0,0) E", "2 (0,1) E"]
    gone = correct(parse_answer("STEP 1: (0,0) → E"), made)
    assert reading_lines(gone) == ["1 (0,0) E"]
    assert gone.warnings == ("a correction of “2 (0,1) S” no longer fits the reading and was left out",)


def test_an_added_line_stands_between_its_neighbours_or_not_at_all():
    old = parse_answer("STEP 1: (0,0) → E\nSTEP 3: (0,2) → E")
    made = corrections_between(old, ["1 (0,0) E", "2 (0,1) E", "3 (0,2) E"], **WHO)
    newer = replace(old, events=(Step(0, None, "N"), *old.events))
    assert reading_lines(correct(newer, made)) == ["0 N", "1 (0,0) E", "2 (0,1) E", "3 (0,2) E"]
    reads_it = parse_answer("STEP 1: (0,0) → E\nSTEP 2: (0,1) → E\nSTEP 3: (0,2) → E")
    again = correct(reads_it, made)
    assert again.events == reads_it.events and "no longer fits" in again.warnings[-1]


def test_a_line_of_blanks_is_refused_at_once():
    with pytest.raises(KitError):
        read_lines(["1" + " " * 100_000 + "x"])


@pytest.mark.parametrize("missing", ["author", "reason"])
def test_no_correction_without_author_and_reason(missing):
    with pytest.raises(KitError, match=missing):
        corrections_between(Trace(), ["E"], **WHO | {missing: " "})


# ---- scored -------------------------------------------------------------------------------------------

MAZE = MazeEngine(5, 4)
WAY = [(cell, MAZE.onward(cell)) for cell in MAZE.solution[:-1]]
MISREAD = "\n".join(f"STEP {i}: ({r},{c}) → {d} | 90%" for i, ((r, c), d) in enumerate(WAY, 1) if i != 3)
MENDED = [f"{i} ({r},{c}) {d} 90%" for i, ((r, c), d) in enumerate(WAY, 1)]


def test_scores_rest_on_the_corrected_reading_and_say_so(tmp_path):
    before = score_answer(MAZE, MISREAD)
    made = corrections_between(parse_answer(MISREAD), MENDED, **WHO)
    after = score_answer(MAZE, MISREAD, corrections=made)
    assert (before.sr, after.sr, after.hallucination_count) == (0, 1, 0)
    assert _plain(after.corrections) == _plain(made) and before.corrections == ()
    walked = replayed(after)
    assert walked.solves(MAZE) and len(walked.moves) == after.moves
    assert after.warnings[-1] == "the scores rest on 1 correction of the reading"
    write_json([after], tmp_path / "r.json")
    assert _plain(read_results(tmp_path / "r.json")[0].corrections) == _plain(made)


def test_a_correction_that_no_longer_fits_is_not_counted():
    made = corrections_between(parse_answer(MISREAD), MENDED, **WHO)
    result = score_answer(MAZE, "STEP 1: (0,0) → E", corrections=made)
    assert result.corrections == () and "no longer fits" in result.warnings[-1]


def test_a_stored_answer_carries_the_time_it_was_stored_unless_it_has_its_own(tmp_path):
    with AnswerBook(tmp_path / "a.db") as book:
        asked = {"maze": MAZE.to_dict(), "config": MazeConfig(size=5), "model": "m"}
        pasted, played = book.add(MISREAD, **asked), book.add(MISREAD, timestamp="2026-03-22T14:30:22", **asked)
        stamp = score_stored(book.answer(pasted)).timestamp
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", stamp)
        assert stamp[:19] == book.answer(pasted).added_at[:19]
        assert score_stored(book.answer(played)).timestamp == "2026-03-22T14:30:22"


def _plain(corrections):
    return json.loads(json.dumps(corrections))


def test_a_book_keeps_corrections_and_their_withdrawal(tmp_path):
    with AnswerBook(tmp_path / "a.db") as book:
        id = book.add(MISREAD, maze=MAZE.to_dict(), config=MazeConfig(size=5), model="m")
        book.note(id, CORRECTION, list(corrections_between(parse_answer(MISREAD), MENDED, **WHO)), who="Kim")
        assert score_stored(book.answer(id)).sr == 1
        book.export_jsonl(tmp_path / "out.jsonl")
        (event,) = book.answer(id).events
        book.note(id, WITHDRAWN, {"event": event.id})
        assert score_stored(book.answer(id)).sr == 0 and active_corrections(book.answer(id).events) == ()
        assert book.answer(id).text == MISREAD
    with AnswerBook(tmp_path / "b.db") as copy:
        copy.import_jsonl(tmp_path / "out.jsonl")
        assert score_stored(copy.answer(id)).sr == 1
