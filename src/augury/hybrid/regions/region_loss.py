"""How well weighted regions tell the class: a convex function of few weights."""

from dataclasses import dataclass

import numpy as np

from augury.arrays import Array
from augury.counts import log_softmax_of

# By so much, of itself, the loss may be off: a sum over all rows.
_ROUNDING = 1e-13


class RegionLoss:
    """-Σ_i w_i log p(c_i | x_i) + Σ (λ - 1)² / (2C), with p(c | x) ∝ exp(Σ_r λ_r f_rc + μ_c).

    A point is the array of λ, then μ; all λ of a region are one number, or one for each class.

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
        n_rows, n_regions, n_classes = opinions.shape
        self._y = y
        self._weight = np.ones(n_rows) if weight is None else weight
        # μ is the weight of a region that says 1.
        self._f = np.concatenate([opinions, np.ones((n_rows, 1, n_classes))], axis=1)
        self._n_weights = n_regions * (n_classes if by_class else 1)
        spread = np.eye(n_classes) if by_class else np.ones((n_classes, 1))
        # Which point means which weights of regions and classes: linear, and few.
        self._spread = np.zeros(((n_regions + 1) * n_classes, self._n_weights + n_classes))
        self._spread[: n_regions * n_classes, : self._n_weights] = np.kron(
            np.eye(n_regions), spread
        )
        self._spread[n_regions * n_classes :, self._n_weights :] = np.eye(n_classes)
        self._center = np.concatenate([np.ones(self._n_weights), np.zeros(n_classes)])
        self._penalty = self._center / C

    def start(self) -> Array:
        """Return naive Bayes: every λ is 1, μ the log of the shares of the classes."""
        shares = np.bincount(self._y, self._weight, self._f.shape[2])
        return np.concatenate([np.ones(self._n_weights), np.log(shares / shares.sum())])

    def value(self, x: Array) -> float:
        """Return the loss."""
        own, _ = log_softmax_of(self._scores(x), self._y)
        away = x - self._center
        return float(0.5 * (self._penalty * away) @ away - own @ self._weight)

    def derivatives(self, x: Array) -> tuple[Array, Array]:
        """Return the gradient and the Hessian."""
        n_rows, n_parts, n_classes = self._f.shape
        _, proba = log_softmax_of(self._scores(x), self._y)
        weighed = self._f * (proba * np.sqrt(self._weight)[:, None])[:, None]
        flat = weighed.reshape(n_rows, -1)
        hessian = -(flat.T @ flat)
        own = np.einsum("nrc,nc,nsc->crs", self._f, proba * self._weight[:, None], self._f)
        blocks = hessian.reshape(n_parts, n_classes, n_parts, n_classes)
        every = np.arange(n_classes)
        blocks[:, every, :, every] += own
        residual = proba
        residual[np.arange(n_rows), self._y] -= 1.0
        gradient = np.einsum("nrc,nc->rc", self._f, residual * self._weight[:, None]).ravel()
        return (
            self._spread.T @ gradient + self._penalty * (x - self._center),
            self._spread.T @ hessian @ self._spread + np.diag(self._penalty),
        )

    def unpack(self, x: Array) -> tuple[Array, Array]:
        """Return λ, of shape (n_regions, n_classes), and μ."""
        parts = (self._spread @ x).reshape(self._f.shape[1:])
        return parts[:-1], parts[-1]

    def _scores(self, x: Array) -> Array:
        weights, intercepts = self.unpack(x)
        return region_scores(self._f[:, :-1], weights, intercepts)


def region_scores(opinions: Array, weights: Array, intercepts: Array) -> Array:
    """Return Σ_r λ_r f_rc + μ_c.

    >>> region_scores(np.array([[[1.0, 2.0], [3.0, 5.0]]]), np.array([[2.0], [1.0]]), np.zeros(2))
    array([[5., 9.]])
    """
    scores = np.tile(intercepts, (len(opinions), 1))
    for r, weight in enumerate(weights):
        scores += weight * opinions[:, r]
    return scores


@dataclass(frozen=True)
class FoundWeights:
    """Where `find_weights` ended.

    Attributes
    ----------
    weights, intercepts : λ, of shape (n_regions, n_classes), and μ, of mean 0
    n_iter : steps
    largest_gradient : the largest component of the gradient there
    """

    weights: Array
    intercepts: Array
    n_iter: int
    largest_gradient: float


def find_weights(loss: RegionLoss, *, tolerance: float, max_iter: int) -> FoundWeights:
    """Go from naive Bayes by Newton's steps until no component of the gradient is larger."""
    x = loss.start()
    value = loss.value(x)
    for n_iter in range(max_iter + 1):
        gradient, hessian = loss.derivatives(x)
        largest = float(np.abs(gradient).max())
        if largest <= tolerance or n_iter == max_iter:
            break
        # All μ may move together without effect; the shortest of such steps is taken.
        direction = -np.linalg.lstsq(hessian, gradient, rcond=None)[0]
        step, value = _step(loss, x, value, direction, float(gradient @ direction))
        if step == 0.0:  # rounding hides any further descent
            break
        x = x + step * direction
    weights, intercepts = loss.unpack(x)
    return FoundWeights(weights, intercepts - intercepts.mean(), n_iter, largest)


def _step(
    loss: RegionLoss, x: Array, value: float, direction: Array, slope: float
) -> tuple[float, float]:
    """Return 1, ½, ¼ …, the first that keeps a part of what the slope promises, and the loss."""
    step = 1.0
    for _ in range(60):
        found = loss.value(x + step * direction)
        if found <= value + 1e-4 * step * slope + _ROUNDING * abs(value):
            return step, found
        step /= 2
    return 0.0, value
