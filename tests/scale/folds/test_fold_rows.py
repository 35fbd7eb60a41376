"""Folds by a hash of the number of a row."""

import numpy as np

from augury.scale.folds.fold_rows import FoldNumbers
from tests.scale.hash_folds import fold_of_row


def test_folds_follow_the_documented_hash() -> None:
    for seed in (0, 1, 12345):
        expected = [fold_of_row(row, seed, 7) for row in range(50)]
        assert FoldNumbers(7, seed, (0,)).of_rows(0, 0, 50).tolist() == expected


def test_folds_do_not_depend_on_partitions_and_blocks() -> None:
    whole = FoldNumbers(10, 3, (0,)).of_rows(0, 0, 1000)
    parts = FoldNumbers(10, 3, (0, 400, 401))
    pieces = [(0, 0, 150), (0, 150, 250), (1, 0, 1), (2, 0, 599)]
    np.testing.assert_array_equal(np.concatenate([parts.of_rows(*p) for p in pieces]), whole)


def test_folds_have_about_equally_many_rows() -> None:
    sizes = np.bincount(FoldNumbers(10, 0, (0,)).of_rows(0, 0, 1_000_000), minlength=10)
    assert abs(sizes - 100_000).max() < 5 * np.sqrt(90_000)  # five standard deviations
