"""A generative model of some columns, a discriminative one of the others."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression as Dense

import augury.hybrid
from augury.discriminative import LogisticRegression
from augury.generative import (
    AveragedOneDependence,
    HiddenNaiveBayes,
    LinearDiscriminantAnalysis,
    NaiveBayes,
)
from augury.hybrid import (
    BiasVarianceSplit,
    HBayesNB,
    IndependenceSplit,
    InformationSplit,
    NormalitySplit,
    SplitClassifier,
)

SPLITS = [BiasVarianceSplit, HBayesNB, IndependenceSplit, InformationSplit, NormalitySplit]


def mixed(n=150, seed=0):
    """Two columns that say nearly the same, a label and a number that are on their own."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    first = (y + rng.integers(0, 2, n)) % 3
    X = pd.DataFrame(
        {
            "first": np.array(["r", "g", "b"])[first],
            "copy": np.array(["r", "g", "b"])[np.where(rng.random(n) < 0.9, first, 0)],
            "own": rng.choice(["x", "y"], n),
            "size": y + rng.normal(size=n),
        }
    )
    return X, np.array(["p", "q", "s"])[y]


def test_the_list_of_splits_is_complete():
    public = [getattr(augury.hybrid, name) for name in augury.hybrid.__all__]
    found = {
        model
        for model in public
        if isinstance(model, type)
        and issubclass(model, SplitClassifier)
        and model is not SplitClassifier
    }
    assert found == set(SPLITS)


@pytest.mark.parametrize(
    "generative", [NaiveBayes(), HiddenNaiveBayes(), LinearDiscriminantAnalysis()]
)
def test_without_discriminative_columns_it_is_the_generative_model(generative):
    X, y = mixed()
    declared = pd.Categorical(y, categories=["p", "q", "r", "s"])
    model = SplitClassifier([], generative=generative).fit(X, declared)
    alone = clone(generative).fit(X, declared)
    np.testing.assert_allclose(model.predict_proba(X), alone.predict_proba(X), atol=1e-10)
    assert model.discriminative_ is None
    assert model.generative_columns_ == ["first", "copy", "own", "size"]


def test_with_all_columns_discriminative_it_is_the_regression():
    X, y = mixed()
    model = SplitClassifier([True] * 4).fit(X, y)
    alone = LogisticRegression(tol=1e-7).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), alone.predict_proba(X), atol=1e-10)
    assert model.generative_ is None
    assert model.generative_columns_ == []


@pytest.mark.parametrize("generative", [NaiveBayes(), LinearDiscriminantAnalysis()])
def test_the_outputs_are_multiplied(generative):
    X, y = mixed()
    model = SplitClassifier(["copy", -1], generative=generative).fit(X, y)
    assert model.discriminative_columns_ == ["copy", "size"]
    belief = (
        LogisticRegression(tol=1e-7).fit(X[["copy", "size"]], y).predict_proba(X[["copy", "size"]])
    )
    other = clone(generative).fit(X[["first", "own"]], y)
    likelihood = np.exp(other.predict_joint_log_proba(X[["first", "own"]]) - other.log_prior_)
    product = belief * likelihood
    np.testing.assert_allclose(
        model.predict_proba(X), product / product.sum(axis=1, keepdims=True), rtol=1e-9
    )
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))


def test_a_model_that_knows_only_the_classes_it_has_seen():
    X, y = mixed()
    X = X.assign(size=X["size"].round(3))
    declared = pd.Categorical(y, categories=["p", "q", "r", "s"])
    model = SplitClassifier(["size"], discriminative=Dense()).fit(X, declared)
    proba = model.predict_proba(X)
    assert proba.shape == (150, 4)
    assert not proba[:, 2].any()
    np.testing.assert_allclose(proba.sum(axis=1), 1)


