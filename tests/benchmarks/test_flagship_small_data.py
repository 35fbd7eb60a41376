"""Samples and intervals of the study of small data."""

import numpy as np
import pytest

from benchmarks.studies.flagship_small_data import N_SAMPLES, interval, samples


@pytest.mark.parametrize("size", [30, 100])
def test_samples_have_every_class_and_its_share(size):
    y = np.repeat([0, 1, 2], [600, 390, 10])
    drawn = list(samples(y, size))
    assert [number for number, _, _ in drawn] == list(range(N_SAMPLES))
    for _, train, test in drawn:
        assert len(train) == len(set(train.tolist())) == size
        assert not set(train.tolist()) & set(test.tolist())
        shares = np.bincount(y[train], minlength=3) / len(train)
        assert shares.min() > 0
        np.testing.assert_allclose(shares, [0.6, 0.39, 0.01], atol=1.5 / size + 0.01)


def test_samples_of_most_rows_are_left_out():
    assert list(samples(np.arange(100) % 2, 100)) == []


def test_intervals_are_those_of_student():
    assert interval(np.array([1.0, 2.0, 3.0]), 2) == "+2.00 ± 2.48"
