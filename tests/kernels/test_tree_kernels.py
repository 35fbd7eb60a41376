"""Kernels of decision trees, against the formulas by brute force and with wrong arguments."""

from itertools import pairwise

import numpy as np
import pytest

from augury.discriminative.c45.gain import state_gains, threshold_gains
from augury.discriminative.c45.rows import TreeRows, tree_columns
from augury.encode import TableEncoder
from augury.kernels import _native, divide_rows


def entropy(weights):
    p = np.asarray(weights, dtype=float)
    p = p[p > 0] / p.sum()
    return float(-(p * np.log2(p)).sum())


def by_class(y, weight, chosen):
    return np.bincount(y[chosen], weight[chosen], 3)


def gain_and_ratio(branch, y, weight):
    """Quinlan's formulas; branch -1 is a missing value."""
    known = branch >= 0
    bags = [branch == b for b in np.unique(branch[known])]
    share = weight[known].sum() / weight.sum()
    after = sum(weight[b].sum() * entropy(by_class(y, weight, b)) for b in bags)
    gain = share * (entropy(by_class(y, weight, known)) - after / weight[known].sum())
    own = entropy([*(weight[b].sum() for b in bags), weight[~known].sum()])
    return gain, gain / own


def table_of(seed, n=200):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 4, n), rng.integers(0, 9, n), rng.normal(size=n)])
    X = X.astype(float)
    X[:, 2] = X[:, 2].round(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.where(rng.random(n) < 0.3, rng.integers(0, 3, n), np.nan_to_num(X[:, 0]) % 3).astype(int)
    return X, y, rng


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_index", [15, 150])
def test_gains_equal_the_formulas(weighted, n_index):
    X, y, rng = table_of(n_index)
    index = np.sort(rng.permutation(len(y))[:n_index])
    w = rng.choice([0.5, 1.0, 2.5], n_index) if weighted else None
    encoder = TableEncoder(categorical_features=[0, 1], missing="ignore", discretizer=None)
    table = encoder.fit(X, y).transform(X)
    rows = TreeRows(table, tree_columns(table, encoder.feature_names_), y, None, 3)
    here, classes = X[index], y[index]
    weight = np.ones(n_index) if w is None else w
    found = state_gains(rows, index, w, 2)
    for j in range(2):
        branch = np.where(np.isnan(here[:, j]), -1, here[:, j])
        expected = gain_and_ratio(branch, classes, weight)
        np.testing.assert_allclose((found.gain[j], found.ratio[j]), expected)
    # The best threshold by trying all of them.
    values = here[:, 2]
    distinct = np.unique(values[~np.isnan(values)])
    known = weight[~np.isnan(values)].sum()
    least = min(max(0.1 * known / 3, 2), 25)
    cuts = [
        (low, high)
        for low, high in pairwise(distinct.tolist())
        if weight[values <= low].sum() >= least and weight[values > low].sum() >= least
    ]
    gains = [
        gain_and_ratio(np.where(np.isnan(values), -1, values > low), classes, weight)[0]
        for low, _ in cuts
    ]
    best = int(np.argmax(gains))
    cost = np.log2(len(cuts)) / weight.sum()
    numbers = threshold_gains(rows, index, w, 2)
    np.testing.assert_allclose(numbers.gain, [gains[best] - cost])
    assert (numbers.below[0], numbers.above[0]) == cuts[best]


@pytest.mark.parametrize("cut", [None, 1])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_rows_are_divided_in_their_order(cut, dtype):
    rng = np.random.default_rng(0)
    codes = np.asfortranarray(rng.integers(0, 4, (100, 2)), dtype=dtype)  # 3: missing
    y, index = rng.integers(0, 2, 100).astype(np.int32), rng.permutation(100)[:70]
    weight = rng.random(70)
    here = codes[index, 1].astype(int)
    branch = here if cut is None else np.where(here == 3, 2, here > cut)
    order = np.argsort(branch, kind="stable")
    expected = index[order], weight[order]
    n_branches = 3 if cut is None else 2
    sums = np.zeros((n_branches + 1, 2))
    np.add.at(sums, (branch, y[index]), weight)
    table, ends = divide_rows(codes, 1, 3, cut, y, 2, index, weight)
    np.testing.assert_array_equal(index, expected[0])
    np.testing.assert_array_equal(weight, expected[1])
    np.testing.assert_allclose(table, sums)
    assert ends == np.cumsum(np.bincount(branch, minlength=n_branches + 1)).tolist()


CODES = np.array([[0], [1]], dtype=np.uint8, order="F")
RANKS = CODES.astype(np.uint32)
Y, INDEX, MEMO = np.array([0, 1], np.int32), np.arange(2), np.array([0.0, 0.0, 2.0])
OFFSETS, VALUES, APART = np.array([0, 3]), np.array([1.0, 2.0, np.nan]), np.array([1e-5])


def call_states(codes=CODES, y=Y, index=INDEX, weight=None, memo=MEMO, stop=1, columns=1):
    out = np.zeros((5, columns))
    _native.state_gains(codes, OFFSETS, y, index, weight, memo, 2, 2.0, 1.0, out, 0, stop)


def call_thresholds(codes=RANKS, y=Y, index=INDEX, weight=None, memo=MEMO, stop=1, columns=1):
    out = np.zeros((5, columns))
    _native.threshold_gains(
        codes, OFFSETS, VALUES, APART, y, index, weight, memo, 2, 2.0, 1.0, out, 0, stop
    )


@pytest.mark.parametrize("call", [call_states, call_thresholds])
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"y": Y + 1}, "do not fit"),
        ({"y": Y[:1]}, "do not fit"),
        ({"index": INDEX + 1}, "do not fit"),
        ({"index": INDEX - 1}, "do not fit"),
        ({"weight": np.ones(3)}, "do not fit"),
        ({"memo": None}, "do not fit"),
        ({"memo": MEMO[:2]}, "do not fit"),
        ({"stop": 2}, "do not fit"),
        ({"columns": 2}, "do not fit"),
        ({"codes": RANKS + 2}, "out of range"),
    ],
)
def test_wrong_arguments_of_gains_raise(call, wrong, message):
    call()
    with pytest.raises(ValueError, match=message):
        call(**wrong)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"column": 1}, "shapes"),
        ({"n_states": 3}, "shapes"),
        ({"index": INDEX + 1}, "rows or labels"),
        ({"y": Y - 1}, "rows or labels"),
        ({"weight": np.ones(1)}, "shapes"),
        ({"codes": CODES + 2}, "out of range"),
        ({"cut": 0, "ends": np.zeros(2, np.int64)}, "shapes"),
    ],
)
def test_wrong_arguments_of_a_division_raise(wrong, message):
    given = {
        "codes": CODES, "column": 0, "n_states": 2, "cut": -1, "y": Y, "index": INDEX.copy(),
        "weight": None, "table": np.zeros((3, 2)), "ends": np.zeros(3, np.int64),
    }  # fmt: skip
    _native.divide_rows(*given.values())
    with pytest.raises(ValueError, match=message):
        _native.divide_rows(*(given | wrong).values())


def test_expected_errors_need_a_place_for_each_leaf():
    with pytest.raises(ValueError, match="shapes"):
        _native.expected_errors(np.ones((2, 2)), 0.25, 0.67, np.zeros(1))
