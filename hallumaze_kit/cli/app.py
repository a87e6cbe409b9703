"""The commands: `hallumaze [OPTIONS]` asks models; `prompt`, `score`, `export`, `lab`, `doctor` do the rest."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from hallumaze_kit.cli import options as o
from hallumaze_kit.errors import InputError, KitError

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="HalluMaze: does a language model know that it is wrong, and does it get out?",
)


def told(command: Callable[..., int | None]) -> Callable[..., None]:
    """The command, whose errors are one line on stderr and an exit code."""

    @functools.wraps(command)
    def carried_out(*args: Any, **kwargs: Any) -> None:
        from hallumaze_kit.cli.keys import without_keys
        from hallumaze_kit.cli.settings import Refused

        try:
            code = command(*args, **kwargs)
        except KitError as error:
            typer.echo(without_keys(str(error)), err=True)
            code = 2 if isinstance(error, InputError | Refused) else 1
        except KeyboardInterrupt:
            typer.echo("Interrupted.", err=True)
            code = 130
        except BrokenPipeError:
            code = 1
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            typer.echo(without_keys(f"{where}{error.strerror or error}."), err=True)
            code = 1
        if code is not None:
            raise typer.Exit(code)

    return carried_out


@app.callback(invoke_without_command=True)
@told
def ask(
    context: typer.Context,
    config: o.Config = None,
    models: o.Models = None,
    size: o.Size = None,
    runs: o.Runs = None,
    seeds: o.Seeds = None,
    max_tokens: o.MaxTokens = None,
    ariadne_mode: o.GroupOption = None,
    use_mirage: o.Mirage = None,
    use_confidence: o.Confidence = None,
    output: o.Output = None,
    csv: o.Csv = False,
    interactive: o.Interactive = False,
    language: o.LangOption = None,
    protocol: o.ProtocolOption = None,
    algorithm: o.AlgorithmOption = None,
    placement: o.PlacementOption = None,
    view: o.ViewOption = None,
    step_budget: o.StepBudget = None,
    injection: o.InjectionOption = None,
    template: o.Template = None,
    disclosure: o.DisclosureOption = None,
    show_seed: o.ShowSeed = None,
    trigger: o.TriggerOption = None,
    arms: o.Arms = None,
    history: o.History = None,
    temperature: o.Temperature = None,
    effort: o.Effort = None,
    base_url: o.BaseUrl = None,
    key_env: o.KeyEnv = None,
    max_connections: o.MaxConnections = None,
    max_retries: o.MaxRetries = None,
    book: o.Book = None,
    log_dir: o.LogDir = None,
    quiet: o.Quiet = False,
) -> int | None:
    """Ask models to solve mazes, print what happened, write JSON. Without options it asks what to do."""
    named = {name: value for name, value in locals().items() if name != "context"}
    given = o.chosen(named)
    if context.invoked_subcommand:
        if given:
            from hallumaze_kit.cli.settings import Refused

            word = context.invoked_subcommand
            raise Refused(f"Options of a command stand behind it: hallumaze {word} [OPTIONS].")
        return None
    if given.pop("interactive", False) or (not given and sys.stdin.isatty() and sys.stdout.isatty()):
        from hallumaze_kit.cli.interactive import asked

        given = asked(given)
    elif not given:
        typer.echo(context.get_help())
        return 0
    from hallumaze_kit.cli.running import run

    return run(given)


@app.command()
@told
def prompt(
    size: o.Size = None,
    seed: o.NewSeed = None,
    max_tokens: o.MaxTokens = None,
    ariadne_mode: o.GroupOption = None,
    use_mirage: o.Mirage = None,
    use_confidence: o.Confidence = None,
    language: o.LangOption = None,
    protocol: o.ProtocolOption = None,
    algorithm: o.AlgorithmOption = None,
    placement: o.PlacementOption = None,
    view: o.ViewOption = None,
    step_budget: o.StepBudget = None,
    injection: o.InjectionOption = None,
    template: o.Template = None,
    disclosure: o.DisclosureOption = None,
    show_seed: o.ShowSeed = None,
    as_json: o.AsJson = False,
) -> None:
    """Print the prompt of a maze, to be pasted into a chat."""
    from hallumaze_kit.cli.work import print_prompt

    print_prompt(o.chosen({name: value for name, value in locals().items() if name != "print_prompt"}))


@app.command()
@told
def score(
    answer: Annotated[str, typer.Argument(metavar="ANSWER", help="File with the answer, or - for what is piped in.")],
    seed: o.Seed,
    size: o.Size = None,
    ariadne_mode: o.GroupOption = None,
    use_mirage: o.Mirage = None,
    use_confidence: o.Confidence = None,
    language: o.LangOption = None,
    protocol: o.ProtocolOption = None,
    algorithm: o.AlgorithmOption = None,
    placement: o.PlacementOption = None,
    view: o.ViewOption = None,
    step_budget: o.StepBudget = None,
    injection: o.InjectionOption = None,
    template: o.Template = None,
    disclosure: o.DisclosureOption = None,
    show_seed: o.ShowSeed = None,
    conventions: Annotated[o.Conventions, typer.Option(help="What counts.")] = o.Conventions.verified,
    model: Annotated[str, typer.Option(metavar="NAME", help="Who answered.")] = "",
    as_json: o.AsJson = False,
) -> None:
    """Score an answer to a maze and say what happened."""
    from hallumaze_kit.cli.work import print_score

    print_score(o.chosen({name: value for name, value in locals().items() if name != "print_score"}))


@app.command()
@told
def export(
    book: Annotated[Path, typer.Argument(metavar="BOOK", help="An answer book (.db).")],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="File to write: .json, .csv or .jsonl.")],
    language: o.LangOption = None,
) -> None:
    """Write an answer book as JSON, CSV or JSON lines, scored anew."""
    from hallumaze_kit.cli.work import write_book

    write_book(book, output, str(language or "ko"))


@app.command()
@told
def lab() -> int:
    """Open the notebooks in JupyterLab."""
    from hallumaze_kit.cli.work import open_lab

    return open_lab()


@app.command()
@told
def doctor(language: o.LangOption = None) -> None:
    """Say what is installed and which keys are set; never their values."""
    from hallumaze_kit.cli.doctor import print_state

    print_state(str(language or "ko"))
