"""Codes of mixed tables: labels, and the intervals between many quantiles of numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from augury.arrays import BoolArray, FloatArray, IntegerArray
from augury.encode import CategoricalTable, TableEncoder, row_blocks, slice_rows
from augury.encode.discretizers.fine import FineDiscretizer
from augury.ensemble.forest.distinct_rows import random_shares
from augury.fitted_state import check_floats, check_integers, check_part, require
from augury.foreign import Table
from augury.kernels import find_intervals

# Intervals of a column of numbers: their codes and the missing value fit in one byte.
MAX_INTERVALS = 254
# States of a column of labels: their codes and the missing value fit in two bytes.
MAX_STATES = 65_535


class TableCodes:
    """The codes of tables with the columns of the training rows.

    A label has the code of its state. A number has the code of its interval between cut points:
    one half way between any two adjacent values, if there are at most 254 of them, else between
    intervals of equal weight. The code of a missing value and of an unseen label is the largest
    number of the type, which is uint8 if no column has more than 255 states. The columns of the
    codes are sorted by a hash of their contents, so that the order of the columns of a table has
    no effect on what is learned.

    Parameters
    ----------
    encoder : encoder that keeps numbers and ignores missing values

    Attributes
    ----------
    cuts : cut points of all columns of numbers, one column after the other
    ends : number of cut points up to each column, the first number is 0
    places : column of the codes of each column of labels and then of numbers
    """

    def __init__(self, encoder: TableEncoder) -> None:
        self.encoder = encoder

    def learn(
        self, X: Table, y: IntegerArray, weight: FloatArray | None, owner: str
    ) -> tuple[IntegerArray, CategoricalTable]:
        """Learn the states and cut points of checked rows; return codes, and what was read."""
        table = self.encoder.learn_and_encode(X, y, weight, owner)
        fine = FineDiscretizer(MAX_INTERVALS)
        cuts = [fine.learn_cuts([column], None, weight)[0] for column in table.numbers.T]
        self.cuts = np.concatenate([*cuts, np.empty(0)])
        self.ends = np.cumsum([0, *map(len, cuts)])
        self.places = np.arange(len(self.encoder.n_states_) + len(cuts))
        codes = self._join(table)
        order = np.argsort(_hash_columns(codes, y, weight), kind="stable")
        self.places[order] = np.arange(len(order))
        return np.asfortranarray(codes[:, order]), table

    def encode(self, X: Table) -> IntegerArray:
        """Return the codes of checked rows, column by column in memory."""
        return self._join(self.encoder.encode(X))

    @property
    def is_label(self) -> BoolArray:
        """Whether each column of the codes has labels."""
        is_label = np.zeros(len(self.places), dtype=bool)
        is_label[self.places[: len(self.encoder.n_states_)]] = True
        return is_label

    def source_columns(self) -> IntegerArray:
        """Return the column of the table that each column of the codes is read from."""
        sources = np.empty_like(self.places)
        sources[self.places] = np.concatenate(self.encoder.source_columns())
        return sources

    def score_blocks(self, X: Table, score: Callable[[IntegerArray], FloatArray]) -> FloatArray:
        """Return the scores of checked rows, which are encoded a block at a time."""
        blocks = [score(self.encode(slice_rows(X, rows))) for rows in row_blocks(X)]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def shares_of_columns(self, gains: FloatArray, n_columns: int) -> FloatArray:
        """Return the share of each column of the table in the gains of the columns of codes."""
        of_columns = np.zeros(n_columns)
        np.add.at(of_columns, self.source_columns(), gains)
        total = of_columns.sum()
        return of_columns / total if total > 0 else of_columns

    def _join(self, table: CategoricalTable) -> IntegerArray:
        n_states = self.encoder.n_states_
        wide = n_states.max(initial=0) > np.iinfo(np.uint8).max
        dtype = np.uint16 if wide else np.uint8
        missing, n_labels = np.iinfo(dtype).max, len(n_states)
        codes: IntegerArray = np.empty((len(table.codes), len(self.places)), dtype, order="F")
        for j, (place, n) in enumerate(zip(self.places[:n_labels], n_states, strict=True)):
            column = table.codes[:, j]
            codes[:, place] = column
            codes[column == n, place] = missing
        for k, place in enumerate(self.places[n_labels:]):
            numbers = table.numbers[:, k]
            codes[:, place] = find_intervals(numbers, self.cuts[self.ends[k] : self.ends[k + 1]])
            codes[np.isnan(numbers), place] = missing
        return codes

    def _check_fitted_state(self) -> None:
        encoder = check_part(self, "encoder", TableEncoder)
        fits = encoder.discretizer is None and encoder.missing == "ignore"
        require(fits, self, "encoder", "one that keeps numbers and ignores missing values")
        fits = encoder.n_states_.max(initial=0) <= MAX_STATES
        require(fits, self, "encoder", f"one of at most {MAX_STATES} states")
        cuts = check_floats(self, "cuts", None)
        ends = check_integers(self, "ends", len(encoder.number_names_) + 1, high=len(cuts))
        widths = np.diff(ends.astype(np.int64))
        fits = ends[0] == 0 and ends[-1] == len(cuts) and (widths >= 0).all()
        require(fits and (widths < MAX_INTERVALS).all(), self, "ends", "ends of parts of cuts")
        n_columns = len(encoder.n_states_) + len(encoder.number_names_)
        places = check_integers(self, "places", n_columns, high=n_columns - 1)
        require(len(set(places.tolist())) == n_columns, self, "places", "different columns")
        parts = (cuts[a:b] for a, b in pairwise(ends.tolist()))
        require(all((np.diff(p) >= 0).all() for p in parts), self, "cuts", "sorted")


def _hash_columns(codes: IntegerArray, y: IntegerArray, weight: FloatArray | None) -> FloatArray:
    """Return a number for each column that depends on the codes and classes of its rows."""
    of_code = random_shares(1, np.iinfo(codes.dtype).max + 1)
    of_row = random_shares(2, int(y.max()) + 1)[y]
    if weight is not None:
        of_row = of_row * weight
    return np.array([of_code[codes[:, j]] @ of_row for j in range(codes.shape[1])])


__all__ = ["MAX_STATES", "TableCodes"]
