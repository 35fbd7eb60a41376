"""A start for the search: the coefficients of a sample of the rows, and the Hessian there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from augury.arrays import Array
from augury.discriminative.logistic.linear_terms import LinearTerms
from augury.discriminative.logistic.logistic_loss import Block, class_probabilities
from augury.discriminative.logistic.prior_curvature import affordable_columns, terms_of

# A sample has every tenth row, and more where there are many terms: the curvature of T terms is
# known to about 2 √(T / rows). With fewer rows in all, the search is short.
_MIN_ROWS = 50_000
_ROWS_PER_SAMPLED_ROW = 10
_ROWS_PER_TERM = 16
_MIN_ROWS_PER_SAMPLED_ROW = 4

# A class with fewer rows in the sample may be absent by chance; its coefficients would be far off.
_MIN_ROWS_OF_CLASS = 30

# Cholesky factors that take the time of the eigenvectors of a matrix.
_FACTORS_PER_EIGENVECTORS = 5
# Limit of the numbers in all blocks, for each cell of the table.
_NUMBERS_PER_CELL = 4


def sample_rows(blocks: Sequence[Block], n_classes: int) -> list[Block] | None:
    """Return a sample of the rows, or None if all rows are few or a sample is not reliable.

    One row is drawn from each group of neighbours. Rows with weights are not sampled.
    """
    n_rows = sum(len(y) for _, y, _ in blocks)
    n_wanted = max(n_rows / _ROWS_PER_SAMPLED_ROW, _ROWS_PER_TERM * blocks[0][0].n_terms)
    group = int(n_rows / n_wanted)
    is_weighted = any(weight is not None for _, _, weight in blocks)
    if n_rows < _MIN_ROWS or group < _MIN_ROWS_PER_SAMPLED_ROW or is_weighted:
        return None
    random = np.random.default_rng(0)
    sample: list[Block] = []
    counts = np.zeros(n_classes, dtype=np.int64)
    for terms, y, _ in blocks:
        rows = np.arange(0, len(y) - group + 1, group)
        rows += random.integers(0, group, len(rows))
        sample.append((terms.take(rows), y[rows], None))
        counts += np.bincount(y[rows], minlength=n_classes)
    return sample if counts.min() >= _MIN_ROWS_OF_CLASS else None


class SampleCurvature:
    """The inverse of the Hessian's blocks, one for each class, estimated by a sample.

    The block of class c is Σ_i p_ic (1 - p_ic) x_i x_iᵀ + λ. With two classes it is the Hessian.
    With more, the blocks between two classes are left out, and the L-BFGS steps correct that.

    One row of the sample is added to each term, because a state that is absent from the sample
    may be present in other rows. For columns with very many states only the diagonal is used.

    Parameters
    ----------
    sample : rows, their classes and their weights, which are None
    x : coefficients, of shape (n_terms, classes with coefficients)
    reference : whether the last class has no coefficients
    scale : number of rows for each row of the sample
    """

    def __init__(self, sample: Sequence[Block], x: Array, *, reference: bool, scale: float) -> None:
        terms = sample[0][0]
        n_rows = sum(len(y) for _, y, _ in sample)
        n_all = int(scale * n_rows)
        n_columns = terms.codes.shape[1] + terms.numbers.shape[1]
        columns = affordable_columns(
            terms,
            _FACTORS_PER_EIGENVECTORS * n_all,
            max_terms=np.sqrt(_NUMBERS_PER_CELL * n_all * n_columns / x.shape[1]),
        )
        self._reference = reference
        self._paired = terms_of(columns, terms)
        self._diagonal = np.zeros(x.shape)
        self._blocks = [np.zeros((len(self._paired), len(self._paired))) for _ in range(x.shape[1])]
        mean = np.zeros(x.shape[1])
        for block, _, _ in sample:
            proba = class_probabilities(block, x, reference=reference)
            curvature = np.asfortranarray(scale * proba * (1.0 - proba))
            mean += curvature.sum(axis=0) / n_rows
            self._add(block, columns, curvature)
        self._diagonal += mean
        for own, one_row in zip(self._blocks, mean, strict=True):
            own.flat[:: len(own) + 1] += one_row
        self._factors: list[tuple[Array, bool]] = []
        self._penalty = np.nan  # of the factors

    def _add(self, block: LinearTerms, columns: Array, curvature: Array) -> None:
        for c, own in enumerate(self._blocks):
            own += block.second_moments(columns, curvature[:, c])
            if len(columns) < block.codes.shape[1]:
                self._diagonal[:, c] += block.squares(curvature[:, c])

    def _factorize(self, penalty: float) -> list[tuple[Array, bool]]:
        identity = penalty * np.eye(len(self._paired))
        return [cho_factor(own + identity, lower=True, check_finite=False) for own in self._blocks]

    def inverse_times(self, gradient: Array, penalty: float) -> Array:
        """Return the inverse of the blocks, with λ = penalty for every term, times an array."""
        product = gradient / (self._diagonal + penalty)
        if penalty != self._penalty:
            self._factors, self._penalty = self._factorize(penalty), penalty
        for c, factor in enumerate(self._factors):
            product[self._paired, c] = cho_solve(
                factor, gradient[self._paired, c], check_finite=False
            )
        if not self._reference:  # a constant added to all classes has no effect on the rows
            product -= product.mean(axis=1, keepdims=True)
        return product
