"""Loss of logistic regression and its gradient."""

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.kernels import _native
from augury.kernels.arguments import kernel_arguments
from augury.kernels.row_threads import over_rows


def logistic_loss(
    codes: IntegerArray,
    offsets: IntegerArray,
    numbers: FloatArray,
    coefficients: FloatArray,
    y: IntegerArray,
    weight: FloatArray | None,
    *,
    reference: bool,
    n_threads: int = 1,
) -> tuple[float, FloatArray]:
    """Return -Σ w_i log p(y_i | x_i) of a logistic regression, and its gradient.

    `coefficients` have a row for each slot, each number and the intercept, and a column for each
    class. With `reference` there is one more class, whose coefficients are zero.

    >>> codes = np.array([[0], [1]], dtype=np.uint8, order="F")
    >>> loss, gradient = logistic_loss(codes, np.array([0, 2]), np.empty((2, 0)),
    ...     np.zeros((3, 1)), np.array([0, 1]), None, reference=True)
    >>> round(loss, 4), gradient.T  # 2 log 2
    (1.3863, array([[-0.5,  0.5,  0. ]]))
    """
    codes, y, weight = kernel_arguments(codes, y, weight)
    numbers = np.require(numbers, np.float64, ["F", "A"])
    coefficients = np.require(coefficients, np.float64, ["C", "A"])

    def work(start: int, stop: int) -> tuple[float, FloatArray]:
        gradient = np.zeros(coefficients.shape)
        loss = _native.logistic_loss(
            codes, offsets, numbers, coefficients, y, weight, reference, gradient, start, stop
        )
        return loss, gradient

    cells = (len(codes), codes.shape[1] + numbers.shape[1] + 1)
    parts = over_rows(work, cells, n_threads)
    return sum(loss for loss, _ in parts), np.sum([gradient for _, gradient in parts], axis=0)


__all__ = ["logistic_loss"]
