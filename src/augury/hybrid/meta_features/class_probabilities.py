"""Class probabilities of the models inside a hybrid."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv

from augury.arrays import Array, BoolArray
from augury.encode import take_rows
from augury.foreign import Classifier, Splitter, Table
from augury.generative import GenerativeClassifier
from augury.generative.leave_one_out import LeavesOneOut
from augury.hybrid.inner_models.fitting import (
    declared_codes,
    fit_to_codes,
    require_no_labels,
    weight_arguments,
)
from augury.validation import is_read_once

# How the probabilities of training rows are computed: see `GenerativeFeatures`.
Folds = Splitter | Iterable[tuple[Array, Array]] | int | str | None


def predict_declared_proba(fitted: Any, X: Table, n_classes: int) -> Array:
    """Return p(c | x) of a model of codes, with a column for each declared class."""
    proba = np.zeros((X.shape[0], n_classes))
    proba[:, np.asarray(fitted.classes_, dtype=np.intp)] = fitted.predict_proba(X)
    return proba


def fit_and_predict(
    model: Classifier,
    X: Table,
    codes: Array,
    n_classes: int,
    weight: Array | None,
    cv: Folds,
    owner: str,
) -> tuple[Any, Array]:
    """Return a model fitted to all rows, and p(c | x) of the training rows.

    `cv` states which rows the probabilities of a row are estimated from: see
    `GenerativeFeatures`.
    """
    require_no_labels(model, owner)
    is_loo = isinstance(cv, str)
    if (cv is None or is_loo) and _keeps_read_rows(model) and (weight is None or weight.all()):
        fitted = clone(model)
        training = fitted.read_training(X, declared_codes(codes, n_classes), weight)
        fitted.fit_read(training)
        predict = fitted.leave_one_out_read if is_loo else fitted.predict_proba_read
        return fitted, predict(training)
    fitted = fit_to_codes(model, X, codes, n_classes, weight, owner)
    if cv is None:
        return fitted, predict_declared_proba(fitted, X, n_classes)
    if is_loo:
        y = declared_codes(codes, n_classes)
        return fitted, np.asarray(
            fitted.leave_one_out_proba(X, y, **weight_arguments(model, weight, owner))
        )
    proba = np.full((len(codes), n_classes), np.nan)
    for others, left_out in check_cv(cv, codes, classifier=True).split(_source(X), codes):
        train, test = _mask(others, len(codes)), _mask(left_out, len(codes))
        heavy = None if weight is None else weight[train]
        if heavy is not None and not heavy.any():
            raise ValueError(
                f"{owner}: sample_weight must be above zero for some training rows of each fold, "
                "got a fold without any: spread the weight over more rows, or take cv=None"
            )
        part = fit_to_codes(model, take_rows(X, train), codes[train], n_classes, heavy, owner)
        proba[test] = predict_declared_proba(part, take_rows(X, test), n_classes)
    missed = np.isnan(proba[:, 0])
    if missed.any():
        raise ValueError(
            f"{owner}: cv must have every row in a test fold, row {missed.argmax()} is in none"
        )
    return fitted, proba


def _source(X: Table) -> Table:
    """Return the rows as splitters understand them."""
    if not is_read_once(X):
        return X
    return np.zeros((X.shape[0], 1)) if X.source is None else X.source


def _keeps_read_rows(model: Classifier) -> bool:
    """Return whether the rows that `fit` has read can be predicted without reading again."""
    return isinstance(model, LeavesOneOut) and type(model).fit is GenerativeClassifier.fit


def _mask(rows: Array, n_rows: int) -> BoolArray:
    mask = np.zeros(n_rows, dtype=bool)
    mask[rows] = True
    return mask
