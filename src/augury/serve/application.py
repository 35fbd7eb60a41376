"""The ASGI application: paths, limits of requests, and headers of answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from augury.serve.allowed_hosts import AllowedHosts
from augury.serve.prediction_service import PredictionService
from augury.serve.problems import Header, RequestError

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

# A larger body is read in a thread, so that other requests are answered meanwhile.
_SMALL_BODY = 1 << 16
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
    """

    def __init__(
        self,
        service: PredictionService,
        documents: Mapping[str, tuple[tuple[Header, ...], bytes]],
        *,
        max_request_bytes: int,
        allowed_hosts: AllowedHosts | None = None,
    ) -> None:
        self._service = service
        self._documents = documents
        self._max_bytes = max_request_bytes
        self._hosts = allowed_hosts
        # One thread, so that a model computes one answer at a time.
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="augury-serve")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            raise ValueError(f"the application serves http, got {scope['type']!r}")
        status, headers = 200, JSON_HEADERS
        try:
            if scope["path"] == "/predict":
                body = await self._predict(scope, receive)
            else:
                if self._hosts is not None:
                    self._hosts.check(scope["headers"])
                headers, body = self._document(scope["path"], scope["method"])
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

    def _document(self, path: str, method: str) -> tuple[tuple[Header, ...], bytes]:
        if path not in self._documents:
            known = ", ".join(["/predict", *self._documents])
            message = f"the path must be one of {known}"
            raise RequestError.of(404, message, "not_found", ("path",))
        if method not in ("GET", "HEAD"):
            raise _wrong_method("GET, HEAD")
        return self._documents[path]

    async def _predict(self, scope: Scope, receive: Receive) -> bytes:
        if scope["method"] != "POST":
            raise _wrong_method("POST")
        self._check_headers(scope["headers"])
        message = await receive()
        if message["type"] == "http.request" and not message.get("more_body", False):
            body: bytes = message.get("body", b"")
            if len(body) > self._max_bytes:
                raise self._too_large()
        else:
            body = await self._read_parts(message, receive)
        if self._service.is_fast and len(body) <= _SMALL_BODY and b'"explain"' not in body:
            return self._service.answer(body)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._worker, self._service.answer, body)

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


def _wrong_type(message: str) -> RequestError:
    return RequestError.of(415, message, "content_type", ("header", "content-type"))


def _wrong_method(allowed: str) -> RequestError:
    message = f"the method must be {' or '.join(allowed.split(', '))}"
    headers = ((b"allow", allowed.encode()),)
    return RequestError.of(405, message, "method_not_allowed", ("method",), headers)


__all__ = ["JSON_HEADERS", "Application", "ClientGoneError"]
