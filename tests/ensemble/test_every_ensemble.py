"""Tests of all ensembles."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from augury.ensemble import HybridClassifier, RandomCutEnsemble, TreeBoosting
from augury.ensemble.bases.generative_ensemble import GenerativeEnsemble
from augury.models.catalogue import model_classes
from tests.mixed_rows import MIXED, Y

ENSEMBLES = model_classes("ensemble")


@pytest.fixture(params=ENSEMBLES, ids=lambda c: c.__name__)
def model(request):
    if request.param is HybridClassifier:
        return HybridClassifier(effort="fast", random_state=0)
    size = "max_rounds" if request.param is TreeBoosting else "n_estimators"
    return request.param(**{size: 8}, random_state=0)


def check_probabilities(model, X, n_classes):
    proba = model.predict_proba(X)
    assert proba.shape == (X.shape[0], n_classes)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert (proba >= 0).all()
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), proba, atol=1e-12)
    assert np.isfinite(model.predict_log_proba(X)).all()
    assert (model.predict(X) == model.classes_[proba.argmax(axis=1)]).all()


@pytest.mark.parametrize(
    "make", [c for c in ENSEMBLES if issubclass(c, GenerativeEnsemble)], ids=lambda c: c.__name__
)
def test_members_are_models_of_their_own(make):
    model = make(n_estimators=8, random_state=0).fit(MIXED, Y)
    assert 1 <= len(model.estimators_) <= 8
    for member in model.estimators_:
        assert np.isin(member.predict(MIXED), model.classes_).all()
        if not isinstance(model, RandomCutEnsemble):  # its members have cut points of their own
            assert member.encoder_ is model.estimators_[0].encoder_


def test_a_mixed_frame_with_gaps_and_labels_never_seen(model):
    model.fit(MIXED, Y, sample_weight=[1, 2, 1, 1, 0.5, 1, 3, 1])
    new = MIXED.iloc[:3].copy()
    new["label"] = ["never", None, "red"]
    new["category"] = pd.Categorical(["d", "a", None], categories=list("abcd"))
    new["number"] = [np.nan, 100.0, 1.0]
    check_probabilities(model, new, 3)


def test_a_declared_class_without_rows(model):
    y = pd.Categorical(Y, categories=["p", "q", "r", "s"])
    model.fit(MIXED, y)
    assert model.classes_.tolist() == ["p", "q", "r", "s"]
    check_probabilities(model, MIXED, 4)
    assert "s" not in model.predict(MIXED)


def test_rows_of_one_class_only_of_two_declared(model):
    y = pd.Categorical(["p"] * 8, categories=["p", "q"])
    model.fit(MIXED, y)
    check_probabilities(model, MIXED, 2)
    assert set(model.predict(MIXED)) == {"p"}


def test_one_column(model):
    X = MIXED[["whole"]]
    check_probabilities(model.fit(X, Y), X, 3)


def test_only_constant_columns(model):
    X = pd.DataFrame({"same": [2] * 8, "label": ["x"] * 8})
    check_probabilities(model.fit(X, Y), X, 3)


def test_two_rows(model):
    X = MIXED.iloc[[0, 3]]
    check_probabilities(model.fit(X, ["p", "q"]), X, 2)


def test_more_columns_than_rows(model):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (12, 400)).astype(bool), np.arange(12) % 2
    if "n_estimators" in model.get_params():
        model.set_params(n_estimators=2)
    check_probabilities(model.fit(X, y), X, 2)


def test_whole_weights_are_repeated_rows(model):
    weight = np.array([1, 2, 0, 1, 3, 1, 1, 2])
    repeated = np.repeat(np.arange(8), weight)
    weighted = clone(model).fit(MIXED, Y, sample_weight=weight).predict_log_proba(MIXED)
    longhand = clone(model).fit(MIXED.iloc[repeated], Y[repeated]).predict_log_proba(MIXED)
    np.testing.assert_allclose(weighted, longhand, rtol=1e-7, atol=1e-7)


def test_the_order_of_the_rows_changes_nothing(model):
    order = np.random.default_rng(1).permutation(8)
    expected = clone(model).fit(MIXED, Y).predict_log_proba(MIXED)
    shuffled = clone(model).fit(MIXED.iloc[order], Y[order]).predict_log_proba(MIXED)
    np.testing.assert_allclose(shuffled, expected, rtol=1e-7, atol=1e-7)


def test_blocks_change_nothing(model, read_in_blocks_of):
    expected = clone(model).fit(MIXED, Y)
    log_proba = expected.predict_log_proba(MIXED)
    read_in_blocks_of(10)  # two rows
    # Sums of a matrix product depend on its number of rows.
    exact = 1e-14 if isinstance(model, HybridClassifier) else 0
    np.testing.assert_allclose(expected.predict_log_proba(MIXED), log_proba, rtol=exact)
    in_blocks = clone(model).fit(MIXED, Y)
    if isinstance(model, GenerativeEnsemble):
        assert len(in_blocks.estimators_) == len(expected.estimators_)
    np.testing.assert_allclose(in_blocks.predict_log_proba(MIXED), log_proba, rtol=1e-7, atol=1e-7)


def test_what_is_wrong_with_rows_is_said_in_the_name_of_the_ensemble(model):
    name = type(model).__name__
    with pytest.raises(ValueError, match=f"^{name}: y must have one label for each row"):
        model.fit(MIXED, Y[:3])
    with pytest.raises(ValueError, match=f"^{name}: y must have at least 2 classes"):
        model.fit(MIXED, ["p"] * 8)
    with pytest.raises(ValueError, match=f"^{name}: sample_weight must be >= 0"):
        model.fit(MIXED, Y, sample_weight=[-1] * 8)
    with pytest.raises(NotFittedError, match=name):
        model.predict(MIXED)
    with pytest.raises(ValueError, match=f"{name} is expecting 5 features"):
        model.fit(MIXED.to_numpy(), Y).predict(MIXED.to_numpy()[:, :2])


def test_a_bad_number_is_refused_in_fit(model):
    for name in {"n_estimators", "n_jobs"} & set(model.get_params()):
        wrong = clone(model).set_params(**{name: 0})
        with pytest.raises(ValueError, match=f"^{type(model).__name__}: {name} must be .*, got 0"):
            wrong.fit(MIXED, Y)
