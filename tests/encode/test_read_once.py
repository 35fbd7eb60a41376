"""A fit and a prediction read each column once, also in models that contain models."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression as PlainRegression

from augury.discriminative import (
    C45Tree,
    KNearestNeighbors,
    LiblinearLogisticRegression,
    LinearSVM,
    LogisticRegression,
)
from augury.encode.columns import read_nominal, read_numbers, read_once, slice_rows, take_rows
from augury.encode.readers import pandas_reader
from augury.generative import HiddenNaiveBayes, NaiveBayes
from augury.hybrid import (
    AugmentedClassifier,
    BiasVarianceSplit,
    BlendedNaiveBayes,
    GenerativeFeatures,
    HBayesNB,
    IndependenceSplit,
    InformationSplit,
    NormalitySplit,
    SplitClassifier,
)

RNG = np.random.default_rng(0)
X = pd.DataFrame(
    {
        "sky": RNG.choice(["sun", "rain", "fog"], 90),
        "wind": RNG.normal(size=90),
        "dry": RNG.choice(["yes", "no"], 90),
    }
)
Y = np.where(X["wind"] + (X["sky"] == "sun") > 0.3, "out", "in")


@pytest.fixture
def reads(monkeypatch):
    """Count how often each column of a frame is read."""
    counts = Counter()

    def counting(read):
        def count(series):
            counts[series.name] += 1
            return read(series)

        return count

    for name in ("_read_labels", "_read_numbers"):
        monkeypatch.setattr(pandas_reader, name, counting(getattr(pandas_reader, name)))
    return counts


@pytest.mark.parametrize(
    "model",
    [
        NaiveBayes(),
        LogisticRegression(),
        LogisticRegression(continuous="standardize"),
        AugmentedClassifier(),
        AugmentedClassifier(HiddenNaiveBayes()),
        AugmentedClassifier(cv=5),
        AugmentedClassifier(cv=None),
        AugmentedClassifier(final_estimator=PlainRegression(), encoding="onehot"),
        AugmentedClassifier(final_estimator=PlainRegression(), encoding="none"),
        LiblinearLogisticRegression(),
        LinearSVM(),
        C45Tree(),
        KNearestNeighbors(),
        SplitClassifier(["wind"]),
        SplitClassifier(["sky"]),
        SplitClassifier(["sky"], generative=HiddenNaiveBayes()),
        HBayesNB(),
        InformationSplit(),
        BiasVarianceSplit(),
        IndependenceSplit(),
        NormalitySplit(),
        BlendedNaiveBayes(),
    ],
    ids=str,
)
def test_each_column_is_read_once(model, reads):
    once = {"sky": 1, "wind": 1, "dry": 1}
    model.fit(X, Y)
    assert reads == once
    reads.clear()
    model.predict(X)
    assert reads == once


@pytest.mark.parametrize("cv", [None, 3, "loo"])
@pytest.mark.parametrize("encoding", ["as_is", "ordinal", "onehot", "onehot+numeric", "none"])
def test_features_are_computed_from_columns_read_once(encoding, cv, reads):
    once = {"sky": 1, "wind": 1, "dry": 1}
    features = GenerativeFeatures(encoding=encoding, cv=cv)
    features.fit_transform(X, Y)
    assert reads == once
    reads.clear()
    features.transform(X)
    assert reads == once


def test_columns_are_those_of_the_table():
    whole = read_once(X)
    read_numbers(whole, np.array([1]))
    part = whole.take_columns([2, 1])
    assert part.shape == (90, 2)
    assert part.column_names() == ["dry", "wind"]
    assert part.are_nominal() == [True, False]
    np.testing.assert_array_equal(read_numbers(part, np.array([1]))[:, 0], X["wind"])
    [dry] = read_nominal(part, np.array([0]))
    assert [dry.labels[code] for code in dry.codes] == X["dry"].tolist()


def test_rows_are_those_of_the_table():
    whole, some = read_once(X), np.arange(90) % 3 == 0
    for table, rows in (
        (take_rows(whole, some), some),
        (slice_rows(whole, slice(5, 9)), slice(5, 9)),
    ):
        assert table.shape == X[rows].shape
        np.testing.assert_array_equal(read_numbers(table, np.array([1]))[:, 0], X["wind"][rows])
        [sky] = read_nominal(table, np.array([0]))
        assert [sky.labels[code] for code in sky.codes] == X["sky"][rows].tolist()


def test_a_table_read_in_blocks_stays_as_it_is(read_in_blocks_of):
    read_in_blocks_of(30)
    assert read_once(X) is X


def test_the_hybrid_has_the_same_columns_in_blocks(read_in_blocks_of):
    model = AugmentedClassifier(HiddenNaiveBayes()).fit(X, Y)
    expected = model.predict_proba(X)
    assert model.final_estimator_.feature_names_in_.tolist() == [
        "sky",
        "wind",
        "dry",
        "log_odds(out)",
    ]
    read_in_blocks_of(30)
    np.testing.assert_allclose(model.predict_proba(X), expected, rtol=1e-9)
