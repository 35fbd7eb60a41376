"""Paths that name no ordinary file are refused before they are opened."""

import os
import stat
from pathlib import Path
from typing import BinaryIO

from augury.persist.errors import ModelFileError

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def as_path(path: str | os.PathLike[str]) -> Path:
    """Return `path` as a `Path`; an empty one, which would be the current folder, is refused.

    Raises
    ------
    ModelFileError
        If the path is empty or has a null character.
    TypeError
        If it is no path at all.
    """
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"the path of a model file must be a str or a Path, got {path!r:.80}")
    if not text or "\0" in text:
        raise ModelFileError(
            f"{text!r}: is an empty path or has a null character: pass the path of a model file, "
            "such as 'model.augury'"
        )
    return Path(text)


def open_regular_file(path: Path) -> BinaryIO:
    """Open an ordinary file for reading; folders, pipes, sockets and devices are refused.

    Opening never waits: a named pipe is refused whether or not somebody writes into it.
    """
    try:
        _require_regular(path, path.stat())
        # The path may have become a pipe since; O_NONBLOCK does not wait for its writer.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        file = os.fdopen(os.open(path, flags | getattr(os, "O_CLOEXEC", 0)), "rb")
    except FileNotFoundError:
        raise FileNotFoundError(
            f"{path}: there is no such file (the current folder is {Path.cwd()})"
        ) from None
    except OSError as error:
        raise ModelFileError(f"{path}: cannot be opened: {error.strerror or error}") from error
    try:
        _require_regular(path, os.fstat(file.fileno()))
    except BaseException:
        file.close()
        raise
    return file


def require_writable_place(path: Path) -> None:
    """Raise if `path` is there and is not an ordinary file, which saving would replace."""
    try:
        found = path.stat()
    except OSError:  # not there, or writing will say what is wrong
        return
    if not stat.S_ISREG(found.st_mode):
        raise ModelFileError(
            f"{path}: is {_kind(found.st_mode)}: pass the path of a file to save the model in"
        )


def _require_regular(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise ModelFileError(
            f"{path}: is {_kind(found.st_mode)}, not a model file; pass the path of a file that "
            "save_model or `augury fit` has written"
        )


def _kind(mode: int) -> str:
    return next((name for is_kind, name in _KINDS if is_kind(mode)), "no ordinary file")
