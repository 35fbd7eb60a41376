"""What `augury.data` says when a file is not what it claims to be."""

from collections.abc import Iterable
from pathlib import Path


class DataError(ValueError):
    """A file or a data set that cannot be used, with the place to look at.

    The command line prints its message alone, without a traceback: unlike
    other errors, it is about the user's data and not about a program.
    """

    @classmethod
    def at(cls, path: Path, line: int | None, message: str) -> "DataError":
        """Make the error for `line` (counted from 1) of the file `path`."""
        place = str(path) if line is None else f"{path}, line {line}"
        return cls(f"{place}: {message}")


class DataWarning(UserWarning):
    """Data that can be used, but are probably not what was meant."""


class IdentifierWarning(DataWarning):
    """A column that names the rows instead of describing them."""


def excerpt(text: str, limit: int = 40) -> str:
    """Quote a piece of a file in a message, the first `limit` characters of it.

    Examples
    --------
    >>> excerpt("a long story", limit=6)
    "'a long…'"
    """
    return repr(text if len(text) <= limit else text[:limit] + "…")


def first_repeated(names: Iterable[str]) -> str | None:
    """Return the first name that was there before, or None.

    Examples
    --------
    >>> first_repeated(["a", "b", "c", "b", "a"])
    'b'
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def shorten(names: list[str], limit: int = 12) -> str:
    """List names in a message, the first `limit` of them.

    Examples
    --------
    >>> shorten(["a", "b", "c"], limit=2)
    "'a', 'b', … (3 in all)"
    """
    shown = ", ".join(excerpt(name) for name in names[:limit])
    return shown if len(names) <= limit else f"{shown}, … ({len(names)} in all)"
