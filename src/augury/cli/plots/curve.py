"""`augury plot curve`."""

from pathlib import Path

import click

from augury.cli.files.figure_file import figure_option, write_figure
from augury.cli.files.separate_output import require_separate_output
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import (
    check_jobs,
    expand_home,
    jobs_option,
    split_names,
    table_options,
)
from augury.cli.terminal.output import TargetSummary


@click.command(short_help="Draw the loss against the number of training rows.")
@click.argument("table", metavar="DATA")
@click.option("--target", metavar="COLUMN", help="Column to predict. [default: class, or the last]")
@click.option("--models", metavar="A,B", required=True, help="Names of `augury models`.")
@click.option(
    "--sizes", metavar="N,M", required=True, help="Numbers of training rows, such as 30,100,300."
)
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Number of random samples.",
)
@click.option(
    "--measure",
    type=click.Choice(["error", "log_loss", "brier"]),
    default="error",
    show_default=True,
    help="The loss.",
)
@table_options
@jobs_option
@figure_option
def curve(
    table: str,
    target: str | None,
    models: str,
    sizes: str,
    repeats: int,
    measure: str,
    strict: bool,
    header: bool | None,
    max_size: float | None,
    data: str | None,
    jobs: int,
    output: Path,
) -> None:
    """Draw learning curves: the loss of models against the number of training rows.

    DATA is a file (CSV, TSV, ARFF, Parquet) or a name that `augury datasets` lists. Samples are
    stratified and nested, and all models are tested on the same 30 % of the rows.
    """
    from augury.errors import PictureError
    from augury.evaluate import GrowingSamples
    from augury.models.tidy_model import tidy_model
    from augury.plot import LearningCurveDisplay
    from augury.tables.open_table import open_tidy_table

    with user_errors():
        check_jobs(jobs)
        data_dir = None if data is None else expand_home(data)
        require_separate_output("--output", output, {"DATA": table}, data_dir=data_dir)
        built = {name: tidy_model(name) for name in split_names(models) or ()}
        if not built:
            raise UserError("--models must name at least one model")
        samples = [_read_size(size) for size in split_names(sizes) or ()]
        dataset = open_tidy_table(
            table, target, data_dir=data_dir, strict=strict, header=header, max_size=max_size
        )
        TargetSummary.of(dataset).echo_notes()
        try:  # sizes that do not fit the rows are found before models are fitted
            next(GrowingSamples(samples, repeats).split(dataset.X, dataset.y))
        except ValueError as error:
            raise PictureError(f"--sizes: {error}") from error
        display = LearningCurveDisplay.from_estimators(
            built,
            dataset.X,
            dataset.y,
            sizes=samples,
            n_repeats=repeats,
            measure=measure,
            title=dataset.name,
            n_jobs=jobs,
        )
        write_figure(display, output)


def _read_size(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise UserError(f"--sizes must be whole numbers such as 30,100, got {text!r}") from None


__all__ = ["curve"]
