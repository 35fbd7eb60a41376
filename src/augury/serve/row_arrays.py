"""Rows of a request that has an array for each column."""

from collections.abc import Iterator
from typing import Any

from augury.serve.problems import Place, RequestError, describe_value, shorten


def count_rows(columns: Any, place: Place) -> int:
    """Return the number of rows.

    Raises
    ------
    RequestError
        With status 422: the columns are no arrays, or arrays of different lengths.
    """
    if not isinstance(columns, dict):
        message = f"must be an object of arrays, got {describe_value(columns)}"
        raise RequestError.of(422, message, "dict_type", place)
    n_rows, first = 0, None
    for name, values in columns.items():
        own = (*place, shorten(name))
        if not isinstance(values, list):
            message = f"must be an array with a value for each row, got {describe_value(values)}"
            raise RequestError.of(422, message, "list_type", own)
        if first is None:
            n_rows, first = len(values), name
        elif len(values) != n_rows:
            message = f"must have {n_rows} values as {shorten(first)!r} has, got {len(values)}"
            raise RequestError.of(422, message, "length_mismatch", own)
    return n_rows


def split_columns(columns: dict[str, list[Any]]) -> Iterator[dict[str, Any]]:
    """Yield the rows of arrays of equal lengths.

    >>> list(split_columns({"sky": ["sun", None], "wind": [1, 2]}))
    [{'sky': 'sun', 'wind': 1}, {'sky': None, 'wind': 2}]
    """
    for values in zip(*columns.values(), strict=True):
        yield dict(zip(columns, values, strict=True))


__all__ = ["count_rows", "split_columns"]
