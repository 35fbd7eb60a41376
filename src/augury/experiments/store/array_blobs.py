"""Arrays as compressed blobs of a store."""

import zlib

import numpy as np

from augury.arrays import Array

_CONFIDENCE_STEPS = 65535
_INTEGERS = "bhiq"  # NumPy's codes, the narrowest first


def pack_integers(values: Array) -> bytes:
    """Return integers in the narrowest type that holds them, compressed.

    >>> unpack_integers(pack_integers(np.array([3, -1, 70000])))
    array([    3,    -1, 70000])
    """
    values = np.asarray(values)
    largest = int(np.abs(values).max(initial=0))
    code = next(code for code in _INTEGERS if largest <= np.iinfo(np.dtype(code)).max)
    return code.encode() + zlib.compress(values.astype(np.dtype(code).newbyteorder("<")).tobytes())


def unpack_integers(blob: bytes) -> Array:
    """Return packed integers; raise ValueError if the blob is damaged."""
    if chr(blob[0]) not in _INTEGERS:
        raise ValueError(f"integers must begin with one of {_INTEGERS!r}, got {blob[:1]!r}")
    kind = np.dtype(chr(blob[0])).newbyteorder("<")
    return np.frombuffer(zlib.decompress(blob[1:]), dtype=kind).astype(np.int64)


def pack_shares(values: Array | None) -> bytes | None:
    """Return numbers from 0 to 1 in steps of 1 / 65535, compressed; None stays None.

    >>> unpack_shares(pack_shares(np.array([0.0, 0.25, 1.0]))).round(4)
    array([0.  , 0.25, 1.  ])
    """
    if values is None:
        return None
    steps = np.rint(np.clip(values, 0.0, 1.0) * _CONFIDENCE_STEPS)
    return zlib.compress(steps.astype("<u2").tobytes())


def unpack_shares(blob: bytes | None) -> Array | None:
    """Return numbers from 0 to 1."""
    if blob is None:
        return None
    return np.frombuffer(zlib.decompress(blob), dtype="<u2") / _CONFIDENCE_STEPS


__all__ = ["pack_integers", "pack_shares", "unpack_integers", "unpack_shares"]
