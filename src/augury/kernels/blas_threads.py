"""How many threads BLAS and LAPACK take."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


@cache
def _controller() -> Any:
    return ThreadpoolController()  # looks for the libraries once: that takes 15 ms


def blas_threads(n_threads: int) -> AbstractContextManager[Any]:
    """Limit the threads of linear algebra within a `with` block.

    Left to themselves BLAS and LAPACK take all cores, and beside another job two threads of
    OpenBLAS were measured 3 to 200 times slower than one on products of this size.
    """
    limit: AbstractContextManager[Any] = _controller().limit(limits=n_threads, user_api="blas")
    return limit
