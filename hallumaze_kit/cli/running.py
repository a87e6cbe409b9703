"""A run from the shell: asked with `run_results`, printed as section 3 of the document has it, written, resumable."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hallumaze_kit.cli.keys import without_keys
from hallumaze_kit.cli.options import command
from hallumaze_kit.cli.settings import Refused, Settings, settle
from hallumaze_kit.cli.words import say
from hallumaze_kit.errors import FileError, KitError

if TYPE_CHECKING:
    from hallumaze_kit.maze import MazeEngine
    from hallumaze_kit.records import BenchmarkResult

FOLDER = Path("results")
SEEDS = 100_000
"""New mazes are drawn from the seeds below it, as `MazeEngine` draws them."""
BOXES = 4
"""Mazes that get a box; of the others one line tells the seeds."""
PROFILE = ("sr", "hallucination_count", "detected", "recovery_rate", "ce")
"""Measures of the printed profile: as many as a screen is wide."""


@dataclass(frozen=True)
class Place:
    """Where a run writes.

    output, csv   its files; `csv` is None where none is asked for
    book          the answers, before they are scored
    own           the book stands beside the output and serves this run only
    named         somebody named the output
    """

    output: Path
    csv: Path | None
    book: Path
    own: bool
    named: bool


def run(given: Mapping[str, Any]) -> int:
    """Ask, print, write; the exit code: 0, or 1 if no trial brought a whole answer."""
    settings = settle(given)
    language = settings.condition.language
    if settings.left_out:
        _tell(say("left_out", language, names=", ".join(settings.left_out)))
    if settings.keys_from_file:
        _tell(say("keys_in_file", language, variables=", ".join(settings.keys_from_file)))
    with place_of(given) as place:
        if not settings.seeds:
            drawn = draw_seeds(settings.runs, _seeds_before(place, settings))
            settings = replace(settings, seeds=drawn, runs=1)
        again = going_on(given, settings, place)
        from hallumaze_kit.study.running import RunInterrupted

        try:
            results, warned = _asked(given, settings, place)
        except (KeyboardInterrupt, RunInterrupted):
            _tell(say("interrupted", language, path=place.book, command=command(again)))
            return 130
        except KitError as error:
            if not _asked_nothing(error):
                _tell(without_keys(str(error)))
                _tell(say("go_on", language, command=command(again)))
                return 1
            raise
    return _finish(results, warned, settings, place, given, again)


def going_on(given: Mapping[str, Any], settings: Settings, place: Place) -> dict[str, Any]:
    """The options that go on with this run: its mazes, its models and its files named."""
    named = {name: value for name, value in given.items() if name not in ("seeds", "runs", "interactive", "left_out")}
    seeds = given.get("seeds") or [",".join(map(str, settings.seeds))]
    more = {
        "seeds": seeds,
        "runs": settings.runs if settings.runs > 1 or "config" in given else None,
        "output": place.output,
    }
    if "config" not in given:
        more["models"] = [model.name for model in settings.models]
    return named | more


# ---- places -----------------------------------------------------------------------------------------


@contextlib.contextmanager
def place_of(given: Mapping[str, Any]) -> Iterator[Place]:
    """Where the run writes; a book that stays empty is taken away again.

    A file that exists is never written over: `Refused`. Without a name, one that is free is made from the time; the
    book is made at once, so that two runs of the same second do not share it.
    """
    named = given.get("output")
    if named:
        output = Path(named)
        if output.suffix != ".json":
            raise Refused(f"--output must end in .json, got {named!r}.")
        for path in (output, output.with_suffix(".csv")) if given.get("csv") else (output,):
            if path.exists():
                raise Refused(f"{path} exists and is kept as it is: choose another --output.")
        claimed = None
    else:
        output, claimed = _claimed(FOLDER / f"hallumaze_results_{datetime.now():%Y%m%d_%H%M%S}.json")
    book = given.get("book")
    csv = output.with_suffix(".csv") if given.get("csv") else None
    try:
        yield Place(output, csv, Path(book) if book else output.with_suffix(".db"), not book, bool(named))
    finally:
        with contextlib.suppress(OSError):
            if (claimed and not claimed.stat().st_size) or (claimed and book):
                claimed.unlink()


def _claimed(wanted: Path) -> tuple[Path, Path]:
    """A name that is free, and the book beside it, made empty."""
    try:
        wanted.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(
            f"{wanted.parent.absolute()} cannot be made ({error.strerror}): name an --output in a folder of your own."
        ) from None
    for number in range(1, 1000):
        path = wanted if number == 1 else wanted.with_stem(f"{wanted.stem}_{number}")
        book = path.with_suffix(".db")
        if not path.exists() and not path.with_suffix(".csv").exists():
            with contextlib.suppress(FileExistsError):
                os.close(os.open(book, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
                return path, book
    raise Refused(f"{wanted} and the names after it are taken: name another --output.")


def draw_seeds(number: int, before: Sequence[int] = ()) -> tuple[int, ...]:
    """Different seeds: those that a run which is gone on with has asked, then new ones."""
    if number > SEEDS // 2:
        raise Refused(f"--runs without --seed draws at most {SEEDS // 2} new mazes, got {number}.")
    seeds = list(dict.fromkeys(before))[:number]
    while len(seeds) < number:
        seed = secrets.randbelow(SEEDS)
        if seed not in seeds:
            seeds.append(seed)
    return tuple(seeds)


def _seeds_before(place: Place, settings: Settings) -> list[int]:
    """The seeds of the mazes that a killed run with this output drew, in the order in which answers came."""
    if not (place.own and place.named and place.book.exists()):
        return []
    from hallumaze_kit.store import AnswerBook

    wanted = {
        "size": settings.condition.size,
        "algorithm": settings.design.get("algorithm", "dfs"),
        "placement": settings.design.get("placement", "v1.1"),
    }
    with AnswerBook(place.book) as book:
        mazes = [answer.maze or {} for answer in book.answers()]
    return [maze["seed"] for maze in mazes if wanted.items() <= maze.items()]


# ---- asking -----------------------------------------------------------------------------------------


class _Screen:
    """What is printed while answers come."""

    def __init__(self, settings: Settings, quiet: bool) -> None:
        from rich.console import Console

        self.console = Console(highlight=False)
        self.language, self.quiet = settings.condition.language, quiet
        self.trials = len(settings.seeds) * settings.runs * len(settings.models)
        self.several = len(settings.seeds) * settings.runs > 1
        self.told = 0

    def line(self, words: str, **values: object) -> None:
        """One line of the screen's language."""
        if not self.quiet:
            self.console.print(f"  {say(words, self.language, **values)}", markup=False, soft_wrap=True)

    def mazes(self, mazes: Sequence[MazeEngine]) -> None:
        """The boxes of the mazes."""
        from hallumaze_kit.study.showing.console import print_maze

        if self.quiet:
            return
        boxed = mazes if len(mazes) <= BOXES else mazes[:1]
        for maze in boxed:
            print_maze(maze, self.language, self.console)
        if len(mazes) > len(boxed):
            seeds = [str(maze.seed) for maze in mazes[len(boxed) :]]
            shown = ", ".join(seeds[:20]) + (" …" if len(seeds) > 20 else "")
            self.line("more_mazes", n=len(seeds), seeds=shown)

    def trial(self, result: BenchmarkResult) -> None:
        """The three lines of a trial that is newly there."""
        from hallumaze_kit.study.showing.console import print_trial

        self.told += 1
        if self.quiet:
            return
        with contextlib.suppress(OSError):
            self.console.print()
            if self.several:
                self.line(
                    "trial", at=self.told, all=self.trials, size=result.maze_size, seed=result.seed, run=result.run + 1
                )
            print_trial(result, self.language, self.console)


