"""Sorted numbers are those of NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augury.kernels import _native, sort_numbers


@given(st.lists(st.floats(allow_nan=False), max_size=80))
def test_any_numbers(numbers):
    given_numbers = np.array(numbers, dtype=np.float64)
    expected = np.sort(given_numbers)
    _native.sort_numbers(given_numbers, np.empty_like(given_numbers))
    np.testing.assert_array_equal(given_numbers, expected)


@pytest.mark.parametrize("n", [0, 1, 1999, 2000, 30_000])
@pytest.mark.parametrize("scale", [1e-310, 1.0, 1e300])
def test_many_numbers(n, scale):
    rng = np.random.default_rng(n)
    for numbers in (rng.normal(size=n) * scale, rng.integers(-9, 9, n) * scale, np.full(n, scale)):
        expected = np.sort(numbers)
        sort_numbers(numbers)
        np.testing.assert_array_equal(numbers, expected)


def test_wrong_arguments_raise():
    numbers = np.zeros(3)
    for scratch in (np.zeros(2), numbers):
        with pytest.raises(ValueError, match="shapes do not fit"):
            _native.sort_numbers(numbers, scratch)
