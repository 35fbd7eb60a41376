"""The command line.

Each module of `augury.cli.commands` is a command. Heavy modules are imported inside the
commands, so that `augury --help` answers at once: importing scikit-learn alone takes more than
a second.
"""

from importlib import import_module
from pkgutil import iter_modules

import click

from augury import __version__
from augury.cli import commands
from augury.cli.deferred_import import defer_import


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="augury")
def main() -> None:
    """Learn generative, discriminative and hybrid classifiers from tables."""
    defer_import("scipy.stats")


for _module in iter_modules(commands.__path__):
    main.add_command(getattr(import_module(f"{commands.__name__}.{_module.name}"), _module.name))

__all__ = ["main"]
