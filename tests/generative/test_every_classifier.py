"""Laws and contracts that every generative classifier satisfies."""

from typing import get_args

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from augury.generative import BayesianNetworkClassifier, RegularizedDiscriminantAnalysis
from augury.models.catalogue import model_classes
from tests.mixed_rows import MIXED, Y

CLASSIFIERS = model_classes("generative")


@pytest.fixture(params=CLASSIFIERS, ids=lambda c: c.__name__)
def model(request):
    return request.param()


def check_probabilities(model, X, n_classes):
    proba = model.predict_proba(X)
    assert proba.shape == (len(X), n_classes)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert (proba >= 0).all()
    assert np.isfinite(model.predict_joint_log_proba(X)).all()
    assert np.isin(model.predict(X), model.classes_).all()


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


def test_one_column(model):
    X = MIXED[["whole"]]
    check_probabilities(model.fit(X, Y), X, 3)


def test_a_constant_column(model):
    X = MIXED[["whole"]].assign(same=2, label="x")
    check_probabilities(model.fit(X, Y), X, 3)


def test_only_constant_columns(model):
    X = pd.DataFrame({"same": [2] * 8, "label": ["x"] * 8})
    check_probabilities(model.fit(X, Y), X, 3)


def test_two_rows(model):
    X = MIXED.iloc[[0, 3]]
    check_probabilities(model.fit(X, ["p", "q"]), X, 2)


def check_many_columns(model, n_columns):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (12, n_columns)), np.arange(12) % 2
    model.set_params(categorical_features="all")
    if isinstance(model, RegularizedDiscriminantAnalysis):
        model.set_params(alpha=0.5)  # "cv" would factor 110 matrices of this size
    if isinstance(model, BayesianNetworkClassifier):
        model.set_params(max_parents=1)  # with 2, ten thousand steps instead of five
    proba = model.fit(X, y).predict_proba(X[:2])
    np.testing.assert_allclose(proba.sum(axis=1), 1)


# The product of so many probabilities underflows, and a recursion over the columns would be too
# deep. Time and memory of most models grow with the square of the number of columns.
def test_many_columns(model):
    check_many_columns(model, 1200)


@pytest.mark.long
def test_five_thousand_columns(model):
    check_many_columns(model, 5000)


def test_whole_weights_are_repeated_rows(model):
    weight = np.array([1, 2, 0, 1, 3, 1, 1, 2])
    repeated = np.repeat(np.arange(8), weight)
    weighted = clone(model).fit(MIXED, Y, sample_weight=weight).predict_log_proba(MIXED)
    longhand = clone(model).fit(MIXED.iloc[repeated], Y[repeated]).predict_log_proba(MIXED)
    np.testing.assert_allclose(weighted, longhand, rtol=1e-7, atol=1e-7)


def test_statistics_of_parts_add(model):
    declared = pd.Categorical(Y, categories=["p", "q", "r"])
    X = MIXED.assign(label=pd.Categorical(MIXED["label"]))
    model.fit(X, declared)
    expected = model.predict_joint_log_proba(X)
    parts = model.collect(X.iloc[:3], Y[:3]) + model.collect(X.iloc[3:], Y[3:])
    np.testing.assert_allclose(
        model.fit_statistics(parts).predict_joint_log_proba(X), expected, rtol=1e-9, atol=1e-9
    )


def test_the_order_of_the_rows_changes_nothing(model):
    order = np.random.default_rng(1).permutation(8)
    expected = clone(model).fit(MIXED, Y).predict_log_proba(MIXED)
    shuffled = clone(model).fit(MIXED.iloc[order], Y[order]).predict_log_proba(MIXED)
    np.testing.assert_allclose(shuffled, expected, rtol=1e-7, atol=1e-7)


# ---- contracts of GenerativeClassifier ------------------------------------------------


def test_estimates_depend_on_statistics_and_parameters_only(model):
    weight = [1, 2, 1, 1, 0.5, 1, 3, 1]
    model.fit(MIXED, Y, sample_weight=weight)
    expected = model.predict_joint_log_proba(MIXED)
    statistics = model.statistics_
    # Other estimates come between: nothing of them stays.
    model.fit_statistics(model.collect(MIXED.iloc[:4], Y[:4]))
    model.fit_statistics(statistics)
    assert model.statistics_ is statistics
    np.testing.assert_array_equal(model.predict_joint_log_proba(MIXED), expected)


