"""`Stepwise`: a maze solved one move a turn, as a state machine (specification, section 8; protocol "stepwise").

It knows nothing of how the subject is reached: models, synthetic subjects, people and pasted transcripts go through
the same `take`. Whoever replays the same replies gets the same messages, byte for byte, so a trial can always be
scored again from what was stored.

    trial = Stepwise(maze, config)
    shown = trial.prompt.user
    while not trial.done:
        shown = trial.take(subject(shown))
    trial.replay()      # what happened, for the measures
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from hallumaze_kit.errors import InputError, check_whole
from hallumaze_kit.maze import STEP, Cell, MazeEngine
from hallumaze_kit.maze.encoding import BIT, cell_line
from hallumaze_kit.records.config import MazeConfig
from hallumaze_kit.trial import wording
from hallumaze_kit.trial.prompt import Prompt, check_size, prompt_of
from hallumaze_kit.trial.reading.tokens import TOKEN, direction_between, fold, normalise
from hallumaze_kit.trial.replay import Declaration, Move, Replay, dead_end_cells
from hallumaze_kit.trial.stepping import words
from hallumaze_kit.trial.stepping.replies import LONGEST, Made, Reply, Try, line_key, read_reply
from hallumaze_kit.trial.trace import DeadEnd, Event, Loop

QUOTED = 200
"""Of a reply that cannot be read, so many characters stand in the events; all of it is in the messages."""
KINDS = (
    "wall", "outside", "jump", "bump", "extra moves", "misplaced", "cut", "unreadable", "reminder", "dead end", "loop",
    "strategy change", "exit", "budget", "gave up",
)  # fmt: skip
"""What the environment notes among the key events of a record; what stands there besides was noted by others."""
_NAMES = {"DeadEnd": "dead end", "Loop": "loop", "StrategyChange": "strategy change"}


class Stepwise:
    """One stepwise trial.

    here      the cell where the subject stands
    done      the trial has ended
    stopped   why: "exit", "budget", "unreadable" (two replies in a row without a move), "gave up"; "" before the end
    events    what happened besides legal moves: dicts with "turn" (number of the reply, from 1) and "kind" ("wall",
              "outside", "jump", "bump", "extra moves", "misplaced", "cut", "unreadable", "reminder", "dead end",
              "loop", "strategy change", and in the end the reason of `stopped`); plain JSON values
    moves     the tries so far, as `Move`s; illegal ones have not `reached` their end
    budget    most tries, legal or not: `config.step_budget`, else 4·N²

    A try at a closed side, over the edge or to a cell that is no neighbour does not move the subject. Its kind is
    "wall", "outside" or "jump", a hallucination; but with `config.view` "bump" the first try at a wall or an edge is
    a "bump", exploration, from whichever side it is made. A reply without a move uses up nothing: it gets one reminder.

    Raises `InputError` for a condition that this protocol does not have: another template than 0, an injected walk,
    another size than the maze's.
    """

    def __init__(self, maze: MazeEngine, config: MazeConfig | None = None) -> None:
        config = MazeConfig(size=maze.size, protocol="stepwise") if config is None else config
        check_size(maze, config)
        if config.template != 0:
            raise InputError("config.template", config.template, "0 for the protocol 'stepwise'", "It has one wording.")
        if config.injection != "none":
            mend = "Walks are injected in the protocol 'single'."
            raise InputError("config.injection", config.injection, "'none' for the protocol 'stepwise'", mend)
        self.maze, self.config = maze, config
        self.budget = 4 * maze.size**2 if config.step_budget is None else config.step_budget
        self.here: Cell = maze.start
        self.stopped = ""
        self.events: list[dict[str, Any]] = []
        self.moves: list[Move] = []
        self._made: set[Made] = set()
        self._dead_ends = dead_end_cells(maze)
        self._turn = 0
        self._reminded = False
        self._turning = False
        self._turns: list[int] = []
        self._entered: dict[Cell, int] = {maze.start: 1}
        self._closed: set[frozenset[Cell]] = set()
        self._declarations: list[Declaration] = []
        self._told = {line_key(line) for line in f"{self.prompt.system}\n{self.prompt.user}".split("\n")}

    # ---- what the subject sees --------------------------------------------------------------

    @cached_property
    def prompt(self) -> Prompt:
        """What stands at the beginning: rules, format, budget and the first situation."""
        language, config = self.config.language, self.config
        disclosed = config.disclosure == "disclosed"
        keep = {"d|": disclosed, "n|": not disclosed, "o|": config.view == "open", "b|": config.view == "bump"}
        lines = [line for line in words.RULES[language].split("\n") if keep.get(line[:2], True)]
        user = "\n".join(line[2:] if line[:2] in keep else line for line in lines).format(
            size=self.maze.size,
            last=self.maze.size - 1,
            budget=self.budget,
            step=self._format,
            dead_end=wording.DEAD_END,
            loop=wording.LOOP,
            change=wording.CHANGE[language],
            situation=self._situation(),
        )
        return prompt_of(wording.SYSTEM[language]["disclosed"][0] if disclosed else words.SYSTEM[language], user)

    @property
    def done(self) -> bool:
        """The trial has ended."""
        return bool(self.stopped)

    @property
    def _format(self) -> str:
        return wording.STEP[self.config.language][0 if self.config.use_confidence else 1]

    def _situation(self) -> str:
        """Number of the step and where the subject stands; in the view "open" the cell's line of the maze text too."""
        language, (row, col) = self.config.language, self.here
        said = words.SITUATION[language].format(number=len(self.moves) + 1, budget=self.budget, row=row, col=col)
        if self.config.view == "bump":
            return said
        hints = [lure for lure in self.maze.mirage_traps if lure.cell == self.here] if self.config.use_mirage else []
        line = cell_line(self.here, self.maze.masks[row * self.maze.size + col], hints, language)
        return f"{said}\n{words.OPEN[language]} {line}"

    # ---- one turn ---------------------------------------------------------------------------

    def take(self, reply: str) -> str:
        """Take a reply and return what the subject sees next; "" when the trial is over, where nothing is taken.

        Raises `InputError` only if `reply` is no text.
        """
        if not isinstance(reply, str):
            raise InputError("reply", reply, "the text of a reply")
        if self.done:
            return ""
        self._turn += 1
        said = self.read(reply)
        if said.cut:
            self._note("cut", characters=len(reply))
        self._declare(said.declared)
        if said.gave_up:
            return self._stop("gave up")
        answer = self._remind(reply) if said.move is None else self._try(said.move, said.extra)
        self._told.update(line_key(line) for line in answer.split("\n"))
        return answer

    def read(self, reply: str) -> Reply:
        """What a reply says, as it would be read now; nothing is taken."""
        return read_reply(reply, self.here, self._told, self._made)

    def _remind(self, reply: str) -> str:
        self._note("unreadable", text=reply[:QUOTED])
        if self._reminded:
            return self._stop("unreadable")
        self._reminded = True
        self._note("reminder")
        reminder = words.REMINDER[self.config.language].format(step=self._format)
        return f"{reminder}\n\n{self._situation()}"

    def _try(self, asked: Try, extra: int) -> str:
        """Make the move that was asked for, or stay; say what came of it."""
        self._reminded = False
        language = self.config.language
        if asked.cell is not None and asked.cell != self.here:
            self._note("misplaced", stated=list(asked.cell), here=list(self.here))
        if extra:
            self._note("extra moves", count=extra)
        move = self._move(asked)
        self.moves.append(move)
        self._made.add((move.step, move.start, move.direction))
        form = {"wall": words.WALL, "bump": words.WALL, "outside": words.OUTSIDE, "jump": words.JUMP}.get(move.kind)
        if move.legal:
            self._enter(move)
            form = words.MOVED
        else:
            self._note(move.kind, here=list(self.here), direction=move.direction, to=list(move.end))
            inside = all(0 <= x < self.maze.size for x in move.end)
            form = words.OUTSIDE if move.kind == "bump" and not inside else form
        if self.here == self.maze.exit:
            return self._stop("exit")
        if len(self.moves) >= self.budget:
            return self._stop("budget")
        row, col = move.end
        lines = [form[language].format(way=move.direction, row=row, col=col)]
        lines += [words.ONLY_FIRST[language]] if extra else []
        return "\n".join([*lines, "", self._situation()])

    def _move(self, asked: Try) -> Move:
        """The try, judged; a stated direction counts before a stated target."""
        here, size = self.here, self.maze.size
        direction = asked.direction or direction_between(here, asked.to)
        end = (here[0] + STEP[direction][0], here[1] + STEP[direction][1]) if direction else asked.to
        if not direction:
            kind = "jump"
        elif not (0 <= end[0] < size and 0 <= end[1] < size):
            kind = "outside"
        else:
            kind = "legal" if self.maze.masks[here[0] * size + here[1]] & BIT[direction] else "wall"
        pair = frozenset((here, end))
        if kind in ("wall", "outside"):
            if self.config.view == "bump" and pair not in self._closed:
                kind = "bump"
            self._closed.add(pair)
        sure = None if asked.confidence is None else asked.confidence / 100
        number, legal = len(self.moves) + 1, kind == "legal"
        return Move(here, end, direction, kind, legal and end in self._entered, number, sure, False, number - 1, legal)

    def _enter(self, move: Move) -> None:
        """Stand at the end of a legal move. Tries that do not move leave a run of retraced moves whole."""
        if move.retraced and not self._turning:
            self._turns.append(move.step)
        self._turning = move.retraced
        self._entered[move.end] = self._entered.get(move.end, 0) + 1
        self.here = move.end

    def _declare(self, declared: Sequence[Event]) -> None:
        """Note what a reply declares: it is said where the subject stands, before the reply's move."""
        for event in declared:
            true: bool | None = None
            if isinstance(event, DeadEnd):
                true = event.cell in self._dead_ends
            elif isinstance(event, Loop):
                true = self._entered.get(event.cell, 0) - (event.cell == self.here) > 0
            self._declarations.append(Declaration(event, len(self.moves), self.here, true))
            cell = getattr(event, "cell", None)
            where = {"cell": list(cell), "true": true} if cell is not None else {}
            self._note(_NAMES[type(event).__name__], **where)

    def _stop(self, why: str) -> str:
        self.stopped = why
        if why != "unreadable":  # which stands there already
            self._note(why)
        return ""

    def _note(self, kind: str, **more: Any) -> None:
        self.events.append({"turn": self._turn, "kind": kind, **more})

    # ---- what happened ----------------------------------------------------------------------

    def replay(self) -> Replay:
        """What happened so far, for the measures."""
        return Replay(
            moves=tuple(self.moves), declarations=tuple(self._declarations), turns=tuple(self._turns), end=self.here
        )


