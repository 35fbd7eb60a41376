"""Rows as terms of a linear model: an indicator for each state, and standardised numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from augury.arrays import Array
from augury.discriminative.logistic.merged_columns import MergedColumns
from augury.kernels import (
    add_log_factors,
    add_to_slots,
    count_class_values,
    count_pairs,
    logistic_loss,
    slot_offsets,
)


@dataclass(frozen=True, eq=False)
class LinearTerms:
    """Rows of codes and numbers, as a matrix that is never built.

    The columns of the matrix are an indicator for each slot of each column of codes, the
    numbers, and a one. "Left out" is a slot too; its coefficient is kept at zero.

    Parameters
    ----------
    codes : array of shape (n_samples, n_features), unsigned, column by column in memory
    offsets : index of the first slot of each column
    numbers : array of shape (n_samples, n_numbers), without missing values, column by column
    n_threads : number of threads

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

    def transposed_times(self, values: Array) -> Array:
        """Return the transposed matrix times values of shape (n_samples, k)."""
        n_slots = int(self.offsets[-1])
        sums = np.empty((self.n_terms, values.shape[1]))
        sums[:n_slots] = add_to_slots(self.codes, values, self.offsets, n_threads=self.n_threads)
        sums[n_slots:-1] = self.numbers.T @ values
        sums[-1] = values.sum(axis=0)
        return sums

    @cached_property
    def _merged(self) -> MergedColumns:
        return MergedColumns.merge(self.codes, self.offsets)

    def logistic_loss(
        self, coefficients: Array, y: Array, weight: Array | None, *, reference: bool
    ) -> tuple[float, Array]:
        """Return the negative log likelihood of classes y, and its gradient (see `kernels`)."""
        n_slots, wide = int(self.offsets[-1]), self._merged
        loss, gradient = logistic_loss(
            wide.codes,
            wide.offsets,
            self.numbers,
            np.concatenate([wide.widen(coefficients[:n_slots]), coefficients[n_slots:]]),
            y,
            weight,
            reference=reference,
            n_threads=self.n_threads,
        )
        n_wide = int(wide.offsets[-1])
        return loss, np.concatenate([wide.narrow(gradient[:n_wide]), gradient[n_wide:]])

    def squares(self, weight: Array | None) -> Array:
        """Return the diagonal of Mᵀ W M, where M is the matrix and W the weights."""
        one_class = np.zeros(len(self.codes), dtype=np.int32)
        heavy = np.ones(len(self.codes)) if weight is None else weight
        slots = count_class_values(
            self.codes, one_class, weight, self.offsets, 1, n_threads=self.n_threads
        )
        return np.concatenate([slots[:, 0], heavy @ self.numbers**2, [heavy.sum()]])

    def second_moments(self, columns: Array, weight: Array | None) -> Array:
        """Return Mᵀ W M of some columns of codes, all numbers and the one.

        The rows and columns of the result are the slots of `columns`, without those of
        "left out", the numbers and the one.
        """
        numbers = self.numbers if weight is None else self.numbers * weight[:, None]
        total = np.full((1, 1), len(numbers) if weight is None else weight.sum())
        own = numbers.sum(axis=0)[:, None]
        of_numbers = np.block([[numbers.T @ self.numbers, own], [own.T, total]])
        if not len(columns):
            return of_numbers
        codes = np.asfortranarray(self.codes[:, columns])
        n_states = np.diff(self.offsets)[columns] - 1
        one_class = np.zeros(len(codes), dtype=np.int32)
        pairs = count_pairs(codes, one_class, weight, n_states, 1, n_threads=self.n_threads)[
            :, :, 0
        ]
        offsets = slot_offsets(n_states)
        sums = add_to_slots(codes, numbers, offsets, n_threads=self.n_threads)
        cross = np.delete(sums, left_out_slots(n_states), axis=0)
        cross = np.concatenate([cross, np.diag(pairs)[:, None]], axis=1)
        return np.block([[pairs, cross], [cross.T, of_numbers]])

    @classmethod
    def concatenate(cls, parts: Sequence[LinearTerms]) -> LinearTerms:
        """Return the rows of several parts with the same terms."""
        first = parts[0]
        if len(parts) == 1:
            return first
        # Rows are adjacent in the transposed arrays.
        codes = np.concatenate([part.codes.T for part in parts], axis=1).T
        numbers = np.concatenate([part.numbers.T for part in parts], axis=1).T
        return cls(codes, first.offsets, numbers, first.n_threads)

    def take(self, rows: Array) -> LinearTerms:
        """Return some of the rows."""
        codes = np.asfortranarray(self.codes[rows])
        return LinearTerms(
            codes, self.offsets, np.asfortranarray(self.numbers[rows]), self.n_threads
        )


def left_out_slots(n_states: Array) -> Array:
    """Return the slots of "left out"."""
    return np.asarray(slot_offsets(n_states)[1:] - 1)
