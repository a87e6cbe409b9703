"""What is shown of an answer is text: nothing pasted is markup, and every event stands at its place."""

from __future__ import annotations

import html
import math
import re
from html.parser import HTMLParser

import pandas as pd
import pytest

from hallumaze_kit import AnswerBook, MazeConfig, MazeEngine
from hallumaze_kit.panels.pasting import view
from hallumaze_kit.panels.pasting.state import PasteState, Provenance
from hallumaze_kit.panels.pasting.words import MEANINGS, WORDS
from hallumaze_kit.records import METRICS

NASTY = [
    "<script>window.ran=1</script>", "<img src=x onerror=alert(1)><b>A</b>", "</script><b>x", '"><svg onload=alert(1)>',
    "[x](javascript:alert(1))", "javascript:alert(1)", "\x1b[31mred\x1b[0m", "\u202eabc\u202c", "&lt;b&gt;", "\ud800",
    "</pre></details></div><h1>out</h1>", "$\\frac{", "'; DROP TABLE answers; --",
]  # fmt: skip
MAZE = MazeEngine(5, 8008)
STEPS = "STEP 1: (0,0) → {d} | confidence: 90% | {reason}\nDEAD_END at (0,0) — backtracking\nBACKTRACK_COUNT: 3"


class Tags(HTMLParser):
    """The tags and attributes that a browser would see."""

    def __init__(self):
        super().__init__()
        self.seen: list[tuple[str, dict]] = []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))


def tags(page: str) -> list[tuple[str, dict]]:
    parser = Tags()
    parser.feed(page)
    return parser.seen


@pytest.fixture
def state(tmp_path):
    with AnswerBook(tmp_path / "a.db") as book:
        state = PasteState(book)
        state.choose(MAZE, MazeConfig(size=5, language="en"))
        yield state


def shown(state, reason="why", direction="S", model="m"):
    state.provenance = Provenance("p", model)
    return state.submit(STEPS.format(d=direction, reason=reason), anyway=True)


@pytest.mark.parametrize("nasty", NASTY, ids=ascii)
@pytest.mark.parametrize("language", WORDS)
def test_nothing_that_was_pasted_is_markup(state, nasty, language):
    plain = tags(view.shown_html(shown(state), language))
    seen = view.shown_html(shown(state, nasty, model=nasty), language)
    kinds = [tag for tag, _ in tags(seen)]
    assert set(kinds) <= {tag for tag, _ in plain}
    assert not [a for tag, attrs in tags(seen) for a in attrs if a.startswith("on")]
    assert not [
        a for _, attrs in tags(seen) if (a := attrs.get("href") or attrs.get("src")) and not a.startswith("data:image")
    ]
    assert "\x1b" not in seen and "\u202e" not in seen
    seen.encode("utf-8")


def test_signs_that_cannot_be_seen_are_written_out():
    assert view.text("a\x1b[31m\u202eb") == "a⟨001B⟩[31m⟨202E⟩b"
    assert view.text("한글\n\t<b>") == "한글\n\t&lt;b&gt;"
    assert view.plain("\x00") == "⟨0000⟩"


def test_the_original_text_is_there_whole_with_its_events_marked(state):
    made = shown(state, "a <b>bold</b> reason")
    page = view.answer_html(made, WORDS["en"])
    bare = html.unescape(re.sub(r"<sup>[^<]*</sup>|</?(?:pre|mark)[^>]*>", "", page))
    assert bare == made.answer.text
    assert len(re.findall("<mark", page)) == 2 and "<sup>1</sup>" in page and "<sup>2</sup>" in page


def test_a_wall_is_marked_against_the_subject(state):
    closed = next(d for d in "NESW" if not MAZE.is_open((0, 0), d) and d in "ES")
    page = view.shown_html(shown(state, direction=closed), "en")
    assert 'class="hm-bad">wall' in page.replace("<span ", "").replace("span class", "class")


def test_a_very_long_answer_is_cut_on_the_screen_only(state):
    made = shown(state, "x" * 200_000)
    page = view.answer_html(made, WORDS["en"])
    assert len(page) < 110_000 and "100,000" in page
    assert len(state.book.answer(made.answer.id).text) > 200_000


@pytest.mark.parametrize("language", WORDS)
def test_every_measure_has_a_value_or_a_reason_a_range_and_a_meaning(state, language):
    page = view.shown_html(shown(state), language)
    assert set(MEANINGS[language]) == set(METRICS)
    for meaning in MEANINGS[language].values():
        assert html.escape(meaning) in page
    assert "nan" not in page.replace("data:image", "").lower().split("base64,")[0]


