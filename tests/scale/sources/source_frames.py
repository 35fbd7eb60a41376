"""A frame with columns of all kinds, and all rows of a source as one frame."""

from datetime import date
from decimal import Decimal

import cloudpickle
import numpy as np
import pandas as pd


def joined(source, columns=None, max_rows=1 << 17):
    """Return all rows; categories are united in order of appearance.

    Partitions are pickled first, and all frames must have the same columns and dtypes.
    """
    frames = [
        frame
        for partition in source.partitions
        for frame in cloudpickle.loads(cloudpickle.dumps(partition)).frames(columns, max_rows)
    ]
    first = frames[0]
    for frame in frames[1:]:
        assert frame.columns.tolist() == first.columns.tolist()
        assert frame.index.equals(pd.RangeIndex(len(frame)))
    for name in first:
        if isinstance(first[name].dtype, pd.CategoricalDtype):
            labels = [label for frame in frames for label in frame[name].cat.categories]
            united = pd.unique(pd.Series(labels, dtype=first[name].cat.categories.dtype))
            frames = [
                frame.assign(**{name: frame[name].cat.set_categories(united)}) for frame in frames
            ]
        assert {str(frame[name].dtype) for frame in frames} == {str(first[name].dtype)}
    return pd.concat(frames, ignore_index=True)


def all_kinds(n_rows=23):
    """Return a frame with a column of each kind."""
    rows = np.arange(n_rows)
    return pd.DataFrame(
        {
            "whole": rows,
            "small": rows.astype(np.uint8),
            "number": rows / 7,
            "gap at the end": pd.Series([*rows[:-1] / 3, np.nan]),
            "text": [f"t{i % 5}" if i % 7 else None for i in rows],
            "flag": rows % 2 == 0,
            "flag or none": [None if i == n_rows - 1 else bool(i % 2) for i in rows],
            "label": pd.Categorical(
                [f"l{i % 3}" for i in rows], categories=["z", "l1", "l0", "l2"]
            ),
            "nullable": pd.array([None if i == 3 else int(i) for i in rows], dtype="Int64"),
            "day": [date(2020, 1, 1 + i % 28) for i in rows],
            "time": pd.date_range("2020-01-01", periods=n_rows, freq="h"),
            "amount": [Decimal(int(i)) / 4 for i in rows],
            "nothing": pd.Series([None] * n_rows, dtype=object),
        }
    )
