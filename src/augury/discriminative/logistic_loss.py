"""The penalised negative log likelihood of a logistic regression."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from augury.counts import log_softmax_of
from augury.discriminative.linear_terms import LinearTerms

Array = NDArray[Any]


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
    """

    def __init__(
        self,
        blocks: Sequence[tuple[LinearTerms, Array, Array | None]],
        n_classes: int,
        penalty: Array,
        free: Array,
        *,
        reference: bool,
    ) -> None:
        self._blocks, self._reference = blocks, reference
        self._penalty, self._free = penalty[:, None], free[:, None]
        self.shape = (len(penalty), n_classes - reference)

    def move_to(self, x: Array) -> float:
        """Go to coefficients and return the loss there."""
        self._x = x
        self._scores = [terms.times(x) for terms, _, _ in self._blocks]
        value, self._proba = self._value(self._scores, x)
        return value

    def _value(self, scores: list[Array], x: Array) -> tuple[float, list[Array]]:
        """Return the loss, and the probabilities that come with it."""
        total = 0.5 * float(np.sum(self._penalty * x * x))
        probabilities = []
        for score, (_, y, weight) in zip(scores, self._blocks, strict=True):
            own, proba = log_softmax_of(self._with_reference(score), y)
            total -= float(own.sum() if weight is None else own @ weight)
            probabilities.append(proba)
        return total, probabilities

    def _with_reference(self, score: Array) -> Array:
        if not self._reference:
            return score
        return np.concatenate([score, np.zeros((len(score), 1))], axis=1)

    def gradient(self) -> Array:
        """Return the gradient here."""
        total = self._penalty * self._x
        for proba, (terms, y, weight) in zip(self._proba, self._blocks, strict=True):
            residual = proba[:, : self.shape[1]].copy()
            own = np.flatnonzero(y < self.shape[1])
            residual[own, y[own]] -= 1.0
            if weight is not None:
                residual *= weight[:, None]
            total = total + terms.transposed_times(residual)
        return np.asarray(total * self._free)

    def curvature_diagonal(self) -> Array:
        """Return the diagonal of the Hessian."""
        total = np.broadcast_to(self._penalty, self.shape)
        for every, (terms, _, weight) in zip(self._proba, self._blocks, strict=True):
            proba = every[:, : self.shape[1]]
            spread = proba * (1.0 - proba)
            if weight is not None:
                spread *= weight[:, None]
            total = total + terms.transposed_times(spread, squared=True)
        return np.asarray(total * self._free)

    def curvature_along(self, direction: Array) -> Array:
        """Return the Hessian times a direction."""
        total = self._penalty * direction
        for every, (terms, _, weight) in zip(self._proba, self._blocks, strict=True):
            proba = every[:, : self.shape[1]]
            along = terms.times(direction)
            weighed = proba * along
            weighed -= proba * weighed.sum(axis=1, keepdims=True)
            if weight is not None:
                weighed *= weight[:, None]
            total = total + terms.transposed_times(weighed)
        return np.asarray(total * self._free)

    def aim(self, direction: Array) -> None:
        """Prepare to look along a direction."""
        self._direction = direction
        self._along = [terms.times(direction) for terms, _, _ in self._blocks]

    def value_at(self, step: float) -> float:
        """Return the loss so far along the direction."""
        self._ahead = [
            score + step * along for score, along in zip(self._scores, self._along, strict=True)
        ]
        value, self._proba_ahead = self._value(self._ahead, self._x + step * self._direction)
        return value

    def advance(self, step: float) -> Array:
        """Go to where `value_at` has looked last, and return the coefficients."""
        self._x = self._x + step * self._direction
        self._scores, self._proba = self._ahead, self._proba_ahead
        return self._x
