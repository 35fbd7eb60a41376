"""`augury compare`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from augury.cli.files.compare_in_pieces import compare_pieces
from augury.cli.files.comparison_request import ComparisonRequest, echo_table, end_comparison
from augury.cli.files.decision_options import decision_options, read_decision
from augury.cli.terminal.comparison_output import Compared, echo_comparison
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
from augury.cli.terminal.output import TargetSummary
from augury.cli.terminal.stopping import StoppableRun, stoppable

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

    from augury.cli.terminal.comparison_progress import ComparisonProgress
    from augury.comparison.decision import DecisionRequest
    from augury.comparison.run import RunComparison
    from augury.data import Dataset
    from augury.experiments.store.result_store import ResultStore
    from augury.report import WrittenReport
    from augury.summary.contents.verdict import Verdict

# Processor time of what the page shows beyond the results, such as the learning curve. A third of
# the time that is left, if that is less.
_PAGE_SECONDS = 10.0


@click.command(short_help="Compare several models on a table, and say which one to use.")
@click.argument("table", metavar="DATA")
@click.option("--target", metavar="COLUMN", help="Column to predict. [default: class, or the last]")
@click.option(
    "--models",
    metavar="A,B",
    help="Names of `augury models`. [default: augury and ten others; no forest above 20,000 rows]",
)
@click.option(
    "--measure",
    metavar="NAME",
    help="Measure that orders the models: accuracy, balanced-accuracy, f1, auc, average-precision, "
    "log-loss, brier, ece, cost, or of one class, such as recall:yes. [default: accuracy, or "
    "another if a class is rare; cost with --costs]",
)
@decision_options
@click.option(
    "--folds",
    type=click.IntRange(min=2),
    help="Folds of a run. [default: 10; 5 from 50,000 rows on]",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    help="Runs of all models. [default: 1, and up to 5 for the models that are still tied]",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Time of the whole command; folds that take too long are left out. [default: 300, or 60 "
    "with --quick]",
)
@click.option("--quick", is_flag=True, help="Test half of the folds of one run, without forest.")
@click.option(
    "--out",
    metavar="DIR",
    help="Folder of the results and the report. [default: the name of DATA, and -augury]",
)
@click.option(
    "--save",
    metavar="[FILE]",
    is_flag=False,
    flag_value="",
    help="File of the recommended model, fitted to all rows. [default: the name of the target, "
    "and .augury, in the folder of --out]",
)
@click.option("--no-save", is_flag=True, help="Fit and save no model.")
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
    """Compare several models on a table, say which one to use, and save it.

    DATA is a file (CSV, TSV, ARFF, Parquet, Arrow), a name that `augury datasets` lists, a folder
    or a quoted pattern such as 'big/*.parquet', or a query: 'duckdb:FILE?query=SELECT …'. Models
    are cross-validated: everything is learned from the training folds alone. The command prints the
    target, how each column is read, and results as they come. Rows without a class are left out,
    unless --strict is given.

    With --costs or --threshold, all measures of predicted classes are those of such decisions, and
    the saved model decides so. `augury fit --from-compare` and `augury predict` agree with it.

    The verdict names the simplest of the models that are within one standard error of the best.
    Models are tied if the corrected t-test finds no difference at 5 %. Models of other libraries
    cannot be saved: they are yardsticks, and never recommended. The recommended model is fitted to
    all rows and saved. The same command continues a comparison that was stopped.

    DATA is read in pieces, several times and in constant memory, under the same rule as in
    `augury fit`. Then there are ten folds by a hash of the number of the row, and models that need
    all rows in memory are left out. --jobs is a number of threads then, and TMPDIR names the folder
    of temporary files.
    """
    start = monotonic()
    asked = ComparisonRequest(**arguments)
    if asked.no_save and asked.save is not None:
        raise UserError("--save and --no-save exclude each other")
    with stoppable() as stop, user_errors():
        check_jobs(asked.jobs)
        asked.check_outputs()
        compared = compare_pieces(asked, stop) or _compare_whole(asked, stop, start)
    echo_comparison(compared, as_json=asked.as_json)
    context.exit(1 if compared.failures or not compared.results else 0)


def _compare_whole(asked: ComparisonRequest, stop: StoppableRun, start: float) -> Compared:
    """Read DATA and compare the models on it."""
    from augury.cli.terminal.comparison_progress import ComparisonProgress
    from augury.comparison.budget import Budget
    from augury.comparison.default_models import default_models
    from augury.comparison.job import comparison_job
    from augury.comparison.run import run_comparison
    from augury.comparison.schedule import TimeLimit
    from augury.experiments.store.result_store import ResultStore
    from augury.tables.open_table import open_tidy_table
    from augury.tables.review import review_columns
    from augury.validation import check_threads

    dataset = open_tidy_table(
        asked.table,
        asked.target,
        data_dir=None if asked.data is None else expand_home(asked.data),
        strict=asked.strict,
        header=asked.header,
        max_size=asked.max_size,
    )
    target = TargetSummary.of(dataset)
    _check_measure(asked, dataset)
    decision = _read_decision(asked, dataset)
    decisions = review_columns(dataset)
    echo_table(asked, target, decisions)
    n_rows = len(dataset.X)
    plan = Budget(asked.folds, asked.repeats, asked.time_limit, asked.quick).plan(n_rows)
    names = split_names(asked.models) or default_models(n_rows, is_quick=asked.quick)
    job = comparison_job(dataset, names, plan)
    stop.folder = asked.folder(dataset.name)
    file = asked.model_file(stop.folder, dataset.target)
    n_workers = check_threads("compare", asked.jobs)
    with (
        ResultStore(stop.folder) as store,
        ComparisonProgress(n_workers, list(job.models), len(job.fold_keys())) as progress,
    ):
        run = run_comparison(
            job,
            plan,
            store,
            decisions,
            measure=asked.measure,
            decision=decision,
            n_jobs=asked.jobs,
            isolate=True,
            listener=progress,
            limit=TimeLimit(plan.time_limit, start),
        )
        verdict, page = _save(asked, run, dataset, file, store, progress)
        progress.work_on("the page of the report")
        return end_comparison(verdict, store, job.models, target, decisions, page)


def _check_measure(asked: ComparisonRequest, dataset: "Dataset") -> None:
    """Raise an error before the first fold if there is no such measure."""
    from augury.evaluate import find_measure

    if asked.measure is None:
        return
    try:
        find_measure(asked.measure, dataset.classes)
    except ValueError as error:
        raise UserError(f"--measure: {error}") from error


def _read_decision(asked: ComparisonRequest, dataset: "Dataset") -> "DecisionRequest | None":
    """Return the decision of --costs or --threshold; wrong values are errors before the folds."""
    from augury.comparison.decision import DecisionRequest

    costs, threshold = read_decision(asked.costs, asked.threshold)
    try:
        return DecisionRequest.of(costs, threshold, dataset.classes)
    except ValueError as error:
        raise UserError(f"{'--costs' if threshold is None else '--threshold'}: {error}") from error


def _save(
    asked: ComparisonRequest,
    run: "RunComparison",
    dataset: "Dataset",
    file: Path | None,
    store: "ResultStore",
    progress: "ComparisonProgress",
) -> "tuple[Verdict, Callable[..., WrittenReport]]":
    """Fit the recommended model to all rows, and save it.

    Returns
    -------
    verdict : with the file, or with a note if the model cannot be fitted to all rows
    write_page : `write_comparison_page` with the rows and the model that the page shows
    """
    from augury.comparison.run import fit_recommended, note_failed_fit, note_long_fit
    from augury.comparison.table_report import write_comparison_page

    verdict, is_sample = run.verdict, run.job.dataset is not dataset
    # Without a model that is fitted to all rows, the page shows one that is fitted to the sample.
    no_model = partial(write_comparison_page, dataset=run.job.dataset if is_sample else None)
    seconds = min(_PAGE_SECONDS, max(run.limit.left / 3, run.limit.seconds / 30))
    with_rows = partial(write_comparison_page, dataset=run.job.dataset, max_seconds=seconds)
    if file is None or verdict.recommended is None:
        return verdict, with_rows
    if not run.can_fit:
        return note_long_fit(run, store), no_model
    progress.work_on(
        f"Fitting {verdict.recommended} to all {len(dataset.X):,} rows", run.fit_seconds
    )
    try:
        model = fit_recommended(verdict, run.job.models, dataset)
    except (TypeError, ValueError, MemoryError) as error:  # the results and the page remain
        return note_failed_fit(verdict, error, store), no_model
    saved = _write_model(asked, verdict, model, dataset, file, store)
    return saved, partial(with_rows, fitted={verdict.recommended: model})


def _write_model(
    asked: ComparisonRequest,
    verdict: "Verdict",
    model: "Pipeline",
    dataset: "Dataset",
    file: Path,
    store: "ResultStore",
) -> "Verdict":
    from augury.comparison.run import save_recommended

    try:
        return save_recommended(verdict, model, dataset, file, store)
    except OSError as error:
        option = f"--save is {str(file)!r}" if asked.save else f"{file}"
        raise UserError(f"{option}, which cannot be written: {error}") from error


__all__ = ["compare"]
