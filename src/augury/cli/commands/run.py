"""`augury run`."""

from typing import TYPE_CHECKING, Any

import click

from augury.cli.files.experiment_file import read_experiment
from augury.cli.files.separate_output import require_separate_output
from augury.cli.terminal.echo import echo
from augury.cli.terminal.errors import user_errors
from augury.cli.terminal.options import (
    check_jobs,
    expand_home,
    jobs_option,
    json_option,
    table_options,
)
from augury.cli.terminal.output import (
    TargetSummary,
    dump_json,
    live_progress,
)
from augury.cli.terminal.stopping import stoppable

if TYPE_CHECKING:
    from augury.experiments.runner import RunReport
    from augury.experiments.store.stored_results import Failure
    from augury.summary.contents.predictions import LearningCurves


@click.command(short_help="Cross-validate models, and keep every fold.")
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
    "--train-sizes",
    metavar="N,N",
    help="Learning curves instead of folds: numbers of training rows such as 30, or shares such "
    "as 0.5; 1.0 means all rows that are not for testing.",
)
@click.option(
    "--test-share",
    metavar="SHARE",
    type=click.FloatRange(0.0, 1.0, min_open=True, max_open=True),
    help="Share of the rows for testing, with --train-sizes. [default: 0.3]",
)
@click.option(
    "--repeats",
    metavar="N",
    type=click.IntRange(min=1),
    help="Runs of the folds or of the training samples. [default: 10]",
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
    from augury.json_fields import to_json
    from augury.summary.learning_curves import describe_curves

    with stoppable() as stop, user_errors():
        stop.folder = expand_home(out)
        check_jobs(jobs)
        require_separate_output("--out", stop.folder, {"EXPERIMENT": experiment})
        asked = read_experiment(experiment, options)
        work = asked.jobs()
        for job in work:
            TargetSummary.of(job.dataset).echo_notes(prefix=f"{job.dataset.name}: ")
            if not as_json:
                echo(f"{job.dataset.name}: target {TargetSummary.of(job.dataset).describe()}")
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
            found = rows_of_jobs(store.results(), work)
            curves = describe_curves(found, store.datasets(), list(asked.models), asked.baseline)
    if as_json:
        echo(
            dump_json(
                {
                    "out": str(expand_home(out)),
                    "done": report.n_done,
                    "before": report.n_before,
                    "failed": len(failures),
                    "elsewhere": report.n_elsewhere,
                    "datasets": {
                        job.dataset.name: TargetSummary.of(job.dataset).content() for job in work
                    },
                    **({"curves": to_json(curves)} if curves else {}),
                }
            )
        )
    else:
        _echo_outcome(
            out, report, curves, failures, "training rows" if asked.train_sizes else "fold"
        )
    context.exit(1 if failures else 0)


def _echo_outcome(
    out: str,
    report: "RunReport",
    curves: "tuple[LearningCurves, ...]",
    failures: "list[Failure]",
    unit: str,
) -> None:
    """Print learning curves and the numbers of folds; `unit` is what the number of a fold means."""
    from augury.summary.curve_tables import curve_tables

    for table in curve_tables(curves):
        echo(f"\n{table}")
    if curves:
        echo()
    echo(f"{report.n_done} folds computed, {report.n_before} were in {out} before.")
    if report.n_elsewhere:
        echo(f"Another process works on {report.n_elsewhere} folds.")
    for failure in failures[:3]:
        place = f"{failure.model} on {failure.dataset}, run {failure.run}, {unit} {failure.fold}"
        echo(f"Failed: {place}: {_reason(failure)}", err=True)
    if failures:
        echo(f"{len(failures)} folds failed; --retry runs them again.", err=True)


def _reason(failure: "Failure") -> str:
    """Return the last line of a traceback, without the note that names the fold."""
    note = f"({failure.model} on {failure.dataset}, run {failure.run}, fold {failure.fold})"
    lines = [line for line in failure.traceback.strip().splitlines() if line != note]
    return lines[-1]


__all__ = ["run"]
