"""The different texts of a column: what is decided about a text is decided once."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from augury.arrays import IntegerArray
from augury.text_codes import text_codes


@dataclass(frozen=True, eq=False)
class DistinctTexts:
    """The different texts of a column.

    Attributes
    ----------
    texts : Series of dtype str
        The texts, in the order of their first rows.
    counts : array, one for each text
        The number of rows that have it.
    codes : array, one for each row
        The position of its text; -1 if the value is missing.
    """

    texts: pd.Series
    counts: IntegerArray
    codes: IntegerArray

    def to_dict(self) -> dict[str, int]:
        """Return the number of rows of each text."""
        return dict(zip(self.texts.tolist(), self.counts.tolist(), strict=True))

    def select(self, keep: pd.Series) -> "DistinctTexts":
        """Return the texts that are kept, and which rows have them."""
        places = np.where(keep, np.cumsum(keep) - 1, -1)
        codes = np.where(self.codes < 0, -1, places[self.codes])
        return DistinctTexts(
            self.texts[keep].reset_index(drop=True), self.counts[keep.to_numpy()], codes
        )


def distinct_texts(column: pd.Series) -> DistinctTexts:
    """Return the different values of a column as texts.

    Examples
    --------
    >>> found = distinct_texts(pd.Series(["b", None, "a", "b"]))
    >>> found.to_dict(), found.codes.tolist()
    ({'b': 2, 'a': 1}, [0, -1, 1, 0])
    """
    if pd.api.types.is_object_dtype(column.dtype) and (
        pd.api.types.infer_dtype(column, skipna=True) != "string"
    ):
        # 1 and True are equal, but their texts are not.
        column = column.astype("str").where(column.notna())
    found = text_codes(column)
    codes, texts = found.codes, found.texts
    if not texts.is_unique:  # categories such as 1 and "1"
        same, labels = pd.factorize(texts)
        codes, texts = np.where(codes < 0, -1, same[codes]), pd.Series(labels)
    counts = np.bincount(codes[codes >= 0], minlength=len(texts))
    return DistinctTexts(texts, counts, codes)


__all__ = ["DistinctTexts", "distinct_texts"]
