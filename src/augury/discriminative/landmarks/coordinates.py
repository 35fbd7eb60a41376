"""Rows of a mixed table as points of a space with a squared distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array, FloatArray, IntegerArray
from augury.counts import Moments
from augury.discriminative.readers.matrix_reader import mean_and_deviation, scale_numbers
from augury.encode import CategoricalTable, TableEncoder
from augury.fitted_state import check_floats, check_integers, require

# Deviation of arsinh(z) of a normal z, about; and the largest coordinate, which is reached twelve
# standard deviations from the mean.
SPREAD_OF_ARSINH = 0.8
LARGEST_COORDINATE = 4.0


@dataclass(frozen=True, eq=False)
class Coordinates:
    """How rows become points: standardised numbers, then an indicator for each state.

    A number becomes arsinh(z) / 0.8, where z is the number of standard deviations from its mean,
    limited to [-4, 4]: differences far from the mean count less. A missing number is the mean. A
    label that is left out has no indicator.

    Attributes
    ----------
    mean, spread : arrays of shape (n_numbers,)
    n_states : array of shape (n_labels,), states of each column of codes
    scale : array of shape (n_coordinates,), factor of each coordinate
    """

    mean: FloatArray
    spread: FloatArray
    n_states: IntegerArray
    scale: FloatArray

    @classmethod
    def learn(cls, table: CategoricalTable, weight: Array | None, owner: str) -> Coordinates:
        """Learn mean and spread from training rows; every factor is 1."""
        one_class = np.zeros(table.n_samples, dtype=np.int32)
        moments = Moments.collect(table.numbers, one_class, 1, weight)
        mean, deviation = mean_and_deviation(moments, table.number_names, owner)
        spread = np.where(deviation > 0, deviation, 1.0)
        n_coordinates = len(mean) + int(table.n_states.sum())
        return cls(mean, spread, np.asarray(table.n_states), np.ones(n_coordinates))

    def points(self, table: CategoricalTable) -> FloatArray:
        """Return the rows as an array of shape (n_samples, n_coordinates)."""
        n_numbers = len(self.mean)
        points = np.zeros((table.n_samples, len(self.scale)))
        points[:, :n_numbers] = self.numbers(table)
        starts = n_numbers + np.cumsum(self.n_states) - self.n_states
        rows, columns = np.nonzero(table.codes != self.n_states)
        at = starts[columns] + table.codes[rows, columns]
        points[rows, at] = self.scale[at]
        return points

    def numbers(self, table: CategoricalTable) -> FloatArray:
        """Return the coordinates of the numbers, of shape (n_samples, n_numbers)."""
        numbers = scale_numbers(table.numbers, self.mean, self.spread)
        np.arcsinh(numbers, out=numbers)
        numbers /= SPREAD_OF_ARSINH
        np.clip(numbers, -LARGEST_COORDINATE, LARGEST_COORDINATE, out=numbers)
        numbers = np.where(np.isnan(numbers), 0.0, numbers)
        numbers *= self.scale[: len(self.mean)]
        return numbers

    def sources(self, encoder: TableEncoder) -> IntegerArray:
        """Return the column of the user's table that each coordinate comes from."""
        of_codes, of_numbers = (np.asarray(of, dtype=np.intp) for of in encoder.source_columns())
        return np.concatenate([of_numbers, np.repeat(of_codes, self.n_states)])

    def _check_fitted_state(self) -> None:
        n_numbers = len(check_floats(self, "mean", None))
        smallest = float(np.finfo(np.float64).smallest_subnormal)
        check_floats(self, "spread", n_numbers, low=smallest)
        n_states = check_integers(self, "n_states", None)
        scale = check_floats(self, "scale", None, low=0.0, high=1.0)
        fits = len(scale) == n_numbers + sum(n_states.tolist())
        require(fits, self, "scale", "one number for each coordinate")
