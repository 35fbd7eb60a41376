"""A fit and a prediction read each column once, in models that contain models too."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest

from augury.discriminative import LogisticRegression
from augury.encode.columns import read_nominal, read_numbers, read_once, slice_rows, take_rows
from augury.encode.readers import pandas_reader
from augury.generative import HiddenNaiveBayes, NaiveBayes
from augury.hybrid import AugmentedClassifier

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
    ],
    ids=str,
)
def test_each_column_is_read_once(model, reads):
    once = {"sky": 1, "wind": 1, "dry": 1}
    model.fit(X, Y)
    assert reads == once
    reads.clear()
    model.predict_proba(X)
    assert reads == once


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
