"""scikit-learn's own checks over every public estimator; none is expected to fail."""

import importlib
import inspect
import pkgutil

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

import augury
from augury.encode import EqualFrequencyDiscretizer, EqualWidthDiscretizer, MDLDiscretizer
from augury.generative import NaiveBayes

ESTIMATORS = [
    EqualFrequencyDiscretizer(),
    EqualWidthDiscretizer(),
    MDLDiscretizer(),
    NaiveBayes(),
    NaiveBayes(continuous="gaussian"),
]

# Estimators that scikit-learn's checks do not fit.
NOT_CHECKED = {
    "TableEncoder": "returns a CategoricalTable, which is not an array",
    "GenerativeClassifier": "an abstract base",
}


# scikit-learn itself skips its array-API check unless SCIPY_ARRAY_API is set, by a warning.
@pytest.mark.filterwarnings("default::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def test_every_public_estimator_is_checked():
    public = set()
    for folder in pkgutil.iter_modules(augury.__path__):
        module = importlib.import_module(f"augury.{folder.name}")
        for name in getattr(module, "__all__", []):
            thing = getattr(module, name)
            if inspect.isclass(thing) and issubclass(thing, BaseEstimator):
                public.add(name)
    checked = {type(estimator).__name__ for estimator in ESTIMATORS}
    assert public == checked | set(NOT_CHECKED)
