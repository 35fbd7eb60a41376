"""What one model believes of rows, as numbers for another."""

from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import check_cv

from augury.arrays import Array
from augury.counts import floored_log
from augury.encode import MDLDiscretizer, take_rows
from augury.fitted_state import LARGEST_COEFFICIENT, check_coefficients, check_floats
from augury.generative import GenerativeClassifier
from augury.generative.leave_one_out import LeavesOneOut
from augury.instance_weights import weight_parameters, why_unweighted
from augury.validation import is_read_once

OUTPUTS = ("proba", "log_odds")
SCALINGS = ("range", "standardize")


def fit_to_codes(
    model: Any, X: Any, codes: Array, n_classes: int, weight: Array | None, owner: str
) -> Any:
    """Fit a clone to classes 0, 1, …; declared to models that read a categorical."""
    weights = weights_for(model, weight, owner)
    return clone(model).fit(X, declared(codes, n_classes), **weights)


def declared(codes: Array, n_classes: int) -> Any:
    """Return the classes 0, 1, … of rows as a categorical that declares all of them."""
    return pd.Categorical.from_codes(codes, categories=np.arange(n_classes))


def weights_for(model: Any, weight: Array | None, owner: str) -> dict[str, Array]:
    """Return the weights as `fit` of a model takes them; an error if it takes none."""
    if weight is None:
        return {}
    names = weight_parameters(model)
    if not names:
        raise ValueError(f"{owner}: sample_weight must be None, since {why_unweighted(model)}")
    return dict.fromkeys(names, weight)


def proba_of_declared(fitted: Any, X: Any, n_classes: int) -> Array:
    """Return p(c | x) of a model of codes, with a column for each declared class."""
    proba = np.zeros((X.shape[0], n_classes))
    proba[:, np.asarray(fitted.classes_, dtype=np.intp)] = fitted.predict_proba(X)
    return proba


def fit_and_ask(
    model: Any,
    X: Any,
    codes: Array,
    n_classes: int,
    weight: Array | None,
    cv: Any,
    owner: str,
) -> tuple[Any, Array]:
    """Return a model that was fitted to all rows, and p(c | x) of the rows as `cv` says.

    See `GenerativeFeatures`.
    """
    is_loo = isinstance(cv, str)
    if (cv is None or is_loo) and _reads_once(model) and (weight is None or weight.all()):
        fitted = clone(model)
        training = fitted.read_training(X, declared(codes, n_classes), weight)
        fitted.fit_read(training)
        ask = fitted.leave_one_out_read if is_loo else fitted.predict_proba_read
        return fitted, ask(training)
    fitted = fit_to_codes(model, X, codes, n_classes, weight, owner)
    if cv is None:
        return fitted, proba_of_declared(fitted, X, n_classes)
    if is_loo:
        y = declared(codes, n_classes)
        return fitted, np.asarray(
            fitted.leave_one_out_proba(X, y, **weights_for(model, weight, owner))
        )
    proba = np.full((len(codes), n_classes), np.nan)
    source = X.source if is_read_once(X) else X
    for others, asked in check_cv(cv, codes, classifier=True).split(source, codes):
        train, test = _mask(others, len(codes)), _mask(asked, len(codes))
        heavy = None if weight is None else weight[train]
        if heavy is not None and not heavy.any():
            raise ValueError(
                f"{owner}: sample_weight must be above zero for some training rows of each fold, "
                "got a fold without any: spread the weight over more rows, or take cv=None"
            )
        part = fit_to_codes(model, take_rows(X, train), codes[train], n_classes, heavy, owner)
        proba[test] = proba_of_declared(part, take_rows(X, test), n_classes)
    missed = np.isnan(proba[:, 0])
    if missed.any():
        raise ValueError(
            f"{owner}: cv must have every row in a test fold, row {missed.argmax()} is in none"
        )
    return fitted, proba


