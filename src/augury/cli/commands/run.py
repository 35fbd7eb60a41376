"""`augury run`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import (
    check_jobs,
    expand_home,
    jobs_option,
    json_option,
    split_names,
    table_options,
)
from augury.cli.terminal.output import (
    describe_target,
    dump_json,
    echo_notes,
    live_progress,
    target_content,
)
from augury.cli.terminal.stopping import stoppable

if TYPE_CHECKING:
    from augury.experiments.experiment import Experiment
    from augury.experiments.store.stored_results import Failure


@click.command()
@click.argument("experiment", required=False, metavar="[EXPERIMENT]")
@click.option("--out", metavar="DIR", required=True, help="Folder of the results.")
@click.option("--datasets", metavar="A,B", help="Names or files. [default: the experiment's]")
@click.option("--models", metavar="A,B", help="Names of `augury models` or import paths.")
@click.option(
    "--protocol",
    type=click.Choice(["honest", "published"]),
    help="honest: learn everything from the training rows; published: preprocess the whole "
    "data set before it is split. [default: honest]",
)
@click.option(
    "--folds", metavar="N", type=click.IntRange(min=2), help="Folds in a run. [default: 10]"
)
@click.option(
    "--repeats", metavar="N", type=click.IntRange(min=1), help="Runs of the folds. [default: 10]"
)
@click.option(
    "--reference",
    metavar="MODEL",
    help="Model that the others are compared with. [default: the first]",
)
@click.option("--retry", is_flag=True, help="Run failed folds of DIR again.")
@click.option(
    "--scheduler", metavar="ADDRESS", help="Address of a Dask scheduler, instead of --jobs."
)
@table_options
@jobs_option
@json_option
@click.pass_context
def run(
    context: click.Context,
    /,
    experiment: str | None,
    out: str,
    retry: bool,
    scheduler: str | None,
    jobs: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Cross-validate models on data sets, and keep the result of each fold in DIR.

    EXPERIMENT is a TOML file. Options replace its keys; without a file, options give the whole
    experiment. A run that was stopped continues with the folds that DIR does not have, and
    several runs may share one DIR. The exit code is 1 if folds failed, 2 if the run cannot
    continue, 128 + n if signal n stopped it. `augury report DIR` shows the results.
    """
    from augury.experiments.job import rows_of_jobs
    from augury.experiments.model_summaries import add_model_summaries
    from augury.experiments.runner import count_before, run_jobs
    from augury.experiments.store.result_store import ResultStore

    with stoppable() as stop, user_errors():
        stop.folder = expand_home(out)
        check_jobs(jobs)
        asked = _read_experiment(experiment, options)
        work = asked.jobs()
        for job in work:
            echo_notes(job.dataset, prefix=f"{job.dataset.name}: ")
            if not as_json:
                click.echo(f"{job.dataset.name}: target {describe_target(job.dataset)}")
        with ResultStore(stop.folder) as store:
            store.set_meta("experiment", asked.describe())
            totals = {job.dataset.name: len(job.models) * len(job.fold_keys()) for job in work}
            with live_progress(totals, count_before(work, store)) as progress:
                report = run_jobs(
                    work,
                    store,
                    n_jobs=jobs,
                    scheduler=scheduler,
                    isolate=True,
                    retry_failed=retry,
                    progress=progress,
                )
            add_model_summaries(work, store, n_jobs=jobs, isolate=True, retry_failed=retry)
            # The folder may have failures of models that are not asked for now.
            failures = rows_of_jobs(store.failures(), work)
    if as_json:
        click.echo(
            dump_json(
                {
                    "out": str(expand_home(out)),
                    "done": report.n_done,
                    "before": report.n_before,
                    "failed": len(failures),
                    "elsewhere": report.n_elsewhere,
                    "datasets": {job.dataset.name: target_content(job.dataset) for job in work},
                }
            )
        )
    else:
        click.echo(f"{report.n_done} folds computed, {report.n_before} were in {out} before.")
        if report.n_elsewhere:
            click.echo(f"Another process works on {report.n_elsewhere} folds.")
        for failure in failures[:3]:
            click.echo(
                f"Failed: {failure.model} on {failure.dataset}, run {failure.run}, fold "
                f"{failure.fold}: {_reason(failure)}",
                err=True,
            )
        if failures:
            click.echo(f"{len(failures)} folds failed; --retry runs them again.", err=True)
    context.exit(1 if failures else 0)


def _reason(failure: "Failure") -> str:
    """Return the last line of a traceback, without the note that names the fold."""
    note = f"({failure.model} on {failure.dataset}, run {failure.run}, fold {failure.fold})"
    lines = [line for line in failure.traceback.strip().splitlines() if line != note]
    return lines[-1]


def _read_experiment(file: str | None, options: dict[str, Any]) -> "Experiment":
    from dataclasses import replace

    from augury.experiments.experiment import Experiment

    given = {name: value for name, value in options.items() if value is not None}
    if not given["strict"]:
        del given["strict"]  # the experiment may ask for it
    for name in ("datasets", "models"):
        if name in given:
            given[name] = split_names(given[name])
    if "datasets" in given:
        given["datasets"] = tuple(given["datasets"])
    if "models" in given:
        given["models"] = {name: {} for name in given["models"]}
    if "data" in given:
        given["data"] = expand_home(given["data"])
    if file is not None:
        # Files in options are relative to the current folder, not to the experiment.
        if "datasets" in given:
            given["folder"] = Path()
        return replace(Experiment.read(expand_home(file)), **given)
    missing = [name for name in ("datasets", "models") if name not in given]
    if missing:
        raise UserError(f"give an EXPERIMENT file, or --{missing[0]}")
    return Experiment(**given)


__all__ = ["run"]
