"""Malformed requests: changed bodies of JSON, and changed bytes of whole requests."""

import json
import random
from collections.abc import Iterator

_PIECES = [
    b"{", b"}", b"[", b"]", b'"', b",", b":", b"null", b"NaN", b"-Infinity", b"1e999", b"\\u0000",
    b"\\ud800", b"\xff", b"\x00", b"true", b"-", b"9" * 40, b'"row"', b'"rows"', b'"explain":true,',
    b"[" * 300, b"{}", b"\xef\xbb\xbf", b" " * 200, b"'", b"/*", b"\\",
]  # fmt: skip
_VALUES = [
    None, True, False, 0, -1, 1e308, 10**30, "", "x" * 500, "\u0000", [], {}, [[]], {"a": {}},
    "../../etc/passwd", "__import__('os')", "{{7*7}}", "<script>", "2024-02-30", "$1,2,3",
]  # fmt: skip
_LINES = [
    b"POST /predict HTTP/1.1",
    b"GET / HTTP/1.1",
    b"GET /../../etc/passwd HTTP/1.1",
    b"PRI * HTTP/2.0",
    b"CONNECT a:1 HTTP/1.1",
    b"GET /%00%ff HTTP/1.1",
    b"GET http://x:y/ HTTP/1.1",
    b"POST  /predict",
    b"BREW /health HTTP/1.1",
    b"GET /health HTTP/9.9",
    b"OPTIONS * HTTP/1.1",
    b"GET /\xc3\xbc HTTP/1.1",
]
_HEADERS = [
    b"host: localhost",
    b"content-type: application/json",
    b"content-type: text/plain",
    b"content-length: -1",
    b"content-length: 5",
    b"content-length: 99999999999999999999",
    b"transfer-encoding: chunked",
    b"transfer-encoding: chunked, gzip",
    b"content-encoding: gzip",
    b"expect: 100-continue",
    b"connection: upgrade",
    b"upgrade: websocket",
    b"x: " + b"y" * 5000,
    b": empty",
    b"no colon",
    b"connection: close",
    b"content-length: 1\r\ncontent-length: 2",
    b"x:\x00",
]


def malformed_bodies(good: bytes, rng: random.Random, n: int) -> Iterator[bytes]:
    """Yield bodies that differ from a good one: bytes, pieces of JSON, or values."""
    for _ in range(n):
        kind = rng.randrange(3)
        if kind == 0:
            yield changed_bytes(good, rng)
        elif kind == 1:
            yield changed_value(good, rng)
        else:
            place = rng.randrange(len(good))
            piece = rng.choice(_PIECES)
            yield good[:place] + piece + good[place + rng.randrange(len(piece) + 1) :]


def malformed_requests(good: bytes, rng: random.Random, n: int) -> Iterator[bytes]:
    """Yield whole requests, with a body that may not fit its headers, or random bytes."""
    for _ in range(n):
        if rng.random() < 0.1:
            yield rng.randbytes(rng.randrange(1, 400))
            continue
        lines = [rng.choice(_LINES), *rng.sample(_HEADERS, rng.randrange(5))]
        if rng.random() < 0.5:
            lines.append(b"content-length: %d" % len(good))
        request = b"\r\n".join(lines) + b"\r\n\r\n"
        if rng.random() < 0.7:
            request += good if rng.random() < 0.5 else b"5\r\n" + good[:5] + b"\r\nzz\r\n"
        yield changed_bytes(request, rng) if rng.random() < 0.5 else request


def changed_bytes(text: bytes, rng: random.Random) -> bytes:
    """Return a text of which some bytes are replaced, removed or repeated."""
    found = bytearray(text)
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(found))
        kind = rng.randrange(3)
        if kind == 0:
            found[place] = rng.randrange(256)
        elif kind == 1 and len(found) > 2:
            del found[place : place + rng.randrange(1, 10)]
            found = found or bytearray(b"{")
        else:
            found[place:place] = found[place : place + rng.randrange(1, 30)]
    return bytes(found)


def changed_value(good: bytes, rng: random.Random) -> bytes:
    """Return a request of which values, keys or the form are others."""
    content = json.loads(good)
    row = content["row"]
    for _ in range(rng.randrange(1, 4)):
        name = rng.choice(list(row) or ["none"])
        kind = rng.randrange(4)
        if kind == 0:
            row.pop(name, None)
        elif kind == 1:
            row[rng.choice(["", name * 2, "x" * 300, "\u202e"])] = rng.choice(_VALUES)
        else:
            row[name] = rng.choice(_VALUES)
    forms = [
        content,
        {"rows": [row] * rng.randrange(4)},
        {"rows": row},
        {"columns": row},
        row,
        [row],
        {"row": row, "explain": rng.choice(_VALUES)},
        {"row": rng.choice(_VALUES)},
    ]
    return json.dumps(rng.choice(forms)).encode()