def _reads_once(model: Any) -> bool:
    """Return whether what the model has read for `fit` can be asked about."""
    return isinstance(model, LeavesOneOut) and type(model).fit is GenerativeClassifier.fit


def _mask(rows: Array, n_rows: int) -> Array:
    mask = np.zeros(n_rows, dtype=bool)
    mask[rows] = True
    return mask


def opinion_columns(proba: Array, output: str) -> Array:
    """Return probabilities as they are, or as log odds.

    Of two classes the log odds are those of the second; of more, log p less its mean over
    the classes.

    >>> opinion_columns(np.array([[0.2, 0.8]]), "log_odds").round(3)  # log 4
    array([[1.386]])
    """
    if output == "proba":
        return proba
    log_proba = floored_log(proba)
    if proba.shape[1] == 2:
        return log_proba[:, 1:] - log_proba[:, :1]
    return np.asarray(log_proba - log_proba.mean(axis=1, keepdims=True))


def opinion_names(classes: Array, output: str, taken: set[str]) -> list[str]:
    """Return a name for each column, none of those that are taken."""
    if output == "proba":
        names = [f"p({c})" for c in classes]
    else:
        names = [f"log_odds({c})" for c in (classes[1:] if len(classes) == 2 else classes)]
    while taken & set(names):
        names = [f"{name}'" for name in names]
    return names


class Scaler:
    """Brings columns into the range from 0 to 1, or to mean 0 and variance 1.

    A column that does not vary becomes 0.

    >>> Scaler("range", np.array([[2.0], [4.0]])).scale(np.array([[3.0], [6.0]])).T
    array([[0.5, 2. ]])
    """

    def __init__(self, scaling: str | None, columns: Array, weight: Array | None = None) -> None:
        shift, width = np.zeros(columns.shape[1]), np.ones(columns.shape[1])
        if scaling == "range":
            counted = columns if weight is None else columns[weight > 0]
            shift = counted.min(axis=0)
            width = counted.max(axis=0) - shift
        elif scaling == "standardize":
            shift = np.average(columns, axis=0, weights=weight)
            width = np.sqrt(np.average((columns - shift) ** 2, axis=0, weights=weight))
        self._shift, self._width = shift, np.where(width > 0, width, 1.0)

    def _check_fitted_state(self) -> None:
        n_columns = len(check_coefficients(self, "_shift", None))
        check_floats(self, "_width", n_columns, low=1 / LARGEST_COEFFICIENT)

    def scale(self, columns: Array) -> Array:
        """Return columns scaled."""
        return np.asarray((columns - self._shift) / self._width)


class OriginalColumnCuts(BaseEstimator):
    """MDL's cuts of all columns of numbers but the last: opinions stay uncut, and are numbers.

    Cuts of opinions would be found by the classes of the rows that the opinions are about:
    in docs/results/augmentation.md they cost every hybrid accuracy and log loss.

    Parameters
    ----------
    n_opinions : number of the last columns, which have no cut
    n_jobs : int or None
        Threads.

    Examples
    --------
    >>> X = np.array([[1.0, 1.0], [2.0, 2.0], [7.0, 7.0], [9.0, 9.0]])
    >>> OriginalColumnCuts(n_opinions=1).fit(X, [0, 0, 1, 1]).cut_points_
    [array([4.5]), array([], dtype=float64)]
    """

    def __init__(self, n_opinions: int = 0, n_jobs: int | None = None) -> None:
        self.n_opinions = n_opinions
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags

    def _check_fitted_state(self) -> None:
        """Nothing that it has found is used: it is a parameter of an encoder."""

    def fit(self, X: Array, y: Any, sample_weight: Array | None = None) -> Self:
        """Find the cut points."""
        original = X[:, : X.shape[1] - self.n_opinions]
        self.cut_points_ = [np.empty(0)] * X.shape[1]
        if original.shape[1]:
            found = MDLDiscretizer(n_jobs=self.n_jobs).fit(original, y, sample_weight)
            self.cut_points_[: original.shape[1]] = found.cut_points_
        return self
