"""Bias-variance decompositions of the zero-one loss.

Repeated cross-validation predicts every row once in each run, each time by a model of different
training rows. Errors that are the same in all runs are the learner's bias; errors that differ
from run to run are its variance.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from augury.validation import Array, check_flag, check_integer


@dataclass(frozen=True, slots=True)
class BiasVariance:
    """Components of a mean zero-one loss.

    Attributes
    ----------
    error : float
        Share of the predictions that are wrong: the sum of the other components.
    bias, variance : float
        As defined by the function that returns them. Kohavi and Wolpert's bias is bias².
    noise : float
        The error that no model can avoid; 0 where it cannot be separated from the bias.
    """

    error: float
    bias: float
    variance: float
    noise: float


def webb_bias_variance(
    codes: ArrayLike, predictions: ArrayLike, *, class_probabilities: ArrayLike | None = None
) -> BiasVariance:
    r"""Decompose the error by Webb's definition: usual and unusual wrong predictions.

    The central tendency C°(x) is the class that is predicted for x in most of the runs.

    .. math::
        bias = P\big(\hat Y \ne Y \wedge \hat Y = C^\circ(X)\big) \qquad
        variance = P\big(\hat Y \ne Y \wedge \hat Y \ne C^\circ(X)\big)

    They sum to the error; noise is part of both and is not separated. Where several
    classes are predicted equally often, bias and variance are averaged over these classes, as
    in WEKA's `BVDecomposeSegCVSub`.

    Parameters
    ----------
    codes : array-like of shape (n_samples,)
        True classes, 0, 1, ….
    predictions : array-like of shape (n_runs, n_samples)
        Predicted classes, each row of the data once in each run; -1 for a prediction that is
        no class. See `predictions_by_run`.
    class_probabilities : array-like of shape (n_samples, n_classes), default=None
        P(y | x) of each row where it is known, as for synthetic concepts; the codes are then
        not used. By default the true class has probability 1.

    Returns
    -------
    BiasVariance
        With a noise of 0.

    References
    ----------
    G. I. Webb (2000): MultiBoosting: a technique for combining boosting and wagging. Machine
    Learning 40, 159-196.

    Examples
    --------
    One of three runs is wrong about the first row; two are wrong about the second.

    >>> parts = webb_bias_variance([0, 1], [[0, 0], [0, 0], [1, 1]])
    >>> parts.bias == 2 / 6, parts.variance == 1 / 6, parts.error == 3 / 6
    (True, True, True)
    """
    truth, predicted = _distributions("webb_bias_variance", codes, predictions, class_probabilities)
    wrong = predicted * (1.0 - truth)
    is_central = predicted == predicted.max(axis=1, keepdims=True)
    error = wrong.sum(axis=1)
    bias = (wrong * is_central).sum(axis=1) / is_central.sum(axis=1)
    return BiasVariance(
        error=float(error.mean()),
        bias=float(bias.mean()),
        variance=float((error - bias).mean()),
        noise=0.0,
    )


def kohavi_wolpert_bias_variance(
    codes: ArrayLike,
    predictions: ArrayLike,
    *,
    class_probabilities: ArrayLike | None = None,
    unbiased: bool = False,
) -> BiasVariance:
    r"""Decompose the error by Kohavi and Wolpert's definition, that of a quadratic loss.

    .. math::
        bias^2_x = \tfrac12 \sum_y \big(P(y | x) - P(\hat y | x)\big)^2, \quad
        variance_x = \tfrac12 \Big(1 - \sum_y P(\hat y | x)^2\Big), \quad
        \sigma^2_x = \tfrac12 \Big(1 - \sum_y P(y | x)^2\Big)

    averaged over the rows; they sum to the error.

    Parameters
    ----------
    codes : array-like of shape (n_samples,)
        True classes, 0, 1, ….
    predictions : array-like of shape (n_runs, n_samples)
        Predicted classes, each row of the data once in each run; -1 for a prediction that is
        no class. See `predictions_by_run`.
    class_probabilities : array-like of shape (n_samples, n_classes), default=None
        P(y | x) of each row where it is known, as for synthetic concepts; the codes are then
        not used. By default the true class has probability 1, and σ² is 0: the noise counts as
        bias.
    unbiased : bool, default=False
        Shares of few runs vary around P(ŷ | x). This moves variance / n_runs, on average, from
        the variance to bias². True corrects both; their sum stays the same. A bias² may then
        be below 0.

    Returns
    -------
    BiasVariance
        bias holds bias², noise σ².

    Notes
    -----
    WEKA's `BVDecomposeSegCVSub` corrects bias² and not the variance, so its components do not
    sum to its error.

    References
    ----------
    R. Kohavi, D. H. Wolpert (1996): Bias plus variance decomposition for zero-one loss
    functions. Proceedings of the 13th International Conference on Machine Learning, 275-283.

    Examples
    --------
    One row of class 0, predicted right once and wrong once.

    >>> kohavi_wolpert_bias_variance([0], [[0], [1]])  # ½ (¼ + ¼), ½ (1 - ½)
    BiasVariance(error=0.5, bias=0.25, variance=0.25, noise=0.0)
    """
    owner = "kohavi_wolpert_bias_variance"
    truth, predicted = _distributions(owner, codes, predictions, class_probabilities)
    bias = 0.5 * float(((truth - predicted) ** 2).sum(axis=1).mean())
    variance = 0.5 * float((1.0 - (predicted**2).sum(axis=1)).mean())
    if check_flag(owner, "unbiased", unbiased):
        n_runs = len(np.asarray(predictions))
        if n_runs < 2:
            raise ValueError(f"{owner}: unbiased must be False for one run, got {unbiased!r}")
        moved = variance / (n_runs - 1)
        bias, variance = bias - moved, variance + moved
    return BiasVariance(
        error=float((predicted * (1.0 - truth)).sum(axis=1).mean()),
        bias=bias,
        variance=variance,
        noise=0.5 * float((1.0 - (truth**2).sum(axis=1)).mean()),
    )


def predictions_by_run(folds: Iterable[tuple[int, ArrayLike, ArrayLike]], n_samples: int) -> Array:
    """Arrange the predictions of single folds by run and row.

    Parameters
    ----------
    folds : iterable of (run, rows, predicted)
        The number of a fold's run, the places of its test rows in the data, and their
        predicted classes; in any order.
    n_samples : int
        Rows of the data.

    Returns
    -------
    integer array of shape (n_runs, n_samples)
        In ascending order of the runs, as the decompositions expect it.

    Examples
    --------
    >>> predictions_by_run([(1, [2, 0], [1, 1]), (1, [1], [0])], n_samples=3)
    array([[1, 0, 1]])
    """
    owner = "predictions_by_run"
    n_samples = check_integer(owner, "n_samples", n_samples, at_least=1)
    runs: dict[int, Array] = {}
    seen: dict[int, Array] = {}
    for run, rows, predicted in folds:
        places, classes = np.asarray(rows), np.asarray(predicted)
        if places.shape != classes.shape or places.ndim != 1:
            raise ValueError(
                f"{owner}: folds must have a prediction for each row, "
                f"got shapes {places.shape} and {classes.shape} in run {run}"
            )
        if places.size and (places.min() < 0 or places.max() >= n_samples):
            raise ValueError(
                f"{owner}: folds must have rows in 0, …, {n_samples - 1}, "
                f"got {places.min()} to {places.max()} in run {run}"
            )
        np.add.at(seen.setdefault(run, np.zeros(n_samples, dtype=int)), places, 1)
        runs.setdefault(run, np.empty(n_samples, dtype=np.int64))[places] = classes
    if not runs:
        raise ValueError(f"{owner}: folds must not be empty")
    for run, times in seen.items():
        if (times != 1).any():
            row = int(np.argmax(times != 1))
            raise ValueError(
                f"{owner}: folds must have each row once in each run, "
                f"got row {row} {times[row]} times in run {run}"
            )
    return np.array([runs[run] for run in sorted(runs)])


def _distributions(
    owner: str, codes: ArrayLike, predictions: ArrayLike, class_probabilities: ArrayLike | None
) -> tuple[Array, Array]:
    """Return, for each row, P(y | x) and the share of the runs in which y is predicted.

    Both have a last column for predictions that are no class.
    """
    true, predicted = np.asarray(codes), np.asarray(predictions)
    if true.ndim != 1 or predicted.ndim != 2 or predicted.shape[1:] != true.shape:
        raise ValueError(
            f"{owner}: predictions must have a row for each run and a column for each code, "
            f"got shapes {predicted.shape} and {true.shape}"
        )
    if predicted.size == 0:
        raise ValueError(f"{owner}: predictions must have at least one run and one row")
    if true.dtype.kind not in "iu" or true.min() < 0:
        raise ValueError(f"{owner}: codes must be integers 0, 1, …")
    if predicted.dtype.kind not in "iu" or predicted.min() < -1:
        raise ValueError(f"{owner}: predictions must be integers -1, 0, 1, …")
    n_classes = int(max(true.max(), predicted.max())) + 1
    n_samples = len(true)
    if class_probabilities is None:
        truth = np.zeros((n_samples, n_classes + 1))
        truth[np.arange(n_samples), true] = 1.0
    else:
        truth = _known_truth(owner, class_probabilities, n_samples, n_classes)
    n_columns = truth.shape[1]
    counts = np.zeros((n_samples, n_columns))
    for run in predicted:
        counts[np.arange(n_samples), run] += 1.0  # -1 is the last column
    return truth, counts / len(predicted)


def _known_truth(
    owner: str, class_probabilities: ArrayLike, n_samples: int, n_classes: int
) -> Array:
    known = np.asarray(class_probabilities, dtype=np.float64)
    if known.ndim != 2 or len(known) != n_samples or known.shape[1] < n_classes:
        raise ValueError(
            f"{owner}: class_probabilities must be of shape ({n_samples}, {n_classes}) or have "
            f"more classes, got {known.shape}"
        )
    # NaN fails this comparison too.
    right = (known >= 0).all(axis=1) & (np.abs(known.sum(axis=1) - 1.0) < 1e-6)
    if not right.all():
        row = int(np.argmin(right))
        raise ValueError(
            f"{owner}: class_probabilities must be non-negative and sum to 1, "
            f"got {known[row]} in row {row}"
        )
    return np.column_stack([known, np.zeros(n_samples)])


__all__ = [
    "BiasVariance",
    "kohavi_wolpert_bias_variance",
    "predictions_by_run",
    "webb_bias_variance",
]
