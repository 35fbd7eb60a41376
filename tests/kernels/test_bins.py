"""Intervals of numbers and class × bin weights."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augury.arrays import FloatArray
from augury.kernels import _native, count_bins, make_grid


def some_numbers(rng: np.random.Generator, n: int) -> FloatArray:
    """Return numbers of one of several distributions, with gaps."""
    kinds = [
        rng.normal(size=n).round(2),
        np.exp(9 * rng.normal(size=n)),
        rng.choice([-1e308, 1e308, 1.5e308, -0.0], n),
        np.full(n, 7.0),
    ]
    numbers = kinds[rng.integers(len(kinds))]
    numbers[rng.random(n) < 0.2] = np.nan
    return numbers


@given(seed=st.integers(0, 2**32 - 1), n_edges=st.integers(0, 40))
def test_the_bin_of_a_number_is_that_of_a_binary_search(seed: int, n_edges: int) -> None:
    rng = np.random.default_rng(seed)
    edges = np.unique(some_numbers(rng, n_edges))
    edges = edges[~np.isnan(edges)]
    values = np.concatenate([some_numbers(rng, 50), edges, [np.inf, -np.inf, -0.0]])
    counts, missing = np.zeros((len(edges) + 1, 1)), np.zeros(1)
    ranges = np.tile([np.inf, -np.inf], (len(edges) + 1, 1))
    y = np.zeros(len(values), dtype=np.int32)
    count_bins(values, y, None, make_grid(edges), counts, ranges, missing)
    known = values[~np.isnan(values)]
    expected = np.bincount(np.searchsorted(edges, known), minlength=len(edges) + 1)
    assert counts[:, 0].tolist() == expected.tolist()
    assert missing[0] == len(values) - len(known)


def test_intervals_of_another_number_of_values() -> None:
    with pytest.raises(ValueError, match="find_intervals: shapes"):
        _native.find_intervals(np.zeros(2), np.zeros(1), np.zeros(3, dtype=np.int64))


def test_arguments_that_do_not_fit() -> None:
    grid = make_grid(np.array([1.0]))
    counts, ranges, missing = np.zeros((2, 1)), np.zeros((2, 2)), np.zeros(1)
    values, y = np.array([1.0]), np.array([0])
    wrong = [
        (values, y + 1, grid, counts, ranges, missing),
        (values, np.array([0, 0]), grid, counts, ranges, missing),
        (values, y, grid, np.zeros((3, 1)), ranges, missing),
        (values, y, grid, counts, np.zeros((2, 1)), missing),
        (values, y, grid, counts, ranges, np.zeros(2)),
        (values, y, grid._replace(starts=np.array([0, 5])), counts, ranges, missing),
        (values, y, grid._replace(starts=np.array([0, 2, -1, 1])), counts, ranges, missing),
    ]
    for one, label, cells, *out in wrong:
        with pytest.raises(ValueError, match="count_bins: shapes, labels or starts"):
            count_bins(one, label, None, cells, *out)
