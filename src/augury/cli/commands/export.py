"""`augury export`."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from augury.cli.files.model_and_rows import open_model
from augury.cli.files.network_export import write_network
from augury.cli.files.onnx_export import write_onnx
from augury.cli.files.separate_output import require_separate_output
from augury.cli.terminal.echo import echo
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import expand_home

if TYPE_CHECKING:
    from augury.persist import SavedModel


@click.command()
@click.argument("model_file", metavar="MODEL")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    help="File to write; its ending is the format: .onnx, .bif, .xml or .xmlbif.",
)
@click.option(
    "--gap",
    metavar="TEXT",
    default="",
    help="Text that means a missing label in ONNX. Default: the empty text.",
)
def export(model_file: str, output: str, gap: str) -> None:
    """Write a saved model in a format that other programs read.

    MODEL is a file that `augury fit` wrote. An ONNX model (extra onnx) has one input for each
    column, and returns the label and the probabilities of each class. docs/interchange-onnx.md
    has the details.

    BIF (.bif) and XMLBIF (.xml, .xmlbif) hold Bayesian networks: naive Bayes with intervals, TAN,
    KDB and searched networks. `augury import` reads them. docs/interchange-networks.md has the
    details.
    """
    with user_errors():
        path = expand_home(output)
        write = _FORMATS.get(path.suffix.lower())
        if write is None:
            raise UserError(
                f"--output must end in {' or '.join(_FORMATS)}, got {output!r}: the ending is the "
                "format"
            )
        require_separate_output("--output", path, {"MODEL": model_file})
        echo(write(open_model(model_file), path, gap))


def _network(saved: "SavedModel", path: Path, gap: str) -> str:
    if gap:
        raise UserError("--gap is an option of .onnx files: a network has a state for a gap")
    return write_network(saved, path)


_FORMATS: dict[str, Callable[["SavedModel", Path, str], str]] = {
    ".onnx": write_onnx,
    ".bif": _network,
    ".xml": _network,
    ".xmlbif": _network,
}

__all__ = ["export"]
