"""Rows as what a linear model sees: an indicator for each state, and standardised numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from augury.kernels import add_log_factors, add_to_slots, slot_offsets

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class LinearTerms:
    """Rows of codes and numbers, as a matrix that is never made.

    Its columns are one indicator for each slot of each column of codes, the numbers, and
    a one. "Left out" is a slot as well; its coefficient is kept at zero.

    Parameters
    ----------
    codes : array of shape (n_samples, n_features), unsigned, column by column in memory
    offsets : where each column's slots begin
    numbers : array of shape (n_samples, n_numbers), without gaps
    n_threads : threads that share the rows

    Examples
    --------
    >>> codes = np.array([[0], [1], [1]], dtype=np.uint8, order="F")
    >>> terms = LinearTerms(codes, slot_offsets(np.array([2])), np.array([[5.0], [6.0], [7.0]]))
    >>> terms.times(np.array([[1.0], [2.0], [0.0], [10.0], [100.0]])).T  # a state, a number, one
    array([[151., 162., 172.]])
    >>> terms.transposed_times(np.ones((3, 1))).T
    array([[ 1.,  2.,  0., 18.,  3.]])
    """

    codes: Array
    offsets: Array
    numbers: Array
    n_threads: int = 1

    @property
    def n_terms(self) -> int:
        """Number of columns of the matrix."""
        return int(self.offsets[-1] + self.numbers.shape[1] + 1)

    def times(self, coefficients: Array) -> Array:
        """Return the matrix times coefficients of shape (n_terms, k)."""
        n_slots = int(self.offsets[-1])
        product = np.empty((len(self.codes), coefficients.shape[1]))
        product[:] = coefficients[-1]
        slots = np.ascontiguousarray(coefficients[:n_slots])
        add_log_factors(self.codes, slots, self.offsets, product, n_threads=self.n_threads)
        if self.numbers.shape[1]:
            product += self.numbers @ coefficients[n_slots:-1]
        return product

    def transposed_times(self, values: Array, *, squared: bool = False) -> Array:
        """Return the transposed matrix times values of shape (n_samples, k).

        With `squared` all entries of the matrix are squared.
        """
        n_slots = int(self.offsets[-1])
        sums = np.empty((self.n_terms, values.shape[1]))
        sums[:n_slots] = add_to_slots(self.codes, values, self.offsets, n_threads=self.n_threads)
        numbers = self.numbers**2 if squared else self.numbers
        sums[n_slots:-1] = numbers.T @ values
        sums[-1] = values.sum(axis=0)
        return sums

    def take(self, rows: Array) -> LinearTerms:
        """Return some of the rows."""
        codes = np.asfortranarray(self.codes[rows])
        return LinearTerms(codes, self.offsets, self.numbers[rows], self.n_threads)


def left_out_slots(n_states: Array) -> Array:
    """Return the slots of "left out"."""
    return np.asarray(slot_offsets(n_states)[1:] - 1)
