"""Fayyad and Irani's criterion, computed here from its formula on small columns."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from augury.encode import EqualFrequencyDiscretizer, EqualWidthDiscretizer, MDLDiscretizer
from augury.kernels import find_intervals


def entropy(labels):
    n = len(labels)
    return -sum(k / n * math.log2(k / n) for k in (labels.count(label) for label in set(labels)))


def direct_cuts(values, labels):
    """Return the cuts, and whether they do not depend on rounding."""
    rows = sorted(zip(values, labels, strict=True))
    values, labels = [v for v, _ in rows], [c for _, c in rows]
    n = len(values)
    costs = sorted(
        ((i * entropy(labels[:i]) + (n - i) * entropy(labels[i:])) / n, i)
        for i in range(1, n)
        if values[i - 1] < values[i]
    )
    if not costs or entropy(labels) - costs[0][0] <= 1e-9:
        return [], True
    after, i = costs[0]
    left, right = labels[:i], labels[i:]
    k, k_left, k_right = len(set(labels)), len(set(left)), len(set(right))
    delta = math.log2(3**k - 2) - (
        k * entropy(labels) - k_left * entropy(left) - k_right * entropy(right)
    )
    margin = entropy(labels) - after - (math.log2(n - 1) + delta) / n
    if margin <= -1e-9:  # no place is better, so none of the others is accepted either
        return [], len(costs) < 2 or costs[1][0] - after > 1e-9
    below, sure_below = direct_cuts(values[:i], left)
    above, sure_above = direct_cuts(values[i:], right)
    unique = len(costs) < 2 or costs[1][0] - after > 1e-9
    sure = unique and margin > 1e-9 and sure_below and sure_above
    return [*below, (values[i - 1] + values[i]) / 2, *above], sure


@st.composite
def columns(draw):
    """Columns with runs of mostly one class, which have cuts, and some noise."""
    values, labels = [], []
    for run in range(draw(st.integers(1, 5))):
        label = draw(st.sampled_from("abc"))
        for _ in range(draw(st.integers(1, 25))):
            values.append(10.0 * run + draw(st.integers(0, 9)))
            labels.append(draw(st.sampled_from([label] * 5 + ["a", "b"])))
    return values, labels


@given(columns())
def test_cuts_equal_the_formula(column):
    values, labels = column
    expected, sure = direct_cuts(values, labels)
    assume(sure)  # between equally good places rounding decides, as it does in WEKA
    found = MDLDiscretizer().fit(np.array([values]).T, labels).cut_points_[0].tolist()
    assert found == expected


def test_an_uninformative_column_has_no_cut():
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    assert MDLDiscretizer().fit(X, [0, 1, 0, 1]).cut_points_[0].tolist() == []


def test_a_value_equal_to_a_cut_lies_left():
    X = np.array([[1.0], [1.0], [1.0], [1.0], [3.0], [3.0], [3.0], [3.0]])
    model = MDLDiscretizer().fit(X, [0, 0, 0, 0, 1, 1, 1, 1])
    assert model.cut_points_[0].tolist() == [2.0]
    assert model.transform([[2.0], [2.0000001], [np.nan]])[:, 0].tolist()[:2] == [0, 1]


def test_missing_values_stay_missing_and_do_not_cut():
    X = np.array([[1.0], [1.1], [1.2], [1.3], [np.nan], [3.0], [3.1], [3.2], [3.3]])
    model = MDLDiscretizer().fit(X, [0, 0, 0, 0, 0, 1, 1, 1, 1])
    assert model.cut_points_[0].tolist() == [(1.3 + 3.0) / 2]
    assert np.isnan(model.transform(X)[4, 0])


def test_a_column_without_values_has_no_cut():
    X = np.array([[np.nan, 1.0], [np.nan, 2.0]])
    assert MDLDiscretizer().fit(X, [0, 1]).cut_points_[0].tolist() == []


def test_integer_weights_equal_repeated_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)).round(1), rng.integers(0, 3, 60)
    X[:, 0] += y
    weight = rng.integers(0, 4, 60)
    weighted = MDLDiscretizer().fit(X, y, sample_weight=weight).cut_points_
    repeated = MDLDiscretizer().fit(X.repeat(weight, axis=0), y.repeat(weight)).cut_points_
    for a, b in zip(weighted, repeated, strict=True):
        np.testing.assert_array_equal(a, b)


def test_threads_change_nothing():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(500, 6))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    for a, b in zip(
        MDLDiscretizer().fit(X, y).cut_points_,
        MDLDiscretizer(n_jobs=3).fit(X, y).cut_points_,
        strict=True,
    ):
        np.testing.assert_array_equal(a, b)


def test_thousands_of_alternating_cuts_need_no_deep_stack():
    n = 40_000
    y = (np.arange(n) // 20) % 2
    cuts = MDLDiscretizer().fit(np.arange(n, dtype=float)[:, None], y).cut_points_[0]
    assert (np.diff(cuts) > 0).all()


def test_frames_keep_their_names():
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [0.0, 0.0, 1.0]})
    model = MDLDiscretizer().set_output(transform="pandas").fit(X, [0, 1, 1])
    assert model.transform(X).columns.tolist() == ["a", "b"]


def test_mdl_needs_the_class():
    with pytest.raises(ValueError, match="requires y to be passed"):
        MDLDiscretizer().fit([[1.0], [2.0]])


def test_equal_width_edges():
    model = EqualWidthDiscretizer(n_bins=2).fit([[0.0, 5.0], [10.0, 5.0]])
    assert [cuts.tolist() for cuts in model.cut_points_] == [[5.0], []]


def test_equal_frequency_shares_the_weight():
    X = np.arange(10.0)[:, None]
    assert EqualFrequencyDiscretizer(n_bins=2).fit(X).cut_points_[0].tolist() == [4.5]
    heavy = EqualFrequencyDiscretizer(n_bins=2).fit(X, sample_weight=[9, *[1] * 9])
    assert heavy.cut_points_[0].tolist() == [0.5]


def test_equal_frequency_of_ties_never_repeats_a_cut():
    cuts = EqualFrequencyDiscretizer(n_bins=5).fit([[1.0]] * 8 + [[2.0], [3.0]]).cut_points_[0]
    assert cuts.tolist() == [1.5]


@pytest.mark.parametrize("discretizer", [EqualWidthDiscretizer, EqualFrequencyDiscretizer])
def test_bins_must_be_positive(discretizer):
    with pytest.raises(ValueError, match=r"n_bins must be an integer >= 1, got 0"):
        discretizer(n_bins=0).fit([[1.0]])
    with pytest.raises(TypeError, match=r"n_bins must be an integer >= 1, got 2\.5"):
        discretizer(n_bins=2.5).fit([[1.0]])


def test_noise_is_not_cut_for_any_sum_of_weights():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(64, 20)), rng.integers(0, 2, 64)
    for total in (0.5, 1.0, 1.0 + 1e-12, 1.001, 1.5, 1.999):
        cuts = MDLDiscretizer().fit(X, y, sample_weight=np.full(64, total / 64)).cut_points_
        assert sum(map(len, cuts)) == 0


def test_so_many_classes_that_three_to_their_power_overflows():
    def n_cuts(n_classes):
        y = np.repeat(np.arange(n_classes), 30)
        return len(MDLDiscretizer().fit(y[:, None].astype(float), y).cut_points_[0])

    assert (n_cuts(600), n_cuts(700)) == (599, 699)


def test_cuts_between_the_largest_numbers():
    X = np.repeat([1.2e308, 1.7e308], 10)[:, None]
    y = [0] * 10 + [1] * 10
    for discretizer in (MDLDiscretizer(), EqualFrequencyDiscretizer(2)):
        assert discretizer.fit(X, y).cut_points_[0].tolist() == [1.45e308]
    wide = EqualWidthDiscretizer(4).fit([[-1.6e308], [1.6e308]]).cut_points_[0]
    np.testing.assert_allclose(wide, [-0.8e308, 0.0, 0.8e308])


@pytest.mark.parametrize("n_cuts", [0, 1, 2, 3, 7, 32, 33, 254, 1000])
@pytest.mark.parametrize("n", [0, 1, 15, 16, 17, 2001])
def test_intervals_of_values_are_those_of_a_binary_search(n, n_cuts):
    rng = np.random.default_rng(n_cuts)
    cuts = np.sort(rng.normal(size=n_cuts).round(2))
    values = rng.normal(size=n).round(2)  # a value equal to a cut point lies left of it
    values[3:9] = [np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-320][: len(values[3:9])]
    np.testing.assert_array_equal(find_intervals(values, cuts), np.searchsorted(cuts, values))
