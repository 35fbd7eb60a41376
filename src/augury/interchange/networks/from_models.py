"""Fitted models as networks with notes."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import prod
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from augury.arrays import Array, BoolArray, FloatArray
from augury.encode import CategoricalTable, TableEncoder, TidyColumns
from augury.encode.column_plan import IntervalColumn, LabelColumn, OpenLabelColumn
from augury.errors import NetworkExportError
from augury.generative import GivenNetwork, NaiveBayes
from augury.generative.bases.network_classifier import NetworkClassifier
from augury.generative.networks.discrete_network import DiscreteNetwork, NetworkNode
from augury.interchange.networks.described_network import DescribedNetwork
from augury.interchange.networks.note_words import (
    distinct,
    label_word,
    number_words,
    state_names,
    text_word,
)
from augury.memory import require_bytes

FORMAT = "1"
# Codes of families that are made at once.
_CODES_AT_ONCE = 1 << 22

_ADVICE = (
    "models that are networks are NaiveBayes(continuous='discretize'), TreeAugmentedNaiveBayes, "
    "KDependenceBayes, BayesianNetworkClassifier and GivenNetwork"
)
_REASONS = {
    "HiddenNaiveBayes": "each column depends on all others, which is a cycle and no network",
    "AveragedOneDependence": "it is the mean of one network for each column, and no network",
    "CorrelationWeightedNaiveBayes": "its factors are powers of probabilities, which do not sum "
    "to 1",
    "BaggedNetworks": "it is the mean of many networks; export one of its members",
}


def describe_model(model: Any, target: str = "class") -> DescribedNetwork:
    """Return a fitted model as a network with notes from which `model_of` makes an equal one.

    Parameters
    ----------
    model : a fitted model that is a network of discrete nodes, or a pipeline of `TidyColumns` and
        such a model, of which the model is taken
    target : name of the node of the class

    Raises
    ------
    NetworkExportError
        If the model is no such network; the message gives the reason.
    """
    model = _unwrap(model)
    check_is_fitted(model)
    if isinstance(model, GivenNetwork):
        return _describe_given(model)
    families: _NaiveFamilies | _NetworkFamilies
    if isinstance(model, NaiveBayes):
        families = _NaiveFamilies(model)
    elif isinstance(model, NetworkClassifier):
        families = _NetworkFamilies(model)
    else:
        name = type(model).__name__
        reason = _REASONS.get(name, "it has no tables of discrete nodes")
        raise NetworkExportError(f"{name} cannot be written as a network: {reason}; {_ADVICE}")
    _require_discrete(model)
    return _describe(model, families, target)


def _unwrap(model: Any) -> Any:
    if not isinstance(model, Pipeline):
        return model
    *first, (_, last) = model.steps
    for _, step in first:
        if not isinstance(step, TidyColumns):
            raise NetworkExportError(
                f"a pipeline with {type(step).__name__} cannot be written as a network: export "
                "its last step, which reads the columns that the other steps make"
            )
    return last


def _require_discrete(model: Any) -> None:
    encoder: TableEncoder = model.encoder_
    if encoder.number_names_:
        raise NetworkExportError(
            f"{type(model).__name__} has densities of numbers ({encoder.number_names_[0]!r:.80}), "
            "and a network file has discrete nodes only: use continuous='discretize'"
        )
    for plan in encoder._columns:
        if not len(plan.states):
            raise NetworkExportError(
                f"column {plan.name!r:.80} has no states, since all its values are missing: leave "
                "it out"
            )


# ---- tables of models -----------------------------------------------------------------


class _NaiveFamilies:
    """Tables of naive Bayes: the class is the only parent."""

    def __init__(self, model: NaiveBayes) -> None:
        self._model = model
        n = len(model.encoder_.n_states_)
        self.parents: Sequence[tuple[int, ...]] = ((),) * n
        self.class_parents: tuple[int, ...] = ()
        self.has_class = [True] * n

    def class_table(self) -> FloatArray:
        return np.exp(self._model.log_prior_)

    def table(self, j: int) -> FloatArray:
        return np.exp(self._model.log_factors_[j])


class _NetworkFamilies:
    """Tables of a network: for each family all slots of the parents, the last one "left out"."""

    def __init__(self, model: NetworkClassifier[Any]) -> None:
        self._model = model
        structure = model.structure_
        self.parents: Sequence[tuple[int, ...]] = structure.parents
        self.class_parents = structure.class_parents
        self.has_class = [structure.has_class(j) for j in range(structure.n_features)]

    def class_table(self) -> FloatArray:
        """Return p(c | slots of its parents), of shape (slots …, classes)."""
        if not self.class_parents:
            return np.exp(self._model.log_prior_)
        slots = self._slots(self.class_parents)
        return self._probabilities(len(self.parents), self.class_parents, slots)

    def table(self, j: int) -> FloatArray:
        """Return p(x_j | slots of its parents, c), of shape (slots …, states, classes)."""
        n_states = int(self._model.encoder_.n_states_[j])
        slots = (*self._slots(self.parents[j]), n_states)
        return self._probabilities(j, (*self.parents[j], j), slots)

    def _slots(self, columns: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(int(self._model.encoder_.n_states_[i]) + 1 for i in columns)

    def _probabilities(
        self, family: int, columns: tuple[int, ...], slots: tuple[int, ...]
    ) -> FloatArray:
        n_cells, q = prod(slots), len(self._model.classes_)
        encoder = self._model.encoder_
        require_bytes(
            # The table, its text, and the parts of the text.
            200 * n_cells * q,
            f"the {n_cells:,} combinations of states of a column and its parents",
            encoder.n_states_,
            owner=type(self._model).__name__,
            advice="fit a network with fewer parents, or group labels",
        )
        table = np.empty((n_cells, q))
        step = max(1, _CODES_AT_ONCE // len(encoder.n_states_))
        for start in range(0, n_cells, step):
            cells = np.arange(start, min(start + step, n_cells))
            codes = np.tile(encoder.n_states_, (len(cells), 1)).astype(np.uint32)
            codes[:, columns] = np.stack(np.unravel_index(cells, slots), axis=1)
            rows = CategoricalTable(
                np.asfortranarray(codes),
                tuple(encoder.states_),
                tuple(encoder.table_names_),
                np.empty((len(cells), 0)),
            )
            table[cells] = np.exp(self._model._log_factors(rows, family))
        return table.reshape(*slots, q)


def is_left_out(shape: tuple[int, ...]) -> BoolArray:
    """Return which combinations of slots leave at least one parent out, of this shape.

    >>> is_left_out((3,)), is_left_out(())
    (array([False, False,  True]), array(False))
    """
    known = np.zeros(shape, dtype=bool)
    known[tuple(slice(n - 1) for n in shape)] = True
    return np.asarray(~known)


# ---- nodes and notes ------------------------------------------------------------------


def _describe(
    model: Any, families: _NaiveFamilies | _NetworkFamilies, target: str
) -> DescribedNetwork:
    encoder: TableEncoder = model.encoder_
    columns = list(encoder.table_names_)
    # The name of the class is the first choice, and a column may have it.
    *_, class_name = distinct([*columns, target])
    class_states = state_names(model.classes_.tolist())
    shape = families.class_table()
    left_out = is_left_out(shape.shape[:-1])
    known = tuple(slice(n - 1) for n in shape.shape[:-1])
    nodes = [
        NetworkNode(
            class_name,
            class_states,
            tuple(1 + i for i in families.class_parents),
            np.ascontiguousarray(shape[known]),
        )
    ]
    notes = [
        {
            **_label_note(model.classes_.tolist()),
            "dtype": _dtype_word(model.classes_),
            **_left_out_note(shape[left_out]),
        }
    ]
    for j, plan in enumerate(encoder._columns):
        table, above = families.table(j), families.parents[j]
        left_out = is_left_out(table.shape[:-2])
        known = tuple(slice(n - 1) for n in table.shape[:-2])
        own = table[known]
        own = np.moveaxis(own, -1, 0) if families.has_class[j] else own[..., 0]
        parents = tuple(1 + i for i in above)
        if families.has_class[j]:
            parents = (0, *parents)
        states = state_names(plan.states)
        nodes.append(NetworkNode(plan.name, states, parents, np.ascontiguousarray(own)))
        extra = _left_out_note(table[left_out]) if families.has_class[j] else {}
        notes.append(_plan_notes(plan) | extra)
    network = DiscreteNetwork(tuple(nodes), type(model).__name__)
    named = hasattr(model, "feature_names_in_")
    return DescribedNetwork(network, _network_notes(class_name, named, "estimates"), tuple(notes))


def _network_notes(target: str, named: bool, left_out: str) -> dict[str, str]:
    return {
        "format": FORMAT,
        "class": text_word(target),
        "columns": "named" if named else "numbered",
        "gaps": left_out,
    }


def _dtype_word(classes: Array) -> str:
    return classes.dtype.kind if classes.dtype.kind in "UO" else classes.dtype.name


def _left_out_note(estimates: FloatArray) -> dict[str, str]:
    return {"left_out": number_words(estimates)} if estimates.size else {}


def _label_note(labels: Sequence[Hashable], names: Sequence[str] = ()) -> dict[str, str]:
    """Return the labels of states, unless they are the names of the states."""
    if list(labels) == list(names or state_names(labels)):
        return {}
    return {"labels": " ".join(map(label_word, labels))}


def _plan_notes(plan: Any, names: Sequence[str] = ()) -> dict[str, str]:
    """Return how the values of a column become states of these names."""
    if isinstance(plan, IntervalColumn):
        return {"cuts": number_words(plan.cuts), "missing": str(int(plan.missing_code))}
    notes = {**_label_note(plan.states, names), "missing": str(int(plan.missing_code))}
    if isinstance(plan, OpenLabelColumn):
        return notes | {"others": "infrequent"}
    assert isinstance(plan, LabelColumn)
    if plan.infrequent:
        notes["infrequent"] = " ".join(map(label_word, plan.infrequent))
    return notes


def _describe_given(model: GivenNetwork) -> DescribedNetwork:
    network, target = model.network, model.network.position[model.target]
    notes: list[dict[str, str]] = []
    plans = iter(model.encoder_._columns)
    classes = model.classes_[np.argsort(model._order)]  # in the order of the states
    for k in range(len(network.nodes)):
        if k == target:
            dtype = {"dtype": _dtype_word(model.classes_)}
            notes.append(_label_note(classes.tolist(), network.nodes[k].states) | dtype)
        else:
            notes.append(_plan_notes(next(plans), network.nodes[k].states))
        given = None if model.left_out is None else model.left_out[k]
        if given is not None:
            n_slots = given.ndim - (1 if k == target else 2)
            mask = is_left_out(given.shape[:n_slots])
            notes[-1] |= _left_out_note(given[mask])
    gaps = "sum" if model.left_out is None else "estimates"
    return DescribedNetwork(network, _network_notes(model.target, model.named, gaps), tuple(notes))


__all__ = ["FORMAT", "describe_model", "is_left_out"]
