"""The penalised negative log likelihood of a logistic regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from augury.arrays import Array
from augury.counts import normalize
from augury.discriminative.logistic.linear_terms import LinearTerms
from augury.discriminative.logistic.prior_curvature import (
    Curvature,
    PriorCurvature,
    class_shares,
)
from augury.discriminative.solvers.linear_systems import solve_by_conjugate_gradients

Block = tuple[LinearTerms, Array, Array | None]


class LogisticLoss:
    """-Σ_i w_i log p(c_i | x_i) + ½ Σ λ β², over blocks of rows that add.

    Parameters
    ----------
    blocks : rows, their classes and their weights (None: 1 each)
    n_classes : number of classes
    penalty : array of shape (n_terms,), λ of each term
    free : mask of shape (n_terms,) of the coefficients that may differ from zero
    reference : bool
        Whether the last class has no coefficients (they are zero); otherwise every class
        has its own.
    curvature : approximate Hessian; None means that at the class shares
    """

    def __init__(
        self,
        blocks: Sequence[Block],
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
        value = 0.5 * float(np.sum(self.penalty * x * x))
        gradient = self.penalty * x
        for terms, y, weight in self.blocks:
            loss, slope = terms.logistic_loss(x, y, weight, reference=self.reference)
            value += loss
            gradient += slope
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
        total = self.loss.penalty * direction
        for proba, (terms, _, weight) in zip(self._probabilities, self.loss.blocks, strict=True):
            along = terms.times(direction)
            weighted = proba * along
            weighted -= proba * weighted.sum(axis=1, keepdims=True)
            if weight is not None:
                weighted *= weight[:, None]
            total = total + terms.transposed_times(weighted)
        return np.asarray(total * self.loss.free)

    @cached_property
    def _probabilities(self) -> list[Array]:
        """Class probabilities of the rows of each block, for the classes with coefficients."""
        return [
            class_probabilities(terms, self.x, reference=self.loss.reference)
            for terms, _, _ in self.loss.blocks
        ]


def class_probabilities(terms: LinearTerms, x: Array, *, reference: bool) -> Array:
    """Return p(c | x) of each row for the classes with coefficients."""
    scores = terms.times(x)
    if reference:
        scores = np.concatenate([scores, np.zeros((len(scores), 1))], axis=1)
    return normalize(scores)[:, : x.shape[1]]
