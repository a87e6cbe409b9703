"""What the commands besides asking do: print a prompt, score an answer, write a book, open the notebooks."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hallumaze_kit.cli.settings import Refused, condition_of
from hallumaze_kit.cli.words import say
from hallumaze_kit.errors import FileError, KitError

if TYPE_CHECKING:
    from hallumaze_kit.maze import MazeEngine
    from hallumaze_kit.records import MazeConfig

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
_MAZE = ("seed", "algorithm", "placement")


def print_prompt(given: Mapping[str, Any]) -> None:
    """System turn, a blank line, user turn; as JSON with the digest and the seed beside them."""
    from hallumaze_kit.trial.prompt import build_prompt

    maze, config = _asked(given)
    made = build_prompt(maze, config)
    if given.get("as_json"):
        typer.echo(json.dumps(made._asdict() | {"seed": maze.seed}, ensure_ascii=False))
    else:
        typer.echo(f"{made.system}\n\n{made.user}")
        if "seed" not in given:
            typer.echo(say("drawn", config.language, seed=maze.seed), err=True)


def print_score(given: Mapping[str, Any]) -> None:
    """The document's lines of a trial and its reading in words; as JSON the whole record."""
    from hallumaze_kit.records.codec import as_json, dumps
    from hallumaze_kit.study.showing.console import print_trial
    from hallumaze_kit.trial.interpreting.interpret import interpret
    from hallumaze_kit.trial.scoring import score_answer

    maze, config = _asked(given)
    conventions = given.get("conventions", "verified")
    result = score_answer(maze, _text(given["answer"]), config, model=given.get("model", ""), conventions=conventions)
    if given.get("as_json"):
        typer.echo(dumps(as_json(result)))
        return
    somebody = Path(given["answer"]).name if given["answer"] != "-" else "stdin"
    print_trial(result if result.model else result.replace(model=somebody), config.language)
    typer.echo(f"\n{interpret(result, config.language)!r}")
    typer.echo(f"\n{say('scored_by', config.language, conventions=conventions)}")


def write_book(book: Path, output: Path, language: str) -> None:
    """Score the answers of a book and write them; a file that exists is never written over."""
    from hallumaze_kit.records import write_csv, write_json
    from hallumaze_kit.store import AnswerBook, counted
    from hallumaze_kit.trial.scoring import score_stored

    if not book.is_file():
        raise FileError(f"There is no answer book at {book}: name a file that a run or the panel made.")
    if output.suffix not in (".json", ".csv", ".jsonl"):
        raise Refused(f"OUT must end in .json, .csv or .jsonl, got {str(output)!r}.")
    if output.exists():
        raise Refused(f"{output} exists and is kept as it is: choose another name.")
    with AnswerBook(book) as opened:
        if output.suffix == ".jsonl":
            n = opened.export_jsonl(output)
        else:
            answers = list(opened.answers())
            scorable = [answer for answer in answers if answer.maze]
            results = [score_stored(answer) for answer in counted(scorable)]
            (write_json if output.suffix == ".json" else write_csv)(results, output)
            n = len(results)
            if len(scorable) < len(answers):
                typer.echo(say("skipped", language, n=len(answers) - len(scorable)), err=True)
    typer.echo(say("exported", language, path=output, n=n))


def open_lab() -> int:
    """JupyterLab on the notebooks; its exit code."""
    if importlib.util.find_spec("jupyterlab") is None:
        raise KitError("JupyterLab is not installed: pip install 'hallumaze-kit[panels]'")
    if not NOTEBOOKS.is_dir():
        raise FileError(
            "The notebooks come with the kit's repository, not with the installed package: get the repository."
        )
    return subprocess.run([sys.executable, "-m", "jupyterlab", str(NOTEBOOKS)]).returncode


def _asked(given: Mapping[str, Any]) -> tuple[MazeEngine, MazeConfig]:
    from hallumaze_kit.maze import MazeEngine

    config = condition_of(given)
    return MazeEngine(config.size, **{name: given[name] for name in _MAZE if name in given}), config


def _text(place: str) -> str:
    if place == "-":
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    try:
        return Path(place).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileError(f"{place} is no UTF-8 text: save the answer as plain text.") from None
    except OSError as error:
        raise FileError(f"{place} cannot be read ({error.strerror}): check the name.") from None
