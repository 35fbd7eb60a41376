"""Rows that several encoders encode: each column is encoded once where the encoders agree."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd

from augury.arrays import IntegerArray
from augury.encode import CategoricalTable, TableEncoder
from augury.encode.column_plan import RawColumns
from augury.encode.table import join_codes


def content_key(value: Any) -> bytes | None:
    """Return a hash of what a value holds; None if it cannot be pickled.

    Equal hashes mean equal content. Different hashes may mean that only the form differs.

    >>> content_key(["a", "b"]) == content_key(["".join(["a"]), "b"])
    True
    """
    written = BytesIO()
    pickler = pickle.Pickler(written, protocol=5)
    pickler.fast = True  # no references between parts: they would depend on identity
    try:
        pickler.dump(value)
    except (AttributeError, TypeError, ValueError, RecursionError, pickle.PicklingError):
        return None
    return hashlib.sha256(written.getvalue()).digest()


class SharedEncoding:
    """Encodes the rows of frames by several encoders.

    The values of a frame are read once for all encoders that read the same columns as labels, and
    a column is encoded once for all encoders that have the same states and cut points for it.

    Parameters
    ----------
    encoders : fitted encoders of the same columns
    """

    def __init__(self, encoders: Sequence[TableEncoder]) -> None:
        self._encoders = encoders
        self._reading_keys = [content_key(_what_is_read(encoder)) for encoder in encoders]
        self._column_keys = [[content_key(c) for c in encoder._columns] for encoder in encoders]

    def encode(self, X: pd.DataFrame) -> Iterator[CategoricalTable]:
        """Yield the table of each encoder."""
        read: dict[bytes | None, RawColumns] = {}
        codes: dict[tuple[bytes | None, bytes | None], IntegerArray] = {}
        for encoder, reading_key, keys in zip(
            self._encoders, self._reading_keys, self._column_keys, strict=True
        ):
            if reading_key not in read:
                read[reading_key] = encoder._read(X)
            columns = read[reading_key]
            for key, column in zip(keys, encoder._columns, strict=True):
                if (reading_key, key) not in codes:
                    codes[reading_key, key] = column.encode(columns)
            joined = join_codes(
                (codes[reading_key, key] for key in keys),
                (len(X), len(keys)),
                int(encoder.n_states_.max(initial=0)),
            )
            kept = np.empty((len(X), 0)) if columns.matrix is None else columns.matrix
            yield encoder._table(joined, encoder._replace(kept))


def _what_is_read(encoder: TableEncoder) -> tuple[Any, ...]:
    return encoder.is_nominal_, encoder.discretizer is None, encoder.keep_numbers


__all__ = ["SharedEncoding", "content_key"]
