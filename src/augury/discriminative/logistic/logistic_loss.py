"""The penalised negative log likelihood of a logistic regression."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from augury.arrays import Array
from augury.bases.row_blocks import RowBlocks
from augury.counts import normalize
from augury.discriminative.logistic.linear_terms import LinearTerms
from augury.discriminative.logistic.prior_curvature import (
    Curvature,
    PriorCurvature,
    class_shares,
)
from augury.discriminative.solvers.linear_systems import solve_by_conjugate_gradients


class LogisticLoss:
    """-Σ_i w_i log p(c_i | x_i) + ½ Σ λ β², over blocks of rows that add.

    Parameters
    ----------
    blocks : blocks of `(LinearTerms, y, weight)`; the weight None means 1 for each row
    n_classes : number of classes
    penalty : array of shape (n_terms,), λ of each term
    free : mask of shape (n_terms,) of the coefficients that may differ from zero
    reference : bool
        Whether the last class has no coefficients (they are zero); otherwise every class
        has its own.
    curvature : approximate Hessian; None means that at the class shares
    """

    blocks: RowBlocks
    reference: bool
    penalty: Array
    free: Array
    shape: tuple[int, int]

    def __init__(
        self,
        blocks: RowBlocks,
        n_classes: int,
        penalty: Array,
        free: Array,
        *,
        reference: bool,
        curvature: Curvature | None = None,
    ) -> None:
        self.blocks, self.reference = blocks, reference
        self.penalty, self.free = penalty[:, None], free[:, None]
        self._curvature: Curvature = curvature or PriorCurvature(
            blocks, n_classes, reference=reference
        )
        self.shape = (len(penalty), n_classes - reference)

    def start(self) -> Array:
        """Return coefficients that give every row the shares of the classes."""
        x = np.zeros(self.shape)
        n_classes = self.shape[1] + self.reference
        # A class may have no rows in a fold.
        log_share = np.log(np.maximum(class_shares(self.blocks, n_classes), 1e-6))
        x[-1] = log_share[: self.shape[1]]
        x[-1] -= log_share[-1] if self.reference else log_share.mean()
        return x

    def at(self, x: Array) -> LogisticPoint:
        """Evaluate the loss and its gradient at coefficients."""
        rows = self.blocks.total(partial(_loss_of_block, x=x, reference=self.reference))
        value = 0.5 * float(np.sum(self.penalty * x * x)) + rows.value
        gradient = self.penalty * x + rows.gradient
        return LogisticPoint(self, x, value, gradient * self.free)

    def precondition(self, gradient: Array) -> Array:
        """Return the inverse of the Hessian at the class shares, times an array."""
        scaled = self._curvature.inverse_times(gradient, float(self.penalty.max()))
        return np.asarray(scaled * self.free)


@dataclass(frozen=True, eq=False)
class LogisticPoint:
    """A `LogisticLoss`, its value and its gradient at coefficients `x`."""

    loss: LogisticLoss
    x: Array
    value: float
    gradient: Array

    def newton_direction(self) -> Array:
        """Return an approximate solution p of H p = -gradient, by conjugate gradients."""
        return -solve_by_conjugate_gradients(
            self.hessian_times, self.gradient, self.loss.precondition
        )

    def hessian_times(self, direction: Array) -> Array:
        """Return the Hessian times a direction."""
        rows = self._probabilities.total(partial(_hessian_times, direction=direction))
        return np.asarray((self.loss.penalty * direction + rows) * self.loss.free)

    @cached_property
    def _probabilities(self) -> RowBlocks:
        """Terms, weights, and probabilities of the classes with coefficients."""
        return self.loss.blocks.map(
            partial(_probabilities, x=self.x, reference=self.loss.reference)
        )


# ---- sums of one block ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class LossSum:
    """Negative log likelihood of some rows, and its gradient; they add."""

    value: float
    gradient: Array

    def __add__(self, other: LossSum) -> LossSum:
        return LossSum(self.value + other.value, self.gradient + other.gradient)


def _loss_of_block(
    terms: LinearTerms, y: Array, weight: Array | None, x: Array, *, reference: bool
) -> LossSum:
    return LossSum(*terms.logistic_loss(x, y, weight, reference=reference))


def _probabilities(
    terms: LinearTerms, _: Array, weight: Array | None, x: Array, *, reference: bool
) -> tuple[LinearTerms, Array | None, Array]:
    return terms, weight, class_probabilities(terms, x, reference=reference)


def class_probabilities(terms: LinearTerms, x: Array, *, reference: bool) -> Array:
    """Return p(c | x) of each row for the classes with coefficients."""
    scores = terms.times(x)
    if reference:
        scores = np.concatenate([scores, np.zeros((len(scores), 1))], axis=1)
    return normalize(scores)[:, : x.shape[1]]


def _hessian_times(
    terms: LinearTerms, weight: Array | None, proba: Array, direction: Array
) -> Array:
    weighted = proba * terms.times(direction)
    weighted -= proba * weighted.sum(axis=1, keepdims=True)
    if weight is not None:
        weighted *= weight[:, None]
    return terms.transposed_times(weighted)
