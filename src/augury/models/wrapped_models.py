"""The model that decides, inside Pipelines, searches and other wrappers."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.pipeline import Pipeline

from augury.decide.decision_classifier import DecisionClassifier
from augury.encode.columns import column_names
from augury.instance_weights import sklearn_classes

# Wrappers of one model, which is their parameter `estimator`.
_WRAPPERS = {
    "BaseSearchCV",
    "CalibratedClassifierCV",
    "DecisionClassifier",
    "FixedThresholdClassifier",
    "FrozenEstimator",
    "GridSearchCV",
    "HalvingGridSearchCV",
    "HalvingRandomSearchCV",
    "PreprocessedClassifier",
    "RandomizedSearchCV",
    "TunedThresholdClassifierCV",
}


@dataclass(frozen=True, slots=True)
class DecidingPart:
    """The fitted model that decides, and rows as it reads them.

    Attributes
    ----------
    estimator : fitted classifier
        Its probabilities of `rows` are those of the whole model.
    rows : data frame, array or sparse matrix
        The rows after the steps before the model.
    names : list of str
        The names of the columns of `rows`.
    """

    estimator: Any
    rows: Any
    names: list[str]

    def keeps_columns_of(self, X: Any) -> bool:
        """Return whether the rows are columns of X, values changed at most one by one."""
        return isinstance(self.rows, pd.DataFrame) and set(self.names) <= set(map(str, X.columns))


def find_deciding_part(fitted: Any, X: pd.DataFrame) -> DecidingPart:
    """Return the model that decides inside a fitted model, and X as it reads it.

    Pipelines, also nested ones, searches, and decisions by costs or a threshold are opened.
    Wrappers that change the probabilities, such as `CalibratedClassifierCV`, are not.

    Examples
    --------
    >>> from augury.encode import TidyColumns
    >>> from augury.generative import NaiveBayes
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain"], "country": "NO"})
    >>> model = Pipeline([("columns", TidyColumns()), ("model", NaiveBayes())])
    >>> part = find_deciding_part(model.fit(X, ["out", "out", "in", "in"]), X)
    >>> part.estimator, part.names
    (NaiveBayes(), ['sky'])
    """
    rows: Any = X
    names = [str(name) for name in X.columns]
    while (inner := _inner_model(fitted)) is not None:
        if isinstance(fitted, Pipeline) and len(fitted.steps) > 1:
            before = fitted[:-1]
            rows = before.transform(rows)
            names = _names_of(rows, before, names)
        fitted = inner
    return DecidingPart(fitted, rows, names)


def deciding_model(fitted: Any) -> Any:
    """Return the model that decides inside a fitted model; see `find_deciding_part`.

    >>> from augury.generative import NaiveBayes
    >>> inner = Pipeline([("model", NaiveBayes())]).fit([["a"], ["b"]], [0, 1])
    >>> deciding_model(Pipeline([("inner", inner)]))
    NaiveBayes()
    """
    while (inner := _inner_model(fitted)) is not None:
        fitted = inner
    return fitted


def _inner_model(fitted: Any) -> Any:
    """Return the model inside a fitted Pipeline, search, decision or frozen estimator, or None."""
    kinds = sklearn_classes(fitted)
    if isinstance(fitted, Pipeline):
        last = fitted.steps[-1][1]
        return None if isinstance(last, str | NoneType) else last
    if "BaseSearchCV" in kinds and hasattr(fitted, "best_estimator_"):
        return fitted.best_estimator_
    if isinstance(fitted, DecisionClassifier):
        return getattr(fitted, "estimator_", None)
    return fitted.estimator if "FrozenEstimator" in kinds else None


def find_decision(fitted: Any) -> DecisionClassifier | None:
    """Return the part of a fitted model that decides by costs or a threshold; None without one."""
    while fitted is not None and not isinstance(fitted, DecisionClassifier):
        fitted = _inner_model(fitted)
    return fitted


def _names_of(rows: Any, before: Pipeline, names: list[str]) -> list[str]:
    if isinstance(rows, pd.DataFrame):
        return [str(name) for name in rows.columns]
    try:
        return [str(name) for name in before.get_feature_names_out(np.array(names, dtype=object))]
    except (AttributeError, ValueError):  # a step does not say what its columns are
        n_columns = rows.shape[1]
        return [f"x{j}" for j in range(n_columns)] if sparse.issparse(rows) else column_names(rows)


def final_estimator(model: Any) -> Any:
    """Return the innermost model of Pipelines and wrappers, fitted or not.

    >>> from augury.discriminative import C45Tree
    >>> final_estimator(Pipeline([("model", Pipeline([("tree", C45Tree())]))]))
    C45Tree()
    """
    while True:
        if isinstance(model, Pipeline):
            inner = model.steps[-1][1]
        elif _is_wrapper(type(model)):
            inner = model.estimator
        else:
            return model
        if not hasattr(inner, "fit"):
            return model
        model = inner


def _is_wrapper(kind: type) -> bool:
    return any(
        each.__name__ in _WRAPPERS and each.__module__.split(".")[0] in ("augury", "sklearn")
        for each in kind.__mro__
    )


def unwrap_description(
    described: Mapping[str, Any],
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return what comes before the innermost model of a description, and that model.

    Parameters
    ----------
    described : mapping
        As `augury.experiments.fingerprints.describe_model` returns it.

    Returns
    -------
    before : list of dict
        The earlier steps of Pipelines, and wrappers without their `estimator`; outermost
        first.
    model : dict
        Class and parameters of the innermost model.

    Examples
    --------
    >>> tidy = {"class": "augury.encode.TidyColumns"}
    >>> nb = {"class": "augury.generative.NaiveBayes", "alpha": 1.0}
    >>> steps = [["columns", tidy], ["model", nb]]
    >>> unwrap_description({"class": "sklearn.pipeline.Pipeline", "steps": steps}) == ([tidy], nb)
    True
    """
    before: list[dict[str, Any]] = []
    model = dict(described)
    while True:
        package, _, kind = str(model.get("class", "")).rpartition(".")
        if kind == "Pipeline" and (steps := model.get("steps")):
            inner = steps[-1][1]
            outer = [step for _, step in steps[:-1] if isinstance(step, dict)]
        elif kind in _WRAPPERS and package.split(".")[0] in ("augury", "sklearn"):
            inner = model.get("estimator")
            outer = [{name: value for name, value in model.items() if name != "estimator"}]
        else:
            return before, model
        if not isinstance(inner, dict) or "class" not in inner:
            return before, model
        before, model = [*before, *outer], inner


__all__ = [
    "DecidingPart",
    "deciding_model",
    "final_estimator",
    "find_deciding_part",
    "find_decision",
    "unwrap_description",
]
