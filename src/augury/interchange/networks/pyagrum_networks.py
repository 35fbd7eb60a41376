"""Models to and from networks of pyAgrum."""

from __future__ import annotations

from typing import Any

import numpy as np

from augury.errors import NetworkFileError
from augury.generative import GivenNetwork
from augury.generative.networks.discrete_network import DiscreteNetwork, NetworkError, NetworkNode
from augury.interchange.networks.described_network import PREFIX, DescribedNetwork
from augury.interchange.networks.from_models import describe_model
from augury.interchange.networks.note_words import text_word
from augury.interchange.networks.to_model import model_of
from augury.optional import import_extra


def to_pyagrum(model: Any, *, target: str = "class") -> Any:
    """Return a fitted model as a `pyagrum.BayesNet` (extra `pyagrum`).

    Parameters
    ----------
    model : a fitted model, as in `write_bif`
    target : name of the node of the class

    Notes
    -----
    Variables and labels have the names of columns and labels; intervals are labels that are named
    by their cut points, since the intervals of pyAgrum are closed on the other side. Properties
    `augury_…` have what pyAgrum does not know about the columns, for `from_pyagrum`.
    """
    pyagrum = import_extra("pyagrum", extra="pyagrum", purpose="to_pyagrum")
    described = describe_model(model, target)
    network = described.network
    made = pyagrum.BayesNet(network.name)
    for node in network.nodes:
        made.add(pyagrum.LabelizedVariable(node.name, "", list(node.states)))
    for k, node in enumerate(network.nodes):
        for p in node.parents:
            made.addArc(p, k)  # in the order of the axes of the table
    for k, node in enumerate(network.nodes):
        # The first variable of a table is the last axis of its array.
        axes = (*range(len(node.parents) - 1, -1, -1), len(node.parents))
        made.cpt(k)[:] = np.ascontiguousarray(node.table.transpose(axes))
    for name, text in described.notes.items():
        made.setProperty(f"{PREFIX}{name}", text)
    for node, notes in zip(network.nodes, described.node_notes, strict=True):
        for name, text in notes.items():
            made.setProperty(f"{PREFIX}{name}:{text_word(node.name)}", text)
    return made


def from_pyagrum(network: Any, target: str | None = None) -> GivenNetwork:
    """Return a network of pyAgrum as a fitted classifier.

    Parameters
    ----------
    network : a `BayesNet`
        Its variables may be of all discrete types; the labels are the names of the states.
    target : name of the variable that is the class
        None: the class of the model that `to_pyagrum` was given.

    Raises
    ------
    NetworkFileError
        If the tables are no probabilities.
    """
    ids = sorted(network.nodes())
    position = {network.variable(k).name(): place for place, k in enumerate(ids)}
    nodes = []
    for k in ids:
        variable, table = network.variable(k), network.cpt(k)
        child, *parents = table.names
        array = np.asarray(table.toarray(), dtype=np.float64)
        axes = (*range(len(parents) - 1, -1, -1), len(parents))
        nodes.append(
            NetworkNode(
                child,
                tuple(map(str, variable.labels())),
                tuple(position[parent] for parent in parents),
                np.ascontiguousarray(array.transpose(axes)),
            )
        )
    try:
        joined = DiscreteNetwork(tuple(nodes), network.propertyWithDefault("name", "network"))
    except NetworkError as error:
        raise NetworkFileError(f"from_pyagrum: {error}") from None
    described = DescribedNetwork(joined, *_notes(network, joined))
    return model_of(described, target, "from_pyagrum")


def _notes(
    network: Any, joined: DiscreteNetwork
) -> tuple[dict[str, str], tuple[dict[str, str], ...]]:
    """Return the notes on the network and on its nodes."""
    of_network: dict[str, str] = {}
    of_nodes: dict[str, dict[str, str]] = {text_word(node.name): {} for node in joined.nodes}
    for key in network.properties():
        if key.startswith(PREFIX):
            name, _, node = key.removeprefix(PREFIX).partition(":")
            notes = of_nodes.get(node, {}) if node else of_network
            notes[name] = network.property(key)
    return of_network, tuple(of_nodes.values())


__all__ = ["from_pyagrum", "to_pyagrum"]