@pytest.mark.parametrize("make", SPLITS)
def test_any_frame_is_split_alike(make):
    X, y = mixed()
    model = make().fit(X, y)
    expected = model.predict_proba(X)
    assert sorted(model.generative_columns_ + model.discriminative_columns_) == sorted(X.columns)
    for frame in (pl.from_pandas(X), pa.Table.from_pandas(X), X.set_axis(range(7, 157))):
        other = make().fit(frame, y)
        assert other.discriminative_columns_ == model.discriminative_columns_
        np.testing.assert_allclose(other.predict_proba(frame), expected, atol=1e-9)


@pytest.mark.parametrize("make", SPLITS)
def test_gaps_unseen_labels_and_a_declared_class_without_rows(make):
    X, y = mixed()
    X.loc[::7, "first"] = None
    X.loc[::9, "size"] = np.nan
    model = make().fit(X, pd.Categorical(y, categories=["p", "q", "r", "s"]))
    new = X.assign(copy="never").iloc[:20]
    proba = model.predict_proba(new)
    assert proba.shape == (20, 4)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert "r" not in model.predict(X)


@pytest.mark.parametrize("make", SPLITS)
def test_whole_weights_are_repeated_rows(make):
    X, y = mixed(80)
    weight = np.random.default_rng(1).integers(0, 3, 80)
    rows = np.repeat(np.arange(80), weight)
    model = make()
    if "discriminative" in model.get_params():
        model.set_params(discriminative=LogisticRegression(tol=1e-9))
    weighted = clone(model).fit(X, y, sample_weight=weight)
    repeated = clone(model).fit(X.iloc[rows], y[rows])
    assert weighted.discriminative_columns_ == repeated.discriminative_columns_
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("make", [SplitClassifier, *SPLITS])
def test_numbers_that_are_labels_by_name(make):
    X, y = mixed()
    codes = X.assign(first=X["first"].map({"r": 2, "g": 0, "b": 1}))
    model = make(categorical_features=["first"]).fit(codes, y)
    part = model.generative_ if "first" in model.generative_columns_ else model.discriminative_
    reader = part.reader_.encoder if hasattr(part, "reader_") else part.encoder_
    assert reader.states_[reader.table_names_.index("first")] == [0, 1, 2]
    assert np.isfinite(model.predict_log_proba(codes)).all()


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (SplitClassifier("all"), "SplitClassifier: discriminative_columns must be a list of col"),
        (SplitClassifier(3), "discriminative_columns must be a list of columns, got 3"),
        (SplitClassifier(["none"]), "discriminative_columns must name columns of X"),
        (SplitClassifier([True]), "discriminative_columns must have one boolean for each of the 4"),
        (SplitClassifier(generative=Dense()), "generative must be a classifier with predict_joint"),
        (SplitClassifier(discriminative="lr"), "discriminative must be a classifier with predict_"),
        (SplitClassifier(generative=AveragedOneDependence()), "prior can be replaced"),
        (InformationSplit(threshold=-1.0), "InformationSplit: threshold must be a number >= 0"),
        (BiasVarianceSplit(rows_per_coefficient=0), "rows_per_coefficient must be a number > 0"),
        (NormalitySplit(level=2), "NormalitySplit: level must be a number from 0 to 1, got 2"),
        (IndependenceSplit(level=-0.1), "IndependenceSplit: level must be a number >= 0"),
        (HBayesNB(alpha=0), "HBayesNB: alpha must be a number > 0, got 0"),
        (HBayesNB(C=-1.0), "HBayesNB: C must be a number > 0"),
        (HBayesNB(encoding="both"), "encoding must be one of 'onehot', 'ordinal', got 'both'"),
        (HBayesNB(discretizer=None), "HBayesNB: discretizer must not be None"),
    ],
)
def test_bad_parameters(model, message):
    X, y = mixed(20)
    with pytest.raises((TypeError, ValueError), match=message):
        model.fit(X, y)


def test_weights_need_models_that_take_them():
    class NoWeights(Dense):
        def fit(self, X, y):
            return super().fit(X, y)

    X, y = mixed(30)
    model = SplitClassifier(["size"], discriminative=NoWeights())
    with pytest.raises(ValueError, match="since NoWeights takes no sample_weight"):
        model.fit(X, y, sample_weight=np.full(30, 2.0))
