"""Encoders with fewer cut points: tables that are read once give tables of wider intervals."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from augury.arrays import BoolArray, FloatArray, IntegerArray
from augury.encode.column_plan import ColumnPlan, IntervalColumn
from augury.encode.encoder import TableEncoder
from augury.encode.table import CategoricalTable, code_dtype
from augury.fitted_state import check_part, require


@dataclass(frozen=True, eq=False)
class CutLayout:
    """Places of the cut points of an encoder among those of all its columns.

    Parameters
    ----------
    n_cuts : number of cut points of each column of the table; 0 of a column of labels
    is_cut : which columns of the table are intervals
    first_cut : place of the first cut point of each column, and the number of all
    first_code : place of the first code of each column, "left out" included, and the number of all
    after_cut : place of the code of the interval above each cut point
    """

    n_cuts: IntegerArray
    is_cut: BoolArray
    first_cut: IntegerArray
    first_code: IntegerArray
    after_cut: IntegerArray

    @classmethod
    def of(cls, encoder: TableEncoder) -> CutLayout:
        """Return the layout of a fitted encoder."""
        columns = encoder._columns
        is_cut: BoolArray = np.array([isinstance(c, IntervalColumn) for c in columns], dtype=bool)
        n_cuts: IntegerArray = np.array(
            [len(c.cuts) if isinstance(c, IntervalColumn) else 0 for c in columns], dtype=np.int64
        )
        first_cut = _starts(n_cuts)
        first_code = _starts(encoder.n_states_ + 1)
        after_cut = np.arange(1, first_cut[-1] + 1) + np.repeat(
            first_code[:-1] - first_cut[:-1], n_cuts
        )
        return cls(n_cuts, is_cut, first_cut, first_code, after_cut)


class MergedEncoder(TableEncoder):
    """Encoder with some of the cut points of another one.

    It holds two arrays, whatever the number of columns; plans, states and cut points are computed
    when they are asked for. All other attributes are those of the whole encoder.

    Attributes
    ----------
    whole : the encoder with all cut points
    kept_cuts : the cut points that are kept, by their places in those of all columns, ascending
    """

    whole: TableEncoder
    kept_cuts: IntegerArray
    _layout: CutLayout

    @classmethod
    def of(
        cls, whole: TableEncoder, kept_cuts: IntegerArray, layout: CutLayout | None = None
    ) -> MergedEncoder:
        """Return the encoder with these cut points; `layout` is that of the whole encoder."""
        if not isinstance(whole, TableEncoder) or isinstance(whole, MergedEncoder):
            raise TypeError("MergedEncoder: whole must be a TableEncoder")
        merged = cls.__new__(cls)
        shared = {name: value for name, value in vars(whole).items() if name not in _COMPUTED}
        merged.__dict__.update(shared, whole=whole, kept_cuts=kept_cuts)
        merged._layout = CutLayout.of(whole) if layout is None else layout
        return merged

    def __getstate__(self) -> dict[str, Any]:
        return {"whole": self.whole, "kept_cuts": self.kept_cuts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(vars(MergedEncoder.of(state["whole"], state["kept_cuts"])))

    # Attributes of an encoder are computed here: no member holds an object for each column.

    @property
    def n_states_(self) -> IntegerArray:  # type: ignore[override]
        """Number of states of each column."""
        n_kept = np.diff(np.searchsorted(self.kept_cuts, self._layout.first_cut))
        n_states: IntegerArray = self.whole.n_states_ - self._layout.n_cuts + n_kept
        return n_states

    @property
    def cut_points_(self) -> dict[str, FloatArray]:  # type: ignore[override]
        """Cut points of each column of intervals, by its name."""
        columns = zip(self.whole._columns, self._kept_of_columns(), strict=True)
        return {c.name: c.cuts[kept] for c, kept in columns if isinstance(c, IntervalColumn)}

    @property
    def states_(self) -> list[Sequence[Hashable]]:  # type: ignore[override]
        """States of each column."""
        return [column.states for column in self._columns]

    @property
    def _columns(self) -> list[ColumnPlan]:  # type: ignore[override]
        columns = zip(self.whole._columns, self._kept_of_columns(), strict=True)
        return [c.merged(kept) if isinstance(c, IntervalColumn) else c for c, kept in columns]

    def _kept_of_columns(self) -> list[IntegerArray]:
        """Return the indices of the cut points that each column of the table keeps."""
        first = self._layout.first_cut
        stops = np.searchsorted(self.kept_cuts, first).tolist()
        places = self.kept_cuts - np.repeat(first[:-1], np.diff(stops))
        return [places[i:j] for i, j in pairwise(stops)]

    def merge(self, table: CategoricalTable) -> CategoricalTable:
        """Return the table of this encoder for a table of the whole one."""
        layout = self._layout
        if not layout.is_cut.any():
            return table
        dtype = code_dtype(int(self.n_states_.max(initial=0)))
        new_codes = self.new_codes().astype(dtype)
        merged: IntegerArray = np.empty(table.codes.shape, dtype, order="F")
        first = layout.first_code.tolist()
        for j, (is_cut, column, out) in enumerate(
            zip(layout.is_cut.tolist(), table.codes.T, merged.T, strict=True)
        ):
            if is_cut:  # `mode` saves a buffer; no code of an encoder is beyond its states
                new_codes[first[j] : first[j + 1]].take(column, out=out, mode="clip")
            else:
                out[:] = column
        return self._table(merged, table.numbers)

    def new_codes(self) -> IntegerArray:
        """Return the new code of each code of each column of the whole encoder, one after another.

        A code is one more than that before it, unless a cut point between both is not kept.
        """
        layout = self._layout
        steps: IntegerArray = np.ones(layout.first_code[-1], dtype=np.int64)
        steps[layout.after_cut] = 0
        steps[layout.after_cut[self.kept_cuts]] = 1
        codes: IntegerArray = np.cumsum(steps)
        return codes - np.repeat(codes[layout.first_code[:-1]], np.diff(layout.first_code))

    def _check_fitted_state(self) -> None:
        check_part(self, "whole", TableEncoder)  # which checks itself, once for all members
        kept = self.kept_cuts
        fits = isinstance(kept, np.ndarray) and kept.ndim == 1 and kept.dtype == np.int64
        require(fits, self, "kept_cuts", "whole numbers")
        require((np.diff(kept) > 0).all(), self, "kept_cuts", "ascending")
        n_cuts = int(self._layout.first_cut[-1])
        fits = not len(kept) or (kept[0] >= 0 and kept[-1] < n_cuts)
        require(fits, self, "kept_cuts", f"below {n_cuts}")


@dataclass(frozen=True, eq=False)
class IntervalMerge:
    """A part of ensembles in files of before the release of 0.2; `former_states` leaves it out."""

    def _check_fitted_state(self) -> None:
        """Accept it: nothing reads its attributes."""


# Attributes of a `TableEncoder` that are properties of a `MergedEncoder`.
_COMPUTED = frozenset({"n_states_", "cut_points_", "states_", "_columns"})


def places_of_cuts(encoder: TableEncoder, cuts: Mapping[str, FloatArray]) -> IntegerArray:
    """Return the places of cut points, given by column, among those of all columns.

    Raises
    ------
    ValueError
        If a column has other cut points than some of those of the encoder.
    """
    layout, places = CutLayout.of(encoder), []
    for column, first in zip(encoder._columns, layout.first_cut.tolist(), strict=False):
        if not isinstance(column, IntervalColumn):
            continue
        chosen = cuts[column.name]
        found = np.searchsorted(column.cuts, chosen)
        if not np.array_equal(column.cuts[np.minimum(found, len(column.cuts) - 1)], chosen):
            raise ValueError(f"column {column.name!r} has other cut points than the encoder")
        places.append(found + first)
    return np.concatenate([np.empty(0, np.int64), *places]).astype(np.int64)


def _starts(sizes: IntegerArray) -> IntegerArray:
    starts: IntegerArray = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return starts


__all__ = ["CutLayout", "MergedEncoder", "places_of_cuts"]
