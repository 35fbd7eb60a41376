"""Predictions and explanations of checked rows by the model itself, through a data frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from augury.arrays import Array
from augury.explain.row_explanation import RowExplanation, explain_row
from augury.persist import SavedModel
from augury.predict_once import predict_once
from augury.serve.cells import Cell
from augury.serve.dates import read_dates
from augury.serve.input_columns import DATE, NUMBERS, InputColumn


class FramePredictor:
    """Predicts rows with any saved model.

    Parameters
    ----------
    saved : SavedModel
    columns : sequence of InputColumn
    """

    def __init__(self, saved: SavedModel, columns: Sequence[InputColumn]) -> None:
        self._model = saved.model
        self._named = saved.metadata.named
        self._dtypes = [column.dtype for column in saved.metadata.columns]
        self._columns = tuple(columns)

    def predict(self, rows: Sequence[Sequence[Cell]]) -> tuple[Array, Array | None]:
        """Return the predicted class of each row, and the class probabilities."""
        found = predict_once(self._model, self._table(rows))
        return found.predicted, found.probabilities

    def explain(self, row: Sequence[Cell]) -> RowExplanation:
        """Return the contributions of the columns to the prediction of one row."""
        return explain_row(self._model, self.frame([row]))

    def _table(self, rows: Sequence[Sequence[Cell]]) -> Any:
        frame = self.frame(rows)
        if self._named:
            return frame
        all_numbers = all(column.kind == NUMBERS for column in self._columns)
        return frame.to_numpy(dtype=np.float64 if all_numbers else object)

    def frame(self, rows: Sequence[Sequence[Cell]]) -> pd.DataFrame:
        """Return rows as a frame with the columns that the model was fitted to."""
        values = iter(zip(*rows, strict=True))
        columns = {}
        for column, dtype in zip(self._columns, self._dtypes, strict=True):
            own = next(values) if column.is_read else (None,) * len(rows)
            columns[column.name] = self._series(column, dtype, own)
        return pd.DataFrame(columns, copy=False)

    def _series(self, column: InputColumn, dtype: str | None, values: Sequence[Cell]) -> pd.Series:
        if column.kind == NUMBERS:
            return pd.Series(np.array(values, dtype=np.float64))
        if column.kind == DATE:
            # As timestamps: `TidyColumns` reads texts in the learned format only.
            return read_dates(values, column.format)
        return pd.Series(values, dtype="str" if dtype == "str" else object)


__all__ = ["FramePredictor"]