def window(messages: Sequence[Mapping[str, str]], history: int | None = None) -> list[Mapping[str, str]]:
    """The messages of a stepwise conversation that are sent to a model which sees only the last turns.

    Parameters
    ----------
    messages : the whole conversation as dicts with "role" and "content", the newest message last
    history : how many of the last turns (a reply and what came of it) are sent; None sends everything

    The rules (everything up to the first user message) always stand first and the current situation last; with 0 there
    is nothing between them. Raises `InputError` for a negative or broken number.
    """
    if history is None:
        return list(messages)
    check_whole("history", history, 0, mend="None sends everything.")
    head = next((i + 1 for i, m in enumerate(messages) if m["role"] == "user"), len(messages))
    replies = [i for i, m in enumerate(messages) if i >= head and m["role"] == "assistant"]
    if len(replies) <= history:
        return list(messages)
    start = replies[-history] if history else replies[-1] + 1
    return [*messages[:head], *messages[start:]]


def replies_in(maze: MazeEngine, config: MazeConfig, text: str) -> list[str]:
    """The replies in a text that came without its messages: each ends with the line that holds its move.

    What stands behind the last move is a reply of its own, unless it is blank; so is what stands behind the first
    `LONGEST` characters. Joined by line ends they are the text.
    """
    trial, replies, rest = Stepwise(maze, config), [], text.split("\n")
    first = read = 0
    for number, line in enumerate(rest, 1):
        read += len(line) + 1
        if trial.done or read > LONGEST:
            break
        if TOKEN.search(fold(normalise(line))) and trial.read(line).move is not None:
            replies.append("\n".join(rest[first:number]))
            trial.take(replies[-1])
            first = number
    left = rest[first:]
    if replies and not "".join(left).strip():
        replies[-1] = "\n".join([replies[-1], *left])
    elif left:
        replies.append("\n".join(left))
    return replies
