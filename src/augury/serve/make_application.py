"""The ASGI application of a saved model."""

from collections.abc import Iterable
from json import dumps

from augury.persist import SavedModel
from augury.serve.allowed_hosts import AllowedHosts
from augury.serve.api_schema import describe_api
from augury.serve.application import JSON_HEADERS, MAX_SECONDS, MAX_WAITING, Application
from augury.serve.page import render_served_page
from augury.serve.prediction_service import PredictionService

MAX_REQUEST_BYTES, MAX_ROWS = 1 << 20, 10_000


def make_application(
    saved: SavedModel,
    *,
    max_request_bytes: int = MAX_REQUEST_BYTES,
    max_rows: int = MAX_ROWS,
    allowed_hosts: Iterable[str] | None = None,
    max_seconds: float = MAX_SECONDS,
    max_waiting: int = MAX_WAITING,
) -> Application:
    """Return the application of a saved model, for any ASGI server.

    Parameters
    ----------
    saved : SavedModel
        Result of `augury.persist.load_model`.
    max_request_bytes : int
        Most bytes of the body of a request.
    max_rows : int
        Most rows of a request.
    allowed_hosts : iterable of str or None
        Names that a request may have in its header `host`, beside addresses and localhost. None:
        any name.
    max_seconds : float
        Longest time from the headers of a request until its answer is computed. The status is
        then 503.
    max_waiting : int
        Most requests that wait while the model computes an answer. The status of others is 503.
    """
    hosts = None if allowed_hosts is None else AllowedHosts(allowed_hosts)
    service = PredictionService(saved, max_rows=max_rows)
    schema = describe_api(
        saved.metadata, service.columns, max_request_bytes=max_request_bytes, max_rows=max_rows
    )
    documents = {
        "/": render_served_page(saved, service.columns, service.frames),
        "/schema": (JSON_HEADERS, dumps(schema).encode()),
        "/health": (JSON_HEADERS, b'{"status":"ok"}'),
    }
    return Application(
        service,
        documents,
        max_request_bytes=max_request_bytes,
        allowed_hosts=hosts,
        max_seconds=max_seconds,
        max_waiting=max_waiting,
    )


__all__ = ["MAX_REQUEST_BYTES", "MAX_ROWS", "make_application"]
