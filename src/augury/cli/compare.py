"""`augury compare`."""

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from augury.cli.errors import user_errors
from augury.cli.options import (
    check_jobs,
    data_option,
    expand_home,
    jobs_option,
    json_option,
    split_names,
)
from augury.cli.output import dump_json, echo_decisions, live_progress
from augury.cli.stopping import stoppable

if TYPE_CHECKING:
    from augury.evaluate import FoldResult


@click.command()
@click.argument("table", metavar="DATA")
@click.option("--target", metavar="COLUMN", help="What to predict. [default: class, or the last]")
@click.option("--models", metavar="A,B", help="See `augury models`. [default: sensible ones]")
@click.option("--out", metavar="DIR", help="Of results and report. [default: DATA's name-augury]")
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
    data: str | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Compare the sensible models on a table of your own, with a report.

    DATA is a file (CSV, TSV, ARFF, Parquet) or a name that `augury datasets` lists.
    Everything is learned inside the training folds of a cross-validation. What becomes
    of each column is said.
    """
    from augury import bench

    with stoppable() as stop, user_errors():
        check_jobs(jobs)
        dataset = bench.open_table(table, target, None if data is None else expand_home(data))
        decisions = bench.review_columns(dataset)
        if not as_json:
            echo_decisions(decisions)
        job = bench.comparison_job(dataset, split_names(models) or bench.SENSIBLE_MODELS)
        folder = expand_home(out or f"{dataset.name.replace(':', '-')}-augury")
        stop.folder = folder
        reference = bench.reference_among(list(job.models))
        total = {dataset.name: len(job.models) * len(job.fold_keys())}
        with bench.ResultStore(folder) as store:
            store.set_meta("experiment", bench.describe_comparison(job))
            store.set_meta("columns", [asdict(each) for each in decisions])
            with live_progress(total, bench.count_before([job], store)) as progress:
                bench.run_jobs([job], store, n_jobs=jobs, isolate=True, progress=progress)
            bench.add_portraits([job], store, n_jobs=jobs, isolate=True)
            failures, results = store.failures(), _best_first(store.results())
        page = bench.write_report(folder).page
    if as_json:
        content = {
            "report": str(page),
            "columns": [asdict(each) for each in decisions],
            "models": [asdict(row) for row in bench.score_models(results, reference)],
            "failed": len(failures),
        }
        click.echo(dump_json(content))
    else:
        click.echo("\n" + bench.model_table(results, reference))
        for failure in {each.model: each for each in failures}.values():
            last = failure.traceback.strip().splitlines()[-1]
            click.echo(f"Failed: {failure.model}: {last}", err=True)
        click.echo(f"Report: {page}")
    context.exit(1 if failures else 0)


def _best_first(results: "Sequence[FoldResult]") -> "list[FoldResult]":
    """Return rows by the log loss of their model, those without probabilities last."""
    from augury.evaluate import summarize

    losses = {each.model: each.log_loss_mean for each in summarize(results)}
    return sorted(results, key=lambda row: (math.isnan(losses[row.model]), losses[row.model]))


__all__ = ["compare"]
