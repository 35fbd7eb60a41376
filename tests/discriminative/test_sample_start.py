"""The start of logistic regression from a sample of the rows."""

import numpy as np
import pandas as pd
import pytest

from augury.bases.row_blocks import BlockList
from augury.discriminative import LogisticRegression
from augury.discriminative.logistic import sample_start
from augury.discriminative.logistic.linear_terms import LinearTerms
from augury.discriminative.logistic.logistic_loss import LogisticLoss
from augury.discriminative.logistic.sample_start import SampleCurvature, sample_rows
from augury.kernels import slot_offsets

N_STATES = np.array([2, 3])
FREE = np.array([0, 1, 3, 4, 5, 7, 8, 9])  # terms that are not "left out"


@pytest.fixture
def sampled_soon(monkeypatch):
    monkeypatch.setattr(sample_start, "_MIN_ROWS", 1000)


def random_block(n, n_classes, seed=0):
    rng = np.random.default_rng(seed)
    codes = np.asfortranarray(rng.integers(0, N_STATES, (n, 2)).astype(np.uint8))
    terms = LinearTerms(codes, slot_offsets(N_STATES), np.asfortranarray(rng.normal(size=(n, 2))))
    return terms, rng.integers(0, n_classes, n).astype(np.int32), None


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("coefficients", ["symmetric", "reference"])
@pytest.mark.parametrize("with_many_states", [False, True])
def test_a_sample_leaves_the_optimum_where_it_is(
    n_classes, coefficients, with_many_states, monkeypatch
):
    rng = np.random.default_rng(n_classes)
    X = pd.DataFrame(rng.normal(size=(6000, 3))).add_prefix("number")
    X["label"] = rng.choice(["red", "green", "blue"], 6000)
    lean = X["number0"] + (X["label"] == "red") + rng.normal(size=6000)
    y = np.digitize(lean, np.quantile(lean, np.arange(1, n_classes) / n_classes))
    if with_many_states:  # whose pairs are not counted
        X["place"] = rng.integers(0, 20, 6000).astype(str)
        monkeypatch.setattr("augury.discriminative.logistic.prior_curvature._MAX_TERMS", 20)
    model = LogisticRegression(tol=1e-8, coefficients=coefficients)
    expected = model.fit(X, y).coef_
    n_iter = model.n_iter_
    monkeypatch.setattr(sample_start, "_MIN_ROWS", 6000)
    found = model.fit(X, y)
    np.testing.assert_allclose(found.coef_, expected, atol=1e-5)
    assert found.n_iter_ != n_iter


def test_samples_have_one_row_of_each_group_of_neighbours(sampled_soon):
    terms, y, _ = random_block(2005, 2)
    terms.numbers[:, 0] = np.arange(2005)
    some, classes = sample_rows(BlockList([(terms, y, None)]), 2005, 2)
    rows = some.numbers[:, 0].astype(int)
    assert rows.tolist() == sorted(set(rows.tolist()))
    assert np.array_equal(rows // 10, np.arange(200))
    assert np.array_equal(classes, y[rows])


def test_rows_in_a_periodic_order_are_sampled_from_all_classes(sampled_soon):
    terms, _, _ = random_block(2000, 2)
    y = (np.arange(2000) % 10 == 0).astype(np.int32)  # the period is that of the sample
    y[::5] = 1
    _, classes = sample_rows(BlockList([(terms, y, None)]), 2000, 2)
    assert 20 < classes.sum() < 60


def test_unreliable_samples_are_not_taken(sampled_soon):
    terms, y, _ = random_block(2000, 2)
    assert sample_rows(BlockList([(terms, y, None)]), 2000, 2) is not None
    assert sample_rows(BlockList([random_block(999, 2)]), 999, 2) is None
    assert sample_rows(BlockList([(terms, y, np.ones(2000))]), 2000, 2) is None
    rare = (np.arange(2000) < 100).astype(np.int32)
    assert sample_rows(BlockList([(terms, rare, None)]), 2000, 2) is None
    wide = LinearTerms(terms.codes, terms.offsets, np.zeros((2000, 40), order="F"))
    assert sample_rows(BlockList([(wide, y, None)]), 2000, 2) is None


def test_blocks_are_sampled_into_one_part(sampled_soon):
    blocks = [random_block(n, 2, seed) for seed, n in enumerate((1200, 5, 800))]
    terms, y = sample_rows(BlockList(blocks), 2005, 2)
    parts = [sample_rows(BlockList([block]), 2000, 2) for block in (blocks[0], blocks[2])]
    assert len(y) == len(terms.codes) == 200
    assert np.array_equal(y, np.concatenate([classes for _, classes in parts]))
    for name in ("codes", "numbers"):
        assert getattr(terms, name).flags.f_contiguous
        expected = np.concatenate([getattr(part, name) for part, _ in parts])
        assert np.array_equal(getattr(terms, name), expected)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_blocks_are_those_of_the_hessian(n_classes):
    """With a sample of all rows: the Hessian within each class, and one row for each term."""
    block = random_block(40, n_classes)
    x = np.random.default_rng(1).normal(size=(10, n_classes))
    curvature = SampleCurvature(block[0], x, reference=False, scale=1.0)
    loss = LogisticLoss(
        BlockList([block]),
        n_classes,
        np.full(10, 0.3),
        np.isin(np.arange(10), FREE),
        reference=False,
    )
    scores = block[0].times(x)
    proba = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    expected = np.zeros((10, n_classes))
    gradient = np.random.default_rng(2).normal(size=(10, n_classes))
    for c in range(n_classes):
        hessian = np.empty((len(FREE), len(FREE)))
        for k, term in enumerate(FREE):
            direction = np.zeros((10, n_classes))
            direction[term, c] = 1.0
            hessian[:, k] = loss.at(x).hessian_times(direction)[FREE, c]
        hessian += np.mean(proba[:, c] * (1 - proba[:, c])) * np.eye(len(FREE))
        expected[FREE, c] = np.linalg.solve(hessian, gradient[FREE, c])
    expected -= expected.mean(axis=1, keepdims=True)
    found = curvature.inverse_times(gradient, 0.3)
    np.testing.assert_allclose(found[FREE], expected[FREE], atol=1e-10)
