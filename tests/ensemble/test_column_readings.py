"""How the flagship reads integers of few values, and identifiers."""

import numpy as np
import pandas as pd
import pytest

from augury.encode.columns import read_columns_as, read_once
from augury.ensemble import HybridClassifier
from augury.ensemble.pool.column_readings import ColumnReadings, learn_readings
from augury.persist import load_model, save_model


def coded_table(n_rows=400, n_codes=20, seed=0):
    """Return a frame in which the number of a district tells the class, but not its order."""
    rng = np.random.default_rng(seed)
    code = rng.integers(0, n_codes, n_rows)
    likely = rng.permutation(np.arange(n_codes) % 2)[code]
    y = np.where(rng.random(n_rows) < 0.9, likely, 1 - likely)
    X = pd.DataFrame({"size": rng.normal(size=n_rows), "district": 100 + 7 * code})
    return X, y


def readings_of(X, y, weight=None):
    keys = np.random.default_rng(5).integers(0, 1 << 62, len(y)).astype(np.uint64)
    return learn_readings(read_once(X), y, weight, int(y.max()) + 1, keys, 0)


def test_codes_are_read_as_labels_too():
    X, y = coded_table()
    found = readings_of(X, y)
    assert found.sources.tolist() == [0, 1, 1]
    assert found.as_labels.tolist() == [False, False, True]
    assert found.apply(X).column_names() == ["size", "district", "district as labels"]


def test_labels_of_codes_are_learned():
    X, y = coded_table(800)
    model = HybridClassifier().fit(X[:400], y[:400])
    assert (model.predict(X[400:]) == y[400:]).mean() > 0.8


@pytest.mark.parametrize("seed", range(3))
def test_ordered_integers_and_noise_are_read_once(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 10, (300, 4)), columns=list("abcd"))
    y = (X["a"] + rng.normal(size=300) > 4.5).to_numpy().astype(int)
    assert not readings_of(X, y).changes(4)


def test_numbers_of_many_values_and_fractions_are_read_once():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"unique": rng.permutation(300), "half": rng.integers(0, 5, 300) / 2})
    assert not readings_of(X, rng.integers(0, 2, 300)).changes(2)


def test_the_order_of_the_rows_does_not_change_the_readings():
    X, y = coded_table(150, 12, seed=3)
    order = np.random.default_rng(1).permutation(len(y))
    one = HybridClassifier(effort="fast").fit(X, y)
    other = HybridClassifier(effort="fast").fit(X.iloc[order], y[order])
    np.testing.assert_array_equal(one._readings.sources, other._readings.sources)


def test_texts_that_identify_rows_are_not_read():
    X, y = coded_table()
    named = X.assign(key=[f"key {i}" for i in range(len(X))])
    plain, with_key = HybridClassifier().fit(X, y), HybridClassifier().fit(named, y)
    assert 2 not in with_key._readings.sources
    # The folds are others, since they are drawn by the values of the rows.
    without, found = plain.predict_proba(X), with_key.predict_proba(named)
    np.testing.assert_allclose(found, without, atol=0.03)
    np.testing.assert_allclose(with_key.explain(named.head(2))["key"], 0.0, atol=1e-12)


def test_texts_with_gaps_are_read_since_the_gap_may_tell():
    X, y = coded_table()
    key = pd.Series([f"key {i}" for i in range(len(X))], dtype=object).where(X["size"] > 0)
    assert 2 in readings_of(X.assign(key=key), y).sources


def test_a_table_of_one_identifier_is_read():
    X = pd.DataFrame({"key": [f"key {i}" for i in range(60)]})
    model = HybridClassifier(effort="fast").fit(X, np.arange(60) % 2)
    np.testing.assert_allclose(model.predict_proba(X.assign(key="new"))[:, 1], 0.5, atol=0.05)


def test_unseen_and_missing_codes():
    X, y = coded_table()
    model = HybridClassifier().fit(X, y)
    assert model._readings.as_labels.any()
    proba = model.predict_proba(X.head(2).assign(district=[-5.0, np.nan]))
    assert np.isfinite(proba).all()


def test_contributions_of_both_readings_belong_to_one_column():
    X, y = coded_table()
    model = HybridClassifier().fit(X, y)
    explained = model.explain(X.head(3))
    assert list(explained.columns[1:]) == ["size", "district"]
    proba = model.predict_proba(X.head(3))
    np.testing.assert_allclose(explained.sum(axis=1), np.log(proba[:, 1] / proba[:, 0]))


def test_a_saved_model_reads_codes_the_same(tmp_path):
    X, y = coded_table()
    model = HybridClassifier(effort="fast").fit(X, y)
    save_model(model, tmp_path / "codes.augury")
    loaded = load_model(tmp_path / "codes.augury").model
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


def test_a_file_with_readings_of_other_columns_is_refused():
    X, y = coded_table()
    model = HybridClassifier(effort="fast").fit(X, y)
    model._readings = ColumnReadings(np.array([0, 1, 7]), np.array([False, False, True]))
    with pytest.raises(ValueError, match="_readings"):
        model._check_fitted_state()


def test_names_of_label_readings_are_free():
    X = pd.DataFrame({"a": [1, 2], "a as labels": [3, 4]})
    assert read_columns_as(X, [0, 0], [False, True]).column_names() == ["a", "a as labels 2"]
