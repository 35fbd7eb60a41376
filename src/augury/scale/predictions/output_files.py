"""Files that are written in pieces, under a temporary name until they are complete."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex


@contextmanager
def complete_file(path: Path) -> Iterator[Path]:
    """Yield a temporary path in the same folder, which is renamed at the end of the block.

    A regular file of the name is replaced. If the block raises an error, the temporary file is
    removed, and a file of the name is as before.

    Raises
    ------
    FileExistsError
        If there is a folder or a device of this name.
    OSError
        If the file cannot be renamed; the error names the file.
    """
    path = path.resolve()  # replace the target of a link, not the link
    if path.exists() and not path.is_file():
        raise FileExistsError(errno.EEXIST, "is not a regular file, and is not replaced", str(path))
    require_folder(path)
    temporary = _temporary_name(path)
    try:
        yield temporary
        with naming(path):
            _write_through(temporary)
            temporary.replace(path)
    except BaseException:
        with suppress(OSError):  # the first error is the one to report
            temporary.unlink(missing_ok=True)
        raise


@contextmanager
def complete_folder(path: Path) -> Iterator[Path]:
    """Yield a new temporary folder beside a path, which is renamed at the end of the block.

    If the block raises an error, the temporary folder is removed with its files.

    Raises
    ------
    FileExistsError
        If there is a file or a folder of this name, unless it is an empty folder.
    """
    path = path.resolve()
    if path.exists() and not (path.is_dir() and not any(path.iterdir())):
        kind = "is a folder with files" if path.is_dir() else "is a file"
        raise FileExistsError(
            errno.EEXIST, f"{kind}, and is not replaced; remove it or choose another", str(path)
        )
    require_folder(path)
    temporary = _temporary_name(path)
    with naming(path):
        temporary.mkdir()
    try:
        yield temporary
        with naming(path):
            if path.is_dir():
                path.rmdir()  # it is empty; Windows does not replace it
            temporary.rename(path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let errors of the system name a file; Arrow's do not, or name a temporary file."""
    try:
        yield
    except OSError as error:
        number = error.errno or errno.EIO
        raise OSError(number, os.strerror(number), str(path)) from error


def require_folder(path: Path) -> None:
    """Raise an error unless there is a folder for a file."""
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(path.parent))


def _temporary_name(path: Path) -> Path:
    return path.with_name(f".{path.name}.{token_hex(4)}.temporary")


def _write_through(path: Path) -> None:
    """Wait until the disk has the file: a renamed file must not be empty after a power cut."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


__all__ = ["complete_file", "complete_folder", "naming", "require_folder"]
