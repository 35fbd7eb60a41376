"""Rows of a fold as models read them, prepared once for all models of the fold."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
import pandas as pd
from sklearn.dummy import DummyClassifier
from sklearn.pipeline import Pipeline

from augury.encode import TidyColumns
from augury.foreign import Table

# Prepared rows that a process keeps; the rows of the last fold are kept in any case.
_MAX_BYTES = 64 * 2**20


@dataclass(frozen=True, slots=True, eq=False)
class FoldRows:
    """A model without the steps that were taken before, and the rows that it reads.

    Attributes
    ----------
    estimator : classifier
    train, test : rows
    """

    estimator: Any
    train: Table
    test: Table


@dataclass(frozen=True, slots=True, eq=False)
class _TidyRows:
    train: pd.DataFrame
    test: pd.DataFrame
    messages: list[Warning]

    @property
    def n_bytes(self) -> int:
        return sum(int(frame.memory_usage().sum()) for frame in (self.train, self.test))


class SharedSteps:
    """Rows of the folds of one table after `TidyColumns`, which many models begin with.

    `TidyColumns` learns from the training rows alone, without classes and weights, so its result is
    the same for all models of a fold. A copy in another process is empty.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[object, _TidyRows] = OrderedDict()
        self._lock = Lock()

    def __reduce__(self) -> tuple[type[SharedSteps], tuple[()]]:
        return SharedSteps, ()

    def rows_of(
        self,
        estimator: Any,
        key: object,
        sizes: tuple[int, int],
        take: Callable[[], tuple[Table, Table]],
    ) -> FoldRows:
        """Return the rows of a fold for a model.

        Parameters
        ----------
        estimator : classifier
            Not fitted. A Pipeline that begins with `TidyColumns` is returned without that step.
            A model that ignores the columns, such as `majority`, gets a column of zeros.
        key : object
            Identifies the fold.
        sizes : tuple of int
            Numbers of training and test rows.
        take : callable
            Returns training and test rows.

        Warns
        -----
        augury.encode.tidy_columns.UnreadValuesWarning
            For each model, as if it had tidied the columns itself.
        """
        dummy = _find_dummy(estimator)
        if dummy is not None:
            return FoldRows(dummy, *(np.zeros((n_rows, 1)) for n_rows in sizes))
        if not _begins_with_tidy(estimator):
            return FoldRows(estimator, *take())
        (_, tidy), *rest = estimator.steps
        rows = self._tidy_rows(tidy, key, take)
        for message in rows.messages:
            warnings.warn(message, stacklevel=2)
        model = rest[0][1] if len(rest) == 1 else Pipeline(rest)
        return FoldRows(model, rows.train, rows.test)

    def _tidy_rows(
        self, tidy: TidyColumns, key: object, take: Callable[[], tuple[Table, Table]]
    ) -> _TidyRows:
        place = (key, *sorted(tidy.get_params().items()))
        with self._lock:
            found = self._kept.get(place)
            if found is not None:
                self._kept.move_to_end(place)
                return found
        train, test = take()
        fitted = TidyColumns(**tidy.get_params()).fit(train)
        (train, first), (test, second) = fitted.read(train), fitted.read(test)
        found = _TidyRows(train, test, [*first, *second])
        with self._lock:
            self._kept[place] = found
            while len(self._kept) > 1 and self._n_bytes() > _MAX_BYTES:
                self._kept.popitem(last=False)
        return found

    def _n_bytes(self) -> int:
        return sum(rows.n_bytes for rows in self._kept.values())


def _begins_with_tidy(estimator: Any) -> bool:
    return (
        type(estimator) is Pipeline
        and len(estimator.steps) > 1
        and type(estimator.steps[0][1]) is TidyColumns
        and hasattr(estimator.steps[1][1], "fit")
    )


def _find_dummy(estimator: Any) -> DummyClassifier | None:
    """Return the model inside Pipelines and wrappers of one estimator if it ignores columns."""
    while True:
        if type(estimator) is Pipeline:
            estimator = estimator.steps[-1][1]
        elif type(estimator).__name__ == "PreprocessedClassifier":
            estimator = estimator.estimator
        else:
            return estimator if type(estimator) is DummyClassifier else None


__all__ = ["FoldRows", "SharedSteps"]
