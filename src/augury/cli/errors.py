"""Errors caused by user input or by the machine: one line, without a traceback."""

import errno
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import click

# Errors of files and folders that no program can prevent.
_OF_FILES = {
    errno.EACCES, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EISDIR, errno.ENAMETOOLONG,
    errno.ENOENT, errno.ENOSPC, errno.ENOTDIR, errno.EPERM, errno.EROFS,
}  # fmt: skip


class UserError(click.ClickException):
    """A wrong name, a missing file or a full disk: one line, and exit code 2."""

    exit_code = 2


@contextmanager
def user_errors() -> Iterator[None]:
    """Print errors that the user can fix as one line; other errors keep their traceback."""
    from augury.bench import ExperimentError, StoreError, UnknownNameError
    from augury.data import DataError
    from augury.workers.tasks import WorkersLostError

    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            yield
    except (DataError, ExperimentError, StoreError, UnknownNameError, WorkersLostError) as error:
        raise UserError(" ".join(str(error).split())) from error
    except OSError as error:
        if error.errno not in _OF_FILES or error.filename is None:
            raise
        raise UserError(f"{error.filename}: {error.strerror}") from error


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    click.echo(f"Warning: {message}", err=True)


__all__ = ["UserError", "user_errors"]
