"""Opinions of training rows by models that have not seen them, beside refits without the row."""

import numpy as np
import pandas as pd
import pytest

from augury.data import load_dataset
from augury.generative import NaiveBayes


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
        without[i] = 0.0
        others = hold(model, training.reweighted(without))
        expected[i] = others.predict_proba(X.iloc[[i]])[0]
    return proba, expected


def hold(model, training):
    """Fit a twin that keeps what is not counted."""
    twin = type(model)(**model.get_params())
    held = {
        name: getattr(model, name)
        for name in ("precision_", "weights_", "structure_")
        if hasattr(model, name)
    }
    twin._learn_structure = lambda training: twin.__dict__.update(held)
    twin.fit_read(training)
    return twin


MODELS = [
    NaiveBayes(),
    NaiveBayes(alpha=0.0),
    NaiveBayes(alpha=0.3, priors=[0.5, 0.2, 0.2, 0.1], missing="ignore"),
    NaiveBayes(continuous="gaussian"),
    NaiveBayes(continuous="gaussian", variance_floor=1e-9, missing="ignore"),
    NaiveBayes(continuous="interval"),
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
    np.testing.assert_allclose(proba, expected, rtol=1e-9, atol=1e-12)


def test_rows_that_were_not_fitted_are_refused():
    X, y = mixed()
    model = NaiveBayes().fit(X, y)
    some = model.leave_one_out_proba(X.iloc[10:20], y[10:20])
    np.testing.assert_array_equal(some, model.leave_one_out_proba(X, y)[10:20])
    with pytest.raises(ValueError, match="rows that the model was fitted to, got another in row 2"):
        model.leave_one_out_proba(X.iloc[:3], pd.Categorical(["a", "b", "never"]))
    with pytest.raises(ValueError, match=r"y must be one of the classes .*, got 'd'"):
        model.leave_one_out_proba(X.iloc[:1], ["d"])
    with pytest.raises(ValueError, match="got another in row 0"):
        model.leave_one_out_proba(X, y, sample_weight=np.full(len(X), 1e6))


def test_a_row_without_weight_is_asked_of_the_model_itself():
    X, y = mixed()
    weight = np.ones(len(X))
    weight[[0, 4]] = 0.0
    model = NaiveBayes().fit(X, y, sample_weight=weight)
    proba = model.leave_one_out_proba(X, y, sample_weight=weight)
    np.testing.assert_allclose(proba[[0, 4]], model.predict_proba(X.iloc[[0, 4]]))
