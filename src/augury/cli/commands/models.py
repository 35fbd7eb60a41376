"""`augury models`."""

from dataclasses import asdict

import click

from augury.cli.terminal.options import json_option
from augury.cli.terminal.output import dump_json


@click.command()
@json_option
def models(as_json: bool) -> None:
    """List the models that have a name; any scikit-learn classifier runs by its import path."""
    from augury.models.catalogue import MODELS
    from augury.text_table import align_columns

    if as_json:
        click.echo(dump_json([asdict(entry) for entry in MODELS.values()]))
        return
    rows = [[entry.name, entry.family, entry.description] for entry in MODELS.values()]
    click.echo(align_columns(["name", "family", "description"], rows, left=(0, 1, 2)))


__all__ = ["models"]
