"""A fold computes its predictions once and reads each column once."""

from collections import Counter
from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.model_selection import FixedThresholdClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from augury.data import Dataset
from augury.discriminative import (
    C45Tree,
    KNearestNeighbors,
    LiblinearLogisticRegression,
    LinearSVM,
    LogisticRegression,
)
from augury.encode import TidyColumns
from augury.encode.readers import pandas_reader
from augury.ensemble import BaggedNetworks, BoostedNaiveBayes
from augury.evaluate.folds import number_folds, prepare_table, run_fold
from augury.evaluate.weka_folds import WekaFolds
from augury.generative import AveragedOneDependence, HiddenNaiveBayes, NaiveBayes
from augury.hybrid import (
    AugmentedClassifier,
    BlendedNaiveBayes,
    HBayesNB,
    IndependenceSplit,
    RegionWeightedNaiveBayes,
)
from augury.models.preprocessed_classifier import PreprocessedClassifier
from augury.predict_once import has_predict_with_proba, predict_once

RNG = np.random.default_rng(0)
N_ROWS = 91  # in 10 folds, no part has as many rows as another
X = pd.DataFrame(
    {
        "sky": RNG.choice(["sun", "rain", "fog"], N_ROWS),
        "wind": RNG.normal(size=N_ROWS),
        "dry": RNG.choice(["yes", "no"], N_ROWS),
    }
)
Y = pd.Series(np.where(X["wind"] + (X["sky"] == "sun") > 0.3, "out", "in"), dtype="category")
MODELS = [
    NaiveBayes(),
    NaiveBayes(continuous="gaussian"),
    HiddenNaiveBayes(),
    AveragedOneDependence(),
    LogisticRegression(),
    LiblinearLogisticRegression(random_state=0),
    LinearSVM(random_state=0),
    KNearestNeighbors(),
    C45Tree(),
    AugmentedClassifier(),
    AugmentedClassifier(HiddenNaiveBayes()),
    AugmentedClassifier(NaiveBayes(), PreprocessedClassifier(GaussianNB())),
    AugmentedClassifier(NaiveBayes(), LinearSVM(random_state=0)),
    BlendedNaiveBayes(),
    HBayesNB(),
    IndependenceSplit(),
    BoostedNaiveBayes(n_estimators=3),
    BaggedNetworks(n_estimators=3, random_state=0),
    PreprocessedClassifier(CalibratedClassifierCV(SVC(), ensemble=False)),
    PreprocessedClassifier(FixedThresholdClassifier(GaussianNB(), threshold=0.9)),
]


@pytest.fixture
def calls(monkeypatch):
    """Count the methods that compute predictions, and the reads of each column by its rows."""
    counts = Counter()

    def counting(function, key):
        def count(*arguments, **options):
            counts[key(*arguments)] += 1
            return function(*arguments, **options)

        return count

    monkeypatch.setattr(pandas_reader, "_FEW_ROWS", 0)  # few rows are read all at once
    for name in ("_read_labels", "_read_numbers"):
        monkeypatch.setattr(
            pandas_reader,
            name,
            counting(getattr(pandas_reader, name), lambda series: (series.name, len(series))),
        )
    for kind, name in ((NaiveBayes, "_log_joint"), (LogisticRegression, "_predict_log_scores")):
        key = partial(_kind_and_rows, kind)
        monkeypatch.setattr(kind, name, counting(getattr(kind, name), key))
    return counts


def _kind_and_rows(kind, _, rows):
    return kind.__name__, len(getattr(rows, "codes", rows))


def _run_first_fold(model):
    table = prepare_table(Dataset(X, Y, "walks", "out", ""), "honest")
    fold = number_folds(WekaFolds(n_splits=10, n_repeats=1), table)[0]
    return fold, run_fold(table, "model", model, fold)


@pytest.mark.parametrize(
    "model",
    [NaiveBayes(), LogisticRegression(), AugmentedClassifier(), AugmentedClassifier(cv=None)],
    ids=str,
)
@pytest.mark.parametrize("behind", ["nothing", "TidyColumns"])
def test_a_fold_predicts_once(model, behind, calls):
    whole = model if behind == "nothing" else make_pipeline(TidyColumns(read_numbers=False), model)
    fold, _ = _run_first_fold(whole)
    n_train, n_test = len(fold.train), len(fold.test)
    parts = {"NaiveBayes", "LogisticRegression"}
    predictions = {name: n for (name, rows), n in calls.items() if name in parts and rows == n_test}
    own = parts if isinstance(model, AugmentedClassifier) else {type(model).__name__}
    assert predictions == dict.fromkeys(own, 1)
    if behind == "nothing":
        reads = {key: n for key, n in calls.items() if key[0] not in parts}
        assert reads == {(name, n): 1 for name in X for n in (n_train, n_test)}


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_both_are_what_the_two_methods_return(model):
    fitted = clone(model).fit(X, Y)
    found = predict_once(fitted, X)
    np.testing.assert_array_equal(found.predicted, fitted.predict(X))
    assert (found.probabilities is None) == (not hasattr(fitted, "predict_proba"))
    if found.probabilities is not None:
        np.testing.assert_array_equal(found.probabilities, fitted.predict_proba(X))


def test_a_tie_after_rounding_goes_where_predict_sends_it():
    # log p(b, x) is the larger of the two, by less than the probabilities can express.
    model = NaiveBayes().fit([["u"], ["v"]], ["a", "b"])
    model.log_prior_ = np.array([-0.1, np.nextafter(-0.1, 0.0)])
    found = predict_once(model, [["w"]])
    assert found.probabilities[0, 0] == found.probabilities[0, 1]
    assert found.predicted.tolist() == model.predict([["w"]]).tolist() == ["b"]


def test_regions_predict_once():
    counts = RNG.poisson(1.0, size=(40, 4))
    y = np.where(counts[:, 0] > counts[:, 1], "a", "b")
    model = RegionWeightedNaiveBayes(regions={"u": [0, 1], "v": [2, 3]}).fit(counts, y)
    assert has_predict_with_proba(model)
    found = predict_once(model, counts)
    np.testing.assert_array_equal(found.predicted, model.predict(counts))
    np.testing.assert_array_equal(found.probabilities, model.predict_proba(counts))


def test_a_subclass_that_decides_otherwise_is_asked_twice():
    class Contrary(NaiveBayes):
        def predict(self, X):
            return self.classes_[np.argmin(self.predict_joint_log_proba(X), axis=1)]

    fitted = Contrary().fit(X, Y)
    assert not has_predict_with_proba(fitted)
    np.testing.assert_array_equal(predict_once(fitted, X).predicted, fitted.predict(X))


def test_the_steps_of_a_pipeline_transform_once():
    class Counting(StandardScaler):
        n_calls = 0

        def transform(self, X):
            type(self).n_calls += 1
            return super().transform(X)

    numbers, y = load_iris(return_X_y=True)
    for last in (GaussianNB(), make_pipeline("passthrough", GaussianNB())):
        fitted = make_pipeline(Counting(), None, last).fit(numbers, y)
        Counting.n_calls = 0
        found = predict_once(fitted, numbers)
        assert Counting.n_calls == 1
        np.testing.assert_array_equal(found.predicted, fitted.predict(numbers))
        np.testing.assert_array_equal(found.probabilities, fitted.predict_proba(numbers))
