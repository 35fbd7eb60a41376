"""The Dask cluster of --scheduler."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def cluster(scheduler: str | None) -> Iterator[Any]:
    """Yield a client of the scheduler at an address; None if there is no address."""
    if scheduler is None:
        yield None
        return
    from augury.workers.dask_client import dask_client

    with dask_client(scheduler) as client:
        yield client


__all__ = ["cluster"]
