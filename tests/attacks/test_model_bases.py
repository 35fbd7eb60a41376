"""Issue 11, section "Models": bases that are abstract, and leave-one-out that is optional."""

import importlib
import inspect
import pkgutil

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import augury
from augury.counts import FeatureCounts, laplace_log_probability, laplace_log_table
from augury.ensemble import BoostedNaiveBayes
from augury.generative import GenerativeClassifier, NaiveBayes
from augury.generative.bases.categorical_classifier import CategoricalClassifier
from augury.generative.leave_one_out import LeavesOneOut
from augury.hybrid import AugmentedClassifier, GenerativeFeatures
from augury.kernels import add_log_factors

X = pd.DataFrame({"sky": list("srsrsrss"), "wind": list("aabbabba")})
Y = np.array(["out", "in", "out", "in", "in", "in", "out", "out"])


def classes_with_abstract_methods():
    """Return every class of augury that declares an abstract method in its own body."""
    found = []
    for module in pkgutil.walk_packages(augury.__path__, "augury."):
        if module.name.endswith("__main__"):
            continue
        for _, thing in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            own = any(getattr(part, "__isabstractmethod__", False) for part in vars(thing).values())
            if own and thing.__module__ == module.name:
                found.append(thing)
    return found


ABSTRACT = classes_with_abstract_methods()


# "@abstractmethod has no effect, since no base is an ABC: an empty subclass of
# GenerativeClassifier fits and predicts None. Make the bases real …"
@pytest.mark.parametrize("base", ABSTRACT, ids=lambda c: c.__name__)
def test_an_empty_subclass_of_a_base_cannot_be_made(base):
    empty = type("Empty", (base,), {})
    with pytest.raises(TypeError, match="Can't instantiate abstract class Empty"):
        empty()


def test_every_base_was_found():
    names = {base.__name__ for base in ABSTRACT}
    assert {
        "GenerativeClassifier",
        "LeavesOneOut",
        "EventModel",
        "PairModel",
        "SearchedNetwork",
        "DiscriminantAnalysis",
        "ExplainsLogOdds",
        "GenerativeEnsemble",
        "LiblinearModel",
        "CutPointDiscretizer",
    } <= names


class OwnModel(CategoricalClassifier):
    """A count model as CONTRIBUTING asks for one: naive Bayes, without leave-one-out."""

    def __init__(
        self,
        alpha=1.0,
        categorical_features="from_dtype",
        missing="state",
        discretizer="mdl",
        n_jobs=None,
    ):
        self.alpha = alpha
        self.categorical_features = categorical_features
        self.missing = missing
        self.discretizer = discretizer
        self.n_jobs = n_jobs

    def _check_parameters(self):
        pass

    def _collect(self, table, y, weight):
        return FeatureCounts.collect(table.codes, table.n_states, y, len(self.classes_), weight)

    def _estimate(self, statistics):
        self.log_prior_ = laplace_log_probability(statistics.class_counts, self.alpha)
        self._log_table = laplace_log_table(statistics, self.alpha)
        self._offsets = statistics.offsets

    def _log_joint(self, table):
        joint = np.tile(self.log_prior_, (table.n_samples, 1))
        add_log_factors(table.codes, self._log_table, self._offsets, joint)
        return joint


# "… make leave-one-out optional for a count model, as CONTRIBUTING says, with a clear message
# from hybrids that need it."
def test_four_methods_make_a_model():
    expected = NaiveBayes().fit(X, Y)
    model = clone(OwnModel()).fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(X), expected.predict_proba(X))
    assert not hasattr(model, "leave_one_out_proba")
    batches = OwnModel().partial_fit(X, Y, classes=["in", "out"]).partial_fit(X, Y)
    twice = OwnModel().fit(pd.concat([X, X]), np.tile(Y, 2))
    np.testing.assert_allclose(batches.predict_proba(X), twice.predict_proba(X))
    parts = model.collect(X[:3], Y[:3]) + model.collect(X[3:], Y[3:])
    np.testing.assert_allclose(
        model.fit_statistics(parts).predict_log_proba(X), expected.predict_log_proba(X)
    )
    boosted = BoostedNaiveBayes(OwnModel(), n_estimators=3).fit(X, Y)
    assert len(boosted.estimators_) >= 1


@pytest.mark.parametrize("cv", [None, 2, "auto"])
def test_a_model_without_leave_one_out_is_asked_by_folds(cv):
    rows, y = pd.concat([X] * 3), np.tile(Y, 3)
    own = AugmentedClassifier(OwnModel(), cv=cv).fit(rows, y)
    same = AugmentedClassifier(NaiveBayes(), cv=5 if cv == "auto" else cv).fit(rows, y)
    np.testing.assert_allclose(own.predict_proba(X), same.predict_proba(X), rtol=1e-6)


@pytest.mark.parametrize("hybrid", [AugmentedClassifier, GenerativeFeatures])
def test_a_hybrid_that_needs_leave_one_out_says_which_class_lacks_it_and_what_to_do(hybrid):
    with pytest.raises(
        TypeError,
        match=rf"^{hybrid.__name__}: cv='loo' needs .*NaiveBayes.*OwnModel cannot leave a row out "
        r"of its counts; take folds instead, for example cv=5",
    ):
        hybrid(OwnModel(), cv="loo").fit(X, Y)


def test_models_that_promise_leave_one_out_must_write_it():
    promised = type("Promised", (LeavesOneOut, OwnModel), {})
    with pytest.raises(TypeError, match="_log_joint_without"):
        promised()
    assert issubclass(NaiveBayes, LeavesOneOut)
    assert issubclass(LeavesOneOut, GenerativeClassifier)
