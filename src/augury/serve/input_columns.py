"""The columns of a request: which values are allowed, which were seen in the training rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from augury.drift.reference import ColumnReference
from augury.encode import TidyColumns
from augury.encode.text_columns.dates import ISO
from augury.encode.text_columns.read_column import BOOLEAN, TEXT
from augury.models.wrapped_models import deciding_model
from augury.persist import ModelColumn, SavedModel
from augury.serve.cells import (
    Cell,
    Check,
    check_label,
    check_number,
    check_number_label,
    check_text,
    check_truth,
    date_check,
    number_in_text_check,
)
from augury.serve.learned_labels import (
    LearnedLabels,
    find_encoders,
    kinds_of_columns,
    learned_labels,
)

LABELS, NUMBERS, DATE, IGNORED = "labels", "numbers", "date", "ignored"
# A reference shortens longer labels; they end in a hash.
_LONGEST_LABEL = 64


@dataclass(frozen=True, slots=True, eq=False)
class InputColumn:
    """A column of the rows that a model reads.

    Attributes
    ----------
    name : str
    kind : {"labels", "numbers", "date", "ignored"}
        An ignored column may be absent; its values are not used.
    types : tuple of str
        Types of JSON that a value may have, beside null.
    check : callable
        Returns a value as the model reads it, or raises `CellError`.
    format : str
        Format of dates and of numbers in text; empty otherwise.
    labels : tuple of labels
        Labels of the training rows, the most frequent first where that is known.
    known : frozenset or None
        All labels of the training rows; None if they are not all known.
    low, high : float or None
        Range of the numbers of the training rows. Dates are days since 1970.
    typical : float or None
        A number near the median of the training rows.
    """

    name: str
    kind: str
    types: tuple[str, ...]
    check: Check
    format: str = ""
    labels: tuple[Cell, ...] = ()
    known: frozenset[Cell] | None = None
    low: float | None = None
    high: float | None = None
    typical: float | None = None

    @property
    def is_read(self) -> bool:
        """Whether the model reads the column."""
        return self.kind != IGNORED


def input_columns(saved: SavedModel) -> tuple[InputColumn, ...]:
    """Return the columns of a saved model, in the order of its table."""
    tidy = tidy_step(saved.model)
    encoders = list(find_encoders(decided_model(saved.model)))
    learned, has_labels = learned_labels(encoders), kinds_of_columns(encoders)
    references: Sequence[ColumnReference | None] = (
        [None] * len(saved.metadata.columns) if saved.reference is None else saved.reference.columns
    )
    columns = []
    for j, (column, reference) in enumerate(zip(saved.metadata.columns, references, strict=True)):
        if tidy is None:
            kind, code = _kind_by_type(column, has_labels), ""
        else:
            kind, code = tidy.decisions_[j].treatment, tidy.formats_[j]
        columns.append(_describe(column, kind, code, learned.get(column.name), reference))
    return tuple(columns)


def tidy_step(model: Any) -> TidyColumns | None:
    """Return the step of a Pipeline that reads raw columns, or None."""
    steps = getattr(model, "steps", None)
    first = steps[0][1] if steps else None
    return first if isinstance(first, TidyColumns) else None


def decided_model(model: Any) -> Any:
    """Return the model whose probabilities are answered; decisions by costs are opened."""
    return deciding_model(model)


def _kind_by_type(column: ModelColumn, has_labels: Mapping[str, bool]) -> str:
    if column.name in has_labels:
        return LABELS if has_labels[column.name] else NUMBERS
    if column.dtype is not None and column.dtype.startswith("datetime"):
        return DATE
    return NUMBERS if column.kind == "numbers" else LABELS


def _describe(
    column: ModelColumn,
    kind: str,
    code: str,
    learned: LearnedLabels | None,
    reference: ColumnReference | None,
) -> InputColumn:
    if kind == "dropped":
        return InputColumn(column.name, IGNORED, ("string", "number", "boolean"), check_label)
    if kind in (DATE, NUMBERS):
        found = _describe_numbers(column.name, kind, code)
        if reference is None:
            return found
        typical = _typical(reference)
        return replace(found, low=reference.low, high=reference.high, typical=typical)
    if reference is not None and reference.treatment != LABELS:
        reference = None  # without `TidyColumns`, the reference may read text as numbers or dates
    types, check = _label_types(column, code, learned, reference)
    labels, is_complete = _labels(learned, reference, types)
    known = frozenset(labels) if is_complete else None
    return InputColumn(column.name, LABELS, types, check, "", labels, known)


def _describe_numbers(name: str, kind: str, code: str) -> InputColumn:
    if kind == DATE:
        return InputColumn(name, DATE, ("string",), date_check(code or ISO), code or ISO)
    if code:
        check = number_in_text_check(code)
        return InputColumn(name, NUMBERS, ("number", "string"), check, code)
    return InputColumn(name, NUMBERS, ("number",), check_number)


def _typical(reference: ColumnReference) -> float | None:
    """Return a number near the median: an end of the interval that has it."""
    if not reference.edges or reference.low is None or reference.high is None:
        return reference.low
    counts = [sum(own) for own in reference.state_counts[1 : 2 + len(reference.edges)]]
    half, total = sum(counts) / 2, 0
    for edge, count in zip(reference.edges, counts, strict=False):
        total += count
        if total >= half:
            return edge
    return reference.edges[-1]


def _labels(
    learned: LearnedLabels | None, reference: ColumnReference | None, types: tuple[str, ...]
) -> tuple[tuple[Cell, ...], bool]:
    """Return the labels of the training rows, and whether these are all."""
    listed, are_all = _listed_labels(reference, types)
    if learned is None:
        return listed, are_all
    # Encoders of parts of the rows may lack labels that the reference has.
    others = listed if types == ("string",) else ()
    labels = list(dict.fromkeys((*learned.labels, *others)))
    order = {} if reference is None else {label: k for k, label in enumerate(reference.labels)}
    labels.sort(key=lambda label: order.get(str(label), len(order)))
    return tuple(labels), learned.is_complete


def _listed_labels(
    reference: ColumnReference | None, types: tuple[str, ...]
) -> tuple[tuple[Cell, ...], bool]:
    """Return the labels of a reference, which are texts, if the types of the labels are known."""
    if types == ("boolean",):
        return (True, False), True
    if reference is None or types != ("string",):
        return (), False
    whole = tuple(label for label in reference.labels if len(label) < _LONGEST_LABEL)
    return whole, not reference.n_unlisted and len(whole) == len(reference.labels)


def _label_types(
    column: ModelColumn,
    code: str,
    learned: LearnedLabels | None,
    reference: ColumnReference | None,
) -> tuple[tuple[str, ...], Check]:
    """Return the types of JSON that labels may have, and their check."""
    if code == BOOLEAN:
        return ("boolean",), check_truth
    if code == TEXT or column.dtype in ("str", "string", "String"):
        return ("string",), check_text
    kinds = {type(label) for label in learned.labels} if learned else set()
    if not kinds and reference is not None and reference.labels:
        # The reference has labels as texts: "1" may be a text, a number or True in other rows.
        kinds = set() if any(map(_may_be_another_type, reference.labels)) else {str}
    if kinds == {str}:
        return ("string",), check_text
    if kinds == {bool}:
        return ("boolean",), check_truth
    if kinds and kinds <= {int, float}:
        return ("number",), check_number_label
    return ("string", "number", "boolean"), check_label


def _may_be_another_type(label: str) -> bool:
    """Return whether a text may be a number or a truth value.

    >>> _may_be_another_type("1.5"), _may_be_another_type("False"), _may_be_another_type("sun")
    (True, True, False)
    """
    if label.lower() in ("true", "false"):
        return True
    try:
        float(label)
    except ValueError:
        return False
    return True


__all__ = [
    "DATE",
    "IGNORED",
    "LABELS",
    "NUMBERS",
    "InputColumn",
    "decided_model",
    "input_columns",
    "tidy_step",
]
