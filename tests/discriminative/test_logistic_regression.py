"""Logistic regression on codes, against scikit-learn's on the same matrix."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression as Dense

from augury.bases.row_blocks import BlockList
from augury.discriminative import LogisticRegression
from augury.discriminative.logistic.linear_terms import LinearTerms
from augury.discriminative.logistic.logistic_loss import LogisticLoss
from augury.kernels import slot_offsets


def mixed(n=200, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n)
    label = rng.choice(["red", "green", "blue"], n)
    flag = rng.random(n) < 0.4
    lean = size + (label == "red") - 2 * flag + rng.normal(size=n)
    y = np.digitize(lean, np.quantile(lean, np.arange(1, n_classes) / n_classes))
    X = pd.DataFrame({"size": size, "label": label, "flag": flag, "dull": rng.normal(size=n)})
    return X, y


def dense_matrix(model, X):
    """Return the matrix that the model never makes, without "left out" and the one."""
    [(_, table)] = model._read_blocks(X)
    terms = model._terms(table)
    slots = np.zeros((len(X), int(terms.offsets[-1])))
    for j in range(terms.codes.shape[1]):
        slots[np.arange(len(X)), terms.offsets[j] + terms.codes[:, j]] = 1.0
    states = np.delete(slots, terms.offsets[1:] - 1, axis=1)
    return np.column_stack([states, terms.numbers])


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("continuous", ["both", "standardize", "discretize"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_optimum_is_scikit_learn_s(n_classes, continuous, weighted):
    X, y = mixed(n_classes=n_classes)
    weight = np.random.default_rng(1).random(len(y)) + 0.5 if weighted else None
    model = LogisticRegression(C=0.7, continuous=continuous, tol=1e-10).fit(
        X, y, sample_weight=weight
    )
    matrix = dense_matrix(model, X)
    assert matrix.shape[1] == len(model.term_names_) == model.coef_.shape[1]
    dense = Dense(C=0.7, tol=1e-10, max_iter=10_000).fit(matrix, y, sample_weight=weight)
    ours = model.coef_ if n_classes > 2 else model.coef_[1:]
    np.testing.assert_allclose(ours, dense.coef_, atol=1e-5)
    np.testing.assert_allclose(model.predict_proba(X), dense.predict_proba(matrix), atol=1e-6)
    np.testing.assert_allclose(
        model.decision_function(X)
        if n_classes == 2
        else model.decision_function(X) - model.decision_function(X)[:, :1],
        dense.decision_function(matrix)
        if n_classes == 2
        else dense.decision_function(matrix) - dense.decision_function(matrix)[:, :1],
        atol=1e-4,
    )


@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_reference_form_is_the_paper_s(n_classes):
    """Equations (6) to (11), written out: the last class has no coefficients, all is penalised."""
    X, y = mixed(n_classes=n_classes)
    model = LogisticRegression(coefficients="reference", tol=1e-10).fit(X, y)
    matrix = np.column_stack([dense_matrix(model, X), np.ones(len(y))])

    def loss(flat):
        beta = flat.reshape(n_classes - 1, -1)
        odds = np.column_stack([matrix @ beta.T, np.zeros(len(y))])
        log_sum = np.log(np.exp(odds).sum(axis=1))
        return -(odds[np.arange(len(y)), y] - log_sum).sum() + 0.5 * (flat**2).sum()

    least = minimize(loss, np.zeros((n_classes - 1) * matrix.shape[1]), method="BFGS")
    ours = np.column_stack([model.coef_, model.intercept_])
    assert not ours[-1].any()
    np.testing.assert_allclose(ours[:-1].ravel(), least.x, atol=1e-3)
    assert loss(ours[:-1].ravel()) <= least.fun + 1e-9


def random_loss(reference, n_classes=3, penalty=0.3):
    rng = np.random.default_rng(0)
    codes = np.asfortranarray(rng.integers(0, 3, (30, 2)).astype(np.uint8))
    terms = LinearTerms(codes, slot_offsets(np.array([2, 3])), rng.normal(size=(30, 2)))
    y, weight = rng.integers(0, n_classes, 30), rng.random(30)
    free = np.ones(terms.n_terms, dtype=bool)
    free[[2, 6]] = False
    loss = LogisticLoss(
        BlockList([(terms, y, weight)]), n_classes, np.full(10, penalty), free, reference=reference
    )
    return loss, free


@pytest.mark.parametrize("reference", [False, True])
def test_derivatives(reference):
    loss, free = random_loss(reference)
    rng = np.random.default_rng(1)

    def at(flat):
        return loss.at(flat.reshape(loss.shape))

    x = rng.normal(size=loss.shape) * free[:, None]
    masked = np.flatnonzero(np.broadcast_to(free[:, None], loss.shape).ravel())
    differences = [
        (at(x.ravel() + 1e-6 * e).value - at(x.ravel() - 1e-6 * e).value) / 2e-6
        for e in np.eye(x.size)[masked]
    ]
    np.testing.assert_allclose(loss.at(x).gradient.ravel()[masked], differences, atol=1e-5)
    direction = rng.normal(size=loss.shape) * free[:, None]
    along = loss.at(x).hessian_times(direction)
    ahead, behind = (loss.at(x + s * 1e-6 * direction).gradient for s in (1, -1))
    np.testing.assert_allclose(along, (ahead - behind) / 2e-6, atol=1e-4)


@pytest.mark.parametrize("reference", [False, True])
def test_the_scale_of_the_search_is_the_hessian_at_the_class_shares(reference):
    loss, free = random_loss(reference)
    direction = np.random.default_rng(1).normal(size=loss.shape) * free[:, None]
    if not reference:
        direction -= direction.mean(axis=1, keepdims=True)  # the sum over classes is flat
    along = loss.at(loss.start()).hessian_times(direction)
    np.testing.assert_allclose(loss.precondition(along), direction, atol=1e-10)


def test_columns_with_very_many_states_leave_the_optimum_where_it_is(monkeypatch):
    X, y = mixed(n=300)
    X["place"] = np.random.default_rng(3).integers(0, 90, 300).astype(str)
    expected = LogisticRegression(tol=1e-10).fit(X, y)
    monkeypatch.setattr("augury.discriminative.logistic.prior_curvature._MIN_TERMS", 20)
    monkeypatch.setattr("augury.discriminative.logistic.prior_curvature._MAX_TERMS", 20)
    found = LogisticRegression(tol=1e-10).fit(X, y)
    np.testing.assert_allclose(found.coef_, expected.coef_, atol=1e-7)
    assert found.n_iter_ != expected.n_iter_


def test_rare_classes_and_a_light_penalty():
    X, y = mixed(n=2000)
    y = np.where(np.random.default_rng(0).random(2000) < 0.02, y + 1, 0)
    model = LogisticRegression(C=1e4, tol=1e-9, max_iter=200).fit(X, y)
    matrix = dense_matrix(model, X)
    dense = Dense(C=1e4, tol=1e-10, solver="newton-cg", max_iter=1000).fit(matrix, y)
    np.testing.assert_allclose(model.predict_proba(X), dense.predict_proba(matrix), atol=1e-5)


def test_blocks_and_threads_change_nothing(read_in_blocks_of, monkeypatch):
    X, y = mixed(n=150)
    expected = LogisticRegression(tol=1e-10).fit(X, y)
    monkeypatch.setattr("augury.kernels.row_threads._MIN_CELLS_PER_THREAD", 50)
    threads = LogisticRegression(tol=1e-10, n_jobs=3).fit(X, y)
    np.testing.assert_allclose(threads.coef_, expected.coef_, atol=1e-7)
    read_in_blocks_of(100)
    blocks = LogisticRegression(tol=1e-10).fit(X, y)
    np.testing.assert_allclose(blocks.coef_, expected.coef_, atol=1e-7)
    np.testing.assert_allclose(blocks.predict_proba(X), expected.predict_proba(X), atol=1e-7)


def test_gaps_labels_never_seen_and_classes_without_rows():
    X, y = mixed()
    X.loc[::7, "label"] = None
    X.loc[::5, "size"] = np.nan
    declared = pd.Categorical.from_codes(y, ["a", "b", "c", "d"])
    model = LogisticRegression().fit(X, declared)
    assert model.classes_.tolist() == ["a", "b", "c", "d"]
    new = X[:3].assign(label=["never", None, "red"], size=[np.nan, 100.0, 0.0])
    proba = model.predict_proba(new)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert not proba[:, 3].any()
    assert not model.coef_[3].any()
    three = LogisticRegression().fit(X, np.array(["a", "b", "c"])[y])
    np.testing.assert_allclose(three.predict_proba(new), proba[:, :3], atol=1e-9)


def test_rows_far_away_have_probabilities():
    X, y = mixed()
    model = LogisticRegression(continuous="standardize").fit(X, y)
    far = X[:2].assign(size=[1e308, -1e308], dull=[-1e308, 1e308])
    np.testing.assert_allclose(model.predict_proba(far).sum(axis=1), 1.0)
    assert np.isfinite(model.decision_function(far)).all()


def test_numbers_too_large_are_named():
    """Their deviation was infinite, and the column had no say."""
    X, y = mixed()
    with pytest.raises(ValueError, match="LogisticRegression: column 'size' must hold numbers"):
        LogisticRegression().fit(X.assign(size=X["size"] * 1e300), y)


def test_light_rows_have_the_same_deviation():
    X = pd.DataFrame({"size": [1.0, 2.0, 1000.0, 3000.0, np.nan, np.nan]})
    light, heavy = (
        LogisticRegression(continuous="standardize", C=1 / c).fit(
            X, list("abaabb"), sample_weight=np.array([0.05, 0.1, 0.05, 0.1, 1.5, 1.5]) * c
        )
        for c in (1.0, 1000.0)
    )
    # A thousand times the weight, and the penalty too: the same optimum.
    np.testing.assert_allclose(light.predict_proba(X), heavy.predict_proba(X), atol=1e-4)


def test_one_class_with_rows_is_certain():
    X, _ = mixed(n=20)
    declared = pd.Categorical(["b"] * 20, categories=["a", "b"])
    model = LogisticRegression().fit(X, declared)
    np.testing.assert_array_equal(model.predict_proba(X), [[0.0, 1.0]] * 20)
    assert model.n_iter_ == 0


def test_penalty_by_cross_validation():
    X, y = mixed(n=400)
    model = LogisticRegression(C="cv").fit(X, y)
    assert 1e-3 < model.C_ < 1e2
    noise = np.random.default_rng(0).integers(0, 3, len(y))
    assert LogisticRegression(C="cv").fit(X, noise).C_ < model.C_
    same = LogisticRegression(C=model.C_).fit(X, y)
    np.testing.assert_allclose(same.coef_, model.coef_)


def test_a_warm_start_is_true_or_false():
    X, y = mixed(n=20)
    with pytest.raises(TypeError, match="warm_start must be True or False, got 'no'"):
        LogisticRegression(warm_start="no").fit(X, y)


def test_a_warm_start_saves_steps():
    X, y = mixed(n=400)
    cold = LogisticRegression(warm_start=True).fit(X, y)
    first = cold.n_iter_
    coefficients = cold.coef_.copy()
    cold.fit(X, y)
    assert cold.n_iter_ < first
    np.testing.assert_allclose(cold.coef_, coefficients, atol=1e-4)


def test_too_few_steps_are_warned_of():
    X, y = mixed()
    with pytest.warns(ConvergenceWarning, match="the search ended after 1 steps"):
        LogisticRegression(C=1e6, max_iter=1).fit(X, y)


def test_whole_weights_are_repeated_rows():
    X, y = mixed(n=60)
    weight = np.random.default_rng(0).integers(0, 4, 60)
    rows = np.repeat(np.arange(60), weight)
    weighted = LogisticRegression(tol=1e-10).fit(X, y, sample_weight=weight)
    repeated = LogisticRegression(tol=1e-10).fit(X.iloc[rows], y[rows])
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=1e-6)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0}, "LogisticRegression: C must be a number > 0, got 0"),
        ({"C": "best"}, "C must be one of 'cv', got 'best'"),
        ({"coefficients": "all"}, "coefficients must be one of 'symmetric', 'reference'"),
        ({"continuous": "raw"}, "continuous must be one of 'both', 'standardize', 'discretize'"),
        ({"max_iter": 0}, "max_iter must be an integer >= 1"),
        ({"tol": 0}, "tol must be a number > 0"),
    ],
)
def test_bad_parameters(parameters, message):
    X, y = mixed(n=20)
    with pytest.raises(ValueError, match=message):
        clone(LogisticRegression(**parameters)).fit(X, y)
