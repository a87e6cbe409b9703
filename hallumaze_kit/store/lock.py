"""One run at a time asks for a book: a lock that the system takes back when its holder dies, however it dies."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from hallumaze_kit.errors import StoreError

_HELD: set[int] = set()
_FAR = 1 << 30
"""Windows lets nobody read what is locked, so a byte far behind the text is locked there."""


class BookBusy(StoreError):
    """Another run is asking for the same book."""


@contextlib.contextmanager
def one_run(book: Path) -> Iterator[None]:
    """Hold the lock of a book while the block runs; `BookBusy` names the process that has it.

    The lock is the system's, on the file `<book>.lock`, which holds the number of its process: whoever is killed holds
    nothing any more, and a file that was left behind is in nobody's way. `StoreError` where there can be no such file.
    """
    file = Path(f"{os.path.realpath(book)}.lock")
    try:
        handle = _locked(file, book)
    except BookBusy:
        raise
    except OSError as error:
        raise StoreError(
            f"{file} cannot be locked ({error.strerror}): choose a book in a folder of your own."
        ) from None
    _HELD.add(handle)
    try:
        yield
    finally:
        # Taken away while it is held: who opened it meanwhile finds that it is no longer the file of this name.
        with contextlib.suppress(OSError):
            file.unlink()
        _HELD.discard(handle)
        os.close(handle)
        if os.name == "nt":
            with contextlib.suppress(OSError):
                file.unlink()


def _locked(file: Path, book: Path) -> int:
    while True:
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if not _lock(handle):
                holder = os.read(handle, 20).decode("ascii", "replace").strip()
                who = f" (process {holder})" if holder.isdecimal() else ""
                raise BookBusy(f"Another run{who} is asking for {book}: wait until it ends, or name another book.")
            if _is_there(handle, file):
                os.ftruncate(handle, 0)
                os.write(handle, f"{os.getpid()}\n".encode())
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _lock(handle: int) -> bool:
    """Lock an open file, at once or not at all; whether it is locked now."""
    try:
        if os.name == "nt":
            import msvcrt

            os.lseek(handle, _FAR, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    finally:
        os.lseek(handle, 0, os.SEEK_SET)
    return True


def _is_there(handle: int, file: Path) -> bool:
    """Whether the open file is still the one of this name."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(file))
    except FileNotFoundError:
        return False


def _forget() -> None:
    """A child that was forked holds nothing: its parent's lock must end with the parent."""
    for handle in _HELD:
        os.close(handle)
    _HELD.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
