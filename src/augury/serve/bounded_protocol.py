"""HTTP of uvicorn, with limits for connections, slow clients and bytes that are no body.

uvicorn limits the requests that it answers at the same time. It does not limit the time that a
client takes to send a request or to read an answer, nor the bytes of headers.

This module imports uvicorn, which the extra `serve` installs.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from augury.serve.server_limits import ServerLimits

# Bytes of a request that are no body: headers, trailers and sizes of chunks. They may exceed this
# by the bytes of the body.
_OVERHEAD_BYTES = 1 << 16
_SECONDS_BETWEEN_CHECKS = 1.0


class BoundedProtocol(HttpToolsProtocol):
    """A connection that is closed when it exceeds a limit.

    Parameters
    ----------
    limits : ServerLimits
    settings : parameters of `HttpToolsProtocol`
    """

    def __init__(self, limits: ServerLimits, **settings: Any) -> None:
        super().__init__(**settings)
        self._limits = limits
        self._n_bytes = self._n_body_bytes = 0
        self._since = 0.0  # the start of the request, or of waiting for one
        self._timer: asyncio.TimerHandle | None = None
        self._is_ending = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock; close a connection that is one too many."""
        super().connection_made(transport)
        self._since = self.loop.time()
        if len(self.connections) > self._limits.connections:
            transport.abort()
        else:
            self._wait_for_check()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """Close the connection after the running request; wait less for a body."""
        self._is_ending = True
        super().shutdown()

    def data_received(self, data: bytes) -> None:
        """Read bytes; close the connection if too many of them are no body."""
        self._n_bytes += len(data)
        super().data_received(data)
        if self._n_bytes > _OVERHEAD_BYTES + 2 * self._n_body_bytes:
            self.transport.abort()

    def on_message_begin(self) -> None:
        """Count the bytes of a new request."""
        self._n_bytes = self._n_body_bytes = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Start the time of the request."""
        self._since = self.loop.time()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Count the bytes of the body."""
        self._n_body_bytes += len(body)
        super().on_body(body)

    def on_response_complete(self) -> None:
        """Start the time of waiting."""
        self._since = self.loop.time()
        super().on_response_complete()

    def _wait_for_check(self) -> None:
        self._timer = self.loop.call_later(_SECONDS_BETWEEN_CHECKS, self._check_time)

    def _check_time(self) -> None:
        cycle = self.cycle
        is_busy = cycle is not None and not cycle.response_complete
        if is_busy and self._is_ending and cycle.more_body:
            is_busy = False
        limit = self._limits.request_seconds if is_busy else self._limits.waiting_seconds
        if self.loop.time() - self._since > limit:
            self.transport.abort()
        else:
            self._wait_for_check()


__all__ = ["BoundedProtocol"]
