"""Weights of models whose log probabilities are added."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize

from augury.arrays import Array, FloatArray, IntegerArray
from augury.counts import log_normalize

# Rows that the weights are learned from at most: more do not change them.
_MAX_ROWS = 50_000
# The largest weight of one model, and the smallest one above zero.
_MAX_WEIGHT, _SMALLEST_WEIGHT = 3.0, 0.05


def learn_weights(
    log_probabilities: Sequence[FloatArray],
    codes: IntegerArray,
    weight: Array | None,
    *,
    prior: float,
) -> FloatArray:
    """Return the weight w_m ≥ 0 of each model in p(c | x) ∝ Π_m p_m(c | x)^w_m.

    The weights minimise the log loss of the rows plus `prior` / 2 · Σ_m (w_m - 1/M)²: with few
    rows they stay near those of the geometric mean. Their sum is free. A sum above 1 sharpens
    the probabilities, a sum below 1 flattens them, so the weights also calibrate. A model of a
    weight below 0.05 gets the weight 0, and those of the others are learned without it.

    Parameters
    ----------
    log_probabilities : log p_m(c | x) of each model, of shape (n_samples, n_classes)
        Held-out predictions: a row must not have taken part in the fit that predicts it.
    codes : the class of each row
    weight : weight of each row, or None
    prior : how strongly the weights are drawn to 1/M, in rows

    Examples
    --------
    >>> right = np.log([[0.9, 0.1], [0.1, 0.9]] * 50)
    >>> guess = np.log([[0.5, 0.5], [0.5, 0.5]] * 50)
    >>> learn_weights([right, guess], np.array([0, 1] * 50), None, prior=5.0).round(1)
    array([1.6, 0.5])
    """
    logs = np.stack(log_probabilities)
    n_rows = logs.shape[1]
    if n_rows > _MAX_ROWS:
        rows = np.linspace(0, n_rows - 1, _MAX_ROWS).astype(np.intp)
        logs, codes = logs[:, rows], codes[rows]
        weight = None if weight is None else weight[rows]
    each = np.ones(len(codes)) if weight is None else np.asarray(weight, dtype=np.float64)
    equal = 1.0 / len(logs)
    weights = _minimize_loss(logs, codes, each, prior, equal)
    used = weights >= _SMALLEST_WEIGHT
    n_models = len(logs)
    while 0 < used.sum() < n_models:
        n_models = int(used.sum())
        weights[~used] = 0.0
        weights[used] = _minimize_loss(logs[used], codes, each, prior, equal)
        used = weights >= _SMALLEST_WEIGHT
    return weights


def _minimize_loss(
    logs: FloatArray, codes: IntegerArray, each: FloatArray, prior: float, equal: float
) -> FloatArray:
    """Return the weights of models; `each` is the weight of each row, and `equal` is 1/M."""
    own = np.take_along_axis(logs, codes[None, :, None], axis=2)[..., 0]

    def loss_and_gradient(w: FloatArray) -> tuple[float, FloatArray]:
        log_p = log_normalize(np.tensordot(w, logs, 1))
        loss = -(each @ log_p[np.arange(len(codes)), codes])
        expected = np.einsum("ik,mik->mi", np.exp(log_p), logs)
        gradient = (expected - own) @ each
        return loss + prior / 2 * ((w - equal) ** 2).sum(), gradient + prior * (w - equal)

    start, bounds = np.full(len(logs), equal), [(0.0, _MAX_WEIGHT)] * len(logs)
    found = minimize(loss_and_gradient, start, jac=True, method="L-BFGS-B", bounds=bounds)
    weights: FloatArray = np.asarray(found.x, dtype=np.float64)
    return weights


def pool(
    log_probabilities: Sequence[FloatArray], weights: Sequence[float] | FloatArray
) -> FloatArray:
    """Return the weighted sum of the log probabilities of the models."""
    total: FloatArray = weights[0] * log_probabilities[0]
    for w, log_p in zip(weights[1:], log_probabilities[1:], strict=True):
        total += w * log_p
    return total


__all__ = ["learn_weights", "pool"]
