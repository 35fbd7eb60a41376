"""Predictions of models in which every column stands beside all others."""

from augury.arrays import BoolArray, FloatArray, IntegerArray
from augury.kernels import _native
from augury.kernels.row_threads import over_rows


def log_mean_over_parents(
    codes: IntegerArray,
    blocks: FloatArray,
    parents: FloatArray,
    counted: BoolArray,
    offsets: IntegerArray,
    out: FloatArray,
    *,
    n_threads: int = 1,
) -> None:
    """Write the log of the mean of exp(term) of each row over its counted columns j.

    The term is parents[slot of j] + Σ_{i≠j} blocks[slot of j, slot of i]. `counted` has one flag
    for each slot. The result of a row without counted columns is -inf.
    """
    flags = counted.view("u1")
    over_rows(
        lambda start, stop: _native.log_mean_over_parents(
            codes, blocks, parents, flags, offsets, out, start, stop
        ),
        codes.shape,
        n_threads,
    )


def add_log_shares(
    codes: IntegerArray,
    blocks: FloatArray,
    alone: FloatArray,
    has_parents: BoolArray,
    offsets: IntegerArray,
    out: FloatArray,
    *,
    n_threads: int = 1,
) -> None:
    """Add to each row of `out` the logs of the factors of its columns.

    The factor of column j is Σ_{i≠j} blocks[slot of j, slot of i], alone[slot of j] if
    `has_parents` is False for the column, and 1 if the column is left out.
    """
    flags = has_parents.view("u1")
    over_rows(
        lambda start, stop: _native.add_log_shares(
            codes, blocks, alone, flags, offsets, out, start, stop
        ),
        codes.shape,
        n_threads,
    )


__all__ = ["add_log_shares", "log_mean_over_parents"]
