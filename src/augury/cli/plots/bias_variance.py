"""`augury plot bias-variance`."""

from pathlib import Path

import click

from augury.cli.files.figure_file import figure_option, write_figure
from augury.cli.files.separate_output import require_separate_output, results_file
from augury.cli.terminal.errors import user_errors
from augury.cli.terminal.options import expand_home, split_names


@click.command(short_help="Draw bias and variance of the models of a store.")
@click.argument("store", metavar="STORE")
@click.option("--models", metavar="A,B", help="Models, in this order. [default: all]")
@click.option("--datasets", metavar="A,B", help="Data sets, in this order. [default: all]")
@click.option("--difference", is_flag=True, help="The first of two models minus the second.")
@click.option(
    "--method",
    type=click.Choice(["webb", "kohavi-wolpert"]),
    default="webb",
    show_default=True,
    help="Definition of bias and variance.",
)
@click.option(
    "--protocol",
    type=click.Choice(["published", "honest"]),
    help="Protocol of the folds. [default: that of the store]",
)
@figure_option
def bias_variance(
    store: str,
    models: str | None,
    datasets: str | None,
    difference: bool,
    method: str,
    protocol: str | None,
    output: Path,
) -> None:
    """Draw bias and variance of the models of a store, by data set.

    STORE is the folder of `augury run --out` or `augury reproduce --out`, with at least two
    complete runs of the folds. The bars are sums of bias and variance, in percent.
    """
    from augury.plot import BiasVarianceDisplay
    from augury.summary.stored_bias_variance import read_bias_variance

    with user_errors():
        require_separate_output("--output", output, {"STORE": results_file(store)})
        results = read_bias_variance(
            expand_home(store),
            models=split_names(models),
            datasets=split_names(datasets),
            protocol=protocol,
            method=method,
        )
        display = BiasVarianceDisplay.from_results(
            results,
            models=split_names(models),
            datasets=split_names(datasets),
            difference=difference,
        )
        write_figure(display, output)


__all__ = ["bias_variance"]
