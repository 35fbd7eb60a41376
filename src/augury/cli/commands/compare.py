"""`augury compare`."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from augury.cli.files.decision_options import decision_options, read_decision
from augury.cli.files.fit_in_pieces import TableInPieces, describe_reading
from augury.cli.files.table_in_pieces import InPieces, name_of_table, why_in_pieces
from augury.cli.terminal.comparison_output import Compared, echo_comparison
from augury.cli.terminal.comparison_progress import ComparisonProgress
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
    echo_decisions,
)
from augury.cli.terminal.stopping import StoppableRun, stoppable

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

    from augury.comparison.budget import Plan
    from augury.comparison.decision import DecisionRequest
    from augury.data import Dataset
    from augury.encode import ColumnDecision
    from augury.experiments.job import Job
    from augury.experiments.store.result_store import ResultStore
    from augury.foreign import Classifier
    from augury.report import WrittenReport
    from augury.summary.contents.verdict import Verdict

# Processor time of what the page shows beyond the results, such as the learning curve.
_PAGE_SECONDS = 10.0


@dataclass(frozen=True, eq=False)
class _Request:
    """Arguments of the command."""

    table: str
    target: str | None
    models: str | None
    measure: str | None
    costs: str | None
    threshold: str | None
    folds: int | None
    repeats: int | None
    time_limit: float | None
    quick: bool
    out: str | None
    save: str | None
    no_save: bool
    stream: bool | None
    scheduler: str | None
    strict: bool
    header: bool | None
    max_size: float | None
    data: str | None
    jobs: int
    as_json: bool

    def folder(self, name: str) -> Path:
        """Return the folder of the results of a table."""
        return expand_home(self.out or f"{name.replace(':', '-')}-augury")

    def model_file(self, folder: Path, target: str) -> Path | None:
        """Return the file of the recommended model; None if it is not saved."""
        if self.no_save:
            return None
        if not self.save:
            return (
                folder / f"{re.sub(r'[^0-9A-Za-z_.-]+', '-', target).strip('.-') or 'model'}.augury"
            )
        file = expand_home(self.save)
        if file.is_dir() or not file.parent.is_dir():
            raise UserError(f"--save is {str(file)!r}, where no file can be written")
        return file


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
    help="No fold begins later. [default: 300, or 60 with --quick]",
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
    asked = _Request(**arguments)
    if asked.no_save and asked.save is not None:
        raise UserError("--save and --no-save exclude each other")
    with stoppable() as stop, user_errors():
        check_jobs(asked.jobs)
        compared = _compare_pieces(asked, stop) or _compare_whole(asked, stop)
    echo_comparison(compared, as_json=asked.as_json)
    context.exit(1 if compared.failures or not compared.results else 0)


def _compare_whole(asked: _Request, stop: StoppableRun) -> Compared:
    """Read DATA and compare the models on it."""
    from augury.comparison.budget import Budget
    from augury.comparison.decision import without_decision
    from augury.comparison.default_models import default_models
    from augury.comparison.job import comparison_job
    from augury.comparison.table_report import write_comparison_page
    from augury.experiments.store.result_store import ResultStore
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
    _check_measure(asked, dataset)
    decision = _read_decision(asked, dataset)
    decisions = review_columns(dataset)
    _echo_table(asked, target, decisions)
    n_rows = len(dataset.X)
    plan = Budget(asked.folds, asked.repeats, asked.time_limit, asked.quick).plan(n_rows)
    names = split_names(asked.models) or default_models(n_rows, is_quick=asked.quick)
    job = comparison_job(dataset, names, plan)
    stop.folder = asked.folder(dataset.name)
    file = asked.model_file(stop.folder, dataset.target)
    with ResultStore(stop.folder) as store:
        verdict = _run(asked, job, plan, store, decisions, decision)
        shown: Dataset | None = dataset
        fitted: dict[str, Pipeline] = {}
        if file is not None and (name := verdict.recommended) is not None:
            verdict, model = _save(asked, verdict, job, file, store)
            if model is not None:
                fitted[name] = without_decision(model)
            else:  # the page cannot show the model
                shown = None
        page = partial(
            write_comparison_page,
            dataset=shown,
            fitted=fitted,
            max_seconds=min(_PAGE_SECONDS, plan.time_limit / 10),
        )
        return _end(verdict, store, job.models, target, decisions, page)


def _check_measure(asked: _Request, dataset: "Dataset") -> None:
    """Raise an error before the first fold if there is no such measure."""
    from augury.evaluate import find_measure

    if asked.measure is None:
        return
    try:
        find_measure(asked.measure, dataset.classes)
    except ValueError as error:
        raise UserError(f"--measure: {error}") from error


def _read_decision(asked: _Request, dataset: "Dataset") -> "DecisionRequest | None":
    """Return the decision of --costs or --threshold; wrong values are errors before the folds."""
    from augury.comparison.decision import DecisionRequest

    costs, threshold = read_decision(asked.costs, asked.threshold)
    try:
        return DecisionRequest.of(costs, threshold, dataset.classes)
    except ValueError as error:
        raise UserError(f"{'--costs' if threshold is None else '--threshold'}: {error}") from error


def _run(
    asked: _Request,
    job: "Job",
    plan: "Plan",
    store: "ResultStore",
    decisions: "Sequence[ColumnDecision]",
    decision: "DecisionRequest | None",
) -> "Verdict":
    """Run a comparison, and show its progress."""
    from augury.comparison.run import run_comparison
    from augury.experiments.job import rows_of_jobs

    before = rows_of_jobs(store.results(), [job])
    progress = ComparisonProgress(len(job.fold_keys()), list(job.models), before)
    try:
        return run_comparison(
            job,
            plan,
            store,
            decisions,
            measure=asked.measure,
            decision=decision,
            n_jobs=asked.jobs,
            isolate=True,
            progress=progress.update,
            announce=progress.announce,
        )
    finally:
        progress.finish()


def _save(
    asked: _Request, verdict: "Verdict", job: "Job", file: Path, store: "ResultStore"
) -> "tuple[Verdict, Pipeline | None]":
    """Fit the recommended model to all rows, and save it; return it with the new verdict.

    A model that cannot be fitted to all rows is a note of the verdict.
    """
    from augury.comparison.run import fit_recommended, note_failed_fit, save_recommended

    click.echo(f"Fitting {verdict.recommended} to all {len(job.dataset.X)} rows", err=True)
    try:
        model = fit_recommended(verdict, job.models, job.dataset)
    except (TypeError, ValueError, MemoryError) as error:  # the results and the page remain
        return note_failed_fit(verdict, error, store), None
    try:
        return save_recommended(verdict, model, job.dataset, file, store), model
    except OSError as error:
        option = f"--save is {str(file)!r}" if asked.save else f"{file}"
        raise UserError(f"{option}, which cannot be written: {error}") from error


def _end(
    verdict: "Verdict",
    store: "ResultStore",
    models: "Mapping[str, Classifier]",
    target: TargetSummary,
    decisions: "Sequence[ColumnDecision]",
    write_page: "Callable[..., WrittenReport]",
) -> Compared:
    """Write the page, and return the results of these models: the folder may have others."""
    place = {each.model: number for number, each in enumerate(verdict.leaderboard)}
    results = [row for row in store.results() if row.dataset == verdict.dataset]
    results = [row for row in results if row.model in place]
    failures = [row for row in store.failures() if row.dataset == verdict.dataset]
    assert store.folder is not None
    page = store.folder / "report.html"
    return Compared(
        verdict,
        write_page(store, verdict, page, models=models, decisions=decisions).page,
        sorted(results, key=lambda row: place[row.model]),
        [row for row in failures if row.model in models],
        list(models),
        target,
        decisions,
    )


def _compare_pieces(asked: _Request, stop: StoppableRun) -> Compared | None:
    """Compare the models on DATA, which is read in pieces; None if it is to be read whole."""
    chosen = _choose_models(asked)
    if chosen is None:
        return None
    models, pieces = chosen
    from augury.cli.files.compare_in_pieces import comparison_in_pieces, save_in_pieces
    from augury.comparison.run import describing, keep_verdict
    from augury.comparison.table_report import write_comparison_page
    from augury.experiments.store.result_store import ResultStore

    _check_options_of_pieces(asked, pieces)
    opened = TableInPieces.open(asked.table, asked.target, asked.header, asked.max_size)
    name = name_of_table(asked.table)
    folder = asked.folder(name)
    file = asked.model_file(folder, opened.target)
    with comparison_in_pieces(
        asked.table,
        opened,
        models,
        strict=asked.strict,
        scheduler=asked.scheduler,
        jobs=asked.jobs,
        folds=asked.folds or 10,
    ) as comparison:
        target = opened.summarize(comparison.opened.report())
        decisions = comparison.decisions()
        _echo_table(asked, target, decisions)
        stop.folder = folder
        with ResultStore(folder) as store:
            with describing(store, comparison.settings(), decisions):
                comparison.run(store)
            verdict = keep_verdict(store, name, models, asked.measure)
            if file is not None and verdict.recommended is not None:
                model = models[verdict.recommended]
                verdict = save_in_pieces(
                    verdict, opened, model, file, store, asked.strict, asked.scheduler
                )
            page = partial(write_comparison_page, dataset=None)
            ended = _end(verdict, store, models, target, decisions, page)
        report = comparison.opened.report()
    content = {
        "in_pieces": pieces.reason,
        "bounded_cuts": report.bounded_cuts,
        "grouped_labels": list(report.grouped_labels),
    }
    reading = [
        *describe_reading(report),
        "Times of generative models leave out reading, which they share; those of others have it",
    ]
    return replace(ended, reading=reading, content=content)


def _check_options_of_pieces(asked: _Request, pieces: InPieces) -> None:
    """Refuse options and measures that a comparison on pieces does not have."""
    from augury.comparison.evidence import check_measure_of_pieces

    try:
        check_measure_of_pieces(asked.measure)
    except ValueError as error:
        raise UserError(f"--measure: {error}") from error
    given = {
        "--repeats": asked.repeats,
        "--time-limit": asked.time_limit,
        "--quick": asked.quick,
        "--costs": asked.costs,
        "--threshold": asked.threshold,
    }
    for option, value in given.items():
        if value:
            raise UserError(
                f"{option} is for a table that is read whole, and {asked.table} is read in pieces, "
                f"since {pieces.reason}"
            )


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


def _echo_table(
    asked: _Request, target: TargetSummary, decisions: "Sequence[ColumnDecision]"
) -> None:
    """Print the target, and how each column is read."""
    target.echo_notes()
    if not asked.as_json:
        click.echo(f"Target: {target.describe()}")
        echo_decisions(decisions)


__all__ = ["compare"]
