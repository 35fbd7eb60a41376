"""Predictions of the kernel classifier equal sums of the kernel's formula."""

import numpy as np
import pandas as pd
import pytest

from augury.discriminative.landmarks.coordinates import Coordinates
from augury.discriminative.landmarks.kernel_functions import kernel_values, squared_distances
from augury.discriminative.landmarks.weighted_kernels import WeightedKernels
from augury.encode import CategoricalTable, TableEncoder

N_ROWS, N_LANDMARKS = 300, 40


def mixed_table(columns: str) -> CategoricalTable:
    """Return rows with gaps and unseen labels, of "labels", "numbers" or both."""
    random = np.random.default_rng(5)
    frame = pd.DataFrame(index=range(N_ROWS))
    if "labels" in columns:
        for name, n_labels in (("a", 3), ("b", 7), ("c", 2), ("d", 4), ("e", 2)):
            labels = random.choice([*"vwxyzst"[:n_labels]], N_ROWS)
            frame[name] = pd.Series(labels, dtype=object).where(random.random(N_ROWS) > 0.1, None)
    if "numbers" in columns:
        frame["u"] = np.where(random.random(N_ROWS) < 0.1, np.nan, random.normal(size=N_ROWS))
        frame["v"] = random.normal(size=N_ROWS) ** 3
    encoder = TableEncoder(discretizer=None, missing="ignore")
    encoder.learn_and_encode(frame[20:], np.zeros(N_ROWS - 20, dtype=int), None, "test")
    return encoder.encode(frame)


@pytest.mark.parametrize("kernel", ["rbf", "matern"])
@pytest.mark.parametrize("columns", ["labels", "numbers", "labels and numbers"])
@pytest.mark.parametrize("n_rows", [1, 15, N_ROWS])  # labels are looked up for many rows only
def test_sums_equal_the_formula(kernel, columns, n_rows):
    table = mixed_table(columns)
    coordinates = Coordinates.learn(table, None, "test")
    random = np.random.default_rng(0)
    coordinates.scale[:] = random.uniform(0, 1, len(coordinates.scale))
    landmarks = coordinates.points(table.take(np.arange(N_LANDMARKS)))
    coefficients = random.normal(size=(N_LANDMARKS, 3))
    some = table.take(np.arange(n_rows))
    distances = squared_distances(coordinates.points(some), landmarks)
    expected = kernel_values(distances, kernel, 0.4) @ coefficients
    kernels = WeightedKernels(coordinates, landmarks, kernel, 0.4, coefficients)
    np.testing.assert_allclose(kernels.of_rows(some), expected, rtol=0, atol=1e-6)
    apart = (distances > 1e-9).all(axis=1)  # the root of a rounding error is not small
    np.testing.assert_allclose(kernels.of_rows(some)[apart], expected[apart], rtol=0, atol=1e-12)


def test_no_rows_have_no_sums():
    table = mixed_table("labels and numbers")
    coordinates = Coordinates.learn(table, None, "test")
    landmarks = coordinates.points(table)
    kernels = WeightedKernels(coordinates, landmarks, "rbf", 1.0, np.ones((N_ROWS, 2)))
    assert kernels.of_rows(table.take(np.arange(0))).shape == (0, 2)
