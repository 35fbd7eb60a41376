"""Columns of declared categories from codes."""

from collections.abc import Iterable, Sequence

import pandas as pd

from augury.arrays import IntegerArray
from augury.data.dataset import Dataset

TARGET = "class"


def label_codes(
    columns: Iterable[tuple[str, IntegerArray, Sequence[str]]],
    y: IntegerArray,
    classes: Sequence[str],
    *,
    name: str,
    source: str,
) -> Dataset:
    """Return a data set of columns, each with its name, codes and declared labels."""
    X = pd.DataFrame({column: label(codes, labels) for column, codes, labels in columns})
    return Dataset(X, pd.Series(label(y, classes), name=TARGET), name, TARGET, source)


def label(codes: IntegerArray, labels: Sequence[str]) -> pd.Categorical:
    """Return codes as a categorical, as the readers of files do."""
    return pd.Categorical.from_codes(codes, categories=pd.Index(labels, dtype="str"))


def number_labels(n: int, start: int = 0) -> list[str]:
    """Return the numbers from `start` to `start` + n - 1 as labels."""
    return [str(code) for code in range(start, start + n)]
