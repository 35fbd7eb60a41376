"""Class probabilities of one model as features of another."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression as Dense
from sklearn.naive_bayes import GaussianNB

from augury.data import load_dataset
from augury.discriminative import C45Tree, LinearSVM, LogisticRegression
from augury.evaluate import WekaFolds, cross_validate, summarize
from augury.generative import HiddenNaiveBayes, NaiveBayes
from augury.hybrid import AugmentedClassifier
from augury.hybrid.meta_features.meta_feature_columns import (
    Scaler,
    meta_feature_columns,
    meta_feature_names,
)
from augury.papers import find_paper


def mixed(n=120, seed=0):
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n)
    label = rng.choice(["red", "green", "blue"], n)
    y = np.digitize(size + (label == "red") + rng.normal(size=n) / 2, [-0.5, 0.7])
    return pd.DataFrame({"size": size, "label": label}), np.array(["a", "b", "c"])[y]


def test_probabilities_are_promised_where_the_final_model_has_them():
    X, y = mixed()
    model = AugmentedClassifier(final_estimator=LinearSVM())
    assert not hasattr(model, "predict_proba")
    assert set(model.fit(X, y).predict(X)) <= {"a", "b", "c"}
    assert hasattr(AugmentedClassifier(), "predict_proba")


def test_it_is_the_two_models_one_after_the_other():
    X, y = mixed()
    model = AugmentedClassifier(NaiveBayes(), LogisticRegression(), output="proba", cv=None)
    model.fit(X, y)
    first = NaiveBayes().fit(X, y)
    appended = pd.DataFrame(first.predict_proba(X), columns=["p(a)", "p(b)", "p(c)"])
    by_hand = LogisticRegression().fit(pd.concat([X, appended], axis=1), y)
    np.testing.assert_allclose(
        model.predict_proba(X), by_hand.predict_proba(pd.concat([X, appended], axis=1))
    )
    assert model.augmented_names_ == ["p(a)", "p(b)", "p(c)"]
    assert model.score(X, y) > first.score(X, y) - 0.05


def test_meta_features_of_a_fold_are_estimated_from_the_other_folds():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"id": rng.permutation(90).astype(str)})
    y = rng.integers(0, 3, 90)
    # A label for each row: resubstitution knows every answer, folds know none.
    seen = AugmentedClassifier(encoding="none", cv=None).fit(X, y)
    unseen = AugmentedClassifier(encoding="none", cv=5).fit(X, y)
    assert seen.score(X, y) > 0.9
    assert np.abs(unseen.final_estimator_.coef_).max() < np.abs(seen.final_estimator_.coef_).max()
    again = AugmentedClassifier(encoding="none", cv=5).fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), unseen.predict_proba(X))


@pytest.mark.parametrize("encoding", ["as_is", "ordinal", "onehot", "onehot+numeric", "none"])
@pytest.mark.parametrize("output", ["proba", "log_odds"])
def test_every_way_the_columns_pass(encoding, output):
    X, y = mixed()
    final = LogisticRegression() if encoding == "as_is" else Dense(max_iter=500)
    model = AugmentedClassifier(
        HiddenNaiveBayes(), final, encoding=encoding, output=output, scaling="standardize"
    ).fit(X, y)
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert model.score(X, y) > 0.6
    if encoding == "none":
        assert model.final_estimator_.n_features_in_ == len(model.augmented_names_)


def test_any_models_and_any_frame():
    X, y = mixed()
    numbers = X[["size"]].to_numpy()
    for first, last in (
        (GaussianNB(), RandomForestClassifier(10, random_state=0)),
        (NaiveBayes(), C45Tree()),
        (LogisticRegression(), NaiveBayes()),
    ):
        model = AugmentedClassifier(first, last).fit(numbers, y)
        assert model.predict(numbers).shape == (120,)
    expected = AugmentedClassifier().fit(X, y).predict_proba(X)
    frame = pl.from_pandas(X)
    np.testing.assert_allclose(AugmentedClassifier().fit(frame, y).predict_proba(frame), expected)


def test_gaps_classes_without_rows_and_names_that_are_taken():
    X, y = mixed()
    X.loc[::9, "label"] = None
    X = X.rename(columns={"size": "p(a)"})
    declared = pd.Categorical(y, categories=["a", "b", "c", "d"])
    model = AugmentedClassifier(output="proba").fit(X, declared)
    assert model.augmented_names_ == ["p(a)'", "p(b)'", "p(c)'", "p(d)'"]
    proba = model.predict_proba(X.assign(label="never"))
    assert proba.shape == (120, 4)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert "d" not in model.predict(X)


def test_whole_weights_are_repeated_rows():
    X, y = mixed(60)
    weight = np.random.default_rng(1).integers(0, 3, 60)
    rows = np.repeat(np.arange(60), weight)
    model = AugmentedClassifier(final_estimator=LogisticRegression(tol=1e-9))
    weighted = clone(model).fit(X, y, sample_weight=weight).predict_proba(X)
    repeated = clone(model).fit(X.iloc[rows], y[rows]).predict_proba(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-6)


def test_meta_features_by_hand():
    proba = np.array([[0.5, 0.25, 0.25]])
    logs = np.log(proba)
    np.testing.assert_allclose(meta_feature_columns(proba, "log_odds"), logs - logs.mean())
    assert meta_feature_names(np.array(["n", "y"]), "log_odds", set()) == ["log_odds(y)"]
    columns = np.array([[1.0, 5.0], [3.0, 5.0]])
    scaled = Scaler("standardize", columns, np.array([3.0, 1.0])).scale(columns)
    np.testing.assert_allclose(scaled[:, 0], [-0.5 / np.sqrt(0.75), 1.5 / np.sqrt(0.75)])
    assert not scaled[:, 1].any()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"output": "logits"}, "AugmentedClassifier: output must be one of 'proba', 'log_odds'"),
        ({"encoding": "raw"}, "encoding must be one of 'as_is', 'ordinal'"),
        ({"scaling": "max"}, "scaling must be one of 'range', 'standardize', got 'max'"),
        ({"cv": 1}, "cv must be an integer >= 2, got 1"),
        ({"estimator": "nb"}, "estimator must be a classifier with predict_proba, or None"),
        ({"final_estimator": NaiveBayes}, "final_estimator must be a classifier with predict"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y = mixed(20)
    with pytest.raises((TypeError, ValueError), match=message):
        AugmentedClassifier(**parameters).fit(X, y)


def test_folds_of_any_kind():
    X, y = mixed(40)
    rows = np.arange(40)
    pairs = [(rows[20:], rows[:20]), (rows[:20], rows[20:])]
    final = LogisticRegression()
    model = AugmentedClassifier(None, final, output="proba", encoding="none", cv=pairs).fit(X, y)
    halves = [NaiveBayes().fit(X.iloc[a], y[a]).predict_proba(X.iloc[b]) for a, b in pairs]
    by_hand = LogisticRegression().fit(
        pd.DataFrame(np.concatenate(halves), columns=model.augmented_names_), y
    )
    np.testing.assert_allclose(model.final_estimator_.coef_, by_hand.coef_)
    with pytest.raises(ValueError, match="every row in a test fold, row 20 is in none"):
        AugmentedClassifier(cv=pairs[:1]).fit(X, y)


@pytest.mark.parametrize("weighted", [False, True])
def test_leave_one_out_is_a_fold_for_each_row(weighted):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.choice(list("abc"), (40, 4))).astype("category")
    y = rng.integers(0, 3, 40)
    weight = rng.uniform(0.2, 1.0, 40) if weighted else None
    rows = np.arange(40)
    folds = [(rows[rows != i], rows[[i]]) for i in rows]
    expected = AugmentedClassifier(cv=folds).fit(X, y, sample_weight=weight).predict_proba(X)
    model = AugmentedClassifier(cv="loo").fit(X, y, sample_weight=weight)
    np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-5)


def test_whole_weights_are_repeated_rows_left_out_one_by_one():
    X, y = mixed(60)
    weight = np.random.default_rng(1).integers(0, 3, 60)
    rows = np.repeat(np.arange(60), weight)
    model = AugmentedClassifier(final_estimator=LogisticRegression(tol=1e-9), cv="loo")
    weighted = clone(model).fit(X, y, sample_weight=weight).predict_proba(X)
    repeated = clone(model).fit(X.iloc[rows], y[rows]).predict_proba(X)
    np.testing.assert_allclose(weighted, repeated, atol=1e-6)


def test_by_default_rows_are_left_out_if_they_can_be():
    X, y = mixed(60)
    default, folds = AugmentedClassifier(), AugmentedClassifier(C45Tree())
    for model, cv in ((default, "loo"), (folds, 5)):
        expected = clone(model).set_params(cv=cv).fit(X, y).predict_proba(X)
        np.testing.assert_array_equal(model.fit(X, y).predict_proba(X), expected)


def test_the_default_regression_cuts_columns_but_not_meta_features():
    X, y = mixed(200)
    encoder = AugmentedClassifier().fit(X, y).final_estimator_.encoder_
    names = ("size", "log_odds(a)", "log_odds(b)", "log_odds(c)")
    assert [len(encoder.cut_points_[name]) > 0 for name in names] == [True, False, False, False]


def test_leave_one_out_needs_a_model_that_can():
    X, y = mixed(40)
    with pytest.raises(TypeError, match=r"leave_one_out_proba \(.*NaiveBayes.*\), got C45Tree"):
        AugmentedClassifier(C45Tree(), cv="loo").fit(X, y)
    with pytest.raises(ValueError, match="cv must be one of 'auto', 'loo', got 'leave'"):
        AugmentedClassifier(cv="leave").fit(X, y)


def test_weights_need_models_that_take_them():
    class NoWeights(Dense):
        def fit(self, X, y):
            return super().fit(X, y)

    X, y = mixed(30)
    model = AugmentedClassifier(NaiveBayes(), NoWeights(), encoding="onehot")
    with pytest.raises(ValueError, match="since NoWeights takes no sample_weight"):
        model.fit(X, y, sample_weight=np.full(30, 2.0))


# LIBLINEAR is stopped before it arrives, as published.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", ["iris", "labor", "heart-c"])
def test_the_published_hybrids(shared_data, name):
    paper = find_paper("hybrid-2022")
    names = ("NB-LR", "HNB-LR", "LR-LR", "NB-NB", "LR-NB")
    models = {key: AugmentedClassifier.as_published(key.lower()) for key in names}
    data = load_dataset(name, data_dir=shared_data / "data" / "uci36")
    for row in summarize(cross_validate([data], models, WekaFolds(), protocol="published")):
        printed = paper.cell(name, row.model)
        assert abs(row.accuracy_mean - float(printed.mean)) < 0.06
        assert abs(row.accuracy_std - float(printed.std)) < 0.06


def test_only_published_names():
    with pytest.raises(ValueError, match=r"name must be one of 'nb-lr', .* got 'svm-lr'"):
        AugmentedClassifier.as_published("svm-lr")
