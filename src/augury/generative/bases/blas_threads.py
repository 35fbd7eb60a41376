"""Limit on the number of BLAS threads of a model."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from augury.kernels.blas_threads import blas_threads

if TYPE_CHECKING:
    from augury.generative.bases.generative_classifier import AnyGenerativeClassifier

P = ParamSpec("P")
R = TypeVar("R")
M = TypeVar("M", bound="AnyGenerativeClassifier")


def with_n_jobs(method: Callable[Concatenate[M, P], R]) -> Callable[Concatenate[M, P], R]:
    """Run a method of a model with `n_jobs` threads in BLAS and LAPACK."""

    @wraps(method)
    def limited(self: M, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with blas_threads(self._n_threads()):
            return method(self, *args, **kwargs)

    return limited
