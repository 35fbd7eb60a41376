"""Direct calls of an ASGI application."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

JSON = ((b"content-type", b"application/json"),)


def call(
    application: Any,
    method: str,
    path: str,
    parts: Sequence[bytes] = (b"",),
    headers: Sequence[tuple[bytes, bytes]] = JSON,
    *,
    ends: bool = True,
) -> tuple[int, dict[bytes, bytes], bytes]:
    """Return status, headers and body of the answer; the body of the request comes in parts.

    Without `ends` the client disconnects after the parts. The status is then 0 if there is no
    answer.
    """
    events: list[dict[str, Any]] = [
        {"type": "http.request", "body": part, "more_body": not ends or k + 1 < len(parts)}
        for k, part in enumerate(parts)
    ]
    if not ends:
        events.append({"type": "http.disconnect"})
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if not events:
            await asyncio.Event().wait()  # the client waits for its answer
        return events.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {"type": "http", "method": method, "path": path, "headers": list(headers)}
    asyncio.run(application(scope, receive, send))
    if not sent:
        return 0, {}, b""
    start, *rest = sent
    return start["status"], dict(start["headers"]), b"".join(each["body"] for each in rest)


def post(application: Any, content: Any) -> tuple[int, Any]:
    """Return status and JSON of the answer to `POST /predict`."""
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    status, _, answer = call(application, "POST", "/predict", [body])
    return status, json.loads(answer)
