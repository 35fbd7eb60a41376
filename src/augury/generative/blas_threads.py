"""How many threads the linear algebra of a model takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from threadpoolctl import ThreadpoolController

if TYPE_CHECKING:
    from augury.generative.base import GenerativeClassifier

P = ParamSpec("P")
R = TypeVar("R")
M = TypeVar("M", bound="GenerativeClassifier")


@cache
def _controller() -> Any:
    return ThreadpoolController()  # looks for the libraries once: that takes 15 ms


def with_n_jobs(method: Callable[Concatenate[M, P], R]) -> Callable[Concatenate[M, P], R]:
    """Run a method of a model with `n_jobs` threads in BLAS and LAPACK.

    Left to themselves they take all cores, and beside another job two threads of
    OpenBLAS were measured 3 to 200 times slower than one on products of this size.
    """

    @wraps(method)
    def limited(self: M, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with _controller().limit(limits=self._n_threads(), user_api="blas"):
            return method(self, *args, **kwargs)

    return limited
