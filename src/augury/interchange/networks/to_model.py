"""Networks with notes as fitted models."""

from __future__ import annotations

from collections.abc import Hashable
from math import prod

import numpy as np

from augury.arrays import Array, FloatArray
from augury.encode.column_plan import (
    IntervalColumn,
    LabelColumn,
    OpenLabelColumn,
    interval_names,
)
from augury.encode.table import MISSING
from augury.errors import NetworkFileError
from augury.generative import GivenNetwork
from augury.generative.networks.discrete_network import DiscreteNetwork, NetworkNode
from augury.interchange.networks.described_network import DescribedNetwork, Notes
from augury.interchange.networks.from_models import FORMAT, is_left_out
from augury.interchange.networks.note_words import word_label, word_text, words_numbers
from augury.memory import RefusedTableError, require_bytes

_CLASS_TYPES = frozenset(
    "bool float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
)


def model_of(described: DescribedNetwork, target: str | None, source: str) -> GivenNetwork:
    """Return a fitted model of a network.

    Parameters
    ----------
    described : DescribedNetwork
    target : name of the node of the class, or None if a note names it
        Notes are used if they name the same class: they say how values become states.
    source : where the network comes from, for errors

    Raises
    ------
    NetworkFileError
        If there is no such node, or the notes do not fit the network.
    """
    try:
        return _model_of(described, target)
    except RefusedTableError as error:
        raise NetworkFileError(f"{source}: {error}") from error
    except (ValueError, TypeError) as error:
        # Whatever the notes of a file say, the checks of the model name what does not fit.
        raise NetworkFileError(f"{source}: {error}") from error


def _model_of(described: DescribedNetwork, target: str | None) -> GivenNetwork:
    network, notes = described.network, described.notes
    if "format" in notes and notes["format"] != FORMAT:
        raise NetworkFileError(
            f"augury_format is {notes['format']!r:.20}, and this version reads {FORMAT}: use a "
            "later version of augury, or remove the property"
        )
    noted = word_text(notes["class"]) if "class" in notes else None
    chosen = noted if target is None else target
    names = [node.name for node in network.nodes]
    if chosen not in network.position:
        shown = ", ".join(map(repr, names[:10])) + (", …" if len(names) > 10 else "")
        if chosen is None:
            raise NetworkFileError(
                f"no property names the class: choose target (--target), one of the nodes {shown}"
            )
        raise NetworkFileError(f"target must be one of the nodes {shown}, got {chosen!r:.80}")
    if chosen != noted:
        return GivenNetwork(network, chosen).fit()
    model = GivenNetwork(
        network,
        chosen,
        classes=_classes(network, described),
        columns=_plans(described, chosen),
        left_out=_left_out(described, chosen) if notes.get("gaps") == "estimates" else None,
        named=notes.get("columns", "named") == "named",
    ).fit()
    model.encoder_._check_fitted_state()
    return model


def _classes(network: DiscreteNetwork, described: DescribedNetwork) -> Array:
    position = network.position[word_text(described.notes["class"])]
    notes = described.node_notes[position]
    labels = _labels(network.nodes[position], notes)
    dtype = notes.get("dtype", "O")
    if dtype == "U":
        if not all(isinstance(label, str) for label in labels):
            raise NetworkFileError("augury_dtype is U, and not all classes are text")
        return np.array(labels, dtype=str)
    if dtype in _CLASS_TYPES:
        return np.array(labels, dtype=dtype)
    if dtype != "O":
        raise NetworkFileError(f"augury_dtype is {dtype!r:.20}, which is no type of classes")
    classes = np.empty(len(labels), dtype=object)
    classes[:] = labels
    return classes


def _labels(node: NetworkNode, notes: Notes) -> list[Hashable]:
    if "labels" not in notes:
        return list(node.states)
    labels = [word_label(word) for word in notes["labels"].split()]
    if len(labels) != len(node.states):
        raise NetworkFileError(
            f"augury_labels of {node.name!r:.80} has {len(labels)} labels, and the node "
            f"{len(node.states)} states: remove the properties augury_… if the node was changed"
        )
    return labels


