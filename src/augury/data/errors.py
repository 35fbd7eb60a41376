"""Errors and warnings about data, with their place and advice."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

# Names of the readers' options in advice. The command line has other names for them.
PYTHON_NAMES: Mapping[str, str] = {
    "target": "target=",
    "data_dir": "data_dir=",
    "strict": "missing_target='error'",
    "header": "header=True",
    "no_header": "header=False",
    "max_size": "max_size=",
    "list_datasets": "list_datasets()",
    "read_table": "read_table(path)",
}


class _Advised:
    """A message with advice, which names options as Python or as the command line does."""

    message: str
    advice: str

    def __init__(self, message: str, *, advice: str = "") -> None:
        self.message, self.advice = message, advice
        self.args: tuple[str, ...] = (self.in_words_of(PYTHON_NAMES),)

    def in_words_of(self, names: Mapping[str, str]) -> str:
        """Return the whole message with these names of the options."""
        if not self.advice:
            return self.message
        mark = "" if self.message.endswith("?") else ";"
        return f"{self.message}{mark} {self.advice.format_map(names)}"


class DataError(_Advised, ValueError):
    """A file or a data set that cannot be used.

    The command line prints the message without a traceback, since the error is caused by the
    user's data and not by the program.

    Parameters
    ----------
    message : str
        The problem and its place.
    advice : str
        Instructions for the user. Options are written in braces, such as `{target}`, so that the
        command line can name its flags.

    Examples
    --------
    >>> error = DataError("a.csv: no class", advice="choose another column with {target}")
    >>> str(error)
    'a.csv: no class; choose another column with target='
    >>> error.in_words_of({"target": "--target"})
    'a.csv: no class; choose another column with --target'
    """

    @classmethod
    def at(cls, path: Path, line: int | None, message: str, *, advice: str = "") -> "DataError":
        """Return the error for `line` (counted from 1) of the file `path`."""
        place = str(path) if line is None else f"{path}, line {line}"
        return cls(f"{place}: {message}", advice=advice)


class DataWarning(_Advised, UserWarning):
    """Data that can be used, but are probably wrong."""


class IdentifierWarning(DataWarning):
    """A column that identifies the rows instead of describing them."""


class StrayTextWarning(DataWarning):
    """A column of numbers that is read as text because of a few values."""


def excerpt(text: str, limit: int = 40) -> str:
    """Return the first `limit` characters of a text in quotes, for a message.

    Examples
    --------
    >>> excerpt("a long story", limit=6)
    "'a long…'"
    """
    return repr(text if len(text) <= limit else text[:limit] + "…")


def first_repeated(names: Iterable[str]) -> str | None:
    """Return the first name that occurs a second time, or None.

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
    """Return the first `limit` names in quotes, for a message.

    Examples
    --------
    >>> shorten(["a", "b", "c"], limit=2)
    "'a', 'b', … (3 in all)"
    """
    shown = ", ".join(excerpt(name) for name in names[:limit])
    return shown if len(names) <= limit else f"{shown}, … ({len(names)} in all)"


def suggest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Return a clause that suggests similar names, or an empty string.

    Examples
    --------
    >>> suggest("Alfa", ["alpha", "beta"])
    "; did you mean 'alpha'?"
    >>> suggest("gamma ray", ["alpha", "beta"])
    ''
    """
    lowered: dict[str, str] = {}
    for each in known:
        lowered.setdefault(each.lower(), each)
    near = get_close_matches(name.lower(), lowered, n=2, cutoff=cutoff)
    return f"; did you mean {' or '.join(repr(lowered[low]) for low in near)}?" if near else ""
