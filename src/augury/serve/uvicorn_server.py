"""uvicorn as it is used here. This module imports uvicorn, which the extra `serve` installs."""

from __future__ import annotations

import signal
import socket
from functools import partial
from math import ceil
from types import FrameType
from typing import Any

from uvicorn import Config, Server

from augury.serve.bounded_protocol import BoundedProtocol
from augury.serve.server_limits import ServerLimits

# `BoundedProtocol` closes connections by their limits, at the latest this number of seconds later.
_MARGIN_SECONDS = 3


class SignalledServer(Server):
    """uvicorn's server; SIGINT and SIGTERM end it like a return."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop after the running requests; a second SIGINT does not wait for them."""
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True


def serve_on(application: Any, listening: socket.socket, limits: ServerLimits) -> None:
    """Answer requests until a signal."""
    protocol: Any = partial(BoundedProtocol, limits)
    config = Config(
        application,
        http=protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=ceil(limits.request_seconds) + _MARGIN_SECONDS,
    )
    SignalledServer(config).run(sockets=[listening])


__all__ = ["SignalledServer", "serve_on"]
