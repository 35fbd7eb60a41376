"""A fitted classifier behind the steps that only read columns, and tables as it reads them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from sklearn.pipeline import Pipeline

from augury.encode import TidyColumns
from augury.encode.columns import column_names, nominal_by_dtype
from augury.errors import PictureError
from augury.foreign import Table
from augury.instance_weights import sklearn_classes
from augury.validation import is_frame, is_pandas


@dataclass(frozen=True, slots=True)
class OpenedModel:
    """A fitted classifier, and how a picture gives rows to it.

    Attributes
    ----------
    model : fitted classifier
        Without leading steps of `TidyColumns`, without searches and frozen wrappers. Its
        probabilities of `read(X)` are those of the whole model of X.
    readers : tuple of TidyColumns
        The steps that were taken off.
    is_named : bool
        Whether the model was fitted to a table with column names.
    """

    model: Any
    readers: tuple[TidyColumns, ...]
    is_named: bool

    @classmethod
    def of(cls, fitted: Any) -> OpenedModel:
        """Open Pipelines that begin with `TidyColumns`, and searches."""
        is_named = hasattr(fitted, "feature_names_in_")
        readers: list[TidyColumns] = []
        while True:
            kinds = sklearn_classes(fitted)
            if isinstance(fitted, Pipeline) and isinstance(fitted.steps[0][1], TidyColumns):
                readers.append(fitted.steps[0][1])
                fitted, is_named = fitted[1:], True
            elif isinstance(fitted, Pipeline) and len(fitted.steps) == 1:
                fitted = fitted.steps[0][1]
            elif "BaseSearchCV" in kinds and hasattr(fitted, "best_estimator_"):
                fitted = fitted.best_estimator_
            elif "FrozenEstimator" in kinds:
                fitted = fitted.estimator
            else:
                return cls(fitted, tuple(readers), is_named)

    def read(self, X: Table) -> pd.DataFrame:
        """Return the rows as a pandas frame of the columns that the model reads."""
        frame = as_frame(X)
        for reader in self.readers:
            frame = reader.transform(frame)
        return frame

    def rows(self, frame: pd.DataFrame) -> Any:
        """Return rows of `read` in the form that the model was fitted to."""
        return frame if self.is_named else frame.to_numpy()


def as_frame(X: Table) -> pd.DataFrame:
    """Return a table as a pandas frame; x0, x1, … are the columns without names."""
    if is_pandas(X):
        return X
    if is_frame(X):
        return nw.from_native(X, eager_only=True).to_pandas()
    matrix = np.asarray(X)
    return pd.DataFrame(matrix, columns=column_names(matrix))


def find_column(owner: str, names: list[Hashable], feature: object) -> int:
    """Return the place of a column that is given by its name or its index.

    Raises
    ------
    PictureError
        If there is no such column.
    """
    if isinstance(feature, int | np.integer) and not isinstance(feature, bool):
        if feature not in names and -len(names) <= feature < len(names):
            return int(feature) % len(names)
    elif feature not in names and str(feature) in map(str, names):
        return [str(name) for name in names].index(str(feature))
    if feature in names:
        return names.index(feature)
    there = ", ".join(map(str, names[:12])) + (", …" if len(names) > 12 else "")
    raise PictureError(f"{owner}: the model reads no column {feature!r}; it reads {there}")


def label_columns(opened: OpenedModel, frame: pd.DataFrame) -> dict[Hashable, bool]:
    """Return for each column whether it holds labels, by its type or because the model says so.

    Raises
    ------
    PictureError
        If a column holds neither labels nor numbers, such as dates.
    """
    try:
        nominal = nominal_by_dtype(frame)
    except TypeError as error:
        raise PictureError(str(error)) from error
    requested = getattr(getattr(opened.model, "encoder_", None), "is_nominal_", None)
    if requested is not None and len(requested) == len(nominal):
        nominal = nominal | requested  # `categorical_features` may name columns of numbers
    return dict(zip(frame.columns, nominal.tolist(), strict=True))


__all__ = ["OpenedModel", "as_frame", "find_column", "label_columns"]
