"""Answers in parsed JSON: chat exports, message lists, API responses, records (any shape that is widely met).

Shapes are told by the keys they have, unknown keys are ignored, and what does not fit is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

DEEPEST = 12
"""Levels of lists and mappings that are looked into for answers."""


class Said(NamedTuple):
    """An answer and what the file says of it; see `Pasted`. `alone`: a bare text, of which nothing is known."""

    text: str
    prompt: str = ""
    model: str = ""
    date: str = ""
    seed: int | None = None
    size: int | None = None
    alone: bool = False


class _Turn(NamedTuple):
    side: str
    text: str
    model: str
    date: str


_SIDES = {
    **dict.fromkeys(("user", "human", "사용자"), "user"),
    **dict.fromkeys(("system", "developer"), "system"),
    **dict.fromkeys(("assistant", "model", "ai", "bot", "gpt", "chatgpt", "claude", "gemini"), "assistant"),
}
_ROLE_KEYS = ("role", "sender", "from", "author")
_LISTS = ("chat_messages", "messages", "turns", "history", "contents", "chunks", "conversation", "conversations",
          "data", "results", "items", "chats", "mazes", "answers", "responses", "records")  # fmt: skip
_TEXTS = ("answer", "response", "raw_response", "model_answer", "model_response", "completion", "output",
          "output_text", "generated_text", "reply", "text", "content", "value", "응답", "답변", "답")  # fmt: skip
_PROMPTS = ("prompt", "user", "input", "question", "instruction", "maze_text", "maze", "프롬프트", "질문", "미로")
_MODELS = ("model", "model_slug", "modelVersion", "model_version", "model_name", "modelName", "default_model_slug",
           "모델")  # fmt: skip
_DATES = ("create_time", "created_at", "createTime", "created", "timestamp", "date", "time", "날짜")
_SEEDS = ("seed", "maze_seed", "시드")
_SIZES = ("size", "maze_size", "크기")


def answers(value: Any) -> list[Said]:
    """All answers in parsed JSON, in order."""
    return list(_found(value, Said(""), 0))


def _found(value: Any, around: Said, depth: int) -> Iterator[Said]:
    """The answers in a value; `around` holds what stands about it (model, date, prompt, maze)."""
    if depth > DEEPEST:
        return
    if isinstance(value, str):
        if value.strip():
            yield around._replace(text=value, alone=not around.prompt and around.seed is None)
    elif isinstance(value, list):
        if any(_is_message(item) for item in value):
            yield from _of_turns([turn for item in value if (turn := _turn(item, around))], around)
        else:
            for item in value:
                yield from _found(item, around, depth + 1)
    elif isinstance(value, dict):
        yield from _of_mapping(value, around, depth)


def _of_mapping(value: dict[str, Any], around: Said, depth: int) -> Iterator[Said]:
    around = _about(value, around)
    if isinstance(value.get("mapping"), dict):
        yield from _of_turns(_branch(value, around), around)
        return
    if isinstance(value.get("chunkedPrompt"), dict):
        yield from _found(value["chunkedPrompt"], around, depth + 1)
        return
    choices = value.get("choices", value.get("candidates"))
    if isinstance(choices, list):
        asked = _asked(value, around)
        for choice in choices:
            message = _first(choice, ("message", "content", "text"))
            yield from _as_answer(message, asked)
        return
    if _is_message(value):
        turn = _turn(value, around)
        yield from _of_turns([turn] if turn else [], around)
        return
    if isinstance(value.get("message"), dict):
        yield from _as_answer(value["message"], _asked(value, around))
        return
    text = next((value[key] for key in _TEXTS if isinstance(value.get(key), str) and value[key].strip()), "")
    if text:
        known = around.prompt or around.seed is not None or not {"text", "content", "value"} & set(value)
        yield _asked(value, around)._replace(text=text, alone=not known)
        return
    nested = [value[key] for key in (*_LISTS, *_TEXTS, "body") if isinstance(value.get(key), (list, dict))]
    for part in nested or [part for part in value.values() if _may_hold(part)]:
        before = around if part is not value.get("output") else _asked(value, around)
        yield from _found(part, before, depth + 1)


def _may_hold(part: Any) -> bool:
    """May a value under a key that is not known hold answers? A bare list of words does not."""
    return isinstance(part, dict) or (isinstance(part, list) and any(isinstance(item, (list, dict)) for item in part))


def _as_answer(message: Any, around: Said) -> Iterator[Said]:
    """A message that an API gave back: the answer whatever its role."""
    text = _content(message)
    if text.strip():
        yield around._replace(text=text)


def _asked(value: dict[str, Any], around: Said) -> Said:
    """What stands around a response that carries its request: the last prompt of its messages."""
    request = value.get("request")
    inside = request if isinstance(request, dict) else value
    messages = inside.get("messages")
    turns = [t for m in messages if (t := _turn(m, around))] if isinstance(messages, list) else []
    prompt = "\n\n".join(turn.text for turn in turns if turn.side != "assistant")
    return around._replace(prompt=prompt or around.prompt)


# ---- conversations ------------------------------------------------------------------------------


def _of_turns(turns: list[_Turn], around: Said) -> Iterator[Said]:
    """The answers of a conversation, each with the user's message before it (and the system turn before the first).

    A last prompt without an answer is kept with the text "".
    """
    prompt = around.prompt
    asked: list[str] = []
    for turn in turns:
        if turn.side != "assistant":
            asked.append(turn.text)
            continue
        prompt = "\n\n".join(asked) or prompt
        yield around._replace(text=turn.text, prompt=prompt, model=turn.model, date=turn.date)
        asked = []
    if asked and any(turn.side == "user" for turn in turns):
        yield around._replace(text="", prompt="\n\n".join(asked))


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and _side(value) != "" and bool({*_TEXTS, "parts"} & set(value))


def _side(message: dict[str, Any]) -> str:
    """Who speaks: "user", "assistant", "system", "" if the mapping is no message."""
    role = _first(message, _ROLE_KEYS)
    role = role.get("role", role.get("name")) if isinstance(role, dict) else role
    return _SIDES.get(role.lower(), "") if isinstance(role, str) else ""


def _turn(message: Any, around: Said) -> _Turn | None:
    """A message as a turn; None where it says nothing (a tool call, a thought, a picture)."""
    if not _is_message(message) or message.get("isThought") is True or message.get("thought") is True:
        return None
    text = _content(message)
    if not text.strip():
        return None
    known = _about(message, around)
    return _Turn(_side(message), text, known.model, known.date)


def _content(message: Any) -> str:
    """The words of a message: its blocks of text, else its text; thinking and tool calls are left out."""
    if isinstance(message, str):
        return message
    if not isinstance(message, dict):
        return ""
    blocks = next((message[key] for key in ("content", "parts") if isinstance(message.get(key), list)), None)
    words = _blocks(blocks) if blocks is not None else ""
    if not words and isinstance(message.get("content"), dict):
        words = _content(message["content"])
    if not words:
        words = next((message[key] for key in _TEXTS if isinstance(message.get(key), str)), "")
    attached = message.get("attachments")
    extra = [a.get("extracted_content") for a in attached if isinstance(a, dict)] if isinstance(attached, list) else []
    return "\n\n".join([words, *(text for text in extra if isinstance(text, str) and text)]) if any(extra) else words


_SPOKEN = ("text", "output_text", "input_text")


def _blocks(blocks: list[Any]) -> str:
    texts = []
    for block in blocks:
        if isinstance(block, str):
            texts.append(block)
        elif isinstance(block, dict) and block.get("type", "text") in _SPOKEN and block.get("thought") is not True:
            texts.append(block["text"] if isinstance(block.get("text"), str) else "")
    return "\n".join(text for text in texts if text)


def _branch(conversation: dict[str, Any], around: Said) -> list[_Turn]:
    """The turns of ChatGPT's tree of messages, on the branch that was shown last."""
    nodes = {key: node for key, node in conversation["mapping"].items() if isinstance(node, dict)}
    at = conversation.get("current_node")
    if at not in nodes if isinstance(at, str) else True:
        at = _last_leaf(nodes)
    chain, seen = [], set()
    while isinstance(at, str) and at in nodes and at not in seen:
        seen.add(at)
        chain.append(nodes[at])
        at = nodes[at].get("parent")
    turns = []
    for node in reversed(chain):
        message = node.get("message")
        if isinstance(message, dict) and _is_shown(message):
            turn = _turn(message, around)
            turns += [turn] if turn else []
    return turns


