"""Compiled kernels behind NumPy signatures; threads share the rows.

Everything here is arrays in, arrays out. The C files release the GIL, so plain
threads help, and no OpenMP runtime has to survive a fork. Why C and not numba or
NumPy alone: docs/kernels.md.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import prod
from typing import TypeVar

import numpy as np

from augury.arrays import Array
from augury.kernels import _native
from augury.memory import require_bytes

T = TypeVar("T")

# Below this many cells a thread costs more than it saves.
_CELLS_FOR_A_THREAD = 1 << 18


def slot_offsets(n_states: Array) -> Array:
    """Return where each column's slots begin; a column has n_states + 1 of them.

    The last slot of a column is for rows in which it is left out.

    >>> slot_offsets(np.array([2, 3]))
    array([0, 3, 7])
    """
    n_states = np.asarray(n_states, dtype=np.int64)
    if (n_states < 0).any():
        raise ValueError(f"slot_offsets: n_states must be >= 0, got {n_states.min()}")
    offsets = np.zeros(len(n_states) + 1, dtype=np.int64)
    np.cumsum(n_states + 1, out=offsets[1:])
    return offsets


def native(x: Array) -> Array:
    """Return x as the kernels take it: aligned, in the machine's byte order; rarely a copy.

    >>> native(np.array([1], dtype=">i4")).dtype.isnative
    True
    """
    return np.require(x, x.dtype.newbyteorder("="), "A")


def _over_rows(work: Callable[[int, int], T], shape: tuple[int, ...], n_threads: int) -> list[T]:
    n_rows, n_columns = shape
    n_parts = max(1, min(n_threads, n_rows * n_columns // _CELLS_FOR_A_THREAD))
    if n_parts == 1:
        return [work(0, n_rows)]
    edges = np.linspace(0, n_rows, n_parts + 1).astype(int).tolist()
    with ThreadPoolExecutor(n_parts) as pool:
        return list(pool.map(work, edges[:-1], edges[1:]))


def code_integers(x: Array, *, n_threads: int = 1) -> tuple[Array, Array, Array] | None:
    """Code the integers of each column by their distance from its smallest value.

    Returns
    -------
    codes, lo, hi : codes column by column in memory, and each column's range
        `lo` is 0 where the values are small and not negative: then they are the codes.
        None if a column's values span 65,535 or more.
    """
    x = native(x)
    codes = np.empty(x.shape, dtype=np.uint8, order="F")
    lo, hi = _integer_ranges(x, codes, n_threads)
    if lo.min() >= 0 and hi.max() < np.iinfo(np.uint8).max:
        return codes, np.zeros_like(lo), hi
    # Python integers: the range of int64 values may itself exceed int64.
    widths = [int(high) - int(low) + 1 for low, high in zip(lo, hi, strict=True)]
    if max(widths) >= np.iinfo(np.uint16).max:
        return None
    if max(widths) > np.iinfo(np.uint8).max:
        codes = np.empty(x.shape, dtype=np.uint16, order="F")
    _over_rows(
        lambda start, stop: _native.shift_integers(
            x, lo, np.array(widths, dtype=np.int64), codes, start, stop
        ),
        x.shape,
        n_threads,
    )
    return codes, lo, hi


def _integer_ranges(x: Array, codes: Array, n_threads: int) -> tuple[Array, Array]:
    def work(start: int, stop: int) -> tuple[Array, Array]:
        lo = np.full(x.shape[1], np.iinfo(np.int64).max)
        hi = np.full(x.shape[1], np.iinfo(np.int64).min)
        _native.integer_ranges(x, lo, hi, codes, start, stop)
        return lo, hi

    parts = _over_rows(work, x.shape, n_threads)
    return np.min([lo for lo, _ in parts], axis=0), np.max([hi for _, hi in parts], axis=0)


def codes_present(codes: Array, n_codes: int, *, complete: bool = False) -> tuple[Array, bool]:
    """Return for each code whether it occurs, and whether anything outside them does.

    Where it is known that nothing is outside (`complete`), a few rows may settle it.

    >>> codes_present(np.array([0, 2, -1]), 3)
    (array([ True, False,  True]), True)
    """
    seen = np.zeros(n_codes + 1, dtype=np.uint8)
    seen[-1] = complete  # the kernel stops when everything has been seen
    _native.mark_present(native(codes), seen)
    return seen[:-1].view(bool), bool(seen[-1]) and not complete


def _as_kernels_take(
    codes: Array, y: Array, weight: Array | None
) -> tuple[Array, Array, Array | None]:
    if codes.dtype.kind != "u" or codes.dtype.itemsize > np.uint32().itemsize:
        raise TypeError(f"codes must be uint8, uint16 or uint32, got {codes.dtype}")
    if y.dtype.kind not in "iu":
        raise TypeError(f"y must be integers, got {y.dtype}")
    if y.dtype.itemsize >= np.int32().itemsize and len(y) and y.max() > np.iinfo(np.int32).max:
        raise ValueError(f"y must be below 2^31, got {y.max()}")
    if len(y) and y.min() < 0:
        raise ValueError(f"y must be >= 0: labels do not fit, got {y.min()}")
    if weight is not None:
        weight = np.require(weight, np.float64, ["C", "A"])
    return native(np.asfortranarray(codes)), np.require(y, np.int32, ["C", "A"]), weight


# Tables larger than this are not made once for each thread.
_BYTES_FOR_A_THREAD = 1 << 26


def _threads_for(offsets: Array, n_classes: int, n_threads: int) -> int:
    """Return how many threads may have a table of their own; raise if there is no room for one."""
    n_slots = int(offsets[-1])
    n_bytes = 8 * n_slots * int(n_classes)
    require_bytes(
        n_bytes,
        f"the sums of {n_slots:,} states in {int(n_classes):,} classes",
        np.diff(offsets) - 1,
        advice="leave these columns out, or group their labels",
    )
    return 1 if n_bytes > _BYTES_FOR_A_THREAD else n_threads


def count_class_values(
    codes: Array,
    y: Array,
    weight: Array | None,
    offsets: Array,
    n_classes: int,
    *,
    n_threads: int = 1,
) -> Array:
    """Return the weight of the rows in each (slot, class)."""
    codes, y, weight = _as_kernels_take(codes, y, weight)
    n_threads = _threads_for(offsets, n_classes, n_threads)

    def work(start: int, stop: int) -> Array:
        table = np.zeros((int(offsets[-1]), n_classes))
        _native.count_class_values(codes, y, weight, offsets, n_classes, table, start, stop)
        return table

    first, *rest = _over_rows(work, codes.shape, n_threads)
    for table in rest:
        first += table
    return first


def add_log_factors(
    codes: Array, table: Array, offsets: Array, out: Array, *, n_threads: int = 1
) -> None:
    """Add to each row of `out` the rows of `table` that its codes name."""
    _over_rows(
        lambda start, stop: _native.add_log_factors(codes, table, offsets, out, start, stop),
        codes.shape,
        n_threads,
    )


def add_to_slots(codes: Array, values: Array, offsets: Array, *, n_threads: int = 1) -> Array:
    """Return for each slot the sum of the rows of `values` whose codes name it.

    >>> codes = np.array([[0], [1], [1]], dtype=np.uint8, order="F")
    >>> add_to_slots(codes, np.array([[1.0], [2.0], [3.0]]), np.array([0, 3])).T
    array([[1., 5., 0.]])
    """
    values = np.ascontiguousarray(values, np.float64)
    n_threads = _threads_for(offsets, values.shape[1], n_threads)

    def work(start: int, stop: int) -> Array:
        sums = np.zeros((int(offsets[-1]), values.shape[1]))
        _native.add_to_slots(codes, values, offsets, sums, start, stop)
        return sums

    first, *rest = _over_rows(work, codes.shape, n_threads)
    for sums in rest:
        first += sums
    return first


def logistic_loss(
    codes: Array,
    offsets: Array,
    numbers: Array,
    coefficients: Array,
    y: Array,
    weight: Array | None,
    *,
    reference: bool,
    n_threads: int = 1,
) -> tuple[float, Array]:
    """Return -Σ w_i log p(y_i | x_i) of a logistic regression, and its gradient.

    `coefficients` have a row for each slot, each number and a one, and a column for each
    class; with `reference` there is one class more, whose coefficients are zero.

    >>> codes = np.array([[0], [1]], dtype=np.uint8, order="F")
    >>> loss, gradient = logistic_loss(codes, np.array([0, 2]), np.empty((2, 0)),
    ...     np.zeros((3, 1)), np.array([0, 1]), None, reference=True)
    >>> round(loss, 4), gradient.T  # 2 log 2
    (1.3863, array([[-0.5,  0.5,  0. ]]))
    """
    codes, y, weight = _as_kernels_take(codes, y, weight)
    numbers = np.require(numbers, np.float64, ["C", "A"])
    coefficients = np.require(coefficients, np.float64, ["C", "A"])

    def work(start: int, stop: int) -> tuple[float, Array]:
        gradient = np.zeros(coefficients.shape)
        loss = _native.logistic_loss(
            codes, offsets, numbers, coefficients, y, weight, reference, gradient, start, stop
        )
        return loss, gradient

    cells = (len(codes), codes.shape[1] + numbers.shape[1] + 1)
    parts = _over_rows(work, cells, n_threads)
    return sum(loss for loss, _ in parts), np.sum([gradient for _, gradient in parts], axis=0)


def count_pairs(
    codes: Array,
    y: Array,
    weight: Array | None,
    n_states: Array,
    n_classes: int,
    *,
    n_threads: int = 1,
) -> Array:
    """Return the weight of the rows in each (state, state, class) of two columns.

    Columns own `n_states` adjacent states each; the table is symmetric in its first two
    axes, and a column beside itself has its own counts on the diagonal.
    """
    codes, y, weight = _as_kernels_take(codes, y, weight)
    n_states = np.ascontiguousarray(n_states, dtype=np.int64)
    total = sum(n_states.tolist())
    n_bytes = pair_bytes(n_states, n_classes)
    require_bytes(
        n_bytes,
        f"the counts of all pairs of {total:,} states in {int(n_classes):,} classes",
        n_states,
        advice="leave these columns out, group their labels, or take a model without pairs, such "
        "as NaiveBayes",
    )
    if n_bytes > _BYTES_FOR_A_THREAD:
        n_threads = 1

    def work(start: int, stop: int) -> Array:
        table = np.zeros((total, total, n_classes))
        _native.count_pairs(codes, y, weight, n_states, n_classes, table, start, stop)
        return table

    first, *rest = _over_rows(work, codes.shape, n_threads)
    for table in rest:
        first += table
    return first


def pair_bytes(n_states: Array, n_classes: int) -> int:
    """Return the bytes of the table of `count_pairs`.

    >>> pair_bytes(np.array([30_000, 30_000]), 3)
    86400000000
    """
    total: int = sum(np.asarray(n_states).tolist())
    return 8 * total**2 * int(n_classes)


def add_pair_factors(
    codes: Array, column: int, block: Array, offsets: Array, out: Array, *, n_threads: int = 1
) -> None:
    """Add to each row of `out` the factors of its codes beside its code in `column`.

    `block` has shape (slots of `column`, slots of all columns, classes).
    """
    _over_rows(
        lambda start, stop: _native.add_pair_factors(
            codes, column, block, offsets, out, start, stop
        ),
        codes.shape,
        n_threads,
    )


def pair_information(table: Array, n_states: Array, negligible: float) -> Array:
    """Return I(A_i; A_j | C) in bits of all pairs, from the table of `count_pairs`."""
    n_states = np.ascontiguousarray(n_states, dtype=np.int64)
    bits = np.empty((len(n_states), len(n_states)))
    _native.pair_information(table, n_states, negligible, bits)
    return bits


def log_likelihoods(tables: Array) -> Array:
    """Return Σ N_jk log(N_jk / N_j) of each table of counts, of shape (…, j, k).

    >>> log_likelihoods(np.array([[[1.0, 1.0], [2.0, 0.0]]])).round(4)  # 2 log 1/2 + 2 log 1
    array([-1.3863])
    """
    *leading, q, r = tables.shape
    flat = np.ascontiguousarray(tables, np.float64).reshape(prod(leading), q, r)
    out = np.empty(len(flat))
    _native.log_likelihoods(flat, out)
    return out.reshape(leading)


def mdl_cuts(values: Array, y: Array, weight: Array | None, n_classes: int) -> Array:
    """Return the sorted cut points of one sorted column (Fayyad and Irani 1993)."""
    out = np.empty(len(values))
    n_cuts = _native.mdl_cuts(values, y, weight, n_classes, out)
    return np.sort(out[:n_cuts])
