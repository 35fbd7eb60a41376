"""`augury compare`."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from augury.cli.terminal.errors import user_errors
from augury.cli.terminal.options import (
    check_jobs,
    expand_home,
    jobs_option,
    json_option,
    split_names,
    table_options,
)
from augury.cli.terminal.output import (
    TargetSummary,
    dump_json,
    echo_decisions,
    live_progress,
)
from augury.cli.terminal.stopping import stoppable

if TYPE_CHECKING:
    from augury.evaluate import FoldResult
    from augury.experiments.job import Job
    from augury.experiments.store.result_store import ResultStore
    from augury.experiments.store.stored_results import Failure
    from augury.foreign import Json


@click.command(short_help="Compare several models on a table of your own.")
@click.argument("table", metavar="DATA")
@click.option("--target", metavar="COLUMN", help="Column to predict. [default: class, or the last]")
@click.option("--models", metavar="A,B", help="Names of `augury models`. [default: nine models]")
@click.option(
    "--out",
    metavar="DIR",
    help="Folder of the results and the report. [default: the name of DATA, and -augury]",
)
@table_options
@jobs_option
@json_option
@click.pass_context
def compare(
    context: click.Context,
    /,
    table: str,
    target: str | None,
    models: str | None,
    out: str | None,
    strict: bool,
    header: bool | None,
    max_size: float | None,
    data: str | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Compare several models on a table of your own, and write a report.

    DATA is a file (CSV, TSV, ARFF, Parquet) or a name that `augury datasets` lists.
    Models are cross-validated: everything is learned from the training folds alone. The
    command prints the target, and how each column is read. Rows without a class are left
    out, unless --strict is given.
    """
    from augury.compare.comparison import SENSIBLE_MODELS, comparison_job, reference_among
    from augury.experiments.reference_model import choose_reference
    from augury.tables.open_table import open_tidy_table
    from augury.tables.review import review_columns

    with stoppable() as stop, user_errors():
        check_jobs(jobs)
        data_dir = None if data is None else expand_home(data)
        dataset = open_tidy_table(
            table, target, data_dir=data_dir, strict=strict, header=header, max_size=max_size
        )
        TargetSummary.of(dataset).echo_notes()
        if not as_json:
            click.echo(f"Target: {TargetSummary.of(dataset).describe()}")
        decisions = review_columns(dataset)
        if not as_json:
            echo_decisions(decisions)
        job = comparison_job(dataset, split_names(models) or SENSIBLE_MODELS)
        stop.folder = expand_home(out or f"{dataset.name.replace(':', '-')}-augury")
        columns = [asdict(each) for each in decisions]
        page, results, failures = _run(job, columns, stop.folder, jobs)
    tested = list(dict.fromkeys(row.model for row in results))
    reference, note = choose_reference(reference_among(list(job.models)), tested)
    results = _best_first(results)
    if as_json:
        content = {"report": str(page), **TargetSummary.of(dataset).content(), "columns": columns}
        click.echo(dump_json(content | _score_content(results, reference, note, failures)))
    else:
        _echo_scores(results, reference, note, failures)
        click.echo(f"Report: {page}")
    context.exit(1 if failures or not results else 0)


def _run(
    job: "Job", columns: list[dict[str, Any]], folder: Path, jobs: int
) -> "tuple[Path, list[FoldResult], list[Failure]]":
    """Run a comparison; return the page, and the results and failures of its models."""
    from augury.compare.comparison import describe_comparison
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
