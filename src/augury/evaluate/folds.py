"""Folds of one data set: preparation of the table, and fit and test of one fold."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Protocol

import narwhals as nw
import numpy as np
import pandas as pd
from sklearn.base import clone, is_regressor

from augury.encode import TableEncoder
from augury.encode.target import encode_target
from augury.evaluate.fold_results import FoldResult
from augury.evaluate.losses import accuracy, brier_score, log_loss
from augury.evaluate.shared_steps import SharedSteps
from augury.foreign import Classifier, Labels, Splitter, Table
from augury.instance_weights import fit_with_weights
from augury.predict_once import Predictions, predict_once
from augury.validation import Array, check_sample_weight, is_frame, is_pandas

PROTOCOLS = ("honest", "published")


class LabelledTable(Protocol):
    """A data set for cross-validation, such as `augury.data.Dataset`.

    It may also have `sample_weight`, a weight for each row or None.
    """

    @property
    def name(self) -> str:
        """Name in the result rows."""

    @property
    def X(self) -> Table:  # noqa: N802
        """Features: a data frame or a two-dimensional array."""

    @property
    def y(self) -> Labels:
        """Class labels; a pandas categorical declares its classes and their order."""


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """Rows to train on and rows to test on, with the numbers that `fold_keys` gives them."""

    run: int
    fold: int
    train: Array
    test: Array


@dataclass(frozen=True, slots=True, eq=False)
class FoldOutcome:
    """The result of a fold and its predictions.

    Attributes
    ----------
    result : FoldResult
        The row.
    predicted : array of shape (n_test,)
        Codes of the predicted classes, in the order of `Fold.test`; -1 for a prediction that
        is not a declared class.
    confidence : array of shape (n_test,) or None
        The largest class probability of each row; None for a model without probabilities.
    probabilities : array of shape (n_test, n_classes) or None
        p(c | x) of each declared class; None for a model without probabilities.
    """

    result: FoldResult
    predicted: Array
    confidence: Array | None
    probabilities: Array | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PreparedTable:
    """A data set as the models of the folds read it.

    Attributes
    ----------
    name, protocol : str
        As in the result rows.
    X : data frame or array
        Discretised and without missing values, if the protocol is "published".
    y : Series
        Categorical of the declared classes, renamed to 0, 1, ….
    classes : list of str
        Their labels.
    weight : array or None
        Instance weights.
    shared : SharedSteps
        Rows of folds that were prepared for one model, and are used for the next.
    """

    name: str
    protocol: str
    X: Table
    y: pd.Series
    classes: list[str]
    weight: Array | None
    shared: SharedSteps = field(default_factory=SharedSteps)


def prepare_table(dataset: LabelledTable, protocol: str) -> PreparedTable:
    """Read the target, and preprocess the features as the protocol does before it splits."""
    X = _check_features(dataset)
    y, classes = _declared_codes(dataset)
    weight = getattr(dataset, "sample_weight", None)
    weight = check_sample_weight(dataset.name, weight, X.shape[0])
    if protocol == "published":
        X = TableEncoder(missing="replace").fit(X, y, sample_weight=weight).transform(X).to_frame()
    return PreparedTable(dataset.name, protocol, X, y, classes, weight)


def number_folds(splitter: Splitter, table: PreparedTable) -> list[Fold]:
    """Split a table; a splitter with `n_repeats` numbers its runs, any other has one run."""
    pairs = list(splitter.split(table.X, table.y))
    keys = fold_keys(splitter, len(pairs), table.X.shape[0])
    return [Fold(*key, *pair) for key, pair in zip(keys, pairs, strict=True)]


def fold_keys(splitter: Splitter, n_splits: int, n_rows: int) -> list[tuple[int, int]]:
    """Return run and fold of each split, both counted from 1.

    A splitter with a method `fold_numbers`, as `GrowingSamples`, numbers its folds itself.
    """
    n_repeats = getattr(splitter, "n_repeats", 1)
    n_runs = n_repeats if n_splits % n_repeats == 0 else 1
    if hasattr(splitter, "fold_numbers"):
        numbers = splitter.fold_numbers(n_rows)
    else:
        numbers = range(1, n_splits // n_runs + 1)
    return [(run, number) for run in range(1, n_runs + 1) for number in numbers]


def check_models(owner: str, models: object) -> None:
    """Raise an error unless models is a mapping from names to scikit-learn classifiers."""
    if not isinstance(models, Mapping):
        raise TypeError(
            f"{owner}: models must be a mapping from names to classifiers, such as "
            f"{{'nb': NaiveBayes()}}, got {models!r}"
        )
    if not models:
        raise ValueError(f"{owner}: models must name at least one estimator")
    for name, model in models.items():
        is_model = all(hasattr(model, method) for method in ("get_params", "fit", "predict"))
        if isinstance(model, type) or not is_model or _predicts_numbers(model):
            raise TypeError(
                f"{owner}: models[{name!r}] must be a scikit-learn classifier, got {model!r}"
            )


def _predicts_numbers(model: object) -> bool:
    # Classifiers of other libraries may have no tags.
    return hasattr(model, "__sklearn_tags__") and is_regressor(model)


def _check_features(dataset: LabelledTable) -> Table:
    X = dataset.X
    if is_frame(X) or len(getattr(X, "shape", ())) == 2:
        return X
    raise TypeError(
        f"{dataset.name}: X must be a data frame or a two-dimensional array, got {type(X).__name__}"
    )


def _declared_codes(dataset: LabelledTable) -> tuple[pd.Series, list[str]]:
    """Return the target with the declared classes renamed to 0, 1, …, and their labels."""
    X, y = dataset.X, dataset.y
    if isinstance(getattr(y, "dtype", None), pd.CategoricalDtype):
        labels = pd.Series(y)
        classes, codes = labels.cat.categories, labels.cat.codes.to_numpy()
        if (codes < 0).any():
            raise ValueError(
                f"{dataset.name}: y must not have missing values, got one in row {codes.argmin()}"
            )
    else:
        classes, codes = encode_target(dataset.name, y)
    if len(codes) != X.shape[0]:
        raise ValueError(f"{dataset.name}: X has {X.shape[0]} rows but y has {len(codes)}")
    declared = pd.Categorical.from_codes(codes, categories=np.arange(len(classes)))
    index = X.index if is_pandas(X) else None
    series = pd.Series(declared, index=index, name=getattr(y, "name", None))
    return series, [str(label) for label in classes]


def run_fold(table: PreparedTable, model: str, estimator: Classifier, fold: Fold) -> FoldOutcome:
    """Fit a clone to the training rows and test it on the test rows.

    Callers limit linear algebra to one thread, see `cross_validate`: setting the limit takes as
    long as a small fit, so it is not set for each fold. An error of the model gets a note that
    names the fold. Models behind `TidyColumns` share its result, and their times leave it out.

    Warns
    -----
    augury.instance_weights.UnweightedFitWarning
        If the table has instance weights and the model takes none.
    """
    y_train = table.y.iloc[fold.train]
    codes = table.y.iloc[fold.test].cat.codes.to_numpy()
    train_weight = None if table.weight is None else table.weight[fold.train]
    test_weight = None if table.weight is None else table.weight[fold.test]
    nats = squares = np.nan
    try:
        rows = table.shared.rows_of(
            estimator,
            (fold.run, fold.fold),
            (len(fold.train), len(fold.test)),
            lambda: (_take(table.X, fold.train), _take(table.X, fold.test)),
        )
        start = perf_counter()
        fitted = fit_with_weights(clone(rows.estimator), rows.train, y_train, train_weight)
        fit_seconds = perf_counter() - start
        found = predict_once(fitted, rows.test)
        # Some classifiers do not predict the class with the largest probability.
        right = accuracy(codes, found.predicted, test_weight)
        probabilities = _declared_probabilities(fitted, found, len(table.classes))
        if probabilities is not None:
            nats = log_loss(codes, probabilities, test_weight)
            squares = brier_score(codes, probabilities, test_weight)
    except Exception as error:  # a model may raise any error; it is raised again, with the fold
        error.add_note(f"({model} on {table.name}, run {fold.run}, fold {fold.fold})")
        raise
    result = FoldResult(
        dataset=table.name,
        model=model,
        protocol=table.protocol,
        run=fold.run,
        fold=fold.fold,
        n_train=len(fold.train),
        n_test=len(fold.test),
        accuracy=right,
        log_loss=nats,
        brier=squares,
        fit_seconds=fit_seconds,
        predict_seconds=found.seconds,
    )
    confidence = None if probabilities is None else probabilities.max(axis=1)
    predicted = _class_codes(found.predicted, len(table.classes))
    return FoldOutcome(result, predicted, confidence, probabilities)


def _class_codes(predicted: Array, n_classes: int) -> Array:
    codes = pd.to_numeric(pd.Series(predicted), errors="coerce").fillna(-1).to_numpy()
    known = (codes >= 0) & (codes < n_classes) & (codes == np.floor(codes))
    return np.where(known, codes, -1).astype(np.int32)


def _take(X: Table, rows: Array) -> Table:
    """Return rows of a data frame or an array, as the same type."""
    if is_pandas(X):
        return X.iloc[rows]
    if is_frame(X):
        return nw.from_native(X, eager_only=True)[rows].to_native()
    return X[rows]


def _declared_probabilities(fitted: Any, found: Predictions, n_classes: int) -> Array | None:
    """Return the predicted probabilities with a column for each declared class."""
    if found.probabilities is None:
        return None
    probabilities = np.zeros((len(found.predicted), n_classes))
    probabilities[:, np.asarray(fitted.classes_, dtype=np.intp)] = found.probabilities
    return probabilities


__all__ = [
    "PROTOCOLS",
    "Fold",
    "FoldOutcome",
    "LabelledTable",
    "PreparedTable",
    "check_models",
    "number_folds",
    "prepare_table",
    "run_fold",
]
