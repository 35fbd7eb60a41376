"""`augury import`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from augury.cli.files.model_and_rows import require_file
from augury.cli.files.separate_output import require_separate_output
from augury.cli.terminal.echo import echo
from augury.cli.terminal.errors import UserError, user_errors
from augury.cli.terminal.options import expand_home

if TYPE_CHECKING:
    from augury.generative import GivenNetwork

_XML = (".xml", ".xmlbif", ".bifxml")


@click.command("import")
@click.argument("network_file", metavar="FILE")
@click.option("--target", metavar="NODE", help="Node that is the class. [default: as exported]")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="File of the model. [default: the name of FILE, and .augury]",
)
def import_network(network_file: str, target: str | None, output: str | None) -> None:
    """Read a Bayesian network of another program, and save it as a model.

    FILE is BIF (.bif) or XMLBIF (.xml, .xmlbif, .bifxml). The nodes other than the target are the
    columns of tables that `augury predict` reads. The class probabilities follow from the tables
    of the network; nothing is fitted. Missing values are summed over, unless `augury export` wrote
    the file: then they are read as by the model that was exported.
    """
    from augury.persist import save_model

    with user_errors():
        require_file("FILE", network_file)
        path = expand_home(network_file)
        saved = path.with_suffix(".augury") if output is None else expand_home(output)
        is_default = output is None
        require_separate_output("--output", saved, {"FILE": network_file}, is_default=is_default)
        model = _read(path, target)
        save_model(model, saved, target=model.target)
    classes = ", ".join(str(label) for label in model.classes_.tolist())
    n_arcs = sum(len(node.parents) for node in model.network.nodes)
    echo(f"network  {len(model.network.nodes)} nodes, {n_arcs} arcs")
    echo(f"target   {model.target}: {classes}")
    echo(f"saved    {saved}")


def _read(path: Path, target: str | None) -> "GivenNetwork":
    from augury.interchange import read_bif, read_xmlbif

    ending = path.suffix.lower()
    if ending == ".bif":
        return read_bif(path, target)
    if ending in _XML:
        return read_xmlbif(path, target)
    raise UserError(
        f"FILE must end in .bif (BIF) or {', '.join(_XML)} (XMLBIF), got {path.name!r}: the ending "
        "is the format"
    )


__all__ = ["import_network"]
