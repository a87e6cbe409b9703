"""What a run would take, against numbers worked by hand."""

from __future__ import annotations

import math
import re

import pytest

from hallumaze_kit import AnswerBook, MazeConfig, MazeEngine, build_prompt
from hallumaze_kit.ask import LLM
from hallumaze_kit.errors import InputError
from hallumaze_kit.study import estimate, measured_seconds, run
from hallumaze_kit.study.estimate import tokens
from hallumaze_kit.subjects.synthetic import FLOOR
from hallumaze_kit.trial.hints import MESSAGES

EN = MazeConfig(language="en")
STEPS = MazeConfig(protocol="stepwise", language="en", max_tokens=100, step_budget=40)


def shown(maze, config):
    prompt = build_prompt(maze, config)
    return prompt.system + prompt.user


def hangul(text):
    return len(re.findall("[가-힣]", text))


def only(table):
    (row,) = table.to_dict("records")
    return row


def test_tokens_count_hangul_and_the_rest_apart():
    assert tokens("미로 ab") == (2 * 0.5 + 3 * 0.25, 2 * 2 + 3 * 1) == (1.75, 7)
    assert tokens("") == (0, 0)


def test_one_answer_costs_its_prompt_and_at_most_max_tokens():
    maze, config = MazeEngine(5, 1), MazeConfig(size=5, language="en", max_tokens=1000)
    row = only(estimate("openai/gpt-4o", 5, [1], config, prices={"openai/gpt-4o": (2, 10)}, seconds_per_request=12))
    text = shown(maze, config)
    assert hangul(text) == 0
    answer = FLOOR["oracle"].answer(build_prompt(maze, config), 0)
    assert (row["trials"], row["requests_low"], row["requests_high"]) == (1, 1, 1)
    assert (row["tokens_in_low"], row["tokens_in_high"]) == (len(text) / 4, len(text))
    assert (row["tokens_out_low"], row["tokens_out_high"]) == (len(answer) / 4, 1000)
    assert row["cost_high"] == pytest.approx(len(text) * 2 / 1e6 + 1000 * 10 / 1e6)
    assert row["cost_low"] == pytest.approx(len(text) / 4 * 2 / 1e6 + len(answer) / 4 * 10 / 1e6)
    assert row["minutes_low"] == row["minutes_high"] == pytest.approx(12 / 60)
    assert row["note"] == ""


def test_a_korean_prompt_counts_its_hangul():
    row = only(estimate("openai/gpt-4o", 5, [1]))
    text = shown(MazeEngine(5, 1), MazeConfig(size=5))
    h = hangul(text)
    assert h > 100
    assert row["tokens_in_low"] == 0.5 * h + 0.25 * (len(text) - h)
    assert row["tokens_in_high"] == 2 * h + len(text) - h


def test_trials_are_models_mazes_conditions_and_runs():
    conditions = [EN, MazeConfig(use_mirage=False, language="en")]
    table = estimate(["openai/gpt-4o", "synthetic/careful"], [5, 7], range(3), conditions, 2)
    assert list(table["model"]) == ["openai/gpt-4o", "synthetic/careful"]
    assert list(table["trials"]) == [24, 24] and list(table["requests_high"]) == [24, 24]
    assert only(estimate("openai/gpt-4o", [5, 7], iter(range(3))))["trials"] == 6  # an iterator serves every size


def test_hints_ask_a_second_time_with_the_first_answer_in_the_conversation():
    maze, config = MazeEngine(5, 1), MazeConfig(size=5, language="en", max_tokens=500)
    text, hint, sham = shown(maze, config), MESSAGES["en"]["hint"], MESSAGES["en"]["sham"]
    rows = {
        group: only(estimate("openai/x", 5, [1], MazeConfig(ariadne_mode=group, language="en", max_tokens=500)))
        for group in "ABC"
    }
    assert [(rows[g]["requests_low"], rows[g]["requests_high"]) for g in "ABC"] == [(1, 1), (1, 2), (2, 2)]
    assert rows["C"]["tokens_in_high"] == rows["B"]["tokens_in_high"] == 2 * len(text) + 500 + len(hint)
    assert rows["B"]["tokens_in_low"] == rows["A"]["tokens_in_low"] == len(text) / 4
    answer = len(FLOOR["oracle"].answer(build_prompt(maze, config), 0)) / 4
    assert rows["C"]["tokens_in_low"] == 2 * len(text) / 4 + answer + len(hint) / 4
    assert rows["C"]["tokens_out_high"] == 1000
    in_c = MazeConfig(ariadne_mode="C", language="en", max_tokens=500)
    none, said = (only(estimate("openai/x", 5, [1], in_c, arms=[arm])) for arm in ("none", "sham"))
    assert none["requests_high"] == 1 and none["tokens_in_high"] == len(text)
    assert said["tokens_in_high"] == 2 * len(text) + 500 + len(sham)


