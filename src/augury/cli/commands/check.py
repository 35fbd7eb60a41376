"""`augury check`."""

from typing import TYPE_CHECKING

import click

from augury.cli.files.model_and_rows import open_model, open_rows
from augury.cli.files.table_in_pieces import why_in_pieces
from augury.cli.terminal.echo import echo
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import (
    header_option,
    json_option,
    max_size_option,
    split_names,
)
from augury.cli.terminal.output import dump_json
from augury.cli.terminal.row_progress import row_progress
from augury.cli.terminal.stopping import ending_cleanly

if TYPE_CHECKING:
    from augury.drift import DriftReport, Reference
    from augury.persist import SavedModel

# Errors of the user have the code 2, and errors of the program 1.
DRIFT = 3


@click.command()
@click.argument("model_file", metavar="MODEL")
@click.argument("table", metavar="DATA")
@click.option(
    "--reference",
    "training_table",
    metavar="TABLE",
    help="The training table, with its target; for model files without statistics of their "
    "training rows. [default: the statistics in MODEL]",
)
@click.option("--ignore", metavar="A,B", help="Columns that are not compared, such as dates.")
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.01,
    show_default=True,
    help="Largest probability of a false alarm, over all tests.",
)
@click.option(
    "--min-change",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.01,
    show_default=True,
    help="Distributions that differ in a smaller share of the rows are not reported.",
)
@click.option("--strict", is_flag=True, help="Notes count as drift: unseen labels, values far out.")
@header_option
@max_size_option
@json_option
def check(
    model_file: str,
    table: str,
    training_table: str | None,
    ignore: str | None,
    alpha: float,
    min_change: float,
    strict: bool,
    header: bool | None,
    max_size: float | None,
    as_json: bool,
) -> None:
    """Compare new rows with the training rows of a saved model.

    MODEL is a file that `augury fit` wrote. DATA is a file, a folder, a quoted pattern or a query,
    as in `augury predict`, and is read in pieces if it is large. The command reports columns that
    are missing, new, renamed or of another kind, missing values, unseen labels, numbers out of
    range, changed distributions, improbable rows, and changed classes. Differences that a fresh
    sample of the training distribution may have are not reported.

    The exit code is 0 if there is no drift, 3 if there is drift, and 2 if the command cannot
    compare the rows.
    """
    with ending_cleanly(), user_errors():
        saved = open_model(model_file)
        reference = _reference(saved, model_file, training_table, header, max_size)
        ignored = split_names(ignore) or []
        report = _compare(saved, reference, table, ignored, alpha, min_change, header, max_size)
    is_drift = not report.is_silent or (strict and bool(report.notes))
    if as_json:
        echo(dump_json({"is_drift": is_drift, **report.to_json()}))
    else:
        echo(str(report))
    if is_drift:
        raise click.exceptions.Exit(DRIFT)


def _compare(
    saved: "SavedModel",
    reference: "Reference",
    table: str,
    ignored: list[str],
    alpha: float,
    min_change: float,
    header: bool | None,
    max_size: float | None,
) -> "DriftReport":
    from augury.drift import check_drift

    pieces = why_in_pieces(table)
    source = open_rows(saved, table, pieces, header, max_size)
    with row_progress() as progress:
        return check_drift(
            saved,
            source,
            reference=reference,
            ignore=ignored,
            alpha=alpha,
            min_change=min_change,
            n_jobs=1 if pieces is None else -1,
            progress=progress,
        )


def _reference(
    saved: "SavedModel",
    model_file: str,
    training_table: str | None,
    header: bool | None,
    max_size: float | None,
) -> "Reference":
    """Return the statistics of the training rows: of --reference, or of the model file."""
    from augury.drift import collect_reference_from_source

    if training_table is None:
        if saved.reference is None:
            raise UserError(
                f"{model_file} has no statistics of its training rows: fit the model again with "
                "`augury fit`, or name the training table: --reference train.csv"
            )
        return saved.reference
    target = saved.metadata.target
    if target is None:
        raise UserError(
            f"{model_file} does not name its target, so --reference cannot be used: fit the model "
            "again with `augury fit`"
        )
    pieces = why_in_pieces(training_table)
    source = open_rows(saved, training_table, pieces, header, max_size, argument="--reference")
    columns = [column.name for column in saved.metadata.columns]
    source.check_columns([*columns, target] if saved.metadata.named else [target])
    with row_progress() as progress:
        return collect_reference_from_source(
            saved.model,
            source,
            target,
            columns=columns if saved.metadata.named else None,
            progress=progress,
        )


__all__ = ["check"]
