"""The application of a saved model on a port of this machine."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

from augury.errors import ServeError
from augury.optional import import_extra
from augury.serve.server_limits import ServerLimits

_BACKLOG = 128


def open_port(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Parameters
    ----------
    host : str
        Name or address of this machine.
    port : int
        0 takes any free port.

    Raises
    ------
    ServeError
        If the address is unknown, or the port is used by another program.
    """
    try:
        family, *_, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.create_server(address, family=family, backlog=_BACKLOG)
    except OSError as error:
        raise ServeError(
            f"port {port} of {host!r} cannot be opened: {error.strerror or error}; choose another "
            "one with --port, or an address of this machine with --host"
        ) from error
    # An answer is written in two parts; without this the second one may wait 40 ms.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def url_of(listening: socket.socket) -> str:
    """Return the address of a listening socket for a browser."""
    host, port, *_ = listening.getsockname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def run_server(
    application: Any,
    listening: socket.socket,
    *,
    limits: ServerLimits | None = None,
    started: Callable[[], None] | None = None,
) -> None:
    """Answer requests until SIGINT or SIGTERM; running requests are answered before it returns.

    A second SIGINT does not wait for them. A request whose body is not complete is not running.

    Parameters
    ----------
    application : ASGI application
    listening : socket
        Result of `open_port`.
    limits : ServerLimits or None
        None: the defaults.
    started : callable or None
        Called before the first request is accepted.
    """
    require_server()
    from augury.serve.uvicorn_server import serve_on

    if started is not None:
        started()
    serve_on(application, listening, limits or ServerLimits())


def require_server() -> None:
    """Raise `MissingExtraError` unless the packages of the server are installed."""
    for module in ("uvicorn", "httptools"):
        import_extra(module, extra="serve", purpose="`augury serve`")


__all__ = ["open_port", "require_server", "run_server", "url_of"]
