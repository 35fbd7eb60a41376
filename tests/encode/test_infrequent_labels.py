"""Infrequent labels share one state."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.preprocessing import OneHotEncoder

from augury.discriminative import LogisticRegression
from augury.encode import INFREQUENT, MISSING, TableEncoder
from augury.generative import (
    AveragedOneDependence,
    BayesianNetworkClassifier,
    HiddenNaiveBayes,
    KDependenceBayes,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.persist import load_model, save_model

LABELS = list("aaaabbbccd")


def frame(values):
    return pd.DataFrame({"x": pd.Series(values, dtype=object)})


def encoded(values, **parameters):
    encoder = TableEncoder(**parameters).fit(frame(values))
    return encoder, encoder.transform(frame(values))


@pytest.mark.parametrize("parameters", [{"min_frequency": k} for k in (1, 2, 3, 4, 5, 0.25, 0.9)])
def test_min_frequency_is_that_of_scikit_learn(parameters):
    encoder, _ = encoded(LABELS, **parameters)
    peer = OneHotEncoder(**parameters).fit(frame(LABELS))
    theirs = peer.infrequent_categories_[0]
    expected = {} if theirs is None else {"x": theirs.tolist()}
    assert encoder.infrequent_labels_ == expected


@pytest.mark.parametrize("max_states", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("min_frequency", [None, 2, 3])
def test_max_states_is_that_of_scikit_learn(max_states, min_frequency):
    encoder, table = encoded(LABELS, max_states=max_states, min_frequency=min_frequency)
    peer = OneHotEncoder(max_categories=max_states, min_frequency=min_frequency).fit(frame(LABELS))
    theirs = peer.infrequent_categories_[0]
    expected = {} if theirs is None else {"x": theirs.tolist()}
    if (min_frequency, max_states) == (None, 4):
        # Four labels need no shared state; scikit-learn puts the least frequent alone into one.
        assert expected == {"x": ["d"]}
        expected = {}
    assert encoder.infrequent_labels_ == expected
    indicators = peer.transform(frame(LABELS)).toarray()
    np.testing.assert_array_equal(np.argmax(indicators, axis=1), table.codes[:, 0])


def test_states_and_codes():
    encoder, table = encoded([*LABELS, None], min_frequency=3)
    assert encoder.states_ == [["a", "b", INFREQUENT, MISSING]]
    assert repr(encoder.states_) == "[['a', 'b', <infrequent>, <missing>]]"
    assert table.codes[:, 0].tolist() == [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3]
    # A label that was infrequent in training is not unseen; an unseen label is left out.
    later = encoder.transform(frame(["d", "e", None]))
    assert later.codes[:, 0].tolist() == [2, 4, 3]
    assert encoder.unseen_labels(frame(["d", "e"])) == {"x": ["e"]}
    assert table.to_frame()["x"].cat.categories.tolist() == ["a", "b", INFREQUENT, MISSING]


def test_weights_are_rows():
    weight = np.array([1, 1, 3, 0.5])
    encoder = TableEncoder(min_frequency=2).fit(frame(list("aabc")), sample_weight=weight)
    assert encoder.infrequent_labels_ == {"x": ["c"]}


def test_without_a_rule_nothing_changes():
    encoder, _ = encoded(LABELS)
    assert encoder.states_ == [list("abcd")]
    assert encoder.infrequent_labels_ == {}


def test_a_missing_value_is_replaced_by_the_mode_even_if_it_is_infrequent():
    encoder, table = encoded([*"abcd", None], min_frequency=2, missing="replace")
    assert encoder.states_ == [[INFREQUENT]]
    assert encoder.replacements_ == {"x": "a"}
    assert table.codes[:, 0].tolist() == [0] * 5


def test_declared_labels_are_grouped_only_if_asked():
    X = pd.DataFrame({"x": pd.Categorical(LABELS, list("dcbaz"))})
    assert TableEncoder(min_frequency="auto").fit(X).infrequent_labels_ == {}
    encoder = TableEncoder(min_frequency=3).fit(X)
    assert encoder.states_ == [["b", "a", INFREQUENT]]
    assert encoder.infrequent_labels_ == {"x": ["d", "c", "z"]}


def test_auto_groups_columns_with_many_labels():
    keys = [f"k{i}" for i in range(100)]
    few = ["a"] * 97 + ["b"] * 2 + ["c"]
    X = pd.DataFrame({"key": keys, "few": few}).astype(object)
    encoder = TableEncoder(min_frequency="auto").fit(X)
    assert encoder.states_ == [[INFREQUENT], ["a", "b", "c"]]


def test_integers_that_are_labels():
    X = np.array([[0], [0], [1], [1], [2]])
    encoder = TableEncoder(categorical_features="all", min_frequency=2).fit(X)
    assert encoder.transform(np.array([[2], [1], [0], [3]])).codes[:, 0].tolist() == [2, 1, 0, 3]


def test_blocks_of_rows_have_the_same_states(read_in_blocks_of):
    whole = TableEncoder(min_frequency=3).fit(frame(LABELS)).states_
    read_in_blocks_of(3)
    assert TableEncoder(min_frequency=3).fit(frame(LABELS)).states_ == whole


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"min_frequency": 0}, "min_frequency must be an integer >= 1, got 0"),
        ({"min_frequency": 1.0}, "min_frequency must be an integer >= 1, or a share"),
        ({"min_frequency": -0.5}, "min_frequency must be a number > 0, got -0.5"),
        ({"min_frequency": "few"}, "min_frequency must be an integer >= 1, got 'few'"),
        ({"max_states": 0}, "max_states must be an integer >= 1, got 0"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises((ValueError, TypeError), match=f"TableEncoder: {message}"):
        TableEncoder(**parameters).fit(frame(LABELS))


def test_copies_and_files_keep_the_one_object(tmp_path):
    assert copy.deepcopy(INFREQUENT) is INFREQUENT
    assert pickle.loads(pickle.dumps(INFREQUENT)) is INFREQUENT
    X = pd.DataFrame({"key": [f"k{i}" for i in range(30)], "x": list("ab") * 15}).astype(object)
    model = HiddenNaiveBayes().fit(X, ["p", "q"] * 15)
    assert model.encoder_.states_ == [[INFREQUENT], ["a", "b"]]
    save_model(model, tmp_path / "model.augury")
    again = load_model(tmp_path / "model.augury").model
    assert again.encoder_.states_[0][0] is INFREQUENT
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    changed = again.encoder_._columns[0]
    object.__setattr__(changed, "infrequent", ["a", "a"])
    with pytest.raises(ValueError, match="infrequent"):
        again.encoder_._check_fitted_state()


@pytest.mark.parametrize("model", [NaiveBayes(), AveragedOneDependence(), LogisticRegression()])
def test_other_models_keep_all_labels(model):
    X = pd.DataFrame({"key": [f"k{i}" for i in range(30)], "x": list("ab") * 15}).astype(object)
    assert len(model.fit(X, ["p", "q"] * 15).encoder_.states_[0]) == 30


@pytest.mark.parametrize(
    "model",
    [
        HiddenNaiveBayes(),
        TreeAugmentedNaiveBayes(),
        KDependenceBayes(),
        BayesianNetworkClassifier(),
    ],
)
def test_an_identifier_has_no_effect(model):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.choice(list("abc"), (60, 3)), columns=["x", "y", "z"])
    y = np.where(rng.random(60) < 0.7, X["x"], X["y"])
    expected = clone(model).fit(X, y).predict_proba(X)
    with_key = X.assign(key=[f"k{i}" for i in range(60)])
    found = clone(model).fit(with_key, y).predict_proba(with_key)
    np.testing.assert_allclose(found, expected, rtol=1e-6)
