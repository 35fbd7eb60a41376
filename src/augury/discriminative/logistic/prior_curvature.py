"""Preconditioner of logistic regression: the inverse Hessian at the class shares."""

from __future__ import annotations

from functools import partial
from typing import Protocol

import numpy as np

from augury.arrays import Array
from augury.bases.row_blocks import RowBlocks, count_rows, weigh_classes
from augury.discriminative.logistic.linear_terms import LinearTerms, left_out_slots

# Limits of the number of terms whose pairs are counted. Their eigenvectors must cost less than
# about thirty evaluations of the loss, and fit in memory.
_MIN_TERMS, _MAX_TERMS = 100, 2000
_CELLS_FOR_A_CUBE = 12
# With more classes, their covariance is approximated by its diagonal.
MAX_CLASSES = 1000

# Smallest eigenvalue as a share of the largest: smaller ones would amplify rounding errors.
_MIN_CURVATURE = 1e-12


class Curvature(Protocol):
    """An approximation of the Hessian of the loss."""

    def inverse_times(self, gradient: Array, penalty: float) -> Array:
        """Return the inverse, with λ = penalty for every term, times an array."""


class PriorCurvature:
    """The inverse Hessian of the loss where all coefficients but the intercepts are zero.

    At this point p(c | x) = π_c, and the Hessian is (diag π - π πᵀ) ⊗ Mᵀ W M + λ, where M is the
    matrix of `LinearTerms`. The eigenvectors of both factors diagonalise it for any λ. As a
    preconditioner it is Böhning's (1992) bound with the class shares instead of 1/q.

    For columns with very many states, for more than 2,000 numbers, and for more than 1,000 classes
    only the diagonal is used.

    Parameters
    ----------
    blocks : blocks of `(LinearTerms, y, weight)`; the weight None means 1 for each row
    n_classes : number of classes
    reference : bool
        Whether the last class has no coefficients.

    References
    ----------
    D. Böhning (1992): Multinomial logistic regression algorithm. Annals of the Institute of
    Statistical Mathematics 44.
    """

    def __init__(
        self,
        blocks: RowBlocks,
        n_classes: int,
        *,
        reference: bool,
    ) -> None:
        share = class_shares(blocks, n_classes)
        self._class_axes: Array | None = None
        self._with_penalty: tuple[float, Array] | None = None  # what was computed last
        if n_classes > MAX_CLASSES:
            self._of_class = (share * (1.0 - share))[: n_classes - reference]
        else:
            spread = (np.diag(share) - np.outer(share, share))[: n_classes - reference]
            self._of_class, self._class_axes = np.linalg.eigh(spread[:, : n_classes - reference])
        # With coefficients for every class, adding a constant to all classes has no effect. No
        # gradient has that direction, and no other eigenvalue is below the smallest share.
        if not reference:
            self._of_class = np.maximum(self._of_class, share.min())
        self._learn_terms(blocks, n_classes)

    def _learn_terms(self, blocks: RowBlocks, n_classes: int) -> None:
        n_rows = blocks.total(count_rows)
        offsets, n_numbers = blocks.first(_offsets_and_numbers)
        self._of_term = np.zeros(int(offsets[-1]) + n_numbers + 1)
        if n_numbers >= _MAX_TERMS:
            self._of_term += blocks.total(_squares)
            self._paired, self._axes = np.empty(0, dtype=np.intp), np.empty((0, 0))
            return
        columns = affordable_columns(offsets, n_numbers, n_rows * n_classes)
        if len(columns) < len(offsets) - 1:
            self._of_term += blocks.total(_squares)
        paired = blocks.total(partial(_second_moments, columns=columns))
        self._paired = terms_of(columns, offsets, len(self._of_term))
        of_paired, self._axes = np.linalg.eigh(paired)
        self._of_term[self._paired] = np.maximum(of_paired, 0.0)

    def inverse_times(self, gradient: Array, penalty: float) -> Array:
        """Return the inverse Hessian, with λ = penalty for every term, times an array."""
        axes = self._class_axes
        turned = gradient.copy() if axes is None else gradient @ axes
        turned[self._paired] = self._axes.T @ turned[self._paired]
        turned /= self._curvature_with(penalty)
        turned[self._paired] = self._axes @ turned[self._paired]
        return turned if axes is None else np.asarray(turned @ axes.T)

    def _curvature_with(self, penalty: float) -> Array:
        """Return the curvature of each term and class in the basis of the eigenvectors."""
        if self._with_penalty is None or self._with_penalty[0] != penalty:
            curvature = np.multiply.outer(self._of_term, self._of_class) + penalty
            bounded = np.maximum(curvature, _MIN_CURVATURE * curvature.max())
            self._with_penalty = penalty, bounded
        return self._with_penalty[1]


def class_shares(blocks: RowBlocks, n_classes: int) -> Array:
    """Return each class's share of the weight."""
    weight = blocks.total(partial(weigh_classes, n_classes=n_classes))
    return np.asarray(weight / weight.sum())


def affordable_columns(
    offsets: Array, n_numbers: int, n_cells: int, max_terms: float = np.inf
) -> Array:
    """Return the columns whose pairs are counted: those with the fewest states.

    The eigenvectors of their terms cost less than about thirty passes over `n_cells` cells of
    each column.
    """
    n_columns = len(offsets) - 1
    affordable = (_CELLS_FOR_A_CUBE * n_cells * (n_columns + n_numbers)) ** (1 / 3)
    room = min(max(_MIN_TERMS, affordable), _MAX_TERMS, max_terms) - n_numbers - 1
    n_states = np.diff(offsets) - 1
    order = np.argsort(n_states, kind="stable")
    return np.sort(order[np.cumsum(n_states[order]) <= room])


def terms_of(columns: Array, offsets: Array, n_terms: int) -> Array:
    """Return the terms of the states of some columns, of the numbers and of the one."""
    left_out = left_out_slots(np.diff(offsets) - 1)
    own = [np.arange(offsets[j], left_out[j]) for j in columns]
    return np.concatenate([*own, np.arange(offsets[-1], n_terms)]).astype(np.intp)


# ---- sums of one block ----------------------------------------------------------------------


def _offsets_and_numbers(terms: LinearTerms, *_: Array | None) -> tuple[Array, int]:
    return terms.offsets, terms.numbers.shape[1]


def _squares(terms: LinearTerms, _: Array, weight: Array | None) -> Array:
    return terms.squares(weight)


def _second_moments(terms: LinearTerms, _: Array, weight: Array | None, columns: Array) -> Array:
    return terms.second_moments(columns, weight)
