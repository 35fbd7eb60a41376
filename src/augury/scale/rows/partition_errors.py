"""Errors of a partition, with its name."""

from collections.abc import Iterator
from contextlib import contextmanager

from augury.data.errors import DataError

_KINDS = (ValueError, TypeError, MemoryError)


class ExpectedError(Exception):
    """An answer of a partition that the caller expects. It is no fault, and is raised as it is."""


@contextmanager
def naming(partition: str) -> Iterator[None]:
    """Raise errors with the name of the partition that was read or computed.

    Errors about values, types and memory keep their class. An import that fails concerns all
    partitions, so its error stays as it is. Other errors become a `RuntimeError`.

    Examples
    --------
    >>> with naming("a.csv, part 2"):
    ...     int("x")
    Traceback (most recent call last):
    ValueError: a.csv, part 2: invalid literal for int() with base 10: 'x'
    """
    try:
        yield
    except (ImportError, ExpectedError):
        raise
    except DataError as error:
        # The name of a part of a file begins with the file.
        if error.message.startswith(partition.partition(", ")[0]):
            raise
        raise DataError(f"{partition}: {error.message}", advice=error.advice) from error
    except _KINDS as error:
        kind = next(kind for kind in _KINDS if isinstance(error, kind))
        raise kind(f"{partition}: {error}") from error
    except Exception as error:  # readers and models may raise any error; its class is named
        raise RuntimeError(f"{partition}: {type(error).__name__}: {error}") from error


__all__ = ["ExpectedError", "naming"]
