"""Picture files that the commands of `augury plot` write."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from augury.cli.terminal.echo import echo
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import expand_home
from augury.optional import import_extra

if TYPE_CHECKING:
    from augury.plot.display import Display

_ENDINGS = (".svg", ".png", ".pdf")


def _check_output(_: click.Context, __: click.Parameter, file: str) -> Path:
    path = expand_home(file)
    if path.suffix.lower() not in _ENDINGS:
        raise UserError(f"--output must end in .svg, .png or .pdf, got {file!r}")
    if not path.parent.is_dir():
        raise UserError(f"--output is {file!r}, but there is no folder {str(path.parent)!r}")
    with user_errors():  # before anything is computed
        import_extra("matplotlib", extra="plot", purpose="a picture")
    return path


figure_option = click.option(
    "-o",
    "--output",
    "output",
    metavar="FILE",
    required=True,
    callback=_check_output,
    help="Picture to write; its ending is .svg, .png or .pdf.",
)


def write_figure(display: "Display", output: Path) -> None:
    """Write the picture and print its path."""
    echo(f"Written: {display.save(output)}")


__all__ = ["figure_option", "write_figure"]
