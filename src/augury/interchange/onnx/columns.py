"""Columns of rows in a graph: inputs, whose type is known when a model first reads them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Protocol

import numpy as np

from augury.arrays import Array
from augury.errors import OnnxExportError
from augury.interchange.onnx.graph import NUMBER, TEXT, Graph, Tensor


class Column(Protocol):
    """A column that a model reads, as numbers or as labels."""

    @property
    def name(self) -> str:
        """Name of the column, for errors."""

    def numbers(self) -> Tensor:
        """Return the numbers, of shape [N, 1]; NaN is missing."""

    def codes(self, code_of: Mapping[Hashable, int], missing: int, others: int) -> Tensor:
        """Return the codes of labels, of missing values and of other labels, of shape [N, 1]."""


@dataclass(frozen=True, eq=False)
class NumberColumn:
    """A column of numbers in the graph, of shape [N, 1]."""

    name: str
    values: Tensor

    def numbers(self) -> Tensor:
        """Return the numbers; NaN is missing."""
        return self.values

    def codes(self, code_of: Mapping[Hashable, int], missing: int, others: int) -> Tensor:
        """Return the codes of numbers that are labels."""
        keys = number_keys(self.name, code_of)
        if keys is None:
            raise OnnxExportError(
                f"column {self.name!r} holds numbers, and the model knows labels of another type"
            )
        is_missing = self.values.is_nan()
        if not len(keys):
            return is_missing.to_int() * (missing - others) + others
        found = self.values.graph.add(
            "LabelEncoder",
            self.values,
            keys_tensor=keys,
            values_tensor=np.array(list(code_of.values()), dtype=np.int64),
            default_tensor=np.array([others], dtype=np.int64),
        )
        return found.where(is_missing, missing)


@dataclass(frozen=True, eq=False)
class InputColumn:
    """A column of the table, which is an input of the graph once a model reads it.

    Parameters
    ----------
    graph : Graph
    name : name of the column and of the input
    gap : text that means a missing label
    """

    graph: Graph
    name: str
    gap: str

    def numbers(self) -> Tensor:
        """Return the numbers; NaN is missing."""
        return self.graph.input(self.name, NUMBER)

    def codes(self, code_of: Mapping[Hashable, int], missing: int, others: int) -> Tensor:
        """Return the codes of labels: texts, truth values or numbers."""
        kind = self.graph.inputs.get(self.name)
        if kind == NUMBER or (
            kind is None and code_of and number_keys(self.name, code_of) is not None
        ):
            return NumberColumn(self.name, self.numbers()).codes(code_of, missing, others)
        texts = text_keys(self.name, code_of)
        if self.gap in texts:
            raise OnnxExportError(
                f"column {self.name!r} has the label {self.gap!r}, which means a missing value in "
                "the ONNX model: choose another text for missing values with gap (--gap)"
            )
        texts[self.gap] = missing
        return self.graph.add(
            "LabelEncoder",
            self.graph.input(self.name, TEXT),
            keys_strings=list(texts),
            values_int64s=list(texts.values()),
            default_int64=others,
        )


def number_keys(name: str, code_of: Mapping[Hashable, int]) -> Array | None:
    """Return labels that are numbers as float64; None if some label is no number."""
    labels = list(code_of)
    if not all(isinstance(v, Real) and not isinstance(v, bool | np.bool_) for v in labels):
        return None
    keys = np.array(labels, dtype=np.float64)
    for key, label in zip(keys.tolist(), labels, strict=True):
        if key != label:
            raise OnnxExportError(
                f"column {name!r} has the label {label!r}, which is no float64 number: read the "
                "column as text"
            )
    return keys


def text_keys(name: str, code_of: Mapping[Hashable, int]) -> dict[str, int]:
    """Return the codes of labels that are texts or truth values, by their text."""
    if code_of and all(isinstance(label, bool | np.bool_) for label in code_of):
        return {
            text: code
            for label, code in code_of.items()
            for text in (str(bool(label)), str(bool(label)).lower(), str(bool(label)).upper())
        }
    for label in code_of:
        if not isinstance(label, str):
            raise OnnxExportError(
                f"column {name!r} has the label {label!r} of type {type(label).__name__}: the "
                "labels of a column must be all texts, all numbers or all truth values"
            )
        require_unicode(f"column {name!r} has the label", label)
    return {str(label): code for label, code in code_of.items()}


def require_unicode(what: str, text: str) -> None:
    """Raise unless a text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise OnnxExportError(f"{what} {text!r}, which is no valid Unicode: rename it") from None


__all__ = ["Column", "InputColumn", "NumberColumn", "require_unicode"]
