"""Models to and from networks of pgmpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from augury.errors import NetworkFileError
from augury.generative import GivenNetwork
from augury.generative.networks.discrete_network import DiscreteNetwork, NetworkError, NetworkNode
from augury.interchange.networks.described_network import DescribedNetwork
from augury.interchange.networks.from_models import describe_model
from augury.interchange.networks.note_words import distinct
from augury.interchange.networks.to_model import model_of
from augury.optional import import_extra

# Key of the notes among the attributes of the graph.
_NOTES = "augury"


def to_pgmpy(model: Any, *, target: str = "class") -> Any:
    """Return a fitted model as a `pgmpy.models.DiscreteBayesianNetwork` (extra `pgmpy`).

    Parameters
    ----------
    model : a fitted model, as in `write_bif`
    target : name of the node of the class

    Notes
    -----
    Nodes and states have the names of columns and labels; intervals are named by their cut
    points. `graph["augury"]` has what pgmpy does not know about the columns, for `from_pgmpy`.
    """
    purpose = "to_pgmpy"
    models = import_extra("pgmpy.models", extra="pgmpy", purpose=purpose)
    factors = import_extra("pgmpy.factors.discrete", extra="pgmpy", purpose=purpose)
    described = describe_model(model, target)
    nodes = described.network.nodes
    made = models.DiscreteBayesianNetwork()
    made.add_nodes_from([node.name for node in nodes])
    made.add_edges_from([(nodes[p].name, node.name) for node in nodes for p in node.parents])
    for node in nodes:
        above = [nodes[p] for p in node.parents]
        made.add_cpds(
            factors.TabularCPD(
                node.name,
                len(node.states),
                node.table.reshape(-1, len(node.states)).T,
                evidence=[each.name for each in above] or None,
                evidence_card=[len(each.states) for each in above] or None,
                state_names={each.name: list(each.states) for each in (node, *above)},
            )
        )
    made.name = described.network.name
    made.graph[_NOTES] = {
        "network": dict(described.notes),
        "nodes": {
            node.name: dict(notes) for node, notes in zip(nodes, described.node_notes, strict=True)
        },
    }
    return made


def from_pgmpy(network: Any, target: str | None = None) -> GivenNetwork:
    """Return a network of pgmpy as a fitted classifier.

    Parameters
    ----------
    network : a `DiscreteBayesianNetwork` with a table for each node
    target : name of the node that is the class
        None: the class of the model that `to_pgmpy` was given.

    Raises
    ------
    NetworkFileError
        If a node has no table, or the tables are no probabilities.
    """
    tables = {cpd.variable: cpd for cpd in network.get_cpds()}
    names = list(network.nodes())
    for name in names:
        if name not in tables:
            raise NetworkFileError(f"from_pgmpy: node {name!r:.80} has no table (add_cpds)")
    position = {name: k for k, name in enumerate(names)}
    states = {
        name: tables[name].state_names.get(name, range(tables[name].variable_card))
        for name in names
    }
    nodes = []
    for name in names:
        cpd = tables[name]
        parents = list(cpd.variables[1:])
        values = np.asarray(cpd.values, dtype=np.float64)
        for axis, parent in enumerate(parents, start=1):
            values = _in_order(values, axis, cpd.state_names.get(parent), states[parent])
        nodes.append(
            NetworkNode(
                str(name),
                distinct(str(state) for state in states[name]),
                tuple(position[parent] for parent in parents),
                np.ascontiguousarray(np.moveaxis(values, 0, -1)),
            )
        )
    try:
        joined = DiscreteNetwork(tuple(nodes), str(getattr(network, "name", "") or "network"))
    except NetworkError as error:
        raise NetworkFileError(f"from_pgmpy: {error}") from None
    notes = network.graph.get(_NOTES, {"network": {}, "nodes": {}})
    of_nodes = tuple(notes["nodes"].get(node.name, {}) for node in nodes)
    return model_of(DescribedNetwork(joined, notes["network"], of_nodes), target, "from_pgmpy")


def _in_order(values: Any, axis: int, own: Any, wanted: Any) -> Any:
    """Return a table whose axis has the states of a parent in the order of the parent's table."""
    if own is None or list(own) == list(wanted):
        return values
    if sorted(map(str, own)) != sorted(map(str, wanted)):
        raise NetworkFileError(
            f"from_pgmpy: two tables name the states of a node differently: {list(own)!r:.80} and "
            f"{list(wanted)!r:.80}"
        )
    return values.take([list(own).index(state) for state in wanted], axis=axis)


__all__ = ["from_pgmpy", "to_pgmpy"]
