"""Labels that a model has learned: those of the encoders inside it, wherever it keeps them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from augury.encode import TableEncoder
from augury.encode.column_plan import LabelColumn, OpenLabelColumn
from augury.encode.table import INFREQUENT, MISSING
from augury.serve.cells import Cell

# Objects inside a model that are looked at: trees may consist of millions of nodes.
_MAX_OBJECTS = 100_000
_LEAVES = (str, bytes, int, float, complex, np.generic, np.ndarray, type(None))


@dataclass(frozen=True, slots=True)
class LearnedLabels:
    """Labels of a column that a model knows.

    Attributes
    ----------
    labels : tuple of labels, as JSON has them
    is_complete : bool
        Whether no other label was in the training rows of the encoders.
    """

    labels: tuple[Cell, ...]
    is_complete: bool


def table_encoder(model: Any) -> TableEncoder | None:
    """Return the encoder that reads all columns of an additive model, or None."""
    for path in (("encoder_",), ("model_", "encoder_"), ("features_", "estimator_", "encoder_")):
        found = model
        for name in path:
            found = getattr(found, name, None)
        if isinstance(found, TableEncoder):
            return found
    return None


def find_encoders(model: Any) -> Iterator[TableEncoder]:
    """Yield the fitted encoders inside a model, those of the fewest steps first.

    >>> from augury.discriminative import LinearSVM
    >>> model = LinearSVM().fit([["sun"], ["rain"]], ["out", "in"])
    >>> [encoder.feature_names_ for encoder in find_encoders(model)]
    [['x0']]
    """
    waiting, seen = deque([model]), {id(model)}
    while waiting:
        found = waiting.popleft()
        if isinstance(found, TableEncoder):
            if hasattr(found, "feature_names_"):
                yield found
            continue
        for part in _parts(found):
            if len(seen) < _MAX_OBJECTS and not isinstance(part, _LEAVES) and id(part) not in seen:
                seen.add(id(part))
                waiting.append(part)


def _parts(found: Any) -> Iterable[Any]:
    if isinstance(found, Mapping):
        return found.values()
    if isinstance(found, list | tuple | set | frozenset):
        return found
    if isinstance(found, type) or type(found).__module__.split(".")[0] in ("numpy", "pandas"):
        return ()
    slots = [name for kind in type(found).__mro__ for name in _slots(kind)]
    return [
        *getattr(found, "__dict__", {}).values(),
        *(getattr(found, name) for name in slots if hasattr(found, name)),
    ]


def _slots(kind: type) -> tuple[str, ...]:
    slots = kind.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def label_plans(encoder: TableEncoder | None) -> dict[str, LabelColumn]:
    """Return the plans of the columns of labels by name."""
    if encoder is None:
        return {}
    return {plan.name: plan for plan in encoder._columns if isinstance(plan, LabelColumn)}


def learned_labels(encoders: Iterable[TableEncoder]) -> dict[str, LearnedLabels]:
    """Return the labels that encoders know, by column.

    Encoders that were fitted to parts of the training rows have labels that others lack.
    """
    found: dict[str, LearnedLabels] = {}
    for encoder in encoders:
        for name, plan in label_plans(encoder).items():
            before = found.get(name, LearnedLabels((), is_complete=True))
            labels = dict.fromkeys((*before.labels, *_labels_of(plan)))
            is_complete = before.is_complete and not isinstance(plan, OpenLabelColumn)
            found[name] = LearnedLabels(tuple(labels), is_complete)
    return found


def kinds_of_columns(encoders: Iterable[TableEncoder]) -> dict[str, bool]:
    """Return whether each column has labels, by the first encoder that reads it."""
    found: dict[str, bool] = {}
    for encoder in encoders:
        for name, is_nominal in zip(encoder.feature_names_, encoder.is_nominal_, strict=True):
            found.setdefault(name, bool(is_nominal))
    return found


def _labels_of(plan: LabelColumn) -> list[Cell]:
    return [
        _as_json(label)
        for label in (*plan.states, *plan.infrequent)
        if label is not MISSING and label is not INFREQUENT
    ]


def _as_json(label: Any) -> Cell:
    """Return a label as JSON has it: NumPy's numbers and truth values become Python's."""
    plain = label.item() if isinstance(label, np.generic) else label
    return plain if isinstance(plain, str | bool | int | float) else str(plain)


__all__ = [
    "LearnedLabels",
    "find_encoders",
    "kinds_of_columns",
    "label_plans",
    "learned_labels",
    "table_encoder",
]
