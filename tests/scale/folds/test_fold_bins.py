"""Bins of a training set as unions of the bins of all training sets."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from augury.scale.folds.fold_bins import _in_portions, _joined, _united
from augury.scale.summaries.bin_counts import BinCounts
from augury.scale.summaries.bins import Bins

NUMBERS = st.lists(st.integers(-9, 9), max_size=12)


@given(
    edges=st.lists(NUMBERS, min_size=1, max_size=4),
    values=st.lists(st.tuples(st.integers(-12, 12), st.integers(0, 1)), max_size=40),
)
def test_joined_bins_equal_bins_that_were_counted(
    edges: list[list[int]], values: list[tuple[int, int]]
) -> None:
    own = [Bins(np.unique(np.array(each, dtype=np.float64)), is_exact=False) for each in edges]
    numbers = np.array([value for value, _ in values], dtype=np.float64)
    y = np.array([label for _, label in values], dtype=np.int32)
    fine = BinCounts.collect(numbers, y, None, 2, _united(own))
    for bins in own:
        expected = BinCounts.collect(numbers, y, None, 2, bins)
        found = _joined(fine, bins)
        np.testing.assert_array_equal(found.weights, expected.weights)
        np.testing.assert_array_equal(found.ranges, expected.ranges)


def test_columns_are_counted_in_portions() -> None:
    bins = {(0, name): Bins(np.arange(9.0), is_exact=True) for name in "abcde"}
    portions = [[name for _, name in some] for some in _in_portions(bins, n_cells=3, most=70)]
    assert portions == [["a", "b"], ["c", "d"], ["e"]]
    assert len(list(_in_portions(bins, n_cells=3, most=1))) == 5
