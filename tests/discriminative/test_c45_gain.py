"""Gains, ratios and thresholds by hand."""

import numpy as np
import pytest

from augury.discriminative.c45.gain import all_gains, state_gains, threshold_gains
from augury.discriminative.c45.growing import TreeGrower
from augury.discriminative.c45.rows import TreeRows, tree_columns
from augury.encode import TableEncoder


def entropy(*counts):
    p = np.array(counts, dtype=float)
    p = p[p > 0] / p.sum()
    return -(p * np.log2(p)).sum()


def rows_of(X, y, weight=None, n_classes=None, categorical="all"):
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    encoder = TableEncoder(categorical_features=categorical, missing="ignore", discretizer=None)
    table = encoder.fit(X, y).transform(X)
    columns = tree_columns(table, encoder.feature_names_)
    n_classes = int(y.max()) + 1 if n_classes is None else n_classes
    return TreeRows(table, columns, y, weight, n_classes)


def everything(rows):
    return np.arange(rows.n_samples)


# Quinlan's weather: outlook 0 sunny, 1 overcast, 2 rain; windy.
OUTLOOK = [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2]
WINDY = [1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 0]
PLAY = [1, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1]


def test_the_weather_of_quinlan():
    rows = rows_of(np.column_stack([OUTLOOK, WINDY]), PLAY)
    found = state_gains(rows, everything(rows), None, 2, 1)
    outlook = entropy(9, 5) - 5 / 14 * entropy(2, 3) - 5 / 14 * entropy(3, 2)
    windy = entropy(9, 5) - 6 / 14 * entropy(3, 3) - 8 / 14 * entropy(6, 2)
    np.testing.assert_allclose(found.gain, [outlook, windy])
    np.testing.assert_allclose(found.gain, [0.246, 0.048], atol=1e-3)  # Quinlan 1993, p. 22 f.
    np.testing.assert_allclose(found.ratio, [outlook / entropy(5, 4, 5), windy / entropy(6, 8)])
    assert found.usable.all()


def test_a_missing_value_lowers_the_gain_and_is_a_branch_of_its_own():
    outlook = np.array(OUTLOOK, dtype=float)
    outlook[5] = np.nan  # Quinlan 1993, p. 28 f.
    rows = rows_of(outlook[:, None], PLAY)
    found = state_gains(rows, everything(rows), None, 2, 1)
    gain = 13 / 14 * (entropy(8, 5) - 5 / 13 * entropy(2, 3) - 5 / 13 * entropy(3, 2))
    np.testing.assert_allclose(found.gain, [gain])
    np.testing.assert_allclose(found.gain, [0.199], atol=1e-3)
    np.testing.assert_allclose(found.ratio, [gain / entropy(5, 3, 5, 1)])


def test_two_branches_must_have_enough_rows():
    rows = rows_of([[0], [0], [0], [1], [2]], [0, 0, 0, 1, 1])
    assert not state_gains(rows, everything(rows), None, 2, 1).usable.any()
    assert state_gains(rows, everything(rows), None, 1, 1).usable.all()


def test_the_best_threshold_pays_for_the_choice_among_all():
    rows = rows_of([[1], [2], [3], [5], [7], [8]], [0, 0, 0, 1, 1, 1], categorical=None)
    found = threshold_gains(rows, everything(rows), None, 1)
    np.testing.assert_allclose(found.gain, [1 - np.log2(5) / 6])  # five places to cut
    np.testing.assert_allclose(found.ratio, found.gain)  # both sides have half of the rows
    assert (found.below[0], found.above[0]) == (3, 5)
    found = threshold_gains(rows, everything(rows), None, 2)
    np.testing.assert_allclose(found.gain, [1 - np.log2(3) / 6])


def test_missing_numbers():
    rows = rows_of([[1], [np.nan], [2], [5], [7], [np.nan]], [0, 0, 0, 1, 1, 1], categorical=None)
    found = threshold_gains(rows, everything(rows), None, 2)
    np.testing.assert_allclose(found.gain, [4 / 6 * 1.0])
    np.testing.assert_allclose(found.ratio, [4 / 6 / entropy(2, 2, 2)])


