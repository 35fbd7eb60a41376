"""A start for the search: the coefficients of a sample of the rows, and the Hessian there."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from augury.arrays import Array
from augury.bases.row_blocks import RowBlocks
from augury.discriminative.logistic.linear_terms import LinearTerms
from augury.discriminative.logistic.logistic_loss import class_probabilities
from augury.discriminative.logistic.prior_curvature import (
    MAX_CLASSES,
    affordable_columns,
    terms_of,
)

# A sample has every tenth row, and more where there are many terms: the curvature of T terms is
# known to about 2 √(T / rows). With fewer rows in all, the search is short.
_MIN_ROWS = 50_000
_ROWS_PER_SAMPLED_ROW = 10
_MIN_ROWS_PER_SAMPLED_ROW = 4
_MAX_SAMPLED_ROWS = 100_000
_SAMPLED_ROWS_PER_TERM = 16

# A class with fewer rows in the sample may be absent by chance; its coefficients would be far off.
_MIN_ROWS_OF_CLASS = 30

# Cholesky factors that take the time of the eigenvectors of a matrix.
_FACTORS_PER_EIGENVECTORS = 5
# Limit of the numbers in the blocks of all classes, for each cell of the table.
_NUMBERS_PER_CELL = 4
# Class probabilities of the rows of a sample.
_PROBABILITIES_AT_ONCE = 1 << 25


def sample_rows(blocks: RowBlocks, n_rows: int, n_classes: int) -> tuple[LinearTerms, Array] | None:
    """Return terms and classes of a sample, or None if rows are few or a sample is unreliable.

    One row is drawn from each group of neighbours. Rows with weights are not sampled.

    Parameters
    ----------
    blocks : blocks of `(LinearTerms, y, weight)`
    n_rows : number of rows of all blocks
    n_classes : number of classes
    """
    n_terms, is_weighted = blocks.first(_terms_and_weight)
    n_wanted = min(n_rows / _ROWS_PER_SAMPLED_ROW, _MAX_SAMPLED_ROWS)
    group = int(n_rows / max(n_wanted, _SAMPLED_ROWS_PER_TERM * n_terms))
    if n_rows < _MIN_ROWS or group < _MIN_ROWS_PER_SAMPLED_ROW or is_weighted:
        return None
    parts = blocks.total(partial(_sample_block, group=group))
    y = np.concatenate([classes for _, classes in parts])
    if np.bincount(y, minlength=n_classes).min() < _MIN_ROWS_OF_CLASS:
        return None
    return LinearTerms.concatenate([terms for terms, _ in parts]), y


def rows_of_curvature(blocks: RowBlocks, n_rows: int, n_classes: int) -> LinearTerms | None:
    """Return rows for the Hessian of many classes; None if classes are few or blocks are large.

    Parameters
    ----------
    blocks, n_rows, n_classes : see `sample_rows`
    """
    _, is_weighted = blocks.first(_terms_and_weight)
    n_columns, n_numbers = blocks.first(_columns_and_numbers)
    n_cells = n_rows * (n_columns + n_numbers)
    too_large = n_classes * (n_numbers + 1) ** 2 > _NUMBERS_PER_CELL * n_cells
    if n_classes <= MAX_CLASSES or too_large or is_weighted:
        return None
    group = max(1, -(-n_rows * n_classes // _PROBABILITIES_AT_ONCE))
    parts = blocks.total(partial(_sample_block, group=group))
    return LinearTerms.concatenate([terms for terms, _ in parts])


def _columns_and_numbers(terms: LinearTerms, *_: Array | None) -> tuple[int, int]:
    return terms.codes.shape[1], terms.numbers.shape[1]


def _terms_and_weight(terms: LinearTerms, _: Array, weight: Array | None) -> tuple[int, bool]:
    return terms.n_terms, weight is not None


def _sample_block(
    terms: LinearTerms, y: Array, _: Array | None, group: int
) -> list[tuple[LinearTerms, Array]]:
    """Return a list, because lists add, with a row of each group of neighbours."""
    rows = np.arange(0, len(y) - group + 1, group)
    rows += np.random.default_rng(0).integers(0, group, len(rows))
    return [(terms.take(rows), y[rows])]


class SampleCurvature:
    """The inverse of the Hessian's blocks, one for each class, estimated by a sample.

    The block of class c is Σ_i p_ic (1 - p_ic) x_i x_iᵀ + λ. With two classes it is the Hessian.
    With more, the blocks between two classes are left out, and the L-BFGS steps correct that.

    One row of the sample is added to each term, because a state that is absent from the sample
    may be present in other rows. For columns with very many states only the diagonal is used.

    Parameters
    ----------
    terms : rows of the sample
    x : coefficients, of shape (n_terms, classes with coefficients)
    reference : whether the last class has no coefficients
    scale : number of rows for each row of the sample
    """

    def __init__(self, terms: LinearTerms, x: Array, *, reference: bool, scale: float) -> None:
        n_rows, n_columns = terms.codes.shape
        n_numbers = terms.numbers.shape[1]
        n_cells = int(scale * n_rows) * (n_columns + n_numbers)
        columns = affordable_columns(
            terms.offsets,
            n_numbers,
            _FACTORS_PER_EIGENVECTORS * int(scale * n_rows),
            max_terms=np.sqrt(_NUMBERS_PER_CELL * n_cells / x.shape[1]),
        )
        self._reference = reference
        self._paired = terms_of(columns, terms.offsets, terms.n_terms)
        self._diagonal = np.ones(x.shape)
        self._blocks = []
        proba = class_probabilities(terms, x, reference=reference)
        for c in range(x.shape[1]):
            curvature = scale * proba[:, c] * (1.0 - proba[:, c])
            one_row = curvature.mean()
            if len(columns) < n_columns:
                self._diagonal[:, c] = terms.squares(curvature) + one_row
            block = terms.second_moments(columns, curvature)
            block.flat[:: len(block) + 1] += one_row
            self._blocks.append(block)
        self._factors: list[tuple[Array, bool]] = []
        self._penalty = np.nan  # of the factors

    def inverse_times(self, gradient: Array, penalty: float) -> Array:
        """Return the inverse of the blocks, with λ = penalty for every term, times an array."""
        if penalty != self._penalty:
            self._factors, self._penalty = self._factorize(penalty), penalty
        product = gradient / (self._diagonal + penalty)
        for c, factor in enumerate(self._factors):
            own = gradient[self._paired, c]
            product[self._paired, c] = cho_solve(factor, own, check_finite=False)
        if not self._reference:  # a constant added to all classes has no effect on the rows
            product -= product.mean(axis=1, keepdims=True)
        return product

    def _factorize(self, penalty: float) -> list[tuple[Array, bool]]:
        ridge = penalty * np.eye(len(self._paired))
        return [cho_factor(block + ridge, lower=True, check_finite=False) for block in self._blocks]
