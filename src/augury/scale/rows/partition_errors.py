"""Errors of a partition, with its name."""

from collections.abc import Callable
from typing import TypeVar

from augury.data.errors import DataError

P = TypeVar("P")
T = TypeVar("T")

_KINDS = (ValueError, TypeError, MemoryError)


def call_named(part: P, name: str, function: Callable[[P], T]) -> T:
    """Return a function of a partition; raise an error that names the partition.

    Errors about values, types and memory keep their class. An import that fails concerns all
    partitions, so its error stays as it is. Other errors become a `RuntimeError`.

    Examples
    --------
    >>> call_named(["1", "x"], "a.csv, part 2", lambda texts: [int(text) for text in texts])
    Traceback (most recent call last):
    ValueError: a.csv, part 2: invalid literal for int() with base 10: 'x'
    """
    try:
        return function(part)
    except ImportError:
        raise
    except DataError as error:
        # The name of a part of a file begins with the file.
        if error.message.startswith(name.partition(", ")[0]):
            raise
        raise DataError(f"{name}: {error.message}", advice=error.advice) from error
    except _KINDS as error:
        kind = next(kind for kind in _KINDS if isinstance(error, kind))
        raise kind(f"{name}: {error}") from error
    except Exception as error:
        raise RuntimeError(f"{name}: {type(error).__name__}: {error}") from error


__all__ = ["call_named"]
