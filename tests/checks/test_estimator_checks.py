"""scikit-learn's own checks over every public estimator; those that fail have a reason."""

import importlib
import inspect
import pkgutil

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

import augury
from augury.decide import CostClassifier, ThresholdClassifier
from augury.discriminative import LogisticRegression
from augury.generative import (
    AveragedOneDependence,
    MultinomialNaiveBayes,
    NaiveBayes,
    PoissonNaiveBayes,
    RegularizedDiscriminantAnalysis,
)
from augury.hybrid import (
    MaximumEntropyNaiveBayes,
    RegionLogisticRegression,
    RegionWeightedNaiveBayes,
)
from augury.models.catalogue import model_classes
from tests.versions import has_scikit_learn

# Estimators that scikit-learn's checks do not fit.
NOT_CHECKED = {
    "TableEncoder": "returns a CategoricalTable, which is not an array",
    "GenerativeClassifier": "an abstract base",
    "GivenNetwork": "its parameters are a whole network, and fit estimates nothing",
    "LogScoreClassifier": "an abstract base",
    "TableClassifier": "an abstract base",
    "PreprocessedClassifier": "has no default for its parameter estimator",
}
# Parameters that select other code than the defaults do.
VARIANTS = [
    NaiveBayes(continuous="gaussian"),
    NaiveBayes(continuous="interval"),
    NaiveBayes(continuous="kernel"),
    NaiveBayes(continuous="kernel", bandwidth="weka"),
    AveragedOneDependence(n_parents=2),
    RegularizedDiscriminantAnalysis(alpha=0.5, gamma=0.1),
    CostClassifier(LogisticRegression(tol=1e-10), estimate=True),
    ThresholdClassifier(LogisticRegression(tol=1e-10), "f1", precision=0.1),
]


def public_estimators():
    """Return all estimators that a folder of augury offers."""
    found = {}
    for folder in pkgutil.iter_modules(augury.__path__):
        module = importlib.import_module(f"augury.{folder.name}")
        for name in getattr(module, "__all__", []):
            thing = getattr(module, name)
            if inspect.isclass(thing) and issubclass(thing, BaseEstimator):
                found[name] = thing
    return found


def public_transformers():
    return [
        thing
        for name, thing in sorted(public_estimators().items())
        if hasattr(thing, "transform") and name not in NOT_CHECKED
    ]


CHECKED = [*model_classes(), *public_transformers(), CostClassifier, ThresholdClassifier]
ESTIMATORS = [make() for make in CHECKED] + VARIANTS


COUNT_MODELS = (
    MaximumEntropyNaiveBayes,
    MultinomialNaiveBayes,
    PoissonNaiveBayes,
    RegionLogisticRegression,
    RegionWeightedNaiveBayes,
)


def expected_failures(estimator):
    """Return the checks that an estimator cannot pass, with the reason."""
    check = "check_class_weight_classifiers"
    if isinstance(estimator, COUNT_MODELS):
        return {check: "it passes negative numbers, and the model reads counts"}
    if isinstance(estimator, NaiveBayes) and estimator.continuous == "kernel":
        return {check: "it has 50 rows, and narrow kernels outweigh prior odds of 10^7"}
    if isinstance(estimator, ThresholdClassifier) and not has_scikit_learn("1.7"):
        check = "check_sample_weight_equivalence_on_dense_data"
        return {check: "the two classes that it makes of three depend on the order of the rows"}
    return {}


# scikit-learn itself skips its array-API check unless SCIPY_ARRAY_API is set, by a warning.
@pytest.mark.filterwarnings("default::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_every_public_estimator_is_checked():
    assert set(public_estimators()) - set(NOT_CHECKED) <= {make.__name__ for make in CHECKED}
    assert set(NOT_CHECKED) <= set(public_estimators())
    assert len(ESTIMATORS) > 30
