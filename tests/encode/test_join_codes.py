"""Columns of codes become a matrix, which is not a copy if it exists."""

import numpy as np
import pytest

from augury.encode.table import join_codes


def matrix(dtype=np.uint8, order="F"):
    return np.array(np.arange(12).reshape(4, 3), dtype=dtype, order=order)


def test_the_columns_of_a_matrix_are_not_copied():
    given = matrix()
    assert join_codes((given[:, k] for k in range(3)), (4, 3), 20) is given


@pytest.mark.parametrize(
    "columns",
    [
        lambda m: [m[:, 0], m[:, 1], m[:, 2].copy()],
        lambda m: [m[:, 0].astype(np.int64), m[:, 1], m[:, 2]],
        lambda m: [m[:, 0], m[:, 2], m[:, 1]],
        lambda m: [m[:, 2], m[:, 1], m[:, 0]],
        lambda m: [m[::-1, 0], m[::-1, 1], m[::-1, 2]],
        lambda _: list(matrix(order="C").T),
        lambda _: list(matrix(np.uint16).T),
    ],
)
def test_other_columns_are_copied(columns):
    given = matrix()
    found = join_codes(iter(columns(given)), (4, 3), 20)
    assert not np.shares_memory(found, given)
    assert found.dtype == np.uint8
    assert found.flags.f_contiguous
    np.testing.assert_array_equal(found, np.column_stack(columns(given)))


def test_no_columns():
    assert join_codes(iter([]), (4, 0), 0).shape == (4, 0)
