"""Loss of the weights of regions, and its minimisation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from augury.arrays import Array, FloatArray
from augury.counts import log_softmax_of
from augury.discriminative.solvers.newton import find_minimum


class RegionLoss:
    """-Σ_i w_i log p(c_i | x_i) + Σ (λ - 1)² / (2C), with p(c | x) ∝ exp(Σ_r λ_r f_rc + μ_c).

    A point is the array of λ, followed by μ. A region has one λ, or one for each class.

    Parameters
    ----------
    log_likelihoods : array f of shape (n_samples, n_regions, n_classes)
    y : class of each row
    weight : weight of each row, or None
    C : float
    by_class : bool
        Whether λ differs between classes.
    """

    weight: Array

    def __init__(
        self, log_likelihoods: Array, y: Array, weight: Array | None, C: float, *, by_class: bool
    ) -> None:
        n_rows, n_regions, n_classes = log_likelihoods.shape
        self.y = y
        self.weight = np.ones(n_rows) if weight is None else weight
        # μ is the weight of an additional region whose log likelihood is 1.
        self.f: FloatArray = np.concatenate(
            [log_likelihoods, np.ones((n_rows, 1, n_classes))], axis=1
        )
        self._n_weights = n_regions * (n_classes if by_class else 1)
        spread = np.eye(n_classes) if by_class else np.ones((n_classes, 1))
        # The linear map from a point to the weights of each region and class.
        self.spread: FloatArray = np.zeros(
            ((n_regions + 1) * n_classes, self._n_weights + n_classes)
        )
        self.spread[: n_regions * n_classes, : self._n_weights] = np.kron(np.eye(n_regions), spread)
        self.spread[n_regions * n_classes :, self._n_weights :] = np.eye(n_classes)
        self.center: FloatArray = np.concatenate([np.ones(self._n_weights), np.zeros(n_classes)])
        self.penalty: FloatArray = self.center / C

    def start(self) -> Array:
        """Return the point of naive Bayes: every λ is 1, and μ is the log of the class shares."""
        shares = np.bincount(self.y, self.weight, self.f.shape[2])
        return np.concatenate([np.ones(self._n_weights), np.log(shares / shares.sum())])

    def at(self, x: Array) -> RegionPoint:
        """Evaluate the loss."""
        return RegionPoint(self, x)

    def unpack(self, x: Array) -> tuple[Array, Array]:
        """Return λ, of shape (n_regions, n_classes), and μ."""
        parts = (self.spread @ x).reshape(self.f.shape[1:])
        return parts[:-1], parts[-1]


class RegionPoint:
    """A `RegionLoss` at one point; the probabilities are computed once.

    Attributes
    ----------
    x : the point
    value : the loss
    """

    x: Array

    def __init__(self, loss: RegionLoss, x: Array) -> None:
        self.x, self._loss = x, loss
        weights, intercepts = loss.unpack(x)
        scores = region_scores(loss.f[:, :-1], weights, intercepts)
        own, self._proba = log_softmax_of(scores, loss.y)
        away = x - loss.center
        self.value: float = float(0.5 * (loss.penalty * away) @ away - own @ loss.weight)

    @cached_property
    def gradient(self) -> Array:
        """The gradient of the loss."""
        loss, residual = self._loss, self._proba.copy()
        residual[np.arange(len(residual)), loss.y] -= 1.0
        slopes = np.einsum("nrc,nc->rc", loss.f, residual * loss.weight[:, None]).ravel()
        return np.asarray(loss.spread.T @ slopes + loss.penalty * (self.x - loss.center))

    def hessian(self) -> Array:
        """Return the matrix of the second derivatives."""
        loss, proba = self._loss, self._proba
        n_rows, n_parts, n_classes = loss.f.shape
        weighted = loss.f * (proba * np.sqrt(loss.weight)[:, None])[:, None]
        flat = weighted.reshape(n_rows, -1)
        hessian = -(flat.T @ flat)
        own = np.einsum("nrc,nc,nsc->crs", loss.f, proba * loss.weight[:, None], loss.f)
        blocks = hessian.reshape(n_parts, n_classes, n_parts, n_classes)
        every = np.arange(n_classes)
        blocks[:, every, :, every] += own
        return np.asarray(loss.spread.T @ hessian @ loss.spread + np.diag(loss.penalty))

    def newton_direction(self) -> Array:
        """Return the shortest solution p of H p = -gradient.

        The Hessian is singular: adding one number to all μ has no effect.
        """
        return np.asarray(-np.linalg.lstsq(self.hessian(), self.gradient, rcond=None)[0])


def region_scores(log_likelihoods: Array, weights: Array, intercepts: Array) -> Array:
    """Return Σ_r λ_r f_rc + μ_c.

    >>> region_scores(np.array([[[1.0, 2.0], [3.0, 5.0]]]), np.array([[2.0], [1.0]]), np.zeros(2))
    array([[5., 9.]])
    """
    scores = np.tile(intercepts, (len(log_likelihoods), 1))
    for r, weight in enumerate(weights):
        scores += weight * log_likelihoods[:, r]
    return scores


@dataclass(frozen=True)
class FoundWeights:
    """The weights that `find_weights` returns.

    Attributes
    ----------
    weights, intercepts : λ, of shape (n_regions, n_classes), and μ, of mean 0
    n_iter : number of steps
    gradient_size : the largest component of the gradient at the end
    """

    weights: Array
    intercepts: Array
    n_iter: int
    gradient_size: float


def find_weights(loss: RegionLoss, *, tolerance: float, max_iter: int) -> FoundWeights:
    """Minimise the loss, starting at naive Bayes, until no component of the gradient is larger."""
    found = find_minimum(loss, loss.at(loss.start()), tolerance=tolerance, max_iter=max_iter)
    weights, intercepts = loss.unpack(found.x)
    intercepts = intercepts - intercepts.mean()
    return FoundWeights(weights, intercepts, found.n_iter, found.gradient_size)
