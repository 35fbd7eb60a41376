"""`augury models`."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from augury.cli.terminal.echo import echo
from augury.cli.terminal.errors import user_errors
from augury.cli.terminal.options import json_option
from augury.cli.terminal.output import dump_json

if TYPE_CHECKING:
    from augury.registration import ModelEntry

_LINE_WIDTH = 80


@click.command(short_help="List the models that have a name.")
@json_option
def models(as_json: bool) -> None:
    """List the models that have a name; any scikit-learn classifier runs by its import path."""
    from augury.models.catalogue import known_models

    with user_errors():
        entries = list(known_models().values())
    echo(dump_json([_as_json(entry) for entry in entries]) if as_json else _as_text(entries))


def _as_json(entry: "ModelEntry") -> dict[str, object]:
    return {
        "name": entry.name,
        "family": entry.family,
        "description": entry.description,
        "path": entry.path,
        "parameters": dict(entry.parameters),
    }


def _as_text(entries: "Sequence[ModelEntry]") -> str:
    """Return the entries by family, in lines of at most 80 characters."""
    width = max(len(entry.name) for entry in entries)
    lines: list[str] = []
    family = ""
    for entry in entries:
        if entry.family != family:
            family = entry.family
            lines += [*([""] if lines else []), family]
        lines += textwrap.wrap(
            f"{entry.name.ljust(width)}  {entry.description}",
            _LINE_WIDTH,
            initial_indent="  ",
            subsequent_indent=" " * (width + 4),
        )
    return "\n".join(lines)


__all__ = ["models"]
