"""Fits of generative models to the rows of a source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import pandas as pd

from augury.arrays import Array
from augury.bases.row_blocks import Block, RowBlocks
from augury.encode import CategoricalTable
from augury.generative.bases.generative_classifier import AnyGenerativeClassifier
from augury.generative.bases.training_rows import ModelRows, ReadRows
from augury.scale.training.reading import Reading

T = TypeVar("T")


class StreamedTraining(ModelRows):
    """Training rows that a model has read from a source, for `fit_read`."""

    def __init__(self, model: AnyGenerativeClassifier, rows: RowBlocks) -> None:
        self.model, self._rows = model, rows

    def __iter__(self) -> Iterator[Block]:
        return iter(self._rows)

    def total(self, function: Callable[..., T]) -> T:
        """Return the sum of a function over the blocks."""
        return self._rows.total(function)

    def first(self, function: Callable[..., T]) -> T:
        """Return a function of the first block."""
        return self._rows.first(function)

    def map(self, function: Callable[..., Block]) -> RowBlocks:
        """Return the blocks that a function makes of each block."""
        return self._rows.map(function)


class ReadBlock:
    """Reads the rows of a frame as a model does."""

    def __init__(self, model: AnyGenerativeClassifier) -> None:
        self._model = model

    def __call__(
        self, X: pd.DataFrame, y: Array, weight: Array | None
    ) -> tuple[ReadRows, Array, Array | None]:
        """Return the rows as the model reads them, their classes and weights."""
        return self._model._read(X), y, weight


def fit_generative(
    model: AnyGenerativeClassifier, reading: Reading, classes: Array
) -> AnyGenerativeClassifier:
    """Fit a model whose statistics add; `classes` are its names for those of the source."""
    model._prepare_stream(reading.learn, reading.first, classes)
    holds_codes = isinstance(model._read(reading.first.iloc[:1]), CategoricalTable)
    rows = reading.rows(ReadBlock(model), keep_after=1 if holds_codes else None)
    return model.fit_read(StreamedTraining(model, rows))


__all__ = ["ReadBlock", "StreamedTraining", "fit_generative"]
