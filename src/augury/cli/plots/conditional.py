"""`augury plot conditional`."""

from pathlib import Path

import click

from augury.cli.files.figure_file import figure_option, write_figure
from augury.cli.files.model_and_rows import open_model
from augury.cli.files.separate_output import require_separate_output
from augury.cli.terminal.errors import user_errors


@click.command(short_help="Draw the distribution of a column in each class.")
@click.argument("model_file", metavar="MODEL")
@click.option("--feature", metavar="COLUMN", required=True, help="The column.")
@figure_option
def conditional(model_file: str, feature: str, output: Path) -> None:
    """Draw the distribution of a column in each class, as a saved model knows it.

    MODEL is a file that `augury fit` wrote: naive Bayes, or linear, quadratic or regularised
    discriminant analysis. Numbers have densities, labels and intervals have bars.
    """
    from augury.plot import ClassConditionalDisplay

    with user_errors():
        require_separate_output("--output", output, {"MODEL": model_file})
        saved = open_model(model_file)
        write_figure(ClassConditionalDisplay.from_estimator(saved.model, feature), output)


__all__ = ["conditional"]
