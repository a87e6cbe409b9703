"""The command line: arguments in, library calls out (`hallumaze`, `python -m hallumaze_kit`)."""

from __future__ import annotations

import contextlib
import sys


def main() -> None:
    """Run the command of this process's arguments; leaves with its exit code.

    0: done. 1: nothing was answered, or something outside the command failed. 2: the command cannot be carried out as
    it stands. 130: interrupted. Whatever a person can cause is said in one line on stderr.
    """
    from hallumaze_kit.cli.app import app

    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # a console that lacks a letter shows "?" and goes on
    app(prog_name="hallumaze")


__all__ = ["main"]
