"""Models that are equal: the same counts, and the same probabilities up to rounding."""

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse
from sklearn.base import clone

from augury import AugmentedClassifier, LogisticRegression
from augury.generative import (
    AveragedOneDependence,
    BayesianNetworkClassifier,
    BernoulliNaiveBayes,
    CorrelationWeightedNaiveBayes,
    HiddenNaiveBayes,
    KDependenceBayes,
    LinearDiscriminantAnalysis,
    MultinomialNaiveBayes,
    NaiveBayes,
    PoissonNaiveBayes,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
    TreeAugmentedNaiveBayes,
)
from augury.hybrid.meta_features.original_column_cuts import OriginalColumnCuts
from tests.scale.tables import TARGET, WEIGHT

# Models whose statistics are counts, so that their sums are exact.
COUNT_MODELS = {
    "nb": NaiveBayes(),
    "nb, missing replaced": NaiveBayes(missing="replace"),
    "nb, missing ignored": NaiveBayes(missing="ignore"),
    "hnb": HiddenNaiveBayes(),
    "aode": AveragedOneDependence(),
    "a2de": AveragedOneDependence(n_parents=2),
    "tan": TreeAugmentedNaiveBayes(),
    "kdb": KDependenceBayes(),
    "network, acll": BayesianNetworkClassifier(structure_score="acll"),
    "network, k2": BayesianNetworkClassifier(structure_score="k2"),
    "network, bic": BayesianNetworkClassifier(structure_score="bic"),
    "correlation weights": CorrelationWeightedNaiveBayes(),
}
# Models whose statistics have means, which depend on the order of additions by rounding.
NUMBER_MODELS = {
    "nb, normal": NaiveBayes(continuous="gaussian"),
    "nb, intervals": NaiveBayes(continuous="interval"),
    "nb, kernels": NaiveBayes(continuous="kernel"),
    "lda": LinearDiscriminantAnalysis(),
    "qda": QuadraticDiscriminantAnalysis(),
    "rda": RegularizedDiscriminantAnalysis(alpha=0.5),
}
EVENT_MODELS = {
    "bernoulli": BernoulliNaiveBayes(),
    "multinomial": MultinomialNaiveBayes(),
    "poisson": PoissonNaiveBayes(),
}
EXACT = LogisticRegression(tol=1e-10)
REGRESSIONS = {
    "lr": EXACT,
    "lr, missing replaced": LogisticRegression(tol=1e-10, missing="replace"),
    "nb-lr": AugmentedClassifier(NaiveBayes(), clone(EXACT)),
    "hnb-lr": AugmentedClassifier(HiddenNaiveBayes(), clone(EXACT)),
    # The default, which does not cut the four meta-features, with a smaller tolerance.
    "hybrid": AugmentedClassifier(
        HiddenNaiveBayes(), LogisticRegression(tol=1e-10, discretizer=OriginalColumnCuts(4))
    ),
}
MIXED_MODELS = COUNT_MODELS | NUMBER_MODELS | REGRESSIONS


def fit_in_memory(model: Any, table: pd.DataFrame, *, weighted: bool) -> Any:
    """Fit a clone to all rows at once."""
    X = table.drop(columns=[TARGET, WEIGHT])
    return clone(model).fit(X, table[TARGET], table[WEIGHT] if weighted else None)


def assert_same_model(found: Any, expected: Any, table: pd.DataFrame) -> None:
    """Compare classes, statistics or coefficients, and the probabilities of all rows."""
    np.testing.assert_array_equal(found.classes_, expected.classes_)
    if hasattr(expected, "statistics_"):
        is_exact = type(expected).__name__ in _COUNTING and not _has_numbers(expected)
        assert_same_statistics(found.statistics_, expected.statistics_, 0 if is_exact else 1e-12)
    for one, other in zip(_regressions(found), _regressions(expected), strict=True):
        assert one.term_names_ == other.term_names_
        np.testing.assert_allclose(one.coef_, other.coef_, rtol=0, atol=1e-6)
        # A constant that is added to all intercepts changes nothing.
        intercepts = [each.intercept_ - each.intercept_.mean() for each in (one, other)]
        np.testing.assert_allclose(*intercepts, rtol=0, atol=1e-6)
    X = table.drop(columns=[TARGET, WEIGHT])
    accuracy = 1e-6 if list(_regressions(expected)) else 1e-12
    proba = expected.predict_proba(X)
    np.testing.assert_allclose(found.predict_proba(X), proba, rtol=0, atol=accuracy)


def assert_same_statistics(found: Any, expected: Any, tolerance: float, path: str = "") -> None:
    """Compare all arrays and numbers in statistics, whose sums may differ by rounding."""
    assert type(found) is type(expected), path
    if issparse(expected):
        found, expected = found.toarray(), expected.toarray()
    if isinstance(expected, np.ndarray | float) and np.asarray(expected).dtype.kind in "fiu":
        scale = float(np.abs(expected).max()) if np.size(expected) else 0.0
        np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * scale, err_msg=path)
    elif isinstance(expected, dict):
        assert_same_statistics(list(found), list(expected), tolerance, path)
        assert_same_statistics([*found.values()], [*expected.values()], tolerance, path)
    elif isinstance(expected, list | tuple):
        assert len(found) == len(expected), path
        for k, (one, other) in enumerate(zip(found, expected, strict=True)):
            assert_same_statistics(one, other, tolerance, f"{path}[{k}]")
    elif is_dataclass(expected):
        for each in fields(expected):
            one, other = getattr(found, each.name), getattr(expected, each.name)
            assert_same_statistics(one, other, tolerance, f"{path}.{each.name}")
    elif isinstance(expected, np.ndarray):
        np.testing.assert_array_equal(found, expected, err_msg=path)
    elif hasattr(expected, "__dict__"):
        assert_same_statistics(vars(found), vars(expected), tolerance, path)
    else:
        assert found == expected, path


_COUNTING = {type(model).__name__ for model in (COUNT_MODELS | EVENT_MODELS).values()}


def _has_numbers(model: Any) -> bool:
    return getattr(model, "continuous", "discretize") != "discretize"


def _regressions(model: Any) -> list[LogisticRegression]:
    last = getattr(model, "final_estimator_", model)
    return [last] if isinstance(last, LogisticRegression) else []
