"""The questions of `--interactive`, and of a bare `hallumaze` on a terminal."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import typer

from hallumaze_kit.ask import LLM, key_variable
from hallumaze_kit.ask.models import KEYS
from hallumaze_kit.cli.keys import is_key, is_set, keyed_models
from hallumaze_kit.cli.settings import Refused, condition_of, listed_models, named_models, read_config, seeds_of
from hallumaze_kit.cli.words import say
from hallumaze_kit.errors import InputError, check_whole

ENOUGH = 3
"""How often a question is put before the command is given up."""


def asked(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options, completed by questions; what was given is not asked. Keys go to this process's environment only."""
    answers = dict(given)
    file = read_config(Path(answers["config"])) if "config" in answers else {}
    language = condition_of(file.get("maze", {}) | answers).language
    found = [variable for variable in KEYS.values() if is_set(variable)]
    typer.echo(say("found", language, variables=", ".join(found)) if found else say("no_keys", language))
    if "models" not in answers and "models" in file:
        listed = listed_models(file["models"], answers)
        left = [model.name for model, key in listed if not is_key(key) and not _keyed(model, language)]
        if len(left) == len(listed):
            raise Refused(say("nobody", language))
        answers |= {"left_out": left} if left else {}
        return _completed(answers, file.get("maze", {}), language)
    if "models" not in answers:
        offered = ", ".join(keyed_models()) or "synthetic/careful"
        answers["models"] = _until(say("ask_models", language), offered, _names)
    named = named_models(answers["models"], answers)
    answers["models"] = [model.name for model in named if _keyed(model, language)]
    if not answers["models"]:
        raise Refused(say("nobody", language))
    return _completed(answers, file.get("maze", {}), language)


def _completed(answers: dict[str, Any], file: Mapping[str, Any], language: str) -> dict[str, Any]:
    """The options of the mazes, asked for where neither they nor the configuration file say them."""
    for name, question, default, read in (
        ("size", "ask_size", "7", lambda text: condition_of({"size": _whole(text, "size")}).size),
        ("runs", "ask_runs", "1", lambda text: check_whole("runs", _whole(text, "runs"), 1)),
        ("seeds", "ask_seed", "", lambda text: list(map(str, seeds_of(text))) if text else []),
        ("ariadne_mode", "ask_group", "A", lambda text: condition_of({"ariadne_mode": text.upper()}).ariadne_mode),
    ):
        if name not in answers and name not in file:
            answers[name] = _until(say(question, language), default, read)
    if "use_mirage" not in answers and "use_mirage" not in file:
        answers["use_mirage"] = typer.confirm(say("ask_mirage", language), default=True)
    return {name: value for name, value in answers.items() if value != []}


def _keyed(model: LLM, language: str) -> bool:
    """Whether the model has its key, asked for if it has not; left empty, it is left out."""
    variable = key_variable(model)
    if not variable or is_set(variable):
        return True
    question = say("ask_key", language, variable=variable, model=model.name)
    key = typer.prompt(question, default="", hide_input=True, show_default=False).strip()
    if is_key(key):
        os.environ[variable] = key
        return True
    return False


def _until(question: str, default: str, read: Callable[[str], Any]) -> Any:
    """The answer to a question, put again where it cannot be read."""
    for attempt in range(1, ENOUGH + 1):
        text = typer.prompt(question, default=default, show_default=bool(default)).strip()
        try:
            return read(text)
        except InputError as error:
            if attempt == ENOUGH:
                raise
            typer.echo(str(error), err=True)


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        LLM(name)
    if not names:
        raise InputError("model", text, "provider/model", "For example synthetic/careful.")
    return names


def _whole(text: str, name: str) -> int:
    if not text.isdecimal():
        raise InputError(name, text, "a whole number")
    return int(text)
