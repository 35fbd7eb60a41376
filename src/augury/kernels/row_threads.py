"""Threads that divide the rows of a table among themselves."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from math import prod
from typing import TypeVar

import numpy as np

from augury.arrays import FloatArray

T = TypeVar("T")
Item = TypeVar("Item")

# With fewer cells for each thread, threads cost more time than they save.
_MIN_CELLS_PER_THREAD = 1 << 18
# A larger table is filled by one thread, not once by each thread.
_MAX_BYTES_PER_THREAD = 1 << 26


def map_threads(work: Callable[[Item], T], items: Iterable[Item], n_threads: int) -> list[T]:
    """Return `work(item)` of each item; one thread is the caller's, since to start one takes time.

    >>> map_threads(abs, [-1, 2], n_threads=1)
    [1, 2]
    """
    if n_threads == 1:
        return [work(item) for item in items]
    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(work, items))


def over_rows(work: Callable[[int, int], T], shape: tuple[int, ...], n_threads: int) -> list[T]:
    """Call `work(start, stop)` for parts of the rows of a table, one part for each thread."""
    n_rows, n_columns = shape
    n_parts = max(1, min(n_threads, n_rows * n_columns // _MIN_CELLS_PER_THREAD))
    if n_parts == 1:
        return [work(0, n_rows)]
    edges = np.linspace(0, n_rows, n_parts + 1).astype(int).tolist()
    with ThreadPoolExecutor(n_parts) as pool:
        return list(pool.map(work, edges[:-1], edges[1:]))


def sum_over_rows(
    add: Callable[[FloatArray, int, int], None],
    out_shape: tuple[int, ...],
    rows_shape: tuple[int, ...],
    n_threads: int,
) -> FloatArray:
    """Return the sum of the tables that `add(table, start, stop)` fills, one for each thread.

    A large table is filled by one thread.
    """

    def work(start: int, stop: int) -> FloatArray:
        table = np.zeros(out_shape)
        add(table, start, stop)
        return table

    if 8 * prod(map(int, out_shape)) > _MAX_BYTES_PER_THREAD:
        n_threads = 1
    first, *rest = over_rows(work, rows_shape, n_threads)
    for table in rest:
        first += table
    return first


__all__ = ["map_threads", "over_rows", "sum_over_rows"]
