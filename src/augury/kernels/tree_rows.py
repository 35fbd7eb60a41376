"""Division of the rows of a node among its branches, and the errors expected of leaves."""

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.kernels import _native


def divide_rows(
    codes: IntegerArray,
    column: int,
    n_states: int,
    cut: int | None,
    y: IntegerArray,
    n_classes: int,
    index: IntegerArray,
    weight: FloatArray | None,
) -> tuple[FloatArray, list[int]]:
    """Sort `index` and `weight` in place by branch; return class weights and ends of branches.

    The branch of a row is its code, or whether the code is above `cut`. Rows with a missing
    value come last.

    >>> codes, y = np.array([[1], [0], [2]], dtype=np.uint8, order="F"), np.zeros(3, np.int32)
    >>> index = np.arange(3)
    >>> divide_rows(codes, 0, 2, None, y, 1, index, None)[1], index
    ([1, 2, 3], array([1, 0, 2]))
    """
    n_branches = 1 + (n_states if cut is None else 2)
    table, ends = np.empty((n_branches, n_classes)), np.empty(n_branches, dtype=np.int64)
    at = -1 if cut is None else cut
    _native.divide_rows(codes, column, n_states, at, y, index, weight, table, ends)
    return table, ends.tolist()


def expected_errors(table: FloatArray, confidence: float, z: float) -> FloatArray:
    """Return the errors expected of a leaf for each row of class weights.

    They are the errors on the training rows, and those that are expected in addition: the upper
    limit of the binomial rate at this confidence, by the normal approximation with continuity
    correction. With n rows, f = (errors + ½) / n and the quantile
    z = Φ⁻¹(1 - confidence), the limit is

        n (f + z²/2n + z √(f/n - f²/n + z²/4n²)) / (1 + z²/n).

    For zero errors it is n (1 - confidence^(1/n)) exactly. C4.5 interpolates between zero and
    one error, and where nearly all rows are errors.

    >>> expected_errors(np.array([[6.0, 0.0]]), 0.25, 0.6745).round(3)  # Quinlan 1993, p. 41
    array([1.238])
    """
    out = np.empty(len(table))
    _native.expected_errors(table, confidence, z, out)
    return out


__all__ = ["divide_rows", "expected_errors"]
