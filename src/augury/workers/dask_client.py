"""Connections to a Dask scheduler."""

import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

from augury.optional import import_extra
from augury.workers.tasks import WorkersLostError

# Seconds that a scheduler may be without workers: a nanny starts a new one within seconds.
PATIENCE = 60.0
POLL_SECONDS = 0.5
# Seconds until a scheduler answers. Dask itself tries a refused connection again for 30 seconds.
_CONNECT_SECONDS = 5.0
_SOCKET_SCHEMES = ("tcp", "tls")


@contextmanager
def dask_client(address: str) -> Iterator[Any]:
    """Yield a client of a scheduler that has workers; it is closed at the end of the block.

    Raises
    ------
    MissingExtraError
        If Dask is not installed.
    WorkersLostError
        If no scheduler answers within seconds, or it has no workers for a minute.
    """
    distributed = import_extra("distributed", extra="dask", purpose="a Dask scheduler")
    with silent_logs():
        client = connect(distributed, address)
        try:
            _wait_for_workers(client, address)
            yield client
        finally:
            # The work is done or has failed; whether the scheduler hears of it does not matter.
            with suppress(Exception):
                client.close(timeout=1)


def connect(distributed: Any, address: str) -> Any:
    """Return a client of a scheduler, or raise `WorkersLostError` within seconds."""
    try:
        _try_socket(address)
        return distributed.Client(address, set_as_default=False)
    except (OSError, ValueError) as error:
        raise WorkersLostError(f"no Dask scheduler answers at {address!r}: {error}") from error


@contextmanager
def silent_logs() -> Iterator[None]:
    """Stop Dask from logging tracebacks of a lost connection, which is raised as an error."""
    levels: dict[logging.Logger, int] = {}
    for name in [*logging.root.manager.loggerDict]:
        if name.partition(".")[0] == "distributed":
            logger = logging.getLogger(name)
            levels[logger] = logger.level
            logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in levels.items():
            logger.setLevel(level)


def _try_socket(address: str) -> None:
    """Raise `OSError` or `ValueError` if nothing listens at an address of a known scheme."""
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if parts.scheme in _SOCKET_SCHEMES and parts.hostname and parts.port:
        socket.create_connection((parts.hostname, parts.port), _CONNECT_SECONDS).close()


def _wait_for_workers(client: Any, address: str) -> None:
    deadline = monotonic() + PATIENCE
    while not client.nthreads():
        if monotonic() > deadline:
            raise no_workers(address)
        sleep(POLL_SECONDS)


def no_workers(address: str) -> WorkersLostError:
    """Return the error for a scheduler without workers."""
    return WorkersLostError(f"the Dask scheduler at {address!r} has no workers for {PATIENCE:g} s")


__all__ = ["PATIENCE", "POLL_SECONDS", "connect", "dask_client", "no_workers", "silent_logs"]
