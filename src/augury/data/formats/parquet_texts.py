"""Columns of texts in Parquet files, read through the dictionaries of the file.

A Parquet file usually has each different text of a column once, and codes for the rows. The
codes are kept (`augury.text_codes`), so that later steps do not search for the different texts
again.
"""

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd

from augury.arrays import IntegerArray
from augury.compatibility import TEXT_DTYPE
from augury.data.formats.text import check_size
from augury.text_codes import TextCodes, remember_codes, shorten_codes

# Columns by name.
ParquetTexts = dict[str, "pd.api.extensions.ExtensionArray"]


def text_columns(schema: Any, pyarrow: ModuleType) -> list[str]:
    """Return the names of the columns that pandas reads as dtype str, indices excluded.

    The list is empty if a file of pandas has names that are not text, or no other columns.
    """
    is_text = (pyarrow.types.is_string, pyarrow.types.is_large_string)
    texts = {field.name for field in schema if any(check(field.type) for check in is_text)}
    read = schema.empty_table().to_pandas()
    in_arrow = getattr(TEXT_DTYPE, "storage", None) == "pyarrow"
    if not in_arrow or not set(read.columns) <= set(schema.names):
        return []
    names = [name for name in read.columns if name in texts and read[name].dtype == TEXT_DTYPE]
    return names if len(names) < len(schema.names) else []


def read_texts(path: Path, names: list[str], total: float, max_size: float | None) -> ParquetTexts:
    """Read columns of texts; raise a `DataError` before they take more than `max_size`.

    `total` is the number of bytes of all columns without the content of the texts.
    """
    if not names:
        return {}
    from pyarrow import compute, parquet

    # As dictionaries, texts take no more memory than space in the file.
    table = parquet.read_table(path, columns=names, read_dictionary=names)
    read: ParquetTexts = {}
    for name in names:
        column = table.column(name).unify_dictionaries().combine_chunks()
        table = table.drop_columns([name])
        codes = np.asarray(column.indices.fill_null(-1))
        lengths = np.asarray(compute.binary_length(column.dictionary), dtype=np.int64)
        total += int(np.append(lengths, 0)[codes].sum())  # -1 is the last
        check_size(path, total, max_size, "the text in its columns")
        read[name] = _decode(column, codes)
    return read


def _decode(column: Any, codes: IntegerArray) -> "pd.api.extensions.ExtensionArray":
    """Return the texts of a column of codes and a dictionary, and remember the codes."""
    texts = pd.arrays.ArrowStringArray(column, dtype=TEXT_DTYPE)
    labels = pd.Series(pd.arrays.ArrowStringArray(column.dictionary, dtype=TEXT_DTYPE))
    order = _order_of_first_rows(codes, len(labels))
    if not np.array_equal(order, np.arange(len(labels))):
        position = np.full(len(labels) + 1, -1)  # the last one is for missing values
        position[order] = np.arange(len(order))
        codes, labels = position[codes], labels.iloc[order].reset_index(drop=True)
    found = TextCodes(shorten_codes(codes, len(labels)), labels)
    remember_codes(texts.__arrow_array__(), found)
    return texts


def _order_of_first_rows(codes: IntegerArray, n_labels: int) -> IntegerArray:
    """Return the codes that occur, in the order of their first rows; -1 is missing.

    >>> _order_of_first_rows(np.array([2, -1, 0, 2]), 3)
    array([2, 0])
    """
    n_rows = 8 * n_labels
    while True:  # few rows usually have all labels
        head = codes[:n_rows]
        first = np.full(n_labels + 1, len(head))  # the last one is for missing values
        first[head[::-1]] = np.arange(len(head))[::-1]  # the last assignment holds
        occurs = first[:-1] < len(head)
        if occurs.all() or n_rows >= len(codes):
            return np.argsort(first[:-1])[: np.count_nonzero(occurs)]
        n_rows *= 8


__all__ = ["ParquetTexts", "read_texts", "text_columns"]
