"""What the paste panel says of a text that was not stored, and of a wrong input, as sentences."""

from __future__ import annotations

from typing import Any

from hallumaze_kit.errors import InputError
from hallumaze_kit.panels.pasting import view
from hallumaze_kit.panels.pasting.looks import Notice

Words = dict[str, Any]


def notice_words(found: Notice, words: Words, planned: bool = False) -> str:
    """A notice as a sentence; `planned` tells whether the maze that the text fits instead is one of the plan."""
    values = dict(found.values)
    if found.kind == "duplicate":
        values["model"] = view.short(values["model"]) or words["any_model"]
        values["at"] = view.local_time(values["at"])
    said = [words["notices"][found.kind].format(**values)]
    if found.kind == "other_maze":
        said += _of_another(values, words, planned)
    return "".join([*said, "" if found.kind == "empty" else f" {words['kept']}"])


def _of_another(values: dict[str, Any], words: Words, planned: bool) -> list[str]:
    """What does not fit here, and where the text fits."""
    size, fits = values["size"], values["fits"]
    if values["cell"] is not None:
        said = [words["no_cell"].format(cell=_cell(values["cell"]), size=size)]
    else:
        start, end = map(_cell, values["move"])
        said = [words["no_way"].format(start=start, end=end, size=size)]
    if fits is not None:
        said.append(words["fits_planned" if planned else "fits_saved"].format(size=fits.size, seed=fits.seed))
    return said


def _cell(cell: tuple[int, int]) -> str:
    return f"({cell[0]},{cell[1]})"


def refusal_words(error: InputError, words: Words) -> str:
    """A wrong input as a sentence."""
    kind = "line" if error.parameter.startswith("line ") else error.parameter
    if kind in words["wrong"]:
        given = view.short(str(error.given).strip())
        return words["wrong"][kind].format(parameter=error.parameter.removeprefix("line "), given=given)
    return words["refused"].format(what=error)
