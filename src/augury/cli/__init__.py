"""The command line.

Everything heavy is imported inside the commands, so that `augury --help` answers
at once: importing scikit-learn alone takes more than a second.
"""

import click

from augury import __version__
from augury.cli.datasets import datasets
from augury.cli.demo import demo
from augury.cli.models import models
from augury.cli.reproduce import reproduce
from augury.cli.run import run


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="augury")
def main() -> None:
    """Learn generative, discriminative and hybrid classifiers from tables."""


for command in (datasets, demo, models, reproduce, run):
    main.add_command(command)

__all__ = ["main"]
