"""The command line.

Everything heavy is imported inside the commands, so that `augury --help` answers
at once: importing scikit-learn alone takes more than a second.
"""

import click

from augury import __version__
from augury.cli.compare import compare
from augury.cli.datasets import datasets
from augury.cli.fit import fit
from augury.cli.models import models
from augury.cli.predict import explain, predict
from augury.cli.report import report
from augury.cli.reproduce import reproduce
from augury.cli.run import run


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="augury")
def main() -> None:
    """Learn generative, discriminative and hybrid classifiers from tables."""


for command in (compare, datasets, explain, fit, models, predict, report, reproduce, run):
    main.add_command(command)

__all__ = ["main"]