def _plans(described: DescribedNetwork, target: str) -> list[LabelColumn | IntervalColumn]:
    named = described.notes.get("columns", "named") == "named"
    plans: list[LabelColumn | IntervalColumn] = []
    n_labels = n_numbers = 0
    for node, notes in zip(described.network.nodes, described.node_notes, strict=True):
        if node.name == target:
            continue
        name = node.name if named else f"x{len(plans)}"
        if "cuts" in notes:
            plans.append(_intervals(name, n_numbers, node, notes))
            n_numbers += 1
        else:
            plans.append(_label_column(name, n_labels, node, notes))
            n_labels += 1
    return plans


def _intervals(name: str, source: int, node: NetworkNode, notes: Notes) -> IntervalColumn:
    cuts = words_numbers(notes["cuts"])
    states: list[Hashable] = list(interval_names(cuts))
    if len(node.states) == len(states) + 1:
        states.append(MISSING)
    if len(node.states) != len(states):
        raise NetworkFileError(
            f"augury_cuts of {node.name!r:.80} has {len(cuts)} cut points, and the node "
            f"{len(node.states)} states: remove the properties augury_… if the node was changed"
        )
    return IntervalColumn(name, source, cuts, states, _missing_code(node, notes))


def _label_column(name: str, source: int, node: NetworkNode, notes: Notes) -> LabelColumn:
    states = _labels(node, notes)
    missing_code = _missing_code(node, notes)
    if notes.get("others") == "infrequent":
        return OpenLabelColumn(name, source, states, missing_code)
    infrequent = [word_label(word) for word in notes.get("infrequent", "").split()]
    return LabelColumn(name, source, states, missing_code, infrequent)


def _missing_code(node: NetworkNode, notes: Notes) -> int:
    text = notes.get("missing", str(len(node.states)))
    if not (text.isdecimal() and len(text) < 10 and int(text) <= len(node.states)):
        raise NetworkFileError(
            f"augury_missing of {node.name!r:.80} must be a number from 0 to {len(node.states)}, "
            f"got {text!r:.20}"
        )
    return int(text)


def _left_out(described: DescribedNetwork, target: str) -> list[FloatArray | None]:
    """Return the estimates of each node for parents that are left out."""
    network = described.network
    at = network.position[target]
    shapes = [_slots(network, k, at) for k in range(len(network.nodes))]
    n_cells = sum(prod(slots) * prod(own) for slots, own in shapes if slots)
    require_bytes(
        8 * n_cells,
        "the estimates for parents that are left out",
        advice="use a network with fewer states or parents",
    )
    found: list[FloatArray | None] = []
    for k, (slots, own) in enumerate(shapes):
        text = described.node_notes[k].get("left_out")
        if not slots:
            if text is not None:
                raise NetworkFileError(
                    f"augury_left_out of {network.nodes[k].name!r:.80} must not be there: nothing "
                    "depends on it"
                )
            found.append(None)
            continue
        numbers = words_numbers(text or "")
        mask = is_left_out(slots)
        if len(numbers) != int(mask.sum()) * prod(own):
            raise NetworkFileError(
                f"augury_left_out of {network.nodes[k].name!r:.80} must have "
                f"{int(mask.sum()) * prod(own)} numbers, got {len(numbers)}"
            )
        estimates = np.zeros((*slots, *own))
        estimates[mask] = numbers.reshape(-1, *own)
        found.append(estimates)
    return found


def _slots(
    network: DiscreteNetwork, k: int, target: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the slots of the parents other than the class, and the shape of one distribution.

    There are no slots if the probabilities do not depend on the class, or have no other parent.
    """
    node = network.nodes[k]
    n_classes = len(network.nodes[target].states)
    slots = tuple(len(network.nodes[p].states) + 1 for p in node.parents if p != target)
    if k == target:
        return slots, (n_classes,)
    return (slots if target in node.parents else ()), (len(node.states), n_classes)


__all__ = ["model_of"]
