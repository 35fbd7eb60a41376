"""Outputs of commands are other files than their inputs."""

import glob
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path

from augury.cli.terminal.errors import UserError
from augury.cli.terminal.options import expand_home

_DUCKDB, _QUERY = "duckdb:", "?query="
# A file in a query of DuckDB: FROM 'sales/*.parquet'.
_QUOTED = re.compile(r"'([^']+)'|\"([^\"]+)\"")


def require_separate_output(
    option: str,
    output: str | Path | None,
    inputs: Mapping[str, str | Path | None],
    *,
    is_default: bool = False,
    data_dir: Path | None = None,
) -> None:
    """Raise an error if a command would replace one of its inputs, before it does any work.

    Paths are compared by the files that they lead to: other spellings and links are found.

    Parameters
    ----------
    option : option of the command, such as --output
    output : file or folder that the command writes; None if it writes none
    inputs : inputs by the names that the command gives them, such as MODEL and DATA
        A file, a folder, a pattern of file names, a DuckDB query, or the name of a data set. None
        is an input that was not given.
    is_default : whether the output was not given, and the command has chosen it
    data_dir : folder of the named data sets; None means the default

    Raises
    ------
    UserError
        If the output is a file that the command reads, or would be a further file of an input
        that is a folder or a pattern.
    """
    if output is None:
        return
    path = expand_home(str(output))
    start = f"{f'the default of {option}' if is_default else option} is {str(output)!r}, which"
    for name, given in inputs.items():
        if given is None:
            continue
        if path.exists() and any(_is_same(path, read) for read in _paths_read(given, data_dir)):
            raise UserError(
                f"{start} the command reads as {name} ({str(given)!r}) and would overwrite: give "
                "another name"
            )
        if _would_be_read(path, str(given)):
            raise UserError(
                f"{start} would become one of the files of {name} ({str(given)!r}), which the next "
                "command reads: give a place outside of it"
            )


def results_file(folder: str | Path | None) -> Path | None:
    """Return the file of the results in a folder that a command reads or writes."""
    if folder is None:
        return None
    from augury.experiments.store.stored_results import RESULTS_FILE

    return expand_home(str(folder)) / RESULTS_FILE


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # a file that cannot be looked at is an error of its reader
        return False


def _paths_read(given: str | Path, data_dir: Path | None) -> Iterator[Path]:
    """Yield the existing files that an input names, and the folders that have them."""
    text = str(given)
    if text.startswith(_DUCKDB):
        for part in _files_of_query(text):
            yield from _paths_read(part, None)
        return
    path = expand_home(text)
    if path.exists():
        found = [path]
    elif glob.has_magic(text):
        found = _matches(path)
    else:
        found = _named_files(text, data_dir)
    for each in found:
        yield each
        if each.is_dir():
            yield from (file for file in each.rglob("*") if file.is_file())


def _files_of_query(text: str) -> list[str]:
    """Return the database and the texts between quotes, which may be files.

    >>> _files_of_query("duckdb:shop.db?query=SELECT * FROM 'a.csv'"), _files_of_query("duckdb:x")
    (['shop.db', 'a.csv'], [])
    """
    database, mark, query = text.removeprefix(_DUCKDB).partition(_QUERY)
    if not mark:
        database, query = "", database
    quoted = [one or other for one, other in _QUOTED.findall(query)]
    return [database, *quoted] if database else quoted


def _matches(pattern: Path) -> list[Path]:
    found = glob.glob(str(pattern), recursive=True)  # noqa: PTH207 - the pattern may be absolute
    return [Path(match) for match in found]


def _named_files(name: str, data_dir: Path | None) -> list[Path]:
    """Return the file of a named data set, if it has one."""
    from augury.data import DataError
    from augury.data.load import find_file, find_known_file
    from augury.data.table import is_path

    if is_path(name):
        return []
    try:
        found = find_known_file(name, data_dir) or find_file(name, data_dir)
    except DataError:  # of the folder, which its reader reports
        return []
    return [] if found is None else [found]


def _would_be_read(output: Path, given: str) -> bool:
    """Return whether an output would be read as a further file of a folder or a pattern."""
    if given.startswith(_DUCKDB):
        return any(_would_be_read(output, part) for part in _files_of_query(given))
    path, place = expand_home(given), output.resolve()
    if path.exists():
        return path.is_dir() and _is_inside(place, path)
    if not glob.has_magic(given):
        return False
    for match in _matches(path):
        if match.is_dir() and _is_inside(place, match):
            return True
        if place.parent == match.parent.resolve() and fnmatch(place.name, path.name):
            return True
    return False


def _is_inside(place: Path, folder: Path) -> bool:
    """Return whether a file would be read with a folder; hidden files and `_name` are not."""
    whole = folder.resolve()
    if whole not in place.parents:
        return False
    return not any(part.startswith((".", "_")) for part in place.relative_to(whole).parts)


__all__ = ["require_separate_output", "results_file"]
