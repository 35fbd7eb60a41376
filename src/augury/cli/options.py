"""Options that several commands have, and how their values are read."""

from pathlib import Path
from tempfile import TemporaryFile

import click

from augury.cli.errors import UserError


def expand_home(folder: str) -> Path:
    """Return a path with ~ expanded."""
    # `--data=~/sets` comes here as it is: shells expand ~ only where a word begins.
    try:
        return Path(folder).expanduser()
    except RuntimeError:  # ~name, and there is no user of this name
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
    help="Folder with the ARFF files. [default: AUGURY_DATA, the cache, OpenML]",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")


def split_names(names: str | None) -> list[str] | None:
    """Return the names of a list with commas."""
    return None if names is None else [name.strip() for name in names.split(",") if name.strip()]


def check_jobs(jobs: int) -> None:
    """Refuse --jobs 0."""
    if jobs == 0:
        raise UserError("--jobs must be at least 1, or -1 for one for each processor")


def make_folder(folder: str) -> Path:
    """Return a folder in which files can be written: that asked for, made if need be."""
    path = expand_home(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=path).close()
    except OSError as error:
        raise UserError(f"--figures is {folder!r}, where no file can be made: {error}") from error
    return path


__all__ = [
    "check_jobs",
    "data_option",
    "expand_home",
    "jobs_option",
    "json_option",
    "make_folder",
    "split_names",
]
