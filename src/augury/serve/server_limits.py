"""Limits of the connections of a server."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """Limits of connections.

    Attributes
    ----------
    connections : int
        Most connections at the same time; others are closed at once.
    waiting_seconds : float
        Longest time until the headers of a request are complete, from the start of the
        connection or from the end of the last answer.
    request_seconds : float
        Longest time from the headers of a request until its answer is written; the connection is
        then closed. It is longer than the time after which the application refuses to compute
        an answer (`max_seconds` of `make_application`), so that this answer is still written.
        When the server ends, it waits so long for running requests.
    """

    connections: int = 100
    waiting_seconds: float = 10.0
    request_seconds: float = 65.0


__all__ = ["ServerLimits"]
