"""Shares of the values of a column in each class."""

from __future__ import annotations

import numpy as np
import pandas as pd

from augury.arrays import FloatArray, IntegerArray
from augury.summary.contents.table_summary import ConditionalColumn

_MAX_LABELS, _MAX_BINS = 8, 18
_MISSING, _OTHERS = "missing", "other labels"
_DIGITS = 5


def class_shares(
    column: pd.Series, codes: IntegerArray, n_classes: int, treatment: str
) -> ConditionalColumn:
    """Return the shares of labels, or of bins of numbers, in each class.

    Parameters
    ----------
    column : Series
        As the models read it: labels, numbers, or days since 1970.
    codes : array
        Codes of the classes.
    n_classes : int
    treatment : {"labels", "numbers", "date"}

    Examples
    --------
    >>> sky = pd.Series(["sun", "sun", "rain", None], name="sky")
    >>> found = class_shares(sky, np.array([0, 0, 0, 1]), 2, "labels")
    >>> found.labels, found.shares
    (('sun', 'rain', 'missing'), ((0.66667, 0.33333, 0.0), (0.0, 0.0, 1.0)))
    """
    totals = np.maximum(np.bincount(codes, minlength=n_classes), 1)
    if treatment == "labels":
        names, places = _labels(column, codes, totals)
        shares = _shares(places, codes, len(names), totals)
        return ConditionalColumn(
            str(column.name), treatment, names, (), _rows(shares), (0.0,) * n_classes
        )
    numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
    known = ~np.isnan(numbers)
    edges = _edges(numbers[known])
    places = np.clip(np.searchsorted(edges, numbers[known], side="right") - 1, 0, len(edges) - 2)
    shares = _shares(places, codes[known], len(edges) - 1, totals)
    missing = np.bincount(codes[~known], minlength=n_classes) / totals
    return ConditionalColumn(
        str(column.name),
        treatment,
        (),
        tuple(edges.tolist()),
        _rows(shares),
        tuple(missing.round(_DIGITS).tolist()),
    )


def _labels(
    column: pd.Series, codes: IntegerArray, totals: IntegerArray
) -> tuple[tuple[str, ...], IntegerArray]:
    """Return the shown labels by frequency, and the place of that of each row.

    If there are too many labels, those are shown whose shares differ most between the classes.
    """
    numbers, labels = pd.factorize(column.astype(object), use_na_sentinel=True)
    counts = np.bincount(numbers[numbers >= 0], minlength=len(labels))
    kept = np.arange(len(labels))
    if len(labels) > _MAX_LABELS:
        known = numbers >= 0
        shares = _shares(numbers[known], codes[known], len(labels), totals)
        kept = np.argsort(-np.ptp(shares, axis=0), kind="stable")[:_MAX_LABELS]
    kept = kept[np.argsort(-counts[kept], kind="stable")]
    names = [str(labels[k]) for k in kept]
    place = np.full(len(labels) + 1, len(names))  # the last is that of missing values
    place[kept] = np.arange(len(kept))
    if len(labels) > len(kept):
        names.append(_OTHERS)
    if (numbers < 0).any():
        place[-1] = len(names)
        names.append(_MISSING)
    return tuple(names), place[numbers]


def _edges(numbers: FloatArray) -> FloatArray:
    """Return edges of bins: whole numbers if there are few values, otherwise equal widths."""
    if not len(numbers):
        return np.array([0.0, 1.0])
    values = np.unique(numbers)
    if len(values) <= _MAX_BINS:
        middles = (values[1:] + values[:-1]) / 2
        outer = (
            [values[0] - 0.5, values[-1] + 0.5]
            if len(values) == 1
            else [
                values[0] - (middles[0] - values[0]),
                values[-1] + (values[-1] - middles[-1]),
            ]
        )
        return np.array([outer[0], *middles, outer[1]])
    low, high = np.quantile(numbers, [0.01, 0.99])
    if low == high:
        low, high = values[0], values[-1]
    return np.linspace(low, high, _MAX_BINS + 1)


def _shares(
    places: IntegerArray, codes: IntegerArray, n_places: int, totals: IntegerArray
) -> FloatArray:
    """Return shares of shape (class, place)."""
    n_classes = len(totals)
    counts = np.bincount(codes * n_places + places, minlength=n_classes * n_places)
    return counts.reshape(n_classes, n_places) / totals[:, None]


def _rows(shares: FloatArray) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in shares.round(_DIGITS).tolist())


__all__ = ["class_shares"]
