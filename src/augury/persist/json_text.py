"""JSON text of an unchecked file; its memory and its depth are bounded before it is parsed.

Python's parser makes 64 bytes of the three characters `[],` and goes one call deeper for
each bracket. Both are computed from the text before it is parsed.
"""

import json
from typing import Any

import numpy as np

# No model nests deeper than about 40 brackets.
MAX_DEPTH = 300

# Upper bounds of what CPython takes, the values that are made of the text included:
# a string, an object or a list, any other value, and each character of the text.
_STRING_BYTES, _CONTAINER_BYTES, _VALUE_BYTES, _CHARACTER_BYTES = 60, 260, 40, 6

_BLOCK_BYTES = 1 << 18


class JsonTextError(ValueError):
    """A text that is not parsed; the message says why."""


class LongJsonTextError(JsonTextError):
    """A text whose values could take more memory than is allowed."""


def parsed_bytes(text: bytes) -> int:
    """Return an upper bound of the memory that the values of a JSON text take.

    Raises
    ------
    JsonTextError
        If the text nests deeper than `MAX_DEPTH`.

    Examples
    --------
    >>> parsed_bytes(b'[1, "a"]') < 1000
    True
    >>> parsed_bytes(b"[" * 1000)
    Traceback (most recent call last):
    ...
    augury.persist.json_text.JsonTextError: it nests deeper than 300 brackets
    """
    # Without escaped characters, every quotation mark begins or ends a string.
    marks = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    n_quotes = n_containers = n_commas = level = 0
    for start in range(0, len(marks), _BLOCK_BYTES):
        piece = np.frombuffer(marks, np.uint8, min(_BLOCK_BYTES, len(marks) - start), start)
        quotes = np.cumsum(piece == ord('"'), dtype=np.int32)
        outside = (quotes + n_quotes) % 2 == 0
        opening = outside & ((piece == ord("[")) | (piece == ord("{")))
        closing = outside & ((piece == ord("]")) | (piece == ord("}")))
        levels = level + np.cumsum(opening.astype(np.int8) - closing, dtype=np.int32)
        if levels.max() > MAX_DEPTH:
            raise JsonTextError(f"it nests deeper than {MAX_DEPTH} brackets")
        n_quotes, level = n_quotes + int(quotes[-1]), int(levels[-1])
        n_containers += int(np.count_nonzero(opening))
        n_commas += int(np.count_nonzero(outside & (piece == ord(","))))
    return (
        _STRING_BYTES * (n_quotes // 2)
        + _CONTAINER_BYTES * n_containers
        + _VALUE_BYTES * (n_containers + n_commas + 1)
        + _CHARACTER_BYTES * len(text)
    )


def parse_json_text(text: bytes, max_bytes: float) -> tuple[Any, int]:
    """Return the value of a JSON text and a bound of its memory, or raise `JsonTextError`.

    Nothing is parsed that is not ASCII (what augury writes is) or could take more than
    `max_bytes` of memory.
    """
    if not text.isascii():
        raise JsonTextError("it has characters that augury would have escaped")
    needed = _CHARACTER_BYTES * len(text)
    if needed <= max_bytes:  # else there is no memory to look closer
        needed = parsed_bytes(text)
    if needed > max_bytes:
        raise LongJsonTextError(f"it may take {needed:,} bytes of memory, more than {max_bytes:,}")
    try:
        return json.loads(text), needed
    except (ValueError, RecursionError) as error:
        raise JsonTextError(str(error)) from error
