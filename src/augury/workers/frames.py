"""Messages between a run and its worker processes: a kind, a length, and the content."""

import struct
from typing import IO

_HEADER = struct.Struct("<cQ")

# From the run to a worker.
SHARED = b"S"
TASK = b"T"
# From a worker to the run.
READY = b"R"
ANSWER = b"A"


def write_frame(stream: IO[bytes], kind: bytes, content: bytes = b"") -> None:
    """Write a message."""
    stream.write(_HEADER.pack(kind, len(content)))
    stream.write(content)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[bytes, bytes] | None:
    """Return kind and content of the next message, or None where the stream ends.

    >>> import io
    >>> stream = io.BytesIO()
    >>> write_frame(stream, TASK, b"work")
    >>> _ = stream.seek(0)
    >>> read_frame(stream), read_frame(stream)
    ((b'T', b'work'), None)
    """
    header = stream.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    kind, length = _HEADER.unpack(header)
    content = stream.read(length)
    return None if len(content) < length else (kind, content)


__all__ = ["ANSWER", "READY", "SHARED", "TASK", "read_frame", "write_frame"]
