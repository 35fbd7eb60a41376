"""Comparisons of `augury compare` on a table that is read in pieces."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from augury.cli.files.fit_in_pieces import TableInPieces
from augury.cli.files.table_in_pieces import InPieces, name_of_table
from augury.cli.terminal.cluster import cluster
from augury.cli.terminal.errors import UserError
from augury.cli.terminal.row_progress import row_progress

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

    from augury.comparison.streamed_comparison import StreamedComparison
    from augury.experiments.store.result_store import ResultStore
    from augury.summary.contents.verdict import Verdict


def choose_streamed_models(
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
        click.echo(f"Left out: {need}; {table} is read in pieces", err=True)
        return models
    if pieces.is_needed:
        raise UserError(
            f"--models: {need}, and {table} is read in pieces, since {pieces.reason}; choose "
            "generative models, lr or hybrids, see `augury models`"
        )
    click.echo(f"Note: {table} is read whole, although {pieces.reason}: {need}", err=True)
    return None


@contextmanager
def comparison_in_pieces(
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


def save_in_pieces(
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

    click.echo(f"Fitting {verdict.recommended} to all {verdict.n_rows} rows", err=True)
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


__all__ = ["choose_streamed_models", "comparison_in_pieces", "save_in_pieces"]
