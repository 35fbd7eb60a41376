"""A client that keeps connections busy: each sends a request as soon as it has its answer."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

import uvloop


@dataclass(frozen=True)
class Load:
    """What a client measured.

    Attributes
    ----------
    rate : answers per second
    median, p99 : seconds between a request and its answer
    """

    rate: float
    median: float
    p99: float


def run_load(port: int, bodies: Sequence[bytes], n_requests: int, n_connections: int) -> Load:
    """Post bodies, in turn, over connections that are kept open."""
    requests = [_request(body) for body in bodies]
    share = n_requests // n_connections
    latencies: list[float] = []

    async def keep_busy(first: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        for k in range(first, first + share):
            start = time.perf_counter()
            writer.write(requests[k % len(requests)])
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 200 "):
                raise RuntimeError(f"the server answered {head!r}")
            await reader.readexactly(_length(head))
            latencies.append(time.perf_counter() - start)
        writer.close()

    async def all_connections() -> float:
        start = time.perf_counter()
        await asyncio.gather(*(keep_busy(c * share) for c in range(n_connections)))
        return time.perf_counter() - start

    seconds = uvloop.run(all_connections())
    latencies.sort()
    n = len(latencies)
    return Load(n / seconds, latencies[n // 2], latencies[min(n - 1, int(0.99 * n))])


def _request(body: bytes) -> bytes:
    head = (
        "POST /predict HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _length(head: bytes) -> int:
    return int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
