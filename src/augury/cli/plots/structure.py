"""`augury plot structure`."""

from pathlib import Path

import click

from augury.cli.files.figure_file import figure_option, write_figure
from augury.cli.files.model_and_rows import open_model
from augury.cli.files.separate_output import require_separate_output
from augury.cli.terminal.errors import user_errors


@click.command()
@click.argument("model_file", metavar="MODEL")
@figure_option
def structure(model_file: str, output: Path) -> None:
    """Draw what depends on what in a saved model.

    MODEL is a file that `augury fit` wrote: a naive Bayes, a hidden naive Bayes with its
    weights, a Bayesian network, a linear discriminative model, or an augmented hybrid.
    """
    from augury.plot import StructureDisplay

    with user_errors():
        require_separate_output("--output", output, {"MODEL": model_file})
        saved = open_model(model_file)
        name = saved.metadata.target or "class"
        write_figure(StructureDisplay.from_estimator(saved.model, class_name=name), output)


__all__ = ["structure"]