def _last_leaf(nodes: dict[str, dict[str, Any]]) -> str | None:
    """The end of the chain of last children from the root."""
    at = next((key for key, node in nodes.items() if node.get("parent") not in nodes), None)
    seen: set[str] = set()
    while at is not None and at not in seen:
        seen.add(at)
        children = nodes[at].get("children")
        last = children[-1] if isinstance(children, list) and children else None
        if not isinstance(last, str) or last not in nodes:
            break
        at = last
    return at


def _is_shown(message: dict[str, Any]) -> bool:
    """Was a message of ChatGPT shown in the chat: no thought, no tool call, nothing hidden?"""
    content, about = message.get("content"), message.get("metadata")
    kind = content.get("content_type", "text") if isinstance(content, dict) else "text"
    hidden = isinstance(about, dict) and about.get("is_visually_hidden_from_conversation") is True
    return kind in ("text", "multimodal_text") and message.get("recipient", "all") == "all" and not hidden


# ---- what is said beside an answer ----------------------------------------------------------------


def _about(value: dict[str, Any], around: Said) -> Said:
    """`around` with the model, date, prompt and maze that a mapping names."""
    inside = [value, *(value[key] for key in ("metadata", "runSettings", "meta") if isinstance(value.get(key), dict))]
    model = next((m for part in inside for key in _MODELS if isinstance(m := part.get(key), str) and m), around.model)
    day = next((d for key in _DATES if (d := _day(value.get(key)))), around.date)
    prompt = around.prompt
    if not _side(value):
        said = [text for key in ("system", *_PROMPTS) if (text := _content(value.get(key))).strip()]
        prompt = "\n\n".join(said) or prompt
    seed = next((n for key in _SEEDS if (n := _whole(value.get(key))) is not None), around.seed)
    size = next((n for key in _SIZES if (n := _whole(value.get(key))) is not None), around.size)
    maze = value.get("maze")
    if isinstance(maze, dict):
        seed = seed if seed is not None else _whole(maze.get("seed"))
        size = size if size is not None else _whole(maze.get("size"))
    return around._replace(model=model.removeprefix("models/")[:200], date=day, prompt=prompt, seed=seed, size=size)


_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def _day(value: Any) -> str:
    """The ISO day of a time as exports write it (seconds, milliseconds or ISO text), "" for anything else."""
    if isinstance(value, str):
        found = _ISO_DAY.match(value)
        return found[0] if found else ""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 1e8 < value < 1e14:
        return ""
    seconds = value / 1000 if value > 1e11 else value
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _whole(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 30:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _first(value: Any, keys: tuple[str, ...]) -> Any:
    return next((value[key] for key in keys if value.get(key)), None) if isinstance(value, dict) else None
