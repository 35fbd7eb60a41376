"""`augury compare`."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from augury.cli.errors import user_errors
from augury.cli.options import (
    check_jobs,
    data_option,
    expand_home,
    header_option,
    jobs_option,
    json_option,
    max_size_option,
    split_names,
    strict_option,
)
from augury.cli.output import (
    describe_target,
    dump_json,
    echo_decisions,
    echo_notes,
    live_progress,
    target_content,
)
from augury.cli.stopping import stoppable

if TYPE_CHECKING:
    from augury.evaluate import FoldResult
    from augury.experiments.store.result_store import ResultStore
    from augury.experiments.store.stored_results import Failure


@click.command()
@click.argument("table", metavar="DATA")
@click.option("--target", metavar="COLUMN", help="What to predict. [default: class, or the last]")
@click.option("--models", metavar="A,B", help="See `augury models`. [default: sensible ones]")
@click.option("--out", metavar="DIR", help="Of results and report. [default: DATA's name-augury]")
@strict_option
@header_option
@max_size_option
@data_option
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
    """Compare the sensible models on a table of your own, with a report.

    DATA is a file (CSV, TSV, ARFF, Parquet) or a name that `augury datasets` lists.
    Everything is learned inside the training folds of a cross-validation. The command prints
    the target, and what becomes of each column. Rows without a class are left out, unless
    --strict.
    """
    from augury.compare.comparison import SENSIBLE_MODELS, comparison_job, describe_comparison
    from augury.experiments.job_rows import choose_reference, rows_of_jobs
    from augury.experiments.model_summaries import add_model_summaries
    from augury.experiments.runner import count_before, run_jobs
    from augury.experiments.store.result_store import ResultStore
    from augury.report import write_report
    from augury.summary import summarize_store
    from augury.summary.model_scores import incomplete_models, model_table
    from augury.tables.open_table import open_tidy_table
    from augury.tables.review import review_columns

    with stoppable() as stop, user_errors():
        check_jobs(jobs)
        data_dir = None if data is None else expand_home(data)
        options = {"strict": strict, "header": header, "max_size": max_size}
        dataset = open_tidy_table(table, target, data_dir=data_dir, **options)
        echo_notes(dataset)
        if not as_json:
            click.echo(f"Target: {describe_target(dataset)}")
        decisions = review_columns(dataset)
        if not as_json:
            echo_decisions(decisions)
        job = comparison_job(dataset, split_names(models) or SENSIBLE_MODELS)
        folder = expand_home(out or f"{dataset.name.replace(':', '-')}-augury")
        stop.folder = folder
        total = {dataset.name: len(job.models) * len(job.fold_keys())}
        with ResultStore(folder) as store:
            described = describe_comparison(job)
            with (
                _described(store, described, [asdict(each) for each in decisions]),
                live_progress(total, count_before([job], store)) as progress,
            ):
                run_jobs([job], store, n_jobs=jobs, isolate=True, progress=progress)
            add_model_summaries([job], store, n_jobs=jobs, isolate=True)
            # The folder may have rows of other models, from earlier comparisons.
            failures = rows_of_jobs(store.failures(), [job])
            results = rows_of_jobs(store.results(), [job])
            summary = summarize_store(
                store, models=described["models"], datasets=described["datasets"]
            )
        page = write_report(summary, folder / "report.html").page
    tested = list(dict.fromkeys(row.model for row in results))
    reference, note = choose_reference(described["reference"], tested)
    results = _best_first(results)
    if as_json:
        content = {
            "report": str(page),
            **target_content(dataset),
            "columns": [asdict(each) for each in decisions],
            "reference": reference if results else None,
            "models": _describe_scores(results, reference),
            "notes": [*([note] if note else []), *incomplete_models(results, reference)],
            "failed": len(failures),
        }
        click.echo(dump_json(content))
    else:
        if results:
            click.echo("\n" + model_table(results, reference))
        else:
            click.echo("No model completed a fold: there is nothing to compare.", err=True)
        if note:
            click.echo(f"Note: {note}")
        _echo_failures(failures)
        click.echo(f"Report: {page}")
    context.exit(1 if failures or not results else 0)


@contextmanager
def _described(
    store: "ResultStore", comparison: dict[str, Any], decisions: list[dict[str, Any]]
) -> Iterator[None]:
    """Say what the folder's comparison is of, unless the folder refuses it."""
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


def _describe_scores(results: "Sequence[FoldResult]", reference: str) -> list[dict[str, Any]]:
    from augury.summary.model_scores import score_models

    return [asdict(row) for row in score_models(results, reference)] if results else []


def _echo_failures(failures: "Sequence[Failure]") -> None:
    """Print a line for each model with failed folds: how many, and the error of the first."""
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
    """Return rows by the log loss of their model, those without probabilities last."""
    from augury.evaluate import summarize

    losses = {each.model: each.log_loss_mean for each in summarize(results)}
    return sorted(results, key=lambda row: (math.isnan(losses[row.model]), losses[row.model]))


__all__ = ["compare"]
