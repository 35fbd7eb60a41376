"""A trial prediction of a loaded model, on rows of values that the model states to know.

The checks of each object (`state_checks`) come first. The trial finds other faults, such as two
steps of a pipeline that do not fit together.
"""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from augury.arrays import Array
from augury.encode import TableEncoder
from augury.encode.column_plan import IntervalColumn, LabelColumn
from augury.persist.metadata import LABELS, OTHERS, ModelMetadata
from augury.persist.state_checks import attributes_of, walk

MAX_ROWS, MAX_CELLS = 24, 1_000_000
# A model of more estimators has no trial.
MAX_PARTS = 2000

# Estimators of scikit-learn that pass on rows, also with missing values and unseen labels, …
_CONTAINERS = frozenset(
    """
    ColumnTransformer FeatureUnion FrozenEstimator LabelBinarizer LabelEncoder Pipeline
    StackingClassifier VotingClassifier
    """.split()
)
# … and those that accept any row of finite numbers, or of text. Others, such as OneHotEncoder or
# FunctionTransformer, may refuse rows that do not occur in their users' tables.
_TAKE_ANY_ROW = _CONTAINERS | frozenset(
    """
    AdaBoostClassifier BaggingClassifier BernoulliNB Binarizer CountVectorizer DummyClassifier
    FixedThresholdClassifier GaussianNB KBinsDiscretizer LinearDiscriminantAnalysis
    LinearRegression LinearSVC LogisticRegression LogisticRegressionCV MaxAbsScaler MinMaxScaler
    MissingIndicator Normalizer OneVsOneClassifier OneVsRestClassifier PCA
    PassiveAggressiveClassifier Perceptron QuadraticDiscriminantAnalysis QuantileTransformer
    Ridge RidgeClassifier RidgeClassifierCV RobustScaler SGDClassifier SimpleImputer
    StandardScaler TfidfTransformer TfidfVectorizer TruncatedSVD VarianceThreshold
    """.split()
)


class TrialError(ValueError):
    """A trial prediction failed; the message gives the reason."""


def try_model(model: Any, metadata: ModelMetadata) -> None:
    """Raise `TrialError` unless the model predicts probabilities for rows of its columns.

    If it is not known which rows a model accepts, it may refuse those of the trial; then only a
    missing attribute is a fault.
    """
    others = _estimators_of_others(model)
    gaps = others <= _CONTAINERS
    covered = {n for p in walk(model) if isinstance(p, TableEncoder) for n in p.feature_names_}
    if not gaps and any(c.kind is None and c.name not in covered for c in metadata.columns):
        return
    rows = None if _takes_long(model) else _make_rows(model, metadata, gaps=gaps)
    if rows is None:
        return
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            _predict(model, rows)
    except Exception as error:  # a model of a file can raise any error
        if others <= _TAKE_ANY_ROW or isinstance(error, AttributeError):
            found = str(error) if isinstance(error, TrialError) else f"{error!r:.200}"
            raise TrialError(f"it cannot predict ({found})") from error


def _takes_long(model: Any) -> bool:
    """Return whether a model has many parts, counted for every reference to them.

    Forty parts that each refer twice to the next one would predict for years.
    """
    return _count_parts(model, {}) > MAX_PARTS


def _count_parts(thing: Any, counted: dict[int, int]) -> int:
    """Return the number of estimators in a part; `counted` has that of parts met before."""
    if isinstance(thing, dict):
        below = list(thing.values())
    elif isinstance(thing, list | tuple):
        below = list(thing)
    elif isinstance(thing, BaseEstimator):
        below = list(attributes_of(thing).values())
    else:
        return 0
    if id(thing) not in counted:
        counted[id(thing)] = 0  # of a part that holds itself
        n_below = sum(_count_parts(part, counted) for part in below)
        counted[id(thing)] = n_below + isinstance(thing, BaseEstimator)
    return counted[id(thing)]


def _predict(model: Any, rows: Any) -> None:
    predicted = np.asarray(model.predict(rows))
    if predicted.shape != (len(rows),):
        raise TrialError(f"{predicted.shape} labels for {len(rows)} rows")
    if hasattr(model, "predict_proba"):
        proba = np.asarray(model.predict_proba(rows))
        _check_probabilities(proba, (len(rows), len(model.classes_)))


def _check_probabilities(proba: Array, shape: tuple[int, int]) -> None:
    if proba.shape != shape:
        raise TrialError(f"probabilities of shape {proba.shape}, not {shape}")
    if not (np.isfinite(proba).all() and (proba >= 0).all()):
        raise TrialError("probabilities that are not finite, or negative")
    if not np.allclose(proba.sum(axis=1), 1.0, rtol=0, atol=1e-9):
        raise TrialError("probabilities that do not sum to one")


def _estimators_of_others(model: Any) -> set[str]:
    return {
        type(part).__name__
        for part in walk(model)
        if isinstance(part, BaseEstimator) and not type(part).__module__.startswith("augury.")
    }


def _make_rows(model: Any, metadata: ModelMetadata, *, gaps: bool) -> Any:
    """Return rows of the model's columns; None if there are too many columns."""
    n_columns = len(metadata.columns)
    n_rows = min(MAX_ROWS, MAX_CELLS // max(n_columns, 1))
    if not n_columns or not n_rows:
        return None
    known, as_text = _known_values(model), _reads_text(model)
    columns = [
        _column(
            LABELS if column.kind is None and as_text else column.kind,
            known.get(column.name, []),
            n_rows,
            gaps=gaps,
        )
        for column in metadata.columns
    ]
    if metadata.named:
        names = [column.name for column in metadata.columns]
        return pd.DataFrame(dict(zip(names, columns, strict=True)))
    if all(column.dtype == np.float64 for column in columns):
        return np.column_stack(columns)
    return np.column_stack([column.astype(object) for column in columns])


def _known_values(model: Any) -> dict[str, list[Any]]:
    """Return labels, or numbers at the edges of intervals, of each column that has any."""
    known: dict[str, list[Any]] = {}
    for part in walk(model):
        for column in part._columns if isinstance(part, TableEncoder) else ():
            if isinstance(column, LabelColumn):
                labels = [state for state in column.states if isinstance(state, str | int | float)]
                known.setdefault(column.name, labels)
            elif isinstance(column, IntervalColumn):
                known.setdefault(column.name, column.cuts[:4].tolist())
    return known


def _reads_text(model: Any) -> bool:
    return any(getattr(part, "vectorizers", None) for part in walk(model))


def _column(kind: str | None, known: Sequence[Any], n_rows: int, *, gaps: bool) -> Array:
    """Return a column of `n_rows` values, as it may occur in a table."""
    values: list[Any]
    text = any(isinstance(value, str | bool) for value in known)
    if kind == OTHERS:
        return np.full(n_rows, np.datetime64("2020-01-01", "ns"))
    if kind == LABELS or (kind is None and text):
        # An unseen label and a missing value.
        values = [*known[:MAX_ROWS], *(["a label that is new", None] if gaps else [])]
        values = values or ["x"]
        return np.array([values[k % len(values)] for k in range(n_rows)], dtype=object)
    values = [*(value for value in known[:MAX_ROWS] if not isinstance(value, str | bool)), 0.0, 1.0]
    values += [np.nan] if gaps else []
    return np.array([values[k % len(values)] for k in range(n_rows)], dtype=np.float64)
