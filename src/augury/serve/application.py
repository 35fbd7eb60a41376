"""The ASGI application: paths, limits of requests, and headers of answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from functools import partial
from time import monotonic
from typing import Any

from augury.serve.allowed_hosts import AllowedHosts
from augury.serve.answer_queue import AnswerQueue, QueueFullError
from augury.serve.prediction_service import PredictionService
from augury.serve.problems import Header, RequestError

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

# An answer that is not computed after so many seconds is refused, and so is a request if so many
# others wait.
MAX_SECONDS, MAX_WAITING = 60.0, 64
# A larger body is read in a thread, so that other requests are answered meanwhile.
_SMALL_BODY = 1 << 16
_BACKSLASH = ord("\\")
# Each header costs a hundredth of the time of a single row.
JSON_HEADERS: tuple[Header, ...] = (
    (b"content-type", b"application/json"),
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
)


class ClientGoneError(Exception):
    """The client closed the connection before its request was complete."""


class Application:
    """Answers `POST /predict` and `GET` of some documents.

    Parameters
    ----------
    service : PredictionService
    documents : mapping from path to (headers, body)
        Answers that are the same for every request.
    max_request_bytes : int
        Most bytes of a request's body.
    allowed_hosts : AllowedHosts or None
        None: any host.
    max_seconds : float
        Longest time from the headers of a request until its answer is computed.
    max_waiting : int
        Most requests that wait while the model computes an answer.
    """

    def __init__(
        self,
        service: PredictionService,
        documents: Mapping[str, tuple[tuple[Header, ...], bytes]],
        *,
        max_request_bytes: int,
        allowed_hosts: AllowedHosts | None = None,
        max_seconds: float = MAX_SECONDS,
        max_waiting: int = MAX_WAITING,
    ) -> None:
        self._service = service
        self._documents = documents
        self._max_bytes = max_request_bytes
        self._hosts = allowed_hosts
        self._max_seconds = max_seconds
        self._max_waiting = max_waiting
        self._queue = AnswerQueue(max_waiting)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            raise ValueError(f"the application serves http, got {scope['type']!r}")
        status, headers = 200, JSON_HEADERS
        try:
            if scope["path"] == "/predict":
                body = await self._predict(scope, receive)
            else:
                headers, body = self._document(scope)
        except RequestError as error:
            status, headers, body = error.status, (*JSON_HEADERS, *error.headers), error.to_json()
        except ClientGoneError:
            return
        length = (b"content-length", b"%d" % len(body))
        await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
        await send(
            {
                "type": "http.response.body",
                "body": b"" if scope["method"] == "HEAD" else body,
            }
        )

    def _document(self, scope: Scope) -> tuple[tuple[Header, ...], bytes]:
        if self._hosts is not None:
            self._hosts.check(scope["headers"])
        path = scope["path"]
        if path not in self._documents:
            known = ", ".join(["/predict", *self._documents])
            message = f"the path must be one of {known}"
            raise RequestError.of(404, message, "not_found", ("path",))
        if scope["method"] not in ("GET", "HEAD"):
            raise _wrong_method("GET, HEAD")
        return self._documents[path]

    async def _predict(self, scope: Scope, receive: Receive) -> bytes:
        if scope["method"] != "POST":
            raise _wrong_method("POST")
        self._check_headers(scope["headers"])
        deadline = monotonic() + self._max_seconds
        try:
            message = await receive()
            if message["type"] == "http.request" and not message.get("more_body", False):
                body: bytes = message.get("body", b"")
                if len(body) > self._max_bytes:
                    raise self._too_large()
            else:
                body = await self._read_parts(message, receive)
            if self._service.is_fast and len(body) <= _SMALL_BODY and not _may_explain(body):
                return self._service.answer(body)
            return await self._compute(body, receive, deadline)
        except asyncio.CancelledError:
            raise _unavailable("the server ends, and waits no longer", "stopping") from None

    async def _compute(self, body: bytes, receive: Receive, deadline: float) -> bytes:
        """Return an answer that the thread computes, unless the client leaves or it takes long."""
        loop = asyncio.get_running_loop()
        try:
            job = self._queue.submit(partial(self._service.answer, body))
        except QueueFullError:
            message = f"{self._max_waiting} other requests are waiting for answers; ask again later"
            raise _unavailable(message, "too_many_requests") from None
        answer = asyncio.wrap_future(job.future, loop=loop)
        gone = loop.create_task(_wait_until_gone(receive))
        try:
            both: set[asyncio.Future[Any]] = {answer, gone}
            seconds = deadline - monotonic()
            await asyncio.wait(both, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                return answer.result()
            if gone.done():
                gone.result()  # an error of `receive`
                raise ClientGoneError
        finally:
            gone.cancel()
            answer.cancel()
            job.abandon()
        message = (
            f"the answer was not computed within {self._max_seconds:g} seconds; ask for fewer "
            "rows, or later"
        )
        raise _unavailable(message, "timeout")

    def _check_headers(self, headers: list[Header]) -> None:
        """Raise unless the body is JSON and not too large, as the headers say."""
        kind, hosts = b"", self._hosts
        for name, value in headers:
            if name == b"host":
                if hosts is not None and value not in hosts.accepted:
                    hosts.check([(name, value)])
            elif name == b"content-type":
                kind = value
            elif name == b"content-length" and _length(value) > self._max_bytes:
                raise self._too_large()
            elif name == b"content-encoding" and value.strip().lower() != b"identity":
                raise _wrong_type("the body must not be compressed")
        if kind != b"application/json" and not _is_json(kind):
            raise _wrong_type("the content type must be application/json, in UTF-8")

    async def _read_parts(self, message: Message, receive: Receive) -> bytes:
        """Return a body that comes in several messages; the first one is there."""
        parts, n_bytes = [], 0
        while message["type"] == "http.request":
            parts.append(message.get("body", b""))
            n_bytes += len(parts[-1])
            if n_bytes > self._max_bytes:
                raise self._too_large()
            if not message.get("more_body", False):
                return b"".join(parts)
            message = await receive()
        raise ClientGoneError

    def _too_large(self) -> RequestError:
        message = f"the body must have at most {self._max_bytes} bytes"
        return RequestError.of(413, message, "too_large")


async def _wait_until_gone(receive: Receive) -> None:
    """Return when the client closes the connection."""
    message = await receive()
    if message["type"] != "http.disconnect":  # the server does not report it
        await asyncio.Event().wait()


def _may_explain(body: bytes) -> bool:
    r"""Return whether a body may have the key "explain", which may be written with escapes.

    >>> _may_explain(b'{"explain": true}'), _may_explain(rb'{"\u0065xplain": true}')
    (True, True)
    """
    # The search for one byte is a tenth of the other.
    return b'"explain"' in body or (_BACKSLASH in body and b"\\u" in body)


def _length(value: bytes) -> int:
    return int(value) if value.isdigit() and len(value) < 20 else 1 << 63


def _is_json(kind: bytes) -> bool:
    """Return whether a content type is JSON; its charset may be UTF-8 only.

    >>> _is_json(b"Application/JSON; charset=utf-8"), _is_json(b"text/plain")
    (True, False)
    """
    name, *settings = (part.strip().lower() for part in kind.split(b";"))
    charsets = [each for each in settings if each.startswith(b"charset=")]
    utf8 = (b"charset=utf-8", b'charset="utf-8"')
    return name == b"application/json" and all(each in utf8 for each in charsets)


def _unavailable(message: str, kind: str) -> RequestError:
    return RequestError.of(503, message, kind, ("server",), ((b"retry-after", b"1"),))


def _wrong_type(message: str) -> RequestError:
    return RequestError.of(415, message, "content_type", ("header", "content-type"))


def _wrong_method(allowed: str) -> RequestError:
    message = f"the method must be {' or '.join(allowed.split(', '))}"
    headers = ((b"allow", allowed.encode()),)
    return RequestError.of(405, message, "method_not_allowed", ("method",), headers)


__all__ = ["JSON_HEADERS", "MAX_SECONDS", "MAX_WAITING", "Application", "ClientGoneError"]
