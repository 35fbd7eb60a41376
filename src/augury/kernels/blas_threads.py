"""Limits on the number of BLAS threads."""

from contextlib import AbstractContextManager
from functools import cache

from threadpoolctl import ThreadpoolController


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()  # the search for the libraries takes 15 ms


def blas_threads(n_threads: int) -> AbstractContextManager[object]:
    """Limit the threads of BLAS and LAPACK within a `with` block.

    By default they take all cores. On products of this size, while another job ran, two threads
    of OpenBLAS were measured 3 to 200 times slower than one.
    """
    limit: AbstractContextManager[object] = _controller().limit(limits=n_threads, user_api="blas")
    return limit
