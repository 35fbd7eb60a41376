"""Networks whose families are sparse predict as those whose families are dense."""

import numpy as np
import pytest

from augury.counts import sparse_table
from augury.counts.sparse_table import SparseTable
from augury.data.synthetic import make_many_labels
from augury.generative import BayesianNetworkClassifier, KDependenceBayes
from augury.persist import load_model, save_model
from augury.structure import Structure
from tests.generative.left_out_labels import with_gaps

TABLE = make_many_labels(200, n_columns=8, n_labels=[150, 60, 20], random_state=0)
WEIGHT = np.random.default_rng(0).integers(0, 4, 200) / 2.0
# A class with two parents, a column without the class, and one with three parents.
GENERAL = Structure(
    ((), (0,), (1, 0), (), (3, 2, 0), (), (5,), (2,)),
    class_parents=(0, 1),
    class_children=(2, 3, 4, 6, 7),
)
MODELS = {
    "kdb": lambda: KDependenceBayes(k=3),
    "bn": lambda: BayesianNetworkClassifier(structure_score="ll"),
    "general": lambda: BayesianNetworkClassifier(GENERAL, alpha=0.5),
    "no smoothing": lambda: KDependenceBayes(k=2, alpha=0.0, equivalent_sample_size=0.0),
}
every_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)


@pytest.fixture
def in_both_forms(monkeypatch):
    def fit_both(fit):
        models = []
        for always_dense, per_filled in ((0, 0), (1 << 40, 0)):
            monkeypatch.setattr(sparse_table, "_ALWAYS_DENSE", always_dense)
            monkeypatch.setattr(sparse_table, "_CELLS_PER_FILLED", per_filled)
            models.append(fit())
        forms = [{type(t) for t in model.statistics_.tables} for model in models]
        assert forms == [{SparseTable}, {np.ndarray}]
        return models

    return fit_both


@every_model
@pytest.mark.parametrize("missing", ["state", "ignore"])
def test_equal_posteriors_terms_and_leave_one_out(make, missing, in_both_forms):
    X = TABLE.X.astype(object).mask(np.random.default_rng(1).random(TABLE.X.shape) < 0.1)
    model = make().set_params(missing=missing)
    sparse, dense = in_both_forms(lambda: model.__class__(**model.get_params()).fit(X, TABLE.y))
    for rows in (X, with_gaps(TABLE.X, 2), X[:1]):
        np.testing.assert_allclose(
            sparse.predict_log_proba(rows), dense.predict_log_proba(rows), rtol=1e-12, atol=1e-12
        )
        np.testing.assert_allclose(sparse.explain(rows), dense.explain(rows), atol=1e-11)
    np.testing.assert_allclose(
        sparse.leave_one_out_proba(X, TABLE.y), dense.leave_one_out_proba(X, TABLE.y), atol=1e-12
    )


@every_model
def test_equal_after_more_rows_with_weights(make, in_both_forms):
    def fit():
        model = make()
        for rows in (slice(0, 90), slice(90, 200)):
            X, y, w = TABLE.X[rows], TABLE.y[rows], WEIGHT[rows]
            model.partial_fit(X, y, classes=["band", "noband"], sample_weight=w)
        return model

    sparse, dense = in_both_forms(fit)
    rows = with_gaps(TABLE.X, 3)
    np.testing.assert_allclose(sparse.predict_proba(rows), dense.predict_proba(rows), atol=1e-12)


@every_model
def test_saved_and_loaded(make, in_both_forms, tmp_path):
    sparse, _ = in_both_forms(lambda: make().fit(TABLE.X, TABLE.y))
    rows = with_gaps(TABLE.X, 4)
    expected = sparse.predict_proba(rows)
    save_model(sparse, tmp_path / "model.augury")
    loaded = load_model(tmp_path / "model.augury").model
    np.testing.assert_array_equal(loaded.predict_proba(rows), expected)
    np.testing.assert_allclose(
        loaded.partial_fit(TABLE.X, TABLE.y).predict_proba(rows),
        sparse.partial_fit(TABLE.X, TABLE.y).predict_proba(rows),
    )


def test_parameters_that_are_set_after_fit_change_nothing():
    model = KDependenceBayes(k=2).fit(TABLE.X, TABLE.y)
    expected = model.predict_proba(TABLE.X)
    model.set_params(alpha=9.0, equivalent_sample_size=0.0)
    np.testing.assert_array_equal(model.predict_proba(TABLE.X), expected)


def test_a_state_whose_smoothing_is_none_is_refused():
    model = KDependenceBayes(k=2).fit(TABLE.X, TABLE.y)
    for smoothing in (None, (1.0,), (1.0, -1.0), (1.0, float("nan")), ("1", "2")):
        model._smoothing = smoothing
        with pytest.raises((ValueError, TypeError), match="_smoothing"):
            model._check_fitted_state()


def test_a_mixture_of_forms_by_default():
    model = KDependenceBayes(k=2).fit(TABLE.X, TABLE.y)
    assert {type(t) for t in model.statistics_.tables} == {SparseTable, np.ndarray}
    assert model.predict_proba(TABLE.X).shape == (200, 2)
