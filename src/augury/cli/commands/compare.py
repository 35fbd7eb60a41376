"""`augury compare`."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from augury.cli.files.fit_in_pieces import TableInPieces, describe_reading
from augury.cli.files.table_in_pieces import InPieces, name_of_table, why_in_pieces
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import (
    check_jobs,
    expand_home,
    jobs_option,
    json_option,
    scheduler_option,
    split_names,
    table_options,
)
from augury.cli.terminal.output import (
    TargetSummary,
    dump_json,
    echo_decisions,
    live_progress,
)
from augury.cli.terminal.stopping import StoppableRun, stoppable

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

    from augury.encode import ColumnDecision
    from augury.evaluate import FoldResult
    from augury.experiments.job import Job
    from augury.experiments.store.result_store import ResultStore
    from augury.experiments.store.stored_results import Failure
    from augury.foreign import Json


@dataclass(frozen=True, eq=False)
class _Request:
    """Arguments of the command."""

    table: str
    target: str | None
    models: str | None
    out: str | None
    stream: bool | None
    scheduler: str | None
    strict: bool
    header: bool | None
    max_size: float | None
    data: str | None
    jobs: int
    as_json: bool


@dataclass(frozen=True, eq=False)
class _Compared:
    """A comparison that has ended.

    Attributes
    ----------
    page : the page of the report
    results, failures : folds of the models
    models : names of the models
    target : the target
    columns : how each column is read
    reading : sentences on what is exact, if the rows were read in pieces
    content : more JSON output
    """

    page: Path
    results: "Sequence[FoldResult]"
    failures: "Sequence[Failure]"
    models: Sequence[str]
    target: TargetSummary
    columns: Sequence[Mapping[str, Any]]
    reading: Sequence[str] = ()
    content: Mapping[str, object] = field(default_factory=dict)


@click.command(short_help="Compare several models on a table of your own.")
@click.argument("table", metavar="DATA")
@click.option("--target", metavar="COLUMN", help="Column to predict. [default: class, or the last]")
@click.option("--models", metavar="A,B", help="Names of `augury models`. [default: nine models]")
@click.option(
    "--out",
    metavar="DIR",
    help="Folder of the results and the report. [default: the name of DATA, and -augury]",
)
@click.option(
    "--stream/--no-stream",
    default=None,
    help="Read DATA in pieces, or whole. [default: in pieces if it takes much of the memory]",
)
@scheduler_option
@table_options
@jobs_option
@json_option
@click.pass_context
def compare(context: click.Context, /, **arguments: Any) -> None:
    """Compare several models on a table of your own, and write a report.

    DATA is a file (CSV, TSV, ARFF, Parquet, Arrow), a name that `augury datasets` lists, a folder
    or a quoted pattern such as 'big/*.parquet', or a query: 'duckdb:FILE?query=SELECT …'. Models
    are cross-validated: everything is learned from the training folds alone. The command prints the
    target, and how each column is read. Rows without a class are left out, unless --strict is
    given.

    DATA is read in pieces, several times and in constant memory, under the same rule as in
    `augury fit`. Then there are ten folds by a hash of the number of the row, and models that need
    all rows in memory are left out. --jobs is a number of threads then, and TMPDIR names the folder
    of temporary files.
    """
    asked = _Request(**arguments)
    with stoppable() as stop, user_errors():
        check_jobs(asked.jobs)
        compared = _compare_pieces(asked, stop) or _compare_whole(asked, stop)
    _echo(asked, compared)
    context.exit(1 if compared.failures or not compared.results else 0)


def _compare_whole(asked: _Request, stop: StoppableRun) -> _Compared:
    """Read DATA and compare the models on it."""
    from augury.comparison.default_models import SENSIBLE_MODELS, comparison_job
    from augury.tables.open_table import open_tidy_table
    from augury.tables.review import review_columns

    dataset = open_tidy_table(
        asked.table,
        asked.target,
        data_dir=None if asked.data is None else expand_home(asked.data),
        strict=asked.strict,
        header=asked.header,
        max_size=asked.max_size,
    )
    target = TargetSummary.of(dataset)
    decisions = review_columns(dataset)
    _echo_table(asked, target, decisions)
    job = comparison_job(dataset, split_names(asked.models) or SENSIBLE_MODELS)
    stop.folder = _folder(asked, dataset.name)
    columns = [asdict(each) for each in decisions]
    page, results, failures = _run(job, columns, stop.folder, asked.jobs)
    return _Compared(page, results, failures, list(job.models), target, columns)


def _compare_pieces(asked: _Request, stop: StoppableRun) -> _Compared | None:
    """Compare the models on DATA, which is read in pieces; None if it is to be read whole."""
    chosen = _choose_models(asked)
    if chosen is None:
        return None
    models, pieces = chosen
    from augury.cli.files.compare_in_pieces import comparison_in_pieces
    from augury.experiments.store.result_store import ResultStore
    from augury.report import write_report
    from augury.summary import summarize_store

    opened = TableInPieces.open(asked.table, asked.target, asked.header, asked.max_size)
    name = name_of_table(asked.table)
    folder = _folder(asked, name)
    with comparison_in_pieces(
        asked.table,
        opened,
        models,
        strict=asked.strict,
        scheduler=asked.scheduler,
        jobs=asked.jobs,
    ) as comparison:
        target = opened.summarize(comparison.opened.report())
        decisions = comparison.decisions()
        _echo_table(asked, target, decisions)
        stop.folder = folder
        columns = [asdict(each) for each in decisions]
        with ResultStore(folder) as store:
            with _described(store, comparison.settings(), columns):
                comparison.run(store)
            results, failures = comparison.results(store)
            summary = summarize_store(store, models=list(models), datasets=[name])
        report = comparison.opened.report()
    page = write_report(summary, folder / "report.html").page
    content = {
        "in_pieces": pieces.reason,
        "bounded_cuts": report.bounded_cuts,
        "grouped_labels": list(report.grouped_labels),
    }
    reading = [
        *describe_reading(report),
        "Times of generative models leave out reading, which they share; those of others have it",
    ]
    return _Compared(page, results, failures, list(models), target, columns, reading, content)


def _choose_models(asked: _Request) -> "tuple[Mapping[str, Pipeline], InPieces] | None":
    """Return the models that are compared on pieces of DATA, and why; None if it is read whole."""
    if asked.stream is False:
        if asked.scheduler is not None:
            raise UserError("--no-stream and --scheduler exclude each other")
        pieces = why_in_pieces(asked.table)
        if pieces is not None and pieces.is_needed:
            raise UserError(
                f"--no-stream: {asked.table} cannot be read whole, since {pieces.reason}"
            )
        return None
    option = "--stream" if asked.stream else None if asked.scheduler is None else "--scheduler"
    pieces = why_in_pieces(asked.table, option)
    if pieces is None:
        return None
    from augury.cli.files.compare_in_pieces import choose_streamed_models
    from augury.comparison.default_models import SENSIBLE_MODELS

    named = split_names(asked.models)
    models = choose_streamed_models(
        asked.table, named or SENSIBLE_MODELS, pieces, are_named=bool(named)
    )
    if models is None:
        return None
    click.echo(pieces.describe(asked.table), err=True)
    return models, pieces


def _folder(asked: _Request, name: str) -> Path:
    return expand_home(asked.out or f"{name.replace(':', '-')}-augury")


def _echo_table(
    asked: _Request, target: TargetSummary, decisions: "Sequence[ColumnDecision]"
) -> None:
    """Print the target, and how each column is read."""
    target.echo_notes()
    if not asked.as_json:
        click.echo(f"Target: {target.describe()}")
        echo_decisions(decisions)


def _echo(asked: _Request, compared: _Compared) -> None:
    """Print the scores of the models."""
    from augury.comparison.job import reference_among
    from augury.experiments.reference_model import choose_reference

    tested = list(dict.fromkeys(row.model for row in compared.results))
    reference, note = choose_reference(reference_among(compared.models), tested)
    results, failures = _best_first(compared.results), compared.failures
    if asked.as_json:
        content = {"report": str(compared.page), **compared.target.content()}
        content |= {**compared.content, "columns": compared.columns}
        click.echo(dump_json(content | _score_content(results, reference, note, failures)))
        return
    for sentence in compared.reading:
        click.echo(sentence)
    _echo_scores(results, reference, note, failures)
    click.echo(f"Report: {compared.page}")


def _run(
    job: "Job", columns: list[dict[str, Any]], folder: Path, jobs: int
) -> "tuple[Path, list[FoldResult], list[Failure]]":
    """Run a comparison; return the page, and the results and failures of its models."""
    from augury.comparison.job import describe_comparison
    from augury.experiments.job import rows_of_jobs
    from augury.experiments.model_summaries import add_model_summaries
    from augury.experiments.runner import count_before, run_jobs
    from augury.experiments.store.result_store import ResultStore
    from augury.report import write_report
    from augury.summary import summarize_store

    name = job.dataset.name
    total = {name: len(job.models) * len(job.fold_keys())}
    with ResultStore(folder) as store:
        with (
            _described(store, describe_comparison(job), columns),
            live_progress(total, count_before([job], store)) as progress,
        ):
            run_jobs([job], store, n_jobs=jobs, isolate=True, progress=progress)
        add_model_summaries([job], store, n_jobs=jobs, isolate=True)
        # The folder may have rows of other models, from earlier comparisons.
        failures = rows_of_jobs(store.failures(), [job])
        results = rows_of_jobs(store.results(), [job])
        summary = summarize_store(store, models=list(job.models), datasets=[name])
    page = write_report(summary, folder / "report.html").page
    return page, results, failures


@contextmanager
def _described(
    store: "ResultStore", comparison: "dict[str, Json]", decisions: list[dict[str, Any]]
) -> Iterator[None]:
    """Write the settings of the comparison to the folder; restore the former ones on refusal."""
    from augury.errors import StoreError

    before = {key: store.meta(key) for key in ("experiment", "columns")}
    store.set_meta("experiment", comparison)
    store.set_meta("columns", decisions)
    try:
        yield
    except StoreError:
        for key, value in before.items():
            store.set_meta(key, value)
        raise


def _score_content(
    results: "Sequence[FoldResult]",
    reference: str,
    note: str | None,
    failures: "Sequence[Failure]",
) -> dict[str, object]:
    from augury.summary.model_scores import incomplete_models, score_models

    scores = score_models(results, reference) if results else []
    return {
        "reference": reference if results else None,
        "models": [asdict(row) for row in scores],
        "notes": [*([note] if note else []), *incomplete_models(results, reference)],
        "failed": len(failures),
    }


def _echo_scores(
    results: "Sequence[FoldResult]",
    reference: str,
    note: str | None,
    failures: "Sequence[Failure]",
) -> None:
    from augury.summary.model_scores import model_table

    if results:
        click.echo("\n" + model_table(results, reference))
    else:
        click.echo("No model completed a fold: there is nothing to compare.", err=True)
    if note:
        click.echo(f"Note: {note}")
    _echo_failures(failures)


def _echo_failures(failures: "Sequence[Failure]") -> None:
    """Print the number of failed folds of each model, and the error of the first."""
    from augury.summary.overview import describe_failure

    counts = Counter(failure.model for failure in failures)
    for first in {each.model: each for each in reversed(failures)}.values():
        error = describe_failure(first).error
        n_failed = counts[first.model]
        click.echo(
            f"Failed: {first.model}, {n_failed} fold{'' if n_failed == 1 else 's'}: {error}",
            err=True,
        )


def _best_first(results: "Sequence[FoldResult]") -> "list[FoldResult]":
    """Return rows in the order of the log loss of their model; models without it come last."""
    from augury.evaluate import summarize

    losses = {each.model: each.log_loss_mean for each in summarize(results)}
    return sorted(results, key=lambda row: (math.isnan(losses[row.model]), losses[row.model]))


__all__ = ["compare"]
