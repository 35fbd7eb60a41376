"""Checks of values that are read from a row of a store."""

import json
import math
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from augury.errors import StoreError

_DAMAGE = (
    ArithmeticError, LookupError, RecursionError, TypeError, ValueError, zlib.error
)  # fmt: skip


@contextmanager
def reading_row(file: Path | None, table: str, **key: object) -> Iterator[None]:
    """Raise errors of the block as a `StoreError` that names file, table and row."""
    try:
        yield
    except _DAMAGE as error:
        row = ", ".join(f"{name} {value!r}" for name, value in key.items())
        raise StoreError(
            f"{file} has a damaged row in its table {table} ({row}): {error}; restore the file "
            "from a copy, or delete the row: the next run computes it again"
        ) from error


def as_text(name: str, value: object) -> str:
    """Return the value if it is text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text, got {value!r}")
    return value


def as_count(name: str, value: object) -> int:
    """Return the value if it is an integer >= 0."""
    if not isinstance(value, int) or value < 0:
        raise TypeError(f"{name} must be a whole number >= 0, got {value!r}")
    return value


def as_measure(name: str, value: object) -> float:
    """Return the value if it is a number; NULL is NaN."""
    if value is None:
        return math.nan
    if not isinstance(value, int | float):
        raise TypeError(f"{name} must be a number, got {value!r}")
    return float(value)


def as_blob(name: str, value: object) -> bytes:
    """Return the value if it is a blob that is not empty."""
    if not isinstance(value, bytes) or not value:
        raise TypeError(f"{name} must be a blob, got {value!r}")
    return value


def as_dict(name: str, value: object) -> dict[str, Any]:
    """Return the object of a JSON text."""
    content = json.loads(as_text(name, value))
    if not isinstance(content, dict):
        raise TypeError(f"{name} must be a JSON object, got {value!r}")
    return content


__all__ = ["as_blob", "as_count", "as_dict", "as_measure", "as_text", "reading_row"]
