"""Estimates of each training row from the counts of all other rows."""

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.kernels import _native
from augury.kernels.arguments import kernel_arguments
from augury.kernels.row_threads import over_rows


def pair_shares_without(
    codes: IntegerArray,
    column: int,
    y: IntegerArray,
    weight: FloatArray,
    counts: FloatArray,
    totals: FloatArray,
    shares: FloatArray,
    alone: FloatArray,
    added: float,
    offsets: IntegerArray,
    *,
    n_threads: int = 1,
) -> FloatArray:
    """Return Σ_j shares[j] p(x_column | x_j, y) of each row, estimated without the row.

    `counts` has shape (states of `column`, states of all columns, classes). `totals`, of shape
    (slots, classes), has the weight of rows of each slot in which `column` has a value. p is
    (N - w + added) / (N_j - w + added · states), and `alone` where one of the values is left
    out.
    """
    codes, y, _ = kernel_arguments(codes, y, None)
    weights = np.require(weight, np.float64, ["C", "A"])
    out = np.zeros(len(y))
    counts, totals = np.ascontiguousarray(counts), np.ascontiguousarray(totals)
    shares, alone = np.ascontiguousarray(shares), np.ascontiguousarray(alone)

    def add(start: int, stop: int) -> None:
        _native.add_pair_shares_without(
            codes,
            column,
            y,
            weights,
            counts,
            totals,
            shares,
            alone,
            added,
            offsets,
            out,
            start,
            stop,
        )

    over_rows(add, codes.shape, n_threads)
    return out


__all__ = ["pair_shares_without"]
