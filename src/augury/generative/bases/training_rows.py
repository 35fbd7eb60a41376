"""Training rows as a generative model reads them."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Protocol

import numpy as np

from augury.arrays import Array
from augury.bases.row_blocks import RowBlocks
from augury.counts.event_counts import CountMatrix
from augury.encode import CategoricalTable, row_blocks, slice_rows
from augury.foreign import Table

# What a model reads from a table: codes, or a matrix of counts in the event models.
ReadRows = CategoricalTable | CountMatrix


class RowReader(Protocol):
    """A model that learns how to read a table, and then reads rows of it."""

    def _read_training(self, X: Table, y: Array, weight: Array | None) -> ReadRows:
        """Learn how to read, and return the training rows as read."""

    def _learn_reading(self, X: Table, y: Array, weight: Array | None) -> None:
        """Learn how to read from all training rows."""

    def _read(self, X: Table) -> ReadRows:
        """Return rows as read."""


class ModelRows(RowBlocks):
    """Blocks `(read, y, weight)` of rows that a model has read: itself, or another of its kind."""

    model: RowReader


class TrainingRows(ModelRows):
    """The training rows of a model, in blocks of rows that the model has read.

    Iteration yields `(read, y, weight)` for each block: what the model reads, the codes of
    the classes and the weights (None: every row has weight 1).

    - The blocks are in the order of the rows, do not overlap, and hold every row whose
      weight is above zero. The weights of all blocks are None, or none is.
    - Every iteration yields the same rows in the same blocks. The number of iterations is
      not limited.
    - A table of at most 2^25 cells is one block. It is read once and kept. A larger table is
      read again block by block in each iteration, so that the memory beyond the input does
      not grow with the number of rows. Numbers are the exception: all of them are read at
      once, 8 bytes each, while cut points, states and replacements are learned. These are
      those of all rows in either case.
    - There is at least one block.

    Parameters
    ----------
    model : RowReader
        The model that reads. Its `encoder_` is set here.
    X : checked table whose rows have weights above zero
    y : array of shape (n_samples,), codes of the classes
    weight : array of shape (n_samples,) or None
    """

    y: Array
    weight: Array | None
    blocks: list[slice]

    def __init__(self, model: RowReader, X: Table, y: Array, weight: Array | None) -> None:
        self.model, self.X, self.y, self.weight = model, X, y, weight
        self.blocks = row_blocks(X)
        self.read_once: ReadRows | None = None
        if len(self.blocks) == 1:
            self.read_once = model._read_training(X, y, weight)
        else:
            model._learn_reading(X, y, weight)

    def reweighted(self, weight: Array) -> TrainingRows:
        """Return the same rows with other weights; they are not read again.

        Rows of weight zero are dropped where the rows are in memory.
        """
        other = copy(self)
        other.weight = weight
        if self.read_once is not None:
            other.X = None  # has been read: not to be sent to another process
            if not weight.all():
                rows = np.flatnonzero(weight)
                other.y, other.weight = self.y[rows], weight[rows]
                other.read_once = take_read(self.read_once, rows)
        return other

    def __iter__(self) -> Iterator[tuple[ReadRows, Array, Array | None]]:
        if self.read_once is not None:
            yield self.read_once, self.y, self.weight
            return
        for rows in self.blocks:
            weight = None if self.weight is None else self.weight[rows]
            yield self.model._read(slice_rows(self.X, rows)), self.y[rows], weight


def take_read(read: ReadRows, rows: Array | slice) -> ReadRows:
    """Return some rows of what a model has read."""
    return read.take(rows) if isinstance(read, CategoricalTable) else read[rows]


__all__ = ["ModelRows", "ReadRows", "RowReader", "TrainingRows", "take_read"]
