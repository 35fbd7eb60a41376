"""Predictions of the rows of a partition, frame by frame."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd

from augury.arrays import Array
from augury.data.errors import DataError, first_repeated, shorten, suggest
from augury.predict_once import predict_once
from augury.scale.predictions.score_sums import ScoreSums
from augury.scale.sources.source import MAX_ROWS, Partition, Source

PREDICTED = "predicted"
# Cells of the rows and probabilities that are in memory at once, and the smallest number of rows.
_BLOCK_CELLS = 1 << 21
_MIN_ROWS = 1 << 10


class _Metadata(Protocol):
    target: str | None
    named: bool

    @property
    def columns(self) -> Sequence[Any]: ...

    def select_columns(
        self, frame: pd.DataFrame, source: str = ..., *, check_kinds: bool = ...
    ) -> pd.DataFrame: ...


class ModelWithMetadata(Protocol):
    """A model and what is known about its columns, as `augury.persist.load_model` returns it."""

    @property
    def model(self) -> Any: ...  # noqa: D102

    @property
    def metadata(self) -> _Metadata: ...  # noqa: D102


class RowCounter(Protocol):
    """Counts the rows that are predicted; what it returns for several frames adds."""

    def count(self, frame: pd.DataFrame) -> Any: ...


@dataclass(frozen=True, eq=False)
class PredictedRows:
    """Predictions of adjacent rows.

    Attributes
    ----------
    frame : the kept columns, the predicted class, and the probability of each class
    n_labelled : number of rows that have a class
    n_right : number of rows whose class is the predicted one
    scores : sums of the measures over the rows that have a class; None without a target
    tally : what the counter of the predictor returns; None without a counter
    """

    frame: pd.DataFrame
    n_labelled: int
    n_right: int
    scores: ScoreSums | None = None
    tally: Any = None


@dataclass(frozen=True, eq=False)
class RowPredictor:
    """Predicts the rows of partitions. It can be pickled if the model can.

    Attributes
    ----------
    model : fitted classifier
    columns : the columns that the model reads, in its order
    metadata : metadata of a saved model, which check the types of the columns; or None
    keep : the columns that are carried over
    target : the column of the classes; None if the source has none
    probabilities : whether the class probabilities are wanted and the model has them
    counter : counts the values of the columns that the model reads; or None
    """

    model: Any
    columns: tuple[str, ...]
    metadata: _Metadata | None
    keep: tuple[str, ...]
    target: str | None
    probabilities: bool
    counter: RowCounter | None = None

    @classmethod
    def of(
        cls,
        model: Any,
        source: Source,
        *,
        target: str | None = None,
        keep: Sequence[str] | str = (),
        probabilities: bool = True,
        counter: RowCounter | None = None,
    ) -> "RowPredictor":
        """Check that the source has the columns that are needed.

        Raises
        ------
        DataError
            If a column is missing, or a kept column has the name of a column of predictions.
        """
        is_saved = hasattr(model, "metadata") and hasattr(model, "model")
        fitted, metadata = (model.model, model.metadata) if is_saved else (model, None)
        if target is not None:
            source.check_columns([target])
        elif metadata is not None and metadata.target in source.columns:
            target = metadata.target
        has_probabilities = probabilities and hasattr(fitted, "predict_proba")
        predictor = cls(
            fitted,
            tuple(_columns_of(fitted, metadata, source, target)),
            metadata,
            tuple(_kept_columns(keep, source)),
            target,
            has_probabilities,
            counter,
        )
        taken = set(predictor.names).intersection(predictor.keep)
        if taken:
            name = min(taken)
            raise DataError(
                f"{source.name}: the column {name!r} cannot be kept: the predictions have a column "
                "of this name; rename it, or do not keep it"
            )
        return predictor

    @property
    def names(self) -> list[str]:
        """The names of the columns of the predictions."""
        classes = self.model.classes_ if self.probabilities else ()
        return [PREDICTED, *(f"p({label})" for label in classes)]

    def predict(self, partition: Partition) -> Iterator[PredictedRows]:
        """Yield the predictions of a partition, in the order of its rows.

        Raises
        ------
        DataError
            If rows cannot be read or predicted; the message names the partition.
        """
        extra = [self.target] if self.target is not None else []
        wanted = list(dict.fromkeys([*self.columns, *self.keep, *extra]))
        n_cells = max(1, len(wanted) + 2 * len(self.model.classes_))
        max_rows = max(_MIN_ROWS, min(MAX_ROWS, _BLOCK_CELLS // n_cells))
        for frame in partition.frames(wanted, max_rows):
            if len(frame):
                yield self._predict_frame(frame, partition.name)

    def _predict_frame(self, frame: pd.DataFrame, place: str) -> PredictedRows:
        predicted, probabilities = self._predict_rows(self._rows(frame, place), place)
        columns: dict[str, Any] = {name: frame[name] for name in self.keep}
        columns[PREDICTED] = predicted
        if probabilities is not None:
            columns |= dict(zip(self.names[1:], probabilities.T, strict=True))
        n_labelled = n_right = 0
        scores = None
        if self.target is not None:
            n_labelled, n_right = count_right(predicted, frame[self.target])
            scores = ScoreSums.collect(
                self.model.classes_, frame[self.target], predicted, probabilities
            )
        answers = pd.DataFrame(columns, index=frame.index, copy=False)
        tally = None if self.counter is None else self.counter.count(frame[list(self.columns)])
        return PredictedRows(answers, n_labelled, n_right, scores, tally)

    def _rows(self, frame: pd.DataFrame, place: str) -> Any:
        rows = frame[list(self.columns)]
        if self.metadata is not None:
            # `TidyColumns` reads new rows as it read the training rows.
            return self.metadata.select_columns(rows, place, check_kinds=not is_tidy(self.model))
        if not hasattr(self.model, "feature_names_in_"):
            return rows.to_numpy()
        return rows

    def _predict_rows(self, rows: Any, place: str) -> tuple[Array, Array | None]:
        try:
            if not self.probabilities:
                return np.asarray(self.model.predict(rows)), None
            found = predict_once(self.model, rows)
            return found.predicted, found.probabilities
        except (TypeError, ValueError) as error:
            raise DataError(f"{place}: the rows cannot be predicted: {error}") from error
        except Exception as error:  # any other error of the model is raised again, with the place
            error.add_note(f"(while the rows of {place} were predicted)")
            raise


def is_tidy(model: Any) -> bool:
    """Return whether a model is a Pipeline that begins with `TidyColumns`."""
    from augury.encode import TidyColumns

    return isinstance(getattr(model, "named_steps", {}).get("columns"), TidyColumns)


def count_right(predicted: Array, target: pd.Series) -> tuple[int, int]:
    """Return the number of rows that have a class, and of those that are predicted correctly.

    >>> count_right(np.array([1, 0, 1]), pd.Series([1.0, 1.0, None]))
    (2, 1)
    >>> count_right(np.array([1, 0], dtype=object), pd.Series(["1", "1"]))
    (2, 1)
    """
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    known = target.notna().to_numpy()
    both = (pd.Series(predicted)[known], target.reset_index(drop=True)[known])
    if not all(is_numeric_dtype(each) and not is_bool_dtype(each) for each in both):
        both = tuple(each.astype(str) for each in both)
    n_right = int((both[0].to_numpy() == both[1].to_numpy()).sum())
    return int(known.sum()), n_right


def _columns_of(
    model: Any, metadata: _Metadata | None, source: Source, target: str | None
) -> list[str]:
    """Return the columns that a model reads, in its order."""
    if metadata is not None:
        names = [column.name for column in metadata.columns] if metadata.named else None
    else:
        own = getattr(model, "feature_names_in_", None)
        names = None if own is None else [str(name) for name in own]
    if names is None:
        others = [name for name in source.columns if name != target]
        n_columns = getattr(model, "n_features_in_", len(others))
        if len(others) != n_columns:
            raise DataError(
                f"{source.name}: has {len(others)} columns, the model was fitted to {n_columns} "
                "without names"
            )
        return others
    there = set(source.columns)
    absent = [name for name in names if name not in there]
    if absent:
        raise DataError(
            f"{source.name}: the model needs columns that are not there: {shorten(absent)}"
            f"{suggest(absent[0], source.columns) or ';'} there are "
            f"{shorten(list(source.columns))}"
        )
    return names


def _kept_columns(keep: Sequence[str] | str, source: Source) -> list[str]:
    if keep == "all":
        return list(source.columns)
    names = [keep] if isinstance(keep, str) else list(keep)
    if (name := first_repeated(names)) is not None:
        raise DataError(f"keep names the column {name!r} twice")
    return source.check_columns(names)


__all__ = [
    "PREDICTED",
    "ModelWithMetadata",
    "PredictedRows",
    "RowPredictor",
    "count_right",
    "is_tidy",
]
