"""The penalised negative log likelihood of a logistic regression."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from augury.arrays import Array
from augury.counts import normalize
from augury.discriminative.logistic.linear_terms import LinearTerms
from augury.discriminative.logistic.prior_curvature import PriorCurvature, class_shares

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
    curvature : PriorCurvature of the same rows, if it is known
    """

    def __init__(
        self,
        blocks: Sequence[Block],
        n_classes: int,
        penalty: Array,
        free: Array,
        *,
        reference: bool,
        curvature: PriorCurvature | None = None,
    ) -> None:
        self._blocks, self._reference = blocks, reference
        self._penalty, self._free = penalty[:, None], free[:, None]
        self._curvature = curvature or PriorCurvature(blocks, n_classes, reference=reference)
        self.shape = (len(penalty), n_classes - reference)

    def start(self) -> Array:
        """Return coefficients that say the classes' shares of every row."""
        x = np.zeros(self.shape)
        n_classes = self.shape[1] + self._reference
        # A class may have no rows in a fold.
        log_share = np.log(np.maximum(class_shares(self._blocks, n_classes), 1e-6))
        x[-1] = log_share[: self.shape[1]]
        x[-1] -= log_share[-1] if self._reference else log_share.mean()
        return x

    def at(self, x: Array) -> tuple[float, Array]:
        """Return the loss and its gradient at coefficients."""
        value = 0.5 * float(np.sum(self._penalty * x * x))
        gradient = self._penalty * x
        for terms, y, weight in self._blocks:
            loss, slope = terms.logistic_loss(x, y, weight, reference=self._reference)
            value += loss
            gradient += slope
        return value, gradient * self._free

    def rescale(self, gradient: Array) -> Array:
        """Return an array times the inverse of the Hessian at the class shares."""
        scaled = self._curvature.inverse_times(gradient, float(self._penalty.max()))
        return np.asarray(scaled * self._free)

    def stand_at(self, x: Array) -> None:
        """Choose where `curvature_along` looks."""
        self._proba = [
            normalize(self._with_reference(terms.times(x)))[:, : self.shape[1]]
            for terms, _, _ in self._blocks
        ]

    def _with_reference(self, score: Array) -> Array:
        if not self._reference:
            return score
        return np.concatenate([score, np.zeros((len(score), 1))], axis=1)

    def curvature_along(self, direction: Array) -> Array:
        """Return the Hessian times a direction."""
        total = self._penalty * direction
        for proba, (terms, _, weight) in zip(self._proba, self._blocks, strict=True):
            along = terms.times(direction)
            weighed = proba * along
            weighed -= proba * weighed.sum(axis=1, keepdims=True)
            if weight is not None:
                weighed *= weight[:, None]
            total = total + terms.transposed_times(weighed)
        return np.asarray(total * self._free)