def _asked(given: Mapping[str, Any], settings: Settings, place: Place) -> tuple[list[BenchmarkResult], list[str]]:
    """The results, and what `run_results` warned of."""
    from hallumaze_kit.maze import MazeEngine
    from hallumaze_kit.study.running import LOGS, RunWarning, run_results

    screen = _Screen(settings, bool(given.get("quiet")))
    mazes = {name: settings.design[name] for name in ("algorithm", "placement") if name in settings.design}
    screen.mazes([MazeEngine(settings.condition.size, seed, **mazes) for seed in settings.seeds])
    screen.line("book", path=place.book)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = run_results(
            settings.models, settings.condition.size, settings.seeds, settings.condition, settings.runs,
            **settings.design, book=place.book, log_dir=given.get("log_dir", LOGS),
            progress=screen.quiet and sys.stderr.isatty(), told=screen.trial,
        )  # fmt: skip
    if len(results) > screen.told:
        screen.line("known", n=len(results) - screen.told, path=place.book)
    return results, [str(one.message) for one in caught if issubclass(one.category, RunWarning)]


def _asked_nothing(error: KitError) -> bool:
    """True for an error that ends a run before it has answers to go on from."""
    from hallumaze_kit.ask import AskError
    from hallumaze_kit.errors import InputError
    from hallumaze_kit.store import BookBusy

    return isinstance(error, AskError | InputError | FileError | BookBusy)


# ---- the end ----------------------------------------------------------------------------------------


def _finish(
    results: list[BenchmarkResult], warned: Sequence[str], settings: Settings, place: Place,
    given: Mapping[str, Any], again: Mapping[str, Any],
) -> int:  # fmt: skip
    """Print the comparison, write the files, say what is missing; the exit code."""
    from hallumaze_kit.ask import KEPT
    from hallumaze_kit.records import to_frame, write_csv, write_json
    from hallumaze_kit.study.showing.console import print_profile, print_ranking
    from hallumaze_kit.study.tables import leaderboard

    screen = _Screen(settings, bool(given.get("quiet")))
    language = screen.language
    for line in warned:
        _tell(without_keys(line))
    if not any(result.outcome in KEPT for result in results):
        _tell(say("none", language, command=command(again)))
        return 1
    output = write_json(results, _unused(place.output), settings.condition)
    table = write_csv(results, _unused(output.with_suffix(".csv"))) if place.csv else None
    if not screen.quiet:
        screen.console.print()
        print_profile(leaderboard(to_frame(results), PROFILE), language, screen.console)
        print_ranking(results, language, screen.console)
        screen.console.print()
    screen.line("json", path=output)
    if table:
        screen.line("csv", path=table)
    if any(result.outcome not in KEPT for result in results):
        beside = {"output": _unused(output), "book": place.book}
        _tell(say("go_on", language, command=command(dict(again) | beside)))
    return 0 if any(result.outcome == "answered" for result in results) else 1


def _unused(path: Path) -> Path:
    """The name, or the first after it that no file has: another run may have taken it meanwhile."""
    number = 1
    found = path
    while found.exists():
        number += 1
        found = path.with_stem(f"{path.stem}_{number}")
    return found


def _tell(line: str) -> None:
    typer.echo(line, err=True)
