"""What the commands share: options, messages, JSON, progress."""

import json
import math
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import click

from augury.cli.live_table import LiveTable

if TYPE_CHECKING:
    from augury.bench import Failure
    from augury.encode import ColumnDecision
    from augury.evaluate import FoldResult

Progress = Callable[[Sequence["FoldResult | Failure"]], None]


class UserError(click.ClickException):
    """A wrong name or a missing file: one line, and the exit code of a usage error."""

    exit_code = 2


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


def dump_json(rows: Any) -> str:
    """Return JSON text."""
    return json.dumps(_plain(rows), indent=2, allow_nan=False)


def _plain(value: Any) -> Any:
    """Return what JSON can say: it has neither decimals nor NaN."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


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


def echo_decisions(decisions: Sequence["ColumnDecision"]) -> None:
    """Print what becomes of each column."""
    from augury.bench import align_columns

    rows = [[each.name, each.treatment, each.reason] for each in decisions]
    click.echo(align_columns(["column", "read as", "because"], rows, left=(0, 1, 2)))


@contextmanager
def live_progress(
    totals: Mapping[str, int], before: Mapping[str, int]
) -> Iterator[Progress | None]:
    """Show completed folds of each data set on the terminal; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield None
        return
    table = LiveTable(totals, sys.stderr)
    for dataset, n_folds in before.items():
        table.skip(dataset, n_folds)
    try:
        yield table.update
    finally:
        table.finish()


__all__ = [
    "Progress",
    "UserError",
    "check_jobs",
    "data_option",
    "dump_json",
    "echo_decisions",
    "expand_home",
    "jobs_option",
    "json_option",
    "live_progress",
    "make_folder",
    "split_names",
    "user_errors",
]
