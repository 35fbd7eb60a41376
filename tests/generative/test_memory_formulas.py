"""The memory that the docstrings of pair and family models state, against what is allocated."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest

from augury.counts.sparse_table import SparseTable
from augury.data.synthetic import make_many_labels
from augury.ensemble import BaggedNetworks
from augury.generative import (
    AveragedOneDependence,
    BayesianNetworkClassifier,
    HiddenNaiveBayes,
    KDependenceBayes,
    TreeAugmentedNaiveBayes,
)

# Objects, small arrays and the encoder, which no formula counts.
SMALL = 200_000


def table(n_states, n_classes, n_rows=3000, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            f"c{j}": pd.Categorical.from_codes(rng.integers(0, v, n_rows), range(v))
            for j, v in enumerate(n_states)
        }
    )
    return X, rng.permutation(np.arange(n_rows) % n_classes)


def kept_bytes(model, X, y):
    """Return the bytes that a fitted model keeps."""
    model.fit(X, y)  # what is imported and cached once
    tracemalloc.start()
    try:
        model.fit(X, y)
        before = tracemalloc.get_traced_memory()[0]
        del model.__dict__["statistics_"]
        for name in ("_blocks", "_log_table"):
            model.__dict__.pop(name, None)
        return before - tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def pair_formula(n_states, q):
    return 8 * q * sum(n_states) ** 2


@pytest.mark.parametrize("q", [2, 5])
@pytest.mark.parametrize("n_states", [[30] * 10, [20, 400, 60, 200]], ids=["even", "uneven"])
@pytest.mark.parametrize("make", [AveragedOneDependence, HiddenNaiveBayes])
def test_pair_models(make, n_states, q):
    X, y = table(n_states, q)
    expected = pair_formula(n_states, q) + pair_formula([v + 1 for v in n_states], q)
    assert kept_bytes(make(), X, y) == pytest.approx(expected, abs=SMALL)
    assert expected > 5 * SMALL


@pytest.mark.parametrize("q", [2, 5])
@pytest.mark.parametrize("n_states", [[30] * 10, [20, 400, 60, 200]], ids=["even", "uneven"])
def test_trees(n_states, q):
    X, y = table(n_states, q)
    model = TreeAugmentedNaiveBayes().fit(X, y)
    cells = sum(
        (n_states[i] + 1) * (n_states[above[0]] + 1 if above else 1)
        for i, above in enumerate(model.structure_.parents)
    )
    expected = pair_formula(n_states, q) + 8 * q * cells
    assert kept_bytes(model, X, y) == pytest.approx(expected, abs=SMALL)
    assert expected > 5 * SMALL


def family_formula(model, n_states, q):
    tables = model.statistics_.tables
    return sum(
        8 * (q + 1) * len(counts.cells)
        if isinstance(counts, SparseTable)
        else 16 * q * np.prod([n_states[j] + 1 for j in (*above, i)])
        for i, (above, counts) in enumerate(zip(model.structure_.parents, tables, strict=True))
    )


@pytest.mark.parametrize("q", [2, 5])
@pytest.mark.parametrize(
    ("n_states", "n_rows", "sparse"),
    [([12] * 30, 30_000, False), ([400] * 12, 10_000, True)],
    ids=["dense", "sparse"],
)
@pytest.mark.parametrize(
    "make", [KDependenceBayes, lambda: BayesianNetworkClassifier(structure_score="ll")]
)
def test_networks(make, n_states, n_rows, sparse, q):
    X, y = table(n_states, q, n_rows)
    model = make().fit(X, y)
    assert any(isinstance(t, SparseTable) for t in model.statistics_.tables) == sparse
    expected = family_formula(model, n_states, q)
    filled = [len(t.cells) for t in model.statistics_.tables if isinstance(t, SparseTable)]
    assert max(filled, default=0) <= n_rows
    assert kept_bytes(model, X, y) == pytest.approx(expected, abs=SMALL)
    assert expected > 5 * SMALL


def bytes_of(counts, q):
    return 8 * (q + 1) * len(counts.cells) if isinstance(counts, SparseTable) else counts.nbytes


@pytest.mark.parametrize("q", [2, 3])
@pytest.mark.parametrize("n_rows", [2000, 8000])
@pytest.mark.parametrize("make", [AveragedOneDependence, HiddenNaiveBayes])
def test_pairs_of_wide_columns(make, n_rows, q):
    X, y = table([5, 5, 2500, 2500, 2500], q, n_rows)
    model = make().fit(X, y)
    wide = model.statistics_.wide
    assert len(wide) == 9
    expected = sum(bytes_of(counts, q) for counts in wide)
    filled = [len(counts.cells) for counts in wide if isinstance(counts, SparseTable)]
    assert n_rows // 2 < max(filled) <= n_rows
    assert kept_bytes(model, X, y) == pytest.approx(expected, abs=SMALL)
    assert expected > SMALL


@pytest.mark.parametrize(
    ("model", "n_rows"),
    [
        (KDependenceBayes(), 540),
        (KDependenceBayes(), 1500),
        (BayesianNetworkClassifier(structure_score="acll"), 540),
        (BayesianNetworkClassifier(structure_score="acll"), 1500),
        (BayesianNetworkClassifier(), 1500),
        (BaggedNetworks(n_estimators=10, random_state=0), 540),
    ],
    ids=lambda value: str(value) if isinstance(value, int) else type(value).__name__,
)
def test_many_labels_take_less_than_200_megabytes(model, n_rows):
    made = make_many_labels(n_rows, random_state=0)
    tracemalloc.start()
    try:
        model.fit(made.X, made.y)
        model.predict_proba(made.X)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 200e6
