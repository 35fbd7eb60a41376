"""The command line: `augury datasets`, `augury reproduce`, `augury demo`.

Everything heavy is imported inside the commands, so that `augury --help` answers
at once: importing scikit-learn alone takes more than a second.
"""

import json
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from augury import __version__

if TYPE_CHECKING:
    from augury.evaluate import FoldResult

Progress = Callable[[Sequence["FoldResult"]], None]


class _UserError(click.ClickException):
    """A wrong name or a missing file: one line, and the exit code of a usage error."""

    exit_code = 2


def _check_folder(_: click.Context, __: click.Parameter, folder: str | None) -> str | None:
    if folder is not None and not Path(folder).expanduser().is_dir():
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
@click.option("--models", metavar="A,B", help="Printed columns. [default: all available]")
@click.option("--datasets", metavar="A,B", help="Data sets. [default: all of the paper]")
@_data
@click.option(
    "--protocol",
    type=click.Choice(["published", "honest"]),
    help="published: preprocess the whole set, then split, as papers did; "
    "honest: everything inside the fold. [default: the paper's]",
)
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
    jobs: int,
    as_json: bool,
) -> None:
    """Compute a published table again and compare it, cell by cell.

    PAPER is the name of a paper, for instance hybrid-2022. The exit code is 0 only
    if all cells asked for agree within the tolerance of their column.
    """
    from augury import bench

    with _user_errors():
        _check_jobs(jobs)
        published = bench.find_paper(paper)
        model_names = published.select_models(_split(models))
        names = published.select_datasets(_split(datasets))
        n_folds = len(model_names) * len(names) * published.splitter.get_n_splits()
        with _progress_bar(n_folds) as progress:
            comparisons = bench.reproduce(
                published,
                models=model_names,
                datasets=names,
                data_dir=data,
                protocol=protocol,
                n_jobs=jobs,
                progress=progress,
            )
    if as_json:
        click.echo(_dump([asdict(row) for row in comparisons]))
    else:
        click.echo(bench.comparison_table(comparisons))
        click.echo(bench.verdict(published, comparisons))
    context.exit(0 if all(row.agrees for row in comparisons) else 1)


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


def _dump(rows: Any) -> str:
    def plain(value: object) -> float:
        if isinstance(value, Decimal):
            return float(value)
        raise TypeError(f"{value!r} has no JSON form")

    return json.dumps(rows, indent=2, default=plain)


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
