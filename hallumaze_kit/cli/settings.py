"""From options, a configuration file and the environment to what a run needs."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from hallumaze_kit.ask import LLM, key_variable
from hallumaze_kit.cli.keys import STARRED, is_key, is_set, keyed_models
from hallumaze_kit.errors import FileError, InputError, KitError, check_whole
from hallumaze_kit.records.config import MazeConfig

CONDITION = tuple(f.name for f in fields(MazeConfig))
DESIGN = ("algorithm", "placement", "trigger", "arms", "history")
HOW = ("temperature", "effort", "max_connections", "max_retries")
"""Options that say how each model is asked."""
ONE_SERVICE = ("base_url", "key_env")
IN_MODEL = tuple(f.name for f in fields(LLM) if f.name != "name")
OLD_NAME = "providers"
"""What the public v1.1 program calls the list of models."""


class Refused(KitError):
    """The command cannot be carried out as it stands; nothing was asked."""


@dataclass(frozen=True)
class Settings:
    """What a run needs.

    models      who is asked
    condition   the `MazeConfig`
    seeds       the mazes that were named; () to have new ones drawn
    runs        times that each named maze is asked; without named ones, how many are drawn
    design      further arguments of `run_results` (algorithm, placement, trigger, arms, history)
    left_out    models of the configuration file whose key is a placeholder
    keys_from_file   variables that were set from the configuration file
    """

    models: tuple[LLM, ...]
    condition: MazeConfig
    seeds: tuple[int, ...] = ()
    runs: int = 1
    design: Mapping[str, Any] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    keys_from_file: tuple[str, ...] = ()


def settle(given: Mapping[str, Any]) -> Settings:
    """The settings of a run; what is given goes before the configuration file, the file before the environment.

    Raises `InputError` or `Refused` for a value outside what is allowed and where no model is named or has a key.
    """
    config = read_config(Path(given["config"])) if "config" in given else {}
    options = config.get("maze", {}) | given
    condition = condition_of(options)
    seeds = seeds_of(options.get("seeds", ()))
    runs = check_whole("runs", options.get("runs", 1), 1)
    design = {name: options[name] for name in DESIGN if name in options}
    if not isinstance(design.get("arms", []), list):
        raise InputError("arms", design["arms"], "a list")
    settings = Settings((), condition, seeds, runs, design)
    if given.get("models"):
        return replace(settings, models=tuple(named_models(given["models"], given)))
    for name in ONE_SERVICE:
        if name in given:
            raise Refused(f"--{name.replace('_', '-')} goes with --model openai-api/SERVICE/MODEL: name the model too.")
    if "models" in config:
        return _with_listed(settings, config["models"], given)
    models = tuple(named_models(keyed_models(), given))
    if not models:
        variables = ", ".join(f"{provider.upper()}_API_KEY" for provider in STARRED)
        raise Refused(
            f"There is no model to ask: set a key ({variables}) or name a model, for example --model "
            "synthetic/careful, which needs none; `hallumaze doctor` shows what is set."
        )
    return replace(settings, models=models)


def condition_of(options: Mapping[str, Any]) -> MazeConfig:
    """The condition that the options name."""
    return MazeConfig(**{name: options[name] for name in CONDITION if name in options})


def seeds_of(given: Any) -> tuple[int, ...]:
    """Seeds from numbers, lists and ranges: 7, ["0-2", "7"], "1,2"; `InputError` for others and for one twice."""
    listed = given if isinstance(given, list | tuple) else [given]
    seeds: list[int] = []
    for one in listed:
        seeds += _numbers(one)
    _check_different("--seed", seeds, "Use --runs to ask a maze several times.")
    return tuple(seeds)


def _numbers(given: Any) -> list[int]:
    allowed = "a whole number from 0, or numbers and ranges like 1,2 or 0-9"
    numbers: list[int] = []
    if isinstance(given, bool) or not isinstance(given, int | str):
        raise InputError("--seed", given, allowed)
    for part in str(given).split(","):
        first, dash, last = part.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise InputError("--seed", given, allowed)
        low, high = int(first), int(last or first)
        if not 0 <= high - low < 100_000:
            raise InputError("--seed", given, allowed, "A range goes upwards and holds at most 100000 numbers.")
        numbers += range(low, high + 1)
    return numbers


# ---- models ---------------------------------------------------------------------------------------


def named_models(names: Sequence[str], given: Mapping[str, Any]) -> list[LLM]:
    """The models of these names, asked as `given` says; an address and its key go to openai-api/… models only."""
    how = {name: given[name] for name in HOW if name in given}
    service = {name: given[name] for name in ONE_SERVICE if name in given}
    models = [LLM(name, **how, **(service if name.startswith("openai-api/") else {})) for name in names]
    if service and not any(model.provider == "openai-api" for model in models):
        raise Refused("--base-url and --key-env go with a model openai-api/SERVICE/MODEL, and none is named so.")
    _check_different("--model", names, "Use --runs to ask it several times.")
    return models


def _check_different(option: str, given: Sequence[Any], mend: str) -> None:
    for one, times in Counter(given).items():
        if times > 1:
            raise InputError(option, one, "different each time", mend)


def _with_listed(settings: Settings, listed: Any, given: Mapping[str, Any]) -> Settings:
    """The models of a configuration file; a key that stands there goes to the environment of this process alone."""
    models, left_out, from_file = [], [], {}
    for model, key in listed_models(listed, given):
        if model.name in given.get("left_out", ()):
            left_out.append(model.name)
            continue
        variable = key_variable(model)
        if key is not None and variable and not is_set(variable):
            if not is_key(key):
                left_out.append(model.name)
                continue
            if from_file.setdefault(variable, key.strip()) != key.strip():
                raise Refused(
                    f"Two models have different keys for {variable}: give one a variable of its own (key_env)."
                )
        models.append(model)
    _check_different("models", [model.name for model in models], "Use runs to ask it several times.")
    if not models:
        raise Refused(
            f"No model of the configuration file has a key ({', '.join(left_out)}): put one in the environment or in "
            "place of the placeholder."
        )
    os.environ.update(from_file)
    return replace(settings, models=tuple(models), left_out=tuple(left_out), keys_from_file=tuple(from_file))


def listed_models(listed: Sequence[Any], given: Mapping[str, Any]) -> list[tuple[LLM, str | None]]:
    """The models of a configuration file, each with the key that stands with it, None where none does."""
    how = {name: given[name] for name in HOW if name in given}
    return [_entry(entry, how) for entry in listed]


def _entry(entry: Any, how: Mapping[str, Any]) -> tuple[LLM, str | None]:
    """A model of a configuration file, and the key that stands with it, None where none does."""
    if isinstance(entry, str):
        return LLM(entry, **how), None
    if not isinstance(entry, dict) or not isinstance(entry.get("model"), str):
        raise Refused('Each of the models of a configuration file is "provider/model" or names its "model".')
    entry = _known(entry, ("provider", "model", "api_key", *IN_MODEL), "a model of the configuration file")
    provider, model, key = entry.pop("provider", ""), entry.pop("model"), entry.pop("api_key", None)
    for name in ("base_url", "key_env", "effort"):
        if not isinstance(entry.get(name, ""), str):
            raise Refused(f'The "{name}" of a model must be a text.')
    if not isinstance(entry.get("options", {}), dict):
        raise Refused('The "options" of a model must be a JSON object.')
    if not isinstance(provider, str) or not isinstance(key, str | None):
        raise Refused('The "provider" and the "api_key" of a model must be texts.')
    return LLM(f"{provider}/{model}" if provider else model, **(entry | how)), key


# ---- the configuration file -----------------------------------------------------------------------


def read_config(path: Path) -> dict[str, Any]:
    """`maze` (options by name) and `models` of a configuration file; names that begin with _ are comments.

    Raises `FileError` where it cannot be read or is no JSON, `Refused` for a name that is not known. What stands in the
    file is never shown: it may be a key.
    """
    data = _mapping(_json(path), f"{path} must hold a JSON object")
    data = _known(data, ("maze", "models", OLD_NAME), str(path))
    if OLD_NAME in data:
        data["models"] = data.pop(OLD_NAME)
    if not isinstance(data.get("models", []), list):
        raise Refused(f'"models" in {path} must be a list.')
    if "maze" in data:
        maze = _mapping(data["maze"], f'"maze" in {path} must hold options by name')
        maze = _known(maze, (*CONDITION, *DESIGN, "seed", "runs"), f'"maze" in {path}')
        seed = maze.pop("seed", None)
        data["maze"] = maze | ({} if seed is None else {"seeds": seed})
    return data


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        raise FileError(f"{path} does not exist: copy config.example.json to it, or check the name.") from None
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise FileError(f"{path} cannot be read ({why}).") from None
    except json.JSONDecodeError as error:
        raise FileError(f"{path} is not JSON ({error.msg} at line {error.lineno}, column {error.colno}).") from None
    except RecursionError:
        raise FileError(f"{path} is nested too deeply.") from None


def _mapping(value: Any, otherwise: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Refused(f"{otherwise}.")
    return value


def _known(given: Mapping[str, Any], allowed: Sequence[str], where: str) -> dict[str, Any]:
    """The mapping without its comments, if all names are known."""
    kept = {name: value for name, value in given.items() if not name.startswith("_")}
    for name in kept:
        if name not in allowed:
            raise Refused(f"{where} has {name!r}, which is no option: {', '.join(allowed)} are.")
    return kept
