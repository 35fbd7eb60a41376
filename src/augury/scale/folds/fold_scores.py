"""Scores of fitted models on the rows that their training sets leave out, in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from augury.arrays import Array, FloatArray
from augury.encode import TidyColumns
from augury.evaluate.losses import accuracy, brier_score, log_loss
from augury.predict_once import predict_once
from augury.scale.folds.fold_fits import FoldFit
from augury.scale.folds.fold_rows import FoldedReader
from augury.scale.folds.training_sets import FoldedTable
from augury.scale.rows.numbered_partition import NumberedPartition


@dataclass(frozen=True)
class FoldScore:
    """Scores of a model on a fold.

    Attributes
    ----------
    n_test : number of rows
    accuracy, log_loss, brier : means over the rows, see `augury.evaluate`
    seconds : time of the predictions
    """

    n_test: int
    accuracy: float
    log_loss: float
    brier: float
    seconds: float


def score_fits(table: FoldedTable, fits: Sequence[FoldFit]) -> list[FoldScore]:
    """Score fitted models on the fold that each training set leaves out, in one pass for all."""
    scored = [_Scored(fit.training.fold, fit.training.tidy, fit.model) for fit in fits]
    sums = table.engine.total(table.parts, partial(_score_part, reader=table.reader, fits=scored))
    assert sums is not None  # each fold has rows
    return [
        FoldScore(int(n), right / n, nats / n, squares / n, seconds)
        for n, right, nats, squares, seconds in sums.tolist()
    ]


@dataclass(frozen=True, eq=False)
class _Scored:
    """A fitted model, what reads the columns for it, and the fold on which it is scored."""

    fold: int
    tidy: TidyColumns | None
    model: Any


def _score_part(
    part: NumberedPartition, reader: FoldedReader, fits: Sequence[_Scored]
) -> FloatArray | None:
    """Return the number of rows, the sums of the scores, and the seconds of each fit."""
    sums: FloatArray = np.zeros((len(fits), 5))
    is_empty = True
    for block in reader(part):
        is_empty = False
        for fold in dict.fromkeys(each.fold for each in fits):
            rows = block.rows_of(fold)
            if rows.start == rows.stop:
                continue
            X, y = block.X[rows], block.y[rows]
            read: dict[int, Any] = {}  # models of a fold share their TidyColumns
            for place, each in enumerate(fits):
                if each.fold == fold:
                    if id(each.tidy) not in read:
                        read[id(each.tidy)] = X if each.tidy is None else each.tidy.read(X)[0]
                    sums[place] += _score_rows(each.model, read[id(each.tidy)], y)
    return None if is_empty else sums


def _score_rows(model: Any, X: Any, y: Array) -> FloatArray:
    n_rows = len(y)
    found = predict_once(model, X)
    assert found.probabilities is not None  # all models that can be streamed have them
    scores = (
        accuracy(y, found.predicted),
        log_loss(y, found.probabilities),
        brier_score(y, found.probabilities),
    )
    return np.array([n_rows, *(n_rows * score for score in scores), found.seconds])


__all__ = ["FoldScore", "score_fits"]
