"""Writing a file whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from hallumaze_kit.errors import FileError, InputError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)
_DATABASE = b"SQLite format 3\0"
_BESIDE = ("-wal", "-shm", "-journal")
"""Endings of the files that SQLite keeps beside a database."""


def as_path(path: object) -> Path:
    """`path` as a `Path`; `InputError` for what names no file."""
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else path
    if not isinstance(name, str) or "\0" in name:
        raise InputError("path", path, "the name of a file, as text or a Path")
    return Path(name)


@contextlib.contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A binary file that takes the name `path` when the block ends well; until then `path` is as it was.

    The bytes are on the disk (fsync) before the name is given, so that a crash leaves the old file or the new
    one, never a part. Missing parent folders are made. Raises `FileError` for a folder that cannot be
    written or a full disk, and for an answer book, which no other file may replace.
    """
    path = as_path(path)
    with contextlib.suppress(OSError):
        path = path.resolve()
    temporary = path.with_name(f".hallumaze-{secrets.token_hex(8)}.tmp")
    try:
        _spare_databases(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(temporary, "xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                shutil.copymode(path, temporary)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        if isinstance(error, FileError):
            raise
        raise FileError(_why(path, error)) from error
    _sync_folder(path.parent)


def write_whole(path: str | os.PathLike[str], data: bytes) -> Path:
    """Write `data` to `path`, whole or not at all; see `writing`."""
    with writing(path) as file:
        file.write(data)
    return Path(path)


def _spare_databases(path: Path) -> None:
    """Refuse an answer book (or another database) and the files that belong to one."""
    owners = [path.with_name(path.name[: -len(end)]) for end in _BESIDE if path.name[1:].endswith(end)]
    for file in (path, *owners):
        if not file.is_file():
            continue
        with open(file, "rb") as held:
            if held.read(len(_DATABASE)) == _DATABASE:
                raise FileError(
                    f"{path} cannot be written because {'it' if file == path else file} is an answer book or another "
                    "database: choose another file name, this one stays as it is."
                )


def _why(path: Path, error: OSError) -> str:
    if error.errno in _FULL:
        why, mend = "the disk is full", "free some space or choose another disk"
    elif error.errno in _REFUSED:
        why, mend = "its folder does not allow it", "choose a folder of your own"
    else:
        why, mend = f"of a system error ({error.strerror or error})", "choose another file name or folder"
    return f"{path} cannot be written because {why}: {mend}, then write again."


def _sync_folder(folder: Path) -> None:
    """Make the new name last; some systems cannot open a folder, and then the file system decides."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
