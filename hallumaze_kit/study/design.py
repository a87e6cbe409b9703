"""Who answers which mazes, under which conditions, how often: one design, run whole."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from hallumaze_kit.ask import LLM, Reply
from hallumaze_kit.errors import InputError, check_choice, check_whole
from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.records import BenchmarkResult, MazeConfig
from hallumaze_kit.subjects.llm import Asker, Conversation, Message, at_once, converse, hold
from hallumaze_kit.subjects.synthetic import FLOOR, Synthetic
from hallumaze_kit.trial.hints import ARMS, TRIGGERS, Ariadne
from hallumaze_kit.trial.prompt import Prompt

if TYPE_CHECKING:
    from hallumaze_kit.store import AnswerBook


class Subject(Protocol):
    """Who answers: a name, where it comes from, and the answer to a prompt.

    The same prompt and seed must give a synthetic subject's same text; a model may do as it likes.
    """

    name: str
    provider: str

    def answer(self, prompt: Prompt, seed: int) -> str: ...


class Named(Protocol):
    """Whoever can be named in a design: a subject, a model."""

    @property
    def name(self) -> str: ...

    @property
    def provider(self) -> str: ...


class Asked:
    """A model as the subject of a design."""

    def __init__(self, llm: LLM) -> None:
        self.llm = llm
        self.name, self.provider = llm.model, llm.provider


class Cell(NamedTuple):
    """One trial of a design."""

    subject: Any
    maze: MazeEngine
    config: MazeConfig
    run: int
    seed: int
    arm: str = ""


@dataclass(frozen=True)
class Design:
    """Subjects × mazes × conditions × runs.

    subjects  whoever has `.name`, `.provider` and `.answer(prompt, seed) -> str`; no two of one name and provider
    mazes     the same for every subject, so that subjects are compared on equal terms
    configs   conditions, no two alike; each takes the size of the maze it meets, so one serves mazes of several sizes
    runs      repetitions of each cell, 1 or more
    arms      what groups B and C are told, randomised ("hint", "sham", "none"): drawn for each subject, maze
              and condition over its runs, in blocks that hold every arm once, so that no trial changes its arm when
              mazes or runs are added, and with as many runs as arms each maze has every arm once; () is none
    trigger   what calls for a hint in group B (`hallumaze_kit.trial.hints`)
    history   how many of its last turns a stepwise subject is shown, None for all; with 0 it sees where it stands and
              nothing before, as people do who are shown no trail

    Raises `InputError` for an empty list, a repeated subject, maze or condition, or fewer than one run.
    """

    subjects: Sequence[Any]
    mazes: Sequence[MazeEngine]
    configs: Sequence[MazeConfig] = (MazeConfig(),)
    runs: int = 1
    arms: Sequence[str] = ()
    trigger: str = "loop"
    history: int | None = None

    def __post_init__(self) -> None:
        check_whole("runs", self.runs, 1)
        check_choice("trigger", self.trigger, TRIGGERS)
        if self.history is not None:
            check_whole("history", self.history, 0, mend="Leave it out to show all turns.")
        object.__setattr__(self, "arms", tuple(check_choice("arms", arm, ARMS[1:]) for arm in self.arms))
        for name in ("subjects", "mazes", "configs"):
            given = tuple(getattr(self, name))
            if not given:
                raise InputError(name, given, "a list with at least one entry")
            object.__setattr__(self, name, given)
        for name, keys in (
            ("subjects", [f"{s.provider}/{s.name}" for s in self.subjects]),
            ("mazes", [_maze_key(maze) for maze in self.mazes]),
            ("configs", [repr(replace(config, size=7)) for config in self.configs]),
        ):
            twice = sorted({key for key in keys if keys.count(key) > 1})
            if twice:
                raise InputError(name, twice[0], f"a list of different {name}", "Use runs= to repeat a trial.")

    def cells(self, seed: int = 0) -> Iterator[Cell]:
        """The trials in order: by subject, maze, condition, run; each with its own seed derived from `seed`."""
        for subject in self.subjects:
            for maze in self.mazes:
                for condition in self.configs:
                    config = replace(condition, size=maze.size)
                    arms = self.arms if _speaks(condition) else ()
                    for run in range(self.runs):
                        own = cell_seed(seed, subject, maze, config, run)
                        yield Cell(subject, maze, config, run, own, _arm(arms, seed, subject, maze, config, run))


def _speaks(condition: MazeConfig) -> bool:
    """Whether something can be said after the answer: in groups B and C of protocol "single"."""
    return condition.ariadne_mode != "A" and condition.protocol == "single"


def _arm(arms: Sequence[str], seed: int, subject: Named, maze: MazeEngine, config: MazeConfig, run: int) -> str:
    """The arm of a trial: its place in a shuffled block of runs that holds each arm once; "" where none is drawn."""
    if not arms:
        return ""
    block, place = divmod(run, len(arms))
    return Random(f"arms {cell_seed(seed, subject, maze, config, block)}").sample(sorted(arms), len(arms))[place]


def cell_seed(seed: int, subject: Named, maze: MazeEngine, config: MazeConfig, run: int) -> int:
    """A seed (0 to 2³²−1) that depends on what the trial is and on nothing else.

    The first four bytes of a BLAKE2b hash over the names, so that adding a subject or a maze changes no
    other trial, and every process finds the same number.
    """
    parts = [seed, subject.provider, subject.name, _maze_key(maze), asdict(config), run]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big")


def run_design(
    design: Design, seed: int = 0, n_jobs: int = 1, book: AnswerBook | None = None, progress: bool = True
) -> list[BenchmarkResult]:
    """Ask every subject, keep the answers, score them.

    Parameters
    ----------
    design : Design
    seed : int ≥ 0
        Every trial's seed is derived from it (`cell_seed`).
    n_jobs : int
        Trials at once, as joblib counts them (−1 = one a core). The results do not depend on it.
    book : AnswerBook, optional
        Takes each answer as soon as it is there, before anything is scored.
    progress : bool
        Show a bar.

    Returns
    -------
    One result a trial, in the order of `Design.cells`.
    """
    from joblib import Parallel, delayed

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # without ipywidgets tqdm warns and shows a bar of text, which will do
        from tqdm.auto import tqdm
    check_whole("seed", seed, 0)
    cells = list(design.cells(seed))
    given: dict[int, tuple[str, dict[str, Any]]] = {}
    asking = Parallel(n_jobs=n_jobs, return_as="generator_unordered")(
        delayed(_ask)(index, cell, design) for index, cell in enumerate(cells)
    )
    for index, text, known in tqdm(asking, total=len(cells), desc="answers", disable=not progress):
        if book is not None:
            cell = cells[index]
            known["answer_id"] = book.add(text, maze=cell.maze.to_dict(), config=cell.config, **known)
        given[index] = (text, known)
    return Parallel(n_jobs=n_jobs)(delayed(_score)(cell, *given[index]) for index, cell in enumerate(cells))


def _ask(index: int, cell: Cell, design: Design) -> tuple[int, str, dict[str, Any]]:
    """The number of a trial, the answer, and what is known of it before it is scored."""
    hints = Ariadne(cell.config.ariadne_mode, design.trigger, cell.arm)
    talk = hold(converse(_asker(cell.subject, cell.seed), cell.maze, cell.config, hints, design.history))
    return index, talk.text, known_of(index, cell, design, talk)


def known_of(index: int, cell: Cell, design: Design, talk: Conversation) -> dict[str, Any]:
    """What is known of a trial before it is scored, as fields of `BenchmarkResult`."""
    return talk.known() | {
        "provider": cell.subject.provider,
        "model": cell.subject.name,
        "subject_kind": _kind(cell.subject),
        "trial_index": index,
        "run": cell.run,
        "subject_seed": cell.seed,
        "arm": cell.arm,
        "memory": _memory(cell.config, design.history),
    }


def _memory(config: MazeConfig, history: int | None) -> str:
    if config.protocol != "stepwise":
        return ""
    return "all turns" if history is None else f"last {history} turns"


def _asker(subject: Any, seed: int) -> Asker:
    if isinstance(subject, Synthetic):
        return at_once(subject, seed)

    async def reply(messages: Sequence[Message]) -> Reply:
        if len(messages) > 2:
            raise InputError("subject", subject.name, "one with a method reply(messages, seed) to be asked again")
        prompt = Prompt(messages[0]["content"], messages[1]["content"], "")
        return Reply(text=subject.answer(prompt, seed))

    return reply


def _kind(subject: Named) -> str:
    if subject.provider == Synthetic.provider and subject.name in FLOOR:
        return "floor"
    return subject.provider if subject.provider in ("synthetic", "human") else "llm"


def _score(cell: Cell, text: str, known: dict[str, Any]) -> BenchmarkResult:
    from hallumaze_kit.trial.scoring import score_answer

    return score_answer(cell.maze, text, cell.config, **known)


def _maze_key(maze: MazeEngine) -> str:
    """What tells two mazes apart: walls and lures."""
    return json.dumps(maze.to_dict(), sort_keys=True)