def test_both_sides_need_a_tenth_of_the_mean_class():
    y = np.zeros(200, dtype=int)
    y[100:], y[:8] = 1, 1
    rows = rows_of(np.arange(200.0)[:, None], y, categorical=None)
    # 0.1 * 200 / 2 = 10 rows at least on each side, so that 181 cuts are left.
    found = threshold_gains(rows, everything(rows), None, 2)
    gain = entropy(108, 92) - 0.5 * entropy(8, 92) - np.log2(181) / 200
    np.testing.assert_allclose(found.gain, [gain])


def test_the_first_of_equal_cuts_is_taken():
    rows = rows_of([[1], [2], [3], [4]], [0, 1, 1, 0], categorical=None)
    found = threshold_gains(rows, everything(rows), None, 1)
    assert (found.below[0], found.above[0]) == (1, 2)


def test_numbers_that_hardly_differ_are_one_value():
    rows = rows_of([[1], [1.000005], [2], [2.000005]], [0, 1, 0, 1], categorical=None)
    assert not threshold_gains(rows, everything(rows), None, 1).usable.any()
    # But a column in small units has values like any other.
    rows = rows_of([[1e-9], [2e-9], [8e-9], [9e-9]], [0, 0, 1, 1], categorical=None)
    found = threshold_gains(rows, everything(rows), None, 1)
    assert (found.below[0], found.above[0]) == (2e-9, 8e-9)


def test_the_threshold_is_a_value_of_the_training_rows():
    # The root asks x1; below, x0 is cut between 10 and 20, and 14 has gone the other way.
    X = [[10, 0], [10, 0], [20, 0], [20, 0], [14, 1], [14, 1], [14, 1], [16, 1]]
    rows = rows_of(X, [0, 0, 1, 1, 2, 2, 2, 2], categorical=None)
    root = TreeGrower(rows, 2).grow()
    assert (root.split.column.name, root.split.threshold) == ("x1", 0)
    assert (root.branches[0].split.column.name, root.branches[0].split.threshold) == ("x0", 14)


def test_of_columns_alike_the_first_is_asked():
    first = [[0, 0], [0, 0], [1, 1], [1, 1]]
    for categorical, name in (("all", "x0"), ([1], "x0"), ([0], "x0")):
        rows = rows_of(first, [0, 0, 1, 1], categorical=categorical)
        root = TreeGrower(rows, 1).grow()
        ratios = all_gains(rows, everything(rows), None, 1).ratio
        if categorical == "all":
            assert ratios[0] == ratios[1]
        assert root.split.column.name == name


def test_columns_with_as_many_states_as_rows_do_not_raise_the_average():
    # x0 names each row; with it in the average, x1 would have too little gain to be asked.
    n = 20
    X = np.column_stack([np.arange(n) // 2, np.arange(n) % 2])
    y = np.array([0] * 9 + [1] + [0] + [1] * 9)
    X[:, 1] = np.array([0] * 10 + [1] * 10)
    rows = rows_of(X, y)
    grower = TreeGrower(rows, 2)
    assert grower.in_average == [False, True]
    only = TreeGrower(rows_of(X[:, :1], y), 2)
    assert only.in_average == [True]  # unless all are such


@pytest.mark.parametrize("weight", [None, np.ones(4)])
def test_too_few_rows_or_one_class_make_a_leaf(weight):
    X = [[0], [0], [1], [1]]
    assert TreeGrower(rows_of(X, [0, 0, 1, 1], weight), 2).grow().split is not None
    assert TreeGrower(rows_of(X, [0, 0, 1, 1], weight), 3).grow().split is None
    assert TreeGrower(rows_of(X, [1, 1, 1, 1], weight), 1).grow().split is None
    assert TreeGrower(rows_of(X, [0, 1, 0, 1], weight), 1).grow().split is None
