"""`augury plot regions`."""

from pathlib import Path

import click

from augury.cli.files.figure_file import figure_option, write_figure
from augury.cli.files.model_and_classes import open_model_and_classes
from augury.cli.files.separate_output import require_separate_output
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import header_option, max_size_option, split_names


@click.command(short_help="Draw the decision regions over two columns.")
@click.argument("model_file", metavar="MODEL")
@click.argument("table", metavar="DATA")
@click.option(
    "--features",
    metavar="A,B",
    help="Columns of the x axis and the y axis. [default: the columns, if the model has two]",
)
@click.option(
    "--fix",
    metavar="COLUMN=VALUE",
    multiple=True,
    help="Value at which another column is held; may be repeated. [default: the median or the "
    "most frequent label]",
)
@click.option(
    "--densities/--no-densities",
    default=None,
    help="Whether to draw the densities and ellipses of the classes. [default: if the model has "
    "them]",
)
@header_option
@max_size_option
@figure_option
def regions(
    model_file: str,
    table: str,
    features: str | None,
    fix: tuple[str, ...],
    densities: bool | None,
    header: bool | None,
    max_size: float | None,
    output: Path,
) -> None:
    """Draw the decision regions of a saved model over two columns.

    MODEL is a file that `augury fit` wrote, and DATA is a table file, whose rows are the points.
    The boundary is where the two most probable classes are equally probable.
    """
    from augury.plot import DecisionRegionsDisplay

    with user_errors():
        require_separate_output("--output", output, {"MODEL": model_file, "DATA": table})
        fixed = dict(_split_pair(pair) for pair in fix)
        saved, rows, codes = open_model_and_classes(model_file, table, header, max_size)
        display = DecisionRegionsDisplay.from_estimator(
            saved.model,
            rows,
            None if codes is None else saved.model.classes_[codes],
            features=split_names(features),
            fixed=fixed,
            densities=densities,
        )
        write_figure(display, output)


def _split_pair(pair: str) -> tuple[str, str]:
    column, is_pair, value = pair.partition("=")
    if not is_pair:
        raise UserError(f"--fix must be COLUMN=VALUE, got {pair!r}")
    return column.strip(), value.strip()


__all__ = ["regions"]
