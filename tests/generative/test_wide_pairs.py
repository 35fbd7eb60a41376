"""Pair models with columns of many states, whose pairs are not in the common table."""

import numpy as np
import pytest

from augury.counts import PairCounts, conditional_mutual_information, pair_counts
from augury.counts.triple_counts import TripleCounts
from augury.data.synthetic import make_many_labels
from augury.generative import (
    AveragedOneDependence,
    HiddenNaiveBayes,
    KDependenceBayes,
    TreeAugmentedNaiveBayes,
)
from augury.hybrid.independence_split import independence_p_values
from augury.persist import load_model, save_model
from tests.generative.left_out_labels import with_gaps

TABLE = make_many_labels(150, n_columns=7, n_labels=[150, 80, 20], random_state=0)
GAPPY = TABLE.X.mask(np.random.default_rng(1).random(TABLE.X.shape) < 0.1)
WEIGHT = np.random.default_rng(0).integers(0, 4, 150) / 2.0
MODELS = {
    "aode": lambda: AveragedOneDependence(),
    "aode without smoothing": lambda: AveragedOneDependence(alpha=0.0, frequency_limit=2),
    "hnb": lambda: HiddenNaiveBayes(),
    "hnb without smoothing": lambda: HiddenNaiveBayes(alpha=0.0),
    "tan": lambda: TreeAugmentedNaiveBayes(),
    "kdb": lambda: KDependenceBayes(),
}
every_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)


@pytest.fixture
def in_both_forms(monkeypatch):
    """Return what does the same work with wide columns and without them."""

    def do_both(work):
        found = []
        for most in (0, 1 << 40):
            monkeypatch.setattr(pair_counts, "_MOST_BYTES", most)
            monkeypatch.setattr(pair_counts, "_MANY_STATES", 10)
            found.append(work())
        return found

    return do_both


def has_wide(model):
    pairs = model.statistics_
    return isinstance(pairs, PairCounts) and len(pairs.wide) > 0


@every_model
@pytest.mark.parametrize("missing", ["state", "ignore"])
def test_equal_posteriors_and_leave_one_out(make, missing, in_both_forms):
    wide, dense = in_both_forms(lambda: make().set_params(missing=missing).fit(GAPPY, TABLE.y))
    assert has_wide(wide) != isinstance(wide, KDependenceBayes)
    assert not has_wide(dense)
    for rows in (GAPPY, with_gaps(TABLE.X, 2), GAPPY[:1]):
        np.testing.assert_allclose(
            wide.predict_log_proba(rows), dense.predict_log_proba(rows), rtol=1e-9, atol=1e-11
        )
    np.testing.assert_allclose(
        wide.leave_one_out_proba(GAPPY, TABLE.y),
        dense.leave_one_out_proba(GAPPY, TABLE.y),
        atol=1e-11,
    )


@every_model
def test_equal_in_batches_with_weights_and_saved(make, in_both_forms, tmp_path):
    def fit():
        model = make()
        for rows in (slice(0, 60), slice(60, 150)):
            X, y, w = TABLE.X[rows], TABLE.y[rows], WEIGHT[rows]
            model.partial_fit(X, y, classes=["band", "noband"], sample_weight=w)
        save_model(model, tmp_path / "model.augury")
        return model, load_model(tmp_path / "model.augury").model

    (wide, loaded), (dense, _) = in_both_forms(fit)
    rows = with_gaps(TABLE.X, 3)
    np.testing.assert_allclose(wide.predict_proba(rows), dense.predict_proba(rows), atol=1e-11)
    np.testing.assert_array_equal(loaded.predict_proba(rows), wide.predict_proba(rows))


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_counts_information_and_totals(weight, in_both_forms):
    table = TreeAugmentedNaiveBayes(missing="ignore")
    read = table.read_training(GAPPY, TABLE.y).read_once
    y = (TABLE.y == "band").to_numpy().astype(int)
    wide, dense = in_both_forms(lambda: PairCounts.collect(read.codes, read.n_states, y, 2, weight))
    assert wide.is_narrow.tolist() == [False, False, False, True, True, True, True]
    wide._check_fitted_state()
    for i in range(7):
        for j in range(7):
            if i != j:
                np.testing.assert_array_equal(wide.of_columns(i, j), dense.of_columns(i, j))
        columns = np.array([k for k in range(7) if k != i])
        np.testing.assert_array_equal(
            wide.at_rows(read.codes, i, columns), dense.at_rows(read.codes, i, columns)
        )
    np.testing.assert_array_equal(wide.features.table, dense.features.table)
    off_diagonal = np.repeat(np.arange(7), read.n_states + 1)[:, None] != np.arange(7)
    np.testing.assert_array_equal(wide.totals[off_diagonal], dense.totals[off_diagonal])
    for negligible in (0.0, 1e-6):
        bits = conditional_mutual_information(wide, negligible=negligible)
        expected = conditional_mutual_information(dense, negligible=negligible)
        np.testing.assert_allclose(bits, expected, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(
        independence_p_values(wide, expected), independence_p_values(dense, expected)
    )


@every_model
def test_tables_of_wide_columns_alone(make, in_both_forms):
    for names in (["wide1", "wide2"], ["wide1"]):
        X = TABLE.X[names]
        wide, dense = in_both_forms(lambda X=X: make().fit(X, TABLE.y))
        rows = with_gaps(X, 6)
        np.testing.assert_allclose(wide.predict_proba(rows), dense.predict_proba(rows), atol=1e-11)
        np.testing.assert_allclose(
            wide.leave_one_out_proba(X, TABLE.y),
            dense.leave_one_out_proba(X, TABLE.y),
            atol=1e-11,
        )


def test_states_that_no_pair_counts_have_are_refused(in_both_forms):
    wide, _ = in_both_forms(lambda: TreeAugmentedNaiveBayes().fit(TABLE.X, TABLE.y))
    pairs = wide.statistics_
    for tables in (pairs.wide[1:], (*pairs.wide[1:], pairs.wide[0]), (*pairs.wide[1:], None)):
        object.__setattr__(pairs, "wide", tables)
        with pytest.raises((ValueError, TypeError), match="wide"):
            pairs._check_fitted_state()


def test_two_parents_have_all_pairs_in_one_table(in_both_forms):
    X = TABLE.X[["wide3", "x1", "x2"]]
    models = in_both_forms(lambda: AveragedOneDependence(n_parents=2).fit(X, TABLE.y))
    assert all(isinstance(model.statistics_, TripleCounts) for model in models)
    assert not models[0].statistics_.pairs.wide
    np.testing.assert_array_equal(*(model.predict_proba(X) for model in models))


@pytest.mark.parametrize("make", [AveragedOneDependence, HiddenNaiveBayes])
def test_blocks_that_are_not_kept_are_not_needed(make, monkeypatch):
    kept = make(missing="ignore").fit(GAPPY, TABLE.y)
    monkeypatch.setattr("augury.generative.bases.pair_model._BYTES_TO_KEEP", 0)
    model = make(missing="ignore").fit(GAPPY, TABLE.y)
    monkeypatch.setattr(model, "_make_block", lambda *_: pytest.fail("a block was computed"))
    rows = with_gaps(TABLE.X, 5)
    np.testing.assert_allclose(model.predict_proba(rows), kept.predict_proba(rows), atol=1e-12)
