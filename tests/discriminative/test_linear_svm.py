"""The linear SVM: its optimum, its classes, LIBLINEAR's own accuracies."""

import csv

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

from augury.data import load_dataset
from augury.discriminative.linear_svm import LinearSVM
from augury.evaluate import WekaFolds, cross_validate, summarize


def mixed(n=150, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    size, label = rng.normal(size=n), rng.choice(["red", "green", "blue"], n)
    lean = size + (label == "red") + rng.normal(size=n)
    y = np.digitize(lean, np.quantile(lean, np.arange(1, n_classes) / n_classes))
    return pd.DataFrame({"size": size, "label": label, "dull": rng.normal(size=n)}), y


@pytest.mark.parametrize("dual", [False, True])
@pytest.mark.parametrize("encoding", ["ordinal", "onehot", "onehot+numeric"])
def test_the_formula_is_minimised_for_each_class(encoding, dual):
    X, y = mixed()
    weight = np.random.default_rng(1).random(len(y)) + 0.5
    model = LinearSVM(C=0.3, encoding=encoding, dual=dual, max_iter=100_000, random_state=0)
    model.fit(X, y, sample_weight=weight)
    read = model.reader_.read(X)
    matrix = np.column_stack([read if encoding == "ordinal" else read.toarray(), np.ones(len(y))])
    assert matrix.shape[1] == len(model.term_names_) + 1
    for c in range(3):
        t = np.where(y == c, 1.0, -1.0)

        def loss(beta, t=t):
            slack = np.maximum(0.0, 1.0 - t * (matrix @ beta))
            return 0.5 * beta @ beta + 0.3 * weight @ slack**2

        ours = np.append(model.coef_[c], model.intercept_[c])
        least = minimize(loss, np.zeros(len(ours)), method="BFGS", options={"gtol": 1e-6})
        np.testing.assert_allclose(ours, least.x, atol=1e-4)
    scores = model.decision_function(X)
    expected = matrix @ np.column_stack([model.coef_, model.intercept_]).T
    np.testing.assert_allclose(scores, expected, atol=1e-12)
    np.testing.assert_array_equal(model.predict(X), scores.argmax(axis=1))


def test_two_classes_have_one_set_of_coefficients():
    X, y = mixed(n_classes=2)
    model = LinearSVM().fit(X, np.array(["no", "yes"])[y])
    assert not model.coef_[0].any()
    assert model.coef_[1].any()
    scores = model.decision_function(X)
    assert scores.shape == (len(X),)
    np.testing.assert_array_equal(model.predict(X), np.where(scores > 0, "yes", "no"))


def test_classes_without_rows_are_never_predicted():
    X, y = mixed(n_classes=2)
    plain = LinearSVM().fit(X, y)
    declared = pd.Categorical.from_codes(y * 2, categories=["a", "b", "c"])
    model = LinearSVM().fit(X, declared)
    assert model.classes_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(model.predict(X), np.where(plain.predict(X) == 1, "c", "a"))
    scores = model.decision_function(X)
    assert np.isneginf(scores[:, 1]).all()
    np.testing.assert_allclose(scores[:, 2] - scores[:, 0], plain.decision_function(X))
    one = pd.Categorical(["b"] * len(X), categories=["a", "b"])
    assert set(LinearSVM().fit(X, one).predict(X)) == {"b"}


def test_gaps_and_unseen_labels_are_read():
    X, y = mixed()
    X.loc[:20, "label"], X.loc[10:30, "size"] = None, np.nan
    rows = pd.DataFrame({"size": [np.nan, 1.0], "label": ["pink", None], "dull": [0.0, np.nan]})
    for encoding in ("ordinal", "onehot", "onehot+numeric"):
        for missing in ("state", "replace", "ignore"):
            model = LinearSVM(encoding=encoding, missing=missing).fit(X, y)
            assert np.isfinite(model.decision_function(rows)).all()


def test_a_stop_before_the_tolerance_is_told():
    X, y = mixed()
    with pytest.warns(ConvergenceWarning, match="LinearSVM: the solver ended after 2 iterations"):
        LinearSVM(dual=True, max_iter=2, random_state=0).fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"C": 0.0}, ValueError, "C must be a number >= 1e-30 and <= 1e.30, got 0.0"),
        ({"tol": -1.0}, ValueError, "tol must be a number > 0, got -1.0"),
        ({"max_iter": 0}, ValueError, "max_iter must be an integer >= 1, got 0"),
        ({"dual": "auto"}, TypeError, "dual must be True or False, got 'auto'"),
        ({"encoding": "codes"}, ValueError, "encoding must be one of 'ordinal'"),
        ({"scaling": "log"}, ValueError, "scaling must be one of 'standardize', 'range', got"),
        ({"missing": "drop"}, ValueError, "missing must be one of"),
    ],
)
def test_errors_name_the_parameter(parameters, error, message):
    X, y = mixed()
    with pytest.raises(error, match=f"LinearSVM: {message}"):
        LinearSVM(**parameters).fit(X, y)


# The dual solver meets its tolerance on the first four sets. On the others it does not, and
# what LIBLINEAR 2.50 wrote to the golden file are the accuracies of the primal problem.
@pytest.mark.parametrize(
    ("name", "dual"),
    [
        ("balance-scale", True),
        ("heart-h", True),
        ("iris", True),
        ("labor", True),
        ("breast-cancer", False),
        ("lymph", False),
    ],
)
def test_accuracies_are_liblinear_s(name, dual, shared_data):
    with (shared_data / "golden" / "liblinear-accuracy.csv").open(newline="") as lines:
        (golden,) = (row for row in csv.DictReader(lines) if row["dataset"] == name)
    model = LinearSVM.as_published()
    if dual:
        model.set_params(dual=True, tol=1e-3, random_state=0)
    dataset = load_dataset(name, shared_data)
    rows = cross_validate([dataset], {"SVM": model}, WekaFolds(), protocol="published")
    [ours] = summarize(rows)
    assert ours.accuracy_mean == pytest.approx(float(golden["SVM integer codes"]), abs=1e-4)
