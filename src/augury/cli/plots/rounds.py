"""`augury plot rounds`."""

from pathlib import Path

import click

from augury.cli.files.figure_file import figure_option, write_figure
from augury.cli.files.model_and_classes import open_model_and_classes
from augury.cli.files.separate_output import require_separate_output
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import header_option, max_size_option


@click.command(short_help="Draw the accuracy after each round of boosting.")
@click.argument("model_file", metavar="MODEL")
@click.argument("table", metavar="DATA")
@header_option
@max_size_option
@figure_option
def rounds(
    model_file: str, table: str, header: bool | None, max_size: float | None, output: Path
) -> None:
    """Draw the accuracy of a saved ensemble after each round of boosting.

    MODEL is a file that `augury fit` wrote with the model boosted-nb. DATA is a table file with
    the target; the model should not have been fitted to its rows.
    """
    from augury.plot import RoundsDisplay

    with user_errors():
        require_separate_output("--output", output, {"MODEL": model_file, "DATA": table})
        saved, rows, codes = open_model_and_classes(model_file, table, header, max_size)
        if codes is None:
            raise UserError(
                f"{table} has no column {saved.metadata.target!r}, the target of the model"
            )
        display = RoundsDisplay.from_estimator(
            saved.model, rows, saved.model.classes_[codes], name=Path(model_file).stem
        )
        write_figure(display, output)


__all__ = ["rounds"]
