"""What a user can mend is one line, without a traceback."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import click


class UserError(click.ClickException):
    """A wrong name or a missing file: one line, and the exit code of a usage error."""

    exit_code = 2


@contextmanager
def user_errors() -> Iterator[None]:
    """Print what the user can mend as one line; errors of a program keep their traceback."""
    from augury.bench import ExperimentError, StoreError, UnknownNameError
    from augury.data import DataError

    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            yield
    except (DataError, ExperimentError, StoreError, UnknownNameError) as error:
        raise UserError(" ".join(str(error).split())) from error


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    click.echo(f"Warning: {message}", err=True)


__all__ = ["UserError", "user_errors"]