@pytest.mark.parametrize("history", [None, 3])
def test_stepwise_sends_the_conversation_again_each_turn(history):
    maze = MazeEngine(5, 1)
    moves = len(maze.solution) - 1
    row = only(estimate("openai/x", 5, [1], STEPS, history=history))
    assert (row["requests_low"], row["requests_high"]) == (moves, 40)
    assert row["tokens_out_high"] == 40 * 100
    head = len(shown(maze, MazeConfig(size=5, protocol="stepwise", language="en", step_budget=40)))
    turns = 40 * 39 // 2 if history is None else 0 + 1 + 2 + 37 * 3
    assert (row["tokens_in_high"] - 40 * head) % turns == 0  # each earlier turn: a reply and what came of it
    told = (row["tokens_in_high"] - 40 * head) / turns - 100
    assert 40 < told < 300
    assert row["tokens_in_low"] > moves * head / 4


def test_stepwise_low_is_what_a_faultless_subject_really_sends(tmp_path):
    """The scripted conversation of the oracle, counted request by request."""
    frame = run("synthetic/oracle", 5, [1], STEPS, book=tmp_path / "a.db", log_dir=None, progress=False)
    assert frame["sr"].item() == 1
    with AnswerBook(tmp_path / "a.db") as book:
        (answer,) = book.answers()
    messages = answer.meta["messages"]
    said = [i for i, m in enumerate(messages) if m["role"] == "assistant"]
    row = only(estimate("openai/x", 5, [1], STEPS))
    sent = sum(len(m["content"]) for i in said for m in messages[:i])
    assert row["requests_low"] == len(said)
    assert row["tokens_in_low"] == pytest.approx(sent / 4, rel=0.03)  # it words its reasons by another seed
    assert row["tokens_out_low"] == pytest.approx(sum(len(messages[i]["content"]) for i in said) / 4, rel=0.1)


def test_a_probe_is_one_short_request():
    row = only(estimate("openai/x", 5, [1], MazeConfig(protocol="probe", ariadne_mode="C")))
    assert row["requests_high"] == 1 and row["tokens_out_low"] < 30


def test_without_a_price_or_a_time_there_is_none_and_it_says_so():
    table = estimate(["openai/x", "synthetic/hasty"], 5, [1]).set_index("model")
    row = table.loc["openai/x"]
    assert math.isnan(row["cost_low"]) and math.isnan(row["minutes_high"])
    assert "no price: prices={'openai/x'" in row["note"] and "no time" in row["note"]
    assert table.loc["synthetic/hasty", "cost_high"] == 0 and "costs nothing" in table.loc["synthetic/hasty", "note"]


def test_minutes_share_the_connections_that_trials_can_use():
    four = LLM("openai/x", max_connections=4)
    assert only(estimate(four, 5, range(8), seconds_per_request={"openai/x": 30}))["minutes_low"] == 8 * 30 / 4 / 60
    assert only(estimate(four, 5, range(2), seconds_per_request=30))["minutes_low"] == 2 * 30 / 2 / 60


def test_what_stands_in_the_book_is_not_counted(tmp_path):
    path = tmp_path / "a.db"
    asked = (["synthetic/careful", "synthetic/hasty"], [5])
    assert list(estimate(*asked, range(4), book=path)["trials"]) == [4, 4]
    assert not path.exists()  # an estimate writes nothing
    run(asked[0], [5], range(3), book=path, log_dir=None, progress=False)
    table = estimate(*asked, range(4), book=path, progress=False, study="s", log_dir=None)
    assert list(table["trials"]) == [1, 1] and list(table["answered"]) == [3, 3]
    done = only(estimate(asked[0][0], [5], range(3), book=path, seconds_per_request=2))
    assert done["trials"] == done["requests_high"] == done["tokens_in_high"] == done["minutes_high"] == 0
    other = estimate(*asked, range(4), MazeConfig(use_mirage=False), book=path)
    assert list(other["trials"]) == [4, 4]


def test_measured_seconds_are_a_request_not_a_trial(tmp_path):
    path = tmp_path / "a.db"
    assert measured_seconds(path) == {} and not path.exists()
    said = [{"role": "user", "content": "?"}, {"role": "assistant", "content": "!"}]
    with AnswerBook(path) as book:
        maze, known = MazeEngine(5, 1).to_dict(), {"provider": "openai", "model": "x", "outcome": "answered"}
        book.add("a", maze=maze, latency_s=6.0, messages=said * 3, **known)
        book.add("b", maze=maze, latency_s=2.0, messages=said, **known)
        book.add("c", maze=maze, **known)  # pasted: nobody knows how long it took
        book.add("d", maze=maze, latency_s=99.0, messages=said[:1], **(known | {"outcome": "timed out"}))
        assert measured_seconds(book) == {"openai/x": (6 + 2) / (3 + 1)}


@pytest.mark.parametrize(
    "wrong",
    [
        {"prices": {"openai/x": 3}},
        {"prices": {"openai/x": (1, -2)}},
        {"prices": {"openai/x": "23"}},
        {"seconds_per_request": -1},
        {"seconds_per_request": math.nan},
        {"trigger": "whim"},
    ],
)
def test_wrong_numbers_are_refused(wrong):
    with pytest.raises(InputError):
        estimate("openai/x", 5, [1], **wrong)


def test_what_run_refuses_is_refused():
    for wrong in ({"models": ["synthetic/nobody"]}, {"models": ["openai/x"], "seeds": 5}, {"models": [3]}):
        with pytest.raises(InputError):
            estimate(**{"sizes": 5} | wrong)
