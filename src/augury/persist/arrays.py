"""Arrays of a model file: plain values in NumPy's .npy format, of the size that they state.

This module reads the format instead of `numpy.load`: the header of a hostile file is never
evaluated, and only the few types of values that models have are accepted.
"""

import math
import re
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from augury.arrays import Array

_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    r"\{'descr': '([<>|])([A-Za-z])(\d{1,9})', 'fortran_order': (True|False), "
    r"'shape': \(((?:\d{1,18}, )*(?:\d{1,18},?)?)\), \} *\n"
)
_ITEM_BYTES = {"b": (1,), "i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (2, 4, 8)}
_TEXT = "U"
_LARGEST_CODE_POINT = 0x10FFFF
_BLOCK_BYTES = 1 << 20


class ArrayError(ValueError):
    """No model has such an array; the message gives the reason."""


class ArrayTypeError(ArrayError):
    """Only types that the user must trust have arrays of such values."""


@dataclass(frozen=True)
class ArrayHeader:
    """Type and shape of an array, as the file states.

    Parameters
    ----------
    dtype : its type, in the byte order of the file
    shape : its shape
    fortran_order : whether it is stored column by column
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    fortran_order: bool

    @property
    def n_bytes(self) -> int:
        """Number of bytes of the values."""
        return math.prod(self.shape) * self.dtype.itemsize

    @property
    def claimed_bytes(self) -> int:
        """Number of bytes if no axis were empty.

        An array of shape (0, 10**9) takes no bytes, but its sum over the first axis does.
        """
        return math.prod(max(size, 1) for size in self.shape) * max(self.dtype.itemsize, 1)


def read_header(file: IO[bytes], size: int) -> ArrayHeader:
    """Read the header of an array that takes `size` bytes in all, or raise `ArrayError`."""
    start = file.read(len(_MAGIC) + 2)
    if not start.startswith(_MAGIC) or len(start) != len(_MAGIC) + 2:
        raise ArrayError("of an unknown version")
    length = int.from_bytes(start[len(_MAGIC) :], "little")
    text = file.read(length)
    if b"'|O'" in text:
        raise ArrayError("of objects, which only a pickle could hold")
    match = _HEADER.fullmatch(text.decode("latin-1"))
    if match is None:
        raise ArrayTypeError("of values that no model has")
    order, kind, item, fortran, shape = match.groups()
    n_item = int(item)
    if kind != _TEXT and n_item not in _ITEM_BYTES.get(kind, ()):
        raise ArrayTypeError(f"of values that no model has: {kind}{n_item}")
    if kind == _TEXT and n_item > size + _BLOCK_BYTES:
        raise ArrayError("that has not the size it says")
    dtype = np.dtype(f"{order}{kind}{n_item}")
    sizes = tuple(int(part) for part in shape.replace(",", " ").split())
    header = ArrayHeader(dtype, sizes, fortran == "True")
    if len(sizes) > 32 or header.n_bytes != size - len(start) - length:
        raise ArrayError("that has not the size it says")
    return header


def read_array(file: IO[bytes], size: int) -> Array:
    """Read an array that takes `size` bytes in all, in the byte order of this machine."""
    header = read_header(file, size)
    values = np.empty(header.n_bytes, dtype=np.uint8)
    position = 0
    while position < len(values):
        block = file.read(min(_BLOCK_BYTES, len(values) - position))
        if not block:
            raise ArrayError("that is cut off")
        values[position : position + len(block)] = np.frombuffer(block, dtype=np.uint8)
        position += len(block)
    if file.read(1):  # the end, where zipfile compares the checksum
        raise ArrayError("that has not the size it says")
    _check_values(values, header.dtype)
    if header.dtype.itemsize == 0:
        return np.empty(header.shape, dtype=header.dtype)
    array = values.view(header.dtype)
    if not header.dtype.isnative:
        array = array.astype(header.dtype.newbyteorder("="))
    return array.reshape(header.shape, order="F" if header.fortran_order else "C")


def _check_values(values: Array, dtype: np.dtype[Any]) -> None:
    if dtype.kind == "b" and len(values) and values.max() > 1:
        raise ArrayError("of truth values that are neither true nor false")
    if dtype.kind == _TEXT and len(values):
        points = values.view(np.dtype(np.uint32).newbyteorder(dtype.byteorder))
        if points.max() > _LARGEST_CODE_POINT:
            raise ArrayError("of text with characters that do not exist")
