"""Axes of a grid of rows: the values of two columns at which a model is evaluated."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from augury.arrays import Array, FloatArray
from augury.errors import PictureError

# Rows that a model predicts at once.
_BLOCK_ROWS = 1 << 13
# Space beyond the smallest and the largest number, as a share of their distance.
_MARGIN = 0.08
# Distance of the ends of neighbouring bands of labels.
_GAP = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class GridAxis:
    """The values of a column along an axis.

    Attributes
    ----------
    name : label of the column
    positions : array of shape (n,)
        Places on the axis, ascending.
    values : array of shape (n,)
        The value of the column at each place.
    labels : list or None
        The labels of a column of labels. The label k has the places from k - ½ to k + ½, at
        whose two ends the model is evaluated.
    """

    name: Hashable
    positions: FloatArray
    values: Array
    labels: list[Any] | None = None

    @classmethod
    def of(cls, column: pd.Series, n_points: int, *, is_labels: bool) -> GridAxis:
        """Return the axis of a column: its range, or all its labels."""
        known = column.dropna()
        if known.empty:
            raise PictureError(f"column {column.name!r} has no values: all are missing")
        if is_labels:
            labels = labels_of(column)
            ends = np.arange(len(labels))[:, None] + np.array([-0.5 + _GAP, 0.5 - _GAP])
            values = np.repeat(np.array(labels, dtype=object), 2)
            return cls(column.name, ends.ravel(), values, labels)
        low, high = float(known.min()), float(known.max())
        space = _MARGIN * (high - low) or 0.5
        places = np.linspace(low - space, high + space, n_points)
        return cls(column.name, places, places)

    def place(self, column: pd.Series, rng: np.random.Generator) -> FloatArray:
        """Return the place of each value: NaN if missing; labels are spread within their band."""
        if self.labels is None:
            return np.asarray(column.to_numpy(dtype=np.float64, na_value=np.nan))
        position = {label: float(k) for k, label in enumerate(self.labels)}
        places = np.array([position.get(value, np.nan) for value in column], dtype=np.float64)
        return places + rng.uniform(-0.3, 0.3, len(places))


def labels_of(column: pd.Series) -> list[Any]:
    """Return the labels of a column: its declared categories, or the values that it has."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return list(column.cat.categories)
    return sorted(column.dropna().unique(), key=lambda label: (type(label).__name__, label))


def held_values(
    owner: str,
    frame: pd.DataFrame,
    shown: tuple[Hashable, ...],
    fixed: Mapping[Hashable, Any] | None,
    is_labels: Mapping[Hashable, bool],
) -> dict[Hashable, Any]:
    """Return the value at which each column that is not shown is held.

    It is the value of `fixed`, otherwise the median of numbers or the most frequent label.

    Raises
    ------
    PictureError
        If `fixed` names a column that is shown or absent, or a value that the column lacks.
    """
    given = {str(name): value for name, value in (fixed or {}).items()}
    held: dict[Hashable, Any] = {}
    for name in frame.columns:
        if name in shown:
            continue
        column = frame[name]
        if str(name) in given:
            held[name] = _fixed_value(owner, column, given.pop(str(name)), is_labels[name])
        elif column.notna().sum() == 0:
            held[name] = None if is_labels[name] else np.nan
        else:
            held[name] = column.mode().iloc[0] if is_labels[name] else float(column.median())
    for name in given:
        why = "is an axis" if name in map(str, shown) else "is not a column of the model"
        raise PictureError(f"{owner}: fixed names {name!r}, which {why}")
    return held


def _fixed_value(owner: str, column: pd.Series, value: Any, is_labels: bool) -> Any:
    if is_labels:
        by_text = {str(label): label for label in labels_of(column)}
        if str(value) not in by_text:
            raise PictureError(
                f"{owner}: column {column.name!r} has the labels {', '.join(by_text)}, "
                f"not {value!r}"
            )
        return by_text[str(value)]
    try:
        return float(value)
    except (TypeError, ValueError):
        raise PictureError(
            f"{owner}: column {column.name!r} holds numbers, got {value!r}"
        ) from None


def grid_rows(
    frame: pd.DataFrame, x: GridAxis, y: GridAxis, held: Mapping[Hashable, Any]
) -> list[pd.DataFrame]:
    """Return the rows of the grid in blocks, the place on the x axis varying fastest."""
    n_rows = len(x.values) * len(y.values)
    return [
        _block(frame, x, y, held, np.arange(start, min(start + _BLOCK_ROWS, n_rows)))
        for start in range(0, n_rows, _BLOCK_ROWS)
    ]


def _block(
    frame: pd.DataFrame, x: GridAxis, y: GridAxis, held: Mapping[Hashable, Any], at: Array
) -> pd.DataFrame:
    columns = {}
    for name in frame.columns:
        if name == x.name:
            values = x.values[at % len(x.values)]
        elif name == y.name:
            values = y.values[at // len(x.values)]
        else:
            values = np.full(len(at), held[name], dtype=object)
        dtype = frame[name].dtype
        is_number = is_numeric_dtype(dtype) and not is_bool_dtype(dtype)
        columns[name] = pd.Series(values).astype(np.float64 if is_number else dtype)
    return pd.DataFrame(columns)


__all__ = ["GridAxis", "grid_rows", "held_values", "labels_of"]
