"""Preconditioner of logistic regression: the inverse Hessian at the class shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from augury.arrays import Array
from augury.discriminative.logistic.linear_terms import LinearTerms, left_out_slots

# Limits of the number of terms whose pairs are counted. Their eigenvectors must cost less than
# about thirty evaluations of the loss, and fit in memory.
_MIN_TERMS, _MAX_TERMS = 100, 2000
_CELLS_FOR_A_CUBE = 12
# With more classes, their covariance is approximated by its diagonal.
_MAX_CLASSES = 1000

# Smallest eigenvalue as a share of the largest: smaller ones would amplify rounding errors.
_MIN_CURVATURE = 1e-12


class PriorCurvature:
    """The inverse Hessian of the loss where all coefficients but the intercepts are zero.

    At this point p(c | x) = π_c, and the Hessian is (diag π - π πᵀ) ⊗ Mᵀ W M + λ, where M is the
    matrix of `LinearTerms`. The eigenvectors of both factors diagonalise it for any λ. As a
    preconditioner it is Böhning's (1992) bound with the class shares instead of 1/q.

    For columns with very many states, for more than 2,000 numbers, and for more than 1,000 classes
    only the diagonal is used.

    Parameters
    ----------
    blocks : rows, their classes and their weights (None: 1 each)
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
        blocks: Sequence[tuple[LinearTerms, Array, Array | None]],
        n_classes: int,
        *,
        reference: bool,
    ) -> None:
        share = class_shares(blocks, n_classes)
        self._class_axes: Array | None = None
        if n_classes > _MAX_CLASSES:
            self._of_class = (share * (1.0 - share))[: n_classes - reference]
        else:
            spread = (np.diag(share) - np.outer(share, share))[: n_classes - reference]
            self._of_class, self._class_axes = np.linalg.eigh(spread[:, : n_classes - reference])
        # With coefficients for every class, adding a constant to all classes has no effect. No
        # gradient has that direction, and no other eigenvalue is below the smallest share.
        if not reference:
            self._of_class = np.maximum(self._of_class, share.min())
        self._learn_terms(blocks, n_classes)

    def _learn_terms(
        self, blocks: Sequence[tuple[LinearTerms, Array, Array | None]], n_classes: int
    ) -> None:
        terms = blocks[0][0]
        n_rows = sum(len(y) for _, y, _ in blocks)
        columns = _small_columns(terms, n_rows * n_classes)
        self._of_term = np.zeros(terms.n_terms)
        paired: Any = 0.0
        has_pairs = terms.numbers.shape[1] < _MAX_TERMS
        for block, _, weight in blocks:
            if len(columns) < block.codes.shape[1] or not has_pairs:
                self._of_term += block.squares(weight)
            if has_pairs:
                paired = paired + block.second_moments(columns, weight)
        if not has_pairs:
            self._paired, self._axes = np.empty(0, dtype=np.intp), np.empty((0, 0))
            return
        self._paired = _terms_of(columns, terms)
        of_paired, self._axes = np.linalg.eigh(paired)
        self._of_term[self._paired] = np.maximum(of_paired, 0.0)

    def inverse_times(self, gradient: Array, penalty: float) -> Array:
        """Return the inverse Hessian, with λ = penalty for every term, times an array."""
        axes = self._class_axes
        turned = gradient.copy() if axes is None else gradient @ axes
        turned[self._paired] = self._axes.T @ turned[self._paired]
        curvature = np.multiply.outer(self._of_term, self._of_class) + penalty
        turned /= np.maximum(curvature, _MIN_CURVATURE * curvature.max())
        turned[self._paired] = self._axes @ turned[self._paired]
        return turned if axes is None else np.asarray(turned @ axes.T)


def class_shares(
    blocks: Sequence[tuple[LinearTerms, Array, Array | None]], n_classes: int
) -> Array:
    """Return each class's share of the weight."""
    weight = np.zeros(n_classes)
    for _, y, own in blocks:
        weight += np.bincount(y, own, minlength=n_classes)
    return np.asarray(weight / weight.sum())


def _small_columns(terms: LinearTerms, n_cells: int) -> Array:
    """Return the columns whose pairs are counted: those with the fewest states."""
    n_columns, n_numbers = terms.codes.shape[1], terms.numbers.shape[1]
    affordable = (_CELLS_FOR_A_CUBE * n_cells * (n_columns + n_numbers)) ** (1 / 3)
    room = min(max(_MIN_TERMS, affordable), _MAX_TERMS) - n_numbers - 1
    n_states = np.diff(terms.offsets) - 1
    order = np.argsort(n_states, kind="stable")
    return np.sort(order[np.cumsum(n_states[order]) <= room])


def _terms_of(columns: Array, terms: LinearTerms) -> Array:
    """Return the terms of the states of some columns, of the numbers and of the one."""
    left_out = left_out_slots(np.diff(terms.offsets) - 1)
    own = [np.arange(terms.offsets[j], left_out[j]) for j in columns]
    return np.concatenate([*own, np.arange(terms.offsets[-1], terms.n_terms)]).astype(np.intp)
