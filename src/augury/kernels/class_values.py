"""Counts of class and value, and look-ups of log factors by code."""

from augury.arrays import FloatArray, IntegerArray
from augury.kernels import _native
from augury.kernels.arguments import kernel_arguments
from augury.kernels.row_threads import over_rows, sum_over_rows
from augury.kernels.slots import require_slot_bytes


def count_class_values(
    codes: IntegerArray,
    y: IntegerArray,
    weight: FloatArray | None,
    offsets: IntegerArray,
    n_classes: int,
    *,
    n_threads: int = 1,
) -> FloatArray:
    """Return the weight of the rows in each (slot, class)."""
    codes, y, weight = kernel_arguments(codes, y, weight)
    require_slot_bytes(offsets, n_classes)
    return sum_over_rows(
        lambda table, start, stop: _native.count_class_values(
            codes, y, weight, offsets, n_classes, table, start, stop
        ),
        (int(offsets[-1]), n_classes),
        codes.shape,
        n_threads,
    )


def add_log_factors(
    codes: IntegerArray,
    table: FloatArray,
    offsets: IntegerArray,
    out: FloatArray,
    *,
    first: FloatArray | None = None,
    n_threads: int = 1,
) -> None:
    """Add to each row of `out` the rows of `table` at the slots of its codes.

    If `first` is given, each row of `out` is first set to it.
    """

    def work(start: int, stop: int) -> None:
        if first is not None:
            out[start:stop] = first
        _native.add_log_factors(codes, table, offsets, out, start, stop)

    over_rows(work, codes.shape, n_threads)


__all__ = ["add_log_factors", "count_class_values"]
