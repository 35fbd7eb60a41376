"""`augury plot reliability`."""

from pathlib import Path

import click

from augury.cli.files.figure_file import figure_option, write_figure
from augury.cli.files.model_and_classes import open_model_and_classes
from augury.cli.files.separate_output import require_separate_output
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import header_option, max_size_option


@click.command(short_help="Draw predicted probabilities against frequencies.")
@click.argument("model_file", metavar="MODEL")
@click.argument("table", metavar="DATA")
@click.option(
    "--class",
    "positive",
    metavar="CLASS",
    help="Class whose probability is drawn. [default: the second of two classes, otherwise the "
    "most probable class of each row]",
)
@click.option(
    "--bins", type=click.IntRange(min=1), default=15, show_default=True, help="Number of bins."
)
@click.option(
    "--min-rows",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Bins are merged until each holds as many rows.",
)
@header_option
@max_size_option
@figure_option
def reliability(
    model_file: str,
    table: str,
    positive: str | None,
    bins: int,
    min_rows: int,
    header: bool | None,
    max_size: float | None,
    output: Path,
) -> None:
    """Draw predicted probabilities of a saved model against observed frequencies.

    MODEL is a file that `augury fit` wrote. DATA is a table file with the target; the model
    should not have been fitted to its rows.
    """
    from augury.plot import ReliabilityDisplay

    with user_errors():
        require_separate_output("--output", output, {"MODEL": model_file, "DATA": table})
        saved, rows, codes = open_model_and_classes(model_file, table, header, max_size)
        if codes is None:
            raise UserError(
                f"{table} has no column {saved.metadata.target!r}, the target of the model"
            )
        if len(rows) < min_rows:
            raise UserError(f"{table} has {len(rows)} rows with a class, --min-rows is {min_rows}")
        display = ReliabilityDisplay.from_estimator(
            saved.model,
            rows,
            saved.model.classes_[codes],
            positive=positive,
            n_bins=bins,
            min_rows=min_rows,
            name=Path(model_file).stem,
        )
        write_figure(display, output)


__all__ = ["reliability"]
