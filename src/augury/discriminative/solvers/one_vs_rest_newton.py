"""Logistic regression of each class against the rest, on rows that are counted."""

import numpy as np

from augury.arrays import Array

_MOST_STEPS = 100
# Of the loss: Newton's last step, from so near, arrives at the limits of arithmetic.
_NEAR = 1e-10


def fit_one_vs_rest(
    design: Array, positives: Array, totals: Array, C: float, start: Array | None = None
) -> Array:
    """Return β of each class, which minimises |β|² / 2 + C Σ_i [N_i log(1 + e^z) - P_i z].

    z = β · x_i: LIBLINEAR's L2 logistic regression, for rows that are known by how often
    they occur. Newton's steps, halved where the loss would rise; all classes at once.

    Parameters
    ----------
    design : array of shape (n_rows, n_terms)
        x_i, each different row once.
    positives : array of shape (n_classes, n_rows)
        P_i, the weight of the row in the class.
    totals : array of shape (n_rows,)
        N_i, the weight of the row in all classes.
    C : inverse strength of the penalty
    start : array of shape (n_classes, n_terms) or None
        Where the search begins.

    Examples
    --------
    Of x = 1 and -1, each once in its own class: a = 2 / (1 + exp(a)) = 0.6748.

    >>> x, ones = np.array([[1.0], [-1.0]]), np.ones(2)
    >>> fit_one_vs_rest(x, np.array([[1.0, 0.0]]), ones, C=1.0).round(4)
    array([[0.6748]])
    """
    n_classes, n_terms = len(positives), design.shape[1]
    beta = np.zeros((n_classes, n_terms)) if start is None else start.copy()
    loss, z = _loss(design, positives, totals, C, beta)
    for _ in range(_MOST_STEPS):
        proba = 0.5 * (1.0 + np.tanh(0.5 * z))
        gradient = beta + C * ((proba * totals - positives) @ design)
        curvature = C * totals * proba * (1.0 - proba)
        step = np.empty_like(beta)
        for c in range(n_classes):
            hessian = (design * curvature[c][:, None]).T @ design
            hessian.flat[:: n_terms + 1] += 1.0  # of the penalty
            step[c] = _solve(hessian, gradient[c])
        is_near = np.einsum("cj,cj->c", step, gradient) <= _NEAR * (1.0 + loss)
        if is_near.all():
            return np.asarray(beta - step)
        beta, loss, z = _descend(design, positives, totals, C, (beta, loss), step)
    return beta


def _solve(hessian: Array, gradient: Array) -> Array:
    """Return Newton's step; the shortest one where weights have rounded the penalty away.

    >>> _solve(np.array([[1e20, 1e20], [1e20, 1e20 + 1.0]]), np.array([2e20, 2e20])).round(6)
    array([1., 1.])
    """
    try:
        return np.asarray(np.linalg.solve(hessian, gradient))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.lstsq(hessian, gradient)[0])


def _descend(
    design: Array,
    positives: Array,
    totals: Array,
    C: float,
    before: tuple[Array, Array],
    step: Array,
) -> tuple[Array, Array, Array]:
    """Take the step, or as much of it as lowers the loss of each class."""
    beta, loss = before
    length = np.ones(len(beta))
    while True:
        moved = beta - length[:, None] * step
        new_loss, z = _loss(design, positives, totals, C, moved)
        rises = new_loss > loss * (1.0 + 1e-12) + 1e-12
        # Newton's direction descends: some length of it does, up to rounding.
        if not rises.any() or length.min() < 1e-10:
            return moved, new_loss, z
        length[rises] *= 0.5


def _loss(
    design: Array, positives: Array, totals: Array, C: float, beta: Array
) -> tuple[Array, Array]:
    z = beta @ design.T
    fit = np.logaddexp(0.0, z) @ totals - np.einsum("ci,ci->c", z, positives)
    return 0.5 * np.einsum("cj,cj->c", beta, beta) + C * fit, z
