"""Leave-one-out class probabilities, compared with models fitted without the row."""

import numpy as np
import pandas as pd
import pytest

from augury.counts import FamilyCounts
from augury.data import load_dataset
from augury.generative import (
    AveragedOneDependence,
    BayesianNetworkClassifier,
    HiddenNaiveBayes,
    KDependenceBayes,
    NaiveBayes,
    TreeAugmentedNaiveBayes,
)
from augury.structure import Structure


def mixed(n=40, seed=0, gaps=True):
    """Labels, numbers and gaps; class "c" has one row only."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["a", "b"], n)
    y[n // 2] = "c"
    size = rng.normal(size=n) + (y == "a")
    size[3] = 1e4  # leaves little of its class's scatter when it goes
    size[[5, 6]] = np.nan if gaps else 0.0
    label = rng.choice(["red", "green", "blue"], n).astype(object)
    if gaps:
        label[[1, 7]] = None
    return pd.DataFrame(
        {"size": size, "label": label, "tint": rng.choice(list("xyz"), n), "one": "one"}
    ), pd.Categorical(y, categories=["a", "b", "c", "never"])


def refits_without(model, X, y, weight=None):
    """Return p(c | x) of each row by the estimate of all other rows' statistics.

    How rows are read is held as learned of all of them; the rest is estimated anew by `fit`.
    """
    model.fit(X, y, sample_weight=weight)
    proba = model.leave_one_out_proba(X, y, sample_weight=weight)
    training = model.read_training(X, y, weight)
    heavy = np.ones(len(X)) if weight is None else np.asarray(weight, dtype=float)
    expected = np.empty_like(proba)
    for i in range(len(X)):
        without = heavy.copy()
        without[i] -= min(heavy[i], 1.0)  # one row of so many
        others = hold(model, training.reweighted(without))
        expected[i] = others.predict_proba(X.iloc[[i]])[0]
    return proba, expected


def hold(model, training):
    """Fit a twin to other rows that keeps what is learned before counting."""
    twin = type(model)(**model.get_params())
    names = ("precision_", "structure_")
    held = {name: getattr(model, name) for name in names if hasattr(model, name)}
    twin._learn_structure = lambda training: twin.__dict__.update(held)
    twin.fit_read(training)
    if isinstance(twin, HiddenNaiveBayes):
        twin.weights_ = model.weights_
        twin._keep_blocks(twin.statistics_)
    if isinstance(twin, TreeAugmentedNaiveBayes):
        twin.structure_ = model.structure_
        twin._estimate_families(FamilyCounts.from_pairs(twin.statistics_, twin.structure_.parents))
    return twin


# The class has parents, and a column does not have the class as one.
BEHIND_THE_CLASS = Structure(((), (), (0,), (1, 2)), class_parents=(1, 0), class_children=(2, 3))

MODELS = [
    NaiveBayes(),
    NaiveBayes(alpha=0.0),
    NaiveBayes(alpha=0.3, priors=[0.5, 0.2, 0.2, 0.1], missing="ignore"),
    NaiveBayes(continuous="gaussian"),
    NaiveBayes(continuous="gaussian", variance_floor=1e-9, missing="ignore"),
    NaiveBayes(continuous="interval"),
    HiddenNaiveBayes(),
    HiddenNaiveBayes(alpha=1.0, priors=[0.5, 0.2, 0.2, 0.1], missing="ignore"),
    HiddenNaiveBayes(alpha=0.5),
    HiddenNaiveBayes(alpha=0, missing="ignore"),
    AveragedOneDependence(),
    AveragedOneDependence(alpha=0.5),
    AveragedOneDependence(alpha=0, missing="ignore"),
    AveragedOneDependence(frequency_limit=12, missing="ignore"),
    AveragedOneDependence(n_parents=2),
    AveragedOneDependence(n_parents=2, alpha=0.5),
    AveragedOneDependence(n_parents=2, frequency_limit=8, missing="ignore"),
    TreeAugmentedNaiveBayes(),
    TreeAugmentedNaiveBayes(alpha=0.0, equivalent_sample_size=0.0, missing="ignore"),
    KDependenceBayes(k=2),
    KDependenceBayes(k=3, alpha=0.2, missing="ignore"),
    BayesianNetworkClassifier(max_parents=3),
    BayesianNetworkClassifier(class_is_parent=False),
    BayesianNetworkClassifier(BEHIND_THE_CLASS, missing="ignore"),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("weights", ["none", "whole", "fractions"])
def test_a_row_left_out_is_a_refit_without_it(model, weights):
    X, y = mixed()
    rng = np.random.default_rng(1)
    weight = {
        "none": None,
        "whole": rng.integers(1, 4, len(X)).astype(float),
        "fractions": rng.uniform(0.2, 2.0, len(X)),
    }[weights]
    proba, expected = refits_without(model, X, y, weight)
    np.testing.assert_allclose(proba, expected, rtol=1e-10, atol=1e-13)


def test_rows_that_were_not_fitted_are_refused():
    X, y = mixed()
    model = NaiveBayes().fit(X, y)
    some = model.leave_one_out_proba(X.iloc[10:20], y[10:20])
    np.testing.assert_array_equal(some, model.leave_one_out_proba(X, y)[10:20])
    with pytest.raises(ValueError, match="rows that the model was fitted to, got another in row 2"):
        model.leave_one_out_proba(X.iloc[:3], pd.Categorical(["a", "b", "never"]))
    with pytest.raises(ValueError, match=r"y must be one of the classes .*, got 'd'"):
        model.leave_one_out_proba(X.iloc[:1], ["d"])


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_every_model_knows_a_row_that_it_has_not_counted(model):
    X, y = mixed()
    model.fit(X, y)
    with pytest.raises(ValueError, match="rows that the model was fitted to, got another in row 1"):
        model.leave_one_out_proba(X.iloc[:2], ["b", "never"])


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_whole_weights_are_repeated_rows(model):
    X, y = mixed()
    weight = np.random.default_rng(3).integers(1, 4, len(X))
    rows = np.repeat(np.arange(len(X)), weight)
    weighted = model.fit(X, y, sample_weight=weight).leave_one_out_proba(X, y, weight)
    many, of_many = X.iloc[rows], y[rows]
    repeated = model.fit(many, of_many).leave_one_out_proba(many, of_many)
    np.testing.assert_allclose(weighted[rows], repeated, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_rows_that_are_read_in_blocks(model, read_in_blocks_of):
    X, y = mixed()
    X.loc[3, "size"] = 0.5  # no row carries the scatter of its class alone
    whole = model.fit(X, y).leave_one_out_proba(X, y)
    training = model.read_training(X, y)
    np.testing.assert_array_equal(model.fit_read(training).leave_one_out_read(training), whole)
    read_in_blocks_of(28)
    np.testing.assert_allclose(model.leave_one_out_proba(X, y), whole, rtol=1e-10, atol=1e-13)
    stranger = np.array(y)
    stranger[33] = "never"
    with pytest.raises(ValueError, match="got another in row 33"):
        model.leave_one_out_proba(X, stranger)


@pytest.mark.parametrize("name", ["labor", "zoo", "hepatitis"])
@pytest.mark.parametrize(
    "model",
    [
        NaiveBayes(),
        NaiveBayes(continuous="gaussian"),
        HiddenNaiveBayes(),
        AveragedOneDependence(),
        TreeAugmentedNaiveBayes(),
        KDependenceBayes(),
    ],
    ids=str,
)
def test_real_tables(shared_data, name, model):
    data = load_dataset(name, data_dir=shared_data / "data" / "uci36")
    proba, expected = refits_without(model, data.X, data.y)
    np.testing.assert_allclose(proba, expected, rtol=1e-10, atol=1e-13)


def test_a_row_without_weight_is_asked_of_the_model_itself():
    X, y = mixed()
    weight = np.ones(len(X))
    weight[[0, 4]] = 0.0
    model = NaiveBayes().fit(X, y, sample_weight=weight)
    proba = model.leave_one_out_proba(X, y, sample_weight=weight)
    np.testing.assert_allclose(proba[[0, 4]], model.predict_proba(X.iloc[[0, 4]]))