def test_estimating_does_not_change_the_statistics(model):
    model.fit(MIXED, Y)
    before = arrays_of(model.statistics_)
    model.fit_statistics(model.statistics_)
    model.partial_fit(MIXED, Y)
    model.fit_statistics(model.statistics_ + model.collect(MIXED, Y))
    again = model.fit(MIXED, Y).statistics_
    for one, other in zip(before, arrays_of(again), strict=True):
        np.testing.assert_array_equal(one, other)


def arrays_of(statistics):
    """Return copies of all arrays in statistics, in their order."""
    if isinstance(statistics, np.ndarray):
        return [statistics.copy()]
    if isinstance(statistics, tuple):
        return [array for part in statistics for array in arrays_of(part)]
    # Without what is computed from them on demand.
    parts = statistics.__getstate__().values() if hasattr(statistics, "__dict__") else ()
    return [array for part in parts for array in arrays_of(part)]


def test_blocks_of_rows_equal_one_block(model, read_in_blocks_of):
    weight = [1, 2, 1, 1, 0.5, 1, 3, 1]
    whole = clone(model).fit(MIXED, Y, sample_weight=weight)
    expected = whole.predict_joint_log_proba(MIXED)
    one_block = arrays_of(whole.collect(MIXED, Y, weight))
    read_in_blocks_of(3 * MIXED.shape[1])
    assert len(list(clone(model).read_training(MIXED, Y))) == 3
    blocks = arrays_of(whole.collect(MIXED, Y, weight))
    for block, one in zip(blocks, one_block, strict=True):
        np.testing.assert_allclose(block, one, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(
        whole.predict_joint_log_proba(MIXED), expected, rtol=1e-12, atol=1e-12
    )
    in_blocks = clone(model).fit(MIXED, Y, sample_weight=weight)
    np.testing.assert_allclose(
        in_blocks.predict_joint_log_proba(MIXED), expected, rtol=1e-7, atol=1e-7
    )


def test_a_clone_that_is_fitted_to_rows_as_read_equals_fit(model):
    weight = np.array([1, 2, 0, 1, 0.5, 1, 3, 1])
    expected = clone(model).fit(MIXED, Y, sample_weight=weight)
    training = clone(model).read_training(MIXED, Y, weight)
    member = clone(model).fit_read(training)
    assert member is not training.model
    for name in ("classes_", "encoder_", "n_features_in_", "feature_names_in_"):
        assert getattr(member, name) is getattr(training.model, name)
    np.testing.assert_array_equal(
        member.predict_joint_log_proba(MIXED), expected.predict_joint_log_proba(MIXED)
    )


def test_training_rows_hold_every_row_with_weight_in_order(model, read_in_blocks_of):
    weight = np.array([1, 2, 0, 1, 0.5, 1, 3, 1])
    kept = np.searchsorted(np.unique(Y), Y)[weight > 0]
    for n_cells in (None, 3 * MIXED.shape[1]):
        if n_cells is not None:
            read_in_blocks_of(n_cells)
        training = clone(model).read_training(MIXED, Y, weight)
        for _ in range(2):
            blocks = list(training)
            np.testing.assert_array_equal(np.concatenate([y for _, y, _ in blocks]), kept)
            np.testing.assert_array_equal(
                np.concatenate([w for _, _, w in blocks]), weight[weight > 0]
            )


def test_reading_and_structure_stay_after_fit(model):
    model.fit(MIXED, Y)
    expected = arrays_of(model.collect(MIXED, Y))
    model.set_params(missing="ignore", categorical_features="all")
    for got, want in zip(arrays_of(model.collect(MIXED, Y)), expected, strict=True):
        np.testing.assert_array_equal(got, want)


def test_statistics_are_typed(model):
    """The type parameter of the base is the type of `statistics_`."""
    model.fit(MIXED, Y)
    bases = [
        base for kind in type(model).__mro__ for base in kind.__dict__.get("__orig_bases__", ())
    ]
    named = [argument for base in bases for argument in get_args(base)]
    types = [kind for argument in named for kind in (argument, *get_args(argument))]
    assert type(model.statistics_) in types
    model.statistics_._check_fitted_state()
