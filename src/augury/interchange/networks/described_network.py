"""Networks with notes: what augury knows about a model beyond its nodes and tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from augury.errors import NetworkExportError, NetworkFileError
from augury.generative.networks.discrete_network import DiscreteNetwork

# Names of notes in files begin with this text; properties of other programs do not.
PREFIX = "augury_"

Notes = Mapping[str, str]


@dataclass(frozen=True, eq=False)
class DescribedNetwork:
    """A network, and notes on it and on its nodes.

    Parameters
    ----------
    network : DiscreteNetwork
    notes : notes on the network
    node_notes : notes on each node

    Notes
    -----
    A note has a name and a text of printable ASCII characters without `;`, `{`, `}`, `<`, `>`,
    `&` and quotes, so that it can be a property in every format.
    """

    network: DiscreteNetwork
    notes: Notes
    node_notes: tuple[Notes, ...]


def note_lines(notes: Notes) -> list[str]:
    """Return notes as lines, `augury_name = text`."""
    return [f"{PREFIX}{name} = {text}".rstrip() for name, text in notes.items()]


def read_note(line: str) -> tuple[str, str] | None:
    """Return the name and the text of a note; None for a property of another program.

    >>> read_note("augury_cuts = 0.5 1.5"), read_note("position = (1, 2)")
    (('cuts', '0.5 1.5'), None)
    """
    name, sign, text = line.partition("=")
    name = name.strip()
    if not sign or not name.startswith(PREFIX):
        return None
    return name.removeprefix(PREFIX), text.strip()


__all__ = [
    "PREFIX",
    "DescribedNetwork",
    "NetworkExportError",
    "NetworkFileError",
    "Notes",
    "note_lines",
    "read_note",
]
