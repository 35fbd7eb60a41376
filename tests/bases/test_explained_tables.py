"""Tables and classes that `explain` gets: as `fit` and `predict` read them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from augury import NaiveBayes
from augury.ensemble import HybridClassifier, RandomizedTrees


def numbers(n_rows=90):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n_rows)
    return rng.normal(size=(n_rows, 3)) + y[:, None], np.where(y == 1, "yes", "no")


def assert_explains(model, X):
    explained = model.explain(X)
    log_p = model.predict_log_proba(X)
    np.testing.assert_allclose(explained.sum(axis=1), log_p[:, 1] - log_p[:, 0], atol=1e-8)


@pytest.mark.parametrize("model", [HybridClassifier("fast"), RandomizedTrees(), NaiveBayes()])
def test_numbers_of_another_byte_order(model):
    X, y = numbers()
    swapped = X.astype(X.dtype.newbyteorder())
    assert_explains(model.fit(swapped, y), swapped[:4])
    frame = pd.DataFrame({"a": swapped[:, 0], "b": X[:, 1]})
    assert_explains(model.fit(frame, y), frame[:4])


@pytest.mark.parametrize("model", [HybridClassifier("fast"), RandomizedTrees()])
def test_integers_of_128_bits(model):
    X, y = numbers()
    integers = pl.Series(range(len(y))).cast(pl.Int128)
    frame = pl.DataFrame({"a": X[:, 0], "b": integers})
    assert_explains(model.fit(frame, y), frame[:4])


@pytest.mark.parametrize(
    "names",
    [
        [3, 1, 7],
        pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)]),
        pd.date_range("2020-01-01", periods=3),
    ],
    ids=["integers", "levels", "dates"],
)
def test_names_of_columns_that_are_no_text(names):
    X, y = numbers()
    frame = pd.DataFrame(X, columns=names)
    assert_explains(HybridClassifier("fast").fit(frame, y), frame[:4])  # warnings are errors


def test_equal_classes_are_refused():
    X, y = numbers()
    model = NaiveBayes().fit(X, y)
    with pytest.raises(ValueError, match="positive and negative must be two classes, got 'no'"):
        model.explain(X[:2], positive="no", negative="no")


def test_light_weights_are_warned_of_once():
    X, y = numbers()
    with pytest.warns(UserWarning, match="less than two rows") as found:
        HybridClassifier("fast").fit(X, y, sample_weight=np.full(len(y), 1.5 / len(y)))
    assert len(found) == 1
    assert found[0].filename == __file__
