"""What failed, where, and how to mend it.

Every error a user can cause is a `KitError`: one sentence that names the parameter, the value
given, what is allowed and how to go on. Panels and commands print the sentence; nobody who
gave bad input has to read a traceback.
"""

from __future__ import annotations


class KitError(Exception):
    """Base of every error that the kit raises on purpose.

    A notebook shows its sentence and no traceback.
    """

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class InputError(KitError, ValueError):
    """A parameter is outside what is allowed."""

    def __init__(self, parameter: str, given: object, allowed: str, mend: str = "") -> None:
        shown = repr(given)
        if len(shown) > 80:
            shown = shown[:77] + "..."
        super().__init__(f"{parameter} must be {allowed}, got {shown}." + (f" {mend}" if mend else ""))
        self.parameter = parameter
        self.given = given


class FileError(KitError, OSError):
    """A file cannot be read or written, or does not hold what its name promises."""


class StoreError(KitError):
    """The answer book cannot be opened or written; what was acknowledged before is still there."""


def check_choice(parameter: str, given: object, allowed: tuple[str, ...]) -> str:
    """Return `given` if it is one of `allowed`, else raise `InputError` that lists them."""
    if not isinstance(given, str) or given not in allowed:
        raise InputError(parameter, given, "one of " + ", ".join(repr(a) for a in allowed))
    return given


def check_whole(parameter: str, given: object, low: int, high: int | None = None, mend: str = "") -> int:
    """Return `given` as an int in [low, high]; bool, float and text are refused."""
    if not isinstance(given, bool) and hasattr(given, "__index__"):
        value: int = given.__index__()
        if value >= low and (high is None or value <= high):
            return value
    span = f"a whole number from {low} to {high}" if high is not None else f"a whole number of {low} or more"
    raise InputError(parameter, given, span, mend)
