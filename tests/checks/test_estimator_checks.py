"""scikit-learn's own checks over every public estimator; none is expected to fail."""

import importlib
import inspect
import pkgutil

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

import augury
from augury.generative import AveragedOneDependence, NaiveBayes, RegularizedDiscriminantAnalysis

# Estimators that scikit-learn's checks do not fit.
NOT_CHECKED = {
    "TableEncoder": "returns a CategoricalTable, which is not an array",
    "GenerativeClassifier": "an abstract base",
}


def public_estimators():
    """All estimators that a folder of augury offers, as they come without parameters."""
    found = {}
    for folder in pkgutil.iter_modules(augury.__path__):
        module = importlib.import_module(f"augury.{folder.name}")
        for name in getattr(module, "__all__", []):
            thing = getattr(module, name)
            if inspect.isclass(thing) and issubclass(thing, BaseEstimator):
                found[name] = thing
    return {name: found[name] for name in sorted(found)}


ESTIMATORS = [make() for name, make in public_estimators().items() if name not in NOT_CHECKED] + [
    NaiveBayes(continuous="gaussian"),
    NaiveBayes(continuous="interval"),
    AveragedOneDependence(n_parents=2),
    RegularizedDiscriminantAnalysis(alpha=0.5, gamma=0.1),
]


# scikit-learn itself skips its array-API check unless SCIPY_ARRAY_API is set, by a warning.
@pytest.mark.filterwarnings("default::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_nothing_is_left_out_that_does_not_exist():
    assert set(NOT_CHECKED) <= set(public_estimators())
    assert len(ESTIMATORS) > 10
