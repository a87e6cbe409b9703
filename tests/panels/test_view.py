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
