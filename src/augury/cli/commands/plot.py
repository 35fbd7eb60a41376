"""`augury plot`."""

from importlib import import_module
from pkgutil import iter_modules

import click

from augury.cli import plots


@click.group()
def plot() -> None:
    """Draw a picture of a saved model or of its results (needs matplotlib: extra `plot`)."""


for _module in iter_modules(plots.__path__):
    plot.add_command(
        getattr(import_module(f"{plots.__name__}.{_module.name}"), _module.name),
        name=_module.name.replace("_", "-"),
    )

__all__ = ["plot"]
