"""How a synthetic subject writes: one walk, six styles, two languages."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hallumaze_kit.maze import Cell
from hallumaze_kit.subjects.synthetic_walk import Deed, Said, Task, Walk

REASONS = {
    "ko": {
        "only": ("외길", "갈 수 있는 방향이 하나뿐", "통로를 따라 이동"),
        "right": ("출구 쪽으로 이어짐", "이쪽이 출구로 통함"),
        "guess": ("갈림길에서 이쪽을 먼저 확인", "이쪽이 더 나아 보임"),
        "lure": ("힌트가 이쪽을 가리킴", "힌트를 따라 이동"),
        "back": ("다른 쪽을 살펴보러 이동", "여기서는 이쪽만 열려 있음"),
        "slip": ("이쪽도 열려 있음", "바로 옆 칸으로 이동"),
        "any": ("아무 쪽이나 선택", "무작위로 선택"),
    },
    "en": {
        "only": ("the only way on", "one direction is left", "along the corridor"),
        "right": ("this way leads on to the exit", "the exit lies this way"),
        "guess": ("a fork, this side first", "this side looks better"),
        "lure": ("the hint points this way", "following the hint"),
        "back": ("to see the other side", "only this side is open here"),
        "slip": ("this side is open as well", "to the cell next to it"),
        "any": ("any side will do", "picked at random"),
    },
}
CHANGES = {
    "ko": ("아직 가 보지 않은 쪽부터 살피겠음", "갈림길마다 열린 방향을 다시 확인하겠음"),
    "en": ("I will look at the sides I have not seen first", "I will check the open directions again at each fork"),
}
WORDS = {
    "ko": {"confidence": "확신도", "title": "미로 풀이", "walk": "탐색 과정", "final": "최종 출력"},
    "en": {"confidence": "confidence", "title": "Maze solution", "walk": "Exploration", "final": "Final output"},
}
COLUMNS = {
    "ko": ("STEP", "칸", "방향", "확신도", "이유"),
    "en": ("STEP", "Cell", "Direction", "Confidence", "Reason"),
}
SIDES = {
    "ko": {"N": "북쪽", "E": "동쪽", "S": "남쪽", "W": "서쪽"},
    "en": {"N": "north", "E": "east", "S": "south", "W": "west"},
}
MARKS = {"N": "N↑", "E": "E→", "S": "S↓", "W": "W←"}


def _cell(cell: Cell) -> str:
    return f"({cell[0]},{cell[1]})"


def _to(cell: Cell) -> str:
    """The cell with the Korean particle 로/으로, by how its last digit is read."""
    return _cell(cell) + ("으로" if cell[1] % 10 in (0, 3, 6) else "로")


def _topic(cell: Cell) -> str:
    """The cell with the Korean particle 은/는, by how its last digit is read."""
    return _cell(cell) + ("는" if cell[1] % 10 in (2, 4, 5, 9) else "은")


class Writer:
    """Writes a walk as an answer; `rng` picks among wordings and is drawn alike in every style."""

    def __init__(self, task: Task, walk: Walk, rng: Random) -> None:
        self.task, self.walk, self.language = task, walk, task.language
        self.words = WORDS[self.language]
        self.reasons = {deed.step: rng.choice(REASONS[self.language][deed.why]) for deed in walk.deeds}
        self.changes = {said.after: rng.choice(CHANGES[self.language]) for said in walk.said if said.kind == "change"}
        self.variant = {deed.step: rng.random() for deed in walk.deeds}
        self.variant.update((deed.step, 0.0) for deed in walk.deeds[:1])

    # ---- pieces -----------------------------------------------------------------------------

    def events(self) -> list[Deed | Said]:
        """Moves and declarations in order."""
        first = self.walk.deeds[0].step if self.walk.deeds else 1
        out: list[Deed | Said] = [said for said in self.walk.said if said.after < first]
        spoken: dict[int, list[Said]] = {}
        for said in self.walk.said:
            spoken.setdefault(said.after, []).append(said)
        for deed in self.walk.deeds:
            out += [deed, *spoken.get(deed.step, ())]
        return out

    def declaration(self, said: Said) -> str:
        """The line that the prompt's rules give for a declaration."""
        if said.kind == "dead_end":
            return f"DEAD_END at {_cell(said.cell)} — backtracking"
        if said.kind == "loop":
            return f"LOOP detected at {_cell(said.cell)} — visited at step {said.seen_at}"
        return f"STRATEGY_CHANGE — {self.changes[said.after]}"

    def sure(self, deed: Deed, form: str) -> str:
        """`form` with the word for confidence and the value; "" where none is asked for."""
        return form.format(word=self.words["confidence"], value=deed.confidence) if self.task.confidence else ""

    def counts(self) -> dict[str, str]:
        """The labelled self-reports that the prompt asks for: what the subject turned back and owned up to."""
        out = {}
        if self.task.counts:
            out["BACKTRACK_COUNT"] = str(self.walk.turns)
            out["HALLUCINATION_COUNT"] = str(self.owned())
        return out

    def owned(self) -> int:
        """Slips that the subject noticed and put into words."""
        return sum(deed.declared for deed in self.walk.deeds)

    def log(self) -> dict[str, str]:
        """CONFIDENCE_LOG, if it is asked for."""
        if not self.task.confidence:
            return {}
        return {"CONFIDENCE_LOG": ", ".join(f"step{deed.step}:{deed.confidence}" for deed in self.walk.deeds)}

    def path(self, arrow: str = "→") -> str:
        """The final path."""
        return arrow.join(_cell(cell) for cell in self.walk.path)

    def closing(self, log: bool = True) -> list[str]:
        """The last lines as the prompt asks for them."""
        fields = self.counts() | (self.log() if log else {}) | {"FINAL_PATH": self.path()}
        return [f"{name}: {value}" for name, value in fields.items()]

    # ---- styles -----------------------------------------------------------------------------

    def standard(self) -> str:
        """STEP lines as the prompt gives them."""
        lines = []
        for event in self.events():
            if isinstance(event, Said):
                lines.append(self.declaration(event))
            else:
                sure = self.sure(event, " | {word}: {value}%")
                reason = self.reasons[event.step]
                lines.append(f"STEP {event.step}: {_cell(event.start)} → [{event.direction}]{sure} | {reason}")
        return "\n".join([*lines, "", *self.closing()])

    def markdown(self) -> str:
        """Headings, bullets, bold, LaTeX arrows."""
        lines = [f"# {self.words['title']}", "", f"## 1. {self.words['walk']}", ""]
        for event in self.events():
            if isinstance(event, Said):
                name, rest = self.declaration(event).split(" ", 1)
                lines.append(f"- **{name}** {rest}")
            else:
                sure = self.sure(event, " | {word}: **{value}%**")
                move = rf"{_cell(event.start)} $\rightarrow$ **[{MARKS[event.direction]}]**"
                lines.append(f"- **STEP {event.step}:** {move}{sure} | {self.reasons[event.step]}")
        lines += ["", f"## 2. {self.words['final']}", ""]
        lines += [f"- **{name}:** {value}" for name, value in (self.counts() | self.log()).items()]
        path = self.path(r" \rightarrow ")
        return "\n".join([*lines, "", "**FINAL_PATH:**", "", f"$${path}$$"])

    def table(self) -> str:
        """A table with a row a step; declarations are rows of their own."""
        columns = [name for i, name in enumerate(COLUMNS[self.language]) if self.task.confidence or i != 3]
        rows = [columns, [":---:"] * len(columns)]
        for event in self.events():
            if isinstance(event, Said):
                rows.append(["–"] * (len(columns) - 1) + [self.declaration(event)])
            else:
                sure = [self.sure(event, "{value}%")] if self.task.confidence else []
                rows.append([str(event.step), _cell(event.start), event.direction, *sure, self.reasons[event.step]])
        return "\n".join([*("| " + " | ".join(row) + " |" for row in rows), "", *self.closing()])

    def list(self) -> str:
        """A numbered list."""
        lines = []
        for event in self.events():
            if isinstance(event, Said):
                lines.append(f"   - {self.declaration(event)}")
            else:
                sure = self.sure(event, " ({word} {value}%)")
                reason = self.reasons[event.step]
                lines.append(f"{event.step}. {_cell(event.start)} → {event.direction}{sure}: {reason}")
        return "\n".join([*lines, "", *self.closing()])

    def terse(self) -> str:
        """Counts and final path only."""
        return "\n".join(self.closing(log=False))

    def prose(self) -> str:
        """Sentences."""
        sentence = self._korean if self.language == "ko" else self._english
        lines = [sentence(event) for event in self.events()]
        return "\n".join([*lines, "", *self._last_words()])

    def _korean(self, event: Deed | Said) -> str:
        if isinstance(event, Said):
            if event.kind == "dead_end":
                return f"{_topic(event.cell)} 막다른 길이네요."
            if event.kind == "loop":
                return f"{_topic(event.cell)} {event.seen_at}단계에서 이미 지나온 칸입니다. 루프에 빠졌습니다."
            return f"전략을 바꾸겠습니다. {self.changes[event.after].removesuffix('겠음')}겠습니다."
        start, side, end = _cell(event.start), SIDES["ko"][event.direction], event.end
        forms = (
            f"{start}에서 {side}으로 이동해 {_to(end)} 갑니다.",
            f"{start}에서 {side}으로 한 칸 가서 {_cell(end)}에 도착합니다.",
            f"이어서 {start}에서 {side}으로 이동, {_cell(end)}.",
        )
        return forms[int(self.variant[event.step] * len(forms))] + self.sure(event, " {word} {value}%.")

    def _english(self, event: Deed | Said) -> str:
        if isinstance(event, Said):
            if event.kind == "dead_end":
                return f"{_cell(event.cell)} is a dead end."
            if event.kind == "loop":
                return f"I have been at {_cell(event.cell)} before, in step {event.seen_at}, so this is a loop."
            return f"I am changing my strategy: {self.changes[event.after]}."
        start, side, end = _cell(event.start), SIDES["en"][event.direction], _cell(event.end)
        forms = (
            f"From {start} I go {side} to {end}",
            f"At {start} I turn {side}, which brings me to {end}",
            f"Then I move {side} from {start} to {end}",
        )
        return forms[int(self.variant[event.step] * len(forms))] + self.sure(event, " ({word} {value}%)") + "."

    def _last_words(self) -> list[str]:
        lines = []
        if self.task.counts:
            lines.append(
                f"되돌아간 횟수: {self.walk.turns}번. 환각 횟수: {self.owned()}번."
                if self.language == "ko"
                else f"Number of backtracks: {self.walk.turns}. Number of hallucinations: {self.owned()}."
            )
        return [*lines, ("최종 경로: " if self.language == "ko" else "Final path: ") + self.path(" -> ")]


STYLES: dict[str, Callable[[Writer], str]] = {
    "standard": Writer.standard,
    "markdown": Writer.markdown,
    "table": Writer.table,
    "prose": Writer.prose,
    "terse": Writer.terse,
    "list": Writer.list,
}
