"""How well weighted regions tell the class: a convex function of few weights."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from augury.counts import log_softmax_of

Array = NDArray[Any]


class RegionLoss:
    """-Σ_i w_i log p(c_i | x_i) + Σ (λ - 1)² / (2C), with p(c | x) ∝ exp(Σ_r λ_r f_rc + μ_c).

    `convex_descent.minimize` looks at it. Its parameters are λ, then μ.

    Parameters
    ----------
    opinions : array f of shape (n_samples, n_regions, n_classes)
    y : class of each row
    weight : weight of each row, or None
    C : float
    by_class : bool
        Whether λ differs between classes.
    """

    def __init__(
        self, opinions: Array, y: Array, weight: Array | None, C: float, *, by_class: bool
    ) -> None:
        self._f, self._y, self._by_class = opinions, y, by_class
        self._weight = np.ones(len(y)) if weight is None else weight
        n_regions, n_classes = opinions.shape[1:]
        self._shape = (n_regions, n_classes if by_class else 1)
        self._n_weights = n_regions * self._shape[1]
        self._center = np.concatenate([np.ones(self._n_weights), np.zeros(n_classes)])
        self._penalty = self._center / C

    def start(self) -> Array:
        """Return naive Bayes: every λ is 1, μ the log of the shares of the classes."""
        shares = np.bincount(self._y, self._weight, self._f.shape[2])
        return np.concatenate([np.ones(self._n_weights), np.log(shares / shares.sum())])

    def unpack(self, x: Array) -> tuple[Array, Array]:
        """Return λ, of shape (n_regions, n_classes or 1), and μ."""
        return x[: self._n_weights].reshape(self._shape), x[self._n_weights :]

    # ---- what `Convex` promises -------------------------------------------------------

    def move_to(self, x: Array) -> float:
        """Go to weights and return the loss there."""
        self._x, self._scores = x, self._times(x)
        value, self._proba = self._value(self._scores, x)
        return value

    def gradient(self) -> Array:
        """Return the gradient here."""
        residual = self._proba.copy()
        residual[np.arange(len(self._y)), self._y] -= 1.0
        residual *= self._weight[:, None]
        away = self._x - self._center
        return np.asarray(self._transposed_times(residual) + self._penalty * away)

    def curvature_diagonal(self) -> Array:
        """Return the diagonal of the Hessian."""
        proba, weight = self._proba, self._weight
        of_classes = weight @ (proba * (1.0 - proba))
        if self._by_class:
            spread = proba * (1.0 - proba) * weight[:, None]
            of_weights = np.einsum("nrc,nc->rc", self._f**2, spread)
        else:
            mean = np.einsum("nrc,nc->nr", self._f, proba)
            square = np.einsum("nrc,nc->nr", self._f**2, proba)
            of_weights = weight @ np.maximum(square - mean**2, 0.0)
        return np.concatenate([of_weights.ravel(), of_classes]) + self._penalty

    def curvature_along(self, direction: Array) -> Array:
        """Return the Hessian times a direction."""
        weighed = self._proba * self._times(direction)
        weighed -= self._proba * weighed.sum(axis=1, keepdims=True)
        weighed *= self._weight[:, None]
        return self._transposed_times(weighed) + self._penalty * direction

    def aim(self, direction: Array) -> None:
        """Prepare to look along a direction."""
        self._direction, self._along = direction, self._times(direction)

    def value_at(self, step: float) -> float:
        """Return the loss so far along the direction."""
        self._ahead = self._scores + step * self._along
        value, self._proba_ahead = self._value(self._ahead, self._x + step * self._direction)
        return value

    def advance(self, step: float) -> Array:
        """Go to where `value_at` has looked last, and return the weights."""
        self._x = self._x + step * self._direction
        self._scores, self._proba = self._ahead, self._proba_ahead
        return self._x

    def _value(self, scores: Array, x: Array) -> tuple[float, Array]:
        own, proba = log_softmax_of(scores, self._y)
        away = x - self._center
        return float(0.5 * (self._penalty * away) @ away - own @ self._weight), proba

    def _times(self, x: Array) -> Array:
        return region_scores(self._f, *self.unpack(x))

    def _transposed_times(self, values: Array) -> Array:
        of_weights = np.einsum("nrc,nc->rc", self._f, values)
        if not self._by_class:
            of_weights = of_weights.sum(axis=1)
        return np.concatenate([of_weights.ravel(), values.sum(axis=0)])


def region_scores(opinions: Array, weights: Array, intercepts: Array) -> Array:
    """Return Σ_r λ_r f_rc + μ_c.

    >>> region_scores(np.array([[[1.0, 2.0], [3.0, 5.0]]]), np.array([[2.0], [1.0]]), np.zeros(2))
    array([[5., 9.]])
    """
    scores = np.tile(intercepts, (len(opinions), 1))
    for r, weight in enumerate(weights):
        scores += weight * opinions[:, r]
    return scores
