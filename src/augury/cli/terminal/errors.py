"""Errors caused by user input or by the machine, printed as one line without a traceback."""

import errno
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from augury.cli.terminal.echo import echo, visible
from augury.optional import MissingExtraError

# Names of options in the messages of readers, see `augury.data.errors.PYTHON_NAMES`.
FLAGS = {
    "target": "--target",
    "data_dir": "--data",
    "strict": "--strict",
    "header": "--header",
    "no_header": "--no-header",
    "max_size": "--max-size",
    "list_datasets": "`augury datasets`",
    "read_table": "a path such as ./mine.csv",
}
# Errors of files and folders that have their cause outside of the program.
_OF_FILES = {
    errno.EACCES, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EISDIR, errno.ENAMETOOLONG,
    errno.ENOENT, errno.ENOSPC, errno.ENOTDIR, errno.EPERM, errno.EROFS,
}  # fmt: skip


class UserError(click.ClickException):
    """An error such as a wrong name, a missing file or a full disk; the exit code is 2."""

    exit_code = 2

    def format_message(self) -> str:
        """Return the message without characters that control the terminal."""
        return visible(self.message)


@contextmanager
def user_errors() -> Iterator[None]:
    """Print errors caused by user input as one line; other errors keep their traceback."""
    from augury.data import DataError
    from augury.errors import (
        ExperimentError,
        NetworkExportError,
        NetworkFileError,
        OnnxExportError,
        PictureError,
        ServeError,
        StoreError,
        UnknownNameError,
    )
    from augury.memory import RefusedTableError
    from augury.workers.tasks import WorkersLostError

    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_once()
            yield
    except DataError as error:
        raise UserError(" ".join(error.in_words_of(FLAGS).split())) from error
    except MissingExtraError as error:
        raise UserError(str(error)) from error
    except (
        ExperimentError,
        NetworkExportError,
        NetworkFileError,
        OnnxExportError,
        PictureError,
        RefusedTableError,
        ServeError,
        StoreError,
        UnknownNameError,
        WorkersLostError,
    ) as error:
        raise UserError(" ".join(str(error).split())) from error
    except OSError as error:
        if error.errno not in _OF_FILES or error.filename is None:
            raise
        raise UserError(f"{error.filename}: {error.strerror}") from error


def _show_once() -> Callable[..., None]:
    """Return a function that prints each warning once, and one of each column's unread values.

    A table that is read in pieces gives such a warning, with other numbers, for each piece.
    """
    from augury.data import DataWarning

    shown: set[str] = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        text = message.in_words_of(FLAGS) if isinstance(message, DataWarning) else str(message)
        line = f"Warning: {' '.join(text.split())}"
        key = getattr(message, "column", "") or line
        if key not in shown:
            shown.add(key)
            echo(line, err=True)

    return show


__all__ = ["FLAGS", "UserError", "user_errors"]