def test_claims_stand_beside_what_happened(state):
    page = view.shown_html(shown(state), "en")
    row = re.search(r"<tr><td>Turns back</td><td>(\d+)</td><td>(\d+)</td></tr>", page)
    assert row.groups() == ("3", "0")
    assert "<td>0 of 1 true</td>" in page


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "Turns back: the answer says 3, the reading finds 0. A step may have been missed or misread"),
        ("ko", "되돌아섬 수: 응답은 3, 판독은 0입니다. 놓치거나 잘못 읽은 단계가 있을 수 있으니"),
    ],
)
def test_a_report_that_differs_from_the_reading_is_said_where_one_looks_for_what_was_not_read(state, language, line):
    page = view.shown_html(shown(state), language)
    assert line in page and WORDS[language]["no_warnings"] not in page
    assert page.count("<li>") == 1, "hallucinations are not reported, so nothing is said of them"
    assert f"<details open><summary>{WORDS[language]['warnings']}" in page


def test_a_report_that_agrees_is_no_doubt(state):
    text = STEPS.format(d="S", reason="why").replace("COUNT: 3", "COUNT: 0")
    assert "Everything was read." in view.shown_html(state.submit(text, anyway=True), "en")


@pytest.mark.parametrize(
    ("warning", "said"),
    [
        ("of a line longer than 20,000 characters only the beginning was read", "20,000자가 넘는 줄은"),
        ("the final path leaves cells out with an ellipsis, so the steps decide", "단계에 따름"),
        ("the scores rest on 2 corrections of the reading", "판독을 2곳 고친"),
        ("a correction of “1 (0,0) {E}” no longer fits the reading and was left out", "“1 (0,0) {E}”"),
        ("of another program", "of another program"),
    ],
)
def test_warnings_of_the_reader_are_said_in_korean(warning, said):
    assert said in view.warning_words(warning, "ko") and view.warning_words(warning, "en") == warning


def test_lures_that_were_not_shown_are_not_drawn(state, monkeypatch):
    from hallumaze_kit.study import figures

    drawn, draw = [], figures.walk_figure
    monkeypatch.setattr(figures, "walk_figure", lambda *given, **more: drawn.append(more) or draw(*given, **more))
    for mirage in (True, False):
        state.choose(MAZE, MazeConfig(size=5, use_mirage=mirage))
        view.picture(shown(state), "en")
    assert drawn == [{"lures": True}, {"lures": False}]


def test_an_answer_without_a_score_has_one_dash(state):
    refused = state.submit("I cannot do it.", anyway=True)
    assert '<b class="hm-mei">MEI –</b>' in view.shown_html(refused, "en")
    assert view.row_line(state.saved()[0][0], "en").endswith("MEI –")


@pytest.mark.parametrize("language", WORDS)
def test_who_corrected_a_reading_when_and_why_is_shown_and_its_events_are_marked(state, language):
    id = shown(state, "its <b>words</b>").answer.id
    first, second = state.reading(id)
    mended = state.mend(id, [f"{first[:-4]} 70%", "2 (1,0) E", second], "Kim <b>", "misread & missed")
    page, words = view.shown_html(mended, language), WORDS[language]
    (correction, *_) = mended.result.corrections
    assert f"<li>{view.local_time(correction['at'])} · Kim &lt;b&gt; · misread &amp; missed<ul>" in page
    assert f"<li>{view.text(first)} → {view.text(first[:-4])} 70%</li>" in page
    assert f"<li>{words['nothing']} → 2 (1,0) E</li>" in page
    rows = re.findall(r"<tr><td>\d+</td>.*?</tr>", page)[:3]
    assert [words["mended_words"] in row for row in rows] == [True, True, False]
    assert "<td>DEAD_END</td>" in rows[2], "an event that was not corrected keeps its words"
    assert "hm-mended" not in view.shown_html(state.unmend(id), language)


def test_the_seed_is_named_in_the_language_of_the_panel(state):
    made = shown(state)
    row = state.saved()[0][0]
    assert "시드 8008" in view.shown_html(made, "ko") and "시드 8008" in view.row_line(row, "ko")
    assert "seed 8008" in view.shown_html(made, "en") and "seed 8008" in view.row_line(row, "en")


def test_both_languages_say_the_same(state):
    def shape(words):
        if isinstance(words, dict):
            return {key: shape(value) for key, value in words.items()}
        return len(words) if isinstance(words, tuple) else sorted(re.findall(r"{(\w*)", words))

    assert shape(WORDS["ko"]) == shape(WORDS["en"])
    assert MEANINGS["ko"].keys() == MEANINGS["en"].keys()


def test_a_frame_is_escaped_and_shows_no_nan():
    page = view.frame_html(pd.DataFrame({"<b>": ["<i>", 2], "x": [math.nan, 0.12345]}))
    assert "<td>–</td>" in page and "&lt;i&gt;" in page and "&lt;b&gt;" in page and "0.123" in page
