"""Fits of logistic regression to the rows of a source."""

from __future__ import annotations

import pandas as pd

from augury.arrays import Array
from augury.discriminative import LogisticRegression
from augury.encode import CategoricalTable, TableEncoder
from augury.scale.training.reading import Reading
from augury.validation import check_table


class EncodeBlock:
    """Encodes the rows of a frame."""

    def __init__(self, encoder: TableEncoder) -> None:
        self._encoder = encoder

    def __call__(
        self, X: pd.DataFrame, y: Array, weight: Array | None
    ) -> tuple[CategoricalTable, Array, Array | None]:
        """Return the encoded rows, their classes and weights."""
        return self._encoder.encode(X), y, weight


def fit_logistic(model: LogisticRegression, reading: Reading) -> LogisticRegression:
    """Fit a logistic regression; loss, gradient and curvature are sums over the rows."""
    check_table(model, reading.first, reset=True)
    model.classes_ = reading.classes
    model.encoder_ = reading.learn(model._make_encoder())
    return model.fit_tables(reading.rows(EncodeBlock(model.encoder_), keep_after=0))


__all__ = ["EncodeBlock", "fit_logistic"]
