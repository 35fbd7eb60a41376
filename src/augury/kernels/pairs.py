"""Counts of class and value of all pairs of columns, and look-ups beside one column."""

import numpy as np

from augury.arrays import FloatArray, IntegerArray
from augury.kernels import _native
from augury.kernels.arguments import kernel_arguments
from augury.kernels.row_threads import over_rows, sum_over_rows
from augury.memory import require_bytes


def count_pairs(
    codes: IntegerArray,
    y: IntegerArray,
    weight: FloatArray | None,
    n_states: IntegerArray,
    n_classes: int,
    *,
    n_threads: int = 1,
) -> FloatArray:
    """Return the weight of the rows in each (state, state, class) of two columns.

    A column owns `n_states` adjacent states. The table is symmetric in its first two axes. The
    block of a column with itself has the column's own counts on the diagonal.
    """
    codes, y, weight = kernel_arguments(codes, y, weight)
    n_states = np.ascontiguousarray(n_states, dtype=np.int64)
    total = sum(n_states.tolist())
    require_bytes(
        pair_bytes(n_states, n_classes),
        f"the counts of all pairs of {total:,} states in {int(n_classes):,} classes",
        n_states,
        advice="leave these columns out, group their labels, or take a model without pairs, such "
        "as NaiveBayes",
    )
    return sum_over_rows(
        lambda table, start, stop: _native.count_pairs(
            codes, y, weight, n_states, n_classes, table, start, stop
        ),
        (total, total, n_classes),
        codes.shape,
        n_threads,
    )


def pair_bytes(n_states: IntegerArray, n_classes: int) -> int:
    """Return the bytes of the table of `count_pairs`.

    >>> pair_bytes(np.array([30_000, 30_000]), 3)
    86400000000
    """
    total: int = sum(np.asarray(n_states).tolist())
    return 8 * total**2 * int(n_classes)


def add_pair_factors(
    codes: IntegerArray,
    column: int,
    block: FloatArray,
    offsets: IntegerArray,
    out: FloatArray,
    *,
    n_threads: int = 1,
) -> None:
    """Add to each row of `out` the factors of its codes, given its code in `column`.

    `block` has shape (slots of `column`, slots of all columns, classes).
    """
    over_rows(
        lambda start, stop: _native.add_pair_factors(
            codes, column, block, offsets, out, start, stop
        ),
        codes.shape,
        n_threads,
    )


__all__ = ["add_pair_factors", "count_pairs", "pair_bytes"]
