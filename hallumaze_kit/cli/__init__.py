"""The command line: arguments in, library calls out (`hallumaze`, `python -m hallumaze_kit`)."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading

INTERRUPTED = 130


def main() -> None:
    """Run the command of this process's arguments; leaves with its exit code.

    0: done. 1: nothing was answered, or something outside the command failed. 2: the command cannot be carried out as
    it stands. 130: interrupted. Whatever a person can cause is said in one line on stderr.
    """
    try:
        from hallumaze_kit.cli.app import app

        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(AttributeError, ValueError):
                stream.reconfigure(errors="replace")  # a console that lacks a letter shows "?" and goes on
        app(prog_name="hallumaze")
    except KeyboardInterrupt:
        _leave(said=False)
    except SystemExit as left:
        if left.code != INTERRUPTED:
            raise
        # Typer turns an interruption outside of a command into this code, without a word.
        _leave(said=not isinstance(getattr(left.__context__, "__cause__", None), KeyboardInterrupt))


def _leave(said: bool) -> None:
    """End after an interruption, whatever still runs, however often Ctrl-C is pressed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not said:
        print("Interrupted.", file=sys.stderr)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    if threading.active_count() > 1:  # they would be waited for, or complain that things are closed
        os._exit(INTERRUPTED)
    sys.exit(INTERRUPTED)


__all__ = ["main"]
