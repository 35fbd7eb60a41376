"""JSON of a file that nobody has checked: its memory and its depth are bounded first.

Python's parser makes 64 bytes of the three characters `[],` and goes one call deeper for
each bracket. Both are computed from the text before it is parsed.
"""

import json
import re
from typing import Any

import numpy as np

# No model nests deeper than about 40 brackets.
MAX_DEPTH = 300

# Upper bounds of what CPython takes, the values that are made of the text included:
# a string, an object or a list, any other value, and each character of the text.
_STRING_BYTES, _CONTAINER_BYTES, _VALUE_BYTES, _CHARACTER_BYTES = 60, 260, 40, 6

_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


class JsonTextError(ValueError):
    """A text that is not parsed; the message says why."""


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
    marks, n_strings = _STRING.subn(b"", text)
    opening = marks.count(b"[") + marks.count(b"{")
    if _depth(marks) > MAX_DEPTH:
        raise JsonTextError(f"it nests deeper than {MAX_DEPTH} brackets")
    n_values = opening + marks.count(b",") + 1
    return (
        _STRING_BYTES * n_strings
        + _CONTAINER_BYTES * opening
        + _VALUE_BYTES * n_values
        + _CHARACTER_BYTES * len(text)
    )


def _depth(marks: bytes) -> int:
    """Return the largest number of open brackets, in pieces that take little memory."""
    deepest = level = 0
    for start in range(0, len(marks), 1 << 20):
        piece = np.frombuffer(marks[start : start + (1 << 20)], dtype=np.uint8)
        # [ and { are 91 and 123; ] and } are two more.
        steps = ((piece == 91) | (piece == 123)).astype(np.int32)
        steps -= (piece == 93) | (piece == 125)
        levels = level + np.cumsum(steps, dtype=np.int64)
        deepest, level = max(deepest, int(levels.max())), int(levels[-1])
    return deepest


def parse_json_text(text: bytes, max_bytes: float) -> tuple[Any, int]:
    """Return the value of a JSON text and a bound of its memory, or raise `JsonTextError`.

    Nothing is parsed that is not ASCII (what augury writes is) or could take more than
    `max_bytes` of memory.
    """
    if not text.isascii():
        raise JsonTextError("it has characters that augury would have escaped")
    if (needed := parsed_bytes(text)) > max_bytes:
        raise JsonTextError(f"it may take {needed:,} bytes of memory, more than {max_bytes:,}")
    try:
        return json.loads(text), needed
    except (ValueError, RecursionError) as error:
        raise JsonTextError(str(error)) from error
