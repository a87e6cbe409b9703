"""Batch paste: real answers joined in many ways and exported in many shapes come out whole, and find their mazes."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallumaze_kit.errors import FileError, InputError
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.panels.batch import REASONS, Pasted, match, read_file, split_batch
from hallumaze_kit.panels.batch.splitting import cut
from hallumaze_kit.records import MazeConfig
from hallumaze_kit.trial.prompt import build_prompt

FOLDER = Path(__file__).parents[2] / "data" / "answers"
LABELS = json.loads((FOLDER / "labels.json").read_text("utf-8"))
NAMES = sorted(LABELS)
RAW = {name: (FOLDER / name).read_bytes().decode("utf-8") for name in NAMES}
TEXT = {name: raw.strip("\n") for name, raw in RAW.items()}
MAZES = {name: MazeEngine(label["size"], label["seed"]) for name, label in LABELS.items()}
ALL = list(MAZES.values())
PAIRS = list(combinations(NAMES, 2)) + [(b, a) for a, b in combinations(NAMES, 2)]
FEW = [NAMES[:2], NAMES[3:6], NAMES[6:10], NAMES[10:], NAMES[::-1][:5], NAMES[::3]]


def config_of(name: str, **fields) -> MazeConfig:
    label = LABELS[name]
    return MazeConfig(size=label["size"], use_mirage=label["mirage"], language=label["language"], **fields)


def user_of(name: str, **fields) -> str:
    return build_prompt(MAZES[name], config_of(name, **fields)).user


def both_of(name: str, **fields) -> str:
    prompt = build_prompt(MAZES[name], config_of(name, **fields))
    return f"{prompt.system}\n\n{prompt.user}"


def texts(pasted: list[Pasted]) -> list[str]:
    return [one.text for one in pasted]


# ---- one answer, many answers -------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_one_answer_alone_is_given_back_untouched(name):
    for text in (RAW[name], f"\n\n{RAW[name]}\r\n \n", RAW[name].replace("\n", "\r\n")):
        assert split_batch(text) == [Pasted(text)]


def test_a_blank_text_holds_none():
    assert split_batch("") == split_batch(" \n\n\t") == []


RULES = ["---", "=====", "***", "* * *", "- - - - -", "____________", "#####", "~~~~", "=" * 70]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("names", FEW)
def test_bare_rules_part_answers(rule, names):
    pasted = split_batch(f"\n\n{rule}\n\n".join(TEXT[name] for name in names))
    assert texts(pasted) == [TEXT[name] for name in names]
    assert [one.number for one in pasted] == list(range(1, len(names) + 1))


@pytest.mark.parametrize("rule", ["---", "======"])
def test_bare_rules_part_any_two_answers(rule):
    for pair in PAIRS:
        joined = f"{TEXT[pair[0]]}\n{rule}\n{TEXT[pair[1]]}"
        assert texts(split_batch(joined)) == [TEXT[name] for name in pair], pair


def test_the_same_answer_twice_is_two_answers():
    for name in NAMES:
        assert texts(split_batch(f"{TEXT[name]}\n\n---\n\n{TEXT[name]}")) == [TEXT[name]] * 2, name


def test_rules_within_one_answer_part_nothing():
    steps = "STEP 1: (0,0) → [S]\nSTEP 2: (1,0) → [E]\nFINAL_PATH: (0,0)→(1,0)→(1,1)"
    for after in (
        "## Verification\nStep 1: (0,0) → S is open\nStep 2: (1,0) → E is open",
        "### 검증\n1. (0,0) → S 열림\n2. (1,0) → E 열림",
        "In short, the final path goes (0,0), (1,0), (1,1).",
        "Thank you!",
        "",
    ):
        text = f"{steps}\n\n---\n\n{after}"
        assert split_batch(text) == [Pasted(text)]


def test_an_answer_that_was_cut_off_is_parted_from_the_next_by_its_first_step():
    cut_off = TEXT[NAMES[2]][:400]
    assert texts(split_batch(f"{cut_off}\n=====\n{TEXT[NAMES[3]]}")) == [cut_off, TEXT[NAMES[3]]]


HEADERS = [
    ("=== answer {n}: {m} ===", True),
    ("### Answer {n} ({m})", True),
    ("[응답 {n}] 모델: {m}", True),
    ("답변 {n}:", False),
    ("Response {n} - {m}", True),
    ("**Answer {n}**", False),
    ("--- Answer #{n} | {m} ---", True),
    ("## 답변 {n}번 — {m}", True),
    ("모델: {m}", True),
    ("## {m}", True),
]


@pytest.mark.parametrize(("form", "named"), HEADERS)
@pytest.mark.parametrize("names", FEW)
def test_headers_part_answers_and_name_models(form, named, names):
    models = ["gpt-4o", "Claude 3.5 Sonnet", "gemini-2.5-pro", "DeepSeek-R1", "GPT-4.1-mini"][: len(names)]
    joined = "\n\n".join(
        f"{form.format(n=n, m=m)}\n\n{TEXT[name]}" for n, (name, m) in enumerate(zip(names, models, strict=False), 1)
    )
    pasted = split_batch(joined)
    assert texts(pasted) == [TEXT[name] for name, _ in zip(names, models, strict=False)]
    assert [one.model for one in pasted] == (models if named else [""] * len(models))


def test_a_header_with_its_own_model_line_and_a_refusal_below_the_next():
    text = f"Answer 1:\nModel: gpt-4o\n{TEXT[NAMES[0]]}\n\nAnswer 2:\nModel: claude-3\nI cannot solve mazes."
    assert split_batch(text) == [
        Pasted(TEXT[NAMES[0]], model="gpt-4o"),
        Pasted("I cannot solve mazes.", model="claude-3", number=2),
    ]


# ---- transcripts --------------------------------------------------------------------------------

ROLES = [
    ("User:", "Assistant:"),
    ("Human:", "Claude:"),
    ("You said:", "ChatGPT said:"),
    ("나:", "ChatGPT:"),
    ("나의 말:", "ChatGPT의 말:"),
    ("사용자:", "어시스턴트:"),
    ("## Prompt", "## Response"),
    ("**User**", "**Assistant**"),
    ("**You:**", "**Gemini:**"),
    ("### 👤 User", "### 🤖 Assistant"),
    ("[User]", "[Assistant]"),
    ("질문:", "답변:"),
    ("# Question", "# Answer"),
    ("You", "ChatGPT"),
]


@pytest.mark.parametrize("roles", ROLES)
@pytest.mark.parametrize("names", FEW)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_transcripts_are_cut_at_their_role_lines(roles, names, gap):
    text = "\n\n".join(f"{roles[0]}{gap}{both_of(name)}\n\n{roles[1]}{gap}{TEXT[name]}" for name in names)
    pasted = split_batch(text)
    assert texts(pasted) == [TEXT[name] for name in names]
    assert [one.prompt for one in pasted] == [both_of(name) for name in names]


@pytest.mark.parametrize("roles", [("User: ", "Assistant: "), ("나: ", "Gemini: "), ("Human: ", "Claude: ")])
def test_what_stands_on_the_role_line_belongs_to_the_turn(roles):
    first, second = TEXT[NAMES[2]], TEXT[NAMES[3]]
    text = f"{roles[0]}Please solve it.\n{roles[1]}{first}\n{roles[0]}And now?\n{roles[1]}{second}"
    pasted = split_batch(text)
    assert [(one.prompt, one.text) for one in pasted] == [("Please solve it.", first), ("And now?", second)]


def test_two_models_that_answer_one_message_share_it():
    text = f"User:\n{user_of(NAMES[0])}\nGPT-4o:\n{TEXT[NAMES[0]]}\nClaude Opus 4:\nSorry, no.\nUser:\nWhy?"
    pasted = split_batch(text)
    assert [(one.prompt, one.text, one.model) for one in pasted] == [
        (user_of(NAMES[0]), TEXT[NAMES[0]], "GPT-4o"),
        (user_of(NAMES[0]), "Sorry, no.", "Claude Opus 4"),
        ("Why?", "", ""),
    ]


def test_a_turn_in_many_messages_is_one_prompt():
    text = "Assistant:\nHello\n" + "User:\nx\n" * 20_000 + "Assistant:\nBye"
    assert [(one.prompt, one.text) for one in split_batch(text)] == [("", "Hello"), ("\n\n".join("x" * 20_000), "Bye")]


def test_system_and_user_turns_are_one_prompt_and_notes_name_models():
    text = f"My chat of today\n\nSystem:\nBe brief.\n\nUser:\nSolve.\n\nAssistant (gpt-4o):\n{TEXT[NAMES[2]]}"
    assert split_batch(text, "a.txt") == [
        Pasted(TEXT[NAMES[2]], "My chat of today\n\nBe brief.\n\nSolve.", "gpt-4o", "a.txt")
    ]


def test_words_of_answers_are_no_roles():
    for line in ("## Answer", "**Answer:**", "Answer: (0,0)→(0,1)", "답:", "You: are here", "## Claude's way"):
        text = f"STEP 1: (0,0) → [E]\n{line}\nFINAL_PATH: (0,0)→(0,1)"
        assert split_batch(text) == [Pasted(text)], line


# ---- the kit's own prompt -----------------------------------------------------------------------

CONDITIONS = [
    {},
    {"show_seed": False},
    {"disclosure": "neutral", "use_confidence": False},
    {"injection": "own"},
    {"injection": "other-clean", "template": 2},
    *({"template": number} for number in range(1, 5)),
    *({"template": number, "disclosure": "neutral"} for number in range(1, 5)),
]


@pytest.mark.parametrize("fields", CONDITIONS)
@pytest.mark.parametrize("make", [user_of, both_of])
def test_prompts_before_answers_are_found(fields, make):
    for names in FEW:
        text = "\n\n".join(f"{make(name, **fields)}\n\n{TEXT[name]}" for name in names)
        pasted = split_batch(text)
        assert texts(pasted) == [TEXT[name] for name in names]
        assert [one.prompt for one in pasted] == [make(name, **fields) for name in names]


@pytest.mark.parametrize("fields", CONDITIONS)
def test_the_prompt_tells_the_maze_and_the_condition(fields):
    for name in NAMES:
        config = config_of(name, **fields)
        (pasted,) = split_batch(f"{both_of(name, **fields)}\n\n{TEXT[name]}")
        found = match(pasted, [])
        if "show_seed" in fields:
            assert found.maze.masks == MAZES[name].masks
        else:
            assert found.maze == MAZES[name]
            assert MazeConfig(size=found.maze.size, **found.hints) == config
        assert match(pasted, ALL).maze == MAZES[name]
        assert (found.how, found.reason) == ("maze text", "")


def test_a_prompt_above_headers_belongs_to_all_of_them():
    name = NAMES[0]
    text = f"{both_of(name)}\n\n=== answer 1: gpt-4o ===\n{TEXT[name]}\n\n=== answer 2: claude ===\n{TEXT[name]}"
    pasted = split_batch(text)
    assert pasted == [
        Pasted(TEXT[name], both_of(name), "gpt-4o"),
        Pasted(TEXT[name], both_of(name), "claude", number=2),
    ]


def test_headers_above_prompts_keep_their_models():
    text = "\n".join(f"### Answer {n} (m-{n})\n{user_of(name)}\n{TEXT[name]}" for n, name in enumerate(NAMES[:4], 1))
    pasted = split_batch(text)
    assert [(p.model, p.prompt, p.text) for p in pasted] == [
        (f"m-{n}", user_of(name), TEXT[name]) for n, name in enumerate(NAMES[:4], 1)
    ]


# ---- nothing is lost ----------------------------------------------------------------------------

SNIPPETS = st.sampled_from(
    [*RULES, *(line for pair in ROLES for line in pair), "User: hello", "=== answer 2: x ===", "답변 3:", "MAZE 5×5 |",
     user_of(NAMES[0]), user_of(NAMES[5], template=2, injection="own"), TEXT[NAMES[1]], TEXT[NAMES[9]], "FINAL_PATH:",
     "STEP 1: (0,0) → E", "\r", "", " ", "=== Answer so far ===", "STEP N: (r,c) → [direction] | [reason]"]
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(st.one_of(SNIPPETS, st.text(max_size=8)), max_size=14).map("\n".join)))
def test_any_text_is_split_and_nothing_is_lost(text):
    parts = cut(text)
    assert "".join(part.text for part in parts) == text
    pasted = split_batch(text)
    assert bool(pasted) == bool(text.strip())
    said = [part.text for part in parts if part.kind != "separator" and part.text.strip()]
    told = [one.text for one in pasted] + [one.prompt for one in pasted]
    assert all(any(part in whole for whole in told) for part in said)
    assert [one.number for one in pasted] == list(range(1, len(pasted) + 1))


@pytest.mark.parametrize(
    "unit",
    ["=", "-", "a", " ", "\n", "#", "1", "(", "---\n", "User:\n", "Answer 1:\n", "MAZE 5×5\n", "STEP 1: (0,0)\n---\n",
     "Claude-", "FINAL_PATH: (0,0)\n---\n", "**", "GPT 4", "User:\nAssistant:\nx\n", "=== answer 1: x ===\nx\n"],
)  # fmt: skip
def test_a_hostile_text_is_split(unit):
    text = unit * (100_000 // len(unit))
    assert "".join(part.text for part in cut(text)) == text
    split_batch(text)


def test_what_cannot_be_split_is_said():
    with pytest.raises(InputError, match="at most 20,000,000 characters"):
        split_batch("a" * 20_000_001)
    with pytest.raises(InputError, match="text"):
        split_batch(b"STEP 1")


# ---- files --------------------------------------------------------------------------------------


def as_json(value) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def chatgpt(name: str, current: bool = True) -> dict:
    def node(number, role, text, parent, children, model=None, kind="text"):
        content = {"content_type": kind, "parts": [text]}
        about = {"model_slug": model} if model else {}
        message = {"id": str(number), "author": {"role": role}, "content": content, "metadata": about,
                   "create_time": 1_750_000_000.5, "recipient": "all"}  # fmt: skip
        return {"id": str(number), "message": message, "parent": parent, "children": children}

    mapping = {
        "0": {"id": "0", "message": None, "parent": None, "children": ["1"]},
        "1": node(1, "system", "", "0", ["2"]),
        "2": node(2, "user", both_of(name), "1", ["3", "4"]),
        "3": node(3, "assistant", "an answer on another branch", "2", [], "gpt-4"),
        "4": node(4, "assistant", "hm …", "2", ["5"], "o3", "thoughts"),
        "5": node(5, "assistant", RAW[name], "4", [], "gpt-4o"),
    }
    tree = {"title": "Maze", "create_time": 1_750_000_000.0, "mapping": mapping}
    return tree | {"current_node": "5"} if current else tree


def claude(name: str) -> dict:
    asked = {"uuid": "a", "sender": "human", "text": both_of(name), "created_at": "2025-06-15T10:00:00.1Z"}
    blocks = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": RAW[name]}]
    said = {"uuid": "b", "sender": "assistant", "text": "shortened", "content": blocks, "created_at": "2025-06-15T10"}
    return {"uuid": "u", "name": "Maze", "model": "claude-opus-4", "chat_messages": [asked, said]}


def studio(name: str) -> dict:
    chunks = [
        {"role": "user", "text": both_of(name)},
        {"role": "model", "text": "hm", "isThought": True},
        {"role": "model", "text": RAW[name]},
    ]
    return {"runSettings": {"model": "models/gemini-2.5-pro"}, "chunkedPrompt": {"chunks": chunks}}


def messages(name: str) -> list:
    system, user = build_prompt(MAZES[name], config_of(name))[:2]
    turns = {"system": system, "user": user, "assistant": RAW[name]}
    return [{"role": role, "content": text} for role, text in turns.items()]


def completion(name: str) -> dict:
    choices = [{"index": 0, "message": {"role": "assistant", "content": RAW[name]}, "finish_reason": "stop"}]
    return {"id": "x", "object": "chat.completion", "created": 1_750_000_000, "model": "gpt-4o", "choices": choices}


def batch_line(name: str) -> dict:
    return {"id": "b", "custom_id": "1", "response": {"status_code": 200, "body": completion(name)}, "error": None}


def responses(name: str) -> dict:
    content = [{"type": "output_text", "text": RAW[name]}]
    output = [{"type": "reasoning", "summary": []}, {"type": "message", "role": "assistant", "content": content}]
    return {"id": "r", "object": "response", "model": "gpt-5", "output": output}


def anthropic(name: str) -> dict:
    return {
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-4",
        "content": [{"type": "text", "text": RAW[name]}],
    }


def gemini(name: str) -> dict:
    return {"candidates": [{"content": {"role": "model", "parts": [{"text": RAW[name]}]}}], "modelVersion": "gemini-2"}


def parts_list(name: str) -> list:
    return [
        {"role": "user", "parts": [{"text": both_of(name)}]},
        {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": RAW[name]}]},
    ]


def sharegpt(name: str) -> dict:
    turns = [{"from": "human", "value": both_of(name)}, {"from": "gpt", "value": RAW[name]}]
    return {"id": "s", "conversations": turns}


def record(name: str) -> dict:
    return {"answer": RAW[name], "prompt": both_of(name), "model": "m", "date": "2025-06-15", "note": ["x"]}


SHAPES = [
    (chatgpt, "gpt-4o", "2025-06-15", True),
    (lambda name: chatgpt(name, current=False), "gpt-4o", "2025-06-15", True),
    (claude, "claude-opus-4", "2025-06-15", True),
    (studio, "gemini-2.5-pro", "", True),
    (messages, "", "", True),
    (lambda name: {"messages": messages(name), "model": "m"}, "m", "", True),
    (completion, "gpt-4o", "2025-06-15", False),
    (batch_line, "gpt-4o", "2025-06-15", False),
    (responses, "gpt-5", "", False),
    (anthropic, "claude-opus-4", "", False),
    (gemini, "gemini-2", "", False),
    (parts_list, "", "", True),
    (sharegpt, "", "", True),
    (record, "m", "2025-06-15", True),
    (lambda name: {"model": "llama", "message": {"role": "assistant", "content": RAW[name]}}, "llama", "", False),
    (lambda name: RAW[name], "", "", False),
    (lambda name: {"응답": RAW[name], "모델": "한글"}, "한글", "", False),
    (lambda name: {"run": {"output": RAW[name], "model": "m", "input": messages(name)[1:2]}}, "m", "", None),
]


@pytest.mark.parametrize(("shape", "model", "date", "prompted"), SHAPES)
def test_every_shape_of_json_gives_its_answers(shape, model, date, prompted):
    names = NAMES[::4]
    together = as_json([shape(name) for name in names])
    lines = b"\n".join(as_json(shape(name)) for name in names)
    for file, data in (("a.json", together), ("a.jsonl", lines), ("lines.json", lines)):
        pasted = read_file(file, data)
        assert texts(pasted) == [RAW[name] for name in names]
        assert {(one.model, one.date, one.source) for one in pasted} == {(model, date, file)}
        assert [one.number for one in pasted] == list(range(1, len(names) + 1))
        if prompted is not None:
            assert [one.prompt for one in pasted] == [both_of(name) if prompted else "" for name in names]
        if prompted:
            assert [match(one, []).maze for one in pasted] == [MAZES[name] for name in names]
    assert texts(read_file("one.json", as_json(shape(NAMES[0])))) == [RAW[NAMES[0]]]


def test_a_claude_attachment_belongs_to_the_prompt():
    chat = claude(NAMES[0])
    chat["chat_messages"][0] |= {"text": "Solve it", "attachments": [{"extracted_content": both_of(NAMES[0])}]}
    (pasted,) = read_file("c.json", as_json([chat]))
    assert match(pasted, []).maze == MAZES[NAMES[0]]


def test_seed_and_size_beside_an_answer_name_its_maze():
    for name in NAMES:
        seed, size = LABELS[name]["seed"], LABELS[name]["size"]
        for maze in ({"seed": seed, "size": size}, {"maze_seed": str(seed)}, {"maze": {"seed": seed, "size": size}}):
            (pasted,) = read_file("r.json", as_json([{"text": RAW[name]} | maze]))
            assert match(pasted, []).maze == MAZES[name]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp949"])
def test_text_files_are_read_in_each_encoding(encoding):
    text = "나의 말:\n풀어 줘\n\nChatGPT의 말:\n1단계: (0, 0)에서 동쪽으로\n최종 경로: (0,0) → (0,1)"
    for name in ("a.txt", "b.md", "noname"):
        assert read_file(name, text.encode(encoding)) == [
            Pasted("1단계: (0, 0)에서 동쪽으로\n최종 경로: (0,0) → (0,1)", "풀어 줘", "ChatGPT", name)
        ]


def test_line_ends_of_a_file_stay():
    text = TEXT[NAMES[0]].replace("\n", "\r\n")
    assert texts(read_file("a.txt", f"{text}\r\n\r\n=====\r\n\r\n{text}\r\n".encode())) == [text, text]


DEEP = b"[" * 200_000 + b"]" * 200_000
BAD = [
    ("a.txt", b"", "a.txt is empty"),
    ("a.md", b" \n\n", "a.md is empty"),
    ("a.json", b"  ", "a.json is empty"),
    ("a.pdf", b"%PDF-1.7 ...", "a PDF"),
    ("a.png", b"\x89PNG\r\n\x1a\n", "an image"),
    ("a.docx", b"PK\x03\x04...", "a packed file"),
    ("a.txt", bytes(range(256)) * 4, "no text in UTF-8, UTF-16 or CP949"),
    ("a.txt", b"abc\0def", "no text"),
    ("a.txt", b"abc\1\2\3\4" * 50, "no text"),
    ("a.json", b'{"a": ', "broken JSON (line 1"),
    ("a.jsonl", b'{"answer": "x"}\n{"a": ', "broken JSON in line 2"),
    ("a.json", DEEP, "nested too deeply"),
    ("a.jsonl", DEEP, "nested too deeply"),
    ("a.json", b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
    ("a.json", b'{"a": 1, "b": ["tag"], "c": null}', "holds no answer"),
    ("a.json", b"[1, 2, null, true]", "holds no answer"),
    ("a.json", b"1" * 5000, "broken JSON"),
    ("a.txt", b"a" * 20_000_001, "20,000,001 bytes"),
    ("a.json", b'{"hallumaze_version": "1.1", "results": []}', "import"),
    ("a.jsonl", b'{"format": "hallumaze answer book", "schema": 1}\n{"text": "x"}', "import"),
]


@pytest.mark.parametrize(("name", "data", "says"), BAD)
def test_a_file_that_cannot_be_read_is_refused_in_one_sentence(name, data, says):
    with pytest.raises(FileError) as caught:
        read_file(name, data)
    assert says in str(caught.value) and "\n" not in str(caught.value) and len(str(caught.value)) < 300


def test_levels_beyond_those_looked_into_are_no_error():
    value = {"answer": "x"}
    for _ in range(400):
        value = [value]
    with pytest.raises(FileError, match="holds no answer"):
        read_file("a.json", as_json(value))


def test_odd_values_in_an_export_are_passed_over():
    tree = chatgpt(NAMES[0])
    tree["mapping"] |= {"x": None, "y": {"parent": "y", "children": ["y"]}, "5": tree["mapping"]["5"] | {"children": 3}}
    odd = [None, 3, {"mapping": {}}, {"mapping": {"a": {"parent": "a"}}, "current_node": "a"}, {"chat_messages": [{}]},
           {"choices": [{}, None, {"message": None}]}, {"messages": "x"}, {"role": {}}]  # fmt: skip
    assert texts(read_file("a.json", as_json([*odd, tree]))) == [RAW[NAMES[0]]]


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(allow_nan=False), st.integers(), st.text(max_size=9)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(
                ["role", "content", "parts", "text", "messages", "mapping", "message", "children", "parent", "author",
                 "current_node", "sender", "chat_messages", "choices", "model", "create_time", "seed", "maze", "prompt",
                 "output", "response", "attachments", "chunkedPrompt", "metadata", "request", "candidates", "date"]
            ),
            st.one_of(inner, st.sampled_from(["user", "assistant", "model"])),
            max_size=5,
        ),
    ),
)  # fmt: skip


@given(JSON)
def test_any_json_gives_answers_or_one_sentence(value):
    try:
        pasted = read_file("a.json", as_json(value))
    except FileError:
        return
    assert pasted and all(isinstance(x, str) for one in pasted for x in (one.text, one.prompt, one.model, one.date))


@given(st.binary(max_size=300))
def test_any_bytes_give_answers_or_one_sentence(data):
    for name in ("a.txt", "a.json", "a.jsonl"):
        try:
            assert read_file(name, data)
        except FileError as error:
            assert "\n" not in str(error)


# ---- which maze ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_finds_its_maze_by_its_prompt(name):
    for prompt in (user_of(name), both_of(name), MAZES[name].encode_text(), f"풀어 줘\n{user_of(name, template=3)}"):
        found = match(Pasted(TEXT[name], prompt), ALL)
        assert (found.maze, found.how) == (MAZES[name], "maze text")
    inside = f"{MAZES[name].encode_text(language='en')}\n\n{TEXT[name]}"
    found = match(Pasted(inside), [])
    assert (found.maze, found.how) == (MAZES[name], "maze text")


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_finds_its_maze_by_its_seed(name):
    seed, size = LABELS[name]["seed"], LABELS[name]["size"]
    named = [
        Pasted(TEXT[name], f"Seed: {seed}"),
        Pasted(TEXT[name], f"{size}×{size} 미로, 시드 {seed}"),
        Pasted(TEXT[name], f"MAZE {size}x{size}, seed {seed}"),
        Pasted(TEXT[name], seed=seed),
        Pasted(TEXT[name], source=f"mine/{name}"),
        Pasted(TEXT[name], source=f"answer seed {seed}.txt"),
    ]
    for pasted in named:
        for mazes in (ALL, []):
            found = match(pasted, mazes)
            assert (found.maze, found.how) == (MAZES[name], "seed line"), pasted.prompt or pasted.source


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_finds_its_maze_among_all_by_its_moves(name):
    found = match(Pasted(TEXT[name]), ALL)
    seed_named = str(LABELS[name]["seed"]) in TEXT[name].split("\n")[0]
    assert (found.maze, found.how) == (MAZES[name], "seed line" if seed_named else "fits")


def test_a_prompt_without_lures_tells_so_and_the_maze_keeps_them():
    name = NAMES[-1]
    found = match(Pasted(TEXT[name], user_of(name).split("\n\n===")[0]), [])
    assert found.hints == {"show_seed": True, "use_mirage": True, "language": "ko"}
    plain = MAZES[name].encode_text(use_mirage=False, language="en", show_seed=False)
    found = match(Pasted(TEXT[name], plain), ALL)
    assert found.maze == MAZES[name]
    assert found.hints == {"show_seed": False, "use_mirage": False, "language": "en"}


def test_seeds_of_other_algorithms_are_tried_too():
    maze = MazeEngine(7, 5, "wilson", "balanced")
    path = "→".join(f"({r},{c})" for r, c in maze.solution)
    found = match(Pasted(f"FINAL_PATH: {path}", "Seed: 5"), [])
    assert (found.maze.masks, found.how) == (maze.masks, "seed line")
    assert match(Pasted(f"FINAL_PATH: {path}", "Seed: 5"), [MazeEngine(7, 5), maze]).maze == maze


def test_where_several_are_possible_the_one_given_out_is_taken():
    one, other = MazeEngine(7, 5), MazeEngine(7, 5, placement="balanced")
    assert one != other
    path = "FINAL_PATH: " + "→".join(f"({r},{c})" for r, c in one.solution)
    found = match(Pasted(path), [one, other, *ALL])
    assert (found.maze, found.reason, set(found.candidates)) == (None, "several mazes", {one, other})
    assert match(Pasted(path), [one, other], shown=[other]).maze == other
    assert match(Pasted(path), [], shown=[other]).maze == other
    assert match(Pasted(path), [one, other], shown=[one, other]).reason == "several mazes"


BROKEN = "\n".join(MAZES[NAMES[0]].encode_text().split("\n")[:-3])
LONE = MazeEngine(5, 999)


@pytest.mark.parametrize(
    ("pasted", "mazes", "reason", "data"),
    [
        (Pasted("", user_of(NAMES[0])), ALL, "no answer", {}),
        (Pasted("Sure!"), ALL, "no moves", {}),
        (Pasted(TEXT[NAMES[0]]), [], "no mazes", {}),
        (Pasted(TEXT[NAMES[0]]), [LONE], "fits none", {"count": 1}),
        (Pasted("Sure!", "Seed: 12"), [], "seed without size", {"seed": 12}),
        (Pasted(TEXT[NAMES[0]], "Seed: 12"), ALL, "seed does not fit", {"seed": 12, "size": 5}),
        (Pasted("Sure!", "5×5, Seed: 12"), ALL, "seed does not fit", {"seed": 12, "size": 5}),
        (Pasted("Sure!", seed=10**40, size=10**9), ALL, "seed does not fit", {"seed": 10**40, "size": 10**9}),
    ],
)
def test_what_could_not_be_matched_says_why(pasted, mazes, reason, data):
    found = match(pasted, mazes)
    assert (found.maze, found.how, found.reason, found.data) == (None, "", reason, data)
    assert reason in REASONS and set(found.candidates) <= set(mazes)


def test_a_broken_maze_text_is_told_unless_something_else_names_the_maze():
    found = match(Pasted("I give up.", BROKEN.replace("Seed", "")), ALL)
    assert found.reason == "maze text broken" and "(4," in found.data["why"]
    assert match(Pasted(TEXT[NAMES[0]], BROKEN), ALL).maze == MAZES[NAMES[0]]


def test_an_echo_with_other_walls_is_not_believed():
    wrong = MazeEngine(5, 77).encode_text(show_seed=False)
    found = match(Pasted(f"{wrong}\n\n{TEXT[NAMES[0]]}"), ALL)
    assert (found.maze, found.how) == (MAZES[NAMES[0]], "fits")


def test_a_refusal_below_a_prompt_belongs_to_its_maze():
    (pasted,) = split_batch(f"User:\n{user_of(NAMES[0])}\n\nAssistant:\nSure!")
    assert (pasted.text, match(pasted, []).maze) == ("Sure!", MAZES[NAMES[0]])


def test_a_file_name_that_does_not_fit_is_not_believed():
    found = match(Pasted(TEXT[NAMES[0]], source=NAMES[1]), ALL)
    assert (found.maze, found.how) == (MAZES[NAMES[0]], "fits")


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=40))
def test_any_pasted_text_is_matched_or_said_why(text, prompt, source):
    found = match(Pasted(text, prompt, source=source), ALL[:3])
    assert (found.maze is None) == (found.reason in REASONS)


def test_a_prompt_above_a_header_that_finds_no_answer_is_not_lost():
    one, two = (build_prompt(MazeEngine(5, seed), MazeConfig(size=5)).user for seed in (1, 2))
    found = split_batch(f"{one}\n\n**Gemini**\n\n{two}")
    assert [piece.prompt.strip() for piece in found] == [one.strip(), two.strip()]
    assert all(not piece.text.strip() for piece in found)
