"""The command line: `augury datasets`, `augury reproduce`, `augury demo`.

Everything heavy is imported inside the commands, so that `augury --help` answers
at once: importing scikit-learn alone takes more than a second.
"""

import json
import math
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import click

from augury import __version__

if TYPE_CHECKING:
    from augury.bench import Reproduction
    from augury.evaluate import FoldResult

Progress = Callable[[Sequence["FoldResult"]], None]


class _UserError(click.ClickException):
    """A wrong name or a missing file: one line, and the exit code of a usage error."""

    exit_code = 2


def _expand_home(folder: str) -> Path:
    # `--data=~/sets` comes here as it is: shells expand ~ only where a word begins.
    try:
        return Path(folder).expanduser()
    except RuntimeError:  # ~name, and there is no user of this name
        return Path(folder)


def _check_folder(_: click.Context, __: click.Parameter, folder: str | None) -> str | None:
    if folder is not None and not _expand_home(folder).is_dir():
        raise _UserError(f"--data is {folder!r}, which is not a folder")
    return folder


_jobs = click.option(
    "--jobs", type=int, default=-1, help="Worker processes. [default: one for each processor]"
)
_data = click.option(
    "--data",
    metavar="DIR",
    callback=_check_folder,
    help="Folder with the ARFF files. [default: AUGURY_DATA, the cache, OpenML]",
)
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="augury")
def main() -> None:
    """Learn generative, discriminative and hybrid classifiers from tables."""


@main.command()
@_data
@_json
def datasets(data: str | None, as_json: bool) -> None:
    """List the data sets that have a name, and where each would come from."""
    from augury.bench import align_columns
    from augury.data import list_datasets

    with _user_errors():
        listed = list_datasets(data)
    if as_json:
        click.echo(_dump(listed.to_dict(orient="records")))
        return
    rows = [
        [row.name, str(row.rows), str(row.columns), str(row.missing), str(row.classes), row.source]
        for row in listed.itertuples(index=False)
    ]
    header = ["name", "rows", "columns", "missing", "classes", "source"]
    click.echo(align_columns(header, rows, left=(0, 5)))


@main.command()
@click.argument("paper")
@click.option("--models", metavar="A,B", help="Columns, printed or ours. [default: all available]")
@click.option("--datasets", metavar="A,B", help="Data sets. [default: all of the paper]")
@_data
@click.option(
    "--protocol",
    type=click.Choice(["published", "honest"]),
    help="published: preprocess the whole set, then split, as papers did; "
    "honest: everything inside the fold. [default: the paper's]",
)
@click.option(
    "--repeats",
    metavar="N",
    type=click.IntRange(min=1),
    help="Runs of the folds; 1 is a quick look. [default: the paper's]",
)
@click.option("--figures", metavar="DIR", help="Draw the paper's figures into DIR.")
@_jobs
@_json
@click.pass_context
def reproduce(
    context: click.Context,
    paper: str,
    models: str | None,
    datasets: str | None,
    data: str | None,
    protocol: str | None,
    repeats: int | None,
    figures: str | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Compute a published table again and compare it, cell by cell.

    PAPER is hybrid-2022, acll-bagging-2014 or adaboost-nb. The exit code is 0 only
    if all printed cells asked for agree within the tolerance of their column.
    """
    from augury import bench

    with _user_errors():
        _check_jobs(jobs)
        published = bench.find_paper(paper)
        wanted = {"models": _split(models), "datasets": _split(datasets)}
        plan = bench.make_plan(published, repeats=repeats, **wanted)
        if figures is not None:
            # What cannot be drawn is to be known before the minutes of work.
            published.select_figures(plan.datasets)
            folder = _make_folder(figures)
        with _progress_bar(plan.n_folds) as progress:
            done = bench.reproduce(
                published,
                **wanted,
                data_dir=data,
                protocol=protocol,
                repeats=repeats,
                n_jobs=jobs,
                progress=progress,
            )
        files = []
        if figures is not None:
            files = bench.write_figures(
                published, folder, datasets=plan.datasets, data_dir=data, n_jobs=jobs
            )
    if as_json:
        click.echo(_dump(_as_json(done, files)))
    else:
        click.echo(bench.comparison_table(done.comparisons))
        click.echo(bench.verdict(done))
        click.echo("\n" + bench.model_table(done.results, done.reference))
        for file in files:
            click.echo(f"Written: {file}")
    context.exit(0 if done.agrees else 1)


def _as_json(done: "Reproduction", figures: Sequence[Path]) -> dict[str, Any]:
    from augury import bench

    return {
        "paper": done.paper.name,
        "agrees": done.agrees,
        "cells": [asdict(row) for row in done.comparisons],
        "omitted": [asdict(omission) for omission in done.omissions],
        "reference": done.reference,
        "models": [asdict(row) for row in bench.score_models(done.results, done.reference)],
        "figures": [str(file) for file in figures],
    }


@main.command()
@_jobs
@_json
def demo(jobs: int, as_json: bool) -> None:
    """Compare classifiers by cross-validation on the sets that scikit-learn ships."""
    from augury.bench import run_demo, summary_table
    from augury.bench.demo import DATASETS, SPLITTER, demo_models

    with _user_errors():
        _check_jobs(jobs)
        n_folds = len(DATASETS) * len(demo_models()) * SPLITTER.get_n_splits()
        with _progress_bar(n_folds) as progress:
            summaries = run_demo(n_jobs=jobs, progress=progress)
    if as_json:
        click.echo(_dump([asdict(summary) for summary in summaries]))
    else:
        click.echo(summary_table(summaries))


def _split(names: str | None) -> list[str] | None:
    return None if names is None else [name.strip() for name in names.split(",") if name.strip()]


def _check_jobs(jobs: int) -> None:
    if jobs == 0:
        raise _UserError("--jobs must be at least 1, or -1 for one for each processor")


def _make_folder(folder: str) -> Path:
    """Return a folder in which files can be written: that asked for, made if need be."""
    path = _expand_home(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=path).close()
    except OSError as error:
        raise _UserError(f"--figures is {folder!r}, where no file can be made: {error}") from error
    return path


def _dump(rows: Any) -> str:
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
def _user_errors() -> Iterator[None]:
    """Print what the user can mend as one line; errors of a program keep their traceback."""
    from augury.bench import UnknownNameError
    from augury.data import DataError

    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            yield
    except (DataError, UnknownNameError) as error:
        raise _UserError(" ".join(str(error).split())) from error


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    click.echo(f"Warning: {message}", err=True)


@contextmanager
def _progress_bar(n_folds: int) -> Iterator[Progress | None]:
    """Show completed folds on the terminal; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(
        length=n_folds,
        file=sys.stderr,
        show_pos=True,
        item_show_func=lambda name: name,
    ) as bar:
        yield lambda rows: bar.update(len(rows), rows[-1].dataset)


__all__ = ["main"]

if __name__ == "__main__":
    main()
