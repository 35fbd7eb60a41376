"""`augury plot nomogram`."""

from pathlib import Path

import click

from augury.cli.files.figure_file import figure_option, write_figure
from augury.cli.files.model_and_rows import open_model, open_model_and_rows
from augury.cli.files.separate_output import require_separate_output
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import header_option, max_size_option


@click.command(short_help="Draw the points of each value, and their probability.")
@click.argument("model_file", metavar="MODEL")
@click.option(
    "--positive", metavar="CLASS", help="Class with many points. [default: the second of two]"
)
@click.option("--negative", metavar="CLASS", help="The other class. [default: the first of two]")
@click.option(
    "--data", "table", metavar="FILE", help="Table; scales of numbers have the range of its rows."
)
@click.option(
    "--row", metavar="N", type=click.IntRange(min=1), help="Row of --data to mark, from 1."
)
@click.option(
    "--max-features",
    metavar="N",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Largest number of columns, those with the largest range.",
)
@header_option
@max_size_option
@figure_option
def nomogram(
    model_file: str,
    positive: str | None,
    negative: str | None,
    table: str | None,
    row: int | None,
    max_features: int,
    header: bool | None,
    max_size: float | None,
    output: Path,
) -> None:
    """Draw the points of each value of each column, and the probability of their sum.

    MODEL is a file that `augury fit` wrote: a naive Bayes, weighted or not, a linear
    discriminant analysis, a logistic regression, an additive logistic regression, or a hybrid
    whose final model is one of them.
    """
    from augury.plot import NomogramDisplay

    with user_errors():
        require_separate_output("--output", output, {"MODEL": model_file, "--data": table})
        marked = rows = None
        if table is None:
            if row is not None:
                raise UserError("--row needs --data, the table that has the row")
            saved = open_model(model_file)
        else:
            saved, _, rows = open_model_and_rows(model_file, table, header, max_size)
            if row is not None and row > len(rows):
                raise UserError(f"--row is {row}, but {table} has {len(rows)} rows")
            marked = None if row is None else rows.iloc[row - 1 : row]
        display = NomogramDisplay.from_estimator(
            saved.model,
            rows,
            positive=positive,
            negative=negative,
            row=marked,
            max_features=max_features,
        )
        write_figure(display, output)


__all__ = ["nomogram"]
