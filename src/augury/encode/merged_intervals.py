"""Encoders with fewer cut points: tables that are read once give tables of wider intervals."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.encode.column_plan import IntervalColumn
from augury.encode.encoder import TableEncoder
from augury.encode.table import CategoricalTable, code_dtype
from augury.fitted_state import check_part, require


def merge_intervals(encoder: TableEncoder, cuts: Mapping[str, FloatArray]) -> TableEncoder:
    """Return the encoder with other cut points of the columns of intervals.

    Parameters
    ----------
    encoder : fitted encoder
    cuts : cut points of each column of intervals, which are some of those of the encoder
    """
    merged = copy(encoder)
    merged._columns = [
        column.merged(cuts[column.name]) if isinstance(column, IntervalColumn) else column
        for column in encoder._columns
    ]
    merged.cut_points_ = dict(cuts)
    merged.states_ = [column.states for column in merged._columns]
    merged.n_states_ = np.array([len(s) for s in merged.states_], dtype=np.int64)
    return merged


@dataclass(frozen=True, eq=False)
class IntervalMerge:
    """The tables of an encoder become those of the same encoder with merged intervals.

    Parameters
    ----------
    encoder : fitted encoder
    merged : encoder that `merge_intervals` has made of it
    codes : for each column the new code of each code, "left out" included; None: all are the same
    """

    encoder: TableEncoder
    merged: TableEncoder
    codes: tuple[IntegerArray | None, ...]

    @classmethod
    def between(cls, encoder: TableEncoder, merged: TableEncoder) -> IntervalMerge:
        """Return the merge of the intervals of an encoder to those of another."""
        return cls(encoder, merged, _new_codes(encoder, merged))

    def apply(self, table: CategoricalTable) -> CategoricalTable:
        """Return the table with merged intervals."""
        if all(codes is None for codes in self.codes):
            return table
        dtype = code_dtype(int(self.merged.n_states_.max(initial=0)))
        merged: IntegerArray = np.empty(table.codes.shape, dtype, order="F")
        for codes, column, out in zip(self.codes, table.codes.T, merged.T, strict=True):
            if codes is None:
                out[:] = column
            else:  # `mode` saves a buffer; no code of an encoder is beyond its states
                codes.take(column, out=out, mode="clip")
        return self.merged._table(merged, table.numbers)

    def _check_fitted_state(self) -> None:
        encoder = check_part(self, "encoder", TableEncoder)
        merged = check_part(self, "merged", TableEncoder)
        same = merged.cut_points_.keys() == encoder.cut_points_.keys()
        require(same, self, "merged", "of the same columns of numbers")
        expected = merge_intervals(encoder, merged.cut_points_)
        fits = merged.table_names_ == expected.table_names_ and np.array_equal(
            merged.n_states_, expected.n_states_
        )
        require(fits, self, "merged", "of the same columns and labels")
        codes = _new_codes(encoder, merged)
        fits = isinstance(self.codes, tuple) and len(self.codes) == len(codes)
        require(fits, self, "codes", "those of each column")
        for found, wanted in zip(self.codes, codes, strict=True):
            if found is None or wanted is None:
                fits = found is wanted
            else:
                fits = np.array_equal(found, wanted)
            require(fits, self, "codes", "those of the merged intervals")


def _new_codes(encoder: TableEncoder, merged: TableEncoder) -> tuple[IntegerArray | None, ...]:
    dtype = code_dtype(int(merged.n_states_.max(initial=0)))
    return tuple(
        column.merged_codes(merged.cut_points_[column.name]).astype(dtype)
        if isinstance(column, IntervalColumn)
        else None
        for column in encoder._columns
    )


__all__ = ["IntervalMerge", "merge_intervals"]
