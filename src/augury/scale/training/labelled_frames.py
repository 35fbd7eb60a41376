"""Frames of a source, with the class and the weight of each row."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from augury.arrays import Array, BoolArray
from augury.data.errors import DataError
from augury.scale.rows.numbered_partition import NumberedPartition

# A block has at most these rows, and cells: 200,000 rows of 40 columns.
_BLOCK_ROWS, _BLOCK_CELLS = 1 << 18, 1 << 23


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Adjacent rows of a partition that have a class and a weight above zero.

    Attributes
    ----------
    X : the columns that a model gets
    y : the target
    weight : weight of each row; None means 1 for each
    partition : number of the partition
    first_row : number of the first row of the block in its partition
    place : name of the partition, for messages
    n_unlabelled : number of rows without a class, which are left out
    weightless : classes of the rows of weight zero, which are left out
    kept : which rows of the block in the source these are; None if they are all of them
    """

    X: pd.DataFrame
    y: pd.Series
    weight: Array | None
    partition: int
    first_row: int
    place: str
    n_unlabelled: int
    weightless: frozenset[Hashable]
    kept: BoolArray | None = None

    def take(self, rows: BoolArray) -> LabelledRows:
        """Return some of the rows."""
        kept = rows
        if self.kept is not None:
            kept = self.kept.copy()
            kept[self.kept] = rows
        return replace(
            self,
            X=self.X[rows].reset_index(drop=True),
            y=self.y[rows].reset_index(drop=True),
            weight=None if self.weight is None else self.weight[rows],
            kept=kept,
        )


@dataclass(frozen=True)
class LabelledFrames:
    """How rows are read from partitions.

    Attributes
    ----------
    columns : the columns of X
    target : name of the target
    weight : name of the column of weights, or None
    strict : bool
        Whether a row without a class is an error; otherwise it is left out.
    """

    columns: tuple[str, ...]
    target: str
    weight: str | None = None
    strict: bool = False

    def read(self, part: NumberedPartition) -> Iterator[LabelledRows]:
        """Yield the rows of a partition."""
        number, partition = part
        wanted = dict.fromkeys([*self.columns, self.target, *filter(None, [self.weight])])
        max_rows = max(1, min(_BLOCK_ROWS, _BLOCK_CELLS // len(wanted)))
        first_row = 0
        for frame in partition.frames(list(wanted), max_rows):
            yield self._select(frame, number, first_row, partition.name)
            first_row += len(frame)

    def _select(self, frame: pd.DataFrame, number: int, first_row: int, place: str) -> LabelledRows:
        is_labelled = frame[self.target].notna().to_numpy()
        n_unlabelled = len(frame) - int(np.count_nonzero(is_labelled))
        if self.strict and n_unlabelled:
            row = first_row + int(np.argmin(is_labelled)) + 1
            raise DataError(f"{place}: row {row} has no value in the target {self.target!r}")
        weight, keep, weightless = None, is_labelled, frozenset[Hashable]()
        if self.weight is not None:
            weight = _weights(frame[self.weight], first_row, place)
            keep = is_labelled & (weight > 0)
            weightless = frozenset(frame[self.target][is_labelled & ~keep].unique())
        kept = None
        if not keep.all():
            kept, frame = keep, frame[keep].reset_index(drop=True)
            weight = None if weight is None else weight[keep]
        X, y = frame[list(self.columns)], frame[self.target]
        return LabelledRows(X, y, weight, number, first_row, place, n_unlabelled, weightless, kept)


def _weights(column: pd.Series, first_row: int, place: str) -> Array:
    """Return a column of weights as numbers; raise if one is not a number >= 0."""
    numbers: Array = pd.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    wrong = ~(np.isfinite(numbers) & (numbers >= 0))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise DataError(
            f"{place}: the weights in column {column.name!r} must be numbers >= 0, got "
            f"{column.iloc[[at]].tolist()[0]!r} in row {first_row + at + 1}"
        )
    return numbers


__all__ = ["LabelledFrames", "LabelledRows"]
