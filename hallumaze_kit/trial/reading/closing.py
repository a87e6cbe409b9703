"""The closing fields of an answer: which lines they take up, and what they say."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.reading import labels, rows, steps
from hallumaze_kit.trial.reading.passes import Heads, Line
from hallumaze_kit.trial.reading.tokens import CELL

_LOG_PART = re.compile(r"\d\s{0,2}[:=]")
_LOG_BEGUN = re.compile(r"\d\s{0,2}[:=]|\d,")

Path = tuple[Cell, ...]
Log = list[tuple[int, float]]
"""(step, confidence) of a confidence log."""


@dataclass
class Fields:
    """What the closing fields say, and the lines that they take up."""

    final: Path | None = None
    elided: bool = False
    log: Log = field(default_factory=list)
    lines: set[int] = field(default_factory=set)
    final_lines: range = range(0)
    warnings: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, lines: list[Line], heads: Heads) -> Fields:
        """The closing fields of all lines; of several of a kind the last one counts."""
        fields = cls()
        plain = [line for line, _ in lines]
        i = 0
        in_step = False
        while i < len(plain):
            head, line = heads[i], plain[i]
            if not line:
                i += 1
                continue
            after = i
            in_step = head is not None or (in_step and (not line.strip() or steps.is_field(line)))
            below_step = in_step and head is None and steps.is_cell_or_way(line)
            if below_step or ('"' in line and rows.STEP_KEY.match(line.lstrip())):
                i += 1  # `- Direction: E` below a step, `"direction": "E"` of an object
                continue
            if labels.may_close(line, step=head is not None and head.named):
                m = labels.LOG.search(line)
                after = fields._read_log(plain, i, m.end()) if m else fields._read_final(plain, i)
                fields.lines.update(range(i, after))
            i = max(after, i + 1)
        return fields

    def _read_log(self, plain: list[str], i: int, at: int) -> int:
        """A confidence log that begins in line i at `at`; returns the line after it."""
        content, after = plain[i][at:], i + 1
        while after < len(plain) and not _LOG_BEGUN.search(content) and _LOG_PART.search(plain[after]):
            content += " " + plain[after]
            after += 1
        self.log = labels.read_log(content) or self.log
        return after

    def _read_final(self, plain: list[str], i: int) -> int:
        """A final path that begins in line i; returns the line after it, i if there is none."""
        line = plain[i]
        at = labels.final_label(line)
        if at is None or (rows.is_row(line) and len(CELL.findall(line)) < 3):
            return i
        content, after = labels.path_content(plain, i, at)
        path, warning = labels.read_path(content)
        if path is None:
            return after if CELL.search(content) or not content.strip() else i
        self.final, self.elided, self.final_lines = path, bool(warning), range(i, after)
        if warning:
            self.warnings.append(warning)
        return after
