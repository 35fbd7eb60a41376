"""Leave-one-out of the event models, compared with models fitted without the row."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from augury.generative import BernoulliNaiveBayes, MultinomialNaiveBayes, PoissonNaiveBayes

MODELS = [BernoulliNaiveBayes, MultinomialNaiveBayes, PoissonNaiveBayes]
every_model = pytest.mark.parametrize("model_class", MODELS)


def texts(n_rows=30, n_columns=12, seed=0):
    """Rows of three classes, one of them with a single row, and a row without events."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n_rows)
    y[4] = 2
    X = rng.poisson(0.4 + 0.8 * (np.arange(n_columns) % 3 == y[:, None]))
    X[7] = 0
    return X, y


def refitted(model, X, y, weight=None):
    """Return log p(c, x) of each row from a model that was fitted to the others."""
    n_rows = len(y)
    weight = np.ones(n_rows) if weight is None else np.asarray(weight, dtype=float)
    declared = pd.Categorical(y, categories=np.unique(y))
    joint = []
    for i in range(n_rows):
        others = weight.copy()
        others[i] -= min(others[i], 1.0)
        part = model.fit(X, declared, sample_weight=others)
        row = X.iloc[[i]] if hasattr(X, "iloc") else X[[i]]
        joint.append(part.predict_joint_log_proba(row)[0])
    return np.array(joint)


@every_model
@pytest.mark.parametrize("alpha", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("form", [np.asarray, csr_array, pd.DataFrame])
def test_as_fitted_to_the_other_rows(model_class, alpha, form):
    X, y = texts()
    model = model_class(alpha=alpha)
    # Without smoothing the rare columns have the smallest of probabilities: logs of -708.
    expected = refitted(model, csr_array(X), y)
    ours = model.fit(form(X), y).leave_one_out_joint_log_proba(form(X), y)
    np.testing.assert_allclose(ours, expected, rtol=1e-10, atol=1e-10)
    proba = model.leave_one_out_proba(form(X), y)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    # The only row of its class is not told by it.
    assert proba[4].argmax() != 2


@every_model
@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
def test_weights_are_numbers_of_rows(model_class, priors):
    X, y = texts()
    rng = np.random.default_rng(1)
    for weight in (rng.integers(0, 4, len(y)), rng.random(len(y)) * 2):
        weight = np.where(np.arange(len(y)) == 4, 0.7, weight)
        model = model_class(alpha=0.5, priors=priors)
        expected = refitted(model, X, y, weight)
        model.fit(X, pd.Categorical(y), sample_weight=weight)
        ours = model.leave_one_out_joint_log_proba(X, y, weight)
        np.testing.assert_allclose(ours, expected, rtol=1e-10, atol=1e-10)


@every_model
def test_a_row_of_weight_two_is_two_rows(model_class):
    X, y = texts()
    weight = np.random.default_rng(2).integers(1, 3, len(y))
    rows = np.repeat(np.arange(len(y)), weight)
    weighted = model_class().fit(X, y, weight).leave_one_out_proba(X, y, weight)
    repeated = model_class().fit(X[rows], y[rows]).leave_one_out_proba(X[rows], y[rows])
    np.testing.assert_allclose(weighted[rows], repeated, atol=1e-12)


@every_model
def test_gaps_and_labels(model_class):
    X, y = texts()
    frame = pd.DataFrame(X.astype(float), columns=[f"w{j}" for j in range(X.shape[1])])
    rng = np.random.default_rng(3)
    frame = frame.mask(pd.DataFrame(rng.random(X.shape) < 0.1, columns=frame.columns))
    frame["sky"] = pd.Categorical(rng.choice(["sun", "rain"], len(y)), ["fog", "rain", "sun"])
    model = model_class(missing="ignore")
    expected = refitted(model, frame, y)
    ours = model.fit(frame, y).leave_one_out_joint_log_proba(frame, y)
    np.testing.assert_allclose(ours, expected, rtol=1e-10, atol=1e-10)


@every_model
def test_blocks_and_chunks_change_nothing(model_class, read_in_blocks_of, monkeypatch):
    X, y = texts(n_rows=80)
    expected = model_class().fit(X, y).leave_one_out_proba(X, y)
    read_in_blocks_of(50)
    monkeypatch.setattr("augury.generative.bases.leaves_events_out._CELLS", 40)
    ours = model_class().fit(X, y).leave_one_out_proba(X, y)
    np.testing.assert_allclose(ours, expected, atol=1e-12)


@every_model
def test_the_model_itself_stays(model_class):
    X, y = texts()
    model = model_class().fit(X, y)
    before = model.predict_proba(X)
    model.leave_one_out_proba(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), before)
    assert not np.allclose(before, model.leave_one_out_proba(X, y), atol=0.05)


@every_model
def test_rows_that_were_not_fitted(model_class):
    X, y = texts()
    model = model_class(alpha=0.5).fit(X[y < 2], pd.Categorical(y[y < 2], categories=[0, 1, 2]))
    message = "must be rows that the model was fitted to, got another in row 4"
    for leave_one_out in (model.leave_one_out_proba, model.leave_one_out_joint_log_proba):
        with pytest.raises(ValueError, match=message):
            leave_one_out(X, y)
    # An event that no row of the class had.
    X[:, 5] = 0
    model = model_class().fit(X, y)
    X[10, 5] = 1
    with pytest.raises(ValueError, match="got another in row 10"):
        model.leave_one_out_proba(X, y)


def test_how_many_events():
    X = pd.DataFrame({"a": [2.0, 0.0, np.nan], "sky": ["sun", "rain", "sun"]})
    model = MultinomialNaiveBayes(missing="ignore").fit(X, [0, 1, 1])
    assert model.count_events(X.assign(sky=["sun", "never", "rain"])).tolist() == [3.0, 0.0, 1.0]
    assert model.count_events(X[:1]).tolist() == [3.0]


def test_words_of_the_other_texts_only():
    rng = np.random.default_rng(5)
    X = rng.poisson(0.08, (25, 40))  # most columns have events in one row or two
    X[3] = 0
    y = np.arange(25) % 3
    for alpha in (0.0, 0.4, 1.0):
        for weight in (np.ones(25), rng.integers(1, 3, 25), rng.random(25) * 2):
            model = MultinomialNaiveBayes(alpha=alpha).fit(csr_array(X), y, sample_weight=weight)
            likelihood, n_events = model.leave_one_out_events(csr_array(X), y, weight)
            n_forgotten = 0
            for i in range(25):
                others = weight.astype(float)
                others[i] -= min(others[i], 1.0)
                known = (X[:, (X > 0).any(axis=0)][others > 0] > 0).any(axis=0)
                kept = X[:, (X > 0).any(axis=0)][:, known]
                # Columns that are empty in all rows stay columns.
                empty = np.zeros((25, int((~(X > 0).any(axis=0)).sum())))
                refitted = MultinomialNaiveBayes(alpha=alpha).fit(
                    np.hstack([kept, empty]), pd.Categorical(y), sample_weight=others
                )
                expected = kept[i] @ refitted.log_probability_[: kept.shape[1]]
                np.testing.assert_allclose(likelihood[i], expected, rtol=1e-10, atol=1e-10)
                assert n_events[i] == kept[i].sum()
                n_forgotten += X[i].sum() - n_events[i]
            assert n_forgotten > 0
    X[7, np.flatnonzero(X.sum(axis=0) == 0)[0]] = 5
    with pytest.raises(ValueError, match="got another in row 7"):
        model.leave_one_out_events(X, y, weight)
