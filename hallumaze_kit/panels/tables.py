"""The tables under the paste panel: the stored trials, the leaderboard, and how far the readings agree."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hallumaze_kit.panels.pasting import view
from hallumaze_kit.panels.pasting.words import WORDS
from hallumaze_kit.records import BenchmarkResult
from hallumaze_kit.study.tables import METRIC_NAMES
from hallumaze_kit.trial.interpreting.reading_aids import WORDS as AIDS

if TYPE_CHECKING:
    from hallumaze_kit.store import AnswerBook

COLUMNS = ("provider", "model", "maze_size", "seed", "sr", "hallucination_count", "mei", "ce", "failure_mode")


def tables_html(results: Sequence[BenchmarkResult], language: str) -> str:
    """The latest 50 trials and the leaderboard, with headings in `language`."""
    from hallumaze_kit.records import to_frame
    from hallumaze_kit.study.tables import leaderboard, readable

    words = WORDS[language]
    if not results:
        return view.notice(words["empty_table"], "ask")
    frame = to_frame(results)
    trials = frame[list(COLUMNS)].tail(50).rename(columns=METRIC_NAMES[language] | words["table_columns"])
    ended = words["table_columns"]["failure_mode"]
    trials[ended] = [AIDS[language]["failures"].get(mode, mode) for mode in trials[ended]]
    board = readable(leaderboard(frame, n_boot=500), language)
    return _titled(words["table_head"], view.frame_html(trials)) + _titled(words["board_head"], view.frame_html(board))


def readings_html(book: AnswerBook, language: str) -> str:
    """How many readings were corrected, and how far second readings agree, rounded."""
    from hallumaze_kit.study.analysis.coding import agreement, corrected_share

    words = WORDS[language]
    share = [
        [row.provider, row.model, row.n, row.corrected, _with_span(row.share, row.low, row.high), row.changes]
        for row in corrected_share(book).itertuples()
    ]
    agree = [_agreement_row(row, words) for row in agreement(book, n_boot=500).itertuples()]
    return _table(words, "share", share) + _table(words, "agree", agree)


def _agreement_row(row: Any, words: dict[str, Any]) -> list[object]:
    from hallumaze_kit.study.analysis.coding import PARSER

    readers = [words["program"] if name == PARSER else name for name in (row.reader_1, row.reader_2)]
    kappa = _with_span(row.kappa, row.kappa_low, row.kappa_high)
    return [*readers, row.n_answers, row.n_moves, _with_span(row.agreement), kappa, _note_words(row.note, words)]


def _note_words(note: str, words: dict[str, Any]) -> str:
    """A note of `agreement` in words of the panel; one that has none stays as it was written."""
    said = words["agree_notes"].get(re.sub(r"\d+", "{}", note))
    return note if said is None else said.format(*re.findall(r"\d+", note))


def _with_span(value: float, low: float = math.nan, high: float = math.nan) -> str:
    """A number with its interval, to two places: "0.33 [0.06, 0.79]"; "–" for NaN."""
    if math.isnan(value):
        return "–"
    return f"{value:.2f}" + ("" if math.isnan(low) else f" [{low:.2f}, {high:.2f}]")


def _table(words: dict[str, Any], name: str, rows: Sequence[Sequence[object]]) -> str:
    if not rows:
        return _titled(words[f"{name}_head"], view.hint(words["none_yet"]))
    cells = ([view.text(view.short(str(cell))) for cell in row] for row in rows)
    return _titled(words[f"{name}_head"], view.table(words[f"{name}_columns"], cells))


def _titled(title: str, body: str) -> str:
    return f"<h3>{view.text(title)}</h3>{body}"
