"""Comparisons of `augury compare` on a table that is read in pieces."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from augury.cli.files.comparison_request import ComparisonRequest, echo_table, end_comparison
from augury.cli.files.fit_in_pieces import TableInPieces, describe_reading
from augury.cli.files.table_in_pieces import InPieces, name_of_table, why_in_pieces
from augury.cli.terminal.cluster import cluster
from augury.cli.terminal.comparison_output import Compared
from augury.cli.terminal.echo import echo
from augury.cli.terminal.errors import UserError
from augury.cli.terminal.options import split_names
from augury.cli.terminal.row_progress import row_progress
from augury.cli.terminal.stopping import StoppableRun

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

    from augury.comparison.streamed_comparison import StreamedComparison
    from augury.experiments.store.result_store import ResultStore
    from augury.summary.contents.verdict import Verdict


def compare_pieces(asked: ComparisonRequest, stop: StoppableRun) -> Compared | None:
    """Compare the models on DATA, which is read in pieces; None if it is to be read whole."""
    chosen = _choose_models(asked)
    if chosen is None:
        return None
    models, pieces = chosen
    from augury.comparison.run import describing, keep_verdict
    from augury.comparison.table_report import write_comparison_page
    from augury.experiments.store.result_store import ResultStore

    _check_options_of_pieces(asked, pieces)
    opened = TableInPieces.open(asked.table, asked.target, asked.header, asked.max_size)
    name = name_of_table(asked.table)
    folder = asked.folder(name)
    file = asked.model_file(folder, opened.target)
    with _comparison_in_pieces(
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
        echo_table(asked, target, decisions)
        stop.folder = folder
        with ResultStore(folder) as store:
            with describing(store, comparison.settings(), decisions):
                comparison.run(store)
            verdict = keep_verdict(store, name, models, asked.measure)
            if file is not None and verdict.recommended is not None:
                model = models[verdict.recommended]
                verdict = _save_in_pieces(
                    verdict, opened, model, file, store, asked.strict, asked.scheduler
                )
            page = partial(write_comparison_page, dataset=None)
            ended = end_comparison(verdict, store, models, target, decisions, page)
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


def _check_options_of_pieces(asked: ComparisonRequest, pieces: InPieces) -> None:
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


def _choose_models(asked: ComparisonRequest) -> "tuple[Mapping[str, Pipeline], InPieces] | None":
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
    from augury.comparison.default_models import SENSIBLE_MODELS

    named = split_names(asked.models)
    models = _choose_streamed_models(
        asked.table, named or SENSIBLE_MODELS, pieces, are_named=bool(named)
    )
    if models is None:
        return None
    echo(pieces.describe(asked.table), err=True)
    return models, pieces


def _choose_streamed_models(
    table: str, names: Sequence[str], pieces: InPieces, *, are_named: bool
) -> "dict[str, Pipeline] | None":
    """Return the models that can be compared on pieces; None if DATA is read whole instead.

    Parameters
    ----------
    table : DATA of the command
    names : names of the models
    pieces : why DATA is read in pieces
    are_named : whether --models names them; otherwise models that need all rows are left out

    Raises
    ------
    UserError
        If --models names a model that needs all rows in memory, and DATA cannot be read whole.
    """
    from augury.models.tidy_model import tidy_model
    from augury.scale.fitting import check_streamable

    models: dict[str, Pipeline] = {}
    others: list[str] = []
    for name in names:
        model = tidy_model(name)
        try:
            check_streamable(model)
            models[name] = model
        except (TypeError, ValueError):
            others.append(name)
    if not others:
        return models
    need = f"{', '.join(others)} {'needs' if len(others) == 1 else 'need'} all rows in memory"
    if not are_named:
        echo(f"Left out: {need}; {table} is read in pieces", err=True)
        return models
    if pieces.is_needed:
        raise UserError(
            f"--models: {need}, and {table} is read in pieces, since {pieces.reason}; choose "
            "generative models, lr or hybrids, see `augury models`"
        )
    echo(f"Note: {table} is read whole, although {pieces.reason}: {need}", err=True)
    return None


@contextmanager
def _comparison_in_pieces(
    table: str,
    opened: TableInPieces,
    models: "Mapping[str, Pipeline]",
    *,
    strict: bool,
    scheduler: str | None,
    jobs: int,
    folds: int = 10,
) -> "Iterator[StreamedComparison]":
    """Survey the folds of DATA for a comparison of models; progress is shown."""
    from augury.comparison.streamed_comparison import StreamedComparison
    from augury.models.tidy_model import SEED
    from augury.scale.cross_validating import open_folds

    with (
        cluster(scheduler) as client,
        row_progress() as progress,
        open_folds(
            models,
            opened.source,
            opened.target,
            folds=folds,
            random_state=SEED,
            client=client,
            n_jobs=jobs,
            strict=strict,
            progress=progress,
        ) as in_folds,
    ):
        yield StreamedComparison(name_of_table(table), in_folds, models)


def _save_in_pieces(
    verdict: "Verdict",
    opened: TableInPieces,
    model: "Pipeline",
    file: Path,
    store: "ResultStore",
    strict: bool,
    scheduler: str | None,
) -> "Verdict":
    """Fit the recommended model to all rows, save it, and return the verdict with its file."""
    from sklearn.base import clone

    from augury.comparison.run import note_file
    from augury.persist import save_model

    echo(f"Fitting {verdict.recommended} to all {verdict.n_rows} rows", err=True)
    fitted, report = opened.fit(clone(model), strict=strict, scheduler=scheduler)
    save_model(
        fitted,
        file,
        X=opened.first_rows,
        target=opened.target,
        n_rows=report.n_rows,
        reference=opened.collect_reference(fitted, scheduler=scheduler),
    )
    return note_file(verdict, file, store)


__all__ = ["compare_pieces"]
