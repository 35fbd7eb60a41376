"""Options of several commands, and functions that read their values."""

import math
import re
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile
from typing import TypeVar

import click

from augury.cli.terminal.errors import UserError

Command = TypeVar("Command", bound=Callable[..., object])


def expand_home(folder: str) -> Path:
    """Return a path with ~ expanded."""
    # Shells expand ~ only at the beginning of a word, so not in `--data=~/sets`.
    try:
        return Path(folder).expanduser()
    except RuntimeError:  # there is no user of the name after ~
        return Path(folder)


def _check_folder(_: click.Context, __: click.Parameter, folder: str | None) -> str | None:
    if folder is not None and not expand_home(folder).is_dir():
        raise UserError(f"--data is {folder!r}, which is not a folder")
    return folder


jobs_option = click.option(
    "--jobs", type=int, default=-1, help="Worker processes. [default: one for each processor]"
)
data_option = click.option(
    "--data",
    metavar="DIR",
    callback=_check_folder,
    help="Folder with ARFF files of named data sets. [default: AUGURY_DATA, the cache, OpenML]",
)
strict_option = click.option(
    "--strict",
    is_flag=True,
    help="Stop with an error if rows have no class, instead of leaving them out.",
)
header_option = click.option(
    "--header/--no-header",
    default=None,
    help="Whether the first line of a CSV or TSV file has the column names; if not, the columns "
    "are column1, column2, …  [default: --header, with a warning if the line looks like a row]",
)
scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Address of a Dask scheduler whose workers read DATA, such as tcp://10.0.0.1:8786.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_UNITS |= {"KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}
_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?I?)B?", re.IGNORECASE)


def read_size(text: str) -> float:
    """Return the bytes of a size such as 500MB, 4 GiB or none.

    >>> read_size("2GB"), read_size("1.5 MiB"), read_size("none")
    (2000000000.0, 1572864.0, inf)
    """
    if text.strip().lower() == "none":
        return math.inf
    match = _SIZE.fullmatch(text.strip())
    if match is None or match[2].upper() not in _UNITS:
        raise UserError(f"--max-size must be a size such as 500MB or 4GB, or none, got {text!r}")
    return float(match[1]) * _UNITS[match[2].upper()]


def _size_or_none(_: click.Context, __: click.Parameter, text: str | None) -> float | None:
    return None if text is None else read_size(text)


max_size_option = click.option(
    "--max-size",
    metavar="SIZE",
    callback=_size_or_none,
    help="Largest size of an unpacked file, such as 4GB; none for no limit. [default: no limit for "
    "plain files; for compressed files 100 times their size or 32 MiB, and at most 1 GiB]",
)


def table_options(command: Command) -> Command:
    """Add the options of a command that opens a table to learn from."""
    for option in (data_option, max_size_option, header_option, strict_option):
        command = option(command)
    return command


def split_names(names: str | None) -> list[str] | None:
    """Return the names of a comma-separated list."""
    return None if names is None else [name.strip() for name in names.split(",") if name.strip()]


def check_jobs(jobs: int) -> None:
    """Refuse --jobs 0."""
    if jobs == 0:
        raise UserError("--jobs must be at least 1, or -1 for one for each processor")


def make_folder(folder: str) -> Path:
    """Create a folder if it does not exist, and check that files can be written in it."""
    path = expand_home(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=path).close()
    except OSError as error:
        raise UserError(
            f"--figures is {folder!r}, where no file can be written: {error}"
        ) from error
    return path


__all__ = [
    "check_jobs",
    "data_option",
    "expand_home",
    "header_option",
    "jobs_option",
    "json_option",
    "make_folder",
    "max_size_option",
    "read_size",
    "scheduler_option",
    "split_names",
    "strict_option",
    "table_options",
]
